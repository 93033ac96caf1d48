//! Drawings, brushes and pictures of the rules. With gravity, a column is one shape, so that it can be clicked anywhere.

use super::{Board, Connect};
use crate::bits::ones;
use crate::drawing::{Card, Drawing, Editor, Primer, Topic};
use crate::limits::{Limit, Limits};
use crate::notation::{Notation, Options, counted, parse};
use crate::scene::{Brush, Form, Paint, Scene};

const SIZE: f64 = 40.0;
const MARGIN: f64 = 22.0;

const BRUSHES: &[Brush] = &[
    Brush { name: "mark", about: "place the next mark: X and O in turn", clicks: 1 },
    Brush { name: "remove", about: "remove a mark of the player who moved last", clicks: 1 },
    Brush { name: "clear", about: "remove all marks", clicks: 0 },
    Brush { name: "+ column", about: "add a column on the right", clicks: 0 },
    Brush { name: "− column", about: "remove the rightmost column, and all marks if the rest cannot occur in play", clicks: 0 },
    Brush { name: "+ row", about: "add a row at the bottom or, with gravity, at the top", clicks: 0 },
    Brush { name: "− row", about: "remove that row, and all marks if the rest cannot occur in play", clicks: 0 },
    Brush { name: "+ line", about: "make winning lines longer by one", clicks: 0 },
    Brush { name: "− line", about: "make winning lines shorter by one", clicks: 0 },
    Brush { name: "gravity", about: "turn gravity on or off, and remove all marks if any would float", clicks: 0 },
];

impl Connect {
    /// The text of the board after a brush is applied; `None` if such a board cannot be read.
    fn paint(&self, board: Board, brush: &str, places: &[&str]) -> Option<String> {
        let Connect { mut width, mut height, mut line, mut gravity, .. } = *self;
        let mut rows: Vec<Vec<char>> = self.rows(board).iter().map(|row| row.chars().collect()).collect();
        let edge = if gravity { 0 } else { height };
        match (brush, places) {
            ("mark" | "remove", [place]) => {
                let is_marked = brush == "remove";
                let on = |square: &usize| (board.all() >> square & 1 == 1) == is_marked && self.name(*square) == *place;
                let squares = || (0..width * height).filter(on);
                // Discs are added above and removed from the top.
                let square = if is_marked { squares().next()? } else { squares().next_back()? };
                rows[square / width][square % width] = if is_marked { '.' } else { ['X', 'O'][board.turn()] };
            }
            ("clear", []) => rows.iter_mut().for_each(|row| row.fill('.')),
            ("+ column", []) => {
                width += 1;
                rows.iter_mut().for_each(|row| row.push('.'));
            }
            ("− column", []) => {
                width -= 1;
                rows.iter_mut().for_each(|row| row.truncate(width));
            }
            ("+ row", []) => {
                height += 1;
                rows.insert(edge, vec!['.'; width]);
            }
            ("− row", []) => {
                height -= 1;
                rows.remove(edge.min(height));
            }
            ("+ line", []) => line += 1,
            ("− line", []) => line -= 1,
            ("gravity", []) => gravity = !gravity,
            _ => return None,
        }
        let gravity = if gravity { "yes" } else { "no" };
        let read = |rows: &str| {
            let text = format!("size: {width}x{height}\nline: {line}\ngravity: {gravity}\n{rows}\n");
            parse::<Connect>(&text, &Options::default()).ok().map(|game| game.write(&game.start))
        };
        let painted = read(&rows.iter().map(String::from_iter).collect::<Vec<_>>().join("\n"));
        // A board of another kind may not allow these marks. Then it starts empty.
        if places.is_empty() { painted.or_else(|| read("")) } else { painted }
    }

    /// The name of the shape of a square: the move that marks it.
    fn name(&self, square: usize) -> String {
        self.place((if self.gravity { square % self.width } else { square }) as u8)
    }

    fn label(&self, board: Board, square: usize) -> String {
        let name = self.name(square);
        if !self.gravity {
            let sign = board.sign(square);
            return format!("square {name}, {}", if sign == '.' { "empty".to_owned() } else { sign.to_string() });
        }
        let column = (0..self.height).rev().map(|y| board.sign(y * self.width + square));
        let discs: Vec<String> = column.filter(|sign| *sign != '.').map(String::from).collect();
        let full = if discs.len() == self.height { "full, " } else { "" };
        if discs.is_empty() {
            format!("column {name}, empty")
        } else {
            format!("column {name}, {full}from the bottom: {}", discs.join(" "))
        }
    }

