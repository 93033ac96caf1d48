//! Opponents: the results of look-ahead are compared with backward induction, best play never gives away a win or a draw, and the same seed
//! always produces the same game.

use std::collections::BTreeSet;

use kibitzer::catalog::{Duel, Puzzle, TwoPlayer};
use kibitzer::gamegraph::opponent::{Opponent, look};
use kibitzer::games::template2::TicTacToe;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Options, parse};
use kibitzer::rules::{Game, Rules, Score};
use serde_json::Value;

use crate::gamegraph::labels;

fn board(text: &str) -> TicTacToe {
    parse(text, &Options::default()).expect("a board")
}

/// The puzzle after these moves.
fn after(puzzle: &dyn Puzzle, moves: &[String]) -> Box<dyn Puzzle> {
    let moves: Vec<Value> = moves.iter().map(|mv| Value::String(mv.clone())).collect();
    puzzle.after(&moves).expect("legal moves")
}

/// The moves of a game between two opponents.
fn game(start: &dyn Puzzle, players: [Opponent; 2], seed: u64) -> Vec<String> {
    let mut moves = Vec::new();
    while let Some(reply) = duel(&*after(start, &moves)).reply(players[moves.len() % 2], seed, &Limits::none()).expect("a reply") {
        moves.push(reply.mv.text);
    }
    moves
}

fn duel(puzzle: &dyn Puzzle) -> &dyn Duel {
    puzzle.duel().expect("two players")
}

#[test]
fn a_look_ahead_sees_exactly_the_wins_and_losses_within_its_depth() {
    let game = board("... / ... / ...");
    let start = game.start();
    let labeled = labels(&game, &start, false);
    let mut seen_moves = 0;
    for (layer, state, _) in labeled.positions().filter(|(layer, state, _)| *layer >= 3 && game.terminal(state).is_none()) {
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let known: Vec<_> = moves.iter().map(|mv| labeled.worth(&game.apply(&state, mv))).collect();
        for ahead in [1, 2, 3, 9] {
            let seen = look(&game, &state, &moves, ahead, &Limits::none());
            let soonest = known.iter().filter(|worth| worth.score == Score::Loss).map(|worth| worth.length).min();
            for (known, seen) in known.iter().zip(seen) {
                // The search ends at the quickest win, so it does not see later ones.
                let horizon = soonest.map_or(ahead, |soonest| ahead.min(u32::from(soonest) + 1));
                let within = known.score != Score::Draw && u32::from(known.length) < horizon;
                assert_eq!(seen, within.then_some((known.score.reversed(), known.length)), "layer {layer} {state:?}, {ahead} ahead");
                seen_moves += u32::from(within);
            }
        }
    }
    assert!(seen_moves > 10_000, "{seen_moves}");
}

/// A token on the squares 0 to 4 of a row moves one square per turn. The player who moves it to square 0 wins. Play may go on forever.
struct Walk;

impl Rules for Walk {
    type State = u64;
    type Move = u64;

    fn start(&self) -> u64 {
        2
    }

    fn moves(&self, square: &u64, out: &mut Vec<u64>) {
        out.extend([square.wrapping_sub(1), square + 1].into_iter().filter(|next| *square > 0 && *next <= 4));
    }

    fn apply(&self, _: &u64, next: &u64) -> u64 {
        *next
    }
}

impl Game for Walk {}

#[test]
fn a_game_without_layers_is_played_within_the_depth() {
    let seen = |square: u64, ahead| {
        let mut moves = Vec::new();
        Walk.moves(&square, &mut moves);
        look(&Walk, &square, &moves, ahead, &Limits::none())
    };
    assert_eq!(seen(1, 1), [Some((Score::Win, 0)), None]);
    assert_eq!(seen(2, 1), [None, None]);
    assert_eq!(seen(2, 2), [Some((Score::Loss, 1)), None]);
    assert_eq!(seen(4, 3), [None]);
    // The number of positions is limited, so even a deep look-ahead ends.
    assert_eq!(seen(2, 100), [Some((Score::Loss, 1)), None]);
    let canceled = Limits::none();
    canceled.cancel.stop(Limit::Time);
    assert_eq!(look(&Walk, &1, &[0, 2], 3, &canceled), [None, None]);
}

#[test]
fn perfect_play_never_gives_anything_away_and_wins_soonest() {
    for (start, length) in [("... / ... / ...", 9), ("X.. / .O. / ..X", 6), ("XO. / ... / ...", 5), ("XO. / .X. / ...", 4)] {
        let puzzle = TwoPlayer::new(board(start));
        for seed in 0..3 {
            assert_eq!(game(&puzzle, [Opponent::Perfect; 2], seed).len(), length, "{start}");
        }
        let best = duel(&puzzle).labels(&Limits::none()).expect("no limit").iter().map(|label| label.score).max();
        for (seed, other) in (0..20).flat_map(|seed| [Opponent::Random, Opponent::Ahead(2)].map(|other| (seed, other))) {
            let moves = game(&puzzle, [Opponent::Perfect, other], seed);
            let end = after(&puzzle, &moves);
            let score = duel(&*end).end().expect("the game is over");
            // The score is that of the player to move.
            let first = if moves.len().is_multiple_of(2) { score } else { score.reversed() };
            assert!(Some(first) >= best, "{start} {moves:?}");
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game_and_weak_opponents_can_be_beaten() {
    let puzzle = TwoPlayer::new(board("... / ... / ..."));
    for weak in [Opponent::Random, Opponent::Ahead(1)] {
        let games: Vec<Vec<String>> = (0..30).map(|seed| game(&puzzle, [Opponent::Ahead(3), weak], seed)).collect();
        let again: Vec<Vec<String>> = (0..30).map(|seed| game(&puzzle, [Opponent::Ahead(3), weak], seed)).collect();
        assert_eq!(games, again);
        assert!(games.iter().collect::<BTreeSet<_>>().len() > 20, "seeds differ");
        // The first player moves last if the number of moves is odd; a full board has nine.
        assert!(games.iter().any(|moves| moves.len() < 9 && moves.len() % 2 == 1), "{weak} never loses");
    }
    let strong: Vec<Vec<String>> = (0..30).map(|seed| game(&puzzle, [Opponent::Random, Opponent::Perfect], seed)).collect();
    assert!(strong.iter().all(|moves| moves.len() == 9 || moves.len().is_multiple_of(2)), "best play loses");
}

#[test]
fn a_limit_leaves_a_legal_move_without_an_outcome() {
    let puzzle = TwoPlayer::new(board("... / ... / ..."));
    let reply = duel(&puzzle).reply(Opponent::Perfect, 7, &Limits::nodes(20)).expect("a reply").expect("a move");
    assert_eq!((reply.score, reply.length), (None, None));
    assert!(puzzle.meant(&reply.mv.json).is_some());
    assert_eq!(duel(&puzzle).end(), None);
}

#[test]
fn opponents_are_written_as_they_are_read() {
    for text in ["perfect", "random", "1", "2", "100"] {
        assert_eq!(text.parse::<Opponent>().map(|opponent| opponent.to_string()), Ok(text.to_owned()));
    }
    for text in ["", "0", "101", "-1", "2.5", "Perfect", "99999999999"] {
        assert!(text.parse::<Opponent>().is_err_and(|message| message.contains("`random`")), "{text}");
    }
}
