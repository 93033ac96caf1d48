//! Vertices by name and edges between them: what GML, GraphML, DOT and node-link JSON have in common.
//!
//! These formats allow any text as a name. Here names appear in moves and lists (`a:2`, `a:b,c`), so each run of other
//! characters becomes one `_`, and brackets and blanks around a name are dropped: networkx's `(0, 1)` is called `0_1`.

use std::collections::HashMap;

use super::{Builder, Reading, is_invalid_name, too_many_vertices};
use crate::graph::MOST_VERTICES;
use crate::text::{ParseError, Source, shorten};

/// The remedy for a directed graph in any format.
const UNDIRECT: &str = "make it undirected: in networkx by `G.to_undirected()`, in nauty by `underlyingg`";

/// The error for a graph, or an edge, that has a direction.
pub fn directed(source: &Source<'_>, at: usize, what: &str) -> ParseError {
    source.error(at, format!("{what} is directed, and games are played on undirected graphs"), UNDIRECT)
}

/// A name with which a game can be played.
pub fn clean(name: &str) -> String {
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

/// Vertices and edges in the order in which a text gives them.
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

    /// Whether there are more edges than this, counted as often as they are given.
    pub fn is_over(&self, most: usize) -> bool {
        self.edges.len() > most
    }

    /// The vertex with this identifier, if it was given.
    pub fn find(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    /// The vertex with this identifier, known or new; a new one is called by it.
    pub fn vertex(&mut self, id: &str, at: usize) -> Result<u32, ParseError> {
        if let Some(&known) = self.by_id.get(id) {
            return Ok(known);
        }
        if self.names.len() >= MOST_VERTICES {
            return Err(too_many_vertices(self.source, at, self.names.len() + 1));
        }
        let new = self.names.len() as u32;
        self.by_id.insert(id.to_owned(), new);
        self.names.push((id.to_owned(), at));
        Ok(new)
    }

    /// A vertex that must be new.
    pub fn declare(&mut self, id: &str, at: usize) -> Result<u32, ParseError> {
        if self.by_id.contains_key(id) {
            return Err(self.source.error(at, format!("the vertex {} is given twice", shorten(id)), "remove one of the two"));
        }
        self.vertex(id, at)
    }

    pub fn edge(&mut self, u: u32, v: u32, at: usize) {
        self.edges.push((u, v, at));
    }

    /// An edge between vertices that must have been given, anywhere in the text.
    pub fn edge_by_id(&mut self, ends: [&str; 2], at: usize) -> Result<(), ParseError> {
        let mut found = [0; 2];
        for (place, id) in found.iter_mut().zip(ends) {
            let missing = || self.source.error(at, format!("there is no vertex {}", shorten(id)), "add the vertex, or remove this edge");
            *place = self.find(id).ok_or_else(missing)?;
        }
        self.edge(found[0], found[1], at);
        Ok(())
    }

    /// Calls all vertices otherwise, in their order.
    pub fn rename(&mut self, names: impl IntoIterator<Item = String>) {
        self.names.iter_mut().zip(names).for_each(|(name, new)| name.0 = new);
    }

    /// The names of all vertices, with which a game can be played.
    pub fn names(&self) -> Result<Vec<String>, ParseError> {
        let mut seen: HashMap<String, &str> = HashMap::new();
        let mut names = Vec::with_capacity(self.names.len());
        for (name, at) in &self.names {
            let called = clean(name);
            if called.is_empty() {
                return Err(self.source.error(*at, format!("`{}` cannot be the name of a vertex", shorten(name)), RENAME));
            }
            if let Some(other) = seen.insert(called.clone(), name) {
                let message = format!("the names `{}` and `{}` would both be written `{called}`", shorten(other), shorten(name));
                return Err(self.source.error(*at, message, RENAME));
            }
            names.push(called);
        }
        Ok(names)
    }

    pub fn done(self) -> Result<Reading, ParseError> {
        let mut builder = Builder::named(self.source, self.names()?.into_iter(), 0)?;
        for (u, v, at) in self.edges {
            builder.add(u as usize, v as usize, at)?;
        }
        Ok(builder.done())
    }
}

const RENAME: &str = "rename it: names of vertices are told apart by letters, digits, `_`, `.` and `'`";

/// Text with the entities of XML and HTML that tools write: `&amp;`, `&#228;`, `&#xe4;`. Unknown ones stay as they are.
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
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16),
                    None => number.parse(),
                };
                char::from_u32(code.ok()?)
            }
        });
        match (character, end) {
            (Some(character), Some(end)) => {
                decoded.push(character);
                rest = &rest[end + 1..];
            }
            _ => {
                decoded.push('&');
                rest = &rest[1..];
            }
        }
    }
    decoded + rest
}

/// The opposite, for XML and for GML.
pub fn encode(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
