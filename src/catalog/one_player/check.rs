//! Comparing answers, our own and others', with the rules. Every field of an answer that claims something is confirmed, refuted,
//! or named as undecided; nothing that it claims passes unseen.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::OnePlayer;
use crate::catalog::{Checked, Checker};
use crate::drawing::Drawing;
use crate::limits::{Limit, Limits};
use crate::notation::shorten;
use crate::outcome::{Plan, Verdict, Why};
use crate::report::{Claim, claim};
use crate::rules::{Cost, Problem};
use crate::verify::{self, Least};

/// What the answers to one board share.
pub(super) struct Examiner<'a, P: Problem> {
    puzzle: &'a OnePlayer<P>,
    /// What a plain search found, once it was asked.
    least: Option<Least>,
    /// Whether these costs are the least, as the game's own proof says.
    compared: BTreeMap<Cost, Option<bool>>,
}

impl<'a, P: Problem> Examiner<'a, P> {
    pub(super) fn new(puzzle: &'a OnePlayer<P>) -> Self {
        Examiner { puzzle, least: None, compared: BTreeMap::new() }
    }
}

impl<P: Problem + Drawing> Checker for Examiner<'_, P> {
    fn check(&mut self, claim: &Claim, limits: &Limits) -> Result<Checked, String> {
        let mut checking = Checking { puzzle: self.puzzle, shared: self, limits, cost: None, undecided: Vec::new() };
        let text = match claim {
            Claim::Plan { moves, said } => checking.plan(moves, said)?,
            Claim::Unsolvable { why, said } => checking.unsolvable(why, said)?,
            Claim::Unknown(said) => checking.unknown(said)?,
            Claim::Decided(_) => return Err(format!("the answer says who wins, and {} has one player", self.puzzle.problem.name())),
        };
        let Checking { undecided, cost, .. } = checking;
        let least = match self.least {
            Some(Least::Cost(least)) => Some(least),
            _ => None,
        };
        Ok(Checked { text, undecided, cost, least })
    }
}

/// A check under way.
struct Checking<'a, 'b, P: Problem + Drawing> {
    puzzle: &'b OnePlayer<P>,
    shared: &'a mut Examiner<'b, P>,
    limits: &'a Limits,
    /// What the plan costs.
    cost: Option<Cost>,
    /// What could not be decided within the limits.
    undecided: Vec<String>,
}

impl<P: Problem + Drawing> Checking<'_, '_, P> {
    /// A plan that is there, whatever else is said about it and about all others.
    fn plan(&mut self, moves: &[Value], said: &Map<String, Value>) -> Result<String, String> {
        let (problem, start) = (&*self.puzzle.problem, &self.puzzle.start);
        let (moves, _) = self.puzzle.read_moves(moves).map_err(|error| error.to_string())?;
        let cost = verify::plan(problem, start, &moves)?;
        self.cost = Some(cost);
        let mut text = format!("the plan is legal, ends at a goal and costs {cost}");
        for name in ["cost", "upper"] {
            if let Some(claimed) = whole(said, name)?.filter(|&claimed| claimed != u64::from(cost)) {
                return Err(format!("the plan costs {cost}, not {claimed} as `{name}` says"));
            }
        }
        let optimal = match said.get("optimal") {
            None | Some(Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(other) => return Err(format!("`optimal` is {}, neither true nor false", shorten(&other.to_string()))),
        };
        let lower = whole(said, "lower")?;
        if let Some(lower) = lower.filter(|&lower| lower > u64::from(cost)) {
            return Err(format!("`lower` says that no plan costs less than {lower}, but this one costs {cost}"));
        }
        if optimal {
            text.push_str("; ");
            text.push_str(self.optimal(cost)?.unwrap_or("whether one is cheaper was not decided within the limits"));
        }
        self.lower(lower)?;
        self.facts(said, &Verdict::Solved { plan: Plan { moves, cost }, lower: 0 })?;
        self.plans(said)?;
        if said.contains_key(claim::VERDICT) {
            self.undecided.push(claim::VERDICT.to_owned());
        }
        Ok(text)
    }

    /// Says how it is known that no plan costs less, or remembers that it is not.
    fn optimal(&mut self, cost: Cost) -> Result<Option<&'static str>, String> {
        let (problem, start) = (&*self.puzzle.problem, &self.puzzle.start);
        let known = matches!(self.shared.least, Some(Least::Cost(_)));
        let compare = || P::PROOFS.filter(|_| !known).and_then(|proofs| proofs.least?(problem, start, cost, self.limits));
        match *self.shared.compared.entry(cost).or_insert_with(compare) {
            Some(true) => {
                self.shared.least = Some(Least::Cost(cost));
                return Ok(Some("all other plans of the same effect were compared"));
            }
            Some(false) => return Err(format!("`optimal` is wrong: the plan costs {cost}, but less is possible")),
            None => {}
        }
        match self.least() {
            Least::Cost(least) if least < cost => Err(format!("`optimal` is wrong: the plan costs {cost}, but {least} is possible")),
            Least::Unknown { at_least } if at_least < cost => {
                self.undecided.push("optimal".to_owned());
                Ok(None)
            }
            _ => Ok(Some("a plain search found none that is cheaper")),
        }
    }

    fn least(&mut self) -> Least {
        let OnePlayer { problem, start } = self.puzzle;
        *self.shared.least.get_or_insert_with(|| verify::least_cost(&**problem, start, self.limits))
    }

