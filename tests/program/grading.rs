//! Checks many answers at once, as a teacher would: folders of correct, wrong and unreadable files, shared work, exit codes, and
//! `compare` as data.

use std::collections::BTreeMap;
use std::path::Path;

use kibitzer::games;
use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use serde_json::{Value, json};

use crate::common::Folder;
use crate::run::{ends, kibitzer, refused, text};

const BOARD: &str = "instances/chexers/source.json";

fn stdout(args: &[&str]) -> String {
    text(&kibitzer(args, "").stdout)
}

fn folder<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Folder {
    let folder = Folder::new();
    files.iter().for_each(|(name, content)| _ = folder.write(name, content));
    folder
}

fn path(folder: &Folder) -> &str {
    folder.to_str().expect("text")
}

/// The rows as JSON, by file name, and the exit code.
fn rows(args: &[&str]) -> (BTreeMap<String, Value>, i32) {
    let output = kibitzer(&[args, &["--json"]].concat(), "");
    let list: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)));
    let name = |row: &Value| Path::new(row["answer"].as_str().expect("a name")).file_name().expect("a file").to_string_lossy().into_owned();
    (list.into_iter().map(|row| (name(&row), row)).collect(), output.status.code().expect("a code"))
}

/// Two plans for the sample: one of least cost, 10, and a costlier one that is also valid.
fn plans() -> (String, String) {
    (stdout(&["solve", "chexers", BOARD]), stdout(&["solve", "chexers", BOARD, "--method", "greedy"]))
}

const NONE: &str = r#"{"verdict":"unsolvable","why":{"kind":"exhausted","states":1}}"#;

#[test]
fn a_folder_is_graded() {
    let (least, longer) = plans();
    let short: String = least.lines().take(5).map(|line| format!("{line}\n")).collect();
    let json = stdout(&["solve", "chexers", BOARD, "--json"]);
    let boast = stdout(&["solve", "chexers", BOARD, "--method", "greedy", "--json"]).replace("\"optimal\":false", "\"optimal\":true");
    let windows = format!("\u{feff}{}", least.replace('\n', "\r\n"));
    let files: [(&str, &[u8]); 11] = [
        ("least.txt", least.as_bytes()),
        ("least.json", json.as_bytes()),
        ("windows.txt", windows.as_bytes()),
        ("longer.txt", longer.as_bytes()),
        ("short.txt", short.as_bytes()),
        ("boast.json", boast.as_bytes()),
        ("none.json", NONE.as_bytes()),
        ("broken.json", b"{\"moves\":"),
        ("binary", b"\x00\xff\x80P4"),
        ("empty.txt", b""),
        (".hidden", b"x"),
    ];
    let folder = folder(&files);
    std::fs::create_dir(folder.join("below")).expect("writable");
    folder.write("below/least.txt", &least);
    let expected = [
        ("least.txt", "right", Some(10)),
        ("least.json", "right", Some(10)),
        ("windows.txt", "right", Some(10)),
        ("longer.txt", "right", Some(12)),
        ("short.txt", "wrong", None),
        ("boast.json", "wrong", None),
        ("none.json", "wrong", None),
        ("broken.json", "unreadable", None),
        ("binary", "unreadable", None),
        ("empty.txt", "unreadable", None),
    ];
    for strict in [false, true] {
        let flag: &[&str] = if strict { &["--least"] } else { &[] };
        let (rows, code) = rows(&[&["check", "chexers", BOARD, path(&folder)], flag].concat());
        assert_eq!((rows.len(), code), (expected.len(), 1), "{rows:?}");
        for (name, result, cost) in expected {
            let row = &rows[name];
            let result = if strict && name == "longer.txt" { "wrong" } else { result };
            assert_eq!((&row["result"], &row["cost"], &row["least"]), (&json!(result), &json!(cost), &json!(10)), "{name}: {row}");
        }
        let says = |name: &str| rows[name]["text"].as_str().expect("text").to_owned();
        assert!(says("longer.txt").contains(if strict { "but 10 is possible" } else { "2 above the least" }), "{}", says("longer.txt"));
        assert!(says("boast.json").contains("costs 12, but 10 is possible"), "{}", says("boast.json"));
        assert!(says("short.txt").contains("does not end at a goal") && says("none.json").contains("a plan of cost 10"));
        assert_eq!((&rows["least.json"]["claimed"], &rows["least.txt"]["claimed"]), (&json!(10), &Value::Null));
    }
    let output = kibitzer(&["check", "chexers", BOARD, path(&folder)], "");
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(told.contains("skipped 1 folder, 1 hidden file") && told.contains("10 answers: 4 right, 3 wrong, 3 unreadable"), "{told}");
    let names: Vec<String> =
        text(&output.stdout).lines().filter_map(|line| line.split('┆').next()?.rsplit('/').next().map(str::to_owned)).collect();
    let position =
        |name: &str| names.iter().position(|line| line.trim_end().ends_with(name)).unwrap_or_else(|| panic!("{name}: {names:?}"));
    assert!(position("binary") < position("boast.json") && position("short.txt") < position("windows.txt"), "sorted: {names:?}");
}

