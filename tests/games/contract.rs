//! The contract, checked on every game of the registry and on the templates; `GAME=NAME` picks one.

use kibitzer::catalog::Entry;
use kibitzer::drawing::Drawing;
use kibitzer::games::{self, Visitor};
use kibitzer::rules::{Game, Problem};
use kibitzer::search::{self, Optimal};
use kibitzer_contract::{one_player, two_player};

/// A test for each check that is there for one player and for two.
macro_rules! every_game {
    ($($check:ident)*) => {$(
        #[test]
        fn $check() {
            struct Check;
            impl Visitor for Check {
                fn one_player<P: Problem + Drawing>(&mut self) {
                    one_player::$check::<P>(crate::entry(P::INFO.name));
                }
                fn two_player<G: Game + Drawing>(&mut self) {
                    two_player::$check::<G>(crate::entry(G::INFO.name));
                }
            }
            crate::common::visit(&mut Check);
        }
    )*};
}

/// A test for each check that is only there for one player.
macro_rules! every_puzzle {
    ($($check:ident)*) => {$(
        #[test]
        fn $check() {
            struct Check;
            impl Visitor for Check {
                fn one_player<P: Problem + Drawing>(&mut self) {
                    one_player::$check::<P>(crate::entry(P::INFO.name));
                }
            }
            crate::common::visit(&mut Check);
        }
    )*};
}

every_game!(declarations laws shown reader methods);
every_puzzle!(heuristics resuming limits);

#[test]
fn the_registry_is_in_order() {
    struct Names(Vec<&'static str>);
    impl Visitor for Names {
        fn one_player<P: Problem + Drawing>(&mut self) {
            self.0.push(P::INFO.name);
        }

        fn two_player<G: Game + Drawing>(&mut self) {
            self.0.push(G::INFO.name);
        }
    }
    let mut names = Names(Vec::new());
    games::visit(&mut names);
    let listed: Vec<&str> = games::GAMES.iter().map(|entry: &Entry| entry.name).collect();
    assert_eq!(names.0[..listed.len()], listed);
    assert_eq!(names.0[listed.len()..], ["template", "template2"]);
    for name in listed {
        assert!(games::find(name).is_some());
        assert!(!crate::common::instances(name).is_empty(), "there are no boards in instances/{name}/; put some there");
    }
    let mut words: Vec<&str> = search::METHODS.iter().flat_map(|method| method.aliases.iter().copied().chain([method.name])).collect();
    words.sort_unstable();
    assert!(words.is_sorted_by(|a, b| a < b), "no word means two methods");
}

/// Facts about methods that hold whatever the game.
#[test]
fn method_facts_are_used() {
    for method in search::METHODS {
        assert!(!method.about.is_empty() && !method.optimal.about().is_empty() && !method.memory.about().is_empty());
        assert_eq!(method.guided, matches!(method.optimal, Optimal::Admissible | Optimal::Bounded) || method.name == "greedy");
        assert_eq!(search::find(&method.name.to_uppercase()).map(|found| found.name), Some(method.name));
    }
    assert_eq!(search::find("A*").map(|method| method.name), Some("astar"));
    assert!(search::find("magic").is_none());
}
