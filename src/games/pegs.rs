//! Peg solitaire with long jumps and priced directions: jump over pegs, which are removed, until one is left.
//!
//! A state is the set of holes with a peg, one bit each; holes are numbered in reading order. Letters are labels: they travel with
//! the pegs but do not affect play, so two states with the same filled holes are equal. Searches work on canonical states, which
//! have no letters. A jump flips one segment of holes in a line: the start, the pegs jumped over and the landing hole. So the image
//! of a successor under a symmetry is the image of the state with the image of the segment flipped, which makes symmetry almost
//! free ([`Pegs::expand`]).

mod chains;
mod course;
mod drawing;
#[doc(hidden)] // public for the tests, like `meet` and `program`
pub mod heuristics;
mod lesson;
#[doc(hidden)]
pub mod meet;
mod narrow;
mod notation;
mod primer;
#[doc(hidden)]
pub mod program;
mod proof;
mod symmetry;
mod weights;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::{ControlFlow, RangeInclusive};

use crate::bits::ones;
use crate::rules::{Cost, Heuristic, Pack, Problem, Proofs, Replay, Rules, Solver};
use chains::Chain;
use symmetry::{BoardSymmetry, IMAGES};

/// The number of a hole, in reading order.
type Hole = u8;
/// Marks a square without a hole.
const MISSING: Hole = Hole::MAX;
/// The maximum number of holes: the number of bits in a state.
const MOST: usize = 128;

/// The four directions in the order in which costs are given. `ORDER` lists them by ascending landing hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Right,
    Down,
    Left,
}

use Direction::{Down, Left, Right, Up};

const DIRECTIONS: [Direction; 4] = [Up, Right, Down, Left];
const ORDER: [Direction; 4] = [Up, Left, Right, Down];

impl Direction {
    fn name(self) -> &'static str {
        ["up", "right", "down", "left"][self as usize]
    }

    /// The row and column offsets of the next square in this direction.
    fn step(self) -> (i32, i32) {
        [(-1, 0), (0, 1), (1, 0), (0, -1)][self as usize]
    }
}

/// One board with its rules.
#[derive(Clone, Debug)]
pub struct Pegs {
    rows: usize,
    columns: usize,
    /// The row and column of each hole.
    holes: Vec<(usize, usize)>,
    /// For each hole, the numbers of its row and column, counting only lines that contain holes. Skipping the other lines keeps the
    /// numbers below `MOST`.
    lines: Vec<(u8, u8)>,
    start: PegSet,
    /// The holes filled at the end; `None` if the goal is one peg anywhere.
    goal: Option<u128>,
    /// True if a jump must go over exactly one peg.
    single: bool,
    /// True if consecutive jumps by one peg are one move.
    by_moves: bool,
    /// The price of a jump in each direction.
    costs: [Cost; 4],
    /// The segments that jumps flip, indexed by starting hole, by direction, and by the number of pegs jumped over, minus one.
    segments: Vec<[Vec<Segment>; 4]>,
    symmetry: BoardSymmetry,
    /// For each segment, the images of the holes that it flips.
    images: Vec<[u128; IMAGES]>,
    /// Generates the same successors faster, on boards that are small enough.
    narrow: Option<narrow::Narrow>,
}

/// The holes that a jump changes.
#[derive(Clone, Copy, Debug)]
struct Segment {
    to: Hole,
    /// The landing hole, as a bit.
    landing: u128,
    /// The last peg jumped over, as a bit.
    last: u128,
    /// All holes from start to landing.
    flips: u128,
    /// The segment's index in [`Pegs::images`].
    images: u32,
}

/// The filled holes and, except in a canonical state, the letters on their pegs.
#[derive(Clone, Debug)]
pub struct PegSet {
    pegs: u128,
    /// The letter of each hole; only the entries of filled holes are used.
    labels: Option<Box<[u8]>>,
}

impl PegSet {
    #[inline]
    fn bare(pegs: u128) -> PegSet {
        PegSet { pegs, labels: None }
    }

    /// The letter on a peg.
    fn label(&self, hole: Hole) -> char {
        self.labels.as_ref().map_or('o', |labels| labels[hole as usize] as char)
    }
}

