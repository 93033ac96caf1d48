//! Brushes that edit a moles board, its algebra in a few sentences, and proofs as marked holes.

use serde_json::Value;

use super::field::{FieldShape, Hole, HoleField};
use super::{Board, Moles, Wanted, linear};
use crate::drawing::{Drawing, Measure, MeasureKind};
use crate::graph::places::Layout;
use crate::limits::{Limit, Limits};
use crate::notation::{Notation, sentence};
use crate::outcome::Certificate;
use crate::scene::{Brush, Explanation, Form, Paint, Scene};

const MOLE: Brush = Brush { name: "mole", about: "add or remove a mole", clicks: 1 };
const LOCK: Brush = Brush { name: "lock", about: "forbid or allow hitting this hole", clicks: 1 };
const CLEAR: Brush = Brush { name: "clear", about: "remove all moles", clicks: 0 };
const FILL: Brush = Brush { name: "fill", about: "put a mole in every hole", clicks: 0 };

const GRID: &[Brush] = &[
    MOLE,
    LOCK,
    Brush { name: "no hole", about: "remove or restore this hole", clicks: 1 },
    CLEAR,
    FILL,
    Brush { name: "+ row", about: "add a row", clicks: 0 },
    Brush { name: "− row", about: "remove the last row", clicks: 0 },
    Brush { name: "+ column", about: "add a column", clicks: 0 },
    Brush { name: "− column", about: "remove the last column", clicks: 0 },
];

const GRAPH: &[Brush] = &[
    MOLE,
    LOCK,
    Brush { name: "join", about: "add or remove an edge between two holes", clicks: 2 },
    Brush { name: "+ hole", about: "add a hole", clicks: 0 },
    Brush { name: "− hole", about: "remove the last hole", clicks: 0 },
    CLEAR,
    FILL,
    Brush { name: "reset layout", about: "move all holes back to their original positions", clicks: 0 },
];

/// The brushes that can be used anywhere on the canvas.
pub(super) const POINTS: &[&str] = &["+ hole"];

/// Maximum number of rows or columns in the editor; larger boards can only be read from files.
const MOST_SIDE: usize = 40;
/// Maximum number of holes in the editor for a board on a graph.
const MOST_VERTICES: usize = 60;

pub(super) fn brushes(moles: &Moles) -> &'static [Brush] {
    if matches!(moles.field.shape, FieldShape::Grid { .. }) { GRID } else { GRAPH }
}

/// The scene of a board, including the places of missing holes.
pub(super) fn canvas(moles: &Moles, board: &Board, limits: &Limits) -> Result<Scene, Limit> {
    let mut scene = moles.scene(board, limits)?;
    if let FieldShape::Grid { columns, .. } = &moles.field.shape {
        for at in (0..moles.field.len()).filter(|&at| !moles.field.exists(at)) {
            scene.check(limits)?;
            let (x, y) = (40.0 * (at % columns) as f64 + 12.0, 40.0 * (at / columns) as f64 + 12.0);
            scene.add_named(Form::Rect { x, y, width: 36.0, height: 36.0 }, Paint::Ghost, (at + 1).to_string());
            scene.describe(&(at + 1).to_string(), format!("no hole at {}", at + 1));
        }
    }
    Ok(scene)
}

/// Adds a hole where the canvas was clicked; all other holes stay in place.
pub(super) fn paint_at(moles: &Moles, board: &Board, brush: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
    let FieldShape::Graph { graph, .. } = &moles.field.shape else { return Ok(None) };
    let layout = moles.arranged(graph, limits)?.moved(graph.len(), at);
    Ok(change(moles, board, layout, brush, &[]))
}

pub(super) fn paint(moles: &Moles, board: &Board, brush: &str, shapes: &[&str]) -> Option<String> {
    let mut layout = Layout::default();
    // Once any hole has been moved by hand, all others stay in place.
    if let (FieldShape::Graph { graph, .. }, false, true) = (&moles.field.shape, moles.layout.is_empty(), brush != "reset layout") {
        let arranged = moles.arranged(graph, &Limits::none()).ok()?;
        layout = Layout::of(&arranged.places);
        if brush == "+ hole" {
            layout.put(graph.len(), arranged.free());
        }
    }
    change(moles, board, layout, brush, shapes)
}

