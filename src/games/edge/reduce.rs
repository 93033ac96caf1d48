//! The key of a position: the part of it that affects play. Positions with the same key have the same value, so the search for the
//! winner stores keys instead of boards, and one key represents many boards.
//!
//! * A colored vertex matters only through the labels that its edges have used, and as a neighbor of uncolored vertices.
//! * An uncolored vertex without a legal color is *dead*: it will never be colored, because the set of legal colors never grows.
//!   The other uncolored vertices are *live*.
//! * An unused label counts as used if no edge can get it anymore.
//! * In normal play, a live vertex is a *free move* if it has no live neighbors and no other edge can get any label that its edges
//!   can get: either player can color it at any time, and that affects nothing else. Two free moves cancel, so only the parity of
//!   their number matters.
//!
//! What remains is a graph of live vertices, each with the colors on its border, and a graph on the colors, whose edges are the
//! labels that can still occur. Both are considered up to renaming colors and vertices.
//!
//! # Example
//!
//! The path a-b-c-d-e-f-g-h with 3 colors; four vertices are colored:
//!
//! ```text
//! vertex           a      b    c    d    e    f    g    h
//! color            .      .    1    .    2    1    3    .
//! border           {}    {1}      {1,2}                {3}     colors of the neighbors
//! legal colors   {1,2,3} {1}       {}                 {2,3}
//! ```
//!
//! 1. The labels 12 (e-f) and 13 (f-g) are used; 11, 22, 23 and 33 are unused.
//! 2. d is dead: because of c, it can only be 1 (label 11), but then d-e would repeat the label 12.
//! 3. The edge b-c can get the label 11, and g-h can get 23 or 33. The edge a-b can get no label: b can only be 1, and then a can be
//!    neither 1, because 11 would occur twice, nor 2 or 3, because 12 and 13 are used. No edge can get 22, so it is dropped.
//! 4. h has no live neighbor, and no other edge can get 23 or 33, so h is a free move. It is dropped together with these labels, and
//!    the number of free moves is odd.
//! 5. What remains: the live vertices a and b, joined by an edge, where b borders color 1; the label 11; and an odd number of free
//!    moves.
//!
//! The key is written in bits, lowest first (see `Order::write` in `key.rs`):
//!
//! ```text
//! 1       an odd number of free moves
//! 1 0     one color matters (two bits, because there are 3 colors); it gets rank 0
//! 1       labels of rank 0: with itself
//! 1 1     a component follows; it is a path
//! 0       its first vertex, a, borders 0 colors (a number in unary)
//! 1       another vertex follows
//! 1 0 0   b borders 1 color, that of rank 0
//! 0       the component ends; there is no other
//! ```
//!
//! So the key is the two bytes `bb 01`. The boards `. . 1 2 . 1 3 .` and `. . 2 . 1 2 3 .` have the same key.
//!
//! # Order
//!
//! Colors and vertices are ordered by refinement (hashes of their neighborhoods). If colors still have equal hashes, a few of their
//! orders are tried. An imperfect order merges fewer positions, but it never merges positions that differ, because the key describes
//! the reduced position completely.
//!
//! Play can continue from a reduced position. So the successors of a board are computed from its reduced position, not from the board.

use super::key::Scratch;
use super::labels::{LabelRows, Labels};
use super::{Coloring, Edge, MOST, Mark};
use crate::bits::{low_mask, ones};
use crate::rules::EmitKey;

/// A reduced position; see the module documentation.
#[derive(Clone, Copy)]
pub struct Rest<L: Labels> {
    /// Labels that an edge can still get.
    pub labels: L,
    pub live: u64,
    /// True if the number of free moves is odd.
    pub odd: bool,
    /// The colors on the border of each live vertex.
    pub border: [L::Set; MOST],
    /// The colors that each live vertex may get.
    pub allowed: [L::Set; MOST],
}

/// The maximum number of colors for which moves are ranked; see [`successors`].
const RANKED: usize = 16;

