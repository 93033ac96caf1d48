//! The key of a position: what is left of it that matters. Positions with the same key have the same value, so the search for a
//! winner stores keys instead of boards, and one key stands for very many boards.
//!
//! * A colored vertex matters only through the labels that its edges have used, and as a neighbor of uncolored vertices.
//! * An uncolored vertex without a legal color is *dead*: it will never be colored, because legal colors only get fewer. The
//!   others are *live*.
//! * An unused label that no edge can get any more might as well be used.
//! * In normal play, a live vertex without live neighbors, whose labels no other vertex can get, is a move that either player can
//!   make at any time and that affects nothing else. Two of them cancel, so only their parity matters.
//!
//! What remains is a graph of live vertices, each with the colors on its border, and a graph of labels on the colors, up to
//! renaming colors and moving vertices.
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
//! 1. Used are the labels 12 (e-f) and 13 (f-g). Unused: 11, 22, 23, 33.
//! 2. d is dead: next to c it can only be 1 (label 11), which next to e would give 12 again.
//! 3. b can get the label 11, h can get 23 or 33. The edge a-b can get no label: b could only be 1, and a must not be 1, which
//!    would give 11 twice; 12 and 13 are used. Nobody can get 22, so it is dropped.
//! 4. h has no live neighbor, and nobody else can get 23 or 33: a free move. It is dropped together with these labels, and the
//!    number of free moves is odd.
//! 5. What remains: live vertices a-b, b borders color 1, the label 11, an odd number of free moves.
//!
//! That is written in bits, lowest first (see `Order::write`):
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
//! So the key is the two bytes `bb 01`. The boards `. . 1 2 . 1 3 .` and `. . 2 . 1 2 3 .` have the same one.
//!
//! # Order
//!
//! Colors and vertices are ordered by refinement (hashes of what they are adjacent to) and, where colors still look alike, by
//! trying a few of them first. An imperfect order only merges fewer positions. It cannot merge positions that differ, because
//! the key says everything about the reduced position.

use super::{Coloring, Edge, MOST};
use crate::bits::{low_mask, ones};

/// The most orders of the colors that are tried.
const TRIES: usize = 24;

/// A reduced position: without what does not matter.
struct Rest {
    colors: usize,
    /// Labels that an edge can still get, as rows of bits.
    labels: [u64; MOST],
    live: u64,
    /// Live neighbors, and colors on the border, of each live vertex.
    near: [u64; MOST],
    border: [u64; MOST],
    /// Whether the number of free moves is odd.
    odd: bool,
}

/// Appends the key of a position to `out`. Positions with the same key have the same value; see the module.
pub fn key(edge: &Edge, board: &Coloring, out: &mut Vec<u8>) {
    let rest = Rest::new(edge, board);
    let mut order = Order::new(&rest);
    order.search(&rest, Hashes::new(&rest), 0);
    order.write(&rest, out);
}

impl Rest {
    fn new(edge: &Edge, board: &Coloring) -> Rest {
        let colors = edge.colors;
        let free = edge.free(board);
        let mut rest = Rest { colors, labels: [0; MOST], live: 0, near: [0; MOST], border: [0; MOST], odd: false };
        let mut allowed = [0u64; MOST];
        for vertex in (0..edge.vertices()).filter(|&v| board[v] == 0) {
            (rest.border[vertex], allowed[vertex]) = edge.choices(board, &free, vertex);
            if allowed[vertex] != 0 {
                rest.live |= 1 << vertex;
            }
        }
        // Labels that at least one vertex or edge can get, and labels that at least two can.
        let (mut once, mut twice) = ([0u64; MOST], [0u64; MOST]);
        let mut own = [0u64; MOST];
        for vertex in ones(rest.live) {
            rest.near[vertex] = edge.near[vertex] & rest.live;
            for color in ones(rest.border[vertex]) {
                own[color] |= allowed[vertex];
                ones(allowed[vertex]).for_each(|other| own[other] |= 1 << color);
            }
            count(&mut once, &mut twice, &mut own[..colors]);
            for next in ones(rest.near[vertex] & !low_mask(vertex + 1)) {
                // A color on the border of one end is illegal on the other if both get colored: its label would occur twice.
                let (here, there) = (allowed[vertex] & !rest.border[next], allowed[next] & !rest.border[vertex]);
                ones(here).for_each(|color| own[color] |= there & free[color]);
                ones(there).for_each(|color| own[color] |= here & free[color]);
                count(&mut once, &mut twice, &mut own[..colors]);
            }
        }
        if !edge.misere {
            for vertex in ones(rest.live) {
                if rest.near[vertex] == 0 && ones(rest.border[vertex]).all(|color| twice[color] & allowed[vertex] == 0) {
                    rest.odd = !rest.odd;
                    rest.live &= !(1 << vertex);
                    for color in ones(rest.border[vertex]) {
                        once[color] &= !allowed[vertex];
                        ones(allowed[vertex]).for_each(|other| once[other] &= !(1 << color));
                    }
                }
            }
        }
        rest.labels = once;
        rest
    }
}

