//! What is left of a board that matters: the reduction that carries the search for a winner.
//!
//! A colored vertex matters only through the labels that its edges have used and as a border of uncolored ones. An
//! uncolored vertex on which no color is legal will never be colored, since legality only shrinks; it might as well not
//! be there. A label that no edge can get any more might as well be used. What remains is a graph of live vertices, each
//! with the colors on its border, and a graph of labels on the colors, up to renaming colors and moving vertices.
//!
//! In normal play, a live vertex without live neighbors whose labels nobody else can get is a move that is there for
//! whoever wants it: two of them cancel.
//!
//! The key writes this down. Colors and vertices are put in an order by refinement (hashes of what they are next to) and,
//! where colors still look alike, by trying a few of them first. An imperfect order only merges less; it cannot merge
//! positions that differ, because the key says everything about the position that it stands for.

use super::{Board, Edge, MOST, bits, ones};

/// Orders of the colors that are tried at most.
const TRIES: usize = 24;

/// A position without what does not matter.
struct Rest {
    colors: usize,
    /// Labels that can still be used, as rows of bits.
    labels: [u64; MOST],
    live: u64,
    /// Live neighbors, and colors on the border, of each live vertex.
    near: [u64; MOST],
    border: [u64; MOST],
    /// An odd number of free moves?
    odd: bool,
}

/// Writes bytes that are the same for positions of the same value.
pub fn key(edge: &Edge, board: &Board, out: &mut Vec<u8>) {
    let rest = Rest::new(edge, board);
    let mut order = Order::new(&rest);
    order.search(&rest, Hashes::new(&rest), 0);
    order.write(&rest, out);
}

impl Rest {
    fn new(edge: &Edge, board: &Board) -> Rest {
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
        // Labels that one vertex or one edge can get, and labels that two can.
        let (mut once, mut twice) = ([0u64; MOST], [0u64; MOST]);
        let mut own = [0u64; MOST];
        for vertex in bits(rest.live) {
            rest.near[vertex] = edge.near[vertex] & rest.live;
            for color in bits(rest.border[vertex]) {
                own[color] |= allowed[vertex];
                bits(allowed[vertex]).for_each(|other| own[other] |= 1 << color);
            }
            count(&mut once, &mut twice, &mut own[..colors]);
            for next in bits(rest.near[vertex] & !ones(vertex + 1)) {
                // A color that borders one end cannot be put on the other: its label would be there twice.
                let (here, there) = (allowed[vertex] & !rest.border[next], allowed[next] & !rest.border[vertex]);
                bits(here).for_each(|color| own[color] |= there & free[color]);
                bits(there).for_each(|color| own[color] |= here & free[color]);
                count(&mut once, &mut twice, &mut own[..colors]);
            }
        }
        if !edge.misere {
            for vertex in bits(rest.live) {
                if rest.near[vertex] == 0 && bits(rest.border[vertex]).all(|color| twice[color] & allowed[vertex] == 0) {
                    rest.odd = !rest.odd;
                    rest.live &= !(1 << vertex);
                    for color in bits(rest.border[vertex]) {
                        once[color] &= !allowed[vertex];
                        bits(allowed[vertex]).for_each(|other| once[other] &= !(1 << color));
                    }
                }
            }
        }
        rest.labels = once;
        rest
    }
}

/// Counts what one vertex or edge can get, and clears it for the next.
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

/// What colors and vertices look like so far.
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

    /// Three rounds tell apart what can be told apart in almost all positions.
    fn refine(&mut self, rest: &Rest) {
        let colors = rest.colors;
        let (mut borders, mut vertex, mut color) = ([0u64; MOST], [0u64; MOST], [0u64; MOST]);
        for _ in 0..3 {
            borders[..colors].fill(0);
            for v in bits(rest.live) {
                let near: u64 = bits(rest.near[v]).fold(0, |sum, u| sum.wrapping_add(mix(self.vertex[u], 11)));
                let border: u64 = bits(rest.border[v]).fold(0, |sum, c| sum.wrapping_add(mix(self.color[c], 13)));
                vertex[v] = mix(mix(self.vertex[v], near), border);
                let own = mix(self.vertex[v], 17);
                bits(rest.border[v]).for_each(|c| borders[c] = borders[c].wrapping_add(own));
            }
            for c in 0..colors {
                let labels: u64 = bits(rest.labels[c]).fold(0, |sum, d| sum.wrapping_add(mix(self.color[d], 19)));
                color[c] = mix(mix(self.color[c], labels), borders[c]);
            }
            self.color[..colors].copy_from_slice(&color[..colors]);
            bits(rest.live).for_each(|v| self.vertex[v] = vertex[v]);
        }
    }
}

