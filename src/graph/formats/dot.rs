//! DOT, the language of Graphviz: `graph { a -- b; b -- {c d} }`.
//!
//! Names, chains of edges and subgraphs are read as Graphviz reads them; attributes are skipped. Vertices are in order of appearance
//! and named by their identifiers.

use super::named::{Named, directed};
use super::write::parts;
use super::{Reading, several_error};
use crate::graph::Graph;
use crate::text::{ParseError, Source, shorten};

const FORM: &str = "DOT is `graph { a -- b; b -- c; d }`";
/// Maximum depth of nested subgraphs.
const MOST_DEPTH: usize = 64;
/// Maximum number of edges from a short text.
const MOST_EDGES: usize = 1 << 20;

/// True if a text is DOT: `graph`, `digraph` or `strict`, and a brace.
pub fn begins(text: &str) -> bool {
    let text = without_leading_comments(text);
    let word = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let named = ["strict", "graph", "digraph"].iter().any(|known| word.eq_ignore_ascii_case(known));
    let after = text[word.len()..].trim_start();
    named && !after.starts_with([':', '[']) && after.contains('{')
}

fn without_leading_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        text = match (text.get(..2), text.as_bytes().first()) {
            (Some("//"), _) | (_, Some(b'#')) => text.find('\n').map_or("", |end| &text[end..]),
            (Some("/*"), _) => text.find("*/").map_or("", |end| &text[end + 2..]),
            _ => return text,
        };
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// A name or number, or a string in quotes, which is never a keyword.
    Word(String, bool),
    /// `{`, `}`, `[`, `]`, `;`, `,`, `=`, `:`, `+`.
    Mark(char),
    /// `--`, or `->`.
    Edge(bool),
    End,
}

struct Lexer<'a> {
    source: &'a Source<'a>,
    at: usize,
    /// The next token, and its offset.
    token: Token,
    place: usize,
}

impl<'a> Lexer<'a> {
    fn new(source: &'a Source<'a>) -> Result<Self, ParseError> {
        let mut lexer = Lexer { source, at: 0, token: Token::End, place: 0 };
        lexer.advance()?;
        Ok(lexer)
    }

    fn advance(&mut self) -> Result<(), ParseError> {
        (self.token, self.place) = self.scan()?;
        Ok(())
    }

    fn scan(&mut self) -> Result<(Token, usize), ParseError> {
        let text = self.source.text();
        loop {
            let rest = text[self.at..].trim_start();
            self.at = text.len() - rest.len();
            if rest.starts_with("//") || rest.starts_with('#') && text[..self.at].trim_end_matches([' ', '\t']).ends_with('\n') {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let end = rest.find("*/").ok_or_else(|| self.source.error(self.at, "this comment is not closed", "add `*/`"))?;
                self.at += end + 2;
            } else {
                break;
            }
        }
        let (at, rest) = (self.at, &text[self.at..]);
        let Some(first) = rest.chars().next() else { return Ok((Token::End, at)) };
        let (token, length) = match first {
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' | '+' => (Token::Mark(first), 1),
            '-' if rest.starts_with("--") => (Token::Edge(false), 2),
            '-' if rest.starts_with("->") => (Token::Edge(true), 2),
            '"' => self.quoted(rest)?,
            '<' => {
                let mut depth = 0;
                let end = rest.find(|c: char| {
                    depth += i64::from(c == '<') - i64::from(c == '>');
                    depth == 0
                });
                let end = end.ok_or_else(|| self.source.error(at, "this HTML text is not closed", "add a `>`"))?;
                (Token::Word(rest[1..end].to_owned(), true), end + 1)
            }
            _ => {
                let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || !c.is_ascii() && !c.is_whitespace();
                let sign = usize::from(first == '-');
                let end = rest[sign..].find(|c| !fits(c)).map_or(rest.len(), |end| sign + end);
                if end == sign {
                    let message = format!("`{}` is not expected here", shorten(&first.to_string()));
                    return Err(self.source.error(at, message, "put names with other characters in quotes"));
                }
                (Token::Word(rest[..end].to_owned(), false), end)
            }
        };
        self.at += length;
        Ok((token, at))
    }