/// Adds what one vertex or edge can get, `own`, to the counts, and clears it for the next.
fn count(once: &mut [u64; MOST], twice: &mut [u64; MOST], own: &mut [u64]) {
    for ((own, once), twice) in own.iter_mut().zip(once).zip(twice) {
        *twice |= *once & *own;
        *once |= *own;
        *own = 0;
    }
}

fn mix(hash: u64, value: u64) -> u64 {
    let product = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 29
}

/// What is known about colors and vertices so far, as hashes: equal hashes are taken for equal looks.
#[derive(Clone)]
struct Hashes {
    color: [u64; MOST],
    vertex: [u64; MOST],
}

impl Hashes {
    fn new(rest: &Rest) -> Hashes {
        let mut hashes = Hashes { color: [1; MOST], vertex: [2; MOST] };
        for color in 0..rest.colors {
            hashes.color[color] = 1 + (rest.labels[color] >> color & 1) + 2 * u64::from(rest.labels[color].count_ones());
        }
        hashes.refine(rest);
        hashes
    }

    /// Hashes the neighborhood three times, which distinguishes what can be distinguished in almost all positions.
    fn refine(&mut self, rest: &Rest) {
        let colors = rest.colors;
        let (mut borders, mut vertex, mut color) = ([0u64; MOST], [0u64; MOST], [0u64; MOST]);
        for _ in 0..3 {
            borders[..colors].fill(0);
            for v in ones(rest.live) {
                let near: u64 = ones(rest.near[v]).fold(0, |sum, u| sum.wrapping_add(mix(self.vertex[u], 11)));
                let border: u64 = ones(rest.border[v]).fold(0, |sum, c| sum.wrapping_add(mix(self.color[c], 13)));
                vertex[v] = mix(mix(self.vertex[v], near), border);
                let own = mix(self.vertex[v], 17);
                ones(rest.border[v]).for_each(|c| borders[c] = borders[c].wrapping_add(own));
            }
            for c in 0..colors {
                let labels: u64 = ones(rest.labels[c]).fold(0, |sum, d| sum.wrapping_add(mix(self.color[d], 19)));
                color[c] = mix(mix(self.color[c], labels), borders[c]);
            }
            self.color[..colors].copy_from_slice(&color[..colors]);
            ones(rest.live).for_each(|v| self.vertex[v] = vertex[v]);
        }
    }
}

/// A vertex in the key: its border in ranks of colors, and which of the vertices before it in its component are neighbors.
type Cell = (u64, u64);

/// The search for the order of colors whose written form is least.
struct Order {
    tries: usize,
    best: Option<Written>,
    /// Colors that have a label or are on a border.
    involved: u64,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Written {
    labels: Vec<u64>,
    parts: Vec<Vec<Cell>>,
}

impl Order {
    fn new(rest: &Rest) -> Order {
        let borders = ones(rest.live).fold(0, |all, v| all | rest.border[v]);
        let labeled = (0..rest.colors).filter(|&c| rest.labels[c] != 0).fold(0, |all, c| all | 1 << c);
        Order { tries: TRIES, best: None, involved: borders | labeled }
    }

