//! The drawing of boards of Kayles, the clicks that make a move, and brushes for the editor.

use super::{Board, Kayles, Kind, Objects, Rule, Take, primer};
use crate::drawing::{Drawing, Editor, Primer};
use crate::graph::places::{Arranged, Layout, Room};
use crate::limits::{Limit, Limits};
use crate::notation::Notation;
use crate::scene::{Brush, Form, Paint, Scene};

/// Room for vertices with a radius of 17 units.
const ROOM: Room = Room { apart: 50.0, edge: 54.0, clear: 20.0, margins: [30.0, 30.0, 30.0], width: 0.0 };
const RADIUS: f64 = 17.0;
/// The distance between neighboring vertices of a grid.
const STEP: f64 = 54.0;
/// The width and height of a pin, and the distances between pins and between rows.
const PIN: (f64, f64) = (12.0, 34.0);
const PITCH: (f64, f64) = (24.0, 48.0);
/// Number of pins after which a heap continues in another row.
const IN_ROW: usize = 32;
/// The side length of a square with a number of pins, and the distance between the centers of two squares.
const SQUARE: f64 = 34.0;
const NEXT: f64 = 40.0;

const BRUSHES: &[Brush] = &[
    Brush { name: "take", about: "take a vertex or a pin, or put it back", clicks: 1 },
    Brush { name: "join", about: "add or remove an edge between two vertices", clicks: 2 },
    Brush { name: "rule", about: "let moves take vertices instead of edges, or edges instead of vertices", clicks: 0 },
    Brush { name: "clear", about: "put everything back", clicks: 0 },
];

/// The centers of a board's objects, and the board's width and height.
type Placed = (Vec<(f64, f64)>, f64, f64);

/// The layout of the drawing.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// The center of each object.
    points: Vec<(f64, f64)>,
    /// The number of each heap, and where it is written.
    numbers: Vec<(String, (f64, f64))>,
    width: f64,
    height: f64,
}

impl Figure {
    fn new(kayles: &Kayles, limits: &Limits) -> Result<Figure, Limit> {
        let mut figure = Figure { points: Vec::new(), numbers: Vec::new(), width: 60.0, height: 0.0 };
        for board in &kayles.boards {
            limits.check()?;
            let (points, width, height) = figure.place(board, limits)?;
            figure.points.extend(points.into_iter().map(|(x, y)| (x, y + figure.height)));
            figure.width = figure.width.max(width);
            figure.height += height;
        }
        Ok(figure)
    }

    /// The centers of a board's objects, and its width and height.
    fn place(&mut self, board: &Board, limits: &Limits) -> Result<Placed, Limit> {
        match (&board.kind, board.columns) {
            (Kind::Graph { .. }, Some(columns)) => {
                let at = |v: usize| (30.0 + STEP * (v % columns) as f64, 30.0 + STEP * (v / columns) as f64);
                let side = |count: usize| STEP * (count as f64 - 1.0) + 60.0;
                Ok(((0..board.len).map(at).collect(), side(columns), side(board.len / columns)))
            }
            (Kind::Graph { graph, .. }, None) => {
                let arranged = Arranged::new(graph, &Layout::default(), &ROOM, limits)?;
                Ok((arranged.points, arranged.width, arranged.height))
            }
            (Kind::Heaps { sizes, .. }, _) => {
                let (mut points, mut y, mut width) = (Vec::new(), 30.0, 0.0f64);
                for (heap, &size) in sizes.iter().enumerate() {
                    self.numbers.push((format!("{}", heap + 1), (18.0, self.height + y)));
                    let at = |pin: usize| (48.0 + PITCH.0 * (pin % IN_ROW) as f64, y + PITCH.1 * (pin / IN_ROW) as f64);
                    points.extend((0..size).map(at));
                    width = width.max(48.0 + PITCH.0 * size.min(IN_ROW) as f64);
                    y += PITCH.1 * size.div_ceil(IN_ROW) as f64;
                }
                Ok((points, width, y))
            }
        }
    }
}

impl Kayles {
    fn figure(&self, limits: &Limits) -> Result<&Figure, Limit> {
        match self.figure.get() {
            Some(figure) => Ok(figure),
            None => {
                let figure = Figure::new(self, limits)?;
                Ok(self.figure.get_or_init(|| figure))
            }
        }
    }

    /// The name of an object in the scene.
    pub(super) fn shape(&self, object: usize) -> String {
        let board = self.board(object);
        let what = if let Kind::Graph { .. } = board.kind { "vertex" } else { "pin" };
        format!("{what} {}{}", self.prefix(object), board.object_name(object))
    }

    /// The numbers of pins to choose from: if a move does not follow from its first pin.
    fn most_choice(&self) -> usize {
        let most = |board: &Board| match &board.kind {
            Kind::Heaps { sizes, octal, .. } if octal.splits() && !octal.has_one_number() => {
                octal.most().min(sizes.iter().copied().max().unwrap_or(0))
            }
            _ => 0,
        };
        self.boards.iter().map(most).max().unwrap_or(0)
    }

