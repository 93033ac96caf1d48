//! The operations on a board that do not depend on the number of players: drawing it, showing proofs on it, and editing it.

use super::{LegalMove, Position};
use crate::drawing::{Drawing, Editor, Measure};
use crate::limits::{Limit, Limits};
use crate::notation::sentence;
use crate::outcome::Certificate;
use crate::scene::{Brush, Explanation, Gesture, Scene};

/// Edits a board by hand.
pub trait Edit {
    fn brushes(&self) -> &'static [Brush];

    /// The board as shown for editing.
    fn canvas(&self, limits: &Limits) -> Result<Scene, Limit>;

    /// The instance after a brush is applied to named shapes of the canvas; `None` if the brush cannot be used there.
    fn paint(&self, brush: &str, shapes: &[&str]) -> Option<String>;

    /// Brushes that are applied to a point of the canvas instead of shapes.
    fn point_brushes(&self) -> &'static [&'static str];

    /// The instance after one of these brushes is applied at a point of the canvas; `None` if it cannot be used there.
    fn paint_at(&self, brush: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit>;

    /// Shapes of the canvas, each with the brush that a drag from that shape uses; `None` if brushes cannot be dragged.
    fn grips(&self) -> Option<Vec<(String, &'static str)>>;

    /// The instance after a named shape of the scene is moved to another point; `None` if it cannot be moved.
    fn place(&self, name: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit>;
}

/// A board and its game's editor.
struct BoardEditor<'a, R: Drawing> {
    rules: &'a R,
    state: &'a R::State,
    editor: &'static Editor<R>,
}

/// The editor for a board, if its game has one.
pub(super) fn editor<'a, R: Drawing>(rules: &'a R, state: &'a R::State) -> Option<Box<dyn Edit + 'a>> {
    Some(Box::new(BoardEditor { rules, state, editor: R::EDITOR.as_ref()? }))
}

impl<R: Drawing> Edit for BoardEditor<'_, R> {
    fn brushes(&self) -> &'static [Brush] {
        (self.editor.brushes)(self.rules)
    }

    fn canvas(&self, limits: &Limits) -> Result<Scene, Limit> {
        (self.editor.canvas)(self.rules, self.state, limits)
    }

    fn paint(&self, brush: &str, shapes: &[&str]) -> Option<String> {
        self.brushes().iter().find(|known| known.name == brush && known.clicks == shapes.len())?;
        (self.editor.paint)(self.rules, self.state, brush, shapes)
    }

    fn point_brushes(&self) -> &'static [&'static str] {
        self.editor.arranging.as_ref().map_or(&[], |arranging| arranging.brushes)
    }

    fn paint_at(&self, brush: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
        match &self.editor.arranging {
            Some(arranging) if arranging.brushes.contains(&brush) => (arranging.paint)(self.rules, self.state, brush, at, limits),
            _ => Ok(None),
        }
    }

    fn grips(&self) -> Option<Vec<(String, &'static str)>> {
        self.editor.dragging.as_ref().map(|dragging| (dragging.grips)(self.rules, self.state))
    }

    fn place(&self, name: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
        let arranging = self.editor.arranging.as_ref();
        arranging.map_or(Ok(None), |arranging| (arranging.place)(self.rules, self.state, name, at, limits))
    }
}

/// A drawn board with its legal moves, each converted by `write`.
pub(super) fn position<R: Drawing>(
    rules: &R,
    state: &R::State,
    legal: &[R::Move],
    write: impl Fn(&R::Move) -> LegalMove,
    goal: bool,
    limits: &Limits,
) -> Result<Position, Limit> {
    let mut scene = rules.scene(state, limits)?;
    limits.room(scene.bytes() + legal.len() * (size_of::<LegalMove>() + size_of::<Gesture>()))?;
    let mut moves = Vec::with_capacity(legal.len());
    for mv in legal {
        limits.check()?;
        let written = write(mv);
        scene.moves.push(Gesture { text: written.text.clone(), clicks: rules.clicks(state, mv) });
        moves.push(written);
    }
    limits.check()?;
    Ok(Position { instance: rules.write(state), ascii: rules.ascii(state), scene, moves, goal })
}

/// The value of the invariant or potential behind a proof, if it has one.
pub(super) fn measure<R: Drawing>(rules: &R, state: &R::State, certificate: &Certificate) -> Option<Measure> {
    R::LESSON.and_then(|lesson| lesson.measure)?(rules, state, certificate)
}

/// A proof as the game shows it; if the game cannot show proofs, only the claim.
pub(super) fn show_proof<R: Drawing>(rules: &R, state: &R::State, certificate: &Certificate) -> Explanation {
    match &R::LESSON {
        Some(lesson) => (lesson.show_proof)(rules, state, certificate),
        None => Explanation::new(sentence(&certificate.claim)),
    }
}
