//! Graphs as text: which format a text is in, and the formats that people type. [`graph6`] has the packed ones.
//!
//! Every error names its place. A loop is always an error. A repeated edge is kept apart in [`Reading::repeats`], since some
//! callers merge it with a note and others refuse it.

pub mod graph6;

use std::collections::HashMap;

use super::{Graph, MOST_EDGES, MOST_VERTICES, families};
use crate::notation::json::{self, Members, Node};
use crate::notation::{ParseError, Source, shorten};

/// A graph that was read, and what was odd about its text.
#[derive(Clone, Debug)]
pub struct Reading {
    pub graph: Graph,
    /// An error for every edge that was given again.
    pub repeats: Vec<ParseError>,
}

impl Reading {
    /// The graph, unless an edge was repeated.
    pub fn simple(mut self) -> Result<Graph, ParseError> {
        match self.repeats.is_empty() {
            true => Ok(self.graph),
            false => Err(self.repeats.swap_remove(0)),
        }
    }
}

/// What can be written for a graph, in one line for help.
pub const HELP: &str = "a graph is a family's name (P5, C7, K4, K3,4, S6, W5, Q3, grid3x3, ladder4, petersen), graph6 or sparse6, \
                        edges (`0-1 1-2`), a letter list (`a:b b:a,c c:b`), a matrix of 0 and 1, DIMACS or JSON";

/// Collects edges, and tells loops and repeats.
pub(crate) struct Builder<'a> {
    source: &'a Source<'a>,
    graph: Graph,
    repeats: Vec<ParseError>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(source: &'a Source<'a>, vertices: usize, at: usize) -> Result<Self, ParseError> {
        if vertices > MOST_VERTICES {
            let help = format!("a graph has at most {MOST_VERTICES} vertices here");
            return Err(source.error(at, format!("{vertices} vertices are too many"), help));
        }
        Ok(Builder { source, graph: Graph::empty(vertices), repeats: Vec::new() })
    }

    fn name(&mut self, names: Vec<String>) {
        self.graph.set_names(Some(names));
    }

    pub(crate) fn add(&mut self, u: usize, v: usize, at: usize) -> Result<(), ParseError> {
        let (first, second) = (self.graph.name(u), self.graph.name(v));
        if u == v {
            let message = format!("a loop: vertex {} is joined to itself", shorten(&first));
            return Err(self.source.error(at, message, "remove this edge: simple graphs have no loops"));
        }
        if self.graph.edge_count() >= MOST_EDGES {
            return Err(self.source.error(at, "too many edges", format!("a graph has at most {MOST_EDGES} edges here")));
        }
        if !self.graph.add_edge(u, v) && self.repeats.len() < 1000 {
            let message = format!("the edge {}-{} is given twice", shorten(&first), shorten(&second));
            self.repeats.push(self.source.error(at, message, "remove one of the two: simple graphs have no repeated edges"));
        }
        Ok(())
    }

    pub(crate) fn done(self) -> Reading {
        Reading { graph: self.graph, repeats: self.repeats }
    }
}

/// Reads a graph in any format.
pub fn read(source: &Source<'_>) -> Result<Reading, ParseError> {
    let text = source.text().trim();
    let at = source.text().len() - source.text().trim_start().len();
    if text.is_empty() {
        return Err(source.error(0, "there is no graph", HELP));
    }
    let first_word = text.split_whitespace().next().unwrap_or_default();
    match text.as_bytes()[0] {
        b'{' => return json::read(source, from_json),
        b'<' => return Err(source.error(at, "XML is not read here", HELP)),
        b'>' | b':' => return graph6::read(source),
        _ => {}
    }
    if matches!(first_word, "p" | "c") || text.lines().any(|line| line.starts_with("p edge ") || line.starts_with("p col ")) {
        return dimacs(source);
    }
    if !text.contains(char::is_whitespace) && graph6::fits(text.as_bytes()) {
        return graph6::read(source);
    }
    if !text.contains('\n')
        && let Some(named) = families::by_name(text)
    {
        let graph = named.map_err(|error| source.error(at, error.message, error.help))?;
        return Ok(Reading { graph, repeats: Vec::new() });
    }
    let words: Vec<Word<'_>> = words(source.text()).collect();
    if words.iter().any(|(_, word)| word.contains(':')) {
        return letter_list(source);
    }
    if is_matrix(source.text()) {
        return matrix(source);
    }
    let all_graph6 = text.bytes().all(|byte| (63..=126).contains(&byte));
    if words.len() == 1 && all_graph6 && !text.contains('-') {
        return graph6::read(source);
    }
    edge_list(source)
}