impl PartialEq for PegSet {
    fn eq(&self, other: &PegSet) -> bool {
        self.pegs == other.pegs
    }
}

impl Eq for PegSet {}

impl Hash for PegSet {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.pegs.hash(hasher);
    }
}

/// One jump, given by its start and landing holes, or a chain of jumps by one peg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Jump {
    from: Hole,
    chain: Chain,
    to: Hole,
}

impl Jump {
    fn single(from: Hole, to: Hole) -> Jump {
        Jump { from, chain: Chain::default(), to }
    }
}

/// The holes in a set, in ascending order.
fn holes_of(pegs: u128) -> impl Iterator<Item = Hole> {
    ones(pegs).map(|hole| hole as Hole)
}

/// For each hole, the number of its line, counting only lines that contain holes.
fn numbered(holes: &[(usize, usize)], line: fn(&(usize, usize)) -> usize) -> impl Iterator<Item = u8> {
    let mut used: Vec<usize> = holes.iter().map(line).collect();
    used.sort_unstable();
    used.dedup();
    holes.iter().map(move |hole| used.partition_point(|&other| other < line(hole)) as u8)
}

impl Pegs {
    /// A board with these holes, given in reading order, and the default rules; [`Pegs::finish`] completes it.
    fn new(holes: Vec<(usize, usize)>, rows: usize, columns: usize) -> Pegs {
        let mut number = vec![MISSING; rows * columns];
        for (hole, &(row, column)) in holes.iter().enumerate() {
            number[row * columns + column] = hole as Hole;
        }
        let at = |row: i32, column: i32| {
            let inside = (0..rows as i32).contains(&row) && (0..columns as i32).contains(&column);
            if inside { number[row as usize * columns + column as usize] } else { MISSING }
        };
        let ray = |&(row, column): &(usize, usize), direction: Direction| -> Vec<Segment> {
            let (dr, dc) = direction.step();
            let place = |length: i32| at(row as i32 + length * dr, column as i32 + length * dc);
            let mut flips = 1 << place(0);
            let mut segments = Vec::new();
            for length in 1.. {
                let hole = place(length);
                if hole == MISSING {
                    return segments;
                }
                flips |= 1 << hole;
                if length > 1 {
                    segments.push(Segment { to: hole, landing: 1 << hole, last: 1 << place(length - 1), flips, images: 0 });
                }
            }
            unreachable!("every line ends at the edge")
        };
        let segments = holes.iter().map(|hole| DIRECTIONS.map(|direction| ray(hole, direction))).collect();
        let lines = numbered(&holes, |hole| hole.0).zip(numbered(&holes, |hole| hole.1)).collect();
        let (start, goal, symmetry, images) = (PegSet::bare(0), None, BoardSymmetry::none(), Vec::new());
        let (single, by_moves, costs) = (false, false, [1, 2, 3, 4]);
        Pegs { rows, columns, holes, lines, start, goal, single, by_moves, costs, segments, symmetry, images, narrow: None }
    }

    /// Completes a board whose rules and goal are set, and finds its symmetries.
    fn finish(mut self) -> Pegs {
        if self.single {
            self.segments.iter_mut().flatten().for_each(|segments| segments.truncate(1));
        }
        self.symmetry = BoardSymmetry::find(&self);
        for segment in self.segments.iter_mut().flatten().flatten() {
            segment.images = self.images.len() as u32;
            self.images.push(self.symmetry.images(segment.flips));
        }
        self.narrow = if self.by_moves { None } else { narrow::Narrow::new(&self) };
        self
    }

    /// The jump of a peg in a direction, over all pegs up to the first empty hole; `None` if there is no such jump.
    fn jump(&self, pegs: u128, from: Hole, direction: Direction) -> Option<&Segment> {
        for segment in &self.segments[from as usize][direction as usize] {
            if pegs & segment.last == 0 {
                return None;
            }
            if pegs & segment.landing == 0 {
                return Some(segment);
            }
        }
        None
    }

