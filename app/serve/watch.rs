//! Cancels work that is late, holds too much memory, or is no longer wanted.

use std::time::{Duration, Instant};

use kibitzer::limits::{Cancel, Limit, Limits};
use kibitzer_watch::Alarm;

/// A request in progress. An alarm stops its work when its time runs out, or when the whole server holds more than `most` bytes.
/// Dropping this value, as when the client closes the connection, stops the work at once.
pub struct Pending {
    pub limits: Limits,
    _alarm: Option<Alarm>,
}

impl Pending {
    pub fn new(time: Duration, bytes: usize, most: usize) -> Pending {
        let cancel = Cancel::default();
        let flag = cancel.clone();
        let alarm = Alarm::new(Instant::now().checked_add(time), Some(most), move |limit| flag.stop(limit));
        Pending { limits: Limits { bytes, cancel, ..Limits::none() }, _alarm: alarm }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.limits.cancel.stop(Limit::Time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alarm_and_dropping_set_the_flag() {
        let pending = Pending::new(Duration::from_secs(3600), 1, usize::MAX);
        let limits = pending.limits.clone();
        assert_eq!(limits.check(), Ok(()));
        drop(pending);
        assert_eq!(limits.check(), Err(Limit::Time));

        let pending = Pending::new(Duration::ZERO, 1, usize::MAX);
        while pending.limits.check().is_ok() {
            std::thread::yield_now();
        }
        assert_eq!(pending.limits.check(), Err(Limit::Time));
    }
}
