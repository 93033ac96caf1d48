//! The number and the list of least-cost plans, and tables of a method: their output, options, errors and limits.

use std::collections::BTreeMap;
use std::fs::{DirEntry, File};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::common::Folder;
use crate::run::{ends, json, kibitzer, refused, stdout, text};

/// The only solution of the source's board is a set of three holes, which can be hit in any order.
#[test]
fn plans_are_counted_and_listed() {
    let board = "instances/moles/source.txt";
    let solve = |more: &[&str]| json(&[&["solve", "moles", board, "--json"], more].concat(), "");
    let counted = solve(&["--plans", "count"]);
    assert_eq!((&counted["plans"], counted.get("plan_list")), (&json!("6"), None));
    assert_eq!(solve(&["--plans", "2"])["plan_list"], json!([[6, 14, 16], [6, 16, 14]]));
    let all = solve(&["--plans", "all"]);
    assert_eq!(all["plan_list"].as_array().map(Vec::len), Some(6));
    let plain = solve(&[]);
    for (name, value) in plain.as_object().expect("an object").iter().filter(|(name, _)| *name != "stats") {
        assert_eq!(&all[name], value, "{name}");
    }
    let said = stdout(&["solve", "moles", board, "--plans", "1"], "");
    assert!(said.contains("\n# plans: 6\n# plan 1: 6; 14; 16\n6\n14\n16\n"), "{said}");
    let folder = Folder::new();
    let answer = |value: &Value| folder.write("answer.json", value.to_string());
    let check = |code: i32, value: &Value| ends(code, &["check", "moles", board, &answer(value)], "");
    check(0, &all);
    for (name, wrong) in [("plans", json!("7")), ("plans", json!(6)), ("plan_list", json!([[6, 14, 16], [6, 14, 16]]))] {
        let mut changed = all.clone();
        changed[name] = wrong;
        check(1, &changed);
    }
}

#[test]
fn plans_that_cannot_be_counted() {
    let unsolvable: Value =
        serde_json::from_str(&ends(10, &["solve", "moles", "instances/moles/corner-5.txt", "--plans", "count", "--json"], ""))
            .expect("JSON");
    assert_eq!(unsolvable["plans"], json!("0"));
    let folder = Folder::new();
    // Moves cost nothing, but no jump can be undone, so the number of plans is finite.
    let free = "costs: 0 0 0 0\nab.\n";
    assert_eq!(json(&["solve", "pegs", &folder.write("free.txt", free), "--plans", "count", "--json"], "")["plans"], json!("1"));
    refused(&["solve", "edge", "P5", "--plans", "count"], "", "two players");
    refused(&["solve", "chexers", "--method", "greedy", "--plans", "count"], "", "did not prove");
    refused(&["solve", "chexers", "--plans", "0"], "", "positive number");
    refused(&["solve", "chexers", "--plans", "some"], "", "`all`");
    refused(&["solve", "pegs", "--course", "--method", "UCS", "--plans", "count"], "", "--course");
    // After the least cost is proved, a limit ends the count.
    let english = "instances/pegs/english.txt";
    let stopped = kibitzer(&["solve", "pegs", english, "--plans", "count", "--nodes", "50000", "--json"], "");
    let report: Value = serde_json::from_slice(&stopped.stdout).expect("JSON");
    assert_eq!(stopped.status.code(), Some(20));
    assert_eq!((&report["cost"], &report["plans"], &report["limit"]), (&json!(31), &Value::Null, &json!("nodes")));
}

/// Boards of several games, in a list with comments.
const BOARDS: [(&str, &str); 3] = [
    ("pegs", "# single jumps\njump: single|costs: unit|ab.|...\n\n.....|.atb.|n...g|n...a|h...b|x...c\njump: single|a..|..b\n"),
    (
        "chexers",
        "{\"colour\":\"red\",\"pieces\":[[0,0],[0,1],[-2,1]],\"blocks\":[[-1,0],[-1,1],[1,1],[3,-1]]}\nlone\n{\"colour\":\"red\",\"pieces\":[[0,0]],\"blocks\":[]}\n",
    ),
    ("tricolor", "colors: GGBRR; edges: 0-1 0-2 1-2 1-3 1-4 2-3\ncolors: BR; edges: 0-1\npair\n"),
];