/// Appends the key of a position to `out`.
pub fn key(edge: &Edge, board: &Coloring, out: &mut Vec<u8>) {
    match edge.colors {
        ..=8 => Rest::<u64>::new(edge, board).key(edge, &mut Scratch::default(), out),
        9..=RANKED => Rest::<LabelRows<u16, 16>>::new(edge, board).key(edge, &mut Scratch::default(), out),
        _ => Rest::<LabelRows<u64, 64>>::new(edge, board).key(edge, &mut Scratch::default(), out),
    }
}

/// Calls `emit` with each move except the first `skip`, its rank, and the key of the position after it. Moves that leave the
/// opponent the fewest moves are first. Returns `false` if there are too many colors to rank the moves.
pub fn successors(edge: &Edge, board: &Coloring, moves: &[Mark], skip: usize, emit: EmitKey<'_, Mark>) -> bool {
    match edge.colors {
        ..=8 => Rest::<u64>::new(edge, board).successors(edge, moves, skip, emit),
        9..=RANKED => Rest::<LabelRows<u16, 16>>::new(edge, board).successors(edge, moves, skip, emit),
        _ => return false,
    }
    true
}

impl<L: Labels> Rest<L> {
    pub fn new(edge: &Edge, board: &Coloring) -> Rest<L> {
        let all = low_mask(edge.colors);
        let none = [L::Set::default(); MOST];
        let mut rest = Rest { labels: L::pairs(all, all), live: 0, odd: false, border: none, allowed: none };
        for &(u, v) in &edge.edges {
            let (a, b) = (board[u as usize], board[v as usize]);
            if a != 0 && b != 0 {
                rest.labels = rest.labels.minus(L::pairs(1 << (a - 1), 1 << (b - 1)));
            }
        }
        for vertex in (0..edge.vertices()).filter(|&v| board[v] == 0) {
            let colors = || ones(edge.near[vertex]).map(|near| board[near]).filter(|&color| color != 0);
            let border = colors().fold(0u64, |all, color| all | 1 << (color - 1));
            // Two neighbors of the same color would produce the same label twice, whatever color the vertex gets.
            if border.count_ones() as usize == colors().count() {
                rest.border[vertex] = L::set(border);
                rest.live |= 1 << vertex;
            }
        }
        rest.refresh(edge);
        rest.reduce(edge);
        rest
    }

    /// The position after a move at a live vertex, not yet reduced.
    #[inline]
    fn after(&self, edge: &Edge, vertex: usize, color: usize) -> Rest<L> {
        let mut rest = *self;
        rest.live &= !(1 << vertex);
        rest.labels = rest.labels.minus(L::pairs(1 << color, L::bits(self.border[vertex])));
        for near in ones(edge.near[vertex] & rest.live) {
            let border = L::bits(rest.border[near]);
            if border >> color & 1 == 1 {
                rest.live &= !(1 << near);
            }
            rest.border[near] = L::set(border | 1 << color);
        }
        rest.refresh(edge);
        rest
    }

    /// Computes the colors that vertices may get, and drops vertices that have become dead.
    #[inline]
    fn refresh(&mut self, edge: &Edge) {
        let all = low_mask(edge.colors);
        for vertex in ones(self.live) {
            let allowed = ones(L::bits(self.border[vertex])).fold(all, |allowed, color| allowed & self.labels.row(color));
            self.allowed[vertex] = L::set(allowed);
            if allowed == 0 {
                self.live &= !(1 << vertex);
            }
        }
    }

