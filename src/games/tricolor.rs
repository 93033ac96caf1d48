//! `tricolor`: every vertex of a graph is red, green or black. A click swaps red and green at a vertex and its neighbors. The goal
//! is to make all vertices green.
//!
//! Clicks commute as long as no black vertex changes color, and two clicks on a colored vertex cancel. So `relaxed` derives a lower
//! bound from a linear system over GF(2), in which black vertices may end in any color. `phases`, the game's own solver, searches
//! only over the recolorings of black vertices and finds the clicks between them by linear algebra; `classes` first decides whether
//! there is a plan at all. If there are no black vertices and clicks are not priced by color, no search is needed.

mod census;
mod check;
mod classes;
mod drawing;
mod least;
mod lesson;
mod linear;
mod members;
mod meter;
mod notation;
mod order;
mod phases;
mod primer;
mod ranking;
mod relaxed;
mod sets;
mod source;
mod symmetry;
mod trace;

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::bits::bit;
use crate::graph::Graph;
use crate::graph::places::{Arranged, Layout};
use crate::limits::Limits;
use crate::outcome::Outcome;
use crate::rules::{Backward, Cost, Estimate, Heuristic, Pack, Problem, Proofs, Replay, Rules, Solver};
use least::AT_FIRST;
use meter::Most;
use relaxed::Relaxed;
use symmetry::Symmetries;

/// One board with its options.
pub struct Tricolor {
    graph: Graph,
    start: Colors,
    /// True if the cost of a click depends on the vertex's color before it: red 1, black 2, green 3. Otherwise, every click costs 1.
    by_color: bool,
    symmetries: OnceLock<Symmetries>,
    /// The positions of vertices that were moved by hand.
    layout: Layout,
    /// The positions of all vertices in a drawing; computed on first use.
    arranged: OnceLock<Arranged>,
}

/// The colors of all vertices, as two rows of bits: the red vertices, then the black ones. All others are green.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Colors {
    words: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    Red,
    Green,
    Black,
}

const COLORS: [Color; 3] = [Color::Red, Color::Green, Color::Black];

impl Colors {
    fn green(vertices: usize) -> Colors {
        Colors { words: vec![0; 2 * vertices.div_ceil(64)] }
    }

    fn red(&self) -> &[u64] {
        &self.words[..self.words.len() / 2]
    }

    fn black(&self) -> &[u64] {
        &self.words[self.words.len() / 2..]
    }

    fn split_mut(&mut self) -> (&mut [u64], &mut [u64]) {
        let half = self.words.len() / 2;
        self.words.split_at_mut(half)
    }

    fn get(&self, v: usize) -> Color {
        match (bit(self.red(), v), bit(self.black(), v)) {
            (_, true) => Color::Black,
            (true, _) => Color::Red,
            _ => Color::Green,
        }
    }

    fn set(&mut self, v: usize, color: Color) {
        let (red, black) = self.split_mut();
        let (word, one) = (v / 64, 1 << (v % 64));
        red[word] &= !one;
        black[word] &= !one;
        match color {
            Color::Red => red[word] |= one,
            Color::Black => black[word] |= one,
            Color::Green => {}
        }
    }

    /// Swaps red and green at these vertices.
    fn swap(&mut self, row: &[u64]) {
        let (red, black) = self.split_mut();
        for ((red, black), row) in red.iter_mut().zip(black).zip(row) {
            *red ^= row & !*black;
        }
    }

    /// Compares the number of green vertices in a set with the number of red ones.
    fn majority(&self, row: &[u64]) -> Ordering {
        let (mut reds, mut colored) = (0, 0);
        for ((red, black), row) in self.red().iter().zip(self.black()).zip(row) {
            reds += (red & row).count_ones();
            colored += (row & !black).count_ones();
        }
        colored.cmp(&(2 * reds))
    }
}

