//! Tic-tac-toe from the two-player template, with symmetry: 5,478 positions, 765 up to symmetry.

use kibitzer::drawing::Drawing;
use kibitzer::games::template2;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Info, Input, Notation, Options, ReadError, parse};
use kibitzer::rules::{Game, Rules, Score};
use kibitzer::scene::Scene;

pub struct TicTacToe {
    plain: template2::TicTacToe,
    /// If set, lists moves in terminal positions, which the contract forbids.
    careless: bool,
}

impl TicTacToe {
    /// A game that starts from nine cells, row by row: 0 for empty, 1 for X (who begins), 2 for O.
    pub fn at(start: [u8; 9]) -> TicTacToe {
        let text: String = start.iter().map(|&cell| [".", "X", "O"][usize::from(cell)]).collect();
        TicTacToe { plain: parse(&text, &Options::default()).expect("a board"), careless: false }
    }

    pub fn careless(start: [u8; 9]) -> TicTacToe {
        TicTacToe { careless: true, ..TicTacToe::at(start) }
    }
}

/// For each cell, the cell whose value moves there when the board is rotated by 90 degrees.
const TURN: [usize; 9] = [2, 5, 8, 1, 4, 7, 0, 3, 6];
/// Like [`TURN`], but for a mirrored board.
const MIRROR: [usize; 9] = [2, 1, 0, 5, 4, 3, 8, 7, 6];

fn images(board: [u8; 9]) -> impl Iterator<Item = [u8; 9]> {
    let turned = move |from: [u8; 9]| std::iter::successors(Some(from), |board| Some(TURN.map(|at| board[at]))).take(4);
    turned(board).chain(turned(MIRROR.map(|at| board[at])))
}

impl Rules for TicTacToe {
    type State = [u8; 9];
    type Move = u8;

    fn start(&self) -> [u8; 9] {
        self.plain.start()
    }

    fn moves(&self, board: &[u8; 9], out: &mut Vec<u8>) {
        match self.careless {
            true => out.extend((0..9).filter(|&at| board[usize::from(at)] == 0)),
            false => self.plain.moves(board, out),
        }
    }

    fn apply(&self, board: &[u8; 9], at: &u8) -> [u8; 9] {
        self.plain.apply(board, at)
    }

    fn canonical(&self, board: [u8; 9]) -> [u8; 9] {
        images(board).min().unwrap_or(board)
    }

    fn orbit(&self, board: &[u8; 9]) -> u64 {
        images(*board).collect::<std::collections::BTreeSet<_>>().len() as u64
    }

    fn layer(&self, board: &[u8; 9]) -> Option<u32> {
        self.plain.layer(board)
    }
}

impl Game for TicTacToe {
    fn terminal(&self, board: &[u8; 9]) -> Option<Score> {
        self.plain.terminal(board)
    }

    fn impartial(&self) -> bool {
        false
    }
}

impl Notation for TicTacToe {
    const INFO: Info<Self> = Info { name: "tictactoe", about: "three in a row", rules: "three rows", sample: ".........", ..Info::EMPTY };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        Ok(TicTacToe { plain: template2::TicTacToe::read(input)?, careless: false })
    }

    fn write_move(&self, board: &[u8; 9], at: &u8) -> String {
        self.plain.write_move(board, at)
    }

    fn write(&self, board: &[u8; 9]) -> String {
        self.plain.write(board)
    }

    fn ascii(&self, board: &[u8; 9]) -> String {
        self.plain.ascii(board)
    }
}

impl Drawing for TicTacToe {
    fn scene(&self, board: &[u8; 9], limits: &Limits) -> Result<Scene, Limit> {
        self.plain.scene(board, limits)
    }

    fn clicks(&self, board: &[u8; 9], at: &u8) -> Vec<String> {
        self.plain.clicks(board, at)
    }
}
