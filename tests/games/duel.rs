//! Two-player games with draws, tested on tic-tac-toe: every method, formats with draws, claims about the winner, position graphs, and
//! a game that breaks a law of the contract.

use std::collections::BTreeSet;

use kibitzer::catalog::{Checked, Choice, Puzzle, TwoPlayer};
use kibitzer::drawing::Drawing;
use kibitzer::games::connect::Connect;
use kibitzer::games::template2::TicTacToe;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Info, Input, Notation, Options, ReadError, parse};
use kibitzer::report::{Answer, Claim, Confirmed};
use kibitzer::rules::{Game, Rules, Score};
use kibitzer::scene::Scene;
use kibitzer_contract::two_player;
use serde_json::{Value, json};

use crate::common::{position, solve};

/// A game that starts from nine squares, row by row: 0 for empty, 1 for X, who moves first, 2 for O.
fn read<G: Game + Notation>(board: [u8; 9]) -> G {
    let sign = |&mark: &u8| ['.', 'X', 'O'][usize::from(mark)];
    let rows = board.chunks(3).map(|row| row.iter().map(sign).collect::<String>());
    parse(&rows.collect::<Vec<_>>().join("/"), &Options::default()).expect("a board")
}

/// Tic-tac-toe as a board of `connect`.
pub fn tictactoe(board: [u8; 9]) -> Connect {
    read(board)
}

fn at(board: [u8; 9]) -> TwoPlayer<Connect> {
    TwoPlayer::new(tictactoe(board))
}

fn check(puzzle: &dyn Puzzle, json: &Value, nodes: u64) -> Result<Checked, String> {
    puzzle.check(&Claim::read(&json.to_string(), "connect").expect("JSON"), &Limits::nodes(nodes))
}

/// All methods agree with plain backward induction on boards that cover every outcome.
#[test]
fn laws_hold_and_methods_agree() {
    two_player::laws_of_a_board(&tictactoe([0; 9]), "empty");
    let boards = [
        [0; 9],
        [1, 0, 0, 0, 2, 0, 0, 1, 2],
        [1, 2, 0, 0, 0, 0, 0, 0, 0],
        [1, 2, 0, 0, 1, 0, 0, 0, 0],
        [1, 2, 1, 1, 2, 2, 2, 1, 1],
        [1, 1, 1, 2, 2, 0, 0, 0, 0],
    ];
    let outcomes = boards.map(|board| outcome(tictactoe, board));
    assert_eq!(outcomes, ["D", "D", "N", "P", "D", "P"]);
}

/// The outcome on which all methods agree.
fn outcome<G: Game + Drawing>(make: fn([u8; 9]) -> G, board: [u8; 9]) -> &'static str {
    two_player::methods_agree(&make(board), &TwoPlayer::new(make(board)), &format!("{board:?}"), true)
}

/// A list of best moves that is not marked complete must still contain only best moves.
#[test]
fn a_list_of_some_best_moves_is_checked() {
    let puzzle = at([1, 2, 0, 0, 0, 0, 0, 0, 0]);
    let check = |json: Value| check(&puzzle, &json, 10_000);
    for (best, all, holds) in [
        (json!(["b2"]), Some(false), true),
        (json!([]), Some(false), true),
        (json!(["b2", "c1"]), Some(false), false),
        (json!(["b2"]), Some(true), false),
        (json!(["b2"]), None, false),
        (json!(["a1"]), Some(false), false),
    ] {
        let mut json = json!({"outcome": "N", "best": best});
        if let Some(all) = all {
            json["all_best"] = json!(all);
        }
        assert_eq!(check(json.clone()).is_ok(), holds, "{json}");
    }
    assert!(check(json!({"winner": 1})).is_ok_and(|checked| checked.complete()));
    assert!(check(json!({"winner": 2})).is_err() && check(json!({"winner": null})).is_err());
    assert!(check(json!({"winner": 1, "all_best": true})).is_err());
}

/// Contradictions are rejected even if there are too many positions for backward induction.
#[test]
fn contradictions_are_found_within_any_budget() {
    let puzzle = at([0; 9]);
    let check = |json: Value| check(&puzzle, &json, 1);
    assert!(check(json!({"outcome": "D", "winner": null})).is_ok_and(|checked| !checked.complete()));
    assert!(check(json!({"outcome": "D", "winner": 1})).is_err());
    assert!(check(json!({"outcome": "D", "grundy": 0})).is_err());
    assert!(check(json!({"outcome": "D", "best": ["a4"]})).is_err());
}

