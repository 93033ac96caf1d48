//! Tic-tac-toe, Connect Four and their relatives: k marks in a row win, on boards of any width and height, with or without gravity.
//!
//! A board is two words of bits, one for each player. Squares are numbered in reading order: square `y * width + x` is in column `x` and
//! row `y`, both counted from 0 at the upper left. Then all lines in one direction are found at once: the marks are combined with copies
//! of themselves, each shifted by one more step, and masked by the squares at which a line in that direction can begin.
//!
//! Boards on which no line fits are refused: they are always draws, so the numbers are probably mistaken. With gravity, discs must not
//! float, but whether they can have been dropped in turns is not checked.

mod drawing;
mod reading;

use crate::bits::ones;
use crate::notation::tools::Example;
use crate::notation::{Generator, Info, Input, LevelSpec, Monster, Notation, OptionSpec, ReadError, counted};
use crate::rules::{EmitKey, Game, Keys, Pack, Rules, Score, keys_after};

/// One board: its size, the length of a winning line, and a starting position.
#[derive(Clone)]
pub struct Connect {
    width: usize,
    height: usize,
    line: usize,
    gravity: bool,
    start: Board,
    /// The squares of the first column.
    column: u128,
    /// For each direction in which lines fit: the distance between neighbors in a line, and the first squares of all lines.
    directions: Vec<(usize, u128)>,
    /// The number of lines through each square, and the maximum of these numbers.
    through: (Vec<u32>, u32),
}

/// The marks of X and of O. X moves if there are as many X as O.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board([u128; 2]);

impl Board {
    #[inline]
    fn all(self) -> u128 {
        self.0[0] | self.0[1]
    }

    /// The player to move: 0 for X, 1 for O.
    #[inline]
    fn turn(self) -> usize {
        self.all().count_ones() as usize % 2
    }

    #[inline]
    fn map(self, image: impl Fn(u128) -> u128) -> Board {
        Board(self.0.map(image))
    }

    fn sign(self, square: usize) -> char {
        let is = |player: usize| self.0[player] >> square & 1 == 1;
        if is(0) {
            'X'
        } else if is(1) {
            'O'
        } else {
            '.'
        }
    }
}