fn change(moles: &Moles, board: &Board, mut layout: Layout, brush: &str, shapes: &[&str]) -> Option<String> {
    let len = moles.field.len();
    let place = |name: &str| moles.field.shape.find(name);
    let mut holes: Vec<Hole> = (0..len).map(|at| moles.field.hole(at)).collect();
    let (mut board, mut target) = (board.clone(), moles.target.clone());
    let mut shape = moles.field.shape.clone();
    let toggle = |hole: &mut Hole, other: Hole| *hole = if *hole == other { Hole::Open } else { other };
    match (brush, shapes) {
        ("mole", [name]) => {
            let at = place(name).filter(|&at| moles.field.exists(at))?;
            board[at] = (board[at] + 1) % moles.states;
        }
        ("lock", [name]) => toggle(&mut holes[place(name).filter(|&at| moles.field.exists(at))?], Hole::Locked),
        ("no hole", [name]) => {
            let at = place(name)?;
            toggle(&mut holes[at], Hole::Missing);
            (board[at], target[at]) = (0, 0);
        }
        ("clear", []) => board.fill(0),
        ("reset layout", []) => {}
        ("fill", []) => (0..len).filter(|&at| moles.field.exists(at)).for_each(|at| board[at] = 1),
        ("join", [one, other]) => {
            let FieldShape::Graph { graph, .. } = &mut shape else { return None };
            *graph = graph.with_toggled(place(one)?, place(other)?)?;
        }
        ("+ hole" | "− hole", []) => {
            let FieldShape::Graph { graph, .. } = &mut shape else { return None };
            let vertices = if brush == "+ hole" { len + 1 } else { len - 1 };
            if !(1..=MOST_VERTICES).contains(&vertices) {
                return None;
            }
            *graph = graph.resized(vertices);
            holes.resize(vertices, Hole::Open);
            board.resize(vertices, 0);
            target.resize(vertices, 0);
        }
        ("+ row" | "− row" | "+ column" | "− column", []) => {
            let FieldShape::Grid { rows, columns, .. } = &mut shape else { return None };
            let before = *columns;
            match brush {
                "+ row" => *rows += 1,
                "− row" => *rows -= 1,
                "+ column" => *columns += 1,
                _ => *columns -= 1,
            }
            if !(1..=MOST_SIDE).contains(rows) || !(1..=MOST_SIDE).contains(columns) {
                return None;
            }
            let old = |at: usize| Some(at / *columns * before + at % *columns).filter(|&old| at % *columns < before && old < len);
            let places = 0..*rows * *columns;
            board = places.clone().map(|at| old(at).map_or(0, |old| board[old])).collect();
            target = places.clone().map(|at| old(at).map_or(0, |old| target[old])).collect();
            holes = places.map(|at| old(at).map_or(Hole::Open, |old| holes[old])).collect();
        }
        _ => return None,
    }
    let changed = Moles::new(HoleField::new(shape, holes), moles.states, board.clone(), target, Wanted::Fewest);
    layout.truncate(board.len());
    Some(Moles { layout, ..changed }.write(&board))
}

pub(super) fn explain(moles: &Moles, board: &Board, limits: &Limits) -> Option<Explanation> {
    if let Some(certificate) = moles.refute(board, limits) {
        return Some(show_proof(moles, &certificate));
    }
    let (holes, states) = (moles.hittable(), moles.states);
    let orders = moles.orders(limits).ok()?;
    let nullity = orders.len();
    let field = if states == 2 { "GF(2)".to_owned() } else { format!("the numbers modulo {states}") };
    let mut text = format!(
        "The order of hits does not matter, and {} on one hole change nothing, so this is a system of linear equations over {field} \
         with {}. ",
        if states == 2 { "two hits".to_owned() } else { format!("{states} hits") },
        if holes == 1 { "one unknown for the only hole".to_owned() } else { format!("one unknown for each of {holes} holes") }
    );
    let Some(pattern) = moles.quiet(nullity.min(1), limits).ok()?.pop() else {
        text.push_str("Its rank is full: every board has exactly one solution.");
        return Some(Explanation::new(text));
    };
    text.push_str(&format!(
        "Its rank is {}, so {} free and there are {} solutions. They differ by quiet patterns such as the \
         marked one: hitting all of its holes changes nothing.",
        holes - nullity,
        if nullity == 1 { "1 unknown is".to_owned() } else { format!("{nullity} unknowns are") },
        linear::solutions(orders)
    ));
    let mut explanation = Explanation::new(text);
    for (at, &times) in pattern.iter().enumerate().filter(|(_, times)| **times != 0) {
        match states {
            2 => explanation.tint(moles.name(at), Paint::Glow, 0.55),
            _ => explanation.tint_with(moles.name(at), Paint::Glow, 0.55, times.to_string()),
        }
    }
    Some(explanation)
}

pub(super) fn show_proof(moles: &Moles, certificate: &Certificate) -> Explanation {
    let mut explanation = Explanation::new(sentence(&certificate.claim));
    for (hole, weight) in marked(moles, certificate) {
        match weight {
            Some(weight) => explanation.tint_with(moles.name(hole), Paint::Red, 0.5, weight.to_string()),
            None => explanation.tint(moles.name(hole), Paint::Red, 0.5),
        }
    }
    explanation
}

/// The holes of a certificate, with their weights if it has any.
fn marked(moles: &Moles, certificate: &Certificate) -> Vec<(usize, Option<u64>)> {
    let list = |key: &str| certificate.data.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let weights = list("weights");
    let holes = list("holes").iter().enumerate();
    holes.filter_map(|(at, hole)| Some((moles.find_hole(hole)?, weights.get(at).and_then(Value::as_u64)))).collect()
}

/// The changes that the marked holes still need: their number modulo 2, or their weighted sum modulo the number of states.
pub(super) fn measure(moles: &Moles, board: &Board, certificate: &Certificate) -> Option<Measure> {
    let (marked, need, states) = (marked(moles, certificate), moles.need(board), u64::from(moles.states));
    let sum: u64 = marked.iter().map(|&(hole, weight)| weight.unwrap_or(1) % states * u64::from(need[hole])).sum();
    let (text, value, goal) = match marked.len() {
        0 => return None,
        1 if states == 2 => ("the marked hole still has to change".to_owned(), "wrong".to_owned(), "right".to_owned()),
        holes if states == 2 => {
            let parity = if sum.is_multiple_of(2) { "even" } else { "odd" };
            (
                format!("{sum} of the {holes} marked holes still {} to change", if sum == 1 { "has" } else { "have" }),
                parity.to_owned(),
                "even".to_owned(),
            )
        }
        _ => (
            format!("the steps that the marked holes still need, each multiplied by the number on its hole, add up to {sum}"),
            format!("{} modulo {states}", sum % states),
            format!("0 modulo {states}"),
        ),
    };
    Some(Measure { kind: MeasureKind::Invariant, text, value, goal, numbers: vec![(sum % states) as i64] })
}
