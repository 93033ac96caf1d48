//! Random mazes: rooms joined by a random tree of passages, or a field with random walls.

use super::{EIGHT, FOUR, Grid, Ground, MOST, Maze, NEIGHBORS_HELP, Neighbors};
use crate::limits::Limits;
use crate::notation::{Fault, Generator, OptionSpec, Options, ReadError, shorten};
use crate::random::Random;

pub const GENERATOR: Generator<Maze> = Generator {
    options: &[
        OptionSpec {
            name: "rows",
            about: "number of rows, 1 to 4096; in a maze, if this is even, the last row is all walls",
            default: "9",
        },
        OptionSpec {
            name: "columns",
            about: "number of columns, 2 to 4096; in a maze, if this is even, the last column is all walls",
            default: "15",
        },
        OptionSpec { name: "shape", about: "`maze` for passages, or `field` for random walls", default: "maze" },
        OptionSpec { name: "loops", about: "in a maze, the percentage of walls between passages that are opened", default: "10" },
        OptionSpec { name: "walls", about: "in a field, the percentage of cells that are walls", default: "30" },
        OptionSpec { name: "prices", about: "the greatest of the random prices, 1 to 9", default: "1" },
        OptionSpec { name: "neighbors", about: "`4`, `8` or `octile`", default: "4" },
    ],
    solvable: true,
    make: generate,
};

fn generate(random: &mut Random, options: &Options, limits: &Limits) -> Result<Maze, ReadError> {
    let number = |name: &str, range, default| options.integer(name, range).map(|number| number.unwrap_or(default) as usize);
    let (rows, columns) = (number("rows", 1..=4096, 9)?, number("columns", 2..=4096, 15)?);
    let (loops, walls, prices) = (number("loops", 0..=100, 10)?, number("walls", 0..=100, 30)?, number("prices", 1..=9, 1)?);
    let neighbors = options.get("neighbors").map_or(Ok(FOUR), Neighbors::find);
    let neighbors = neighbors.map_err(|wrong| Fault::new(format!("option {wrong}"), NEIGHBORS_HELP))?;
    if neighbors != FOUR && neighbors != EIGHT && rows * columns * prices > MOST / 8 {
        return Err(Fault::new("the costs of such a maze might not fit in 32 bits", "use `neighbors=8`, or fewer rows or columns").into());
    }
    let (free, goal) = match options.get("shape") {
        None | Some("maze") => (passages(random, (rows, columns), loops, limits)?, ((columns - 1) / 2 * 2, (rows - 1) / 2 * 2)),
        Some("field") => (field(random, (rows, columns), walls, limits)?, (columns - 1, rows - 1)),
        Some(other) => return Err(Fault::new(format!("option `shape` cannot be `{}`", shorten(other)), "use `maze` or `field`").into()),
    };
    let mut grid = Grid::new(columns, neighbors);
    for (y, row) in free.chunks(columns).enumerate() {
        limits.check()?;
        let price = |(x, &free): (usize, &bool)| match free {
            false => 0,
            true if prices == 1 || (x, y) == (0, 0) || (x, y) == goal => 1,
            true => 1 + random.below(prices) as u8,
        };
        grid.push_row(row.iter().enumerate().map(price).collect::<Vec<u8>>());
    }
    let grid = grid.close();
    let (start, goal) = (grid.cell(0, 0), grid.cell(goal.0, goal.1));
    Ok(Maze { ground: Ground::Grid(grid), start, goal })
}

/// Puts rooms in every second row and column, joins them by a random tree, and then opens some of the walls between two rooms.
fn passages(random: &mut Random, (rows, columns): (usize, usize), loops: usize, limits: &Limits) -> Result<Vec<bool>, ReadError> {
    let mut free = vec![false; rows * columns];
    let mut path: Vec<(usize, usize)> = vec![(0, 0)];
    free[0] = true;
    while let Some(&(x, y)) = path.last() {
        limits.check()?;
        let two_away = [(x + 2, y), (x, y + 2), (x.wrapping_sub(2), y), (x, y.wrapping_sub(2))];
        let mut next: Vec<(usize, usize)> =
            two_away.into_iter().filter(|&(x, y)| x < columns && y < rows && !free[y * columns + x]).collect();
        if next.is_empty() {
            path.pop();
            continue;
        }
        let (to_x, to_y) = next.swap_remove(random.below(next.len()));
        free[(y + to_y) / 2 * columns + (x + to_x) / 2] = true;
        free[to_y * columns + to_x] = true;
        path.push((to_x, to_y));
    }
    for y in 0..rows {
        limits.check()?;
        for x in (1 - y % 2..columns).step_by(2) {
            let between = if y % 2 == 0 { x + 1 < columns } else { y + 1 < rows };
            if between && !free[y * columns + x] && random.below(100) < loops {
                free[y * columns + x] = true;
            }
        }
    }
    Ok(free)
}

/// Random walls, except on one random path from the upper left to the lower right.
fn field(random: &mut Random, (rows, columns): (usize, usize), walls: usize, limits: &Limits) -> Result<Vec<bool>, ReadError> {
    let mut free = Vec::with_capacity(rows * columns);
    for _ in 0..rows {
        limits.check()?;
        free.extend((0..columns).map(|_| random.below(100) >= walls));
    }
    let (mut x, mut y) = (0, 0);
    free[0] = true;
    while (x, y) != (columns - 1, rows - 1) {
        // Chooses one of the remaining steps right and down to the corner, all with equal probability.
        let (right, down) = (columns - 1 - x, rows - 1 - y);
        if random.below(right + down) < right {
            x += 1
        } else {
            y += 1
        }
        free[y * columns + x] = true;
    }
    Ok(free)
}

pub fn monster(random: &mut Random) -> String {
    let row = |random: &mut Random| (0..1000).map(|_| if random.below(3) == 0 { '#' } else { '.' }).collect::<String>() + "\n";
    let mut text: String = (0..1000).map(|_| row(random)).collect();
    text.replace_range(0..1, "S");
    let end = text.len() - 2;
    text.replace_range(end..=end, "G");
    text
}
