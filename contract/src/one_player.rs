//! The contract for one-player games. Laws are checked on random walks, and heuristics against exact distances. Every method is compared
//! with a plain search, and its answers are passed to `check`. Searches must stop at limits, and resuming must not change their answers.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kibitzer::catalog::{Choice, Entry, Puzzle, Run};
use kibitzer::drawing::Drawing;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::Options;
use kibitzer::outcome::{Stats, Why};
use kibitzer::random::Random;
use kibitzer::report::{Answer, Claim};
use kibitzer::rules::{Cost, DEAD, Heuristic, Problem};
use kibitzer::search;
use kibitzer::verify::{self, Least};

use crate::any::{self, moves_of};
use crate::{Check, amount, boards, measures};

/// Runs all checks in this module.
pub fn check<P: Problem + Drawing>(entry: &Entry) {
    checks::<P>().iter().for_each(|(_, check)| check(entry));
}

pub fn checks<P: Problem + Drawing>() -> [Check; 11] {
    [
        ("declarations", declarations::<P>),
        ("laws", |_| laws::<P>()),
        ("shown", |entry| any::shown(entry, &boards::<P>(amount(2, 8)))),
        ("reader", any::reader),
        ("heuristics", heuristics::<P>),
        ("methods", methods::<P>),
        ("measures", |_| measures::check::<P>()),
        ("changes", |entry| any::changes(entry, boards::<P>(0))),
        ("resuming", resuming::<P>),
        ("limits", limits),
        ("plans", crate::plans::plans::<P>),
    ]
}

/// Checks that the game's declarations do not contradict each other.
fn declarations<P: Problem + Drawing>(entry: &Entry) {
    any::declarations(entry);
    for board in boards::<P>(1) {
        let problem: P = board.read();
        assert!(problem.heuristics().iter().all(|h| h.admissible || !h.consistent), "consistent implies admissible");
    }
    let own: Vec<&str> = P::SOLVERS.iter().map(|solver| solver.name).collect();
    assert!(own.iter().all(|name| search::find(name).is_none()), "{own:?} must not hide a search method");
}

/// Checks the laws that hold in every state, on random walks.
fn laws<P: Problem + Drawing>() {
    for board in boards::<P>(amount(3, 12)) {
        let problem: P = board.read();
        let context = format!("{} {}", P::INFO.name, board.name);
        // Each move is checked forward, and all predecessors of each successor are listed, so this test takes too long on boards with many
        // moves.
        if moves_of(&problem, &problem.start()).len() > 100 {
            continue;
        }
        let none = Limits::none();
        // Unless `LONG` is set, heuristics with large tables are left out, because building these tables takes seconds.
        let built = |h: &'static Heuristic<P>| match (h.build)(&problem, &Limits { bytes: amount(1 << 20, usize::MAX), ..Limits::none() }) {
            Ok(estimate) => Some((h, estimate)),
            Err(limit) => {
                assert!(amount(true, false), "{context}: {} stopped: {limit:?}", h.name);
                None
            }
        };
        let (heuristics, estimates): (Vec<_>, Vec<_>) = search::heuristics(&problem).into_iter().filter_map(built).unzip();
        let mut random = Random::new(1);
        for _ in 0..amount(2, 4) {
            let mut state = problem.start();
            for _ in 0..25 {
                let moves = laws_of_a_state(&problem, &state, &context);
                let canonical = problem.canonical(state.clone());
                for (heuristic, estimate) in heuristics.iter().zip(&estimates) {
                    let values = [&state, &canonical].map(|state| estimate.at(&problem, state, &none));
                    assert_eq!(values[0], values[1], "{context}: symmetry changes the value of {}", heuristic.name);
                    let value = |state: &P::State| estimate.at(&problem, state, &none).expect("no limit");
                    if let (Some(in_place), [_, ..]) = (P::IN_PLACE, estimate.differences()) {
                        for mv in &moves {
                            let difference = estimate.differences()[in_place.change(&problem, &state, mv)];
                            let exact = value(&problem.apply(&state, mv));
                            assert_eq!(
                                value(&state).wrapping_add(difference),
                                exact,
                                "{context}: {} after {mv:?} from {state:?}",
                                heuristic.name
                            );
                        }
                    }
                }
                if moves.is_empty() {
                    break;
                }
                state = problem.apply(&state, &moves[random.below(moves.len())]);
            }
        }
    }
}

/// Lists the predecessors of a state, if the problem has backward steps.
fn predecessors<P: Problem>(problem: &P, state: &P::State) -> Vec<(P::State, Cost)> {
    let mut all = Vec::new();
    if let Some(backward) = P::BACKWARD {
        let _ = (backward.step)(problem, state, &mut |before, cost| {
            all.push((before, cost));
            ControlFlow::Continue(())
        });
    }
    all
}

