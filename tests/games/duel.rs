//! The contract for two-player games, tested on every one of the registry and on tic-tac-toe, which has draws: laws on random
//! walks, moves that can be written and clicked, every method against a plain induction, every answer through `check`, whole
//! and with each field changed, broken texts into the reader.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::Board;
use crate::tictactoe::TicTacToe;
use kibitzer::catalog::{Choice, Entry, LegalMove, Puzzle, TwoPlayer};
use kibitzer::drawing::Drawing;
use kibitzer::games::Visitor;
use kibitzer::limits::Limits;
use kibitzer::notation::{Options, ReadError, parse};
use kibitzer::random::Random;
use kibitzer::report::{Answer, Claim, Confirmed};
use kibitzer::rules::{Game, Packing, Problem, Score};
use kibitzer::verify;
use serde_json::{Value, json};

/// Runs a check, which is generic in the game and gets its row of the registry, on every two-player game.
macro_rules! every_game {
    ($check:ident) => {{
        struct Check;
        impl Visitor for Check {
            fn one_player<P: Problem + Drawing>(&mut self) {}
            fn two_player<G: Game + Drawing>(&mut self) {
                $check::<G>(crate::entry(G::INFO.name));
            }
        }
        crate::common::visit(&mut Check);
    }};
}

/// Boards whose every position can be examined in a moment.
fn small<G: Game + Drawing>() -> Vec<Board> {
    let plain = |game: &G| verify::induction(game, &game.start(), &Limits::nodes(600)).is_some();
    let mut boards = crate::common::boards::<G>(6);
    boards.retain(|board| plain(&board.read()));
    assert!(
        boards.len() >= 5,
        "{name}: only {} of its boards have at most 600 positions, and 5 are needed to compare methods with a plain induction; add \
         small boards to instances/{name}/, or let the GENERATOR make smaller ones by default",
        boards.len(),
        name = G::INFO.name
    );
    boards
}

#[test]
fn laws() {
    every_game!(check_laws);
    laws_of_a_board(&TicTacToe::at([0; 9]), "empty");
}

fn check_laws<G: Game + Drawing>(_: &Entry) {
    for board in small::<G>() {
        laws_of_a_board(&board.read::<G>(), &board.name);
    }
}

fn laws_of_a_board<G: Game + Drawing>(game: &G, name: &str) {
    let mut random = Random::new(1);
    for _ in 0..4 {
        let mut state = game.start();
        while let Some(next) = laws_of_a_state(game, &state, &format!("{} {name}", G::INFO.name), &mut random) {
            state = next;
        }
    }
}

/// Gives a random successor.
fn laws_of_a_state<G: Game + Drawing>(game: &G, state: &G::State, context: &str, random: &mut Random) -> Option<G::State> {
    let moves_of = |state: &G::State| {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        moves
    };
    let moves = moves_of(state);
    assert!(moves.is_sorted_by(|a, b| a < b), "{context}: moves are sorted and different: {moves:?}");
    assert_eq!(game.terminal(state).is_some(), moves.is_empty(), "{context}: the game is over where no move is left, and only there");
    if game.impartial() {
        assert!(game.terminal(state).is_none_or(|score| score == Score::Loss), "{context}: with Grundy values, who cannot move loses");
    }
    let mut bytes = vec![0xa5; game.state_bytes()];
    game.pack(state, &mut bytes);
    assert_eq!(&game.unpack(&bytes), state, "{context}: unpack undoes pack");
    let canonical = game.canonical(state.clone());
    assert_eq!(game.canonical(canonical.clone()), canonical, "{context}: canonical is idempotent");
    assert_eq!((game.terminal(&canonical), game.layer(&canonical)), (game.terminal(state), game.layer(state)), "{context}: symmetry");
    let futures = |state: &G::State| {
        let mut futures: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for mv in moves_of(state) {
            let mut bytes = vec![0; game.state_bytes()];
            game.pack(&game.canonical(game.apply(state, &mv)), &mut bytes);
            *futures.entry(bytes).or_default() += 1;
        }
        futures
    };
    assert_eq!(futures(state), futures(&canonical), "{context}: symmetry keeps what can follow");
    let key = |state: &G::State| {
        let mut key = Vec::new();
        (G::KEYS.key)(game, state, &mut key);
        key
    };
    assert_eq!(key(state), key(state), "{context}: a key is a function");
    assert!(game.orbit(&canonical) >= 1);
    for mv in &moves {
        assert!(game.layer(state) < game.layer(&game.apply(state, mv)) && game.layer(state).is_some(), "{context}: layers grow");
        assert!((G::REPLAY.is_legal)(game, state, mv));
    }
    let written = game.write(state);
    let again = parse::<G>(&written, &Options::default()).unwrap_or_else(|error| panic!("{context}: {written}: {error}"));
    assert_eq!(&again.start(), state, "{context}: reading undoes writing");
    assert_eq!(again.write(&again.start()), written, "{context}: writing is stable");
    assert!(!game.ascii(state).is_empty() && !game.line(state).contains('\n'));
    (!moves.is_empty()).then(|| game.apply(state, &moves[random.below(moves.len())]))
}