    /// Calls `each` with each jump, in order.
    fn jumps(&self, pegs: u128, mut each: impl FnMut(Hole, Direction, &Segment)) {
        for from in holes_of(pegs) {
            for direction in ORDER {
                if let Some(segment) = self.jump(pegs, from, direction) {
                    each(from, direction, segment);
                }
            }
        }
    }

    /// Every jump that the shape of the board allows, whatever the pegs, in the order in which `moves` lists jumps.
    fn segments(&self) -> impl Iterator<Item = (Hole, Direction, &Segment)> {
        let rays = (0..).zip(&self.segments).flat_map(|(from, rays)| ORDER.map(|way| (from, way, &rays[way as usize])));
        rays.flat_map(|(from, way, ray)| ray.iter().map(move |segment| (from, way, segment)))
    }

    fn direction(&self, jump: &Jump) -> Direction {
        let ((row, column), (to_row, to_column)) = (self.holes[jump.from as usize], self.holes[jump.to as usize]);
        match (to_row.cmp(&row), to_column.cmp(&column)) {
            (Ordering::Less, _) => Up,
            (Ordering::Greater, _) => Down,
            (Ordering::Equal, Ordering::Less) => Left,
            (Ordering::Equal, _) => Right,
        }
    }

    fn flips(&self, jump: &Jump) -> u128 {
        if self.by_moves {
            let starts = std::iter::once(jump.from).chain(self.landings(jump));
            let segment = |(from, way): (Hole, Direction)| self.segments[from as usize][way as usize].first();
            return starts.zip(jump.chain.directions()).filter_map(segment).fold(0, |flips, segment| flips ^ segment.flips);
        }
        let segments = &self.segments[jump.from as usize][self.direction(jump) as usize];
        segments.iter().find(|segment| segment.to == jump.to).map_or(0, |segment| segment.flips)
    }

    /// All goals, as sets of holes.
    fn goals(&self) -> Vec<u128> {
        self.goal.map_or_else(|| (0..self.holes.len()).map(|hole| 1 << hole).collect(), |goal| vec![goal])
    }

    /// The hole of the last peg, if the goal fixes it.
    fn goal_hole(&self) -> Option<usize> {
        self.goal.filter(|goal| goal.is_power_of_two()).map(|goal| goal.trailing_zeros() as usize)
    }

    /// The set of all holes.
    fn all(&self) -> u128 {
        (0..self.holes.len()).fold(0, |all, hole| all | 1 << hole)
    }

    /// The weights summed over all symmetries, so that symmetric holes have equal weights, and the new scale.
    fn symmetric(&self, weights: &[i64], scale: i64) -> (Vec<i64>, i64) {
        let sum = |hole: usize| self.symmetry.maps.iter().map(|map| weights[map[hole]]).sum();
        ((0..self.holes.len()).map(sum).collect(), scale * self.symmetry.order() as i64)
    }

    #[inline]
    fn is_won(&self, pegs: u128) -> bool {
        match self.goal {
            None => pegs.is_power_of_two(),
            Some(goal) => pegs == goal,
        }
    }
}

impl Pack<Pegs> for PegSet {
    fn bytes(rules: &Pegs) -> usize {
        rules.holes.len().div_ceil(8)
    }

    #[inline]
    fn pack(&self, _: &Pegs, out: &mut [u8]) {
        out.copy_from_slice(&self.pegs.to_le_bytes()[..out.len()]);
    }

    #[inline]
    fn word(&self, _: &Pegs) -> u64 {
        self.pegs as u64
    }

    #[inline]
    fn unpack(_: &Pegs, bytes: &[u8]) -> Self {
        let mut whole = [0; 16];
        whole[..bytes.len()].copy_from_slice(bytes);
        PegSet::bare(u128::from_le_bytes(whole))
    }
}

impl Rules for Pegs {
    const REPLAY: Replay<Self> = Replay { find: Pegs::find_move, ..Replay::DEFAULT };

    type State = PegSet;
    type Move = Jump;

    fn start(&self) -> PegSet {
        self.start.clone()
    }

    fn moves(&self, state: &PegSet, out: &mut Vec<Jump>) {
        if self.by_moves {
            let _ = self.chains(state.pegs, |jump, _| {
                out.push(jump);
                ControlFlow::Continue(())
            });
            return;
        }
        self.jumps(state.pegs, |from, _, segment| out.push(Jump::single(from, segment.to)));
    }

