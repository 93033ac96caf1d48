//! Compares the count and the list of least-cost plans with a plain enumeration of all sequences of moves.

use std::collections::HashMap;

use kibitzer::catalog::{Choice, Entry, SolveError};
use kibitzer::drawing::Drawing;
use kibitzer::limits::Limits;
use kibitzer::report::{Answer, Claim};
use kibitzer::rules::{Cost, Problem};
use kibitzer::verify::{self, PlanTotal};
use serde_json::json;

use crate::any::moves_of;
use crate::one_player::Space;
use crate::{amount, boards};

/// Maximum number of plans that are enumerated.
const MOST: usize = 5_000;

/// An enumeration of all least-cost plans, which follows every move that begins a least-cost plan from the current state.
struct Enumeration<'a, P: Problem> {
    problem: &'a P,
    exact: HashMap<P::State, Cost>,
    moves: Vec<P::Move>,
    found: Vec<Vec<P::Move>>,
    infinite: bool,
}

impl<P: Problem + Drawing> Enumeration<'_, P> {
    fn follow(&mut self, state: &P::State) {
        // A plan that is longer than the number of states passes through some state twice.
        self.infinite |= self.moves.len() > self.exact.len();
        if self.infinite || self.found.len() > MOST {
            return;
        }
        if self.problem.is_goal(state) {
            return self.found.push(self.moves.clone());
        }
        for mv in moves_of(self.problem, state) {
            let next = self.problem.apply(state, &mv);
            if self.exact[&next].checked_add(self.problem.cost(state, &mv)) == Some(self.exact[state]) {
                self.moves.push(mv);
                self.follow(&next);
                self.moves.pop();
            }
        }
    }
}

pub fn plans<P: Problem + Drawing>(entry: &Entry) {
    let mut compared = 0;
    for board in boards::<P>(amount(4, 12)) {
        let (problem, puzzle, context) = (board.read::<P>(), board.open(entry), format!("{} {}", entry.name, board.name));
        let Some(space) = Space::explore(&problem, amount(3_000, 30_000)) else { continue };
        let mut report = puzzle.solve(&Choice::default(), &Limits::nodes(amount(10_000, 100_000))).expect("no fault");
        let counted = puzzle.count_plans(&mut report, Some(MOST as u64 + 1), &Limits::none());
        let total = verify::plan_total(&problem, &problem.start(), &Limits::none()).expect("there are no limits");
        match report.answer {
            Answer::Solved { optimal: true, .. } => {}
            Answer::Unsolvable { .. } => {
                assert_eq!(report.plans.as_ref().and_then(|plans| plans.count.as_deref()), Some("0"), "{context}");
                assert_eq!(total, PlanTotal::Count(Default::default()), "{context}");
                continue;
            }
            _ => continue,
        }
        let exact = space.states.iter().cloned().zip(space.exact.iter().copied()).collect();
        let mut all = Enumeration { problem: &problem, exact, moves: Vec::new(), found: Vec::new(), infinite: false };
        all.follow(&problem.start());
        if all.infinite {
            assert_eq!(total, PlanTotal::Infinite, "{context}");
            assert!(matches!(counted, Err(SolveError::Choice(_))), "{context}: {counted:?}");
            continue;
        }
        counted.unwrap_or_else(|error| panic!("{context}: {error}"));
        let plans = report.plans.clone().expect("they were counted");
        let listed = plans.list.as_ref().expect("a list was requested");
        assert_eq!(
            plans.count.as_ref().map(|count| PlanTotal::Count(count.parse::<u128>().expect("small").into())),
            Some(total),
            "{context}"
        );
        compared += 1;
        if all.found.len() <= MOST {
            let written = |plan: &Vec<P::Move>| {
                let mut state = problem.start();
                let write = |mv: &P::Move| {
                    let text = problem.write_move(&state, mv);
                    state = problem.apply(&state, mv);
                    text
                };
                plan.iter().map(write).collect::<Vec<String>>()
            };
            let expected: Vec<Vec<String>> = all.found.iter().map(written).collect();
            let texts: Vec<Vec<String>> = listed.iter().map(|plan| plan.iter().map(|mv| mv.text.clone()).collect()).collect();
            assert_eq!(texts, expected, "{context}");
            assert_eq!(plans.count, Some(expected.len().to_string()), "{context}");
        }
        // `check` must confirm the count, and refute any other number.
        let check = |answer: &serde_json::Value| {
            let claim = entry.claim(&answer.to_string()).expect("Kibitzer's own JSON");
            puzzle.check(&claim, &Limits::nodes(300_000))
        };
        let mut answer = report.json(0.0);
        if answer["plan_list"].as_array().is_some_and(|list| list.len() > 100) {
            answer["plan_list"] = json!(&answer["plan_list"].as_array().expect("a list")[..100]);
        }
        assert!(check(&answer).is_ok_and(|checked| checked.complete()), "{context}: {answer}");
        for (field, value) in [("plans", json!(format!("1{}", plans.count.unwrap_or_default()))), ("plan_list", json!([[], []]))] {
            let mut changed = answer.clone();
            changed[field] = value;
            assert!(check(&changed).is_err(), "{context}: {changed}");
        }
        assert!(Claim::read(&report.text(0.0), entry.name).is_ok(), "{context}: the text is also a valid plan");
        let limited = puzzle.count_plans(&mut report, None, &Limits { bytes: 10, ..Limits::none() });
        assert!(limited.is_ok() && report.plans.is_some_and(|plans| plans.count.is_none() && plans.limit.is_some()), "{context}: memory");
    }
    assert!(compared > 0, "{}: plans were compared on no board", entry.name);
}
