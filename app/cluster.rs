//! Options and tasks for the cluster engine, which uses many workers and machines, and can store more states than fit in memory.
//!
//! The engine takes a fifth of the build time, so it is an optional feature. Without the feature,
//! `absent` replaces the engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kibitzer::catalog::{Entry, Exploration, Puzzle};

use crate::explore::SoFar;
use crate::failure::Failure;

#[cfg(feature = "cluster")]
mod engine;
#[cfg(feature = "cluster")]
pub use engine::{StateFile, open_table};
#[cfg(not(feature = "cluster"))]
#[path = "cluster/absent.rs"]
mod engine;
#[cfg(not(feature = "cluster"))]
pub use engine::{Args, run};

/// The options for the threads and processes that work together.
#[derive(clap::Args, Clone)]
pub struct ClusterArgs {
    /// Number of threads in each process
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub workers: Option<u16>,
    /// Work with other processes; FILE lists the `host:port` of all processes, one per line
    #[arg(long, value_name = "FILE", requires = "process")]
    pub hosts: Option<String>,
    /// Index of this process in the hosts file, from 0
    #[arg(long, value_name = "I", requires = "hosts")]
    pub process: Option<usize>,
    /// Address to listen on instead of the one in the hosts file
    #[arg(long, value_name = "ADDRESS:PORT", requires = "hosts")]
    pub bind: Option<String>,
    /// Maximum time to wait for the other processes
    #[arg(long, value_name = "SECONDS", requires = "hosts", default_value_t = 120)]
    pub wait: u64,
}

impl ClusterArgs {
    /// True if the cluster engine was requested.
    pub fn is_asked_for(&self) -> bool {
        self.workers.is_some() || self.hosts.is_some()
    }
}

/// Files and folders that remain after the run.
#[derive(clap::Args, Clone)]
pub struct Disk {
    /// Store finished layers in DIR: allows spaces larger than memory; rerun the same command to resume
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// Write a table of positions for `lookup` and `export`
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
}

/// A space to explore.
pub struct ExploreTask<'a> {
    pub entry: &'static Entry,
    pub puzzle: Arc<dyn Puzzle>,
    pub options: Vec<String>,
    pub cluster: &'a ClusterArgs,
    pub disk: &'a Disk,
    /// Collects finished layers.
    pub so_far: Option<Arc<SoFar>>,
}

/// The counts of a whole space, and some positions of its deepest layer.
pub struct WholeSpace {
    pub exploration: Exploration,
    pub deepest: Vec<String>,
    pub sent: u64,
    pub messages: u64,
}

/// A board for which a plan is to be found.
pub struct SolveTask<'a> {
    pub entry: &'static Entry,
    pub puzzle: &'a dyn Puzzle,
    pub options: &'a [String],
    /// The name of the heuristic: empty for no heuristic, `None` for the game's default.
    pub heuristic: Option<&'a str>,
    /// True if no method was requested, so that a short proof that there is no plan is also an answer.
    pub free: bool,
    pub cluster: &'a ClusterArgs,
    pub checkpoint: Option<&'a Path>,
}

/// Computes the row with the given number.
type RowOf = dyn Fn(usize) -> Result<Option<String>, Failure> + Send + Sync;

type WriteRows = dyn Fn(&str) -> std::io::Result<()> + Send + Sync;

/// The rows of a census, computed by the workers of many processes and written by the first process.
pub struct CensusTask {
    /// The number of rows.
    pub count: usize,
    /// The number of rows already written, which only the first process needs to know.
    pub done: usize,
    /// Computes a row, with its line ending; `None` if a limit was reached.
    pub row: Box<RowOf>,
    /// Writes rows, in order. Called only by the first worker.
    pub write: Box<WriteRows>,
}

/// Returns an error for one-player games, which have no labels.
pub fn needs_two(entry: &Entry) -> Result<(), Failure> {
    if entry.players == 2 {
        return Ok(());
    }
    let message = format!("{} is for one player: its positions have no winner", entry.name);
    Err(Failure::input(message, "`kibitzer explore` counts its positions, `kibitzer solve` finds a least-cost plan"))
}
