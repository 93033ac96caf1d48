//! IDA*, with states counted exactly as R. E. Korf did in 1985, so that node counts can be compared with his paper and with
//! programs that follow it.
//!
//! The estimate is the Manhattan distance. The blank moves up, left, right and down. The last move is never undone, but other
//! repeated boards are not detected. A child is counted when the search reaches it, even if its estimated cost exceeds the bound. The
//! search stops at the goal, so in the last iteration, children that come after the plan's moves are not counted.

use std::ops::ControlFlow;

use super::{Cells, MOST, Tiles};
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::{Outcome, Plan, Stats, Verdict, Why};
use crate::rules::{Cost, Solver};
use crate::trace::{Child, Expanded, Fate, Way};

pub(super) const SOLVER: Solver<Tiles> = Solver {
    name: "course:korf",
    about: "IDA* with Manhattan distance, counted as in Korf's paper of 1985",
    optimal: false,
    course: true,
    beside: None,
    applies: |_, _| Ok(()),
    run: |board, start, limits| solve(board, *start, limits, None).0,
    trace: Some(|board, start, limits, emit| {
        // The end of the search must be known before children are shown, because it decides which of them are not generated.
        let (_, end) = solve(board, *start, limits, None);
        solve(board, *start, limits, Some(Shown { emit, end, path: Vec::new(), ids: vec![0], next_id: 1 })).0
    }),
};

/// Number of states expanded between two checks of the limits.
const PERIOD: u64 = 1 << 14;

/// The end of a search: its last bound, and the moves from the start to its last state.
#[derive(Default)]
struct End {
    bound: Cost,
    moves: Vec<u8>,
}

/// A trace in progress.
struct Shown<'a> {
    emit: &'a mut dyn FnMut(Expanded<Tiles>),
    end: End,
    /// The moves from the start to the current state.
    path: Vec<u8>,
    /// The numbers of the states on the path.
    ids: Vec<u64>,
    next_id: u64,
}

struct Dive<'a> {
    board: &'a Tiles,
    limits: &'a Limits,
    /// The tiles in all cells. The blank's cell may hold any number.
    tiles: [u8; MOST * MOST],
    /// The amount by which a move raises the sum of cost and estimate. There is one array, indexed by the tile, for each cell of
    /// the blank and each side from which the tile comes.
    raises: Vec<[Cost; 32]>,
    bound: Cost,
    /// The least sum above the bound.
    next: Cost,
    stats: Stats,
    /// The number of expanded states at which the limits are checked next.
    pause: u64,
    shown: Option<Shown<'a>>,
}

fn solve<'a>(board: &'a Tiles, start: Cells, limits: &'a Limits, shown: Option<Shown<'a>>) -> (Outcome<u8>, End) {
    let generated = Stats { generated: 1, ..Stats::default() };
    if let Some(proof) = board.refute(start) {
        // Without this check, the search would never end.
        return (Outcome::new(Verdict::Unsolvable(Why::Certificate(proof)), generated), End::default());
    }
    let distance = |tile: usize, cell: usize| board.price(tile) * board.steps(cell, board.homes[tile]) as Cost;
    let raise = |blank: usize, from: usize, tile: usize| match tile {
        1.. if tile < board.len() => board.price(tile) + distance(tile, blank) - distance(tile, from),
        _ => 0,
    };
    let side = |blank: usize, side: usize| {
        let from = board.near(blank).nth(side);
        std::array::from_fn(|tile| from.map_or(0, |from| raise(blank, from, tile)))
    };
    let mut tiles = [0; MOST * MOST];
    tiles.iter_mut().zip(board.tiles(start)).for_each(|(cell, tile)| *cell = tile as u8);
    let estimate = (0..board.len()).filter(|&cell| tiles[cell] > 0).map(|cell| distance(usize::from(tiles[cell]), cell)).sum();
    let mut dive = Dive {
        board,
        limits,
        tiles,
        raises: (0..4 * board.len()).map(|at| side(at / 4, at % 4)).collect(),
        bound: estimate,
        next: Cost::MAX,
        stats: generated,
        pause: 0,
        shown,
    };
    let (blank, no_cell, mut moves) = (board.blank(start), usize::MAX, Vec::new());
    let verdict = loop {
        let flow = match dive.shown {
            None => dive.search::<false>(blank, no_cell, 0, estimate, &mut moves),
            Some(_) => dive.search::<true>(blank, no_cell, 0, estimate, &mut moves),
        };
        moves.reverse();
        match flow {
            ControlFlow::Continue(()) if dive.next == Cost::MAX => {
                break Verdict::Unsolvable(Why::Exhausted { states: dive.stats.expanded });
            }
            ControlFlow::Continue(()) => (dive.bound, dive.next) = (dive.next, Cost::MAX),
            ControlFlow::Break(None) => {
                break Verdict::Solved { plan: Plan { moves: moves.clone(), cost: dive.bound }, lower: dive.bound };
            }
            ControlFlow::Break(Some(limit)) => break Verdict::Unknown { limit, lower: dive.bound, best: None },
        }
    };
    (Outcome::new(verdict, dive.stats), End { bound: dive.bound, moves })
}

