//! Compares answers, from this library or elsewhere, with a backward induction or, if positions can repeat, a retrograde analysis, which
//! share no code with the solvers. Every field of an answer is compared, listed as undecided, or refused by name.

use serde_json::{Map, Value, json};

use super::TwoPlayer;
use crate::catalog::{Checked, Checker, LegalMove};
use crate::limits::Limits;
use crate::notation::{Notation, shorten};
use crate::outcome::{AnswerField, Worth};
use crate::report::{Claim, Confirmed, DuelResult, claim};
use crate::rules::{Game, Score, same_fact};
use crate::verify::{self, Induction, Sums};

impl<G: Game + Notation> TwoPlayer<G> {
    /// The winner if the player to move reaches this score.
    pub(super) fn winner(&self, score: Score) -> Option<u8> {
        let turn = 1 + (self.made % 2) as u8;
        match score {
            Score::Win => Some(turn),
            Score::Draw => None,
            Score::Loss => Some(3 - turn),
        }
    }

    /// An unconfirmed answer without its best moves.
    pub(super) fn result(&self, score: Score, grundy: Option<u16>, length: Option<u16>) -> DuelResult {
        let (parts, best, confirmed) = (Vec::new(), Vec::new(), None);
        DuelResult { winner: self.winner(score), score, grundy, length, endless: false, parts, best, all_best: true, confirmed }
    }

    /// Checks everything that needs no induction: the fields are known, have the right type, and agree with each other and with
    /// the game.
    fn plausible(&self, said: &Map<String, Value>) -> Result<Plausible<G::Move>, String> {
        let mut undecided = Vec::new();
        for (name, value) in said {
            let shown = || shorten(&value.to_string());
            match name.as_str() {
                "outcome" if !["N", "P", "D"].iter().any(|outcome| value == outcome) => {
                    return Err(format!("`outcome` is {}, but must be \"N\", \"P\" or \"D\"", shown()));
                }
                "winner" if ![json!(1), json!(2), Value::Null].contains(value) => {
                    return Err(format!("`winner` is {}, but must be 1, 2 or null", shown()));
                }
                "grundy" if value.is_null() => {}
                // In a draw by repetition, play never ends.
                "length" if value.is_null() => {}
                "grundy" if !self.game.impartial() || self.game.repeats() => {
                    return Err("`grundy` is claimed, but this game has no Grundy values".to_owned());
                }
                counted if ["grundy", "length"].iter().chain(&COUNTS).any(|name| *name == counted) => {
                    if !value.is_u64() {
                        return Err(format!("`{name}` is {}, which is not a whole number", shown()));
                    }
                }
                "all_best" if !value.is_boolean() => return Err(format!("`all_best` is {}, neither true nor false", shown())),
                "all_best" if !said.contains_key("best") => return Err("`all_best` is claimed without `best`".to_owned()),
                claim::PARTS if G::PARTS.is_none() || !self.game.impartial() => {
                    return Err(format!("`{}` is claimed, but positions of this game do not split", claim::PARTS));
                }
                "outcome" | "winner" | "best" | "all_best" | claim::PARTS => {}
                own if !G::FACTS.fields.iter().any(|AnswerField { name, .. }| *name == own) => {
                    return Err(format!("`{}` cannot be checked; omit it", shorten(name)));
                }
                _ => match (G::FACTS.judge)(&self.game, name, value) {
                    Some(judged) => judged?,
                    None => undecided.push(name.clone()),
                },
            }
        }
        if let (Some(outcome), Some(winner)) = (said.get("outcome"), said.get("winner")) {
            let score = [Score::Loss, Score::Draw, Score::Win].into_iter().find(|score| outcome == score.outcome());
            let facts = Map::from_iter([("winner".to_owned(), json!(score.and_then(|score| self.winner(score))))]);
            same_fact(&facts, "winner", winner).unwrap_or(Ok(()))?;
        }
        let Some(best) = said.get("best") else { return Ok(Plausible { best: None, undecided }) };
        let best = best.as_array().ok_or("`best` is not a list of moves")?;
        let (legal, written) = (self.moves(), self.legal_moves());
        let mut moves = Vec::new();
        for text in best {
            let at = LegalMove::position(&written, text);
            let at = at.ok_or_else(|| format!("`best` contains {}, which is not legal here", shorten(&text.to_string())))?;
            if moves.contains(&legal[at]) {
                return Err(format!("`best` contains `{}` twice", written[at].text));
            }
            moves.push(legal[at].clone());
        }
        Ok(Plausible { best: Some(moves), undecided })
    }

