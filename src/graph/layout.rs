//! Coordinates for drawing. Well-known graphs are drawn in their familiar form (`familiar`). In drawings of all other graphs, distances
//! between vertices approximate their distances in the graph (stress majorization), and vertices are pushed away from edges that do not
//! end at them. The result is deterministic.

mod familiar;
mod gaps;

use std::collections::VecDeque;

pub use gaps::Gaps;

use super::Graph;
use crate::bits::ones;
use crate::limits::{Limit, Limits};

/// With more vertices than this, distances are not computed, and the vertices are placed on a circle.
const MOST: usize = 1500;
/// With more vertex-edge pairs than this, vertices are not pushed apart.
const MOST_PAIRS: usize = 20_000;

/// Coordinates from 0 to 1 for every vertex. Takes at most a few tenths of a second for any graph.
pub fn places(graph: &Graph, limits: &Limits) -> Result<Vec<(f64, f64)>, Limit> {
    limits.check()?;
    let places = match familiar::places(graph, limits)? {
        Some(places) => places,
        None if graph.len() <= MOST => apart(graph, stress(graph, limits)?, limits)?,
        None => familiar::circle(&(0..graph.len()).collect::<Vec<_>>(), graph.len()),
    };
    Ok(fit(places))
}

/// Pushes vertices away from each other, and from edges that do not end at them, as long as that makes the drawing clearer.
fn apart(graph: &Graph, places: Vec<(f64, f64)>, limits: &Limits) -> Result<Vec<(f64, f64)>, Limit> {
    let edges: Vec<(usize, usize)> = graph.edges().collect();
    if edges.is_empty() || graph.len() * edges.len() > MOST_PAIRS {
        return Ok(places);
    }
    let clarity = |places: &[(f64, f64)]| -> Result<f64, Limit> { Ok(Gaps::of(graph, &fit(places.to_vec()), limits)?.clarity()) };
    let mut best = (clarity(&places)?, places.clone());
    let mut now = places;
    // Vertices are pushed if they are closer than this to an edge (`CLEAR`) or to each other (`NEAR`). Stress majorization makes
    // edges about 1 long.
    const CLEAR: f64 = 0.4;
    const NEAR: f64 = 0.75;
    for _ in 0..120 {
        let mut pushes = vec![(0.0, 0.0); now.len()];
        let mut push = |v: usize, (dx, dy): (f64, f64), by: f64| {
            pushes[v].0 += dx * by;
            pushes[v].1 += dy * by;
        };
        let mut quiet = true;
        for v in 0..now.len() {
            limits.check()?;
            for &(a, b) in edges.iter().filter(|&&(a, b)| a != v && b != v) {
                let (off, away) = gaps::off(now[v], now[a], now[b]);
                if off < CLEAR {
                    quiet = false;
                    let by = (CLEAR - off) / 4.0;
                    push(v, away, by);
                    push(a, away, -by / 2.0);
                    push(b, away, -by / 2.0);
                }
            }
            for u in 0..v {
                let (dx, dy) = (now[v].0 - now[u].0, now[v].1 - now[u].1);
                let distance = dx.hypot(dy);
                if distance < NEAR {
                    quiet = false;
                    // Two vertices at the same point are pushed in an arbitrary direction.
                    let away = if distance > 1e-6 { (dx / distance, dy / distance) } else { (v as f64).sin_cos() };
                    push(v, away, (NEAR - distance) / 4.0);
                    push(u, away, (distance - NEAR) / 4.0);
                }
            }
        }
        for (place, push) in now.iter_mut().zip(&pushes) {
            let long = push.0.hypot(push.1).max(1.0);
            *place = (place.0 + push.0 / long, place.1 + push.1 / long);
        }
        let clear = clarity(&now)?;
        if clear > best.0 {
            best = (clear, now.clone());
        }
        if quiet {
            break;
        }
    }
    Ok(best.1)
}

/// Distances in the graph from one vertex; infinite for vertices in other components.
fn distances(graph: &Graph, from: usize) -> Vec<f64> {
    let mut distance = vec![f64::INFINITY; graph.len()];
    // Use rows of bits, because dense graphs have a very large number of edges.
    let mut unseen = vec![u64::MAX; graph.row(from).len()];
    distance[from] = 0.0;
    unseen[from / 64] &= !(1 << (from % 64));
    let mut open = VecDeque::from([from]);
    while let Some(v) = open.pop_front() {
        for (word, (unseen, row)) in unseen.iter_mut().zip(graph.row(v)).enumerate() {
            for bit in ones(*unseen & row) {
                distance[64 * word + bit] = distance[v] + 1.0;
                open.push_back(64 * word + bit);
            }
            *unseen &= !row;
        }
    }
    distance
}

