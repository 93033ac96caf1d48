//! Text with one graph per line, as printed by nauty's `geng`, and the error that is reported if only a single graph is expected.

use super::{families, graph6, several_error};
use crate::text::{ParseError, Source, offset_in};

/// True if a line by itself is a graph: graph6, sparse6 or the name of a family.
pub fn is_graph(line: &str) -> bool {
    let line = graph6::without_header(line);
    match line.strip_prefix(':') {
        Some(sparse) => sparse.bytes().all(graph6::is_character),
        None if line.contains(char::is_whitespace) => false,
        None => graph6::fits(line.as_bytes()) || families::by_name(line).is_some_and(|named| named.is_ok()),
    }
}

/// The graph on a line, without a header.
pub fn line(text: &str) -> Option<&str> {
    let text = text.trim();
    is_graph(text).then(|| graph6::without_header(text))
}

/// The non-empty lines of the text. A header on its own line, as written by some tools, is not counted.
pub fn filled<'a>(source: &'a Source<'_>) -> impl Iterator<Item = &'a str> + Clone {
    let header = |line: &&str| !graph6::HEADERS.contains(line);
    source.text().lines().map(str::trim).filter(|line| !line.is_empty()).filter(header)
}

/// The graphs in text that contains several graphs, one per line; empty for any other text. Empty lines and comments are skipped.
pub fn lines(text: &str) -> Vec<&str> {
    let is_blank = |line: &&str| line.is_empty() || line.starts_with('#') || graph6::HEADERS.contains(line);
    let found = || text.split(['\n', '\r']).map(str::trim).filter(|line| !is_blank(line));
    if found().nth(1).is_some() && found().all(is_graph) { found().collect() } else { Vec::new() }
}

pub const ONE_OF_MANY: &str =
    "choose a line with `--line N`, or keep one of the lines; `kibitzer census` reads a whole file, one graph per line";

/// An error if the text is a list of several graphs, one per line.
pub fn error(source: &Source<'_>) -> Option<ParseError> {
    let second = filled(source).nth(1)?;
    if !filled(source).all(is_graph) {
        return None;
    }
    Some(several_error(source, offset_in(source.text(), second), filled(source).count(), ONE_OF_MANY))
}
