//! Coordinates for drawing: graphs that have a familiar drawing in that drawing (`familiar`), and all others so that distances in the
//! drawing resemble distances in the graph (stress majorization), with vertices pushed off edges that they do not belong to.
//! Deterministic.

mod familiar;
mod gaps;

pub use gaps::Gaps;

use super::Graph;
use crate::bits::ones;
use crate::limits::{Limit, Limits};

/// With more vertices than this, distances are not computed, and the vertices are put on a circle.
const MOST: usize = 1500;
/// Pairs of a vertex and an edge that are looked at in one round of pushing.
const MOST_PAIRS: usize = 20_000;

/// Coordinates for every vertex, from 0 to 1: at most a few tenths of a second of work, whatever the graph, and less if a limit
/// ends it.
pub fn places(graph: &Graph, limits: &Limits) -> Result<Vec<(f64, f64)>, Limit> {
    limits.check()?;
    let places = match familiar::places(graph, limits)? {
        Some(places) => places,
        None if graph.len() <= MOST => apart(graph, stress(graph, limits)?, limits)?,
        None => familiar::circle(&(0..graph.len()).collect::<Vec<_>>(), None, graph.len()),
    };
    Ok(fit(places))
}

/// Pushes vertices away from edges that they do not belong to, and from each other, as long as that makes the drawing clearer.
fn apart(graph: &Graph, places: Vec<(f64, f64)>, limits: &Limits) -> Result<Vec<(f64, f64)>, Limit> {
    let edges: Vec<(usize, usize)> = graph.edges().collect();
    if edges.is_empty() || graph.len() * edges.len() > MOST_PAIRS {
        return Ok(places);
    }
    let clarity = |places: &[(f64, f64)]| -> Result<f64, Limit> { Ok(Gaps::of(graph, &fit(places.to_vec()), limits)?.clarity()) };
    let mut best = (clarity(&places)?, places.clone());
    let mut now = places;
    // In units of an edge, which stress majorization makes about 1 long.
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
                    // Two vertices at one place part in some direction.
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
    use crate::random::Random;

    fn named(name: &str) -> Graph {
        families::by_name(name).and_then(Result::ok).unwrap_or_else(|| panic!("{name} is a family"))
    }

    fn drawn(graph: &Graph) -> Vec<(f64, f64)> {
        places(graph, &Limits::none()).expect("there is no limit")
    }

    const NAMES: [&str; 42] = [
        "P1", "P2", "P3", "P5", "P8", "P9", "P12", "P16", "P30", "P64", "C3", "C4", "C8", "C16", "K2", "K3", "K4", "K5", "K8", "K12",
        "K1,3", "K2,3", "K3,3", "K3,4", "K5,7", "K2,2,2", "K1,2,3", "K3,3,3", "S6", "S15", "W3", "W5", "W12", "Q2", "Q3", "Q4", "grid3x3",
        "grid4x5", "grid6x2", "ladder6", "prism3", "prism5",
    ];
    const MORE: [&str; 9] = ["prism4", "prism12", "petersen", "torus3x3", "torus3x4", "torus4x5", "empty4", "ladder1", "Q5"];

    #[test]
    fn vertices_are_inside_and_apart_and_off_foreign_edges() {
        for name in NAMES.into_iter().chain(MORE) {
            let graph = named(name);
            let places = drawn(&graph);
            assert_eq!(places.len(), graph.len());
            assert!(places.iter().all(|at| [at.0, at.1].iter().all(|n| (-1e-9..=1.0 + 1e-9).contains(n))), "{name}: {places:?}");
            let gaps = Gaps::of(&graph, &places, &Limits::none()).expect("there is no limit");
            // Where the nearest vertices are 54 units apart, vertices of radius 17 neither touch each other nor a foreign edge.
            let least = if matches!(name, "K12" | "Q5") { 0.2 } else { 17.0 / 54.0 };
            assert!(gaps.clear / gaps.vertices > least, "{name}: {gaps:?}");
            assert!(gaps.vertices > 0.35 / (graph.len() as f64).sqrt().max(1.0), "{name}: {gaps:?}");
        }
    }

    /// Whether two edges without a common end cross.
    fn crossings(graph: &Graph, at: &[(f64, f64)]) -> usize {
        let side = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| ((b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)).signum();
        let edges: Vec<(usize, usize)> = graph.edges().collect();
        let cross = |&(a, b): &(usize, usize), &(c, d): &(usize, usize)| {
            ![a, b].contains(&c)
                && ![a, b].contains(&d)
                && side(at[a], at[b], at[c]) != side(at[a], at[b], at[d])
                && side(at[c], at[d], at[a]) != side(at[c], at[d], at[b])
        };
        edges.iter().enumerate().map(|(i, one)| edges[..i].iter().filter(|other| cross(one, other)).count()).sum()
    }

    /// The same graph with its vertices in another order.
    fn shuffled(graph: &Graph, seed: u64) -> Graph {
        let mut order: Vec<usize> = (0..graph.len()).collect();
        Random::new(seed).shuffle(&mut order, graph.len());
        graph.relabeled(&order.iter().map(|&v| v as u32).collect::<Vec<_>>())
    }

    #[test]
    fn planar_families_are_drawn_without_crossings() {
        let names = ["P9", "C8", "K4", "W3", "W7", "K2,2,2", "Q3", "grid4x5", "ladder6", "prism3", "prism4", "prism9", "S6"];
        for (name, seed) in names.into_iter().flat_map(|name| [(name, 1), (name, 2)]) {
            for graph in [named(name), shuffled(&named(name), seed)] {
                assert_eq!(crossings(&graph, &drawn(&graph)), 0, "{name}");
            }
        }
        // A pentagram crosses itself five times, and nothing else crosses.
        assert_eq!(crossings(&named("petersen"), &drawn(&named("petersen"))), 5);
        for seed in 0..10 {
            let tree = families::random_connected(&mut Random::new(seed), 14, 13);
            assert_eq!(crossings(&tree, &drawn(&tree)), 0, "tree {seed}");
        }
    }

    /// A familiar graph is drawn in the same way whatever its vertices are called: the lengths of its edges are the same.
    #[test]
    fn familiar_graphs_are_recognized() {
        let lengths = |graph: &Graph| {
            let places = drawn(graph);
            let mut all: Vec<u64> =
                graph.edges().map(|(u, v)| ((places[u].0 - places[v].0).hypot(places[u].1 - places[v].1) * 1e6).round() as u64).collect();
            all.sort_unstable();
            all
        };
        for name in ["petersen", "Q3", "Q4", "prism5", "grid3x4", "ladder5", "torus3x4", "W6", "K3,4", "K2,2,2"] {
            for seed in 0..5 {
                assert_eq!(lengths(&shuffled(&named(name), seed)), lengths(&named(name)), "{name}");
            }
        }
        // As many vertices, edges and neighbors as the cube, but with triangles: no square in a square.
        let other = Graph::from_edges(8, [(0, 1), (1, 2), (2, 0), (0, 3), (1, 4), (2, 5), (3, 4), (3, 6), (4, 7), (5, 6), (5, 7), (6, 7)]);
        assert_ne!(lengths(&other), lengths(&named("Q3")));
    }

    #[test]
    fn random_graphs_are_clear() {
        for seed in 0..30 {
            let graph = families::random_connected(&mut Random::new(seed), 9, 12);
            let gaps = Gaps::of(&graph, &drawn(&graph), &Limits::none()).expect("there is no limit");
            assert!(gaps.clear > 0.05 && gaps.vertices > 0.08, "seed {seed}: {gaps:?}");
        }
    }
}
