//! GML, the Graph Modelling Language: `graph [ node [ id 0 label "a" ] edge [ source 0 target 1 ] ]`.
//!
//! A file is a list of keys with values: numbers, strings, or lists in brackets. Everything but the graph itself (weights,
//! colors, drawings) is skipped. Vertices are named by their labels or, if two labels are equal, by their numbers.

use std::collections::HashSet;

use super::named::{Named, decode, directed};
use super::write::parts;
use super::{GraphInput, several_error};
use crate::graph::Graph;
use crate::html::escape;
use crate::text::{ParseError, Source, shorten};

const FORM: &str = "GML is `graph [ node [ id 0 label \"a\" ] … edge [ source 0 target 1 ] … ]`, as networkx's `write_gml` writes it";
/// Maximum depth of nested lists.
const MOST_DEPTH: usize = 64;

/// True if the text is GML: it begins with keys and values, and contains a list `graph`.
pub fn begins(text: &str) -> bool {
    let mut words = text.split_whitespace();
    match words.next() {
        Some("graph") => words.next().is_some_and(|word| word.starts_with('[')),
        Some(word) if word.starts_with("graph[") => true,
        Some("Creator" | "Version" | "comment" | "directed" | "label") => text.contains('['),
        _ => false,
    }
}

/// A key, its offset and its value.
type Item<'a> = (&'a str, usize, Value<'a>);

enum Value<'a> {
    /// A word or a string, and its offset.
    Text(&'a str, usize),
    List(Vec<Item<'a>>),
}

struct Parser<'a> {
    source: &'a Source<'a>,
    at: usize,
}

impl<'a> Parser<'a> {
    /// The next token and its offset. The token of a string includes the opening quote, but not the closing quote.
    fn next(&mut self) -> Result<Option<(&'a str, usize)>, ParseError> {
        let text = self.source.text();
        let rest = text[self.at..].trim_start();
        let at = text.len() - rest.len();
        let (token, length) = match rest.chars().next() {
            None => return Ok(None),
            Some('[' | ']') => (&rest[..1], 1),
            Some('"') => {
                let end = rest[1..].find('"').ok_or_else(|| self.source.error(at, "this string is not closed", "add a `\"`"))?;
                (&rest[..1 + end], end + 2)
            }
            Some(_) => {
                let end = rest.find(|c: char| c.is_whitespace() || "[]\"".contains(c)).unwrap_or(rest.len());
                (&rest[..end], end)
            }
        };
        self.at = at + length;
        Ok(Some((token, at)))
    }

    /// Reads the items of a list up to its closing bracket, or up to the end of the text if there is no opening bracket.
    fn items(&mut self, begin: Option<usize>, depth: usize) -> Result<Vec<Item<'a>>, ParseError> {
        if depth > MOST_DEPTH {
            return Err(self.source.error(self.at, "lists are nested too deeply", FORM));
        }
        let mut items = Vec::new();
        loop {
            let (key, at) = match (self.next()?, begin) {
                (None, None) | (Some(("]", _)), Some(_)) => return Ok(items),
                (None, Some(begin)) => return Err(self.source.error(begin, "this list is not closed", "add a `]`")),
                (Some((token, at)), _) if token.starts_with(['[', ']', '"']) => {
                    return Err(self.source.error(at, "a key is expected here", FORM));
                }
                (Some(key), _) => key,
            };
            let value = match self.next()? {
                Some(("[", _)) => Value::List(self.items(Some(at), depth + 1)?),
                None | Some(("]", _)) => {
                    return Err(self.source.error(at, format!("the key `{}` has no value", shorten(key)), FORM));
                }
                Some((word, place)) => Value::Text(word.strip_prefix('"').unwrap_or(word), place),
            };
            items.push((key, at, value));
        }
    }
}

/// The text value of a key in a list, and its offset.
fn get<'a>(items: &[Item<'a>], wanted: &str) -> Option<(&'a str, usize)> {
    items.iter().rev().find_map(|(key, _, value)| match value {
        Value::Text(text, at) if *key == wanted => Some((*text, *at)),
        _ => None,
    })
}

/// The lists with this key, and their offsets.
fn lists<'b, 'a>(items: &'b [Item<'a>], wanted: &'static str) -> impl Iterator<Item = (&'b [Item<'a>], usize)> {
    items.iter().filter_map(move |(key, at, value)| match value {
        Value::List(list) if *key == wanted => Some((list.as_slice(), *at)),
        _ => None,
    })
}

pub fn read(source: &Source<'_>) -> Result<GraphInput, ParseError> {
    let items = Parser { source, at: 0 }.items(None, 0)?;
    let mut graphs = lists(&items, "graph");
    let (graph, _) = graphs.next().ok_or_else(|| source.error(0, "there is no `graph [ … ]` list", FORM))?;
    if let Some((_, at)) = graphs.next() {
        return Err(several_error(source, at, 2, "keep one of them"));
    }
    if let Some((_, at)) = get(&items, "directed").or(get(graph, "directed")).filter(|(value, _)| *value != "0") {
        return Err(directed(source, at, "this graph"));
    }
    let mut named = Named::new(source);
    let mut labels: Vec<Option<&str>> = Vec::new();
    for (node, at) in lists(graph, "node") {
        let (id, place) = get(node, "id").ok_or_else(|| source.error(at, "this vertex has no `id`", FORM))?;
        named.declare(id, id, place)?;
        labels.push(get(node, "label").map(|(label, _)| label));
    }
    for (edge, at) in lists(graph, "edge") {
        let (Some((from, _)), Some((to, _))) = (get(edge, "source"), get(edge, "target")) else {
            return Err(source.error(at, "this edge lacks `source` or `target`", FORM));
        };
        named.edge_by_id([from, to], at)?;
    }
    let distinct: HashSet<&str> = labels.iter().copied().flatten().collect();
    if distinct.len() == labels.len() {
        named.rename(labels.into_iter().flatten().map(decode));
    }
    named.done()
}

/// The graph in GML, with vertex names as labels.
pub fn write(graph: &Graph) -> String {
    let vertex = |v: usize| format!("  node [\n    id {v}\n    label \"{}\"\n  ]\n", escape(&graph.name(v)));
    let edge = |u: usize, v: usize| format!("  edge [\n    source {u}\n    target {v}\n  ]\n");
    parts(graph, "graph [\n", vertex, edge, "]\n")
}