/// A word and where it stands.
type Word<'a> = (usize, &'a str);

/// The words of a text with their offsets; commas and semicolons separate, too.
fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let separates = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let offset = move |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split(separates).filter(|word| !word.is_empty()).map(move |word| (offset(word), word))
}

/// `0-1 1-2 3`, or two ends to a line; a single vertex has no edge. Names may be any words; numbers are sorted as such.
fn edge_list(source: &Source<'_>) -> Result<Reading, ParseError> {
    const EDGES: &str = "write edges as `0-1 1-2`, or two vertices to a line; a single vertex stands alone";
    let text = source.text();
    // The ends of each edge with their offsets; a vertex alone is an edge without a second end.
    let mut found: Vec<(Word<'_>, Option<Word<'_>>)> = Vec::new();
    let has_dash = text.contains('-');
    let mut line_at = 0;
    for line in text.split_inclusive('\n') {
        let words: Vec<Word<'_>> = words(line).map(|(at, word)| (line_at + at, word)).collect();
        line_at += line.len();
        if !has_dash {
            match words.as_slice() {
                [] => {}
                [alone] => found.push((*alone, None)),
                [u, v] => found.push((*u, Some(*v))),
                [_, _, third, ..] => return Err(source.error(third.0, "more than two vertices on a line without `-`", EDGES)),
            }
            continue;
        }
        for (at, word) in words {
            let ends: Vec<&str> = word.split('-').collect();
            match ends.as_slice() {
                [alone] => found.push(((at, alone), None)),
                [u, v] if !u.is_empty() && !v.is_empty() => found.push(((at, u), Some((at, v)))),
                _ => return Err(source.error(at, format!("`{}` is no edge", shorten(word)), EDGES)),
            }
        }
    }
    let mut names: Vec<&str> = found.iter().flat_map(|(u, v)| std::iter::once(u.1).chain(v.map(|v| v.1))).collect();
    if let Some((at, strange)) = words(text).find(|(_, word)| word.contains(|c: char| !c.is_alphanumeric() && !"-_.'".contains(c))) {
        return Err(source.error(at, format!("`{}` is no graph", shorten(strange)), HELP));
    }
    // One word that is not an edge is more likely a mistake than a vertex.
    if let ([((at, word), None)], false) = (found.as_slice(), has_dash) {
        return Err(source.error(*at, format!("`{}` is no graph", shorten(word)), HELP));
    }
    let number = |name: &str| name.parse::<u64>().ok();
    if names.iter().all(|name| number(name).is_some()) {
        names.sort_by_key(|name| number(name));
        names.dedup_by_key(|name| number(name));
    } else {
        names.sort_unstable();
        names.dedup();
    }
    let mut builder = Builder::new(source, names.len(), 0)?;
    builder.name(names.iter().map(|&name| name.to_owned()).collect());
    let mut place: HashMap<&str, usize> = names.iter().enumerate().map(|(at, &name)| (name, at)).collect();
    for (u, v) in found {
        // Numbers may be written with zeros before them.
        for end in std::iter::once(u).chain(v) {
            if !place.contains_key(end.1) {
                let same = names.iter().position(|name| number(name) == number(end.1)).unwrap_or_default();
                place.insert(end.1, same);
            }
        }
        if let Some(v) = v {
            builder.add(place[u.1], place[v.1], u.0)?;
        }
    }
    Ok(builder.done())
}

