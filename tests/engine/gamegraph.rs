//! Two-player solving on games with known values: Nim (normal and misère), Kayles, and a hand-written game with a draw. Tic-tac-toe
//! is in `tests/games/duel.rs`.

use std::sync::Arc;

use kibitzer::gamegraph::decider::Decider;
use kibitzer::gamegraph::induction::{self, Labeled};
use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::{Game, Pack, Rules, Score};
use kibitzer::search::explore::Layer;
use kibitzer::verify;

/// Nim; a move takes any number of objects from one heap.
pub struct Nim {
    heaps: Vec<u8>,
    misere: bool,
}

impl Nim {
    pub fn new(heaps: Vec<u8>) -> Nim {
        Nim { heaps, misere: false }
    }
}

impl Pack<Nim> for Vec<u8> {
    fn bytes(rules: &Nim) -> usize {
        rules.heaps.len()
    }

    fn pack(&self, _: &Nim, out: &mut [u8]) {
        out.copy_from_slice(self);
    }

    fn unpack(_: &Nim, bytes: &[u8]) -> Self {
        bytes.to_vec()
    }
}

impl Rules for Nim {
    type State = Vec<u8>;
    type Move = (usize, u8);

    fn start(&self) -> Vec<u8> {
        self.heaps.clone()
    }

    fn moves(&self, heaps: &Vec<u8>, out: &mut Vec<(usize, u8)>) {
        out.extend(heaps.iter().enumerate().flat_map(|(at, &heap)| (1..=heap).map(move |take| (at, take))));
    }

    fn apply(&self, heaps: &Vec<u8>, &(at, take): &(usize, u8)) -> Vec<u8> {
        let mut after = heaps.clone();
        after[at] -= take;
        after
    }

    fn canonical(&self, mut heaps: Vec<u8>) -> Vec<u8> {
        heaps.sort_unstable();
        heaps
    }

    fn layer(&self, heaps: &Vec<u8>) -> Option<u32> {
        let sum = |heaps: &[u8]| heaps.iter().map(|&heap| u32::from(heap)).sum::<u32>();
        Some(sum(&self.heaps) - sum(heaps))
    }
}

impl Game for Nim {
    fn terminal(&self, heaps: &Vec<u8>) -> Option<Score> {
        heaps.iter().all(|&heap| heap == 0).then_some(if self.misere { Score::Win } else { Score::Loss })
    }

    fn impartial(&self) -> bool {
        !self.misere
    }
}

/// A row of pins; a move knocks down one pin or two adjacent ones.
struct Kayles(u32);

impl Rules for Kayles {
    type State = u64;
    type Move = (u8, u8);

    fn start(&self) -> u64 {
        (1 << self.0) - 1
    }

    fn moves(&self, pins: &u64, out: &mut Vec<(u8, u8)>) {
        for at in 0..self.0 as u8 {
            out.extend((1..=2).filter(|count| pins >> at & ((1 << count) - 1) == (1 << count) - 1).map(|count| (at, count)));
        }
    }

    fn apply(&self, pins: &u64, &(at, count): &(u8, u8)) -> u64 {
        pins & !(((1 << count) - 1) << at)
    }

    fn layer(&self, pins: &u64) -> Option<u32> {
        Some(self.0 - pins.count_ones())
    }
}

impl Game for Kayles {}

pub fn labels<'a, G: Game>(game: &'a G, start: &G::State, fold: bool) -> Labeled<'a, G> {
    induction::label(game, start, fold, &Limits::none()).unwrap_or_else(|_| panic!("no limit"))
}

/// Checks that all methods agree with the known values.
fn agree<G: Game>(game: G, score: Score, grundy: Option<u16>) {
    let (start, game) = (game.start(), Arc::new(game));
    assert_eq!(Decider::<G, Score>::new(Arc::clone(&game)).value(&start, &Limits::none()), Ok(score));
    let induction = verify::induction(&*game, &start, &Limits::nodes(100_000)).expect("small");
    let confirmed = induction.worth().expect("reached");
    assert!(confirmed.score == score && !induction.symmetry && grundy.is_none_or(|grundy| grundy == confirmed.grundy));
    for fold in [false, true] {
        let labeled = labels(&*game, &start, fold);
        let worth = labeled.worth(&start);
        assert_eq!((worth.score, worth.length), (score, confirmed.length));
        assert!(grundy.is_none_or(|grundy| grundy == worth.grundy));
        if fold {
            assert_eq!(induction.counts(&Limits::none()).map(|counts| counts.positions), Some(labeled.total()));
        } else {
            let sum = |of: fn(&Layer) -> u64| labeled.counts(&Limits::none()).expect("no limit").iter().map(of).sum::<u64>();
            let counts = [sum(|count| count.unfolded), sum(|count| count.dead_ends), sum(|count| count.losing), sum(|count| count.drawn)];
            assert_eq!(induction.counts(&Limits::none()).and_then(|counts| counts.boards), Some(counts));
        }
    }
    if let Some(grundy) = grundy {
        assert_eq!(Decider::<G, u16>::new(game).value(&start, &Limits::none()), Ok(grundy));
    }
}

