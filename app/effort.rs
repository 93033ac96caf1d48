//! The limits set on the command line, and the progress bar.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kibitzer::limits::{Cancel, Limit, Limits, Progress, Sink, Threads};
use kibitzer::report::{bytes, grouped};

use crate::failure::Failure;
use crate::parallel;
use crate::supervise::{self, GRACE, Guard, Late};

/// Limits for a command that does not search.
#[derive(Args, Clone, Default)]
pub struct Budget {
    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<f64>,
    /// Memory limit, such as 500M or 4G [default: three quarters of free memory]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<usize>,
}

#[derive(Args, Clone)]
pub struct Effort {
    #[command(flatten)]
    pub budget: Budget,
    /// Stop after expanding N states
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
}

/// A piece of work under limits. While this value exists, the deadline and Ctrl-C set the cancel flag of its [`Limits`]. A command creates
/// its watch before it loads the board, and drops it after it has formatted the result.
pub struct Watch {
    pub limits: Limits,
    begun: Instant,
    bar: Option<ProgressBar>,
    _guard: Guard,
}

impl Watch {
    /// Seconds since the work began.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// True if progress is shown on a terminal.
    pub fn shows(&self) -> bool {
        self.bar.is_some()
    }

    /// Returns a function that shows the current stage and can be called from any thread.
    pub fn stage(&self) -> Arc<dyn Fn(&str) + Send + Sync> {
        let bar = self.bar.clone();
        Arc::new(move |what| {
            if let Some(bar) = &bar {
                bar.set_prefix(what.to_owned());
                bar.tick();
            }
        })
    }

    /// Shows the current stage.
    pub fn say(&self, what: &str) {
        self.stage()(what);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Budget {
    /// Starts the watch. If the work does not end shortly after its deadline, the program ends with an error.
    pub fn watch(&self, what: &str) -> Watch {
        self.watch_nodes(what, None)
    }

    /// Like [`Budget::watch`], but also limits the number of nodes.
    pub fn watch_nodes(&self, what: &str, nodes: Option<u64>) -> Watch {
        self.begin(what, nodes, Some(Late { give_up: Box::new(|limit| Err(Failure::stopped(limit))), grace: GRACE }))
    }

    fn begin(&self, what: &str, nodes: Option<u64>, late: Option<Late>) -> Watch {
        let begun = Instant::now();
        let cancel = Cancel::default();
        let bar = std::io::stderr().is_terminal().then(|| spinner("{prefix}  {elapsed}  {msg}").with_prefix(what.to_owned()));
        let deadline = self.time.map(|seconds| begun + Duration::from_secs_f64(seconds));
        let bytes = self.memory.unwrap_or_else(kibitzer_watch::default_limit);
        let guard = supervise::guard(&cancel, deadline, bytes, late, bar.clone());
        let progress = bar.clone().map(|bar| sink(bar, begun));
        let nodes = nodes.unwrap_or(u64::MAX);
        Watch { limits: Limits { nodes, bytes, cancel, progress, threads: Some(threads()), ..Limits::none() }, begun, bar, _guard: guard }
    }
}

impl Effort {
    /// Like [`Budget::watch`], but also applies the node limit.
    pub fn watch(&self, what: &str) -> Watch {
        self.budget.watch_nodes(what, self.nodes)
    }

    /// Like [`Effort::watch`], but if the work does not end within `grace` after its deadline, `give_up` prints the result and the program
    /// ends.
    pub fn watch_or(&self, what: &str, grace: Duration, give_up: impl Fn(Limit) -> Result<u8, Failure> + Send + Sync + 'static) -> Watch {
        self.budget.begin(what, self.nodes, Some(Late { give_up: Box::new(give_up), grace }))
    }

    /// Like [`Effort::watch`], but waits for work that overruns its time limit (in interactive play). `time` is the default time limit.
    pub fn patient_watch(&self, what: &str, time: f64) -> Watch {
        self.with_time(self.budget.time.unwrap_or(time)).budget.begin(what, self.nodes, None)
    }

    /// Returns these limits with a different time limit.
    pub fn with_time(&self, time: f64) -> Effort {
        Effort { budget: Budget { time: Some(time), ..self.budget.clone() }, ..self.clone() }
    }
}

/// A pool that runs parallel work on all processors.
fn threads() -> Threads {
    let threads = parallel::threads();
    let run = move |job: &(dyn Fn() + Sync)| {
        std::thread::scope(|scope| {
            (1..threads).for_each(|_| drop(scope.spawn(job)));
            job();
        });
    };
    Threads { count: threads, run: Arc::new(run) }
}

fn sink(bar: ProgressBar, begun: Instant) -> Sink {
    let shown = Mutex::new(begun);
    Arc::new(move |progress| {
        let Ok(mut shown) = shown.try_lock() else { return };
        if shown.elapsed() > Duration::from_millis(100) {
            *shown = Instant::now();
            bar.set_message(words(progress));
            bar.tick();
        }
    })
}

/// A progress bar for work of unknown length: a spinner, followed by the template.
pub fn spinner(template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{spinner}} {template}")).expect("the template is valid");
    ProgressBar::new_spinner().with_style(style)
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

pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=1e9).contains(seconds));
    seconds.ok_or_else(|| "expected a number of seconds, such as 10 or 0.5".to_owned())
}

pub fn size(text: &str) -> Result<usize, String> {
    let lower = text.to_lowercase();
    let number = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &lower[number.len()..] {
        "" | "b" => Some(1.0),
        "k" | "kb" => Some(1e3),
        "m" | "mb" => Some(1e6),
        "g" | "gb" => Some(1e9),
        "kib" => Some(1024.0),
        "mib" => Some(1048576.0),
        "gib" => Some(1073741824.0),
        _ => None,
    };
    let bytes = unit.zip(number.trim().parse::<f64>().ok()).map(|(unit, number)| number * unit);
    let bytes = bytes.filter(|bytes| (0.0..1e18).contains(bytes)).map(|bytes| bytes as usize);
    bytes.ok_or_else(|| "expected a number of bytes, or a size such as 500M, 4G or 2GiB".to_owned())
}
