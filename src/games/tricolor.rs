//! `tricolor`: every vertex of a graph is red, green or black; clicks swap red and green around them; make all green.
//!
//! Clicks commute as long as no black vertex takes a color, and two clicks on a colored vertex cancel. `relaxed` derives a
//! lower bound from that: a system over GF(2) in which black vertices may end in any color. `phases`, the game's own solver,
//! searches only over the recolorings and leaves what lies between them to linear algebra; `classes` decides first whether
//! there is any plan at all. Without black vertices nothing is left to search.

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
use crate::outcome::Certificate;
use crate::rules::{Backward, Cost, Estimate, Heuristic, Pack, Problem, Proofs, Replay, Rules, Solver};
use relaxed::Relaxed;
use symmetry::Symmetries;

/// One instance.
pub struct Tricolor {
    graph: Graph,
    start: Colors,
    price: Price,
    symmetries: OnceLock<Symmetries>,
    /// The places of vertices that were moved by hand.
    layout: Layout,
    /// The places of all vertices in a drawing; computed when first needed.
    arranged: OnceLock<Arranged>,
}

/// The cost of a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Price {
    /// 1.
    Clicks,
    /// By the color before the click: red 1, black 2, green 3.
    Color,
}

/// Which vertices are red and which are black, as two rows of bits; all others are green.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Colors {
    /// The reds, then the blacks. No vertex is both.
    words: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    Red,
    Green,
    Black,
}

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

    /// Swaps red and green among these vertices.
    fn swap(&mut self, row: &[u64]) {
        let (red, black) = self.split_mut();
        for ((red, black), row) in red.iter_mut().zip(black).zip(row) {
            *red ^= row & !*black;
        }
    }

    /// More green than red among these vertices?
    fn majority(&self, row: &[u64]) -> Ordering {
        let (mut reds, mut colored) = (0, 0);
        for ((red, black), row) in self.red().iter().zip(self.black()).zip(row) {
            reds += (red & row).count_ones();
            colored += (row & !black).count_ones();
        }
        colored.cmp(&(2 * reds))
    }

    fn is_all_green(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}