#[test]
fn a_class_of_two_player_answers_is_graded() {
    let json = stdout(&["solve", "edge", "P5", "--json"]);
    let printed = stdout(&["solve", "edge", "P5"]);
    let other = json.replace("\"coloring\":[3,1,2,3,3]", "\"coloring\":[1,2,3,1,1]");
    assert_ne!(json, other, "the answer has a coloring to alter");
    let clash = json.replace("\"coloring\":[3,1,2,3,3]", "\"coloring\":[1,2,1,2,1]");
    let files = [
        ("right.json", json.as_str()),
        ("printed.txt", &printed),
        ("sentence.txt", "Player 1 has a winning strategy\n"),
        ("coloring.json", &other),
        ("winner.txt", "Player 2 has a winning strategy\n"),
        ("both.txt", "Player 1 has a winning strategy\nPlayer 2 has a winning strategy\n"),
        ("move.txt", "Player 1 has a winning strategy\na:1\n"),
        ("clash.json", &clash),
        ("nothing.json", "{}"),
        ("moves.json", "{\"moves\":[]}"),
        ("none.json", NONE),
        ("unknown.json", "{\"verdict\":\"unknown\"}"),
    ];
    let folder = folder(&files);
    let (rows, code) = rows(&["check", "edge", "P5", path(&folder)]);
    assert_eq!((rows.len(), code), (files.len(), 1));
    for (name, row) in &rows {
        let expected = match name.as_str() {
            "right.json" | "printed.txt" | "sentence.txt" | "coloring.json" => "right",
            "winner.txt" | "move.txt" | "clash.json" => "wrong",
            "unknown.json" => "undecided",
            _ => "unreadable",
        };
        assert_eq!(row["result"], json!(expected), "{name}: {row}");
        assert_eq!((&row["cost"], &row["least"]), (&Value::Null, &Value::Null), "{name}");
    }
    for name in ["nothing.json", "moves.json", "none.json", "both.txt"] {
        assert!(
            rows[name]["text"].as_str().is_some_and(|text| text.contains("edge has two players: an answer must say who wins")),
            "{}",
            rows[name]
        );
    }
    assert!(rows["clash.json"]["text"].as_str().is_some_and(|text| text.contains("`coloring` gives the edges")), "{}", rows["clash.json"]);
    // The number of colors given by the user need not be the least.
    let said = ends(20, &["check", "edge", "P5", &folder.path("right.json"), "--option", "colors=3"], "");
    assert!(said.starts_with("not decided: `coloring`; "), "{said}");
}

/// For the exit code, a wrong answer takes precedence over an unreadable one, and an unreadable one over an undecided one.
#[test]
fn the_worst_answer_determines_the_exit_code() {
    let (least, longer) = plans();
    let files =
        [("a.txt", least.as_str()), ("b.txt", &longer), ("unknown.json", "{\"verdict\":\"unknown\"}"), ("broken", "{"), ("wrong", "x")];
    let folder = folder(&files);
    let file = |name: &str| folder.path(name);
    let code = |names: &[&str], flags: &[&str]| {
        let files: Vec<String> = names.iter().map(|name| file(name)).collect();
        let mut args = vec!["check", "chexers", BOARD];
        args.extend(files.iter().map(String::as_str));
        kibitzer(&[&args, flags].concat(), "").status.code()
    };
    assert_eq!(code(&["a.txt", "b.txt"], &[]), Some(0));
    assert_eq!(code(&["a.txt", "b.txt"], &["--least"]), Some(1));
    assert_eq!(code(&["a.txt"], &["--least"]), Some(0));
    assert_eq!(code(&["b.txt"], &["--least"]), Some(1));
    assert_eq!(code(&["a.txt", "unknown.json"], &[]), Some(20));
    assert_eq!(code(&["unknown.json", "a.txt", "broken"], &[]), Some(2));
    assert_eq!(code(&["unknown.json", "broken", "wrong", "a.txt"], &[]), Some(1));
    assert_eq!(code(&["a.txt", "missing"], &[]), Some(2));
    // Five states are too few to find the least cost, which matters only with `--least`.
    assert_eq!(code(&["a.txt", "b.txt"], &["--states", "5"]), Some(0));
    assert_eq!(code(&["a.txt"], &["--states", "5", "--least"]), Some(20));
    // But one plan of lower cost is enough to show that the cost of another is not the least.
    assert_eq!(code(&["a.txt", "b.txt"], &["--states", "5", "--least"]), Some(1));
    let (rows, _) = rows(&["check", "chexers", BOARD, &file("a.txt"), &file("b.txt"), "--states", "5", "--least"]);
    assert_eq!((&rows["a.txt"]["result"], &rows["a.txt"]["undecided"]), (&json!("undecided"), &json!(["least"])));
    assert_eq!(rows["b.txt"]["text"], "the plan is legal and costs 12, but 10 is possible");
    assert_eq!(code(&["a.txt", "b.txt"], &["--time", "0"]), Some(21));
    let output = kibitzer(&["check", "chexers", BOARD, &file("b.txt"), "--states", "5"], "");
    assert!(text(&output.stdout).contains("costs 12; the least cost was not found within the limits"), "{}", text(&output.stdout));
    let late = kibitzer(&["check", "chexers", BOARD, path(&folder), "--time", "0", "--json"], "");
    let late: Vec<Value> = serde_json::from_slice(&late.stdout).expect("JSON");
    assert!(late.len() == files.len() && late.iter().all(|row| row["result"] == "undecided"), "{late:?}");
}