/// `a:b b:a,c c:b`: each vertex and its neighbors. A vertex that has an entry must list everyone who lists it.
fn letter_list(source: &Source<'_>) -> Result<Reading, ParseError> {
    const LIST: &str = "write each vertex and its neighbors: `a:b b:a,c c:b`";
    let text = source.text();
    let separates = |c: char| c.is_whitespace() || c == ';';
    let mut entries: Vec<(usize, &str, Vec<Word<'_>>)> = Vec::new();
    for word in text.split(separates).filter(|word| !word.is_empty()) {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        match word.split_once(':') {
            Some((name, list)) if !name.is_empty() && !list.contains(':') => {
                let list_at = at + name.len() + 1;
                entries.push((at, name, words(list).map(|(offset, other)| (list_at + offset, other)).collect()));
            }
            // `a: b, c` with spaces.
            None if !entries.is_empty() => {
                let entry = entries.last_mut().expect("there is one");
                entry.2.extend(words(word).map(|(offset, other)| (at + offset, other)));
            }
            _ => return Err(source.error(at, format!("`{}` is no entry of a list", shorten(word)), LIST)),
        }
    }
    let mut place: HashMap<&str, usize> = HashMap::new();
    let mut names: Vec<String> = Vec::new();
    for (at, name, _) in &entries {
        if is_strange(name) {
            return Err(source.error(*at, format!("`{}` is no vertex", shorten(name)), LIST));
        }
        if place.insert(name, names.len()).is_some() {
            return Err(source.error(*at, format!("vertex {} has two entries", shorten(name)), "put all its neighbors into one"));
        }
        names.push((*name).to_owned());
    }
    let own = names.len();
    for (at, other) in entries.iter().flat_map(|entry| &entry.2) {
        if is_strange(other) {
            return Err(source.error(*at, format!("`{}` is no vertex", shorten(other)), LIST));
        }
        if !place.contains_key(other) {
            place.insert(other, names.len());
            names.push((*other).to_owned());
        }
    }
    let mut builder = Builder::new(source, names.len(), 0)?;
    builder.name(names);
    let listed: Vec<Vec<usize>> = entries.iter().map(|entry| entry.2.iter().map(|(_, other)| place[other]).collect()).collect();
    for (v, (_, name, others)) in entries.iter().enumerate() {
        for (at_list, (at, other)) in others.iter().enumerate() {
            let u = place[other];
            if u < own && !listed[u].contains(&v) {
                let message = format!("{} lists {}, but {} does not list {}", shorten(name), shorten(other), shorten(other), shorten(name));
                return Err(source.error(*at, message, "an edge stands in both entries; add it there or remove it here"));
            }
            // The second of the two places where an edge stands is not a repetition.
            if u >= v || u >= own || listed[v][..at_list].contains(&u) {
                builder.add(v, u, *at)?;
            }
        }
    }
    Ok(builder.done())
}

fn is_matrix(text: &str) -> bool {
    let rows: Vec<usize> = text.lines().map(|line| bits(line).count()).filter(|&count| count > 0).collect();
    let plain = text.chars().all(|c| c == '0' || c == '1' || c.is_whitespace() || ",;[]".contains(c));
    plain && rows.len() >= 2 && rows.iter().all(|&count| count == rows.len())
}

fn bits(line: &str) -> impl Iterator<Item = (usize, u8)> {
    line.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'0' | b'1')).map(|(at, byte)| (at, byte - b'0'))
}

/// Rows of 0 and 1, one to a line, with or without spaces; the diagonal is ignored. Vertices keep their numbers.
pub fn matrix(source: &Source<'_>) -> Result<Reading, ParseError> {
    const MATRIX: &str = "write as many rows as columns of 0 and 1, the same above and below the diagonal";
    let mut rows: Vec<(usize, Vec<(usize, u8)>)> = Vec::new();
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        if let Some((offset, _)) = line.char_indices().find(|(_, c)| !c.is_whitespace() && !"01,;[]".contains(*c)) {
            return Err(source.error(at + offset, "a matrix has only 0 and 1", MATRIX));
        }
        let row: Vec<(usize, u8)> = bits(line).map(|(offset, bit)| (at + offset, bit)).collect();
        if !row.is_empty() {
            rows.push((at, row));
        }
        at += line.len();
    }
    if let Some((at, row)) = rows.iter().find(|(_, row)| row.len() != rows.len()) {
        return Err(source.error(*at, format!("a row of {} in a matrix of {} rows", row.len(), rows.len()), MATRIX));
    }
    let mut builder = Builder::new(source, rows.len(), 0)?;
    builder.name((0..rows.len()).map(|v| v.to_string()).collect());
    for u in 0..rows.len() {
        for v in u + 1..rows.len() {
            let (here, there) = (rows[u].1[v], rows[v].1[u]);
            if here.1 != there.1 {
                return Err(source.error(there.0, format!("entry {v},{u} is not what entry {u},{v} is"), MATRIX));
            }
            if here.1 == 1 {
                builder.add(u, v, here.0)?;
            }
        }
    }
    Ok(builder.done())
}

