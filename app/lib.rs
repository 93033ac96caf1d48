//! The command-line program, which does all input and output. Each subcommand has its own file; this file dispatches to them.

// Without the feature `cluster`, the options of the engine are parsed but rejected.
#![cfg_attr(not(feature = "cluster"), allow(dead_code))]

mod about;
mod bitmap;
mod cache;
mod census;
mod check;
mod cluster;
mod compare;
mod completions;
mod csv;
mod draw;
mod effort;
mod explore;
#[cfg(feature = "cluster")]
mod export;
mod failure;
mod film;
mod generate;
mod graph;
mod help;
mod input;
mod kernel;
#[cfg(feature = "cluster")]
mod label;
mod lines;
mod list;
#[cfg(feature = "cluster")]
mod lookup;
mod output;
mod parallel;
mod plan;
mod play;
mod png;
mod serve;
mod solve;
mod supervise;
mod table;
mod tool;
mod trace;

#[cfg(not(feature = "cluster"))]
use cluster::{self as export, self as label, self as lookup};
use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};
use failure::Failure;
use help::command;
use kibitzer::catalog::{Entry, Games};

/// Solves combinatorial puzzles and games exactly: finds a least-cost plan, or proves that there is none.
#[derive(Parser)]
#[command(name = "kibitzer", version, propagate_version = true, max_term_width = 110, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the games, or the named boards of a game
    List(list::Args),
    /// Explain a game: rules, formats, options, methods
    About(about::Args),
    /// Find a least-cost plan, or prove that there is none; for two players, find the winner
    Solve(solve::Args),
    /// Verify answers independently: replay plans, check certificates
    Check(check::Args),
    /// Solve with several methods and compare them
    Compare(compare::Args),
    /// Show a search step by step: every expanded state, in order
    Trace(trace::Args),
    /// Draw a board
    Draw(draw::Args),
    /// Show a plan step by step in one HTML file
    Film(film::Args),
    /// Count all reachable positions by layer
    Explore(explore::Args),
    /// Solve every position of a two-player game and write a table of positions
    Label(label::Args),
    /// Look up the value of a position in a table of positions
    Lookup(lookup::Args),
    /// Write a table of positions as CSV, JSON lines or Parquet
    Export(export::Args),
    /// Show the sets of moves that change nothing
    Kernel(kernel::Args),
    /// Draw all positions and moves of a two-player game as a graph
    Graph(graph::Args),
    /// Solve many boards, one per input line, and write a table
    Census(census::Args),
    /// Generate a random solvable board, or a sheet of exercises with answers
    Generate(generate::Args),
    /// Play in the terminal, with hints
    Play(play::Args),
    /// Serve the page: play, edit and solve all games in a browser
    Serve(serve::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
}

/// Runs the program with the given games. A program with your own game needs only
/// `fn main() -> ExitCode { kibitzer_cli::main(&[Entry::one_player::<MyGame>()]) }`.
pub fn main(games: &[Entry]) -> ExitCode {
    let games = Games::leak(games);
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        let what = panic.payload_as_str().unwrap_or("no message");
        Failure::internal(format!("{what}{at}")).print();
    }));
    let code = match command(games).try_get_matches() {
        Ok(matches) => supervise::run(move || dispatch(games, &matches)),
        Err(error) => failure::from_clap(games, error),
    };
    ExitCode::from(code)
}

fn dispatch(games: Games, matches: &clap::ArgMatches) -> Result<u8, Failure> {
    let wrong = |error: clap::Error| Failure::internal(error.to_string());
    // The games' own commands are not variants of `Command`.
    if let Some((name, matches)) = matches.subcommand()
        && let Some(found) = help::tools(games).find(|tool| tool.name == name)
    {
        return tool::run(found, tool::Args::from_arg_matches(matches).map_err(wrong)?);
    }
    match Cli::from_arg_matches(matches).map_err(wrong)?.command {
        Command::List(args) => list::run(args, games),
        Command::About(args) => about::run(args, games),
        Command::Solve(args) => solve::run(args, games),
        Command::Check(args) => check::run(args, games),
        Command::Compare(args) => compare::run(args, games),
        Command::Trace(args) => trace::run(args, games),
        Command::Draw(args) => draw::run(args, games),
        Command::Film(args) => film::run(args, games),
        Command::Explore(args) => explore::run(args, games),
        Command::Label(args) => label::run(args, games),
        Command::Lookup(args) => lookup::run(args, games),
        Command::Export(args) => export::run(args, games),
        Command::Kernel(args) => kernel::run(args, games),
        Command::Graph(args) => graph::run(args, games),
        Command::Census(args) => census::run(args.with_flags(games, matches), games),
        Command::Generate(args) => generate::run(args, games),
        Command::Play(args) => play::run(args, games),
        Command::Serve(args) => serve::run(args, games),
        Command::Completions(args) => completions::run(args, games),
    }
}
