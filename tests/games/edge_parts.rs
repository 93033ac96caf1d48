//! Parts of the Edge-Distinguishing Game: label sets and position keys.

use kibitzer::games::edge::Edge;
use kibitzer::games::edge::labels::{LabelRows, Labels};
use kibitzer::notation::{Options, parse};
use kibitzer::rules::{Game, Rules};

/// For up to 8 colors, label sets of every width agree with the definition.
#[test]
fn widths_of_labels_agree() {
    for (one, other) in (0..256u64).flat_map(|one| (0..256u64).map(move |other| (one, other))) {
        let (narrow, middle, wide) =
            (u64::pairs(one, other), LabelRows::<u16, 16>::pairs(one, other), LabelRows::<u64, 64>::pairs(one, other));
        for color in 0..8 {
            let expected = if one >> color & 1 == 1 { other } else { 0 } | if other >> color & 1 == 1 { one } else { 0 };
            assert_eq!([narrow.row(color), middle.row(color), wide.row(color)], [expected; 3], "{one:b} {other:b}");
        }
    }
}

/// The example in the documentation of `reduce`, two other boards with the same key, and the board after the free move at h, where only
/// the parity differs.
#[test]
fn the_worked_example_of_a_key() {
    for (position, expected) in [
        ("-,-,1,-,2,1,3,-", [0xbb, 0x01]),
        ("-,-,1,2,-,1,3,-", [0xbb, 0x01]),
        ("-,-,2,-,1,2,3,-", [0xbb, 0x01]),
        ("-,-,1,-,2,1,3,3", [0xba, 0x01]),
    ] {
        let edge: Edge = parse(&format!("graph: P8; colors: 3; position: {position}"), &Options::default()).expect("valid");
        let mut bytes = Vec::new();
        (Edge::KEYS.key)(&edge, &edge.start(), &mut bytes);
        assert_eq!(bytes, expected, "{position}");
    }
}
