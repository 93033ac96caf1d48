//! Ends work that is late or no longer wanted, by the cancel flag of its limits.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kibitzer::limits::{Cancel, Limit, Limits};
use tokio::task::JoinHandle;

/// The flags of all work that somebody waits for.
static LIVE: Mutex<BTreeMap<u64, Cancel>> = Mutex::new(BTreeMap::new());

fn live() -> MutexGuard<'static, BTreeMap<u64, Cancel>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks all work to end.
pub fn stop_all(why: Limit) {
    live().values().for_each(|cancel| cancel.stop(why));
}

/// Held while somebody waits for an answer. A timer stops the work when its time is over; dropping this, as happens when the
/// client closes the connection, stops it at once.
pub struct Watch {
    pub limits: Limits,
    timer: JoinHandle<()>,
    number: u64,
}

impl Watch {
    pub fn new(time: Duration, bytes: usize) -> Watch {
        let cancel = Cancel::default();
        let flag = cancel.clone();
        let timer = tokio::spawn(async move {
            tokio::time::sleep(time).await;
            flag.stop(Limit::Time);
        });
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        live().insert(number, cancel.clone());
        Watch { limits: Limits { bytes, cancel, ..Limits::none() }, timer, number }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.timer.abort();
        live().remove(&self.number);
        self.limits.cancel.stop(Limit::Time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_timer_and_dropping_set_the_flag() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let watch = Watch::new(Duration::from_secs(3600), 1);
            let limits = watch.limits.clone();
            assert_eq!(limits.check(), Ok(()));
            drop(watch);
            assert_eq!(limits.check(), Err(Limit::Time));

            let mut watch = Watch::new(Duration::ZERO, 1);
            (&mut watch.timer).await.expect("it ends by itself");
            assert_eq!(watch.limits.check(), Err(Limit::Time));
        });
    }
}
