//! Graphs as JSON: an object with `vertices` and `edges`, or a string in any other format.

use std::collections::HashMap;

use super::{Builder, GraphInput, invalid_name, is_invalid_name, node_link};
use crate::text::json::{Members, Node};
use crate::text::{ParseError, Source, shorten};

/// Reads `{"vertices": 5, "edges": [[0,1],[1,2]]}`, with names instead of numbers if `vertices` lists them, or a string in any
/// format.
pub fn from_json(node: Node<'_>) -> Result<GraphInput, ParseError> {
    if let Ok(text) = node.string() {
        let inner = super::read(&Source::new(text));
        return inner.map_err(|error| node.error(format!("in this string: {error}"), error.help));
    }
    if node_link::fits(node) {
        return node_link::read(node);
    }
    from_members(node, &node.object(&["vertices", "edges"])?)
}

/// Like [`from_json`], but reads the members `vertices` and `edges` of an object that may have other members.
pub fn from_members(node: Node<'_>, members: &Members<'_>) -> Result<GraphInput, ParseError> {
    const FORM: &str = "write {\"vertices\": 3, \"edges\": [[0,1],[1,2]]}, or {\"vertices\": [\"a\",\"b\"], \"edges\": [[\"a\",\"b\"]]}";
    let edges = members.require("edges", FORM)?.array()?;
    let mut names: Option<Vec<String>> = None;
    let mut count = None;
    if let Some(vertices) = members.get("vertices") {
        count = match vertices.array() {
            Ok(list) => {
                names = Some(list.iter().map(label).collect::<Result<_, _>>()?);
                Some(list.len())
            }
            Err(_) => {
                let number = vertices.integer()?;
                Some(usize::try_from(number).map_err(|_| vertices.error(format!("there cannot be {number} vertices"), FORM))?)
            }
        };
    }
    let mut place: HashMap<&str, usize> = HashMap::new();
    for (at, name) in names.iter().flatten().enumerate() {
        if place.insert(name, at).is_some() {
            return Err(members.require("vertices", FORM)?.error(format!("the vertex {} is given twice", shorten(name)), FORM));
        }
    }
    let end = |node: &Node<'_>| -> Result<usize, ParseError> {
        let text = label(node)?;
        let found = if names.is_some() { place.get(&*text).copied() } else { text.parse().ok() };
        let found = found.filter(|&v| count.is_none_or(|count| v < count));
        found.ok_or_else(|| node.error(format!("there is no vertex {}", shorten(&text)), FORM))
    };
    let mut pairs = Vec::new();
    for edge in edges {
        match edge.array()?.as_slice() {
            [u, v] => pairs.push((end(u)?, end(v)?, edge.at())),
            ends => return Err(edge.error(format!("an edge has 2 ends, not {}", ends.len()), FORM)),
        }
    }
    let count = count.unwrap_or_else(|| pairs.iter().map(|&(u, v, _)| u.max(v).saturating_add(1)).max().unwrap_or(0));
    let mut builder = Builder::new(node.source(), count, node.at())?;
    builder.graph.set_names(Some(names.unwrap_or_else(|| (0..count).map(|v| v.to_string()).collect())));
    pairs.into_iter().try_for_each(|(u, v, at)| builder.add(u, v, at))?;
    Ok(builder.done())
}

fn label(node: &Node<'_>) -> Result<String, ParseError> {
    let text = node.string().map(str::to_owned).or_else(|_| node.integer().map(|number| number.to_string()))?;
    if is_invalid_name(&text) {
        return Err(node.error(invalid_name(&text), "use letters, digits, `_`, `.` and `'`"));
    }
    Ok(text)
}
