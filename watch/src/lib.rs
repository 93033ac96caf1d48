//! Deadlines and memory limits, monitored by a separate thread, for the program, the server and the Python package.
//!
//! Searches count the bytes they use and check their limits themselves. [`Alarm`] covers memory that is not counted: boards while
//! they are being read, drawings, states with parts on the heap, and memory that the allocator retains. Memory is measured only on
//! Linux.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use kibitzer::limits::Limit;

/// Interval between memory measurements. A process can allocate about 20 MB during this interval.
pub const INTERVAL: Duration = Duration::from_millis(10);
/// Number of bytes allowed above a limit, in addition to an eighth of the limit, for newly loaded code, threads and rounding.
pub const SLACK: usize = 24 << 20;

/// Resident bytes of this process, if the system reports them.
pub fn resident() -> Option<usize> {
    /// Assumes 4 KiB pages, because `statm` does not state the page size.
    const PAGE: usize = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split(' ').nth(1)?.parse::<usize>().ok()? * PAGE)
}

/// Maximum number of resident bytes of a process during work that is limited to `limit` bytes. `before` is the number of resident bytes
/// when the work begins.
pub fn most_resident(before: usize, limit: usize) -> usize {
    before.saturating_add(limit).saturating_add(limit / 8).saturating_add(SLACK)
}

/// The default memory limit: three quarters of the free memory, so that a search ends with an answer before the system kills the
/// process.
pub fn default_limit() -> usize {
    let free = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().trim_end_matches("kB").trim().parse::<usize>().ok()
    });
    let free = free.map_or(4 << 30, |kib| kib * 1024);
    // A container may have less memory than its machine.
    let number = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<usize>().ok();
    let group = number("/sys/fs/cgroup/memory.max").map(|most| most.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    free.min(group.unwrap_or(usize::MAX)) / 4 * 3
}

/// Makes the allocator return large blocks to the system as soon as they are freed, so that resident memory is the memory in use.
///
/// By default, once a block of up to 32 MB has been freed, glibc keeps later blocks up to that size for reuse. As a result, tables that
/// grow, or are written to disk and recreated, use up to twice their size.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: mallopt takes two numbers and may be called at any time. On failure, the call returns 0 and changes nothing.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 4 << 20);
    }
}

/// A thread that reports a missed deadline or excessive memory use. Dropping the alarm ends the thread.
pub struct Alarm(#[expect(dead_code, reason = "dropping it ends the thread")] Sender<()>);

impl Alarm {
    /// Calls `stop` at most once: at the deadline, or when more than `most` bytes are resident. `None` if there is nothing to
    /// watch.
    pub fn new(deadline: Option<Instant>, most: Option<usize>, stop: impl FnOnce(Limit) + Send + 'static) -> Option<Alarm> {
        let (sender, dropped) = mpsc::channel::<()>();
        if deadline.is_none() && most.is_none() {
            return None;
        }
        std::thread::spawn(move || {
            loop {
                let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
                let pause = left.into_iter().chain(most.map(|_| INTERVAL)).min().unwrap_or(INTERVAL);
                if dropped.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                    return stop(Limit::Time);
                }
                if most.is_some_and(|most| resident().is_some_and(|held| held > most)) {
                    return stop(Limit::Memory);
                }
            }
        });
        Some(Alarm(sender))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(deadline: Option<Instant>, most: Option<usize>) -> Option<Limit> {
        let (sender, reports) = mpsc::channel();
        let alarm = Alarm::new(deadline, most, move |limit| sender.send(limit).expect("the test waits"));
        let report = reports.recv().ok();
        drop(alarm);
        report
    }

    #[test]
    fn a_deadline_and_too_much_memory_are_reported() {
        assert_eq!(reported(Some(Instant::now()), None), Some(Limit::Time));
        assert_eq!(reported(None, None), None, "nothing to watch");
        if resident().is_some() {
            assert_eq!(reported(None, Some(0)), Some(Limit::Memory));
        }
        // Dropping the alarm also drops `stop`.
        let (sender, reports) = mpsc::channel::<Limit>();
        drop(Alarm::new(Some(Instant::now() + Duration::from_secs(3600)), Some(usize::MAX), move |limit| _ = sender.send(limit)));
        assert!(reports.recv().is_err());
    }
}
