//! The Edge-Distinguishing Game: two players color the vertices of a graph in turn; no two edges with both ends colored may
//! have the same pair of colors; a player who cannot move loses.
//!
//! A board gives the color of every vertex; 0 means uncolored. The unused labels (pairs of colors) are stored as rows of bits: bit
//! `b` of `free[a]` is set while the label {a, b} is unused. The rows are recomputed for every board, which is faster than copying
//! them.

mod boards;
mod drawing;
mod edcn;
mod folding;
mod key;
#[doc(hidden)] // public for the tests
pub mod labels;
mod lesson;
mod notation;
mod outline;
mod primer;
mod reduce;
mod tools;

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::OnceLock;

use drawing::Figure;
pub use edcn::{Edcn, TooFewColors, Undecided, edcn};
use folding::SymmetryFold;
use serde_json::{Map, Value, json};

use crate::bits::{low_mask, ones};
use crate::graph::Graph;
use crate::graph::places::Layout;
use crate::limits::{Limit, Limits};
use crate::outcome::AnswerField;
use crate::rules::{EmitKey, Game, GameFacts, Keys, Outline, Pack, Rules, Score, keys_after, same_fact};

/// The maximum number of vertices and of colors: a row of bits is one word.
pub const MOST: usize = 64;

/// The colors of all vertices, numbered from 1; 0 means uncolored. Entries after the graph's last vertex are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Coloring([u8; MOST]);

impl Deref for Coloring {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for Coloring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let used = self.0.iter().rposition(|&color| color != 0).map_or(0, |at| at + 1);
        write!(f, "{:?}", &self.0[..used])
    }
}

/// A move: color a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    vertex: u8,
    /// The color, numbered from 1.
    color: u8,
}

/// One board: a graph, a number of colors, normal or misère play, and a starting position.
#[derive(Clone, Debug)]
pub struct Edge {
    graph: Graph,
    /// The graph's family name, if the graph was given by name.
    name: Option<String>,
    colors: usize,
    /// The minimum number of colors with its proof; `None` if the number of colors was given.
    edcn: Option<Edcn>,
    misere: bool,
    start: Coloring,
    edges: Vec<(u8, u8)>,
    /// The neighbors of each vertex, as a bit mask.
    near: Vec<u64>,
    folding: SymmetryFold,
    /// The positions of vertices that were placed by hand.
    layout: Layout,
    /// The layout of the drawing; computed on first use.
    figure: OnceLock<Figure>,
}

/// Unused labels: bit `b` of row `a` stands for the label {a, b}. Colors are numbered from 0.
type Labels = [u64; MOST];

impl Edge {
    fn new(graph: Graph, colors: usize, limits: &Limits) -> Result<Edge, Limit> {
        assert!(graph.len() <= MOST && colors <= MOST);
        let edges = graph.edges().map(|(u, v)| (u as u8, v as u8)).collect();
        let near = (0..graph.len()).map(|v| graph.row(v).first().copied().unwrap_or(0)).collect();
        let folding = SymmetryFold::new(&graph, colors, limits)?;
        let start = Coloring([0; MOST]);
        let (layout, figure) = (Layout::default(), OnceLock::new());
        Ok(Edge { graph, name: None, colors, edcn: None, misere: false, start, edges, near, folding, layout, figure })
    }

    /// The game on a graph, starting from the empty board, for tests and tools.
    pub fn on(graph: Graph, colors: usize, misere: bool) -> Edge {
        let edge = Edge::new(graph, colors, &Limits::none()).expect("there are no limits");
        Edge { misere, ..edge }
    }

    fn vertices(&self) -> usize {
        self.near.len()
    }

    #[inline]
    fn free(&self, board: &Coloring) -> Labels {
        let mut free = [0; MOST];
        free[..self.colors].fill(low_mask(self.colors));
        for &(u, v) in &self.edges {
            let (a, b) = (board[u as usize] as usize, board[v as usize] as usize);
            if a != 0 && b != 0 {
                free[a - 1] &= !(1 << (b - 1));
                free[b - 1] &= !(1 << (a - 1));
            }
        }
        free
    }

    /// The colors of a vertex's neighbors, and the colors that the vertex may get now, both as bit masks.
    #[inline]
    fn choices(&self, board: &Coloring, free: &Labels, vertex: usize) -> (u64, u64) {
        let (mut border, mut allowed) = (0u64, low_mask(self.colors));
        for near in ones(self.near[vertex]) {
            let color = board[near] as usize;
            if color != 0 {
                // Two neighbors of the same color would produce the same label twice, whatever color the vertex gets.
                allowed &= if border >> (color - 1) & 1 == 1 { 0 } else { free[color - 1] };
                border |= 1 << (color - 1);
            }
        }
        (border, allowed)
    }
}

/// Two edges with the same label, if there are any. Color 0 means uncolored.
fn clash<C: Copy + Into<u16>>(graph: &Graph, colors: &[C]) -> Option<[(usize, usize); 2]> {
    let mut seen = HashMap::new();
    for (u, v) in graph.edges() {
        let (a, b) = (colors[u].into(), colors[v].into());
        if a != 0
            && b != 0
            && let Some(other) = seen.insert((a.min(b), a.max(b)), (u, v))
        {
            return Some([other, (u, v)]);
        }
    }
    None
}

