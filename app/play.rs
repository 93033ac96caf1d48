//! `kibitzer play GAME [FILE]`: a game loop in the terminal. In two-player games, the program is the opponent. Input is read line by
//! line, so a script can also drive it.

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use kibitzer::catalog::{Choice, Duel, Games, LegalMove, MoveError, MoveValue, Position, Puzzle};
use kibitzer::gamegraph::opponent::Opponent;
use kibitzer::limits::Limits;
use kibitzer::report::Answer;
use kibitzer::rules::Score;
use serde_json::Value;

use crate::effort::{Effort, Watch};
use crate::failure::{Failure, SOLVED};
use crate::input::Board;
use crate::output;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer play GAME
  kibitzer play GAME FILE
  # An opponent that looks two moves ahead
  kibitzer play GAME --opponent 2

Type the number of a move, the move itself, or one of these commands: hint, undo, redo, solve (one player), labels (two players), \
moves, board, restart, save FILE, help, quit.

The limits apply separately to reading the board, to each drawing of it, and to each hint or solution. The default time limit is \
60 seconds.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Two-player games: let the program move first
    #[arg(long)]
    second: bool,
    /// Two-player games: play perfectly, at random, or look N moves ahead [default: perfect]
    #[arg(long, value_name = "perfect|random|N", value_parser = str::parse::<Opponent>)]
    opponent: Option<Opponent>,
    /// Seed of the opponent's random moves [default: a new one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    effort: Effort,
}

const HELP: &str = "\
  undo, redo         take back a move, or make it again
  moves, board       show the moves, or the board
  restart            go back to the start
  save FILE          write this position to a file
  quit               leave";

const HELP_ONE: &str = "\
  NUMBER or a move   make that move
  hint               the next move of a best plan
  solve              a best plan from here";

const HELP_TWO: &str = "\
  NUMBER or a move   make that move; the program answers
  hint               a best move
  labels             all moves, labeled by the position they lead to: P wins, D draws, N loses";

const NOTHING_LEFT: &str = "There is nothing left to do.";
const UNDECIDED: &str = "Not decided within the limits.";

/// Default time limit for a hint, a solution or a drawing of the board, in seconds.
const TIME: f64 = 60.0;

/// A game in progress.
struct Session<'a> {
    start: &'a dyn Puzzle,
    effort: &'a Effort,
    /// The player (1 or 2) that the user plays in a two-player game.
    player: Option<u8>,
    opponent: Opponent,
    seed: u64,
    made: Vec<Value>,
    undone: Vec<Value>,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    if args.board.file.as_deref() == Some("-") {
        return Err(Failure::input(
            "`play` reads moves from standard input, so the board cannot come from there",
            "put the board in a file",
        ));
    }
    let (_, puzzle) = args.board.read(games, &args.effort.watch("reading").limits)?;
    let player = puzzle.duel().map(|_| if args.second { 2 } else { 1 });
    if args.opponent.is_some() && player.is_none() {
        return Err(Failure::input(format!("{} has one player, so there is no opponent", puzzle.game()), "leave out `--opponent`"));
    }
    let opponent = args.opponent.unwrap_or_default();
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let mut session = Session { start: &*puzzle, effort: &args.effort, player, opponent, seed, made: Vec::new(), undone: Vec::new() };
    let mut prompt = Prompt::new();
    let you = player.map(|player| format!("You are player {player}. ")).unwrap_or_default();
    say(&format!("{you}Type `help` for a list of commands."));
    loop {
        let here = puzzle.after(&session.made).map_err(fault)?;
        let position = here.position(&session.watch("drawing").limits)?;
        if !session.is_yours(&*here) && !position.moves.is_empty() {
            if session.made.is_empty() {
                say(&position.ascii);
            }
            session.answer(&*here)?;
            continue;
        }
        say(&session.shown(&*here, &position)?);
        loop {
            let Some(line) = prompt.next() else { return Ok(SOLVED) };
            let words: Vec<&str> = line.split_whitespace().collect();
            if let ["quit" | "exit" | "q"] = words.as_slice() {
                return Ok(SOLVED);
            }
            match session.reply(&words, &*here, &position) {
                Ok(None) => match session.change(&words, &line, &*here, &position.moves) {
                    Ok(()) => break,
                    Err(reason) => say(reason),
                },
                Err(failure) if failure.limit.is_some() => say(UNDECIDED),
                text => text?.iter().filter(|text| !text.is_empty()).for_each(|text| say(text)),
            }
        }
    }
}

fn fault(error: MoveError) -> Failure {
    Failure::internal(error.to_string())
}

