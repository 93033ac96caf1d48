//! Dodgem, by Colin Vout (Winning Ways, chapter 22): an example of a two-player game in which positions can repeat. It has no
//! [`Rules::layer`], so it is solved by retrograde analysis.
//!
//! On a board of n x n squares, each player has n - 1 cars. The cars `>` start in the left column and `^` in the bottom row; the corner
//! between them is empty. A move takes a car one square forward (`>`: right, `^`: up) or sideways, to an empty square. At the far edge, a
//! car leaves the board by a move forward. The player whose cars have all left wins. A player who has a car but no move also wins, so
//! a player who blocks the other one completely loses.

use kibitzer::drawing::Drawing;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Generator, Info, Input, Notation, ReadError, Source};
use kibitzer::rules::{Game, Rules, Score};
use kibitzer::scene::{Form, Paint, Scene};

pub struct Dodgem {
    pub size: u8,
    pub start: Cars,
}

/// The squares of the cars `>` and `^` as bit sets, row by row from the top, and the player to move: 0 for `>`, 1 for `^`.
pub type Cars = (u16, u16, u8);

const SIGNS: [char; 2] = ['>', '^'];

impl Dodgem {
    pub fn new(size: u8) -> Dodgem {
        let right = (0..size - 1).map(|row| 1 << (row * size)).sum();
        let up = (1..size).map(|column| 1 << ((size - 1) * size + column)).sum();
        Dodgem { size, start: (right, up, 0) }
    }

    /// The number that stands for the place beside the board.
    fn outside(&self) -> u8 {
        self.size * self.size
    }

    /// The places that a car can reach from a square if all other squares are empty.
    fn steps(&self, turn: u8, square: u8) -> impl Iterator<Item = u8> {
        let n = self.size;
        let (row, column) = (square / n, square % n);
        let up = (row > 0).then(|| square - n);
        let down = (row + 1 < n).then(|| square + n);
        let left = (column > 0).then(|| square - 1);
        let right = (column + 1 < n).then(|| square + 1);
        let outside = Some(self.outside());
        let steps = if turn == 0 { [up, right.or(outside), down] } else { [up.or(outside), left, right] };
        steps.into_iter().flatten()
    }

    fn name(&self, square: u8) -> String {
        match square {
            outside if outside == self.outside() => "off".to_owned(),
            square => format!("{}{}", char::from(b'a' + square % self.size), self.size - square / self.size),
        }
    }

    /// The reflection that exchanges the players.
    fn reflected(&self, (right, up, turn): Cars) -> Cars {
        let n = self.size;
        let image = |square: u8| (n - 1 - square % n) * n + n - 1 - square / n;
        let images = |cars: u16| (0..self.outside()).filter(|square| cars >> square & 1 == 1).map(|square| 1 << image(square)).sum();
        (images(up), images(right), 1 - turn)
    }
}

impl Rules for Dodgem {
    type State = Cars;
    /// The square of a car, and the square that it moves to.
    type Move = (u8, u8);

    fn start(&self) -> Cars {
        self.start
    }

    fn moves(&self, &(right, up, turn): &Cars, out: &mut Vec<(u8, u8)>) {
        if right == 0 || up == 0 {
            return;
        }
        let own = if turn == 0 { right } else { up };
        for from in (0..self.outside()).filter(|square| own >> square & 1 == 1) {
            let first = out.len();
            out.extend(self.steps(turn, from).filter(|to| *to == self.outside() || (right | up) >> to & 1 == 0).map(|to| (from, to)));
            out[first..].sort_unstable();
        }
    }

    fn apply(&self, &(mut right, mut up, turn): &Cars, &(from, to): &(u8, u8)) -> Cars {
        let own = if turn == 0 { &mut right } else { &mut up };
        *own ^= 1 << from;
        if to != self.outside() {
            *own |= 1 << to;
        }
        (right, up, 1 - turn)
    }

    fn canonical(&self, state: Cars) -> Cars {
        state.min(self.reflected(state))
    }

    fn orbit(&self, canonical: &Cars) -> u64 {
        if self.reflected(*canonical) == *canonical { 1 } else { 2 }
    }
}

impl Game for Dodgem {
    fn terminal(&self, state: &Cars) -> Option<Score> {
        let (right, up, turn) = *state;
        if if turn == 0 { up == 0 } else { right == 0 } {
            return Some(Score::Loss);
        }
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        // The player to move has no car left, or is blocked.
        moves.is_empty().then_some(Score::Win)
    }

    /// The players move different cars.
    fn impartial(&self) -> bool {
        false
    }
}

const HELP: &str = "write a square board of `.`, `>` and `^`, 2 x 2 to 4 x 4, then the player to move, such as `>. / .^ / >`";