    /// No plan costs less than this.
    fn lower(&mut self, lower: Option<u64>) -> Result<(), String> {
        let Some(lower) = lower.filter(|&lower| lower > 0) else { return Ok(()) };
        match self.least() {
            Least::Cost(least) if u64::from(least) < lower => {
                Err(format!("`lower` says that no plan costs less than {lower}, but {least} is possible"))
            }
            Least::Unknown { at_least } if u64::from(at_least) < lower => {
                self.undecided.push("lower".to_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What only this game reports, computed again.
    fn facts(&mut self, said: &Map<String, Value>, verdict: &Verdict<P::Move>) -> Result<(), String> {
        let claimed: Vec<_> = said.iter().filter(|(name, _)| P::FACTS.fields.iter().any(|field| field.name == name.as_str())).collect();
        if claimed.is_empty() {
            return Ok(());
        }
        let facts = (P::FACTS.of)(&self.puzzle.problem, verdict, self.limits);
        for (name, value) in claimed {
            match facts.get(name) {
                Some(fact) if fact == value => {}
                Some(fact) => return Err(format!("`{name}` is {fact}, not {}", shorten(&value.to_string()))),
                None => self.undecided.push(name.clone()),
            }
        }
        Ok(())
    }

    /// A list of plans: each is one, none is there twice, and they are all there are.
    fn plans(&mut self, said: &Map<String, Value>) -> Result<(), String> {
        let Some(plans) = said.get("plans") else { return Ok(()) };
        let plans = plans.as_array().ok_or("`plans` is not a list")?;
        if plans.is_empty() {
            return Err("`plans` is empty, but there is a plan".to_owned());
        }
        let (problem, start) = (&*self.puzzle.problem, &self.puzzle.start);
        let mut seen = BTreeSet::new();
        for (at, plan) in plans.iter().enumerate() {
            let fault = |fault: String| format!("number {} of `plans` is wrong: {fault}", at + 1);
            if self.limits.check().is_err() {
                self.undecided.push("plans".to_owned());
                return Ok(());
            }
            let moves = plan.as_array().ok_or_else(|| fault("it is not a list of moves".to_owned()))?;
            let (moves, _) = self.puzzle.read_moves(moves).map_err(|error| fault(error.to_string()))?;
            verify::plan(problem, start, &moves).map_err(fault)?;
            if !seen.insert(moves) {
                return Err(fault("it was there before".to_owned()));
            }
        }
        // How many there are is known only where the game counts them.
        let verdict = Verdict::Solved { plan: Plan { moves: Vec::new(), cost: 0 }, lower: 0 };
        if (P::FACTS.of)(problem, &verdict, self.limits).get("solutions") != Some(&json!(plans.len())) {
            self.undecided.push("plans".to_owned());
        }
        Ok(())
    }

    fn unsolvable(&mut self, why: &Why, said: &Map<String, Value>) -> Result<String, String> {
        let (problem, start) = (&*self.puzzle.problem, &self.puzzle.start);
        let text = match why {
            Why::Certificate(certificate) => {
                let holds = verify::refutation(problem, start, why, self.limits)?;
                let known = P::PROOFS.map_or(&[][..], |proofs| proofs.data);
                if let Some(name) = certificate.data.keys().find(|name| !known.contains(&name.as_str())) {
                    return Err(format!("`{}` is no part of a certificate of {}", shorten(name), problem.name()));
                }
                let shown = P::PROOFS.map(|proofs| (proofs.claim)(problem, start, certificate)).unwrap_or_default();
                if !certificate.claim.is_empty() && certificate.claim != shown {
                    return Err(format!("`claim` does not say what the certificate shows: {shown}"));
                }
                if holds {
                    format!("the certificate `{}` holds: there is no solution", certificate.kind)
                } else {
                    self.undecided.push(claim::VERDICT.to_owned());
                    format!("the certificate `{}` was not checked to its end", certificate.kind)
                }
            }
            Why::Exhausted { .. } => match self.least() {
                Least::None => "a plain search of all states found no solution either".to_owned(),
                Least::Cost(cost) => return Err(format!("there is a plan of cost {cost}")),
                Least::Unknown { .. } => {
                    self.undecided.push(claim::VERDICT.to_owned());
                    "there are too many states for a plain search".to_owned()
                }
            },
        };
        self.facts(said, &Verdict::Unsolvable(why.clone()))?;
        Ok(text)
    }

    fn unknown(&mut self, said: &Map<String, Value>) -> Result<String, String> {
        self.undecided.push(claim::VERDICT.to_owned());
        let (lower, upper) = (whole(said, "lower")?, whole(said, "upper")?);
        if let (Some(lower), Some(upper)) = (lower, upper)
            && lower > upper
        {
            return Err(format!("`lower` is {lower}, which is more than `upper`, {upper}"));
        }
        self.lower(lower)?;
        match (upper, upper.map(|_| self.least())) {
            (Some(upper), Some(Least::Cost(least))) if u64::from(least) > upper => {
                return Err(format!("`upper` says that a plan costs {upper}, but the cheapest costs {least}"));
            }
            (Some(_), Some(Least::None)) => return Err("`upper` says that there is a plan, but there is none".to_owned()),
            (Some(_), Some(Least::Unknown { .. })) => self.undecided.push("upper".to_owned()),
            _ => {}
        }
        self.facts(said, &Verdict::Unknown { limit: Limit::Time, lower: 0, best: None })?;
        Ok("the answer says `unknown`, so there is no plan and no proof to check".to_owned())
    }
}

/// A field that is a whole number, if it is there.
fn whole(said: &Map<String, Value>, name: &str) -> Result<Option<u64>, String> {
    match said.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_u64() {
            Some(number) => Ok(Some(number)),
            None => Err(format!("`{name}` is {}, which is not a whole number", shorten(&value.to_string()))),
        },
    }
}
