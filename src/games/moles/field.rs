//! The holes and the effect of a hit, on a graph or on a grid. On a grid, a hit toggles a pattern around the hole, and opposite sides may
//! be joined. All rules are in this file, so solvers and checks do not depend on the shape.

use super::chase::{Grid, Wrap};
use crate::graph::Graph;
use crate::sort;

/// A place relative to the hole that is hit: the number of rows down, and of columns to the right.
pub type Offset = (i32, i32);

/// The offsets of the holes that a hit toggles on a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The value of `--option pattern`.
    pub name: String,
    /// The offsets, sorted and distinct.
    pub offsets: Vec<Offset>,
}

impl Pattern {
    pub const NAMES: [&'static str; 4] = ["plus", "cross", "king", "ring"];

    /// A pattern by name: `plus` and `king` include the hole itself, `cross` and `ring` do not.
    pub fn named(name: &str) -> Option<Pattern> {
        let near = (-1..=1).flat_map(|row| (-1..=1).map(move |column| (row, column)));
        let offsets: Vec<Offset> = near
            .filter(|&(row, column)| match name {
                "plus" => row == 0 || column == 0,
                "cross" => (row == 0) != (column == 0),
                "king" => true,
                "ring" => (row, column) != (0, 0),
                _ => false,
            })
            .collect();
        (!offsets.is_empty()).then(|| Pattern { name: name.to_owned(), offsets })
    }

    /// For patterns that toggle the four neighbors, whether the hole itself is also toggled; `None` for other patterns.
    pub fn center(&self) -> Option<bool> {
        match self.name.as_str() {
            "plus" => Some(true),
            "cross" => Some(false),
            _ => None,
        }
    }

    /// A pattern drawn as rows of 0 and 1, separated by `/`, with the hit hole in the middle.
    pub fn drawn(text: &str) -> Option<Pattern> {
        let rows: Vec<&str> = text.split('/').collect();
        let (height, width) = (rows.len(), rows[0].len());
        let odd = |size: usize| size % 2 == 1 && size <= 99;
        if !odd(height) || !odd(width) || rows.iter().any(|row| row.len() != width) {
            return None;
        }
        let mut offsets = Vec::new();
        for (row, line) in rows.iter().enumerate() {
            for (column, cell) in line.bytes().enumerate() {
                match cell {
                    b'1' | b'#' => offsets.push((row as i32 - height as i32 / 2, column as i32 - width as i32 / 2)),
                    b'0' | b'.' => {}
                    _ => return None,
                }
            }
        }
        if offsets.is_empty() {
            return None;
        }
        let known = Pattern::NAMES.iter().filter_map(|name| Pattern::named(name)).find(|known| known.offsets == offsets);
        Some(known.unwrap_or_else(|| Pattern { name: text.to_owned(), offsets }))
    }
}

#[derive(Clone, Debug)]
pub enum FieldShape {
    Grid {
        rows: usize,
        columns: usize,
        wrap: Wrap,
        pattern: Pattern,
    },
    /// A hit toggles the neighbors and, with `center`, the vertex itself.
    Graph {
        graph: Graph,
        center: bool,
    },
}

impl FieldShape {
    /// The number of places, including those of missing holes.
    pub fn len(&self) -> usize {
        match self {
            FieldShape::Grid { rows, columns, .. } => rows * columns,
            FieldShape::Graph { graph, .. } => graph.len(),
        }
    }

    /// The name of a graph's vertex, if it has one.
    pub fn own_name(&self, at: usize) -> Option<&str> {
        match self {
            FieldShape::Grid { .. } => None,
            FieldShape::Graph { graph, .. } => graph.own_name(at),
        }
    }

    /// The name of a place: the name of its vertex, or its number, counted from 1.
    pub fn name(&self, at: usize) -> String {
        self.own_name(at).map_or_else(|| (at + 1).to_string(), str::to_owned)
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        match self {
            FieldShape::Graph { graph, .. } if graph.own_name(0).is_some() => graph.find(name),
            _ => name.parse::<usize>().ok()?.checked_sub(1).filter(|&at| at < self.len()),
        }
    }
}

/// The kind of a place on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hole {
    Open,
    /// A hole that may not be hit, but is toggled like any other.
    Locked,
    Missing,
}

