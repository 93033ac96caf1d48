//! `kibitzer check GAME FILE ANSWER`

use kibitzer::catalog::Checked;
use kibitzer::report::Claim;
use serde_json::json;

use crate::effort::Effort;
use crate::failure::{BAD_INPUT, Failure, SOLVED, SPACE_LIMIT};
use crate::input::{self, Board};
use crate::{output, picture};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer solve chexers board.json --json -o answer.json
  kibitzer check chexers board.json answer.json
  kibitzer check chexers board.json plan.txt       a plan as text, one move per line

A plan is replayed by the rules, a certificate is checked by its own checker, and claims about all plans (none exists,
none is cheaper) are confirmed by a plain search over at most --states states. No solver's code is used.
Exit code 0: the answer holds. 2: it is wrong or cannot be read. 20: it could not be decided within the limits.")]
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
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = crate::effort::seconds)]
    time: Option<f64>,
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
    let (entry, options, board) = board.load()?;
    if picture::is_file(&args.answer) {
        let checked = picture::check(entry, &board.into_picture(entry, &options)?, &args.answer, &options)?;
        return told(checked.map(|text| Checked { text, verified: true, complete: true }), args.json);
    }
    let puzzle = board.into_puzzle(entry, &options)?;
    let text = match args.answer.as_str() {
        "-" => input::read_all(std::io::stdin(), "standard input")?,
        name => {
            let file = std::fs::File::open(name).map_err(|error| input::cannot_read(name, &error))?;
            input::read_all(file, name)?
        }
    };
    let remedy = "an answer is what `kibitzer solve --json` prints, or a plan with one move per line";
    let claim = Claim::read(&text, entry.name).map_err(|message| Failure::input(message, remedy))?;
    let effort = Effort { time: args.time, memory: None, nodes: Some(args.states) };
    let (checked, _) = effort.spend("checking", None, |limits| puzzle.check(&claim, limits));
    told(checked, args.json)
}

/// Says what was found out.
fn told(checked: Result<Checked, String>, as_json: bool) -> Result<u8, Failure> {
    let code = match &checked {
        Ok(Checked { verified: true, .. }) => SOLVED,
        Ok(_) => SPACE_LIMIT,
        Err(_) => BAD_INPUT,
    };
    if as_json {
        let object = match &checked {
            Ok(checked) => json!({"verified": checked.verified, "complete": checked.complete, "text": checked.text}),
            Err(text) => json!({"verified": false, "complete": true, "text": text}),
        };
        output::write(&format!("{object}\n"), None)?;
        return Ok(code);
    }
    match checked {
        Ok(checked) => {
            let word = if checked.verified { "correct: " } else { "" };
            output::write(&format!("{word}{}\n", checked.text), None)?;
            Ok(code)
        }
        Err(text) => Err(Failure::input(format!("the answer is wrong: {text}"), "compare it with `kibitzer solve` on the same board")),
    }
}
