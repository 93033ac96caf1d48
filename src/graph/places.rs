//! Vertices placed by hand: the field `layout` of games on graphs.
//!
//! A layout is part of an instance's text (`layout: a 0.1 0.5, b 0.9 0.5`), so moves, links and files preserve it. Only drawings
//! depend on it. Coordinates are whole thousandths of the unit square, so they are written exactly as they were read.

mod frame;

use std::collections::HashMap;

pub use frame::{Arranged, Room};

use crate::text::json::Node;
use crate::text::{Field, ParseError, offset_in, shorten};

/// Coordinates in thousandths of the unit square: x grows rightward, y downward.
type Spot = (u16, u16);

const HELP: &str = "write a name and two numbers from 0 to 1 for each vertex, as in `layout: a 0.1 0.5, b 0.9 0.5`";
const JSON_HELP: &str = "write {\"a\": [0.1, 0.5]}: two numbers from 0 to 1 for each vertex";

/// The vertices placed by hand. The positions of all other vertices are computed by [`layout::places`](super::layout::places).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Indexed by vertex. A vertex whose index is beyond the end is not placed by hand.
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

    /// Places a named vertex. An error consists of a message and its remedy.
    fn add(&mut self, vertex: Option<&usize>, name: &str, spot: Spot) -> Result<(), (String, &'static str)> {
        let Some(&vertex) = vertex else {
            return Err((format!("there is no vertex `{}`", shorten(name)), "use the vertex names of the graph"));
        };
        match self.spots[vertex].replace(spot) {
            Some(_) => Err((format!("vertex `{}` is placed twice", shorten(name)), "remove one of the two")),
            None => Ok(()),
        }
    }

    /// The value of the field `layout`. `None` if no vertex was placed by hand.
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

/// Parses a coordinate and rounds it to thousandths. On failure, returns a sentence for the user.
fn coordinate(text: &str) -> Result<u16, String> {
    // The standard library also parses exponents and words such as `inf`.
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    match text.parse::<f64>() {
        Ok(number) if plain && number <= 1.0 => Ok(spot((number, 0.0)).0),
        _ => Err(format!("`{}` is not a decimal number from 0 to 1", shorten(text))),
    }
}
