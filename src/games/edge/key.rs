//! The key of a reduced position, as bytes: colors and vertices are put into an order that does not depend on their names, and
//! the reduced position is written in that order. See [`super::reduce`] for a definition of reduced positions and an example.

use super::labels::Labels;
use super::reduce::Rest;
use super::{Edge, MOST};
use crate::bits::{low_mask, ones};

/// The maximum number of color orders to try.
const TRIES: usize = 24;

/// Buffers shared by all key computations.
pub struct Scratch {
    /// Hashes of vertices; only those of live vertices are valid.
    hash: [u64; MOST],
    next: [u64; MOST],
    cells: [Cell; MOST],
    /// The range of cells of each component.
    parts: [(u8, u8); MOST],
    count: usize,
    trial: Vec<u8>,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch { hash: [0; MOST], next: [0; MOST], cells: [(0, 0); MOST], parts: [(0, 0); MOST], count: 0, trial: Vec::new() }
    }
}

/// A vertex in the key: the ranks of the colors on its border, and its neighbors among the earlier vertices of its component.
type Cell = (u64, u64);

/// Sorts components, given as ranges of cells. This function is not generic, so that sorting is compiled only once for all widths
/// of labels.
fn sort_parts(parts: &mut [(u8, u8)], cells: &[Cell]) {
    let slice = |part: &(u8, u8)| &cells[part.0 as usize..part.1 as usize];
    parts.sort_unstable_by(|a, b| slice(a).cmp(slice(b)));
}

/// The word without its two lowest set bits.
#[inline(always)]
fn without_two(word: u64) -> u64 {
    let word = word & word.wrapping_sub(1);
    word & word.wrapping_sub(1)
}

#[inline(always)]
fn mix(hash: u64, value: u64) -> u64 {
    let product = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 29
}

impl<L: Labels> Rest<L> {
    /// Appends the key to `out`.
    pub fn key(&self, edge: &Edge, scratch: &mut Scratch, out: &mut Vec<u8>) {
        let mut hashes = L::ZEROS;
        let colors = hashes.as_mut();
        let (mut borders, mut thin) = (0, true);
        for v in ones(self.live) {
            let near = edge.near[v] & self.live;
            let degree = [near, near & near.wrapping_sub(1)].iter().filter(|&&near| near != 0).count() as u64;
            thin &= without_two(near) == 0;
            scratch.hash[v] = degree;
            let border = L::bits(self.border[v]);
            borders |= border;
            let look = (1 + u64::from(L::count(L::bits(self.allowed[v])))) << (16 * degree + 8);
            ones(border).for_each(|color| colors[color] += look);
        }
        let involved = (0..edge.colors).filter(|&c| self.labels.row(c) != 0).fold(borders, |all, c| all | 1 << c);
        for color in ones(involved) {
            let row = self.labels.row(color);
            colors[color] += (row >> color & 1) + 2 * u64::from(L::count(row));
        }
        let mut order = Order { rest: self, edge, thin, borders, involved, tries: TRIES, found: false, from: out.len() };
        let distinct = order.refine(&mut hashes, scratch);
        order.search(hashes, distinct, 0, scratch, out);
    }
}

/// The search for the color order whose written form is least.
struct Order<'a, L: Labels> {
    rest: &'a Rest<L>,
    edge: &'a Edge,
    /// True if no live vertex has more than two live neighbors.
    thin: bool,
    /// The colors that are on a border.
    borders: u64,
    /// The colors that are on a border or in a label.
    involved: u64,
    tries: usize,
    /// True if a form has been written to the output.
    found: bool,
    /// The position at which the form starts in the output.
    from: usize,
}

