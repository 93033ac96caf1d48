//! Simple undirected graphs, suitable both for thousands of small graphs and for large graphs that fit in memory.
//!
//! A graph stores all neighbors twice, as sorted lists and as rows of bits, because searches ask "is there an edge?" and "which vertices
//! are adjacent?" equally often. [`families`] builds graphs by name, [`formats`] reads and writes them, [`symmetry`] finds automorphisms
//! and canonical forms, [`layout`] computes coordinates for drawing, and [`places`] stores coordinates chosen by hand.

pub mod families;
pub mod formats;
pub mod layout;
pub mod places;
pub mod symmetry;

use crate::bits::bit;

/// Maximum number of vertices. With more vertices, the rows of bits would take over 128 MiB.
pub const MOST_VERTICES: usize = 32_768;
/// Maximum number of edges in the input. With more edges, the lists would take over 128 MiB.
pub const MOST_EDGES: usize = 16_000_000;

/// A graph without loops or repeated edges. Vertices are numbered from 0 and may have names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Number of words per row of bits.
    words: usize,
    rows: Vec<u64>,
    neighbors: Vec<Vec<u32>>,
    edges: usize,
    /// The names in the input, if it names the vertices.
    names: Option<Vec<String>>,
    /// The first name, if the names are consecutive whole numbers from 0 or 1.
    counts_from: Option<usize>,
}

impl Graph {
    /// A graph without edges.
    ///
    /// # Panics
    /// If there are more than [`MOST_VERTICES`] vertices.
    pub fn empty(vertices: usize) -> Graph {
        assert!(vertices <= MOST_VERTICES, "{vertices} vertices are too many");
        let words = vertices.div_ceil(64);
        Graph { words, rows: vec![0; vertices * words], neighbors: vec![Vec::new(); vertices], edges: 0, names: None, counts_from: None }
    }

    /// The graph with these edges. An edge that is given twice counts once. Takes O(n + m log m) steps for n vertices and m
    /// edges.
    ///
    /// # Panics
    /// If an edge is a loop or names a vertex that does not exist, or if there are more than [`MOST_VERTICES`] vertices.
    pub fn from_edges(vertices: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Graph {
        Graph::collect(vertices, &mut edges.into_iter())
    }

    /// Like [`Graph::from_edges`], but compiled only once, not for every iterator type.
    fn collect(vertices: usize, edges: &mut dyn Iterator<Item = (usize, usize)>) -> Graph {
        let mut graph = Graph::empty(vertices);
        edges.for_each(|(u, v)| _ = graph.append(u, v));
        graph.finish()
    }

    /// Appends an edge in constant time. Returns `false` if it is already present in either direction. Call [`Graph::finish`] after
    /// the last edge. Before that call, an edge appended as (u, v) sets only the bit (u, v), and neighbors are not sorted.
    fn append(&mut self, u: usize, v: usize) -> bool {
        !self.has_edge(v, u) && self.append_arc(u, v)
    }

    /// Like [`Graph::append`], but adds only one direction of an edge. Both directions together count as one edge.
    fn append_arc(&mut self, u: usize, v: usize) -> bool {
        assert!(u != v, "an edge has two different ends");
        if self.has_edge(u, v) {
            return false;
        }
        self.set_bit(u, v);
        if !self.has_edge(v, u) {
            self.neighbors[u].push(v as u32);
            self.neighbors[v].push(u as u32);
            self.edges += 1;
        }
        true
    }

    fn finish(mut self) -> Graph {
        let mut neighbors = std::mem::take(&mut self.neighbors);
        for (u, list) in neighbors.iter_mut().enumerate() {
            list.sort_unstable();
            list.shrink_to_fit();
            list.iter().for_each(|&v| self.set_bit(u, v as usize));
        }
        Graph { neighbors, ..self }
    }

    /// Adds an edge. Returns `false` if it is already present. The number of steps is proportional to the degrees of the two
    /// vertices; for many edges at once, use [`Graph::from_edges`].
    ///
    /// # Panics
    /// If `u` and `v` are the same vertex, or one of them does not exist.
    pub fn add_edge(&mut self, u: usize, v: usize) -> bool {
        assert!(u != v, "an edge has two different ends");
        if self.has_edge(u, v) {
            return false;
        }
        for (from, to) in [(u, v), (v, u)] {
            self.set_bit(from, to);
            let list = &mut self.neighbors[from];
            let at = list.partition_point(|&other| (other as usize) < to);
            list.insert(at, to as u32);
        }
        self.edges += 1;
        true
    }

    fn set_bit(&mut self, row: usize, at: usize) {
        self.rows[row * self.words + at / 64] |= 1 << (at % 64);
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.neighbors.len()
    }

    pub fn is_empty(&self) -> bool {
        self.neighbors.is_empty()
    }

    pub fn edge_count(&self) -> usize {
        self.edges
    }

    /// Every edge once, in ascending order, with the smaller end first.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let above = |u: usize| self.neighbors[u].iter().map(|&v| v as usize).filter(move |&v| v > u);
        (0..self.len()).flat_map(move |u| above(u).map(move |v| (u, v)))
    }

    pub fn has_edge(&self, u: usize, v: usize) -> bool {
        bit(self.row(u), v)
    }

