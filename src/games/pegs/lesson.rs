//! Brushes that edit a pegs board, the lines behind `h2`, and proofs drawn on the board.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use super::proof::same_class;
use super::weights::{HoleWeights, value};
use super::{PegSet, Pegs, chains, heuristics};
use crate::bits::ones;
use crate::drawing::{Drawing, Measure, MeasureKind};
use crate::limits::{Limit, Limits};
use crate::notation::{counted, sentence};
use crate::outcome::Certificate;
use crate::rules::Cost;
use crate::scene::{Brush, Explanation, Form, Paint, Scene};

/// A square, possibly outside the board.
type Square = (i32, i32);

pub(super) fn brushes(_board: &Pegs) -> &'static [Brush] {
    &[
        Brush { name: "peg", about: "put a peg here; outside the board, this extends the board", clicks: 1 },
        Brush { name: "hole", about: "make this an empty hole", clicks: 1 },
        Brush { name: "no hole", about: "remove this square", clicks: 1 },
        Brush { name: "fill", about: "put a peg into every hole", clicks: 0 },
        Brush { name: "clear", about: "empty all holes", clicks: 0 },
    ]
}

/// The board with its missing squares and a border of one square on every side.
pub(super) fn canvas(board: &Pegs, state: &PegSet, limits: &Limits) -> Result<Scene, Limit> {
    const SIZE: f64 = 40.0;
    let inner = board.scene(state, limits)?;
    let mut scene =
        Scene { title: inner.title.clone(), width: inner.width + 2.0 * SIZE, height: inner.height + 2.0 * SIZE, ..Scene::default() };
    for row in -1..=board.rows as i32 {
        scene.check(limits)?;
        for column in -1..=board.columns as i32 {
            if !board.holes.contains(&(row as usize, column as usize)) {
                let (x, y) = (13.0 + SIZE * (f64::from(column) + 1.0), 13.0 + SIZE * (f64::from(row) + 1.0));
                scene.add_named(Form::Rect { x, y, width: 34.0, height: 34.0 }, Paint::Ghost, format!("{row},{column}"));
                scene.describe(&format!("{row},{column}"), format!("no hole, row {row} column {column}"));
            }
        }
    }
    scene.overlay(&inner, SIZE, SIZE, limits)?;
    Ok(scene)
}

pub(super) fn paint(board: &Pegs, state: &PegSet, brush: &str, shapes: &[&str]) -> Option<String> {
    let mut squares: BTreeMap<Square, Option<char>> = BTreeMap::new();
    for (hole, &(row, column)) in (0..).zip(&board.holes) {
        let peg = (state.pegs >> hole & 1 == 1).then(|| state.label(hole));
        squares.insert((row as i32, column as i32), peg);
    }
    let letter = |squares: &BTreeMap<Square, Option<char>>| {
        let mut letters = ('a'..='z').chain('A'..='Z');
        letters.find(|letter| !squares.values().any(|square| *square == Some(*letter))).unwrap_or('o')
    };
    match (brush, shapes) {
        ("fill", []) => {
            for square in squares.clone().into_keys() {
                let peg = squares[&square].unwrap_or_else(|| letter(&squares));
                squares.insert(square, Some(peg));
            }
        }
        ("clear", []) => squares.values_mut().for_each(|square| *square = None),
        (_, [name]) => {
            let (row, column) = name.split_once(',')?;
            let square: Square = (row.parse().ok()?, column.parse().ok()?);
            if !(-1..=board.rows as i32).contains(&square.0) || !(-1..=board.columns as i32).contains(&square.1) {
                return None;
            }
            match brush {
                "peg" => {
                    let peg = squares.get(&square).copied().flatten().unwrap_or_else(|| letter(&squares));
                    squares.insert(square, Some(peg));
                }
                "hole" => drop(squares.insert(square, None)),
                "no hole" => drop(squares.remove(&square)),
                _ => return None,
            }
        }
        _ => return None,
    }
    Some(written(board, &squares)).filter(|_| !squares.is_empty())
}

