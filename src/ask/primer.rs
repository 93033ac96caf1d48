//! The rules of a board in small pictures. They follow from the board and its options; moves make no difference.

use serde_json::{Value, json};

use super::board::{BoardRequest, Replayed};
use super::{Answer, Asked};
use crate::catalog::Entry;
use crate::catalog::primer::Illustrated;
use crate::drawing::Example;

pub fn primer(entry: &'static Entry, asked: &Asked) -> Answer {
    let Replayed { start, .. } = asked.read::<BoardRequest>()?.read(entry, asked.limits)?;
    let card = |Illustrated { card, pictures, price }: &Illustrated| {
        let mv = match &card.shown {
            Example::Move(mv) | Example::Priced(mv) => Some(mv),
            Example::Nothing | Example::Illegal(_) => None,
        };
        json!({
            "topic": card.topic, "sentence": card.sentence, "pictures": pictures, "price": price, "instance": card.instance, "move": mv,
        })
    };
    let cards: Value = start.primer(asked.limits)?.iter().map(card).collect();
    Ok(json!({"cards": cards}))
}