fn laws_of_a_state<P: Problem + Drawing>(problem: &P, state: &P::State, context: &str) -> Vec<P::Move> {
    let moves = any::laws_of_a_state(problem, state, |state, mv| problem.cost(state, mv), context);
    let canonical = problem.canonical(state.clone());
    assert_eq!(problem.is_goal(state), problem.is_goal(&canonical), "{context}: symmetry preserves goals");
    assert_eq!(problem.is_dead(state), problem.is_dead(&canonical), "{context}: symmetry preserves dead ends");

    let mut successors = Vec::new();
    let _ = problem.expand(&canonical, &mut Vec::new(), |state, cost| {
        successors.push((state, cost));
        ControlFlow::Continue(())
    });
    let plain = moves_of(problem, &canonical);
    let plain: Vec<_> = plain.iter().map(|mv| (problem.canonical(problem.apply(&canonical, mv)), problem.cost(&canonical, mv))).collect();
    assert_eq!(successors, plain, "{context}: expand disagrees with moves, apply, canonical or cost");

    if let Some(in_place) = P::IN_PLACE {
        assert_eq!(canonical, *state, "{context}: moves are made in place, so there is no symmetry");
        for mv in moves_of(problem, state) {
            let mut changed = state.clone();
            let undo = (in_place.make)(problem, &mut changed, &mv);
            assert_eq!(changed, problem.apply(state, &mv), "{context}: {mv:?} made in place agrees with apply");
            (in_place.unmake)(problem, &mut changed, &mv, undo);
            assert_eq!(changed, *state, "{context}: {mv:?} is unmade");
        }
    }

    let can_step_back = P::BACKWARD.is_some_and(|backward| !(backward.goals)(problem).is_empty());
    for state in [state, &canonical] {
        for mv in moves_of(problem, state) {
            let cost = problem.cost(state, &mv);
            assert!(problem.move_costs().contains(&cost), "{context}: {mv:?} costs {cost}");
            let found = || predecessors(problem, &problem.apply(state, &mv)).contains(&(state.clone(), cost));
            assert!(!can_step_back || found(), "{context}: no backward step undoes {mv:?} from {state:?}");
        }
        for (before, cost) in predecessors(problem, state) {
            let mut moves = moves_of(problem, &before).into_iter();
            let leads_here = |mv: P::Move| problem.apply(&before, &mv) == *state && problem.cost(&before, &mv) == cost;
            assert!(moves.any(leads_here), "{context}: {before:?} does not lead to {state:?}");
        }
    }
    moves
}

/// The whole space of a small board: its states, the moves between them, and the exact cost to go from each state.
pub struct Space<P: Problem> {
    pub states: Vec<P::State>,
    steps: Vec<(usize, usize, Cost)>,
    pub exact: Vec<Cost>,
}

impl<P: Problem + Drawing> Space<P> {
    /// Explores the whole space. Returns `None` if it has more than `most` states.
    pub fn explore(problem: &P, most: usize) -> Option<Space<P>> {
        let mut number = HashMap::from([(problem.start(), 0)]);
        let mut states = vec![problem.start()];
        let mut steps = Vec::new();
        let mut at = 0;
        while at < states.len() {
            for mv in moves_of(problem, &states[at]) {
                let next = problem.apply(&states[at], &mv);
                let to = *number.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                });
                steps.push((at, to, problem.cost(&states[at], &mv)));
            }
            if states.len() > most {
                return None;
            }
            at += 1;
        }
        let mut exact: Vec<Cost> = states.iter().map(|state| if problem.is_goal(state) { 0 } else { DEAD }).collect();
        // The Bellman-Ford algorithm is slow, but simple and correct for all costs.
        loop {
            let mut changed = false;
            for &(from, to, cost) in steps.iter().rev() {
                let through = exact[to].saturating_add(cost);
                if through < exact[from] {
                    exact[from] = through;
                    changed = true;
                }
            }
            if !changed {
                return Some(Space { states, steps, exact });
            }
        }
    }
}

