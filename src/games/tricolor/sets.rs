//! Sets of vertices in a fixed number of words, and boards made of them, for the solver's inner loops.

use super::Colors;
use crate::bits;
use crate::graph::Graph;

/// A set of up to 64 `W` vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Set<const W: usize>([u64; W]);

impl<const W: usize> Set<W> {
    pub const EMPTY: Set<W> = Set([0; W]);

    /// From a row of at most `W` words.
    pub fn from_row(row: &[u64]) -> Set<W> {
        let mut words = [0; W];
        words[..row.len()].copy_from_slice(row);
        Set(words)
    }

    pub fn of(v: usize) -> Set<W> {
        let mut words = [0; W];
        words[v / 64] = 1 << (v % 64);
        Set(words)
    }

    pub fn has(&self, v: usize) -> bool {
        self.0[v / 64] >> (v % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        *self == Set::EMPTY
    }

    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn with(self, other: Set<W>, join: impl Fn(u64, u64) -> u64) -> Set<W> {
        let mut words = self.0;
        words.iter_mut().zip(other.0).for_each(|(a, b)| *a = join(*a, b));
        Set(words)
    }

    pub fn and(self, other: Set<W>) -> Set<W> {
        self.with(other, |a, b| a & b)
    }

    pub fn or(self, other: Set<W>) -> Set<W> {
        self.with(other, |a, b| a | b)
    }

    pub fn xor(self, other: Set<W>) -> Set<W> {
        self.with(other, |a, b| a ^ b)
    }

    pub fn without(self, other: Set<W>) -> Set<W> {
        self.with(other, |a, b| a & !b)
    }

    pub fn within(&self, other: &Set<W>) -> bool {
        self.without(*other).is_empty()
    }

    pub fn ones(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(at, word)| bits::ones(word).map(move |bit| 64 * at + bit))
    }

    pub fn words(&self) -> &[u64] {
        &self.0
    }
}

/// A board: what is red and what is black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Here<const W: usize> {
    pub red: Set<W>,
    pub black: Set<W>,
}

/// The graph as sets.
pub struct Field<const W: usize> {
    pub rows: Vec<Set<W>>,
}

/// What a black vertex does when it is clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Green,
    Red,
    Stays,
}

impl<const W: usize> Field<W> {
    pub fn new(graph: &Graph) -> Field<W> {
        Field { rows: (0..graph.len()).map(|v| Set::from_row(graph.row(v))).collect() }
    }

    pub fn here(colors: &Colors) -> Here<W> {
        Here { red: Set::from_row(colors.red()), black: Set::from_row(colors.black()) }
    }

    /// What a click on a colored vertex swaps, black ones aside.
    pub fn closed(&self, v: usize) -> Set<W> {
        self.rows[v].or(Set::of(v))
    }

    /// What a black vertex with these colored neighbors does when it is clicked while `red` of them are red.
    pub fn turn(neighbors: &Set<W>, red: &Set<W>) -> Turn {
        // The click swaps them first: the red ones are the green ones then.
        let (green, all) = (red.and(*neighbors).len(), neighbors.len());
        match (2 * green).cmp(&all) {
            std::cmp::Ordering::Greater => Turn::Green,
            std::cmp::Ordering::Less => Turn::Red,
            std::cmp::Ordering::Equal => Turn::Stays,
        }
    }

    /// The board after clicks on colored vertices and then one on a black vertex.
    pub fn after(&self, here: &Here<W>, clicks: Set<W>, black: usize) -> (Here<W>, Turn) {
        let mut red = here.red;
        for v in clicks.ones() {
            red = red.xor(self.closed(v));
        }
        red = red.without(here.black);
        let neighbors = self.rows[black].without(here.black);
        let turn = Self::turn(&neighbors, &red);
        red = red.xor(neighbors);
        let one = Set::of(black);
        let next = match turn {
            Turn::Stays => Here { red, black: here.black },
            Turn::Green => Here { red, black: here.black.without(one) },
            Turn::Red => Here { red: red.or(one), black: here.black.without(one) },
        };
        (next, turn)
    }
}
