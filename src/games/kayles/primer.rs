//! The rules of Kayles in small pictures: on a path for graphs, on one or two rows of pins for heaps.

use super::{Kayles, Kind, Objects, Octal, Rule};
use crate::drawing::{Card, Drawing, Primer, Topic};
use crate::limits::{Limit, Limits};
use crate::notation::{Notation, Options, counted, parse};
use crate::rules::Rules;
use crate::scene::Scene;

pub const PRIMER: Primer<Kayles> = Primer { cards, picture };

const LOSES: &str = "If you cannot move, you lose.";

fn cards(kayles: &Kayles) -> Vec<Card> {
    let mut cards = match kayles.boards.first().map(|board| &board.kind) {
        Some(Kind::Graph { rule: Rule::Arc, .. }) => vec![
            Card::new(Topic::Move, "Take turns: take an edge with both of its ends.", "graph: P4; rule: arc").making("a-b"),
            Card::new(Topic::Forbidden, "A vertex without edges cannot be taken.", "graph: P3; rule: arc; taken: a b").refusing("c"),
            Card::new(Topic::Goal, LOSES, "graph: P4; rule: arc; taken: a b").making("c-d"),
        ],
        Some(Kind::Graph { rule: Rule::Node, .. }) => vec![
            Card::new(Topic::Move, "Take turns: take a vertex with all of its neighbors.", "graph: P4; rule: node").making("a"),
            Card::new(Topic::Forbidden, "What is gone cannot be taken again.", "graph: P4; rule: node; taken: a b").refusing("b"),
            Card::new(Topic::Goal, LOSES, "graph: P3; rule: node").making("b"),
        ],
        Some(Kind::Heaps { is_nim: true, .. }) => vec![
            Card::new(Topic::Move, "Take turns: take any number of pins from the right end of one heap.", "heaps: 3 2").making("1.2-1.3"),
            Card::new(Topic::Forbidden, "A move takes pins from one heap only.", "heaps: 3 2").refusing("1.3-2.1"),
            Card::new(Topic::Goal, LOSES, "heaps: 2").making("1.1-1.2"),
        ],
        Some(Kind::Heaps { octal, .. }) => of_octal(octal),
        None => Vec::new(),
    };
    if kayles.boards.len() > 1 {
        let both = "graph: P2; rule: arc + heaps: 2";
        cards.insert(1, Card::new(Topic::Move, "A move is made on one of the boards.", both).making("2:1.2"));
        cards.retain(|card| card.topic != Topic::Forbidden);
    }
    cards
}

/// The smallest heaps with a move.
fn of_octal(octal: &Octal) -> Vec<Card> {
    let Some(least) = (1..=super::MOST).find(|&size| !octal.is_dead(size)) else { return Vec::new() };
    let moves = |size: usize| {
        let text = format!("octal: {}; heaps: {size}", octal.write());
        let board = parse::<Kayles>(&text, &Options::default()).ok()?;
        let mut moves = Vec::new();
        board.moves(&board.start, &mut moves);
        let all = moves.iter().map(|take| board.write_move(&board.start, take)).collect::<Vec<_>>();
        Some((text, all))
    };
    let code = if octal.most() > 9 { "the code".to_owned() } else { octal.write() };
    let what = if octal.splits() { "pins next to each other" } else { "pins from the right end" };
    let mut cards = Vec::new();
    let sizes = (least..=(least + 3).min(super::MOST)).rev();
    if let Some((text, all)) = sizes.filter_map(moves).find(|(_, all)| !all.is_empty())
        && let Some(mv) = all.last()
    {
        cards.push(Card::new(Topic::Move, format!("Take turns: take {what} of a heap, as many as {code} allows."), text).making(mv));
    }
    let more = octal.most() + 1;
    let text = format!("octal: {}; heaps: {more}", octal.write());
    let never = format!("No move takes {more} pins: the code has only {}.", counted(octal.most(), "digit", "digits"));
    cards.push(Card::new(Topic::Forbidden, never, text).refusing(format!("1.1-1.{more}")));
    if let Some((text, all)) = moves(least)
        && let Some(mv) = all.first()
    {
        cards.push(Card::new(Topic::Goal, LOSES, text).making(mv));
    }
    cards
}

/// The same drawing, without the numbers to choose from.
fn picture(kayles: &Kayles, left: &Objects, limits: &Limits) -> Result<Scene, Limit> {
    let mut scene = kayles.scene(left, limits)?;
    scene.shapes.retain(|shape| shape.name.as_ref().is_none_or(|name| !name.starts_with("take ")));
    Ok(Scene { width: scene.width, ..scene })
}
