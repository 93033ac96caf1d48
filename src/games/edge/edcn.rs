//! The edge-distinguishing chromatic number: the least number of colours with which the whole graph can be coloured so that
//! no two edges have the same label; with such a colouring, and a reason why fewer do not suffice.

use crate::graph::Graph;

/// The number, a colouring with it (from 1, by vertex), and why one colour fewer is not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edcn {
    pub colours: usize,
    pub colouring: Vec<u8>,
    pub proof: Proof,
    /// Colours put on vertices in all searches.
    pub nodes: u64,
}

/// Why a number of colours is too small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// One colour is the least there is.
    One,
    /// There are fewer labels than edges.
    Labels { labels: usize, edges: usize },
    /// The neighbours of one vertex need different colours.
    Degree { vertex: usize, degree: usize },
    /// Each colour has so many ends of edges only, too few for the vertices of that degree.
    Ends { degree: usize, vertices: usize, fit: usize },
    /// Every colouring was tried.
    Exhausted { nodes: u64 },
}

impl Proof {
    /// The reason in a sentence, for `colours` colours.
    pub fn words(&self, graph: &Graph, colours: usize) -> String {
        match self {
            Proof::One => "there is no smaller number".to_owned(),
            Proof::Labels { labels, edges } => format!("{colours} colours make {labels} labels, and there are {edges} edges"),
            Proof::Degree { vertex, degree } => {
                format!("the {degree} neighbours of vertex {} need different colours", graph.name(*vertex))
            }
            Proof::Ends { degree, vertices, fit } => format!(
                "a colour has {colours} labels, so {} ends of edges at most; with {colours} colours that is enough for {fit} vertices of degree \
                 {degree} or more, and there are {vertices}",
                colours + 1
            ),
            Proof::Exhausted { nodes } => format!("no colouring with {colours} colours exists; {nodes} steps tried them all"),
        }
    }
}

/// A quick reason why so many colours do not suffice, if there is one.
fn too_few(graph: &Graph, colours: usize) -> Option<Proof> {
    if colours == 0 {
        return Some(Proof::One);
    }
    let (labels, edges) = (colours * (colours + 1) / 2, graph.edge_count());
    if edges > labels {
        return Some(Proof::Labels { labels, edges });
    }
    let vertex = (0..graph.len()).max_by_key(|&v| graph.degree(v))?;
    let degree = graph.degree(vertex);
    if degree > colours {
        return Some(Proof::Degree { vertex, degree });
    }
    (1..=degree).find_map(|degree| {
        let vertices = (0..graph.len()).filter(|&v| graph.degree(v) >= degree).count();
        let fit = colours * ((colours + 1) / degree);
        (vertices > fit).then_some(Proof::Ends { degree, vertices, fit })
    })
}

/// The number and its witness. `go_on` is asked now and then, with the number being tried and the steps so far; the error is
/// a number of colours that is proved to be needed.
pub fn edcn(graph: &Graph, go_on: &mut dyn FnMut(usize, u64) -> bool) -> Result<Edcn, usize> {
    let mut nodes = 0;
    let mut proof = Proof::One;
    for colours in 1..=graph.len().max(1) {
        if let Some(reason) = too_few(graph, colours) {
            proof = reason;
            continue;
        }
        let before = nodes;
        let mut search = Search::new(graph, colours, nodes);
        match search.run(go_on) {
            Some(true) => return Ok(Edcn { colours, colouring: search.colour, proof, nodes: search.nodes }),
            Some(false) => proof = Proof::Exhausted { nodes: search.nodes - before },
            None => return Err(colours),
        }
        nodes = search.nodes;
    }
    unreachable!("with a colour for every vertex all labels differ")
}

/// Vertices with the least rank are coloured first: with coloured neighbours, few choices, many neighbours.
type Rank = (bool, usize, std::cmp::Reverse<usize>);