    /// The neighbors of a vertex, in ascending order.
    pub fn neighbors(&self, v: usize) -> &[u32] {
        &self.neighbors[v]
    }

    /// The neighbors of a vertex as a row of bits, 64 per word.
    pub fn row(&self, v: usize) -> &[u64] {
        &self.rows[v * self.words..(v + 1) * self.words]
    }

    pub fn degree(&self, v: usize) -> usize {
        self.neighbors[v].len()
    }

    pub fn max_degree(&self) -> usize {
        (0..self.len()).map(|v| self.degree(v)).max().unwrap_or(0)
    }

    /// The name of a vertex. The default name is a letter (`a` to `z`, `A` to `Z`) in graphs with up to 52 vertices, and a number in
    /// larger graphs.
    pub fn name(&self, v: usize) -> String {
        match (&self.names, letter(v)) {
            (Some(names), _) => names[v].clone(),
            (None, Some(letter)) if self.len() <= 52 => letter.to_string(),
            _ => v.to_string(),
        }
    }

    /// The name of a vertex in the input, unless the names are only consecutive numbers.
    pub fn own_name(&self, v: usize) -> Option<&str> {
        self.names.as_ref().filter(|_| self.counts_from.is_none()).map(|names| names[v].as_str())
    }

    /// The number of the first vertex, if the names are consecutive whole numbers from 0 or 1. Such names add no information to the
    /// vertex numbers, so games that number vertices themselves ignore them.
    pub fn counts_from(&self) -> Option<usize> {
        self.counts_from
    }

    /// True if the input names the vertices, even if only by numbers.
    pub fn is_named(&self) -> bool {
        self.names.is_some()
    }

    /// Names all vertices; names should be distinct. `None` restores the default names.
    ///
    /// # Panics
    /// If the number of names differs from the number of vertices.
    pub fn set_names(&mut self, names: Option<Vec<String>>) {
        assert!(names.as_ref().is_none_or(|names| names.len() == self.len()), "one name per vertex");
        let counts = |names: &Vec<String>, first: &usize| names.iter().enumerate().all(|(v, name)| name.parse() == Ok(v + first));
        self.counts_from = names.as_ref().and_then(|names| [0, 1].into_iter().find(|first| counts(names, first)));
        self.names = names;
    }

    /// The vertex with this name. Takes time linear in the number of vertices.
    pub fn find(&self, name: &str) -> Option<usize> {
        (0..self.len()).find(|&v| self.name(v) == name)
    }

    /// The same graph with vertex `v` renumbered to `to[v]`, where `to` is a permutation. Vertices keep their names.
    pub fn relabeled(&self, to: &[u32]) -> Graph {
        let mut graph = Graph::from_edges(self.len(), self.edges().map(|(u, v)| (to[u] as usize, to[v] as usize)));
        if let Some(names) = &self.names {
            let mut moved = names.clone();
            names.iter().zip(to).for_each(|(name, &to)| moved[to as usize].clone_from(name));
            graph.set_names(Some(moved));
        }
        graph
    }

    /// A graph with these edges and `vertices` vertices, named like this graph: vertices that exist here keep their names, and new
    /// vertices are named by the first unused numbers.
    fn redrawn(&self, vertices: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Graph {
        let mut graph = Graph::from_edges(vertices, edges);
        if let Some(names) = &self.names {
            let mut names: Vec<String> = names.iter().take(vertices).cloned().collect();
            let mut numbers = vertices..;
            while names.len() < vertices {
                names.extend(numbers.next().map(|n| n.to_string()).filter(|name| !names.contains(name)));
            }
            graph.set_names(Some(names));
        }
        graph
    }

    /// This graph with an edge added, or removed if it is present; `None` for a loop.
    pub fn with_toggled(&self, u: usize, v: usize) -> Option<Graph> {
        let edge = (u.min(v), u.max(v));
        let added = (!self.has_edge(u, v)).then_some(edge);
        (u != v).then(|| self.redrawn(self.len(), self.edges().filter(|&other| other != edge).chain(added)))
    }

    /// This graph with the given number of vertices: the last vertices are removed, or new vertices without edges are added.
    pub fn resized(&self, vertices: usize) -> Graph {
        self.redrawn(vertices, self.edges().filter(|&(_, v)| v < vertices))
    }

    /// For each vertex, the number of its connected component. Components are numbered from 0 in the order of their least
    /// vertices.
    pub fn parts(&self) -> Vec<usize> {
        let mut part = vec![usize::MAX; self.len()];
        let mut count = 0;
        for root in 0..self.len() {
            if part[root] != usize::MAX {
                continue;
            }
            let mut open = vec![root];
            part[root] = count;
            while let Some(v) = open.pop() {
                for &next in &self.neighbors[v] {
                    if part[next as usize] == usize::MAX {
                        part[next as usize] = count;
                        open.push(next as usize);
                    }
                }
            }
            count += 1;
        }
        part
    }

    /// True if there is a path between any two vertices. The empty graph counts as connected.
    pub fn is_connected(&self) -> bool {
        self.parts().iter().all(|&part| part == 0)
    }
}

/// The letter of a vertex: lowercase letters first, then capitals.
fn letter(v: usize) -> Option<char> {
    (b'a'..=b'z').chain(b'A'..=b'Z').nth(v).map(char::from)
}
