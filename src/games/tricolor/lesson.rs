//! Brushes that edit a tricolor board, explanations of its algebra, and proofs as outlined vertices.

use serde_json::Value;

use super::relaxed::Relaxed;
use super::{Color, Colors, Tricolor, linear};
use crate::drawing::{Measure, MeasureKind};
use crate::graph::places::Layout;
use crate::limits::{Limit, Limits};
use crate::notation::{Notation, sentence};
use crate::outcome::Certificate;
use crate::rules::DEAD;
use crate::scene::{Brush, Explanation, Paint};

pub(super) const BRUSHES: &[Brush] = &[
    Brush { name: "red", about: "paint a vertex red", clicks: 1 },
    Brush { name: "green", about: "paint a vertex green", clicks: 1 },
    Brush { name: "black", about: "paint a vertex black", clicks: 1 },
    Brush { name: "join", about: "add or remove an edge between two vertices", clicks: 2 },
    Brush { name: "+ vertex", about: "add a vertex", clicks: 0 },
    Brush { name: "− vertex", about: "remove the last vertex", clicks: 0 },
    Brush { name: "reset layout", about: "move all vertices back to their original positions", clicks: 0 },
];

/// The brushes that can be used anywhere on the canvas.
pub(super) const POINTS: &[&str] = &["+ vertex"];

/// Maximum number of vertices on a board that can be edited or explained; larger boards can only be read from files.
const MOST_DRAWN: usize = 60;

/// Adds a vertex where the canvas was clicked; all other vertices stay in place.
pub(super) fn paint_at(board: &Tricolor, colors: &Colors, _: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
    let layout = board.arranged(limits)?.moved(board.graph.len(), at);
    Ok(change(board, colors, layout, "+ vertex", &[]))
}

pub(super) fn paint(board: &Tricolor, colors: &Colors, brush: &str, shapes: &[&str]) -> Option<String> {
    let mut layout = Layout::default();
    // Once any vertex has been moved by hand, all others stay in place.
    if !board.layout.is_empty() && brush != "reset layout" {
        let arranged = board.arranged(&Limits::none()).ok()?;
        layout = Layout::of(&arranged.places);
        if brush == "+ vertex" {
            layout.put(board.graph.len(), arranged.free());
        }
    }
    change(board, colors, layout, brush, shapes)
}

fn change(tricolor: &Tricolor, colors: &Colors, mut layout: Layout, brush: &str, shapes: &[&str]) -> Option<String> {
    let before = tricolor.graph.len();
    let place = |shape: &&str| tricolor.find(&(*shape).into());
    let (mut graph, mut paint) = (tricolor.graph.clone(), None);
    match (brush, shapes) {
        ("red", [shape]) => paint = Some((place(shape)?, Color::Red)),
        ("green", [shape]) => paint = Some((place(shape)?, Color::Green)),
        ("black", [shape]) => paint = Some((place(shape)?, Color::Black)),
        ("join", [one, other]) => graph = graph.with_toggled(place(one)?, place(other)?)?,
        ("+ vertex", []) if before < MOST_DRAWN => graph = graph.resized(before + 1),
        ("− vertex", []) if before > 1 => graph = graph.resized(before - 1),
        ("reset layout", []) => {}
        _ => return None,
    }
    let mut after = Colors::green(graph.len());
    (0..graph.len().min(before)).for_each(|v| after.set(v, colors.get(v)));
    if let Some((vertex, color)) = paint {
        after.set(vertex, color);
    }
    layout.truncate(graph.len());
    Some(Tricolor { layout, ..Tricolor::new(graph, after.clone(), tricolor.by_color) }.write(&after))
}

pub(super) fn explain(tricolor: &Tricolor, colors: &Colors, limits: &Limits) -> Option<Explanation> {
    let vertices = tricolor.graph.len();
    if vertices > MOST_DRAWN {
        return None;
    }
    if let Some(certificate) = linear::refute(tricolor, colors, limits) {
        return Some(show_proof(tricolor, &certificate));
    }
    let of = |wanted: Color| (0..vertices).filter(move |&v| colors.get(v) == wanted);
    let (red, black) = (of(Color::Red).count(), of(Color::Black).count());
    let bound = match Relaxed::new(tricolor.prices()).at(&tricolor.graph, colors, limits).ok()? {
        DEAD => "The system has no solution.".to_owned(),
        cost => format!("The lightest solution shows that every plan costs at least {cost}."),
    };
    let mut explanation = Explanation::new(match (red, black) {
        (0, 0) => "All vertices are green, so the board is solved.".to_owned(),
        (_, 0) => format!(
            "No vertex is black, so the order of clicks does not matter and two clicks on one vertex cancel. This gives a \
             system of {vertices} linear equations over GF(2): the number of clicks on a vertex and its neighbors must be odd for each \
             outlined vertex and even for every other one. {bound}"
        ),
        _ => format!(
            "Between two recolorings, the order of clicks does not matter. Suppose that each black vertex (outlined) must be clicked \
             but may then turn any color. This gives a linear system over GF(2), from which the estimate `relaxed` is computed. {bound}"
        ),
    });
    let shown = if black > 0 { Color::Black } else { Color::Red };
    of(shown).for_each(|v| explanation.tint(tricolor.name(v), Paint::Glow, 0.0));
    Some(explanation)
}

pub(super) fn show_proof(tricolor: &Tricolor, certificate: &Certificate) -> Explanation {
    let mut explanation = Explanation::new(sentence(&certificate.claim));
    for vertex in listed(tricolor, certificate) {
        explanation.tint(tricolor.name(vertex), Paint::Glow, 0.0);
    }
    explanation
}

/// The vertices of a certificate.
fn listed(tricolor: &Tricolor, certificate: &Certificate) -> Vec<usize> {
    let vertices = certificate.data.get("vertices").and_then(Value::as_array);
    vertices.into_iter().flatten().filter_map(|item| tricolor.find(item)).collect()
}

/// The measure for a proof: the number of red vertices in the set, modulo 2, or the number of black ones.
pub(super) fn measure(tricolor: &Tricolor, colors: &Colors, certificate: &Certificate) -> Option<Measure> {
    let vertices = listed(tricolor, certificate);
    let (wrong, name) = if certificate.kind == "parity" { (Color::Red, "red") } else { (Color::Black, "black") };
    let count = vertices.iter().filter(|&&v| colors.get(v) == wrong).count();
    let (text, value, goal) = match vertices.len() {
        0 => return None,
        1 => {
            let color = if count == 1 { name } else { "green" };
            (format!("the outlined vertex is {color}"), color.to_owned(), "green")
        }
        many => {
            let value = match (wrong, count % 2) {
                (Color::Red, 0) => "even".to_owned(),
                (Color::Red, _) => "odd".to_owned(),
                _ => count.to_string(),
            };
            let is = if count == 1 { "is" } else { "are" };
            (format!("{count} of the {many} outlined vertices {is} {name}"), value, if wrong == Color::Red { "even" } else { "0" })
        }
    };
    let number = if wrong == Color::Red { count % 2 } else { count };
    Some(Measure { kind: MeasureKind::Invariant, text, value, goal: goal.to_owned(), numbers: vec![number as i64] })
}
