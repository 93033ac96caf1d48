//! Compares answers, from this library or elsewhere, with the rules. Every field of an answer that claims something is confirmed,
//! refuted, or listed as undecided.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::Erased;
use crate::catalog::{Checked, Checker};
use crate::limits::{Limit, Limits};
use crate::notation::shorten;
use crate::outcome::{Plan, Verdict, Why};
use crate::report::{Claim, claim};
use crate::rules::{Cost, same_fact};
use crate::verify::{Least, PlanTotal};

/// The checker for one board, with the results that all answers share.
pub(super) struct PlanChecker<'a> {
    board: &'a dyn Erased,
    /// The result of a plain search, once it has run.
    least: Option<Least>,
    /// For each cost, whether the game's own proof confirms that it is the least.
    compared: BTreeMap<Cost, Option<bool>>,
}

impl<'a> PlanChecker<'a> {
    pub(super) fn new(board: &'a dyn Erased) -> Self {
        PlanChecker { board, least: None, compared: BTreeMap::new() }
    }
}

impl Checker for PlanChecker<'_> {
    fn check(&mut self, claim: &Claim, limits: &Limits) -> Result<Checked, String> {
        let mut checking = PlanCheck { board: self.board, shared: self, limits, cost: None, undecided: Vec::new() };
        let text = match claim {
            Claim::Plan { moves, said } => checking.plan(moves, said)?,
            Claim::Unsolvable { why, said } => checking.unsolvable(why, said)?,
            Claim::Unknown(said) => checking.unknown(said)?,
            Claim::Decided(_) => return Err(format!("the answer names a winner, but {} is a one-player game", self.board.menu().game)),
        };
        let PlanCheck { undecided, cost, .. } = checking;
        let least = match self.least {
            Some(Least::Cost(least)) => Some(least),
            _ => None,
        };
        Ok(Checked { text, undecided, cost, least })
    }
}

/// A check in progress.
struct PlanCheck<'a, 'b> {
    board: &'b dyn Erased,
    shared: &'a mut PlanChecker<'b>,
    limits: &'a Limits,
    /// The cost of the plan.
    cost: Option<Cost>,
    /// Fields that could not be decided within the limits.
    undecided: Vec<String>,
}