    /// The parts of the position, with values by plain induction. `None` if there are too many positions.
    fn parts(&self, limits: &Limits) -> Option<Value> {
        let mut split = Vec::new();
        (G::PARTS?.of)(&self.game, &self.start, &mut split);
        let value = |part: G::State| {
            let grundy = verify::induction(&*self.game, &part, limits)?.worth()?.grundy;
            Some((part, grundy))
        };
        Some(self.written_parts(&split.into_iter().map(value).collect::<Option<Vec<_>>>()?))
    }

    fn written_parts(&self, parts: &[(G::State, u16)]) -> Value {
        claim::parts(&parts.iter().map(|(part, value)| (self.game.line(part), *value)).collect::<Vec<_>>())
    }

    /// Checks the best moves: those that reach the value of the position, if that is better than a loss.
    fn compare_best(&self, best: &[G::Move], complete: bool, worth: Worth, after: &[(G::Move, Worth)]) -> Result<(), String> {
        let verb = if worth.score == Score::Draw { "draw" } else { "win" };
        for (mv, next) in after {
            let is_best = worth.score != Score::Loss && next.score.reversed() == worth.score;
            let text = || self.game.write_move(&self.start, mv);
            if best.contains(mv) && !is_best {
                return Err(format!("`{}` does not {verb}", text()));
            }
            if complete && is_best && !best.contains(mv) {
                return Err(format!("`{}` also {verb}s", text()));
            }
        }
        Ok(())
    }
}

/// The claims of an answer that passed the checks that need no induction.
struct Plausible<M> {
    /// The moves that are claimed to be the best.
    best: Option<Vec<M>>,
    /// The game's own fields that the game cannot judge.
    undecided: Vec<String>,
}

/// The result of confirming an answer.
pub(super) struct Confirmation {
    /// `None` if there were too many positions to confirm it.
    pub(super) how: Option<Confirmed>,
    /// Fields that could not be compared.
    undecided: Vec<String>,
}

/// The checker for one board, with the results that all answers share.
pub(super) struct OutcomeChecker<'a, G: Game> {
    puzzle: &'a TwoPlayer<G>,
    /// The induction, once it has run; `None` if there were too many positions.
    induction: Option<Option<Induction<'a, G>>>,
    /// The values of parts, if there are too many positions for the induction.
    sums: Option<Option<Sums<'a, G>>>,
    /// The numbers of positions, once they have been counted; `None` if a limit prevented it.
    counts: Option<Option<Map<String, Value>>>,
}

impl<'a, G: Game + Notation> OutcomeChecker<'a, G> {
    pub(super) fn new(puzzle: &'a TwoPlayer<G>) -> Self {
        OutcomeChecker { puzzle, induction: None, sums: None, counts: None }
    }

    /// Compares the bounds of an unknown answer, if it has any, with backward induction, and describes the result.
    fn confirm_bounds(&mut self, said: &Map<String, Value>, limits: &Limits) -> Result<Option<String>, String> {
        let scores = [Score::Loss, Score::Draw, Score::Win];
        let mut bounds = Vec::new();
        for (name, value) in ["at_least", "at_most"].into_iter().filter_map(|name| Some((name, said.get(name)?))) {
            let bound = scores.into_iter().find(|score| value == score.outcome());
            bounds.push((name, bound.ok_or_else(|| format!("`{name}` is {}, but must be N, P or D", shorten(&value.to_string())))?));
        }
        if bounds.is_empty() {
            return Ok(None);
        }
        let puzzle = self.puzzle;
        let induction = self.induction.get_or_insert_with(|| verify::induction(&*puzzle.game, &puzzle.start, limits));
        let Some(worth) = induction.as_ref().and_then(Induction::worth) else {
            return Ok(Some("there are too many positions for plain backward induction".to_owned()));
        };
        let holds = |(name, bound): &(&str, Score)| if *name == "at_least" { worth.score >= *bound } else { worth.score <= *bound };
        match bounds.iter().find(|bound| !holds(bound)) {
            Some((name, bound)) => Err(format!("`{name}` is {}, but the outcome is {}", bound.outcome(), worth.score.outcome())),
            None => Ok(Some(format!("the bounds are right: backward induction finds {}", worth.score.outcome()))),
        }
    }

