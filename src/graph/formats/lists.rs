//! Graphs as lists of words: edges (`0-1 1-2`), neighbors (`a:b b:a,c c:b`), and networkx's adjacency lists (`a b c`: a vertex
//! and its neighbors, one line per vertex).
//!
//! Edge lists can be long (millions of edges), so every word is read once and converted to a number immediately.

use std::collections::HashMap;

use super::many::{ONE_OF_MANY, filled, is_graph};
use super::{Builder, GraphInput, HELP, invalid_name, is_invalid_name, lines, words};
use crate::graph::{Graph, MOST_VERTICES, families};
use crate::sort;
use crate::text::{ParseError, Source, offset_in, shorten};

/// The distinct words of the input, numbered in order of appearance.
#[derive(Default)]
struct Names<'a> {
    names: Vec<&'a str>,
    /// For each small number without leading zeros: 1 + its index in `names`, or 0 if it is unknown. Most names in edge lists are such
    /// numbers.
    small: Vec<u32>,
    others: HashMap<&'a str, u32>,
}

impl<'a> Names<'a> {
    /// The number of a word, known or new; `None` if it cannot be a name.
    fn id(&mut self, word: &'a str) -> Option<u32> {
        let slot = match small_number(word) {
            Some(number) => {
                if self.small.len() <= number {
                    self.small.resize(number + 1, 0);
                }
                &mut self.small[number]
            }
            None if is_invalid_name(word) => return None,
            None => self.others.entry(word).or_insert(0),
        };
        if *slot == 0 {
            self.names.push(word);
            *slot = self.names.len() as u32;
        }
        Some(*slot - 1)
    }

    /// Checks that there are not too many names, to bound memory. The bound is generous, because a number may have several spellings;
    /// `Builder::new` checks the exact limit.
    fn check(&self, source: &Source<'_>, at: usize) -> Result<(), ParseError> {
        let count = self.names.len();
        if count > 32 * MOST_VERTICES { Err(super::too_many_vertices(source, at, count)) } else { Ok(()) }
    }
}

/// The value of a word that consists of up to six digits without leading zeros.
fn small_number(word: &str) -> Option<usize> {
    let canonical = word.len() <= 6 && (word.len() == 1 || !word.starts_with('0')) && !word.is_empty();
    let digit = |value: usize, byte: u8| byte.is_ascii_digit().then(|| 10 * value + usize::from(byte - b'0'));
    if canonical { word.bytes().try_fold(0, digit) } else { None }
}

/// Reads `0-1 1-2 3`, or two vertices per line. A word by itself is a vertex without edges. Names may be any words. If all names are
/// numbers, vertices are in numeric order and leading zeros do not matter; otherwise, vertices are in alphabetical order.
pub fn edges(source: &Source<'_>) -> Result<GraphInput, ParseError> {
    if let Some(plain) = without_data(source)? {
        return words_as_edges(&plain, false);
    }
    let dashes = source.text().contains('-');
    if dashes && let Some(at) = ambiguous(source.text()) {
        let help = "a dash joins two vertices: write `node_1 node_2`, or one edge per line";
        return Err(source.error(at, "these may be two edges, or two vertices with a dash in their names", help));
    }
    words_as_edges(source, dashes)
}

/// The offset of the first word, if all lines look like `node-1 node-2`: two words that begin with the same name.
fn ambiguous(text: &str) -> Option<usize> {
    let mut prefixes = words(text).map(|(_, word)| word.split_once('-').map(|(before, _)| before));
    let first = prefixes.next()??;
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let pairs = lines().count() > 1 && lines().all(|line| words(line).count() == 2);
    (pairs && small_number(first).is_none() && prefixes.all(|prefix| prefix == Some(first)))
        .then(|| words(text).next().map_or(0, |word| word.0))
}

/// Reads words as edges, with or without dashes between their ends.
fn words_as_edges(source: &Source<'_>, dashes: bool) -> Result<GraphInput, ParseError> {
    const EDGES: &str = "write edges as `0-1 1-2`, or two vertices per line; write a vertex without edges by itself";
    let mut names = Names::default();
    // The ends of each edge, and its offset. A single vertex is stored as an edge to itself; real loops have already been
    // refused.
    let mut found: Vec<(u32, u32, usize)> = Vec::new();
    let not_a_graph = |at: usize, word: &str| {
        // The input may be a list of many graphs, one of which is invalid.
        match filled(source).filter(|line| is_graph(line)).count() {
            count @ 2.. => {
                let message = format!("one graph is expected, but {count} lines are graphs; `{}` is not", shorten(word));
                source.error(at, message, ONE_OF_MANY)
            }
            _ => source.error(at, format!("`{}` is not a graph", shorten(word)), HELP),
        }
    };
    let numbered = lines(source.text())
        .flat_map(|(offset, line)| words(line).enumerate().map(move |(number, (place, word))| (number, offset + place, word)));
    for (number, at, word) in numbered {
        let mut id = |word| names.id(word).ok_or_else(|| not_a_graph(at, word));
        if dashes {
            let (u, v) = match word.split_once('-') {
                None => (word, word),
                Some((u, v)) if !u.is_empty() && !v.is_empty() && !v.contains('-') => (u, v),
                Some(_) => return Err(source.error(at, format!("`{}` is not an edge", shorten(word)), EDGES)),
            };
            found.push((id(u)?, id(v)?, at));
            if u == v && u.len() < word.len() {
                return Err(super::loop_error(source, at, u));
            }
        } else {
            let end = id(word)?;
            match found.last_mut() {
                _ if number == 0 => found.push((end, end, at)),
                Some(edge) if number == 1 => {
                    edge.1 = end;
                    if edge.0 == end {
                        return Err(super::loop_error(source, edge.2, word));
                    }
                }
                _ => return adjacency(source, at),
            }
        }
        names.check(source, at)?;
    }
    // A single longer word that is not an edge is more likely a mistake than a vertex.
    if let ([(u, v, at)], false) = (found.as_slice(), dashes)
        && u == v
        && !is_vertex(names.names[*u as usize])
    {
        return Err(not_a_graph(*at, names.names[*u as usize]));
    }
    let (mut builder, place) = ordered(source, &names.names)?;
    for (u, v, at) in found.into_iter().filter(|(u, v, _)| u != v) {
        builder.add(place[u as usize], place[v as usize], at)?;
    }
    Ok(builder.done())
}

