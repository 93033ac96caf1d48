//! The program's traces: JSON lines, tables and drawings.

use serde_json::{Value, json};

use crate::common::Folder;
use crate::run::{ends, json, stdout};

/// Default number of states in a drawing.
const DRAWN: usize = 200;

/// A trace consists of a header, a line for every expanded state, and the report that `solve --json` prints.
#[test]
fn the_program_writes_a_header_the_lines_and_the_report() {
    for entry in kibitzer::games::GAMES {
        let text = stdout(&["trace", entry.name, "--states"], "");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let (head, rest) = lines.split_first().expect("a header");
        let (last, rest) = rest.split_last().expect("a report");
        assert_eq!((&head["trace"], &head["game"]), (&json!(1), &json!(entry.name)));
        assert_eq!(head["start"], entry.parse(entry.sample, &Default::default()).expect("valid").instance());
        let mut solved = json(&["solve", entry.name, "--json"], "");
        let mut report = last["report"].clone();
        assert_eq!(report["stats"]["expanded"], rest.len(), "{}", entry.name);
        for report in [&mut report, &mut solved] {
            for field in ["seconds", "peak_bytes"] {
                report["stats"][field] = json!(0);
            }
        }
        assert_eq!(report, solved, "{}", entry.name);
        assert!(rest.iter().all(|line| line["state"].is_string()));

        let table = stdout(&["trace", entry.name, "--format", "csv"], "");
        assert_eq!(table.lines().next(), Some(&*kibitzer::trace::table::COLUMNS.join(",")));
        assert_eq!(table.lines().count(), rest.len() + 1, "{}", entry.name);

        // By default, a tree is drawn up to a number of states.
        let code = if rest.len() > DRAWN && !entry.paints { 20 } else { 0 };
        let drawing = ends(code, &["trace", entry.name, "--format", "svg"], "");
        assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"));
        if entry.paints {
            assert!(drawing.contains("class=\"shade"), "{}: the search is painted on the board", entry.name);
            continue;
        }
        // If a method searches in rounds, only the last round is drawn.
        let rounds = rest.last().is_some_and(|line| line["bound"].is_number());
        let first = if rounds { rest.iter().rposition(|line| line["parent"].is_null()).unwrap_or(0) } else { 0 };
        // A state that is expanded again keeps the number of its first expansion.
        let again = |n: usize| rest[first..n - 1].iter().any(|line| line["id"] == rest[n - 1]["id"]);
        for n in (first + 1..=rest.len().min(DRAWN)).filter(|&n| !again(n)) {
            assert!(drawing.contains(&format!(">{n}</text>")), "{}: the number {n} is not in the drawing", entry.name);
        }
    }
}

#[test]
fn limits_and_mistakes_end_a_trace_as_they_end_a_solve() {
    assert_eq!(ends(20, &["trace", "chexers", "--method", "bfs", "--nodes", "5"], "").lines().count(), 7);
    ends(2, &["trace", "chexers", "--method", "magic"], "");
    ends(2, &["trace", "chexers", "--format", "svg", "--nodes", "100000"], "");
    ends(10, &["trace", "chexers", "enclosed"], "");
    let folder = Folder::new();
    let file = folder.path("trace.jsonl");
    assert!(stdout(&["trace", "pegs", "-o", &file], "").is_empty());
    assert!(std::fs::read_to_string(file).expect("written").lines().last().is_some_and(|line| line.starts_with("{\"report\":")));
}
