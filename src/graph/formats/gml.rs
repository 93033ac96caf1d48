//! GML, the Graph Modelling Language: `graph [ node [ id 0 label "a" ] edge [ source 0 target 1 ] ]`.
//!
//! A text is a list of keys with values: numbers, strings, or lists in brackets. Everything but the graph itself (weights,
//! colors, drawings) is skipped. Vertices are named by their labels or, if two labels are equal, by their numbers.

use std::collections::HashSet;

use super::named::{Named, decode, directed};
use super::write::parts;
use super::{Reading, several_error};
use crate::graph::Graph;
use crate::html::escape;
use crate::text::{ParseError, Source, shorten};

const FORM: &str = "GML is `graph [ node [ id 0 label \"a\" ] … edge [ source 0 target 1 ] … ]`, as networkx's `write_gml` writes it";
/// Maximum depth of nested lists.
const MOST_DEPTH: usize = 64;

/// True if a text is GML: it begins with keys and values, and has a list `graph`.
pub fn begins(text: &str) -> bool {
    let mut words = text.split_whitespace();
    match words.next() {
        Some("graph") => words.next().is_some_and(|word| word.starts_with('[')),
        Some(word) if word.starts_with("graph[") => true,
        Some("Creator" | "Version" | "comment" | "directed" | "label") => text.contains('['),
        _ => false,
    }
}

enum Token<'a> {
    Key(&'a str),
    Text(&'a str),
    Open,
    Close,
}

struct Lexer<'a> {
    source: &'a Source<'a>,
    at: usize,
}

impl<'a> Lexer<'a> {
    /// The next token and its offset.
    fn next(&mut self) -> Result<Option<(Token<'a>, usize)>, ParseError> {
        let text: &'a str = self.source.text();
        let rest = text[self.at..].trim_start();
        let at = text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let (token, length) = match first {
            '[' => (Token::Open, 1),
            ']' => (Token::Close, 1),
            '"' => {
                let end = rest[1..].find('"').ok_or_else(|| self.source.error(at, "this string is not closed", "add a `\"`"))?;
                (Token::Text(&rest[1..1 + end]), end + 2)
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "[]\"".contains(c)).unwrap_or(rest.len());
                (Token::Key(&rest[..end]), end)
            }
        };
        self.at = at + length;
        Ok(Some((token, at)))
    }

    /// The value of a key: a word or string, or `None` for a list, which is entered.
    fn value(&mut self, key: &str, at: usize) -> Result<Option<(&'a str, usize)>, ParseError> {
        match self.next()? {
            Some((Token::Key(word) | Token::Text(word), at)) => Ok(Some((word, at))),
            Some((Token::Open, _)) => Ok(None),
            _ => Err(self.source.error(at, format!("the key `{}` has no value", shorten(key)), FORM)),
        }
    }

    /// Leaves the list that was entered.
    fn skip(&mut self, begin: usize) -> Result<(), ParseError> {
        let mut depth = 1;
        while depth > 0 {
            match self.next()? {
                Some((Token::Open, _)) => depth += 1,
                Some((Token::Close, _)) => depth -= 1,
                Some(_) => {}
                None => return Err(self.source.error(begin, "this list is not closed", "add a `]`")),
            }
            if depth > MOST_DEPTH {
                return Err(self.source.error(self.at, "lists are nested too deeply", FORM));
            }
        }
        Ok(())
    }

    /// The next key of a list and its offset; `None` at the end of the list.
    fn key(&mut self, begin: usize, what: &str) -> Result<Option<(&'a str, usize)>, ParseError> {
        match self.next()? {
            Some((Token::Close, _)) => Ok(None),
            Some((Token::Key(key), at)) => Ok(Some((key, at))),
            Some((_, at)) => Err(self.source.error(at, "a key is expected here", FORM)),
            None => Err(self.source.error(begin, format!("this {what} is not closed"), "add a `]`")),
        }
    }

    /// The values of some keys of a list of words and strings, each with its offset; inner lists are skipped.
    fn members<const N: usize>(&mut self, keys: [&str; N], begin: usize) -> Result<[Option<(&'a str, usize)>; N], ParseError> {
        let mut found = [None; N];
        while let Some((key, at)) = self.key(begin, "list")? {
            match (self.value(key, at)?, keys.iter().position(|known| *known == key)) {
                (None, _) => self.skip(at)?,
                (value, Some(place)) => found[place] = value,
                _ => {}
            }
        }
        Ok(found)
    }
}

pub fn read(source: &Source<'_>) -> Result<Reading, ParseError> {
    let mut lexer = Lexer { source, at: 0 };
    let mut read = None;
    while let Some((token, at)) = lexer.next()? {
        let Token::Key(key) = token else { return Err(source.error(at, "a key is expected here", FORM)) };
        match (lexer.value(key, at)?, key) {
            (None, "graph") if read.is_some() => return Err(several_error(source, at, 2, "keep one of them")),
            (None, "graph") => read = Some(graph(&mut lexer, at)?),
            (None, _) => lexer.skip(at)?,
            (Some((value, at)), "directed") if value != "0" => return Err(directed(source, at, "this graph")),
            (Some(_), _) => {}
        }
    }
    read.ok_or_else(|| source.error(0, "there is no list `graph [ … ]`", FORM))
}

fn graph(lexer: &mut Lexer<'_>, begin: usize) -> Result<Reading, ParseError> {
    let source = lexer.source;
    let mut named = Named::new(source);
    let mut labels: Vec<Option<&str>> = Vec::new();
    let mut edges = Vec::new();
    while let Some((key, at)) = lexer.key(begin, "graph")? {
        match (lexer.value(key, at)?, key) {
            (None, "node") => {
                let [id, label] = lexer.members(["id", "label"], at)?;
                let (id, place) = id.ok_or_else(|| source.error(at, "this vertex has no `id`", FORM))?;
                named.declare(id, id, place)?;
                labels.push(label.map(|(label, _)| label));
            }
            (None, "edge") => {
                let [from, to] = lexer.members(["source", "target"], at)?;
                let (Some((from, _)), Some((to, _))) = (from, to) else {
                    return Err(source.error(at, "this edge has no `source` or no `target`", FORM));
                };
                edges.push(([from, to], at));
            }
            (None, _) => lexer.skip(at)?,
            (Some((value, at)), "directed") if value != "0" => return Err(directed(source, at, "this graph")),
            (Some(_), _) => {}
        }
    }
    for (ends, at) in edges {
        named.edge_by_id(ends, at)?;
    }
    let distinct: HashSet<&str> = labels.iter().copied().flatten().collect();
    if distinct.len() == labels.len() {
        named.rename(labels.into_iter().flatten().map(decode));
    }
    named.done()
}

/// The graph in GML, with the names of its vertices as labels.
pub fn write(graph: &Graph) -> String {
    let vertex = |v: usize| format!("  node [\n    id {v}\n    label \"{}\"\n  ]\n", escape(&graph.name(v)));
    let edge = |u: usize, v: usize| format!("  edge [\n    source {u}\n    target {v}\n  ]\n");
    parts(graph, "graph [\n", vertex, edge, "]\n")
}