/// `winner` names a player; the player to move depends on the moves made so far.
#[test]
fn the_winner_takes_turns_into_account() {
    let puzzle = at([1, 2, 0, 0, 0, 0, 0, 0, 0]);
    let after = puzzle.after(&[json!("b2")]).expect("legal");
    let report = solve(&*after, None);
    let Answer::Decided(decided) = &report.answer else { panic!("{report:?}") };
    assert_eq!((decided.winner, decided.score), (Some(1), Score::Loss));
    let check = |winner: u8| check(&*after, &json!({"winner": winner, "outcome": "P"}), u64::MAX);
    assert!(check(1).is_ok() && check(2).is_err());
}

/// If there are too many positions for plain backward induction, the check uses the game's own symmetry. Both the report and the check say
/// so.
#[test]
fn a_confirmation_by_symmetry_says_so() {
    let puzzle = at([0; 9]);
    let claim = json!({"outcome": "D", "positions": 765, "boards": 5478});
    let text = |nodes: u64| check(&puzzle, &claim, nodes).expect("valid").text;
    assert_eq!(text(6000), "plain backward induction finds the same: the game is a draw");
    assert_eq!(text(1000), "backward induction, using the game's own symmetry, finds the same: the game is a draw");
    assert_eq!(text(500), "there are too many positions for plain backward induction");
    let mut report = solve(&puzzle, None);
    for (confirmed, words, name) in [
        (Some(Confirmed::Plain), "; independently confirmed\n", json!("plain")),
        (Some(Confirmed::Symmetry), "; confirmed by a check that uses the game's own symmetry\n", json!("symmetry")),
        (None, "; not confirmed, ", Value::Null),
    ] {
        let Answer::Decided(decided) = &mut report.answer else { panic!("no answer") };
        decided.confirmed = confirmed;
        assert!(report.text(0.0).contains(words), "{}", report.text(0.0));
        assert_eq!(report.json(0.0)["confirmed"], name);
    }
}

#[test]
fn a_draw_in_every_format() {
    let puzzle = at([0; 9]);
    let report = solve(&puzzle, "induction");
    let text = report.text(0.0);
    assert!(text.contains("# connect: the game is a draw with best play; independently confirmed\n"), "{text}");
    assert!(text.contains("# a D-position, 9 moves with best play; 9 drawing moves\n"), "{text}");
    let json = report.json(0.0);
    assert_eq!((&json["outcome"], &json["winner"]), (&json!("D"), &Value::Null));
    assert!(json.as_object().is_some_and(|object| object.contains_key("winner")));
    assert_eq!((&json["positions"], &json["boards"], &json["boards_over"]), (&json!(765), &json!(5478), &json!(958)));
    let duel = puzzle.duel().expect("two players");
    let labels = duel.labels(&Limits::none()).expect("no limit");
    assert!(labels.len() == 9 && labels.iter().all(|label| label.score == Score::Draw && label.length == Some(8)));
    let space = puzzle.explore(&Limits::none());
    assert_eq!(space.unfolded, Some(5478));
    let total = space.explored.total();
    assert_eq!((total.losing, total.drawn), (json["boards_P"].as_u64().unwrap(), json["boards_D"].as_u64().unwrap()));
    // After X in the center, an edge move by O loses, and a corner move draws.
    let later = puzzle.after(&[json!("b2")]).expect("legal");
    let remark = later.explain(&Limits::nodes(200_000)).expect("small");
    assert!(remark.text.starts_with("A D-position") && remark.text.contains("with 4 of 8 moves"), "{}", remark.text);
    let good: Vec<&str> = remark.labels.iter().filter(|label| label.good).map(|label| label.mv.as_str()).collect();
    assert_eq!(good, ["a1", "c1", "a3", "c3"]);
    let texts: BTreeSet<&str> = remark.labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(texts.into_iter().collect::<Vec<_>>(), ["D", "N"]);
}

#[test]
fn a_graph_with_draws() {
    let puzzle = at([0; 9]);
    let duel = puzzle.duel().expect("two players");
    for (fold, positions) in [(false, 5478), (true, 765)] {
        let graph = duel.graph(fold, 10_000, &Limits::none()).expect("small");
        assert_eq!((graph.nodes.len(), graph.nodes.iter().map(|node| node.boards).sum::<u64>()), (positions, 5478));
        let drawn = graph.nodes.iter().filter(|node| node.over && node.score == Score::Draw).count();
        assert_eq!(drawn, if fold { 3 } else { 16 });
    }
    assert!(matches!(duel.graph(true, 700, &Limits::none()), Err(kibitzer::catalog::GraphError::TooLarge)));
    // Near the end of the game, the graph is small enough.
    let late = at([1, 2, 1, 1, 2, 2, 0, 0, 0]);
    let graph = late.duel().expect("two players").graph(true, 100, &Limits::none()).expect("small");
    let json = graph.json();
    let outcomes: BTreeSet<&str> = json["nodes"].as_array().expect("a list").iter().filter_map(|node| node["outcome"].as_str()).collect();
    assert_eq!(outcomes.into_iter().collect::<Vec<_>>(), ["D", "N", "P"]);
    let dot = graph.dot();
    assert!(["shape=ellipse", "shape=box", "shape=hexagon", "outcome=D", "penwidth"].iter().all(|part| dot.contains(part)), "{dot}");
    assert!(graph.graphml().contains("<data key=\"outcome\">D</data>"));
    let svg = graph.scene(&Limits::none()).and_then(|scene| scene.svg(&Limits::none())).expect("no limit");
    assert!(svg.contains("class=\"draw\"") && svg.contains("slanted: D, a draw"), "{svg}");
}