/// The holes, and the effect of hitting them.
#[derive(Clone, Debug)]
pub struct HoleField {
    pub shape: FieldShape,
    /// The kind of each place; empty if all holes are open.
    pub holes: Vec<Hole>,
    /// The pattern's offsets on this grid. If sides are joined, offsets that lead to the same hole are listed once.
    pub offsets: Vec<Offset>,
}

impl HoleField {
    pub fn new(shape: FieldShape, holes: Vec<Hole>) -> HoleField {
        let mut offsets = Vec::new();
        if let FieldShape::Grid { rows, columns, wrap, pattern } = &shape {
            let (rows, columns) = (*rows as i32, *columns as i32);
            offsets = pattern.offsets.clone();
            for (row, column) in &mut offsets {
                if *wrap != Wrap::None {
                    *column = column.rem_euclid(columns);
                }
                if *wrap == Wrap::Torus {
                    *row = row.rem_euclid(rows);
                }
            }
            sort::ascending(&mut offsets);
            offsets.dedup();
        }
        let holes = if holes.iter().all(|hole| *hole == Hole::Open) { Vec::new() } else { holes };
        HoleField { shape, holes, offsets }
    }

    /// The number of places, including those of missing holes.
    pub fn len(&self) -> usize {
        self.shape.len()
    }

    pub fn hole(&self, at: usize) -> Hole {
        self.holes.get(at).copied().unwrap_or(Hole::Open)
    }

    #[inline]
    pub fn can_hit(&self, at: usize) -> bool {
        self.hole(at) == Hole::Open
    }

    #[inline]
    pub fn exists(&self, at: usize) -> bool {
        self.hole(at) != Hole::Missing
    }

    /// Calls `show` once for every hole that a hit at `at` toggles.
    #[inline]
    pub fn toggled(&self, at: usize, mut show: impl FnMut(usize)) {
        match &self.shape {
            FieldShape::Grid { columns, .. } => {
                let place = (at / columns, at % columns);
                for &offset in &self.offsets {
                    if let Some(other) = self.beside(place, offset).filter(|&other| self.exists(other)) {
                        show(other);
                    }
                }
            }
            FieldShape::Graph { graph, center } => {
                if *center {
                    show(at);
                }
                graph.neighbors(at).iter().map(|&other| other as usize).filter(|&other| self.exists(other)).for_each(show);
            }
        }
    }

    /// The place at an offset from the given place; `None` if it is off the board or the board is not a grid.
    #[inline(always)]
    pub fn beside(&self, (row, column): (usize, usize), (down, right): Offset) -> Option<usize> {
        let FieldShape::Grid { rows, columns, wrap, .. } = &self.shape else { return None };
        let along = |at: usize, by: i32, size: usize, joined: bool| -> Option<usize> {
            let to = at as i64 + i64::from(by);
            match (to >= 0 && to < size as i64, joined) {
                (true, _) => Some(to as usize),
                (false, true) => Some(to.rem_euclid(size as i64) as usize),
                (false, false) => None,
            }
        };
        let row = along(row, down, *rows, *wrap == Wrap::Torus)?;
        Some(row * columns + along(column, right, *columns, *wrap != Wrap::None)?)
    }

    /// The maximum number of holes that one hit toggles.
    pub fn reach(&self) -> usize {
        match &self.shape {
            FieldShape::Grid { .. } => self.offsets.len(),
            FieldShape::Graph { graph, center } => graph.max_degree() + usize::from(*center),
        }
    }

    /// The field as a complete grid, if no hole is missing or locked and each hole toggles its four neighbors and possibly itself.
    pub fn whole_grid(&self) -> Option<Grid> {
        match &self.shape {
            FieldShape::Grid { rows, columns, wrap, pattern } if self.holes.is_empty() => {
                Some(Grid { rows: *rows, columns: *columns, center: pattern.center()?, wrap: *wrap })
            }
            _ => None,
        }
    }
}
