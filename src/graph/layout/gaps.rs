//! The minimum distances in a drawing: between vertices, along edges, and between vertices and edges that do not end at them.

use crate::graph::Graph;
use crate::limits::{Limit, Limits};
use crate::sort;

/// The minimum distances in a drawing; 1 if there is nothing to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gaps {
    /// The minimum distance between two vertices.
    pub vertices: f64,
    /// The minimum distance between the ends of an edge.
    pub edge: f64,
    /// The minimum distance between a vertex and an edge that does not end there.
    pub clear: f64,
}

/// Maximum number of vertex-edge pairs. In larger drawings, distances between vertices and edges are not measured.
const MOST_PAIRS: usize = 400_000;
/// Smaller distances are rounded up to this value, because no scale can compensate for them.
const LEAST: f64 = 1e-3;

impl Gaps {
    pub fn of(graph: &Graph, places: &[(f64, f64)], limits: &Limits) -> Result<Gaps, Limit> {
        let mut gaps = Gaps { vertices: nearest(places, limits)?, edge: 1.0, clear: 1.0 };
        let measured = graph.len().saturating_mul(graph.edge_count()) <= MOST_PAIRS;
        for (u, v) in graph.edges() {
            limits.check()?;
            gaps.edge = gaps.edge.min((places[u].0 - places[v].0).hypot(places[u].1 - places[v].1));
            for (_, &at) in places.iter().enumerate().filter(|(w, _)| measured && *w != u && *w != v) {
                gaps.clear = gaps.clear.min(off(at, places[u], places[v]).0);
            }
        }
        Ok(Gaps { vertices: gaps.vertices.max(LEAST), edge: gaps.edge.max(LEAST), clear: gaps.clear.max(LEAST) })
    }

    /// A score for comparing drawings: the distance between vertices or twice the distance between vertices and edges, whichever is
    /// smaller.
    pub fn clarity(&self) -> f64 {
        self.vertices.min(2.0 * self.clear)
    }
}

/// The distance of a point from the line segment from `a` to `b`, and the direction away from the segment.
pub fn off(at: (f64, f64), a: (f64, f64), b: (f64, f64)) -> (f64, (f64, f64)) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let long = (dx * dx + dy * dy).max(1e-18);
    let along = (((at.0 - a.0) * dx + (at.1 - a.1) * dy) / long).clamp(0.0, 1.0);
    let (x, y) = (at.0 - a.0 - along * dx, at.1 - a.1 - along * dy);
    let distance = x.hypot(y);
    // If the point is on the segment, either perpendicular direction works.
    let away = if distance > 1e-9 { (x / distance, y / distance) } else { (-dy / long.sqrt(), dx / long.sqrt()) };
    (distance, away)
}

/// The minimum distance between two points, at most 1. Sorts along the axis with the larger spread, where few points are near
/// each other.
fn nearest(places: &[(f64, f64)], limits: &Limits) -> Result<f64, Limit> {
    let spread = |along: fn(&(f64, f64)) -> f64| {
        let (least, most) = places.iter().map(along).fold((f64::MAX, f64::MIN), |(least, most), at| (least.min(at), most.max(at)));
        most - least
    };
    let along: fn(&(f64, f64)) -> f64 = if spread(|place| place.0) >= spread(|place| place.1) { |place| place.0 } else { |place| place.1 };
    let mut sorted = places.to_vec();
    sort::by(&mut sorted, |a, b| along(a).total_cmp(&along(b)));
    let mut least: f64 = 1.0;
    for (at, a) in sorted.iter().enumerate() {
        limits.check()?;
        for b in &sorted[at + 1..] {
            if along(b) - along(a) >= least {
                break;
            }
            least = least.min((a.0 - b.0).hypot(a.1 - b.1));
        }
    }
    Ok(least)
}