/// The template's tic-tac-toe, but with moves in terminal positions, which the contract forbids.
struct Careless(TicTacToe);

fn careless(board: [u8; 9]) -> Careless {
    Careless(read(board))
}

impl Rules for Careless {
    type State = [u8; 9];
    type Move = u8;

    fn start(&self) -> [u8; 9] {
        self.0.start()
    }

    fn moves(&self, board: &[u8; 9], out: &mut Vec<u8>) {
        out.extend((0..9).filter(|&at| board[usize::from(at)] == 0));
    }

    fn apply(&self, board: &[u8; 9], at: &u8) -> [u8; 9] {
        self.0.apply(board, at)
    }

    fn layer(&self, board: &[u8; 9]) -> Option<u32> {
        self.0.layer(board)
    }
}

impl Game for Careless {
    fn terminal(&self, board: &[u8; 9]) -> Option<Score> {
        self.0.terminal(board)
    }

    fn impartial(&self) -> bool {
        false
    }
}

impl Notation for Careless {
    const INFO: Info<Self> = Info { name: "careless", about: "three in a row", rules: "three rows", sample: ".........", ..Info::EMPTY };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        TicTacToe::read(input).map(Careless)
    }

    fn write(&self, board: &[u8; 9]) -> String {
        self.0.write(board)
    }

    fn write_move(&self, board: &[u8; 9], at: &u8) -> String {
        self.0.write_move(board, at)
    }

    fn ascii(&self, board: &[u8; 9]) -> String {
        self.0.ascii(board)
    }
}

impl Drawing for Careless {
    fn scene(&self, board: &[u8; 9], limits: &Limits) -> Result<Scene, Limit> {
        self.0.scene(board, limits)
    }

    fn clicks(&self, board: &[u8; 9], at: &u8) -> Vec<String> {
        self.0.clicks(board, at)
    }
}

/// In a terminal position, the game is over even if it lists moves there. This holds for every method, the check, labels, the graph and
/// play.
#[test]
fn a_terminal_position_ends_the_game_even_if_moves_are_left() {
    let lost = [1, 1, 1, 2, 2, 0, 0, 0, 0];
    assert_eq!(outcome(careless, lost), "P");
    let puzzle = TwoPlayer::new(careless(lost));
    let position = position(&puzzle);
    assert!(position.goal && position.moves.is_empty() && puzzle.after(&[json!("c2")]).is_err());
    assert_eq!(puzzle.duel().expect("two players").graph(false, 10, &Limits::none()).expect("small").nodes.len(), 1);
    // This also holds for positions before the end.
    assert_eq!(outcome(careless, [1, 1, 0, 2, 2, 0, 0, 0, 0]), "N");
    let graph = TwoPlayer::new(careless([0; 9])).duel().expect("two players").graph(false, 10_000, &Limits::none());
    assert_eq!(graph.expect("small").nodes.len(), 5478);
}

/// A run owns its board and outlives the puzzle. After a stop, it can be resumed.
#[test]
fn a_stopped_run_resumes() {
    let mut run = at([0; 9]).begin(&Choice::method("winner")).expect("a method");
    let mut nodes = 0;
    let report = loop {
        nodes += 10;
        let report = run.advance(&Limits::nodes(nodes)).expect("no fault");
        if report.verdict() == "solved" {
            break report;
        }
        assert_eq!((report.verdict(), report.stats.expanded), ("unknown", nodes));
    };
    let whole = solve(&at([0; 9]), "winner");
    // The search stops at a winning move, so it does not expand all positions.
    assert!(whole.stats.expanded < 765, "{}", whole.stats.expanded);
    assert_eq!((report.stats.expanded, report.json(0.0)["best"].clone()), (whole.stats.expanded, whole.json(0.0)["best"].clone()));
}
