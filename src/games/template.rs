//! A minimal but complete one-player game, a template for new ones: measure out an amount with jugs of known size, a tap and a drain.
//!
//! It is built and tested like the shipped games, but not listed. Heuristics, proofs, solvers, symmetry, levels and an editor are
//! optional: see the documentation of [`Rules`], [`Problem`], [`Notation`] and [`Drawing`], and docs/new-game.md.

use crate::drawing::Drawing;
use crate::limits::{Limit, Limits};
use crate::notation::{Generator, Info, Input, Notation, ReadError, Source};
use crate::rules::{Problem, Rules};
use crate::scene::{Form, Paint, Scene};

const JUGS: usize = 4;
/// The amount in each jug; jugs that do not exist stay empty.
type Water = [u8; JUGS];

pub struct Jugs {
    sizes: Vec<u8>,
    start: Water,
    target: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Fill(usize),
    Empty(usize),
    Pour(usize, usize),
}

impl Rules for Jugs {
    type State = Water;
    type Move = Step;

    fn start(&self) -> Water {
        self.start
    }

    fn moves(&self, water: &Water, out: &mut Vec<Step>) {
        let jugs = 0..self.sizes.len();
        out.extend(jugs.clone().filter(|&jug| water[jug] < self.sizes[jug]).map(Step::Fill));
        out.extend(jugs.clone().filter(|&jug| water[jug] > 0).map(Step::Empty));
        let pairs = jugs.clone().flat_map(|from| jugs.clone().map(move |to| (from, to))).filter(|(from, to)| from != to);
        out.extend(pairs.filter(|&(from, to)| water[from] > 0 && water[to] < self.sizes[to]).map(|(from, to)| Step::Pour(from, to)));
    }

    fn apply(&self, water: &Water, step: &Step) -> Water {
        let mut after = *water;
        match *step {
            Step::Fill(jug) => after[jug] = self.sizes[jug],
            Step::Empty(jug) => after[jug] = 0,
            Step::Pour(from, to) => {
                let amount = water[from].min(self.sizes[to] - water[to]);
                after[from] -= amount;
                after[to] += amount;
            }
        }
        after
    }
}

impl Problem for Jugs {
    fn is_goal(&self, water: &Water) -> bool {
        water[..self.sizes.len()].contains(&self.target)
    }
}

const HELP: &str =
    "write `jugs: 3 5` (one to four sizes from 1 to 99) and `target: 4`, and `holds: 0 2` if the jugs are not empty at the start";

impl Notation for Jugs {
    const INFO: Info<Self> = Info {
        name: "template",
        about: "measure out an amount with jugs, a tap and a drain",
        rules: "\
Fill a jug from the tap, empty it into the drain, or pour from one jug into another until one is empty or the other is full.
The goal is to have the target amount in some jug. A board consists of `jugs: 3 5` and `target: 4`, on separate lines or separated
by `;`.",
        sample: "jugs: 3 5; target: 4",
        generator: Some(Generator {
            options: &[],
            solvable: false,
            make: |random, _, _| {
                let [a, b, target] = [2, 2, 1].map(|least| (least + random.below(18)) as u8);
                Ok(Jugs { sizes: vec![a, b], start: [0; JUGS], target })
            },
        }),
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let source = Source::without_comments(input.text);
        let (mut sizes, mut holds, mut target) = (Vec::new(), Vec::new(), None);
        for field in source.fields(&["jugs", "target", "holds"], HELP)? {
            let numbers: Vec<u8> = field.integers(HELP)?.iter().filter_map(|&(number, _)| u8::try_from(number).ok()).collect();
            match (field.key, numbers.as_slice()) {
                ("jugs", list) if (1..=JUGS).contains(&list.len()) && list.iter().all(|size| (1..100).contains(size)) => sizes = numbers,
                ("target", &[amount]) => target = Some(amount),
                ("holds", _) => holds = numbers,
                (key, _) => return Err(field.error(format!("these numbers do not fit `{key}`"), HELP).into()),
            }
        }
        let amount = |jug: usize| holds.get(jug).copied().unwrap_or(0);
        let fits = holds.len() <= sizes.len() && sizes.iter().enumerate().all(|(jug, &size)| amount(jug) <= size);
        let (Some(target), true, false) = (target, fits, sizes.is_empty()) else {
            return Err(source.error(0, "`jugs` or `target` is missing, or the jugs contain too much", HELP).into());
        };
        Ok(Jugs { sizes, start: std::array::from_fn(amount), target })
    }

    fn write(&self, water: &Water) -> String {
        let join = |amounts: &[u8]| amounts.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        format!("jugs: {}\ntarget: {}\nholds: {}\n", join(&self.sizes), self.target, join(&water[..self.sizes.len()]))
    }

    fn write_move(&self, _: &Water, step: &Step) -> String {
        match step {
            Step::Fill(jug) => format!("fill {}", jug + 1),
            Step::Empty(jug) => format!("empty {}", jug + 1),
            Step::Pour(from, to) => format!("pour {} into {}", from + 1, to + 1),
        }
    }

    fn ascii(&self, water: &Water) -> String {
        let jugs: String = water.iter().zip(&self.sizes).map(|(amount, size)| format!("[{amount}/{size}] ")).collect();
        format!("{jugs} target {}", self.target)
    }
}

impl Drawing for Jugs {
    fn scene(&self, water: &Water, limits: &Limits) -> Result<Scene, Limit> {
        let title = format!("Jugs: measure out {}", self.target);
        let mut scene = Scene { title, width: 40.0 * (self.sizes.len() + 2) as f64, height: 230.0, ..Scene::default() };
        let jugs = (1..).zip(&self.sizes).map(|(jug, &size)| (format!("jug {jug}"), size, water[jug - 1]));
        for (at, (name, size, amount)) in [("tap".to_owned(), 99, 99), ("drain".to_owned(), 99, 0)].into_iter().chain(jugs).enumerate() {
            scene.check(limits)?;
            let x = 40.0 * at as f64 + 5.0;
            for (height, paint) in [(2.0 * f64::from(size), Paint::Cell), (2.0 * f64::from(amount), Paint::Blue)] {
                scene.add_named(Form::Rect { x, y: 205.0 - height, width: 30.0, height }, paint, name.clone());
            }
            scene.add(Form::Text { x: x + 15.0, y: 217.0, size: 10.0, text: name }, Paint::Ink);
        }
        Ok(scene)
    }

    fn clicks(&self, _: &Water, step: &Step) -> Vec<String> {
        let (jug, tap, drain) = (|jug: &usize| format!("jug {}", jug + 1), "tap".to_owned(), "drain".to_owned());
        match step {
            Step::Fill(to) => vec![tap, jug(to)],
            Step::Empty(from) => vec![jug(from), drain],
            Step::Pour(from, to) => vec![jug(from), jug(to)],
        }
    }
}
