//! Compiles inner loops for several instruction sets and detects which of them this processor supports.

/// An instruction set that loops are compiled for. Only this crate can construct the variants that a processor may not
/// support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    Plain,
    #[cfg(target_arch = "x86_64")]
    #[non_exhaustive]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    #[non_exhaustive]
    Avx512,
}

/// Work to be compiled for every instruction set. `run` and everything it calls must be `#[inline(always)]`. Other functions, and
/// closures passed to them, are compiled only for the baseline instruction set.
pub(crate) trait HotLoop {
    fn run(self);
}

impl Speed {
    /// The sets that this processor supports, from slowest to fastest.
    pub fn all() -> Vec<Speed> {
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

    pub fn best() -> Speed {
        *Speed::all().last().expect("at least the plain one")
    }

    /// Runs a loop as compiled for this instruction set.
    pub(crate) fn run(self, work: impl HotLoop) {
        match self {
            Speed::Plain => work.run(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Speed` contains only features that `is_x86_feature_detected!` found.
            #[allow(unsafe_code)]
            Speed::Avx2 => unsafe { run_avx2(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            #[allow(unsafe_code)]
            Speed::Avx512 => unsafe { run_avx512(work) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn run_avx2(work: impl HotLoop) {
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,popcnt")]
fn run_avx512(work: impl HotLoop) {
    work.run();
}