impl Pack<Edge> for Coloring {
    fn bytes(rules: &Edge) -> usize {
        // If there are few colors, two vertices share a byte.
        if rules.colors < 16 { rules.vertices().div_ceil(2) } else { rules.vertices() }
    }

    fn pack(&self, rules: &Edge, out: &mut [u8]) {
        match rules.colors < 16 {
            true => out.iter_mut().enumerate().for_each(|(at, byte)| *byte = self.0[2 * at] | self.0[2 * at + 1] << 4),
            false => out.copy_from_slice(&self.0[..rules.vertices()]),
        }
    }

    fn unpack(rules: &Edge, bytes: &[u8]) -> Self {
        let mut board = Coloring([0; MOST]);
        match rules.colors < 16 {
            true => bytes.iter().enumerate().for_each(|(at, byte)| (board.0[2 * at], board.0[2 * at + 1]) = (byte & 15, byte >> 4)),
            false => board.0[..bytes.len()].copy_from_slice(bytes),
        }
        board
    }
}

impl Rules for Edge {
    type State = Coloring;
    type Move = Mark;

    fn start(&self) -> Coloring {
        self.start
    }

    fn moves(&self, board: &Coloring, out: &mut Vec<Mark>) {
        let free = self.free(board);
        for vertex in (0..self.vertices()).filter(|&v| board[v] == 0) {
            let (_, allowed) = self.choices(board, &free, vertex);
            out.extend(ones(allowed).map(|color| Mark { vertex: vertex as u8, color: color as u8 + 1 }));
        }
    }

    #[inline]
    fn apply(&self, board: &Coloring, mark: &Mark) -> Coloring {
        let mut after = *board;
        after.0[mark.vertex as usize] = mark.color;
        after
    }

    fn canonical(&self, board: Coloring) -> Coloring {
        self.folding.canonical(&board)
    }

    #[inline]
    fn layer(&self, board: &Coloring) -> Option<u32> {
        Some(board[..self.vertices()].iter().map(|&color| u32::from(color != 0)).sum())
    }

    fn orbit(&self, canonical: &Coloring) -> u64 {
        self.folding.orbit(canonical)
    }
}

impl Game for Edge {
    const FACTS: GameFacts<Self> = GameFacts {
        fields: &[
            AnswerField { name: "colors", about: "number of colors" },
            AnswerField {
                name: "coloring",
                about: "a coloring with this number of colors, if this is the graph's edge-distinguishing chromatic number",
            },
        ],
        of: Edge::facts,
        judge: Edge::judge_fact,
    };

    const KEYS: Keys<Self> = Keys { key: reduce::key, successors: Edge::successors };

    const OUTLINE: Outline<Self> = Outline { position: outline::outline, data: Edge::data };

    #[inline]
    fn terminal(&self, board: &Coloring) -> Option<Score> {
        let free = self.free(board);
        let playable = |vertex: usize| board[vertex] == 0 && self.choices(board, &free, vertex).1 != 0;
        (!(0..self.vertices()).any(playable)).then_some(if self.misere { Score::Win } else { Score::Loss })
    }

    fn impartial(&self) -> bool {
        !self.misere
    }
}

impl Edge {
    /// Moves that leave the opponent the fewest moves are listed first: on paths and cycles, this reduces the number of
    /// positions searched to a third.
    fn successors(&self, board: &Coloring, moves: &[Mark], skip: usize, emit: EmitKey<'_, Mark>) {
        if !reduce::successors(self, board, moves, skip, emit) {
            keys_after(self, board, moves, skip, emit);
        }
    }

    fn data(&self, board: &Coloring) -> Map<String, Value> {
        let data = json!({
            "vertices": self.vertices(), "edges": self.edges, "colors": self.colors, "misere": self.misere,
            "position": board[..self.vertices()],
        });
        data.as_object().cloned().unwrap_or_default()
    }

    fn facts(&self) -> Map<String, Value> {
        let mut facts = Map::from_iter([("colors".to_owned(), json!(self.colors))]);
        if let Some(edcn) = &self.edcn {
            facts.insert("coloring".to_owned(), json!(edcn.coloring));
        }
        facts
    }

    /// Accepts any complete coloring without a clash, if the number of colors is known to be the minimum.
    fn judge_fact(&self, name: &str, value: &Value) -> Option<Result<(), String>> {
        if name != "coloring" {
            return same_fact(&self.facts(), name, value);
        }
        let mut board = Coloring([0; MOST]);
        let (vertices, most) = (self.vertices(), self.colors as u64);
        let color = |value: &Value| value.as_u64().filter(|color| (1..=most).contains(color)).map(|color| color as u8);
        let list = value.as_array().filter(|list| list.len() == vertices);
        let Some(colors) = list.and_then(|list| list.iter().map(color).collect::<Option<Vec<u8>>>()) else {
            return Some(Err(format!("`coloring` does not give each of the {vertices} vertices a color from 1 to {most}")));
        };
        board.0[..vertices].copy_from_slice(&colors);
        if let Some([one, other]) = clash(&self.graph, &board) {
            let edge = |(u, v): (usize, usize)| format!("{}-{}", self.graph.name(u), self.graph.name(v));
            return Some(Err(format!("`coloring` gives the edges {} and {} the same pair of colors", edge(one), edge(other))));
        }
        self.edcn.as_ref().map(|_| Ok(()))
    }
}
