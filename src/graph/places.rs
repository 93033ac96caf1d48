//! Vertices placed by hand: the field `layout` of games on graphs, and the frame in which graphs are drawn.
//!
//! A layout is part of an instance's text (`layout: a 0.1 0.5, b 0.9 0.5`), so moves, links and files preserve it. Only drawings
//! depend on it. Coordinates are whole thousandths of the unit square, so they are written exactly as they were read.

use std::collections::HashMap;

use super::{Graph, layout};
use crate::limits::{Limit, Limits};
use crate::text::json::Node;
use crate::text::{Field, ParseError, offset_in, shorten};

/// Coordinates in thousandths of the unit square: x grows rightward, y downward.
type Spot = (u16, u16);

const HELP: &str = "write a name and two numbers from 0 to 1 for each vertex, as in `layout: a 0.1 0.5, b 0.9 0.5`";
const JSON_HELP: &str = "write {\"a\": [0.1, 0.5]}: two numbers from 0 to 1 for each vertex";

/// The vertices placed by hand. The positions of all other vertices are computed by [`layout::places`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Indexed by vertex. Vertices beyond the end are not placed by hand.
    spots: Vec<Option<Spot>>,
}

impl Layout {
    /// The layout that places every vertex at the given position.
    pub fn of(places: &[(f64, f64)]) -> Layout {
        Layout { spots: places.iter().map(|&place| Some(spot(place))).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.spots.iter().all(Option::is_none)
    }

    /// Places a vertex, which may be new.
    pub fn put(&mut self, vertex: usize, place: (f64, f64)) {
        if self.spots.len() <= vertex {
            self.spots.resize(vertex + 1, None);
        }
        self.spots[vertex] = Some(spot(place));
    }

    /// Removes all vertices whose number is `vertices` or higher.
    pub fn truncate(&mut self, vertices: usize) {
        self.spots.truncate(vertices);
    }

    /// Reads the value of the field: vertex names with their coordinates. `names` are the names of all vertices, in order.
    pub fn read(field: &Field<'_>, names: Vec<String>) -> Result<Layout, ParseError> {
        let (mut layout, by_name) = Layout::for_names(names);
        for item in field.value.split(',') {
            let offset = |part: &str| offset_in(field.value, part);
            let words: Vec<&str> = item.split_whitespace().collect();
            let [name, x, y] = words[..] else {
                let message = match item.trim() {
                    "" => "a vertex with two coordinates is missing".to_owned(),
                    text => format!("`{}` is not a vertex with two coordinates", shorten(text)),
                };
                return Err(field.error_at(offset(item.trim_start()), message, HELP));
            };
            let number = |word: &str| coordinate(word).map_err(|message| field.error_at(offset(word), message, HELP));
            let added = layout.add(by_name.get(name), name, (number(x)?, number(y)?));
            added.map_err(|(message, help)| field.error_at(offset(name), message, help))?;
        }
        Ok(layout)
    }

    /// Reads a JSON object that maps names to pairs of coordinates.
    pub fn from_json(node: Node<'_>, names: Vec<String>) -> Result<Layout, ParseError> {
        let (mut layout, by_name) = Layout::for_names(names);
        for (name, pair) in node.entries()? {
            let numbers = pair.array()?;
            let [x, y] = numbers[..] else {
                return Err(pair.error(format!("a vertex has 2 coordinates, not {}", numbers.len()), JSON_HELP));
            };
            let number = |node: Node<'_>| coordinate(node.number()?).map_err(|message| node.error(message, JSON_HELP));
            let added = layout.add(by_name.get(name), name, (number(x)?, number(y)?));
            added.map_err(|(message, help)| pair.error(message, help))?;
        }
        Ok(layout)
    }

    /// An empty layout, and a map from names to vertices.
    fn for_names(names: Vec<String>) -> (Layout, HashMap<String, usize>) {
        (Layout { spots: vec![None; names.len()] }, names.into_iter().zip(0..).collect())
    }

    /// Places a named vertex. The error is a message and its remedy.
    fn add(&mut self, vertex: Option<&usize>, name: &str, spot: Spot) -> Result<(), (String, &'static str)> {
        let Some(&vertex) = vertex else {
            return Err((format!("there is no vertex `{}`", shorten(name)), "use the vertex names of the graph"));
        };
        match self.spots[vertex].replace(spot) {
            Some(_) => Err((format!("vertex `{}` is placed twice", shorten(name)), "remove one of the two")),
            None => Ok(()),
        }
    }

    /// The value of the field, if any vertex was placed by hand.
    pub fn write(&self, name: &dyn Fn(usize) -> String) -> Option<String> {
        let item = |(v, spot): (usize, &Option<Spot>)| spot.map(|(x, y)| format!("{} {} {}", name(v), thousandths(x), thousandths(y)));
        let items: Vec<String> = self.spots.iter().enumerate().filter_map(item).collect();
        (!items.is_empty()).then(|| items.join(", "))
    }

    /// Coordinates for every vertex: from this layout if it places the vertex, otherwise from `places`.
    fn over(&self, mut places: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
        for (place, (x, y)) in places.iter_mut().zip(&self.spots).filter_map(|(place, spot)| Some((place, (*spot)?))) {
            *place = (f64::from(x) / 1000.0, f64::from(y) / 1000.0);
        }
        places
    }
}

fn spot((x, y): (f64, f64)) -> Spot {
    // NaN becomes 0.
    let thousandths = |n: f64| (n.clamp(0.0, 1.0) * 1000.0).round() as u16;
    (thousandths(x), thousandths(y))
}

fn thousandths(n: u16) -> String {
    let text = format!("{}.{:03}", n / 1000, n % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Parses a coordinate and rounds it to thousandths. The error is a sentence.
fn coordinate(text: &str) -> Result<u16, String> {
    // The standard library also parses exponents and words such as `inf`.
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    match text.parse::<f64>() {
        Ok(number) if plain && number <= 1.0 => Ok(spot((number, 0.0)).0),
        _ => Err(format!("`{}` is not a decimal number from 0 to 1", shorten(text))),
    }
}

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

/// A graph ready to be drawn.
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
/// The possible positions of the frame's sides: for a path, for most graphs, and for vertices placed farther out by hand.
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
        // The nearest position of the frame that includes the vertex.
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
