//! The edge-distinguishing chromatic number (EDCN): the minimum number of colors with which the whole graph can be colored so
//! that no two edges have the same label. The result includes a coloring and the reason why fewer colors do not suffice.

use std::cmp::Reverse;

use crate::bits::bitmap::Bitmap;
use crate::graph::Graph;
use crate::limits::{Limit, Limits, Progress};
use crate::notation::counted;
use crate::rules::Cost;
use crate::sort;

/// The EDCN, a coloring with that number of colors (numbered from 1, one per vertex), and the reason why one color fewer is not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edcn {
    pub colors: usize,
    pub coloring: Vec<u16>,
    pub proof: TooFewColors,
    /// The number of steps in all searches. A step colors one vertex.
    pub nodes: u64,
}

/// The reason why a number of colors is too small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TooFewColors {
    /// The number is 0, and every graph needs at least one color.
    One,
    /// There are fewer labels than edges.
    Labels { labels: usize, edges: usize },
    /// A vertex has more neighbors than there are colors, and these neighbors need different colors.
    Degree { vertex: usize, degree: usize },
    /// The graph has `vertices` vertices of at least this degree, but the colors are enough for only `fit` of them.
    Ends { degree: usize, vertices: usize, fit: usize },
    /// Every coloring was tried.
    Exhausted { nodes: u64 },
}

impl TooFewColors {
    /// Explains why `colors` colors are too few.
    pub fn words(&self, graph: &Graph, colors: usize) -> String {
        match self {
            TooFewColors::One => "at least one color is needed".to_owned(),
            TooFewColors::Labels { labels, edges } => {
                let (labels, colors) = (counted(*labels, "label", "labels"), counted(colors, "color", "colors"));
                format!("there are {edges} edges, but only {labels} with {colors}")
            }
            TooFewColors::Degree { vertex, degree } => {
                format!("the {degree} neighbors of vertex {} need different colors", graph.name(*vertex))
            }
            TooFewColors::Ends { degree, vertices, fit } => format!(
                "each color occurs at no more than {} edge ends, so {colors} colors are enough for only {fit} vertices of degree \
                 {degree} or more, but there are {vertices}",
                colors + 1
            ),
            TooFewColors::Exhausted { nodes } => format!("an exhaustive search of {nodes} steps found no coloring with {colors} colors"),
        }
    }
}

/// A reason why this number of colors does not suffice, if one can be found quickly.
fn too_few(graph: &Graph, colors: usize) -> Option<TooFewColors> {
    if colors == 0 {
        return Some(TooFewColors::One);
    }
    let (labels, edges) = (colors * (colors + 1) / 2, graph.edge_count());
    if edges > labels {
        return Some(TooFewColors::Labels { labels, edges });
    }
    let vertex = (0..graph.len()).max_by_key(|&v| graph.degree(v))?;
    let degree = graph.degree(vertex);
    if degree > colors {
        return Some(TooFewColors::Degree { vertex, degree });
    }
    (1..=degree).find_map(|degree| {
        let vertices = (0..graph.len()).filter(|&v| graph.degree(v) >= degree).count();
        let fit = colors * ((colors + 1) / degree);
        (vertices > fit).then_some(TooFewColors::Ends { degree, vertices, fit })
    })
}

/// The result if a limit is reached: at least `lower` colors are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecided {
    pub limit: Limit,
    pub lower: usize,
}

/// The EDCN with its proof. `limits.nodes` is the maximum number of steps; a step colors one vertex.
pub fn edcn(graph: &Graph, limits: &Limits) -> Result<Edcn, Undecided> {
    let mut nodes = 0;
    let mut proof = TooFewColors::One;
    for colors in 1..=graph.len().max(1) {
        if let Some(reason) = too_few(graph, colors) {
            proof = reason;
            continue;
        }
        let before = nodes;
        let mut search = ColoringSearch::new(graph, colors, nodes);
        match search.run(limits) {
            Ok(true) => return Ok(Edcn { colors, coloring: search.color, proof, nodes: search.nodes }),
            Ok(false) => proof = TooFewColors::Exhausted { nodes: search.nodes - before },
            Err(limit) => return Err(Undecided { limit, lower: colors }),
        }
        nodes = search.nodes;
    }
    unreachable!("if every vertex has its own color, all labels differ")
}

