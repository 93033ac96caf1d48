//! The games. A new game is one file here and one name in the list below; help, tests, program and page follow.
//! [`template`] is built and tested like a game but not listed.

pub mod chexers;
pub mod moles;
pub mod pegs;
pub mod template;
pub mod tricolor;

use crate::catalog::Entry;
use crate::notation::Notation;
use crate::rules::Problem;

/// Makes the registry, and the visit of all types in it, from one list.
macro_rules! games {
    ($($game:ty),*) => {
        /// Every game, in the order in which they are listed.
        pub const GAMES: &[Entry] = &[$(Entry::one_player::<$game>()),*];

        /// Shows the visitor every game's type, and the template's. The contract tests come in here.
        pub fn visit(visitor: &mut impl Visitor) {
            $(visitor.one_player::<$game>();)*
            visitor.one_player::<template::Jugs>();
        }
    };
}

games![tricolor::Tricolor, pegs::Pegs, moles::Moles, chexers::Chexers];

/// Something to be done with every game, as a type.
pub trait Visitor {
    fn one_player<P: Problem + Notation>(&mut self);
}

/// The game with this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    GAMES.iter().find(|entry| entry.name == name)
}
