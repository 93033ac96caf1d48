//! `kibitzer film GAME [FILE]`

use std::io::IsTerminal;
use std::path::PathBuf;

use kibitzer::catalog::{Choice, Games};
use kibitzer::film::{Film, FilmError};

use crate::effort::Effort;
use crate::failure::{Failure, UNSOLVABLE};
use crate::input::Board;
use crate::{output, plan};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  # The best plan for the sample board or, with two players, best play
  kibitzer film GAME -o film.html
  kibitzer film GAME FILE -o film.html --time 60
  kibitzer film GAME FILE --plan answer.json -o film.html
  kibitzer film GAME FILE --plan 'MOVE; MOVE' > film.html

The file is self-contained: open it in any browser, even offline. Step or play with the buttons, the slider or the keyboard (arrows, \
Space, Home, End, + and -). Printed on paper, the film shows one drawing per step.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Show these moves instead of the best ones: 'MOVE; MOVE', a file with an answer or a plan, or `-` for standard input
    #[arg(long, visible_alias = "answer", value_name = "MOVES", allow_hyphen_values = true)]
    plan: Option<String>,
    /// Method that finds the plan, with an optional heuristic
    #[arg(long, short, value_name = "METHOD[:HEURISTIC]", conflicts_with = "plan")]
    method: Option<String>,
    /// Write to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let output = output::target(args.output, args.board.file.as_deref())?;
    if output.is_none() && std::io::stdout().is_terminal() {
        return Err(Failure::input("a film is an HTML file and cannot be printed to the terminal", "choose a file, as in `-o film.html`"));
    }
    let ending = output::ending(output.as_deref());
    if let Some(ending) = ending.filter(|ending| !["html", "htm"].contains(&ending.as_str())) {
        return Err(Failure::input(format!("cannot write a film as .{ending}"), "use an .html file, which any browser can open"));
    }
    if args.plan.as_deref() == Some("-") && args.board.file.as_deref() == Some("-") {
        return Err(Failure::input("the board and the plan cannot both come from standard input", "pass a file for one of them"));
    }
    let watch = args.effort.watch("filming");
    let limits = &watch.limits;
    let (entry, puzzle) = args.board.read(games, limits)?;
    let moves = args.plan.map(|plan| plan::read(entry, &plan, limits)).transpose()?;
    let film = match &moves {
        Some(moves) => Film::of(&*puzzle, moves, limits),
        None => Film::best(&*puzzle, &Choice { method: args.method, ..Choice::default() }, limits),
    };
    let film = film.map_err(|error| match error {
        FilmError::Solve(error) => error.into(),
        FilmError::Move(error) => plan::illegal(&*puzzle, moves.as_deref().unwrap_or_default(), &error, limits),
        FilmError::Limit(limit) => limit.into(),
        FilmError::Unsolvable => {
            let help = "`kibitzer solve` explains why; `--plan` also films moves that do not solve it";
            Failure { code: UNSOLVABLE, ..Failure::input(error.to_string(), help) }
        }
        FilmError::TooLarge => Failure::input(error.to_string(), "use a smaller board, or film a part of the plan with `--plan`"),
    })?;
    output::write(&film.html(), output.as_deref())
}
