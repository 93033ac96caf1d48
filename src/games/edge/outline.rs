//! The outline of a position, as written in strategy certificates: the part that can still be played, up to renaming colors. The
//! code follows the definition step by step; that is slow, but easy to check. It shares no code with the keys of the search.
//!
//! * An uncolored vertex without a legal color is out of the game, because the set of legal colors never grows.
//! * A colored vertex matters only as a neighbor of uncolored vertices, and through the labels that its edges have used.
//! * A label counts as used if no edge can get it anymore.
//! * A playable vertex is a *free* move if none of its neighbors can be colored and no other edge can get any label that its edges
//!   can get: coloring it affects nothing else. Only the number of free moves matters.
//!
//! The text has three parts, as in `0 1:2 5:1,3 | 1-1 1-2 2-3 | 1`: the playable vertices, numbered from 0, with the colors of
//! their neighbors; the labels that an edge can still get; and the number of free moves. Colors are sorted by their look (see
//! [`Look`]), and colors with equal looks are numbered so that the text is lexicographically least. A move is written `5:2` or
//! `free`.

use super::{Coloring, Edge, Mark};
use crate::bits::{low_mask, ones};
use crate::sort;

/// The part of a position that can still be played. Colors are numbered from 0, and sets are bit masks.
struct Part<'a> {
    edge: &'a Edge,
    /// Playable vertices, with the colors of their neighbors.
    vertices: Vec<(usize, u64)>,
    /// `labels[a]` contains the colors `b` for which an edge can still get the label {a, b}.
    labels: Vec<u64>,
    free: usize,
}

/// The look of a color, which does not depend on its name: the vertices that it borders, whether an edge can still get the label
/// that pairs it with itself, and the number of labels with this color that an edge can still get.
type Look = (u64, bool, u32);

/// The outline of a position, and the names of these moves in it.
pub fn outline(edge: &Edge, board: &Coloring, moves: &[Mark]) -> (String, Vec<String>) {
    let part = Part::new(edge, board);
    let (text, names) = part.least();
    let name = |mark: &Mark| match part.vertices.iter().any(|(v, _)| *v == mark.vertex as usize) {
        true => format!("{}:{}", mark.vertex, names[mark.color as usize - 1] + 1),
        false => "free".to_owned(),
    };
    (text, moves.iter().map(name).collect())
}

/// The labels that consist of a color from one set and a color from the other, in the same form as `Part::labels`.
fn pairs(one: u64, other: u64, colors: usize) -> Vec<u64> {
    (0..colors).map(|c| if one >> c & 1 == 1 { other } else { 0 } | if other >> c & 1 == 1 { one } else { 0 }).collect()
}