#[test]
fn every_move_can_be_written_and_clicked() {
    every_game!(check_shown);
}

fn check_shown<G: Game + Drawing>(entry: &Entry) {
    for board in small::<G>() {
        let (name, mut puzzle) = (&board.name, board.open(entry));
        let mut random = Random::new(2);
        for made in 0..30 {
            let position = puzzle.position(&Limits::none()).expect("there is no limit");
            let duel = puzzle.duel().expect("two play");
            assert_eq!(duel.turn(), 1 + made % 2, "{name}: players take turns");
            let names: Vec<&str> = position.scene.shapes.iter().filter_map(|shape| shape.name.as_deref()).collect();
            let gestures = &position.scene.moves;
            assert_eq!(gestures.len(), position.moves.len());
            for (at, gesture) in gestures.iter().enumerate() {
                assert!(!gesture.clicks.is_empty() && gesture.clicks.iter().all(|click| names.contains(&click.as_str())));
                let hides = |other: usize| other != at && gestures[other].clicks.starts_with(&gesture.clicks);
                assert!(!(0..gestures.len()).any(hides), "{name}: {gesture:?} hides another");
            }
            for legal in &position.moves {
                for value in [Value::String(legal.text.clone()), legal.json.clone()] {
                    let meant = LegalMove::find(&position.moves, &value).map(|meant| &meant.json);
                    assert_eq!(meant, Some(&legal.json), "{name}: {value} means one move");
                }
            }
            assert!(puzzle.after(&[Value::String("no such move".into())]).is_err());
            let svg = position.scene.svg(&Limits::none()).expect("there is no limit");
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !position.scene.title.is_empty());
            let Some(mv) = position.moves.get(random.below(position.moves.len().max(1))) else { break };
            puzzle = puzzle.after(std::slice::from_ref(&mv.json)).expect("it is legal");
        }
    }
}

/// Every method on every small board against the plain induction of `verify`, and every answer through `check`.
#[test]
fn methods_agree_and_answers_pass_the_check() {
    every_game!(check_methods);
    let boards = [
        [0; 9],
        [1, 0, 0, 0, 2, 0, 0, 1, 2],
        [1, 2, 0, 0, 0, 0, 0, 0, 0],
        [1, 2, 0, 0, 1, 0, 0, 0, 0],
        [1, 2, 1, 1, 2, 2, 2, 1, 1],
        [1, 1, 1, 2, 2, 0, 0, 0, 0],
    ];
    let outcomes = boards.map(|board| methods_agree(TicTacToe::at(board), &TwoPlayer::new(TicTacToe::at(board)), &format!("{board:?}")));
    assert_eq!(outcomes, ["D", "D", "N", "P", "D", "P"]);
}