#[test]
fn every_board_of_a_list_is_solved_by_a_method() {
    for (game, list) in BOARDS {
        let folder = Folder::new();
        let (boards, table) = (folder.write("boards.list", list), folder.path("table.csv"));
        let made = kibitzer(&["census", game, &boards, "--method", "ucs", "-o", &table], "");
        assert!(made.status.success() && text(&made.stderr).contains("totals: "), "{}", text(&made.stderr));
        let whole = std::fs::read_to_string(&table).expect("written");
        let mut lines = whole.lines();
        assert!(lines.next().is_some_and(|line| line.contains(&format!(" census 2: {game}; method=ucs"))), "{whole}");
        assert_eq!(lines.next(), Some("line,board,verdict,cost,optimal,expanded,generated,seconds"));
        // Each row agrees with `solve`.
        let rows = stdout(&["census", game, "--method", "ucs", "--format", "jsonl", "--threads", "1"], list);
        let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let (totals, rows) = rows.split_last().expect("totals");
        let mut sums = [0; 3];
        for row in rows {
            let report = json(&["solve", game, row["board"].as_str().expect("text"), "--method", "ucs", "--json"], "");
            assert_eq!((&row["verdict"], &row["optimal"]), (&report["verdict"], &report["optimal"]), "{row}");
            assert_eq!(row["cost"], report["cost"], "{row}");
            let counts = ["expanded", "generated"].map(|name| (&row[name], &report["stats"][name]));
            assert!(counts.iter().all(|(row, report)| row == report) && row["seconds"].is_number(), "{row}");
            for (sum, name) in sums.iter_mut().zip(["cost", "expanded", "generated"]) {
                *sum += row[name].as_u64().unwrap_or(0);
            }
        }
        let totals = &totals["totals"];
        assert_eq!(totals["boards"], json!(rows.len()));
        assert_eq!(["cost", "expanded", "generated"].map(|name| totals[name].as_u64()), sums.map(Some), "{game}");

        assert!(stdout(&["check", &table], "").starts_with("correct: "), "{whole}");
        let cost = format!("cost={}; ", sums[0]);
        assert!(whole.contains(&format!("\n# totals: boards={}; ", rows.len())) && whole.contains(&cost), "{whole}");
        // A table that was truncated at any point is completed. Only the times may differ.
        let without_times = |text: &str| -> Vec<String> {
            let kept = text.lines().filter(|line| !line.starts_with("# "));
            kept.map(|line| line.rsplit_once(',').map_or(line, |(row, _)| row).to_owned()).collect()
        };
        for cut in [5, whole.len() / 2, whole.find("# totals").expect("totals") + 4, whole.find("# end").expect("an end") + 3] {
            std::fs::write(&table, &whole[..cut]).expect("writable");
            stdout(&["census", game, &boards, "--method", "ucs", "-o", &table, "--resume"], "");
            let again = std::fs::read_to_string(&table).expect("written");
            assert_eq!(without_times(&again), without_times(&whole), "{cut}");
            stdout(&["check", &table], "");
        }
        // A wrong cost and wrong totals are detected even if the checksum is right.
        let changed = |from: &str, to: &str| {
            let text = whole.replacen(from, to, 1);
            let body = &text[..text.find("# end").expect("an end")];
            let end = whole[whole.find("# end").expect("an end")..].to_owned();
            let sum = format!("crc32={:08x}", crate::common::crc32(body.as_bytes()));
            let old = end.split("; ").nth(1).expect("a checksum").to_owned();
            std::fs::write(&table, format!("{body}{}", end.replace(&old, &sum))).expect("writable");
        };
        changed(&cost, "cost=123456; ");
        refused(&["check", &table], "", "the totals are");
        refused(&["census", game, &boards, "--method", "bfs", "-o", &table, "--resume"], "", "method=bfs");
    }
}

