//! Instruction sets that inner loops are compiled for, and which of them this processor has.

/// Instruction sets that the loops are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speed {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Speed {
    /// From the slowest to the fastest.
    pub(crate) fn all() -> Vec<Speed> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut all = vec![Speed::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                all.push(Speed::Avx2);
                if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
                    all.push(Speed::Avx512);
                }
            }
        }
        all
    }

    pub(crate) fn best() -> Speed {
        *Speed::all().last().expect("at least the plain one")
    }
}
