//! The frame in which a graph is drawn: the positions of its vertices, in the unit square and in the scene.

use super::Layout;
use crate::graph::{Graph, layout};
use crate::limits::{Limit, Limits};

/// The space that a drawing needs, in units of its scene.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Minimum distance between the centers of two vertices.
    pub apart: f64,
    /// Minimum distance between the two ends of an edge.
    pub edge: f64,
    /// Minimum distance between the center of a vertex and an edge that does not end there.
    pub clear: f64,
    /// Margins around all centers: left and right, above, below.
    pub margins: [f64; 3],
    /// The minimum total width.
    pub width: f64,
}

/// The positions of a graph's vertices, ready for drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Arranged {
    /// Coordinates in the unit square.
    pub places: Vec<(f64, f64)>,
    /// Coordinates in the scene.
    pub points: Vec<(f64, f64)>,
    pub width: f64,
    pub height: f64,
    corner: (f64, f64),
    side: f64,
    /// The margins on the left and above.
    margins: [f64; 2],
}

/// The minimum side of the unit square in a scene.
const LEAST_SIDE: f64 = 130.0;
/// The maximum side, as a multiple of the side that the vertices would need in a square grid.
const MOST_STRETCH: f64 = 3.0;

/// The distance of computed positions from the sides of the unit square.
const RIM: f64 = 0.1;
/// The possible distances of the frame's sides from the sides of the unit square: for a path, for most graphs, and for vertices placed
/// farther out by hand.
const STEPS: [f64; 3] = [0.3, RIM, 0.0];

impl Arranged {
    /// Places all vertices. The scale depends only on the graph, and the frame has only a few sizes, so moving a vertex does not move
    /// everything else.
    pub fn new(graph: &Graph, layout: &Layout, room: &Room, limits: &Limits) -> Result<Arranged, Limit> {
        let own = layout::places(graph, limits)?;
        let gaps = layout::Gaps::of(graph, &own, limits)?;
        let most = MOST_STRETCH * (70.0 * (graph.len() as f64).sqrt() + 40.0);
        let side = [room.apart / gaps.vertices, room.edge / gaps.edge, room.clear / gaps.clear].into_iter().fold(LEAST_SIDE, f64::max);
        let inner = 1.0 - 2.0 * RIM;
        let side = side.min(most.max(LEAST_SIDE)) / inner;
        let own: Vec<(f64, f64)> = own.into_iter().map(|(x, y)| (RIM + inner * x, RIM + inner * y)).collect();
        let places = layout.over(own.clone());
        // The side of the frame is at the innermost step that includes the vertex.
        let reach = |outside: f64| STEPS.into_iter().find(|step| outside >= step - 1e-6).unwrap_or(0.0);
        let range = |along: fn(&(f64, f64)) -> f64| {
            // Computed positions also count, so the frame does not shrink when the outermost vertex is moved inward.
            let (low, high) =
                places.iter().chain(&own).map(along).fold((0.5, 0.5), |(low, high): (f64, f64), at| (low.min(at), high.max(at)));
            (reach(low), 1.0 - reach(1.0 - high))
        };
        let ((left, right), (top, bottom)) = (range(|place| place.0), range(|place| place.1));
        let [beside, above, below] = room.margins;
        let beside = beside.max((room.width - (right - left) * side) / 2.0);
        let (width, height) = ((right - left) * side + 2.0 * beside, (bottom - top) * side + above + below);
        let (corner, margins) = ((left, top), [beside, above]);
        let mut arranged = Arranged { places, points: Vec::new(), width, height, corner, side, margins };
        arranged.points = arranged.places.iter().map(|&place| arranged.point(place)).collect();
        Ok(arranged)
    }

    /// Maps the unit square to the scene.
    fn point(&self, (x, y): (f64, f64)) -> (f64, f64) {
        ((x - self.corner.0) * self.side + self.margins[0], (y - self.corner.1) * self.side + self.margins[1])
    }

    /// Maps a point of the scene to the nearest point of the unit square.
    pub fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let inside = |n: f64| if n.is_nan() { 0.5 } else { n.clamp(0.0, 1.0) };
        (inside((x - self.margins[0]) / self.side + self.corner.0), inside((y - self.margins[1]) / self.side + self.corner.1))
    }

    /// The layout with one vertex at a point of the scene and all others at their current positions.
    pub fn moved(&self, vertex: usize, to: (f64, f64)) -> Layout {
        let mut layout = Layout::of(&self.places);
        layout.put(vertex, self.place(to));
        layout
    }

    /// A point in the frame that is far from all vertices, for a new vertex.
    pub fn free(&self) -> (f64, f64) {
        let steps = |low: f64| (0..=8).map(move |step| low + (1.0 - 2.0 * low) * f64::from(step) / 8.0);
        let room = |at: (f64, f64)| self.places.iter().map(|place| (place.0 - at.0).hypot(place.1 - at.1)).fold(2.0, f64::min);
        let spots = steps(self.corner.1).flat_map(|y| steps(self.corner.0).map(move |x| (x, y)));
        spots.fold((0.5, 0.5), |best, at| if room(at) > room(best) + 1e-9 { at } else { best })
    }
}