    fn paint(&self, left: &Objects, brush: &str, shapes: &[&str]) -> Option<String> {
        let find = |shape: &str| (0..self.near.len()).find(|&object| self.shape(object) == shape);
        match (brush, shapes) {
            ("take", [shape]) => {
                let object = Objects::of([find(shape)?]);
                Some(self.write(&left.without(&object).or(&object.without(left))))
            }
            ("join", [one, other]) => {
                let (one, other) = (find(one)?, find(other)?);
                let mut changed = self.clone();
                let board = changed.boards.iter_mut().find(|board| (board.first..board.first + board.len).contains(&one))?;
                let Kind::Graph { graph, name, .. } = &mut board.kind else { return None };
                if !(board.first..board.first + board.len).contains(&other) {
                    return None;
                }
                (*graph, *name) = (graph.with_toggled(one - board.first, other - board.first)?, None);
                Some(changed.write(left))
            }
            ("rule", []) => {
                let mut changed = self.clone();
                for board in &mut changed.boards {
                    if let Kind::Graph { rule, .. } = &mut board.kind {
                        *rule = if *rule == Rule::Arc { Rule::Node } else { Rule::Arc };
                    }
                }
                Some(changed.write(left))
            }
            ("clear", []) => Some(self.write(&Objects::of(0..self.near.len()))),
            _ => None,
        }
    }
}

impl Drawing for Kayles {
    const EDITOR: Option<Editor<Self>> =
        Some(Editor { brushes: |_| BRUSHES, canvas: Self::scene, paint: Kayles::paint, arranging: None, dragging: None });

    const PRIMER: Option<Primer<Self>> = Some(primer::PRIMER);

    fn scene(&self, left: &Objects, limits: &Limits) -> Result<Scene, Limit> {
        let Figure { points, numbers, width, height } = self.figure(limits)?;
        let checked = |text: String| limits.check().map(|()| text);
        let about = self.boards.iter().map(|board| checked(board.about())).collect::<Result<Vec<String>, Limit>>()?;
        let title = format!("Kayles: {}; {} of {} left", about.join(" + "), left.count(), self.near.len());
        let most = self.most_choice();
        let in_row = ((width / NEXT) as usize).clamp(1, most.max(1));
        let rows = most.div_ceil(in_row) as f64;
        let mut scene = Scene { title, width: *width, height: height + NEXT * rows, ..Scene::default() };
        let names = (0..points.len()).map(|object| checked(self.shape(object))).collect::<Result<Vec<String>, Limit>>()?;
        for board in &self.boards {
            let Kind::Graph { graph, .. } = &board.kind else { continue };
            for (u, v) in graph.edges().map(|(u, v)| (board.first + u, board.first + v)) {
                scene.check(limits)?;
                if left.has(u) && left.has(v) {
                    scene.add_between(Form::Line { from: points[u], to: points[v] }, Paint::Ink, [&names[u], &names[v]]);
                }
            }
        }
        for (object, (&(x, y), name)) in points.iter().zip(&names).enumerate() {
            scene.check(limits)?;
            let is_left = left.has(object);
            let text = self.board(object).object_name(object);
            match self.board(object).kind {
                Kind::Graph { .. } => {
                    let paint = if is_left { Paint::Color2 } else { Paint::Ghost };
                    scene.add_named(Form::Circle { x, y, r: RADIUS }, paint, name.clone());
                    if is_left {
                        let size = (48.0 / text.chars().count() as f64).clamp(6.0, 14.0);
                        scene.add_named(Form::Text { x, y, size, text }, Paint::Ink, name.clone());
                    }
                }
                Kind::Heaps { .. } => {
                    let paint = if is_left { Paint::Color2 } else { Paint::Ghost };
                    let form = Form::Rect { x: x - PIN.0 / 2.0, y: y - PIN.1 / 2.0, width: PIN.0, height: PIN.1 };
                    scene.add_named(form, paint, name.clone());
                }
            }
            scene.describe(name, if is_left { name.clone() } else { format!("{name}, taken") });
        }
        for (text, (x, y)) in numbers {
            scene.check(limits)?;
            scene.add(Form::Text { x: *x, y: *y, size: 14.0, text: text.clone() }, Paint::Ink);
        }
        for number in 1..=most {
            scene.check(limits)?;
            let (column, row) = ((number - 1) % in_row, (number - 1) / in_row);
            let x = (width - in_row as f64 * NEXT) / 2.0 + NEXT * (column as f64 + 0.5);
            let y = height + NEXT * (row as f64 + 0.5);
            let name = format!("take {number}");
            let form = Form::Rect { x: x - SQUARE / 2.0, y: y - SQUARE / 2.0, width: SQUARE, height: SQUARE };
            scene.add_named(form, Paint::Cell, name.clone());
            scene.add_named(Form::Text { x, y, size: 14.0, text: number.to_string() }, Paint::Ink, name.clone());
            scene.describe(&name, name.clone());
        }
        Ok(scene)
    }

    /// An edge is chosen by its ends, a vertex by itself. Pins are chosen by the first one, and by their number if it does not follow.
    fn clicks(&self, _left: &Objects, take: &Take) -> Vec<String> {
        let (first, last) = (usize::from(take.first), usize::from(take.last));
        let own = self.shape(first);
        match &self.board(first).kind {
            Kind::Graph { rule: Rule::Arc, .. } => vec![own, self.shape(last)],
            Kind::Heaps { octal, .. } if octal.splits() && !octal.has_one_number() => vec![own, format!("take {}", last + 1 - first)],
            _ => vec![own],
        }
    }
}