/// True if a word by itself denotes a graph with one vertex of that name: a letter or a digit that is not the short name of a family.
pub fn is_vertex(word: &str) -> bool {
    word.chars().count() == 1 && word.contains(char::is_alphanumeric) && families::by_name(word).is_none()
}

/// The text without the dictionaries that networkx writes after each edge, as in `0 1 {'weight': 3}`. Offsets are preserved.
/// `None` if there are no dictionaries. The attributes can be dropped, because they do not affect the rules of any game.
fn without_data<'a>(source: &Source<'_>) -> Result<Option<Source<'a>>, ParseError> {
    let text = source.text();
    if !text.contains('{') {
        return Ok(None);
    }
    let mut plain = String::with_capacity(text.len());
    let mut names: HashMap<String, &str> = HashMap::new();
    for line in text.split_inclusive('\n') {
        let (edge, data) = line.split_at(line.find('{').unwrap_or(line.len()));
        if !data.is_empty() && (!data.trim_end().ends_with('}') || words(edge).count() != 2) {
            let at = plain.len() + edge.len();
            let help = "write two vertices and `{…}`; names with spaces can be read from GML, GraphML and JSON";
            return Err(source.error(at, "this `{` does not begin the data of an edge", help));
        }
        // As in other formats, characters that are not allowed in names become `_`; here they are all single bytes.
        let begin = plain.len();
        let clean = |c: char| if c.is_ascii_punctuation() && !"_.',;".contains(c) { '_' } else { c };
        plain.extend(edge.chars().map(clean));
        for (at, word) in words(edge) {
            let name = &plain[begin + at..begin + at + word.len()];
            if name != word || names.contains_key(name) {
                let before = *names.entry(name.to_owned()).or_insert(word);
                if before != word {
                    let message = format!("`{}` and `{}` would both be called `{}`", shorten(before), shorten(word), shorten(name));
                    return Err(source.error(begin + at, message, "rename one of them"));
                }
            }
        }
        plain.extend(data.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    Ok(Some(Source::owned(plain)))
}

/// Reads a vertex and its neighbors on each line, as written by networkx's `write_adjlist`. An edge may be on the line of one of its
/// ends or of both. Every vertex must have a line, which distinguishes such a list from weighted edges. `at` is the offset of the
/// third word of a line, for the error.
fn adjacency(source: &Source<'_>, at: usize) -> Result<GraphInput, ParseError> {
    let mut names = Names::default();
    // Whether each name begins a line, and the arcs with their offsets.
    let mut begins: Vec<bool> = Vec::new();
    let mut arcs: Vec<(u32, u32, usize)> = Vec::new();
    let weighted = || {
        let help = "in an edge list, write two vertices per line, without weights (`cut -d ' ' -f 1,2`); in an adjacency list, \
                    write a line for every vertex";
        Err(source.error(at, "more than two vertices on a line without `-`", help))
    };
    for (offset, line) in lines(source.text()) {
        let mut first = None;
        for (place, word) in words(line) {
            let id = names.id(word).ok_or_else(|| source.error(offset + place, invalid_name(word), HELP))?;
            begins.resize(names.names.len(), false);
            match first {
                None if std::mem::replace(&mut begins[id as usize], true) => return weighted(),
                None => first = Some(id),
                Some(v) => arcs.push((v, id, offset + place)),
            }
        }
        names.check(source, offset)?;
    }
    if begins.contains(&false) {
        return weighted();
    }
    let (mut builder, place) = ordered(source, &names.names)?;
    for (u, v, at) in arcs {
        builder.add_arc(place[u as usize], place[v as usize], at)?;
    }
    Ok(builder.done())
}

/// A graph without edges whose vertices are these names in order, and the index of each name.
fn ordered<'a>(source: &'a Source<'a>, names: &[&str]) -> Result<(Builder<'a>, Vec<usize>), ParseError> {
    let numbers: Option<Vec<u64>> = names.iter().map(|name| name.parse().ok()).collect();
    let mut order: Vec<usize> = (0..names.len()).collect();
    let same = |a: usize, b: usize| numbers.as_ref().is_some_and(|numbers| numbers[a] == numbers[b]);
    match &numbers {
        Some(numbers) => sort::by_key(&mut order, |&at| numbers[at]),
        None => sort::by_key(&mut order, |&at| names[at]),
    }
    let (mut vertices, mut place) = (Vec::new(), vec![0; names.len()]);
    for group in order.chunk_by(|&a, &b| same(a, b)) {
        group.iter().for_each(|&at| place[at] = vertices.len());
        vertices.push(names[group[0]].to_owned());
    }
    Ok((Builder::named(source, vertices.into_iter(), 0)?, place))
}

