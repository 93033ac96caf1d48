//! The drawing of pegs boards, and the clicks that make a jump.

use super::{Hole, Jump, PegSet, Pegs, lesson, primer};
use crate::drawing::{Drawing, Editor, Lesson, Primer};
use crate::limits::{Limit, Limits};
use crate::notation::counted;
use crate::scene::{Form, Paint, Scene};

impl Drawing for Pegs {
    const LESSON: Option<Lesson<Self>> = Some(Lesson {
        explain: |board, state, _| lesson::explain(board, state),
        show_proof: lesson::show_proof,
        measure: Some(lesson::measure),
    });

    const EDITOR: Option<Editor<Self>> =
        Some(Editor { brushes: lesson::brushes, canvas: lesson::canvas, paint: lesson::paint, arranging: None, dragging: None });

    const PRIMER: Option<Primer<Self>> = Some(primer::PRIMER);

    fn scene(&self, state: &PegSet, limits: &Limits) -> Result<Scene, Limit> {
        const SIZE: f64 = 40.0;
        let title = format!("Peg solitaire: {}", counted(state.pegs.count_ones() as usize, "peg", "pegs"));
        let (width, height) = (SIZE * self.columns as f64 + 20.0, SIZE * self.rows as f64 + 20.0);
        let mut scene = Scene { title, width, height, ..Scene::default() };
        for (hole, &(row, column)) in (0..).zip(&self.holes) {
            scene.check(limits)?;
            let (x, y) = (10.0 + SIZE * (column as f64 + 0.5), 10.0 + SIZE * (row as f64 + 0.5));
            let name = format!("{row},{column}");
            let is_goal = self.goal.is_some_and(|goal| goal >> hole & 1 == 1);
            scene.add_named(Form::Circle { x, y, r: SIZE * 0.44 }, if is_goal { Paint::Mark } else { Paint::Cell }, name.clone());
            if state.pegs >> hole & 1 == 1 {
                scene.add_named(Form::Circle { x, y, r: SIZE * 0.32 }, Paint::Blue, name.clone());
                scene.add_named(Form::Text { x, y, size: 15.0, text: state.label(hole).to_string() }, Paint::Cell, name.clone());
            }
            let what = if state.pegs >> hole & 1 == 1 { state.label(hole).to_string() } else { "empty hole".to_owned() };
            scene.describe(&name, format!("{what}, row {row} column {column}{}", if is_goal { ", goal" } else { "" }));
        }
        Ok(scene)
    }

    /// The clicks for a jump: on the peg, then on the hole where it lands. If moves are counted: on the peg, on every hole where it
    /// lands, and once more on the last of these holes, because the peg might be able to jump further.
    fn clicks(&self, _state: &PegSet, jump: &Jump) -> Vec<String> {
        let name = |hole: Hole| format!("{},{}", self.holes[hole as usize].0, self.holes[hole as usize].1);
        if self.by_moves {
            return [jump.from].into_iter().chain(self.landings(jump)).chain([jump.to]).map(name).collect();
        }
        [jump.from, jump.to].map(name).to_vec()
    }
}
