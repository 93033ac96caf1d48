//! Graph files of other tools on the command line: formats, lists with one graph per line, and vertex names. Also tests tables over many
//! graphs.

use kibitzer::catalog::Entry;
use kibitzer::games::GAMES;
use kibitzer::graph::formats::FORMATS;
use kibitzer::graph::{Graph, families};
use kibitzer::notation::Options;
use kibitzer::random::Random;
use serde_json::Value;

use crate::common::{Folder, amount, crc32};
use crate::run::{self, ends, kibitzer, run_in};

fn stdout(args: &[&str]) -> String {
    run::stdout(args, "")
}

#[track_caller]
fn refused(args: &[&str], expected: &str) {
    run::refused(args, "", expected);
}

fn json(args: &[&str]) -> Value {
    run::json(&[args, &["--json"]].concat(), "")
}

fn answer(args: &[&str]) -> Value {
    run::answer(&[args, &["--json"]].concat())
}

/// The same graph has the same answers in every format, given by vertex name.
#[test]
fn every_file_gives_the_same_answers_by_name() {
    for name in [
        "tests/graphs/names.gml",
        "tests/graphs/names.graphml",
        "tests/graphs/names.dot",
        "tests/graphs/names-links.json",
        "tests/graphs/names-edges.json",
        "tests/graphs/names.adjlist",
    ] {
        let edge = json(&["solve", "edge", name]);
        assert_eq!((&edge["winner"], &edge["best"][0]), (&Value::from(1), &Value::from("Eve:1")), "{name}");
        let moles = json(&["solve", "moles", "moles: all", "--graph", name]);
        assert_eq!(moles["moves"], serde_json::json!(["Ann", "Eve"]), "{name}");
        let tricolor = json(&["solve", "tricolor", "--graph", name, "--option", "colors=RRRRR"]);
        assert_eq!(tricolor["moves"], moles["moves"], "{name}: without black vertices, tricolor is the same game as moles");
        let stuck = json(&["solve", "tricolor", "--graph", name, "--option", "colors=GGGGB"]);
        assert_eq!(stuck["why"]["vertices"], serde_json::json!(["Eve"]), "{name}");
    }
    // Names are preserved in drawings, boards and other formats.
    let args = ["tricolor", "--graph", "tests/graphs/names.gml", "--option", "colors=R"];
    assert!(stdout(&[&["draw"], &args[..]].concat()).contains(">Ann<"));
    let folder = Folder::new();
    for ending in ["gml", "graphml", "dot", "json", "adjlist", "txt"] {
        let path = folder.path(&format!("again.{ending}"));
        stdout(&["graph", "edge", "tests/graphs/names.gml", "--board", "-o", &path]);
        assert_eq!(json(&["solve", "edge", &path])["best"][0], "Eve:1", "{ending}");
    }
    assert_eq!(stdout(&["graph", "moles", "moles: all", "--graph", "tests/graphs/names.gml", "--board", "--format", "graph6"]), "D|?\n");
    refused(&["graph", "edge", "P4", "--board", "-o", "x.pdf"], "no graph format has the file extension .pdf");
    refused(&["graph", "edge", "P4", "--format", "gml"], "positions cannot be written in this format");
    refused(&["graph", "moles", "01/10", "--board"], "not played on a graph");
}

