//! Estimates of the cost to the goal: distances on a grid, and distances and tables on a map.
//!
//! All arithmetic is exact. No price is below 1, so a distance is admissible if every path costs at least that much when all prices
//! are 1.

use super::map::Trust;
use super::{EIGHT, FOUR, Ground, Maze, OCTILE};
use crate::rules::{Cost, Estimate, Heuristic};

/// The heuristics for a maze, best first.
pub fn of(maze: &Maze) -> &'static [Heuristic<Maze>] {
    match &maze.ground {
        Ground::Grid(grid) if grid.neighbors == FOUR => ON_FOUR,
        Ground::Grid(_) => ON_EIGHT,
        Ground::Map(map) => match (map.table_trust(), map.straight_trust()) {
            (None, None) => &[],
            (Some(table), None) => std::slice::from_ref(&TABLES[table as usize]),
            (None, Some(straight)) => std::slice::from_ref(&STRAIGHTS[straight as usize]),
            (Some(table), Some(straight)) => &PAIRS[table as usize][straight as usize],
        },
    }
}

static ON_FOUR: &[Heuristic<Maze>] = &[manhattan(true), OCTILE_DISTANCE, STRAIGHT];
static ON_EIGHT: &[Heuristic<Maze>] = &[OCTILE_DISTANCE, STRAIGHT, manhattan(false)];

/// The Manhattan distance, which may overestimate if there are diagonal moves.
const fn manhattan(exact: bool) -> Heuristic<Maze> {
    Heuristic {
        name: "manhattan",
        about: if exact {
            "number of rows plus columns to the goal (consistent)"
        } else {
            "the cost of straight steps to the goal, although diagonal steps are shorter (may overestimate)"
        },
        admissible: exact,
        consistent: exact,
        aliases: &[],
        build: |maze, _| {
            let scale = scale(maze);
            Ok(distance(maze, move |dx, dy| scale * (dx + dy)))
        },
    }
}

/// The octile distance. If there are no diagonal moves, straight steps count 1 and diagonal ones 1.414, and their sum is rounded
/// down.
const OCTILE_DISTANCE: Heuristic<Maze> = Heuristic {
    name: "octile",
    about: "the cost of straight and diagonal steps to the goal, ignoring walls (consistent)",
    admissible: true,
    consistent: true,
    aliases: &[],
    build: |maze, _| {
        let (diagonal, divisor) = match &maze.ground {
            Ground::Grid(grid) if grid.neighbors == EIGHT => (14, 1),
            Ground::Grid(grid) if grid.neighbors == OCTILE => (1414, 1),
            _ => (1414, 1000),
        };
        let straight = scale(maze) * divisor;
        Ok(distance(maze, move |dx, dy| (straight * dx.max(dy) + (diagonal - straight) * dx.min(dy)) / divisor))
    },
};

/// The straight-line distance, scaled so that a diagonal step is never longer than its price: 14 and 1414 are below 10√2 and
/// 1000√2.
const STRAIGHT: Heuristic<Maze> = Heuristic {
    name: "straight",
    about: "straight-line distance to the goal (consistent)",
    admissible: true,
    consistent: true,
    aliases: &[],
    build: |maze, _| {
        // The square of the length of a step to the next column.
        let square = match &maze.ground {
            Ground::Grid(grid) if grid.neighbors == EIGHT => 14 * 14 / 2,
            Ground::Grid(grid) if grid.neighbors == OCTILE => 1414 * 1414 / 2,
            _ => 1,
        };
        Ok(distance(maze, move |dx, dy| (square * (dx * dx + dy * dy)).isqrt()))
    },
};

/// The cost of a straight step to a cell of price 1.
fn scale(maze: &Maze) -> u64 {
    match &maze.ground {
        Ground::Grid(grid) => u64::from(grid.neighbors.straight),
        Ground::Map(_) => 1,
    }
}

/// An estimate from the numbers of columns and rows to the goal.
fn distance(maze: &Maze, formula: impl Fn(u64, u64) -> u64 + Send + Sync + 'static) -> Estimate<Maze> {
    let Ground::Grid(grid) = &maze.ground else { return Estimate::new(|_, _| 0) };
    let stride = grid.stride() as u64;
    // For every 32-bit `n`, the high word of `n * inverse` is `n / stride`.
    let inverse = u64::MAX / stride + 1;
    let column_and_row = move |cell: u32| {
        let row = ((u128::from(cell) * u128::from(inverse)) >> 64) as u64;
        (u64::from(cell) - row * stride, row)
    };
    let (goal_x, goal_y) = column_and_row(maze.goal);
    Estimate::new(move |_, &cell| {
        let (x, y) = column_and_row(cell);
        formula(x.abs_diff(goal_x), y.abs_diff(goal_y)) as Cost
    })
}

/// The heuristic that takes its estimates from the map's table. `trust` is the result of comparing them with the exact costs.
const fn table(trust: Trust) -> Heuristic<Maze> {
    Heuristic {
        name: "table",
        about: match trust {
            Trust::Consistent => "the map's table (consistent)",
            Trust::Admissible => "the map's table (admissible)",
            Trust::Unsafe => "the map's table (overestimates)",
        },
        admissible: !matches!(trust, Trust::Unsafe),
        consistent: matches!(trust, Trust::Consistent),
        aliases: &[],
        build: |maze, limits| {
            maze.room(size_of::<Cost>(), limits)?;
            let Ground::Map(map) = &maze.ground else { return Ok(Estimate::new(|_, _| 0)) };
            Ok(listed(map.table().unwrap_or_default().to_vec()))
        },
    }
}

const fn straight(trust: Trust) -> Heuristic<Maze> {
    Heuristic {
        name: "straight",
        about: match trust {
            Trust::Consistent => "straight-line distance on the map (consistent)",
            Trust::Admissible => "straight-line distance on the map (admissible)",
            Trust::Unsafe => "straight-line distance on the map (overestimates)",
        },
        admissible: !matches!(trust, Trust::Unsafe),
        consistent: matches!(trust, Trust::Consistent),
        aliases: &[],
        build: |maze, limits| {
            maze.room(size_of::<Cost>(), limits)?;
            let Ground::Map(map) = &maze.ground else { return Ok(Estimate::new(|_, _| 0)) };
            Ok(listed(map.straight(maze.goal).unwrap_or_default()))
        },
    }
}

/// An estimate that looks up its value in a list indexed by place.
fn listed(values: Vec<Cost>) -> Estimate<Maze> {
    let bytes = values.len() * size_of::<Cost>();
    Estimate::new(move |_, &place| values.get(place as usize).copied().unwrap_or(0)).with_tables(bytes)
}

/// The heuristics of a map, indexed by how far its table and its distances can be trusted.
static TABLES: [Heuristic<Maze>; 3] = [table(Trust::Unsafe), table(Trust::Admissible), table(Trust::Consistent)];
static STRAIGHTS: [Heuristic<Maze>; 3] = [straight(Trust::Unsafe), straight(Trust::Admissible), straight(Trust::Consistent)];
static PAIRS: [[[Heuristic<Maze>; 2]; 3]; 3] = [with(Trust::Unsafe), with(Trust::Admissible), with(Trust::Consistent)];

const fn with(trust: Trust) -> [[Heuristic<Maze>; 2]; 3] {
    [[table(trust), straight(Trust::Unsafe)], [table(trust), straight(Trust::Admissible)], [table(trust), straight(Trust::Consistent)]]
}
