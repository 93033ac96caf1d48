//! The contract for two-player games, tested on every one of the registry: laws on random walks, moves that can be written
//! and clicked, every method against a plain induction, every answer through `check`, broken texts into the reader.

mod common;

use std::collections::BTreeMap;

use kibitzer::catalog::{Choice, LegalMove, Puzzle, TwoPlayer};
use kibitzer::drawing::Drawing;
use kibitzer::games::{self, Visitor};
use kibitzer::limits::Limits;
use kibitzer::notation::{Notation, Options, ReadError, parse};
use kibitzer::random::Random;
use kibitzer::report::{Answer, Claim};
use kibitzer::rules::{Game, Problem};
use kibitzer::verify;
use serde_json::Value;

/// Visits the two-player games only.
macro_rules! duel_visitor {
    ($name:ident, $body:item) => {
        struct $name;
        impl Visitor for $name {
            fn one_player<P: Problem + Drawing>(&mut self) {}
            $body
        }
    };
}

/// Boards on which everything can be found out in a moment.
fn small<G: Game + Drawing>() -> Vec<(String, G)> {
    let plain = |game: &G| verify::worth(game, &game.start(), &Limits::nodes(600)).is_some();
    let boards: Vec<_> = common::boards::<G>(6).into_iter().filter(|(_, game)| plain(game)).collect();
    assert!(boards.len() >= 5, "{} has small boards to test on", G::NAME);
    boards
}

#[test]
fn laws() {
    duel_visitor!(
        Laws,
        fn two_player<G: Game + Drawing>(&mut self) {
            for (name, game) in small::<G>() {
                let mut random = Random::new(1);
                for _ in 0..4 {
                    let mut state = game.start();
                    while let Some(next) = laws_of_a_state(&game, &state, &format!("{} {name}", G::NAME), &mut random) {
                        state = next;
                    }
                }
            }
        }
    );
    games::visit(&mut Laws);
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
    assert!(game.terminal(state).is_some() || !moves.is_empty(), "{context}: without a move the game is over");
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
        game.key(state, &mut key);
        key
    };
    assert_eq!(key(state), key(state), "{context}: a key is a function");
    assert!(game.orbit(&canonical) >= 1);
    for mv in &moves {
        assert!(game.layer(state) < game.layer(&game.apply(state, mv)) && game.layer(state).is_some(), "{context}: layers grow");
        assert!(game.is_legal(state, mv));
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
    duel_visitor!(
        Shown,
        fn two_player<G: Game + Drawing>(&mut self) {
            for (name, game) in small::<G>() {
                let mut puzzle: Box<dyn Puzzle> = Box::new(TwoPlayer::new(game));
                let mut random = Random::new(2);
                for made in 0..30 {
                    let position = puzzle.position();
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
                    let svg = position.scene.svg();
                    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !position.scene.title.is_empty());
                    let Some(mv) = position.moves.get(random.below(position.moves.len().max(1))) else { break };
                    puzzle = puzzle.after(std::slice::from_ref(&mv.json)).expect("it is legal");
                }
            }
        }
    );
    games::visit(&mut Shown);
}

/// Every method on every small board against the plain induction of `verify`, and every answer through `check`.
#[test]
fn methods_agree_and_answers_pass_the_check() {
    duel_visitor!(
        Agree,
        fn two_player<G: Game + Drawing>(&mut self) {
            let mut outcomes = std::collections::BTreeSet::new();
            for (name, game) in small::<G>() {
                let budget = Limits::nodes(300_000);
                let (worth, after) = verify::worth(&game, &game.start(), &budget).expect("small");
                let best: Vec<String> =
                    after.iter().filter(|(_, (wins, _))| !wins).map(|(mv, _)| game.write_move(&game.start(), mv)).collect();
                let puzzle = TwoPlayer::new(game);
                for method in puzzle.methods() {
                    let context = format!("{} {name}: {}", G::NAME, method.name);
                    let report = puzzle.solve(&Choice::method(&method.name), &Limits::none()).expect(&context);
                    let Answer::Decided(decided) = &report.answer else { panic!("{context}: {report:?}") };
                    assert!(report.verified && decided.all_best, "{context}");
                    assert_eq!((decided.wins, decided.winner), (worth.0, if worth.0 { 1 } else { 2 }), "{context}");
                    assert!(decided.grundy.is_none_or(|grundy| grundy == worth.1), "{context}");
                    assert_eq!(decided.best.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>(), best, "{context}");
                    let json = report.json(0.0).to_string();
                    let check = |json: &str| puzzle.check(&Claim::read(json, G::NAME).expect("our own JSON"), &budget);
                    assert!(check(&json).is_ok_and(|checked| checked.complete), "{context}: {json}");
                    let turned = if worth.0 { json.replace("\"N\"", "\"P\"") } else { json.replace("\"P\"", "\"N\"") };
                    assert!(check(&turned).is_err(), "{context}: the other outcome passes");
                    if let Some(first) = best.first() {
                        assert!(check(&json.replacen(&format!("\"{first}\","), "", 1)).is_err() || best.len() == 1, "{context}");
                    }
                    outcomes.insert(worth.0);
                }
                let labels = puzzle.duel().expect("two play").labels(&Limits::none()).expect("no limit");
                let winning: Vec<&str> = labels.iter().filter(|label| label.wins).map(|label| label.text.as_str()).collect();
                assert_eq!(winning, best, "{name}: labels");
            }
            assert_eq!(outcomes.len(), 2, "{}: boards for both players", G::NAME);
        }
    );
    games::visit(&mut Agree);
}

#[test]
fn no_text_upsets_a_reader() {
    duel_visitor!(
        Junk,
        fn two_player<G: Game + Drawing>(&mut self) {
            let mut sound: Vec<String> = common::instances(G::NAME).into_iter().map(|instance| instance.text).collect();
            sound
                .extend([G::SAMPLE, "", "{}", "0-1", "a:b", ":Fa@x^", "Bw", "{\"edges\":[[0,1]]}", "p edge 2 1\ne 1 2"].map(str::to_owned));
            let signs: Vec<char> = "0129-.,:;|#aAPKzé{}[]()\"\n\t \0~?_".chars().collect();
            let mut random = Random::new(3);
            for _ in 0..500 {
                let mut text: Vec<char> = sound[random.below(sound.len())].chars().collect();
                for _ in 0..=random.below(4) {
                    let at = random.below(text.len() + 1);
                    match random.below(3) {
                        0 if at < text.len() => _ = text.remove(at),
                        1 if at < text.len() => text[at] = signs[random.below(signs.len())],
                        _ => text.insert(at, signs[random.below(signs.len())]),
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
    );
    games::visit(&mut Junk);
}