/// DIMACS: `p edge 5 4` and `e 1 2`; `c` starts a remark. Some files have every edge in both directions.
fn dimacs(source: &Source<'_>) -> Result<Reading, ParseError> {
    const FORM: &str = "DIMACS has one line `p edge VERTICES EDGES`, then lines `e 1 2` with vertices from 1";
    let mut builder: Option<(Builder<'_>, usize, usize)> = None;
    let mut directed: std::collections::HashSet<(usize, usize)> = std::collections::HashSet::new();
    let (mut at, mut lines) = (0, 0);
    for line in source.text().split_inclusive('\n') {
        let words: Vec<Word<'_>> = words(line).map(|(offset, word)| (at + offset, word)).collect();
        at += line.len();
        let number = |(at, word): &Word<'_>| {
            word.parse::<usize>().map_err(|_| source.error(*at, format!("`{}` is not a whole number", shorten(word)), FORM))
        };
        match (words.as_slice(), &mut builder) {
            ([] | [(_, "c"), ..], _) => {}
            ([(_, "p"), (_, "edge" | "col"), vertices, edges], None) => {
                let mut new = Builder::new(source, number(vertices)?, vertices.0)?;
                new.name((1..=number(vertices)?).map(|v| v.to_string()).collect());
                builder = Some((new, number(edges)?, edges.0));
            }
            ([(_, "e"), u, v], Some((builder, ..))) => {
                let (a, b) = (number(u)?, number(v)?);
                for (place, vertex) in [(u.0, a), (v.0, b)] {
                    if vertex == 0 || vertex > builder.graph.len() {
                        let message = format!("there is no vertex {vertex}: they are 1 to {}", builder.graph.len());
                        return Err(source.error(place, message, FORM));
                    }
                }
                lines += 1;
                if !directed.contains(&(b, a)) || directed.contains(&(a, b)) {
                    builder.add(a - 1, b - 1, u.0)?;
                }
                directed.insert((a, b));
            }
            ([first, ..], _) => return Err(source.error(first.0, format!("`{}` does not fit here", shorten(line.trim())), FORM)),
        }
    }
    let (builder, promised, place) = builder.ok_or_else(|| source.error(0, "the line `p edge …` is missing", FORM))?;
    if promised != lines && promised != builder.graph.edge_count() {
        return Err(source.error(place, format!("{promised} edges are promised, and there are {lines}"), FORM));
    }
    Ok(builder.done())
}

/// `{"vertices": 5, "edges": [[0,1],[1,2]]}`, names instead of numbers if `vertices` lists them, or a string in any format.
pub fn from_json(node: Node<'_>) -> Result<Reading, ParseError> {
    if let Ok(text) = node.string() {
        let inner = read(&Source::new(text));
        return inner.map_err(|error| node.error(format!("in this string: {error}"), error.help));
    }
    from_members(node, &node.object(&["vertices", "edges"])?)
}

