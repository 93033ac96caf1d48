//! `kibitzer solve GAME [FILE]`

use std::io::IsTerminal;
use std::path::PathBuf;

use kibitzer::catalog::Choice;
use kibitzer::outcome::Limit;
use kibitzer::report::{Answer, Report};
use kibitzer::search::WEIGHT_ONE;

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED, SPACE_LIMIT, TIME_LIMIT, UNSOLVABLE};
use crate::input::Board;
use crate::output;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer solve chexers                                  the sample, by the best method
  kibitzer solve chexers board.json --method astar:relaxed
  kibitzer solve chexers 'colour: red; pieces: (0,0)'     a short board in the file's place
  kibitzer solve chexers board.json --json --time 10
  cat board.json | kibitzer solve chexers -

`kibitzer about GAME` lists the methods. Ctrl-C stops a search like a time limit: what is known by then is printed.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// How to solve: a method, or a method and a heuristic
    #[arg(long, short, value_name = "METHOD[:HEURISTIC]")]
    method: Option<String>,
    /// How much more the estimate counts in weighted A*, from 1 to 1000
    #[arg(long, value_parser = weight, default_value = "2")]
    weight: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

pub fn run(args: Args) -> Result<u8, Failure> {
    let (entry, puzzle) = args.board.read()?;
    let choice = Choice { method: args.method, weight: args.weight };
    let (report, seconds) = args.effort.spend(entry.name, None, |limits| puzzle.solve(&choice, limits));
    let report = report?;
    let text = if args.json {
        format!("{}\n", report.json(seconds))
    } else if args.output.is_none() && std::io::stdout().is_terminal() {
        let picture: String = puzzle.position().picture.lines().map(|line| format!("# {line}\n")).collect();
        format!("{picture}{}", report.text(seconds))
    } else {
        report.text(seconds)
    };
    output::write(&text, args.output.as_deref())?;
    Ok(exit_code(&report))
}

pub fn exit_code(report: &Report) -> u8 {
    match report.answer {
        Answer::Solved { .. } => SOLVED,
        Answer::Unsolvable { .. } => UNSOLVABLE,
        Answer::Unknown { limit: Limit::Time, .. } => TIME_LIMIT,
        Answer::Unknown { limit: Limit::Memory | Limit::Nodes, .. } => SPACE_LIMIT,
    }
}

/// A decimal number as thousandths.
pub fn weight(text: &str) -> Result<u32, String> {
    match text.parse::<f64>() {
        Ok(weight) if (1.0..=1000.0).contains(&weight) => Ok((weight * f64::from(WEIGHT_ONE)).round() as u32),
        _ => Err("give a number from 1 to 1000, such as 1.5".to_owned()),
    }
}
