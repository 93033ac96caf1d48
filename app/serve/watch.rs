//! Ends work that is late or no longer wanted, by the cancel flag of its limits.

use std::time::Duration;

use kibitzer::limits::{Cancel, Limit, Limits};
use tokio::task::JoinHandle;

/// Held while somebody waits for an answer. A timer stops the work when its time is over; dropping this, as happens when the
/// client closes the connection, stops it at once.
pub struct Watch {
    pub limits: Limits,
    timer: JoinHandle<()>,
}

impl Watch {
    pub fn new(time: Duration, bytes: usize) -> Watch {
        let cancel = Cancel::default();
        let flag = cancel.clone();
        let timer = tokio::spawn(async move {
            tokio::time::sleep(time).await;
            flag.stop(Limit::Time);
        });
        Watch { limits: Limits { bytes, cancel, ..Limits::none() }, timer }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.timer.abort();
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
