//! Draws the Edge-Distinguishing Game, and maps moves to clicks.
//!
//! Edge labels and vertex names must be readable on every board. A name is placed where no edge leaves its vertex. A label is placed
//! on its edge, or beside it, where it does not overlap vertices, names or other labels.

use super::{Coloring, Edge, Mark, lesson, primer};
use crate::drawing::{Arranging, Drawing, Editor, Primer};
use crate::graph::places::{Arranged, Room};
use crate::limits::{Limit, Limits};
use crate::notation::{Notation, counted};
use crate::scene::{Form, Paint, Scene};

const RADIUS: f64 = 17.0;
/// The prefix of vertex names in the scene.
const PREFIX: &str = "vertex ";
/// Half the height of a label.
const LABEL: f64 = 8.0;
/// Half the height of a vertex name.
const NAME: f64 = 6.0;
/// The side length of a color square in the palette.
const SQUARE: f64 = 34.0;
/// The distance between the centers of two neighboring squares.
const PITCH: f64 = 40.0;
/// Minimum number of colors in a palette row, however narrow the graph is.
const LEAST_IN_ROW: usize = 5;
/// If the graph has more edges than this, labels may overlap each other.
const MOST_LABELS: usize = 300;

/// The layout of the drawing.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub arranged: Arranged,
    /// The names of the vertices in the scene.
    vertices: Vec<String>,
    /// The centers and font sizes of the vertex names.
    names: Vec<((f64, f64), f64)>,
    /// The centers of the labels.
    labels: Vec<(f64, f64)>,
}

/// A rectangle: its center, and half its width and height.
type Rectangle = ((f64, f64), (f64, f64));

fn overlap(one: Rectangle, other: Rectangle) -> bool {
    (one.0.0 - other.0.0).abs() < one.1.0 + other.1.0 && (one.0.1 - other.0.1).abs() < one.1.1 + other.1.1
}

/// True if a rectangle overlaps a vertex.
fn covers((middle, half): Rectangle, center: (f64, f64)) -> bool {
    let beyond = |at: f64, middle: f64, half: f64| ((at - middle).abs() - half).max(0.0);
    beyond(center.0, middle.0, half.0).hypot(beyond(center.1, middle.1, half.1)) < RADIUS + 1.0
}

/// Strips the prefix from the name of a vertex in the scene.
fn plain(name: &str) -> &str {
    name.strip_prefix(PREFIX).unwrap_or(name)
}

/// Half the width and height of a name.
fn half_of(name: &str) -> (f64, f64) {
    (3.5 * name.chars().count() as f64 + 1.0, NAME)
}

impl Figure {
    fn new(edge: &Edge, limits: &Limits) -> Result<Figure, Limit> {
        let mut vertices = Vec::new();
        for v in 0..edge.vertices() {
            limits.check()?;
            vertices.push(edge.vertex_name(v));
        }
        let longest = vertices.iter().map(|name| plain(name).chars().count()).max().unwrap_or(1);
        let half = edge.label_half();
        let room = Room {
            apart: 2.0 * RADIUS + 16.0,
            edge: 2.0 * (RADIUS + half + 2.0),
            clear: RADIUS + 3.0,
            margins: [(16.0 + 7.0 * longest as f64).clamp(30.0, 60.0), 40.0, 36.0],
            width: PITCH * edge.colors.min(LEAST_IN_ROW) as f64 + 8.0,
        };
        let arranged = Arranged::new(&edge.graph, &edge.layout, &room, limits)?;
        let points = &arranged.points;
        let names: Vec<_> = vertices.iter().enumerate().map(|(v, name)| edge.name_spot(v, plain(name), points)).collect();
        let written: Vec<Rectangle> = names.iter().zip(&vertices).map(|(&(at, _), name)| (at, half_of(plain(name)))).collect();
        let mut labels: Vec<(f64, f64)> = Vec::with_capacity(edge.edges.len());
        for &(u, v) in &edge.edges {
            limits.check()?;
            let (a, b) = (points[u as usize], points[v as usize]);
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let long = dx.hypot(dy).max(1.0);
            // The middle of the edge is tried first, then other places on it, then places beside it.
            let spot = |along: f64, beside: f64| (a.0 + along * dx - beside * dy / long, a.1 + along * dy + beside * dx / long);
            let on = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74].map(|along| spot(along, 0.0));
            let off = [(0.5, 18.0), (0.5, -18.0), (0.35, 18.0), (0.65, -18.0), (0.5, 30.0), (0.5, -30.0), (0.5, 42.0), (0.5, -42.0)];
            let free = |at: (f64, f64)| {
                let label = (at, (half, LABEL));
                let near = if edge.edges.len() <= MOST_LABELS { &labels[..] } else { &[] };
                !points.iter().any(|&center| covers(label, center))
                    && !written.iter().any(|&name| overlap(label, name))
                    && !near.iter().any(|&other| overlap(label, (other, (half, LABEL))))
            };
            let spots = on.into_iter().chain(off.map(|(along, beside)| spot(along, beside)));
            let found = spots.clone().find(|&at| free(at)).or_else(|| {
                // Overlapping another label is better than being hidden by a vertex.
                spots.clone().find(|&at| !points.iter().any(|&center| covers((at, (half, LABEL)), center)))
            });
            labels.push(found.unwrap_or(on[0]));
        }
        Ok(Figure { arranged, vertices, names, labels })
    }
}

