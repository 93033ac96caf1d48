//! Node-link JSON, as networkx's `node_link_data` and D3 have it: a list `nodes`, and edges as `links` or `edges`.

use super::named::{Named, directed};
use super::{Reading, json};
use crate::graph::Graph;
use crate::text::json::Node;
use crate::text::{ParseError, Source, shorten};

const FORM: &str = "node-link JSON is {\"nodes\": [{\"id\": 0}, {\"id\": 1}], \"links\": [{\"source\": 0, \"target\": 1}]}";

/// Whether a value has the form of node-link JSON.
pub fn fits(node: Node<'_>) -> bool {
    node.entries().is_ok_and(|entries| entries.iter().any(|(key, _)| *key == "nodes"))
}

pub fn read(node: Node<'_>) -> Result<Reading, ParseError> {
    let entries = node.entries()?;
    let get = |key: &str| entries.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
    // Errors of readers of text, which have another place here.
    let empty = Source::new("");
    if let Some(value) = get("directed").filter(|value| value.boolean() == Ok(true)) {
        let error = directed(&empty, 0, "this graph");
        return Err(value.error(error.message, error.help));
    }
    let require = |keys: [&str; 2]| {
        let found = keys.iter().find_map(|key| get(key));
        found.ok_or_else(|| node.error(format!("the key `{}` is missing", keys[0]), FORM))
    };
    let nodes = require(["nodes", "nodes"])?.array()?;
    // The ends of edges are matched by what they are in JSON: 1 and "1" are different vertices there.
    let mut named = Named::new(&empty);
    let mut names = Vec::with_capacity(nodes.len());
    for vertex in &nodes {
        let id = member(vertex, "id")?;
        let (key, name) = identity(id)?;
        let at_vertex = |error: ParseError| id.error(error.message, error.help);
        named.declare(&key, 0).map_err(at_vertex)?;
        names.push(name);
    }
    let mut pairs = Vec::new();
    for edge in require(["links", "edges"])?.array()? {
        let end = |key: &str| -> Result<usize, ParseError> {
            let id = member(&edge, key)?;
            let (key, name) = identity(id)?;
            let missing = || id.error(format!("there is no vertex {}", shorten(&name)), "add it to `nodes`, or remove this edge");
            named.find(&key).map(|v| v as usize).ok_or_else(missing)
        };
        pairs.push((end("source")?, end("target")?, edge));
    }
    named.rename(names);
    let names = named.names().map_err(|error| node.error(error.message, error.help))?;
    json::build(node, names, pairs)
}

fn member<'a>(node: &Node<'a>, key: &str) -> Result<Node<'a>, ParseError> {
    let found = node.entries()?.into_iter().find(|(name, _)| *name == key);
    found.map(|(_, value)| value).ok_or_else(|| node.error(format!("the key `{key}` is missing"), FORM))
}

/// A unique key of a vertex, and its name. A list, which stands for a tuple, is named by its parts.
fn identity(node: Node<'_>) -> Result<(String, String), ParseError> {
    if let Ok(text) = node.string() {
        return Ok((format!("\"{text}"), text.to_owned()));
    }
    if let Ok(number) = node.number() {
        return Ok((number.to_owned(), number.to_owned()));
    }
    let Ok(parts) = node.array() else {
        return Err(node.error("this cannot be a vertex", "a vertex is a number, a string, or a list of these"));
    };
    let parts: Vec<(String, String)> = parts
        .into_iter()
        .map(|part| match part.array() {
            Ok(_) => Err(part.error("this cannot be a part of a vertex", "give numbers and strings")),
            Err(_) => identity(part),
        })
        .collect::<Result<_, _>>()?;
    let joined = |of: fn(&(String, String)) -> &str| parts.iter().map(of).collect::<Vec<_>>().join(",");
    Ok((format!("[{}", joined(|part| &part.0)), joined(|part| &part.1)))
}

/// The graph as networkx's `node_link_graph(data, edges="links")` reads it; vertices are strings.
pub fn write(graph: &Graph) -> String {
    let nodes: Vec<_> = (0..graph.len()).map(|v| serde_json::json!({"id": graph.name(v)})).collect();
    let links: Vec<_> = graph.edges().map(|(u, v)| serde_json::json!({"source": graph.name(u), "target": graph.name(v)})).collect();
    let object = serde_json::json!({"directed": false, "multigraph": false, "graph": {}, "nodes": nodes, "links": links});
    format!("{object}\n")
}