impl<L: Labels> Order<'_, L> {
    fn near(&self, vertex: usize) -> u64 {
        self.edge.near[vertex] & self.rest.live
    }

    /// Refines each hash by the hashes in its neighborhood, up to three times, as long as this distinguishes more colors. Three
    /// rounds are enough in almost all positions. Returns whether all colors have different hashes.
    fn refine(&self, colors: &mut L::Each, scratch: &mut Scratch) -> bool {
        let rest = self.rest;
        let Scratch { hash, next, .. } = scratch;
        let (all, mut before) = (L::count(self.involved), 0);
        // If all components are paths or cycles, only the colors need an order, because the borders then determine the direction of
        // each component.
        if self.thin && self.classes(colors.as_ref()) == all {
            return true;
        }
        for round in 0..3 {
            let (mut borders, mut mixed) = (L::ZEROS, L::ZEROS);
            ones(self.involved).for_each(|c| mixed.as_mut()[c] = mix(colors.as_ref()[c], 13));
            let mixed = mixed.as_ref();
            for v in ones(rest.live) {
                let near = ones(self.near(v)).fold(0u64, |sum, u| sum.wrapping_add(mix(hash[u], 11)));
                let border = ones(L::bits(rest.border[v])).fold(0u64, |sum, c| sum.wrapping_add(mixed[c]));
                next[v] = mix(mix(hash[v], near), border);
                let own = mix(next[v], 17);
                ones(L::bits(rest.border[v])).for_each(|c| borders.as_mut()[c] = borders.as_ref()[c].wrapping_add(own));
            }
            ones(rest.live).for_each(|v| hash[v] = next[v]);
            let mut after = *colors;
            for c in ones(self.involved) {
                let labels = ones(rest.labels.row(c)).fold(0u64, |sum, d| sum.wrapping_add(mixed[d]));
                after.as_mut()[c] = mix(mix(colors.as_ref()[c], labels), borders.as_ref()[c]);
            }
            *colors = after;
            if self.thin || round == 2 {
                let count = self.classes(colors.as_ref());
                if count == before || count == all {
                    return count == all;
                }
                before = count;
            }
        }
        false
    }

    /// The number of distinct color hashes.
    fn classes(&self, colors: &[u64]) -> u32 {
        let first = |&c: &usize| ones(self.involved & low_mask(c)).all(|d| colors[c] != colors[d]);
        ones(self.involved).filter(first).count() as u32
    }

    fn search(&mut self, hashes: L::Each, distinct: bool, depth: usize, scratch: &mut Scratch, out: &mut Vec<u8>) {
        let colors = hashes.as_ref();
        let mut order = [0u8; MOST];
        let mut count = 0;
        for color in ones(self.involved) {
            let mut at = count;
            while at > 0 && colors[order[at - 1] as usize] > colors[color] {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = color as u8;
            count += 1;
        }
        let order = &order[..count];
        if !distinct && depth < self.edge.colors {
            let mut ties = order.chunk_by(|&a, &b| colors[a as usize] == colors[b as usize]);
            if let Some(tie) = ties.find(|tie| tie.len() > 1 && !self.alike(tie)) {
                let before = scratch.hash;
                for &color in tie {
                    if self.tries == 0 && self.found {
                        return;
                    }
                    let mut chosen = hashes;
                    chosen.as_mut()[color as usize] = mix(colors[color as usize], 23);
                    scratch.hash = before;
                    let distinct = self.refine(&mut chosen, scratch);
                    self.search(chosen, distinct, depth + 1, scratch, out);
                }
                return;
            }
        }
        self.tries = self.tries.saturating_sub(1);
        let mut rank = [0u8; MOST];
        order.iter().enumerate().for_each(|(at, &color)| rank[color as usize] = at as u8);
        self.cells(&rank, scratch);
        if !self.found {
            self.write(order, &rank, scratch, out);
            self.found = true;
            return;
        }
        let mut trial = std::mem::take(&mut scratch.trial);
        trial.clear();
        self.write(order, &rank, scratch, &mut trial);
        if trial[..] < out[self.from..] {
            out.truncate(self.from);
            out.extend_from_slice(&trial);
        }
        scratch.trial = trial;
    }

    /// True if these colors, which have equal hashes, can be swapped without any change: they are on no border and have the same
    /// labels.
    fn alike(&self, tie: &[u8]) -> bool {
        let labels = |c: u8| self.rest.labels.row(c as usize);
        let (first, others) = (tie[0], tie.iter().fold(0, |all, &c| all | 1u64 << c));
        let inside = |c: u8| labels(c) & others & !(1 << c);
        let whole = |c: u8| inside(c) == 0 || inside(c) == others & !(1 << c);
        let same = |&c: &u8| labels(c) & !others == labels(first) & !others && whole(c) && (inside(c) == 0) == (inside(first) == 0);
        self.borders & others == 0 && tie.iter().all(same)
    }

    /// Lists the components as cells, the least component first.
    fn cells(&self, rank: &[u8; MOST], scratch: &mut Scratch) {
        let ranked = |v: usize| ones(L::bits(self.rest.border[v])).fold(0u64, |sum, c| sum | 1 << rank[c]);
        let Scratch { hash, cells, parts, count, .. } = scratch;
        let (mut left, mut from) = (self.rest.live, 0);
        *count = 0;
        while left != 0 {
            let first = left.trailing_zeros() as usize;
            let part = if self.near(first) == 0 { 1 << first } else { self.part(1 << first) };
            left &= !part;
            let to = from + part.count_ones() as usize;
            let own = &mut cells[from..to];
            match self.end(part) {
                _ if own.len() == 1 => own[0] = (ranked(first), 0),
                Some(end) => self.walk(end, part, ranked, own),
                None => self.place(part, ranked, hash, own),
            }
            parts[*count] = (from as u8, to as u8);
            *count += 1;
            from = to;
        }
        if *count > 1 {
            sort_parts(&mut parts[..*count], cells);
        }
    }

    /// The component of the live graph that contains these vertices.
    fn part(&self, mut part: u64) -> u64 {
        let mut new = part;
        while new != 0 {
            let grown = ones(new).fold(0, |all, v| all | self.near(v));
            new = grown & !part;
            part |= grown;
        }
        part
    }

    /// An end of the path, if the component is a path with more than one vertex.
    fn end(&self, part: u64) -> Option<usize> {
        let (mut end, mut ends) = (None, 0);
        for v in ones(part) {
            let near = self.near(v);
            if near & near.wrapping_sub(1) == 0 {
                (end, ends) = (Some(v), ends + 1);
            } else if without_two(near) != 0 {
                return None;
            }
        }
        end.filter(|_| ends == 2)
    }

    /// Lists the cells of a path, in the direction with the smaller borders.
    fn walk(&self, end: usize, part: u64, ranked: impl Fn(usize) -> u64, path: &mut [Cell]) {
        let (mut at, mut left) = (end, part);
        for (place, cell) in path.iter_mut().enumerate() {
            left &= !(1 << at);
            *cell = (ranked(at), (1u64 << place) >> 1);
            at = (self.near(at) & left).trailing_zeros() as usize;
        }
        let borders = path.iter().map(|cell| cell.0);
        if borders.clone().rev().lt(borders) {
            path.reverse();
            path.iter_mut().enumerate().for_each(|(place, cell)| cell.1 = (1u64 << place) >> 1);
        }
    }

    /// Lists the cells of any component. The next vertex is always the one whose neighbors were placed most recently; hashes break ties.
    fn place(&self, part: u64, ranked: impl Fn(usize) -> u64, hash: &[u64; MOST], cells: &mut [Cell]) {
        let mut placed = [0usize; MOST];
        let mut left = part;
        for (at, cell) in cells.iter_mut().enumerate() {
            let back = |v: usize| placed[..at].iter().enumerate().fold(0u64, |sum, (at, &u)| sum | (self.near(v) >> u & 1) << at);
            let next = ones(left).max_by_key(|&v| (back(v), hash[v])).expect("some are left");
            *cell = (ranked(next), back(next));
            placed[at] = next;
            left &= !(1 << next);
        }
    }

    /// Writes the position, using as few bits as possible for each number.
    fn write(&self, order: &[u8], rank: &[u8; MOST], scratch: &Scratch, out: &mut Vec<u8>) {
        let colors = order.len();
        let rank_bits = usize::BITS - colors.leading_zeros();
        let mut packer = Packer { out, word: 0, filled: 0 };
        packer.put(u64::from(self.rest.odd), 1);
        packer.put(colors as u64, usize::BITS - self.edge.colors.leading_zeros());
        for (at, &color) in order.iter().enumerate() {
            let row = ones(self.rest.labels.row(color as usize)).fold(0u64, |sum, c| sum | 1 << rank[c]);
            packer.put(row >> at, (colors - at) as u32);
        }
        for &(from, to) in &scratch.parts[..scratch.count] {
            let part = &scratch.cells[from as usize..to as usize];
            // A component is written as a path if the only earlier neighbor of every vertex is the vertex just before it.
            let path = part.iter().enumerate().all(|(at, cell)| cell.1 == (1u64 << at) >> 1);
            packer.put(1 | u64::from(path) << 1, 2);
            for (at, &(border, back)) in part.iter().enumerate() {
                // Writes a one bit unless this is the first vertex, then the number of colors on its border in unary, then a zero
                // bit.
                let (more, count) = (usize::from(at > 0), L::count(border) as usize);
                if count < 48 {
                    packer.put(low_mask(more + count), (more + count + 1) as u32);
                } else {
                    packer.put(low_mask(more + count), (more + count) as u32);
                    packer.put(0, 1);
                }
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

/// Packs bits into bytes, lowest bit first.
struct Packer<'a> {
    out: &'a mut Vec<u8>,
    word: u64,
    filled: u32,
}

impl Packer<'_> {
    #[inline(always)]
    fn put(&mut self, value: u64, count: u32) {
        let value = value & low_mask(count as usize);
        self.word |= value << self.filled;
        self.filled += count;
        if self.filled >= 64 {
            self.out.extend_from_slice(&self.word.to_le_bytes());
            self.filled -= 64;
            self.word = value.checked_shr(count - self.filled).unwrap_or(0);
        }
    }

    fn finish(self) {
        let bytes = self.filled.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.word.to_le_bytes()[..bytes]);
    }
}
