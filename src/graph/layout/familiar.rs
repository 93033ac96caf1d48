//! Familiar drawings: a path in rows, a cycle on a circle, the Petersen graph as a pentagram in a pentagon, the cube as a square in a
//! square. A graph is recognized by its edges, whatever the order of its vertices.

use std::f64::consts::TAU;

use super::gaps::Gaps;
use super::{distances, tree_columns};
use crate::graph::{Graph, families, symmetry};
use crate::limits::{Limit, Limits};

type Places = Vec<(f64, f64)>;

/// Maximum number of vertices in graphs that are compared with patterns, and in trees that are drawn in layers.
const MOST_KNOWN: usize = 144;
/// Maximum number of vertices in one row of a path, so that the row fits on a phone.
const MOST_IN_ROW: usize = 7;
/// Maximum number of vertices of a torus for which several rotations are tried.
const MOST_TURNED: usize = 48;

/// The familiar drawing of a graph, if it has one, at an arbitrary scale.
pub fn places(graph: &Graph, limits: &Limits) -> Result<Option<Places>, Limit> {
    let n = graph.len();
    let degree = |v: usize| graph.degree(v);
    let all: Vec<usize> = (0..n).collect();
    if n <= 1 {
        return Ok(Some(vec![(0.5, 0.5); n]));
    }
    if graph.edge_count() == 0 {
        return Ok(Some(mesh(n.div_ceil(square(n)), square(n)).into_iter().take(n).collect()));
    }
    if graph.max_degree() <= 2 && graph.is_connected() {
        let end = all.iter().copied().find(|&v| degree(v) == 1);
        return Ok(Some(end.map_or_else(|| circle(&walk(graph, 0, None), n), |end| snake(&walk(graph, end, None)))));
    }
    if let Some(hub) = all.iter().copied().find(|&v| n > 3 && degree(v) == n - 1) {
        let others: Vec<usize> = all.iter().copied().filter(|&v| v != hub).collect();
        if graph.edge_count() == n - 1 {
            return Ok(Some(circle(&others, n)));
        }
        // A wheel: the rim in order.
        if graph.edge_count() == 2 * (n - 1) && others.iter().all(|&v| degree(v) == 3) {
            let rim = walk(graph, others[0], Some(hub));
            if rim.len() == n - 1 {
                return Ok(Some(circle(&rim, n)));
            }
        }
    }
    let parts = parts(graph);
    match parts.as_deref() {
        Some([top, bottom]) => return Ok(Some(rows(top, bottom, n))),
        Some(single) if single.len() == n => return Ok(Some(circle(&all, n))),
        _ => {}
    }
    if n > MOST_KNOWN {
        return Ok(None);
    }
    for (pattern, draw, rows) in patterns(n, graph.edge_count()) {
        limits.check()?;
        if let Some(image) = isomorphism(&pattern, graph, limits)? {
            let mut places = vec![(0.0, 0.0); n];
            image.iter().zip(draw(&pattern, rows, limits)?).for_each(|(&v, place)| places[v] = place);
            return Ok(Some(places));
        }
    }
    if let Some(parts) = parts {
        return Ok(Some(circle(&parts.concat(), n)));
    }
    if graph.edge_count() == n - 1 && graph.is_connected() {
        let places = tree(graph, limits)?;
        let gaps = Gaps::of(graph, &super::fit(places.clone()), limits)?;
        // Reject a cramped drawing, such as the drawing of a tree with a very large number of leaves.
        return Ok((gaps.clarity() > 0.4 / (n as f64).sqrt()).then_some(places));
    }
    Ok(None)
}

/// A function that draws a graph of a family with the given number of rows or sides.
type Draw = fn(&Graph, usize, &Limits) -> Result<Places, Limit>;

/// The well-known graphs that have this number of vertices and this number of edges, each with a function that draws it.
fn patterns(n: usize, edges: usize) -> Vec<(Graph, Draw, usize)> {
    let mut found = Vec::new();
    let mut add = |name: &str, draw: Draw, rows: usize| {
        if let Some(Ok(graph)) = families::by_name(name) {
            debug_assert_eq!((graph.len(), graph.edge_count()), (n, edges), "{name}");
            found.push((graph, draw, rows));
        }
    };
    match (n, edges) {
        (10, 15) => add("petersen", |_, _, _| Ok(rings(5, &[(1.0, 0.0), (0.52, 0.0)])), 5),
        (6, 12) => add("K2,2,2", |_, _, _| Ok(octahedron()), 3),
        (8, 12) => add("Q3", |_, _, _| Ok(cube()), 4),
        (16, 32) => add("Q4", |_, _, _| Ok(tesseract()), 8),
        _ => {}
    }
    if n.is_multiple_of(2) && n >= 6 && edges == n / 2 * 3 {
        add(&format!("prism{}", n / 2), |_, sides, _| Ok(prism(sides)), n / 2);
    }
    for rows in (2..=n / 2).filter(|rows| n.is_multiple_of(*rows) && rows * rows <= n) {
        let columns = n / rows;
        if edges == 2 * n - rows - columns {
            add(&format!("grid{rows}x{columns}"), |grid, rows, _| Ok(mesh(rows, grid.len() / rows)), rows);
        }
        if rows >= 3 && edges == 2 * n {
            add(&format!("torus{rows}x{columns}"), torus, rows);
        }
    }
    found
}

