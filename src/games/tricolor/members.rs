//! The members of the relaxed problem: sets of clicks that make every colored vertex green, if black vertices, which are
//! clicked at least once, may end in any color. They form a coset; here it is enumerated in Gray code.

use super::meter::{Effort, Meter};
use super::relaxed::Prices;
use super::sets::VertexSet;
use crate::limits::Limit;

/// Clicks still to be made, and a lower bound for their cost.
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

/// Members that are enumerated between two looks at the limits.
const ENUMERATED: u64 = 1 << 16;

impl<const W: usize> CosetMembers<W> {
    /// All members are one of them plus sums of the kernel.
    pub fn new(first: &[u64], kernel: &[Vec<u64>], black: VertexSet<W>, prices: Prices) -> Self {
        CosetMembers {
            first: VertexSet::from_row(first),
            kernel: kernel.iter().map(|vector| VertexSet::from_row(vector)).collect(),
            black,
            prices,
        }
    }

    /// The cost of these clicks while these vertices are black.
    pub fn price(&self, clicks: &VertexSet<W>, black: &VertexSet<W>) -> u32 {
        let (odd, all) = (clicks.and(*black).len(), black.len());
        self.prices.colored[1] * clicks.without(*black).len() + self.prices.black[0] * (all - odd) + self.prices.black[1] * odd
    }

    /// Calls `see` with every member; it returns the number of bytes it holds.
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
