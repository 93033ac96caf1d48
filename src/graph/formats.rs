//! Graphs as text. Most callers use [`read_simple`], which reads any format and returns a [`Graph`] or an error with a line, a column
//! and a remedy.
//!
//! A loop is always an error. A repeated edge is reported separately in [`GraphInput::repeats`], because some callers merge repeated
//! edges and report a note, and others refuse them. Apart from sorting neighbors, reading takes time linear in the length of the
//! text, about a second for 100 MB.

pub mod graph6;

mod dimacs;
mod dot;
mod gml;
mod graphml;
mod json;
mod lists;
mod many;
mod matrix;
mod named;
mod node_link;
mod write;

pub use json::{from_json, from_members};
pub use lists::write as write_list;
pub use many::{line as line_of_graph, lines as lines_of_graphs};
pub use matrix::read as matrix;
pub use node_link::fits as is_node_link;
pub use write::{FORMATS, Format};

use super::{Graph, MOST_EDGES, MOST_VERTICES, families};
use crate::text::{Fault, Field, ParseError, Source, offset_in, shorten};

/// A graph that was read, and the edges that its text repeats.
#[derive(Clone, Debug)]
pub struct GraphInput {
    pub graph: Graph,
    /// An error for each of the first few repeated edges.
    pub repeats: Vec<ParseError>,
}

impl GraphInput {
    /// The graph, or an error if an edge is repeated.
    pub fn simple(mut self) -> Result<Graph, ParseError> {
        if self.repeats.is_empty() { Ok(self.graph) } else { Err(self.repeats.swap_remove(0)) }
    }
}

/// A summary of all formats in one line, for help.
pub const HELP: &str = "a graph is given by the name of a family (P5, C7, K4, K3,4, S6, W5, Q3, grid3x3, ladder4, petersen), or as \
                        graph6 or sparse6, edges (`0-1 1-2`), a letter list (`a:b b:a,c c:b`), a matrix of 0 and 1, DIMACS, JSON, GML, \
                        GraphML, DOT, or an edge or adjacency list of networkx";

/// Maximum number of repeated edges to report. Computing the position of each edge takes a pass over the text.
const MOST_REPEATS: usize = 10;

fn loop_error(source: &Source<'_>, at: usize, name: &str) -> ParseError {
    let message = format!("a loop: vertex {} is joined to itself", shorten(name));
    source.error(at, message, "remove this edge: simple graphs have no loops")
}

fn too_many_vertices(source: &Source<'_>, at: usize, vertices: usize) -> ParseError {
    source.error(at, format!("{vertices} vertices are too many"), format!("a graph may have up to {MOST_VERTICES} vertices"))
}

/// Collects edges with their offsets in the text, and finds loops and repeats. Takes constant time per edge.
struct Builder<'a> {
    source: &'a Source<'a>,
    graph: Graph,
    repeats: Vec<ParseError>,
}

impl<'a> Builder<'a> {
    /// A builder for a graph with this number of vertices. Returns an error at the offset `at` of the text if the number is 0 or too
    /// large.
    fn new(source: &'a Source<'a>, vertices: usize, at: usize) -> Result<Self, ParseError> {
        if vertices > MOST_VERTICES {
            return Err(too_many_vertices(source, at, vertices));
        }
        if vertices == 0 {
            return Err(source.error(at, "the graph has no vertices", "a graph needs at least one vertex"));
        }
        Ok(Builder { source, graph: Graph::empty(vertices), repeats: Vec::new() })
    }

    fn named(source: &'a Source<'a>, names: impl ExactSizeIterator<Item = String>, at: usize) -> Result<Self, ParseError> {
        let mut builder = Builder::new(source, names.len(), at)?;
        builder.graph.set_names(Some(names.collect()));
        Ok(builder)
    }

    /// Adds an edge. An edge that is already present, in either direction, is a repeat.
    fn add(&mut self, u: usize, v: usize, at: usize) -> Result<(), ParseError> {
        self.add_by(Graph::append, u, v, at)
    }

    /// Adds one direction of an edge. The edge is a repeat only if the same direction is already present.
    fn add_arc(&mut self, u: usize, v: usize, at: usize) -> Result<(), ParseError> {
        self.add_by(Graph::append_arc, u, v, at)
    }

    #[inline(always)]
    fn add_by(&mut self, add: impl Fn(&mut Graph, usize, usize) -> bool, u: usize, v: usize, at: usize) -> Result<(), ParseError> {
        if u == v {
            return Err(loop_error(self.source, at, &self.graph.name(u)));
        }
        if self.graph.edge_count() >= MOST_EDGES {
            return Err(self.source.error(at, "too many edges", format!("a graph may have up to {MOST_EDGES} edges")));
        }
        if !add(&mut self.graph, u, v) && self.repeats.len() < MOST_REPEATS {
            let [u, v] = [u, v].map(|v| shorten(&self.graph.name(v)));
            let help = "remove one of the two: simple graphs have no repeated edges";
            self.repeats.push(self.source.error(at, format!("the edge {u}-{v} is given twice"), help));
        }
        Ok(())
    }