impl Connect {
    fn new(width: usize, height: usize, line: usize, gravity: bool) -> Connect {
        let mut directions = Vec::new();
        let mut through = vec![0; width * height];
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let end = |from: usize, step: isize| from.checked_add_signed((line as isize - 1) * step);
            let fits = |x: usize, y: usize| end(x, dx).is_some_and(|x| x < width) && end(y, dy).is_some_and(|y| y < height);
            let step = (dy * width as isize + dx) as usize;
            let starts: Vec<usize> = (0..width * height).filter(|square| fits(square % width, square / width)).collect();
            starts.iter().for_each(|start| (0..line).for_each(|at| through[start + at * step] += 1));
            if !starts.is_empty() {
                directions.push((step, starts.iter().fold(0, |mask, start| mask | 1 << start)));
            }
        }
        let most = through.iter().copied().max().unwrap_or(0);
        let column = (0..height).fold(0, |column, y| column | 1 << (y * width));
        Connect { width, height, line, gravity, start: Board::default(), column, directions, through: (through, most) }
    }

    /// The squares of the upper row.
    #[inline]
    fn row(&self) -> u128 {
        (1 << self.width) - 1
    }

    #[inline]
    fn full(&self) -> u128 {
        (1 << (self.width * self.height)) - 1
    }

    /// The first squares of all complete lines in one direction.
    #[inline]
    fn lines(&self, marks: u128, (step, starts): (usize, u128)) -> u128 {
        (1..self.line).fold(marks & starts, |found, at| found & marks >> (at * step))
    }

    #[inline]
    fn has_line(&self, marks: u128) -> bool {
        self.directions.iter().any(|&direction| self.lines(marks, direction) != 0)
    }

    /// True if the player who moved last has a line. The other player cannot have one.
    #[inline]
    fn is_won(&self, board: Board) -> bool {
        self.has_line(board.0[1 - board.turn()])
    }

    /// The square that a move marks, as a bit.
    #[inline]
    fn marked(&self, board: Board, mv: u8) -> u128 {
        if !self.gravity {
            return 1 << mv;
        }
        // The lowest empty square of a column is above a disc or in the last row.
        let all = board.all();
        let landing = (all >> self.width | self.row() << (self.width * (self.height - 1))) & !all;
        landing & self.column << mv
    }

    /// The rows in reverse order.
    fn flipped(&self, marks: u128) -> u128 {
        let row = |y: usize| (marks >> (y * self.width) & self.row()) << ((self.height - 1 - y) * self.width);
        (0..self.height).fold(0, |flipped, y| flipped | row(y))
    }

    /// The squares in reverse order: the board turned by 180 degrees.
    fn turned(&self, marks: u128) -> u128 {
        marks.reverse_bits() >> (128 - self.width * self.height)
    }

    /// The images of a board under all symmetries, and their number: 2 with gravity, 8 for squares, else 4.
    fn images(&self, board: Board) -> ([Board; 8], usize) {
        let mirrored = board.map(|marks| self.turned(self.flipped(marks)));
        if self.gravity {
            return ([board, mirrored, board, board, board, board, board, board], 2);
        }
        let four = |board: Board| {
            let flipped = board.map(|marks| self.flipped(marks));
            [board, flipped, board.map(|marks| self.turned(marks)), flipped.map(|marks| self.turned(marks))]
        };
        let transposed = |marks: u128| ones(marks).fold(0, |image, at| image | 1 << (at % self.width * self.width + at / self.width));
        let [one, other] = [four(board), four(if self.width == self.height { board.map(transposed) } else { board })];
        let mut images = [board; 8];
        images[..4].copy_from_slice(&one);
        images[4..].copy_from_slice(&other);
        (images, if self.width == self.height { 8 } else { 4 })
    }

    /// Winning moves have rank 0, and moves to a square where the other player would win have rank 1. Then, squares in many lines come
    /// first, which are those in the center.
    fn rank(&self, board: Board, mv: u8) -> u32 {
        let (mark, turn) = (self.marked(board, mv), board.turn());
        let wins = |player: usize| self.has_line(board.0[player] | mark);
        match (wins(turn), wins(1 - turn)) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 2 + self.through.1 - self.through.0[mark.trailing_zeros() as usize],
        }
    }

    fn successors(&self, board: &Board, moves: &[u8], skip: usize, emit: EmitKey<'_, u8>) {
        keys_after(self, board, moves, skip, &mut |mv, _, key| emit(mv, self.rank(*board, *mv), key));
    }

    /// The name of a column or, without gravity, of a square.
    fn place(&self, mv: u8) -> String {
        let (x, y) = (mv as usize % self.width, mv as usize / self.width);
        let column = char::from(b'a' + x as u8);
        if self.gravity { column.to_string() } else { format!("{column}{}", y + 1) }
    }

    /// The rows as text.
    fn rows(&self, board: Board) -> Vec<String> {
        (0..self.height).map(|y| (0..self.width).map(|x| board.sign(y * self.width + x)).collect()).collect()
    }
}

impl Board {
    /// The packed board as a number of up to 256 bits. With gravity, it consists of the marks of X and of one bit above each column:
    /// every square below this bit is occupied.
    #[inline]
    fn code(self, rules: &Connect) -> [u128; 2] {
        let ([x, o], squares) = (self.0, rules.width * rules.height);
        if !rules.gravity {
            return [x | o << squares, o >> (128 - squares)];
        }
        let all = (x | o) << rules.width;
        [x << rules.width | (all >> rules.width | rules.row() << squares) & !all, 0]
    }
}

impl Pack<Connect> for Board {
    fn bytes(rules: &Connect) -> usize {
        let bits = if rules.gravity { rules.width * (rules.height + 1) } else { 2 * rules.width * rules.height };
        bits.div_ceil(8)
    }

