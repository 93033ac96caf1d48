//! Strategy certificates. Every small board of every two-player game has a valid certificate. An altered certificate never proves
//! anything false, a small program that knows only the rules of its game agrees, and limits are respected.

use std::collections::{BTreeSet, HashMap};
use std::process::Command;

use crate::common::{Folder, amount, crc32, root, stopped};
use crate::duel::tictactoe;
use kibitzer::catalog::{CertificateError, Choice, Puzzle, TwoPlayer, is_certificate};
use kibitzer::drawing::Drawing;
use kibitzer::gamegraph::induction;
use kibitzer::games::Visitor;
use kibitzer::games::edge::Edge;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Options, parse};
use kibitzer::rules::{Game, Problem, Rules, Score};
use kibitzer::verify;

fn certificate(puzzle: &dyn Puzzle, limits: &Limits) -> Result<String, Limit> {
    let mut run = puzzle.begin(&Choice::method("winner")).expect("a two-player method");
    run.advance(limits).expect("the self-check holds");
    run.certificate(limits).expect("two players").expect("the self-check holds")
}

fn edge(text: &str) -> Edge {
    parse(text, &Options::default()).expect("a board")
}

fn open(text: &str) -> Box<dyn Puzzle> {
    crate::common::open("edge", text, &[])
}

/// A certificate with the given outcome and lines, and a matching header.
fn forged(text: &str, outcome: &str, lines: &[String]) -> String {
    let header = text.lines().next().expect("a header");
    let mut header: serde_json::Value = serde_json::from_str(header).expect("JSON");
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    header["outcome"] = outcome.into();
    header["positions"] = lines.iter().filter(|line| !line.starts_with("player ")).count().into();
    header["checksum"] = format!("{:08x}", crc32(body.as_bytes())).into();
    format!("{header}\n{body}")
}

fn lines(text: &str) -> Vec<String> {
    text.lines().skip(1).map(str::to_owned).collect()
}

fn judge(puzzle: &dyn Puzzle, text: &str) -> Result<String, CertificateError> {
    puzzle.duel().expect("two players").check(text, &Limits::none())
}

/// The outcome by plain backward induction.
fn outcome<G: Game>(game: &G) -> &'static str {
    let induction = verify::induction(game, &game.start(), &Limits::none()).expect("few positions");
    induction.worth().expect("reached").score.outcome()
}