/// The text of a board with these squares and the settings of `board`.
fn written(board: &Pegs, squares: &BTreeMap<Square, Option<char>>) -> String {
    let range = |along: fn(&Square) -> i32| {
        let places = || squares.keys().map(along);
        (places().min().unwrap_or(0), places().max().unwrap_or(0))
    };
    let ((top, bottom), (left, right)) = (range(|square| square.0), range(|square| square.1));
    let rows = |character: &dyn Fn(Square) -> char| -> String {
        (top..=bottom).map(|row| (left..=right).map(|column| character((row, column))).collect::<String>() + "\n").collect()
    };
    let mut text = board.settings();
    let place = |hole: usize| (board.holes[hole].0 as i32, board.holes[hole].1 as i32);
    if let Some((row, column)) = board.goal_hole().map(place).filter(|square| squares.contains_key(square)) {
        let _ = writeln!(text, "goal: at {},{}", row - top, column - left);
    }
    text.push_str(&rows(&|square| squares.get(&square).map_or('#', |peg| peg.unwrap_or('.'))));
    if let Some(goal) = board.goal.filter(|goal| !goal.is_power_of_two()) {
        let wanted: Vec<Square> = ones(goal).map(place).collect();
        let character = |square: Square| match squares.get(&square) {
            None => '#',
            Some(_) if wanted.contains(&square) => 'o',
            Some(_) => '.',
        };
        let _ = write!(text, "goal:\n{}", rows(&character));
    }
    text
}

/// A minimum set of rows and columns that covers every square that must change, drawn as lines over the board.
pub(super) fn explain(board: &Pegs, state: &PegSet) -> Option<Explanation> {
    const SIZE: f64 = 40.0;
    if board.by_moves {
        return Some(chains::explain(board, state));
    }
    let (squares, one_stays) = heuristics::must_change(board, state.pegs);
    let (rows, columns) = heuristics::fewest_lines(board, squares);
    let lines = rows.len() + columns.len();
    let jumps = lines.saturating_sub(usize::from(one_stays));
    let cost = jumps as Cost * board.costs.iter().copied().min().unwrap_or(0);
    let what = if one_stays { "all pegs, and one peg may remain" } else { "all squares that must change" };
    let mut explanation = Explanation::new(match lines {
        0 => "No square has to change.".to_owned(),
        _ => format!(
            "Every jump changes squares in only one row or column. It takes at least {} to cover {what}, so at least {} must follow, \
             at a cost of {cost} or more. This is the estimate h2.",
            counted(lines, "line", "lines"),
            counted(jumps, "jump", "jumps"),
        ),
    });
    let (width, height) = (SIZE * board.columns as f64 + 20.0, SIZE * board.rows as f64 + 20.0);
    for row in rows {
        let y = 10.0 + SIZE * (row as f64 + 0.5);
        explanation.add(Form::Line { from: (4.0, y), to: (width - 4.0, y) }, Paint::Glow);
    }
    for column in columns {
        let x = 10.0 + SIZE * (column as f64 + 0.5);
        explanation.add(Form::Line { from: (x, 4.0), to: (x, height - 4.0) }, Paint::Glow);
    }
    Some(explanation)
}

pub(super) fn show_proof(board: &Pegs, state: &PegSet, certificate: &Certificate) -> Explanation {
    let mut explanation = Explanation::new(sentence(&certificate.claim));
    let name = |hole: usize| format!("{},{}", board.holes[hole].0, board.holes[hole].1);
    match certificate.kind.as_str() {
        "pagoda" => {
            let weights = weights(certificate).into_iter().next().unwrap_or_default();
            let most = weights.iter().map(|weight| weight.abs()).max().unwrap_or(0).max(1) as f64;
            for (hole, weight) in weights.iter().enumerate().take(board.holes.len()) {
                let paint = if *weight < 0 { Paint::Blue } else { Paint::Glow };
                explanation.tint_with(name(hole), paint, 0.15 + 0.75 * weight.unsigned_abs() as f64 / most, weight.to_string());
            }
            explanation.text.push_str(" The numbers on the board are the weights.");
        }
        "class" => {
            let coloring = telling(board, state).unwrap_or(COLORINGS[0]);
            for (hole, &square) in board.holes.iter().enumerate() {
                let paint = [Paint::Red, Paint::Green, Paint::Blue][coloring(square)];
                explanation.tint(name(hole), paint, if state.pegs >> hole & 1 == 1 { 0.8 } else { 0.25 });
            }
            explanation.text.push_str(
                " A single jump changes one square of each of the three colors, so all three counts switch between odd and even.",
            );
        }
        _ => {}
    }
    explanation
}

/// A coloring of the squares: the color of each square, from 0 to 2.
type Coloring = fn((usize, usize)) -> usize;