/// Every graph game reads every format in the same way, as a board and as an option, for any number of vertices.
#[test]
fn every_game_reads_every_format() {
    // Compares by name if the format has names, because edge lists put the vertices in alphabetical order.
    let edges = |graph: &Graph, names: bool| {
        let name = |v: usize| if names { graph.name(v) } else { v.to_string() };
        let mut edges: Vec<[String; 2]> = graph.edges().map(|(u, v)| [name(u), name(v)]).collect();
        edges.iter_mut().for_each(|ends| ends.sort());
        edges.sort();
        (graph.len(), edges)
    };
    let mut random = Random::new(3);
    for n in (1..=64).step_by(amount(3, 1)) {
        // The graph is a star plus isolated vertices, which every game quickly turns into a board.
        let center = random.below(n);
        let leaves: Vec<usize> = (0..n).filter(|&leaf| leaf != center && random.below(4) > 0).collect();
        let graph = Graph::from_edges(n, leaves.into_iter().map(|leaf| (center, leaf)));
        for (entry, make) in GAMES.iter().filter_map(|entry| Some((entry, entry.graph_board?))) {
            let known: Vec<_> = entry.options.iter().collect();
            for format in FORMATS {
                let text = (format.write)(&graph);
                let option = format!("graph={text}");
                let rest = make("P2").replace("graph: P2\n", "").replace("P2", "");
                let mut boards = vec![(rest, Options::parse([option.as_str()], &known).expect("a known option"))];
                if format.name == "graph6" || format.name == "sparse6" {
                    boards.push((make(text.trim()), Options::default()));
                }
                for (board, options) in boards {
                    let read = entry.parse(&board, &options).unwrap_or_else(|error| panic!("{} {n} {}: {error}", entry.name, format.name));
                    let again = read.board_graph().expect("a graph");
                    // With 53 vertices or more, names are numbers, which games may count from 0 or from 1.
                    let names = format.names && n <= 52;
                    assert_eq!(edges(&again, names), edges(&graph, names), "{} {}", entry.name, format.name);
                }
            }
        }
    }
}

/// Graphs through the program: pipes, lists, and graphs with one vertex or none.
#[test]
fn the_program_reads_its_own_graphs() {
    for name in ["P1", "P60"] {
        let expected = stdout(&["graph", "edge", name, "--board", "--format", "graph6"]);
        for format in FORMATS {
            let text = stdout(&["graph", "edge", name, "--board", "--format", format.name]);
            let again = kibitzer(&["graph", "edge", "-", "--board", "--format", "graph6"], &text);
            assert_eq!(String::from_utf8_lossy(&again.stdout), expected, "{name} {}", format.name);
        }
        assert_eq!(kibitzer(&["edcn", "-"], &expected).stdout.get(..4), Some(&b"EDCN"[..]), "{name}");
        for game in ["edge", "moles", "tricolor"] {
            let rows = kibitzer(&["census", game, "--nodes", "1"], &expected);
            assert_eq!(String::from_utf8_lossy(&rows.stdout).lines().count(), 2, "{name} {game}");
        }
    }
    assert_eq!(json(&["solve", "tricolor", "colors: R\n0\n"])["cost"], 1);
    assert_eq!(json(&["solve", "moles", "moles: all", "--graph", "0"])["cost"], 1);
    for none in ["?", "graph {}", r#"{"vertices":0,"edges":[]}"#] {
        refused(&["solve", "edge", none], "the graph has no vertices");
        refused(&["edcn", none], "the graph has no vertices");
        refused(&["solve", "moles", "moles: all", "--graph", none], "the graph has no vertices");
        refused(&["solve", "tricolor", "--graph", none, "--option", "colors=R"], "the graph has no vertices");
    }
}

/// True if the game reads this name as a member of a graph family.
fn is_graph(entry: &Entry, name: &str) -> bool {
    entry.graph_board.is_some_and(|make| make(name) == name) && matches!(families::by_name(name), Some(Ok(_)))
}

