//! Traces of every game by every method: a line for each expanded state, a child for each generated state, replayable states, and the
//! same answer as without a trace.

use std::collections::HashMap;

use kibitzer::catalog::{Choice, Entry, Puzzle};
use kibitzer::drawing::Drawing;
use kibitzer::games::{GAMES, Visitor};
use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use kibitzer::report::{Answer, Report};
use kibitzer::rules::{Game, Problem};
use kibitzer::search::{self, Algorithm};
use kibitzer::trace::{Fate, Judged, Line, Side};
use kibitzer::viewer::page::Page;
use serde_json::{Value, json};

use crate::common::amount;

fn traced(puzzle: &dyn Puzzle, method: &str, nodes: u64) -> (Vec<Line>, Report) {
    let mut lines = Vec::new();
    let mut run = puzzle.begin(&Choice::method(method)).expect("a listed method");
    let report = run.trace(true, &Limits::nodes(nodes), &mut |line| lines.push(line)).expect("no self-check fails");
    (lines, report)
}

/// The report without its memory use, the only thing that a trace may change.
fn essence(report: &Report) -> Value {
    let mut json = report.json(0.0);
    json["stats"]["peak_bytes"] = json!(0);
    json
}

/// Traces a method and checks the properties that every trace has.
fn trace_and_check(puzzle: &dyn Puzzle, method: &str, nodes: u64, context: &str) -> (Vec<Line>, Report) {
    let (lines, report) = traced(puzzle, method, nodes);
    assert_eq!(lines.len() as u64, report.stats.expanded, "{context}: a line for every expanded state");
    let children: usize = lines.iter().map(|line| line.children.len()).sum();
    // A course may also count the start.
    let start = u64::from(method.starts_with("course:") && children as u64 != report.stats.generated);
    assert_eq!(children as u64 + start, report.stats.generated, "{context}: a child for every generated state");
    assert!(lines.iter().zip(1..).all(|(line, n)| line.n == n), "{context}: numbered from 1");
    let plain = puzzle.solve(&Choice::method(method), &Limits::nodes(nodes)).expect("no self-check fails");
    assert_eq!(essence(&report), essence(&plain), "{context}: tracing changes nothing");
    for line in &lines {
        assert_eq!(line.json()["children"].as_array().map(Vec::len), Some(line.children.len()));
        assert_eq!(line.fields().len(), kibitzer::trace::table::COLUMNS.len());
    }
    (lines, report)
}

/// For each node, its parent and the move from the parent.
type Nodes = HashMap<u64, (Option<u64>, Option<String>)>;

/// The moves from the root to a node, according to the lines so far.
fn chain(nodes: &Nodes, id: u64) -> Vec<String> {
    let mut moves = Vec::new();
    let mut at = Some(id);
    while let Some(id) = at {
        let (parent, mv) = &nodes[&id];
        moves.extend(mv.clone());
        at = *parent;
    }
    moves.reverse();
    moves
}

fn values(moves: &[String]) -> Vec<Value> {
    moves.iter().map(|mv| json!(mv)).collect()
}

struct Traces {
    replayed: u64,
    plans: u64,
}

impl Visitor for Traces {
    fn one_player<P: Problem + Drawing>(&mut self) {
        // Before a search gives up, it tries to find a short proof, which may take a long time on a large board.
        let most = if P::PROOFS.is_some_and(|proofs| !proofs.quick) { 5 } else { 64 };
        let consistent: Vec<&str> = P::HEURISTICS.iter().filter(|heuristic| heuristic.consistent).map(|heuristic| heuristic.name).collect();
        for board in crate::common::boards::<P>(1).into_iter().take(amount(3, 6)) {
            let puzzle = board.open(crate::entry(P::INFO.name));
            if puzzle.state_bytes() <= most {
                self.check(&*puzzle, &consistent, &board.name);
            }
        }
    }

    fn two_player<G: Game + Drawing>(&mut self) {
        for board in crate::common::boards::<G>(1).into_iter().take(amount(2, 8)) {
            let puzzle = board.open(crate::entry(G::INFO.name));
            for method in puzzle.methods().into_iter().map(|info| info.name) {
                for nodes in [amount(300, 1000), 7] {
                    let context = format!("{} {} {method} {nodes}", G::INFO.name, board.name);
                    let (lines, report) = trace_and_check(&*puzzle, &method, nodes, &context);
                    values_follow_from_children(&lines, &report, &context);
                }
            }
        }
    }
}

