//! `moles`: whack-a-mole, also known as Lights Out. A hit toggles a hole and its neighbors; the goal is to clear the board.
//!
//! The order of hits does not matter, and k hits on one hole cancel, where k is the number of states (usually two: mole or no
//! mole). So a board is a system of linear equations modulo k. Three methods solve it, each in its own file: `chase` (complete
//! grids, in the time it takes to read the board), `sweep` (nearly complete grids, other patterns, any k) and `linear` (any board,
//! with one unknown per hole). Two solutions differ by a kernel vector: a *quiet pattern*, hits that change nothing. `fewest` finds
//! the lightest solution.

pub mod bitmaps;
mod census;
pub mod chase;
mod check;
mod fewest;
mod field;
mod kernel;
mod lesson;
mod lighten;
mod linear;
mod notation;
mod primer;
mod reading;
#[doc(hidden)] // Public for the tests.
pub mod recurrence;
mod rows;
mod settings;
mod sweep;

use std::ops::ControlFlow;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use crate::gf2::echelon::{self, Reduce};
use crate::gf2::plain;
use crate::graph::places::Layout;
use crate::limits::{Limit, Limits};
use crate::notation::counted;
use crate::outcome::{AnswerField, Certificate, Outcome, Plan, Stats, Verdict, Why};
use crate::rules::{Backward, Cost, Estimate, Facts, Heuristic, Pack, Problem, Proofs, Replay, Rules, Solver};
use chase::{Chase, Grid, NoHits};
use fewest::ChosenHits;
use field::{FieldShape, HoleField};
use linear::{Attempt, Solved};
use sweep::Sweep;

/// One board with its options.
pub struct Moles {
    field: HoleField,
    /// The number of states per hole. A hit advances a hole to its next state, or from the last state to 0.
    states: u8,
    start: Board,
    target: Board,
    wanted: Wanted,
    /// The orders of independent quiet patterns. Their product is the number of solutions, if there are any. The orders do not depend
    /// on the moles.
    orders: OnceLock<Vec<u8>>,
    /// The positions of a graph's holes that were placed by hand.
    layout: Layout,
}

/// The state of each place; 0 where there is no hole.
type Board = Vec<u8>;

/// The requested solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Fewest,
    Any,
    /// All solutions, but at most this many.
    All(usize),
}

/// Boards with up to this many open holes are searched by default.
const SEARCHABLE: usize = 36;

impl Moles {
    fn new(field: HoleField, states: u8, start: Board, target: Board, wanted: Wanted) -> Moles {
        Moles { field, states, start, target, wanted, orders: OnceLock::new(), layout: Layout::default() }
    }

    /// The number of toggles that each hole still needs.
    fn need(&self, board: &Board) -> Vec<u8> {
        let states = self.states;
        board.iter().zip(&self.target).map(|(now, then)| (then + states - now) % states).collect()
    }

    /// Finds a solution and the quiet patterns, by the best method.
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

    /// The first `count` quiet patterns of a complete grid.
    fn chased_kernel(&self, chase: &Chase, count: usize, limits: &Limits) -> Result<Vec<Board>, Limit> {
        limits.room(count.saturating_mul(self.field.len()))?;
        (0..count).map(|at| Ok(bitmaps::holes(&chase.kernel(at, limits)?))).collect()
    }

    /// The orders of independent quiet patterns. On a large graph, this can take minutes. An interrupted computation is discarded.
    fn orders(&self, limits: &Limits) -> Result<&[u8], Limit> {
        if self.orders.get().is_none() {
            let orders = match Method::of(self, limits)? {
                Method::Chase(chase) => vec![2; chase.nullity()],
                _ => self
                    .solve(&vec![0; self.field.len()], limits)?
                    .map_or_else(|_| unreachable!("the empty set of hits is a solution"), |solved| solved.orders),
            };
            let _ = self.orders.set(orders);
        }
        Ok(self.orders.get().expect("just set"))
    }

    /// The name of a hole: the name of its vertex in a graph that has names, otherwise its number, counted from 1.
    fn name(&self, at: usize) -> String {
        self.field.shape.name(at)
    }

    /// Like [`Moles::name`], but as JSON: a hole number becomes a JSON number.
    fn name_json(&self, at: usize) -> Value {
        self.field.shape.own_name(at).map_or_else(|| json!(at + 1), |name| json!(name))
    }

