//! Graphs as adjacency matrices: rows of 0s and 1s, one row per line, with or without separators. The diagonal is ignored.

use super::{Builder, GraphInput, lines};
use crate::text::{ParseError, Source, counted};

/// True if the text looks like a square matrix of 0s and 1s.
pub fn fits(text: &str) -> bool {
    let plain = text.chars().all(|c| c == '0' || c == '1' || c.is_whitespace() || ",;[]".contains(c));
    let rows = || text.lines().map(|line| entries(line).count()).filter(|&count| count > 0);
    plain && {
        let count = rows().count();
        count > 0 && rows().all(|columns| columns == count)
    }
}

/// True if the text has several lines of 0s and 1s without spaces, so that an error about a row is the most helpful.
pub fn begins(text: &str) -> bool {
    let row = |line: &str| line.len() > 1 && line.bytes().all(|byte| matches!(byte, b'0' | b'1'));
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    text.contains('\n') && lines.all(row)
}

/// The entries of a line with their offsets.
fn entries(line: &str) -> impl Iterator<Item = (usize, bool)> {
    line.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'0' | b'1')).map(|(at, byte)| (at, byte == b'1'))
}

/// Reads a matrix. Vertices are named by their numbers, from 0.
pub fn read(source: &Source<'_>) -> Result<GraphInput, ParseError> {
    const MATRIX: &str = "write a square, symmetric matrix of 0 and 1";
    let mut rows: Vec<(usize, &str)> = Vec::new();
    for (at, line) in lines(source.text()) {
        if let Some((offset, _)) = line.char_indices().find(|(_, c)| !c.is_whitespace() && !"01,;[]".contains(*c)) {
            return Err(source.error(at + offset, "a matrix may contain only 0 and 1", MATRIX));
        }
        if entries(line).next().is_some() {
            rows.push((at, line));
        }
    }
    let n = rows.len();
    for (at, line) in &rows {
        let columns = entries(line).count();
        if columns != n {
            return Err(source.error(*at, format!("a row has length {columns}, but the matrix has {}", counted(n, "row", "rows")), MATRIX));
        }
    }
    let mut builder = Builder::named(source, (0..n).map(|v| v.to_string()), 0)?;
    for (u, (at, line)) in rows.iter().enumerate() {
        for (v, (offset, one)) in entries(line).enumerate() {
            if one && u != v {
                builder.add_arc(u, v, at + offset)?;
            }
        }
    }
    // The first entry above the diagonal, in reading order, that differs from its mirror image.
    let differs = |u: usize| (u + 1..n).find(|&v| builder.graph.has_edge(u, v) != builder.graph.has_edge(v, u));
    if let Some((u, v)) = (0..n).find_map(|u| Some((u, differs(u)?))) {
        let (at, line) = rows[v];
        let offset = entries(line).nth(u).map_or(0, |(offset, _)| offset);
        return Err(source.error(at + offset, format!("entry {v},{u} differs from entry {u},{v}"), MATRIX));
    }
    Ok(builder.done())
}