fn check_methods<G: Game + Drawing>(entry: &Entry) {
    let outcomes: BTreeSet<&str> =
        small::<G>().iter().map(|board| methods_agree(board.read::<G>(), &*board.open(entry), &board.name)).collect();
    assert!(outcomes.len() >= 2, "{}: boards with different outcomes", G::INFO.name);
}

/// The game's outcome, by all methods.
fn methods_agree<G: Game + Drawing>(game: G, puzzle: &dyn Puzzle, name: &str) -> &'static str {
    let budget = Limits::nodes(300_000);
    let (worth, best) = {
        let induction = verify::induction(&game, &game.start(), &budget).expect("small");
        let worth = induction.worth().expect("reached");
        let after = induction.after().expect("reached");
        let best = after.iter().filter(|(_, next)| worth.score != Score::Loss && next.score.reversed() == worth.score);
        (worth, best.map(|(mv, _)| game.write_move(&game.start(), mv)).collect::<Vec<String>>())
    };
    // Each change takes an induction of its own.
    let tiny = verify::induction(&game, &game.start(), &Limits::nodes(700)).is_some_and(|induction| !induction.symmetry);
    for method in puzzle.methods() {
        let context = format!("{} {name}: {}", G::INFO.name, method.name);
        let report = puzzle.solve(&Choice::method(&method.name), &Limits::none()).expect(&context);
        let Answer::Decided(decided) = &report.answer else { panic!("{context}: {report:?}") };
        assert!(report.verified && decided.all_best && decided.confirmed.is_some(), "{context}");
        assert!(!tiny || decided.confirmed == Some(Confirmed::Plain), "{context}");
        let winner = match worth.score {
            Score::Win => Some(1),
            Score::Draw => None,
            Score::Loss => Some(2),
        };
        assert_eq!((decided.score, decided.winner), (worth.score, winner), "{context}");
        assert!(decided.grundy.is_none_or(|grundy| grundy == worth.grundy), "{context}");
        assert!(decided.length.is_none_or(|length| length == worth.length), "{context}");
        assert_eq!(decided.best.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>(), best, "{context}");
        let json = report.json(0.0);
        let check = |json: &Value| puzzle.check(&Claim::read(&json.to_string(), G::INFO.name).expect("our own JSON"), &budget);
        assert!(check(&json).is_ok_and(|checked| checked.complete()), "{context}: {json}");
        if tiny {
            every_change_is_refused(&json, &check, &context);
        }
    }
    let labels = puzzle.duel().expect("two play").labels(&Limits::none()).expect("no limit");
    let good: Vec<&str> =
        labels.iter().filter(|label| label.score == worth.score && label.score != Score::Loss).map(|label| label.text.as_str()).collect();
    assert_eq!(good, best, "{name}: labels");
    worth.score.outcome()
}

/// Whatever is changed in an answer, the check refuses it and names the field. What claims nothing may be anything.
fn every_change_is_refused(json: &Value, check: &dyn Fn(&Value) -> Result<kibitzer::catalog::Checked, String>, context: &str) {
    let with = |name: &str, value: Value| {
        let mut changed = json.clone();
        changed[name] = value;
        changed
    };
    let neutral = ["game", "method", "verdict", "verified", "confirmed", "stats"];
    for (name, value) in json.as_object().expect("an object").iter().filter(|(name, _)| !neutral.contains(&name.as_str())) {
        let mut others = vec![json!("other"), json!([7]), json!({}), json!(-1), json!(1.5)];
        match value {
            Value::Number(number) => others.push(json!(number.as_u64().expect("whole") + 1)),
            Value::Array(list) if !list.is_empty() => {
                others.extend([json!(list[1..]), json!([list.as_slice(), &list[..1]].concat())]);
            }
            _ => {}
        }
        match name.as_str() {
            "outcome" => others.extend(["N", "P", "D"].map(|outcome| json!(outcome))),
            "winner" => others.extend([json!(1), json!(2), json!(3), Value::Null]),
            "grundy" => others.push(json!(99)),
            _ => {}
        }
        for other in others.into_iter().filter(|other| other != value) {
            let fault = check(&with(name, other.clone())).expect_err(&format!("{context}: `{name}` as {other} passes"));
            let moves = name == "best" && (fault.contains("wins, too") || fault.contains("draws, too"));
            let outcome = name == "outcome" && fault.contains("`winner`");
            assert!(fault.contains(&format!("`{name}`")) || moves || outcome, "{context}: {name}: {fault}");
        }
    }
    let fault = check(&with("rank", json!(3))).expect_err("an unknown field passes");
    assert!(fault.contains("`rank` cannot be checked"), "{fault}");
    for (name, value) in [("method", json!("by hand")), ("verified", json!(false)), ("stats", json!({"seconds": 7})), ("seconds", json!(1))]
    {
        assert!(check(&with(name, value)).is_ok_and(|checked| checked.complete()), "{context}: {name}");
    }
}

