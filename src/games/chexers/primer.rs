//! The rules of Chexers in three pictures, on seven hexes, with the exits for the board's color.

use super::{Chexers, Color};
use crate::drawing::{Card, Drawing, Primer, Topic};

pub const PRIMER: Primer<Chexers> = Primer { cards, picture: |board, state, limits| Ok(board.scene(state, limits)?.without_texts()) };

fn cards(board: &Chexers) -> Vec<Card> {
    // A line from one side through the center to an exit.
    let (from, to) = match board.color {
        Color::Red => ((-1, 0), (1, 0)),
        Color::Green => ((0, -1), (0, 1)),
        Color::Blue => ((1, 0), (-1, 0)),
    };
    let list = |hexes: &[(i32, i32)]| hexes.iter().map(|(q, r)| format!("[{q},{r}]")).collect::<Vec<_>>().join(",");
    let on = |pieces: &[(i32, i32)], blocks: &[(i32, i32)]| {
        let (color, pieces, blocks) = (board.color.name(), list(pieces), list(blocks));
        format!("{{\"colour\":\"{color}\",\"radius\":1,\"pieces\":[{pieces}],\"blocks\":[{blocks}]}}")
    };
    let hex = |(q, r): (i32, i32)| format!("({q}, {r})");
    let center = (0, 0);
    let jump = format!("JUMP from {} to {}.", hex(from), hex(to));
    let step = format!("MOVE from {} to {}.", hex(from), hex(center));
    let (blocks, pieces) = (!board.blocked.is_empty(), board.start.len());
    let action = |sentence: &str, instance: String, action: &str| Card::new(Topic::Move, sentence, instance).making(action);
    vec![
        match (blocks, pieces) {
            (true, 2..) => {
                action("Step to an empty hex, or jump over a piece or block to the hex behind it.", on(&[from], &[center]), &jump)
            }
            (true, _) => action("Step to an empty hex, or jump over a block to the hex behind it.", on(&[from], &[center]), &jump),
            (false, 2..) => action("Step to an empty hex, or jump over a piece to the hex behind it.", on(&[from, center], &[]), &jump),
            (false, _) => action("Step to a neighboring empty hex.", on(&[from], &[]), &step),
        },
        Card::new(Topic::Cost, "Every action costs 1: a step, a jump or an exit.", on(&[from], &[])).pricing(step),
        Card::new(Topic::Goal, "A piece on a marked hex can leave. You win when all have left.", on(&[to], &[]))
            .making(format!("EXIT from {}.", hex(to))),
    ]
}
