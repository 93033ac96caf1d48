//! Frogs and toads: frogs (`F`) move right and toads (`T`) move left, by a step or by a jump over one animal, into the empty place. The
//! goal is to swap the two groups.

use kibitzer::drawing::Drawing;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Info, Input, Notation, ReadError, Source};
use kibitzer::rules::{Problem, Rules};
use kibitzer::scene::{Form, Paint, Scene};

/// The maximum number of places.
const PLACES: usize = 15;
const HELP: &str = "write `F`, `T` and one `.` in a row, such as `FFF.TTT`, with at most 15 places";

type Row = [u8; PLACES];

pub struct Frogs {
    start: Row,
    goal: Row,
    length: usize,
}

impl Rules for Frogs {
    type State = Row;
    /// The place of the animal that moves.
    type Move = u8;

    fn start(&self) -> Row {
        self.start
    }

    fn moves(&self, row: &Row, out: &mut Vec<u8>) {
        let empty = self.empty(row);
        let can = |at: usize, animal: u8| at < self.length && row[at] == animal;
        out.extend((empty.saturating_sub(2)..empty).filter(|&at| can(at, b'F')).map(|at| at as u8));
        out.extend((empty + 1..empty + 3).filter(|&at| can(at, b'T')).map(|at| at as u8));
    }

    fn apply(&self, row: &Row, from: &u8) -> Row {
        let mut after = *row;
        after.swap(usize::from(*from), self.empty(row));
        after
    }
}

impl Problem for Frogs {
    fn is_goal(&self, row: &Row) -> bool {
        *row == self.goal
    }
}

impl Frogs {
    fn empty(&self, row: &Row) -> usize {
        row.iter().position(|&animal| animal == b'.').unwrap_or(0)
    }
}

impl Notation for Frogs {
    const INFO: Info<Self> = Info {
        name: "frogs",
        about: "frogs and toads: swap the two groups",
        rules: "Frogs move right, toads move left. A move is a step into the empty space or a jump into it over one animal. A board: `FFF.TTT`.",
        sample: "FFF.TTT",
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let source = Source::without_comments(input.text);
        let row: Vec<u8> = source.text().trim().bytes().collect();
        if row.len() > PLACES
            || row.iter().any(|animal| !b"FT.".contains(animal))
            || row.iter().filter(|&&animal| animal == b'.').count() != 1
        {
            return Err(source.error(0, "not a row of frogs and toads", HELP).into());
        }
        let places = |row: &[u8]| std::array::from_fn(|at| row.get(at).copied().unwrap_or(0));
        let mut goal = row.clone();
        goal.sort_unstable_by_key(|animal| b"T.F".iter().position(|other| other == animal));
        Ok(Frogs { start: places(&row), goal: places(&goal), length: row.len() })
    }

    fn write(&self, row: &Row) -> String {
        self.ascii(row) + "\n"
    }

    fn write_move(&self, _: &Row, from: &u8) -> String {
        (from + 1).to_string()
    }

    fn ascii(&self, row: &Row) -> String {
        row[..self.length].iter().copied().map(char::from).collect()
    }
}

impl Drawing for Frogs {
    fn scene(&self, row: &Row, limits: &Limits) -> Result<Scene, Limit> {
        let title = format!("Frogs and toads: {}", self.ascii(row));
        let mut scene = Scene { title, width: 40.0 * self.length as f64 + 2.0, height: 42.0, ..Scene::default() };
        for (at, &animal) in row[..self.length].iter().enumerate() {
            scene.check(limits)?;
            let (x, name) = (40.0 * at as f64 + 1.0, (at + 1).to_string());
            scene.add_named(Form::Rect { x, y: 1.0, width: 38.0, height: 38.0 }, Paint::Cell, name.clone());
            if animal != b'.' {
                let paint = if animal == b'F' { Paint::Green } else { Paint::Red };
                scene.add_named(Form::Circle { x: x + 19.0, y: 20.0, r: 14.0 }, paint, name);
            }
        }
        Ok(scene)
    }

    fn clicks(&self, _: &Row, from: &u8) -> Vec<String> {
        vec![(from + 1).to_string()]
    }
}