/// A cheaper plan refutes an answer even if the board is too large for a plain search. If no cheaper plan is found, that confirms nothing.
#[test]
fn a_cheaper_plan_refutes_what_a_plain_search_cannot() {
    let least = stdout(&["solve", "chexers", BOARD, "--json"]);
    let boast = stdout(&["solve", "chexers", BOARD, "--method", "greedy", "--json"]).replace("\"optimal\":false", "\"optimal\":true");
    let folder = folder(&[("least.json", least.as_str()), ("boast.json", &boast), ("none.json", NONE)]);
    // A* needs 22 states here, while a plain search needs thousands.
    let (rows, code) = rows(&["check", "chexers", BOARD, path(&folder), "--states", "30"]);
    assert_eq!(code, 1);
    assert_eq!(rows["boast.json"]["text"], "`optimal` is wrong: the plan costs 12, but 10 is possible");
    assert_eq!((&rows["none.json"]["result"], &rows["none.json"]["text"]), (&json!("wrong"), &json!("there is a plan of cost 10")));
    let row = &rows["least.json"];
    assert_eq!((&row["result"], &row["undecided"]), (&json!("undecided"), &json!(["optimal", "lower"])), "{row}");
    assert_eq!((&row["least"], &row["least_by"]), (&json!(10), &json!("astar:relaxed")));
    // A short proof confirms that there is no plan.
    let said = ends(0, &["check", "chexers", "instances/chexers/enclosed.json", &folder.path("none.json"), "--states", "3"], "");
    assert!(said.contains("the certificate `enclosed` is valid"), "{said}");
}

/// States examined for the first answer are not examined again for the next ones.
#[test]
fn shared_work_is_done_once() {
    let check = |game: &str, board: &str, answer: &str| {
        let entry = games::find(game).expect("listed");
        let puzzle = entry.parse(board, &Options::default()).expect("a board");
        let claim = entry.claim(answer).expect("readable");
        let mut checker = puzzle.checker();
        let mut complete = |nodes: u64| checker.check(&claim, &Limits::nodes(nodes)).expect("valid").complete();
        let first = complete(1 << 20);
        assert_eq!((first, complete(0)), (true, true), "{game}");
        assert!(!puzzle.check(&claim, &Limits::nodes(0)).expect("valid").complete(), "{game}: a separate check needs states");
    };
    check("chexers", &crate::common::file(BOARD), &stdout(&["solve", "chexers", BOARD, "--json"]));
    check("edge", "P6", &stdout(&["solve", "edge", "P6", "--json", "--method", "induction"]));
}

