//! k in a row against plain rules on arrays of squares: positions, outcomes, symmetry, packing, published numbers, and the drawing.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use kibitzer::drawing::Drawing;
use kibitzer::gamegraph::decider::Decider;
use kibitzer::games::connect::Connect;
use kibitzer::limits::Limits;
use kibitzer::notation::{Notation, Options, parse};
use kibitzer::random::Random;
use kibitzer::rules::{Game, Packing, Rules, Score};
use kibitzer::scene::Form;

use crate::common::{amount, open, position};

fn read(text: &str) -> Connect {
    parse(text, &Options::default()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The rules, written plainly: squares in rows from the top, as `.`, `X` and `O`.
#[derive(Clone, Copy)]
struct Plain {
    width: usize,
    height: usize,
    line: usize,
    gravity: bool,
}

impl Plain {
    fn text(&self, squares: &[u8]) -> String {
        let rows: Vec<_> = squares.chunks(self.width).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        let gravity = if self.gravity { "yes" } else { "no" };
        format!("size: {}x{}\nline: {}\ngravity: {gravity}\n{}\n", self.width, self.height, self.line, rows.join("\n"))
    }

    fn empty(&self) -> Vec<u8> {
        vec![b'.'; self.width * self.height]
    }

    fn at(&self, squares: &[u8], x: isize, y: isize) -> Option<u8> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (x < self.width && y < self.height).then(|| squares[y * self.width + x])
    }

    /// True if any square begins a line of equal marks.
    fn won(&self, squares: &[u8]) -> bool {
        (0..squares.len()).filter(|&from| squares[from] != b'.').any(|from| {
            let (x, y) = ((from % self.width) as isize, (from / self.width) as isize);
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .iter()
                .any(|(dx, dy)| (0..self.line as isize).all(|at| self.at(squares, x + at * dx, y + at * dy) == Some(squares[from])))
        })
    }

    fn after(&self, squares: &[u8]) -> Vec<Vec<u8>> {
        if self.won(squares) {
            return Vec::new();
        }
        let mark = if squares.iter().filter(|mark| **mark != b'.').count() % 2 == 0 { b'X' } else { b'O' };
        let rests = |square: usize| !self.gravity || squares.get(square + self.width).is_none_or(|below| *below != b'.');
        let free = (0..squares.len()).filter(|&square| squares[square] == b'.' && rests(square));
        let put = |square: usize| {
            let mut after = squares.to_vec();
            after[square] = mark;
            after
        };
        free.map(put).collect()
    }

    /// All positions, by the number of marks, up to a number of marks.
    fn layers(&self, most: usize) -> Vec<HashSet<Vec<u8>>> {
        let mut layers = vec![HashSet::from([self.empty()])];
        while layers.len() <= most {
            let next: HashSet<Vec<u8>> = layers[layers.len() - 1].iter().flat_map(|squares| self.after(squares)).collect();
            if next.is_empty() {
                break;
            }
            layers.push(next);
        }
        layers
    }

    /// The score of the player to move, for every position of the game.
    fn scores(&self) -> HashMap<Vec<u8>, Score> {
        let mut scores = HashMap::new();
        for squares in self.layers(usize::MAX - 1).into_iter().rev().flatten() {
            let end = if self.won(&squares) { Score::Loss } else { Score::Draw };
            let score = self.after(&squares).iter().map(|next| scores[next]).map(Score::reversed).max().unwrap_or(end);
            scores.insert(squares, score);
        }
        scores
    }
}

fn plain(text: &str) -> Plain {
    let numbers: Vec<usize> = text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    Plain { width: numbers[0], height: numbers[1], line: numbers[2], gravity: text.contains("yes") }
}

fn score(text: &str) -> Score {
    let game = Arc::new(read(text));
    Decider::new(Arc::clone(&game)).value(&game.start(), &Limits::none()).expect("no limit")
}

/// Every position of small games has the moves, the score and the orbit that the plain rules give, and survives packing.
#[test]
fn small_games_agree_with_plain_rules_in_every_position() {
    let boards = [
        ("size: 3x3; line: 3", Some(Score::Draw), Some(5478)),
        ("size: 2x3; line: 2", None, None),
        ("size: 5x1; line: 3", None, None),
        ("size: 1x4; line: 2; gravity: yes", None, None),
        ("size: 4x3; line: 3; gravity: yes", None, None),
        ("size: 3x4; line: 4; gravity: yes", None, None),
        ("size: 4x3; line: 3", Some(Score::Win), None),
        ("size: 4x4; line: 4; gravity: yes", Some(Score::Draw), Some(161_029)),
    ];
    for (text, outcome, count) in boards.into_iter().take(amount(6, 8)) {
        let (rules, game) = (plain(text), read(text));
        let scores = rules.scores();
        assert!(outcome.is_none_or(|outcome| scores[&rules.empty()] == outcome), "{text}");
        assert!(count.is_none_or(|count| scores.len() == count), "{text}: {}", scores.len());
        let mut decider: Decider<Connect, Score> = Decider::new(Arc::new(game.clone()));
        let mut images: HashMap<_, u64> = HashMap::new();
        // Of the largest games, a sample of the positions suffices.
        let step = 1 + scores.len() / 20_000;
        for (squares, score) in scores.iter().step_by(step) {
            let written = rules.text(squares);
            let board = read(&written).start();
            let mut moves = Vec::new();
            game.moves(&board, &mut moves);
            let after = |mv: &u8| game.apply(&board, mv);
            let next: HashSet<_> = moves.iter().map(after).collect();
            let expected: HashSet<_> = rules.after(squares).iter().map(|squares| read(&rules.text(squares)).start()).collect();
            assert_eq!(next, expected, "{written}");
            assert_eq!(decider.value(&board, &Limits::none()), Ok(*score), "{written}");
            let mut bytes = vec![0; game.state_bytes()];
            game.pack(&board, &mut bytes);
            assert_eq!(game.unpack(&bytes), board, "{written}");
            *images.entry(game.canonical(board)).or_insert(0) += 1;
        }
        for (canonical, count) in images.into_iter().filter(|_| step == 1) {
            assert_eq!(game.orbit(&canonical), count, "{text}: {}", game.line(&canonical));
        }
    }
}

/// A solver of Connect Four for larger boards, written separately: alpha-beta search with a table. Each column has one bit more than
/// squares, so that lines do not wrap. Scores are 1, 0 and -1 for the player to move.
struct Solver {
    width: u32,
    height: u32,
    table: Vec<(u64, i8, i8)>,
}

impl Solver {
    fn outcome(width: u32, height: u32) -> i8 {
        let mut solver = Solver { width, height, table: vec![(0, -1, 1); 1 << 22] };
        if solver.search(0, 0, 0, 1) > 0 { 1 } else { solver.search(0, 0, -1, 0) }
    }

    fn won(&self, marks: u64) -> bool {
        [1, self.height, self.height + 1, self.height + 2].iter().any(|step| {
            let pairs = marks & marks >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    fn search(&mut self, own: u64, all: u64, mut least: i8, mut most: i8) -> i8 {
        let column = |at: u32| ((1u64 << self.height) - 1) << (at * (self.height + 1));
        let bottom: u64 = (0..self.width).map(|at| 1 << (at * (self.height + 1))).sum();
        let landing = (0..self.width).fold(0, |squares, at| squares | column(at)) & (all + bottom);
        let mut moves: Vec<u64> = (0..self.width).map(|at| landing & column(at)).filter(|mark| *mark != 0).collect();
        if moves.is_empty() {
            return 0;
        }
        if moves.iter().any(|mark| self.won(own | mark)) {
            return 1;
        }
        let other = own ^ all;
        let forced: Vec<u64> = moves.iter().copied().filter(|mark| self.won(other | mark)).collect();
        if forced.len() > 1 {
            return -1;
        }
        if forced.is_empty() {
            let side = |mark: &u64| (2 * (mark.trailing_zeros() / (self.height + 1)) + 1).abs_diff(self.width);
            moves.sort_by_key(side);
        } else {
            moves = forced;
        }
        let key = own + all + bottom;
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 42) as usize;
        let (mut lower, mut upper) = match self.table[slot] {
            (known, lower, upper) if known == key => (lower, upper),
            _ => (-1, 1),
        };
        (least, most) = (least.max(lower), most.min(upper));
        if least >= most {
            return least.min(upper);
        }
        let mut best = -1;
        for mark in moves {
            best = best.max(-self.search(other, all | mark, -most, -least.max(best)));
            if best >= most {
                break;
            }
        }
        if best > least {
            lower = lower.max(best);
        }
        if best < most {
            upper = upper.min(best);
        }
        self.table[slot] = (key, lower, upper);
        best
    }
}

/// Outcomes of tic-tac-toe and Connect Four on small boards, from J. Tromp's table. The larger boards take up to a minute.
#[test]
fn published_outcomes() {
    for (text, expected) in [("size: 3x3", Score::Draw), ("size: 4x3", Score::Win)] {
        assert_eq!(score(text), expected, "{text}");
    }
    for (width, height) in [(4, 4), (5, 4), (5, 5)].into_iter().take(amount(1, 3)) {
        assert_eq!(score(&format!("size: {width}x{height}; gravity: yes")), Score::Draw, "{width} x {height}");
        assert_eq!(Solver::outcome(width, height), 0, "{width} x {height}");
    }
    // The search for the winner needs hundreds of millions of positions on 6 x 5, which are too many for a test.
    for (width, height) in [(6, 5)].into_iter().take(amount(0, 1)) {
        assert_eq!(Solver::outcome(width, height), 0, "{width} x {height}");
    }
}

/// OEIS A212693: positions of Connect Four after n moves, counted by the game and by the plain rules.
#[test]
fn positions_of_connect_four_by_move() {
    let (text, most) = ("size: 7x6; line: 4; gravity: yes", amount(5, 6));
    let game = read(text);
    let mut layers = vec![HashSet::from([game.start()])];
    for _ in 0..most {
        let after = |board| {
            let mut moves = Vec::new();
            game.moves(board, &mut moves);
            moves.into_iter().map(|mv| game.apply(board, &mv)).collect::<Vec<_>>()
        };
        layers.push(layers[layers.len() - 1].iter().flat_map(after).collect());
    }
    let counts: Vec<usize> = layers.iter().map(HashSet::len).collect();
    assert_eq!(counts, [1, 7, 49, 238, 1120, 4263, 16_422][..=most]);
    assert_eq!(counts, plain(text).layers(most).iter().map(HashSet::len).collect::<Vec<_>>());
}

/// Random games on boards of many sizes: moves, ends and lines agree with the plain rules, also in the last column and row.
#[test]
fn random_games_agree_with_plain_rules() {
    let mut random = Random::new(5);
    let mut ends = HashSet::new();
    for round in 0..amount(60, 400) {
        let (width, height) = (1 + random.below(26), 1 + random.below(26));
        if width * height > 100 || width.max(height) < 2 {
            continue;
        }
        let line = 2 + random.below(width.max(height).min(6) - 1);
        let rules = Plain { width, height, line, gravity: round % 2 == 0 };
        let game = read(&rules.text(&rules.empty()));
        let (mut squares, mut board) = (rules.empty(), game.start());
        loop {
            let next = rules.after(&squares);
            let mut moves = Vec::new();
            game.moves(&board, &mut moves);
            assert_eq!(moves.len(), next.len(), "{}", rules.text(&squares));
            assert_eq!(game.terminal(&board).is_some(), next.is_empty());
            let mut bytes = vec![0; game.state_bytes()];
            game.pack(&board, &mut bytes);
            assert_eq!(game.unpack(&bytes), board);
            let Some(chosen) = next.get(random.below(next.len().max(1))) else { break };
            squares.clone_from(chosen);
            let wanted = rules.text(chosen);
            let reached = moves.iter().map(|mv| game.apply(&board, mv)).find(|after| game.write(after) == wanted);
            board = reached.unwrap_or_else(|| panic!("no move leads to {wanted}"));
        }
        assert_eq!(game.terminal(&board), Some(if rules.won(&squares) { Score::Loss } else { Score::Draw }), "{}", rules.text(&squares));
        ends.insert(game.terminal(&board));
        // A drawn line for each line on the board, and none before the end.
        let lines = game.scene(&board, &Limits::none()).expect("no limit").shapes;
        assert_eq!(lines.iter().any(|shape| matches!(shape.form, Form::Line { .. })), rules.won(&squares));
    }
    assert_eq!(ends.len(), 2);
}

/// Winning moves are tried first, then moves that prevent a win, and then the center.
#[test]
fn the_order_of_moves() {
    let order = |text: &str| {
        let game = read(text);
        let (mut moves, mut ranked) = (Vec::new(), Vec::new());
        game.moves(&game.start(), &mut moves);
        (Connect::KEYS.successors)(&game, &game.start(), &moves, 0, &mut |mv, rank, _| {
            ranked.push((rank, *mv));
            std::ops::ControlFlow::Continue(())
        });
        ranked.sort_unstable();
        ranked.iter().map(|(_, mv)| game.write_move(&game.start(), mv)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(order("... / ... / ..."), "b2 a1 c1 a3 c3 b1 a2 c2 b3");
    assert_eq!(order("XX. / OO. / ..."), "c1 c2 a3 c3 b3");
    assert_eq!(order("size: 7x6; gravity: yes"), "d c e b f a g");
}

#[test]
fn brushes_edit_the_board() {
    let paint = |text: &str, brush: &str, places: &[&str]| {
        let puzzle = open("connect", text, &[]);
        let painted = puzzle.editor().expect("an editor").paint(brush, places);
        painted.map(|text| text.replace('\n', " ").trim_end().to_owned())
    };
    let board = "size: 3x2; line: 3; gravity: yes; ... / X..";
    let found = |text: &str| Some(text.to_owned());
    assert_eq!(paint(board, "mark", &["a"]), found("size: 3x2 line: 3 gravity: yes O.. X.."));
    assert_eq!(paint(board, "remove", &["a"]), found("size: 3x2 line: 3 gravity: yes"));
    assert_eq!(paint(board, "+ row", &[]), found("size: 3x3 line: 3 gravity: yes ... ... X.."));
    assert_eq!(paint(board, "− row", &[]), found("size: 3x1 line: 3 gravity: yes X.."));
    assert_eq!(paint(board, "+ column", &[]), found("size: 4x2 line: 3 gravity: yes .... X..."));
    assert_eq!(paint(board, "− column", &[]), None, "no line of 3 fits");
    assert_eq!(paint(board, "+ line", &[]), None);
    assert_eq!(paint(board, "− line", &[]), found("size: 3x2 line: 2 gravity: yes ... X.."));
    assert_eq!(paint(board, "gravity", &[]), found("size: 3x2 line: 3 gravity: no ... X.."));
    assert_eq!(paint("XO. / ... / ...", "gravity", &[]), found("size: 3x3 line: 3 gravity: yes"), "the marks would float");
    assert_eq!(paint("O... / .... / X...", "− row", &[]), found("size: 4x2 line: 3 gravity: no"), "O would have moved first");
    assert_eq!(paint("XO. / ... / ...", "remove", &["a1"]), None, "O moved last");
    assert_eq!(paint("XO. / ... / ...", "remove", &["b1"]), found("size: 3x3 line: 3 gravity: no X.. ... ..."));
    assert_eq!(paint("XO. / ... / ...", "mark", &["a1"]), None, "the square is taken");
}

#[test]
fn columns_and_squares_are_described() {
    let described = |text: &str| {
        let scene = position(&*open("connect", text, &[])).scene;
        scene.shapes.into_iter().filter_map(|shape| shape.label).collect::<Vec<_>>()
    };
    let columns = described("size: 3x2; line: 3; gravity: yes; O.. / XX.");
    assert_eq!(columns, ["column a, full, from the bottom: X O", "column b, from the bottom: X", "column c, empty"]);
    let squares = described("size: 2x2; line: 2; X. / .O");
    assert_eq!(squares, ["square a1, X", "square b1, empty", "square a2, empty", "square b2, O"]);
}
