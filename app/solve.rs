//! `kibitzer solve GAME [FILE]`

use std::io::IsTerminal;
use std::path::PathBuf;

use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::limits::Limit;
use kibitzer::report::{Answer, Report};
use kibitzer::search;

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED, SPACE_LIMIT, TIME_LIMIT, UNSOLVABLE};
use crate::input::Board;
use crate::{output, picture};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer solve chexers                                  the sample, by the best method
  kibitzer solve chexers board.json --method astar:relaxed
  kibitzer solve chexers 'colour: red; pieces: (0,0)'     a short board in the file's place
  kibitzer solve chexers board.json --json --time 10
  cat board.json | kibitzer solve chexers -
  kibitzer solve edge P5                                  who wins on a path of 5 vertices, and by which moves
  kibitzer solve edge P5 --position '-,2,1,-,-'           from a position
  kibitzer solve pegs board.txt --course --method 'A*2'   as the course teaches it

`kibitzer about GAME` lists the methods. Ctrl-C stops a search like a time limit: what is known by then is printed.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// How to solve: a method, or a method and a heuristic
    #[arg(long, short, value_name = "METHOD[:HEURISTIC]")]
    method: Option<String>,
    /// Run a course's own algorithm, exactly as it is taught, and print what the course prints
    #[arg(long)]
    course: bool,
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
    let output = output::target(args.output, args.board.file.as_deref())?;
    let (entry, options, board) = args.board.load()?;
    if output.as_deref().is_some_and(picture::is_named) || board.is_large_picture(entry) {
        if args.course || args.method.as_ref().is_some_and(|method| method != "chase") {
            return Err(Failure::input(
                "boards that are pictures are solved by `chase` only",
                "leave `--method` out, or take a smaller board",
            ));
        }
        let source = board.into_picture(entry, &options)?;
        return picture::solve(entry, &source, &options, &args.effort, args.json, output.as_deref());
    }
    let puzzle = board.into_puzzle(entry, &options)?;
    let method = if args.course { Some(course_method(&*puzzle, args.method.as_deref())?) } else { args.method };
    let choice = Choice { method, weight: args.weight };
    let (report, seconds) = args.effort.spend(entry.name, None, |limits| puzzle.solve(&choice, limits));
    let report = report?;
    let text = if args.json {
        format!("{}\n", report.json(seconds))
    } else if args.course {
        course_text(&report)
    } else if output.is_none() && std::io::stdout().is_terminal() {
        let picture: String = puzzle.position().picture.lines().map(|line| format!("# {line}\n")).collect();
        format!("{picture}{}", report.text(seconds))
    } else {
        report.text(seconds)
    };
    output::write(&text, output.as_deref())?;
    Ok(exit_code(&report))
}

/// The course's algorithm with this name, upper or lower case.
fn course_method(puzzle: &dyn Puzzle, name: Option<&str>) -> Result<String, Failure> {
    let names: Vec<String> = puzzle.methods().into_iter().filter(|info| info.course).map(|info| info.name).collect();
    let words: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("course:")).collect();
    if words.is_empty() {
        return Err(Failure::input(format!("{} has no course algorithms", puzzle.game()), "leave `--course` out"));
    }
    let help = format!("the course's algorithms are {}, as in `--course --method {}`", words.join(", "), words[0]);
    let Some(name) = name else { return Err(Failure::input("`--course` needs a method", help)) };
    let bare = name.strip_prefix("course:").unwrap_or(name);
    let word = words.iter().find(|word| word.eq_ignore_ascii_case(bare));
    let word = word.ok_or_else(|| Failure::input(format!("the course has no algorithm `{name}`"), help))?;
    Ok(format!("course:{word}"))
}

/// The three lines that the course prints.
fn course_text(report: &Report) -> String {
    let removed = &report.facts["removed"];
    match &report.answer {
        Answer::Solved { cost, moves, .. } => {
            let moves: Vec<&str> = moves.iter().map(|mv| mv.text.as_str()).collect();
            format!("Number of removed nodes: {removed}\nPath cost: {cost}\nSolution: {}\n", moves.join(", "))
        }
        Answer::Unsolvable { .. } | Answer::Decided(_) => format!("Number of removed nodes: {removed}\nNo solution\n"),
        Answer::Unknown { limit, .. } => format!("Number of removed nodes: {removed}\nStopped: the {} was reached\n", limit.words()),
    }
}

pub fn exit_code(report: &Report) -> u8 {
    match report.answer {
        Answer::Solved { .. } | Answer::Decided(_) => SOLVED,
        Answer::Unsolvable { .. } => UNSOLVABLE,
        Answer::Unknown { limit: Limit::Time, .. } => TIME_LIMIT,
        Answer::Unknown { limit: Limit::Memory | Limit::Nodes, .. } => SPACE_LIMIT,
    }
}

/// A decimal number as thousandths.
pub fn weight(text: &str) -> Result<u32, String> {
    text.parse().ok().and_then(search::weight).ok_or_else(|| "give a number from 1 to 1000, such as 1.5".to_owned())
}