impl PlanCheck<'_, '_> {
    /// Checks a plan, and everything else that the answer claims about it and about other plans.
    fn plan(&mut self, moves: &[Value], said: &Map<String, Value>) -> Result<String, String> {
        let Plan { cost, .. } = self.board.replay(moves)?;
        self.cost = Some(cost);
        let mut text = format!("the plan is legal, ends at a goal and costs {cost}");
        for name in ["cost", "upper"] {
            if let Some(claimed) = whole(said, name)?.filter(|&claimed| claimed != u64::from(cost)) {
                return Err(format!("the plan costs {cost}, but `{name}` is {claimed}"));
            }
        }
        let optimal = match said.get("optimal") {
            None | Some(Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(other) => return Err(format!("`optimal` is {}, neither true nor false", shorten(&other.to_string()))),
        };
        let lower = whole(said, "lower")?;
        if let Some(lower) = lower.filter(|&lower| lower > u64::from(cost)) {
            return Err(format!("`lower` claims that no plan costs less than {lower}, but this one costs {cost}"));
        }
        if optimal {
            text.push_str("; ");
            text.push_str(self.optimal(cost)?.unwrap_or("the limits were reached before it was known whether a cheaper one exists"));
        }
        self.lower(lower)?;
        self.facts(said, || Verdict::Solved { plan: Plan { moves: moves.to_vec(), cost }, lower: 0 })?;
        self.plans(said)?;
        self.plan_list(said, Some(cost))?;
        if said.contains_key(claim::VERDICT) {
            self.undecided.push(claim::VERDICT.to_owned());
        }
        Ok(text)
    }

    /// A sentence that explains why no plan costs less; `None` if that is undecided.
    fn optimal(&mut self, cost: Cost) -> Result<Option<&'static str>, String> {
        let known = matches!(self.shared.least, Some(Least::Cost(_)));
        let compare = || if known { None } else { self.board.is_least(cost, self.limits) };
        match *self.shared.compared.entry(cost).or_insert_with(compare) {
            Some(true) => {
                self.shared.least = Some(Least::Cost(cost));
                return Ok(Some("all candidate solutions were compared, and none is cheaper"));
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
            _ => Ok(Some("a plain search found no cheaper one")),
        }
    }

    fn least(&mut self) -> Least {
        *self.shared.least.get_or_insert_with(|| self.board.least_cost(self.limits))
    }

    /// Checks the claim that no plan costs less than `lower`.
    fn lower(&mut self, lower: Option<u64>) -> Result<(), String> {
        let Some(lower) = lower.filter(|&lower| lower > 0) else { return Ok(()) };
        match self.least() {
            Least::Cost(least) if u64::from(least) < lower => {
                Err(format!("`lower` claims that no plan costs less than {lower}, but {least} is possible"))
            }
            Least::Unknown { at_least } if u64::from(at_least) < lower => {
                self.undecided.push("lower".to_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Recomputes the facts that only this game reports.
    fn facts(&mut self, said: &Map<String, Value>, verdict: impl FnOnce() -> Verdict<Value>) -> Result<(), String> {
        let fields = self.board.menu().fact_fields;
        let claimed: Vec<_> = said.iter().filter(|(name, _)| fields.iter().any(|field| field.name == name.as_str())).collect();
        if claimed.is_empty() {
            return Ok(());
        }
        let facts = self.board.facts(verdict(), self.limits);
        for (name, value) in claimed {
            match same_fact(&facts, name, value) {
                Some(same) => same?,
                None => self.undecided.push(name.clone()),
            }
        }
        Ok(())
    }

    /// Checks the number of least-cost plans, or a list of plans: each entry is a plan, none is listed twice, and there are no others.
    fn plans(&mut self, said: &Map<String, Value>) -> Result<(), String> {
        let Some(plans) = said.get("plans") else { return Ok(()) };
        let plans = match plans {
            // A limit was reached before plans were counted.
            Value::Null => return Ok(()),
            Value::String(count) => return self.plan_count(count),
            plans => plans.as_array().ok_or("`plans` must be a list, or a count written as a string")?,
        };
        if plans.is_empty() {
            return Err("`plans` is empty, but there is a plan".to_owned());
        }
        if self.distinct("plans", plans)?.is_none() {
            return Ok(());
        }
        // The total number of plans is known only if the game counts them.
        let verdict = Verdict::Solved { plan: Plan { moves: Vec::new(), cost: 0 }, lower: 0 };
        if self.board.facts(verdict, self.limits).get("solutions") != Some(&json!(plans.len())) {
            self.undecided.push("plans".to_owned());
        }
        Ok(())
    }

    /// Replays a list of plans, none of which may be listed twice, and returns their costs. `None` if a limit was reached.
    fn distinct(&mut self, field: &str, plans: &[Value]) -> Result<Option<Vec<Cost>>, String> {
        let (mut seen, mut costs) = (BTreeSet::new(), Vec::new());
        for (at, plan) in plans.iter().enumerate() {
            let fault = |fault: String| format!("entry {} of `{field}` is wrong: {fault}", at + 1);
            if self.limits.check().is_err() {
                self.undecided.push(field.to_owned());
                return Ok(None);
            }
            let moves = plan.as_array().ok_or_else(|| fault("it is not a list of moves".to_owned()))?;
            let Plan { moves, cost } = self.board.replay(moves).map_err(fault)?;
            costs.push(cost);
            if !seen.insert(moves) {
                return Err(fault("it is a duplicate".to_owned()));
            }
        }
        Ok(Some(costs))
    }

    /// Checks the number of least-cost plans.
    fn plan_count(&mut self, count: &str) -> Result<(), String> {
        match self.board.plan_total(self.limits) {
            None => self.undecided.push("plans".to_owned()),
            Some(PlanTotal::Infinite) => return Err(format!("`plans` is `{}`, but there are infinitely many", shorten(count))),
            Some(PlanTotal::Count(total)) if total.to_string() != count => {
                return Err(format!("`plans` is `{}`, but there are {total}", shorten(count)));
            }
            Some(PlanTotal::Count(_)) => {}
        }
        Ok(())
    }

    /// Checks a list of some or all least-cost plans: each is a plan of least cost, none is listed twice, and there are no more than the
    /// answer counts.
    fn plan_list(&mut self, said: &Map<String, Value>, cost: Option<Cost>) -> Result<(), String> {
        let Some(list) = said.get("plan_list") else { return Ok(()) };
        let list = list.as_array().ok_or("`plan_list` is not a list")?;
        let count = said.get("plans").and_then(Value::as_str).ok_or("`plan_list` needs the number of `plans`, as a string")?;
        let Some(costs) = self.distinct("plan_list", list)? else { return Ok(()) };
        if let Some(other) = costs.iter().find(|&&other| Some(other) != cost) {
            return Err(format!("`plan_list` has a plan of cost {other}, but the plan in `moves` costs {}", cost.unwrap_or(0)));
        }
        match count.parse::<u128>() {
            Ok(count) if (list.len() as u128) > count => Err(format!("`plan_list` has {} plans, but `plans` is {count}", list.len())),
            _ => Ok(()),
        }
    }

    fn unsolvable(&mut self, why: &Why, said: &Map<String, Value>) -> Result<String, String> {
        let board = self.board;
        let text = match why {
            Why::Certificate(certificate) => {
                let holds = board.refutation(why, self.limits)?;
                if let Some(name) = certificate.data.keys().find(|name| !board.menu().certificate_data.contains(&name.as_str())) {
                    return Err(format!("unknown field `{}` in a certificate for {}", shorten(name), board.menu().game));
                }
                let shown = board.claim(certificate);
                if !certificate.claim.is_empty() && certificate.claim != shown {
                    return Err(format!("`claim` differs from what the certificate shows: {shown}"));
                }
                if holds {
                    format!("the certificate `{}` is valid: there is no solution", certificate.kind)
                } else {
                    self.undecided.push(claim::VERDICT.to_owned());
                    format!("the certificate `{}` was not fully checked", certificate.kind)
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
        self.facts(said, || Verdict::Unsolvable(why.clone()))?;
        if let Some(plans) = said.get("plans").filter(|plans| **plans != json!("0")) {
            return Err(format!("`plans` is {}, but there is no plan", shorten(&plans.to_string())));
        }
        if said.get("plan_list").is_some_and(|list| *list != json!([])) {
            return Err("`plan_list` must be empty, because there is no plan".to_owned());
        }
        Ok(text)
    }

    fn unknown(&mut self, said: &Map<String, Value>) -> Result<String, String> {
        self.undecided.push(claim::VERDICT.to_owned());
        let (lower, upper) = (whole(said, "lower")?, whole(said, "upper")?);
        if let (Some(lower), Some(upper)) = (lower, upper)
            && lower > upper
        {
            return Err(format!("`lower` ({lower}) is greater than `upper` ({upper})"));
        }
        self.lower(lower)?;
        match (upper, upper.map(|_| self.least())) {
            (Some(upper), Some(Least::Cost(least))) if u64::from(least) > upper => {
                return Err(format!("`upper` claims that a plan costs {upper}, but the cheapest costs {least}"));
            }
            (Some(_), Some(Least::None)) => return Err("`upper` claims that there is a plan, but there is none".to_owned()),
            (Some(_), Some(Least::Unknown { .. })) => self.undecided.push("upper".to_owned()),
            _ => {}
        }
        self.facts(said, || Verdict::Unknown { limit: Limit::Time, lower: 0, best: None })?;
        Ok("the answer is `unknown`, so there is no plan or proof to check".to_owned())
    }
}

/// Reads a field that must be a whole number if it is present.
fn whole(said: &Map<String, Value>, name: &str) -> Result<Option<u64>, String> {
    match said.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_u64() {
            Some(number) => Ok(Some(number)),
            None => Err(format!("`{name}` is {}, which is not a whole number", shorten(&value.to_string()))),
        },
    }
}
