//! Two-player solving on games whose values are known: Nim, Kayles, heaps with few takes; normal and misère. Each is a small
//! game of its own, as somebody would add one.

use kibitzer::gamegraph::induction;
use kibitzer::gamegraph::search::{Search, mex};
use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::{Game, Rules};
use kibitzer::verify;

/// Heaps of Nim; a move takes any number from one heap.
struct Nim {
    heaps: Vec<u8>,
    misere: bool,
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

    fn state_bytes(&self) -> usize {
        self.heaps.len()
    }

    fn pack(&self, heaps: &Vec<u8>, out: &mut [u8]) {
        out.copy_from_slice(heaps);
    }

    fn unpack(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }
}

impl Game for Nim {
    fn terminal(&self, heaps: &Vec<u8>) -> Option<bool> {
        heaps.iter().all(|&heap| heap == 0).then_some(self.misere)
    }

    fn impartial(&self) -> bool {
        !self.misere
    }
}

/// A row of pins; a move knocks down one, or two that stand together.
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

    fn state_bytes(&self) -> usize {
        8
    }

    fn pack(&self, pins: &u64, out: &mut [u8]) {
        out.copy_from_slice(&pins.to_le_bytes());
    }

    fn unpack(&self, bytes: &[u8]) -> u64 {
        u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
    }
}

impl Game for Kayles {}

/// All roads to a game's worth must agree with what is known.
fn agree<G: Game>(game: &G, wins: bool, grundy: Option<u16>) {
    let start = game.start();
    let winner = Search::<G, bool>::new(game).value(&start, &Limits::none());
    assert_eq!(winner, Ok(wins));
    for fold in [false, true] {
        let labeled = induction::label(game, &start, fold, &Limits::none()).unwrap_or_else(|_| panic!("no limit"));
        assert_eq!(labeled.worth(&start).wins, wins);
        if let Some(grundy) = grundy {
            assert_eq!(labeled.worth(&start).grundy, grundy);
        }
    }
    if let Some(grundy) = grundy {
        assert_eq!(Search::<G, u16>::new(game).value(&start, &Limits::none()), Ok(grundy));
    }
    let (worth, _) = verify::worth(game, &start, &Limits::nodes(100_000)).expect("small");
    assert!(worth.0 == wins && grundy.is_none_or(|grundy| grundy == worth.1));
}

#[test]
fn nim_is_the_sum_without_carry() {
    for heaps in [vec![], vec![0], vec![5], vec![1, 2, 3], vec![3, 4, 5], vec![1, 1], vec![7, 7, 2], vec![2, 5, 7], vec![9, 1, 8, 3]] {
        let grundy = heaps.iter().fold(0, |sum, &heap| sum ^ u16::from(heap));
        agree(&Nim { heaps, misere: false }, grundy != 0, Some(grundy));
    }
}

#[test]
fn misere_nim_turns_round_when_all_heaps_are_small() {
    for heaps in [vec![1u8], vec![1, 1], vec![1, 1, 1], vec![2], vec![2, 2], vec![3, 1], vec![1, 2, 3], vec![4, 5, 1], vec![0]] {
        let sum = heaps.iter().fold(0, |sum, &heap| sum ^ heap);
        let wins = if heaps.iter().all(|&heap| heap <= 1) { sum == 0 } else { sum != 0 };
        agree(&Nim { heaps, misere: true }, wins, None);
    }
}

#[test]
fn kayles_has_its_known_values() {
    // OEIS A002186.
    for (pins, value) in [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4].into_iter().enumerate() {
        agree(&Kayles(pins as u32), value != 0, Some(value));
    }
}

#[test]
fn play_lasts_as_long_as_the_loser_can_make_it() {
    // One heap: take all. Two equal heaps: one at a time, and the other answers.
    for (heaps, length) in [(vec![7], 1), (vec![3, 3], 6), (vec![4, 3], 7), (vec![], 0)] {
        let game = Nim { heaps, misere: false };
        let labeled = induction::label(&game, &game.start(), true, &Limits::none()).unwrap_or_else(|_| panic!("no limit"));
        assert_eq!(labeled.worth(&game.start()).length, length);
    }
}

#[test]
fn a_stopped_search_goes_on() {
    let game = Kayles(14);
    let mut whole = Search::<Kayles, u16>::new(&game);
    let value = whole.value(&game.start(), &Limits::none()).expect("no limit");
    let mut stepped = Search::<Kayles, u16>::new(&game);
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
    let stopped = Search::<Kayles, bool>::new(&game).value(&game.start(), &Limits::until(|_| true));
    assert_eq!(stopped, Err(Limit::Time));
    let small = Search::<Kayles, bool>::new(&game).value(&game.start(), &Limits { bytes: 100, ..Limits::none() });
    assert_eq!(small, Err(Limit::Memory));
}

#[test]
fn the_least_excluded_number() {
    assert_eq!([mex(&[]), mex(&[0]), mex(&[1, 2]), mex(&[0, 1, 3]), mex(&[2, 0, 1, 1, 900])], [0, 1, 0, 2, 3]);
}
