//! graph6 and sparse6, the packed text formats of nauty: six bits per printable character.

use super::{Builder, GraphInput};
use crate::graph::{Graph, MOST_VERTICES};
use crate::text::{ParseError, Source, counted, offset_in, shorten};

const HELP: &str = "graph6 is one line of the characters `?` to `~`, as printed by nauty's `geng`, and must be complete; a graph may also be given by the name of a family, such as P5";

/// The file headers of graph6 and sparse6.
pub const HEADERS: [&str; 2] = [">>graph6<<", ">>sparse6<<"];

pub fn without_header(line: &str) -> &str {
    HEADERS.iter().find_map(|header| line.strip_prefix(header)).unwrap_or(line)
}

/// The number of bits that follow the number of vertices in graph6.
fn bits(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}

/// The number of vertices, and the number of characters that encode it; `None` if these characters are cut off.
fn size(bytes: &[u8]) -> Option<(usize, usize)> {
    let number = |bytes: &[u8]| bytes.iter().fold(0usize, |sum, byte| sum << 6 | usize::from(byte - 63));
    match bytes {
        [b'~', b'~', rest @ ..] => Some((number(rest.get(..6)?), 8)),
        [b'~', rest @ ..] => Some((number(rest.get(..3)?), 4)),
        [first, ..] => Some((usize::from(first - 63), 1)),
        [] => None,
    }
}

/// True if graph6 and sparse6 use this character. Each character stands for six bits.
pub fn is_character(byte: u8) -> bool {
    (63..=126).contains(&byte)
}

/// True if this is graph6, judged by its characters and its length.
pub fn fits(bytes: &[u8]) -> bool {
    bytes.iter().copied().all(is_character)
        && size(bytes).is_some_and(|(n, used)| n <= MOST_VERTICES && bytes.len() == used + bits(n).div_ceil(6))
}

/// Reads one graph in either format, with or without its header.
pub fn read(source: &Source<'_>) -> Result<GraphInput, ParseError> {
    let text = without_header(source.text().trim());
    let needs_colon = source.text().trim().starts_with(HEADERS[1]);
    let (text, sparse) = text.strip_prefix(':').map_or((text, false), |rest| (rest, true));
    let at = offset_in(source.text(), text);
    if needs_colon && !sparse {
        return Err(source.error(at, "sparse6 begins with `:`", HELP));
    }
    let bytes = text.as_bytes();
    if let Some(wrong) = bytes.iter().position(|&byte| !is_character(byte)) {
        let character = text[text.floor_char_boundary(wrong)..].chars().next().unwrap_or(' ');
        let message = if matches!(character, '\r' | '\n') {
            "one graph is expected, but there is a second line".to_owned()
        } else {
            format!("`{}` is not a graph6 character", shorten(&character.to_string()))
        };
        return Err(source.error(at + wrong, message, HELP));
    }
    let Some((n, used)) = size(bytes) else { return Err(source.error(at, "the number of vertices is cut off", HELP)) };
    if n > MOST_VERTICES {
        return Err(super::too_many_vertices(source, at, n));
    }
    let mut builder;
    if sparse {
        builder = Builder::new(source, n, at)?;
        read_sparse(&mut builder, n, &bytes[used..], at + used)?;
    } else {
        let expected = used + bits(n).div_ceil(6);
        // The length is checked before memory of that size is allocated.
        if bytes.len() != expected {
            let (vertices, length) = (counted(n, "vertex", "vertices"), counted(expected, "character", "characters"));
            let message = format!("graph6 with {vertices} needs {length}, not {}", bytes.len());
            return Err(source.error(at + bytes.len().min(expected), message, HELP));
        }
        let unused = (expected - used) * 6 - bits(n);
        if bytes[used..].last().is_some_and(|last| (last - 63) & ((1 << unused) - 1) != 0) {
            return Err(source.error(at + expected - 1, "the unused bits at the end are not 0", HELP));
        }
        builder = Builder::new(source, n, at)?;
        read_triangle(&mut builder, &bytes[used..], at + used)?;
    }
    Ok(builder.done())
}

