//! DOT, the language of Graphviz: `graph { a -- b; b -- {c d} }`.
//!
//! Names, chains of edges and subgraphs are read as in Graphviz; attributes are skipped. Vertices are in order of appearance and
//! named by their identifiers.

use super::named::{Named, directed};
use super::write::parts;
use super::{GraphInput, several_error};
use crate::graph::Graph;
use crate::text::{ParseError, Source, shorten};

const FORM: &str = "DOT is `graph { a -- b; b -- c; d }`";
/// Maximum depth of nested subgraphs.
const MOST_DEPTH: usize = 64;
/// Maximum number of edges that a short text may produce.
const MOST_EDGES: usize = 1 << 20;

/// True if the text is DOT: it begins with `graph`, `digraph` or `strict` and contains a brace.
pub fn begins(text: &str) -> bool {
    let text = skip(text, 0).map_or("", |at| &text[at..]);
    let word = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let named = ["strict", "graph", "digraph"].iter().any(|known| word.eq_ignore_ascii_case(known));
    let after = text[word.len()..].trim_start();
    named && !after.starts_with([':', '[']) && after.contains('{')
}

/// The offset of the next token, after whitespace and comments. On failure, returns the offset of an unclosed comment.
fn skip(text: &str, mut at: usize) -> Result<usize, usize> {
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        let before = text[..at].trim_end_matches([' ', '\t']);
        at += if rest.starts_with("//") || rest.starts_with('#') && (before.is_empty() || before.ends_with('\n')) {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").ok_or(at)? + 2
        } else {
            return Ok(at);
        };
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A name, number or keyword.
    Word,
    /// A string in quotes or angle brackets, which is never a keyword.
    Quoted,
    /// `--`, `->`, or one of `{}[];,=:+`.
    Mark,
    End,
}

struct Lexer<'a> {
    source: &'a Source<'a>,
    at: usize,
    /// The kind of the next token.
    kind: Kind,
    /// The text of the next token.
    token: String,
    /// The offset of the next token.
    place: usize,
}

impl<'a> Lexer<'a> {
    fn new(source: &'a Source<'a>) -> Result<Self, ParseError> {
        let mut lexer = Lexer { source, at: 0, kind: Kind::End, token: String::new(), place: 0 };
        lexer.advance()?;
        Ok(lexer)
    }

    fn advance(&mut self) -> Result<(), ParseError> {
        let (source, text) = (self.source, self.source.text());
        self.place = skip(text, self.at).map_err(|at| source.error(at, "this comment is not closed", "add `*/`"))?;
        let rest = &text[self.place..];
        let (kind, token, length) = match rest.chars().next() {
            None => (Kind::End, "", 0),
            Some('{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' | '+') => (Kind::Mark, &rest[..1], 1),
            Some('-') if rest.starts_with("--") || rest.starts_with("->") => (Kind::Mark, &rest[..2], 2),
            Some('"') => {
                let backslashes = |at: usize| at - rest[..at].trim_end_matches('\\').len();
                let is_end = |(at, _): &(usize, &str)| backslashes(*at).is_multiple_of(2);
                let end = rest.match_indices('"').skip(1).find(is_end);
                let (end, _) = end.ok_or_else(|| source.error(self.place, "this string is not closed", "add a `\"`"))?;
                (Kind::Quoted, &rest[1..end], end + 1)
            }
            Some('<') => {
                let mut depth = 0;
                let end = rest.find(|c: char| {
                    depth += i64::from(c == '<') - i64::from(c == '>');
                    depth == 0
                });
                let end = end.ok_or_else(|| source.error(self.place, "this HTML text is not closed", "add a `>`"))?;
                (Kind::Quoted, &rest[1..end], end + 1)
            }
            Some(first) => {
                let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || !c.is_ascii() && !c.is_whitespace();
                let sign = usize::from(first == '-');
                let end = rest[sign..].find(|c| !fits(c)).map_or(rest.len(), |end| sign + end);
                if end == sign {
                    let message = format!("unexpected `{}`", shorten(&first.to_string()));
                    return Err(source.error(self.place, message, "put names with other characters in quotes"));
                }
                (Kind::Word, &rest[..end], end)
            }
        };
        self.at = self.place + length;
        // A quote may be escaped, and a line may continue after a backslash.
        self.token = if rest.starts_with('"') { token.replace("\\\"", "\"").replace("\\\n", "") } else { token.to_owned() };
        self.kind = kind;
        Ok(())
    }

    fn is(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.token == mark
    }