impl Edge {
    /// The layout of the drawing, computed on first use.
    pub(super) fn figure(&self, limits: &Limits) -> Result<&Figure, Limit> {
        match self.figure.get() {
            Some(figure) => Ok(figure),
            None => {
                let figure = Figure::new(self, limits)?;
                Ok(self.figure.get_or_init(|| figure))
            }
        }
    }

    /// Half the width of a label.
    fn label_half(&self) -> f64 {
        3.0 * (2 * self.colors.to_string().len() + 1) as f64 + 4.0
    }

    /// The center and font size of a vertex's name: above the vertex or, if an edge leaves there, in the direction with the most
    /// room; if no direction has enough room, inside the vertex.
    fn name_spot(&self, vertex: usize, name: &str, points: &[(f64, f64)]) -> ((f64, f64), f64) {
        let at = points[vertex];
        let directions = [(0.0, -1.0), (0.0, 1.0), (0.7, -0.7), (-0.7, -0.7), (0.7, 0.7), (-0.7, 0.7), (1.0, 0.0), (-1.0, 0.0)];
        let towards = |other: &u32| {
            let (dx, dy) = (points[*other as usize].0 - at.0, points[*other as usize].1 - at.1);
            let long = dx.hypot(dy).max(1e-9);
            (dx / long, dy / long)
        };
        // The cosine of the angle to the nearest edge; all angles of at least 45 degrees are equally good.
        let nearest = |direction: (f64, f64)| {
            let cosine = |edge: (f64, f64)| direction.0 * edge.0 + direction.1 * edge.1;
            self.graph.neighbors(vertex).iter().map(|other| cosine(towards(other))).fold(0.71, f64::max)
        };
        let best = directions.into_iter().fold(directions[0], |best, next| if nearest(next) < nearest(best) - 1e-6 { next } else { best });
        if nearest(best) > 0.8 {
            return ((at.0, at.1 + 11.5), 8.0);
        }
        let (wide, high) = half_of(name);
        let away = RADIUS + 3.0 + best.0.abs() * wide + best.1.abs() * high;
        ((at.0 + away * best.0, at.1 + away * best.1), 12.0)
    }

    /// The name of a vertex's shape in the scene.
    fn vertex_name(&self, vertex: usize) -> String {
        format!("{PREFIX}{}", self.graph.name(vertex))
    }

    fn place(&self, board: &Coloring, name: &str, to: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
        let Some(vertex) = name.strip_prefix(PREFIX).and_then(|name| self.graph.find(name)) else { return Ok(None) };
        let layout = self.figure(limits)?.arranged.moved(vertex, to);
        Ok(Some(Edge { layout, ..self.clone() }.write(board)))
    }
}

