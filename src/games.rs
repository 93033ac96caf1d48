//! The games. A new game needs one file here and one entry in the list below; the help, the tests, the program and the page pick it
//! up from there. [`template`] and [`template2`] are built and tested like games but not listed.

pub mod chexers;
pub mod connect;
pub mod edge;
pub mod kayles;
pub mod maze;
pub mod moles;
pub mod pegs;
pub mod template;
pub mod template2;
pub mod tiles;
pub mod tricolor;

use crate::catalog::{Entry, Games};
use crate::drawing::Drawing;
use crate::rules::{Game, Problem};

/// Defines the registry and the function `visit` from one list of games, each given as its number of players and its type.
macro_rules! games {
    ($($players:ident $game:ty),* $(,)?) => {
        /// Every game, in list order. This is not a `const`, because a `const` would be compiled again, with every solver of every
        /// game, in each crate that uses it.
        pub static GAMES: Games = Games::new(&[$(Entry::$players::<$game>()),*]);

        /// Calls the visitor with the type of every game and, for the contract tests, of both templates.
        pub fn visit(visitor: &mut impl Visitor) {
            $(visitor.$players::<$game>();)*
            visitor.one_player::<template::Jugs>();
            visitor.two_player::<template2::TicTacToe>();
        }
    };
}

games![
    one_player tricolor::Tricolor,
    one_player pegs::Pegs,
    two_player edge::Edge,
    one_player moles::Moles,
    one_player chexers::Chexers,
    one_player tiles::Tiles,
    one_player maze::Maze,
    two_player connect::Connect,
    two_player kayles::Kayles,
];

/// An operation to perform on the type of every game.
pub trait Visitor {
    fn one_player<P: Problem + Drawing>(&mut self);

    /// Does nothing by default, for visitors that need only one-player games.
    fn two_player<G: Game + Drawing>(&mut self) {}
}

pub fn find(name: &str) -> Option<&'static Entry> {
    GAMES.find(name)
}
