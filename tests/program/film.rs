//! Films: every game's sample as a document that shows its plan, plans given by the user, and the commands `film` and `draw --after`.

use base64::Engine;
use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::film::{Film, FilmError};
use kibitzer::games::{self, GAMES};
use kibitzer::limits::{Limit, Limits};
use kibitzer::report::Answer;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::common::{Folder, file, open, solve, stopped};
use crate::run::{ends, fails, refused, stdout};

fn sample(game: &str) -> Box<dyn Puzzle> {
    open(game, games::find(game).expect("exists").sample, &[])
}

fn best(puzzle: &dyn Puzzle) -> Film {
    Film::best(puzzle, &Choice::default(), &Limits::none()).expect("a film")
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split_once(start).and_then(|(_, rest)| rest.split_once(end)).unwrap_or_else(|| panic!("no {start}")).0
}

/// The policy allows only the film's own script and style sheet: no network access, no other script. `BLESS=1 cargo test --test program
/// film` stores their hashes.
#[test]
fn the_policy_names_the_script_and_the_style() {
    let html = best(&*sample("pegs")).html();
    let hash = |text: &str| base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text));
    let script = hash(between(&html, "<script type=\"module\">", "</script>"));
    let style = hash(between(&html, "<style>", "</style>"));
    let policy =
        format!("default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'\n");
    crate::common::golden("web/film/policy.txt", &policy);
    if std::env::var_os("BLESS").is_none() {
        assert_eq!(between(&html, "Content-Security-Policy\" content=\"", "\">"), policy.trim());
    }
}

#[test]
fn every_sample_is_filmed_to_its_end() {
    // Each player wins on some of these graphs.
    let graphs = ["P2", "P3", "P5", "C4", "C5", "K4", "S4"].map(|graph| ("edge", graph));
    for (game, text) in GAMES.iter().map(|entry| (entry.name, entry.sample)).chain(graphs) {
        let puzzle = open(game, text, &[]);
        let name = format!("{game} {text}");
        let film = best(&*puzzle);
        let last = film.frames.last().expect("frames");
        match solve(&*puzzle, puzzle.duel().map(|_| "induction")).answer {
            Answer::Solved { cost, moves, .. } => {
                assert_eq!(film.frames.len(), moves.len() + 1, "{name}");
                assert!(last.caption.ends_with(&format!("cost so far {cost}")), "{}", last.caption);
                assert!(film.about.ends_with(&format!("cost {cost}: solved, and no plan costs less.")), "{}", film.about);
                for (frame, mv) in film.frames[1..].iter().zip(&moves) {
                    assert!(frame.caption.contains(&format!(": {} · ", mv.text)), "{}", frame.caption);
                }
            }
            Answer::Decided(decided) => {
                let winner = decided.winner.expect("no draw");
                assert!(film.about.ends_with(&format!(": Player {winner} wins.")), "{}", film.about);
                assert_eq!(film.frames.len() - 1, usize::from(decided.length.expect("induction finds the length")), "{name}");
            }
            other => panic!("{name}: {other:?}"),
        }
        for pair in film.frames.windows(2) {
            assert_ne!(pair[0].scene.shapes, pair[1].scene.shapes, "{name}: a move changes something");
            assert!(!pair[1].made.is_empty(), "{name}: the clicked shapes are marked");
        }
        let html = film.html();
        assert_eq!(html.matches("<li class=\"frame\">").count(), film.frames.len());
        assert!(html.contains("class=\"p-") && html.contains(" made\""), "{name}");
        assert!(!html.replace("http://www.w3.org", "").contains("://"), "{name} refers to another host");
        assert!(!html.contains("\nimport ") && html.contains("class Transport"), "the script is complete");
        assert_eq!(html, best(&*puzzle).html(), "{name}: the same every time");
    }
}

