//! Heuristics for Chexers: three from the source that the help cites, one that is exact for few pieces (`endgame`), and one that
//! limits the jumps of many pieces (`columns`).

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::columns::Columns;
use super::{Chexers, Hex, HexSet, OFF};
use crate::limits::{Limit, Limits};
use crate::rules::{Cost, DEAD, Estimate, Heuristic};

pub(super) const HEURISTICS: &[Heuristic<Chexers>] = &[
    Heuristic {
        name: "relaxed",
        about: "the sum of the pieces' distances to the exit, if every jump were allowed",
        admissible: true,
        consistent: true,
        aliases: &[],
        build: |board, _| {
            let relaxed = relaxed_table(board);
            let bytes = size_of_val(&*relaxed);
            Ok(Estimate::new(move |_, pieces| relaxed_sum(&relaxed, pieces)).with_tables(bytes))
        },
    },
    Heuristic {
        name: "endgame",
        about: "the exact cost once few pieces are left (three on the usual board), `relaxed` before that; expands fewer states, but \
                its table takes milliseconds to build",
        admissible: true,
        consistent: true,
        aliases: &[],
        build: |board, limits| {
            let (relaxed, endgame) = (relaxed_table(board), Endgame::new(board, limits)?);
            let bytes = size_of_val(&*relaxed) + endgame.costs.iter().map(|costs| size_of_val(&**costs)).sum::<usize>();
            let at = move |_: &Chexers, pieces: &HexSet| endgame.get(pieces).unwrap_or_else(|| relaxed_sum(&relaxed, pieces));
            Ok(Estimate::new(at).with_tables(bytes))
        },
    },
    Heuristic {
        name: "columns",
        about: "`relaxed` plus a lower bound on the actions wasted for lack of pieces to jump over, based on the number of pieces in each column",
        admissible: true,
        consistent: true,
        aliases: &[],
        build: |board, limits| {
            let columns = Columns::new(board, limits)?;
            let bytes = columns.bytes();
            Ok(Estimate::new(move |_, pieces| columns.at(pieces)).with_tables(bytes))
        },
    },
    Heuristic {
        name: "null",
        about: "always 0",
        admissible: true,
        consistent: true,
        aliases: &[],
        build: |_, _| Ok(Estimate::new(|_, _| 0)),
    },
    Heuristic {
        name: "bad",
        about: "for each piece, twice the number of steps to the exit side, plus 1; too high, so plans may be too long",
        admissible: false,
        consistent: false,
        aliases: &[],
        build: |_, _| {
            Ok(Estimate::new(|board: &Chexers, pieces| {
                let away = |hex: Hex| (board.radius - board.color.progress(board.hexes[hex as usize])) as Cost;
                pieces.iter().map(|hex| 2 * away(hex) + 1).sum()
            }))
        },
    },
];

/// For each hex, the number of actions that one piece would need, including its EXIT, if it could step one or two hexes in a
/// straight line over anything. `DEAD` if it could not leave even then.
pub(super) fn relaxed_table(board: &Chexers) -> Vec<Cost> {
    let mut table = vec![DEAD; board.hexes.len()];
    let mut queue: VecDeque<usize> = board.exit.iter().map(usize::from).collect();
    for &hex in &queue {
        table[hex] = 1;
    }
    while let Some(hex) = queue.pop_front() {
        for &from in board.step[hex].iter().chain(&board.leap[hex]) {
            if from != OFF && table[from as usize] == DEAD {
                table[from as usize] = table[hex] + 1;
                // A piece can start on a block (on a blocked exit), but no piece can land there.
                if !board.blocked.has(from) {
                    queue.push_back(from as usize);
                }
            }
        }
    }
    table
}

/// The sum of the relaxed distances. This estimate is consistent: an action changes one piece's distance by at most 1, and an EXIT
/// removes a piece whose distance is 1.
#[inline]
pub(super) fn relaxed_sum(table: &[Cost], pieces: &HexSet) -> Cost {
    pieces.iter().map(|hex| table[hex as usize]).fold(0, Cost::saturating_add)
}

/// Exact costs of all states with few pieces, computed backward from the empty board.
///
/// States are ranked by the combinatorial number system: pieces a < b < c have the rank a + C(b,2) + C(c,3) among the states with
/// the same number of pieces. Combined with `relaxed`, the estimate is consistent: an exact cost is never below the relaxed one,
/// and the number of pieces never grows, so an action that switches from relaxed to exact can only raise the estimate.
struct Endgame {
    /// Costs, indexed by the number of pieces and then by rank; `NEVER` if not all pieces can leave.
    costs: Vec<Vec<u16>>,
}

const NEVER: u16 = u16::MAX;
/// Maximum number of states in the tables: enough for three pieces on the usual board.
const POSITIONS: usize = 10_000;

impl Endgame {
    fn new(board: &Chexers, limits: &Limits) -> Result<Endgame, Limit> {
        let hexes = board.hexes.len();
        let mut costs = vec![vec![0]];
        while costs.len() <= board.start.len() && costs.iter().map(Vec::len).sum::<usize>() + choose(hexes, costs.len()) <= POSITIONS {
            costs.push(vec![NEVER; choose(hexes, costs.len())]);
        }
        let mut endgame = Endgame { costs };
        let mut queue = VecDeque::from([HexSet::none(hexes)]);
        while let Some(pieces) = queue.pop_front() {
            limits.check()?;
            let cost = endgame.costs[pieces.len()][rank(&pieces)] + 1;
            let _ = board.backward(&pieces, |before, _| {
                let known = endgame.costs.get_mut(before.len()).map(|costs| &mut costs[rank(&before)]);
                if let Some(known) = known.filter(|known| **known == NEVER) {
                    *known = cost;
                    queue.push_back(before);
                }
                ControlFlow::Continue(())
            });
        }
        Ok(endgame)
    }

    fn get(&self, pieces: &HexSet) -> Option<Cost> {
        let cost = self.costs.get(pieces.len())?[rank(pieces)];
        Some(if cost == NEVER { DEAD } else { cost.into() })
    }
}

fn rank(pieces: &HexSet) -> usize {
    pieces.iter().enumerate().map(|(at, hex)| choose(hex as usize, at + 1)).sum()
}

/// The number of `k`-element subsets of `n` elements.
pub(super) fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1usize, |product, at| product.saturating_mul(n.saturating_sub(at)) / (at + 1))
}
