//! `moles`: whack-a-mole, also known as Lights Out. A hit toggles a hole and its neighbors; clear the board.
//!
//! The order of hits does not matter and k hits on one hole (two, with moles up or down) cancel, so a board is a system of
//! linear equations modulo k. Three methods solve it, each in its file: `chase` (whole grids, in the time it takes to read
//! the board), `sweep` (almost whole grids, other patterns, any k) and `linear` (anything, one unknown per hole).
//! Solutions differ by kernel vectors, hits that change nothing, which are called *quiet patterns* here; `fewest` looks for
//! the lightest solution.

mod algebra;
pub mod bitmaps;
mod census;
pub mod chase;
mod check;
mod fewest;
mod field;
mod given;
mod kernel;
mod lesson;
mod lighten;
mod linear;
mod notation;
mod primer;
mod reading;
mod recurrence;
mod rows;
mod sweep;

use std::ops::ControlFlow;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use crate::gf2::echelon::{self, Reduce};
use crate::gf2::plain;
use crate::graph::places::Layout;
use crate::limits::{Limit, Limits};
use crate::outcome::{AnswerField, Certificate, Outcome, Plan, Stats, Verdict, Why};
use crate::rules::{Backward, Cost, Estimate, Facts, Heuristic, Pack, Problem, Proofs, Replay, Rules, Solver};
use algebra::Algebra;
use chase::{Chase, Grid, NoHits};
use fewest::ChosenHits;
use field::{FieldShape, HoleField};
use linear::{Attempt, Solved};
use sweep::Sweep;

/// One instance.
pub struct Moles {
    field: HoleField,
    /// The number of states of a hole; a hit leads to the next one, and from the last to 0.
    states: u8,
    start: Board,
    target: Board,
    wanted: Wanted,
    algebra: OnceLock<Algebra>,
    /// The holes of a graph that were placed by hand.
    layout: Layout,
}

/// One number per place, below the number of states; 0 where there is no hole.
type Board = Vec<u8>;

/// The solutions that the caller wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Fewest,
    Any,
    /// All solutions, but no more than this.
    All(usize),
}

/// Boards with more holes than this are searched only on request.
const SEARCHABLE: usize = 36;

impl Moles {
    fn new(field: HoleField, states: u8, start: Board, target: Board, wanted: Wanted) -> Moles {
        Moles { field, states, start, target, wanted, algebra: OnceLock::new(), layout: Layout::default() }
    }

    /// The number of times that each hole must still be toggled.
    fn need(&self, board: &Board) -> Vec<u8> {
        let states = self.states;
        board.iter().zip(&self.target).map(|(now, then)| (then + states - now) % states).collect()
    }

    /// Does everything up to the choice among solutions, by the best method.
    fn solve(&self, need: &[u8], limits: &Limits) -> Attempt {
        match Method::of(self, limits)? {
            Method::Chase(chase) => self.chase(&chase, need, limits),
            Method::Sweep(sweep) => sweep.solve(need, limits),
            Method::Dense => linear::solve(&self.field, self.states, need, echelon::reduce, limits),
        }
    }

    fn chase(&self, chase: &Chase, need: &[u8], limits: &Limits) -> Attempt {
        let FieldShape::Grid { rows, columns, .. } = &self.field.shape else { unreachable!("only grids are chased") };
        let mut board = bitmaps::image(*rows, *columns, need)?;
        if chase.solve(&mut board, limits)? == Err(NoHits) {
            return Ok(Err(bitmaps::holes(&board)));
        }
        let count = chase.nullity();
        let listed = if linear::may_list(count, need.len(), limits) { count } else { 0 };
        Ok(Ok(Solved { hits: bitmaps::holes(&board), orders: vec![2; count], quiet: self.chased_kernel(chase, listed, limits)? }))
    }

    /// The first quiet patterns of a whole grid.
    fn chased_kernel(&self, chase: &Chase, count: usize, limits: &Limits) -> Result<Vec<Board>, Limit> {
        limits.room(count.saturating_mul(self.field.len()))?;
        (0..count).map(|at| Ok(bitmaps::holes(&chase.kernel(at, limits)?))).collect()
    }

    /// On a large graph this takes minutes. An interrupted computation is not kept.
    fn algebra(&self, limits: &Limits) -> Result<&Algebra, Limit> {
        if let Some(algebra) = self.algebra.get() {
            return Ok(algebra);
        }
        let orders = match Method::of(self, limits)? {
            Method::Chase(chase) => vec![2; chase.nullity()],
            _ => match self.solve(&vec![0; self.field.len()], limits)? {
                Ok(solved) => solved.orders,
                Err(_) => unreachable!("no hits clear a clear board"),
            },
        };
        Ok(self.algebra.get_or_init(|| Algebra { orders }))
    }

