//! Questions of an editor: a board to paint on, and the board after a request.

use serde::Deserialize;
use serde_json::json;

use super::board::{BoardRequest, Replayed, drawable};
use super::{Answer, Asked, Refusal};
use crate::catalog::{Entry, Puzzle};
use crate::limits::Limits;
use crate::notation::shorten;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PaintRequest {
    instance: String,
    brush: String,
    #[serde(default)]
    shapes: Vec<String>,
}

pub fn canvas(entry: &'static Entry, asked: &Asked) -> Answer {
    let Replayed { here, .. } = asked.read::<BoardRequest>()?.read(entry, asked.limits)?;
    editable(&here.instance(), &*here, asked.limits)
}

pub fn paint(entry: &'static Entry, asked: &Asked) -> Answer {
    let request: PaintRequest = asked.read()?;
    let Replayed { here, .. } = BoardRequest::plain(request.instance).read(entry, asked.limits)?;
    let shapes: Vec<&str> = request.shapes.iter().map(String::as_str).collect();
    let painted = here.editor().and_then(|editor| editor.paint(&request.brush, &shapes));
    let text = painted.ok_or_else(|| {
        Refusal::board(format!("`{}` cannot be used there", shorten(&request.brush)), "the brushes are listed with the canvas")
    })?;
    // Read like any text from outside: an editor cannot make a board that the reader would refuse.
    let painted = BoardRequest::plain(text);
    let Replayed { here, .. } = painted.read(entry, asked.limits)?;
    editable(&painted.instance, &*here, asked.limits)
}

fn editable(instance: &str, puzzle: &dyn Puzzle, limits: &Limits) -> Answer {
    let Some(editor) = puzzle.editor() else {
        return Err(Refusal::board(format!("{} has no editor", puzzle.game()), "write the board as text"));
    };
    let scene = drawable(editor.canvas(limits)?)?;
    Ok(json!({"instance": instance, "scene": scene, "brushes": editor.brushes()}))
}
