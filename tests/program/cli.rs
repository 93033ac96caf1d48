//! The program from outside: exit codes, error messages, files, and the transcripts in the documentation.

use serde_json::Value;

use crate::common::{Folder, amount, file, refused};
use crate::run::{self, ends, fails, json, kibitzer, stdout, text};

const ENCLOSED: &str = r#"{"colour":"red","pieces":[[0,0]],"blocks":[[3,-3],[3,-2],[3,-1],[3,0]]}"#;
const WIDE: &str = "colour: red; radius: 9; pieces: (-9,0) (-9,3) (-9,5) (-9,7) (-9,9) (-8,1); blocks: (0,0)";

/// Runs the commands in exit-codes.txt. An error is one line, followed by a line with a remedy.
#[test]
fn exit_codes() {
    for line in include_str!("exit-codes.txt").lines().filter(|line| !line.starts_with('#')) {
        let (code, command) = line.split_once(' ').expect("a code and a command");
        // Every second part was between quotes.
        let parts = command.split('\'').enumerate();
        let args: Vec<&str> =
            parts.flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect();
        match code.parse().expect("a number") {
            2 => _ = fails(2, &args, ""),
            code => _ = ends(code, &args, ""),
        }
    }
}

/// The error names the input, and gives line and column even if the board resembles a file name. tests/refused has many more boards.
#[test]
fn errors_in_boards_are_located() {
    for (game, board, expected) in [
        ("chexers", "-", "error: standard input: line 1, column 1: broken JSON"),
        ("pegs", "1 2 3/4 5 x", "the board on the command line: line 1, column "),
        ("moles", "010/0x0", "`010/0x0` is neither a file nor a valid board: line 1, column 6"),
        ("moles", "boards/one.txt", "there is no file `boards/one.txt`"),
    ] {
        run::refused(&["solve", game, board], "{", expected);
    }
    refused("chexers", "\u{1}\u{7f}", &[], "expected `key: value`, found `\u{fffd}\u{fffd}`");
}

/// A published sample lists a block twice, so repetitions are accepted.
#[test]
fn a_harmless_repetition_is_noted() {
    let twice = r#"{"colour":"red","pieces":[[0,0]],"blocks":[[1,0],[1,0]]}"#;
    let output = kibitzer(&["solve", "chexers", "-", "--json"], twice.as_bytes());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "note: line 1, column 50: the block at (1, 0) is listed twice; it is counted once\n");
    let plan = |board: &str| json(&["solve", "chexers", board, "--json"], "")["moves"].clone();
    assert_eq!(plan(twice), plan(r#"{"colour":"red","pieces":[[0,0]],"blocks":[[1,0]]}"#));
    let edges = kibitzer(&["solve", "tricolor", "colors: GGBRR; edges: 0-1 0-2 1-2 1-3 1-4 2-3 3-2"], "");
    assert!(edges.status.success() && text(&edges.stderr).starts_with("note: line 1, column 47: the edge 3-2 is given twice"));
}

/// Without a command, the short help is printed to stderr.
#[test]
fn without_a_command_the_short_help_is_shown() {
    let output = kibitzer(&[], "");
    assert_eq!(output.status.code(), Some(2));
    let shown = text(&output.stderr);
    assert!(shown.contains("Usage: kibitzer <COMMAND>") && shown.contains("solve ") && shown.contains("Examples:"), "{shown}");
    assert!(!shown.contains("error:") && output.stdout.is_empty(), "{shown}");
}

/// The help contains the examples, subcommands and flags of all games.
#[test]
fn the_help_is_made_from_the_registry() {
    for entry in kibitzer::games::GAMES {
        for example in entry.examples {
            let shown = stdout(&[example.command, "--help"], "");
            let line = format!("kibitzer {} {} {}", example.command, entry.name, example.arguments);
            assert!(shown.contains(&line), "`{line}` is not in:\n{shown}");
        }
        for tool in entry.commands() {
            let shown = stdout(&[tool.name, "--help"], "");
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words(&shown).contains(&words(tool.help)) && shown.contains(tool.examples[0].arguments), "{shown}");
            assert!(stdout(&["--help"], "").contains(tool.about));
        }
    }
}

