//! Cancels work that is late or no longer wanted.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kibitzer::limits::{Cancel, Limit, Limits};
use kibitzer_watch::Alarm;

use crate::parallel::lock;

/// The cancel flags of all work with a waiting client.
static LIVE: Mutex<BTreeMap<u64, Cancel>> = Mutex::new(BTreeMap::new());

pub fn stop_all(why: Limit) {
    lock(&LIVE).values().for_each(|cancel| cancel.stop(why));
}

/// A client's wait for an answer. An alarm stops the work when its time is over. Dropping this, as happens when the client closes the
/// connection, stops it at once.
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
        lock(&LIVE).insert(number, cancel.clone());
        Pending { limits: Limits { bytes, cancel, ..Limits::none() }, _alarm: alarm, number }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        lock(&LIVE).remove(&self.number);
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