    fn done(self) -> GraphInput {
        GraphInput { graph: self.graph.finish(), repeats: self.repeats }
    }
}

/// Reads one graph in any format and refuses repeated edges.
pub fn read_simple(source: &Source<'_>) -> Result<Graph, ParseError> {
    read(source)?.simple()
}

/// Reads one graph in any format.
pub fn read(source: &Source<'_>) -> Result<GraphInput, ParseError> {
    let text = source.text().trim();
    let at = source.text().len() - source.text().trim_start().len();
    if text.is_empty() {
        return Err(source.error(0, "there is no graph", HELP));
    }
    // The graph6 format is tried first, because its first character encodes the number of vertices and may be a brace.
    if graph6::fits(text.as_bytes()) {
        return graph6::read(source);
    }
    match text.as_bytes()[0] {
        b'{' if is_json(text) => return crate::text::json::read(source, from_json),
        b'<' => return graphml::read(source),
        _ if dot::begins(text) => return dot::read(source),
        _ if gml::begins(text) => return gml::read(source),
        _ => {}
    }
    if let Some(error) = graph6::other(source, text.lines().next().unwrap_or_default(), at).or_else(|| many::error(source)) {
        return Err(error);
    }
    if matches!(text.as_bytes()[0], b'>' | b':') {
        return graph6::read(source);
    }
    if dimacs::fits(text) {
        return dimacs::read(source);
    }
    let first_word = text.split_whitespace().next().unwrap_or_default();
    // `grid 3 x 4` is the name of a family, but `P 5` is an edge.
    if !text.contains('\n')
        && (first_word.len() > 1 || first_word == text)
        && let Some(named) = families::by_name(text)
    {
        let graph = named.map_err(|error| source.error(at, error.message, error.help))?;
        return Ok(GraphInput { graph, repeats: Vec::new() });
    }
    if lists::is_vertex(text) {
        return lists::edges(source);
    }
    // The text is one word that looks like graph6, so the error from the graph6 reader is the most helpful.
    if text.bytes().all(graph6::is_character) {
        return graph6::read(source);
    }
    if text.contains('{') {
        return lists::edges(source);
    }
    if text.contains(':') {
        return lists::neighbors(source);
    }
    if matrix::fits(text) || matrix::begins(text) {
        return matrix::read(source);
    }
    lists::edges(source)
}

/// The graph on a line of a list; `None` if the line is only a header. Repeated edges are refused.
pub fn line_of_list(text: &str) -> Result<Option<Graph>, ParseError> {
    if graph6::HEADERS.contains(&text.trim()) {
        return Ok(None);
    }
    read_simple(&Source::new(text)).map(Some)
}

/// Reads the graph in the value of an option: text on one line, or a whole file.
pub fn read_option(text: &str) -> Result<GraphInput, Fault> {
    read(&Source::without_comments(text)).map_err(|error| {
        let place = if text.contains('\n') { format!("line {}, column {}: ", error.line, error.column) } else { String::new() };
        Fault::new(format!("option `graph`: {place}{}", error.message), error.help)
    })
}

/// Reads the graph in the value of a field, and refuses repeated edges.
pub fn read_field(field: &Field<'_>) -> Result<Graph, ParseError> {
    read_simple(&Source::new(field.value)).map_err(|error| {
        let offset = field.value.char_indices().nth(error.column - 1).map_or(field.value.len(), |(at, _)| at);
        field.error_at(offset, error.message, error.help)
    })
}

/// True if the text is a JSON object, judging by its first line. graph6 with 60 vertices also begins with a brace, but has no
/// quotes.
pub fn is_json(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default().trim_end();
    line.starts_with('{') && (line.len() <= 2 || !line.bytes().all(graph6::is_character))
}

/// True if the text begins like a file in GraphML, DOT or GML, which may have several lines.
pub fn is_document(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('<') || dot::begins(text) || gml::begins(text)
}

fn several_error(source: &Source<'_>, at: usize, count: usize, help: &str) -> ParseError {
    source.error(at, format!("one graph is expected, but there are {count}; the second starts here"), help)
}

/// A word and its offset.
type Word<'a> = (usize, &'a str);

/// The words of `text` with their offsets. Commas and semicolons also separate words.
fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let separates = |c: char| c.is_whitespace() || c == ',' || c == ';';
    text.split(separates).filter(|word| !word.is_empty()).map(move |word| (offset_in(text, word), word))
}

/// The lines of `text` with their offsets.
fn lines(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.split_inclusive('\n').map(move |line| (offset_in(text, line), line))
}

/// True if a name is empty or contains characters that separate names.
fn is_invalid_name(name: &str) -> bool {
    name.is_empty() || name.contains(|c: char| !c.is_alphanumeric() && !"_.'".contains(c))
}

fn invalid_name(name: &str) -> String {
    format!("`{}` cannot be the name of a vertex", shorten(name))
}
