//! The smallest whole game, to copy for a new one: jugs of known size, a tap and a drain; measure out an amount.
//!
//! It is built and tested with every change but not listed. A new game needs the three `impl` blocks below, two lines in
//! `games.rs` (the module and the list), boards in `instances/` and, if it can, what is optional here: a heuristic, a short
//! proof of unsolvability with its check, and a solver of its own. docs/new-game.md has the steps.

use serde_json::{Map, json};

use crate::drawing::Drawing;
use crate::limits::{Limit, Limits};
use crate::notation::{Generator, Info, Input, Notation, OptionSpec, ReadError, Source};
use crate::outcome::{Certificate, Outcome, Plan, Stats, Verdict, Why};
use crate::rules::{CheckError, Cost, Estimate, Heuristic, Problem, Proofs, Rules, Solver};
use crate::scene::{Form, Paint, Scene};

/// At most four jugs.
const MOST: usize = 4;

/// One instance: the jugs' sizes, what is in them at first, and the amount wanted in some jug.
pub struct Jugs {
    sizes: Vec<u8>,
    start: Water,
    target: u8,
}

/// What is in each jug; jugs that do not exist stay empty.
type Water = [u8; MOST];

/// What can be done; the order is the order of the list of moves.
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
        for from in jugs.clone().filter(|&jug| water[jug] > 0) {
            out.extend(jugs.clone().filter(|&to| to != from && water[to] < self.sizes[to]).map(|to| Step::Pour(from, to)));
        }
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

fn gcd(a: u8, b: u8) -> u8 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Problem for Jugs {
    const HEURISTICS: &'static [Heuristic<Self>] = &[Heuristic {
        name: "one",
        about: "1 until the amount is there",
        admissible: true,
        consistent: true,
        aliases: &[],
        build: |_, _| Ok(Estimate::new(|jugs: &Jugs, water| Cost::from(!jugs.is_goal(water)))),
    }];

    const SOLVERS: &'static [Solver<Self>] = &[Solver {
        name: "euclid",
        about: "two jugs: fill one, pour it into the other, empty that when full; in both directions, the shorter plan",
        optimal: false,
        course: false,
        applies: |jugs, water| if jugs.sizes.len() == 2 && *water == [0; MOST] { Ok(()) } else { Err("it needs two empty jugs") },
        run: |jugs, start, _| {
            let ways = [euclid(jugs, *start, 0, 1), euclid(jugs, *start, 1, 0)];
            let verdict = match ways.into_iter().flatten().min_by_key(Vec::len) {
                Some(moves) => Verdict::Solved { plan: Plan { cost: moves.len() as Cost, moves }, lower: 0 },
                None => Verdict::Unsolvable(Why::Exhausted { states: 0 }),
            };
            Outcome::new(verdict, Stats::default())
        },
        trace: None,
    }];

    const PROOFS: Option<Proofs<Self>> = Some(Proofs {
        quick: true,
        refute: |jugs, water, _| jugs.refute(water),
        check: |jugs, water, certificate, limits| jugs.check(water, certificate, limits),
        data: &["unit", "largest"],
        claim: |jugs, _, certificate| jugs.claim(certificate),
        least: None,
    });

    fn is_goal(&self, water: &Water) -> bool {
        water[..self.sizes.len()].contains(&self.target)
    }
}

impl Jugs {
    fn refute(&self, water: &Water) -> Option<Certificate> {
        let all = self.sizes.iter().chain(water).copied();
        let unit = all.fold(0, gcd);
        let largest = self.sizes.iter().copied().max().unwrap_or(0);
        let hopeless = self.target > largest || unit != 0 && !self.target.is_multiple_of(unit);
        let data = Map::from_iter([("unit".to_owned(), json!(unit)), ("largest".to_owned(), json!(largest))]);
        let certificate = Certificate { kind: "measure".to_owned(), claim: String::new(), data };
        hopeless.then(|| Certificate { claim: self.claim(&certificate), ..certificate })
    }

    fn claim(&self, certificate: &Certificate) -> String {
        let (unit, largest) = (&certificate.data["unit"], &certificate.data["largest"]);
        format!("every amount is a multiple of {unit} and at most {largest}; {} is not", self.target)
    }

    fn check(&self, water: &Water, certificate: &Certificate, limits: &Limits) -> Result<(), CheckError> {
        limits.check()?;
        let number = |key: &str| certificate.data.get(key).and_then(serde_json::Value::as_u64).ok_or(format!("no number `{key}`"));
        let (unit, largest) = (number("unit")?, number("largest")?);
        if self.sizes.iter().any(|&size| u64::from(size) > largest) {
            return Err(format!("a jug holds more than {largest}").into());
        }
        if u64::from(self.target) > largest {
            return Ok(());
        }
        if unit == 0 || self.sizes.iter().chain(water).any(|&amount| u64::from(amount) % unit != 0) {
            return Err(format!("not everything is a multiple of {unit}").into());
        }
        if u64::from(self.target) % unit == 0 {
            return Err(format!("{} is a multiple of {unit}", self.target).into());
        }
        Ok(())
    }
}

/// Pours from one jug to the other until the amount is there or everything repeats.
fn euclid(jugs: &Jugs, mut water: Water, from: usize, to: usize) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    while !jugs.is_goal(&water) {
        let step = if water[to] == jugs.sizes[to] {
            Step::Empty(to)
        } else if water[from] == 0 {
            Step::Fill(from)
        } else {
            Step::Pour(from, to)
        };
        water = jugs.apply(&water, &step);
        steps.push(step);
        if water == [0; MOST] {
            return None;
        }
    }
    Some(steps)
}