impl Session<'_> {
    fn watch(&self, what: &str) -> Watch {
        self.effort.patient_watch(what, TIME)
    }

    /// True if it is the user's turn.
    fn is_yours(&self, here: &dyn Puzzle) -> bool {
        here.duel().is_none_or(|duel| Some(duel.turn()) == self.player)
    }

    /// Makes a move for the program.
    fn answer(&mut self, here: &dyn Puzzle) -> Result<(), Failure> {
        let reply = duel(here)?.reply(self.opponent, self.seed, &self.watch("thinking").limits)?;
        let reply = reply.ok_or_else(|| Failure::internal("a position with moves has no reply"))?;
        if self.opponent == Opponent::Perfect && reply.score.is_none() {
            say(UNDECIDED);
        }
        say(&format!("I play {}.", reply.mv.text));
        self.made.push(reply.mv.json);
        Ok(())
    }

    /// The reply to a command that leaves the position unchanged. `None` if the line is a move or another command.
    fn reply(&self, words: &[&str], here: &dyn Puzzle, position: &Position) -> Result<Option<String>, Failure> {
        let two = self.player.is_some();
        Ok(Some(match words {
            [] => String::new(),
            ["help" | "?"] => format!("{}\n{HELP}", if two { HELP_TWO } else { HELP_ONE }),
            ["moves"] => list(&position.moves),
            ["board"] => self.shown(here, position)?,
            ["hint"] if two => hint(&self.labels(here)?),
            ["labels"] if two => joined(self.labels(here)?.iter().map(described)),
            ["hint"] => self.plan(here, false)?,
            ["solve"] if !two => self.plan(here, true)?,
            ["save"] => "Save where? Type `save FILE`.".to_owned(),
            ["save", file] if Path::new(file).exists() => "This file already exists; choose another name.".to_owned(),
            ["save", file] => {
                output::write(&position.instance, Some(Path::new(file))).err().map_or_else(String::new, |failure| failure.message)
            }
            _ => return Ok(None),
        }))
    }

    /// The current board, with the result or the moves.
    fn shown(&self, here: &dyn Puzzle, position: &Position) -> Result<String, Failure> {
        let board = &position.ascii;
        Ok(match self.player {
            Some(player) if position.moves.is_empty() => format!("{board}\n{}", over(here, player)?),
            Some(_) => board.clone(),
            None => {
                let next = match position.goal {
                    true => "Solved. Type `restart`, `undo` or `quit`.".to_owned(),
                    false if position.moves.is_empty() => "No move is left. Type `undo` or `restart`.".to_owned(),
                    false => list(&position.moves),
                };
                format!("{board}\nCost so far: {}.\n{next}", self.start.cost(&self.made).map_err(fault)?)
            }
        })
    }

    /// Changes the position: makes the move whose number or text is given, or undoes, redoes or restarts.
    fn change(&mut self, words: &[&str], line: &str, here: &dyn Puzzle, moves: &[LegalMove]) -> Result<(), &'static str> {
        match words {
            ["undo" | "u"] => {
                let count = if self.player.is_some() && self.is_yours(here) { 2 } else { 1 };
                // The program's first move cannot be undone.
                if self.made.len() < count.max(self.player.map_or(1, usize::from)) {
                    return Err("There is nothing to undo.");
                }
                self.undone.extend(self.made.drain(self.made.len() - count..).rev());
            }
            ["redo" | "r"] => {
                self.made.push(self.undone.pop().ok_or("There is nothing to redo.")?);
                if self.player.is_some() {
                    self.made.extend(self.undone.pop());
                }
            }
            ["restart"] => {
                self.made.clear();
                self.undone.clear();
            }
            _ => {
                let number = line.trim().parse::<usize>().ok().filter(|_| !are_numbers(moves));
                let numbered = number.and_then(|number| moves.get(number.checked_sub(1)?));
                let legal = here.meant(&Value::String(line.trim().to_owned())).or_else(|| numbered.cloned());
                self.made.push(legal.ok_or("That is neither a legal move nor a command; type `moves` or `help`.")?.json);
                self.undone.clear();
            }
        }
        Ok(())
    }

    /// The next move of a best plan, or the whole plan.
    fn plan(&self, here: &dyn Puzzle, whole: bool) -> Result<String, Failure> {
        let report = here.solve(&Choice::default(), &self.watch("thinking").limits)?;
        let (moves, worth) = match &report.answer {
            Answer::Solved { cost, optimal: true, moves, .. } => (moves, format!("{cost} to go, the least possible")),
            Answer::Solved { cost, moves, .. } | Answer::Unknown { upper: Some(cost), moves, .. } => {
                (moves, format!("{cost} to go, perhaps less"))
            }
            Answer::Unknown { limit, .. } => return Err((*limit).into()),
            Answer::Unsolvable { .. } | Answer::Decided(_) => return Ok("There is no solution from here.".to_owned()),
        };
        Ok(match moves.first() {
            _ if whole => joined([format!("From here: {worth}.")].into_iter().chain(moves.iter().map(|mv| format!("  {}", mv.text)))),
            Some(mv) => format!("{}   ({worth})", mv.text),
            None => NOTHING_LEFT.to_owned(),
        })
    }

    /// The labels of all moves in a two-player game.
    fn labels(&self, here: &dyn Puzzle) -> Result<Vec<MoveValue>, Failure> {
        Ok(duel(here)?.labels(&self.watch("thinking").limits)?)
    }
}

