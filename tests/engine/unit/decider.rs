//! Depth-first search of two-player games: the points at which limits stop it, and its memory count.

use std::sync::{Arc, Mutex};

use kibitzer::gamegraph::decider::{Decider, Grundy};
use kibitzer::limits::{Cancel, Limit, Limits};
use kibitzer::rules::{Game, Keys, Rules};

/// Nim with one heap. Cancels the search after a given number of calls to `key`, because a deadline may also pass while a position is being
/// expanded.
struct Nim {
    heap: u16,
    keys_left: Mutex<(u32, Cancel)>,
}

impl Nim {
    fn new(heap: u16) -> Nim {
        Nim { heap, keys_left: Mutex::new((u32::MAX, Cancel::default())) }
    }
}

impl Rules for Nim {
    type State = u16;
    type Move = u16;

    fn start(&self) -> u16 {
        self.heap
    }

    fn moves(&self, heap: &u16, out: &mut Vec<u16>) {
        out.extend(1..=*heap);
    }

    fn apply(&self, heap: &u16, take: &u16) -> u16 {
        heap - take
    }
}

impl Game for Nim {
    const KEYS: Keys<Self> = Keys {
        key: |nim, heap, out| {
            out.extend(heap.to_be_bytes());
            let (left, cancel) = &mut *nim.keys_left.lock().expect("no panic");
            *left -= 1;
            if *left == 0 {
                cancel.stop(Limit::Time);
            }
        },
        ..Keys::DEFAULT
    };
}

#[test]
fn a_limit_ends_the_search_between_two_moves_and_it_resumes_there() {
    let mut whole: Decider<Nim, Grundy> = Decider::new(Arc::new(Nim::new(60)));
    assert_eq!(whole.value(&60, &Limits::none()), Ok(60));
    let game = Arc::new(Nim::new(60));
    let mut search: Decider<Nim, Grundy> = Decider::new(Arc::clone(&game));
    let mut stops = 0;
    let value = loop {
        let limits = Limits::none();
        *game.keys_left.lock().expect("no panic") = (7, limits.cancel.clone());
        match search.value(&60, &limits) {
            Ok(value) => break value,
            Err(limit) => assert_eq!(limit, Limit::Time),
        }
        assert_eq!(game.keys_left.lock().expect("no panic").0, 0, "no key after the flag was set");
        stops += 1;
    };
    assert_eq!(value, 60);
    assert!(stops > 200, "only {stops} stops in 1,830 moves");
    assert_eq!((search.stats().expanded, search.stats().generated), (whole.stats().expanded, whole.stats().generated));
}

#[test]
fn waiting_moves_count_as_memory() {
    let mut search: Decider<Nim, Grundy> = Decider::new(Arc::new(Nim::new(10_000)));
    assert_eq!(search.value(&10_000, &Limits { bytes: 200_000, ..Limits::none() }), Err(Limit::Memory));
    assert!(search.stats().stored < 100 && search.stats().peak_bytes > 200_000);
}