/// A vertex in the key: the border in ranks of colors, and which vertices before it in its part are neighbors.
type Cell = (u64, u64);

/// The search for the least way to write a position down.
struct Order {
    tries: usize,
    best: Option<Written>,
    /// Colors that have a label or a border.
    involved: u64,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Written {
    labels: Vec<u64>,
    parts: Vec<Vec<Cell>>,
}

impl Order {
    fn new(rest: &Rest) -> Order {
        let borders = bits(rest.live).fold(0, |all, v| all | rest.border[v]);
        let labeled = (0..rest.colors).filter(|&c| rest.labels[c] != 0).fold(0, |all, c| all | 1 << c);
        Order { tries: TRIES, best: None, involved: borders | labeled }
    }

    fn search(&mut self, rest: &Rest, hashes: Hashes, depth: usize) {
        let mut order: Vec<usize> = bits(self.involved).collect();
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
        let ranked = |word: u64| bits(word).fold(0u64, |sum, c| sum | 1 << rank[c]);
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

    /// Do colors that look alike change nothing when they are swapped? Those without a border and with the same labels do
    /// not.
    fn alike(&self, rest: &Rest, tie: &[usize]) -> bool {
        let first = tie[0];
        let others = tie.iter().fold(0, |all, &c| all | 1u64 << c);
        let inside = |c: usize| rest.labels[c] & others & !(1 << c);
        let whole = |c: usize| inside(c) == 0 || inside(c) == others & !(1 << c);
        let bordered = bits(rest.live).any(|v| rest.border[v] & others != 0);
        !bordered
            && tie
                .iter()
                .all(|&c| rest.labels[c] & !others == rest.labels[first] & !others && whole(c) && (inside(c) == 0) == (inside(first) == 0))
    }

    /// Packs the best order: the numbers are written with as many bits as they need.
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
            // A part is a path if every vertex has the one before it as its only neighbor among those before.
            let path = part.iter().enumerate().all(|(at, cell)| cell.1 == (1u64 << at) >> 1);
            packer.put(1, 1);
            packer.put(u64::from(path), 1);
            for (at, &(border, back)) in part.iter().enumerate() {
                if at > 0 {
                    packer.put(1, 1);
                }
                // So many ones, then a zero.
                let count = border.count_ones();
                packer.put(ones(count as usize), count + 1);
                bits(border).for_each(|rank| packer.put(rank as u64, rank_bits));
                if !path {
                    packer.put(back, at as u32);
                }
            }
            packer.put(0, 1);
        }
        packer.finish();
    }
}

/// The connected part of the live graph that holds the first of these vertices.
fn part(rest: &Rest, left: u64) -> u64 {
    let mut part = left & left.wrapping_neg();
    loop {
        let grown = bits(part).fold(part, |all, v| all | rest.near[v]);
        if grown == part {
            return part;
        }
        part = grown;
    }
}

/// A part's vertices in an order that depends only on what they look like: a path from its lesser end, else always the
/// one that looks least next to those already there.
fn cells(rest: &Rest, hashes: &Hashes, part: u64, ranked: impl Fn(u64) -> u64) -> Vec<Cell> {
    let size = part.count_ones() as usize;
    let degrees: u32 = bits(part).map(|v| rest.near[v].count_ones()).sum();
    let thin = bits(part).all(|v| rest.near[v].count_ones() <= 2) && degrees as usize == 2 * (size - 1);
    if thin {
        let end = bits(part).find(|&v| rest.near[v].count_ones() <= 1).expect("a path has an end");
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
        let next = bits(left).max_by_key(|&v| (back(v), hashes.vertex[v])).expect("some are left");
        cells.push((ranked(rest.border[next]), back(next)));
        placed.push(next);
        left &= !(1 << next);
    }
    cells
}

/// Bits into bytes.
struct Packer<'a> {
    out: &'a mut Vec<u8>,
    byte: u64,
    filled: u32,
}

impl Packer<'_> {
    fn put(&mut self, value: u64, mut count: u32) {
        let mut value = value & ones(count as usize);
        while count > 0 {
            let taken = count.min(8 - self.filled);
            self.byte |= (value & ones(taken as usize)) << self.filled;
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
