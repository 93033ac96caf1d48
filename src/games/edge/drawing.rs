//! How boards of the Edge-Distinguishing Game are drawn, and the clicks that make a move.

use super::{Coloring, Edge, Mark, lesson, primer};
use crate::drawing::{Drawing, Editor, Primer};
use crate::graph::layout;
use crate::limits::{Limit, Limits};
use crate::notation::counted;
use crate::scene::{Form, Paint, Scene};

impl Drawing for Edge {
    const EDITOR: Option<Editor<Self>> = Some(Editor { brushes: |_| lesson::BRUSHES, canvas: Self::scene, paint: lesson::paint });

    const PRIMER: Option<Primer<Self>> = Some(primer::PRIMER);

    fn scene(&self, board: &Coloring, limits: &Limits) -> Result<Scene, Limit> {
        let places = match self.places.get() {
            Some(places) => places,
            None => {
                let places = layout::places(&self.graph, limits)?;
                self.places.get_or_init(|| places)
            }
        };
        let n = self.vertices();
        let spread = 70.0 * (n as f64).sqrt().max(1.0) + 40.0 * (n as f64 / 6.0);
        let tall = places.iter().map(|place| place.1).fold(0.0, f64::max) - places.iter().map(|place| place.1).fold(1.0, f64::min);
        let top = places.iter().map(|place| place.1).fold(1.0, f64::min);
        let palette_width = 34.0 * self.colors.min(16) as f64 + 20.0;
        let (margin, width) = (46.0, (spread + 92.0).max(palette_width));
        let board_height = tall.max(0.0) * spread + 2.0 * margin;
        let rows = self.colors.div_ceil(16) as f64;
        let name = self.name.clone().unwrap_or_else(|| format!("a graph with {}", counted(n, "vertex", "vertices")));
        let title = format!("Edge-Distinguishing Game on {name} with {}", counted(self.colors, "color", "colors"));
        let mut scene = Scene { title, width, height: board_height + 34.0 * rows + 8.0, ..Scene::default() };
        let point = |v: usize| ((width - spread) / 2.0 + places[v].0 * spread, margin + (places[v].1 - top) * spread);
        for &(u, v) in &self.edges {
            scene.check(limits)?;
            let (from, to) = (point(u as usize), point(v as usize));
            scene.add(Form::Line { from, to }, Paint::Ink);
        }
        for &(u, v) in &self.edges {
            scene.check(limits)?;
            let (a, b) = (board[u as usize], board[v as usize]);
            if a != 0 && b != 0 {
                let ((x1, y1), (x2, y2)) = (point(u as usize), point(v as usize));
                let (x, y) = ((x1 + x2) / 2.0, (y1 + y2) / 2.0);
                scene.add(Form::Rect { x: x - 13.0, y: y - 8.0, width: 26.0, height: 16.0 }, Paint::Mark);
                scene.add(Form::Text { x, y, size: 11.0, text: format!("{},{}", a.min(b), a.max(b)) }, Paint::Ink);
            }
        }
        for v in 0..n {
            scene.check(limits)?;
            let (x, y) = point(v);
            let paint = if board[v] == 0 { Paint::Cell } else { Paint::color(board[v] as usize) };
            let name = format!("vertex {}", self.graph.name(v));
            scene.add_named(Form::Circle { x, y, r: 17.0 }, paint, name.clone());
            if board[v] != 0 {
                scene.add_named(Form::Text { x, y, size: 16.0, text: board[v].to_string() }, Paint::Ink, name.clone());
            }
            scene.add_named(Form::Text { x, y: y - 26.0, size: 12.0, text: self.graph.name(v) }, Paint::Ink, name.clone());
            let color = if board[v] == 0 { "uncolored".to_owned() } else { format!("color {}", board[v]) };
            scene.describe(&name, format!("{name}, {color}"));
        }
        // The colors to choose from.
        for color in 1..=self.colors {
            scene.check(limits)?;
            let (column, row) = ((color - 1) % 16, (color - 1) / 16);
            let (x, y) = ((width - palette_width) / 2.0 + 27.0 + 34.0 * column as f64, board_height + 17.0 + 34.0 * row as f64);
            let name = format!("color {color}");
            scene.add_named(Form::Rect { x: x - 13.0, y: y - 13.0, width: 26.0, height: 26.0 }, Paint::color(color), name.clone());
            scene.add_named(Form::Text { x, y, size: 14.0, text: color.to_string() }, Paint::Ink, name.clone());
            scene.describe(&name, name.clone());
        }
        Ok(scene)
    }

    fn clicks(&self, _board: &Coloring, mark: &Mark) -> Vec<String> {
        vec![format!("vertex {}", self.graph.name(mark.vertex as usize)), format!("color {}", mark.color)]
    }
}