impl<'a> Part<'a> {
    fn new(edge: &'a Edge, board: &Coloring) -> Part<'a> {
        let colors = edge.colors;
        let color = |v: usize| usize::from(board[v]).checked_sub(1);
        let mut unused = vec![low_mask(colors); colors];
        for (u, v) in edge.graph.edges() {
            if let (Some(a), Some(b)) = (color(u), color(v)) {
                unused[a] &= !(1 << b);
                unused[b] &= !(1 << a);
            }
        }
        // Vertices, with the colors of their neighbors and their legal colors.
        let mut playable: Vec<(usize, u64, u64)> = Vec::new();
        for v in (0..edge.vertices()).filter(|&v| color(v).is_none()) {
            let (mut border, mut fit) = (0, low_mask(colors));
            for c in edge.graph.neighbors(v).iter().filter_map(|&u| color(u as usize)) {
                // If two neighbors have the same color, any color for this vertex would use a label twice.
                fit &= if border >> c & 1 == 1 { 0 } else { unused[c] };
                border |= 1 << c;
            }
            if fit != 0 {
                playable.push((v, border, fit));
            }
        }
        let near = |u: usize, v: usize| edge.graph.neighbors(u).contains(&(v as u32));
        // The labels that can arise between each playable vertex and its colored neighbors, and on each edge between two playable vertices.
        let mut takers: Vec<Vec<u64>> = playable.iter().map(|&(_, border, fit)| pairs(border, fit, colors)).collect();
        for (at, &(v, border, fit)) in playable.iter().enumerate() {
            for &(_, other, fit_other) in playable[..at].iter().filter(|(u, ..)| near(*u, v)) {
                // If both ends get colored, neither can have a color that borders the other, because a label would occur twice.
                let labels = pairs(fit & !other, fit_other & !border, colors);
                takers.push(labels.iter().zip(&unused).map(|(labels, unused)| labels & unused).collect());
            }
        }
        let (mut once, mut twice) = (vec![0; colors], vec![0; colors]);
        for taker in &takers {
            for c in 0..colors {
                twice[c] |= once[c] & taker[c];
                once[c] |= taker[c];
            }
        }
        let mut part = Part { edge, vertices: Vec::new(), labels: once, free: 0 };
        for (&(v, border, _), own) in playable.iter().zip(&takers) {
            let alone = playable.iter().all(|&(u, ..)| !near(u, v));
            if alone && own.iter().zip(&twice).all(|(own, twice)| own & twice == 0) {
                part.labels.iter_mut().zip(own).for_each(|(left, own)| *left &= !own);
                part.free += 1;
            } else {
                part.vertices.push((v, border));
            }
        }
        part
    }

    /// The look of each color, and the looks of the colors with which an edge can still pair it.
    fn looks(&self) -> Vec<(Look, Vec<Look>)> {
        let look = |c: usize| -> Look {
            let next_to = self.vertices.iter().filter(|(_, border)| border >> c & 1 == 1).map(|(v, _)| 1 << v).sum();
            (next_to, self.labels[c] >> c & 1 == 1, self.labels[c].count_ones())
        };
        let looks: Vec<Look> = (0..self.edge.colors).map(look).collect();
        let partners = |c: usize| {
            let mut partners: Vec<Look> = ones(self.labels[c]).map(|d| looks[d]).collect();
            sort::ascending(&mut partners);
            (looks[c], partners)
        };
        (0..self.edge.colors).map(partners).collect()
    }

    /// True if swapping two colors would change nothing.
    fn alike(&self, c: usize, d: usize) -> bool {
        let swapped = |set: u64| {
            let differ = (set >> c ^ set >> d) & 1;
            set ^ (differ << c | differ << d)
        };
        let turned = |e: usize| match e {
            _ if e == c => d,
            _ if e == d => c,
            _ => e,
        };
        let same_labels = (0..self.edge.colors).all(|e| self.labels[turned(e)] == swapped(self.labels[e]));
        same_labels && self.vertices.iter().all(|(_, border)| *border == swapped(*border))
    }

    /// The lexicographically least text, and the number that each color has in it.
    fn least(&self) -> (String, Vec<usize>) {
        let looks = self.looks();
        let mut sorted: Vec<usize> = (0..self.edge.colors).collect();
        sort::by(&mut sorted, |&c, &d| looks[c].cmp(&looks[d]));
        let mut best = None;
        self.orders(&sorted, &looks, &mut Vec::new(), &mut best);
        best.expect("there is at least one order")
    }

    /// Tries every order of colors with equal looks, except orders that differ only in colors that can be swapped.
    fn orders(&self, left: &[usize], looks: &[(Look, Vec<Look>)], order: &mut Vec<usize>, best: &mut Option<(String, Vec<usize>)>) {
        let Some(&first) = left.first() else {
            let mut names = vec![0; order.len()];
            order.iter().enumerate().for_each(|(name, &c)| names[c] = name);
            let text = self.write(order, &names);
            if best.as_ref().is_none_or(|(least, _)| text < *least) {
                *best = Some((text, names));
            }
            return;
        };
        let tie = left.iter().take_while(|&&c| looks[c] == looks[first]).count();
        for (at, &c) in left[..tie].iter().enumerate() {
            if left[..at].iter().any(|&d| self.alike(c, d)) {
                continue;
            }
            let rest: Vec<usize> = left.iter().copied().filter(|&d| d != c).collect();
            order.push(c);
            self.orders(&rest, looks, order, best);
            order.pop();
        }
    }

    /// Writes the text with these color names.
    fn write(&self, order: &[usize], names: &[usize]) -> String {
        let mut text = String::new();
        let renamed = |set: u64| ones(set).fold(0u64, |all, c| all | 1 << names[c]);
        for &(v, border) in &self.vertices {
            put(&mut text, v);
            for (at, name) in ones(renamed(border)).enumerate() {
                text.push(if at == 0 { ':' } else { ',' });
                put(&mut text, name + 1);
            }
            text.push(' ');
        }
        text.push_str("| ");
        for (a, &c) in order.iter().enumerate() {
            for b in ones(renamed(self.labels[c]) & !low_mask(a)) {
                put(&mut text, a + 1);
                text.push('-');
                put(&mut text, b + 1);
                text.push(' ');
            }
        }
        text.push_str("| ");
        put(&mut text, self.free);
        text
    }
}

/// Appends a number.
fn put(text: &mut String, number: usize) {
    if number >= 10 {
        put(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}
