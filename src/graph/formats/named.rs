//! Named vertices and the edges between them, as in GML, GraphML, DOT and node-link JSON.
//!
//! These formats allow any string as a name. In this program, names appear in moves and lists (`a:2`, `a:b,c`), so each run of
//! characters not allowed there becomes one `_`, and brackets and spaces around a name are dropped. For example, networkx's `(0, 1)`
//! becomes `0_1`.

use std::collections::HashMap;

use super::{Builder, GraphInput, invalid_name, is_invalid_name, too_many_vertices};
use crate::graph::MOST_VERTICES;
use crate::text::{ParseError, Source, shorten};

/// The remedy for a directed graph in any format.
const UNDIRECT: &str = "make it undirected, with `G.to_undirected()` in networkx or `underlyingg` in nauty";

/// The error for a directed graph or edge.
pub fn directed(source: &Source<'_>, at: usize, what: &str) -> ParseError {
    source.error(at, format!("{what} is directed, but games are played on undirected graphs"), UNDIRECT)
}

/// A name that can be used in moves.
fn clean(name: &str) -> String {
    let around = |c: char| c.is_whitespace() || "()[]{}\"".contains(c);
    let mut clean = String::with_capacity(name.len());
    for c in name.trim_matches(around).chars() {
        if !is_invalid_name(c.encode_utf8(&mut [0; 4])) {
            clean.push(c);
        } else if !clean.ends_with('_') {
            clean.push('_');
        }
    }
    clean
}

/// Vertices and edges in the order of the text.
pub struct Named<'a> {
    source: &'a Source<'a>,
    by_id: HashMap<String, u32>,
    /// The name of each vertex, and its offset in the text.
    names: Vec<(String, usize)>,
    edges: Vec<(u32, u32, usize)>,
}

impl<'a> Named<'a> {
    pub fn new(source: &'a Source<'a>) -> Self {
        Named { source, by_id: HashMap::new(), names: Vec::new(), edges: Vec::new() }
    }

    /// True if there are more than `most` edges, including repeated edges.
    pub fn is_over(&self, most: usize) -> bool {
        self.edges.len() > most
    }

    /// The vertex with this identifier, known or new. A new vertex is named by its identifier.
    pub fn vertex(&mut self, id: &str, at: usize) -> Result<u32, ParseError> {
        match self.by_id.get(id) {
            Some(&known) => Ok(known),
            None => self.declare(id, id, at),
        }
    }

    /// Adds a vertex, which must be new.
    pub fn declare(&mut self, id: &str, name: &str, at: usize) -> Result<u32, ParseError> {
        let new = self.names.len() as u32;
        if self.names.len() >= MOST_VERTICES {
            return Err(too_many_vertices(self.source, at, self.names.len() + 1));
        }
        if self.by_id.insert(id.to_owned(), new).is_some() {
            return Err(self.source.error(at, format!("the vertex {} is given twice", shorten(name)), "remove one of the two"));
        }
        self.names.push((name.to_owned(), at));
        Ok(new)
    }

    /// The vertex with this identifier, which may be declared anywhere in the text. Returns an error if it is missing.
    pub fn require(&self, id: &str, name: &str, at: usize) -> Result<u32, ParseError> {
        let missing = || self.source.error(at, format!("there is no vertex {}", shorten(name)), "add the vertex, or remove this edge");
        self.by_id.get(id).copied().ok_or_else(missing)
    }

    pub fn edge(&mut self, u: u32, v: u32, at: usize) {
        self.edges.push((u, v, at));
    }

    /// Adds an edge between declared vertices.
    pub fn edge_by_id(&mut self, [u, v]: [&str; 2], at: usize) -> Result<(), ParseError> {
        let (u, v) = (self.require(u, u, at)?, self.require(v, v, at)?);
        self.edge(u, v, at);
        Ok(())
    }

    /// Renames all vertices, in order.
    pub fn rename(&mut self, names: impl IntoIterator<Item = String>) {
        self.names.iter_mut().zip(names).for_each(|(name, new)| name.0 = new);
    }

    /// The graph, whose vertex names can be used in moves.
    pub fn done(self) -> Result<GraphInput, ParseError> {
        const RENAME: &str = "rename it: vertex names may contain only letters, digits, `_`, `.` and `'`";
        let mut seen: HashMap<String, &str> = HashMap::new();
        let mut names = Vec::with_capacity(self.names.len());
        for (name, at) in &self.names {
            let called = clean(name);
            if called.is_empty() {
                return Err(self.source.error(*at, invalid_name(name), RENAME));
            }
            if let Some(other) = seen.insert(called.clone(), name) {
                let message = format!("the names `{}` and `{}` would both be written `{called}`", shorten(other), shorten(name));
                return Err(self.source.error(*at, message, RENAME));
            }
            names.push(called);
        }
        let mut builder = Builder::named(self.source, names.into_iter(), 0)?;
        self.edges.into_iter().try_for_each(|(u, v, at)| builder.add(u as usize, v as usize, at))?;
        Ok(builder.done())
    }
}

/// Decodes the XML and HTML entities that tools write: `&amp;`, `&#228;`, `&#xe4;`. Unknown entities are left unchanged.
pub fn decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        let character = end.and_then(|end| match &rest[1..end] {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            number => {
                let number = number.strip_prefix('#')?;
                let hex = number.strip_prefix(['x', 'X']);
                char::from_u32(u32::from_str_radix(hex.unwrap_or(number), if hex.is_some() { 16 } else { 10 }).ok()?)
            }
        });
        decoded.push(character.unwrap_or('&'));
        rest = &rest[end.filter(|_| character.is_some()).unwrap_or(0) + 1..];
    }
    decoded + rest
}