/// Checks that the certificate is valid, and that it proves nothing false with a line removed or a move changed.
fn examine(puzzle: &dyn Puzzle, true_outcome: &str, name: &str) {
    let text = certificate(puzzle, &Limits::none()).expect("no limit");
    assert!(is_certificate(&text) && text.contains(&format!("\"outcome\":\"{true_outcome}\"")), "{name}: {text}");
    judge(puzzle, &text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let lines = lines(&text);
    for at in 0..lines.len() {
        let mut fewer = lines.clone();
        fewer.remove(at);
        assert!(judge(puzzle, &forged(&text, true_outcome, &fewer)).is_err(), "{name} without line {at}");
        let mut twice = lines.clone();
        twice.push(lines[at].clone());
        assert!(judge(puzzle, &forged(&text, true_outcome, &twice)).is_err(), "{name} with line {at} twice");
        let Some((position, _)) = lines[at].split_once(" = ") else { continue };
        let mut illegal = lines.clone();
        illegal[at] = format!("{position} = nowhere");
        assert!(matches!(judge(puzzle, &forged(&text, true_outcome, &illegal)), Err(CertificateError::Wrong(_))), "{name}, line {at}");
    }
    let mut more = lines.clone();
    more.push("never = 1".to_owned());
    assert!(matches!(judge(puzzle, &forged(&text, true_outcome, &more)), Err(CertificateError::Wrong(_))), "{name} with one more line");
    // The same lines prove no other outcome, whichever player they name.
    for (other, players) in [("N", vec!["1"]), ("P", vec!["2"]), ("D", vec!["1", "2"])] {
        if other != true_outcome {
            let moves: Vec<String> = lines.iter().filter(|line| !line.starts_with("player ")).cloned().collect();
            let told = players.iter().flat_map(|player| [vec![format!("player {player}")], moves.clone()].concat()).collect::<Vec<_>>();
            assert!(judge(puzzle, &forged(&text, other, &told)).is_err(), "{name} as {other}");
        }
    }
    // A truncated text has a wrong checksum.
    for cut in [1, text.len() / 2, text.len() - 1] {
        assert!(matches!(judge(puzzle, &text[..cut]), Err(CertificateError::Unreadable(_))), "{name} cut at {cut}");
    }
}

struct Examine;

impl Visitor for Examine {
    fn one_player<P: Problem + Drawing>(&mut self) {}

    fn two_player<G: Game + Drawing>(&mut self) {
        let plain = |game: &G| verify::induction(game, &game.start(), &Limits::nodes(600)).is_some_and(|found| !found.symmetry);
        let mut boards = crate::common::boards::<G>(6);
        boards.retain(|board| plain(&board.read()));
        assert!(!boards.is_empty(), "{}", G::INFO.name);
        for board in boards {
            examine(&*board.open(crate::entry(G::INFO.name)), outcome(&board.read::<G>()), &format!("{} {}", G::INFO.name, board.name));
        }
    }
}

#[test]
fn every_small_board_has_a_certificate_and_altered_ones_prove_nothing_false() {
    crate::common::visit(&mut Examine);
    let boards = [("N", [1, 2, 0, 0, 0, 0, 0, 0, 0]), ("P", [1, 2, 0, 0, 1, 0, 0, 0, 0]), ("D", [1, 0, 0, 0, 2, 0, 0, 0, 0])];
    for (expected, board) in boards {
        assert_eq!(outcome(&tictactoe(board)), expected);
        examine(&TwoPlayer::new(tictactoe(board)), expected, expected);
    }
}

/// Replaces the move in one line at a time. If the strategy is still accepted, it also wins, so its outcome is true. No change of
/// moves proves a win for the other player.
#[test]
fn changed_moves_never_prove_anything_false() {
    let mut refused = 0;
    for (board, loser) in [("P7", 1), ("P5", 2), ("C7", 1), ("C6", 2)].into_iter().take(amount(2, 4)) {
        let puzzle = open(board);
        let text = certificate(&*puzzle, &Limits::none()).expect("no limit");
        let lines = lines(&text);
        let names: BTreeSet<&str> = lines.iter().filter_map(|line| line.split_once(" = ")).map(|(_, name)| name).collect();
        for at in (1..lines.len()).step_by(amount(4, 1)) {
            let (position, name) = lines[at].split_once(" = ").expect("a line");
            for other in names.iter().filter(|other| **other != name) {
                let mut changed = lines.clone();
                changed[at] = format!("{position} = {other}");
                let outcome = if loser == 1 { "P" } else { "N" };
                match judge(&*puzzle, &forged(&text, outcome, &changed)) {
                    Ok(sentence) => assert!(sentence.contains(&format!("player {} wins", 3 - loser)), "{board}: {sentence}"),
                    Err(_) => refused += 1,
                }
                let turned = [vec![format!("player {loser}")], changed[1..].to_vec()].concat();
                let outcome = if loser == 1 { "N" } else { "P" };
                assert!(judge(&*puzzle, &forged(&text, outcome, &turned)).is_err(), "{board}, line {at} with {other}");
            }
        }
    }
    assert!(refused > amount(20, 100), "{refused} changed certificates were refused");
}

#[test]
fn a_certificate_is_valid_for_one_board_only() {
    let puzzle = open("P5");
    let text = certificate(&*puzzle, &Limits::none()).expect("no limit");
    for other in ["P6", "graph: P5; colors: 4", "graph: P5; misere: yes", "graph: P5; position: -,-,1,-,-"] {
        assert!(matches!(judge(&*open(other), &text), Err(CertificateError::Wrong(_))), "{other}");
    }
    let renamed = text.replacen("graph: P5", "graph: P6", 1);
    assert_ne!(renamed, text);
    assert!(matches!(judge(&*open("P5"), &renamed), Err(CertificateError::Wrong(_))), "`board` and `data` differ");
    // The same board, written differently.
    judge(&*open("0-1 1-2 2-3 3-4"), &text).expect("valid");
    let header = |from: &str, to: &str| text.replacen(from, to, 1);
    for wrong in [
        header("\"game\":\"edge\"", "\"game\":\"pegs\""),
        header("\"outcome\":\"N\"", "\"outcome\":\"X\""),
        header("\"strategy\":1", "\"strategy\":2"),
    ] {
        assert!(judge(&*puzzle, &wrong).is_err(), "{wrong}");
    }
}

#[test]
fn limits_hold() {
    let puzzle = open("P7");
    let text = certificate(&*puzzle, &Limits::none()).expect("no limit");
    let check = |limits: &Limits| puzzle.duel().expect("two players").check(&text, limits);
    assert_eq!(check(&Limits::nodes(3)), Err(CertificateError::Stopped(Limit::Nodes)));
    assert_eq!(check(&Limits { bytes: 500, ..Limits::none() }), Err(CertificateError::Stopped(Limit::Memory)));
    assert_eq!(check(&stopped()), Err(CertificateError::Stopped(Limit::Time)));
}

/// Positions with the same outline have the same value, and moves with the same name lead to positions that again share an outline.
#[test]
fn outlines_merge_only_equivalent_positions() {
    for board in ["P6", "C6", "K4", "S4", "W4", "ladder3", "graph: P4; misere: yes", "graph: P5; colors: 4"] {
        let game = edge(board);
        let labeled = induction::label(&game, &game.start(), false, &Limits::none()).unwrap_or_else(|_| panic!("no limit"));
        let mut known: HashMap<String, (Score, BTreeSet<(String, String)>)> = HashMap::new();
        let mut waiting = vec![game.start()];
        let mut seen = std::collections::HashSet::new();
        while let Some(state) = waiting.pop() {
            if !seen.insert(state) || seen.len() > 3000 {
                continue;
            }
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let (text, names) = (Edge::OUTLINE.position)(&game, &state, &moves);
            let after =
                names.into_iter().zip(moves.iter().map(|mv| (Edge::OUTLINE.position)(&game, &game.apply(&state, mv), &[]).0)).collect();
            let score = labeled.worth(&state).score;
            let (first_score, first) = known.entry(text.clone()).or_insert_with(|| (score, BTreeSet::clone(&after)));
            assert_eq!((*first_score, &*first), (score, &after), "{board}: {text}");
            waiting.extend(moves.iter().map(|mv| game.apply(&state, mv)));
        }
        assert!(known.len() < seen.len(), "{board}");
    }
}

#[test]
fn a_small_program_accepts_and_refuses_the_same_certificates() {
    if Command::new("python3").arg("--version").output().is_err() {
        assert!(!amount(false, true), "python3 is not installed");
        return;
    }
    let folder = Folder::new();
    let confirms = |text: &str| {
        let (script, path) = (root().join("examples/check_strategy.py"), folder.write("strategy", text));
        Command::new("python3").arg(script).arg(path).output().expect("starts").status.success()
    };
    let boards = ["graph: P5; position: -,2,1,-,-", "graph: P6; misere: yes", "K4", "P4", "P7", "C6", "S5", "W4", "ladder3"];
    for board in &boards[..amount(3, 9)] {
        let puzzle = open(board);
        let text = certificate(&*puzzle, &Limits::none()).expect("no limit");
        assert!(confirms(&text), "{board}");
        assert!(!confirms(&text.replacen(" = ", " =  ", 1)), "{board}, changed");
        let lines = lines(&text);
        let outcome = outcome(&edge(board));
        if lines.len() > 1 {
            assert!(!confirms(&forged(&text, outcome, &lines[..lines.len() - 1])), "{board}, cut");
        }
    }
}
