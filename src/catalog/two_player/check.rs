//! Comparing answers, our own and others', with an induction that shares no code with the solvers. Every field of an answer is
//! compared, or refused by name; nothing that it claims passes unseen.

use serde_json::{Map, Value, json};

use super::TwoPlayer;
use crate::catalog::{Checked, LegalMove};
use crate::limits::Limits;
use crate::notation::{Notation, shorten};
use crate::report::{Claim, Confirmed, claim};
use crate::rules::{Game, Score};
use crate::verify::{self, Induction, Worth};

impl<G: Game + Notation> TwoPlayer<G> {
    /// Who wins if this is what the player to move can reach.
    pub(super) fn winner(&self, score: Score) -> Option<u8> {
        let turn = 1 + (self.made % 2) as u8;
        match score {
            Score::Win => Some(turn),
            Score::Draw => None,
            Score::Loss => Some(3 - turn),
        }
    }

    /// Compares the fields of an answer with an induction and says how that was done: none if there were too many positions.
    pub(super) fn confirm(&self, said: &Map<String, Value>, limits: &Limits) -> Result<Option<Confirmed>, String> {
        let best = self.plausible(said)?;
        let Some(induction) = verify::induction(&*self.game, &self.start, limits) else { return Ok(None) };
        let fault = || "a move leads to a position that an induction did not reach".to_owned();
        let (worth, after) = (induction.worth().ok_or_else(fault)?, induction.after().ok_or_else(fault)?);
        let mut facts = Map::new();
        for name in said.keys() {
            match name.as_str() {
                "outcome" => _ = facts.insert(name.clone(), json!(worth.score.outcome())),
                "winner" => _ = facts.insert(name.clone(), json!(self.winner(worth.score))),
                "grundy" => _ = facts.insert(name.clone(), json!(worth.grundy)),
                "length" => _ = facts.insert(name.clone(), json!(worth.length)),
                "positions" | "boards" | "boards_over" | "boards_P" | "boards_D" if !facts.contains_key("positions") => {
                    let Some(counts) = counts(&induction, limits) else { return Ok(None) };
                    facts.extend(counts);
                }
                _ => {}
            }
        }
        // The outcome first: all else follows from it.
        let names = ["outcome", "winner", "grundy", "length", "positions", "boards", "boards_over", "boards_P", "boards_D"];
        for (name, value) in names.into_iter().filter_map(|name| Some((name, said.get(name)?))) {
            let fact = facts.get(name).ok_or_else(|| format!("`{name}` is claimed, and cannot be counted here"))?;
            if name == "grundy" && value.is_null() {
                continue;
            }
            compare(name, value, fact)?;
        }
        if let Some(best) = best {
            let complete = said.get("all_best").is_none_or(|all| *all == json!(true));
            self.compare_best(&best, complete, worth, &after)?;
        }
        Ok(Some(if induction.symmetry { Confirmed::Symmetry } else { Confirmed::Plain }))
    }