#[test]
fn other_plans_are_shown_as_they_are() {
    let pegs = open("pegs", "....|.dc.|.ba.|....", &[]);
    let film = Film::of(&*pegs, &[json!("a left"), json!("c left"), json!("a up")], &Limits::none()).expect("legal");
    assert_eq!((film.frames.len(), film.about.as_str()), (4, "3 moves, cost 9: solved."));
    let film = Film::of(&*pegs, &[json!("a left")], &Limits::none()).expect("legal");
    assert_eq!(film.about, "1 move, cost 4; not solved yet.");
    assert_eq!(Film::of(&*pegs, &[], &Limits::none()).expect("legal").frames.len(), 1);
    let illegal = Film::of(&*pegs, &[json!("a left"), json!("a left")], &Limits::none()).err();
    assert!(matches!(illegal, Some(FilmError::Move(error)) if error.number == 2 && error.text == "a left"));
    let edge = open("edge", "P5", &[]);
    let film = Film::of(&*edge, &[json!("c:1"), json!("a:2")], &Limits::none()).expect("legal");
    assert_eq!(
        (film.frames[2].caption.as_str(), film.about.as_str()),
        ("Move 2 of 2: Player 2 plays a:2", "2 moves; the game is not over.")
    );
}

#[test]
fn boards_that_cannot_be_filmed_are_refused_with_the_reason() {
    let film = |game: &str, text: &str, limits: &Limits| Film::best(&*open(game, text, &[]), &Choice::default(), limits).err();
    assert_eq!(film("moles", "1000|0000|0000|0000", &Limits::none()), Some(FilmError::Unsolvable));
    assert_eq!(film("pegs", &file("instances/pegs/english.txt"), &Limits::nodes(1)), Some(FilmError::Limit(Limit::Nodes)));
    assert_eq!(film("edge", "P9", &Limits::nodes(1)), Some(FilmError::Limit(Limit::Nodes)));
    assert_eq!(film("moles", "size: 60x60; moles: all", &Limits::none()), Some(FilmError::TooLarge));
    assert_eq!(film("chexers", games::find("chexers").expect("exists").sample, &stopped()), Some(FilmError::Limit(Limit::Time)));
}

const SQUARE: &str = "....|.dc.|.ba.|....";

#[test]
fn a_board_is_drawn_after_moves() {
    let drawn = |after: &str| stdout(&["draw", "pegs", SQUARE, "--after", after], "");
    let plain = stdout(&["draw", "pegs", SQUARE], "");
    assert_eq!(drawn(""), plain);
    let after = stdout(&["draw", "pegs", "....|.dc.|....|...."], "");
    assert_ne!(drawn("a left"), plain);
    assert_eq!(drawn("a left;c left"), drawn(" A LEFT ;\n c left; "), "moves are read in the same way as by `check`");
    assert_ne!(drawn("a left;c left"), after);
    // Moves from an answer, from a plan in a file, and from standard input.
    let folder = Folder::new();
    let answer = folder.write("answer.json", stdout(&["solve", "pegs", SQUARE, "--json"], ""));
    let text = stdout(&["solve", "pegs", SQUARE], "");
    let plan = folder.write("plan.txt", &text);
    let moves: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let typed = drawn(&moves.join("; "));
    assert_eq!(
        [drawn(&answer), drawn(&plan), stdout(&["draw", "pegs", SQUARE, "--after", "-"], &text)],
        [typed.clone(), typed.clone(), typed]
    );

    let illegal = ["draw", "pegs", SQUARE, "--after", "a left; a left; b up"];
    refused(&illegal, "", "move 2, `a left`, is not legal");
    refused(&illegal, "", "`c left`");
    refused(&["draw", "pegs", "ab.|...", "--after", "a right; a right"], "", "no move is left there");
    fails(2, &["draw", "pegs", "-", "--after", "-"], "");
    fails(2, &["draw", "moles", SQUARE, "--after", &answer], "");
    let unsolvable = ends(10, &["solve", "moles", "1000|0000|0000|0000", "--json"], "");
    refused(&["draw", "moles", "1000|0000|0000|0000", "--after", "-"], &unsolvable, "has no plan");
    let text = stdout(&["draw", "moles", "01|11", "--after", "4", "--format", "text"], "");
    assert_eq!(text.trim(), "..\n..");
}

