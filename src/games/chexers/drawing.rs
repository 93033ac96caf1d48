//! Draws Chexers boards, and maps actions to clicks.

use super::{Action, Chexers, HexSet, Kind, lesson, primer};
use crate::drawing::{Drawing, Editor, Lesson, Primer};
use crate::limits::{Limit, Limits};
use crate::scene::{Form, Paint, Scene};

impl Drawing for Chexers {
    const LESSON: Option<Lesson<Self>> =
        Some(Lesson { explain: |board, state, _| lesson::explain(board, state), show_proof: lesson::show_proof, measure: None });

    const EDITOR: Option<Editor<Self>> =
        Some(Editor { brushes: |_| lesson::BRUSHES, canvas: Self::scene, paint: lesson::paint, arranging: None, dragging: None });

    const PRIMER: Option<Primer<Self>> = Some(primer::PRIMER);

    fn scene(&self, pieces: &HexSet, limits: &Limits) -> Result<Scene, Limit> {
        const SIZE: f64 = 30.0;
        let root3 = 3f64.sqrt();
        let reach = f64::from(self.radius);
        let (width, height) = (SIZE * root3 * (2.0 * reach + 1.0) + 20.0, SIZE * (3.0 * reach + 2.0) + 20.0);
        let center = |(q, r): (i32, i32)| {
            let (q, r) = (f64::from(q), f64::from(r));
            (width / 2.0 + SIZE * root3 * (q + r / 2.0), height / 2.0 + SIZE * 1.5 * r)
        };
        let left = pieces.len();
        let title = format!("Chexers: {left} {} {} to bring off the board", self.color.name(), if left == 1 { "piece" } else { "pieces" });
        let mut scene = Scene { title, width, height, ..Scene::default() };
        let color = [Paint::Red, Paint::Green, Paint::Blue][self.color as usize];
        for (hex, &(q, r)) in (0..).zip(&self.hexes) {
            scene.check(limits)?;
            let (x, y) = center((q, r));
            let corner = |k: u8| {
                let angle = (f64::from(k) * 60.0 - 30.0).to_radians();
                (x + (SIZE - 1.5) * angle.cos(), y + (SIZE - 1.5) * angle.sin())
            };
            let paint = if self.blocked.has(hex) {
                Paint::Block
            } else if self.exit.has(hex) {
                Paint::Mark
            } else {
                Paint::Cell
            };
            scene.add_named(Form::Polygon { points: (0..6).map(corner).collect() }, paint, format!("{q},{r}"));
            if pieces.has(hex) {
                scene.add_named(Form::Circle { x, y, r: SIZE * 0.55 }, color, format!("{q},{r}"));
            } else if !self.blocked.has(hex) {
                scene.add(Form::Text { x, y, size: 11.0, text: format!("{q},{r}") }, Paint::Ink);
            }
            let what = match (pieces.has(hex), paint) {
                (true, Paint::Mark) => "piece on the exit",
                (true, _) => "piece",
                (false, Paint::Block) => "block",
                (false, Paint::Mark) => "exit",
                (false, _) => "empty hex",
            };
            scene.describe(&format!("{q},{r}"), format!("{what} at ({q}, {r})"));
        }
        Ok(scene)
    }

    /// For a step or a jump, a click on the piece and then on its target hex; for an EXIT, two clicks on the piece.
    fn clicks(&self, _pieces: &HexSet, action: &Action) -> Vec<String> {
        let last = if action.kind == Kind::Exit { action.from } else { action.to };
        [action.from, last].map(|hex| self.hexes[hex as usize]).map(|(q, r)| format!("{q},{r}")).to_vec()
    }
}