/// Folders and arguments without answers, or with unusual ones.
#[test]
fn odd_folders_and_files() {
    let (least, longer) = plans();
    let empty = Folder::new();
    refused(&["check", "chexers", BOARD, path(&empty)], "", "there is no answer to check");
    // Two folders with files of the same name, and a name that needs quotes.
    let (one, two) = (folder(&[("ann.txt", &least), ("b, \"c\".txt", &least)]), folder(&[("ann.txt", &longer)]));
    let csv = ends(0, &["check", "chexers", BOARD, path(&one), path(&two), "--csv"], "");
    let (first, second) = (format!("{}/ann.txt", path(&one)), format!("{}/ann.txt", path(&two)));
    let fields = "the plan is legal, ends at a goal and costs";
    assert!(csv.starts_with("answer,result,claimed,cost,least,least_by,text,undecided\n"), "{csv}");
    for row in [
        format!("\n{first},right,,10,10,astar:relaxed,\"{fields} 10; no plan costs less (by astar:relaxed)\",\n"),
        format!("\n{second},right,,12,10,astar:relaxed,\"{fields} 12; 2 above the least cost of 10 (by astar:relaxed)\",\n"),
        "/b, \"\"c\"\".txt\",right,,10,".to_owned(),
    ] {
        assert!(csv.contains(&row), "{row}\n{csv}");
    }
    // A file given twice yields two rows; standard input is one answer and may be given only once.
    let output = kibitzer(&["check", "chexers", BOARD, &first, &first, "-", "--json"], &longer);
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(rows.iter().map(|row| row["cost"].clone()).collect::<Vec<_>>(), [json!(10), json!(10), json!(12)]);
    refused(&["check", "chexers", BOARD, "-", "-"], &longer, "only once");
    ends(0, &["check", "chexers", BOARD, "-", "--csv"], &least);
    // The board is in the same folder as the answers.
    let board = one.write("board.json", crate::common::file(BOARD));
    let output = kibitzer(&["check", "chexers", &board, path(&one)], "");
    assert!(output.status.success() && text(&output.stderr).contains("skipped 1 board"), "{}", text(&output.stderr));
    // Large files: repeated moves, and ten megabytes of zero bytes.
    let large = folder(&[("moves", least.repeat(20_000)), ("zeros", "\0".repeat(10_000_000)), ("ok", least)]);
    let (rows, code) = self::rows(&["check", "chexers", BOARD, path(&large)]);
    let result = |name: &str| rows[name]["result"].clone();
    assert_eq!((result("moves"), result("zeros"), result("ok"), code), (json!("wrong"), json!("wrong"), json!("right"), 1));
}

#[cfg(unix)]
#[test]
fn file_names_that_are_not_text_and_broken_links() {
    use std::os::unix::ffi::OsStrExt;
    let (least, _) = plans();
    let folder = folder(&[("plain", &least)]);
    let at = |name: &[u8]| folder.join(std::ffi::OsStr::from_bytes(name));
    std::fs::write(at(b"a\xff"), &least).expect("writable");
    std::fs::write(at(b"a\xfe\x1b[31m"), "x").expect("writable");
    std::os::unix::fs::symlink("loop", at(b"loop")).expect("writable");
    std::os::unix::fs::symlink("..", at(b"up")).expect("writable");
    std::os::unix::fs::symlink("plain", at(b"link")).expect("writable");
    assert!(std::process::Command::new("mkfifo").arg(at(b"pipe")).status().is_ok_and(|status| status.success()));
    let output = kibitzer(&["check", "chexers", BOARD, path(&folder)], "");
    assert!(text(&output.stderr).contains("skipped 1 folder, 1 special file"), "{}", text(&output.stderr));
    let (rows, code) = rows(&["check", "chexers", BOARD, path(&folder)]);
    let results: Vec<(&str, &str)> = rows.iter().map(|(name, row)| (name.as_str(), row["result"].as_str().expect("a word"))).collect();
    let expected = [("a\\xfe\\u{1b}[31m", "wrong"), ("a\\xff", "right"), ("link", "right"), ("loop", "unreadable"), ("plain", "right")];
    assert_eq!((results.as_slice(), code), (expected.as_slice(), 1));
}

/// Output in the format of a course's own program can be graded.
#[test]
fn output_in_the_format_of_a_course_is_graded() {
    let board = "instances/pegs/course-1.txt";
    let printed = stdout(&["solve", "pegs", board, "--course", "--method", "BFS"]);
    assert!(printed.contains("Path cost: 8\nSolution: a down, b down, a right\n"), "{printed}");
    let files = [
        ("bfs", printed.clone()),
        ("cost", printed.replace("cost: 8", "cost: 7")),
        ("move", printed.replace("a right", "a left")),
        ("more", format!("{printed}b up\n")),
        ("none", "Number of removed nodes: 5\nNo solution\n".to_owned()),
    ];
    let folder = folder(&files);
    let (rows, _) = rows(&["check", "pegs", board, path(&folder)]);
    assert_eq!((&rows["bfs"]["result"], &rows["bfs"]["cost"], &rows["bfs"]["least"]), (&json!("right"), &json!(8), &json!(4)));
    assert_eq!((&rows["cost"]["result"], &rows["cost"]["claimed"]), (&json!("wrong"), &json!(7)));
    assert_eq!((&rows["move"]["result"], &rows["more"]["result"]), (&json!("wrong"), &json!("unreadable")));
    assert_eq!(rows["none"]["result"], json!("unreadable"));
}

