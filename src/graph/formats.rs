//! Graphs as text. [`read_simple`] is what most callers want: any format to a [`Graph`], or an error with line, column and
//! remedy.
//!
//! A loop is always an error. A repeated edge is reported separately in [`Reading::repeats`], because some callers merge it with
//! a note and others refuse it. Reading takes time linear in the text (but for sorting neighbors): a second covers some 100 MB.

pub mod graph6;

mod dimacs;
mod json;
mod lists;
mod matrix;

pub use json::{from_json, from_members};
pub use lists::write as write_list;
pub use matrix::read as matrix;

use super::{Bulk, Graph, MOST_EDGES, MOST_VERTICES, families};
use crate::notation::{ParseError, Source, shorten};

/// A graph that was read, and the edges that its text repeats.
#[derive(Clone, Debug)]
pub struct Reading {
    pub graph: Graph,
    /// An error for each of the first few edges that were given again.
    pub repeats: Vec<ParseError>,
}

impl Reading {
    /// The graph, or an error if an edge was repeated.
    pub fn simple(mut self) -> Result<Graph, ParseError> {
        if self.repeats.is_empty() { Ok(self.graph) } else { Err(self.repeats.swap_remove(0)) }
    }
}

/// The formats in one line, for help.
pub const HELP: &str = "a graph is a family's name (P5, C7, K4, K3,4, S6, W5, Q3, grid3x3, ladder4, petersen), graph6 or sparse6, \
                        edges (`0-1 1-2`), a letter list (`a:b b:a,c c:b`), a matrix of 0 and 1, DIMACS or JSON";

/// Repeated edges that are reported; the place of each costs a pass over the text.
const MOST_REPEATS: usize = 10;
const LOOP_HELP: &str = "remove this edge: simple graphs have no loops";
const REPEAT_HELP: &str = "remove one of the two: simple graphs have no repeated edges";

fn loop_message(name: &str) -> String {
    format!("a loop: vertex {} is joined to itself", shorten(name))
}

fn repeat_message(graph: &Graph, u: usize, v: usize) -> String {
    format!("the edge {}-{} is given twice", shorten(&graph.name(u)), shorten(&graph.name(v)))
}

fn loop_error(source: &Source<'_>, at: usize, name: &str) -> ParseError {
    source.error(at, loop_message(name), LOOP_HELP)
}

fn too_many_vertices(source: &Source<'_>, at: usize, vertices: usize) -> ParseError {
    source.error(at, format!("{vertices} vertices are too many"), format!("a graph may have up to {MOST_VERTICES} vertices"))
}

/// Collects edges with their offsets in the text, and finds loops and repeats. Constant time per edge.
struct Builder<'a> {
    source: &'a Source<'a>,
    bulk: Bulk,
    repeats: Vec<ParseError>,
}

impl<'a> Builder<'a> {
    /// For a graph whose number of vertices stands at the offset `at`; an error if it is too large.
    fn new(source: &'a Source<'a>, vertices: usize, at: usize) -> Result<Self, ParseError> {
        if vertices > MOST_VERTICES {
            return Err(too_many_vertices(source, at, vertices));
        }
        Ok(Builder { source, bulk: Bulk::new(vertices), repeats: Vec::new() })
    }

    fn name(&mut self, names: Vec<String>) {
        self.bulk.graph.set_names(Some(names));
    }

    fn len(&self) -> usize {
        self.bulk.graph.len()
    }

    fn edge_count(&self) -> usize {
        self.bulk.graph.edge_count()
    }

    fn has_arc(&self, u: usize, v: usize) -> bool {
        self.bulk.has_arc(u, v)
    }

    /// Adds an edge. If it is there already, in either direction, that is a repeat.
    fn add(&mut self, u: usize, v: usize, at: usize) -> Result<(), ParseError> {
        self.add_by(Bulk::add, u, v, at)
    }

    /// Adds one direction of an edge; only the same direction again is a repeat.
    fn add_arc(&mut self, u: usize, v: usize, at: usize) -> Result<(), ParseError> {
        self.add_by(Bulk::add_arc, u, v, at)
    }

