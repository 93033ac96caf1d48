//! `sort`, compared with the stable sort of the standard library.

use std::cmp::Reverse;

use kibitzer::random::Random;
use kibitzer::sort;

#[test]
fn lists_are_sorted_and_equal_items_keep_their_order() {
    let mut random = Random::new(1);
    for length in (0..40).chain([1000]) {
        // Items with the same first number are distinguished by their second number, the position before sorting.
        let list: Vec<(usize, usize)> = (0..length).map(|place| (random.below(1 + length / 3), place)).collect();

        let (mut ours, mut theirs) = (list.clone(), list.clone());
        sort::by_key(&mut ours, |item| Reverse(item.0));
        theirs.sort_by_key(|item| Reverse(item.0));
        assert_eq!(ours, theirs, "by key, {length} items");

        let (mut ours, mut theirs) = (list.clone(), list.clone());
        sort::by(&mut ours, |a, b| a.0.cmp(&b.0));
        theirs.sort_by_key(|item| item.0);
        assert_eq!(ours, theirs, "by comparison, {length} items");

        let texts: Vec<String> = list.iter().map(|item| item.0.to_string()).collect();
        let (mut ours, mut theirs) = (texts.clone(), texts);
        sort::ascending(&mut ours);
        theirs.sort();
        assert_eq!(ours, theirs, "ascending, {length} items");
    }
}
