//! For every game, any number of workers produces the same counts as one process.

use std::sync::Arc;

use kibitzer::limits::{Limit, Limits};
use kibitzer::search::explore::explore as explore_alone;
use kibitzer_cluster::explore;
use kibitzer_cluster::net::Cluster;

/// Maximum number of states per space in these tests.
const NODES: u64 = 20_000;

#[test]
fn every_game_gives_the_same_layers_on_any_number_of_workers() {
    let mut complete = 0;
    for (name, puzzle) in crate::boards::boards() {
        for fold in [true, false] {
            let mut expected = explore_alone(&*puzzle.space(fold), &Limits::nodes(NODES));
            complete += usize::from(expected.limit.is_none());
            expected.peak_bytes = 0;
            let mut deepest = None;
            for workers in [1, 2, 5] {
                let mut found =
                    explore::explore(Arc::from(puzzle.space(fold)), &Cluster::local(workers), &Limits::nodes(NODES)).expect("no fault");
                found.explored.peak_bytes = 0;
                assert_eq!(found.explored, expected, "{name} on {workers} workers, symmetry {fold}");
                assert_eq!(*deepest.get_or_insert(found.deepest.clone()), found.deepest, "{name} on {workers} workers");
            }
        }
    }
    assert!(complete > 60, "{complete} spaces were small enough");
}

#[test]
fn a_limit_ends_the_work_on_all_workers() {
    let puzzle = crate::boards::board("pegs", "english.txt");
    let few = Limits { bytes: 1 << 20, ..Limits::none() };
    let found = explore::explore(Arc::from(puzzle.space(true)), &Cluster::local(3), &few).expect("no fault");
    assert_eq!(found.explored.limit, Some(Limit::Memory));
    let whole = explore_alone(&*puzzle.space(true), &Limits::nodes(NODES)).layers;
    assert!(found.explored.layers.len() > 3);
    assert_eq!(found.explored.layers[..3], whole[..3]);
    let stopped = Limits::none();
    stopped.cancel.stop(Limit::Time);
    let found = explore::explore(Arc::from(puzzle.space(true)), &Cluster::local(2), &stopped).expect("no fault");
    assert_eq!((found.explored.limit, found.explored.layers.len()), (Some(Limit::Time), 0));
}