/// Moves that are not known to be all the best ones must still be best.
#[test]
fn a_list_of_some_best_moves_is_checked() {
    let puzzle = TwoPlayer::new(TicTacToe::at([1, 2, 0, 0, 0, 0, 0, 0, 0]));
    let check = |json: Value| puzzle.check(&Claim::read(&json.to_string(), "tictactoe").expect("JSON"), &Limits::nodes(10_000));
    for (best, all, holds) in [
        (json!(["5"]), Some(false), true),
        (json!([]), Some(false), true),
        (json!(["5", "3"]), Some(false), false),
        (json!(["5"]), Some(true), false),
        (json!(["5"]), None, false),
        (json!(["1"]), Some(false), false),
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

/// What can be refused without an induction is refused even where there are too many positions for one.
#[test]
fn contradictions_are_found_within_any_budget() {
    let puzzle = TwoPlayer::new(TicTacToe::at([0; 9]));
    let check = |json: Value| puzzle.check(&Claim::read(&json.to_string(), "tictactoe").expect("JSON"), &Limits::nodes(1));
    assert!(check(json!({"outcome": "D", "winner": null})).is_ok_and(|checked| !checked.complete()));
    assert!(check(json!({"outcome": "D", "winner": 1})).is_err());
    assert!(check(json!({"outcome": "D", "grundy": 0})).is_err());
    assert!(check(json!({"outcome": "D", "best": ["10"]})).is_err());
}

/// The winner is a player, and who is to move depends on the moves made.
#[test]
fn the_winner_takes_turns_into_account() {
    let puzzle = TwoPlayer::new(TicTacToe::at([1, 2, 0, 0, 0, 0, 0, 0, 0]));
    let after = puzzle.after(&[json!("5")]).expect("legal");
    let report = after.solve(&Choice::default(), &Limits::none()).expect("no fault");
    let Answer::Decided(decided) = &report.answer else { panic!("{report:?}") };
    assert_eq!((decided.winner, decided.score), (Some(1), Score::Loss));
    let check = |json: &str| after.check(&Claim::read(json, "tictactoe").expect("JSON"), &Limits::none());
    assert!(check("{\"winner\":1,\"outcome\":\"P\"}").is_ok() && check("{\"winner\":2,\"outcome\":\"P\"}").is_err());
}

/// Where the plain positions are too many, the game's own symmetry is used, and both report and check say so.
#[test]
fn a_confirmation_by_symmetry_says_so() {
    let puzzle = TwoPlayer::new(TicTacToe::at([0; 9]));
    let claim = Claim::read("{\"outcome\":\"D\",\"positions\":765,\"boards\":5478}", "tictactoe").expect("JSON");
    let text = |nodes: u64| puzzle.check(&claim, &Limits::nodes(nodes)).expect("it holds").text;
    assert_eq!(text(6000), "a plain induction finds the same: the game is a draw");
    assert_eq!(text(1000), "an induction up to the game's own symmetry finds the same: the game is a draw");
    assert_eq!(text(500), "there are too many positions for a plain induction");
    let mut report = puzzle.solve(&Choice::default(), &Limits::none()).expect("no fault");
    for (confirmed, words, name) in [
        (Some(Confirmed::Plain), "; independently confirmed\n", json!("plain")),
        (Some(Confirmed::Symmetry), "; confirmed up to the game's own symmetry\n", json!("symmetry")),
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
    let puzzle = TwoPlayer::new(TicTacToe::at([0; 9]));
    let report = puzzle.solve(&Choice::method("induction"), &Limits::none()).expect("no fault");
    let text = report.text(0.0);
    assert!(text.contains("# tictactoe: the game is a draw under best play; independently confirmed\n"), "{text}");
    assert!(text.contains("# a D-position, 9 moves under best play; 9 drawing moves\n"), "{text}");
    let json = report.json(0.0);
    assert_eq!((&json["outcome"], &json["winner"]), (&json!("D"), &Value::Null));
    assert!(json.as_object().is_some_and(|object| object.contains_key("winner")));
    assert_eq!((&json["positions"], &json["boards"], &json["boards_over"]), (&json!(765), &json!(5478), &json!(958)));
    let duel = puzzle.duel().expect("two play");
    let labels = duel.labels(&Limits::none()).expect("no limit");
    assert!(labels.len() == 9 && labels.iter().all(|label| label.score == Score::Draw && label.length == Some(8)));
    let space = puzzle.explore(&Limits::none());
    assert_eq!(space.unfolded, Some(5478));
    let total = space.explored.total();
    assert_eq!((total.losing, total.drawn), (json["boards_P"].as_u64().unwrap(), json["boards_D"].as_u64().unwrap()));
    // After X in the middle and O at an edge, X wins; O in a corner keeps the draw.
    let later = puzzle.after(&[json!("5")]).expect("legal");
    let remark = later.explain(&Limits::nodes(200_000)).expect("small");
    assert!(remark.text.starts_with("A D-position") && remark.text.contains("by 4 of 8 moves"), "{}", remark.text);
    let good: Vec<&str> = remark.labels.iter().filter(|label| label.good).map(|label| label.mv.as_str()).collect();
    assert_eq!(good, ["1", "3", "7", "9"]);
    let texts: BTreeSet<&str> = remark.labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(texts.into_iter().collect::<Vec<_>>(), ["D", "N"]);
}

#[test]
fn a_graph_with_draws() {
    let puzzle = TwoPlayer::new(TicTacToe::at([0; 9]));
    let duel = puzzle.duel().expect("two play");
    for (fold, positions) in [(false, 5478), (true, 765)] {
        let graph = duel.graph(fold, 10_000, &Limits::none()).expect("small");
        assert_eq!((graph.nodes.len(), graph.nodes.iter().map(|node| node.boards).sum::<u64>()), (positions, 5478));
        let drawn = graph.nodes.iter().filter(|node| node.over && node.score == Score::Draw).count();
        assert_eq!(drawn, if fold { 3 } else { 16 });
    }
    assert!(matches!(duel.graph(true, 700, &Limits::none()), Err(kibitzer::catalog::GraphError::TooLarge)));
    // Two moves before the end there is little enough to look at.
    let late = TwoPlayer::new(TicTacToe::at([1, 2, 1, 1, 2, 2, 0, 0, 0]));
    let graph = late.duel().expect("two play").graph(true, 100, &Limits::none()).expect("small");
    let json = graph.json();
    let outcomes: BTreeSet<&str> = json["nodes"].as_array().expect("a list").iter().filter_map(|node| node["outcome"].as_str()).collect();
    assert_eq!(outcomes.into_iter().collect::<Vec<_>>(), ["D", "N", "P"]);
    let dot = graph.dot();
    assert!(["shape=ellipse", "shape=box", "shape=hexagon", "outcome=D", "penwidth"].iter().all(|part| dot.contains(part)), "{dot}");
    assert!(graph.graphml().contains("<data key=\"outcome\">D</data>"));
    let svg = graph.scene(&Limits::none()).and_then(|scene| scene.svg(&Limits::none())).expect("there is no limit");
    assert!(svg.contains("class=\"draw\"") && svg.contains("slanted: D, a draw"), "{svg}");
}

fn careless_methods_agree(board: [u8; 9]) -> &'static str {
    methods_agree(TicTacToe::careless(board), &TwoPlayer::new(TicTacToe::careless(board)), &format!("{board:?}"))
}

/// A game that lists moves where it is over has ended all the same: for every method, the check, labels, graph and play.
#[test]
fn a_game_that_ends_with_moves_left_has_ended() {
    let lost = [1, 1, 1, 2, 2, 0, 0, 0, 0];
    assert_eq!(careless_methods_agree(lost), "P");
    let puzzle = TwoPlayer::new(TicTacToe::careless(lost));
    assert!(
        puzzle.position(&Limits::none()).expect("there is no limit").goal
            && puzzle.position(&Limits::none()).expect("there is no limit").moves.is_empty()
            && puzzle.after(&[json!("6")]).is_err()
    );
    assert_eq!(puzzle.duel().expect("two play").graph(false, 10, &Limits::none()).expect("small").nodes.len(), 1);
    // From before the end, too.
    assert_eq!(careless_methods_agree([1, 1, 0, 2, 2, 0, 0, 0, 0]), "N");
    let graph = TwoPlayer::new(TicTacToe::careless([0; 9])).duel().expect("two play").graph(true, 1000, &Limits::none());
    assert_eq!(graph.expect("small").nodes.len(), 765);
}

/// A run owns what it needs: it can go to another thread, and it resumes there.
#[test]
fn a_stopped_run_resumes() {
    let report = {
        let puzzle = TwoPlayer::new(TicTacToe::at([0; 9]));
        let mut run = puzzle.begin(&Choice::method("winner")).expect("a method");
        let mut nodes = 0;
        loop {
            nodes += 10;
            let report = run.advance(&Limits::nodes(nodes)).expect("no fault");
            if report.verdict() == "solved" {
                break report;
            }
            assert_eq!((report.verdict(), report.stats.expanded), ("unknown", nodes));
        }
    };
    let whole = TwoPlayer::new(TicTacToe::at([0; 9])).solve(&Choice::method("winner"), &Limits::none()).expect("no fault");
    assert_eq!((report.stats.expanded, report.json(0.0)["best"].clone()), (whole.stats.expanded, whole.json(0.0)["best"].clone()));
}

#[test]
fn no_text_upsets_a_reader() {
    every_game!(check_reader);
}

fn check_reader<G: Game + Drawing>(_: &Entry) {
    let mut sound: Vec<String> = crate::common::instances(G::INFO.name).into_iter().map(|instance| instance.text).collect();
    sound.extend([G::INFO.sample, "", "{}", "0-1", "a:b", ":Fa@x^", "Bw", "{\"edges\":[[0,1]]}", "p edge 2 1\ne 1 2"].map(str::to_owned));
    let characters: Vec<char> = "0129-.,:;|#aAPKzé{}[]()\"\n\t \0~?_".chars().collect();
    let mut random = Random::new(3);
    for _ in 0..500 {
        let mut text: Vec<char> = sound[random.below(sound.len())].chars().collect();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len() + 1);
            match random.below(3) {
                0 if at < text.len() => _ = text.remove(at),
                1 if at < text.len() => text[at] = characters[random.below(characters.len())],
                _ => text.insert(at, characters[random.below(characters.len())]),
            }
        }
        let text: String = text.into_iter().collect();
        match parse::<G>(&text, &Options::default()) {
            Ok(game) => _ = game.ascii(&game.start()),
            Err(ReadError::Text(error)) => {
                let lines = text.split('\n').count();
                assert!((1..=lines).contains(&error.line) && error.column >= 1, "{text:?}: {error}");
                assert!(!error.message.is_empty() && !error.help.is_empty(), "{text:?}: {error}");
            }
            Err(error) => panic!("no option or limit was given for {text:?}: {error}"),
        }
    }
}