    fn search(&mut self, rest: &Rest, hashes: Hashes, depth: usize) {
        let mut order: Vec<usize> = ones(self.involved).collect();
        order.sort_unstable_by_key(|&c| hashes.color[c]);
        let tie = order.chunk_by(|&a, &b| hashes.color[a] == hashes.color[b]).find(|tie| tie.len() > 1 && !self.alike(rest, tie));
        if let Some(tie) = tie.filter(|_| depth < rest.colors) {
            for &color in tie {
                if self.tries == 0 && self.best.is_some() {
                    return;
                }
                let mut chosen = hashes.clone();
                chosen.color[color] = mix(chosen.color[color], 23);
                chosen.refine(rest);
                self.search(rest, chosen, depth + 1);
            }
            return;
        }
        self.tries = self.tries.saturating_sub(1);
        let mut rank = [0u8; MOST];
        order.iter().enumerate().for_each(|(at, &c)| rank[c] = at as u8);
        let ranked = |word: u64| ones(word).fold(0u64, |sum, c| sum | 1 << rank[c]);
        let labels = order.iter().map(|&c| ranked(rest.labels[c])).collect();
        let mut parts = Vec::new();
        let mut left = rest.live;
        while left != 0 {
            let part = part(rest, left);
            left &= !part;
            parts.push(cells(rest, &hashes, part, ranked));
        }
        parts.sort_unstable();
        let written = Written { labels, parts };
        if self.best.as_ref().is_none_or(|best| written < *best) {
            self.best = Some(written);
        }
    }

    /// Whether colors of equal hash can be swapped without any change: those on no border and with the same labels.
    fn alike(&self, rest: &Rest, tie: &[usize]) -> bool {
        let first = tie[0];
        let others = tie.iter().fold(0, |all, &c| all | 1u64 << c);
        let inside = |c: usize| rest.labels[c] & others & !(1 << c);
        let whole = |c: usize| inside(c) == 0 || inside(c) == others & !(1 << c);
        let bordered = ones(rest.live).any(|v| rest.border[v] & others != 0);
        !bordered
            && tie
                .iter()
                .all(|&c| rest.labels[c] & !others == rest.labels[first] & !others && whole(c) && (inside(c) == 0) == (inside(first) == 0))
    }

