//! The English board of peg solitaire, whole: 23 million positions.

use kibitzer::limits::Limits;
use kibitzer::notation::Options;

/// The published numbers, through the generic engine.
#[test]
fn the_whole_english_board() {
    let english = std::fs::read_to_string(crate::common::root().join("instances/pegs/english.txt")).expect("there");
    let space =
        kibitzer::games::find("pegs").expect("a game").parse(&english, &Options::default()).expect("sound").explore(&Limits::none());
    let total = space.explored.total();
    assert_eq!((total.states, space.unfolded, total.goals), (23_475_688, Some(187_636_299), 1));
    assert_eq!(space.explored.layers.len(), 32);
}
