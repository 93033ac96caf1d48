//! `kibitzer play GAME [FILE]`: a game loop in the terminal. It reads lines, so it can be driven by a script too.

use std::io::{BufRead, IsTerminal, Write};

use kibitzer::catalog::{Choice, Games, LegalMove, Position, Puzzle};
use kibitzer::report::{Answer, Report, Written};
use serde_json::Value;

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED};
use crate::input::Board;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer play GAME
  kibitzer play GAME FILE

Type the number of a move or the move itself. Other words: hint, undo, redo, solve, moves, board, restart, save FILE,
help, quit; where two play also labels. The limits hold for reading the board, each time it is shown, and for each hint or
solution; their time is 60 seconds unless set.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Where two play: let the program move first
    #[arg(long)]
    second: bool,
    /// Limits each time the board is shown, and for each hint and solution
    #[command(flatten)]
    effort: Effort,
}

const HELP: &str = "\
  NUMBER or a move   make that move
  hint               the next move of a best plan
  solve              a best plan from here
  undo, redo         take back a move, or make it again
  moves, board       show the moves, or the board
  restart            go back to the start
  save FILE          write this position to a file
  quit               leave";

/// Seconds that a hint, a solution or showing the board may take.
pub const TIME: f64 = 60.0;

/// A game in progress: the moves made, and those taken back.
struct Game<'a> {
    start: &'a dyn Puzzle,
    effort: &'a Effort,
    made: Vec<Value>,
    undone: Vec<Value>,
    spent: u64,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    if args.board.file.as_deref() == Some("-") {
        return Err(Failure::input("standard input is where your moves come from", "put the board into a file"));
    }
    let (_, puzzle) = args.board.read(games, &args.effort.watch("reading").limits)?;
    if puzzle.duel().is_some() {
        return crate::duel::run(&*puzzle, &args.effort, args.second);
    }
    let mut game = Game { start: &*puzzle, effort: &args.effort, made: Vec::new(), undone: Vec::new(), spent: 0 };
    let mut prompt = Prompt::new();
    say("Type `help` for what you can do.");
    let (mut here, mut position) = game.look()?;
    show(&position, game.spent);
    loop {
        let Some(line) = prompt.next() else { return Ok(SOLVED) };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => continue,
            ["help" | "?"] => say(HELP),
            ["quit" | "exit" | "q"] => return Ok(SOLVED),
            ["moves"] => list(&position),
            ["board"] => show(&position, game.spent),
            ["hint"] => match solve(&args.effort, &*here)? {
                Some((report, moves)) if !moves.is_empty() => say(&format!("{}   ({})", moves[0].text, worth(&report))),
                Some(_) => say("There is nothing left to do."),
                None => {}
            },
            ["solve"] => {
                if let Some((report, moves)) = solve(&args.effort, &*here)? {
                    say(&format!("From here: {}.", worth(&report)));
                    moves.iter().for_each(|mv| say(&format!("  {}", mv.text)));
                }
            }
            ["save"] => say("Save where? Type `save FILE`."),
            ["save", file] if std::path::Path::new(file).exists() => say("There is a file with this name; type another one."),
            ["save", file] => {
                if let Err(failure) = crate::output::write(&position.instance, Some(std::path::Path::new(file))) {
                    say(&failure.message);
                }
            }
            words => {
                let changed = match words {
                    ["undo" | "u"] => game.made.pop().map(|mv| game.undone.push(mv)).ok_or("There is nothing to undo."),
                    ["redo" | "r"] => game.undone.pop().map(|mv| game.made.push(mv)).ok_or("There is nothing to redo."),
                    ["restart"] => {
                        game.made.clear();
                        game.undone.clear();
                        Ok(())
                    }
                    _ => game.make(&*here, &position, &line),
                };
                match changed {
                    Err(reason) => say(reason),
                    Ok(()) => {
                        (here, position) = game.look()?;
                        show(&position, game.spent);
                    }
                }
            }
        }
    }
}

