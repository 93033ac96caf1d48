//! The rules of a pegs board in three pictures: a jump, its price, and the goal.

use super::{Cost, DIRECTIONS, Pegs};
use crate::drawing::{Card, Drawing, Primer, Topic};
use crate::scene::Paint;

pub const PRIMER: Primer<Pegs> = Primer { cards, picture: |board, state, limits| Ok(board.scene(state, limits)?.without_texts()) };

/// A peg that can jump in all directions.
const CROSSING: &str = "##.##\n##b##\n.bab.\n##b##\n##.##\n";
/// The landing holes of the jumps on `CROSSING`: up, right, down, left.
const LANDINGS: [&str; 4] = ["0,2", "2,4", "4,2", "2,0"];

fn cards(board: &Pegs) -> Vec<Card> {
    let mut settings = if board.single { "jump: single\n".to_owned() } else { String::new() };
    settings.push_str(&format!("costs: {}\n", board.costs.map(|cost| cost.to_string()).join(" ")));
    settings.push_str(if board.by_moves { "count: moves\n" } else { "" });
    let row = format!("{settings}{}", if board.single { "ab.\n" } else { "abc.\n" });
    let jump = match board.single {
        true => "Jump over one peg into the empty hole behind it. The jumped peg is removed.",
        false => "Jump over one or more consecutive pegs into the hole behind them. These pegs are removed.",
    };
    vec![Card::new(Topic::Move, jump, row.clone()).making("a right"), cost(board, &settings, row), goal(board, &settings)]
}

fn cost(board: &Pegs, settings: &str, row: String) -> Card {
    if board.by_moves {
        let sentence = "Every move costs 1, even if the same peg jumps again and again.";
        return Card::new(Topic::Cost, sentence, format!("{settings}ab.\n##b\n##.\n")).pricing("a right down");
    }
    let length = if board.single { "" } else { ", however long" };
    let [first, ..] = board.costs;
    if board.costs == [first; 4] {
        let sentence = match first {
            0 => "Jumps cost nothing.".to_owned(),
            _ => format!("Every jump costs {first}{length}."),
        };
        return Card::new(Topic::Cost, sentence, row).pricing("a right");
    }
    let [up, right, down, left] = board.costs;
    let sentence = format!("A jump up costs {up}, right {right}, down {down}, left {left}{length}.");
    let card = Card::new(Topic::Cost, sentence, format!("{settings}{CROSSING}")).point("2,2");
    let note = |card: Card, (place, cost): (&str, Cost)| card.note(place, cost.to_string(), Paint::Ink);
    LANDINGS.into_iter().zip(DIRECTIONS.map(|direction| board.costs[direction as usize])).fold(card, note)
}

fn goal(board: &Pegs, settings: &str) -> Card {
    let card = |sentence: &str, settings: &str, rows: &str| Card::new(Topic::Goal, sentence, format!("{settings}{rows}")).making("b up");
    let at = |hole: usize| {
        let (row, column) = board.holes[hole];
        if (2 * row + 1, 2 * column + 1) == (board.rows, board.columns) {
            let settings = format!("{settings}goal: at 2,1\n");
            return card("You win when one peg is left, in the center.", &settings, "...\n...\n...\n.a.\n.b.\n");
        }
        card("You win when one peg is left, in the marked hole.", &format!("{settings}goal: at 0,1\n"), "...\n.a.\n.b.\n")
    };
    match (board.goal, board.goal_hole()) {
        (None, _) => card("You win when one peg is left, anywhere.", settings, "...\n.a.\n.b.\n"),
        (_, Some(hole)) => at(hole),
        (Some(0), _) => Card::new(Topic::Goal, "You win when no peg is left.", format!("{settings}...\ngoal:\n...\n")),
        _ => card("You win when exactly the marked holes have pegs.", settings, "c..\n.a.\n.b.\ngoal:\noo.\n...\n...\n"),
    }
}
