//! The drawing of tricolor boards, and the clicks that make a move.

use super::{Color, Colors, Tricolor, lesson, primer};
use crate::drawing::{Arranging, Drawing, Editor, Lesson, Primer};
use crate::graph::places::{Arranged, Room};
use crate::limits::{Limit, Limits};
use crate::notation::{Notation, counted};
use crate::scene::{Form, Paint, Scene};

/// Room for vertices with a radius of 21 units.
const ROOM: Room = Room { apart: 54.0, edge: 54.0, clear: 22.0, margins: [30.0, 30.0, 30.0], width: 0.0 };

impl Tricolor {
    /// The positions of the vertices in a drawing.
    pub(super) fn arranged(&self, limits: &Limits) -> Result<&Arranged, Limit> {
        if self.arranged.get().is_none() {
            let _ = self.arranged.set(Arranged::new(&self.graph, &self.layout, &ROOM, limits)?);
        }
        Ok(self.arranged.get().expect("just set"))
    }

    fn place(&self, colors: &Colors, name: &str, to: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
        let vertex = self.find(&name.into()).filter(|&v| self.name(v) == name);
        let Some(vertex) = vertex else { return Ok(None) };
        let layout = self.arranged(limits)?.moved(vertex, to);
        Ok(Some(Tricolor { layout, ..Tricolor::new(self.graph.clone(), colors.clone(), self.by_color) }.write(colors)))
    }
}

impl Drawing for Tricolor {
    const LESSON: Option<Lesson<Self>> = Some(Lesson {
        explain: lesson::explain,
        show_proof: |board, _, certificate| lesson::show_proof(board, certificate),
        measure: Some(lesson::measure),
    });

    const EDITOR: Option<Editor<Self>> = Some(Editor {
        brushes: |_| lesson::BRUSHES,
        canvas: Self::scene,
        paint: lesson::paint,
        arranging: Some(Arranging { place: Tricolor::place, brushes: lesson::POINTS, paint: lesson::paint_at }),
        dragging: None,
    });

    const PRIMER: Option<Primer<Self>> = Some(primer::PRIMER);

    fn scene(&self, colors: &Colors, limits: &Limits) -> Result<Scene, Limit> {
        limits.check()?;
        let n = self.graph.len();
        let Arranged { points, width, height, .. } = self.arranged(limits)?;
        let title = format!("Tricolor: {}, {}", counted(n, "vertex", "vertices"), self.tally(colors));
        let mut scene = Scene { title, width: *width, height: *height, ..Scene::default() };
        for (u, v) in self.graph.edges() {
            scene.check(limits)?;
            scene.add_between(Form::Line { from: points[u], to: points[v] }, Paint::Ink, [&self.name(u), &self.name(v)]);
        }
        for (v, &(x, y)) in points.iter().enumerate() {
            scene.check(limits)?;
            let name = self.name(v);
            // Each color also has its own shape.
            let (form, paint, color) = match colors.get(v) {
                Color::Green => (Form::Circle { x, y, r: 17.0 }, Paint::Green, "green"),
                Color::Red => (Form::Rect { x: x - 15.0, y: y - 15.0, width: 30.0, height: 30.0 }, Paint::Red, "red"),
                Color::Black => {
                    let points = vec![(x, y - 21.0), (x + 21.0, y), (x, y + 21.0), (x - 21.0, y)];
                    (Form::Polygon { points }, Paint::Black, "black")
                }
            };
            scene.add_named(form, paint, name.clone());
            scene.describe(&name, format!("vertex {name}, {color}"));
            // Long names are written smaller, to fit inside their vertex.
            let size = if n > 1000 { 11.0 } else { (56.0 / name.chars().count() as f64).clamp(7.0, 14.0) };
            scene.add_named(Form::Text { x, y, size, text: name.clone() }, Paint::Cell, name.clone());
            scene.movable.push(name);
        }
        Ok(scene)
    }

    fn clicks(&self, _colors: &Colors, vertex: &u32) -> Vec<String> {
        vec![self.name(*vertex as usize)]
    }
}