    #[inline(always)]
    fn add_by(&mut self, add: impl Fn(&mut Bulk, usize, usize) -> bool, u: usize, v: usize, at: usize) -> Result<(), ParseError> {
        if u == v {
            return Err(loop_error(self.source, at, &self.bulk.graph.name(u)));
        }
        if self.edge_count() >= MOST_EDGES {
            return Err(self.source.error(at, "too many edges", format!("a graph may have up to {MOST_EDGES} edges")));
        }
        if !add(&mut self.bulk, u, v) && self.repeats.len() < MOST_REPEATS {
            self.repeats.push(self.source.error(at, repeat_message(&self.bulk.graph, u, v), REPEAT_HELP));
        }
        Ok(())
    }

    fn done(self) -> Reading {
        Reading { graph: self.bulk.finish(), repeats: self.repeats }
    }
}

/// Reads one graph in any format and refuses repeated edges.
pub fn read_simple(source: &Source<'_>) -> Result<Graph, ParseError> {
    read(source)?.simple()
}

/// Reads one graph in any format.
pub fn read(source: &Source<'_>) -> Result<Reading, ParseError> {
    let text = source.text().trim();
    let at = source.text().len() - source.text().trim_start().len();
    if text.is_empty() {
        return Err(source.error(0, "there is no graph", HELP));
    }
    match text.as_bytes()[0] {
        b'{' => return crate::notation::json::read(source, from_json),
        b'<' => return Err(source.error(at, "XML is not supported", HELP)),
        _ => {}
    }
    if let Some(error) = several(source) {
        return Err(error);
    }
    if matches!(text.as_bytes()[0], b'>' | b':') {
        return graph6::read(source);
    }
    let first_word = text.split_whitespace().next().unwrap_or_default();
    if matches!(first_word, "p" | "c") || text.lines().any(dimacs::begins) {
        return dimacs::read(source);
    }
    if !text.contains(char::is_whitespace) && graph6::fits(text.as_bytes()) {
        return graph6::read(source);
    }
    if !text.contains('\n')
        && let Some(named) = families::by_name(text)
    {
        let graph = named.map_err(|error| source.error(at, error.message, error.help))?;
        return Ok(Reading { graph, repeats: Vec::new() });
    }
    if text.contains(':') {
        return lists::neighbors(source);
    }
    if matrix::fits(text) {
        return matrix::read(source);
    }
    // One word that is not an edge and looks like graph6: the error of that reader helps most.
    if text.bytes().all(|byte| (63..=126).contains(&byte)) {
        return graph6::read(source);
    }
    lists::edges(source)
}

/// Whether a line is a graph by itself: graph6, sparse6 or the name of a family.
fn is_graph(line: &str) -> bool {
    let line = [">>graph6<<", ">>sparse6<<"].iter().find_map(|header| line.strip_prefix(header)).unwrap_or(line);
    match line.strip_prefix(':') {
        Some(sparse) => sparse.bytes().all(|byte| (63..=126).contains(&byte)),
        None if line.contains(char::is_whitespace) => false,
        None => graph6::fits(line.as_bytes()) || families::by_name(line).is_some_and(|named| named.is_ok()),
    }
}

fn lines<'a>(source: &'a Source<'_>) -> impl Iterator<Item = &'a str> + Clone {
    source.text().lines().map(str::trim).filter(|line| !line.is_empty())
}

const ONE_OF_MANY: &str = "keep one of the lines; `kibitzer census` takes a whole file, one graph per line";

/// An error if the text is a list of several graphs, one to a line.
fn several(source: &Source<'_>) -> Option<ParseError> {
    // `all` stops at the first line for most other texts.
    let second = lines(source).nth(1)?;
    if !lines(source).all(is_graph) {
        return None;
    }
    let at = second.as_ptr() as usize - source.text().as_ptr() as usize;
    Some(several_error(source, at, lines(source).count(), ONE_OF_MANY))
}

fn several_error(source: &Source<'_>, at: usize, count: usize, help: &str) -> ParseError {
    source.error(at, format!("one graph is expected, but there are {count}; the second begins here"), help)
}

/// A word and its offset.
type Word<'a> = (usize, &'a str);

/// The words of a text with their offsets; commas and semicolons separate, too.
fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let separates = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let offset = move |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split(separates).filter(|word| !word.is_empty()).map(move |word| (offset(word), word))
}

/// Whether a name is empty or has characters that separate names.
fn is_invalid_name(name: &str) -> bool {
    name.is_empty() || name.contains(|c: char| !c.is_alphanumeric() && !"_.'".contains(c))
}

#[cfg(test)]
mod tests;
