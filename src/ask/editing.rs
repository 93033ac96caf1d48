//! Questions of an editor: a board to paint on, and the board after a stroke.

use serde::Deserialize;
use serde_json::json;

use super::board::{Board, Game, drawable};
use super::{Answer, Asked, Refusal};
use crate::catalog::{Entry, Puzzle};
use crate::notation::shorten;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stroke {
    instance: String,
    brush: String,
    #[serde(default)]
    shapes: Vec<String>,
}

pub fn canvas(entry: &'static Entry, asked: &Asked) -> Answer {
    let Game { here, .. } = asked.read::<Board>()?.read(entry, asked.limits)?;
    editable(&here.position().instance, &*here)
}

pub fn paint(entry: &'static Entry, asked: &Asked) -> Answer {
    let stroke: Stroke = asked.read()?;
    let Game { here, .. } = Board::plain(stroke.instance).read(entry, asked.limits)?;
    let shapes: Vec<&str> = stroke.shapes.iter().map(String::as_str).collect();
    let text = here.painted(&stroke.brush, &shapes).ok_or_else(|| {
        Refusal::board(format!("`{}` cannot be used there", shorten(&stroke.brush)), "the brushes are listed with the canvas")
    })?;
    // Read like any text from outside: an editor cannot make a board that the reader would refuse.
    let painted = Board::plain(text);
    let Game { here, .. } = painted.read(entry, asked.limits)?;
    editable(&painted.instance, &*here)
}

fn editable(instance: &str, puzzle: &dyn Puzzle) -> Answer {
    let scene = drawable(puzzle.canvas())?;
    Ok(json!({"instance": instance, "scene": scene, "brushes": puzzle.brushes()}))
}
