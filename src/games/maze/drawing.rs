//! The drawing of a maze, the clicks that make a move, and the editor's brushes.

use super::{Grid, Ground, Map, Maze, Place};
use crate::drawing::{Dragging, Drawing, Editor, Lesson, Primer, Track};
use crate::limits::{Limit, Limits};
use crate::notation::{Notation, sentence};
use crate::rules::{DEAD, Problem, Rules};
use crate::scene::{Brush, Explanation, Form, Paint, Scene};

/// The size of a cell, and the margin around the grid.
const SIZE: f64 = 24.0;
const MARGIN: f64 = 8.0;
/// A grid with more cells than this is drawn without names for its cells, except near the current cell.
const MOST_NAMED: usize = 25_000;

impl Drawing for Maze {
    const LESSON: Option<Lesson<Self>> = Some(Lesson {
        explain: |maze, &place, limits| explain(maze, place, limits),
        show_proof: |_, _, certificate| Explanation::new(sentence(&certificate.claim)),
        measure: None,
    });

    const EDITOR: Option<Editor<Self>> = Some(Editor {
        brushes,
        canvas,
        paint,
        arranging: None,
        dragging: Some(Dragging { grips: |maze, &place| vec![(maze.place_name(maze.goal), "goal"), (maze.place_name(place), "start")] }),
    });

    const PRIMER: Option<Primer<Self>> = Some(super::primer::PRIMER);

    const TRACK: Option<Track<Self>> = Some(Track { place: |maze, &place| maze.place_name(place), whole: true });

    fn scene(&self, &place: &Place, limits: &Limits) -> Result<Scene, Limit> {
        match &self.ground {
            Ground::Grid(grid) => grid_scene(self, grid, place, limits),
            Ground::Map(map) => map_scene(self, map, place, limits),
        }
    }

    fn clicks(&self, _: &Place, &to: &Place) -> Vec<String> {
        vec![self.place_name(to)]
    }
}

/// Shows the best estimate and, on each place that can be entered next, the sum by which A* ranks it: the price of the step plus
/// the estimate from there.
fn explain(maze: &Maze, place: Place, limits: &Limits) -> Option<Explanation> {
    let heuristic = maze.heuristics().iter().find(|heuristic| heuristic.consistent)?;
    let estimate = (heuristic.build)(maze, limits).ok()?;
    let at = |place: Place| estimate.at(maze, &place, limits).ok().filter(|&cost| cost < DEAD);
    let mut explanation = Explanation::new(format!(
        "The estimate `{}` is {}, so no way to the goal costs less. The number on each next place is the price of the step plus the \
         estimate from there. A* prefers small numbers.",
        heuristic.name,
        at(place)?
    ));
    explanation.tint(maze.place_name(maze.goal), Paint::Glow, 0.6);
    let mut moves = Vec::new();
    maze.moves(&place, &mut moves);
    for next in moves {
        let sum = at(maze.apply(&place, &next)).map_or_else(|| "-".to_owned(), |rest| (maze.cost(&place, &next) + rest).to_string());
        explanation.tint_with(maze.place_name(next), Paint::Glow, 0.3, sum);
    }
    Some(explanation)
}

fn grid_scene(maze: &Maze, grid: &Grid, place: Place, limits: &Limits) -> Result<Scene, Limit> {
    let (x, y) = grid.xy(maze.goal);
    let title = format!("Maze of {} columns and {} rows; the goal is in column {x}, row {y}", grid.columns, grid.rows);
    let (width, height) = (SIZE * grid.columns as f64 + 2.0 * MARGIN, SIZE * grid.rows as f64 + 2.0 * MARGIN);
    let mut scene = Scene { title, width, height, ..Scene::default() };
    let whole = Form::Rect { x: MARGIN, y: MARGIN, width: width - 2.0 * MARGIN, height: height - 2.0 * MARGIN };
    let many = grid.rows * grid.columns > MOST_NAMED;
    if many {
        scene.add(whole, Paint::Cell);
    }
    for y in 0..grid.rows {
        let mut x = 0;
        while x < grid.columns {
            scene.check(limits)?;
            let is_wall = grid.price(grid.cell(x, y)) == 0;
            let length = (x..grid.columns).take_while(|&x| is_wall && grid.price(grid.cell(x, y)) == 0).count().max(1);
            if is_wall {
                let Form::Rect { x, y, height, .. } = square(x, y) else { unreachable!("a square is a rectangle") };
                scene.add(Form::Rect { x, y, width: SIZE * length as f64, height }, Paint::Block);
            } else if !many {
                add_cell(&mut scene, maze, grid, grid.cell(x, y), place);
            }
            x += length;
        }
    }
    if many {
        let mut near = vec![place, maze.goal];
        maze.moves(&place, &mut near);
        near.sort_unstable();
        near.dedup();
        near.into_iter().for_each(|cell| add_cell(&mut scene, maze, grid, cell, place));
    }
    Ok(scene)
}