/// Limits hold while the program waits for a board that never arrives. One answer is printed, in the requested format.
#[cfg(unix)]
#[test]
fn a_board_that_never_arrives_does_not_block() {
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    let file = folder.path("answer.json");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
        let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
        // Kept open, so that the program sees neither input nor end of file.
        let stdin = child.stdin.take();
        let output = child.wait_with_output().expect("exits");
        drop(stdin);
        assert_eq!(output.status.code(), Some(21), "{args:?}: {}", text(&output.stderr));
        output
    };
    let late = |bytes: &[u8]| {
        let report: Value = serde_json::from_slice(bytes).expect("one object");
        assert_eq!((&report["game"], &report["verdict"], &report["limit"]), (&"chexers".into(), &"unknown".into(), &"time".into()));
        assert_eq!((&report["lower"], &report["verified"]), (&0.into(), &false.into()));
        assert!(report["method"].is_string() && report["stats"]["seconds"].is_number());
    };
    late(&run(&["solve", "chexers", "-", "--time", "0.2", "--json"]).stdout);
    let said = text(&run(&["solve", "chexers", "-", "--time", "0.2"]).stdout);
    assert!(said.starts_with("# chexers: not decided: the time limit was reached\n"), "{said}");
    assert!(run(&["solve", "chexers", "-", "--time", "0.2", "--json", "-o", &file]).stdout.is_empty());
    late(&std::fs::read(&file).expect("written"));
    assert_eq!(folder.read_dir().expect("exists").count(), 1, "no other file is left");
    let commands = [
        &["draw", "chexers", "-"][..],
        &["compare", "chexers", "-"],
        &["explore", "chexers", "-"],
        &["graph", "edge", "-"],
        &["kernel", "moles", "-"],
        &["edcn", "-"],
        &["census", "edge"],
        &["check", "chexers", "-", "Cargo.toml"],
    ];
    let late = "error: the time limit was reached\nhelp: raise `--time`, or use a smaller board\n";
    std::thread::scope(|scope| {
        for args in commands {
            scope.spawn(move || assert_eq!(text(&run(&[args, &["--time", "0.2"]].concat()).stderr), late, "{args:?}"));
        }
    });
}

#[test]
fn junk_of_any_size_is_refused() {
    let size = amount(1, 10) << 20;
    let mut junk = vec![0u8; size];
    let mut random = kibitzer::random::Random::new(5);
    junk.iter_mut().for_each(|byte| *byte = random.below(256) as u8);
    let deep = vec![b'['; size];
    let brace = [b"{\"colour\":\"red\",\"pieces\":".as_slice(), &deep].concat();
    let long = [b"colour: red; pieces: ".as_slice(), &b"7,".repeat(size / 2)].concat();
    let zeros = vec![0u8; size];
    let words = b"hello ".repeat(size / 6);
    for bytes in [junk, deep, brace, long, zeros, words] {
        let error = fails(2, &["solve", "chexers", "-"], &bytes);
        assert!(error.len() < 400, "{} characters: {}", error.len(), &error[..200]);
    }
}

#[test]
fn json_has_the_promised_fields() {
    let json = |args: &[&str]| json(args, "");
    let solved = json(&["solve", "chexers", "--json"]);
    assert_eq!((&solved["game"], &solved["verdict"], &solved["verified"]), (&"chexers".into(), &"solved".into(), &true.into()));
    assert_eq!((&solved["cost"], &solved["optimal"]), (&10.into(), &true.into()));
    assert_eq!(solved["moves"].as_array().map(Vec::len), Some(10));
    assert!(solved["moves"][0].as_str().is_some_and(|mv| mv.ends_with(").")));
    for key in ["expanded", "generated", "peak_bytes", "seconds"] {
        assert!(solved["stats"][key].is_number(), "{key}");
    }
    let none = json(&["solve", "chexers", ENCLOSED, "--json"]);
    assert_eq!((&none["verdict"], &none["why"]["kind"]), (&"unsolvable".into(), &"enclosed".into()));
    assert!(none["why"]["region"].as_array().is_some_and(|region| region.len() == 33) && none["verified"] == true);
    let unknown = json(&["solve", "chexers", "--method", "ucs", "--nodes", "40", "--json"]);
    assert_eq!((&unknown["verdict"], &unknown["limit"]), (&"unknown".into(), &"nodes".into()));
    assert!(unknown["lower"].as_u64().is_some_and(|lower| lower <= 10) && unknown["upper"].is_null());
    let rows = json(&["compare", "chexers", "--methods", "astar:relaxed,astar:null,astar:bad", "--json"]);
    let expanded = |at: usize| rows[at]["stats"]["expanded"].as_u64().expect("a number");
    assert!(100 * expanded(0) < expanded(1), "`relaxed` expands far fewer states than `null`");
    assert_eq!((&rows[2]["cost"], &rows[2]["optimal"]), (&11.into(), &false.into()), "`bad` does not call its costlier plan optimal");
}

