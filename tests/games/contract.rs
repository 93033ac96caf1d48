//! The contract, checked on every registered game and on the templates; `GAME=NAME` selects one game.

use kibitzer::drawing::Drawing;
use kibitzer::games::{self, Visitor};
use kibitzer::rules::{Game, Problem};
use kibitzer::search::{self, Optimal};
use kibitzer_contract::{Check, one_player, two_player};

/// Runs the check with this name on every game that has it.
struct Named(&'static str);

impl Named {
    fn run(&self, checks: &[Check], game: &str) {
        checks.iter().filter(|(name, _)| *name == self.0).for_each(|(_, check)| check(crate::entry(game)));
    }
}

impl Visitor for Named {
    fn one_player<P: Problem + Drawing>(&mut self) {
        self.run(&one_player::checks::<P>(), P::INFO.name);
    }

    fn two_player<G: Game + Drawing>(&mut self) {
        self.run(&two_player::checks::<G>(), G::INFO.name);
    }
}

/// Defines one test per check.
macro_rules! checks {
    ($($check:ident)*) => {$(
        #[test]
        fn $check() {
            crate::common::visit(&mut Named(stringify!($check)));
        }
    )*};
}

checks!(declarations laws shown reader measures methods sums changes heuristics resuming limits plans);

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
    let listed: Vec<&str> = games::GAMES.iter().map(|entry| entry.name).collect();
    assert_eq!(names.0[..listed.len()], listed);
    assert_eq!(names.0[listed.len()..], ["template", "template2"]);
    for name in listed {
        assert!(games::find(name).is_some());
        assert!(!crate::common::instances(name).is_empty(), "instances/{name}/ has no boards; add some");
    }
    let mut words: Vec<&str> = search::METHODS.iter().flat_map(|method| method.aliases.iter().copied().chain([method.name])).collect();
    words.sort_unstable();
    assert!(words.is_sorted_by(|a, b| a < b), "method names and aliases are distinct");
}

/// Properties of methods that hold for every game.
#[test]
fn methods_have_descriptions_and_are_found_by_name() {
    for method in search::METHODS {
        assert!(!method.about.is_empty() && !method.optimal.about().is_empty() && !method.memory.about().is_empty());
        assert_eq!(method.guided, matches!(method.optimal, Optimal::Admissible | Optimal::Bounded) || method.name == "greedy");
        assert_eq!(search::find(&method.name.to_uppercase()).map(|found| found.name), Some(method.name));
    }
    assert_eq!(search::find("A*").map(|method| method.name), Some("astar"));
    assert!(search::find("magic").is_none());
}
