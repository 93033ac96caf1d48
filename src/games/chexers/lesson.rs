//! Brushes that edit a Chexers board, the distances of `relaxed` as a heat map, and the proof that a piece is enclosed.

use serde_json::Value;

use super::heuristics::{relaxed_sum, relaxed_table};
use super::{COLORS, Chexers, Hex, HexSet, OFF};
use crate::notation::{Notation, sentence};
use crate::outcome::Certificate;
use crate::rules::DEAD;
use crate::scene::{Brush, Explanation, Paint};

pub(super) const BRUSHES: &[Brush] = &[
    Brush { name: "piece", about: "put a piece here", clicks: 1 },
    Brush { name: "block", about: "put a block here", clicks: 1 },
    Brush { name: "empty", about: "remove the piece or block here", clicks: 1 },
    Brush { name: "red", about: "play red, which leaves on the right", clicks: 0 },
    Brush { name: "green", about: "play green, which leaves at the bottom", clicks: 0 },
    Brush { name: "blue", about: "play blue, which leaves at the upper left", clicks: 0 },
    Brush { name: "larger", about: "add a ring of hexes", clicks: 0 },
    Brush { name: "smaller", about: "remove the outer ring of hexes", clicks: 0 },
];

/// Maximum radius in the editor; larger boards can only be read from files.
const MOST_RADIUS: i32 = 12;

pub(super) fn paint(board: &Chexers, pieces: &HexSet, brush: &str, shapes: &[&str]) -> Option<String> {
    let (mut here, mut blocks) = (pieces.clone(), board.blocked.clone());
    let mut color = board.color;
    let mut radius = board.radius;
    match (brush, shapes) {
        (_, [name]) => {
            let (q, r) = name.split_once(',')?;
            let hex = board.find((q.parse().ok()?, r.parse().ok()?));
            if hex == OFF {
                return None;
            }
            here.remove(hex);
            blocks.remove(hex);
            match brush {
                "piece" => here.insert(hex),
                "block" => blocks.insert(hex),
                "empty" => {}
                _ => return None,
            }
        }
        ("larger", []) if radius < MOST_RADIUS => radius += 1,
        ("smaller", []) if radius > 0 => radius -= 1,
        (name, []) => color = COLORS.iter().find(|(_, known)| *known == name)?.0,
        _ => return None,
    }
    let changed = Chexers::empty(radius, color);
    let moved = |hexes: &HexSet| -> Vec<Hex> {
        hexes.iter().map(|hex| changed.find(board.hexes[hex as usize])).filter(|&hex| hex != OFF).collect()
    };
    let (blocks, here) = (moved(&blocks), moved(&here));
    let changed = changed.set_up(&blocks, &[]);
    let mut pieces = HexSet::none(changed.hexes.len());
    // A piece on a block is dropped, because it would be legal only on a blocked exit.
    here.into_iter().filter(|&hex| !changed.blocked.has(hex)).for_each(|hex| pieces.insert(hex));
    Some(changed.write(&pieces))
}

/// Shows the relaxed distance of every hex as a heat map.
pub(super) fn explain(board: &Chexers, pieces: &HexSet) -> Option<Explanation> {
    let table = relaxed_table(board);
    let most = table.iter().copied().filter(|&away| away != DEAD).max().unwrap_or(1).max(1);
    let sum = relaxed_sum(&table, pieces);
    let total = match sum {
        DEAD => "At least one piece has no way out.".to_owned(),
        0 => "All pieces are off the board.".to_owned(),
        sum => format!("These numbers add up to {sum} for the pieces on the board, so every plan from here needs at least {sum} actions."),
    };
    let mut explanation = Explanation::new(format!(
        "Each hex shows the number of actions that a piece there would need to leave the board if every jump were allowed. {total} \
         This is the estimate `relaxed`, which guides A*."
    ));
    for (hex, &(q, r)) in (0..).zip(&board.hexes).filter(|(hex, _)| !board.blocked.has(*hex)) {
        let away = table[hex as usize];
        match away {
            DEAD => explanation.tint_with(format!("{q},{r}"), Paint::Block, 0.5, "∞"),
            _ => explanation.tint_with(format!("{q},{r}"), Paint::Glow, f64::from(away) / f64::from(most) * 0.85, away.to_string()),
        }
    }
    Some(explanation)
}

pub(super) fn show_proof(_board: &Chexers, _pieces: &HexSet, certificate: &Certificate) -> Explanation {
    let mut explanation = Explanation::new(sentence(&certificate.claim));
    explanation.text.push_str(" It could reach only the marked hexes, and none of them is a free exit.");
    let name = |hex: &Value| Some(format!("{},{}", hex.get(0)?.as_i64()?, hex.get(1)?.as_i64()?));
    let region = certificate.data.get("region").and_then(Value::as_array);
    for name in region.into_iter().flatten().filter_map(name) {
        explanation.tint(name, Paint::Glow, 0.6);
    }
    if let Some(name) = certificate.data.get("piece").and_then(name) {
        explanation.tint_with(name, Paint::Glow, 0.9, "!");
    }
    explanation
}
