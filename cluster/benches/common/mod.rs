//! Measurements and processes that several benches share.

#![allow(dead_code, reason = "no bench uses all of it")]

use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kibitzer_cluster::net::Cluster;

/// Resident bytes of this process.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

/// The result of some work, its time in seconds, and a text with the resident megabytes before the work and at the peak.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, f64, String) {
    let (over, before, begun) = (AtomicBool::new(false), resident(), Instant::now());
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut most = 0;
            while !over.load(Ordering::Relaxed) {
                most = most.max(resident());
                std::thread::sleep(Duration::from_millis(5));
            }
            most
        });
        let result = work();
        let seconds = begun.elapsed().as_secs_f64();
        over.store(true, Ordering::Relaxed);
        let most = watch.join().expect("watches");
        (result, seconds, format!("{:.1} MB resident before, {:.1} MB at peak", before as f64 / 1e6, most as f64 / 1e6))
    })
}

/// Addresses for two processes on this machine.
pub fn two_hosts() -> Vec<String> {
    let free: Vec<TcpListener> = (0..2).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    free.iter().map(|port| port.local_addr().expect("an address").to_string()).collect()
}

/// The setup of one of two processes, each with one worker.
pub fn process(process: usize, hosts: &[String]) -> Cluster {
    Cluster { hosts: hosts.to_vec(), process, patience: Duration::from_secs(60), ..Cluster::local(1) }
}
