//! What a solver may spend: the limits of the command line, Ctrl-C, and progress for the person who waits.

use std::io::IsTerminal;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kibitzer::outcome::{Limits, Progress};
use kibitzer::report::{bytes, grouped};

#[derive(Args)]
pub struct Effort {
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<f64>,
    /// Stop when the search needs more memory, such as 500M or 4G [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<usize>,
    /// Stop after expanding so many states
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Is a search running that can be asked to stop?
static BUSY: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// Was Ctrl-C pressed?
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// From now on the first Ctrl-C asks a running search to stop; the second one, or one while none runs, ends the program.
fn catch_interrupts() {
    HANDLER.call_once(|| {
        let handler = || {
            if INTERRUPTED.swap(true, Ordering::Relaxed) || !BUSY.load(Ordering::Relaxed) {
                std::process::exit(130);
            }
        };
        // Without a handler Ctrl-C simply ends the program.
        let _ = ctrlc::set_handler(handler);
    });
}

/// Runs `work` so that Ctrl-C only sets [`interrupted`], which `work` must ask for.
pub fn watch<T>(work: impl FnOnce() -> T) -> T {
    catch_interrupts();
    INTERRUPTED.store(false, Ordering::Relaxed);
    BUSY.store(true, Ordering::Relaxed);
    let done = work();
    BUSY.store(false, Ordering::Relaxed);
    done
}

impl Effort {
    /// Runs `work` under these limits and says how long it took, in seconds. `time` is used where none was asked for.
    pub fn spend<T>(&self, what: &str, time: Option<f64>, work: impl FnOnce(&mut Limits<'_>) -> T) -> (T, f64) {
        catch_interrupts();
        INTERRUPTED.store(false, Ordering::Relaxed);
        BUSY.store(true, Ordering::Relaxed);
        let begun = Instant::now();
        let deadline = self.time.or(time).map(|seconds| begun + Duration::from_secs_f64(seconds));
        let bar = bar(what);
        let mut shown = begun;
        let mut stop = |progress: &Progress| {
            let now = Instant::now();
            if let Some(bar) = &bar
                && now - shown > Duration::from_millis(100)
            {
                shown = now;
                bar.set_message(told(progress));
                bar.tick();
            }
            interrupted() || deadline.is_some_and(|deadline| now >= deadline)
        };
        let mut limits =
            Limits { nodes: self.nodes.unwrap_or(u64::MAX), bytes: self.memory.unwrap_or_else(default_memory), stop: Some(&mut stop) };
        let done = work(&mut limits);
        let seconds = begun.elapsed().as_secs_f64();
        BUSY.store(false, Ordering::Relaxed);
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        (done, seconds)
    }
}

fn bar(what: &str) -> Option<ProgressBar> {
    std::io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template("{spinner} {prefix}  {elapsed}  {msg}").expect("the template is right");
        ProgressBar::new_spinner().with_style(style).with_prefix(what.to_owned())
    })
}

fn told(progress: &Progress) -> String {
    let best = progress.upper.map(|cost| format!(", best {cost}")).unwrap_or_default();
    format!(
        "{} expanded, {} open, cost at least {}{best}, {}",
        grouped(progress.expanded),
        grouped(progress.open),
        progress.lower,
        bytes(progress.bytes)
    )
}

/// Three quarters of the memory that is free now, so that a search ends with an answer before the system ends it.
pub fn default_memory() -> usize {
    let free = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().trim_end_matches("kB").trim().parse::<usize>().ok()
    });
    let free = free.map_or(4 << 30, |kib| kib * 1024);
    // A container may have less than its machine.
    let number = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<usize>().ok();
    let group = number("/sys/fs/cgroup/memory.max").map(|most| most.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    free.min(group.unwrap_or(usize::MAX)) / 4 * 3
}

pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e9).contains(&seconds) => Ok(seconds),
        _ => Err("give seconds, such as 10 or 0.5".to_owned()),
    }
}

pub fn size(text: &str) -> Result<usize, String> {
    let lower = text.to_lowercase();
    let number = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &lower[number.len()..] {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1048576.0,
        "gib" => 1073741824.0,
        _ => return Err("give bytes, or a size such as 500M, 4G or 2GiB".to_owned()),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number >= 0.0 && number * unit < 1e18 => Ok((number * unit) as usize),
        _ => Err("give bytes, or a size such as 500M, 4G or 2GiB".to_owned()),
    }
}