/// Stress majorization: repeatedly moves every vertex to the weighted mean of the positions that its distances to the others
/// suggest.
fn stress(graph: &Graph, limits: &Limits) -> Result<Vec<(f64, f64)>, Limit> {
    let n = graph.len();
    let mut distance: Vec<Vec<f64>> = (0..n).map(|v| limits.check().map(|()| distances(graph, v))).collect::<Result<_, _>>()?;
    let longest = distance.iter().flatten().copied().filter(|d| d.is_finite()).fold(1.0, f64::max);
    distance.iter_mut().flatten().filter(|d| d.is_infinite()).for_each(|d| *d = longest.min(4.0) + 1.0);
    // Initial coordinates: two vertices far apart, and one far from both, span the plane.
    let far = |from: &[f64]| (0..n).max_by(|&a, &b| from[a].total_cmp(&from[b]).then(b.cmp(&a))).unwrap_or(0);
    let first = far(&distance[0]);
    let second = far(&distance[first]);
    let both: Vec<f64> = (0..n).map(|v| distance[first][v].min(distance[second][v])).collect();
    let third = far(&both);
    let mut places: Vec<(f64, f64)> = (0..n)
        .map(|v| {
            // Add a small offset to each vertex to separate vertices that would coincide.
            let turn = v as f64 * 2.399_963;
            let x = (distance[first][v] - distance[second][v]) / 2.0;
            let y = distance[third][v] - both[v] / 2.0;
            (x + 0.1 * turn.cos(), y + 0.1 * turn.sin())
        })
        .collect();
    let rounds = (20_000_000 / (n * n).max(1)).clamp(8, 400);
    for _ in 0..rounds {
        for v in 0..n {
            limits.check()?;
            let (mut x, mut y, mut weight) = (0.0, 0.0, 0.0);
            for u in (0..n).filter(|&u| u != v) {
                let wanted = distance[v][u];
                let w = 1.0 / (wanted * wanted);
                let (dx, dy) = (places[v].0 - places[u].0, places[v].1 - places[u].1);
                let now = (dx * dx + dy * dy).sqrt().max(1e-9);
                x += w * (places[u].0 + dx * wanted / now);
                y += w * (places[u].1 + dy * wanted / now);
                weight += w;
            }
            places[v] = (x / weight, y / weight);
        }
    }
    Ok(upright(places))
}

/// Columns for the nodes of trees: leaves side by side, and every other node above the middle of its children. The function is not
/// recursive, because trees may be deep.
pub fn tree_columns(roots: &[usize], children: &[Vec<usize>]) -> Vec<f64> {
    let mut columns = vec![0.0; children.len()];
    let mut leaves = 0.0;
    let mut open: Vec<(usize, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    while let Some((v, done)) = open.pop() {
        match children[v].as_slice() {
            [] => {
                columns[v] = leaves;
                leaves += 1.0;
            }
            below if done => columns[v] = f64::midpoint(columns[below[0]], columns[below[below.len() - 1]]),
            below => {
                open.push((v, true));
                open.extend(below.iter().rev().map(|&child| (child, false)));
            }
        }
    }
    columns
}

/// Rotates the drawing so that it is as wide as possible.
fn upright(places: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let n = places.len() as f64;
    let (cx, cy) = places.iter().fold((0.0, 0.0), |sum, place| (sum.0 + place.0 / n, sum.1 + place.1 / n));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in &places {
        let (x, y) = (x - cx, y - cy);
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
    }
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    let (sin, cos) = angle.sin_cos();
    places.iter().map(|(x, y)| ((x - cx) * cos + (y - cy) * sin, (y - cy) * cos - (x - cx) * sin)).collect()
}

/// Moves and scales the drawing into the unit square, centered, keeping its proportions.
fn fit(places: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let range = |values: &mut dyn Iterator<Item = f64>| values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    let (left, right) = range(&mut places.iter().map(|place| place.0));
    let (top, bottom) = range(&mut places.iter().map(|place| place.1));
    let size = (right - left).max(bottom - top).max(1e-9);
    let (dx, dy) = ((size - (right - left)) / 2.0, (size - (bottom - top)) / 2.0);
    places.iter().map(|(x, y)| ((x - left + dx) / size, (y - top + dy) / size)).collect()
}
