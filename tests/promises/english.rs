//! All 23 million positions of the English peg solitaire board.

use kibitzer::limits::Limits;

use crate::common::{file, open};

/// The generic engine finds the published counts.
#[test]
fn the_whole_english_board() {
    let space = open("pegs", &file("instances/pegs/english.txt"), &[]).explore(&Limits::none());
    let total = space.explored.total();
    assert_eq!((total.states, space.unfolded, total.goals), (23_475_688, Some(187_636_299), 1));
    assert_eq!(space.explored.layers.len(), 32);
}