fn square(x: usize, y: usize) -> Form {
    Form::Rect { x: MARGIN + SIZE * x as f64, y: MARGIN + SIZE * y as f64, width: SIZE, height: SIZE }
}

/// Adds a cell with its price, and marks it if it is the goal or the current cell.
fn add_cell(scene: &mut Scene, maze: &Maze, grid: &Grid, cell: Place, here: Place) {
    let ((x, y), price, name) = (grid.xy(cell), grid.price(cell), maze.place_name(cell));
    let form = square(x, y);
    let (middle_x, middle_y) = form.middle();
    let paint = match price {
        0 => Paint::Block,
        _ if cell == maze.goal => Paint::Mark,
        _ => Paint::Cell,
    };
    scene.add_named(form, paint, name.clone());
    let text = |text: String| Form::Text { x: middle_x, y: middle_y, size: 12.0, text };
    if cell == here {
        scene.add_named(Form::Circle { x: middle_x, y: middle_y, r: SIZE * 0.34 }, Paint::Blue, name.clone());
    } else if cell == maze.goal {
        scene.add_named(text("G".to_owned()), Paint::Ink, name.clone());
    }
    if price > 1 {
        scene.add_named(text(price.to_string()), if cell == here { Paint::Cell } else { Paint::Ink }, name.clone());
    }
    let mut label = match price {
        0 => "wall".to_owned(),
        1 => "floor".to_owned(),
        _ => format!("price {price}"),
    };
    for (is, what) in [(cell == here, "you are here"), (cell == maze.goal, "goal")] {
        if is {
            label = format!("{what}, {label}");
        }
    }
    scene.describe(&name, format!("{label}, column {x} row {y}"));
}

fn map_scene(maze: &Maze, map: &Map, place: Place, limits: &Limits) -> Result<Scene, Limit> {
    // Larger maps get more room.
    let size = 60.0 + 130.0 * (map.len() as f64).sqrt();
    let (left, top) = (40.0, 20.0);
    let points: Vec<(f64, f64)> = map.layout(limits)?.into_iter().map(|(x, y)| (left + size * x, top + size * y)).collect();
    let most = |along: fn(&(f64, f64)) -> f64| points.iter().map(along).fold(0.0, f64::max);
    let title = format!("Map of {} places; the goal is {}", map.len(), map.name(maze.goal));
    let (width, height) = (most(|point| point.0) + left, most(|point| point.1) + 34.0);
    let mut scene = Scene { title, width, height, ..Scene::default() };
    for &(a, b, price, one_way) in map.all_roads() {
        scene.check(limits)?;
        let (from, to) = (points[a as usize], points[b as usize]);
        let ends = [map.name(a), map.name(b)];
        scene.add_between(Form::Line { from, to }, Paint::Faint, ends);
        let (x, y) = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        if one_way {
            // An arrowhead at the far end.
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let length = dx.hypot(dy).max(1.0);
            let (dx, dy) = (dx / length, dy / length);
            let back = |by: f64, aside: f64| (to.0 - dx * by - dy * aside, to.1 - dy * by + dx * aside);
            scene.add(Form::Polygon { points: vec![back(9.0, 0.0), back(18.0, 4.0), back(18.0, -4.0)] }, Paint::Ink);
        }
        scene.add_between(Form::Text { x, y, size: 11.0, text: price.to_string() }, Paint::Ink, ends);
    }
    for other in maze.places() {
        scene.check(limits)?;
        let ((x, y), name) = (points[other as usize], map.name(other));
        let paint = if other == maze.goal { Paint::Mark } else { Paint::Cell };
        scene.add_named(Form::Circle { x, y, r: 9.0 }, paint, name);
        if other == place {
            scene.add_named(Form::Circle { x, y, r: 6.0 }, Paint::Blue, name);
        }
        let shown: String = name.chars().take(16).collect();
        scene.add_named(Form::Text { x, y: y + 17.0, size: 11.0, text: shown }, Paint::Ink, name);
        let marks = [(other == place, ", you are here"), (other == maze.goal, ", goal")];
        let marks: String = marks.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark).collect();
        scene.describe(name, format!("{name}{marks}"));
    }
    Ok(scene)
}

