//! The program on the Edge-Distinguishing Game: answers, errors, position graphs, play and tables.

use serde_json::{Value, json};

use crate::common::Folder;
use crate::run::{answer, ends, fails, json, kibitzer, refused, stdout, text};

#[test]
fn the_answer_as_json() {
    let mut report = json(&["solve", "edge", "P5", "--json"], "");
    for (key, value) in [
        ("game", json!("edge")),
        ("verdict", json!("solved")),
        ("verified", json!(true)),
        ("winner", json!(1)),
        ("outcome", json!("N")),
        ("grundy", json!(1)),
        ("colors", json!(3)),
        ("best", json!(["c:1", "c:2", "c:3"])),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    for key in ["expanded", "generated", "peak_bytes", "seconds"] {
        assert!(report["stats"][key].is_number(), "{key}");
    }
    // `--graph` can replace the whole board or only its graph.
    report["stats"].take();
    assert_eq!(answer(&["solve", "edge", "--graph", "P5", "--json"]), report);
    assert_eq!(answer(&["solve", "edge", "graph: P6; colors: 3", "--graph", "P5", "--json"])["best"], report["best"]);
    let said = stdout(&["solve", "edge", "-"], "a:b b:a,c c:b,d d:c,e e:d\n");
    assert!(said.contains("Player 1 has a winning strategy") && said.ends_with("c:1\nc:2\nc:3\n"), "{said}");
    let later = json(&["solve", "edge", "--position", "-,2,1,-,-", "--json"], "");
    assert_eq!((&later["best"], &later["outcome"]), (&json!(["d:1", "d:3", "e:3"]), &json!("N")));
    let misere = json(&["solve", "edge", "K3", "-O", "misere", "--json"], "");
    assert_eq!((&misere["winner"], &misere["grundy"]), (&json!(2), &Value::Null));
    let spaces = json(&["explore", "edge", "P5", "--json"], "");
    assert_eq!((&spaces["without_symmetry"], &spaces["dead_ends"], &spaces["losing"]), (&json!(625), &json!(123), &json!(213)));
}

#[test]
fn exit_codes_and_remedies() {
    let cases: &[(i32, &[&str], &str)] = &[
        (0, &["solve", "edge"], ""),
        (0, &["solve", "edge", "K2,3", "--method", "winner"], ""),
        (0, &["compare", "edge", "P7", "--nodes", "1000", "--order", "none"], ""),
        (0, &["solve", "edge", "--method", "scout", "--order", "History"], ""),
        (20, &["solve", "edge", "P7", "--method", "minimax", "--nodes", "50"], ""),
        (0, &["draw", "edge", "petersen"], ""),
        (0, &["about", "edge"], ""),
        (0, &["generate", "edge", "--seed", "3"], ""),
        (0, &["edcn", "L7"], ""),
        (0, &["edcn", "S100", "--json"], ""),
        (0, &["graph", "edge", "P4", "--format", "svg"], ""),
        (20, &["solve", "edge", "P14", "--nodes", "50"], ""),
        (20, &["solve", "edge", "P14", "--memory", "1k"], ""),
        (21, &["solve", "edge", "P20", "--time", "0.2", "--json"], ""),
        (20, &["edcn", "P100", "--nodes", "2000"], ""),
        (2, &["solve", "edge", "X5"], "unknown graph family"),
        (2, &["solve", "edge", "P100"], "at most 64 vertices"),
        (2, &["solve", "edge", "P5", "--position", "1,1,1,-,-"], "the edges a-b and b-c both have the label {1,1}"),
        (2, &["solve", "edge", "P5", "--method", "astar"], "unknown method `astar`"),
        (2, &["solve", "edge", "P5", "--course", "--method", "x"], "no course"),
        (2, &["solve", "edge", "P5", "--order", "best"], "the orders are game, none, history"),
        (2, &["solve", "edge", "P5", "--order", "none"], "`auto` takes no order of moves"),
        (2, &["solve", "edge", "P5", "--method", "pns", "--order", "history"], "`pns` has no `history` order"),
        (2, &["solve", "chexers", "--order", "none"], "only methods for two players take an order of moves"),
        (2, &["solve", "chexers", "--position", "x"], "unknown option `position`"),
        (2, &["solve", "edge", "--graph", "X5"], "option `graph`: "),
        (2, &["graph", "edge", "P8", "--format", "svg"], "more than 600 positions"),
        (2, &["graph", "chexers"], "not a two-player game"),
        (2, &["edcn", "C2"], "at least 3"),
        (2, &["edcn", "S2000"], "too large"),
        (2, &["census", "edge", "no-such-file"], "cannot read"),
        (2, &["play", "edge", "-"], "reads moves from standard input"),
        (2, &["play", "edge", "P5", "--opponent", "0"], "expected `perfect`, `random`, or a number"),
        (2, &["play", "chexers", "--opponent", "random"], "chexers has one player"),
    ];
    for (code, args, expected) in cases {
        match code {
            2 => refused(args, "", expected),
            code => _ = ends(*code, args, ""),
        }
    }
}

#[test]
fn the_graph_of_positions_in_every_format() {
    let graph = json(&["graph", "edge", "P5", "--unfolded", "--format", "json"], "");
    let nodes = graph["nodes"].as_array().expect("a list");
    let count = |key: &str, value: Value| nodes.iter().filter(|node| node[key] == value).count();
    assert_eq!((nodes.len(), count("terminal", json!(true)), count("outcome", json!("P"))), (625, 123, 213));
    let moves = graph["moves"].as_array().expect("a list");
    let first: Vec<&Value> = moves.iter().filter(|mv| mv["from"] == 0 && mv["winning"] == true).map(|mv| &mv["move"]).collect();
    assert_eq!(first, [&json!("c:1"), &json!("c:2"), &json!("c:3")]);
    let dot = stdout(&["graph", "edge", "P4"], "");
    assert!(dot.starts_with("digraph ") && dot.contains("shape=box") && dot.contains("shape=ellipse") && dot.contains("penwidth"));
    let graphml = stdout(&["graph", "edge", "P4", "--format", "graphml"], "");
    assert!(graphml.contains("edgedefault=\"directed\"") && graphml.ends_with("</graphml>\n"));
    let later = stdout(&["graph", "edge", "P8", "--position", "1,2,-,-,2,-,3,-", "--format", "svg"], "");
    assert!(later.starts_with("<svg") && later.contains("class=\"strong\""));
}

#[test]
fn a_game_against_perfect_play() {
    // Player 1 wins P5 by starting in the middle and following the hints, whatever the program replies.
    let mut script = String::from("labels\nc:1\n");
    let mut said = String::new();
    for _ in 0..4 {
        said = stdout(&["play", "edge", "P5"], format!("{script}hint\nboard\n"));
        let Some(hint) = said.lines().rev().find_map(|line| line.trim_start_matches("> ").strip_suffix(" wins.")) else { break };
        script.push_str(&format!("{hint}\n"));
    }
    assert!(said.contains("You win") && said.contains("P, a winning move"), "{said}");
    let lost = stdout(&["play", "edge", "P5", "--second"], "hint\nfly\nundo\nmoves\n1\nquit\n");
    assert!(lost.contains("I play c:1.") && lost.contains("Every move loses") && lost.contains("neither a legal move"), "{lost}");
}

#[test]
fn the_opponent_may_be_weaker_and_then_loses() {
    let play = |opponent: &str, script: &str| stdout(&["play", "edge", "P5", "--opponent", opponent, "--seed", "4"], script);
    assert_eq!(play("perfect", "c:1\nquit\n"), stdout(&["play", "edge", "P5"], "c:1\nquit\n"), "the default");
    let replies = |text: String| text.lines().filter(|line| line.contains("I play")).map(str::to_owned).collect::<Vec<_>>();
    for opponent in ["random", "1", "2"] {
        assert_eq!(replies(play(opponent, "a:1\nundo\na:1\n")), replies(play(opponent, "a:1\nundo\na:1\n")), "{opponent}");
    }
    // Player 1 wins by following the hints.
    let mut script = String::from("c:1\n");
    let mut said = String::new();
    for _ in 0..4 {
        said = play("random", &format!("{script}hint\nboard\n"));
        let Some(hint) = said.lines().rev().find_map(|line| line.trim_start_matches("> ").strip_suffix(" wins.")) else { break };
        script.push_str(&format!("{hint}\n"));
    }
    assert!(said.contains("You win"), "{said}");
}

#[test]
fn answers_are_checked() {
    let folder = Folder::new();
    let answer = stdout(&["solve", "edge", "P6", "--json"], "");
    assert!(stdout(&["check", "edge", "P6", &folder.write("a.json", &answer)], "").contains("plain backward induction finds the same"));
    ends(1, &["check", "edge", "P7", &folder.write("b.json", &answer)], "");
    let unknown = ends(20, &["solve", "edge", "P6", "--nodes", "5", "--json"], "");
    ends(20, &["check", "edge", "P6", &folder.write("u.json", &unknown)], "");
    ends(20, &["check", "edge", "P6", &folder.write("c.json", &answer), "--states", "10"], "");
}

#[test]
fn a_census_is_the_same_on_any_number_of_threads_and_can_be_resumed() {
    let list = "P5\nBw\n\n# a comment\nK3,3\nC6\nDQc\nW5\nS7\n";
    let rows = stdout(&["census", "edge", "--threads", "1"], list);
    assert_eq!(rows, stdout(&["census", "edge", "--threads", "4"], list));
    assert!(rows.starts_with("line,graph,n,m,edcn,winner,outcome,grundy,boards,positions,length,first\n1,P5,5,4,3,1,N,1,625,"), "{rows}");
    assert!(rows.contains("\n5,\"K3,3\",6,9,"), "{rows}");
    assert_eq!(rows, stdout(&["census", "edge"], format!("\u{feff}{list}")), "a byte-order mark is not part of the first board");
    let folder = Folder::new();
    let (graphs, table) = (folder.write("graphs.txt", list), folder.path("table.csv"));
    let resume = || stdout(&["census", "edge", &graphs, "-o", &table, "--resume"], "");
    stdout(&["census", "edge", &graphs, "-o", &table], "");
    let whole = std::fs::read_to_string(&table).expect("exists");
    let made = format!("# kibitzer {} census 2: edge; ", env!("CARGO_PKG_VERSION"));
    let (table_of_rows, end) = whole.split_at(whole.rfind("# end: ").expect("an end"));
    assert_eq!(table_of_rows.split_once('\n').map(|(first, rows)| (first.starts_with(&made), rows)), Some((true, &*rows)));
    assert!(end.starts_with("# end: rows=7; crc32="), "{end}");
    // Truncates the table as if the program had been stopped while writing the header.
    for cut in [3, whole.find('\n').expect("a line") + 1, whole.find('\n').expect("a line") + 9] {
        std::fs::write(&table, &whole[..cut]).expect("writable");
        resume();
        assert_eq!(std::fs::read_to_string(&table).expect("exists"), whole);
    }
    // Truncates the table within a row.
    let cut = whole.match_indices('\n').nth(4).expect("four rows").0 + 4;
    std::fs::write(&table, &whole[..cut]).expect("writable");
    refused(&["census", "edge", &graphs, "-o", &table], "", "--resume");
    resume();
    assert_eq!(std::fs::read_to_string(&table).expect("exists"), whole);
    let broken = kibitzer(&["census", "edge"], "P5\nD?\nP6\n");
    assert!(broken.status.code() == Some(2) && text(&broken.stderr).contains("line 2, column"), "{}", text(&broken.stderr));
    let colors = kibitzer(&["census", "edge", "--colors", "0"], "P5\n");
    assert!(colors.status.code() == Some(2) && text(&colors.stderr).contains("option `colors` cannot be `0`"), "{}", text(&colors.stderr));
    let limited = stdout(&["census", "edge", "--nodes", "5"], "P7\n");
    assert!(limited.contains("\n1,P7,7,6,3,,,,6382,5,,\n"), "{limited}");
}

/// A table is resumed only with the options and boards that it was created with.
#[test]
fn a_census_is_not_mixed_with_another() {
    let folder = Folder::new();
    let write = |name: &str, text: &str| folder.write(name, text);
    let (half, all, table) = (write("half.txt", "P3\nP4\n"), write("all.txt", "P3\nP4\nC4\n"), folder.path("table.csv"));
    stdout(&["census", "edge", &half, "-o", &table], "");
    let before = std::fs::read_to_string(&table).expect("written");
    let mixed = |args: &[&str], expected: &str| {
        refused(&[&["census", "edge"], args, &["-o", &table, "--resume"]].concat(), "", expected);
        assert_eq!(std::fs::read_to_string(&table).expect("exists"), before, "{args:?}: the table is unchanged");
    };
    mixed(&[&all, "--winner"], "winner=no");
    mixed(&[&all, "--nodes", "5"], "nodes=5");
    mixed(&[&write("other.txt", "P3\nP5\nC4\n")], "line 2 of the list is `P5`, but the table has `P4`");
    mixed(&[&write("more.txt", "P3\n\nP4\n")], "line 2 of the list is ``, but the table has `P4`");
    mixed(&[&write("short.txt", "P3\n")], "the list of boards ends with line 1");
    let output = kibitzer(&["census", "edge", &all, "-o", &table, "--resume", "--threads", "1"], "");
    let told = text(&output.stderr);
    assert!(
        output.status.success() && told.starts_with("resuming after line 2\n1 board in ") && told.ends_with(" on 1 thread\n"),
        "{told}"
    );
    let whole = std::fs::read_to_string(&table).expect("written");
    let rows_before = &before[..before.rfind("# end: ").expect("an end")];
    assert!(whole.starts_with(rows_before) && whole.lines().count() == 6, "{whole}");
    for text in ["precious", "# my notes\nare here", &format!("{before}a note"), &format!("{before}3,C4,4,4\n")] {
        std::fs::write(&table, text).expect("writable");
        fails(2, &["census", "edge", &all, "-o", &table, "--resume"], "");
        assert_eq!(std::fs::read_to_string(&table).expect("exists"), text, "the file is unchanged");
    }
    ends(21, &["census", "edge", &all, "--time", "0"], "");
    std::fs::write(&table, "line,graph\n1,P3\n").expect("writable");
    refused(&["census", "edge", &all, "-o", &table, "--resume"], "", "does not start with the header of a table");
}

/// Lines may end with \n, \r or \r\n.
#[test]
fn lines_end_in_three_ways() {
    let rows = |ends: &str| stdout(&["census", "edge"], ["P3", "P4", "C4", ""].join(ends));
    assert_eq!(rows("\r"), rows("\n"));
    assert_eq!(rows("\r\n"), rows("\n"));
    let board = |ends: &str| stdout(&["solve", "edge", "-", "--json"], ["graph: P5", "colors: 4", "misere: yes"].join(ends));
    let plain = |text: String| text.split("\"stats\"").next().expect("a part").to_owned();
    assert_eq!(plain(board("\r")), plain(board("\n")));
}

/// A pipe that is closed early ends a census without an error; a symlink cycle and a full disk are errors.
#[cfg(unix)]
#[test]
fn pipes_links_and_full_disks() {
    let program = env!("CARGO_BIN_EXE_kibitzer");
    let shell = |line: &str| {
        let output = std::process::Command::new("sh").args(["-c", line]).env("K", program).output().expect("a shell");
        (output.status.code(), text(&output.stderr))
    };
    let (_, told) = shell("(for i in $(seq 500); do echo P4; done) | \"$K\" census edge | head -1");
    assert!(!told.contains("error"), "{told}");
    let folder = Folder::new();
    std::os::unix::fs::symlink(folder.join("b"), folder.join("a")).expect("a link");
    std::os::unix::fs::symlink(folder.join("a"), folder.join("b")).expect("a link");
    fails(2, &["generate", "edge", "--seed", "1", "-o", &folder.path("a")], "");
    assert!(folder.join("a").is_symlink());
    if std::path::Path::new("/dev/full").exists() {
        for args in ["--help", "solve --help", "--version", "list"] {
            let (code, told) = shell(&format!("\"$K\" {args} > /dev/full"));
            assert!(code == Some(20) && told.contains("cannot write to standard output"), "{args}: {code:?} {told}");
            assert!(told.contains("help: free some disk space"), "{told}");
        }
    }
}

/// The methods of the minimax family side by side.
#[test]
fn compare_shows_cutoffs_and_bounds() {
    let methods = ["compare", "edge", "C6", "--methods", "winner,alphabeta,alphabeta-table,pns,dfpn"];
    let table = stdout(&methods, "");
    assert!(["length", "cutoffs", "table"].iter().all(|column| table.contains(column)), "{table}");
    assert!(!table.contains("gave up") && !table.contains("bound"), "{table}");
    let rows = |more: &[&str]| json(&[&methods[..], &["--json"], more].concat(), "");
    let (game, none) = (rows(&[]), json(&["compare", "edge", "C6", "--methods", "alphabeta", "--order", "none", "--json"], ""));
    let stat = |row: &Value, name: &str| row["stats"][name].as_u64();
    assert!(stat(&game[1], "cutoffs").is_some_and(|cutoffs| cutoffs > 0) && stat(&game[0], "cutoffs").is_none());
    assert!(stat(&game[2], "table") > Some(0) && stat(&game[1], "table").is_none() && stat(&game[4], "table") > Some(0));
    assert!(stat(&game[1], "expanded") != stat(&none[0], "expanded"), "the order matters");
    let stopped = stdout(&["compare", "edge", "C6", "--methods", "alphabeta,winner", "--nodes", "20"], "");
    assert!(stopped.contains("gave up: nodes limit"), "{stopped}");
}
