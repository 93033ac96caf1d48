//! How a game looks: the contract for drawing, and what a game may show besides.
//!
//! A game implements [`Drawing`] to be drawn and played with a pointer; shapes and their names are in [`crate::scene`].

use crate::limits::{Limit, Limits};
use crate::notation::Notation;
use crate::outcome::Certificate;
use crate::scene::{Brush, Explanation, Scene};

/// A state as shapes, and the clicks that make a move.
pub trait Drawing: Notation {
    /// What there is to understand about a state, if the game can say.
    const LESSON: Option<Lesson<Self>> = None;

    /// Changing a board by hand, if the game offers that.
    const EDITOR: Option<Editor<Self>> = None;

    /// Putting what is drawn elsewhere by hand, if the game offers that. Default: everything stays where the game draws it.
    const ARRANGING: Option<Arranging<Self>> = None;

    /// The state as shapes. Ask the limits as it grows ([`Scene::check`]): large boards take seconds.
    fn scene(&self, state: &Self::State, limits: &Limits) -> Result<Scene, Limit>;

    /// The named shapes of the scene to click, in order, to make a move. Different moves need different clicks, and no
    /// move's clicks may begin another's.
    fn clicks(&self, state: &Self::State, mv: &Self::Move) -> Vec<String>;
}

/// What there is to understand: [`Drawing::LESSON`].
pub struct Lesson<R: Drawing> {
    /// The idea behind the best estimate for a state, or the algebra; `None` where there is nothing to say or a limit was hit.
    pub explain: fn(&R, &R::State, &Limits) -> Option<Explanation>,
    /// A proof that there is no solution, shown on the board.
    pub show_proof: fn(&R, &R::State, &Certificate) -> Explanation,
}

/// An editor: [`Drawing::EDITOR`].
pub struct Editor<R: Drawing> {
    /// Ways to change this board.
    pub brushes: fn(&R) -> &'static [Brush],
    /// The state as it is shown for editing; places that can be made part of the board may be shown, too.
    pub canvas: fn(&R, &R::State, &Limits) -> Result<Scene, Limit>,
    /// The instance after a brush was used on these named shapes of the canvas, as many as it takes; nothing if it cannot be
    /// used there. What it gives is read like any text from outside.
    pub paint: fn(&R, &R::State, &str, &[&str]) -> Option<String>,
}

/// From a name and a point of the scene to an instance, or nothing.
pub type AtPoint<R> = fn(&R, &<R as crate::rules::Rules>::State, &str, (f64, f64), &Limits) -> Result<Option<String>, Limit>;

/// Arranging a drawing by hand: [`Drawing::ARRANGING`]. [`Scene::movable`] lists what can be moved. Where things are drawn is part of the
/// instance's text, and nothing but the scene may depend on it.
pub struct Arranging<R: Drawing> {
    /// The instance with a named shape of the scene at another point of it, or as near as it can be; nothing if the shape
    /// cannot be moved. What it gives is read like any text from outside.
    pub place: AtPoint<R>,
    /// Brushes of the editor that take a point of the canvas in place of shapes.
    pub brushes: &'static [&'static str],
    /// The instance after such a brush was used at a point; nothing if it cannot be used there.
    pub paint: AtPoint<R>,
}
