//! Traces of every game by every method: as many lines as states were expanded, as many children as were generated, true states
//! that can be replayed, and the same answer as without a trace.

use std::collections::HashMap;

use kibitzer::catalog::{Choice, OnePlayer, Puzzle, TwoPlayer};
use kibitzer::drawing::Drawing;
use kibitzer::games::Visitor;
use kibitzer::limits::Limits;
use kibitzer::report::{Answer, Report};
use kibitzer::rules::{Game, Packing, Problem};
use kibitzer::search::{self, Kind};
use kibitzer::trace::{Fate, Line, Side};
use serde_json::{Value, json};

/// Most states of a search that is traced here.
const NODES: u64 = 250;

fn traced(puzzle: &dyn Puzzle, method: &str, nodes: u64) -> (Vec<Line>, Report) {
    let mut lines = Vec::new();
    let mut run = puzzle.begin(&Choice::method(method)).expect("it is in the list");
    let report = run.trace(true, &Limits::nodes(nodes), &mut |line| lines.push(line)).expect("no self-check fails");
    (lines, report)
}

/// The report without what a trace may change: nothing but the memory that it took.
fn essence(report: &Report) -> Value {
    let mut json = report.json(0.0);
    json["stats"]["peak_bytes"] = json!(0);
    json
}

/// What holds for every trace.
fn lines_are_what_was_counted(puzzle: &dyn Puzzle, method: &str, nodes: u64, context: &str) -> (Vec<Line>, Report) {
    let (lines, report) = traced(puzzle, method, nodes);
    assert_eq!(lines.len() as u64, report.stats.expanded, "{context}: a line for every expanded state");
    let children: usize = lines.iter().map(|line| line.children.len()).sum();
    assert_eq!(children as u64, report.stats.generated, "{context}: a child for every generated state");
    assert!(lines.iter().zip(1..).all(|(line, n)| line.n == n), "{context}: numbered from 1");
    let plain = puzzle.solve(&Choice::method(method), &Limits::nodes(nodes)).expect("no self-check fails");
    assert_eq!(essence(&report), essence(&plain), "{context}: watching changes nothing");
    for line in &lines {
        assert_eq!(line.json()["children"].as_array().map(Vec::len), Some(line.children.len()));
        assert_eq!(line.fields().len(), kibitzer::trace::table::COLUMNS.len());
    }
    (lines, report)
}

/// The parent of a node and the move from there.
type Nodes = HashMap<u64, (Option<u64>, Option<String>)>;

/// The moves from the root to a node, by the lines so far.
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

struct OnePlayerTraces {
    replayed: u64,
    plans: u64,
}

impl Visitor for OnePlayerTraces {
    fn one_player<P: Problem + Drawing>(&mut self) {
        for (name, problem) in crate::common::boards::<P>(1) {
            // Where a short proof may take long, it is asked for before each search gives up.
            let most = if P::PROOFS.is_some_and(|proofs| !proofs.quick) { 5 } else { 64 };
            if problem.state_bytes() > most {
                continue;
            }
            let puzzle = OnePlayer::new(problem);
            for method in puzzle.methods().into_iter().map(|info| info.name) {
                let context = format!("{} {name} {method}", P::INFO.name);
                for nodes in [NODES, 7] {
                    let (lines, report) = lines_are_what_was_counted(&puzzle, &method, nodes, &context);
                    self.check::<P>(&puzzle, &method, &lines, &report, &context);
                }
            }
        }
    }

    fn two_player<G: Game + Drawing>(&mut self) {
        for (name, game) in crate::common::boards::<G>(1) {
            let puzzle = TwoPlayer::new(game);
            for method in puzzle.methods().into_iter().map(|info| info.name) {
                for nodes in [1500, 7] {
                    let context = format!("{} {name} {method} {nodes}", G::INFO.name);
                    let (lines, report) = lines_are_what_was_counted(&puzzle, &method, nodes, &context);
                    values_follow_from_children(&lines, &report, &context);
                }
            }
        }
    }
}

impl OnePlayerTraces {
    fn check<P: Problem + Drawing>(&mut self, puzzle: &dyn Puzzle, method: &str, lines: &[Line], report: &Report, context: &str) {
        let (word, heuristic) = method.split_once(':').unwrap_or((method, ""));
        let kind = search::find(word).map(|method| method.kind);
        let consistent = P::HEURISTICS.iter().any(|h| h.name == heuristic && h.consistent);
        let f = |line: &Line| line.numbers.expect("one player").f().expect("no dead state is expanded");
        match kind {
            Some(Kind::AStar) if consistent => assert!(lines.is_sorted_by_key(f), "{context}: f never falls"),
            Some(Kind::UniformCost) => assert!(lines.is_sorted_by_key(|line| line.numbers.map(|n| n.g)), "{context}: g never falls"),
            Some(Kind::BreadthFirst) => assert!(lines.is_sorted_by_key(|line| line.depth), "{context}: depth never falls"),
            Some(Kind::IdaStar | Kind::IterativeDeepening) => {
                assert!(lines.is_sorted_by_key(|line| line.bound), "{context}: bounds grow");
                let within = |line: &Line| kind == Some(Kind::IterativeDeepening) || line.n == 1 || Some(f(line)) <= line.bound;
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
                // Of two ways to a state a plan takes the cheaper one, whichever the search took.
                ends |= child.goal
                    && kind == Some(Kind::IterativeDeepening)
                    && plan.as_ref().is_some_and(|plan| plan.len() as u32 == line.depth + 1);
                assert!(child.numbers.is_some_and(|n| n.h.is_none()) || child.fate != Fate::Dead, "{context}: the dead have no estimate");
                let moves = [chain(&nodes, line.id), vec![child.mv.clone()]].concat();
                ends |= child.goal && plan.as_ref() == Some(&moves);
            }
            // The course removes a goal before it notices.
            ends |= line.children.is_empty() && plan.as_ref().is_some_and(|plan| *plan == chain(&nodes, line.id));
        }
        if plan.is_some() && (kind.is_some() || word == "course") && kind != Some(Kind::Bidirectional) {
            assert!(ends, "{context}: the plan is a way through the trace");
            self.plans += 1;
        }
        // Two-sided: what is known from the goals leads on to them, up to symmetry.
        for line in lines.iter().filter(|line| line.side == Some(Side::Backward) && line.mv.is_some()) {
            let state = line.state.as_deref().expect("asked for");
            let board = kibitzer::notation::parse::<P>(state, &kibitzer::notation::Options::default());
            if let Ok(board) = board {
                let after = OnePlayer::new(board).after(&[json!(line.mv)]);
                assert!(after.is_ok(), "{context}: line {}", line.n);
            }
        }
    }
}