/// Depth-first over colourings, the vertex with the fewest choices first.
struct Search<'a> {
    graph: &'a Graph,
    colours: usize,
    colour: Vec<u8>,
    /// Unused labels by colour, as rows of bits.
    free: Vec<Vec<u64>>,
    /// The greatest colour in use.
    used: usize,
    nodes: u64,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, colours: usize, nodes: u64) -> Search<'a> {
        let words = colours.div_ceil(64);
        let full: Vec<u64> = (0..words).map(|word| super::ones(colours - 64 * word)).collect();
        Search { graph, colours, colour: vec![0; graph.len()], free: vec![full; colours], used: 0, nodes }
    }

    /// The colours that a vertex may get: none of a new name but the first.
    fn choices(&self, v: usize) -> Vec<u8> {
        let near = || self.graph.neighbours(v).iter().map(|&u| self.colour[u as usize]).filter(|&colour| colour != 0);
        let mut seen = vec![0u64; self.colours.div_ceil(64)];
        for colour in near() {
            let (word, bit) = ((colour as usize - 1) / 64, (colour - 1) % 64);
            if seen[word] >> bit & 1 == 1 {
                return Vec::new();
            }
            seen[word] |= 1 << bit;
        }
        let allowed = |colour: u8| near().all(|other| self.is_free(other, colour));
        (1..=self.colours.min(self.used + 1) as u8).filter(|&colour| allowed(colour)).collect()
    }

    fn is_free(&self, a: u8, b: u8) -> bool {
        self.free[a as usize - 1][(b as usize - 1) / 64] >> ((b - 1) % 64) & 1 == 1
    }

    fn flip(&mut self, v: usize, colour: u8) {
        for &u in self.graph.neighbours(v) {
            let other = self.colour[u as usize];
            if other != 0 {
                self.free[colour as usize - 1][(other as usize - 1) / 64] ^= 1 << ((other - 1) % 64);
                if colour != other {
                    self.free[other as usize - 1][(colour as usize - 1) / 64] ^= 1 << ((colour - 1) % 64);
                }
            }
        }
    }

    /// `None` if it was told to stop.
    fn run(&mut self, go_on: &mut dyn FnMut(usize, u64) -> bool) -> Option<bool> {
        // Where the search stands: vertices in the order of colouring, with the colours still to be tried.
        let mut stack: Vec<(usize, Vec<u8>, usize)> = Vec::new();
        match self.next() {
            None => return Some(true),
            Some((v, choices)) => stack.push((v, choices, self.used)),
        }
        while let Some((v, choices, used)) = stack.last_mut() {
            let v = *v;
            let choice = choices.pop();
            if self.colour[v] != 0 {
                self.used = *used;
                let colour = std::mem::take(&mut self.colour[v]);
                self.flip(v, colour);
            }
            let Some(colour) = choice else {
                stack.pop();
                continue;
            };
            self.nodes += 1;
            if self.nodes.is_multiple_of(1024) && !go_on(self.colours, self.nodes) {
                return None;
            }
            self.flip(v, colour);
            self.colour[v] = colour;
            self.used = self.used.max(colour as usize);
            match self.next() {
                None => return Some(true),
                Some((v, choices)) => stack.push((v, choices, self.used)),
            }
        }
        Some(false)
    }

    /// The uncoloured vertex with the fewest choices, those with coloured neighbours first, and its choices, the best one
    /// last: the colour with the most labels left.
    fn next(&self) -> Option<(usize, Vec<u8>)> {
        let mut best: Option<(Rank, usize, Vec<u8>)> = None;
        for v in (0..self.colour.len()).filter(|&v| self.colour[v] == 0) {
            let alone = self.graph.neighbours(v).iter().all(|&u| self.colour[u as usize] == 0);
            if alone && best.as_ref().is_some_and(|((alone, ..), ..)| !alone) {
                continue;
            }
            let choices = self.choices(v);
            let rank = (alone, choices.len(), std::cmp::Reverse(self.graph.degree(v)));
            if choices.is_empty() {
                return Some((v, choices));
            }
            if best.as_ref().is_none_or(|(other, ..)| rank < *other) {
                best = Some((rank, v, choices));
            }
        }
        let (_, v, mut choices) = best?;
        let left = |colour: &u8| self.free[*colour as usize - 1].iter().map(|word| word.count_ones()).sum::<u32>();
        choices.sort_by_key(left);
        Some((v, choices))
    }
}