/// The same from the members `vertices` and `edges` of an object that may have others.
pub fn from_members(node: Node<'_>, members: &Members<'_>) -> Result<Reading, ParseError> {
    const FORM: &str = "write {\"vertices\": 3, \"edges\": [[0,1],[1,2]]}, or {\"vertices\": [\"a\",\"b\"], \"edges\": [[\"a\",\"b\"]]}";
    let edges = members.require("edges", FORM)?.array()?;
    let mut names: Option<Vec<String>> = None;
    let mut count = 0;
    if let Some(vertices) = members.get("vertices") {
        match vertices.array() {
            Ok(list) => {
                let list: Vec<String> = list.iter().map(label).collect::<Result<_, _>>()?;
                let mut sorted = list.clone();
                sorted.sort_unstable();
                if let Some(two) = sorted.windows(2).find(|two| two[0] == two[1]) {
                    return Err(vertices.error(format!("the vertex {} is given twice", shorten(&two[0])), FORM));
                }
                count = list.len();
                names = Some(list);
            }
            Err(_) => {
                let number = vertices.integer()?;
                count = usize::try_from(number).map_err(|_| vertices.error(format!("there cannot be {number} vertices"), FORM))?;
            }
        }
    }
    let mut pairs = Vec::new();
    let place: HashMap<&str, usize> = names.iter().flatten().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    for edge in &edges {
        let ends = edge.array()?;
        let [u, v] = ends.as_slice() else {
            return Err(edge.error(format!("an edge has 2 ends, not {}", ends.len()), FORM));
        };
        let end = |node: &Node<'_>| -> Result<usize, ParseError> {
            let text = label(node)?;
            let found = if names.is_some() { place.get(text.as_str()).copied() } else { text.parse().ok() };
            let found = found.filter(|&v: &usize| members.get("vertices").is_none() || v < count);
            found.ok_or_else(|| node.error(format!("there is no vertex {}", shorten(&text)), FORM))
        };
        pairs.push((end(u)?, end(v)?, edge));
    }
    if members.get("vertices").is_none() {
        count = pairs.iter().map(|&(u, v, _)| u.max(v).saturating_add(1)).max().unwrap_or(0);
    }
    if count > MOST_VERTICES {
        return Err(node.error(format!("{count} vertices are too many"), format!("a graph has at most {MOST_VERTICES} vertices here")));
    }
    let mut graph = Graph::empty(count);
    graph.set_names(Some(names.unwrap_or_else(|| (0..count).map(|v| v.to_string()).collect())));
    let mut repeats = Vec::new();
    for (u, v, edge) in pairs {
        let (first, second) = (graph.name(u), graph.name(v));
        if u == v {
            let message = format!("a loop: vertex {} is joined to itself", shorten(&first));
            return Err(edge.error(message, "remove this edge: simple graphs have no loops"));
        }
        if !graph.add_edge(u, v) {
            let message = format!("the edge {}-{} is given twice", shorten(&first), shorten(&second));
            repeats.push(edge.error(message, "remove one of the two: simple graphs have no repeated edges"));
        }
    }
    Ok(Reading { graph, repeats })
}

fn label(node: &Node<'_>) -> Result<String, ParseError> {
    let text = node.string().map(str::to_owned).or_else(|_| node.integer().map(|number| number.to_string()))?;
    match is_strange(&text) {
        true => Err(node.error(format!("`{}` cannot be a vertex's name", shorten(&text)), "use letters, digits, `_`, `.` and `'`")),
        false => Ok(text),
    }
}

/// Names must not hold what separates them.
fn is_strange(name: &str) -> bool {
    name.is_empty() || name.contains(|c: char| !c.is_alphanumeric() && !"_.'".contains(c))
}

/// The edges as `a-b b-c`, with vertices that have none at the end: what [`read`] reads with the same names, unless there is
/// one vertex alone.
pub fn write_edges(graph: &Graph) -> String {
    let edges = graph.edges().map(|(u, v)| format!("{}-{}", graph.name(u), graph.name(v)));
    let alone = (0..graph.len()).filter(|&v| graph.degree(v) == 0).map(|v| graph.name(v));
    edges.chain(alone).collect::<Vec<_>>().join(" ")
}

/// Every vertex with its neighbors: `a:b b:a,c c:b`. Keeps the order of the vertices, also of those without edges.
pub fn write_list(graph: &Graph) -> String {
    let entry = |v: usize| {
        let others: Vec<String> = graph.neighbors(v).iter().map(|&u| graph.name(u as usize)).collect();
        format!("{}:{}", graph.name(v), others.join(","))
    };
    (0..graph.len()).map(entry).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