impl Traces {
    /// Checks every method of a one-player game. `consistent` names its consistent heuristics.
    fn check(&mut self, puzzle: &dyn Puzzle, consistent: &[&str], board: &str) {
        for method in puzzle.methods().into_iter().map(|info| info.name) {
            let context = format!("{} {board} {method}", puzzle.game());
            for nodes in [amount(60, 150), 7] {
                let (lines, report) = trace_and_check(puzzle, &method, nodes, &context);
                let (word, heuristic) = method.split_once(':').unwrap_or((&method, ""));
                self.check_lines(puzzle, word, consistent.contains(&heuristic), &lines, &report, &context);
            }
        }
    }

    fn check_lines(&mut self, puzzle: &dyn Puzzle, word: &str, consistent: bool, lines: &[Line], report: &Report, context: &str) {
        let kind = search::find(word).map(|method| method.kind);
        let f = |line: &Line| line.numbers.expect("one player").f().expect("no dead state is expanded");
        match kind {
            Some(Algorithm::AStar) if consistent => assert!(lines.is_sorted_by_key(f), "{context}: f never drops"),
            Some(Algorithm::UniformCost) => assert!(lines.is_sorted_by_key(|line| line.numbers.map(|n| n.g)), "{context}: g never drops"),
            Some(Algorithm::BreadthFirst) => assert!(lines.is_sorted_by_key(|line| line.depth), "{context}: depth never drops"),
            Some(Algorithm::IdaStar | Algorithm::IterativeDeepening) => {
                assert!(lines.is_sorted_by_key(|line| line.bound), "{context}: bounds never drop");
                let within = |line: &Line| kind == Some(Algorithm::IterativeDeepening) || line.n == 1 || Some(f(line)) <= line.bound;
                assert!(lines.iter().all(within), "{context}: nothing beyond the bound is expanded");
            }
            _ => {}
        }
        let plan: Option<Vec<String>> = match &report.answer {
            Answer::Solved { moves, .. } => Some(moves.iter().map(|mv| mv.text.clone()).collect()),
            _ => None,
        };
        let mut nodes = Nodes::new();
        let mut ends = plan.as_ref().is_some_and(Vec::is_empty);
        for line in lines {
            if line.side == Some(Side::Backward) {
                continue;
            }
            assert!(line.parent.is_none_or(|parent| nodes.contains_key(&parent)), "{context}: the parent was expanded before");
            nodes.insert(line.id, (line.parent, line.mv.clone()));
            let mut moves = chain(&nodes, line.id);
            if kind.is_none() {
                // A game's own solver may make several moves in one step.
                moves = moves.iter().flat_map(|mv| mv.split(", ").map(str::to_owned)).collect();
            }
            let here = puzzle.after(&values(&moves)).unwrap_or_else(|error| panic!("{context}: line {}: {error}", line.n));
            assert_eq!(Some(here.instance()), line.state, "{context}: line {}", line.n);
            assert_eq!(puzzle.cost(&values(&moves)), Ok(line.numbers.map_or(0, |n| u64::from(n.g))), "{context}: line {}", line.n);
            self.replayed += 1;
            for child in &line.children {
                // If two paths lead to the same state, the plan uses the cheaper one, even if the search used the other.
                ends |= child.goal
                    && kind == Some(Algorithm::IterativeDeepening)
                    && plan.as_ref().is_some_and(|plan| plan.len() as u32 == line.depth + 1);
                assert!(child.numbers.is_some_and(|n| n.h.is_none()) || child.fate != Fate::Dead, "{context}: no estimate for dead states");
                let moves = [chain(&nodes, line.id), vec![child.mv.clone()]].concat();
                ends |= child.goal && plan.as_ref() == Some(&moves);
            }
            // The course's method removes a goal from the open list before recognizing it.
            ends |= line.children.is_empty() && plan.as_ref().is_some_and(|plan| *plan == chain(&nodes, line.id));
        }
        if plan.is_some() && (kind.is_some() || word == "course") && kind != Some(Algorithm::Bidirectional) {
            assert!(ends, "{context}: the plan is a path in the trace");
            self.plans += 1;
        }
        // In a bidirectional search, moves on the backward side lead toward the goals, up to symmetry.
        for line in lines.iter().filter(|line| line.side == Some(Side::Backward) && line.mv.is_some()) {
            let state = line.state.as_deref().expect("asked for");
            if let Ok(board) = crate::entry(puzzle.game()).parse(state, &Options::default()) {
                assert!(board.after(&[json!(line.mv)]).is_ok(), "{context}: line {}", line.n);
            }
        }
    }
}