    /// Drops free moves, and labels that no edge can still get.
    fn reduce(&mut self, edge: &Edge) {
        // Labels that at least one vertex or edge can get, and labels that at least two can.
        let (mut once, mut twice) = (L::NONE, L::NONE);
        let mut count = |own: L| (twice, once) = (twice.or(once.and(own)), once.or(own));
        for vertex in ones(self.live) {
            let (border, allowed) = (L::bits(self.border[vertex]), L::bits(self.allowed[vertex]));
            if border != 0 {
                count(L::pairs(border, allowed));
            }
            for next in ones(edge.near[vertex] & self.live & !low_mask(vertex + 1)) {
                // If both ends get colored, neither can have a color on the border of the other, because a label would occur twice.
                let (here, there) = (allowed & !L::bits(self.border[next]), L::bits(self.allowed[next]) & !border);
                count(L::pairs(here, there).and(self.labels));
            }
        }
        if !edge.misere {
            let live = self.live;
            for vertex in ones(live).filter(|&v| edge.near[v] & live == 0) {
                let own = L::pairs(L::bits(self.border[vertex]), L::bits(self.allowed[vertex]));
                if own.and(twice) == L::NONE {
                    self.odd = !self.odd;
                    self.live &= !(1 << vertex);
                    once = once.minus(own);
                }
            }
        }
        self.labels = once;
    }

    /// The number of legal moves at live vertices, plus 1 if the number of free moves dropped so far is odd.
    fn mobility(&self) -> u32 {
        ones(self.live).map(|v| L::count(L::bits(self.allowed[v]))).sum::<u32>() + u32::from(self.odd)
    }

    fn successors(&self, edge: &Edge, moves: &[Mark], skip: usize, emit: EmitKey<'_, Mark>) {
        // The position after any free move.
        let free = Rest { odd: !self.odd, ..*self };
        let after = |mark: &Mark| match self.live >> mark.vertex & 1 {
            1 => self.after(edge, mark.vertex as usize, mark.color as usize - 1),
            _ => free,
        };
        let mut ranked: Vec<(u32, &Mark, Rest<L>)> = Vec::with_capacity(moves.len());
        ranked.extend(moves.iter().map(|mark| {
            let rest = after(mark);
            (rest.mobility(), mark, rest)
        }));
        let mut order: Vec<(u32, u32)> = ranked.iter().zip(0..).map(|(&(rank, ..), at)| (rank, at)).collect();
        order.sort_unstable();
        // All free moves lead to the same key, and so do all moves that give the same vertex one of several interchangeable colors.
        // For each such group of moves, `made` holds the range of its key in `keys`.
        let (twins, free_move) = (self.twins(edge), edge.vertices() * edge.colors);
        let mut made = vec![(0, 0); free_move + 1];
        let (mut scratch, mut keys) = (Scratch::default(), Vec::new());
        for (rank, at) in order.into_iter().skip(skip) {
            let (_, mark, rest) = &mut ranked[at as usize];
            let (vertex, color) = (mark.vertex as usize, mark.color as usize - 1);
            let made =
                &mut made[if self.live >> vertex & 1 == 1 { vertex * edge.colors + twins.as_ref()[color] as usize } else { free_move }];
            // No key is empty, so an end of 0 means that there is no key yet.
            if made.1 == 0 {
                let from = keys.len();
                rest.reduce(edge);
                rest.key(edge, &mut scratch, &mut keys);
                *made = (from, keys.len());
            }
            if emit(mark, rank, &keys[made.0..made.1]).is_break() {
                return;
            }
        }
    }

    /// For each color, the first color that can be swapped with it without changing anything.
    fn twins(&self, edge: &Edge) -> L::Each {
        let borders = ones(self.live).fold(0, |all, v| all | L::bits(self.border[v]));
        let same = |c: usize, d: usize| {
            let (ours, theirs, both) = (self.labels.row(c), self.labels.row(d), 1 << c | 1 << d);
            (borders & both) | ((ours ^ theirs) & !both) == 0 && ours >> c & 1 == theirs >> d & 1
        };
        let mut twins = L::ZEROS;
        for color in 0..edge.colors {
            twins.as_mut()[color] = (0..color).find(|&other| same(other, color)).unwrap_or(color) as u64;
        }
        twins
    }
}