    #[inline]
    fn pack(&self, rules: &Connect, out: &mut [u8]) {
        out.copy_from_slice(&self.code(rules).map(u128::to_le_bytes).as_flattened()[..out.len()]);
    }

    #[inline]
    fn unpack(rules: &Connect, bytes: &[u8]) -> Self {
        let mut whole = [[0; 16]; 2];
        whole.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
        let ([low, high], squares) = (whole.map(u128::from_le_bytes), rules.width * rules.height);
        if !rules.gravity {
            return Board([low, low >> squares | high << (128 - squares)]).map(|marks| marks & rules.full());
        }
        let below = (0..rules.height).fold(low, |below, _| below | below << rules.width);
        let all = below & rules.full();
        Board([low >> rules.width & all, !(low >> rules.width) & all])
    }

    #[inline]
    fn word(&self, rules: &Connect) -> u64 {
        self.code(rules)[0] as u64
    }
}

impl Rules for Connect {
    type State = Board;
    /// The square to mark or, with gravity, the column.
    type Move = u8;

    fn start(&self) -> Board {
        self.start
    }

    #[inline]
    fn moves(&self, board: &Board, out: &mut Vec<u8>) {
        if !self.is_won(*board) {
            let free = if self.gravity { self.row() } else { self.full() } & !board.all();
            out.extend(ones(free).map(|place| place as u8));
        }
    }

    #[inline]
    fn apply(&self, board: &Board, mv: &u8) -> Board {
        let mut after = *board;
        after.0[board.turn()] |= self.marked(*board, *mv);
        after
    }

    #[inline]
    fn canonical(&self, board: Board) -> Board {
        let (images, count) = self.images(board);
        images[..count].iter().copied().min().unwrap_or(board)
    }

    #[inline]
    fn layer(&self, board: &Board) -> Option<u32> {
        Some(board.all().count_ones())
    }

    fn orbit(&self, board: &Board) -> u64 {
        let (images, count) = self.images(*board);
        (count / images[..count].iter().filter(|image| *image == board).count()) as u64
    }
}

impl Game for Connect {
    const KEYS: Keys<Self> = Keys { successors: Connect::successors, ..Keys::DEFAULT };

    #[inline]
    fn terminal(&self, board: &Board) -> Option<Score> {
        if self.is_won(*board) { Some(Score::Loss) } else { (board.all() == self.full()).then_some(Score::Draw) }
    }

    /// A full board is a draw, and the players have different marks.
    fn impartial(&self) -> bool {
        false
    }
}

const LINE: OptionSpec = OptionSpec { name: "line", about: "number of marks in a row that win", default: "3; 4 with gravity" };