    /// A string in quotes and its length. `\"` is a quote, and a line may be continued after a backslash.
    fn quoted(&self, rest: &str) -> Result<(Token, usize), ParseError> {
        let mut word = String::new();
        let mut characters = rest.char_indices().skip(1);
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => return Ok((Token::Word(word, true), at + 1)),
                '\\' => match characters.next() {
                    Some((_, '"')) => word.push('"'),
                    Some((_, '\n')) => {}
                    Some((_, other)) => word.extend(['\\', other]),
                    None => break,
                },
                c => word.push(c),
            }
        }
        Err(self.source.error(self.at, "this string is not closed", "add a `\"`"))
    }

    fn is(&self, mark: char) -> bool {
        self.token == Token::Mark(mark)
    }

    /// Steps over a mark, if it is next.
    fn take(&mut self, mark: char) -> Result<bool, ParseError> {
        let found = self.is(mark);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn keyword(&self) -> Option<String> {
        match &self.token {
            Token::Word(word, false) => Some(word.to_ascii_lowercase()),
            _ => None,
        }
    }

    fn unexpected(&self) -> ParseError {
        let found = match &self.token {
            Token::Word(word, _) => format!("`{}`", shorten(word)),
            Token::Mark(mark) => format!("`{mark}`"),
            Token::Edge(arrow) => if *arrow { "`->`" } else { "`--`" }.to_owned(),
            Token::End => "the end of the text".to_owned(),
        };
        self.source.error(self.place, format!("{found} is not expected here"), FORM)
    }

    /// A name; strings may be joined by `+`.
    fn name(&mut self) -> Result<String, ParseError> {
        let mut name = String::new();
        loop {
            let Token::Word(word, _) = &self.token else { return Err(self.unexpected()) };
            name.push_str(word);
            self.advance()?;
            if !self.take('+')? {
                return Ok(name);
            }
        }
    }

    /// Steps over an optional name before a brace.
    fn name_of_group(&mut self) -> Result<(), ParseError> {
        if !self.is('{') {
            self.name()?;
        }
        if self.is('{') { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Steps over `[…]`, any number of times.
    fn attributes(&mut self) -> Result<(), ParseError> {
        while self.is('[') {
            let begin = self.place;
            while !self.is(']') {
                if self.token == Token::End {
                    return Err(self.source.error(begin, "this list is not closed", "add a `]`"));
                }
                self.advance()?;
            }
            self.advance()?;
        }
        Ok(())
    }
}

pub fn read(source: &Source<'_>) -> Result<Reading, ParseError> {
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
        _ if lexer.token != Token::End => return Err(lexer.unexpected()),
        _ => {}
    }
    let mut reading = named.done()?;
    if strict {
        // By definition, an edge that is given again is the same edge.
        reading.repeats.clear();
    }
    Ok(reading)
}

/// Everything between braces. Returns the vertices in it.
fn statements(lexer: &mut Lexer<'_>, named: &mut Named<'_>, depth: usize) -> Result<Vec<u32>, ParseError> {
    if depth > MOST_DEPTH {
        return Err(lexer.source.error(lexer.place, "subgraphs are nested too deeply", FORM));
    }
    let begin = lexer.place;
    lexer.advance()?;
    let mut inside: Vec<u32> = Vec::new();
    while !lexer.take('}')? {
        if lexer.token == Token::End {
            return Err(lexer.source.error(begin, "this brace is not closed", "add a `}`"));
        }
        if lexer.take(';')? || lexer.take(',')? {
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
        while let Token::Edge(arrow) = lexer.token {
            if arrow {
                return Err(directed(lexer.source, lexer.place, "this edge"));
            }
            lexer.advance()?;
            let next_place = lexer.place;
            let next = group(lexer, named, depth)?.ok_or_else(|| lexer.unexpected())?;
            for (&u, &v) in ends.iter().flat_map(|u| next.iter().map(move |v| (u, v))) {
                named.edge(u, v, place);
                // Two subgraphs of some thousand vertices make millions of edges.
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

/// A vertex or a subgraph: the ends of edges. `None` after `name = value`, which is an attribute.
fn group(lexer: &mut Lexer<'_>, named: &mut Named<'_>, depth: usize) -> Result<Option<Vec<u32>>, ParseError> {
    if lexer.keyword().as_deref() == Some("subgraph") {
        lexer.advance()?;
        lexer.name_of_group()?;
    }
    if lexer.is('{') {
        return statements(lexer, named, depth + 1).map(Some);
    }
    let at = lexer.place;
    let name = lexer.name()?;
    if lexer.take('=')? {
        lexer.name()?;
        return Ok(None);
    }
    // Ports: the side of the vertex at which the line ends.
    while lexer.take(':')? {
        lexer.name()?;
    }
    Ok(Some(vec![named.vertex(&name, at)?]))
}

/// The graph in DOT.
pub fn write(graph: &Graph) -> String {
    // Keywords must be quoted, also in capitals.
    let quoted = |v: usize| format!("\"{}\"", graph.name(v));
    let edge = |u: usize, v: usize| format!("  {} -- {};\n", quoted(u), quoted(v));
    parts(graph, "graph {\n", |v| format!("  {};\n", quoted(v)), edge, "}\n")
}
