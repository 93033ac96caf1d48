//! Exercise sheets: the same seed produces the same sheet, boards solved again by other methods are within the ranges, and a shortage
//! of boards is reported.

use std::collections::HashSet;

use kibitzer::catalog::Choice;
use kibitzer::games::{self, GAMES};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::Options;
use kibitzer::report::Answer;
use kibitzer::sheet::{Exercise, Request, Sheet, SheetError, Span, collect};
use serde_json::Value;

use crate::common::{Folder, amount};
use crate::run::{failure, run_in};

/// Options that keep boards small enough to be solved repeatedly.
fn options(game: &str) -> Vec<String> {
    if game == "edge" { vec!["vertices=5".to_owned()] } else { Vec::new() }
}

fn request(game: &str, count: usize) -> Request {
    Request {
        entry: games::find(game).expect("exists"),
        options: options(game),
        seed: 7,
        count,
        cost: None,
        expanded: None,
        method: None,
        tries: 3000,
        title: None,
    }
}

fn span(text: &str) -> Option<Span> {
    Some(text.parse().expect("a range"))
}

fn sheet(request: Request) -> Sheet {
    let name = request.entry.name;
    collect(request, &Limits::none(), &mut |_, _| {}).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn texts(sheet: &Sheet) -> HashSet<String> {
    sheet.exercises.iter().map(|exercise| exercise.position.instance.clone()).collect()
}

/// Game, cost range, range of expanded states, and the method that expands them.
const RANGES: &[(&str, Option<&str>, &str, Option<&str>)] = &[
    ("tricolor", Some("4..5"), "5..40", None),
    ("pegs", Some("6..9"), "20..60", None),
    ("edge", None, "20..60", None),
    ("moles", Some("3..4"), "..60", None),
    ("chexers", Some("9..11"), "20..60", None),
    ("tiles", Some("10..20"), "10..200", None),
    ("maze", Some("20..40"), "20..60", None),
    ("connect", None, "20..600", None),
    ("kayles", None, "5..60", None),
    ("pegs", Some("..8"), "10..", Some("bfs")),
];

#[test]
fn ranges_hold_when_boards_are_solved_again() {
    let mut seen = HashSet::new();
    for &(game, cost, expanded, method) in RANGES {
        seen.insert(game);
        let wanted = Request { cost: cost.and_then(span), expanded: span(expanded), method: method.map(str::to_owned), ..request(game, 4) };
        let sheet = sheet(wanted.clone());
        assert_eq!(sheet.exercises.len(), 4, "{game}");
        assert_eq!(texts(&sheet).len(), 4, "{game}: all boards are different");
        for Exercise { seed, position, report, method, expanded } in &sheet.exercises {
            let context = format!("{game} {seed}");
            assert!(report.verified, "{context}");
            let options = crate::common::options(&wanted.options, wanted.entry.generate_options.expect("has a generator"));
            let again = (wanted.entry.generate)(*seed, &options, &Limits::none()).expect("generated before");
            assert_eq!(again, position.instance, "{context}: the seed generates the board");
            let puzzle = wanted.entry.parse(&again, &Options::default()).expect("valid");
            let counted = puzzle.solve(&Choice::method(method), &Limits::none()).expect("no fault");
            assert_eq!(counted.stats.expanded, *expanded, "{context}");
            assert!(wanted.expanded.is_some_and(|span| span.contains(*expanded)), "{context}: {expanded}");
            let other = if wanted.entry.players == 1 { "ucs" } else { "induction" };
            match (puzzle.solve(&Choice::method(other), &Limits::none()).expect("no fault").answer, &report.answer) {
                (Answer::Solved { cost, optimal, .. }, Answer::Solved { cost: said, moves, .. }) => {
                    assert!(optimal && cost == *said && wanted.cost.is_none_or(|span| span.contains(u64::from(cost))), "{context}");
                    let plan: Vec<Value> = moves.iter().map(|mv| mv.json.clone()).collect();
                    assert!(puzzle.after(&plan).expect("legal").position(&Limits::none()).expect("no limit").goal, "{context}");
                }
                (Answer::Decided(decided), Answer::Decided(said)) => {
                    assert_eq!((decided.winner, &decided.best), (said.winner, &said.best), "{context}");
                }
                other => panic!("{context}: {other:?}"),
            }
        }
        let hardness = |exercise: &Exercise| (exercise.cost(), exercise.expanded);
        assert!(sheet.exercises.is_sorted_by_key(hardness), "{game}: the easiest first");
    }
    assert_eq!(seen.len(), GAMES.len(), "every game has a row");
}

#[test]
fn states_are_counted_by_a_method_that_expands_some() {
    for entry in GAMES.iter().filter(|entry| entry.players == 1) {
        // Searching larger moles boards takes too long.
        let small = amount(entry.name == "moles", false).then(|| "size=3x3".to_owned());
        let sheet = sheet(Request { expanded: span("1.."), options: small.into_iter().collect(), ..request(entry.name, 1) });
        assert!(sheet.exercises[0].expanded > 0 && sheet.exercises[0].method.starts_with("astar:"), "{}", entry.name);
    }
}

#[test]
fn the_same_seed_gives_the_same_sheet_and_a_subset_of_a_longer_one() {
    for entry in GAMES {
        let (one, two) = (sheet(request(entry.name, 3)), sheet(request(entry.name, 3)));
        for answers in [false, true] {
            assert_eq!(one.json(answers), two.json(answers));
            assert_eq!(one.html(answers), two.html(answers));
            assert_eq!(one.markdown(answers), two.markdown(answers));
        }
        assert!(texts(&one).is_subset(&texts(&sheet(request(entry.name, 5)))), "{}", entry.name);
        assert_ne!(texts(&one), texts(&sheet(Request { seed: 8, ..request(entry.name, 3) })), "{}", entry.name);
    }
}

/// The students' sheet contains no answers in any form.
#[test]
fn only_the_answer_sheet_contains_answers() {
    for entry in GAMES {
        let sheet = sheet(request(entry.name, 2));
        assert!(
            sheet.markdown(false).contains(entry.rules.split([' ', '\n']).next().expect("rules")),
            "{}: the rules are missing",
            entry.name
        );
        let (without, with) = (sheet.json(false), sheet.json(true));
        for (at, exercise) in sheet.exercises.iter().enumerate() {
            let keys = |value: &Value| -> Vec<String> { value["exercises"][at].as_object().expect("an object").keys().cloned().collect() };
            assert_eq!(keys(&without), ["number", "seed", "command", "instance", "ascii"]);
            let more: &[&str] = if entry.players == 1 { &["cost", "moves"] } else { &["winner", "best"] };
            let more = [more, &["method", "expanded", "answer"]].concat();
            assert!(more.iter().all(|name| keys(&with).iter().any(|key| key == name)), "{:?}", keys(&with));
            let said = &with["exercises"][at];
            assert_eq!((&said["seed"], &said["expanded"]), (&Value::from(exercise.seed), &Value::from(exercise.expanded)));
            // The answer can be checked like any other.
            let puzzle = entry.parse(said["instance"].as_str().expect("text"), &Options::default()).expect("valid");
            let claim = entry.claim(&said["answer"].to_string()).expect("readable");
            assert!(puzzle.check(&claim, &Limits::nodes(1_000_000)).expect("valid").complete(), "{}", entry.name);
        }
        for text in [sheet.markdown(false), sheet.html(false)] {
            assert!(text.contains("Name") && !text.contains("expands"), "{text}");
            assert!(["Least cost", "Player 1 wins", "Player 2 wins"].iter().all(|words| !text.contains(words)), "{text}");
        }
        for text in [sheet.markdown(true), sheet.html(true)] {
            assert!(text.contains("expands") && text.contains("(answers)") && !text.contains("Name"), "{text}");
        }
        let html = sheet.html(false);
        assert_eq!((html.matches("role=\"img\"").count(), html.matches("<script").count()), (2, 0));
        assert!(!html.replace("http://www.w3.org", "").contains("://"), "{} refers to another host", entry.name);
    }
}

#[test]
fn titles_are_escaped_and_commands_quoted() {
    let options = vec!["graph=a':b b:a',c c:b".to_owned()];
    let sheet = sheet(Request { title: Some("<b>Week 3 & 4</b>\n# x".to_owned()), options, ..request("moles", 1) });
    assert!(sheet.html(false).contains("<h1>&lt;b&gt;Week 3 &amp; 4&lt;/b&gt;"));
    assert_eq!(sheet.markdown(false).lines().filter(|line| line.starts_with("# ")).count(), 1);
    assert!(sheet.command(&sheet.exercises[0]).ends_with(" --option 'graph=a'\\'':b b:a'\\'',c c:b'"));
}

#[test]
fn a_shortage_of_boards_is_reported() {
    let shortage = |request: Request, limits: &Limits| match collect(request, limits, &mut |_, _| {}) {
        Err(SheetError::Short(shortage)) => shortage,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("found"),
    };
    let none = Limits::none();
    let cost = shortage(Request { cost: span("90.."), tries: 50, ..request("pegs", 3) }, &none);
    assert_eq!((cost.found, cost.tried, cost.limit), (0, 50, None));
    assert!(cost.costs.is_some_and(|seen| seen.most < 90 && seen.least > 0), "{cost}");
    let expanded = shortage(Request { expanded: span("..1"), cost: span("5.."), tries: 50, ..request("moles", 3) }, &none);
    assert_eq!(expanded.expanded.map(|seen| seen.most), Some(2), "the search should stop as soon as it exceeds the range: {expanded}");
    // Only two boards can be generated with these options.
    let options = ["rows=1", "columns=2", "pegs=1"].map(str::to_owned).to_vec();
    let few = shortage(Request { options, tries: 50, ..request("pegs", 10) }, &none);
    assert!(few.found < 10 && few.repeated > 0 && few.found as u64 + few.repeated == 50, "{few}");
    assert_eq!(shortage(request("chexers", 1), &crate::common::stopped()).limit, Some(Limit::Time));
    let low = shortage(Request { tries: 5, ..request("tricolor", 1) }, &Limits::nodes(0));
    assert_eq!((low.found, low.undecided), (0, 5), "{low}");
}

#[test]
fn wrong_requests_are_refused() {
    let wrong = |request: Request| collect(request, &Limits::none(), &mut |_, _| {}).map(|_| ()).expect_err("wrong");
    assert!(matches!(wrong(Request { cost: span("3"), ..request("edge", 1) }), SheetError::Request { .. }));
    assert!(matches!(wrong(Request { method: Some("magic".to_owned()), ..request("pegs", 1) }), SheetError::Solve(_)));
    assert!(matches!(wrong(Request { options: vec!["x=1".to_owned()], ..request("pegs", 1) }), SheetError::Read(_)));
    assert!(matches!(wrong(Request { options: vec!["size=200x200".to_owned()], ..request("moles", 1) }), SheetError::Request { .. }));
}

#[test]
fn a_sheet_and_its_answers_are_written_side_by_side() {
    let folder = Folder::new();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("written");
    for entry in GAMES {
        let written = sheet(request(entry.name, 3));
        let options: Vec<String> = written.request.options.iter().flat_map(|option| ["-O".to_owned(), option.clone()]).collect();
        let run = |more: &[&str]| {
            let words = ["generate", entry.name, "--seed", "7", "--count", "3"];
            run_in(&folder, &[&words, more, &options.iter().map(String::as_str).collect::<Vec<_>>()].concat(), "")
        };
        for (ending, make) in [
            ("md", Sheet::markdown as fn(&Sheet, bool) -> String),
            ("html", Sheet::html),
            ("json", |sheet, answers| format!("{:#}\n", sheet.json(answers))),
        ] {
            let output = run(&["-o", &format!("sheet.{ending}")]);
            assert!(output.status.success() && output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(read(&format!("sheet.{ending}")), make(&written, false));
            assert_eq!(read(&format!("sheet-answers.{ending}")), make(&written, true));
        }
        let printed = run(&[]);
        assert_eq!(String::from_utf8_lossy(&printed.stdout), format!("{}\n{}", written.markdown(false), written.markdown(true)));
        let printed = run(&["--json"]);
        assert_eq!(serde_json::from_slice::<Value>(&printed.stdout).expect("JSON"), written.json(true));
        // The command on the sheet generates the board.
        let command = written.command(&written.exercises[0]);
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        assert_eq!(String::from_utf8_lossy(&run_in(&folder, &words, "").stdout), written.exercises[0].position.instance);
    }
}

#[test]
fn one_board_in_a_range_is_printed_as_a_board() {
    let folder = Folder::new();
    let output = run_in(&folder, &["generate", "pegs", "--seed", "7", "--cost", "5..6"], "");
    let wanted = sheet(Request { cost: span("5..6"), ..request("pegs", 1) });
    assert_eq!(String::from_utf8_lossy(&output.stdout), wanted.exercises[0].position.instance);
    assert!(String::from_utf8_lossy(&output.stderr).contains(&wanted.command(&wanted.exercises[0])));
}

#[test]
fn errors_have_a_remedy_and_write_nothing() {
    let folder = Folder::new();
    let cases: &[(i32, &[&str], &str)] = &[
        (2, &["pegs", "--cost", "9..6"], "smaller number first"),
        (2, &["pegs", "--expanded", ""], "6..9"),
        (2, &["pegs", "--count", "0"], "--count"),
        (2, &["pegs", "--count", "1001"], "--count"),
        (2, &["pegs", "--count", "3", "-o", "sheet.pdf"], ".html, .md or .json"),
        (2, &["pegs", "--count", "3", "-o", "sheet"], ".html, .md or .json"),
        (2, &["pegs", "--count", "3", "-o", "missing/sheet.md"], "folder"),
        (2, &["pegs", "--json"], "--count"),
        (2, &["pegs", "--title", "x"], "--count"),
        (2, &["pegs", "--method", "bfs"], "--expanded"),
        (2, &["pegs", "--count", "1", "--method", "magic"], "unknown method `magic`"),
        (2, &["pegs", "--count", "1", "--option", "pegs=99"], "pegs"),
        (2, &["edge", "--count", "2", "--cost", "3"], "omit `--cost`"),
        (2, &["moles", "--cost", "3", "-o", "x.pbm"], "bitmaps"),
        (2, &["pegs", "--seed", "7", "--count", "9", "--cost", "6..7", "--tries", "20", "-o", "sheet.md"], "--count"),
        (21, &["pegs", "--count", "3", "--time", "0", "-o", "sheet.md"], "time limit"),
        (21, &["pegs", "--seed", "5", "--cost", "2..3", "--time", "0.5"], "found 0 of 1 exercise"),
        (20, &["pegs", "--count", "3", "--memory", "10", "-o", "sheet.md"], "memory"),
    ];
    for (code, args, part) in cases {
        let error = failure(*code, args, &run_in(&folder, &[&["generate"], *args].concat(), ""));
        assert!(error.contains(part), "{args:?}: {error}");
    }
    assert_eq!(folder.read_dir().expect("readable").count(), 0, "nothing was written");
}
