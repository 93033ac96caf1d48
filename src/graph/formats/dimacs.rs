//! DIMACS, the format of graph coloring benchmarks: `p edge 5 4`, then `e 1 2`; lines that begin with `c` are comments.

use super::{Builder, GraphInput, Word, lines, words};
use crate::text::{ParseError, Source, counted, shorten};

const FORM: &str = "DIMACS has one `p edge VERTICES EDGES` line, then lines such as `e 1 2`, with vertices from 1";

pub fn begins(line: &str) -> bool {
    line.starts_with("p edge ") || line.starts_with("p col ")
}

/// True if the text is DIMACS. A leading `c` or `p` is not enough, because an edge list may begin with a vertex of that name.
pub fn fits(text: &str) -> bool {
    let is_edge = |line: &str| {
        let mut words = line.split_whitespace();
        words.next() == Some("e") && words.clone().count() == 2 && words.all(|word| word.parse::<usize>().is_ok())
    };
    text.lines().any(begins) || matches!(text.split_whitespace().next(), Some("p" | "c")) && text.lines().any(is_edge)
}

/// Reads a graph. Some files contain every edge in both directions, which does not count as a repeat.
pub fn read(source: &Source<'_>) -> Result<GraphInput, ParseError> {
    let mut builder: Option<(Builder<'_>, usize, usize)> = None;
    let mut edges_given = 0;
    for (offset, line) in lines(source.text()) {
        let mut words = words(line).map(|(place, word)| (offset + place, word));
        let Some(first) = words.next() else { continue };
        if first.1 == "c" {
            continue;
        }
        let rest = [words.next(), words.next(), words.next(), words.next()];
        match (first.1, rest, &mut builder) {
            ("p", [Some((_, "edge" | "col")), Some(vertices), Some(edges), None], None) => {
                let new = Builder::named(source, (0..number(source, vertices)?).map(|v| (v + 1).to_string()), vertices.0)?;
                builder = Some((new, number(source, edges)?, edges.0));
            }
            ("p", _, Some(_)) if begins(line) => {
                let count = source.text().lines().filter(|line| begins(line)).count();
                return Err(super::several_error(source, first.0, count, "keep one of them, from its `p edge …` line up to the next one"));
            }
            ("e", [Some(u), Some(v), None, _], Some((builder, ..))) => {
                let most = builder.graph.len();
                let end = |word: Word<'_>| match number(source, word)? {
                    vertex if vertex == 0 || vertex > most => {
                        Err(source.error(word.0, format!("there is no vertex {vertex}; vertices are numbered 1 to {most}"), FORM))
                    }
                    vertex => Ok(vertex - 1),
                };
                edges_given += 1;
                builder.add_arc(end(u)?, end(v)?, u.0)?;
            }
            _ => return Err(source.error(first.0, format!("unexpected line `{}`", shorten(line.trim())), FORM)),
        }
    }
    let (builder, declared, place) = builder.ok_or_else(|| source.error(0, "the `p edge …` line is missing", FORM))?;
    if declared != edges_given && declared != builder.graph.edge_count() {
        let declared = counted(declared, "edge", "edges");
        return Err(source.error(place, format!("the `p` line declares {declared}, but the text has {edges_given}"), FORM));
    }
    Ok(builder.done())
}

fn number(source: &Source<'_>, (at, word): Word<'_>) -> Result<usize, ParseError> {
    word.parse().map_err(|_| source.error(at, format!("`{}` is not a whole number", shorten(word)), FORM))
}