impl Drawing for Edge {
    const EDITOR: Option<Editor<Self>> = Some(Editor {
        brushes: |_| lesson::BRUSHES,
        canvas: Self::scene,
        paint: lesson::paint,
        arranging: Some(Arranging { place: Edge::place, brushes: lesson::POINTS, paint: lesson::paint_at }),
        dragging: None,
    });

    const PRIMER: Option<Primer<Self>> = Some(primer::PRIMER);

    fn scene(&self, board: &Coloring, limits: &Limits) -> Result<Scene, Limit> {
        let Figure { arranged, vertices, names, labels } = self.figure(limits)?;
        let (n, points) = (self.vertices(), &arranged.points);
        let (width, board_height) = (arranged.width, arranged.height);
        let in_row = self.colors.min((width / PITCH) as usize).max(1);
        let rows = self.colors.div_ceil(in_row) as f64;
        let name = self.name.clone().unwrap_or_else(|| format!("a graph with {}", counted(n, "vertex", "vertices")));
        let title = format!("Edge-Distinguishing Game on {name} with {}", counted(self.colors, "color", "colors"));
        let mut scene = Scene { title, width, height: board_height + PITCH * rows + 4.0, ..Scene::default() };
        for &(u, v) in &self.edges {
            scene.check(limits)?;
            let (u, v) = (u as usize, v as usize);
            scene.add_between(Form::Line { from: points[u], to: points[v] }, Paint::Ink, [&vertices[u], &vertices[v]]);
        }
        for (&(u, v), &(x, y)) in self.edges.iter().zip(labels) {
            scene.check(limits)?;
            let (u, v) = (u as usize, v as usize);
            let (a, b) = (board[u], board[v]);
            if a != 0 && b != 0 {
                let (ends, half) = ([vertices[u].as_str(), vertices[v].as_str()], self.label_half());
                let back = Form::Rect { x: x - half, y: y - LABEL, width: 2.0 * half, height: 2.0 * LABEL };
                scene.add_between(back, Paint::Mark, ends);
                let text = format!("{},{}", a.min(b), a.max(b));
                scene.add_between(Form::Text { x, y, size: 11.0, text }, Paint::Ink, ends);
            }
        }
        for (v, name) in vertices.iter().enumerate() {
            scene.check(limits)?;
            let (x, y) = points[v];
            let paint = if board[v] == 0 { Paint::Cell } else { Paint::color(board[v] as usize) };
            scene.add_named(Form::Circle { x, y, r: RADIUS }, paint, name.clone());
            if board[v] != 0 {
                scene.add_named(Form::Text { x, y, size: 16.0, text: board[v].to_string() }, Paint::Ink, name.clone());
            }
            let color = if board[v] == 0 { "uncolored".to_owned() } else { format!("color {}", board[v]) };
            scene.describe(name, format!("{name}, {color}"));
        }
        // A vertex's name is separate from its shapes. Otherwise, a screen reader would read the color `3` and the name `b` as
        // `3b`.
        for (v, name) in vertices.iter().enumerate() {
            scene.check(limits)?;
            let ((x, y), size) = names[v];
            scene.add_between(Form::Text { x, y, size, text: plain(name).to_owned() }, Paint::Ink, [name, name]);
            scene.movable.push(name.clone());
        }
        // The colors to choose from.
        for color in 1..=self.colors {
            scene.check(limits)?;
            let (column, row) = ((color - 1) % in_row, (color - 1) / in_row);
            let x = (width - in_row as f64 * PITCH) / 2.0 + PITCH * (column as f64 + 0.5);
            let y = board_height + PITCH * (row as f64 + 0.5);
            let name = format!("color {color}");
            let form = Form::Rect { x: x - SQUARE / 2.0, y: y - SQUARE / 2.0, width: SQUARE, height: SQUARE };
            scene.add_named(form, Paint::color(color), name.clone());
            scene.add_named(Form::Text { x, y, size: 14.0, text: color.to_string() }, Paint::Ink, name.clone());
            scene.describe(&name, name.clone());
        }
        Ok(scene)
    }

    fn clicks(&self, _board: &Coloring, mark: &Mark) -> Vec<String> {
        vec![self.vertex_name(mark.vertex as usize), format!("color {}", mark.color)]
    }
}
