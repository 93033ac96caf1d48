//! The formats in which graphs are written, by name and by file extension.

use super::{dot, gml, graph6, graphml, lists, node_link};
use crate::graph::Graph;

/// A format: its description for help, and its writer.
pub struct Format {
    /// The name that `--format` accepts.
    pub name: &'static str,
    /// File extensions, without the dot.
    pub endings: &'static [&'static str],
    pub about: &'static str,
    /// True if vertex names are also written.
    pub names: bool,
    pub write: fn(&Graph) -> String,
}

/// All formats, in the order in which help lists them.
pub const FORMATS: &[Format] = &[
    Format { name: "dot", endings: &["dot", "gv"], about: "DOT, for Graphviz", names: true, write: dot::write },
    Format { name: "graphml", endings: &["graphml"], about: "GraphML, for Gephi, yEd, igraph", names: true, write: graphml::write },
    Format { name: "gml", endings: &["gml"], about: "GML", names: true, write: gml::write },
    Format { name: "json", endings: &["json"], about: "node-link JSON, for networkx and D3", names: true, write: node_link::write },
    Format {
        name: "graph6",
        endings: &["g6"],
        about: "graph6, for nauty and SageMath",
        names: false,
        write: |graph| graph6::write(graph) + "\n",
    },
    Format { name: "sparse6", endings: &["s6"], about: "sparse6", names: false, write: |graph| graph6::write_sparse(graph) + "\n" },
    Format { name: "edges", endings: &["edgelist", "edges"], about: "networkx's edge list", names: true, write: lists::write_edges },
    Format { name: "adjacency", endings: &["adjlist"], about: "networkx's adjacency list", names: true, write: lists::write_adjacency },
    Format {
        name: "list",
        endings: &["txt"],
        about: "`a:b b:a,c c:b`, the notation of the games",
        names: true,
        write: |graph| lists::write(graph) + "\n",
    },
];

/// Writes a document that consists of a head, every vertex, every edge, and an end.
pub fn parts(graph: &Graph, head: &str, vertex: impl Fn(usize) -> String, edge: impl Fn(usize, usize) -> String, end: &str) -> String {
    let body = (0..graph.len()).map(vertex).chain(graph.edges().map(|(u, v)| edge(u, v)));
    head.to_owned() + &body.collect::<String>() + end
}
