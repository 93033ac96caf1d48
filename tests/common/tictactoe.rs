//! Tic-tac-toe, a game with draws, as somebody would add one. It has 5,478 positions, 765 up to symmetry.

use kibitzer::drawing::Drawing;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Info, Input, Notation, ParseError, ReadError};
use kibitzer::rules::{Game, Rules, Score};
use kibitzer::scene::{Form, Paint, Scene};

pub struct TicTacToe {
    /// Nine cells, row by row, 0 for empty, 1 for X, who begins, and 2 for O.
    start: [u8; 9],
    /// Does it list moves where the game is over? That breaks the law.
    careless: bool,
}

impl TicTacToe {
    pub fn at(start: [u8; 9]) -> TicTacToe {
        TicTacToe { start, careless: false }
    }

    #[allow(dead_code, reason = "not every test file breaks the law")]
    pub fn careless(start: [u8; 9]) -> TicTacToe {
        TicTacToe { start, careless: true }
    }
}

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Where each cell goes when the board is turned by a quarter, and when it is mirrored.
const TURN: [usize; 9] = [2, 5, 8, 1, 4, 7, 0, 3, 6];
const MIRROR: [usize; 9] = [2, 1, 0, 5, 4, 3, 8, 7, 6];

fn images(board: [u8; 9]) -> impl Iterator<Item = [u8; 9]> {
    let turned = move |from: [u8; 9]| std::iter::successors(Some(from), |board| Some(TURN.map(|at| board[at]))).take(4);
    turned(board).chain(turned(MIRROR.map(|at| board[at])))
}

fn filled(board: &[u8; 9]) -> u8 {
    board.iter().filter(|&&cell| cell != 0).count() as u8
}

impl Rules for TicTacToe {
    type State = [u8; 9];
    type Move = u8;

    fn start(&self) -> [u8; 9] {
        self.start
    }

    fn moves(&self, board: &[u8; 9], out: &mut Vec<u8>) {
        if self.careless || self.terminal(board).is_none() {
            out.extend((0..9).filter(|&at| board[at as usize] == 0));
        }
    }

    fn apply(&self, board: &[u8; 9], at: &u8) -> [u8; 9] {
        let mut after = *board;
        after[*at as usize] = 1 + filled(board) % 2;
        after
    }

    fn canonical(&self, board: [u8; 9]) -> [u8; 9] {
        images(board).min().unwrap_or(board)
    }

    fn orbit(&self, board: &[u8; 9]) -> u64 {
        images(*board).collect::<std::collections::BTreeSet<_>>().len() as u64
    }

    fn layer(&self, board: &[u8; 9]) -> Option<u32> {
        Some(filled(board).into())
    }
}

impl Game for TicTacToe {
    fn terminal(&self, board: &[u8; 9]) -> Option<Score> {
        // Only the player who has just moved can have a line.
        if LINES.iter().any(|line| board[line[0]] != 0 && line.iter().all(|&at| board[at] == board[line[0]])) {
            return Some(Score::Loss);
        }
        (filled(board) == 9).then_some(Score::Draw)
    }

    fn impartial(&self) -> bool {
        false
    }
}

impl Notation for TicTacToe {
    const INFO: Info<Self> = Info {
        name: "tictactoe",
        about: "three in a row",
        rules: "nine characters, row by row: X, O and - for an empty cell",
        sample: "---------",
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let cells: Vec<u8> = input.text.trim().chars().filter_map(|cell| "-XO".find(cell)).map(|cell| cell as u8).collect();
        let error = |message: &str| {
            ReadError::Text(ParseError { line: 1, column: 1, message: message.to_owned(), help: Self::INFO.rules.to_owned() })
        };
        cells.try_into().map(TicTacToe::at).map_err(|_| error("this is no board"))
    }

    /// Cells are numbered from 1, as on a telephone.
    fn write_move(&self, _: &[u8; 9], at: &u8) -> String {
        (at + 1).to_string()
    }

    fn write(&self, board: &[u8; 9]) -> String {
        board.iter().map(|&cell| char::from(b"-XO"[cell as usize])).collect()
    }

    fn ascii(&self, board: &[u8; 9]) -> String {
        let text = self.write(board);
        format!("{}\n{}\n{}", &text[..3], &text[3..6], &text[6..])
    }
}

impl Drawing for TicTacToe {
    fn scene(&self, board: &[u8; 9], limits: &Limits) -> Result<Scene, Limit> {
        let mut scene = Scene { title: self.line(board), width: 30.0, height: 30.0, ..Scene::default() };
        for at in 0..9 {
            scene.check(limits)?;
            let (x, y) = ((at % 3) as f64 * 10.0, (at / 3) as f64 * 10.0);
            scene.add_named(Form::Rect { x, y, width: 10.0, height: 10.0 }, Paint::Cell, at.to_string());
        }
        Ok(scene)
    }

    fn clicks(&self, _: &[u8; 9], at: &u8) -> Vec<String> {
        vec![at.to_string()]
    }
}