/// The two colorings in which a jump changes one square of each color.
const COLORINGS: [Coloring; 2] = [|(row, column)| (row + column) % 3, |(row, column)| (row + 2 * column) % 3];
const COLORS: [&str; 3] = ["red", "green", "blue"];

/// The number of pegs on squares of each color.
fn pegs_by_color(board: &Pegs, pegs: u128, coloring: Coloring) -> [usize; 3] {
    let mut counts = [0; 3];
    ones(pegs).for_each(|hole| counts[coloring(board.holes[hole])] += 1);
    counts
}

/// The color whose count differs in parity from the other two counts, or 3 if all three have the same parity. Single jumps never
/// change the result.
fn odd_one_out(counts: [usize; 3]) -> usize {
    let odd = counts.map(|count| count % 2);
    (0..3).find(|&color| odd[(color + 1) % 3] == odd[(color + 2) % 3] && odd[color] != odd[(color + 1) % 3]).unwrap_or(3)
}

/// A coloring that by itself distinguishes the pegs from every goal, if there is one.
fn telling(board: &Pegs, state: &PegSet) -> Option<Coloring> {
    let class = |pegs: u128, coloring| odd_one_out(pegs_by_color(board, pegs, coloring));
    COLORINGS.into_iter().find(|&coloring| board.goals().into_iter().all(|goal| class(goal, coloring) != class(state.pegs, coloring)))
}

/// The lists of weights in a certificate.
fn weights(certificate: &Certificate) -> Vec<HoleWeights> {
    let rows = certificate.data.get("weights").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_array);
    rows.map(|row| row.iter().filter_map(Value::as_i64).collect()).collect()
}

pub(super) fn measure(board: &Pegs, state: &PegSet, certificate: &Certificate) -> Option<Measure> {
    let goals = board.goals();
    Some(match certificate.kind.as_str() {
        "count" => {
            let (pegs, least) = (state.pegs.count_ones(), goals.iter().map(|goal| goal.count_ones()).min()?);
            let text = if pegs == 1 { "there is 1 peg".to_owned() } else { format!("there are {pegs} pegs") };
            potential(text, &[i64::from(pegs)], format!("at least {least}"))
        }
        "class" => {
            let coloring = telling(board, state)?;
            let out = |pegs| odd_one_out(pegs_by_color(board, pegs, coloring));
            let words = |out: usize| COLORS.get(out).map_or("all alike".to_owned(), |color| format!("{color} differs"));
            let mut classes: Vec<usize> = goals.iter().map(|&goal| out(goal)).collect();
            classes.sort_unstable();
            classes.dedup();
            let [red, green, blue] = pegs_by_color(board, state.pegs, coloring).map(odd_or_even);
            let goal = if classes == [0, 1, 2] { "one differs".to_owned() } else { joined(classes.into_iter().map(words)) };
            Measure {
                kind: MeasureKind::Invariant,
                text: format!("the numbers of pegs on red, green and blue squares are {red}, {green} and {blue}"),
                value: words(out(state.pegs)),
                goal,
                numbers: vec![out(state.pegs) as i64],
            }
        }
        "pagoda" => {
            let weights: Vec<HoleWeights> = weights(certificate).into_iter().filter(|row| row.len() == board.holes.len()).collect();
            let numbers: Vec<i64> = weights.iter().map(|row| value(row, state.pegs)).collect();
            let sums = numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            match weights.as_slice() {
                [] => return None,
                [row] => {
                    let least = goals.iter().filter(|&&goal| same_class(board, state.pegs, goal)).map(|&goal| value(row, goal)).min()?;
                    potential(format!("the weights under the pegs add up to {sums}"), &numbers, format!("at least {least}"))
                }
                _ => potential(
                    format!("in {} lists of weights, the weights under the pegs add up to {sums}", weights.len()),
                    &numbers,
                    "more in one list".to_owned(),
                ),
            }
        }
        _ => return None,
    })
}

fn potential(text: String, numbers: &[i64], goal: String) -> Measure {
    let value = numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    Measure { kind: MeasureKind::Potential, text, value, goal, numbers: numbers.to_vec() }
}

fn odd_or_even(count: usize) -> &'static str {
    if count.is_multiple_of(2) { "even" } else { "odd" }
}

/// The parts, separated by `or`.
fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" or ")
}