#[test]
fn tables_of_a_method_and_their_limits() {
    let list = "a.b|.c.|d.e\nab.|...|...\n";
    let rows = stdout(&["census", "pegs", "-O", "jump=single", "-O", "costs=unit"], list);
    assert!(rows.starts_with("line,board,verdict,cost,") && rows.contains("\n2,ab.|...|...,solved,1,true,"), "{rows}");
    let limited = stdout(&["census", "pegs", "--method", "bfs", "--nodes", "0"], ".....|.atb.|n...g|n...a|h...b|x...c\n");
    assert!(limited.contains(",unknown,,,0,0,"), "{limited}");
    // A method may also be given by the name of a course's algorithm.
    let course = stdout(&["census", "pegs", "--method", "a*2"], ".....|.atb.|n...g|n...a|h...b|x...c\n");
    assert!(course.contains(",solved,4,true,"), "{course}");
    assert!(stdout(&["census", "pegs", "--method", "course:BFS"], "....|.dc.|.ba.|....\n").contains(",solved,9,false,26,"));
    refused(&["census", "edge", "--method", "auto"], "P5\n", "two players");
    refused(&["census", "moles", "-O", "states=3"], "P5\n", "--method");
    let broken = kibitzer(&["census", "pegs"], "ab.\na?\n");
    assert!(broken.status.code() == Some(2) && text(&broken.stderr).contains("line 2, column 2"), "{}", text(&broken.stderr));
    let unknown = kibitzer(&["census", "pegs", "--method", "magic"], "ab.\n");
    assert!(text(&unknown.stderr).starts_with("error: line 1 of the list: unknown method `magic`"), "{}", text(&unknown.stderr));
    ends(21, &["census", "pegs", "--time", "0"], list);
}

/// With `--cache`, tables are built only once for each goal. A table that is damaged is rebuilt.
#[test]
fn pattern_databases_are_kept_between_runs() {
    let folder = Folder::new();
    let list = folder.write("boards.list", "2 3 6|1 5 8|4 7 0\n8 1 3|4 0 2|7 6 5\n");
    let cache = folder.path("cache");
    let rows = |more: &[&str]| -> Vec<String> {
        let table = stdout(&[&["census", "tiles", &list, "--method", "astar:pattern"], more].concat(), "");
        table.lines().filter_map(|line| line.rsplit_once(',').map(|(row, _)| row.to_owned())).filter(|row| !row.starts_with('#')).collect()
    };
    let files = || -> BTreeMap<String, (Vec<u8>, SystemTime)> {
        let entries = std::fs::read_dir(&cache).expect("a folder").map(|entry| entry.expect("readable"));
        let file = |entry: DirEntry| {
            let changed = entry.metadata().and_then(|about| about.modified()).expect("known");
            (entry.path().to_str().expect("text").to_owned(), (std::fs::read(entry.path()).expect("readable"), changed))
        };
        entries.map(file).collect()
    };
    let plain = rows(&[]);
    assert!(plain.len() == 3 && plain[1].contains(",solved,8,true,") && plain[2].contains(",solved,14,true,"), "{plain:?}");
    assert_eq!(rows(&["--cache", &cache]), plain);
    let kept = files();
    assert!(!kept.is_empty() && kept.keys().all(|name| name.ends_with(".pattern")), "{:?}", kept.keys());
    // Rebuilding a table would write a new file. All commands read the same files.
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    kept.keys().for_each(|name| File::options().write(true).open(name).and_then(|file| file.set_modified(old)).expect("writable"));
    assert_eq!(rows(&["--cache", &cache]), plain);
    for (command, method) in [("solve", "--method"), ("compare", "--methods"), ("trace", "--method")] {
        stdout(&[command, "tiles", "2 3 6|1 5 8|4 7 0", method, "astar:pattern", "--cache", &cache], "");
    }
    assert!(files().values().all(|(_, changed)| *changed == old));
    // Each goal has its own tables.
    let other = ["-O", "goal=blank-first"];
    assert_eq!(rows(&[&other[..], &["--cache", &cache]].concat()), rows(&other));
    assert!(files().len() > kept.len());
    let (name, (bytes, _)) = kept.first_key_value().expect("a table");
    let mut damaged = bytes.clone();
    *damaged.last_mut().expect("not empty") ^= 1;
    std::fs::write(name, damaged).expect("writable");
    let rebuilt = kibitzer(&["census", "tiles", &list, "--method", "astar:pattern", "--cache", &cache, "--threads", "1"], "");
    assert!(rebuilt.status.success() && text(&rebuilt.stderr).contains("rebuilt"), "{}", text(&rebuilt.stderr));
    assert_eq!(std::fs::read(name).expect("readable"), *bytes);
    refused(&["census", "tiles", &list, "--method", "astar:pattern", "--cache", &list], "", "--cache");
}
