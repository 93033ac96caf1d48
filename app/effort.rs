//! The limits of the command line, and a progress bar.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kibitzer::limits::{Cancel, Crew, Limit, Limits, Progress, Sink};
use kibitzer::report::{bytes, grouped};

use crate::failure::Failure;
use crate::parallel;
use crate::supervise::{self, GRACE, Guard, Late};

/// Limits of a command that does not search.
#[derive(Args, Clone, Default)]
pub struct Budget {
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<f64>,
    /// Stop when more memory is needed, such as 500M or 4G [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<usize>,
}

#[derive(Args, Clone)]
pub struct Effort {
    #[command(flatten)]
    pub budget: Budget,
    /// Stop after expanding so many states
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
}

/// Work under limits: while this lives, the deadline and Ctrl-C set the cancel flag of its [`Limits`]. A command keeps one
/// from before its board is loaded until its result is formatted.
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

    /// Is progress shown on a terminal?
    pub fn shows(&self) -> bool {
        self.bar.is_some()
    }

    /// Shows what is being done, from any thread.
    pub fn stage(&self) -> Arc<dyn Fn(&str) + Send + Sync> {
        let bar = self.bar.clone();
        Arc::new(move |what| bar.iter().for_each(|bar| bar.set_prefix(what.to_owned())))
    }

    /// Shows what is being done, on a terminal.
    pub fn say(&self, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_prefix(what.to_owned());
            bar.tick();
        }
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
    /// Begins work. If it does not end shortly after its deadline, the program ends with an error.
    pub fn watch(&self, what: &str) -> Watch {
        self.watch_nodes(what, u64::MAX)
    }

    /// Like [`Budget::watch`], with a limit on nodes.
    pub fn watch_nodes(&self, what: &str, nodes: u64) -> Watch {
        self.begin(what, nodes, Some(Late { give_up: Box::new(|limit| Err(Failure::stopped(limit))), grace: GRACE }))
    }

    fn begin(&self, what: &str, nodes: u64, late: Option<Late>) -> Watch {
        let begun = Instant::now();
        let cancel = Cancel::default();
        let bar = bar(what);
        let deadline = self.time.map(|seconds| begun + Duration::from_secs_f64(seconds));
        let bytes = self.memory.unwrap_or_else(kibitzer_watch::default_limit);
        let guard = supervise::guard(&cancel, deadline, bytes, late, bar.clone());
        let progress = bar.clone().map(|bar| sink(bar, begun));
        Watch { limits: Limits { nodes, bytes, cancel, progress, crew: Some(crew()), ..Limits::none() }, begun, bar, _guard: guard }
    }
}

impl Effort {
    /// Begins work. If it does not end shortly after its deadline, the program ends with an error.
    pub fn watch(&self, what: &str) -> Watch {
        self.budget.watch_nodes(what, self.nodes.unwrap_or(u64::MAX))
    }

    /// Like [`Effort::watch`], but `give_up` prints the result if the work overruns.
    pub fn watch_or(&self, what: &str, give_up: impl Fn(Limit) -> Result<u8, Failure> + Send + 'static) -> Watch {
        self.watch_late(what, GRACE, give_up)
    }

    /// Like [`Effort::watch_or`], but leaves the work `grace` after its deadline: for one process among many.
    pub fn watch_late(&self, what: &str, grace: Duration, give_up: impl Fn(Limit) -> Result<u8, Failure> + Send + 'static) -> Watch {
        let late = Late { give_up: Box::new(give_up), grace };
        self.budget.begin(what, self.nodes.unwrap_or(u64::MAX), Some(late))
    }

    /// Like [`Effort::watch`], but never gives up on late work (interactive play). `time` is the default time limit.
    pub fn patient_watch(&self, what: &str, time: f64) -> Watch {
        let budget = Budget { time: self.budget.time.or(Some(time)), ..self.budget.clone() };
        budget.begin(what, self.nodes.unwrap_or(u64::MAX), None)
    }

    /// These limits with another time.
    pub fn with_time(&self, time: f64) -> Effort {
        Effort { budget: Budget { time: Some(time), ..self.budget.clone() }, ..self.clone() }
    }
}

/// All processors, for work that can be shared.
fn crew() -> Crew {
    let threads = parallel::threads();
    let run = move |job: &(dyn Fn() + Sync)| {
        std::thread::scope(|scope| {
            (1..threads).for_each(|_| drop(scope.spawn(job)));
            job();
        });
    };
    Crew { threads, run: Arc::new(run) }
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
