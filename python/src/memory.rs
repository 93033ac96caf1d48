//! How much memory there is, and how much of it the process holds. Only Linux tells; elsewhere searches still count what they
//! hold themselves.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What the process may come to hold beyond an eighth above a limit: code that runs for the first time, threads, rounding.
const SLACK: usize = 24 << 20;
/// How long a look at the machine's memory is good for: small boards are solved in less time than it takes.
const FRESH: Duration = Duration::from_secs(1);

/// When was looked at memory the last time: what may be used, and what the process held.
static SEEN: Mutex<Option<(Instant, usize, usize)>> = Mutex::new(None);

fn seen() -> (usize, usize) {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    match &*seen {
        Some((when, free, held)) if when.elapsed() < FRESH => (*free, *held),
        _ => {
            let (free, held) = (free(), resident().unwrap_or(0));
            *seen = Some((Instant::now(), free, held));
            (free, held)
        }
    }
}

/// What a piece of work may use unless it is told: three quarters of the memory that is free, so that a search ends with a report
/// before the system ends the process.
pub fn default_limit() -> usize {
    seen().0 / 4 * 3
}

/// What the process held not long ago.
pub fn at_start() -> usize {
    seen().1
}

/// What the process may hold in all if it held so much before and the work may use so many bytes.
pub fn most_resident(before: usize, bytes: usize) -> usize {
    before.saturating_add(bytes).saturating_add(bytes / 8).saturating_add(SLACK)
}

fn free() -> usize {
    let free = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().trim_end_matches("kB").trim().parse::<usize>().ok()
    });
    let free = free.map_or(4 << 30, |kib| kib * 1024);
    // A container may have less than its machine.
    let number = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<usize>().ok();
    let group = number("/sys/fs/cgroup/memory.max").map(|most| most.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    free.min(group.unwrap_or(usize::MAX))
}

/// Bytes of memory that the process holds now, where the system tells.
pub fn resident() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split(' ').nth(1)?.parse::<usize>().ok()? * 4096)
}