/// Checks that the value of a position follows from those of its children.
fn values_follow_from_children(lines: &[Line], report: &Report, context: &str) {
    let mut worth: HashMap<u64, &'static str> = HashMap::new();
    for line in lines {
        let Some(value) = line.value else { continue };
        let outcome = value.score.outcome();
        let known: Vec<&str> = line.children.iter().filter_map(|child| child.value).map(|value| value.score.outcome()).collect();
        let whole = known.len() == line.children.len();
        match outcome {
            "N" => assert!(line.children.is_empty() || known.contains(&"P"), "{context}: line {} wins by a move to a P-position", line.n),
            "P" => assert!(line.children.is_empty() || whole && known.iter().all(|&o| o == "N"), "{context}: line {}", line.n),
            // Alpha-beta search knows only bounds on the values after the other moves.
            _ if line.judged.is_some() => {}
            _ => assert!(line.children.is_empty() || whole && !known.contains(&"P") && known.contains(&"D"), "{context}: line {}", line.n),
        }
        for child in &line.children {
            let (Some(id), Some(value)) = (child.id, child.value) else { continue };
            if let Some(before) = worth.get(&id) {
                assert_eq!(*before, value.score.outcome(), "{context}: line {}: a position has one value", line.n);
            }
        }
        worth.insert(line.id, outcome);
    }
    // Proof numbers answer questions about the value.
    let proves = lines.iter().any(|line| matches!(line.judged, Some(Judged::Proof { .. })));
    if let Answer::Decided(decided) = &report.answer
        && !proves
    {
        let first = lines.iter().filter(|line| line.depth == 0 && line.parent.is_none()).filter_map(|line| line.value);
        assert!(first.map(|value| value.score.outcome()).any(|outcome| outcome == decided.outcome()), "{context}: wrong value at the root");
    }
}

#[test]
fn every_method_writes_a_correct_line_for_every_expanded_state() {
    let mut traces = Traces { replayed: 0, plans: 0 };
    crate::common::visit(&mut traces);
    assert!(
        std::env::var("GAME").is_ok() || traces.replayed > amount(500, 2_000) && traces.plans > amount(10, 50),
        "{} {}",
        traces.replayed,
        traces.plans
    );
}

/// After a stop, tracing continues where the search stopped.
#[test]
fn a_trace_resumes_after_a_limit() {
    let entry = &GAMES[0];
    let puzzle = entry.parse(entry.sample, &Default::default()).expect("the sample is valid");
    for method in puzzle.methods().into_iter().map(|info| info.name) {
        let (whole, _) = traced(&*puzzle, &method, 500);
        let mut run = puzzle.begin(&Choice::method(&*method)).expect("a listed method");
        if !run.resumes() {
            continue;
        }
        let mut pieces: Vec<Line> = Vec::new();
        for nodes in [1, 2, 3, 50, 500] {
            let _ = run.trace(true, &Limits::nodes(nodes), &mut |line| pieces.push(line)).expect("no self-check fails");
        }
        let json = |lines: &[Line]| lines.iter().map(Line::json).collect::<Vec<_>>();
        assert_eq!(json(&pieces), json(&whole), "{method}");
    }
}

fn page_of(entry: &'static Entry) -> String {
    let puzzle = entry.parse(entry.sample, &Options::default()).expect("the sample");
    let choice = Choice::default();
    let mut page = Page::new(entry, &puzzle.method(&choice).expect("a method"), entry.sample);
    let limits = Limits::nodes(50);
    let report = puzzle.begin(&choice).expect("a run").trace(true, &limits, &mut |line| page.add(line, &limits)).expect("a trace");
    page.html(&report, 0.0)
}

#[test]
fn the_data_of_a_page_can_be_read_back() {
    for entry in GAMES {
        let html = page_of(entry);
        let data = html.split_once("id=\"trace\">").and_then(|(_, rest)| rest.split_once("</script>")).expect("the data").0;
        let data: Value = serde_json::from_str(data).expect("JSON");
        let lines = data["lines"].as_array().expect("lines");
        assert_eq!(json!(lines.len()), data["ending"]["report"]["stats"]["expanded"], "{}", entry.name);
        let shapes = data["boards"]["shapes"].as_array().expect("shapes").len() as u64;
        // One painted board shows the whole search.
        let (drawn, painted) = lines.split_at(if entry.paints { 1 } else { lines.len() });
        assert!(painted.iter().all(|line| line["place"].is_string()), "{}", entry.name);
        for line in drawn {
            let board = line["board"].as_u64().expect("a board") as usize;
            let scene = &data["boards"]["scenes"][board];
            assert!(scene["shapes"].as_array().is_some_and(|all| all.iter().all(|at| at.as_u64().is_some_and(|at| at < shapes))));
        }
    }
}