fn count(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// The maximum number of vertices of a board that is searched by default.
const SEARCHABLE: usize = 40;

impl Tricolor {
    fn new(graph: Graph, start: Colors, price: Price) -> Tricolor {
        let (symmetries, layout, arranged) = (OnceLock::new(), Layout::default(), OnceLock::new());
        Tricolor { graph, start, price, symmetries, layout, arranged }
    }

    /// The name of a vertex: its number from 0 or, in a graph that names its vertices, that name.
    fn name(&self, v: usize) -> String {
        self.graph.own_name(v).map_or_else(|| v.to_string(), str::to_owned)
    }

    /// Like [`Tricolor::name`], in JSON, where a number is one.
    fn name_json(&self, v: usize) -> Value {
        self.graph.own_name(v).map_or_else(|| json!(v), |name| json!(name))
    }

    /// The vertex that a name, or a number in JSON, means.
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

    /// The cost of clicks in the relaxed problem: on a colored vertex, which must be clicked an even or odd number of times, and
    /// on a black one, which must be clicked at least once.
    fn prices(&self) -> relaxed::Prices {
        match self.price {
            Price::Clicks => relaxed::Prices { colored: [0, 1], black: [2, 1] },
            // The second click on a vertex that was black may find it red.
            Price::Color => relaxed::Prices { colored: [0, 1], black: [3, 2] },
        }
    }
}

impl Tricolor {
    /// Clicks a vertex.
    pub fn make(&self, colors: &mut Colors, vertex: &u32) {
        let v = *vertex as usize;
        let row = self.graph.row(v);
        colors.swap(row);
        match colors.get(v) {
            Color::Red => colors.set(v, Color::Green),
            Color::Green => colors.set(v, Color::Red),
            // Counted after the swap.
            Color::Black => match colors.majority(row) {
                Ordering::Greater => colors.set(v, Color::Green),
                Ordering::Less => colors.set(v, Color::Red),
                Ordering::Equal => {}
            },
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
            colors.set(v, [Color::Red, Color::Green, Color::Black][usize::from(digit)]);
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
    /// A vertex, from 0.
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
            about: "the least clicks if black vertices, clicked at least once, may end in any color; a system over GF(2)",
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
            about: "the source's: vertices that are not green, divided by the largest degree plus one, rounded up",
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
        about: "searches over the recolorings of black vertices; what lies between them is linear algebra over GF(2), and where that takes long, the order of clicks is decided by clauses",
        optimal: true,
        course: false,
        // The time for an estimate grows with the square of the vertices.
        beside: Some(|tricolor| ("astar:relaxed", 100_000 / (tricolor.graph.len() as u64).pow(2).max(1))),
        applies: |tricolor, colors| match tricolor.price {
            Price::Clicks if tricolor.graph.len() > linear::MOST_VERTICES && count(colors.black()) > 0 => {
                Err("it takes at most 4,096 vertices while some are black")
            }
            Price::Color if tricolor.graph.len() > linear::MOST_VERTICES || !order::ClickOrder::fits(&tricolor.graph, colors, true) => {
                Err("with cost=color it takes at most 4,096 vertices, fewer in dense graphs or while many are black")
            }
            _ => Ok(()),
        },
        run: |tricolor, colors, limits| linear::solve(tricolor, colors, limits, None),
        trace: Some(|tricolor, colors, limits, emit| linear::solve(tricolor, colors, limits, Some(emit))),
    }];

    const PROOFS: Option<Proofs<Self>> = Some(Proofs {
        quick: false,
        refute: |board, state, limits| board.refute(state, limits),
        check: check::refutation,
        data: &["vertices"],
        claim: |_, _, certificate| linear::claim(&certificate.kind, &certificate.data["vertices"]),
        least: Some(check::least),
    });

    const BACKWARD: Option<Backward<Self>> =
        Some(Backward { goals: |board| board.goals(), step: |board, state, emit| board.backward(state, emit) });

    fn is_goal(&self, colors: &Colors) -> bool {
        colors.is_all_green()
    }

    fn cost(&self, colors: &Colors, vertex: &u32) -> Cost {
        match (self.price, colors.get(*vertex as usize)) {
            (Price::Clicks, _) | (_, Color::Red) => 1,
            (_, Color::Black) => 2,
            (_, Color::Green) => 3,
        }
    }

    fn move_costs(&self) -> std::ops::RangeInclusive<Cost> {
        if self.price == Price::Clicks { 1..=1 } else { 1..=3 }
    }

    fn searchable(&self) -> bool {
        self.graph.len() <= SEARCHABLE
    }
}

impl Tricolor {
    fn refute(&self, colors: &Colors, limits: &Limits) -> Option<Certificate> {
        linear::parity(self, colors, limits).ok().flatten().or_else(|| linear::enclosed(self, colors))
    }

    fn goals(&self) -> Vec<Colors> {
        vec![Colors::green(self.graph.len())]
    }

    fn backward(&self, colors: &Colors, mut emit: impl FnMut(Colors, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        (0..self.graph.len()).try_for_each(|v| self.backward_at(colors, v, &mut emit))
    }
}

impl Tricolor {
    /// The boards from which a click on this vertex leads here, and its price.
    fn backward_at(&self, colors: &Colors, v: usize, emit: &mut impl FnMut(Colors, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        let row = self.graph.row(v);
        // What the neighbors are now is what a black vertex counted.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Drawing;
    use crate::limits::Limit;
    use crate::notation::{Input, Notation, Options, ReadError, parse};
    use crate::outcome::Verdict;
    use crate::random::Random;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    fn stopped() -> Limits {
        let limits = Limits::none();
        limits.cancel.stop(Limit::Time);
        limits
    }

    /// A path of many vertices, every third of them black.
    fn path(vertices: usize) -> Tricolor {
        let colors: String = "RGB".chars().cycle().take(vertices).collect();
        parse(&format!("colors: {colors}; graph: P{vertices}"), &Options::default()).expect("a board")
    }

    #[test]
    fn a_flag_that_is_set_ends_everything() {
        let tricolor = path(50);
        let colors = tricolor.start();
        let outcome = linear::solve(&tricolor, &colors, &stopped(), None);
        let lower = relaxed::count_bound(&colors, 3);
        assert_eq!(outcome.verdict, Verdict::Unknown { limit: Limit::Time, lower, best: None });
        assert_eq!(linear::parity(&tricolor, &colors, &stopped()), Err(Limit::Time));
        let few = path(12);
        assert!((Tricolor::HEURISTICS[0].build)(&few, &stopped()).is_err());
        let lesson = Tricolor::LESSON.expect("there is one");
        assert!((lesson.explain)(&few, &few.start(), &stopped()).is_none());
        assert_eq!(check::least(&few, &few.start(), 5, &stopped()), None);
        let make = Tricolor::INFO.generator.expect("there is one").make;
        assert_eq!(make(&mut Random::new(1), &Options::default(), &stopped()).map(|_| ()), Err(ReadError::Stopped(Limit::Time)));
        let input = ("colors: RGB; edges: 0-1", Options::default(), stopped());
        let read = Tricolor::read(&Input::new(input.0, &input.1, &input.2)).map(|_| ());
        assert_eq!(read, Err(ReadError::Stopped(Limit::Time)));
    }

    #[test]
    fn a_matrix_that_does_not_fit_is_not_made() {
        let tricolor = path(300);
        let small = Limits { bytes: relaxed::Coset::most_bytes(300) - 1, ..Limits::none() };
        let verdict = linear::solve(&tricolor, &tricolor.start(), &small, None).verdict;
        assert!(matches!(verdict, Verdict::Unknown { limit: Limit::Memory, best: None, .. }), "{verdict:?}");
    }

    /// One expansion with hundreds of black vertices takes an elimination for each: the limits are asked many times within it.
    #[test]
    fn limits_are_asked_within_an_expansion() {
        let tricolor = path(600);
        for most in [1, 10, 60] {
            let asked = std::sync::Arc::new(AtomicU64::new(0));
            let count = asked.clone();
            let limits = Limits::until(move |progress| {
                assert!(progress.expanded <= 1, "still in the first expansion");
                count.fetch_add(1, Relaxed) + 1 >= most
            });
            let verdict = linear::solve(&tricolor, &tricolor.start(), &limits, None).verdict;
            assert!(matches!(verdict, Verdict::Unknown { limit: Limit::Time, lower: 1.., best: None }), "{verdict:?}");
            assert_eq!(asked.load(Relaxed), most, "nothing goes on after the flag is set");
        }
    }
}
