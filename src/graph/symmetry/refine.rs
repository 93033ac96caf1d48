//! Ordered partitions of the vertices, refined until all vertices of a cell have the same number of neighbors in every cell.

use crate::graph::Graph;
use crate::sort;

/// An ordered partition: a sequence of the vertices, cut into cells.
#[derive(Clone)]
pub struct Partition {
    row: Vec<u32>,
    /// The position of each vertex in the sequence.
    place: Vec<u32>,
    /// For each position, the start of its cell.
    begin: Vec<u32>,
    /// For each start of a cell, the length of the cell.
    length: Vec<u32>,
}

impl Partition {
    /// Partitions the vertices by color, and refines the partition. Also returns a number that is the same for isomorphic graphs.
    pub fn new(graph: &Graph, colors: &[u32]) -> (Partition, u64) {
        let n = graph.len();
        let mut row: Vec<u32> = (0..n as u32).collect();
        sort::by_key(&mut row, |&v| colors[v as usize]);
        let mut partition = Partition { place: vec![0; n], begin: vec![0; n], length: vec![0; n], row };
        let mut mark = 0;
        let mut from = 0;
        let mut open = Vec::new();
        for to in 1..=n {
            let ends = to == n || colors[partition.row[to] as usize] != colors[partition.row[from] as usize];
            if ends {
                mark = mix(mark, u64::from(colors[partition.row[from] as usize]));
                mark = mix(mark, (to - from) as u64);
                partition.cut(from, to);
                open.push(from as u32);
                from = to;
            }
        }
        (0..n).for_each(|at| partition.place[partition.row[at] as usize] = at as u32);
        let mark = partition.refine(graph, open, mark);
        (partition, mark)
    }

    fn cut(&mut self, from: usize, to: usize) {
        self.begin[from..to].fill(from as u32);
        self.length[from] = (to - from) as u32;
    }

    /// The first of the smallest cells with more than one vertex.
    pub fn target(&self) -> Option<usize> {
        let mut target = None;
        let mut at = 0;
        while at < self.row.len() {
            let length = self.length[at] as usize;
            if length > 1 && target.is_none_or(|(_, least)| length < least) {
                target = Some((at, length));
            }
            at += length;
        }
        target.map(|(at, _)| at)
    }

    /// The vertices of the cell that begins at `at`, in ascending order.
    pub fn cell(&self, at: usize) -> Vec<u32> {
        let mut cell = self.row[at..at + self.length[at] as usize].to_vec();
        cell.sort_unstable();
        cell
    }

    /// Places `v` before the other vertices in its cell, and refines the partition. Returns a number that is the same for all images of
    /// `v` under automorphisms that preserve the partition.
    pub fn choose(&mut self, graph: &Graph, v: u32) -> u64 {
        let at = self.place[v as usize] as usize;
        let begin = self.begin[at] as usize;
        let end = begin + self.length[begin] as usize;
        let other = self.row[begin];
        self.row.swap(begin, at);
        (self.place[v as usize], self.place[other as usize]) = (begin as u32, at as u32);
        self.cut(begin, begin + 1);
        self.cut(begin + 1, end);
        self.refine(graph, vec![begin as u32], begin as u64)
    }

    /// Splits cells by the number of neighbors that their vertices have in the cells of `open`, until no cell splits.
    fn refine(&mut self, graph: &Graph, mut open: Vec<u32>, mut mark: u64) -> u64 {
        let n = self.row.len();
        let mut counts = vec![0u32; n];
        let mut waiting = vec![false; n];
        open.iter().for_each(|&at| waiting[at as usize] = true);
        let mut next = 0;
        let mut touched: Vec<u32> = Vec::new();
        let mut cells: Vec<u32> = Vec::new();
        while next < open.len() {
            let splitter = open[next] as usize;
            next += 1;
            waiting[splitter] = false;
            let members = self.row[splitter..splitter + self.length[splitter] as usize].to_vec();
            touched.clear();
            for &v in members.iter().flat_map(|&v| graph.neighbors(v as usize)) {
                if counts[v as usize] == 0 {
                    touched.push(v);
                }
                counts[v as usize] += 1;
            }
            cells.clear();
            cells.extend(touched.iter().map(|&v| self.begin[self.place[v as usize] as usize]));
            cells.sort_unstable();
            cells.dedup();
            mark = mix(mark, splitter as u64);
            for &cell in &cells {
                let (from, to) = (cell as usize, cell as usize + self.length[cell as usize] as usize);
                self.row[from..to].sort_unstable_by_key(|&v| counts[v as usize]);
                let mut begin = from;
                let mut pieces: Vec<(usize, usize)> = Vec::new();
                for at in from + 1..=to {
                    let count = counts[self.row[at - 1] as usize];
                    if at == to || counts[self.row[at] as usize] != count {
                        mark = mix(mix(mark, u64::from(count)), (begin * n + at) as u64);
                        pieces.push((begin, at));
                        begin = at;
                    }
                }
                (from..to).for_each(|at| self.place[self.row[at] as usize] = at as u32);
                if pieces.len() == 1 {
                    continue;
                }
                // If the whole cell was not waiting to be used as a splitter, its largest piece need not be one.
                let skip = if waiting[from] {
                    usize::MAX
                } else {
                    (0..pieces.len()).rev().max_by_key(|&at| pieces[at].1 - pieces[at].0).unwrap_or(0)
                };
                for (at, &(begin, end)) in pieces.iter().enumerate() {
                    self.cut(begin, end);
                    if at != skip && !waiting[begin] {
                        waiting[begin] = true;
                        open.push(begin as u32);
                    }
                }
            }
            touched.iter().for_each(|&v| counts[v as usize] = 0);
        }
        mark
    }
}

fn mix(mark: u64, value: u64) -> u64 {
    (mark.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A partition into single vertices: a labeling, and the graph relabeled by it.
#[derive(Clone)]
pub struct Leaf {
    pub path: Vec<u32>,
    pub marks: Vec<u64>,
    /// The position of every vertex.
    pub place: Vec<u32>,
    row: Vec<u32>,
    /// The edges between positions, sorted.
    pub form: Vec<(u32, u32)>,
}

impl Leaf {
    pub fn new(graph: &Graph, partition: &Partition, marks: &[u64], path: &[u32]) -> Leaf {
        let place = partition.place.clone();
        let moved = |(u, v): (usize, usize)| (place[u].min(place[v]), place[u].max(place[v]));
        let mut form: Vec<(u32, u32)> = graph.edges().map(moved).collect();
        form.sort_unstable();
        Leaf { path: path.to_vec(), marks: marks.to_vec(), row: partition.row.clone(), place, form }
    }

    /// The permutation that maps this labeling to the other one.
    pub fn to(&self, other: &Leaf) -> Vec<u32> {
        self.place.iter().map(|&place| other.row[place as usize]).collect()
    }
}