/// A board that ships with a game can be given by name wherever a file can be given. Files and graph families take precedence.
#[test]
fn boards_by_name() {
    for entry in GAMES {
        let listed: Value = serde_json::from_str(&stdout(&["list", entry.name, "--json"])).expect("JSON");
        let mut names: Vec<&str> = listed.as_array().expect("a list").iter().filter_map(|row| row["name"].as_str()).collect();
        let lines = stdout(&["list", entry.name]);
        assert!(lines.lines().map(|line| line.split(' ').next()).eq(names.iter().map(|&name| Some(name))), "{lines}");
        names.sort_unstable();
        let mut files = crate::common::instances(entry.name);
        files.sort_by_key(|file| file.path.file_stem().map(ToOwned::to_owned));
        assert!(files.iter().map(|file| file.path.file_stem().and_then(|stem| stem.to_str())).eq(names.iter().map(|&name| Some(name))));
        let boards = names.into_iter().zip(&files).filter(|(name, _)| !is_graph(entry, name));
        for (name, file) in boards.step_by(amount(4, 1)) {
            let path = file.path.to_string_lossy();
            let options = file.options.iter().flat_map(|option| ["--option", option]);
            let by_path: Vec<&str> = ["draw", entry.name, &path].into_iter().chain(options).collect();
            assert_eq!(stdout(&["draw", entry.name, name]), stdout(&by_path), "{} {name}", entry.name);
        }
    }
    assert_eq!(json(&["solve", "pegs", "course-1"])["cost"], 4);
    let colored = ["solve", "tricolor", "source-color"];
    assert_eq!(answer(&colored), answer(&["solve", "tricolor", "source", "--option", "cost=color"]));
    let clicks = [&colored[..], &["--option", "cost=clicks"]].concat();
    assert_eq!(json(&clicks)["cost"], json(&["solve", "tricolor", "source"])["cost"]);
    for command in ["compare", "trace", "explore", "film", "play"] {
        assert!(!stdout(&[command, "pegs", "course-2"]).is_empty());
    }
    assert!(!stdout(&["graph", "edge", "p5-later"]).is_empty() && !stdout(&["kernel", "moles", "full-5"]).is_empty());
    // A graph family takes precedence over a name, and a file over both.
    assert_eq!(answer(&["solve", "edge", "p7"]), answer(&["solve", "edge", "P7"]));
    let folder = Folder::new();
    folder.write("english", "a\n");
    let output = run_in(&folder, &["solve", "pegs", "english", "--json"], "");
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["cost"], 0);
    // A row of letters is a board only in a file or on standard input.
    assert_eq!(kibitzer(&["solve", "pegs", "-"], "english").status.code(), Some(10));
    let wrong = [
        ("pegs", "englsh", "`english`"),
        ("pegs", "English", "`english`"),
        ("pegs", "wieg", "`wiegleb`"),
        ("moles", "ful-5", "`full-5`"),
        ("chexers", "sorce", "`source`"),
        ("edge", "petersn", "`petersen`"),
        ("pegs", "xyzzy", "kibitzer list pegs"),
    ];
    for (game, word, near) in wrong {
        refused(&["solve", game, word], &format!("`{word}` is not a file, the name of a board, or a valid board"));
        refused(&["solve", game, word], near);
    }
    refused(&["list", "nothing"], "unknown game");
}

#[test]
fn answers_with_vertex_names_are_checked() {
    let folder = Folder::new();
    for (text, code) in [("Ann\nEve\n", 0), ("Ann\nBob\n", 1)] {
        let plan = folder.write("plan.txt", text);
        ends(code, &["check", "moles", "moles: all", &plan, "--graph", "tests/graphs/names.dot"], "");
    }
    let answer = ends(10, &["solve", "tricolor", "--graph", "tests/graphs/names.gml", "--option", "colors=GGGGB", "--json"], "");
    let plan = folder.write("plan.txt", &answer);
    let board = "graph: Ann:Bob,Cy,Dee Bob:Ann,Cy Cy:Ann,Bob,Dee Dee:Ann,Cy Eve:\ncolors: GGGGB";
    ends(0, &["check", "tricolor", board, &plan], "");
    folder.write("plan.txt", answer.replace("\"Eve\"", "\"Ann\""));
    ends(1, &["check", "tricolor", board, &plan], "");
}