    /// Consumes a mark if it is next.
    fn take(&mut self, mark: &str) -> Result<bool, ParseError> {
        let found = self.is(mark);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// The next token in lowercase, if it may be a keyword.
    fn keyword(&self) -> Option<String> {
        (self.kind == Kind::Word).then(|| self.token.to_ascii_lowercase())
    }

    fn unexpected(&self) -> ParseError {
        let found = if self.kind == Kind::End { "end of the text".to_owned() } else { format!("`{}`", shorten(&self.token)) };
        self.source.error(self.place, format!("unexpected {found}"), FORM)
    }

    /// Reads a name. Strings may be joined by `+`.
    fn name(&mut self) -> Result<String, ParseError> {
        let mut name = String::new();
        loop {
            if !matches!(self.kind, Kind::Word | Kind::Quoted) {
                return Err(self.unexpected());
            }
            name.push_str(&self.token);
            self.advance()?;
            if !self.take("+")? {
                return Ok(name);
            }
        }
    }

    /// Skips an optional name before a brace.
    fn name_of_group(&mut self) -> Result<(), ParseError> {
        if !self.is("{") {
            self.name()?;
        }
        if self.is("{") { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Skips any number of `[…]` lists.
    fn attributes(&mut self) -> Result<(), ParseError> {
        while self.is("[") {
            let begin = self.place;
            while !self.is("]") {
                if self.kind == Kind::End {
                    return Err(self.source.error(begin, "this list is not closed", "add a `]`"));
                }
                self.advance()?;
            }
            self.advance()?;
        }
        Ok(())
    }
}

pub fn read(source: &Source<'_>) -> Result<GraphInput, ParseError> {
    let mut lexer = Lexer::new(source)?;
    let strict = lexer.keyword().as_deref() == Some("strict");
    if strict {
        lexer.advance()?;
    }
    match lexer.keyword().as_deref() {
        Some("graph") => {}
        Some("digraph") => return Err(directed(source, lexer.place, "this graph")),
        _ => return Err(lexer.unexpected()),
    }
    lexer.advance()?;
    lexer.name_of_group()?;
    let mut named = Named::new(source);
    statements(&mut lexer, &mut named, 0)?;
    match lexer.keyword().as_deref() {
        Some("graph" | "digraph" | "strict") => return Err(several_error(source, lexer.place, 2, "keep one of them")),
        _ if lexer.kind != Kind::End => return Err(lexer.unexpected()),
        _ => {}
    }
    let mut reading = named.done()?;
    if strict {
        // In a strict graph, repeating an edge has no effect.
        reading.repeats.clear();
    }
    Ok(reading)
}

/// Reads everything between braces. Returns the vertices that occur there.
fn statements(lexer: &mut Lexer<'_>, named: &mut Named<'_>, depth: usize) -> Result<Vec<u32>, ParseError> {
    if depth > MOST_DEPTH {
        return Err(lexer.source.error(lexer.place, "subgraphs are nested too deeply", FORM));
    }
    let begin = lexer.place;
    lexer.advance()?;
    let mut inside: Vec<u32> = Vec::new();
    while !lexer.take("}")? {
        if lexer.kind == Kind::End {
            return Err(lexer.source.error(begin, "this brace is not closed", "add a `}`"));
        }
        if lexer.take(";")? || lexer.take(",")? {
            continue;
        }
        if matches!(lexer.keyword().as_deref(), Some("graph" | "node" | "edge")) {
            lexer.advance()?;
            lexer.attributes()?;
            continue;
        }
        let mut place = lexer.place;
        let Some(mut ends) = group(lexer, named, depth)? else { continue };
        inside.extend(&ends);
        while lexer.is("--") || lexer.is("->") {
            if lexer.is("->") {
                return Err(directed(lexer.source, lexer.place, "this edge"));
            }
            lexer.advance()?;
            let next_place = lexer.place;
            let next = group(lexer, named, depth)?.ok_or_else(|| lexer.unexpected())?;
            for (&u, &v) in ends.iter().flat_map(|u| next.iter().map(move |v| (u, v))) {
                named.edge(u, v, place);
                // A single edge statement can produce millions of edges, if it joins two subgraphs of a few thousand vertices each.
                if named.is_over(lexer.source.text().len().max(MOST_EDGES)) {
                    return Err(lexer.source.error(place, "too many edges", "write them one by one, or as graph6"));
                }
            }
            inside.extend(&next);
            (ends, place) = (next, next_place);
        }
        lexer.attributes()?;
    }
    inside.sort_unstable();
    inside.dedup();
    Ok(inside)
}

/// Reads a vertex or a subgraph; edges can end at either. `None` if it is `name = value`, which is an attribute.
fn group(lexer: &mut Lexer<'_>, named: &mut Named<'_>, depth: usize) -> Result<Option<Vec<u32>>, ParseError> {
    if lexer.keyword().as_deref() == Some("subgraph") {
        lexer.advance()?;
        lexer.name_of_group()?;
    }
    if lexer.is("{") {
        return statements(lexer, named, depth + 1).map(Some);
    }
    let at = lexer.place;
    let name = lexer.name()?;
    if lexer.take("=")? {
        lexer.name()?;
        return Ok(None);
    }
    // Skip ports, which select the side of the vertex at which the edge ends.
    while lexer.take(":")? {
        lexer.name()?;
    }
    Ok(Some(vec![named.vertex(&name, at)?]))
}

pub fn write(graph: &Graph) -> String {
    // Quote all names, because a name that is a keyword, even in capitals, must be quoted.
    let quoted = |v: usize| format!("\"{}\"", graph.name(v));
    let edge = |u: usize, v: usize| format!("  {} -- {};\n", quoted(u), quoted(v));
    parts(graph, "graph {\n", |v| format!("  {};\n", quoted(v)), edge, "}\n")
}