#[test]
fn check_accepts_right_answers_and_refuses_wrong_ones() {
    let folder = Folder::new();
    let board = "instances/chexers/source.json";
    let answer = folder.path("answer.json");
    stdout(&["solve", "chexers", board, "--json", "-o", &answer], "");
    assert!(stdout(&["check", "chexers", board, &answer], "").contains("costs 10; a plain search found no cheaper one"));
    let plan = stdout(&["solve", "chexers", board], "");
    stdout(&["check", "chexers", board, "-"], plan);

    let json = std::fs::read_to_string(&answer).expect("written");
    // Exit code 1 for a wrong answer, 2 for an unreadable one.
    let refused = |name: &str, text_of_answer: &str, expected: &str| {
        let unreadable = ["empty.txt", "junk.json", "game.json", "field.json"].contains(&name);
        let output = kibitzer(&["check", "chexers", board, &folder.write(name, text_of_answer)], "");
        assert_eq!(output.status.code(), Some(if unreadable { 2 } else { 1 }), "{name}");
        assert!(text(&output.stderr).contains(expected), "{name}: {}", text(&output.stderr));
    };
    refused("cost.json", &json.replace("\"cost\":10", "\"cost\":9"), "costs 10, but `cost` is 9");
    refused("move.json", &json.replacen("JUMP", "MOVE", 1), "move 1, `MOVE from (0, 1) to (2, 1).`, is not legal");
    refused("none.json", r#"{"verdict":"unsolvable","why":{"kind":"exhausted","states":1}}"#, "there is a plan of cost 10");
    refused("empty.txt", "", "the answer is empty");
    refused("none.txt", "# nothing\n", "does not end at a goal");
    refused("junk.json", "{]", "broken JSON");
    refused("field.json", &json.replace("\"cost\"", "\"price\""), "unknown field `price` in an answer");
    refused("game.json", r#"{"game":"pegs","moves":[]}"#, "the answer is for `pegs`");
    let undecided = |args: &[&str]| {
        let said = ends(20, args, "");
        assert!(!said.contains("correct") && !said.contains("true"), "{args:?}");
    };
    undecided(&["check", "chexers", board, &folder.write("unknown.json", r#"{"verdict":"unknown"}"#)]);
    let exhausted = folder.write("exhausted.json", r#"{"verdict":"unsolvable","why":{"kind":"exhausted","states":1}}"#);
    undecided(&["check", "chexers", board, &exhausted, "--states", "10"]);
    undecided(&["check", "chexers", board, &exhausted, "--states", "10", "--json"]);
    let bad = stdout(&["solve", "chexers", board, "--method", "astar:bad", "--json"], "");
    refused("bad.json", &bad.replace("\"optimal\":false", "\"optimal\":true"), "costs 11, but 10 is possible");
    ends(2, &["check", "chexers", board, &folder.write("x.json", "{}"), "--json"], "");
}

#[test]
fn course_output_has_three_lines() {
    let printed = stdout(&["solve", "pegs", "instances/pegs/course-1.txt", "--course", "--method", "BFS"], "");
    assert_eq!(printed, "Number of removed nodes: 222\nPath cost: 8\nSolution: a down, b down, a right\n");
    let printed = stdout(&["solve", "tiles", "1 2 3|4 5 6|0 7 8", "--course", "--method", "korf"], "");
    assert_eq!(printed, "Generated nodes: 5\nPath cost: 2\nSolution: 7, 8\n");
    let folder = Folder::new();
    ends(0, &["check", "tiles", "1 2 3|4 5 6|0 7 8", &folder.write("plan.txt", printed)], "");
    let korf = json(&["solve", "tiles", "korf-79", "--course", "--method", "korf", "--json"], "");
    assert_eq!((&korf["stats"]["generated"], &korf["cost"], &korf["optimal"]), (&540_860.into(), &42.into(), &true.into()));
    let solved = json(&["solve", "pegs", "instances/pegs/course-2.txt", "--json"], "");
    let first = serde_json::json!({"peg": "a", "from": [2, 2], "to": [0, 2], "direction": "up"});
    assert_eq!((&solved["cost"], &solved["moves"][0]), (&4.into(), &first));
    let space = json(&["explore", "pegs", "instances/pegs/course-2.txt", "--json"], "");
    assert!(space["complete"] == true && space["states"] == space["without_symmetry"] && space["layers"][0]["layer"] == "4 pegs");
}

#[test]
fn generated_boards_are_solvable_and_repeatable() {
    for (jump, pegs) in [("long", "14"), ("single", "9")] {
        let (jump, pegs) = (format!("jump={jump}"), format!("pegs={pegs}"));
        let board = stdout(&["generate", "pegs", "--seed", "5", "-O", &jump, "-O", &pegs], "");
        let count = board.lines().filter(|line| !line.contains(':')).flat_map(str::chars).filter(char::is_ascii_alphabetic).count();
        assert_eq!(format!("pegs={count}"), pegs);
        stdout(&["solve", "pegs", "-"], board);
    }
    for seed in ["1", "2", "3"] {
        let args = ["generate", "chexers", "--seed", seed, "--option", "pieces=3", "--option", "color=blue"];
        let board = stdout(&args, "");
        assert_eq!(board, stdout(&args, ""));
        stdout(&["solve", "chexers", "-"], &board);
    }
    let leveled = ["generate", "pegs", "--level", "hard", "--seed", "7"];
    let board = stdout(&leveled, "");
    assert_eq!(board, stdout(&leveled, ""));
    let made = json(&[&leveled[..], &["--json"]].concat(), "");
    assert_eq!(made["instance"], board);
    let solved = json(&["solve", "pegs", "-", "--json"], &board);
    assert_eq!((&solved["cost"], &solved["optimal"]), (&made["difficulty"]["least"], &Value::Bool(true)));
    assert_ne!(stdout(&["generate", "chexers", "--seed", "1"], ""), stdout(&["generate", "chexers", "--seed", "2"], ""));
}

#[test]
fn files_are_written_whole() {
    let folder = Folder::new();
    let svg = folder.write("board.svg", "old");
    stdout(&["draw", "chexers", "-o", &svg], "");
    let drawn = std::fs::read_to_string(&svg).expect("written");
    assert!(drawn.starts_with("<svg") && drawn.ends_with("</svg>\n"));
    assert_eq!(folder.read_dir().expect("exists").count(), 1, "no other file is left");
    let board = folder.write("board.json", file("instances/chexers/source.json"));
    fails(2, &["solve", "chexers", &board, "-o", &board], "");
    assert!(std::fs::read_to_string(&board).expect("still exists").contains("pieces"));
    assert!(stdout(&["draw", "chexers", "-o", "-"], "").starts_with("<svg"));
    assert!(stdout(&["draw", "chexers", "--format", "text"], "").contains("R piece, # block"));
}

#[test]
fn a_game_can_be_played_to_the_end() {
    let plan = stdout(&["solve", "chexers"], "");
    let moves: Vec<&str> = plan.lines().filter(|line| !line.starts_with('#')).collect();
    let script = format!(
        "help\nmoves\n999\nfly\nundo\n{}\nundo\nredo\nhint\nsolve\nboard\n{}\nhint\nrestart\nquit\n",
        moves[0].to_lowercase(),
        moves[1..].join("\n")
    );
    let said = stdout(&["play", "chexers"], script);
    for expected in ["There is nothing to undo.", "neither a legal move", "9 to go, the least possible", "Cost so far: 10.\nSolved."] {
        assert!(said.contains(expected), "{expected}:\n{said}");
    }
    assert!(said.contains("There is nothing left to do."));
    assert!(stdout(&["play", "chexers", ENCLOSED], "hint\n").contains("There is no solution from here."));
}

/// Limits also hold on wide boards with thousands of moves.
#[test]
fn limits_hold_on_wide_boards() {
    let pieces: Vec<String> =
        (-60..=60).flat_map(|q: i32| (0..8).map(move |r| format!("[{q},{r}]"))).filter(|hex| !hex.contains("-60,0")).collect();
    let inside = |hex: &&String| {
        let numbers: Vec<i32> = hex.trim_matches(['[', ']']).split(',').map(|n| n.parse().expect("a number")).collect();
        (numbers[0] + numbers[1]).abs() <= 60
    };
    let list: Vec<&str> = pieces.iter().filter(inside).map(String::as_str).collect();
    let board = format!("{{\"colour\":\"red\",\"radius\":60,\"pieces\":[{}],\"blocks\":[]}}", list.join(","));
    for method in ["bfs", "dfs", "ucs", "astar", "idastar", "rbfs", "bidirectional"] {
        let begun = std::time::Instant::now();
        let report =
            json(&["solve", "chexers", "-", "--method", method, "--time", amount("0.2", "1"), "--memory", "100M", "--json"], &board);
        assert_eq!(report["verdict"], "unknown", "{method}");
        assert!(report["stats"]["peak_bytes"].as_u64().is_some_and(|bytes| bytes < 120_000_000), "{method}: {report}");
        // A generous bound, since machines differ; a search that checks its limits too rarely takes minutes.
        assert!(begun.elapsed().as_secs() < 30, "{method} does not stop");
    }
}

/// Ctrl-C ends a search like a time limit, with the bounds known so far.
#[cfg(unix)]
#[test]
fn an_interrupt_gives_a_partial_answer() {
    use std::process::{Command, Stdio};
    let interrupted = |form: &[&str]| {
        let after = |millis: u64| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
            command.args(["solve", "chexers", WIDE, "--method", "ucs"]).args(form).stdout(Stdio::piped()).stderr(Stdio::null());
            let child = command.spawn().expect("starts");
            std::thread::sleep(std::time::Duration::from_millis(millis));
            let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is installed");
            assert!(killed.success());
            child.wait_with_output().expect("exits")
        };
        // On a busy machine, the signal may be sent before the program handles it, and then the program has no exit code.
        let output = [700, 3_000, 10_000].into_iter().map(after).find(|output| output.status.code().is_some()).expect("a code");
        assert_eq!(output.status.code(), Some(21));
        output.stdout
    };
    let report: Value = serde_json::from_slice(&interrupted(&["--json"])).expect("JSON");
    assert_eq!((&report["verdict"], &report["limit"]), (&"unknown".into(), &"time".into()));
    assert!(report["lower"].as_u64().is_some());
    let said = text(&interrupted(&[]));
    assert!(said.starts_with("# chexers: not decided: the run was interrupted\n"), "{said}");
}

/// Runs every `$ kibitzer …` command in README.md, docs/commands.md and docs/plans.md, and compares the output except for times.
#[test]
fn transcripts_are_true() {
    let transcripts = file("README.md") + &file("docs/commands.md") + &file("docs/plans.md");
    // The time comes last, both in the line that begins with `# by` and in the rows of a table.
    let without_times = |text: &str| {
        let cut = |line: &str| {
            let before = match line.chars().next() {
                Some('┌' | '│' | '╞' | '└') => line.rsplit_once(['┬', '┆', '╪', '┴']),
                _ if line.starts_with("# by ") => line.rsplit_once(','),
                _ => None,
            };
            before.map_or(line, |(before, _)| before).to_owned()
        };
        text.lines().map(cut).collect::<Vec<_>>().join("\n")
    };
    let mut run = 0;
    for block in transcripts.split("```console\n").skip(1).map(|block| block.split("```").next().expect("closed")) {
        for example in block.split("$ ").skip(1) {
            let (command, expected) = example.split_once('\n').expect("a line");
            let command = command.trim_start_matches("kibitzer ");
            let args: Vec<&str> = command.split_whitespace().collect();
            if expected.trim().is_empty() {
                continue;
            }
            let got = text(&kibitzer(&args, "").stdout);
            assert_eq!(without_times(got.trim_end()), without_times(expected.trim_end()), "{command}");
            run += 1;
        }
    }
    assert!(run >= 9, "only {run} transcripts were found");
}

/// Without the feature `cluster`, every command that needs it is refused, and the error shows how to build the program with it.
#[cfg(not(feature = "cluster"))]
#[test]
fn the_cluster_is_a_feature() {
    let commands: [&[&str]; 5] = [
        &["explore", "pegs", "--workers", "2"],
        &["solve", "pegs", "--checkpoint", "no-such-folder"],
        &["label", "edge", "P3", "--table", "no-such-table"],
        &["lookup", "no-such-table"],
        &["export", "no-such-table", "--format", "csv"],
    ];
    for args in commands {
        let error = fails(2, args, "");
        assert!(error.contains("built without the feature `cluster`") && error.contains("--features cluster"), "{args:?}: {error}");
    }
}