/// The image of each vertex of a pattern in an isomorphic graph; `None` if the graphs are not isomorphic or deciding this takes too
/// long. The first vertex is mapped to the least possible vertex.
fn isomorphism(pattern: &Graph, graph: &Graph, limits: &Limits) -> Result<Option<Vec<usize>>, Limit> {
    let n = graph.len();
    if pattern.edges().eq(graph.edges()) {
        return Ok(Some((0..n).collect()));
    }
    type Matched = (Vec<usize>, Vec<u32>);
    // Matches canonical forms and returns the image and the orbits of the graph. If the image of the first vertex is given, the
    // vertex and its image are given a color that no other vertex has.
    let matched = |first: Option<usize>| -> Result<Option<Matched>, Limit> {
        let symmetry = |graph: &Graph, first: Option<usize>| {
            let colors: Vec<u32> = (0..n).map(|v| u32::from(Some(v) == first)).collect();
            symmetry::within(graph, Some(&colors), limits)
        };
        let (from, to) = (symmetry(pattern, first.map(|_| 0))?, symmetry(graph, first)?);
        let (Some(from), Some(places)) = (from.canonical(), to.canonical()) else { return Ok(None) };
        let mut at = vec![0; n];
        places.iter().enumerate().for_each(|(v, &place)| at[place as usize] = v);
        let image: Vec<usize> = from.iter().map(|&place| at[place as usize]).collect();
        let is_isomorphism = pattern.edges().all(|(u, v)| graph.has_edge(image[u], image[v]));
        Ok(is_isomorphism.then_some((image, to.orbits)))
    };
    let Some((image, orbits)) = matched(None)? else { return Ok(None) };
    Ok(matched(Some(orbits[image[0]] as usize))?.map(|(image, _)| image))
}

/// The vertices along a path or around a cycle.
fn walk(graph: &Graph, start: usize, without: Option<usize>) -> Vec<usize> {
    let mut seen: Vec<bool> = (0..graph.len()).map(|v| v == start || Some(v) == without).collect();
    let next = |&v: &usize| {
        let next = graph.neighbors(v).iter().map(|&next| next as usize).find(|&next| !seen[next])?;
        seen[next] = true;
        Some(next)
    };
    std::iter::successors(Some(start), next).collect()
}

/// The side of the smallest square grid with at least `n` points.
fn square(n: usize) -> usize {
    (n as f64).sqrt().ceil() as usize
}

/// Places for a path in rows of alternating direction, so that the path fits on a narrow screen.
fn snake(order: &[usize]) -> Places {
    let n = order.len();
    let columns = n.div_ceil(n.div_ceil(MOST_IN_ROW)).max(if n > MOST_IN_ROW * MOST_IN_ROW { square(n) } else { 1 });
    let mut places = vec![(0.0, 0.0); n];
    for (at, &v) in order.iter().enumerate() {
        let (row, column) = (at / columns, at % columns);
        let column = if row % 2 == 0 { column } else { columns - 1 - column };
        places[v] = (column as f64, row as f64);
    }
    places
}

/// Vertices on a circle. A vertex that is not in `order` is placed at the center.
pub fn circle(order: &[usize], n: usize) -> Places {
    let mut places = vec![(0.0, 0.0); n];
    order.iter().zip(rings(order.len(), &[(1.0, 0.0)])).for_each(|(&v, place)| places[v] = place);
    places
}

fn rows(top: &[usize], bottom: &[usize], n: usize) -> Places {
    let mut places = vec![(0.0, 0.0); n];
    // The rows are far enough apart that an edge between opposite ends passes over no other vertex.
    let height = (0.5 * (top.len().max(bottom.len()) as f64 - 1.0)).max(1.0);
    for (row, y) in [(top, 0.0), (bottom, height)] {
        row.iter().enumerate().for_each(|(at, &v)| places[v] = (at as f64 - (row.len() as f64 - 1.0) / 2.0, y));
    }
    places
}

/// The parts of a complete multipartite graph, in which vertices are joined if and only if they are in different parts.
fn parts(graph: &Graph) -> Option<Vec<Vec<usize>>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut taken = vec![false; graph.len()];
    for v in 0..graph.len() {
        if !taken[v] {
            let part: Vec<usize> = (0..graph.len()).filter(|&u| !graph.has_edge(u, v)).collect();
            if part.iter().any(|&u| graph.row(u) != graph.row(v)) {
                return None;
            }
            part.iter().for_each(|&u| taken[u] = true);
            parts.push(part);
        }
    }
    Some(parts)
}