/// Compares heuristics with exact distances on every small board: they must be admissible and consistent if declared so, and states
/// reported as dead must be dead.
fn heuristics<P: Problem + Drawing>(entry: &Entry) {
    let mut tested = 0;
    for board in boards::<P>(amount(4, 12)) {
        let (name, problem) = (&board.name, board.read::<P>());
        let Some(space) = Space::explore(&problem, amount(10_000, 30_000)) else { continue };
        tested += 1;
        for (state, exact) in space.states.iter().zip(&space.exact) {
            assert!(!problem.is_dead(state) || *exact == DEAD, "{name}: a live state was reported as dead");
        }
        let none = Limits::none();
        for heuristic in search::heuristics(&problem) {
            let estimate = (heuristic.build)(&problem, &none).expect("no limit");
            let values: Vec<Cost> = space.states.iter().map(|state| estimate.at(&problem, state, &none).expect("no limit")).collect();
            let context = format!("{} {name}: {}", entry.name, heuristic.name);
            for ((value, exact), state) in values.iter().zip(&space.exact).zip(&space.states) {
                assert!(!heuristic.admissible || value <= exact, "{context}: {value} > {exact} at {state:?}");
                assert!(!heuristic.consistent || *exact > 0 || *value == 0, "{context}: not 0 at a goal");
            }
            for &(from, to, cost) in &space.steps {
                let falls = values[from] > values[to].saturating_add(cost);
                assert!(!heuristic.consistent || !falls, "{context}: the estimate drops too fast from {:?}", space.states[from]);
            }
        }
    }
    assert!(
        tested >= 3,
        "{name}: only {tested} of its boards are small enough, and 3 are needed to compare heuristics with exact distances; \
         add boards with at most 10,000 states to instances/{name}/, or let the generator make smaller ones by default",
        name = entry.name
    );
}

/// Compares every method on every board with the plain search in `verify`, and passes every answer to `check`.
fn methods<P: Problem + Drawing>(entry: &Entry) {
    let mut solved = 0;
    let (mut asked, mut answered) = (HashSet::new(), HashSet::new());
    for board in boards::<P>(amount(3, 8)) {
        let (name, problem, puzzle) = (&board.name, board.read::<P>(), board.open(entry));
        let least = verify::least_cost(&problem, &problem.start(), &Limits::nodes(amount(4_000, 20_000)));
        match least {
            Least::Unknown { .. } => continue,
            Least::Cost(_) => solved += 1,
            Least::None => {}
        }
        for method in puzzle.methods() {
            asked.insert(method.name.clone());
            if method_is_right(&*puzzle, &method.name, method.optimal, least, &format!("{} {name}: {}", entry.name, method.name)) {
                answered.insert(method.name);
            }
        }
    }
    assert_eq!(asked, answered, "every method answers at least once");
    assert!(solved > 0, "{}: none of the boards is solvable", entry.name);
}

/// Compares a method's answer with the least cost, and passes the answer to `check` both unchanged and without its first move. Returns true
/// if there was an answer.
fn method_is_right(puzzle: &dyn Puzzle, method: &str, promised: bool, least: Least, context: &str) -> bool {
    let most = amount(4_000, 10_000);
    let report = puzzle.solve(&Choice::method(method), &Limits::nodes(most)).expect(context);
    match (&report.answer, least) {
        (Answer::Solved { cost, optimal, lower, moves }, Least::Cost(least)) => {
            assert!(*cost >= least && *lower <= least && report.verified, "{context}");
            assert_eq!(*optimal, lower >= cost, "{context}");
            assert!(!optimal || *cost == least, "{context}: a plan of cost {cost} is wrongly called optimal");
            assert!(!promised || *optimal, "{context}: a promised least-cost plan is not called optimal");
            assert!(*cost == 0 || !moves.is_empty(), "{context}");
        }
        (Answer::Unsolvable { .. }, Least::None) => assert!(report.verified, "{context}"),
        (Answer::Unknown { lower, upper, .. }, _) => {
            assert!(report.stats.expanded <= most, "{context}");
            if let Least::Cost(least) = least {
                assert!(*lower <= least && upper.is_none_or(|upper| upper >= least), "{context}");
            }
            return false;
        }
        (answer, least) => panic!("{context}: {answer:?} against {least:?}"),
    }
    let json = report.json(0.0).to_string();
    let checked = puzzle.check(&Claim::read(&json, puzzle.game()).expect("Kibitzer's own JSON"), &Limits::nodes(300_000));
    assert!(checked.is_ok_and(|checked| checked.complete()), "{context}: {json}");
    if let Answer::Solved { moves, optimal, .. } = &report.answer {
        let claim = Claim::read(&report.text(0.0), puzzle.game()).expect("Kibitzer's own text");
        assert!(puzzle.check(&claim, &Limits::nodes(0)).is_ok(), "{context}: the text is also a valid plan");
        // If a plan is not the cheapest, its first move may be unnecessary.
        if *optimal && !moves.is_empty() {
            let cut = Claim::Plan { moves: moves[1..].iter().map(|mv| mv.json.clone()).collect(), said: Default::default() };
            assert!(puzzle.check(&cut, &Limits::nodes(0)).is_err(), "{context}: a plan without its first move passes");
        }
    }
    true
}