const ENDS: [Brush; 2] =
    [Brush { name: "start", about: "move the start here", clicks: 1 }, Brush { name: "goal", about: "move the goal here", clicks: 1 }];

const BRUSHES: &[Brush] = &[
    Brush { name: "wall", about: "put a wall here", clicks: 1 },
    ENDS[0],
    ENDS[1],
    Brush { name: "floor", about: "make this a floor of price 1, even if it is a wall", clicks: 1 },
    Brush { name: "price 3", about: "entering this cell costs 3", clicks: 1 },
    Brush { name: "price 5", about: "entering this cell costs 5", clicks: 1 },
    Brush { name: "price 9", about: "entering this cell costs 9", clicks: 1 },
    Brush { name: "add row", about: "add a row below", clicks: 0 },
    Brush { name: "add column", about: "add a column on the right", clicks: 0 },
    Brush { name: "no walls", about: "remove all walls", clicks: 0 },
];

fn brushes(maze: &Maze) -> &'static [Brush] {
    match maze.ground {
        Ground::Grid(_) => BRUSHES,
        Ground::Map(_) => &ENDS,
    }
}

/// The scene with a name for every cell, including walls.
fn canvas(maze: &Maze, &place: &Place, limits: &Limits) -> Result<Scene, Limit> {
    let mut scene = maze.scene(&place, limits)?;
    if let Ground::Grid(grid) = &maze.ground
        && grid.rows * grid.columns <= MOST_NAMED
    {
        scene.shapes.clear();
        for cell in maze.places() {
            scene.check(limits)?;
            add_cell(&mut scene, maze, grid, cell, place);
        }
    }
    Ok(scene)
}

fn paint(maze: &Maze, &place: &Place, brush: &str, shapes: &[&str]) -> Option<String> {
    let mut changed = maze.clone();
    let mut start = place;
    let grid = match &mut changed.ground {
        Ground::Grid(grid) => grid,
        Ground::Map(map) => {
            let [name] = shapes else { return None };
            let place = (0..map.len() as Place).find(|&other| map.name(other) == *name)?;
            match brush {
                "start" => start = place,
                "goal" => {
                    let is_same = place == changed.goal;
                    map.aim(place, is_same, &Limits::none()).ok()?;
                    changed.goal = place;
                }
                _ => return None,
            }
            return Some(changed.write(&start));
        }
    };
    match (brush, shapes) {
        ("no walls", []) => {
            for cell in maze.places() {
                let price = &mut grid.prices[cell as usize];
                *price = (*price).max(1);
            }
        }
        ("add row" | "add column", []) => {
            let wider = usize::from(brush == "add column");
            let mut larger = Grid::new(grid.columns + wider, grid.neighbors);
            for y in 0..grid.rows {
                let row = (0..grid.columns).map(|x| grid.prices[grid.cell(x, y) as usize]);
                larger.push_row(row.chain(std::iter::repeat_n(1, wider)));
            }
            if brush == "add row" {
                larger.push_row(vec![1; grid.columns]);
            }
            let larger = larger.close();
            let moved = |cell: Place| {
                let (x, y) = grid.xy(cell);
                larger.cell(x, y)
            };
            (start, changed.goal) = (moved(start), moved(changed.goal));
            *grid = larger;
        }
        (_, [name]) => {
            let (x, y) = name.split_once(',')?;
            let (x, y): (usize, usize) = (x.parse().ok()?, y.parse().ok()?);
            if x >= grid.columns || y >= grid.rows {
                return None;
            }
            let cell = grid.cell(x, y);
            let is_end = cell == start || cell == changed.goal;
            let price = &mut grid.prices[cell as usize];
            match brush {
                "wall" if is_end => return None,
                "wall" => *price = 0,
                "start" | "goal" => {
                    *price = (*price).max(1);
                    if brush == "start" { start = cell } else { changed.goal = cell }
                }
                "floor" => *price = 1,
                _ => *price = brush.strip_prefix("price ")?.parse().ok().filter(|price| (1..=9).contains(price))?,
            }
        }
        _ => return None,
    }
    Some(changed.write(&start))
}
