//! `kibitzer check GAME FILE ANSWER`

use kibitzer::catalog::Checked;
use serde_json::json;

use crate::effort::Budget;
use crate::failure::{Failure, SOLVED, SPACE_LIMIT, WRONG, limit_code};
use crate::input::{self, Board};
use crate::{bitmap, output};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer solve GAME FILE --json -o answer.json
  kibitzer check GAME FILE answer.json
  kibitzer check GAME FILE plan.txt        a plan as text, one move per line

A plan is replayed by the rules, a certificate is checked by its own checker, and claims about all plans (none exists,
none is cheaper) are confirmed by a plain search over at most --states states. No solver's code is used.
Exit code 0: everything that the answer claims is confirmed. 1: a claim is wrong. 2: the answer cannot be read. 20 or 21: a
claim could not be decided within the limits. `kibitzer about GAME` lists what an answer can claim.")]
pub struct Args {
    /// The game; `kibitzer list` shows them
    game: String,
    /// The board: a file, `-` for standard input, or a short board itself
    file: String,
    /// The answer: JSON as `solve --json` prints it, or a plan as text; `-` for standard input
    answer: String,
    /// Most states that the plain search may look at
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    states: u64,
    #[command(flatten)]
    budget: Budget,
    /// A graph, as given to `solve`
    #[arg(long, value_name = "GRAPH")]
    graph: Option<String>,
    /// A variant of the game, as given to `solve`
    #[arg(long = "option", short = 'O', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Where play starts, as given to `solve`
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<u8, Failure> {
    if args.answer == "-" && args.file == "-" {
        return Err(Failure::input("board and answer cannot both come from standard input", "name a file for one of them"));
    }
    let board = Board { game: args.game, file: Some(args.file), graph: args.graph, options: args.options, position: args.position };
    let watch = args.budget.watch_nodes("checking", args.states);
    let limits = &watch.limits;
    let (entry, options, board) = board.load(limits)?;
    if bitmap::is_file(&args.answer) {
        let source = board.into_bitmap(entry, &options, limits)?;
        let checked = bitmap::check(entry, &source, &args.answer, &options, limits)?;
        return print(checked.map(|text| Checked { text, undecided: Vec::new() }), args.json, SPACE_LIMIT);
    }
    let puzzle = board.into_puzzle(entry, &options, limits)?;
    let text = match args.answer.as_str() {
        "-" => input::read_all(std::io::stdin(), "standard input", limits)?,
        name => input::read_all(input::open(name)?, name, limits)?,
    };
    let remedy = "an answer is what `kibitzer solve --json` prints, or a plan with one move per line";
    let claim = entry.claim(&text).map_err(|message| Failure::input(message, remedy))?;
    let checked = puzzle.check(&claim, limits);
    print(checked, args.json, limits.check().err().map_or(SPACE_LIMIT, limit_code))
}

/// Prints what was found out; `undecided` is the exit code if something was not.
fn print(checked: Result<Checked, String>, as_json: bool, undecided: u8) -> Result<u8, Failure> {
    let code = match &checked {
        Ok(checked) if checked.complete() => SOLVED,
        Ok(_) => undecided,
        Err(_) => WRONG,
    };
    if as_json {
        let object = match &checked {
            Ok(checked) => json!({
                "verified": checked.complete(), "complete": checked.complete(), "text": checked.text, "undecided": checked.undecided,
            }),
            Err(text) => json!({"verified": false, "complete": true, "text": text, "undecided": []}),
        };
        output::write(&format!("{object}\n"), None)?;
        return Ok(code);
    }
    match checked {
        Ok(checked) if checked.complete() => output::write(&format!("correct: {}\n", checked.text), None)?,
        Ok(checked) => {
            let fields: Vec<String> = checked.undecided.iter().map(|name| format!("`{name}`")).collect();
            output::write(&format!("not decided: {}; {}\n", fields.join(", "), checked.text), None)?;
        }
        Err(text) => return Err(Failure::wrong(format!("the answer is wrong: {text}"))),
    }
    Ok(code)
}