    /// Draws the board with its upper left corner at (`left`, `top`).
    fn draw(&self, board: Board, scene: &mut Scene, (left, top): (f64, f64), limits: &Limits) -> Result<(), Limit> {
        let center = |square: usize| {
            let (x, y) = (square % self.width, square / self.width);
            (left + SIZE * (x as f64 + 0.5), top + SIZE * (y as f64 + 0.5))
        };
        let box_at =
            |(x, y): (f64, f64), width: f64, height: f64| Form::Rect { x: x - width / 2.0, y: y - SIZE / 2.0 + 1.0, width, height };
        for square in 0..if self.gravity { self.width } else { 0 } {
            scene.check(limits)?;
            scene.add_named(box_at(center(square), SIZE - 2.0, SIZE * self.height as f64 - 2.0), Paint::Color2, self.name(square));
        }
        for square in 0..self.width * self.height {
            scene.check(limits)?;
            let (place, name, sign) = (center(square), self.name(square), board.sign(square));
            let paint = match sign {
                'X' => Paint::Color1,
                'O' => Paint::Color3,
                _ => Paint::Cell,
            };
            match self.gravity {
                true => scene.add_named(Form::Circle { x: place.0, y: place.1, r: 16.0 }, paint, name.clone()),
                false => scene.add_named(box_at(place, SIZE - 2.0, SIZE - 2.0), paint, name.clone()),
            }
            if sign != '.' {
                let size = if self.gravity { 16.0 } else { 26.0 };
                scene.add_named(Form::Text { x: place.0, y: place.1, size, text: sign.to_string() }, Paint::Ink, name);
            }
        }
        let places = if self.gravity { self.width } else { self.width * self.height };
        for square in 0..places {
            limits.check()?;
            scene.describe(&self.name(square), self.label(board, square));
        }
        for &(step, starts) in &self.directions {
            for start in ones(self.lines(board.0[1 - board.turn()], (step, starts))) {
                scene.add(Form::Line { from: center(start), to: center(start + (self.line - 1) * step) }, Paint::Strong);
            }
        }
        Ok(())
    }

    fn cards(&self) -> Vec<Card> {
        let line = self.line;
        let on = |rows: &[String]| {
            let gravity = if self.gravity { "yes" } else { "no" };
            format!("size: {line}x{}\nline: {line}\ngravity: {gravity}\n{}\n", rows.len(), rows.join("\n"))
        };
        let (empty, most) = (".".repeat(line), line - 1);
        let (start, turns) = match self.gravity {
            true => {
                (format!(".X{}", ".".repeat(line - 2)), "Take turns to drop a disc. It falls to the lowest empty square of its column.")
            }
            false => (empty.clone(), "Take turns: X marks any empty square, and then O does."),
        };
        let (first, last) = (if self.gravity { "b" } else { "b1" }, (b'a' + most as u8) as char);
        let turned: String = (0..line).map(|x| if x == most { '.' } else { ['X', 'O'][x % 2] }).collect();
        let at = |row: usize| if self.gravity { last.to_string() } else { format!("{last}{row}") };
        vec![
            Card::new(Topic::Move, turns, on(&[empty, start])).making(first),
            Card::new(
                Topic::Goal,
                format!("The first player with {line} in a row wins: across, down or diagonally."),
                on(&[format!("{}.", "O".repeat(most)), format!("{}.", "X".repeat(most))]),
            )
            .making(at(2)),
            Card::new(Topic::Goal, "If the board is full and has no such line, the game is a draw.", on(&[turned])).making(at(1)),
        ]
    }
}

impl Drawing for Connect {
    const EDITOR: Option<Editor<Self>> = Some(Editor {
        brushes: |_| BRUSHES,
        canvas: Connect::scene,
        paint: |game, board, brush, places| game.paint(*board, brush, places),
        arranging: None,
        dragging: None,
    });

    const PRIMER: Option<Primer<Self>> = Some(Primer {
        cards: Connect::cards,
        picture: |game, board, limits| {
            let (width, height) = (SIZE * game.width as f64, SIZE * game.height as f64);
            let title = counted(board.all().count_ones() as usize, "mark", "marks");
            let mut scene = Scene { title, width, height, ..Scene::default() };
            game.draw(*board, &mut scene, (0.0, 0.0), limits)?;
            Ok(scene)
        },
    });

    fn scene(&self, board: &Board, limits: &Limits) -> Result<Scene, Limit> {
        let (width, height) = (SIZE * self.width as f64, SIZE * self.height as f64);
        let marks = counted(board.all().count_ones() as usize, "mark", "marks");
        let title = format!("{} in a row on {} x {}: {marks}", self.line, self.width, self.height);
        let mut scene = Scene { title, width: width + 2.0 * MARGIN, height: height + 2.0 * MARGIN, ..Scene::default() };
        for x in 0..self.width {
            let text = char::from(b'a' + x as u8).to_string();
            let y = if self.gravity { MARGIN + height + 10.0 } else { 12.0 };
            scene.add(Form::Text { x: MARGIN + SIZE * (x as f64 + 0.5), y, size: 12.0, text }, Paint::Ink);
        }
        for y in 0..if self.gravity { 0 } else { self.height } {
            let text = (y + 1).to_string();
            scene.add(Form::Text { x: 11.0, y: MARGIN + SIZE * (y as f64 + 0.5), size: 12.0, text }, Paint::Ink);
        }
        self.draw(*board, &mut scene, (MARGIN, MARGIN), limits)?;
        Ok(scene)
    }

    fn clicks(&self, board: &Board, mv: &u8) -> Vec<String> {
        vec![self.write_move(board, mv)]
    }
}
