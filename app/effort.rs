//! What a solver may spend: the limits of the command line, Ctrl-C, and progress for the person who waits.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, mpsc};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kibitzer::limits::{Cancel, Limit, Limits, Progress, Sink};
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

/// Work under way, each piece with the flag that ends it.
static RUNNING: Mutex<Vec<(u64, Cancel)>> = Mutex::new(Vec::new());
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// Was Ctrl-C pressed?
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The list above; a thread that panicked while holding it left it whole.
fn running() -> MutexGuard<'static, Vec<(u64, Cancel)>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on the first Ctrl-C asks the work under way to stop; the second one, or one while there is none, ends the program.
fn catch_interrupts() {
    HANDLER.call_once(|| {
        let handler = || {
            let running = running();
            if INTERRUPTED.swap(true, Ordering::Relaxed) || running.is_empty() {
                std::process::exit(130);
            }
            running.iter().for_each(|(_, cancel)| cancel.stop(Limit::Time));
        };
        // Without a handler Ctrl-C simply ends the program.
        let _ = ctrlc::set_handler(handler);
    });
}

/// Work under limits: while this lives, the deadline and Ctrl-C set the cancel flag of its [`Limits`].
pub struct Watch {
    pub limits: Limits,
    begun: Instant,
    number: u64,
    bar: Option<ProgressBar>,
    /// Dropped to end the thread that waits for the deadline.
    done: Option<mpsc::Sender<()>>,
}

impl Watch {
    /// Since it began.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.take();
        running().retain(|(number, _)| *number != self.number);
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Effort {
    /// Begins work under these limits. `time` is used where none was asked for.
    pub fn watch(&self, what: &str, time: Option<f64>) -> Watch {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        catch_interrupts();
        INTERRUPTED.store(false, Ordering::Relaxed);
        let begun = Instant::now();
        let cancel = Cancel::default();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        running().push((number, cancel.clone()));
        let done = self.time.or(time).map(|seconds| {
            let (done, ended) = mpsc::channel();
            let cancel = cancel.clone();
            std::thread::spawn(move || {
                if ended.recv_timeout(Duration::from_secs_f64(seconds)) == Err(mpsc::RecvTimeoutError::Timeout) {
                    cancel.stop(Limit::Time);
                }
            });
            done
        });
        let bar = bar(what);
        let progress = bar.clone().map(|bar| {
            let shown = Mutex::new(begun);
            let sink: Sink = Arc::new(move |progress| {
                let Ok(mut shown) = shown.try_lock() else { return };
                if shown.elapsed() > Duration::from_millis(100) {
                    *shown = Instant::now();
                    bar.set_message(words(progress));
                    bar.tick();
                }
            });
            sink
        });
        let (nodes, bytes) = (self.nodes.unwrap_or(u64::MAX), self.memory.unwrap_or_else(default_memory));
        Watch { limits: Limits { nodes, bytes, cancel, progress }, begun, number, bar, done }
    }

    /// Runs `work` under these limits and says how long it took, in seconds. `time` is used where none was asked for.
    pub fn spend<T>(&self, what: &str, time: Option<f64>, work: impl FnOnce(&Limits) -> T) -> (T, f64) {
        let watch = self.watch(what, time);
        let done = work(&watch.limits);
        let seconds = watch.seconds();
        (done, seconds)
    }
}

fn bar(what: &str) -> Option<ProgressBar> {
    std::io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template("{spinner} {prefix}  {elapsed}  {msg}").expect("the template is right");
        ProgressBar::new_spinner().with_style(style).with_prefix(what.to_owned())
    })
}

fn words(progress: &Progress) -> String {
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
