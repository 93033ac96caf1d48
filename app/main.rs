//! The program: everything that touches the world. One file per subcommand; this one has the command line and exit codes.

mod about;
mod census;
mod check;
mod compare;
mod completions;
mod draw;
mod duel;
mod edcn;
mod effort;
mod explore;
mod failure;
mod generate;
mod graph;
mod input;
mod kernel;
mod list;
mod output;
mod picture;
mod play;
mod serve;
mod solve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use failure::{Failure, INTERNAL};

/// Solves combinatorial puzzles and games exactly: the least-cost plan, or a proof that there is none.
#[derive(Parser)]
#[command(name = "kibitzer", version, propagate_version = true, max_term_width = 110, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  kibitzer list                                  the games
  kibitzer solve chexers                         solve a game's own sample
  kibitzer solve chexers board.json --json       the answer as JSON
  kibitzer compare chexers board.json            every method side by side
  kibitzer play chexers                          play, with hints
  kibitzer serve                                 the same and more in a browser

Exit codes: 0 solved, 10 proved unsolvable, 20 memory or node limit, 21 time limit or Ctrl-C,
2 bad input or usage, 30 internal error.";

#[derive(Subcommand)]
enum Command {
    /// List the games
    List(list::Args),
    /// Explain a game: rules, formats, options, methods
    About(about::Args),
    /// Find a least-cost plan, or prove that there is none
    Solve(solve::Args),
    /// Verify an answer independently: replay a plan or check a certificate
    Check(check::Args),
    /// Solve with many methods and show them side by side
    Compare(compare::Args),
    /// Draw a board
    Draw(draw::Args),
    /// Walk through all reachable positions and count them
    Explore(explore::Args),
    /// Show the sets of moves that change nothing
    Kernel(kernel::Args),
    /// Draw all positions and moves of a two-player game as a graph
    Graph(graph::Args),
    /// Find the least number of colors that tells all edges of a graph apart
    Edcn(edcn::Args),
    /// Decide a game on many graphs: graph6 lines in, one row of a table out for each
    Census(census::Args),
    /// Make a random solvable board
    Generate(generate::Args),
    /// Play in the terminal, with hints
    Play(play::Args),
    /// Open the page: see, play, edit, solve and understand all games in a browser
    Serve(serve::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
}

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        let what = panic.payload_as_str().unwrap_or("no message");
        Failure::internal(format!("{what}{at}")).print();
    }));
    let code = std::panic::catch_unwind(run).unwrap_or(INTERNAL);
    ExitCode::from(code)
}

fn run() -> u8 {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return failure::from_clap(error),
    };
    let done = match cli.command {
        Command::List(args) => list::run(args),
        Command::About(args) => about::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Check(args) => check::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Draw(args) => draw::run(args),
        Command::Explore(args) => explore::run(args),
        Command::Kernel(args) => kernel::run(args),
        Command::Graph(args) => graph::run(args),
        Command::Edcn(args) => edcn::run(args),
        Command::Census(args) => census::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Play(args) => play::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Completions(args) => completions::run(args),
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            failure.print();
            failure.code
        }
    }
}