impl Game<'_> {
    /// The puzzle that is left, and how it looks; counts what the moves so far cost.
    fn look(&mut self) -> Result<(Box<dyn Puzzle>, Position), Failure> {
        let fault = |error: kibitzer::catalog::MoveError| Failure::internal(error.to_string());
        let here = self.start.after(&self.made).map_err(fault)?;
        self.spent = self.start.cost(&self.made).map_err(fault)?;
        let position = here.position(&self.effort.patient_watch("drawing", TIME).limits)?;
        Ok((here, position))
    }

    /// Makes the move that the line names by number or by itself.
    fn make(&mut self, here: &dyn Puzzle, position: &Position, line: &str) -> Result<(), &'static str> {
        let number = || line.trim().parse::<usize>().ok().filter(|_| !are_numbers(&position.moves));
        let number = || number().and_then(|number| position.moves.get(number.checked_sub(1)?));
        let legal = here.meant(&Value::String(line.to_owned())).or_else(|| number().cloned());
        let legal = legal.ok_or("That is no legal move here and no word I know; type `moves` or `help`.")?;
        self.made.push(legal.json);
        self.undone.clear();
        Ok(())
    }
}

/// A best plan, or a word about why there is none.
fn solve(effort: &Effort, here: &dyn Puzzle) -> Result<Option<(Report, Vec<Written>)>, Failure> {
    let report = here.solve(&Choice::default(), &effort.patient_watch("thinking", TIME).limits)?;
    let moves = match &report.answer {
        Answer::Solved { moves, .. } => moves.clone(),
        Answer::Unknown { moves, upper: Some(_), .. } => moves.clone(),
        Answer::Decided(decided) => decided.best.clone(),
        Answer::Unsolvable { .. } => {
            say("There is no way to win from here.");
            return Ok(None);
        }
        Answer::Unknown { .. } => {
            say("I could not find out within the limits.");
            return Ok(None);
        }
    };
    Ok(Some((report, moves)))
}

fn worth(report: &Report) -> String {
    match report.answer {
        Answer::Solved { cost, optimal: true, .. } => format!("{cost} to go, and no plan is cheaper"),
        Answer::Solved { cost, .. } | Answer::Unknown { upper: Some(cost), .. } => format!("{cost} to go, perhaps fewer"),
        _ => "unknown".to_owned(),
    }
}

fn show(position: &Position, spent: u64) {
    say(&position.ascii);
    say(&format!("Cost so far: {spent}."));
    if position.goal {
        say("Solved. Type `restart`, `undo` or `quit`.");
    } else if position.moves.is_empty() {
        say("No move is left. Type `undo` or `restart`.");
    } else {
        list(position);
    }
}

/// Are moves written as numbers? Then these are not counted by other numbers.
fn are_numbers(moves: &[LegalMove]) -> bool {
    moves.iter().all(|mv| mv.text.bytes().all(|byte| byte.is_ascii_digit()))
}

fn list(position: &Position) {
    if are_numbers(&position.moves) {
        let numbers: Vec<u64> = position.moves.iter().filter_map(|mv| mv.text.parse().ok()).collect();
        let range = |run: &[u64]| match run {
            [one] => one.to_string(),
            _ => format!("{} to {}", run[0], run[run.len() - 1]),
        };
        let ranges: Vec<String> = numbers.chunk_by(|a, b| a + 1 == *b).map(range).collect();
        return say(&format!("Moves: {}", ranges.join(", ")));
    }
    for (at, mv) in position.moves.iter().enumerate() {
        say(&format!("  {:>3}  {}", at + 1, mv.text));
    }
}

/// The lines that a player types or a script sends.
pub struct Prompt {
    lines: std::io::Split<std::io::StdinLock<'static>>,
    shown: bool,
}

impl Prompt {
    pub fn new() -> Prompt {
        Prompt { lines: std::io::stdin().lock().split(b'\n'), shown: std::io::stdin().is_terminal() }
    }

    /// The next line. None at the end of the input, or if the reader of the output has gone away.
    pub fn next(&mut self) -> Option<String> {
        let mut out = std::io::stdout();
        if self.shown {
            let _ = out.write_all(b"> ");
        }
        out.flush().ok()?;
        Some(String::from_utf8_lossy(&self.lines.next()?.ok()?).into_owned())
    }
}

pub fn say(text: &str) {
    // A reader that has gone away is noticed at the prompt.
    let _ = writeln!(std::io::stdout(), "{text}");
}
