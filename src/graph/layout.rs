//! Coordinates for drawing: paths in a line, cycles and complete graphs on a circle, complete bipartite graphs in two rows, and
//! all others so that distances in the drawing resemble distances in the graph (stress majorization). Deterministic.

use super::Graph;
use crate::bits::ones;
use crate::limits::{Limit, Limits};

/// With more vertices than this, distances are not computed, and the vertices are put on a circle.
const MOST: usize = 1500;

/// Coordinates for every vertex, from 0 to 1: at most a few tenths of a second of work, whatever the graph, and less if a limit
/// ends it.
pub fn places(graph: &Graph, limits: &Limits) -> Result<Vec<(f64, f64)>, Limit> {
    limits.check()?;
    let n = graph.len();
    let degree = |v: usize| graph.degree(v);
    let complete = graph.edge_count() == n * n.saturating_sub(1) / 2;
    let all: Vec<usize> = (0..n).collect();
    let ends: Vec<usize> = all.iter().copied().filter(|&v| degree(v) == 1).collect();
    let thin = graph.max_degree() <= 2 && n > 0 && graph.is_connected();
    let hub = all.iter().copied().find(|&v| n > 3 && degree(v) == n - 1);
    let places = if n <= 1 {
        vec![(0.5, 0.5); n]
    } else if thin && ends.len() == 2 {
        line(&walk(graph, ends[0], None))
    } else if thin {
        circle(&walk(graph, 0, None), None, n)
    } else if complete {
        circle(&all, None, n)
    } else {
        match (hub, halves(graph)) {
            (Some(hub), _) if all.iter().all(|&v| v == hub || degree(v) == 1) => {
                circle(&all.iter().copied().filter(|&v| v != hub).collect::<Vec<_>>(), Some(hub), n)
            }
            // A wheel: the rim in order.
            (Some(hub), _) if all.iter().all(|&v| v == hub || degree(v) == 3) && graph.edge_count() == 2 * (n - 1) => {
                let start = if hub == 0 { 1 } else { 0 };
                let rim = walk(graph, start, Some(hub));
                if rim.len() == n - 1 { circle(&rim, Some(hub), n) } else { stress(graph, limits)? }
            }
            (_, Some((top, bottom))) => rows(&top, &bottom, n),
            _ if n <= MOST => stress(graph, limits)?,
            _ => circle(&all, None, n),
        }
    };
    Ok(fit(places))
}

/// The vertices along a path or around a cycle.
fn walk(graph: &Graph, start: usize, without: Option<usize>) -> Vec<usize> {
    let mut seen = vec![false; graph.len()];
    if let Some(hub) = without {
        seen[hub] = true;
    }
    let mut order = Vec::new();
    let mut at = Some(start);
    while let Some(v) = at {
        seen[v] = true;
        order.push(v);
        at = graph.neighbors(v).iter().map(|&next| next as usize).find(|&next| !seen[next]);
    }
    order
}

fn line(order: &[usize]) -> Vec<(f64, f64)> {
    let mut places = vec![(0.0, 0.0); order.len()];
    order.iter().enumerate().for_each(|(at, &v)| places[v] = (at as f64, 0.0));
    places
}

fn circle(order: &[usize], center: Option<usize>, n: usize) -> Vec<(f64, f64)> {
    let mut places = vec![(0.0, 0.0); n];
    for (at, &v) in order.iter().enumerate() {
        let angle = std::f64::consts::TAU * at as f64 / order.len() as f64;
        places[v] = (angle.sin(), -angle.cos());
    }
    if let Some(center) = center {
        places[center] = (0.0, 0.0);
    }
    places
}

/// The two halves of a complete bipartite graph.
fn halves(graph: &Graph) -> Option<(Vec<usize>, Vec<usize>)> {
    let top: Vec<usize> = (0..graph.len()).filter(|&v| !graph.has_edge(0, v)).collect();
    let bottom: Vec<usize> = (0..graph.len()).filter(|&v| graph.has_edge(0, v)).collect();
    let across = top.iter().all(|&u| bottom.iter().all(|&v| graph.has_edge(u, v)));
    (across && !bottom.is_empty() && graph.edge_count() == top.len() * bottom.len()).then_some((top, bottom))
}

fn rows(top: &[usize], bottom: &[usize], n: usize) -> Vec<(f64, f64)> {
    let mut places = vec![(0.0, 0.0); n];
    let height = 0.6 * (top.len().max(bottom.len()) as f64 - 1.0).clamp(1.0, 3.0);
    for (row, y) in [(top, 0.0), (bottom, height)] {
        row.iter().enumerate().for_each(|(at, &v)| places[v] = (at as f64 - (row.len() as f64 - 1.0) / 2.0, y));
    }
    places
}

/// Distances in the graph from one vertex; infinite in other components.
fn distances(graph: &Graph, from: usize) -> Vec<f64> {
    let mut distance = vec![f64::INFINITY; graph.len()];
    // By rows of bits: dense graphs have very many edges.
    let mut unseen = vec![u64::MAX; graph.row(from).len()];
    distance[from] = 0.0;
    unseen[from / 64] &= !(1 << (from % 64));
    let mut order = vec![from];
    let mut at = 0;
    while at < order.len() {
        let v = order[at];
        at += 1;
        for (word, (unseen, row)) in unseen.iter_mut().zip(graph.row(v)).enumerate() {
            for bit in ones(*unseen & row) {
                distance[64 * word + bit] = distance[v] + 1.0;
                order.push(64 * word + bit);
            }
            *unseen &= !row;
        }
    }
    distance
}

/// Stress majorization: repeatedly moves every vertex to where its distances to all others suggest.
fn stress(graph: &Graph, limits: &Limits) -> Result<Vec<(f64, f64)>, Limit> {
    let n = graph.len();
    let mut distance: Vec<Vec<f64>> = (0..n).map(|v| limits.check().map(|()| distances(graph, v))).collect::<Result<_, _>>()?;
    let longest = distance.iter().flatten().copied().filter(|d| d.is_finite()).fold(1.0, f64::max);
    distance.iter_mut().flatten().filter(|d| d.is_infinite()).for_each(|d| *d = longest.min(4.0) + 1.0);
    // Initial coordinates: two vertices far apart and one far from both span the plane.
    let far = |from: &[f64]| (0..n).max_by(|&a, &b| from[a].total_cmp(&from[b]).then(b.cmp(&a))).unwrap_or(0);
    let first = far(&distance[0]);
    let second = far(&distance[first]);
    let both: Vec<f64> = (0..n).map(|v| distance[first][v].min(distance[second][v])).collect();
    let third = far(&both);
    let mut places: Vec<(f64, f64)> = (0..n)
        .map(|v| {
            // A little turn for each vertex keeps equal ones apart.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::families;

    #[test]
    fn vertices_are_inside_and_apart() {
        for name in ["P1", "P2", "P9", "C3", "C8", "K5", "K3,4", "S6", "W5", "Q3", "grid4x5", "petersen", "ladder6", "empty4", "prism5"] {
            let graph = families::by_name(name).and_then(Result::ok).expect("a family");
            let places = places(&graph, &Limits::none()).expect("there is no limit");
            assert_eq!(places.len(), graph.len());
            for (v, a) in places.iter().enumerate() {
                assert!((-1e-9..=1.0 + 1e-9).contains(&a.0) && (-1e-9..=1.0 + 1e-9).contains(&a.1), "{name}: {a:?}");
                for b in &places[..v] {
                    let apart = ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt();
                    assert!(apart > 0.08, "{name}: two vertices are {apart} apart");
                }
            }
        }
    }
}
