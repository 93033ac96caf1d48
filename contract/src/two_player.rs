//! The contract for two-player games. Laws are checked on random walks. Every method is compared with plain backward induction, and its
//! answers are passed to `check`, both unchanged and with each field altered.

use std::collections::BTreeSet;
use std::sync::Arc;

use kibitzer::catalog::{Choice, Entry, Puzzle};
use kibitzer::drawing::Drawing;
use kibitzer::gamegraph::{self, sum::Adder};
use kibitzer::limits::Limits;
use kibitzer::random::Random;
use kibitzer::report::{Answer, Claim, Confirmed};
use kibitzer::rules::{Game, Score};
use kibitzer::verify;
use serde_json::Value;

use crate::boards::{Board, boards};
use crate::{Check, amount, any};

/// Runs all checks in this module.
pub fn check<G: Game + Drawing>(entry: &Entry) {
    checks::<G>().iter().for_each(|(_, check)| check(entry));
}

pub fn checks<G: Game + Drawing>() -> [Check; 6] {
    [
        ("declarations", any::declarations),
        ("laws", |_| laws::<G>()),
        ("shown", |entry| any::shown(entry, &small::<G>())),
        ("reader", any::reader),
        ("methods", methods::<G>),
        ("sums", |_| sums::<G>()),
    ]
}

/// The boards that have at most 600 positions.
fn small<G: Game + Drawing>() -> Vec<Board> {
    let plain = |game: &G| verify::induction(game, &game.start(), &Limits::nodes(600)).is_some();
    let mut boards = boards::<G>(6);
    boards.retain(|board| plain(&board.read()));
    assert!(
        boards.len() >= 5,
        "{name}: only {} of its boards have at most 600 positions, and 5 are needed to compare methods with plain backward induction; add \
         small boards to instances/{name}/, or let the generator make smaller ones by default",
        boards.len(),
        name = G::INFO.name
    );
    boards
}

/// Checks the laws that hold in every state, on random walks.
fn laws<G: Game + Drawing>() {
    for board in small::<G>() {
        laws_of_a_board(&board.read::<G>(), &format!("{} {}", G::INFO.name, board.name));
    }
}

/// Maximum number of moves in a random walk. Without layers, positions can repeat.
const STEPS: usize = 1000;

/// Checks the laws on random walks from one board.
pub fn laws_of_a_board<G: Game + Drawing>(game: &G, context: &str) {
    let mut random = Random::new(1);
    for _ in 0..4 {
        let mut state = game.start();
        for _ in 0..STEPS {
            let moves = laws_of_a_state(game, &state, context);
            let Some(mv) = moves.get(random.below(moves.len().max(1))) else { break };
            state = game.apply(&state, mv);
        }
    }
}

fn laws_of_a_state<G: Game + Drawing>(game: &G, state: &G::State, context: &str) -> Vec<G::Move> {
    let moves = any::laws_of_a_state(game, state, |_, _| 1, context);
    let over = game.terminal(state);
    assert_eq!(over.is_some(), moves.is_empty(), "{context}: the game is over if and only if no move is left");
    let loses = !game.impartial() || over.is_none_or(|score| score == Score::Loss);
    assert!(loses, "{context}: with Grundy values, a player who cannot move loses");
    assert_eq!(game.terminal(&game.canonical(state.clone())), over, "{context}: symmetry preserves the final score");
    let layered = |state: &G::State| game.layer(state).is_some();
    assert_eq!(layered(state), layered(&game.start()), "{context}: either every state has a layer, or none");
    assert!(layered(state) || game.repeats(), "{context}: without layers, `repeats` is true");
    let key = || {
        let mut key = Vec::new();
        (G::KEYS.key)(game, state, &mut key);
        key
    };
    assert_eq!(key(), key(), "{context}: keys are deterministic");
    assert!(moves.iter().all(|mv| (G::REPLAY.is_legal)(game, state, mv)), "{context}: every move in the list is legal");
    moves
}

/// Compares Grundy values with and without splitting positions into parts, on random walks.
fn sums<G: Game + Drawing>() {
    for board in small::<G>() {
        sums_of_a_board(&Arc::new(board.read::<G>()), &format!("{} {}", G::INFO.name, board.name));
    }
}

/// Compares Grundy values with and without splitting on random walks from one board, if its positions split.
pub fn sums_of_a_board<G: Game>(game: &Arc<G>, context: &str) {
    let (none, mut random) = (Limits::none(), Random::new(5));
    let Some(mut adder) = Adder::new(game) else { return };
    let parts = G::PARTS.expect("positions split");
    let plain = |state: &G::State| verify::induction(&**game, state, &none).expect("no limit").worth().expect("reached").grundy;
    for _ in 0..3 {
        let mut state = game.start();
        loop {
            let grundy = plain(&state);
            assert_eq!(adder.value(&state, &none, &mut ()), Ok(grundy), "{context}: {state:?}");
            let mut split = Vec::new();
            (parts.of)(game, &state, &mut split);
            assert_eq!(split.iter().fold(0, |sum, part| sum ^ plain(part)), grundy, "{context}: the parts of {state:?}");
            assert!(split.iter().all(|part| game.layer(part) >= game.layer(&state)), "{context}: parts do not grow");
            // A search that begins here must not need what the searches before found.
            let fresh = Adder::new(game).expect("positions split").is_lost(&state, &none, &mut ());
            assert_eq!(fresh, Ok(grundy == 0), "{context}: {state:?}");
            let sums = verify::sums(&**game, &state, &none).expect("no limit");
            assert_eq!(sums.worth(&state).map(|worth| worth.grundy), Some(grundy), "{context}: checked part by part");
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let Some(mv) = moves.get(random.below(moves.len().max(1))) else { break };
            state = game.apply(&state, mv);
        }
    }
}