    fn apply(&self, state: &PegSet, jump: &Jump) -> PegSet {
        let labels = state.labels.as_ref().map(|labels| {
            let mut labels = labels.clone();
            labels[jump.to as usize] = labels[jump.from as usize];
            labels
        });
        PegSet { pegs: state.pegs ^ self.flips(jump), labels }
    }

    #[inline]
    fn canonical(&self, state: PegSet) -> PegSet {
        PegSet::bare(self.symmetry.least(state.pegs))
    }

    #[inline]
    fn orbit(&self, state: &PegSet) -> u64 {
        let order = self.symmetry.order();
        let same = match &self.narrow {
            Some(narrow) => narrow.images(state.pegs as u64)[..order].iter().filter(|&&image| image == state.pegs as u64).count(),
            None => self.symmetry.orbit(state.pegs).filter(|&image| image == state.pegs).count(),
        };
        (order / same) as u64
    }

    /// The layer is derived from the number of pegs, because every jump removes at least one peg. If moves are counted, there are
    /// no layers, so that states are counted by the number of moves.
    #[inline]
    fn layer(&self, state: &PegSet) -> Option<u32> {
        (!self.by_moves).then(|| MOST as u32 - state.pegs.count_ones())
    }
}

impl Problem for Pegs {
    const HEURISTICS: &'static [Heuristic<Self>] = heuristics::HEURISTICS;

    const SOLVERS: &'static [Solver<Self>] =
        &[meet::SOLVER, course::BFS, course::DFS, course::UCS, course::GREEDY, course::A_STAR, course::A_STAR_2];

    const PROOFS: Option<Proofs<Self>> = Some(Proofs {
        quick: false,
        refute: |board, state, limits| proof::refute(board, state.pegs, limits),
        check: |board, state, certificate, limits| proof::check(board, state.pegs, certificate, limits),
        data: &["weights"],
        claim: |board, state, certificate| proof::claim(board, state.pegs, &certificate.kind),
        least: None,
    });

    /// If moves are counted, only estimates of the number of moves apply.
    fn heuristics(&self) -> &'static [Heuristic<Self>] {
        let (of_jumps, of_moves) = heuristics::HEURISTICS.split_at(heuristics::HEURISTICS.len() - 1);
        if self.by_moves { of_moves } else { of_jumps }
    }

    #[inline]
    fn is_goal(&self, state: &PegSet) -> bool {
        self.is_won(state.pegs)
    }

    fn cost(&self, _state: &PegSet, jump: &Jump) -> Cost {
        self.costs[self.direction(jump) as usize]
    }

    fn move_costs(&self) -> RangeInclusive<Cost> {
        let (least, most) = (self.costs.iter().min(), self.costs.iter().max());
        *least.expect("there are four")..=*most.expect("there are four")
    }

    #[inline]
    fn expand(&self, state: &PegSet, _moves: &mut Vec<Jump>, mut emit: impl FnMut(PegSet, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        if let Some(narrow) = &self.narrow {
            return narrow.expand(state.pegs as u64, |pegs, cost| emit(PegSet::bare(u128::from(pegs)), cost));
        }
        if self.by_moves {
            return self.chains(state.pegs, |_, after| emit(self.canonical(PegSet::bare(after)), 1));
        }
        let (images, order) = (self.symmetry.images(state.pegs), self.symmetry.order());
        let mut flow = ControlFlow::Continue(());
        // There are so few jumps that visiting the remaining ones after a `Break` costs little.
        self.jumps(state.pegs, |_, direction, segment| {
            if flow.is_continue() {
                let flips = &self.images[segment.images as usize][..order];
                let least = images.iter().zip(flips).map(|(image, flips)| image ^ flips).fold(u128::MAX, u128::min);
                flow = emit(PegSet::bare(least), self.costs[direction as usize]);
            }
        });
        flow
    }

    #[inline]
    fn is_dead(&self, state: &PegSet) -> bool {
        state.pegs.count_ones() < self.goal.map_or(1, u128::count_ones)
    }
}