const HELP: &str = "write `jugs: 3 5` (one to four sizes from 1 to 99) and `target: 4`; `holds: 0 2` if they are not empty";

impl Notation for Jugs {
    const INFO: Info<Self> = Info {
        name: "template",
        about: "measure out an amount with jugs, a tap and a drain",
        rules: "\
Fill a jug from the tap, empty it into the drain, or pour from one into another until that is full or the first is
empty. The goal is to have the target amount in some jug. A board: `jugs: 3 5` and `target: 4`, on lines or with `;`.",
        sample: "jugs: 3 5; target: 4",
        generator: Some(Generator {
            options: &[OptionSpec { name: "jugs", about: "how many jugs, 1 to 4", default: "2" }],
            solvable: false,
            make: |random, options, _| {
                let count = options.integer("jugs", 1..=MOST as i64)?.unwrap_or(2) as usize;
                let sizes: Vec<u8> = (0..count).map(|_| 2 + random.below(18) as u8).collect();
                Ok(Jugs { sizes, start: [0; MOST], target: 1 + random.below(19) as u8 })
            },
        }),
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let source = Source::without_comments(input.text);
        let (mut jugs, mut target) = (Jugs { sizes: Vec::new(), start: [0; MOST], target: 0 }, None);
        let mut holds = None;
        for field in source.fields(&["jugs", "target", "holds"], HELP)? {
            let numbers = field.integers(HELP)?;
            if let Some((number, offset)) = numbers.iter().find(|(number, _)| !(0..=99).contains(number)) {
                return Err(field.error_at(*offset, format!("{number} is not from 0 to 99"), HELP).into());
            }
            let numbers: Vec<u8> = numbers.into_iter().map(|(number, _)| number as u8).collect();
            match (field.key, numbers.as_slice()) {
                ("jugs", sizes) if (1..=MOST).contains(&sizes.len()) && !sizes.contains(&0) => jugs.sizes = numbers,
                ("target", &[amount]) => target = Some(amount),
                ("holds", _) => holds = Some((numbers, field.error("there must be one amount per jug, at most its size", HELP))),
                (key, _) => return Err(field.error(format!("these numbers do not fit `{key}`"), HELP).into()),
            }
        }
        if let Some((amounts, error)) = holds {
            let fits = amounts.len() == jugs.sizes.len() && amounts.iter().zip(&jugs.sizes).all(|(amount, size)| amount <= size);
            if !fits {
                return Err(error.into());
            }
            jugs.start[..amounts.len()].copy_from_slice(&amounts);
        }
        match target {
            Some(target) if !jugs.sizes.is_empty() => Ok(Jugs { target, ..jugs }),
            _ => Err(source.error(source.text().len(), "`jugs` or `target` is missing", HELP).into()),
        }
    }

    fn write_move(&self, _water: &Water, step: &Step) -> String {
        match step {
            Step::Fill(jug) => format!("fill {}", jug + 1),
            Step::Empty(jug) => format!("empty {}", jug + 1),
            Step::Pour(from, to) => format!("pour {} into {}", from + 1, to + 1),
        }
    }

    fn write(&self, water: &Water) -> String {
        let join = |amounts: &[u8]| amounts.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        let (sizes, holds) = (join(&self.sizes), join(&water[..self.sizes.len()]));
        format!("jugs: {sizes}\ntarget: {}\nholds: {holds}\n", self.target)
    }

    fn ascii(&self, water: &Water) -> String {
        let jug = |(amount, size): (&u8, &u8)| format!("[{amount}/{size}]");
        let jugs: Vec<String> = water.iter().zip(&self.sizes).map(jug).collect();
        format!("{}  target {}", jugs.join(" "), self.target)
    }
}

impl Drawing for Jugs {
    fn scene(&self, water: &Water, limits: &Limits) -> Result<Scene, Limit> {
        limits.check()?;
        let title = format!("Jugs: measure out {}", self.target);
        let width = 40.0 * (self.sizes.len() as f64 + 2.0);
        let mut scene = Scene { title, width, height: 230.0, ..Scene::default() };
        let mut column = |at: usize, size: u8, amount: u8, name: String| {
            let (x, full, filled) = (40.0 * at as f64 + 5.0, 2.0 * f64::from(size), 2.0 * f64::from(amount));
            scene.add_named(Form::Rect { x, y: 205.0 - full, width: 30.0, height: full }, Paint::Cell, name.clone());
            scene.add_named(Form::Rect { x, y: 205.0 - filled, width: 30.0, height: filled }, Paint::Blue, name.clone());
            scene.add(Form::Text { x: x + 15.0, y: 217.0, size: 10.0, text: name }, Paint::Ink);
        };
        column(0, 99, 99, "tap".to_owned());
        for (jug, &size) in self.sizes.iter().enumerate() {
            column(jug + 1, size, water[jug], format!("jug {}", jug + 1));
        }
        column(self.sizes.len() + 1, 99, 0, "drain".to_owned());
        Ok(scene)
    }

    fn clicks(&self, _water: &Water, step: &Step) -> Vec<String> {
        let jug = |jug: &usize| format!("jug {}", jug + 1);
        match step {
            Step::Fill(to) => vec!["tap".to_owned(), jug(to)],
            Step::Empty(from) => vec![jug(from), "drain".to_owned()],
            Step::Pour(from, to) => vec![jug(from), jug(to)],
        }
    }
}