/// The rank of an uncolored vertex; the vertex with the least rank is colored next. Vertices with colored neighbors come before all
/// others; ties are broken by the fewest choices, then by the most neighbors.
type Rank = (bool, usize, Reverse<usize>);

/// A depth-first search over colorings that colors the vertex with the fewest choices first.
struct ColoringSearch<'a> {
    graph: &'a Graph,
    colors: usize,
    color: Vec<u16>,
    /// Used labels: a symmetric matrix over colors, numbered from 0.
    labels: Bitmap,
    /// The greatest color in use.
    used: usize,
    nodes: u64,
}

impl<'a> ColoringSearch<'a> {
    fn new(graph: &'a Graph, colors: usize, nodes: u64) -> ColoringSearch<'a> {
        let labels = Bitmap::with_stride(colors, colors, colors.div_ceil(64));
        ColoringSearch { graph, colors, color: vec![0; graph.len()], labels, used: 0, nodes }
    }

    /// The colors that a vertex may get. Of the unused colors, only the first is listed.
    fn choices(&self, v: usize) -> Vec<u16> {
        let near = || self.graph.neighbors(v).iter().map(|&u| self.color[u as usize]).filter(|&color| color != 0);
        let mut seen = vec![false; self.colors + 1];
        if near().any(|color| std::mem::replace(&mut seen[color as usize], true)) {
            return Vec::new();
        }
        let allowed = |color: u16| near().all(|other| !self.labels.get(other as usize - 1, color as usize - 1));
        (1..=self.colors.min(self.used + 1) as u16).filter(|&color| allowed(color)).collect()
    }

    /// Marks as used the labels that result from giving a vertex this color. A second call marks them as unused again.
    fn flip(&mut self, v: usize, color: u16) {
        for &u in self.graph.neighbors(v) {
            let other = self.color[u as usize];
            if other != 0 {
                self.labels.flip(color as usize - 1, other as usize - 1);
                if color != other {
                    self.labels.flip(other as usize - 1, color as usize - 1);
                }
            }
        }
    }

    /// Returns whether there is a coloring.
    fn run(&mut self, limits: &Limits) -> Result<bool, Limit> {
        // The vertices in the order in which they were colored, each with the colors still to try and with the greatest color in
        // use before it was colored.
        let mut stack: Vec<(usize, Vec<u16>, usize)> = Vec::new();
        match self.next() {
            None => return Ok(true),
            Some((v, choices)) => stack.push((v, choices, self.used)),
        }
        while let Some((v, choices, used)) = stack.last_mut() {
            let v = *v;
            let choice = choices.pop();
            if self.color[v] != 0 {
                self.used = *used;
                let color = std::mem::take(&mut self.color[v]);
                self.flip(v, color);
            }
            let Some(color) = choice else {
                stack.pop();
                continue;
            };
            self.nodes += 1;
            limits.check()?;
            if self.nodes >= limits.nodes {
                return Err(Limit::Nodes);
            }
            if self.nodes.is_multiple_of(1024) {
                limits.report(&Progress { expanded: self.nodes, lower: self.colors as Cost, ..Progress::default() })?;
            }
            self.flip(v, color);
            self.color[v] = color;
            self.used = self.used.max(color as usize);
            match self.next() {
                None => return Ok(true),
                Some((v, choices)) => stack.push((v, choices, self.used)),
            }
        }
        Ok(false)
    }

    /// The uncolored vertex with the least [`Rank`], and its choices. The best choice, the color with the most unused labels, is last.
    fn next(&self) -> Option<(usize, Vec<u16>)> {
        let mut best: Option<(Rank, usize, Vec<u16>)> = None;
        for v in (0..self.color.len()).filter(|&v| self.color[v] == 0) {
            let alone = self.graph.neighbors(v).iter().all(|&u| self.color[u as usize] == 0);
            if alone && best.as_ref().is_some_and(|((alone, ..), ..)| !alone) {
                continue;
            }
            let choices = self.choices(v);
            let rank = (alone, choices.len(), Reverse(self.graph.degree(v)));
            if choices.is_empty() {
                return Some((v, choices));
            }
            if best.as_ref().is_none_or(|(other, ..)| rank < *other) {
                best = Some((rank, v, choices));
            }
        }
        let (_, v, mut choices) = best?;
        let taken = |color: &u16| self.labels.row(*color as usize - 1).iter().map(|word| word.count_ones()).sum::<u32>();
        sort::by_key(&mut choices, |color| Reverse(taken(color)));
        Some((v, choices))
    }
}
