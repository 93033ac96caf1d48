//! Checks answers using the rules, multiplication and plain elimination, sharing no code with the solver.

use std::cmp::Ordering;

use serde_json::Value;

use super::{Color, Colors, Tricolor};
use crate::limits::Limits;
use crate::notation::shorten;
use crate::outcome::Certificate;
use crate::rules::{CheckError, Cost};

/// The vertices listed in a certificate, and for each vertex whether it is listed.
struct Listed {
    vertices: Vec<usize>,
    has: Vec<bool>,
}

impl Listed {
    fn read(tricolor: &Tricolor, list: &Value) -> Result<Listed, String> {
        let list = list.as_array().ok_or("`vertices` is not a list")?;
        let mut listed = Listed { vertices: Vec::with_capacity(list.len()), has: vec![false; tricolor.graph.len()] };
        for item in list {
            let v = tricolor.find(item).ok_or_else(|| format!("there is no vertex {}", shorten(&item.to_string())))?;
            if std::mem::replace(&mut listed.has[v], true) {
                return Err(format!("vertex {} is listed twice", tricolor.name(v)));
            }
            listed.vertices.push(v);
        }
        Ok(listed)
    }
}

pub fn refutation(tricolor: &Tricolor, colors: &Colors, certificate: &Certificate, limits: &Limits) -> Result<(), CheckError> {
    limits.check()?;
    let set = Listed::read(tricolor, certificate.data.get("vertices").ok_or("the certificate has no `vertices`")?)?;
    match certificate.kind.as_str() {
        "parity" => parity(tricolor, colors, &set, limits),
        "enclosed" => enclosed(tricolor, colors, &set, limits),
        kind => Err(format!("this game has no certificates of kind `{}`", shorten(kind)).into()),
    }
}

/// Checks that every click swaps an even number of vertices of the set, and that an odd number of them are red.
fn parity(tricolor: &Tricolor, colors: &Colors, set: &Listed, limits: &Limits) -> Result<(), CheckError> {
    if let Some(&v) = set.vertices.iter().find(|&&v| colors.get(v) == Color::Black) {
        return Err(format!("vertex {} is black and may turn any color", tricolor.name(v)).into());
    }
    for click in 0..tricolor.graph.len() {
        limits.check()?;
        let near = tricolor.graph.neighbors(click).iter().filter(|&&v| set.has[v as usize]).count();
        let swapped = near + usize::from(set.has[click]);
        if swapped % 2 == 1 {
            return Err(format!("a click on vertex {} swaps {swapped} of the listed vertices, an odd number", tricolor.name(click)).into());
        }
    }
    match set.vertices.iter().filter(|&&v| colors.get(v) == Color::Red).count() {
        reds if reds % 2 == 0 => Err(format!("{reds} of the listed vertices are red, an even number, which proves nothing").into()),
        _ => Ok(()),
    }
}

/// Checks that all vertices of the set are black, and that all their neighbors are in the set.
fn enclosed(tricolor: &Tricolor, colors: &Colors, set: &Listed, limits: &Limits) -> Result<(), CheckError> {
    if set.vertices.is_empty() {
        return Err("the set is empty".into());
    }
    for &v in &set.vertices {
        limits.check()?;
        if colors.get(v) != Color::Black {
            return Err(format!("vertex {} is not black", tricolor.name(v)).into());
        }
        if let Some(u) = tricolor.graph.neighbors(v).iter().find(|&&u| !set.has[u as usize]) {
            return Err(format!("vertex {} is a neighbor of {} but not in the set", tricolor.name(*u as usize), tricolor.name(v)).into());
        }
    }
    Ok(())
}

/// Maximum number of vertices for [`least`].
const VERTICES: usize = 2500;

/// Compares `cost` with the least cost of the relaxed problem, in which black vertices are clicked at least once and may end in any
/// color. Plain elimination and an enumeration of all solutions find that least cost. Returns whether `cost` is the board's least
/// cost, or `None` if that does not follow or there are more than `limits.nodes` solutions.
pub fn least(tricolor: &Tricolor, colors: &Colors, cost: Cost, limits: &Limits) -> Option<bool> {
    let n = tricolor.graph.len();
    if n > VERTICES {
        return None;
    }
    let black = |v: usize| colors.get(v) == Color::Black;
    let mut rows: Vec<(Vec<u64>, bool)> = Vec::new();
    for v in (0..n).filter(|&v| !black(v)) {
        limits.check().ok()?;
        let mut row = vec![0; n.div_ceil(64)];
        (0..n).filter(|&click| click == v || tricolor.graph.has_edge(click, v)).for_each(|click| row[click / 64] |= 1 << (click % 64));
        rows.push((row, colors.get(v) == Color::Red));
    }
    let bit = |row: &[u64], at: usize| row[at / 64] >> (at % 64) & 1 == 1;
    let (mut pivots, mut free) = (Vec::new(), Vec::new());
    for click in 0..n {
        limits.check().ok()?;
        let rank = pivots.len();
        let Some(found) = (rank..rows.len()).find(|&row| bit(&rows[row].0, click)) else {
            free.push(click);
            continue;
        };
        rows.swap(rank, found);
        let (pivot, side) = rows[rank].clone();
        for (at, (row, value)) in rows.iter_mut().enumerate() {
            if at != rank && bit(row, click) {
                row.iter_mut().zip(&pivot).for_each(|(word, pivot)| *word ^= pivot);
                *value ^= side;
            }
        }
        pivots.push(click);
    }
    if free.len() >= 63 || 1_u64 << free.len() > limits.nodes {
        return None;
    }
    // If clicks are priced by color, a click costs 2 on a black vertex, and at least 1 on a colored one, which may be red.
    let price = |click: usize, odd: bool| match black(click) {
        true => i64::from(tricolor.by_color) + if odd { 1 } else { 2 },
        false => i64::from(odd),
    };
    let mut odd = vec![false; n];
    pivots.iter().zip(&rows).for_each(|(&click, (_, value))| odd[click] = *value);
    let mut now: i64 = (0..n).map(|click| price(click, odd[click])).sum();
    let mut least = now;
    for step in 1_u64..1 << free.len() {
        limits.check().ok()?;
        let chosen = free[step.trailing_zeros() as usize];
        let decided = pivots.iter().zip(&rows).filter(|(_, (row, _))| bit(row, chosen)).map(|(&click, _)| click);
        for click in decided.chain([chosen]) {
            now += price(click, !odd[click]) - price(click, odd[click]);
            odd[click] = !odd[click];
        }
        least = least.min(now);
    }
    match i64::from(cost).cmp(&least) {
        Ordering::Equal => Some(true),
        // No plan can cost this little.
        Ordering::Less => Some(false),
        // If there are no black vertices and clicks are not priced by color, the order of clicks is irrelevant, so every solution
        // is a plan at the same cost.
        Ordering::Greater => (!tricolor.by_color && !(0..n).any(black)).then_some(false),
    }
}
