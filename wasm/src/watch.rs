//! Cancels work whose time or memory is used up.

use kibitzer::limits::{Limit, Limits, watch};

use crate::host::now;

/// Milliseconds between two looks at the clock, about: looking takes a thousandth of that.
const PERIOD: f64 = 5.0;
/// The size of a page of WebAssembly memory, which never shrinks.
const PAGE: usize = 1 << 16;

/// Watches work while this lives.
pub struct Watched;

impl Drop for Watched {
    fn drop(&mut self) {
        watch::set(None);
    }
}

/// The bytes of memory in use.
fn held() -> usize {
    core::arch::wasm32::memory_size(0).saturating_mul(PAGE)
}

/// Watches work until a moment of the host's clock.
pub fn begin(limits: &Limits, until: f64) -> Watched {
    // The work takes more memory than it counts: gaps of the allocator, and the answer.
    let most = held().max(limits.bytes.saturating_add(limits.bytes / 4));
    let cancel = limits.cancel.clone();
    // Checks come every microsecond or every tenth of a second, depending on the work.
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