    /// Compares the fields of an answer with backward induction.
    pub(super) fn confirm(&mut self, said: &Map<String, Value>, limits: &Limits) -> Result<Confirmation, String> {
        let puzzle = self.puzzle;
        let Plausible { best, mut undecided } = puzzle.plausible(said)?;
        let too_many = Confirmation { how: None, undecided: said.keys().cloned().collect() };
        let induction = self.induction.get_or_insert_with(|| verify::induction(&*puzzle.game, &puzzle.start, limits));
        let fault = || "a move leads to a position that the induction did not reach".to_owned();
        let (worth, after, how) = match induction {
            Some(found) => {
                let how = if found.symmetry { Confirmed::Symmetry } else { Confirmed::Plain };
                (found.worth().ok_or_else(fault)?, found.after().ok_or_else(fault)?, how)
            }
            None => match self.sums.get_or_insert_with(|| verify::sums(&*puzzle.game, &puzzle.start, limits)) {
                Some(found) => {
                    let start = &puzzle.start;
                    (found.worth(start).ok_or_else(fault)?, found.after(start).ok_or_else(fault)?, Confirmed::Parts)
                }
                None => return Ok(too_many),
            },
        };
        let mut facts = Map::from_iter([
            ("outcome".to_owned(), json!(worth.score.outcome())),
            ("winner".to_owned(), json!(puzzle.winner(worth.score))),
            ("grundy".to_owned(), json!(worth.grundy)),
        ]);
        if let Some(induction) = induction {
            facts.insert("length".to_owned(), json!(worth.moves()));
            if COUNTS.iter().any(|name| said.contains_key(*name)) {
                let Some(counts) = self.counts.get_or_insert_with(|| counts(induction, limits)) else { return Ok(too_many) };
                facts.extend(counts.clone());
            }
        }
        // The outcome is compared first, because everything else follows from it.
        let names = ["outcome", "winner", "grundy", "length"].into_iter().chain(COUNTS);
        for (name, value) in names.filter_map(|name| Some((name, said.get(name)?))) {
            if name == "grundy" && value.is_null() {
                continue;
            }
            match same_fact(&facts, name, value) {
                Some(same) => same?,
                // Boards cannot always be counted if positions were visited only up to symmetry.
                None => undecided.push(name.to_owned()),
            }
        }
        if let Some(parts) = said.get(claim::PARTS) {
            let found = match &self.sums {
                Some(Some(sums)) => sums.parts(&puzzle.start).map(|found| puzzle.written_parts(&found)),
                _ => puzzle.parts(limits),
            };
            match found {
                Some(found) => same_fact(&Map::from_iter([(claim::PARTS.to_owned(), found)]), claim::PARTS, parts).unwrap_or(Ok(()))?,
                None => undecided.push(claim::PARTS.to_owned()),
            }
        }
        if let Some(best) = best {
            let complete = said.get("all_best").is_none_or(|all| *all == json!(true));
            puzzle.compare_best(&best, complete, worth, &after)?;
        }
        Ok(Confirmation { how: Some(how), undecided })
    }
}

impl<G: Game + Notation> Checker for OutcomeChecker<'_, G> {
    fn check(&mut self, claim: &Claim, limits: &Limits) -> Result<Checked, String> {
        let checked = |text: String, undecided| Checked { text, undecided, cost: None, least: None };
        let said = match claim {
            Claim::Decided(said) => said,
            Claim::Unknown(said) => {
                let bounds = self.confirm_bounds(said, limits)?;
                let text = "the answer is `unknown`, so there is nothing to check".to_owned();
                return Ok(checked(bounds.unwrap_or(text), vec![claim::VERDICT.to_owned()]));
            }
            _ => return Err(claim::needs_outcome(self.puzzle.game.name())),
        };
        let Confirmation { how, undecided } = self.confirm(said, limits)?;
        let claimed = match said.get("outcome").or(said.get("winner")) {
            Some(outcome) if outcome == "N" => "the player to move wins".to_owned(),
            Some(outcome) if outcome == "P" => "the player to move loses".to_owned(),
            Some(Value::Number(winner)) => format!("player {winner} wins"),
            _ => "the game is a draw".to_owned(),
        };
        let analysis = if self.puzzle.game.repeats() { "retrograde analysis" } else { "backward induction" };
        let text = match how {
            Some(Confirmed::Plain) => format!("plain {analysis} finds the same: {claimed}"),
            Some(Confirmed::Symmetry) => format!("{analysis}, using the game's own symmetry, finds the same: {claimed}"),
            Some(Confirmed::Parts) => format!("induction over the game's own independent parts finds the same: {claimed}"),
            Some(Confirmed::Strategy) | None => format!("there are too many positions for plain {analysis}"),
        };
        Ok(checked(text, undecided))
    }
}

/// Fields that count positions, in the order of [`Counts`](verify::Counts).
const COUNTS: [&str; 5] = ["positions", "boards", "boards_over", "boards_P", "boards_D"];

fn counts<G: Game>(induction: &Induction<'_, G>, limits: &Limits) -> Option<Map<String, Value>> {
    let counts = induction.counts(limits)?;
    let counts = [counts.positions].into_iter().chain(counts.boards.into_iter().flatten());
    Some(COUNTS.into_iter().zip(counts).map(|(name, count)| (name.to_owned(), json!(count))).collect())
}
