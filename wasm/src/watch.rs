//! Cancels work that has used up its time or memory.

use kibitzer::limits::{Limit, Limits, watch};

use crate::host::now;

/// Approximate number of milliseconds between two readings of the clock. One reading takes a thousandth of this interval.
const PERIOD: f64 = 5.0;
/// The size of a page of WebAssembly memory. The memory never shrinks.
const PAGE: usize = 1 << 16;

/// Watches the limits of a piece of work until dropped.
pub struct Watched;

impl Drop for Watched {
    fn drop(&mut self) {
        watch::set(None);
    }
}

/// The amount of memory in use, in bytes.
fn held() -> usize {
    core::arch::wasm32::memory_size(0).saturating_mul(PAGE)
}

/// Starts watching the limits of a piece of work. `until` is the deadline on the host's clock.
pub fn begin(limits: &Limits, until: f64) -> Watched {
    // The work counts neither the answer nor the memory that the allocator wastes, so a quarter more is allowed.
    let most = held().max(limits.bytes.saturating_add(limits.bytes / 4));
    let cancel = limits.cancel.clone();
    // The interval between checks ranges from a microsecond to a tenth of a second, depending on the work.
    let (mut last, mut checks) = (now(), 1_u32);
    watch::set(Some(Box::new(move || {
        let time = now();
        if time > until {
            cancel.stop(Limit::Time);
        }
        if held() > most {
            cancel.stop(Limit::Memory);
        }
        let passed = time - last;
        last = time;
        checks = if passed > 4.0 * PERIOD {
            (checks / 8).max(1)
        } else if passed < PERIOD {
            (checks * 2).min(1 << 20)
        } else {
            checks
        };
        checks - 1
    })));
    Watched
}
