//! GraphML: XML with `<graph>`, `<node id="a"/>` and `<edge source="a" target="b"/>`.
//!
//! The reader supports the part of XML that GraphML files use: tags, attributes, entities, comments, CDATA. Document types that
//! contain definitions are refused, so no entity can expand. Everything but the graph itself (keys, data, ports) is skipped.

use super::named::{Named, decode, directed};
use super::write::parts;
use super::{GraphInput, several_error};
use crate::graph::Graph;
use crate::html::escape;
use crate::text::{ParseError, Source, shorten};

const FORM: &str =
    "GraphML is `<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/> … <edge source=\"a\" target=\"b\"/> … </graph></graphml>`";

struct Tag<'a> {
    /// The name without a namespace prefix.
    name: &'a str,
    /// Everything between the name and the end of the tag.
    attributes: &'a str,
    closes: bool,
    /// True for a tag such as `<node/>`, which is opened and closed at once.
    empty: bool,
    at: usize,
}

impl Tag<'_> {
    fn get(&self, source: &Source<'_>, wanted: &str) -> Result<Option<String>, ParseError> {
        let mut rest = self.attributes.trim();
        while !rest.is_empty() {
            let broken = || source.error(self.at, format!("malformed attributes in `<{}>`", shorten(self.name)), "write NAME=\"VALUE\"");
            let (name, after) = rest.split_once('=').ok_or_else(broken)?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\'')).ok_or_else(broken)?;
            let end = after[1..].find(quote).ok_or_else(broken)?;
            if name.trim() == wanted {
                return Ok(Some(decode(&after[1..1 + end])));
            }
            rest = after[end + 2..].trim_start();
        }
        Ok(None)
    }

    fn require(&self, source: &Source<'_>, wanted: &str) -> Result<String, ParseError> {
        let missing = || source.error(self.at, format!("`<{}>` has no `{wanted}`", shorten(self.name)), FORM);
        self.get(source, wanted)?.ok_or_else(missing)
    }
}

struct Tags<'a> {
    source: &'a Source<'a>,
    at: usize,
}

impl<'a> Tags<'a> {
    /// The next tag. Text between tags, comments and declarations are skipped.
    fn next(&mut self) -> Result<Option<Tag<'a>>, ParseError> {
        let text: &'a str = self.source.text();
        loop {
            let Some(found) = text[self.at..].find('<') else {
                self.at = text.len();
                return Ok(None);
            };
            let at = self.at + found;
            let rest = &text[at..];
            let not_closed = |end: &str| self.source.error(at, format!("the matching `{end}` is missing"), "is the file complete?");
            let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
            if let Some((_, end)) = skipped.into_iter().find(|(start, _)| rest.starts_with(start)) {
                self.at = at + rest.find(end).ok_or_else(|| not_closed(end))? + end.len();
                continue;
            }
            // A `>` inside quotes does not end a tag.
            let mut quote: Option<char> = None;
            let end = rest.find(|c: char| {
                let within = quote.is_some();
                quote = quote.map_or(matches!(c, '"' | '\'').then_some(c), |open| (c != open).then_some(open));
                c == '>' && !within
            });
            let end = end.ok_or_else(|| not_closed(">"))?;
            self.at = at + end + 1;
            let inner = &rest[1..end];
            if let Some(declared) = inner.strip_prefix('!') {
                if declared.contains('[') {
                    return Err(self.source.error(at, "a document type must not contain definitions", "remove `<!DOCTYPE … >`"));
                }
                continue;
            }
            let (inner, closes) = inner.strip_prefix('/').map_or((inner, false), |inner| (inner, true));
            let (inner, empty) = inner.strip_suffix('/').map_or((inner, false), |inner| (inner, true));
            let (name, attributes) = inner.split_at(inner.find(char::is_whitespace).unwrap_or(inner.len()));
            let name = name.rsplit(':').next().unwrap_or(name);
            return Ok(Some(Tag { name, attributes, closes, empty, at }));
        }
    }
}

pub fn read(source: &Source<'_>) -> Result<GraphInput, ParseError> {
    let mut tags = Tags { source, at: 0 };
    let mut named = Named::new(source);
    let mut edges: Vec<([String; 2], usize)> = Vec::new();
    // The number of graphs opened so far, whether one is open now, and whether `<graphml>` has been seen.
    let (mut graphs, mut open, mut root) = (0, false, false);
    while let Some(tag) = tags.next()? {
        let is_directed = |value: Option<String>| value.is_some_and(|value| value == "directed" || value == "true");
        match (tag.name, tag.closes) {
            ("graphml", false) => root = true,
            (name, false) if !root => {
                return Err(source.error(tag.at, format!("`<{}>` cannot begin a GraphML file", shorten(name)), FORM));
            }
            ("graph", false) if open => {
                return Err(source.error(tag.at, "this graph is inside a vertex", "nested graphs are not supported; remove this one"));
            }
            ("graph", false) if graphs == 1 => return Err(several_error(source, tag.at, 2, "keep one of them")),
            ("graph", false) => {
                graphs += 1;
                open = !tag.empty;
                if is_directed(tag.get(source, "edgedefault")?) {
                    return Err(directed(source, tag.at, "this graph"));
                }
            }
            ("graph", true) => open = false,
            ("node", false) if open => {
                let id = tag.require(source, "id")?;
                named.declare(&id, &id, tag.at)?;
            }
            ("edge", false) if open => {
                if is_directed(tag.get(source, "directed")?) {
                    return Err(directed(source, tag.at, "this edge"));
                }
                edges.push(([tag.require(source, "source")?, tag.require(source, "target")?], tag.at));
            }
            ("hyperedge", false) => return Err(source.error(tag.at, "hyperedges are not supported", "remove it; edges have two ends")),
            _ => {}
        }
    }
    if graphs == 0 {
        return Err(source.error(0, "there is no `<graph>` in this file", FORM));
    }
    if open {
        return Err(source.error(source.text().trim_end().len(), "`</graph>` is missing", "is the file complete?"));
    }
    for (ends, at) in &edges {
        named.edge_by_id([&ends[0], &ends[1]], *at)?;
    }
    named.done()
}

pub fn write(graph: &Graph) -> String {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n  \
                <graph edgedefault=\"undirected\">\n";
    let name = |v: usize| escape(&graph.name(v));
    let edge = |u: usize, v: usize| format!("    <edge source=\"{}\" target=\"{}\"/>\n", name(u), name(v));
    parts(graph, head, |v| format!("    <node id=\"{}\"/>\n", name(v)), edge, "  </graph>\n</graphml>\n")
}