impl Dive<'_> {
    /// Searches below a state. The state was reached at this cost, and the blank came from the cell `before`. `total` is the cost
    /// plus the estimate. Returns `Break` at a goal or a limit; `moves` then receives the path to the last state, in reverse order.
    fn search<const SHOWN: bool>(
        &mut self,
        blank: usize,
        before: usize,
        cost: Cost,
        total: Cost,
        moves: &mut Vec<u8>,
    ) -> ControlFlow<Option<Limit>> {
        if cost == total {
            return ControlFlow::Break(None);
        }
        if self.stats.expanded >= self.pause {
            self.check()?;
        }
        self.stats.expanded += 1;
        let mut id = if SHOWN { self.show(blank, before, cost, total) } else { 0 };
        let board = self.board;
        for (side, from) in board.near(blank).enumerate() {
            if from == before {
                continue;
            }
            self.stats.generated += 1;
            let tile = self.tiles[from];
            let sum = total + self.raises[4 * blank + side][usize::from(tile % 32)];
            if sum <= self.bound {
                self.tiles[blank] = tile;
                if let (true, Some(shown)) = (SHOWN, &mut self.shown) {
                    shown.path.push(from as u8);
                    shown.ids.push(id);
                }
                let flow = self.search::<SHOWN>(from, blank, cost + board.price(usize::from(tile)), sum, moves);
                if let (true, Some(shown)) = (SHOWN, &mut self.shown) {
                    shown.path.pop();
                    shown.ids.pop();
                }
                self.tiles[from] = tile;
                if flow.is_break() {
                    moves.push(from as u8);
                    return flow;
                }
            } else {
                self.next = self.next.min(sum);
            }
            id += 1;
        }
        ControlFlow::Continue(())
    }

    #[cold]
    fn check(&mut self) -> ControlFlow<Option<Limit>> {
        let (expanded, bytes) = (self.stats.expanded, size_of_val(self) + size_of_val(&*self.raises));
        self.stats.peak_bytes = bytes;
        let progress = Progress { expanded, generated: self.stats.generated, bytes, lower: self.bound, ..Progress::default() };
        let nodes = if expanded >= self.limits.nodes { Err(Limit::Nodes) } else { Ok(()) };
        self.pause = self.limits.nodes.min(expanded + PERIOD);
        match nodes.and_then(|()| self.limits.room(bytes)).and_then(|()| self.limits.report(&progress)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(limit) => ControlFlow::Break(Some(limit)),
        }
    }

    /// Emits a state and the children that will be generated, and returns the number of the first child.
    fn show(&mut self, blank: usize, before: usize, cost: Cost, total: Cost) -> u64 {
        let (board, bound) = (self.board, self.bound);
        let mut tiles = self.tiles.map(usize::from);
        tiles[blank] = 0;
        let state = Cells::new(&tiles[..board.len()]);
        let sides = board.near(blank).enumerate().filter(|&(_, from)| from != before);
        let child = |id: u64, side: usize, from: usize| {
            let tile = board.tile(state, from);
            let cost = cost + board.price(tile);
            let estimate = total + self.raises[4 * blank + side][tile] - cost;
            let (moves, goal) = (vec![from as u8], estimate == 0);
            Child { id: Some(id), moves, from: None, cost, estimate: Some(estimate), priority: None, fate: Fate::New, goal }
        };
        let Some(shown) = &mut self.shown else { return 0 };
        let first = shown.next_id;
        let mut children: Vec<_> = (first..).zip(sides).map(|(id, (side, from))| child(id, side, from)).collect();
        let depth = shown.path.len();
        if bound == shown.end.bound && shown.end.moves.starts_with(&shown.path) {
            let last = children.iter().position(|child| Some(&child.moves[0]) == shown.end.moves.get(depth));
            children.truncate(last.map_or(0, |last| last + 1));
        }
        shown.next_id += children.len() as u64;
        (shown.emit)(Expanded {
            id: shown.ids.last().copied().unwrap_or(0),
            parent: shown.ids.len().checked_sub(2).map(|above| shown.ids[above]),
            way: shown.path.last().map(|_| Way { from: board.slide(state, blank, before), moves: vec![blank as u8] }),
            state,
            depth: depth as u32,
            cost,
            estimate: Some(total - cost),
            priority: None,
            open: 0,
            lower: bound,
            upper: None,
            bound: Some(bound),
            side: None,
            children,
        });
        first
    }
}