fn count(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// Boards with up to this many vertices are searched by default.
const SEARCHABLE: usize = 40;

/// Runs `phases` with the given limits on its search over recolorings; beyond them, the SAT solver takes over. Public for the tests.
#[doc(hidden)]
pub fn phases_within(tricolor: &Tricolor, limits: &Limits, expanded: u64, words: usize) -> Outcome<u32> {
    linear::solve(tricolor, &tricolor.start, limits, None, Most { expanded, words })
}

impl Tricolor {
    fn new(graph: Graph, start: Colors, by_color: bool) -> Tricolor {
        let (symmetries, layout, arranged) = (OnceLock::new(), Layout::default(), OnceLock::new());
        Tricolor { graph, start, by_color, symmetries, layout, arranged }
    }

    /// A vertex's name in the graph or, if the graph has no names, its number, counted from 0.
    fn name(&self, v: usize) -> String {
        self.graph.own_name(v).map_or_else(|| v.to_string(), str::to_owned)
    }

    /// Like [`Tricolor::name`], but as JSON: a vertex number becomes a JSON number.
    fn name_json(&self, v: usize) -> Value {
        self.graph.own_name(v).map_or_else(|| json!(v), |name| json!(name))
    }

    /// The vertex with this name or number.
    fn find(&self, value: &Value) -> Option<usize> {
        let named = !self.graph.is_empty() && self.graph.own_name(0).is_some();
        let found = match value.as_str().map(str::trim) {
            Some(text) if named => self.graph.find(text),
            Some(text) => text.parse().ok(),
            None => usize::try_from(value.as_u64()?).ok(),
        };
        found.filter(|&v| v < self.graph.len())
    }

    fn symmetries(&self) -> &Symmetries {
        self.symmetries.get_or_init(|| Symmetries::of(&self.graph))
    }

    /// The least cost, in the relaxed problem, of clicking a vertex an even or an odd number of times, for colored and for black
    /// vertices. A black vertex must be clicked at least once.
    fn prices(&self) -> relaxed::Prices {
        // If clicks are priced by color, the second click on a vertex that was black costs at least 1, because the vertex may be
        // red.
        relaxed::Prices { colored: [0, 1], black: if self.by_color { [3, 2] } else { [2, 1] } }
    }

    /// Clicks a vertex.
    pub fn make(&self, colors: &mut Colors, vertex: &u32) {
        let v = *vertex as usize;
        let row = self.graph.row(v);
        colors.swap(row);
        match colors.get(v) {
            Color::Red => colors.set(v, Color::Green),
            Color::Green => colors.set(v, Color::Red),
            // The neighbors are counted after the swap.
            Color::Black => match colors.majority(row) {
                Ordering::Greater => colors.set(v, Color::Green),
                Ordering::Less => colors.set(v, Color::Red),
                Ordering::Equal => {}
            },
        }
    }

    /// Emits the boards from which a click on this vertex leads to this one, each with the price of the click.
    fn backward_at(&self, colors: &Colors, v: usize, emit: &mut impl FnMut(Colors, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        let row = self.graph.row(v);
        // If the vertex was black, the click counted the colors that its neighbors have now.
        let counted = match colors.majority(row) {
            Ordering::Greater => Color::Green,
            Ordering::Less => Color::Red,
            Ordering::Equal => Color::Black,
        };
        let now = colors.get(v);
        let mut before = colors.clone();
        before.swap(row);
        let mut came_from = |color: Color| {
            before.set(v, color);
            emit(before.clone(), self.cost(&before, &(v as u32)))
        };
        if now == counted {
            came_from(Color::Black)?;
        }
        match now {
            Color::Red => came_from(Color::Green),
            Color::Green => came_from(Color::Red),
            Color::Black => ControlFlow::Continue(()),
        }
    }
}

impl Pack<Tricolor> for Colors {
    fn bytes(rules: &Tricolor) -> usize {
        rules.graph.len().div_ceil(5)
    }

    fn pack(&self, rules: &Tricolor, out: &mut [u8]) {
        for (at, byte) in out.iter_mut().enumerate() {
            let vertices = 5 * at..(5 * at + 5).min(rules.graph.len());
            *byte = vertices.rev().fold(0, |sum, v| 3 * sum + self.get(v) as u8);
        }
    }

    fn unpack(rules: &Tricolor, bytes: &[u8]) -> Self {
        let mut colors = Colors::green(rules.graph.len());
        for v in 0..rules.graph.len() {
            let digit = bytes[v / 5] / [1, 3, 9, 27, 81][v % 5] % 3;
            colors.set(v, COLORS[usize::from(digit)]);
        }
        colors
    }
}

impl Rules for Tricolor {
    const REPLAY: Replay<Self> = Replay {
        find: |tricolor, _, value| tricolor.find(value).and_then(|v| u32::try_from(v).ok()),
        is_legal: |tricolor, _, vertex| (*vertex as usize) < tricolor.graph.len(),
        make: Tricolor::make,
    };

    type State = Colors;
    /// A vertex, numbered from 0.
    type Move = u32;

    fn start(&self) -> Colors {
        self.start.clone()
    }

    fn moves(&self, _colors: &Colors, out: &mut Vec<u32>) {
        out.extend(0..self.graph.len() as u32);
    }

    fn apply(&self, colors: &Colors, vertex: &u32) -> Colors {
        let mut colors = colors.clone();
        self.make(&mut colors, vertex);
        colors
    }

    fn canonical(&self, colors: Colors) -> Colors {
        self.symmetries().least(colors)
    }

    fn orbit(&self, canonical: &Colors) -> u64 {
        self.symmetries().orbit(canonical)
    }
}

impl Problem for Tricolor {
    const HEURISTICS: &'static [Heuristic<Self>] = &[
        Heuristic {
            name: "relaxed",
            about: "the least cost if black vertices must be clicked at least once but may end in any color, computed from a linear \
                    system over GF(2)",
            admissible: true,
            consistent: true,
            aliases: &[],
            build: |tricolor, limits| {
                let relaxed = Relaxed::new(tricolor.prices());
                relaxed.at(&tricolor.graph, &tricolor.start, limits)?;
                let bytes = relaxed.bytes();
                let at = move |tricolor: &Tricolor, colors: &Colors, limits: &Limits| relaxed.at(&tricolor.graph, colors, limits);
                Ok(Estimate::slow(at).with_tables(bytes))
            },
        },
        Heuristic {
            name: "count",
            about: "the heuristic of the game's source: the number of vertices that are not green, divided by the largest degree plus \
                    one, rounded up",
            admissible: true,
            consistent: true,
            aliases: &[],
            build: |tricolor, _| {
                let reach = tricolor.graph.max_degree() + 1;
                Ok(Estimate::new(move |_, colors| relaxed::count_bound(colors, reach)))
            },
        },
    ];

    const SOLVERS: &'static [Solver<Self>] = &[Solver {
        name: "phases",
        about: "searches over the recolorings of black vertices; linear algebra over GF(2) finds the clicks between them; if that takes too long, a SAT solver orders the clicks",
        optimal: true,
        course: false,
        // The time for an estimate is quadratic in the number of vertices.
        beside: Some(|tricolor| ("astar:relaxed", 100_000 / (tricolor.graph.len() as u64).pow(2).max(1))),
        applies: |tricolor, colors| {
            let large = tricolor.graph.len() > linear::MOST_VERTICES;
            if tricolor.by_color && (large || !order::ClickOrder::fits(&tricolor.graph, colors, true)) {
                return Err(
                    "with cost=color, it handles at most 4,096 vertices, or fewer if the graph is dense or many vertices are black",
                );
            }
            if large && count(colors.black()) > 0 { Err("it handles at most 4,096 vertices if any vertex is black") } else { Ok(()) }
        },
        run: |tricolor, colors, limits| linear::solve(tricolor, colors, limits, None, AT_FIRST),
        trace: Some(|tricolor, colors, limits, emit| linear::solve(tricolor, colors, limits, Some(emit), AT_FIRST)),
    }];

    const PROOFS: Option<Proofs<Self>> = Some(Proofs {
        quick: false,
        refute: linear::refute,
        check: check::refutation,
        data: &["vertices"],
        claim: |_, _, certificate| linear::claim(&certificate.kind, &certificate.data["vertices"]),
        least: Some(check::least),
    });

    const BACKWARD: Option<Backward<Self>> = Some(Backward {
        goals: |tricolor| vec![Colors::green(tricolor.graph.len())],
        step: |tricolor, colors, mut emit| (0..tricolor.graph.len()).try_for_each(|v| tricolor.backward_at(colors, v, &mut emit)),
    });

    fn is_goal(&self, colors: &Colors) -> bool {
        colors.words.iter().all(|&word| word == 0)
    }

    fn cost(&self, colors: &Colors, vertex: &u32) -> Cost {
        match colors.get(*vertex as usize) {
            Color::Black if self.by_color => 2,
            Color::Green if self.by_color => 3,
            _ => 1,
        }
    }

    fn move_costs(&self) -> std::ops::RangeInclusive<Cost> {
        1..=if self.by_color { 3 } else { 1 }
    }

    fn searchable(&self) -> bool {
        self.graph.len() <= SEARCHABLE
    }
}
