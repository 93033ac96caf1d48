//! The rules of a board of moles in three pictures: what a hit does by the board's own pattern, sides and states, that it costs 1,
//! and what is to be reached.

use super::chase::Wrap;
use super::field::{Field, Hole, Offset, Shape};
use super::{Board, Moles};
use crate::drawing::{Card, Drawing, Example, Primer, Topic};
use crate::graph::families;

pub const PRIMER: Primer<Moles> = Primer {
    cards,
    picture: |moles, board, limits| {
        let scene = moles.scene(board, limits)?;
        // Texts are the numbers of holes on a graph, or states.
        let scene = if moles.states == 2 { scene.without_texts() } else { scene };
        Ok(if matches!(moles.field.shape, Shape::Graph { .. }) { scene.tightened(MARGIN, 0.5) } else { scene })
    },
};

/// What a drawing of a graph leaves around its holes.
const MARGIN: f64 = 30.0;
/// How far from the hit a picture goes at most; larger patterns are cut off.
const MOST: i32 = 7;

/// A small board with the options of another.
struct Small {
    settings: String,
    field: Field,
    /// The hole that is hit.
    hit: usize,
}

impl Small {
    fn of(moles: &Moles) -> Small {
        let mut settings = if moles.states == 2 { String::new() } else { format!("states: {}\n", moles.states) };
        match &moles.field.shape {
            Shape::Grid { wrap, pattern, .. } => {
                // How far the pattern goes on each side of the hole that is hit: at least to a neighbor.
                let far = |along: &dyn Fn(&Offset) -> i32| pattern.offsets.iter().map(along).fold(1, i32::max).min(MOST) as usize;
                let (up, down) = (far(&|offset| -offset.0), far(&|offset| offset.0));
                let (left, right) = (far(&|offset| -offset.1), far(&|offset| offset.1));
                // Where sides are joined, a hit at the side shows that, and there is something between.
                let more = usize::from(*wrap != Wrap::None);
                let (rows, columns) = (up + 1 + down + more, left + 1 + right + more);
                let hit = match wrap {
                    Wrap::None => up * columns + left,
                    Wrap::Cylinder => up * columns,
                    Wrap::Torus => 0,
                };
                match wrap {
                    Wrap::None => {}
                    Wrap::Cylinder => settings.push_str("wrap: cylinder\n"),
                    Wrap::Torus => settings.push_str("wrap: torus\n"),
                }
                settings.push_str(&format!("pattern: {}\n", pattern.name));
                let shape = Shape::Grid { rows, columns, wrap: *wrap, pattern: pattern.clone() };
                Small { settings, field: Field::new(shape, Vec::new()), hit }
            }
            Shape::Graph { center, .. } => {
                settings.push_str("graph: C5\n");
                settings.push_str(if *center { "pattern: plus\n" } else { "pattern: cross\n" });
                let Some(Ok(graph)) = families::by_name("C5") else { unreachable!("a family") };
                Small { settings, field: Field::new(Shape::Graph { graph, center: *center }, Vec::new()), hit: 0 }
            }
        }
    }

    fn toggled(&self) -> Vec<usize> {
        let mut toggled = Vec::new();
        self.field.toggled(self.hit, |at| toggled.push(at));
        toggled
    }

    /// The board as text, with more settings.
    fn text(&self, board: &Board, more: &str) -> String {
        let digits: String = board.iter().map(|&state| char::from_digit(u32::from(state), 36).unwrap_or('0')).collect();
        match &self.field.shape {
            Shape::Grid { .. } => format!("{}{more}{}\n", self.settings, self.rows(&digits).join("\n")),
            Shape::Graph { .. } => format!("{}{more}board: {digits}\n", self.settings),
        }
    }

    fn rows(&self, digits: &str) -> Vec<String> {
        match &self.field.shape {
            Shape::Grid { columns, .. } => {
                digits.as_bytes().chunks(*columns).map(|row| String::from_utf8_lossy(row).into_owned()).collect()
            }
            Shape::Graph { .. } => vec![digits.to_owned()],
        }
    }
}

