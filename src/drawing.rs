//! The contract for drawing a game, with explanations, an editor and pictures of the rules.
//!
//! A game implements [`Drawing`] to be drawn and played with a pointer; shapes and their names are in [`crate::scene`].

use crate::limits::{Limit, Limits};
use crate::notation::Notation;
use crate::outcome::Certificate;
use crate::scene::{Brush, Explanation, Paint, Scene};

/// Draws a state as shapes, and maps moves to clicks.
pub trait Drawing: Notation {
    /// Explanations of states and proofs, if the game has any.
    const LESSON: Option<Lesson<Self>> = None;

    /// Editing a board by hand, if the game supports it.
    const EDITOR: Option<Editor<Self>> = None;

    /// The rules of a board in three small pictures, if the game draws its own pictures.
    ///
    /// Default: pictures of a legal move, the cost of moves, and a final position. Every sentence must be true under the board's
    /// options.
    const PRIMER: Option<Primer<Self>> = None;

    /// The place of each state on the board, if the game has places. If present, a search can be painted on the board.
    ///
    /// Default: none.
    const TRACK: Option<Track<Self>> = None;

    /// The state as shapes. Implementations must check the limits as the scene grows ([`Scene::check`]), because large boards take
    /// seconds.
    fn scene(&self, state: &Self::State, limits: &Limits) -> Result<Scene, Limit>;

    /// The named shapes of the scene to click, in order, to make a move. Different moves need different clicks, and one move's
    /// clicks must not be a prefix of another's.
    fn clicks(&self, state: &Self::State, mv: &Self::Move) -> Vec<String>;
}

/// The places of states on the board: [`Drawing::TRACK`].
pub struct Track<R: Drawing> {
    /// The name of the shape that marks a state's place, such as the cell that was entered or the piece that moved. A name that is not
    /// in the scene is not painted.
    pub place: fn(&R, &R::State) -> String,
    /// True if different states of an instance have different places, so that one board can show a whole search.
    pub whole: bool,
}

/// Explanations: [`Drawing::LESSON`].
pub struct Lesson<R: Drawing> {
    /// Explains the best estimate for a state, or the game's algebra; `None` if there is nothing to explain or a limit was reached.
    pub explain: fn(&R, &R::State, &Limits) -> Option<Explanation>,
    /// A proof that there is no solution, shown on the board.
    pub show_proof: fn(&R, &R::State, &Certificate) -> Explanation,
    /// Computes the value that the invariant or potential behind a proof has in a state; `None` if the game has no such proofs.
    pub measure: Option<MeasureFn<R>>,
}

/// Measures a state that is reached by moves from the state that a certificate covers. `None` if this certificate has no invariant
/// or potential. A wrong value misleads players, but no answer depends on it.
pub type MeasureFn<R> = fn(&R, &<R as crate::rules::Rules>::State, &Certificate) -> Option<Measure>;

/// The value of an invariant or a potential in one state. It shows, move by move, why no goal can be reached.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Measure {
    pub kind: MeasureKind,
    /// A sentence about the state, without the final period: `3 of the 8 outlined vertices are red`.
    pub text: String,
    /// The value in one to three words: `odd`, `4`.
    pub value: String,
    /// The value that every goal has: `even`, `at least 5`.
    pub goal: String,
    /// The value as numbers, for tests.
    #[serde(skip)]
    pub numbers: Vec<i64>,
}

/// The effect of moves on a [`Measure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MeasureKind {
    /// No move changes any number, and every goal has different numbers.
    Invariant,
    /// No move increases any number, and every goal has a greater number.
    Potential,
}

/// An editor: [`Drawing::EDITOR`].
pub struct Editor<R: Drawing> {
    /// Ways to change this board.
    pub brushes: fn(&R) -> &'static [Brush],
    /// The state as shown for editing, which may include places that can be added to the board.
    pub canvas: fn(&R, &R::State, &Limits) -> Result<Scene, Limit>,
    /// The instance after a brush is applied to these named shapes of the canvas; `None` if the brush cannot be used there. The
    /// result is read like any external text.
    pub paint: fn(&R, &R::State, &str, &[&str]) -> Option<String>,
    /// Moving shapes by hand, if the game supports it.
    pub arranging: Option<Arranging<R>>,
    /// Painting by dragging, if the game supports it. If it does, brushes that need one click are applied to every shape that the
    /// pointer crosses.
    pub dragging: Option<Dragging<R>>,
}

/// Painting by dragging: [`Editor::dragging`].
pub struct Dragging<R: Drawing> {
    /// Named shapes of the canvas, each with the brush that a drag from it uses, whatever brush is selected. For example, a drag from the
    /// start moves the start.
    pub grips: GripsFn<R>,
}

