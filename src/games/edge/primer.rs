//! The rules of the Edge-Distinguishing Game in three pictures. They show a path of three vertices, with the board's number of
//! colors.

use super::{Coloring, Edge};
use crate::drawing::{Card, Primer, Topic};
use crate::limits::{Limit, Limits};
use crate::notation::counted;
use crate::scene::{Form, Paint, Scene};

pub const PRIMER: Primer<Edge> = Primer { cards, picture };

fn cards(edge: &Edge) -> Vec<Card> {
    let on = |position: &str| {
        let misere = if edge.misere { "misere: yes\n" } else { "" };
        format!("graph: P3\ncolors: {}\nposition: {position}\n{misere}", edge.colors)
    };
    let second = edge.colors.min(2);
    let colors = counted(edge.colors, "color", "colors");
    let end = match edge.misere {
        false => "If you cannot move, you lose. Here neither player can color the middle vertex.",
        true => "Misère: if you cannot move, you win. Here neither player can color the middle vertex.",
    };
    vec![
        Card::new(
            Topic::Move,
            format!("Take turns: color any vertex. There {} {colors}.", if edge.colors == 1 { "is" } else { "are" }),
            on("1,-,-"),
        )
        .making(format!("b:{second}")),
        Card::new(
            Topic::Forbidden,
            "No two edges may have the same pair of colors. So 1 is not allowed here.",
            on(&format!("1,{second},-")),
        )
        .refusing("c:1")
        .cross("vertex c", "1", Paint::Ink),
        Card::new(Topic::Goal, end, on("1,-,-")).making("c:1"),
    ]
}

/// Draws the vertices in a row, close together, without their names and without the palette.
fn picture(edge: &Edge, board: &Coloring, limits: &Limits) -> Result<Scene, Limit> {
    const STEP: f64 = 70.0;
    let n = edge.vertices();
    let title = format!("{} of {n} vertices colored", board.iter().filter(|&&color| color != 0).count());
    let mut scene = Scene { title, width: STEP * (n as f64 - 1.0) + 50.0, height: 50.0, ..Scene::default() };
    let place = |v: u8| (25.0 + STEP * f64::from(v), 25.0);
    for &(u, v) in &edge.edges {
        scene.check(limits)?;
        let (from, to) = (place(u), place(v));
        scene.add(Form::Line { from, to }, Paint::Ink);
        let (a, b) = (board[usize::from(u)], board[usize::from(v)]);
        if a != 0 && b != 0 {
            let (x, y) = ((from.0 + to.0) / 2.0, from.1);
            scene.add(Form::Rect { x: x - 13.0, y: y - 9.0, width: 26.0, height: 18.0 }, Paint::Mark);
            scene.add(Form::Text { x, y, size: 14.0, text: format!("{},{}", a.min(b), a.max(b)) }, Paint::Ink);
        }
    }
    for v in 0..n as u8 {
        scene.check(limits)?;
        let ((x, y), color) = (place(v), usize::from(board[usize::from(v)]));
        let name = format!("vertex {}", edge.graph.name(usize::from(v)));
        scene.add_named(Form::Circle { x, y, r: 18.0 }, if color == 0 { Paint::Cell } else { Paint::color(color) }, name.clone());
        if color != 0 {
            scene.add_named(Form::Text { x, y, size: 20.0, text: color.to_string() }, Paint::Ink, name.clone());
        }
        scene.describe(&name, if color == 0 { format!("{name}, uncolored") } else { format!("{name}, color {color}") });
    }
    Ok(scene)
}