/// A PNG drawing has two pixels per unit of its scene.
#[cfg(feature = "png")]
#[test]
fn drawings_are_written_as_png() {
    let folder = Folder::new();
    let file = |name: &str| folder.path(name);
    for entry in GAMES {
        let name = file(&format!("{}.png", entry.name));
        stdout(&["draw", entry.name, "-o", &name], "");
        let bytes = std::fs::read(&name).expect("written");
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{}", entry.name);
        let scene = sample(entry.name).position(&Limits::none()).expect("no limit").scene;
        let number = |at: usize| f64::from(u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes")));
        assert!((number(16) - 2.0 * scene.width).abs() <= 1.0 && (number(20) - 2.0 * scene.height).abs() <= 1.0, "{}", entry.name);
    }
    // The letters on the board and the moves made both change the pixels.
    let drawn = |board: &str, more: &[&str]| {
        let name = file("board.png");
        stdout(&[&["draw", "pegs", board, "-o", &name], more].concat(), "");
        std::fs::read(name).expect("written")
    };
    let plain = drawn(SQUARE, &[]);
    assert_eq!(plain, drawn(SQUARE, &[]), "the same every time");
    assert_ne!(plain, drawn("....|.dc.|.bx.|....", &[]));
    assert_ne!(plain, drawn(SQUARE, &["--after", "a left"]));
    refused(&["draw", "moles", "size: 300x300; moles: all", "-o", &file("large.png")], "", "too large");
    refused(&["draw", "pegs", "-o", &file("x.jpg")], "", ".jpg");
}

#[test]
fn films_are_written_and_refused() {
    let folder = Folder::new();
    for entry in GAMES {
        let file = folder.path(&format!("{}.html", entry.name));
        let printed = stdout(&["film", entry.name], "");
        stdout(&["film", entry.name, "-o", &file], "");
        assert_eq!(std::fs::read_to_string(&file).expect("written"), printed);
        assert_eq!(printed, best(&*sample(entry.name)).html());
    }
    let shown = stdout(&["film", "pegs", SQUARE, "--plan", "a left; c left; a up"], "");
    assert!(shown.contains("3 moves, cost 9: solved."));
    assert_eq!(shown, stdout(&["film", "pegs", SQUARE, "--answer", "-"], "a left\nc left\na up\n"));
    assert!(stdout(&["film", "pegs", SQUARE, "--method", "bfs"], "").contains("solved"));
    refused(&["film", "pegs", SQUARE, "--plan", "c up"], "", "move 1, `c up`");
    let error = fails(2, &["film", "pegs", SQUARE, "-o", &folder.path("x.gif")], "");
    assert!(error.contains(".gif") && error.contains(".html"), "{error}");
    fails(2, &["film", "pegs", SQUARE, "--method", "magic"], "");
    fails(2, &["film", "edge", "P3", "--method", "magic"], "");
    fails(10, &["film", "moles", "1000|0000|0000|0000"], "");
    fails(20, &["film", "pegs", "instances/pegs/english.txt", "--nodes", "5"], "");
    fails(21, &["film", "pegs", "instances/pegs/english.txt", "--time", "0"], "");
    fails(2, &["film", "moles", "size: 60x60; moles: all"], "");
}

#[test]
fn ask_and_the_program_produce_the_same_film() {
    let ask = |body: Value| kibitzer::ask::ask(GAMES, Some("pegs"), "film", &body, &Limits::none(), None);
    let film = ask(json!({"instance": SQUARE})).expect("answered");
    assert_eq!(film["html"], json!(stdout(&["film", "pegs", SQUARE], "")));
    let later = ask(json!({"instance": SQUARE, "moves": ["a left"], "plan": ["c left"]})).expect("answered");
    assert!(later["html"].as_str().is_some_and(|html| html.contains("Move 1 of 1: c left · cost so far 4")));
    let refusal = ask(json!({"instance": SQUARE, "plan": ["c left", "c left"]})).expect_err("illegal");
    assert!(refusal.message.contains("move 2"), "{refusal}");
}
