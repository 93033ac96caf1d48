//! Moves that consist of several jumps: with `count=moves`, consecutive jumps by one peg count as one move of cost 1, as in the
//! literature.
//!
//! Every initial part of a chain of jumps is also a move, and chains of different jumps are different moves even if they remove the
//! same pegs. Boards are limited in size, because the number of chains can grow exponentially with the number of holes.

use std::ops::ControlFlow;

use super::{Direction, Hole, Jump, ORDER, PegSet, Pegs};
use crate::rules::{Cost, Estimate, Heuristic};
use crate::scene::{Explanation, Paint};

/// Maximum number of holes on a board that is played by chains. A chain on such a board has at most 29 jumps.
pub(super) const MOST_HOLES: usize = 49;

/// The directions of the jumps of a move, two bits each, with the first direction in the highest bits. So chains are ordered like
/// words over the alphabet [`ORDER`]. Empty on boards where every move is a single jump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Chain {
    directions: u64,
    length: u8,
}

impl Chain {
    /// This chain, followed by a jump in this direction.
    fn then(self, direction: Direction) -> Chain {
        let code = ORDER.iter().position(|other| *other == direction).unwrap_or(0) as u64;
        Chain { directions: self.directions | code << (62 - 2 * self.length), length: self.length + 1 }
    }

    pub(super) fn directions(self) -> impl Iterator<Item = Direction> + Clone {
        (0..self.length).map(move |at| ORDER[(self.directions >> (62 - 2 * at) & 3) as usize])
    }
}

impl Pegs {
    /// Calls `each` with every chain of jumps and the pegs after it, in order. Stops when `each` returns `Break`.
    pub(super) fn chains(&self, pegs: u128, mut each: impl FnMut(Jump, u128) -> ControlFlow<()>) -> ControlFlow<()> {
        super::holes_of(pegs).try_for_each(|from| self.extend(pegs, Jump { from, chain: Chain::default(), to: from }, &mut each))
    }

    fn extend(&self, pegs: u128, begun: Jump, each: &mut dyn FnMut(Jump, u128) -> ControlFlow<()>) -> ControlFlow<()> {
        for direction in ORDER {
            if let Some(segment) = self.jump(pegs, begun.to, direction) {
                let (longer, after) = (Jump { chain: begun.chain.then(direction), to: segment.to, ..begun }, pegs ^ segment.flips);
                each(longer, after)?;
                self.extend(after, longer, each)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The landing holes of a chain of jumps.
    pub(super) fn landings(&self, jump: &Jump) -> Vec<Hole> {
        let land = |here: &mut Hole, direction: Direction| {
            *here = self.segments[*here as usize][direction as usize].first()?.to;
            Some(*here)
        };
        jump.chain.directions().scan(jump.from, land).collect()
    }

    /// True if a peg can make these jumps.
    pub(super) fn can_make(&self, mut pegs: u128, mut here: Hole, chain: Chain) -> bool {
        chain.directions().all(|direction| {
            let segment = self.jump(pegs, here, direction);
            segment.is_some_and(|segment| {
                (pegs, here) = (pegs ^ segment.flips, segment.to);
                true
            })
        })
    }

    /// The holes that no jump passes over, such as corners.
    fn safe_holes(&self) -> u128 {
        self.segments().fold(self.all(), |safe, (from, _, segment)| safe & !(segment.flips & !segment.landing & !(1 << from)))
    }
}

/// The pegs that must still move: those on holes that no jump passes over, except holes filled in the goal. Also returns whether
/// one of these pegs, whichever it is, may remain.
fn must_move(board: &Pegs, safe: u128, pegs: u128) -> (u128, bool) {
    match board.goal {
        None => (pegs & safe, true),
        Some(goal) => (pegs & safe & !goal, false),
    }
}

/// The heuristic `corners`. It is consistent: each move moves one peg, and a peg that cannot be jumped over leaves its hole only by
/// moving. So a move lowers the estimate by at most 1.
pub(super) const CORNERS: Heuristic<Pegs> = Heuristic {
    name: "corners",
    about: "the number of pegs that must still move because no jump passes over their holes, minus 1 if the goal is one peg \
            anywhere; at least 1 until the goal is reached",
    admissible: true,
    consistent: true,
    aliases: &[],
    build: |board, _| Ok(estimate(board)),
};

/// The estimate `corners`, times the least price of a direction.
pub(super) fn estimate(board: &Pegs) -> Estimate<Pegs> {
    let (safe, price) = (board.safe_holes(), board.costs.iter().copied().min().unwrap_or(0));
    Estimate::new(move |board: &Pegs, state: &PegSet| {
        let (pegs, one_stays) = must_move(board, safe, state.pegs);
        let count = (pegs.count_ones() as Cost).saturating_sub(one_stays.into());
        price.saturating_mul(count.max((!board.is_won(state.pegs)).into()))
    })
}

/// Shows the pegs that `corners` counts.
pub(super) fn explain(board: &Pegs, state: &PegSet) -> Explanation {
    let (pegs, one_stays) = must_move(board, board.safe_holes(), state.pegs);
    let count = pegs.count_ones();
    let remains = if one_stays { " One of them may remain." } else { "" };
    let mut explanation = Explanation::new(match count {
        0 => "Every peg that is left can be jumped over, so no particular peg has to move. This is the estimate corners.".to_owned(),
        _ => format!(
            "No jump passes over the marked holes, so the number of pegs there that must move is {count}, and each move moves only one \
             peg.{remains} This is the estimate corners."
        ),
    });
    for hole in super::holes_of(pegs) {
        let (row, column) = board.holes[hole as usize];
        explanation.tint(format!("{row},{column}"), Paint::Glow, 0.6);
    }
    explanation
}
