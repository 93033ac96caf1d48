//! Random numbers for generated boards. The same seed produces the same board on every machine and in every version.
//!
//! This is SplitMix64, in twenty lines. Random-number crates do not promise that a seed produces the same sequence in every
//! version.

#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end` - 1; 0 if `end` is 0. The bias is below `end` / 2^64.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.word()) * end as u128) >> 64) as usize
    }

    /// Moves random items of the slice to its first `count` positions, in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T], count: usize) {
        for at in 0..count.min(items.len()) {
            let other = at + self.below(items.len() - at);
            items.swap(at, other);
        }
    }
}