fn duel(here: &dyn Puzzle) -> Result<&dyn Duel, Failure> {
    here.duel().ok_or_else(|| Failure::internal("this is not a two-player game"))
}

fn described(label: &MoveValue) -> String {
    let grundy = label.grundy.map(|grundy| format!("  Grundy value {grundy}")).unwrap_or_default();
    let worth = match label.score {
        Score::Win => "P, a winning move",
        Score::Draw => "D, a draw",
        Score::Loss => "N",
    };
    format!("  {:<8} {worth}{grundy}", label.text)
}

fn hint(labels: &[MoveValue]) -> String {
    let Some(best) = labels.get(MoveValue::best(labels)) else { return NOTHING_LEFT.to_owned() };
    match best.score {
        Score::Win => format!("{} wins.", best.text),
        Score::Draw => format!("No move wins against best play; {} keeps the draw.", best.text),
        Score::Loss => format!("Every move loses against best play; {} lasts longest.", best.text),
    }
}

fn over(here: &dyn Puzzle, you: u8) -> Result<String, Failure> {
    let report = here.solve(&Choice::default(), &Limits::none())?;
    let Answer::Decided(decided) = &report.answer else { return Err(Failure::internal("a finished game is not decided")) };
    let result = match decided.winner {
        Some(player) if player == you => "You win",
        Some(_) => "I win",
        None => "It is a draw",
    };
    Ok(format!("No move is left. {result}. Type `undo`, `restart` or `quit`."))
}

/// True if moves are written as numbers, so that a move cannot be chosen by its position in the list.
fn are_numbers(moves: &[LegalMove]) -> bool {
    moves.iter().all(|mv| mv.text.bytes().all(|byte| byte.is_ascii_digit()))
}

fn list(moves: &[LegalMove]) -> String {
    if !are_numbers(moves) {
        return joined(moves.iter().enumerate().map(|(at, mv)| format!("  {:>3}  {}", at + 1, mv.text)));
    }
    let numbers: Vec<u64> = moves.iter().filter_map(|mv| mv.text.parse().ok()).collect();
    let range = |run: &[u64]| match run {
        [one] => one.to_string(),
        _ => format!("{} to {}", run[0], run[run.len() - 1]),
    };
    format!("Moves: {}", numbers.chunk_by(|a, b| a + 1 == *b).map(range).collect::<Vec<_>>().join(", "))
}

fn joined(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

/// The lines that a player types or a script sends.
struct Prompt {
    lines: std::io::Split<std::io::StdinLock<'static>>,
    shown: bool,
}

impl Prompt {
    fn new() -> Prompt {
        Prompt { lines: std::io::stdin().lock().split(b'\n'), shown: std::io::stdin().is_terminal() }
    }

    /// The next line. `None` at the end of the input, or if standard output was closed.
    fn next(&mut self) -> Option<String> {
        let mut out = std::io::stdout();
        if self.shown {
            let _ = out.write_all(b"> ");
        }
        out.flush().ok()?;
        Some(String::from_utf8_lossy(&self.lines.next()?.ok()?).into_owned())
    }
}

fn say(text: &str) {
    // The prompt detects that standard output was closed.
    let _ = writeln!(std::io::stdout(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_comes_before_a_draw_and_a_draw_before_a_loss() {
        use Score::{Draw, Loss, Win};
        let label = |text: &str, score, length| MoveValue { text: text.to_owned(), score, grundy: None, length: Some(length) };
        let (slow, quick) = (label("slow", Win, 5), label("quick", Win, 3));
        let (draw, early, late) = (label("draw", Draw, 4), label("early", Loss, 2), label("late", Loss, 6));
        let hint_of = |labels: &[&MoveValue]| hint(&labels.iter().map(|&label| label.clone()).collect::<Vec<_>>());
        assert_eq!(hint_of(&[&late, &slow, &draw, &quick]), "quick wins.");
        assert_eq!(hint_of(&[&late, &draw, &early]), "No move wins against best play; draw keeps the draw.");
        assert_eq!(hint_of(&[&early, &late]), "Every move loses against best play; late lasts longest.");
        assert_eq!(hint_of(&[]), "There is nothing left to do.");
        assert_eq!(described(&draw).trim_start(), "draw     D, a draw");
    }
}