    /// The name of a hole: its number from 1 or, on a graph that names its vertices, that name.
    fn name(&self, at: usize) -> String {
        self.field.own_name(at).map_or_else(|| (at + 1).to_string(), str::to_owned)
    }

    /// The same in JSON, where a number is one.
    fn name_json(&self, at: usize) -> Value {
        self.field.own_name(at).map_or_else(|| json!(at + 1), |name| json!(name))
    }

    /// The hole that a name, or a number in JSON, means.
    fn find_hole(&self, value: &Value) -> Option<usize> {
        let by_name = value.as_str().and_then(|text| self.field.find(text.trim()));
        let by_number = || usize::try_from(value.as_u64()?.checked_sub(1)?).ok();
        by_name.or_else(by_number).filter(|&at| at < self.field.len())
    }

    fn hittable(&self) -> usize {
        (0..self.field.len()).filter(|&at| self.field.can_hit(at)).count()
    }

    fn certificate(&self, weights: &[u8]) -> Certificate {
        let holes: Vec<Value> = (0..weights.len()).filter(|&at| weights[at] != 0).map(|at| self.name_json(at)).collect();
        let claim = self.claim(holes.len());
        let mut data = Map::from_iter([("holes".to_owned(), json!(holes))]);
        if self.states == 2 {
            return Certificate { kind: "parity".to_owned(), claim, data };
        }
        let weights: Vec<u8> = weights.iter().copied().filter(|&weight| weight != 0).collect();
        data.insert("weights".to_owned(), json!(weights));
        Certificate { kind: "weights".to_owned(), claim, data }
    }

    /// The claim of a certificate about this number of holes.
    fn claim(&self, holes: usize) -> String {
        match (self.states, holes) {
            (2, 1) => "no hit toggles this hole, but it must change".to_owned(),
            (2, _) => format!("every hit toggles an even number of these {holes} holes, but an odd number of them must change"),
            (states, _) => format!(
                "every hit changes the weighted sum of {holes} holes by a multiple of {states}, but it must change by something else"
            ),
        }
    }

    fn outcome(&self, board: &Board, attempt: Attempt, wanted: Wanted, limits: &Limits) -> Outcome<u32> {
        let floor = self.floor(board);
        let solved = match attempt {
            Ok(Ok(solved)) => solved,
            Ok(Err(weights)) => {
                let verdict = Verdict::Unsolvable(Why::Certificate(self.certificate(&weights)));
                return Outcome::new(verdict, Stats::default());
            }
            Err(limit) => return Outcome::new(Verdict::Unknown { limit, lower: floor, best: None }, Stats::default()),
        };
        let orders = &self.algebra.get_or_init(|| Algebra { orders: solved.orders.clone() }).orders;
        let bytes = (solved.quiet.len() + 1) * self.field.len();
        let chosen = |lower: Cost| ChosenHits { hits: solved.hits.clone(), lower, limit: "" };
        let ChosenHits { hits, lower, limit } = match wanted {
            _ if orders.is_empty() => chosen(Cost::MAX),
            Wanted::Any => chosen(0),
            Wanted::Fewest | Wanted::All(_) => fewest::fewest(self.states, &solved, self.columns(), limits),
        };
        let all = match wanted {
            // From the lightest on: if not all are listed, that one is.
            Wanted::All(most) => {
                let all = fewest::all(self.states, &Solved { hits: hits.clone(), ..solved }, most, limits);
                Some(all.iter().map(|hits| self.plan(hits)).collect())
            }
            _ => None,
        };
        let plan = self.plan(&hits);
        let lower = lower.max(floor).min(plan.cost);
        let stats = Stats { peak_bytes: bytes, ..Stats::default() };
        let mut facts = Map::new();
        if lower < plan.cost && wanted != Wanted::Any {
            facts.insert("limit".to_owned(), json!(limit));
        }
        Outcome { all, facts, ..Outcome::new(Verdict::Solved { plan, lower }, stats) }
    }

    /// The width, if this is a grid.
    fn columns(&self) -> Option<usize> {
        match self.field.shape {
            FieldShape::Grid { columns, .. } => Some(columns),
            _ => None,
        }
    }

    /// No fewer hits can do: each gives at most `reach` holes one step.
    fn floor(&self, board: &Board) -> Cost {
        let need: u64 = self.need(board).iter().map(|&need| u64::from(need)).sum();
        need.div_ceil(self.field.reach().max(1) as u64) as Cost
    }