    /// The hole with this name or number.
    fn find_hole(&self, value: &Value) -> Option<usize> {
        let by_name = value.as_str().and_then(|text| self.field.shape.find(text.trim()));
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
        if self.states > 2 {
            data.insert("weights".to_owned(), weights.iter().filter(|&&weight| weight != 0).copied().collect());
        }
        Certificate { kind: if self.states == 2 { "parity" } else { "weights" }.to_owned(), claim, data }
    }

    /// The claim of a certificate that lists this number of holes.
    fn claim(&self, holes: usize) -> String {
        match (self.states, holes) {
            (2, 1) => "no hit toggles this hole, but it must change".to_owned(),
            (2, _) => format!("every hit toggles an even number of these {holes} holes, but an odd number of them must change"),
            (states, _) => format!(
                "every hit changes the weighted sum of {} by a multiple of {states}, but the required change is not a multiple of {states}",
                counted(holes, "hole", "holes")
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
        let orders = self.orders.get_or_init(|| solved.orders.clone());
        let bytes = (solved.quiet.len() + 1) * self.field.len();
        let chosen = |lower: Cost| ChosenHits { hits: solved.hits.clone(), lower, limit: "" };
        let ChosenHits { hits, lower, limit } = match wanted {
            _ if orders.is_empty() => chosen(Cost::MAX),
            Wanted::Any => chosen(0),
            Wanted::Fewest | Wanted::All(_) => fewest::fewest(self.states, &solved, &self.field.shape, limits),
        };
        let all = match wanted {
            // Starts from the lightest solution, so that it is listed even if other solutions are not.
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

    /// A lower bound on the number of hits: each hit toggles at most `reach` holes, each of them once.
    fn floor(&self, board: &Board) -> Cost {
        let need: u64 = self.need(board).iter().map(|&need| u64::from(need)).sum();
        need.div_ceil(self.field.reach().max(1) as u64) as Cost
    }

    fn plan(&self, hits: &[u8]) -> Plan<u32> {
        let moves: Vec<u32> = hits.iter().enumerate().flat_map(|(at, &times)| (0..times).map(move |_| at as u32)).collect();
        Plan { cost: moves.len() as Cost, moves }
    }

    /// The grid, if it is complete and can be chased.
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
        let Ok(orders) = self.orders(limits) else { return Map::new() };
        let solutions = if let Verdict::Solved { .. } = verdict { linear::solutions(orders) } else { json!(0) };
        let nullity = linear::nullity(orders);
        Map::from_iter([
            ("rank".to_owned(), json!(self.hittable() - nullity)),
            ("nullity".to_owned(), json!(nullity)),
            ("solutions".to_owned(), solutions),
        ])
    }

    /// Number of holes packed into one byte.
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

/// The best method for a field, ready to run.
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
    /// The place of a hole; places are numbered from 0.
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
            AnswerField { name: "nullity", about: "number of independent quiet patterns" },
            AnswerField { name: "solutions", about: "number of sets of hits that clear the board" },
        ],
        of: Moles::facts,
    };

    const HEURISTICS: &'static [Heuristic<Self>] = &[
        Heuristic {
            name: "reach",
            about: "the number of toggles needed, divided by the maximum number of holes that a hit toggles, rounded up",
            admissible: true,
            consistent: true,
            aliases: &[],
            build: |_, _| Ok(Estimate::new(|moles: &Moles, board| moles.floor(board))),
        },
        Heuristic {
            name: "count",
            about: "the number of holes that differ from the target; a hit can fix several of them, so the estimate may be too high",
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
            about: "linear algebra row by row (polynomial division on complete grids, a small linear system on others), then a search \
                    for the lightest solution",
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
            about: "one equation per hole, solved by the Method of Four Russians, followed by a search for the lightest solution",
            optimal: true,
            course: false,
            beside: None,
            applies: |_, _| Ok(()),
            run: |moles, board, limits| moles.eliminate(board, echelon::reduce, moles.wanted, limits),
            trace: None,
        },
        Solver {
            name: "source",
            about: "one equation per hole, solved by textbook elimination; returns the first solution, not the lightest",
            optimal: false,
            course: false,
            beside: None,
            applies: |moles, _| if moles.states == 2 { Ok(()) } else { Err("it needs a board with two states") },
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
