//! Playing a two-player game in the terminal against perfect play.

use kibitzer::catalog::{LegalMove, MoveError, MoveValue, Position, Puzzle};
use kibitzer::limits::Limits;
use kibitzer::report::Answer;
use kibitzer::rules::Score;
use serde_json::Value;

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED};
use crate::play::{Prompt, TIME, say};

const HELP: &str = "\
  NUMBER or a move   make that move; the program answers
  labels             every move with N, P or D: a move to a P-position wins, to a D-position draws
  hint               a best move
  undo               take back your last move and the answer
  moves, board       show the moves, or the board
  restart            go back to the start
  quit               leave";

pub fn run(puzzle: &dyn Puzzle, effort: &Effort, second: bool) -> Result<u8, Failure> {
    let mut prompt = Prompt::new();
    let mut made: Vec<Value> = Vec::new();
    let you: u8 = if second { 2 } else { 1 };
    say(&format!("You are player {you}. Type `help` for what you can do."));
    loop {
        let fault = |error: MoveError| Failure::internal(error.to_string());
        let here = puzzle.after(&made).map_err(fault)?;
        let position = here.position(&effort.patient_watch("drawing", TIME).limits)?;
        let duel = here.duel().ok_or_else(|| Failure::internal("this is no two-player game"))?;
        let yours = duel.turn() == you;
        if yours || position.moves.is_empty() || made.is_empty() {
            say(&position.ascii);
        }
        if position.moves.is_empty() {
            say(&over(&*here, you)?);
        } else if !yours {
            let labels = labels(effort, &*here)?;
            let mv = labels.as_ref().map_or(&position.moves[0], |labels| &position.moves[MoveValue::best(labels)]);
            say(&format!("I play {}.", mv.text));
            made.push(mv.json.clone());
            continue;
        }
        loop {
            let Some(line) = prompt.next() else { return Ok(SOLVED) };
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                [] => {}
                ["help" | "?"] => say(HELP),
                ["quit" | "exit" | "q"] => return Ok(SOLVED),
                ["board"] => say(&position.ascii),
                ["moves"] => list(&position),
                ["labels"] => {
                    for label in labels(effort, &*here)?.unwrap_or_default() {
                        say(&described(&label));
                    }
                }
                ["hint"] => say(&hint(&labels(effort, &*here)?.unwrap_or_default())),
                ["restart"] => {
                    made.clear();
                    break;
                }
                ["undo" | "u"] => {
                    // Back to where you were to move.
                    let keep = made.len().saturating_sub(if yours { 2 } else { 1 });
                    if made.len() < 1 + usize::from(second) {
                        say("There is nothing to undo.");
                        continue;
                    }
                    made.truncate(keep);
                    break;
                }
                _ => {
                    let number = line.trim().parse::<usize>().ok().and_then(|number| position.moves.get(number.checked_sub(1)?));
                    match LegalMove::find(&position.moves, &Value::String(line.trim().to_owned())).or(number) {
                        Some(mv) => {
                            made.push(mv.json.clone());
                            break;
                        }
                        None => say("That is no legal move here and no word I know; type `moves` or `help`."),
                    }
                }
            }
        }
    }
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
    let Some(best) = labels.get(MoveValue::best(labels)) else { return "There is nothing left to do.".to_owned() };
    match best.score {
        Score::Win => format!("{} wins.", best.text),
        Score::Draw => format!("No move wins against perfect play; {} keeps the draw.", best.text),
        Score::Loss => format!("Every move loses against perfect play; {} holds out.", best.text),
    }
}

/// The labels of all moves. Prints a message if the limits do not allow it.
fn labels(effort: &Effort, here: &dyn Puzzle) -> Result<Option<Vec<MoveValue>>, Failure> {
    let duel = here.duel().ok_or_else(|| Failure::internal("this is no two-player game"))?;
    let labels = duel.labels(&effort.patient_watch("thinking", TIME).limits);
    if labels.is_err() {
        say("I could not find out within the limits.");
    }
    Ok(labels.ok())
}

fn over(here: &dyn Puzzle, you: u8) -> Result<String, Failure> {
    let report = here.solve(&Default::default(), &Limits::none())?;
    let Answer::Decided(decided) = &report.answer else { return Err(Failure::internal("a finished game is not decided")) };
    let result = match decided.winner {
        Some(player) if player == you => "You win",
        Some(_) => "I win",
        None => "It is a draw",
    };
    Ok(format!("No move is left. {result}. Type `undo`, `restart` or `quit`."))
}

fn list(position: &Position) {
    for (at, mv) in position.moves.iter().enumerate() {
        say(&format!("  {:>3}  {}", at + 1, mv.text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(text: &str, score: Score, length: u16) -> MoveValue {
        MoveValue { text: text.to_owned(), score, grundy: None, length: Some(length) }
    }

    #[test]
    fn a_win_comes_before_a_draw_and_a_draw_before_a_loss() {
        use Score::{Draw, Loss, Win};
        let (slow, quick) = (label("slow", Win, 5), label("quick", Win, 3));
        let (draw, early, late) = (label("draw", Draw, 4), label("early", Loss, 2), label("late", Loss, 6));
        let hint_of = |labels: &[&MoveValue]| hint(&labels.iter().map(|&label| label.clone()).collect::<Vec<_>>());
        assert_eq!(hint_of(&[&late, &slow, &draw, &quick]), "quick wins.");
        assert_eq!(hint_of(&[&late, &draw, &early]), "No move wins against perfect play; draw keeps the draw.");
        assert_eq!(hint_of(&[&early, &late]), "Every move loses against perfect play; late holds out.");
        assert_eq!(hint_of(&[]), "There is nothing left to do.");
        assert_eq!(described(&draw).trim_start(), "draw     D, a draw");
    }
}
