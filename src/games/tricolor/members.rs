//! The members of the relaxed problem: sets of clicks that make every colored vertex green, if black vertices are clicked at least
//! once and may end in any color. They form a coset, which is enumerated in Gray-code order.

use super::meter::{Effort, Meter};
use super::relaxed::Prices;
use super::sets::VertexSet;
use crate::limits::Limit;

/// A set of clicks still to make, and a lower bound on their cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member<const W: usize> {
    pub cost: u32,
    pub clicks: VertexSet<W>,
}

pub struct CosetMembers<const W: usize> {
    first: VertexSet<W>,
    kernel: Vec<VertexSet<W>>,
    black: VertexSet<W>,
    prices: Prices,
}

/// Number of members between two checks of the limits.
const ENUMERATED: u64 = 1 << 16;

impl<const W: usize> CosetMembers<W> {
    /// The members are `first` plus all sums of kernel vectors.
    pub fn new(first: &[u64], kernel: &[Vec<u64>], black: VertexSet<W>, prices: Prices) -> Self {
        CosetMembers {
            first: VertexSet::from_row(first),
            kernel: kernel.iter().map(|vector| VertexSet::from_row(vector)).collect(),
            black,
            prices,
        }
    }

    /// The cost of `clicks` if the vertices in `black` are black.
    #[inline]
    pub fn price(&self, clicks: &VertexSet<W>, black: &VertexSet<W>) -> u32 {
        self.prices.cost(clicks.words(), black.words())
    }

    /// Calls `see` with every member; `see` returns the number of bytes that it holds.
    pub fn each(&self, meter: &Meter<'_>, effort: &Effort, mut see: impl FnMut(Member<W>) -> usize) -> Result<(), Limit> {
        let mut clicks = self.first;
        for step in 1_u64..=1 << self.kernel.len() {
            let held = see(Member { cost: self.price(&clicks, &self.black), clicks });
            if let Some(vector) = self.kernel.get(step.trailing_zeros() as usize) {
                clicks = clicks.xor(*vector);
            }
            if step % ENUMERATED == 0 {
                meter.long(&Effort { bytes: effort.bytes + held, ..*effort })?;
            }
        }
        Ok(())
    }
}