/// Compares every method on every small board with the plain backward induction in `verify`, and passes every answer to `check`.
fn methods<G: Game + Drawing>(entry: &Entry) {
    // Every answer is confirmed and checked by an induction without symmetry. The short run skips boards on which this induction takes too
    // long.
    let few = |game: &G| verify::induction(game, &game.start(), &Limits::nodes(5_000)).is_some_and(|found| !found.symmetry);
    let mut boards = small::<G>();
    boards.retain(|board| amount(few(&board.read()), true));
    // The short run alters the answers of only a few boards, because each altered answer needs its own induction.
    let agree = |(at, board): (usize, &Board)| methods_agree(&board.read::<G>(), &*board.open(entry), &board.name, at < amount(2, 6));
    let outcomes: BTreeSet<&str> = boards.iter().enumerate().map(agree).collect();
    assert!(outcomes.len() >= 2, "{}: boards with different outcomes are needed", G::INFO.name);
}

/// Maximum number of visits by methods that search the tree.
const TREE_NODES: u64 = 50_000;

/// Compares all methods with plain backward induction. If `change` is set and the board is tiny, also tests that answers with one altered
/// field are rejected. Returns the outcome.
pub fn methods_agree<G: Game + Drawing>(game: &G, puzzle: &dyn Puzzle, name: &str, change: bool) -> &'static str {
    let budget = Limits::nodes(300_000);
    let (worth, best) = {
        let induction = verify::induction(game, &game.start(), &budget).expect("small");
        let worth = induction.worth().expect("reached");
        let after = induction.after().expect("reached");
        let best = after.iter().filter(|(_, next)| worth.score != Score::Loss && next.score.reversed() == worth.score);
        (worth, best.map(|(mv, _)| game.write_move(&game.start(), mv)).collect::<Vec<String>>())
    };
    let tiny = verify::induction(game, &game.start(), &Limits::nodes(700)).is_some_and(|induction| !induction.symmetry);
    for method in puzzle.methods() {
        let context = format!("{} {name}: {}", G::INFO.name, method.name);
        let kind = gamegraph::find(&method.name).expect(&context).kind;
        let report = puzzle.solve(&Choice::method(&method.name), &Limits::nodes(TREE_NODES)).expect(&context);
        // Few positions may be reached by very many lines of play.
        if kind.searches_tree() && report.stats.expanded == TREE_NODES {
            let outcomes = ["P", "D", "N"];
            let rank = |outcome: &str| outcomes.iter().position(|other| *other == outcome);
            let bound = |name: &str| report.facts.get(name).and_then(Value::as_str).and_then(rank);
            let value = rank(worth.score.outcome());
            assert!(bound("at_least").is_none_or(|least| value >= Some(least)), "{context}: {report:?}");
            assert!(bound("at_most").is_none_or(|most| value <= Some(most)), "{context}: {report:?}");
            continue;
        }
        let Answer::Decided(decided) = &report.answer else { panic!("{context}: {report:?}") };
        assert!(report.verified && (decided.all_best || !kind.finds_all_best()) && decided.confirmed.is_some(), "{context}");
        assert!(!tiny || decided.confirmed == Some(Confirmed::Plain), "{context}");
        let winner = match worth.score {
            Score::Win => Some(1),
            Score::Draw => None,
            Score::Loss => Some(2),
        };
        assert_eq!((decided.score, decided.winner), (worth.score, winner), "{context}");
        assert!(decided.grundy.is_none_or(|grundy| grundy == worth.grundy), "{context}");
        assert!(decided.length.is_none_or(|length| Some(length) == worth.moves()), "{context}");
        assert_eq!(decided.endless, worth.moves().is_none(), "{context}");
        let found: Vec<String> = decided.best.iter().map(|mv| mv.text.clone()).collect();
        assert!(
            if decided.all_best { found == best } else { found.iter().all(|mv| best.contains(mv)) },
            "{context}: {found:?} of {best:?}"
        );
        assert_eq!(found.is_empty(), best.is_empty(), "{context}");
        let json = report.json(0.0);
        let check = |json: &Value| puzzle.check(&Claim::read(&json.to_string(), G::INFO.name)?, &budget);
        assert!(check(&json).is_ok_and(|checked| checked.complete()), "{context}: {json}");
        if tiny && change {
            assert!(any::changes_are_refused(&json, &check, &context), "{context}: {json}");
        }
    }
    let labels = puzzle.duel().expect("two players").labels(&Limits::none()).expect("no limit");
    let good = labels.iter().filter(|label| label.score == worth.score && label.score != Score::Loss);
    assert_eq!(good.map(|label| label.text.as_str()).collect::<Vec<_>>(), best, "{name}: labels");
    worth.score.outcome()
}