/// Concentric rings, each with a radius and a rotation as a fraction of a step.
fn rings(sides: usize, rings: &[(f64, f64)]) -> Places {
    let ring = |&(radius, turn): &(f64, f64)| {
        (0..sides).map(move |at| {
            let angle = TAU * (at as f64 + turn) / sides as f64;
            (radius * angle.sin(), -radius * angle.cos())
        })
    };
    rings.iter().flat_map(ring).collect()
}

fn prism(sides: usize) -> Places {
    rings(sides, &[(1.0, 0.0), ((1.0 - 5.5 / sides as f64).clamp(0.4, 0.8), 0.0)])
}

/// A triangle inside an inverted triangle, so that antipodes are opposite each other.
fn octahedron() -> Places {
    let (outer, inner) = (rings(3, &[(1.0, 0.0)]), rings(3, &[(0.28, 1.5)]));
    // The vertices of the family are numbered in pairs of antipodes.
    (0..6).map(|v| if v % 2 == 0 { outer[v / 2] } else { inner[v / 2] }).collect()
}

/// A cube as a square in a square.
fn cube() -> Places {
    let at = |v: usize| {
        let size = if v & 4 == 0 { 1.0 } else { 0.42 };
        (if v & 1 == 0 { -size } else { size }, if v & 2 == 0 { -size } else { size })
    };
    (0..8).map(at).collect()
}

/// An octagon in an octagon: the hypercube seen along a long diagonal.
fn tesseract() -> Places {
    let at = |v: usize| {
        let axis = |bit: usize| {
            let angle = TAU * (bit as f64 + 0.5) / 8.0;
            let sign = if v >> bit & 1 == 0 { -1.0 } else { 1.0 };
            (sign * angle.cos(), sign * angle.sin())
        };
        (0..4).map(axis).fold((0.0, 0.0), |sum, axis| (sum.0 + axis.0, sum.1 + axis.1))
    };
    (0..16).map(at).collect()
}

fn mesh(rows: usize, columns: usize) -> Places {
    (0..rows * columns).map(|at| ((at % columns) as f64, (at / columns) as f64)).collect()
}

/// Concentric rings, rotated so that the edges from the innermost to the outermost ring pass between the vertices of the other rings.
/// Many rotations are tried, and the clearest drawing is chosen.
fn torus(graph: &Graph, rows: usize, limits: &Limits) -> Result<Places, Limit> {
    let columns = graph.len() / rows;
    let turned = |inner: f64, bend: f64, turn: f64| {
        let along = |row: usize| row as f64 / (rows - 1) as f64;
        let ring = |t: f64| (1.0 - (1.0 - inner) * t, bend * t * (1.0 - t) + turn * t);
        rings(columns, &(0..rows).map(|row| ring(along(row))).collect::<Vec<_>>())
    };
    let mut best = (0.0, turned(0.3, 0.9, 0.5));
    let steps = if graph.len() <= MOST_TURNED { 7 } else { 0 };
    for inner in [0.2, 0.25, 0.3, 0.35, 0.4] {
        for (bend, turn) in (-steps..=steps).flat_map(|bend| (0..=4).map(move |turn| (0.3 * f64::from(bend), 0.25 * f64::from(turn)))) {
            let places = turned(inner, bend, turn);
            let clarity = Gaps::of(graph, &super::fit(places.clone()), limits)?.clarity();
            if clarity > best.0 + 1e-6 {
                best = (clarity, places);
            }
        }
    }
    Ok(best.1)
}

/// A tree in layers below its center: leaves side by side, and every other vertex above the middle of its children.
fn tree(graph: &Graph, limits: &Limits) -> Result<Places, Limit> {
    let n = graph.len();
    let farthest = |v: usize| distances(graph, v).into_iter().fold(0.0, f64::max);
    let root = (0..n).min_by_key(|&v| farthest(v) as usize).unwrap_or(0);
    let depth = distances(graph, root);
    let below = |v: usize| graph.neighbors(v).iter().map(|&u| u as usize).filter(|&u| depth[u] > depth[v]).collect();
    let children: Vec<Vec<usize>> = (0..n).map(below).collect();
    let x = tree_columns(&[root], &children);
    let half_width = |below: &Vec<usize>| below.last().map_or(0.0, |&last| (x[last] - x[below[0]]) / 2.0);
    // The layers are far enough apart that no edge is nearly horizontal.
    let height = (0.42 * children.iter().map(half_width).fold(0.0, f64::max)).max(0.9);
    limits.check()?;
    Ok((0..n).map(|v| (x[v], depth[v] * height)).collect())
}
