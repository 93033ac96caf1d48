//! Spaces of packed states, used through the trait object. The counts for a two-player game, with and without symmetry, are compared with
//! backward induction. The successors of a batch are compared with a list of expected states.

use std::sync::Arc;

use crate::gamegraph::{Nim, labels};
use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::{Rules, Score};
use kibitzer::search::explore::explore;
use kibitzer::space::{Batch, RulesSpace, Space, Status, Successors};

#[test]
fn exploring_counts_the_same_positions_as_induction() {
    // Nine heaps do not fit in a 64-bit word.
    for heaps in [vec![3, 5, 7], vec![2; 9]] {
        for fold in [false, true] {
            let game = Arc::new(Nim::new(heaps.clone()));
            let labeled = labels(&*game, &game.start(), fold);
            let counts: Vec<_> =
                labeled.counts(&Limits::none()).expect("no limit").iter().map(|count| (count.layer, count.states, count.moves)).collect();
            let space = RulesSpace::of_game(Arc::clone(&game), game.start(), fold);
            let found = explore(&space, &Limits::none());
            assert_eq!(found.layers.iter().map(|layer| (layer.layer, layer.states, layer.moves)).collect::<Vec<_>>(), counts);
            let total = found.total();
            assert_eq!((total.dead_ends, total.goals, found.limit), (1, 0, None));
            // A limit of exactly the total number of states is enough; a limit one lower is not.
            assert_eq!(explore(&space, &Limits::nodes(total.states)).limit, None);
            assert_eq!(explore(&space, &Limits::nodes(total.states - 1)).limit, Some(Limit::Nodes));
            assert_eq!(explore(&space, &Limits { bytes: 1000, ..Limits::none() }).limit, Some(Limit::Memory));
        }
    }
}

#[test]
fn successors_of_a_batch() {
    let game = Arc::new(Nim::new(vec![1, 2]));
    let space: &dyn Space = &RulesSpace::of_game(game, vec![1, 2], true);
    assert_eq!((space.width(), space.start(), space.layer(&[0, 1]), space.orbit(&[1, 1])), (2, vec![1, 2], Some(2), 1));
    assert_eq!((space.status(&[0, 1]), space.status(&[0, 0])), (Status::Open, Status::Over(Score::Loss)));
    let mut batch = Batch::new(2);
    for state in [[1, 2], [0, 0], [0, 2]] {
        batch.push(|out| out.copy_from_slice(&state));
    }
    let mut out = Successors::new(2);
    // The buffer is reused.
    for _ in 0..2 {
        assert_eq!(space.successors(&batch, &mut out, &Limits::none()), Ok(()));
        let states: Vec<&[u8]> = (0..out.states().len()).map(|at| out.states().get(at)).collect();
        assert_eq!(states, [[0, 2], [1, 1], [0, 1], [0, 1], [0, 0]]);
        assert_eq!(out.parents().iter().map(|parent| parent.end).collect::<Vec<_>>(), [3, 3, 5]);
        assert_eq!(out.runs().collect::<Vec<_>>(), [(Some(1), 0..2), (Some(2), 2..4), (Some(3), 4..5)]);
        assert_eq!(out.costs(), [1; 5]);
    }
    assert_eq!(space.successors(&batch, &mut out, &crate::common::stopped()), Err(Limit::Time));
    assert_eq!(space.successors(&batch, &mut out, &Limits { bytes: 10, ..Limits::none() }), Err(Limit::Memory));
}