#[test]
fn a_line_of_a_list() {
    // The third connected graph on five vertices, in geng's order.
    let list = crate::common::file("tests/graphs/geng-5.g6");
    let line = list.lines().nth(2).expect("a line");
    assert_eq!(answer(&["solve", "edge", "tests/graphs/geng-5.g6", "--line", "3"]), answer(&["solve", "edge", line]));
    assert_eq!(answer(&["solve", "edge", "--graph", "tests/graphs/geng-5.g6", "--line", "3"]), answer(&["solve", "edge", line]));
    assert_eq!(
        answer(&["solve", "moles", "tests/graphs/geng-5.g6", "--line", "3"]),
        answer(&["solve", "moles", "moles: all", "--graph", line])
    );
    assert_eq!(answer(&["solve", "tricolor", "tests/graphs/geng-4-header.g6", "--line", "1"])["verdict"], "solved");
    let fed = kibitzer(&["solve", "edge", "-", "--line", "2", "--json"], "P3\nP5\nP4\n");
    assert_eq!(serde_json::from_slice::<Value>(&fed.stdout).expect("JSON")["colors"], 3);
    refused(&["solve", "edge", "tests/graphs/geng-5.g6"], "there are 21; the second starts here");
    refused(&["solve", "edge", "tests/graphs/geng-5.g6", "--line", "22"], "has only 21 lines");
    refused(&["solve", "edge", "tests/graphs/geng-5.g6", "--line", "0"], "0");
    refused(&["solve", "edge", "P5", "--line", "1"], "cannot read P5");
    refused(&["solve", "edge", "--line", "1"], "`--line` needs a file");
    refused(&["solve", "pegs", "tests/graphs/geng-5.g6", "--line", "1"], "a pegs board cannot be one line");
    refused(&["solve", "edge", "tests/graphs/directed.d6", "--line", "1"], "is directed");
    for format in ["gml", "graphml", "dot", "json", "d6"] {
        let name = &format!("tests/graphs/directed.{format}");
        for game in [&["solve", "edge"][..], &["solve", "moles"], &["solve", "tricolor", "--option", "colors=R"]] {
            refused(&[game, &["--graph", name]].concat(), "is directed");
        }
    }
}

/// Tricolor in its source's notation: the matrix with ones on the diagonal, the green vertices, and the vertices that are not black.
#[test]
fn tricolor_as_in_its_source() {
    let text = "M = [[1,1,1,0,0],\n [1,1,1,1,1],\n [1,1,1,1,0],\n [0,1,1,1,0],\n [0,1,0,0,1]]\nc = {1, 1, 0, 0, 0}\nbp = {1, 1, 0, 1, 1}\n";
    let rows = "M:\n11100\n11111\n11110\n01110\n01001\nc: 11000\nbp: 1 1 0 1 1";
    let object = r#"{"M":[[1,1,1,0,0],[1,1,1,1,1],[1,1,1,1,0],[0,1,1,1,0],[0,1,0,0,1]],"c":[1,1,0,0,0],"bp":[1,1,0,1,1]}"#;
    let expected = json(&["solve", "tricolor", "colors: GGBRR; edges: 0-1 0-2 1-2 1-3 1-4 2-3"])["moves"].clone();
    for board in [text, rows, object] {
        assert_eq!(json(&["solve", "tricolor", board])["moves"], expected, "{board}");
    }
    refused(&["solve", "tricolor", &rows.replace("bp: 1 1 0", "bp: 0 1 0")], "vertex 0 is green in `c` but black in `bp`");
    refused(&["solve", "tricolor", &rows.replace("bp: 1 1 0 1 1", "bp: 1 1 0 1")], "`c` has 5 entries, but `bp` has 4");
    refused(&["solve", "tricolor", &rows.replace("bp: 1 1 0 1 1", "")], "`c` and `bp` must be given together");
    refused(&["solve", "tricolor", &object.replace("\"c\":[1", "\"c\":[2")], "2 is neither 0 nor 1");
}