/// Reads the upper triangle of the matrix, column by column: for v = 1, 2, ..., the bits of the edges 0-v, 1-v, ..., (v-1)-v.
/// Characters without a set bit, which are the majority in large graphs, are skipped.
fn read_triangle(builder: &mut Builder<'_>, bytes: &[u8], at: usize) -> Result<(), ParseError> {
    let (mut u, mut v) = (0, 1);
    for (offset, byte) in bytes.iter().enumerate() {
        let six = byte - 63;
        if six == 0 {
            u += 6;
            while u >= v {
                (u, v) = (u - v, v + 1);
            }
            continue;
        }
        for bit in (0..6).rev() {
            if six >> bit & 1 == 1 {
                builder.add(u, v, at + offset)?;
            }
            u += 1;
            if u == v {
                (u, v) = (0, v + 1);
            }
        }
    }
    Ok(())
}

/// The number of bits per vertex in sparse6.
fn vertex_width(n: usize) -> usize {
    (usize::BITS - n.saturating_sub(1).leading_zeros()) as usize
}

fn read_sparse(builder: &mut Builder<'_>, n: usize, bytes: &[u8], at: usize) -> Result<(), ParseError> {
    let width = vertex_width(n);
    let mut bit = 0;
    let mut take = |count: usize| {
        (0..count).try_fold(0, |sum, _| {
            let one = usize::from(bytes.get(bit / 6)? - 63) >> (5 - bit % 6) & 1;
            bit += 1;
            Some(sum << 1 | one)
        })
    };
    let (mut v, mut edges) = (0, 0);
    while let (Some(step), Some(x)) = (take(1), take(width)) {
        v += step;
        // Padding may look like an edge beyond the last vertex.
        if v >= n || x >= n {
            break;
        }
        if x > v {
            v = x;
        } else {
            edges += 1;
            builder.add(x, v, at + (edges * (width + 1) / 6).min(bytes.len().saturating_sub(1)))?;
        }
    }
    Ok(())
}

pub fn write_sparse(graph: &Graph) -> String {
    let n = graph.len();
    let width = vertex_width(n);
    let mut bits: Vec<bool> = Vec::new();
    let mut put = |step: bool, x: usize| {
        bits.push(step);
        bits.extend((0..width).rev().map(|bit| x >> bit & 1 == 1));
    };
    let before = |v: usize| graph.neighbors(v).iter().map(|&u| u as usize).take_while(move |&u| u < v);
    let mut current = 0;
    for (v, u) in (0..n).flat_map(|v| before(v).map(move |u| (v, u))) {
        match v - current {
            0 => put(false, u),
            1 => put(true, u),
            _ => {
                put(true, v);
                put(false, u);
            }
        }
        current = v;
    }
    // The last character is padded with ones, unless these would be read as an edge from the last vertex to itself.
    let free = (6 - bits.len() % 6) % 6;
    if width < 6 && n == 1 << width && free > width && current + 2 == n {
        bits.push(false);
    }
    bits.resize(bits.len().next_multiple_of(6), true);
    format!(":{}{}", write_size(n), write_bits(bits.into_iter()))
}

fn write_size(n: usize) -> String {
    let six = |shift: usize| char::from(63 + (n >> shift & 63) as u8);
    match n {
        0..=62 => String::from(six(0)),
        _ => ['~', six(12), six(6), six(0)].iter().collect(),
    }
}

/// The error for nauty's other formats, if the text is in one of them: digraph6 (directed graphs) and incremental sparse6
/// (changes to the previous graph).
pub fn other(source: &Source<'_>, text: &str, at: usize) -> Option<ParseError> {
    if text.starts_with(">>digraph6<<") || text.starts_with('&') && text[1..].bytes().all(is_character) {
        return Some(super::named::directed(source, at, "this graph (digraph6)"));
    }
    let incremental = text.starts_with(';') && text.len() > 1 && text[1..].bytes().all(is_character);
    incremental
        .then(|| source.error(at, "incremental sparse6 is not supported", "write each graph in full, for example with nauty's `copyg -s`"))
}

pub fn write(graph: &Graph) -> String {
    write_size(graph.len()) + &write_bits((1..graph.len()).flat_map(|v| (0..v).map(move |u| graph.has_edge(u, v))))
}

/// Packs six bits per character; the last character is padded with zeros.
fn write_bits(bits: impl Iterator<Item = bool>) -> String {
    let mut text = String::new();
    let (mut six, mut filled) = (0u8, 0);
    for bit in bits {
        (six, filled) = (six << 1 | u8::from(bit), filled + 1);
        if filled == 6 {
            text.push(char::from(63 + six));
            (six, filled) = (0, 0);
        }
    }
    if filled > 0 {
        text.push(char::from(63 + (six << (6 - filled))));
    }
    text
}