/// Reads `a:b b:a,c c:b`: each vertex and its neighbors. If a vertex has an entry, it must list all vertices that list it.
pub fn neighbors(source: &Source<'_>) -> Result<GraphInput, ParseError> {
    const LIST: &str = "write each vertex and its neighbors: `a:b b:a,c c:b`";
    let text = source.text();
    let separates = |c: char| c.is_whitespace() || c == ';';
    let mut names = Names::default();
    let invalid = |at: usize, name: &str| source.error(at, format!("`{}` is not a vertex", shorten(name)), LIST);
    // The names before the colons are read first, so that the graph begins with these vertices in the order of their entries.
    let mut lists: Vec<(usize, &str)> = Vec::new();
    for word in text.split(separates).filter(|word| !word.is_empty()) {
        let at = offset_in(text, word);
        match word.split_once(':') {
            Some((name, list)) if !name.is_empty() && !list.contains(':') => {
                if names.id(name).ok_or_else(|| invalid(at, name))? as usize != lists.len() {
                    return Err(source.error(at, format!("vertex {} has two entries", shorten(name)), "merge the two entries"));
                }
                let begin = at + name.len() + 1;
                lists.push((begin, &text[begin..at + word.len()]));
            }
            // `a: b, c` with spaces: the list continues.
            None if !lists.is_empty() => {
                let last = lists.last_mut().expect("not empty");
                last.1 = &text[last.0..at + word.len()];
            }
            _ => return Err(source.error(at, format!("`{}` is not a list entry", shorten(word)), LIST)),
        }
    }
    let entries = lists.len();
    let mut arcs: Vec<(usize, usize, usize)> = Vec::new();
    for (v, (begin, list)) in lists.iter().enumerate() {
        for (offset, other) in words(list) {
            let at = begin + offset;
            arcs.push((v, names.id(other).ok_or_else(|| invalid(at, other))? as usize, at));
        }
    }
    let mut builder = Builder::named(source, names.names.iter().map(|&name| name.to_owned()), 0)?;
    for &(v, u, at) in &arcs {
        builder.add_arc(v, u, at)?;
    }
    for (v, u, at) in arcs {
        if u < entries && !builder.graph.has_edge(u, v) {
            let (name, other) = (shorten(names.names[v]), shorten(names.names[u]));
            let message = format!("{name} lists {other}, but {other} does not list {name}");
            return Err(source.error(at, message, "an edge must be in both entries; add it there or remove it here"));
        }
    }
    Ok(builder.done())
}

/// Writes every vertex with its neighbors: `a:b b:a,c c:b`. This preserves the order of all vertices, including those without
/// edges.
pub fn write(graph: &Graph) -> String {
    let entry = |v: usize| {
        let others: Vec<String> = graph.neighbors(v).iter().map(|&u| graph.name(u as usize)).collect();
        format!("{}:{}", graph.name(v), others.join(","))
    };
    (0..graph.len()).map(entry).collect::<Vec<_>>().join(" ")
}

/// Writes a graph with one vertex as `name:` if the name alone would be read as something else.
fn write_alone(graph: &Graph) -> Option<String> {
    (graph.len() == 1 && !is_vertex(&graph.name(0))).then(|| write(graph) + "\n")
}

/// Writes networkx's edge list: two vertices per line. A vertex without edges is written on its own line.
pub fn write_edges(graph: &Graph) -> String {
    if let Some(alone) = write_alone(graph) {
        return alone;
    }
    let alone = (0..graph.len()).filter(|&v| graph.degree(v) == 0).map(|v| graph.name(v) + "\n");
    alone.chain(graph.edges().map(|(u, v)| format!("{} {}\n", graph.name(u), graph.name(v)))).collect()
}

/// Writes networkx's adjacency list: each vertex and its neighbors with higher numbers.
pub fn write_adjacency(graph: &Graph) -> String {
    if let Some(alone) = write_alone(graph) {
        return alone;
    }
    let line = |v: usize| {
        let later = graph.neighbors(v).iter().filter(|&&u| u as usize > v).map(|&u| format!(" {}", graph.name(u as usize)));
        graph.name(v) + &later.collect::<String>() + "\n"
    };
    (0..graph.len()).map(line).collect()
}
