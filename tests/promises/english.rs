//! All 23 million positions of the English peg solitaire board, and other large counts.

use kibitzer::catalog::Choice;
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

/// The number of ways to play the central game, published by G. I. Bell.
#[test]
fn all_plans_of_the_central_game() {
    let puzzle = open("pegs", &file("instances/pegs/english.txt"), &[]);
    let mut report = puzzle.solve(&Choice::default(), &Limits::none()).expect("no fault");
    puzzle.count_plans(&mut report, Some(2), &Limits::none()).expect("finite");
    let plans = report.plans.expect("they were counted");
    assert_eq!(plans.count.as_deref(), Some("40861647040079968"));
    assert!(plans.list.is_some_and(|list| list.len() == 2 && list.iter().all(|plan| plan.len() == 31)));
}

/// All moles on 5 x 5 holes: four solutions of 15 hits, each in 15! orders.
#[test]
fn plans_of_a_linear_board() {
    let puzzle = open("moles", &file("instances/moles/full-5.txt"), &[]);
    let mut report = puzzle.solve(&Choice::default(), &Limits::none()).expect("no fault");
    puzzle.count_plans(&mut report, None, &Limits::none()).expect("finite");
    let orders: u64 = (1..=15).product();
    assert_eq!(report.plans.and_then(|plans| plans.count), Some((4 * orders).to_string()));
}