fn win(wins: bool) -> Score {
    if wins { Score::Win } else { Score::Loss }
}

#[test]
fn nim_values_are_the_xor_of_the_heaps() {
    for heaps in [vec![], vec![0], vec![5], vec![1, 2, 3], vec![3, 4, 5], vec![1, 1], vec![7, 7, 2], vec![2, 5, 7], vec![9, 1, 8, 3]] {
        let grundy = heaps.iter().fold(0, |sum, &heap| sum ^ u16::from(heap));
        agree(Nim::new(heaps), win(grundy != 0), Some(grundy));
    }
}

#[test]
fn misere_nim_is_reversed_when_all_heaps_are_small() {
    for heaps in [vec![1u8], vec![1, 1], vec![1, 1, 1], vec![2], vec![2, 2], vec![3, 1], vec![1, 2, 3], vec![4, 5, 1], vec![0]] {
        let sum = heaps.iter().fold(0, |sum, &heap| sum ^ heap);
        let wins = if heaps.iter().all(|&heap| heap <= 1) { sum == 0 } else { sum != 0 };
        agree(Nim { heaps, misere: true }, win(wins), None);
    }
}

#[test]
fn kayles_has_its_known_values() {
    // OEIS A002186.
    for (pins, value) in [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4].into_iter().enumerate() {
        agree(Kayles(pins as u32), win(value != 0), Some(value));
    }
}

#[test]
fn play_lasts_as_long_as_the_loser_can_make_it() {
    // With one heap, the winner takes all. With two equal heaps, the loser takes one at a time, and the winner mirrors the move.
    for (heaps, length) in [(vec![7], 1), (vec![3, 3], 6), (vec![4, 3], 7), (vec![], 0)] {
        let game = Nim::new(heaps);
        let labeled = labels(&game, &game.start(), true);
        assert_eq!(labeled.worth(&game.start()).length, length);
    }
}

#[test]
fn a_stopped_search_resumes() {
    let game = Arc::new(Kayles(14));
    let mut whole = Decider::<Kayles, u16>::new(Arc::clone(&game));
    let value = whole.value(&game.start(), &Limits::none()).expect("no limit");
    let mut stepped = Decider::<Kayles, u16>::new(Arc::clone(&game));
    let mut nodes = 0;
    loop {
        nodes += 1;
        match stepped.value(&game.start(), &Limits::nodes(nodes)) {
            Ok(found) => break assert_eq!(found, value),
            Err(limit) => assert_eq!((limit, stepped.stats().expanded), (Limit::Nodes, nodes)),
        }
    }
    assert_eq!(stepped.stats().expanded, whole.stats().expanded);
    assert_eq!(stepped.stats().stored, whole.stats().stored);
    let stopped = Decider::<Kayles, Score>::new(Arc::clone(&game)).value(&game.start(), &Limits::until(|_| true));
    assert_eq!(stopped, Err(Limit::Time));
    let small = Decider::<Kayles, Score>::new(Arc::clone(&game)).value(&game.start(), &Limits { bytes: 100, ..Limits::none() });
    assert_eq!(small, Err(Limit::Memory));
}

/// A hand-written game graph: the moves from each state, and the score of each terminal state.
struct Chain(Vec<(Vec<u8>, Option<Score>)>);

impl Rules for Chain {
    type State = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        0
    }

    fn moves(&self, at: &u8, out: &mut Vec<u8>) {
        out.extend(&self.0[*at as usize].0);
    }

    fn apply(&self, _: &u8, to: &u8) -> u8 {
        *to
    }

    fn layer(&self, at: &u8) -> Option<u32> {
        Some(u32::from(*at))
    }
}

impl Game for Chain {
    fn terminal(&self, at: &u8) -> Option<Score> {
        self.0[*at as usize].1
    }

    fn impartial(&self) -> bool {
        false
    }
}

#[test]
fn draws_are_as_short_as_possible() {
    use Score::{Draw, Win};
    // From 0: a draw in three moves via 1 and 2, or in two via 3; the move to 4 loses.
    let game = Chain(vec![
        (vec![1, 3, 4], None),
        (vec![2], None),
        (vec![6], None),
        (vec![6], None),
        (vec![], Some(Win)),
        (vec![], Some(Win)),
        (vec![], Some(Draw)),
    ]);
    let labeled = labels(&game, &0, false);
    assert_eq!((labeled.worth(&0).score, labeled.worth(&0).length), (Draw, 2));
    assert_eq!((labeled.worth(&1).score, labeled.worth(&1).length), (Draw, 2));
    agree(game, Draw, None);
}

/// The game breaks the contract, which requires a score for positions without moves.
#[test]
fn a_player_without_a_move_loses_if_the_game_does_not_say_otherwise() {
    agree(Chain(vec![(vec![1], None), (vec![], None)]), Score::Win, None);
}
