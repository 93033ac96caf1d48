//! The rules of a moles board in three pictures: the effect of a hit with the board's own pattern, sides and states; its cost;
//! and the goal.

use super::chase::Wrap;
use super::field::{FieldShape, Hole, HoleField, Offset, Pattern};
use super::{Board, Moles, Wanted};
use crate::drawing::{Card, Drawing, Primer, ShownMove, Topic};
use crate::graph::families;
use crate::notation::Notation;

pub const PRIMER: Primer<Moles> = Primer {
    cards,
    picture: |moles, board, limits| {
        let scene = moles.scene(board, limits)?;
        // On a board with two states, the only labels are the hole numbers of a graph, which are left out.
        let scene = if moles.states == 2 { scene.without_texts() } else { scene };
        Ok(if matches!(moles.field.shape, FieldShape::Graph { .. }) { scene.tightened(MARGIN, 0.5) } else { scene })
    },
};

/// The margin around the holes of a drawn graph.
const MARGIN: f64 = 30.0;
/// The maximum number of rows or columns shown on each side of the hit hole; larger patterns are cropped.
const MOST: i32 = 7;

/// A small empty board with the options of the given board, and the hole that is hit on it.
fn small(moles: &Moles) -> (Moles, usize) {
    let (shape, hit) = match &moles.field.shape {
        FieldShape::Grid { wrap, pattern, .. } => {
            // The extent of the pattern on each side of the hit hole, at least 1.
            let far = |along: &dyn Fn(&Offset) -> i32| pattern.offsets.iter().map(along).fold(1, i32::max).min(MOST) as usize;
            let (up, down) = (far(&|offset| -offset.0), far(&|offset| offset.0));
            let (left, right) = (far(&|offset| -offset.1), far(&|offset| offset.1));
            // If sides are joined, the hit hole is on the border, and one more hole separates the wrapped ends of the pattern.
            let more = usize::from(*wrap != Wrap::None);
            let (rows, columns) = (up + 1 + down + more, left + 1 + right + more);
            let hit = match wrap {
                Wrap::None => up * columns + left,
                Wrap::Cylinder => up * columns,
                Wrap::Torus => 0,
            };
            (FieldShape::Grid { rows, columns, wrap: *wrap, pattern: pattern.clone() }, hit)
        }
        FieldShape::Graph { center, .. } => {
            let Some(Ok(graph)) = families::by_name("C5") else { unreachable!("a family") };
            (FieldShape::Graph { graph, center: *center }, 0)
        }
    };
    let clear = vec![0; shape.len()];
    (Moles::new(HoleField::new(shape, Vec::new()), moles.states, clear.clone(), clear, Wanted::Any), hit)
}

fn cards(moles: &Moles) -> Vec<Card> {
    let (mut small, hole) = small(moles);
    let (hit, len) = ((hole + 1).to_string(), small.field.len());
    let mut toggled = Vec::new();
    small.field.toggled(hole, |at| toggled.push(at));
    // One hole returns to the first state; another is in an intermediate state.
    let mut before = vec![0; len];
    if let Some(&first) = toggled.first() {
        before[first] = moles.states - 1;
    }
    if let Some(&second) = toggled.get(toggled.len() / 2) {
        before[second] = 1;
    }
    let effect = Card::new(Topic::Move, effect(moles), small.write(&before)).making(hit.as_str());
    let mut cost = "Every hit costs 1.";
    if moles.field.holes.contains(&Hole::Locked) {
        cost = "Every hit costs 1. A crossed-out hole cannot be hit.";
        let others = || (0..len).rev().filter(|at| *at != hole);
        let far = others().find(|at| !toggled.contains(at)).or_else(|| others().next()).unwrap_or(0);
        small.field.holes = vec![Hole::Open; len];
        small.field.holes[far] = Hole::Locked;
    }
    let cost = Card::new(Topic::Cost, cost, small.write(&small.start)).pricing(hit.as_str());
    small.field.holes.clear();
    let cards = [effect, cost, goal(moles, small, &toggled).making(hit)];
    // The pattern may lie entirely outside the picture.
    let show = |card: Card| if toggled.is_empty() { Card { shown: ShownMove::Nothing, ..card } } else { card };
    cards.into_iter().map(show).collect()
}

/// The effect of a hit, in words.
fn effect(moles: &Moles) -> String {
    let (around, center, joined) = match &moles.field.shape {
        FieldShape::Graph { center, .. } => ("all holes joined to it", Some(*center), ""),
        FieldShape::Grid { rows, columns, wrap, pattern } => {
            // On a narrow board, holes have fewer neighbors.
            let wide = (*rows).min(*columns) >= 3;
            let around = match pattern.name.as_str() {
                "plus" | "cross" if wide => "its four neighbors",
                "plus" | "cross" => "its neighbors",
                "king" | "ring" if wide => "the eight holes around it",
                "king" | "ring" => "the holes around it",
                _ => "the holes in this pattern",
            };
            // For a drawn pattern, the picture shows whether it includes the hole itself.
            let center = Pattern::NAMES.contains(&pattern.name.as_str()).then(|| pattern.offsets.contains(&(0, 0)));
            let joined = match wrap {
                Wrap::None => "",
                Wrap::Cylinder => " Left and right are joined.",
                Wrap::Torus => " Opposite sides are joined.",
            };
            (around, center, joined)
        }
    };
    let itself = if center == Some(true) { "it and " } else { "" };
    let not = if center == Some(false) { ", not the hole itself," } else { "" };
    let change = match moles.states {
        2 => "flip".to_owned(),
        states => format!("go up 1, or from {} to empty", states - 1),
    };
    let between = if moles.states == 2 && not.is_empty() && joined.is_empty() { " between mole and empty" } else { "" };
    format!("Hit a hole: {itself}{around}{not} {change}{between}.{joined}")
}

/// The card for the goal: it shows the board before the last hit.
fn goal(moles: &Moles, mut small: Moles, toggled: &[usize]) -> Card {
    let (states, len) = (moles.states, small.field.len());
    let holes = || (0..moles.field.len()).filter(|&at| moles.field.exists(at)).map(|at| moles.target[at]);
    let (sentence, target): (String, Board) = if holes().all(|state| state == 0) {
        (if states == 2 { "You win when no mole is left." } else { "You win when every hole is empty." }.to_owned(), vec![0; len])
    } else if holes().all(|state| state == states - 1) {
        let content = if states == 2 { "has a mole".to_owned() } else { format!("shows {}", states - 1) };
        (format!("You win when every hole {content}."), vec![states - 1; len])
    } else {
        let sentence = match states {
            2 => "You win when the marked holes have moles and all others are empty.",
            _ => "You win when every hole shows its target.",
        };
        (sentence.to_owned(), (0..len).map(|at| u8::from(at % 2 == 0)).collect())
    };
    let mut before = target.clone();
    toggled.iter().for_each(|&at| before[at] = (target[at] + states - 1) % states);
    small.target = target;
    Card::new(Topic::Goal, sentence, small.write(&before))
}
