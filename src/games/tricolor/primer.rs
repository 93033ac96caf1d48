//! The rules of a tricolor board in three pictures. Black vertices are mentioned only if there are any.

use super::{Tricolor, count};
use crate::drawing::{Card, Drawing, Primer, Topic};
use crate::scene::Paint;

pub const PRIMER: Primer<Tricolor> = Primer {
    cards,
    picture: |board, state, limits| {
        let near = if board.graph.len() == 3 { 0.8 } else { 0.55 };
        Ok(board.scene(state, limits)?.without_texts().tightened(MARGIN, near))
    },
};

/// The margin around the vertices of a drawing.
const MARGIN: f64 = 30.0;

const PATH: &str = "edges: 0-1 1-2\n";
const STAR: &str = "edges: 0-1 0-2 0-3\n";

fn cards(board: &Tricolor) -> Vec<Card> {
    let cost = if board.by_color { "cost: color\n" } else { "" };
    let on = |colors: &str, edges: &str| format!("colors: {colors}\n{edges}{cost}");
    let click = |sentence: &str| Card::new(Topic::Move, sentence, on("RRG", PATH)).making("1");
    let follow = |sentence: &str| Card::new(Topic::Move, sentence, on("BRRG", STAR)).making("0");
    let won = |sentence: &str| Card::new(Topic::Goal, sentence, on("RRR", PATH));
    let priced = |sentence: &str, colors: &str, prices: &[&str]| {
        let card = Card::new(Topic::Cost, sentence, on(colors, PATH));
        prices.iter().enumerate().fold(card, |card, (v, price)| card.note(v.to_string(), *price, Paint::Cell))
    };
    let plain = "Click a vertex: it and its neighbors swap red and green.";
    let goal = "You win when every vertex is green.";
    match (board.by_color, count(board.start.black()) > 0) {
        (false, true) => vec![
            click("Click a red or green vertex: it and its red and green neighbors swap colors."),
            follow("Click a black one: its neighbors swap, then it joins their majority, if there is one."),
            won("You win when every vertex is green. Every click costs 1.").pricing("1"),
        ],
        (false, false) => {
            vec![click(plain), Card::new(Topic::Cost, "Every click costs 1.", on("GRG", PATH)).pricing("2"), won(goal).making("1")]
        }
        (true, true) => vec![
            follow("Click a vertex: it and its neighbors swap red and green; if black, it joins the majority."),
            priced("A click costs 1 on red, 2 on black and 3 on green.", "RBG", &["1", "2", "3"]),
            won(goal).making("1"),
        ],
        (true, false) => {
            vec![click(plain), priced("A click costs 1 on red and 3 on green.", "RGR", &["1", "3", "1"]), won(goal).making("1")]
        }
    }
}