    /// Writes the best form, each number with as many bits as it needs.
    fn write(&self, rest: &Rest, out: &mut Vec<u8>) {
        let best = self.best.as_ref().expect("an order was tried");
        let colors = best.labels.len();
        let rank_bits = usize::BITS - colors.leading_zeros();
        let mut packer = Packer { out, byte: 0, filled: 0 };
        packer.put(u64::from(rest.odd), 1);
        packer.put(colors as u64, usize::BITS - rest.colors.leading_zeros());
        for (at, row) in best.labels.iter().enumerate() {
            packer.put(row >> at, (colors - at) as u32);
        }
        for part in &best.parts {
            // A component is a path if every vertex has the one before it as its only neighbor among those before.
            let path = part.iter().enumerate().all(|(at, cell)| cell.1 == (1u64 << at) >> 1);
            packer.put(1, 1);
            packer.put(u64::from(path), 1);
            for (at, &(border, back)) in part.iter().enumerate() {
                if at > 0 {
                    packer.put(1, 1);
                }
                // In unary: `count` ones, then a zero.
                let count = border.count_ones();
                packer.put(low_mask(count as usize), count + 1);
                ones(border).for_each(|rank| packer.put(rank as u64, rank_bits));
                if !path {
                    packer.put(back, at as u32);
                }
            }
            packer.put(0, 1);
        }
        packer.finish();
    }
}

/// The component of the live graph that contains the lowest of these vertices.
fn part(rest: &Rest, left: u64) -> u64 {
    let mut part = left & left.wrapping_neg();
    loop {
        let grown = ones(part).fold(part, |all, v| all | rest.near[v]);
        if grown == part {
            return part;
        }
        part = grown;
    }
}

/// The vertices of a component in an order that depends only on their hashes: a path in the direction that gives the smaller
/// borders, else always the vertex with the most recent neighbors, ties broken by hash.
fn cells(rest: &Rest, hashes: &Hashes, part: u64, ranked: impl Fn(u64) -> u64) -> Vec<Cell> {
    let size = part.count_ones() as usize;
    let degrees: u32 = ones(part).map(|v| rest.near[v].count_ones()).sum();
    let thin = ones(part).all(|v| rest.near[v].count_ones() <= 2) && degrees as usize == 2 * (size - 1);
    if thin {
        let end = ones(part).find(|&v| rest.near[v].count_ones() <= 1).expect("a path has an end");
        let mut cells = Vec::with_capacity(size);
        let (mut at, mut left) = (end, part);
        for place in 0..size {
            left &= !(1 << at);
            cells.push((ranked(rest.border[at]), (1u64 << place) >> 1));
            at = (rest.near[at] & left).trailing_zeros() as usize;
        }
        let backward = cells.iter().rev().map(|cell| cell.0);
        if backward.clone().lt(cells.iter().map(|cell| cell.0)) {
            let backward: Vec<u64> = backward.collect();
            cells.iter_mut().zip(backward).for_each(|(cell, border)| cell.0 = border);
        }
        return cells;
    }
    let mut placed: Vec<usize> = Vec::with_capacity(size);
    let mut cells: Vec<Cell> = Vec::with_capacity(size);
    let mut left = part;
    while left != 0 {
        let back = |v: usize| placed.iter().enumerate().fold(0u64, |sum, (at, &u)| sum | (rest.near[v] >> u & 1) << at);
        let next = ones(left).max_by_key(|&v| (back(v), hashes.vertex[v])).expect("some are left");
        cells.push((ranked(rest.border[next]), back(next)));
        placed.push(next);
        left &= !(1 << next);
    }
    cells
}

/// Packs bits into bytes, lowest bit first.
struct Packer<'a> {
    out: &'a mut Vec<u8>,
    byte: u64,
    filled: u32,
}

impl Packer<'_> {
    fn put(&mut self, value: u64, mut count: u32) {
        let mut value = value & low_mask(count as usize);
        while count > 0 {
            let taken = count.min(8 - self.filled);
            self.byte |= (value & low_mask(taken as usize)) << self.filled;
            value = value.checked_shr(taken).unwrap_or(0);
            self.filled += taken;
            count -= taken;
            if self.filled == 8 {
                self.out.push(self.byte as u8);
                (self.byte, self.filled) = (0, 0);
            }
        }
    }

    fn finish(self) {
        if self.filled > 0 {
            self.out.push(self.byte as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::families;

    /// The example of the header, and two other boards with the same key.
    #[test]
    fn the_worked_example() {
        let path = families::by_name("P8").and_then(Result::ok).expect("a family");
        let edge = Edge::on(path, 3, false);
        let board = |colors: [u8; 8]| {
            let mut board = [0; MOST];
            board[..8].copy_from_slice(&colors);
            Coloring(board)
        };
        let example = board([0, 0, 1, 0, 2, 1, 3, 0]);
        let rest = Rest::new(&edge, &example);
        assert_eq!((rest.live, rest.odd), (0b11, true));
        assert_eq!((rest.border[0], rest.border[1]), (0, 0b001));
        assert_eq!(rest.labels[..3], [0b001, 0, 0], "only the label 11");
        for same in [example, board([0, 0, 1, 2, 0, 1, 3, 0]), board([0, 0, 2, 0, 1, 2, 3, 0])] {
            let mut bytes = Vec::new();
            key(&edge, &same, &mut bytes);
            assert_eq!(bytes, [0xbb, 0x01], "{same:?}");
        }
        // After the free move at h only the parity differs.
        let mut bytes = Vec::new();
        key(&edge, &board([0, 0, 1, 0, 2, 1, 3, 3]), &mut bytes);
        assert_eq!(bytes, [0xba, 0x01]);
    }
}