/// The table says whether an answer is proved by the method, a lower bound or a certificate.
#[test]
fn compare_says_where_a_proof_comes_from() {
    let table = |args: &[&str]| stdout(&[&["compare"], args].concat());
    let data = |args: &[&str]| -> Vec<Value> { serde_json::from_str(&table(&[args, &["--json"]].concat())).expect("JSON") };
    let lucky = ["pegs", "instances/pegs/english.txt", "--methods", "greedy"];
    assert!(table(&lucky).contains("yes, by a lower bound") && !table(&lucky).contains("yes, proved"), "{}", table(&lucky));
    assert_eq!((&data(&lucky)[0]["optimal"], &data(&lucky)[0]["proved_by"]), (&json!(true), &json!("bound")));
    let sound = ["chexers", BOARD, "--methods", "astar,greedy"];
    let rows = data(&sound);
    assert_eq!((&rows[0]["proved_by"], rows[1].get("proved_by")), (&json!("method"), None));
    let enclosed = ["chexers", "instances/chexers/enclosed.json", "--methods", "bfs,dfs"];
    assert!(table(&enclosed).matches("no solution, proved").count() == 2);
    assert!(data(&enclosed).iter().all(|row| row["proved_by"] == "method" && row.get("limit").is_none()));
    let stopped = [&enclosed[..], &["--nodes", "3"]].concat();
    assert!(table(&stopped).matches("no solution, proved by a certificate (gave up: nodes limit)").count() == 2, "{}", table(&stopped));
    assert!(data(&stopped).iter().all(|row| row["proved_by"] == "certificate" && row["limit"] == "nodes"), "{:?}", data(&stopped));
    // `proved_by` claims nothing about the board, so `check` accepts answers that contain it.
    for row in [&data(&lucky)[0], &data(&stopped)[0]] {
        let entry = games::find(row["game"].as_str().expect("a name")).expect("listed");
        assert!(entry.claim(&row.to_string()).is_ok(), "{row}");
    }
}

/// Methods that ran out of time are reported in a note with the remedy.
#[test]
fn compare_notes_methods_that_ran_out_of_time() {
    let note = |flags: &[&str]| {
        text(&kibitzer(&[&["compare", "pegs", "instances/pegs/english.txt", "--methods", "iddfs"], flags].concat(), "").stderr)
    };
    assert!(note(&["--time", "0.1"]).contains("note: 1 method ran out of time (0.1 seconds for the table"), "{}", note(&["--time", "0.1"]));
    assert!(!note(&["--nodes", "5"]).contains("ran out of time"), "only a time limit is reported");
}

/// A CSV row contains the same fields as the JSON, under the same names.
#[test]
fn compare_writes_the_same_data_as_csv_and_json() {
    for args in [["chexers", BOARD], ["edge", "P5"], ["moles", "instances/moles/corner-5.txt"]] {
        let csv = stdout(&["compare", args[0], args[1], "--nodes", "500", "--csv"]);
        let rows: Vec<Value> = serde_json::from_str(&stdout(&["compare", args[0], args[1], "--nodes", "500", "--json"])).expect("JSON");
        let mut lines = csv.lines().map(fields);
        let columns = lines.next().expect("a header");
        let lines: Vec<Vec<String>> = lines.collect();
        assert_eq!(lines.len(), rows.len(), "{csv}");
        for (line, row) in lines.iter().zip(&rows) {
            assert_eq!(line.len(), columns.len(), "{line:?}");
            let mut flat = row.as_object().expect("an object").clone();
            let stats = flat.remove("stats").expect("stats");
            flat.extend(stats.as_object().expect("an object").clone());
            flat.iter().for_each(|(name, _)| assert!(columns.contains(name), "{name} is not a column of {columns:?}"));
            for (name, field) in columns.iter().zip(line).filter(|(name, _)| *name != "seconds") {
                let expected = match flat.get(name) {
                    None | Some(Value::Null) => String::new(),
                    Some(Value::String(text)) => text.clone(),
                    Some(value) => value.to_string(),
                };
                assert_eq!(*field, expected, "{name}");
            }
        }
    }
}

/// The fields of a CSV row, parsed character by character.
fn fields(row: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                fields.last_mut().expect("nonempty").push('"');
                letters.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            letter => fields.last_mut().expect("nonempty").push(letter),
        }
    }
    fields
}