    fn plan(&self, hits: &[u8]) -> Plan<u32> {
        let moves: Vec<u32> = hits.iter().enumerate().flat_map(|(at, &times)| (0..times).map(move |_| at as u32)).collect();
        Plan { cost: moves.len() as Cost, moves }
    }

    /// The whole grid that this is, if it can be chased.
    fn chased(&self) -> Option<Grid> {
        self.field.whole_grid().filter(|grid| self.states == 2 && Chase::fits(grid))
    }

    /// Hits a hole.
    #[inline]
    fn make(&self, board: &mut Board, hole: &u32) {
        self.field.toggled(*hole as usize, |at| board[at] = if board[at] + 1 == self.states { 0 } else { board[at] + 1 });
    }

    fn facts(&self, verdict: &Verdict<u32>, limits: &Limits) -> Map<String, Value> {
        if let Verdict::Unknown { .. } = verdict {
            return Map::new();
        }
        let Ok(algebra) = self.algebra(limits) else { return Map::new() };
        let solutions = if let Verdict::Solved { .. } = verdict { algebra.solutions() } else { json!(0) };
        let nullity = algebra.nullity();
        Map::from_iter([
            ("rank".to_owned(), json!(self.hittable() - nullity)),
            ("nullity".to_owned(), json!(nullity)),
            ("solutions".to_owned(), solutions),
        ])
    }

    /// Holes in a packed byte.
    #[inline]
    fn per_byte(&self) -> usize {
        match self.states {
            0..=2 => 8,
            3..=4 => 4,
            5..=16 => 2,
            _ => 1,
        }
    }

    fn refute(&self, board: &Board, limits: &Limits) -> Option<Certificate> {
        let weights = self.solve(&self.need(board), limits).ok()?.err()?;
        Some(self.certificate(&weights))
    }

    fn backward(&self, board: &Board, mut emit: impl FnMut(Board, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        for at in (0..self.field.len()).filter(|&at| self.field.can_hit(at)) {
            let mut before = board.clone();
            self.field.toggled(at, |at| before[at] = if before[at] == 0 { self.states - 1 } else { before[at] - 1 });
            emit(before, 1)?;
        }
        ControlFlow::Continue(())
    }

    fn eliminate(&self, board: &Board, reduce: Reduce, wanted: Wanted, limits: &Limits) -> Outcome<u32> {
        let solved = linear::solve(&self.field, self.states, &self.need(board), reduce, limits);
        let stopped = solved.is_err();
        let mut outcome = self.outcome(board, solved, wanted, limits);
        if !stopped {
            outcome.stats.peak_bytes += linear::bytes(&self.field, self.states);
        }
        outcome
    }
}

/// The best way to solve a field, prepared.
enum Method<'a> {
    Chase(Chase),
    Sweep(Sweep<'a>),
    Dense,
}

impl Method<'_> {
    fn of<'a>(moles: &'a Moles, limits: &Limits) -> Result<Method<'a>, Limit> {
        if let Some(grid) = moles.chased()
            && let Some(chase) = Chase::new(grid, limits)?
        {
            return Ok(Method::Chase(chase));
        }
        Ok(Sweep::new(&moles.field, moles.states).map_or(Method::Dense, Method::Sweep))
    }
}

impl Pack<Moles> for Board {
    fn bytes(rules: &Moles) -> usize {
        rules.field.len().div_ceil(rules.per_byte())
    }

    fn pack(&self, rules: &Moles, out: &mut [u8]) {
        let bits = 8 / rules.per_byte();
        for (byte, cells) in out.iter_mut().zip(self.chunks(rules.per_byte())) {
            *byte = cells.iter().enumerate().fold(0, |byte, (at, cell)| byte | cell << (at * bits));
        }
    }

    fn unpack(rules: &Moles, bytes: &[u8]) -> Self {
        let bits = 8 / rules.per_byte();
        let mask = ((1_u16 << bits) - 1) as u8;
        let cell = |at: usize| bytes[at / rules.per_byte()] >> (at % rules.per_byte() * bits) & mask;
        (0..rules.field.len()).map(cell).collect()
    }
}

impl Rules for Moles {
    const REPLAY: Replay<Self> = Replay {
        find: |moles, _, value| moles.find_hole(value).and_then(|at| u32::try_from(at).ok()),
        is_legal: |moles, _, hole| (*hole as usize) < moles.field.len() && moles.field.can_hit(*hole as usize),
        make: Moles::make,
    };

    type State = Board;
    /// The place of a hole, from 0.
    type Move = u32;

