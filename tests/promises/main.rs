//! Slow tests: limits on huge boards, measured from outside, and killed processes. Only `./test long` runs them.

#[path = "../common/mod.rs"]
mod common;

mod cluster;
mod english;
mod limits;

/// Resident bytes of a process; 0 if the system does not report them.
fn resident(pid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}
