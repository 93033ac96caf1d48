//! Graphs as JSON: an object with `vertices` and `edges`, or a string in any other format.

use std::collections::HashMap;

use super::{LOOP_HELP, MOST_REPEATS, NO_VERTICES, NO_VERTICES_HELP, REPEAT_HELP, Reading, is_invalid_name, loop_message, repeat_message};
use crate::graph::{Bulk, MOST_VERTICES};
use crate::text::json::{Members, Node};
use crate::text::{ParseError, Source, shorten};

/// `{"vertices": 5, "edges": [[0,1],[1,2]]}`, names instead of numbers if `vertices` lists them, or a string in any format.
pub fn from_json(node: Node<'_>) -> Result<Reading, ParseError> {
    if let Ok(text) = node.string() {
        let inner = super::read(&Source::new(text));
        return inner.map_err(|error| node.error(format!("in this string: {error}"), error.help));
    }
    if super::node_link::fits(node) {
        return super::node_link::read(node);
    }
    from_members(node, &node.object(&["vertices", "edges"])?)
}

/// Like [`from_json`], but from the members `vertices` and `edges` of an object that may have others.
pub fn from_members(node: Node<'_>, members: &Members<'_>) -> Result<Reading, ParseError> {
    const FORM: &str = "write {\"vertices\": 3, \"edges\": [[0,1],[1,2]]}, or {\"vertices\": [\"a\",\"b\"], \"edges\": [[\"a\",\"b\"]]}";
    let edges = members.require("edges", FORM)?.array()?;
    let mut names: Option<Vec<String>> = None;
    let mut count = 0;
    if let Some(vertices) = members.get("vertices") {
        match vertices.array() {
            Ok(list) => {
                count = list.len();
                names = Some(list.iter().map(label).collect::<Result<_, _>>()?);
            }
            Err(_) => {
                let number = vertices.integer()?;
                count = usize::try_from(number).map_err(|_| vertices.error(format!("there cannot be {number} vertices"), FORM))?;
            }
        }
    }
    let mut pairs = Vec::new();
    let mut place: HashMap<String, u32> = HashMap::new();
    for (name, at) in names.iter().flatten().zip(0..) {
        if place.insert(name.clone(), at).is_some() {
            return Err(members.require("vertices", FORM)?.error(format!("the vertex {} is given twice", shorten(name)), FORM));
        }
    }
    for edge in edges {
        let ends = edge.array()?;
        let [u, v] = ends.as_slice() else {
            return Err(edge.error(format!("an edge has 2 ends, not {}", ends.len()), FORM));
        };
        let end = |node: &Node<'_>| -> Result<usize, ParseError> {
            let text = label(node)?;
            let found = if names.is_some() { place.get(&text).map(|&at| at as usize) } else { text.parse().ok() };
            let found = found.filter(|&v: &usize| members.get("vertices").is_none() || v < count);
            found.ok_or_else(|| node.error(format!("there is no vertex {}", shorten(&text)), FORM))
        };
        pairs.push((end(u)?, end(v)?, edge));
    }
    if members.get("vertices").is_none() {
        count = pairs.iter().map(|&(u, v, _)| u.max(v).saturating_add(1)).max().unwrap_or(0);
    }
    if count > MOST_VERTICES {
        return Err(node.error(format!("{count} vertices are too many"), format!("a graph may have up to {MOST_VERTICES} vertices")));
    }
    build(node, names.unwrap_or_else(|| (0..count).map(|v| v.to_string()).collect()), pairs)
}

/// The graph with these vertices and edges, which have their places in the JSON.
pub fn build(node: Node<'_>, names: Vec<String>, pairs: Vec<(usize, usize, Node<'_>)>) -> Result<Reading, ParseError> {
    if names.is_empty() {
        return Err(node.error(NO_VERTICES, NO_VERTICES_HELP));
    }
    let mut bulk = Bulk::new(names.len());
    bulk.graph.set_names(Some(names));
    let mut repeats = Vec::new();
    for (u, v, edge) in pairs {
        if u == v {
            return Err(edge.error(loop_message(&bulk.graph.name(u)), LOOP_HELP));
        }
        if !bulk.add(u, v) && repeats.len() < MOST_REPEATS {
            repeats.push(edge.error(repeat_message(&bulk.graph, u, v), REPEAT_HELP));
        }
    }
    Ok(Reading { graph: bulk.finish(), repeats })
}

fn label(node: &Node<'_>) -> Result<String, ParseError> {
    let text = node.string().map(str::to_owned).or_else(|_| node.integer().map(|number| number.to_string()))?;
    if is_invalid_name(&text) {
        return Err(node.error(format!("`{}` cannot be the name of a vertex", shorten(&text)), "use letters, digits, `_`, `.` and `'`"));
    }
    Ok(text)
}
