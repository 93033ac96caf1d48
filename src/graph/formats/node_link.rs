//! Node-link JSON, as in networkx's `node_link_data` and D3: a list `nodes`, and edges as `links` or `edges`.

use super::GraphInput;
use super::named::{Named, directed};
use crate::graph::Graph;
use crate::text::ParseError;
use crate::text::json::Node;

const FORM: &str = "node-link JSON is {\"nodes\": [{\"id\": 0}, {\"id\": 1}], \"links\": [{\"source\": 0, \"target\": 1}]}";

pub fn fits(node: Node<'_>) -> bool {
    node.entries().is_ok_and(|entries| entries.iter().any(|(key, _)| *key == "nodes"))
}

pub fn read(node: Node<'_>) -> Result<GraphInput, ParseError> {
    let entries = node.entries()?;
    let get = |key: &str| entries.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
    if let Some(value) = get("directed").filter(|value| value.boolean() == Ok(true)) {
        return Err(directed(value.source(), value.at(), "this graph"));
    }
    let missing = |key: &str| node.error(format!("the key `{key}` is missing"), FORM);
    // The ends of edges are matched by their JSON values: 1 and "1" are different vertices.
    let mut named = Named::new(node.source());
    for vertex in get("nodes").ok_or_else(|| missing("nodes"))?.array()? {
        let id = member(&vertex, "id")?;
        let (key, name) = identity(id)?;
        named.declare(&key, &name, id.at())?;
    }
    for edge in get("links").or_else(|| get("edges")).ok_or_else(|| missing("links"))?.array()? {
        let end = |key: &str| {
            let id = member(&edge, key)?;
            let (key, name) = identity(id)?;
            named.require(&key, &name, id.at())
        };
        let (u, v) = (end("source")?, end("target")?);
        named.edge(u, v, edge.at());
    }
    named.done()
}

fn member<'a>(node: &Node<'a>, key: &str) -> Result<Node<'a>, ParseError> {
    let found = node.entries()?.into_iter().find(|(name, _)| *name == key);
    found.map(|(_, value)| value).ok_or_else(|| node.error(format!("the key `{key}` is missing"), FORM))
}

/// A unique key for a vertex, and its name. A list, which represents a tuple, is named by its parts.
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
            Ok(_) => Err(part.error("this cannot be part of a vertex", "use numbers and strings")),
            Err(_) => identity(part),
        })
        .collect::<Result<_, _>>()?;
    let joined = |of: fn(&(String, String)) -> &str| parts.iter().map(of).collect::<Vec<_>>().join(",");
    Ok((format!("[{}", joined(|part| &part.0)), joined(|part| &part.1)))
}

/// Writes the graph for networkx's `node_link_graph(data, edges="links")`. Vertices are strings.
pub fn write(graph: &Graph) -> String {
    let nodes: Vec<_> = (0..graph.len()).map(|v| serde_json::json!({"id": graph.name(v)})).collect();
    let links: Vec<_> = graph.edges().map(|(u, v)| serde_json::json!({"source": graph.name(u), "target": graph.name(v)})).collect();
    let object = serde_json::json!({"directed": false, "multigraph": false, "graph": {}, "nodes": nodes, "links": links});
    format!("{object}\n")
}
