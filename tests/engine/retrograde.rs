//! Retrograde analysis on random directed graphs, compared with the definition of a win in at most N moves.

use std::sync::Arc;

use kibitzer::gamegraph::retrograde;
use kibitzer::limits::Limits;
use kibitzer::random::Random;
use kibitzer::rules::{Game, Rules, Score};
use kibitzer::verify;

use crate::common::amount;
use crate::token::{Token, random_game};

/// True if the player to move at a vertex can force a win within this number of moves (`won`), or must lose within it.
fn forced(game: &Token, at: usize, within: usize, won: bool, memory: &mut [Vec<[Option<bool>; 2]>]) -> bool {
    if let Some(known) = memory[within][at][usize::from(won)] {
        return known;
    }
    let next = &game.after[at];
    let answer = match (next.is_empty(), within) {
        (true, _) => game.ends[at] == if won { Score::Win } else { Score::Loss },
        (false, 0) => false,
        (false, _) if won => next.iter().any(|to| forced(game, usize::from(*to), within - 1, false, memory)),
        (false, _) => next.iter().all(|to| forced(game, usize::from(*to), within - 1, true, memory)),
    };
    memory[within][at][usize::from(won)] = Some(answer);
    answer
}

/// The score and length of every vertex by the definition.
fn by_definition(game: &Token) -> Vec<(Score, Option<usize>)> {
    let size = game.after.len();
    let mut memory = vec![vec![[None; 2]; size]; size + 1];
    let decided = |at: usize, memory: &mut [Vec<[Option<bool>; 2]>]| {
        (0..=size).find_map(|within| {
            let score = [(true, Score::Win), (false, Score::Loss)].into_iter().find(|(won, _)| forced(game, at, within, *won, memory));
            score.map(|(_, score)| (score, within))
        })
    };
    let mut found: Vec<Option<(Score, Option<usize>)>> =
        (0..size).map(|at| decided(at, &mut memory).map(|(score, length)| (score, Some(length)))).collect();
    // The shortest way to a drawn end through drawn vertices, by trying every length.
    let drawn: Vec<bool> = found.iter().map(Option::is_none).collect();
    let mut reach: Vec<bool> = (0..size).map(|at| drawn[at] && game.after[at].is_empty()).collect();
    for length in 0..=size {
        for at in 0..size {
            if drawn[at] && reach[at] && found[at].is_none() {
                found[at] = Some((Score::Draw, Some(length)));
            }
        }
        reach = (0..size).map(|at| drawn[at] && game.after[at].iter().any(|to| reach[usize::from(*to)])).collect();
    }
    found.into_iter().map(|found| found.unwrap_or((Score::Draw, None))).collect()
}

#[test]
fn random_graphs_agree_with_the_definition() {
    let mut random = Random::new(29);
    let (mut endless, mut ending, mut longest) = (0, 0, 0);
    for round in 0..amount(3_000, 50_000) {
        let game = Arc::new(random_game(&mut random));
        let expected = by_definition(&game);
        let found = retrograde::analyze(&game, &0, false, &Limits::none()).expect("no limit");
        let checked = verify::induction(&*game, &0, &Limits::none()).expect("no limit");
        let mut positions = 0;
        for (_, at, worth) in found.positions() {
            let known = expected[usize::from(at)];
            assert_eq!((worth.score, worth.moves().map(usize::from)), known, "graph {round}, vertex {at}: {:?}", game.after);
            positions += 1;
            match known {
                (Score::Draw, None) => endless += 1,
                (Score::Draw, Some(1..)) => ending += 1,
                (_, length) => longest = longest.max(length.unwrap_or(0)),
            }
        }
        assert_eq!((found.total(), checked.counts(&Limits::none()).map(|counts| counts.positions)), (positions, Some(positions)));
        let own = checked.worth().expect("reached");
        assert_eq!((own.score, own.moves().map(usize::from)), expected[0], "graph {round}: {:?}", game.after);
        for (to, worth) in checked.after().expect("reached") {
            assert_eq!((worth.score, worth.moves().map(usize::from)), expected[usize::from(to)], "graph {round}: {:?}", game.after);
        }
    }
    assert!(endless > 1000 && ending > 300 && longest > 8, "{endless} draws by repetition, {ending} others, {longest} moves");
}

/// A path that is longer than any length that can be reported.
#[test]
fn long_wins_are_counted_beyond_the_reported_length() {
    struct Line(u32);

    impl Rules for Line {
        type State = u32;
        type Move = u32;

        fn start(&self) -> u32 {
            0
        }

        /// The first vertex also has a move to itself.
        fn moves(&self, at: &u32, out: &mut Vec<u32>) {
            out.extend((*at == 0).then_some(0).into_iter().chain((*at < self.0).then_some(at + 1)));
        }

        fn apply(&self, _: &u32, to: &u32) -> u32 {
            *to
        }
    }

    impl Game for Line {
        fn impartial(&self) -> bool {
            false
        }
    }

    let game = Arc::new(Line(70_001));
    let found = retrograde::analyze(&game, &0, false, &Limits::none()).expect("no limit");
    assert_eq!((found.worth(&0).score, found.length(&0), found.worth(&0).length), (Score::Win, Some(70_001), u16::MAX - 1));
    let even = Arc::new(Line(70_000));
    let found = retrograde::analyze(&even, &0, false, &Limits::none()).expect("no limit");
    assert_eq!((found.worth(&0).score, found.length(&0), found.length(&1)), (Score::Draw, None, Some(69_999)));
}