/// Lists named shapes, each with a brush.
pub type GripsFn<R> = fn(&R, &<R as crate::rules::Rules>::State) -> Vec<(String, &'static str)>;

/// Maps a name and a point of the scene to an instance.
pub type AtPoint<R> = fn(&R, &<R as crate::rules::Rules>::State, &str, (f64, f64), &Limits) -> Result<Option<String>, Limit>;

/// Arranging a drawing by hand: [`Editor::arranging`]. [`Scene::movable`] lists the shapes that can be moved. Their coordinates are
/// part of the instance's text, and only the scene may depend on them.
pub struct Arranging<R: Drawing> {
    /// The instance after the named shape is moved to a point, or as near to it as possible; `None` if the shape cannot be moved.
    /// The result is read like any external text.
    pub place: AtPoint<R>,
    /// Brushes of the editor that are applied to a point of the canvas instead of shapes.
    pub brushes: &'static [&'static str],
    /// The instance after one of these brushes is applied at a point; `None` if the brush cannot be used there.
    pub paint: AtPoint<R>,
}

/// The rules in small pictures: [`Drawing::PRIMER`].
pub struct Primer<R: Drawing> {
    /// Up to three cards, in reading order, for boards with the same options as this one. Empty if the cards are to be derived from the
    /// board, as for a game without a primer.
    pub cards: fn(&R) -> Vec<Card>,
    /// A simple drawing of a state of a card's board, displayed about 60 pixels wide. Names and labels are the same as in
    /// [`Drawing::scene`].
    pub picture: fn(&R, &R::State, &Limits) -> Result<Scene, Limit>,
}

/// One sentence about the rules, with a small board that illustrates it. The board and the move are read from text like any other board and
/// move, so a picture shows the actual rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    pub topic: Topic,
    /// One or two short sentences, about 90 characters in total. If the text contains the word `cost`, every number in it must be
    /// the cost of a move. If it contains `cost` but no number, `shown` must be [`ShownMove::Priced`].
    pub sentence: String,
    /// A small board with the same options as the board being explained.
    pub instance: String,
    pub shown: ShownMove,
    /// Text on named shapes of the first picture.
    pub notes: Vec<Note>,
    /// Named shapes of the first picture to highlight in addition to the clicked shapes.
    pub points: Vec<String>,
}

/// The subject of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Topic {
    /// The effect of a move.
    Move,
    /// A move that is not legal.
    Forbidden,
    /// The cost of moves.
    Cost,
    /// The end of the game, or how it is won. The picture shows a final state.
    Goal,
}

/// The move shown on a card's board, in the game's notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownMove {
    /// No move, so there is one picture.
    Nothing,
    /// A move, with one picture before it and one after it.
    Move(String),
    /// A move, with its cost between the pictures.
    Priced(String),
    /// A move that is not legal, so there is one picture.
    Illegal(String),
}

/// Short text on a named shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub name: String,
    pub text: String,
    pub paint: Paint,
    /// True if the text is crossed out.
    pub crossed: bool,
}

impl Card {
    pub fn new(topic: Topic, sentence: impl Into<String>, instance: impl Into<String>) -> Card {
        Card {
            topic,
            sentence: sentence.into(),
            instance: instance.into(),
            shown: ShownMove::Nothing,
            notes: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Shows a move.
    pub fn making(self, mv: impl Into<String>) -> Card {
        Card { shown: ShownMove::Move(mv.into()), ..self }
    }

    /// Shows a move with its cost.
    pub fn pricing(self, mv: impl Into<String>) -> Card {
        Card { shown: ShownMove::Priced(mv.into()), ..self }
    }

    /// Shows a move that is not legal.
    pub fn refusing(self, mv: impl Into<String>) -> Card {
        Card { shown: ShownMove::Illegal(mv.into()), ..self }
    }

    /// Highlights a named shape.
    pub fn point(mut self, name: impl Into<String>) -> Card {
        self.points.push(name.into());
        self
    }

    /// Writes text on a named shape.
    pub fn note(mut self, name: impl Into<String>, text: impl Into<String>, paint: Paint) -> Card {
        self.notes.push(Note { name: name.into(), text: text.into(), paint, crossed: false });
        self
    }

    /// Writes crossed-out text on a named shape.
    pub fn cross(mut self, name: impl Into<String>, text: impl Into<String>, paint: Paint) -> Card {
        self.notes.push(Note { name: name.into(), text: text.into(), paint, crossed: true });
        self
    }
}