impl Notation for Dodgem {
    const INFO: Info<Self> = Info {
        name: "dodgem",
        about: "two players drive their cars off the board",
        rules: "\
The cars > drive to the right, the cars ^ drive up. A move takes a car one square forward or sideways, to an empty square; at the far
edge, a car leaves the board by a move forward. A player whose cars have all left wins. A player who cannot move also wins.",
        sample: ">. / .^ / >",
        generator: Some(Generator {
            options: &[],
            solvable: true,
            make: |random, _, _| {
                let mut game = Dodgem::new(2 + random.below(3) as u8 / 2);
                for _ in 0..if game.size == 2 { random.below(3) } else { 8 + random.below(6) } {
                    let mut moves = Vec::new();
                    game.moves(&game.start, &mut moves);
                    if let Some(mv) = moves.get(random.below(moves.len().max(1))) {
                        game.start = game.apply(&game.start, mv);
                    }
                }
                Ok(game)
            },
        }),
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let source = Source::without_comments(input.text);
        let text = source.text();
        let mut rows: Vec<(usize, &str)> = Vec::new();
        for row in text.split(|sign: char| sign.is_whitespace() || sign == '/').filter(|row| !row.is_empty()) {
            rows.push((row.as_ptr() as usize - text.as_ptr() as usize, row));
        }
        let Some((offset, turn)) = rows.pop() else { return Err(source.error(0, "the board is missing", HELP).into()) };
        let turn = SIGNS.iter().position(|sign| turn == sign.to_string());
        let turn = turn.ok_or_else(|| source.error(offset, "this is not a player", HELP))? as u8;
        let size = rows.len() as u8;
        if !(2..=4).contains(&rows.len()) {
            return Err(source.error(0, "the board has the wrong size", HELP).into());
        }
        let mut cars = [0u16; 2];
        for (row, (offset, signs)) in rows.iter().enumerate() {
            if signs.chars().count() != rows.len() {
                return Err(source.error(*offset, "this row has the wrong length", HELP).into());
            }
            for (column, sign) in signs.chars().enumerate() {
                match SIGNS.iter().position(|known| *known == sign) {
                    Some(player) => cars[player] |= 1 << (row * rows.len() + column),
                    None if sign == '.' => {}
                    None => return Err(source.error(*offset, "this row has an unknown sign", HELP).into()),
                }
            }
        }
        if cars.iter().any(|cars| cars.count_ones() >= size.into()) || cars == [0, 0] {
            return Err(source.error(0, "this number of cars is not possible", HELP).into());
        }
        Ok(Dodgem { size, start: (cars[0], cars[1], turn) })
    }

    fn write(&self, state: &Cars) -> String {
        self.ascii(state) + "\n"
    }

    fn write_move(&self, _: &Cars, &(from, to): &(u8, u8)) -> String {
        format!("{}-{}", self.name(from), self.name(to))
    }

    fn ascii(&self, &(right, up, turn): &Cars) -> String {
        let sign = |square: u8| match (right >> square & 1, up >> square & 1) {
            (1, _) => SIGNS[0],
            (_, 1) => SIGNS[1],
            _ => '.',
        };
        let row = |row: u8| (0..self.size).map(|column| sign(row * self.size + column)).collect::<String>() + "\n";
        (0..self.size).map(row).collect::<String>() + &SIGNS[usize::from(turn)].to_string()
    }
}

impl Drawing for Dodgem {
    fn scene(&self, &(right, up, _): &Cars, limits: &Limits) -> Result<Scene, Limit> {
        let side = f64::from(self.size) * 60.0;
        let mut scene = Scene { title: "Dodgem".to_owned(), width: side + 64.0, height: side + 4.0, ..Scene::default() };
        for square in 0..self.outside() {
            scene.check(limits)?;
            let (x, y) = (f64::from(square % self.size) * 60.0 + 2.0, f64::from(square / self.size) * 60.0 + 2.0);
            scene.add_named(Form::Rect { x, y, width: 58.0, height: 58.0 }, Paint::Cell, self.name(square));
            let car = [right, up].iter().position(|cars| cars >> square & 1 == 1);
            if let Some(player) = car {
                let text = SIGNS[player].to_string();
                scene.add_named(Form::Text { x: x + 29.0, y: y + 29.0, size: 40.0, text }, Paint::Ink, self.name(square));
            }
        }
        scene.add_named(Form::Rect { x: side + 4.0, y: 2.0, width: 58.0, height: 58.0 }, Paint::Cell, "off");
        Ok(scene)
    }

    fn clicks(&self, _: &Cars, &(from, to): &(u8, u8)) -> Vec<String> {
        vec![self.name(from), self.name(to)]
    }
}
