//! Ends work that is late or no longer wanted, by the cancel flag of its limits.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kibitzer::limits::{Cancel, Limit, Limits};
use kibitzer_watch::Alarm;

/// The cancel flags of all work with a waiting client.
static LIVE: Mutex<BTreeMap<u64, Cancel>> = Mutex::new(BTreeMap::new());

fn live() -> MutexGuard<'static, BTreeMap<u64, Cancel>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks all work to end.
pub fn stop_all(why: Limit) {
    live().values().for_each(|cancel| cancel.stop(why));
}

/// Held while a client waits for an answer. An alarm stops the work when its time is over; dropping this, as happens when the
/// client closes the connection, stops it at once.
pub struct Pending {
    pub limits: Limits,
    _alarm: Option<Alarm>,
    number: u64,
}

impl Pending {
    pub fn new(time: Duration, bytes: usize) -> Pending {
        let cancel = Cancel::default();
        let flag = cancel.clone();
        let alarm = Alarm::new(Instant::now().checked_add(time), None, move |limit| flag.stop(limit));
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        live().insert(number, cancel.clone());
        Pending { limits: Limits { bytes, cancel, ..Limits::none() }, _alarm: alarm, number }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        live().remove(&self.number);
        self.limits.cancel.stop(Limit::Time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alarm_and_dropping_set_the_flag() {
        let pending = Pending::new(Duration::from_secs(3600), 1);
        let limits = pending.limits.clone();
        assert_eq!(limits.check(), Ok(()));
        drop(pending);
        assert_eq!(limits.check(), Err(Limit::Time));

        let pending = Pending::new(Duration::ZERO, 1);
        while pending.limits.check().is_ok() {
            std::thread::yield_now();
        }
        assert_eq!(pending.limits.check(), Err(Limit::Time));
    }
}