impl Notation for Connect {
    const INFO: Info<Self> = Info {
        name: "connect",
        about: "tic-tac-toe, Connect Four and their relatives: get k in a row on a board of any size, with or without gravity",
        rules: "\
X and O take turns, and X moves first. A move marks an empty square. With gravity, it drops a disc into a column, where the disc falls
to the lowest empty square. The first player with enough marks in a row, column or diagonal wins. A full board without such a line is a
draw.

`size: 7x6` is a board of 7 columns and 6 rows, `line: 4` the length of a winning line, and `gravity: yes` makes it Connect Four. The
defaults are `gravity: no` and a line of 3, or of 4 with gravity. A board has at most 26 columns, 26 rows and 100 squares, and some line
must fit on it. Settings have lines of their own or are followed by `;`. If there are marks already, rows of `.`, `X` and `O` follow, on
separate lines or separated by `/`; then `size` may be omitted:
  kibitzer solve connect 'size: 4x3'
  kibitzer solve connect 'X.. / .O. / ...'
X moves if there are as many X as O. A move is written as the square, such as b2 for column b and row 2 from the top, or with gravity as
the column.

Symmetric positions are merged: the board's rotations and reflections or, with gravity, its mirror image.",
        sample: "size: 5x4\nline: 4\ngravity: yes\n...O.\nO.XO.\nX.XO.\nOXOXX\n",
        sources: &[
            "J. D. Allen: A note on the computer solution of Connect-Four. Heuristic Programming in AI 1, 1989: the first player wins.",
            "V. Allis: A knowledge-based approach of Connect-Four. Master's thesis, Vrije Universiteit Amsterdam, 1988.",
            "J. Tromp: John's Connect Four Playground, https://tromp.github.io/c4/c4.html: outcomes and numbers of positions for many sizes.",
            "OEIS A212693: the number of positions of Connect Four after n moves.",
        ],
        options: &[
            OptionSpec { name: "size", about: "columns x rows, such as `7x6`", default: "the size of the rows" },
            LINE,
            OptionSpec { name: "gravity", about: "`yes` if marks are discs that fall down, else `no`", default: "no" },
        ],
        examples: &[
            Example { command: "solve", arguments: "'size: 3x3'", about: "tic-tac-toe is a draw" },
            Example { command: "solve", arguments: "'size: 4x3'", about: "one more column, and the first player wins" },
            Example { command: "play", arguments: "'size: 7x6; gravity: yes' --opponent 4", about: "Connect Four" },
        ],
        generator: Some(Generator {
            options: &[
                OptionSpec { name: "size", about: "columns x rows", default: "5x4" },
                LINE,
                OptionSpec { name: "gravity", about: "`yes` or `no`", default: "yes" },
                OptionSpec { name: "marks", about: "number of marks; fewer if each move would end the game", default: "two fifths" },
            ],
            solvable: true,
            make: reading::generate,
        }),
        levels: Some(&[
            LevelSpec { options: &["size=3x3 gravity=no marks=2"], least: 5..=5, guesses: 4..=30 },
            LevelSpec { options: &["size=5x4 marks=10"], least: 7..=9, guesses: 4..=40 },
            LevelSpec { options: &["size=5x4 marks=9"], least: 9..=11, guesses: 6..=50 },
            LevelSpec { options: &["size=5x5 marks=12"], least: 11..=13, guesses: 8..=60 },
        ]),
        monsters: &[
            Monster { name: "10 x 10", make: |_| "size: 10x10; line: 5".to_owned() },
            Monster { name: "10 x 10 with gravity", make: |_| "size: 10x10; line: 4; gravity: yes".to_owned() },
            Monster { name: "7 x 6 with gravity", make: |_| "size: 7x6; line: 4; gravity: yes".to_owned() },
        ],
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        input.with_option_lines(&reading::KEYS, reading::read_text)
    }

    fn write(&self, board: &Board) -> String {
        let Connect { width, height, line, .. } = self;
        let gravity = if self.gravity { "yes" } else { "no" };
        let rows = if board.all() == 0 { String::new() } else { self.rows(*board).join("\n") + "\n" };
        format!("size: {width}x{height}\nline: {line}\ngravity: {gravity}\n{rows}")
    }

    fn write_move(&self, _: &Board, mv: &u8) -> String {
        self.place(*mv)
    }

    fn ascii(&self, board: &Board) -> String {
        let spaced = |row: &str| row.chars().map(|sign| format!(" {sign}")).collect::<String>();
        let rows = self.rows(*board);
        let names = spaced(&(b'a'..).take(self.width).map(char::from).collect::<String>());
        match self.gravity {
            true => rows.iter().map(|row| spaced(row)).chain([names]).collect::<Vec<_>>().join("\n"),
            false => (1..).zip(&rows).fold(format!("  {names}"), |text, (y, row)| format!("{text}\n{y:2}{}", spaced(row))),
        }
    }

    fn line(&self, board: &Board) -> String {
        self.rows(*board).join("/")
    }

    fn layer_name(&self, layer: u32) -> String {
        counted(layer as usize, "mark", "marks")
    }
}
