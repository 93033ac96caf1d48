//! The order in which the methods of the minimax family try moves. It is a setting, so that its effect can be shown.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::limits::{Limit, Limits};
use crate::rules::{Game, Score};

/// The order of moves, described in [`ORDERS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    Game,
    None,
    History,
}

/// All orders with their names and descriptions; the first is the default.
pub const ORDERS: &[(Order, &str, &str)] = &[
    (Order::Game, "game", "by the game's own ranks of moves; moves of equal rank are tried as the game lists them"),
    (Order::None, "none", "as the game lists its moves"),
    (Order::History, "history", "first the moves of this player that have most often led to a cutoff in other positions"),
];

impl Order {
    pub fn find(name: &str) -> Option<Order> {
        ORDERS.iter().find(|(_, word, _)| word.eq_ignore_ascii_case(name)).map(|(order, ..)| *order)
    }

    pub fn name(self) -> &'static str {
        ORDERS.iter().find(|(order, ..)| *order == self).map_or("", |(_, name, _)| name)
    }
}

/// The moves of a position, or its score if the game is over.
pub(super) enum Listed<M> {
    /// A player who cannot move loses, unless the game says otherwise.
    End(Score),
    Moves(Moves<M>),
}

/// The moves of a position, in the order in which they are tried.
pub(super) struct Moves<M> {
    pub list: Vec<M>,
    /// The keys of the positions after the moves, one after another, if they were wanted.
    keys: Vec<u8>,
    /// The place of each key in `keys`.
    places: Vec<(usize, usize)>,
}

impl<M> Moves<M> {
    /// The key of the position after a move.
    pub fn key(&self, at: usize) -> &[u8] {
        let (from, to) = self.places[at];
        &self.keys[from..to]
    }

    pub fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<M>() + self.keys.capacity() + self.places.capacity() * size_of::<(usize, usize)>()
    }
}

/// Orders moves, and remembers which ones have led to cutoffs.
pub(super) struct Sorter<M> {
    order: Order,
    /// For each of the two players, the number of cutoffs by each move.
    credit: [BTreeMap<M, u64>; 2],
}

impl<M: Ord + Clone> Sorter<M> {
    pub fn new(order: Order) -> Self {
        Sorter { order, credit: [BTreeMap::new(), BTreeMap::new()] }
    }

    /// Records that a move by the player who moves at this depth led to a cutoff.
    pub fn cut(&mut self, depth: usize, mv: &M) {
        if self.order != Order::History {
            return;
        }
        let credit = &mut self.credit[depth % 2];
        match credit.get_mut(mv) {
            Some(count) => *count += 1,
            None => drop(credit.insert(mv.clone(), 1)),
        }
    }

    pub fn bytes(&self) -> usize {
        // The nodes of a B-tree are at least half full.
        self.credit.iter().map(|credit| 2 * credit.len() * size_of::<(M, u64)>()).sum()
    }

    /// The moves of a position at this depth, with the keys of the positions after them if `keys` is set. There may be thousands, so the
    /// limits are checked.
    pub fn list<G: Game<Move = M>>(
        &self,
        game: &G,
        state: &G::State,
        depth: usize,
        keys: bool,
        limits: &Limits,
    ) -> Result<Listed<M>, Limit> {
        if let Some(score) = game.terminal(state) {
            limits.check()?;
            return Ok(Listed::End(score));
        }
        let mut list = Vec::new();
        game.moves(state, &mut list);
        if list.is_empty() {
            limits.check()?;
            return Ok(Listed::End(Score::Loss));
        }
        let mut moves = Moves { list, keys: Vec::new(), places: Vec::new() };
        if keys || self.order == Order::Game {
            let mut found: Vec<(M, u32, (usize, usize))> = Vec::with_capacity(moves.list.len());
            let (all, mut stopped) = (&mut moves.keys, None);
            (G::KEYS.successors)(game, state, &moves.list, 0, &mut |mv, rank, key| {
                let from = all.len();
                if keys {
                    all.extend_from_slice(key);
                }
                found.push((mv.clone(), rank, (from, all.len())));
                stopped = limits.check().err();
                if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if let Some(limit) = stopped {
                return Err(limit);
            }
            match self.order {
                Order::Game => found.sort_by_key(|(_, rank, _)| *rank),
                Order::None | Order::History => found.sort_by(|(a, ..), (b, ..)| a.cmp(b)),
            }
            if self.order == Order::History {
                found.sort_by_key(|(mv, ..)| self.rank(depth, mv));
            }
            moves.list.clear();
            for (mv, _, place) in found {
                moves.list.push(mv);
                moves.places.push(place);
            }
        } else if self.order == Order::History {
            moves.list.sort_by_key(|mv| self.rank(depth, mv));
        }
        limits.check()?;
        Ok(Listed::Moves(moves))
    }

    /// Moves with more cutoffs have a lower rank.
    fn rank(&self, depth: usize, mv: &M) -> std::cmp::Reverse<u64> {
        std::cmp::Reverse(self.credit[depth % 2].get(mv).copied().unwrap_or(0))
    }
}