/// A census of every graph game: known rows, the same in both formats, and recomputed by `check`.
#[test]
fn tables_of_every_game() {
    let folder = Folder::new();
    let list = folder.write("list.txt", "P2\n# a note\npetersen\ngrid4x4\n\nP5\n");
    let rows = |game: &str| stdout(&["census", game, &list]);
    // The fewest hits and the nullity of the 4 x 4 board are known (A075464, A159257); on P2, one hit clears both holes.
    assert!(
        rows("moles").starts_with("line,graph,n,m,rank,nullity,fewest,most\n1,P2,2,1,1,1,1,1\n3,petersen,10,15,5,5,3,7\n"),
        "{}",
        rows("moles")
    );
    assert!(rows("moles").contains("\n4,grid4x4,16,24,12,4,4,"), "{}", rows("moles"));
    // Of the 9 colorings of an edge, only BB, RG and GR cannot be made all green.
    assert!(rows("tricolor").contains("\n1,P2,2,1,9,6,"), "{}", rows("tricolor"));
    assert!(rows("tricolor").contains("\n4,grid4x4,16,24,,,,,\n"), "too large to count");
    assert!(stdout(&["census", "edge", &list, "--line", "6"]).ends_with("\n6,P5,5,4,3,1,N,1,625,33,5,c:1 c:2 c:3\n"));
    for game in ["moles", "tricolor"] {
        let (table, lines) = (folder.path(&format!("{game}.csv")), folder.path(&format!("{game}.jsonl")));
        stdout(&["census", game, &list, "-o", &table]);
        stdout(&["census", game, &list, "-o", &lines]);
        let text = std::fs::read_to_string(&table).expect("written");
        assert!(text.starts_with(&format!("# kibitzer {} census 2: {game}\nline,graph,", env!("CARGO_PKG_VERSION"))), "{text}");
        assert!(text.lines().last().is_some_and(|line| line.starts_with("# end: rows=4; crc32=")), "{text}");
        let jsonl: Vec<Value> =
            std::fs::read_to_string(&lines).expect("written").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(
            (jsonl.len(), &jsonl[0]["game"], &jsonl[1]["graph"], &jsonl[5]["rows"]),
            (6, &Value::from(game), &Value::from("P2"), &Value::from(4))
        );
        for path in [&table, &lines] {
            assert!(stdout(&["check", path]).starts_with("correct: 4 rows recomputed, no differences; the checksum matches"));
            assert!(stdout(&["check", path, "--sample", "2", "--seed", "3"]).starts_with("correct: 2 rows of 4 "));
        }
        // The checksum detects damage, and recomputing detects a wrong row.
        std::fs::write(&table, text.replace("\n1,P2,2,1,", "\n1,P2,2,2,")).expect("writable");
        refused(&["check", &table], "it is damaged");
        let open: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
        std::fs::write(&table, &open).expect("writable");
        assert!(stdout(&["check", &table]).contains("not complete"), "{open}");
        std::fs::write(&table, open.replace("\n1,P2,2,1,", "\n1,P2,2,2,")).expect("writable");
        let output = kibitzer(&["check", &table], "");
        let told = run::text(&output.stderr);
        assert!(output.status.code() == Some(1) && told.contains("line 3: `m` is `2`, but should be `1`"), "{told}");
        // A truncated table is resumed, in either format.
        for (path, whole) in [(&table, &text), (&lines, &std::fs::read_to_string(&lines).expect("exists"))] {
            for cut in [whole.len() - 5, whole.len() / 2, 10] {
                std::fs::write(path, &whole[..cut]).expect("writable");
                stdout(&["census", game, &list, "-o", path, "--resume"]);
                assert_eq!(&std::fs::read_to_string(path).expect("exists"), whole, "{cut}");
            }
        }
    }
    refused(&["check", &list], "not a table that `check` can read");
    refused(&["check", "moles"], "no board and no answer");
}

/// A table with one row removed, and with its row count and checksum adjusted.
fn without_row(text: &str, row: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (end, before) = lines.split_last().expect("a last line");
    let head = if text.starts_with('{') { 1 } else { 2 };
    let left: String = before.iter().enumerate().filter(|(at, _)| *at != head + row).map(|(_, line)| format!("{line}\n")).collect();
    let (rows, sum) = (before.len() - head, crc32(&text.as_bytes()[..text.len() - end.len() - 1]));
    let of = |sum: u32| format!("{sum:08x}");
    assert!(end.contains(&of(sum)), "{end}");
    let count = if head == 1 { "\"rows\":" } else { "rows=" };
    let end = end.replace(&of(sum), &of(crc32(left.as_bytes())));
    format!("{left}{}\n", end.replace(&format!("{count}{rows}"), &format!("{count}{}", rows - 1)))
}