/// A position is worth what its moves make of it.
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
    if let Answer::Decided(decided) = &report.answer {
        let first = lines.iter().filter(|line| line.depth == 0 && line.parent.is_none()).filter_map(|line| line.value);
        assert!(first.map(|value| value.score.outcome()).any(|outcome| outcome == decided.outcome()), "{context}: the root has the value");
    }
}

#[test]
fn every_expanded_state_of_every_method_has_a_true_line() {
    let mut traces = OnePlayerTraces { replayed: 0, plans: 0 };
    crate::common::visit(&mut traces);
    assert!(std::env::var("GAME").is_ok() || traces.replayed > 20_000 && traces.plans > 300, "{} {}", traces.replayed, traces.plans);
}

/// A search that was stopped is traced on where it stopped.
#[test]
fn a_trace_goes_on_after_a_limit() {
    let entry = &kibitzer::games::GAMES[0];
    let puzzle = entry.parse(entry.sample, &Default::default()).expect("the sample is right");
    for method in puzzle.methods().into_iter().map(|info| info.name) {
        let (whole, _) = traced(&*puzzle, &method, 500);
        let mut run = puzzle.begin(&Choice::method(&*method)).expect("it is in the list");
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

fn kibitzer(args: &[&str]) -> std::process::Output {
    assert_cmd::Command::cargo_bin("kibitzer").expect("built").args(args).output().expect("it runs")
}

/// The program's trace: a header, a line for every state, and the report that `solve --json` prints.
#[test]
fn the_program_writes_a_header_the_lines_and_the_report() {
    for entry in kibitzer::games::GAMES {
        let traced = kibitzer(&["trace", entry.name, "--states"]);
        let solved = kibitzer(&["solve", entry.name, "--json"]);
        assert_eq!(traced.status.code(), solved.status.code());
        let text = String::from_utf8(traced.stdout).expect("text");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let (head, rest) = lines.split_first().expect("a header");
        let (last, rest) = rest.split_last().expect("a report");
        assert_eq!((&head["trace"], &head["game"]), (&json!(1), &json!(entry.name)));
        assert_eq!(head["start"], entry.parse(entry.sample, &Default::default()).expect("right").instance());
        let mut solved: Value = serde_json::from_slice(&solved.stdout).expect("JSON");
        let mut report = last["report"].clone();
        assert_eq!(report["stats"]["expanded"], rest.len(), "{}", entry.name);
        for report in [&mut report, &mut solved] {
            for field in ["seconds", "peak_bytes"] {
                report["stats"][field] = json!(0);
            }
        }
        assert_eq!(report, solved, "{}", entry.name);
        assert!(rest.iter().all(|line| line["state"].is_string()));

        let table = String::from_utf8(kibitzer(&["trace", entry.name, "--format", "csv"]).stdout).expect("text");
        assert_eq!(table.lines().next(), Some(&*kibitzer::trace::table::COLUMNS.join(",")));
        assert_eq!(table.lines().count(), rest.len() + 1, "{}", entry.name);

        let drawing = String::from_utf8(kibitzer(&["trace", entry.name, "--format", "svg"]).stdout).expect("text");
        assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"));
        // Of rounds the last one is drawn.
        let rounds = rest.last().is_some_and(|line| line["bound"].is_number());
        let first = if rounds { rest.iter().rposition(|line| line["parent"].is_null()).unwrap_or(0) } else { 0 };
        for n in first + 1..=rest.len().min(200) {
            assert!(drawing.contains(&format!(">{n}</text>")), "{}: the number {n} is in the drawing", entry.name);
        }
    }
}

#[test]
fn limits_and_mistakes_end_a_trace_as_they_end_a_solve() {
    let cut = kibitzer(&["trace", "chexers", "--method", "bfs", "--nodes", "5"]);
    assert_eq!(cut.status.code(), Some(20));
    assert_eq!(String::from_utf8_lossy(&cut.stdout).lines().count(), 7);
    assert_eq!(kibitzer(&["trace", "chexers", "--method", "magic"]).status.code(), Some(2));
    assert_eq!(kibitzer(&["trace", "chexers", "--format", "svg", "--nodes", "100000"]).status.code(), Some(2));
    assert_eq!(kibitzer(&["trace", "chexers", "instances/chexers/enclosed.json"]).status.code(), Some(10));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("trace.jsonl");
    let written = kibitzer(&["trace", "pegs", "-o", &file.to_string_lossy()]);
    assert!(written.status.success() && written.stdout.is_empty());
    assert!(std::fs::read_to_string(file).expect("written").lines().last().is_some_and(|line| line.starts_with("{\"report\":")));
}
