//! Tic-tac-toe: a minimal but complete two-player game, as a template for new ones.
//!
//! It is built and tested like the shipped games, but not listed. Unlike `template.rs`, it implements [`Game`] instead of `Problem`, and
//! [`Rules::layer`], because no position can repeat. Symmetry ([`Rules::canonical`] and [`Rules::orbit`]), keys and facts are optional.
//! The steps are in docs/new-game.md.

use crate::drawing::Drawing;
use crate::limits::{Limit, Limits};
use crate::notation::{Generator, Info, Input, Notation, ReadError, Source, counted};
use crate::rules::{Game, Rules, Score};
use crate::scene::{Form, Paint, Scene};

/// One board: the starting position.
pub struct TicTacToe {
    start: Board,
}

/// The nine squares, row by row: empty, `X` or `O`. `X` moves if there are as many `X` as `O`.
type Board = [u8; 9];

const MARKS: [char; 3] = ['.', 'X', 'O'];

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn marks(board: &Board) -> usize {
    board.iter().filter(|&&square| square != 0).count()
}

/// True if a player has three in a row. This is always the player who moved last.
fn is_won(board: &Board) -> bool {
    LINES.iter().any(|[a, b, c]| board[*a] != 0 && board[*a] == board[*b] && board[*a] == board[*c])
}

impl Rules for TicTacToe {
    type State = Board;
    /// The square to mark.
    type Move = u8;

    fn start(&self) -> Board {
        self.start
    }

    /// There are no moves once the game is over, as the contract requires.
    fn moves(&self, board: &Board, out: &mut Vec<u8>) {
        if !is_won(board) {
            out.extend((0..9).filter(|&square| board[usize::from(square)] == 0));
        }
    }

    fn apply(&self, board: &Board, square: &u8) -> Board {
        let mut after = *board;
        after[usize::from(*square)] = 1 + (marks(board) % 2) as u8;
        after
    }

    fn layer(&self, board: &Board) -> Option<u32> {
        Some(marks(board) as u32)
    }
}

impl Game for TicTacToe {
    fn terminal(&self, board: &Board) -> Option<Score> {
        if is_won(board) {
            Some(Score::Loss)
        } else if marks(board) == 9 {
            Some(Score::Draw)
        } else {
            None
        }
    }

    /// A full board is a draw, so there are no Grundy values.
    fn impartial(&self) -> bool {
        false
    }
}

const HELP: &str = "write three rows of `.`, `X` and `O`, such as `X.. / .O. / ...`, with equally many X and O, or one more X";

impl Notation for TicTacToe {
    const INFO: Info<Self> = Info {
        name: "template2",
        about: "tic-tac-toe: three in a row wins",
        rules: "\
X and O take turns marking a square. Three marks in a row, column or diagonal win, and a full board is a draw. A board consists of
three rows of `.`, `X` and `O`, on separate lines or separated by `/`. X moves if there are as many X as O.",
        sample: "... / ... / ...",
        generator: Some(Generator {
            options: &[],
            solvable: true,
            make: |random, _, _| {
                let mut game = TicTacToe { start: [0; 9] };
                for _ in 0..3 + random.below(4) {
                    let mut moves = Vec::new();
                    game.moves(&game.start, &mut moves);
                    if let Some(square) = moves.get(random.below(moves.len().max(1))) {
                        game.start = game.apply(&game.start, square);
                    }
                }
                Ok(game)
            },
        }),
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let source = Source::without_comments(input.text);
        let mut start = [0; 9];
        let mut at = 0;
        for (offset, character) in source.text().char_indices().filter(|(_, character)| !character.is_whitespace() && *character != '/') {
            match MARKS.iter().position(|known| *known == character.to_ascii_uppercase()) {
                _ if at == 9 => return Err(source.error(offset, "there are more than nine squares", HELP).into()),
                Some(mark) => start[at] = mark as u8,
                None => return Err(source.error(offset, "this is not a square", HELP).into()),
            }
            at += 1;
        }
        let end = source.text().len();
        if at < 9 {
            return Err(source.error(end, format!("there are {at} squares, not nine"), HELP).into());
        }
        let count = |mark: u8| start.iter().filter(|&&square| square == mark).count();
        let last = if count(1) == count(2) { 2 } else { 1 };
        let won_early = LINES.iter().any(|line| line.iter().all(|&square| start[square] == 3 - last));
        if !(count(2)..=count(2) + 1).contains(&count(1)) || won_early {
            return Err(source.error(0, "this position cannot occur in play", HELP).into());
        }
        Ok(TicTacToe { start })
    }

    fn write(&self, board: &Board) -> String {
        self.ascii(board) + "\n"
    }

    fn write_move(&self, _board: &Board, square: &u8) -> String {
        format!("{}{}", char::from(b'a' + square % 3), 1 + square / 3)
    }

    fn ascii(&self, board: &Board) -> String {
        let row = |row: &[u8]| row.iter().map(|&mark| MARKS[usize::from(mark)]).collect::<String>();
        board.chunks(3).map(row).collect::<Vec<_>>().join("\n")
    }

    fn layer_name(&self, layer: u32) -> String {
        counted(layer as usize, "mark", "marks")
    }
}

impl Drawing for TicTacToe {
    fn scene(&self, board: &Board, limits: &Limits) -> Result<Scene, Limit> {
        let title = format!("Tic-tac-toe: {}", counted(marks(board), "mark", "marks"));
        let mut scene = Scene { title, width: 182.0, height: 182.0, ..Scene::default() };
        for (square, &mark) in board.iter().enumerate() {
            scene.check(limits)?;
            let (x, y) = (60.0 * (square % 3) as f64 + 2.0, 60.0 * (square / 3) as f64 + 2.0);
            let name = self.write_move(board, &(square as u8));
            scene.add_named(Form::Rect { x, y, width: 58.0, height: 58.0 }, Paint::Cell, name.clone());
            if mark != 0 {
                let text = MARKS[usize::from(mark)].to_string();
                scene.add_named(Form::Text { x: x + 29.0, y: y + 29.0, size: 40.0, text }, Paint::Ink, name);
            }
        }
        Ok(scene)
    }

    fn clicks(&self, board: &Board, square: &u8) -> Vec<String> {
        vec![self.write_move(board, square)]
    }
}
