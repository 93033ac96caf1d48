//! Replaces the cluster engine in builds without it. Each task returns an error with the command that builds the engine.

use std::ffi::OsString;
use std::sync::OnceLock;

use kibitzer::catalog::Games;
use kibitzer::limits::Limits;
use kibitzer::report::Report;

use super::{CensusTask, ClusterArgs, ExploreTask, SolveTask, WholeSpace};
use crate::effort::Watch;
use crate::failure::Failure;

fn absent<T>() -> Result<T, Failure> {
    let help = "build it with `cargo install --path app --features cluster` (see docs/cluster.md)";
    Err(Failure::input("this program was built without the feature `cluster`", help))
}

/// Accepts any arguments of a command that needs the cluster engine.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

/// Refuses a command that needs the cluster engine.
pub fn run(_: Args, _: Games) -> Result<u8, Failure> {
    absent()
}

impl ExploreTask<'_> {
    pub fn run(&self, _: &Watch) -> Result<WholeSpace, Failure> {
        absent()
    }
}

impl SolveTask<'_> {
    pub fn run(&self, _: &OnceLock<String>, _: &Limits) -> Result<(Report, f64), Failure> {
        absent()
    }
}

impl CensusTask {
    pub fn run(self, _: &ClusterArgs, _: Vec<(String, String)>, _: &Limits) -> Result<usize, Failure> {
        absent()
    }
}
