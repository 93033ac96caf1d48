//! Brushes that edit a board of the Edge-Distinguishing Game.

use super::{Coloring, Edge, MOST, clash};
use crate::graph::places::Layout;
use crate::limits::{Limit, Limits};
use crate::notation::Notation;
use crate::scene::Brush;

pub(super) const BRUSHES: &[Brush] = &[
    Brush { name: "color", about: "give a vertex the next color, or uncolor it", clicks: 1 },
    Brush { name: "join", about: "add or remove an edge between two vertices", clicks: 2 },
    Brush { name: "+ vertex", about: "add a vertex", clicks: 0 },
    Brush { name: "− vertex", about: "remove the last vertex", clicks: 0 },
    Brush { name: "+ color", about: "add a color", clicks: 0 },
    Brush { name: "− color", about: "remove the last color", clicks: 0 },
    Brush { name: "clear", about: "uncolor all vertices", clicks: 0 },
    Brush { name: "reset layout", about: "move all vertices back to their original positions", clicks: 0 },
];

/// Maximum number of vertices in the editor; larger boards can only be read from files.
const MOST_DRAWN: usize = 16;

/// The brushes that can be used anywhere on the canvas.
pub(super) const POINTS: &[&str] = &["+ vertex"];

/// Adds a vertex where the canvas was clicked; all other vertices stay in place.
pub(super) fn paint_at(edge: &Edge, board: &Coloring, _: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
    let arranged = &edge.figure(limits)?.arranged;
    let layout = arranged.moved(edge.graph.len(), at);
    Ok(change(edge, board, layout, "+ vertex", &[]))
}

pub(super) fn paint(edge: &Edge, board: &Coloring, brush: &str, shapes: &[&str]) -> Option<String> {
    let mut layout = Layout::default();
    // Once any vertex has been moved by hand, all others stay in place.
    if !edge.layout.is_empty() && brush != "reset layout" {
        let arranged = &edge.figure(&Limits::none()).ok()?.arranged;
        layout = Layout::of(&arranged.places);
        if brush == "+ vertex" {
            layout.put(edge.graph.len(), arranged.free());
        }
    }
    change(edge, board, layout, brush, shapes)
}

fn change(edge: &Edge, board: &Coloring, mut layout: Layout, brush: &str, shapes: &[&str]) -> Option<String> {
    let place = |shape: &&str| edge.graph.find(shape.strip_prefix("vertex ")?);
    let mut colors: Vec<u8> = board[..edge.graph.len()].to_vec();
    let (mut graph, mut most, before) = (edge.graph.clone(), edge.colors, edge.graph.len());
    match (brush, shapes) {
        ("color", [shape]) => {
            let vertex = place(shape)?;
            // Chooses the next color that keeps all labels different or, if there is none, uncolors the vertex.
            let turns =
                |&color: &u8| clash(&edge.graph, &Coloring(std::array::from_fn(|v| if v == vertex { color } else { board[v] }))).is_none();
            colors[vertex] = (colors[vertex] + 1..=most as u8).find(turns).unwrap_or(0);
        }
        ("join", [one, other]) => graph = graph.with_toggled(place(one)?, place(other)?)?,
        ("+ vertex", []) if before < MOST_DRAWN => graph = graph.resized(before + 1),
        ("− vertex", []) if before > 1 => graph = graph.resized(before - 1),
        ("+ color", []) if most < MOST => most += 1,
        ("− color", []) if most > 1 => most -= 1,
        ("clear", []) => colors.fill(0),
        ("reset layout", []) => {}
        _ => return None,
    }
    colors.resize(graph.len(), 0);
    let board = Coloring(std::array::from_fn(|v| colors.get(v).copied().unwrap_or(0)));
    if clash(&graph, &board).is_some() || colors.iter().any(|&color| color as usize > most) {
        return None;
    }
    layout.truncate(graph.len());
    Some(Edge { graph, name: None, colors: most, layout, ..edge.clone() }.write(&board))
}