fn cards(moles: &Moles) -> Vec<Card> {
    let small = Small::of(moles);
    let hit = (small.hit + 1).to_string();
    let toggled = small.toggled();
    // A hole that goes back to the first state, and one that is in between.
    let mut before = vec![0; small.field.len()];
    if let Some(&first) = toggled.first() {
        before[first] = moles.states - 1;
    }
    if let Some(&second) = toggled.get(toggled.len() / 2) {
        before[second] = 1;
    }
    let clear = vec![0; small.field.len()];
    let locked = moles.field.holes.contains(&Hole::Locked);
    let far = (0..small.field.len()).rev().find(|at| *at != small.hit && !toggled.contains(at));
    let far = far.or_else(|| (0..small.field.len()).rev().find(|&at| at != small.hit)).unwrap_or(0);
    let (cost, lock) = match locked {
        false => ("Every hit costs 1.", String::new()),
        true => ("Every hit costs 1. A crossed-out hole cannot be hit.", format!("locked: {}\n", far + 1)),
    };
    let cards = [
        Card::new(Topic::Move, effect(moles), small.text(&before, "")).making(hit.as_str()),
        Card::new(Topic::Cost, cost, small.text(&clear, &lock)).pricing(hit.as_str()),
        goal(moles, &small, &toggled).making(hit),
    ];
    // Nothing can be seen of a pattern that lies farther away than a picture goes.
    let show = |card: Card| if toggled.is_empty() { Card { shown: Example::Nothing, ..card } } else { card };
    cards.into_iter().map(show).collect()
}

/// What a hit does, in words.
fn effect(moles: &Moles) -> String {
    let (what, itself, joined) = match &moles.field.shape {
        Shape::Graph { center, .. } => (if *center { "it and all holes joined to it" } else { "all holes joined to it" }, *center, ""),
        Shape::Grid { rows, columns, wrap, pattern } => {
            // On a narrow board a hole has fewer neighbors.
            let wide = (*rows).min(*columns) >= 3;
            let (what, itself) = match pattern.name.as_str() {
                "plus" if wide => ("it and its four neighbors", true),
                "plus" => ("it and its neighbors", true),
                "cross" if wide => ("its four neighbors", false),
                "cross" => ("its neighbors", false),
                "king" if wide => ("it and the eight holes around it", true),
                "king" => ("it and the holes around it", true),
                "ring" if wide => ("the eight holes around it", false),
                "ring" => ("the holes around it", false),
                // The picture shows whether the hole itself is among them.
                _ => ("the holes in this pattern", true),
            };
            let joined = match wrap {
                Wrap::None => "",
                Wrap::Cylinder => " Left and right are joined.",
                Wrap::Torus => " Opposite sides are joined.",
            };
            (what, itself, joined)
        }
    };
    let change = match moles.states {
        2 => "flip".to_owned(),
        states => format!("go up by 1, from {} to empty", states - 1),
    };
    let not = if itself { "" } else { ", not the hole itself," };
    let between = if moles.states == 2 && itself && joined.is_empty() { " between mole and empty" } else { "" };
    format!("Hit a hole: {what}{not} {change}{between}.{joined}")
}

/// The state before the last hit, and what it leads to.
fn goal(moles: &Moles, small: &Small, toggled: &[usize]) -> Card {
    let (states, len) = (moles.states, small.field.len());
    let holes = || (0..moles.field.len()).filter(|&at| moles.field.exists(at)).map(|at| moles.target[at]);
    let (sentence, target): (String, Board) = if holes().all(|state| state == 0) {
        (if states == 2 { "You win when no mole is left." } else { "You win when every hole is empty." }.to_owned(), vec![0; len])
    } else if holes().all(|state| state == states - 1) {
        let sentence = if states == 2 {
            "You win when every hole has a mole.".to_owned()
        } else {
            format!("You win when every hole shows {}.", states - 1)
        };
        (sentence, vec![states - 1; len])
    } else {
        let sentence = match states {
            2 => "You win when the marked holes have moles and all others are empty.",
            _ => "You win when every hole shows its target.",
        };
        (sentence.to_owned(), (0..len).map(|at| u8::from(at % 2 == 0)).collect())
    };
    let mut before = target.clone();
    toggled.iter().for_each(|&at| before[at] = (target[at] + states - 1) % states);
    let digits: String = target.iter().map(|&state| char::from_digit(u32::from(state), 36).unwrap_or('0')).collect();
    let line = if target.iter().all(|&state| state == 0) { String::new() } else { format!("target: {}\n", small.rows(&digits).join("/")) };
    Card::new(Topic::Goal, sentence, small.text(&before, &line))
}