    fn start(&self) -> Board {
        self.start.clone()
    }

    fn moves(&self, _board: &Board, out: &mut Vec<u32>) {
        out.extend((0..self.field.len()).filter(|&at| self.field.can_hit(at)).map(|at| at as u32));
    }

    fn apply(&self, board: &Board, hole: &u32) -> Board {
        let mut board = board.clone();
        self.make(&mut board, hole);
        board
    }
}

impl Problem for Moles {
    const FACTS: Facts<Self> = Facts {
        fields: &[
            AnswerField { name: "rank", about: "the rank of the system of equations" },
            AnswerField { name: "nullity", about: "independent quiet patterns" },
            AnswerField { name: "solutions", about: "how many sets of hits clear the board" },
        ],
        of: Moles::facts,
    };

    const HEURISTICS: &'static [Heuristic<Self>] = &[
        Heuristic {
            name: "reach",
            about: "what is needed, divided by the most holes that a hit toggles, rounded up",
            admissible: true,
            consistent: true,
            aliases: &[],
            build: |_, _| Ok(Estimate::new(|moles: &Moles, board| moles.floor(board))),
        },
        Heuristic {
            name: "count",
            about: "the holes that are not as they should be; a hit can settle several of them, so this misleads",
            admissible: false,
            consistent: false,
            aliases: &[],
            build: |_, _| {
                let differ = |moles: &Moles, board: &Board| board.iter().zip(&moles.target).filter(|(now, then)| now != then).count();
                Ok(Estimate::new(move |moles, board| differ(moles, board) as Cost))
            },
        },
    ];

    const SOLVERS: &'static [Solver<Self>] = &[
        Solver {
            name: "chase",
            about: "algebra row by row: a division of polynomials on whole grids, a small system otherwise; then the lightest solution",
            optimal: true,
            course: false,
            beside: None,
            applies: |moles, _| {
                let fits = moles.chased().is_some() || Sweep::new(&moles.field, moles.states).is_some();
                if fits { Ok(()) } else { Err("it needs a grid that can be solved row by row") }
            },
            run: |moles, board, limits| {
                let solved = moles.solve(&moles.need(board), limits);
                moles.outcome(board, solved, moles.wanted, limits)
            },
            trace: None,
        },
        Solver {
            name: "dense",
            about: "one equation per hole, eliminated by the method of four Russians; then the lightest solution",
            optimal: true,
            course: false,
            beside: None,
            applies: |_, _| Ok(()),
            run: |moles, board, limits| moles.eliminate(board, echelon::reduce, moles.wanted, limits),
            trace: None,
        },
        Solver {
            name: "source",
            about: "one equation per hole, eliminated as in the textbooks; the first solution, not the lightest",
            optimal: false,
            course: false,
            beside: None,
            applies: |moles, _| if moles.states == 2 { Ok(()) } else { Err("it needs moles that are up or down") },
            run: |moles, board, limits| moles.eliminate(board, plain::reduce, Wanted::Any, limits),
            trace: None,
        },
    ];

    const PROOFS: Option<Proofs<Self>> = Some(Proofs {
        quick: false,
        refute: Moles::refute,
        check: check::refutation,
        data: &["holes", "weights"],
        claim: |board, _, certificate| board.claim(certificate.data["holes"].as_array().map_or(0, Vec::len)),
        least: Some(check::least),
    });

    const BACKWARD: Option<Backward<Self>> =
        Some(Backward { goals: |board| vec![board.target.clone()], step: |board, state, emit| board.backward(state, emit) });

    fn is_goal(&self, board: &Board) -> bool {
        *board == self.target
    }

    fn searchable(&self) -> bool {
        self.hittable() <= SEARCHABLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Drawing;
    use crate::notation::{Input, Notation, Options, ReadError, parse};
    use crate::random::Random;

    /// A whole grid, one with a missing hole, one modulo 36, and a graph: all methods.
    const BOARDS: [&str; 5] =
        ["size: 30x30; moles: all", "size: 30x30; missing: 7; moles: 8", "states: 36; size: 12x12; moles: 1 5", "graph: Q6", "0000"];

    fn stopped() -> Limits {
        let limits = Limits::none();
        limits.cancel.stop(Limit::Time);
        limits
    }

    #[test]
    fn a_flag_that_is_set_ends_everything() {
        for text in BOARDS {
            let moles: Moles = parse(text, &Options::default()).expect("a board");
            let board = moles.start();
            for solver in Moles::SOLVERS.iter().filter(|solver| (solver.applies)(&moles, &board).is_ok()) {
                let outcome = (solver.run)(&moles, &board, &stopped());
                let expected = Verdict::Unknown { limit: Limit::Time, lower: moles.floor(&board), best: None };
                assert_eq!(outcome.verdict, expected, "{text} by {}", solver.name);
            }
            assert!(moles.algebra.get().is_none(), "{text}: what was stopped is not kept");
            assert_eq!(moles.refute(&board, &stopped()), None, "{text}");
            assert!(moles.quiet(1, &stopped()).is_err(), "{text}");
            let lesson = Moles::LESSON.expect("there is one");
            assert!((lesson.explain)(&moles, &board, &stopped()).is_none(), "{text}");
            let solved = (Moles::SOLVERS[1].run)(&moles, &board, &Limits::none()).verdict;
            assert_eq!(moles.facts(&solved, &Limits::none()).len(), 3, "{text}");
            let again: Moles = parse(text, &Options::default()).expect("a board");
            assert!(again.facts(&solved, &stopped()).is_empty(), "{text}");
            assert_eq!(moles.facts(&solved, &stopped()).len(), 3, "{text}: what is known stays known");
        }
    }

    #[test]
    fn reading_and_generating_can_be_stopped() {
        let options = Options::default();
        for text in ["0110\n0110", "P1 2 2\n01\n10\n", "size: 2x2; moles: 1 2"] {
            let read = Moles::read(&Input::new(text, &options, &stopped())).map(|_| ());
            assert_eq!(read, Err(ReadError::Stopped(Limit::Time)), "{text}");
        }
        let make = Moles::INFO.generator.expect("there is one").make;
        let made = make(&mut Random::new(1), &options, &stopped()).map(|_| ());
        assert_eq!(made, Err(ReadError::Stopped(Limit::Time)));
        let small = Limits { bytes: 1000, ..Limits::none() };
        let read = Moles::read(&Input::new("size: 100x100", &options, &small)).map(|_| ());
        assert_eq!(read, Err(ReadError::Stopped(Limit::Memory)));
    }

    #[test]
    fn matrices_that_do_not_fit_are_not_made() {
        let moles: Moles = parse("graph: K300; moles: 1", &Options::default()).expect("a board");
        let small = Limits { bytes: 20_000, ..Limits::none() };
        let outcome = (Moles::SOLVERS[1].run)(&moles, &moles.start(), &small);
        assert_eq!(outcome.verdict, Verdict::Unknown { limit: Limit::Memory, lower: 1, best: None });
    }

    /// The sink ends the search for the lightest solution: the first one found stands, with a bound.
    #[test]
    fn a_stop_in_the_choice_among_solutions_leaves_a_plan() {
        for text in ["size: 30x30; wrap: torus; moles: 1 2 3", "states: 4; size: 9x9; wrap: cylinder; moles: 1"] {
            let moles: Moles = parse(text, &Options::default()).expect("a board");
            let mut board = moles.target.clone();
            (0..40).for_each(|hole| moles.make(&mut board, &hole));
            let outcome = (Moles::SOLVERS[1].run)(&moles, &board, &Limits::until(|_| true));
            let Verdict::Solved { plan, lower } = outcome.verdict else { panic!("{text}: {:?}", outcome.verdict) };
            assert!(lower <= plan.cost, "{text}");
            plan.moves.iter().for_each(|hole| moles.make(&mut board, hole));
            assert!(moles.is_goal(&board), "{text}");
        }
    }

    #[test]
    fn errors_about_settings_have_a_place() {
        let cases = [
            ("missing: 1\n10", (1, 10), "hole 1 has a mole and is missing"),
            ("01\n  missing: 1, 2", (2, 15), "hole 2 has a mole and is missing"),
            ("missing: 3; locked: 1 3\n0000", (1, 23), "hole 3 is missing and cannot be locked as well"),
            ("size: 2x2\nmoles: 1 9", (2, 10), "there is no hole `9`"),
            ("size: 2x2\nmoles: 1 1", (2, 10), "hole 1 is listed twice"),
            ("size: 2x2\ntarget: 01/0x", (2, 13), "`x` is not a cell"),
            ("graph: 0-1 1-1", (1, 12), "a loop: vertex 1 is joined to itself"),
            ("size: 2y2", (1, 7), "`2y2` is not a size"),
        ];
        for (text, place, message) in cases {
            match parse::<Moles>(text, &Options::default()) {
                Err(ReadError::Text(error)) => {
                    assert_eq!(((error.line, error.column), error.message.as_str()), (place, message), "{text}");
                }
                other => panic!("{text}: {:?}", other.map(|_| ())),
            }
        }
    }
}
