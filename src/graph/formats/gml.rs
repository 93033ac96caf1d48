//! GML, the Graph Modelling Language: `graph [ node [ id 0 label "a" ] edge [ source 0 target 1 ] ]`.
//!
//! A text is a list of keys with values: numbers, strings, or lists in brackets. Only what makes the graph is looked at;
//! weights, colors and drawings are skipped. Vertices are called by their labels or, where these are not all different, by
//! their numbers.

use std::collections::HashSet;

use super::named::{Named, decode, directed, encode};
use super::{Reading, several_error};
use crate::graph::Graph;
use crate::text::{ParseError, Source, shorten};

const FORM: &str = "GML is `graph [ node [ id 0 label \"a\" ] … edge [ source 0 target 1 ] … ]`, as networkx's `write_gml` writes it";
/// Lists in lists that are followed; deeper ones are refused.
const MOST_DEPTH: usize = 64;

/// Whether a text is GML: it begins with keys and values, and has a list `graph`.
pub fn begins(text: &str) -> bool {
    let mut words = text.split_whitespace().filter(|word| !word.is_empty());
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
    /// The next token and its offset; none at the end.
    fn next(&mut self) -> Result<Option<(Token<'a>, usize)>, ParseError> {
        let text: &'a str = self.source.text();
        let rest = &text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        let at = self.at;
        let rest = &text[at..];
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
        self.at += length;
        Ok(Some((token, at)))
    }

    /// The value of a key: a word or string, or none for a list, which is entered.
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

    /// The next key of a list and its offset; none at the end of the list.
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
                named.declare(id, place)?;
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
    let mut text = "graph [\n".to_owned();
    for v in 0..graph.len() {
        text.push_str(&format!("  node [\n    id {v}\n    label \"{}\"\n  ]\n", encode(&graph.name(v))));
    }
    for (u, v) in graph.edges() {
        text.push_str(&format!("  edge [\n    source {u}\n    target {v}\n  ]\n"));
    }
    text + "]\n"
}
