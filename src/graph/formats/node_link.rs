//! Node-link JSON, as networkx's `node_link_data` and D3 have it: a list `nodes`, and edges as `links` or `edges`.

use super::named::{Named, directed_message};
use super::{LOOP_HELP, MOST_REPEATS, REPEAT_HELP, Reading, loop_message, repeat_message};
use crate::graph::{Bulk, Graph};
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
    if let Some(directed) = get("directed").filter(|value| value.boolean() == Ok(true)) {
        let (message, help) = directed_message();
        return Err(directed.error(message, help));
    }
    let require = |keys: [&str; 2]| {
        let found = keys.iter().find_map(|key| get(key));
        found.ok_or_else(|| node.error(format!("the key `{}` is missing", keys[0]), FORM))
    };
    let nodes = require(["nodes", "nodes"])?.array()?;
    // The ends of edges are matched by what they are in JSON: 1 and "1" are different vertices there.
    let empty = Source::new("");
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
    let mut graph = named.done().map_err(|error| node.error(error.message, error.help))?.graph;
    let names: Vec<String> = (0..graph.len()).map(|v| graph.name(v)).collect();
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
    graph = bulk.finish();
    Ok(Reading { graph, repeats })
}

fn member<'a>(node: &Node<'a>, key: &str) -> Result<Node<'a>, ParseError> {
    let found = node.entries()?.into_iter().find(|(name, _)| *name == key);
    found.map(|(_, value)| value).ok_or_else(|| node.error(format!("the key `{key}` is missing"), FORM))
}

/// What tells a vertex from others, and what it is called. A list, which stands for a tuple, is called by its parts.
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