/// Checks that a search that is stopped after every state, or resumed with doubled limits, returns the same answer and the same counts
/// as an uninterrupted search.
fn resuming<P: Problem + Drawing>(entry: &Entry) {
    for board in boards::<P>(amount(1, 3)).into_iter().take(amount(4, 12)) {
        resuming_changes_nothing(&*board.open(entry), &format!("{} {}", entry.name, board.name));
    }
}

fn resuming_changes_nothing(puzzle: &dyn Puzzle, board: &str) {
    let most = amount(100, 500);
    for method in search::METHODS {
        let choice = Choice { weight: 1500, ..Choice::method(method.name) };
        let Ok(mut whole) = puzzle.begin(&choice) else { continue };
        let context = format!("{board}: {}", method.name);
        let begin = || puzzle.begin(&choice).expect("began before");
        let answer = whole.advance(&Limits::nodes(most)).expect("no fault").answer;
        let mut stepped = begin();
        for nodes in 1..=most {
            stepped.work(&Limits::nodes(nodes));
            let look = stepped.look().expect("a search");
            if look.stats.expanded < nodes {
                break;
            }
            assert!(look.last.is_some(), "{context}: the last state is visible");
            assert!(look.upper.is_none_or(|upper| upper >= look.lower), "{context}");
        }
        let mut doubled = begin();
        let mut nodes = 0;
        loop {
            doubled.work(&Limits::nodes(nodes));
            if doubled.look().expect("a search").stats.expanded < nodes || nodes == most {
                break;
            }
            nodes = most.min(2 * nodes.max(1));
        }
        for (mut run, how) in [(stepped, "stepped"), (doubled, "resumed")] {
            let report = run.advance(&Limits::nodes(most)).expect("no fault");
            assert_eq!(inside(&*run), inside(&*whole), "{context}: {how}");
            // Before a search gives up, it looks for a short proof, and the limit may determine whether it finds one.
            if !is_proof(&answer) && !is_proof(&report.answer) {
                assert_eq!(format!("{:?}", report.answer), format!("{answer:?}"), "{context}: {how}");
            }
        }
        if !matches!(answer, Answer::Unknown { .. }) && !is_proof(&answer) {
            let again = whole.advance(&Limits::none()).expect("no fault").answer;
            assert_eq!(format!("{again:?}"), format!("{answer:?}"), "{context}: a repeated call returns the same answer");
        }
    }
}

/// The counters and bounds of a search, without its memory use.
fn inside(run: &dyn Run) -> impl PartialEq + std::fmt::Debug {
    let look = run.look().expect("a search");
    let Stats { expanded, generated, reopened, stored, .. } = look.stats;
    ((expanded, generated, reopened, stored), (look.open, look.closed, look.lower, look.upper, look.last))
}

fn is_proof(answer: &Answer) -> bool {
    matches!(answer, Answer::Unsolvable { why: Why::Certificate(_) })
}

/// Checks that memory limits and cancellation end a search with a proved bound, never with a wrong answer.
fn limits(entry: &Entry) {
    let puzzle = entry.parse(entry.sample, &Options::default()).expect("the sample is valid");
    let least = match puzzle.solve(&Choice::default(), &Limits::none()).expect("no fault").answer {
        Answer::Solved { cost, .. } => cost,
        _ => DEAD,
    };
    // The game's other solvers are skipped, because they may finish before they first check the limits.
    for method in puzzle.methods().into_iter().filter(|info| info.memory.is_some() || info.course) {
        let choice = Choice::method(&method.name);
        let calls = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&calls);
        let limits = Limits::until(move |progress| {
            counted.fetch_add(1, Ordering::Relaxed);
            assert!(progress.lower <= least);
            true
        });
        let report = puzzle.solve(&choice, &limits).expect("no fault");
        let stopped = matches!(report.answer, Answer::Unknown { limit: Limit::Time, lower, .. } if lower <= least);
        assert!(stopped, "{} {}: {:?}", entry.name, method.name, report.answer);
        assert_eq!(
            (calls.load(Ordering::Relaxed), report.stats.expanded),
            (1, 0),
            "{}: the limits are checked before the first state",
            method.name
        );
        let report = puzzle.solve(&choice, &Limits { bytes: 10, ..Limits::none() }).expect("no fault");
        assert!(matches!(report.answer, Answer::Unknown { limit: Limit::Memory, .. }), "{} {}", entry.name, method.name);
    }
}
