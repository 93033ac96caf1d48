//! The rules of a board in small pictures. The pictures depend on the board and its options, not on the moves made.

use serde_json::{Value, json};

use super::board::{BoardRequest, Replayed};
use super::{Asked, Reply};
use crate::catalog::Entry;
use crate::catalog::primer::Illustrated;
use crate::drawing::ShownMove;

pub fn primer(entry: &'static Entry, asked: &Asked) -> Reply {
    let Replayed { start, .. } = asked.read::<BoardRequest>()?.read(entry, asked.limits)?;
    let card = |Illustrated { card, pictures, price }: &Illustrated| {
        let mv = match &card.shown {
            ShownMove::Move(mv) | ShownMove::Priced(mv) => Some(mv),
            ShownMove::Nothing | ShownMove::Illegal(_) => None,
        };
        json!({
            "topic": card.topic, "sentence": card.sentence, "pictures": pictures, "price": price, "instance": card.instance, "move": mv,
        })
    };
    let cards: Value = start.primer(asked.limits)?.iter().map(card).collect();
    Ok(json!({"cards": cards}))
}