/// A table with a missing row is refused although the checksum matches. Lines without a board are not rows.
#[test]
fn a_table_without_one_of_its_rows_is_refused() {
    let folder = Folder::new();
    let list = folder.write("list.txt", "# a note\nP2\n\npetersen\nP4\nP5\n\n");
    let plain = folder.write("plain.txt", "P2\npetersen\nP4\nP5\n");
    for ending in ["csv", "jsonl"] {
        let path = |name: &str| folder.path(&format!("{name}.{ending}"));
        stdout(&["census", "moles", &list, "-o", &path("list")]);
        stdout(&["census", "moles", &list, "--line", "3..6", "-o", &path("part")]);
        stdout(&["census", "moles", &plain, "-o", &path("plain")]);
        stdout(&["kernel", "moles", "--sizes", "3..6", "-o", &path("sizes")]);
        for (name, rows) in [("list", 4), ("part", 3), ("plain", 4), ("sizes", 4)] {
            let path = path(name);
            let text = std::fs::read_to_string(&path).expect("written");
            assert!(stdout(&["check", &path]).starts_with(&format!("correct: {rows} rows")), "{name}");
            for row in 0..rows {
                std::fs::write(&path, without_row(&text, row)).expect("writable");
                refused(&["check", &path], "rows are missing");
            }
        }
        // Tables from earlier versions do not state the number of lines. Gaps in these tables are also refused.
        let (path, again) = (path("plain"), path("again"));
        let old = |text: String| text.replace("; lines=4; skipped=0", "").replace(",\"lines\":4,\"skipped\":0", "");
        stdout(&["census", "moles", &plain, "-o", &again]);
        let text = std::fs::read_to_string(&again).expect("written");
        std::fs::write(&path, old(text.clone())).expect("writable");
        assert!(stdout(&["check", &path]).starts_with("correct: 4 rows"));
        std::fs::write(&path, old(without_row(&text, 1))).expect("writable");
        refused(&["check", &path], "`line` 1 is followed by 3: rows are missing");
    }
}

#[test]
fn nullities_of_many_sizes() {
    // A159257 and A165738.
    let nullities = |args: &[&str]| -> Vec<u64> {
        let text = stdout(&[&["kernel", "moles", "--sizes", "1..12"], args].concat());
        assert!(text.starts_with("size,holes,rank,nullity\n1,1,1,0\n"), "{text}");
        text.lines().skip(1).map(|line| line.rsplit(',').next().expect("a field").parse().expect("a number")).collect()
    };
    assert_eq!(nullities(&[]), [0, 0, 0, 4, 2, 0, 0, 0, 8, 0, 6, 0]);
    assert_eq!(nullities(&["--wrap", "torus"])[2..], [4, 0, 8, 8, 0, 0, 4, 16, 0, 16]);
    let folder = Folder::new();
    let table = folder.path("nullity.csv");
    stdout(&["kernel", "moles", "--sizes", "3..20", "--wrap", "torus", "-o", &table]);
    assert!(stdout(&["check", &table]).starts_with("correct: 18 rows"));
    // If a limit stops the command, the rows so far are written, and the table is not marked complete.
    let stopped = kibitzer(&["kernel", "moles", "--sizes", "1..100000", "--time", "0.5", "-o", &table], "");
    let told = run::text(&stopped.stderr);
    assert!(stopped.status.code() == Some(21) && told.contains("written before it"), "{told}");
    let rows = std::fs::read_to_string(&table).expect("written");
    assert!(rows.contains("\n1,1,1,0\n") && !rows.contains("crc32"), "{rows}");
    assert!(stdout(&["check", &table, "--sample", "3"]).contains("3 rows"));
    refused(&["kernel", "moles", "--sizes", "5..3"], "5..20");
    refused(&["kernel", "moles", "--sizes", "5.."], "no end");
    refused(&["kernel", "moles", "--sizes", "3..5", "--option", "states=3"], "option `states` cannot be combined with `--sizes`");
    refused(&["kernel", "moles", "--sizes", "3..5", "--wrap", "moebius"], "moebius");
}