    /// What can be said without an induction: the fields are known, of the right type and agree with each other and with the
    /// game. Gives the moves that are claimed to be the best.
    fn plausible(&self, said: &Map<String, Value>) -> Result<Option<Vec<G::Move>>, String> {
        let known = self.game.facts();
        for (name, value) in said {
            let shown = || shorten(&value.to_string());
            match name.as_str() {
                "outcome" if !["N", "P", "D"].iter().any(|outcome| value == outcome) => {
                    return Err(format!("`outcome` is {}, which is none of \"N\", \"P\" and \"D\"", shown()));
                }
                "winner" if ![json!(1), json!(2), Value::Null].contains(value) => {
                    return Err(format!("`winner` is {}, which is none of 1, 2 and null", shown()));
                }
                "grundy" if value.is_null() => {}
                "grundy" if !self.game.impartial() => return Err("`grundy` is claimed, and there are no such values here".to_owned()),
                "grundy" | "length" | "positions" | "boards" | "boards_over" | "boards_P" | "boards_D" if !value.is_u64() => {
                    return Err(format!("`{name}` is {}, which is not a whole number", shown()));
                }
                "all_best" if !value.is_boolean() => return Err(format!("`all_best` is {}, neither true nor false", shown())),
                "all_best" if !said.contains_key("best") => return Err("`all_best` is claimed without `best`".to_owned()),
                "outcome" | "winner" | "grundy" | "length" | "best" | "all_best" => {}
                "positions" | "boards" | "boards_over" | "boards_P" | "boards_D" => {}
                _ => match known.get(name) {
                    Some(fact) => compare(name, value, fact)?,
                    None => return Err(format!("`{}` cannot be checked; leave it out", shorten(name))),
                },
            }
        }
        if let (Some(outcome), Some(winner)) = (said.get("outcome"), said.get("winner")) {
            let score = [Score::Loss, Score::Draw, Score::Win].into_iter().find(|score| outcome == score.outcome());
            compare("winner", winner, &json!(score.and_then(|score| self.winner(score))))?;
        }
        let Some(best) = said.get("best") else { return Ok(None) };
        let best = best.as_array().ok_or("`best` is not a list of moves")?;
        let (legal, written) = (self.moves(), self.legal_moves());
        let mut moves = Vec::new();
        for text in best {
            let at = LegalMove::position(&written, text);
            let at = at.ok_or_else(|| format!("`best` has {}, which is not legal here", shorten(&text.to_string())))?;
            if moves.contains(&legal[at]) {
                return Err(format!("`best` has `{}` twice", written[at].text));
            }
            moves.push(legal[at].clone());
        }
        Ok(Some(moves))
    }

    /// The best moves are those that reach what the position is worth, if that is better than a loss.
    fn compare_best(&self, best: &[G::Move], complete: bool, worth: Worth, after: &[(G::Move, Worth)]) -> Result<(), String> {
        let verb = if worth.score == Score::Draw { "draw" } else { "win" };
        for (mv, next) in after {
            let is_best = worth.score != Score::Loss && next.score.reversed() == worth.score;
            let text = || self.game.write_move(&self.start, mv);
            if best.contains(mv) && !is_best {
                return Err(format!("`{}` does not {verb}", text()));
            }
            if complete && is_best && !best.contains(mv) {
                return Err(format!("`{}` {verb}s, too", text()));
            }
        }
        Ok(())
    }

    pub(super) fn check_claim(&self, claim: &Claim, limits: &Limits) -> Result<Checked, String> {
        let said = match claim {
            Claim::Decided(said) => said,
            Claim::Unknown(_) => {
                let text = "the answer says `unknown`: there is nothing to check".to_owned();
                return Ok(Checked { text, undecided: vec![claim::VERDICT.to_owned()] });
            }
            _ => return Err(format!("{} has two players: its answer is the JSON with `outcome` or `winner`", G::NAME)),
        };
        let confirmed = self.confirm(said, limits)?;
        let claimed = match said.get("outcome").or(said.get("winner")) {
            Some(outcome) if outcome == "N" => "the player to move wins".to_owned(),
            Some(outcome) if outcome == "P" => "the player to move loses".to_owned(),
            Some(Value::Number(winner)) => format!("player {winner} wins"),
            _ => "the game is a draw".to_owned(),
        };
        let text = match confirmed {
            Some(Confirmed::Plain) => format!("a plain induction finds the same: {claimed}"),
            Some(Confirmed::Symmetry) => format!("an induction up to the game's own symmetry finds the same: {claimed}"),
            None => "there are too many positions for a plain induction".to_owned(),
        };
        let undecided = if confirmed.is_some() { Vec::new() } else { said.keys().cloned().collect() };
        Ok(Checked { text, undecided })
    }
}

fn compare(name: &str, value: &Value, fact: &Value) -> Result<(), String> {
    if value == fact {
        return Ok(());
    }
    Err(format!("`{name}` is {fact}, not {}", shorten(&value.to_string())))
}

fn counts<G: Game>(induction: &Induction<'_, G>, limits: &Limits) -> Option<Map<String, Value>> {
    let counts = induction.counts(limits)?;
    let mut facts = Map::from_iter([("positions".to_owned(), json!(counts.positions))]);
    for (name, count) in ["boards", "boards_over", "boards_P", "boards_D"].into_iter().zip(counts.boards.into_iter().flatten()) {
        facts.insert(name.to_owned(), json!(count));
    }
    Some(facts)
}
