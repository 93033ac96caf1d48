//! Questions about editing a board by hand: the board to paint on, the board after a stroke, and a rearranged drawing.

use serde::Deserialize;
use serde_json::json;

use super::board::{BoardRequest, Replayed, drawable};
use super::{Asked, Refusal, Reply};
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
    /// A point of the canvas, for brushes that need one.
    at: Option<(f64, f64)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceRequest {
    #[serde(flatten)]
    board: BoardRequest,
    name: String,
    x: f64,
    y: f64,
}

/// Moves a shape and returns the position with the new drawing. The moves already made are kept, because the layout does not affect
/// the rules.
pub fn place(entry: &'static Entry, asked: &Asked) -> Reply {
    let PlaceRequest { board, name, x, y } = asked.read()?;
    let Replayed { start, .. } = board.read(entry, asked.limits)?;
    let moved = start.editor().map_or(Ok(None), |editor| editor.place(&name, (x, y), asked.limits))?;
    let text =
        moved.ok_or_else(|| Refusal::board(format!("`{}` cannot be moved", shorten(&name)), "`scene.movable` lists what can be moved"))?;
    // The options are already part of the text, so they are not passed again.
    super::board::shown(entry, &BoardRequest { moves: board.moves, ..BoardRequest::plain(text) }, asked.limits)
}

pub fn canvas(entry: &'static Entry, asked: &Asked) -> Reply {
    let Replayed { here, .. } = asked.read::<BoardRequest>()?.read(entry, asked.limits)?;
    editable(&here.instance(), &*here, asked.limits)
}

pub fn paint(entry: &'static Entry, asked: &Asked) -> Reply {
    let request: PaintRequest = asked.read()?;
    let Replayed { here, .. } = BoardRequest::plain(request.instance).read(entry, asked.limits)?;
    let shapes: Vec<&str> = request.shapes.iter().map(String::as_str).collect();
    let painted = match (here.editor(), request.at) {
        (Some(editor), Some(at)) if shapes.is_empty() => editor.paint_at(&request.brush, at, asked.limits)?,
        (Some(editor), None) => editor.paint(&request.brush, &shapes),
        _ => None,
    };
    let text = painted
        .ok_or_else(|| Refusal::board(format!("`{}` cannot be used there", shorten(&request.brush)), "`canvas` lists the brushes"))?;
    // The result is read like any external text, so an editor cannot make a board that the reader would refuse.
    let painted = BoardRequest::plain(text);
    let Replayed { here, .. } = painted.read(entry, asked.limits)?;
    editable(&painted.instance, &*here, asked.limits)
}

fn editable(instance: &str, puzzle: &dyn Puzzle, limits: &Limits) -> Reply {
    let Some(editor) = puzzle.editor() else {
        return Err(Refusal::board(format!("{} has no editor", puzzle.game()), "write the board as text"));
    };
    let scene = drawable(editor.canvas(limits)?)?;
    let mut brushes = json!(editor.brushes());
    for brush in brushes.as_array_mut().into_iter().flatten() {
        if editor.point_brushes().iter().any(|name| brush["name"] == *name) {
            brush["point"] = json!(true);
        }
    }
    let mut canvas = json!({"instance": instance, "scene": scene, "brushes": brushes});
    if let Some(grips) = editor.grips() {
        canvas["grips"] = grips.into_iter().map(|(shape, brush)| json!({"shape": shape, "brush": brush})).collect();
    }
    Ok(canvas)
}
