//! A position as certificates of strategies write it: the part that can still be played, up to renaming colors. Written from the
//! definition and slowly, because it is there to be believed: it shares nothing with the keys of the search.
//!
//! * An uncolored vertex that no color fits any more is out of the game, since fewer and fewer colors fit.
//! * A colored vertex matters only as a neighbor, and through the labels that its edges have used.
//! * A label that no vertex and no edge can get any more might as well be used.
//! * A vertex none of whose neighbors can be colored, and whose labels nobody else can get, is a *free* move: whoever makes it
//!   changes nothing else. Only their number matters.
//!
//! The text has three parts, as in `0 1:2 5:1,3 | 1-1 1-2 2-3 | 1`: vertices, numbered from 0, with the colors next to them; labels
//! that can still be got; the number of free moves. Colors are numbered so that the text is the least one, among the orders in
//! which they are sorted by how they look (see [`Part::looks`]). A move is `5:2`, or `free`.

use super::{Coloring, Edge, Mark};

/// What can still be played.
struct Part<'a> {
    edge: &'a Edge,
    /// Playable vertices, with the colors next to them, and those that fit; colors from 0.
    vertices: Vec<(usize, Vec<usize>, Vec<usize>)>,
    /// `labels[a][b]`: can an edge still get this label?
    labels: Vec<Vec<bool>>,
    free: usize,
}

/// The outline of a position, and the names of moves in it.
pub fn outline(edge: &Edge, board: &Coloring, moves: &[Mark]) -> (String, Vec<String>) {
    let part = Part::new(edge, board);
    let (text, names) = part.least();
    let name = |mark: &Mark| match part.vertices.iter().any(|(v, ..)| *v == mark.vertex as usize) {
        true => format!("{}:{}", mark.vertex, names[mark.color as usize - 1] + 1),
        false => "free".to_owned(),
    };
    (text, moves.iter().map(name).collect())
}

impl<'a> Part<'a> {
    fn new(edge: &'a Edge, board: &Coloring) -> Part<'a> {
        let colors = edge.colors;
        let color = |v: usize| usize::from(board[v]).checked_sub(1);
        let mut unused = vec![vec![true; colors]; colors];
        for (u, v) in edge.graph.edges() {
            if let (Some(a), Some(b)) = (color(u), color(v)) {
                (unused[a][b], unused[b][a]) = (false, false);
            }
        }
        let mut vertices = Vec::new();
        for v in (0..edge.vertices()).filter(|&v| color(v).is_none()) {
            let mut border: Vec<usize> = edge.graph.neighbors(v).iter().filter_map(|&u| color(u as usize)).collect();
            border.sort_unstable();
            // With two neighbors of one color, whatever the vertex got would be used twice.
            let fits = |c: &usize| border.windows(2).all(|two| two[0] != two[1]) && border.iter().all(|&b| unused[b][*c]);
            let fit: Vec<usize> = (0..colors).filter(fits).collect();
            if !fit.is_empty() {
                vertices.push((v, border, fit));
            }
        }
        // How many vertices and edges can get each label.
        let mut takers = vec![vec![0; colors]; colors];
        let near = |u: usize, v: usize| edge.graph.neighbors(u).iter().any(|&w| w as usize == v);
        let of_vertex = |border: &[usize], fit: &[usize]| {
            let pairs = fit.iter().flat_map(|&c| border.iter().map(move |&b| (b.min(c), b.max(c))));
            distinct(pairs.collect())
        };
        for (at, (v, border, fit)) in vertices.iter().enumerate() {
            of_vertex(border, fit).iter().for_each(|&(a, b)| takers[a][b] += 1);
            for (u, other, fit_other) in vertices[..at].iter().filter(|(u, ..)| near(*u, *v)) {
                debug_assert_ne!(u, v);
                // A color next to one end does not fit at the other, once both are colored: its label would occur twice.
                let here = fit.iter().filter(|c| !other.contains(c));
                let pairs = here.flat_map(|&c| fit_other.iter().filter(|d| !border.contains(d)).map(move |&d| (c.min(d), c.max(d))));
                let pairs: Vec<(usize, usize)> = pairs.filter(|&(c, d)| unused[c][d]).collect();
                distinct(pairs).iter().for_each(|&(a, b)| takers[a][b] += 1);
            }
        }
        let mut free = Vec::new();
        for (v, border, fit) in &vertices {
            let own = of_vertex(border, fit);
            if vertices.iter().all(|(u, ..)| !near(*u, *v)) && own.iter().all(|&(a, b)| takers[a][b] == 1) {
                own.iter().for_each(|&(a, b)| takers[a][b] = 0);
                free.push(*v);
            }
        }
        vertices.retain(|(v, ..)| !free.contains(v));
        let labels = (0..colors).map(|a| (0..colors).map(|b| takers[a.min(b)][a.max(b)] > 0).collect()).collect();
        Part { edge, vertices, labels, free: free.len() }
    }

    /// How a color looks, whatever its name: the vertices that it is next to, whether its label with itself is left, and how many
    /// of its labels are; then the looks of the colors that it has labels with.
    fn looks(&self) -> Vec<(Look, Vec<Look>)> {
        let all = 0..self.edge.colors;
        let look = |c: usize| -> Look {
            let next_to = self.vertices.iter().filter(|(_, border, _)| border.contains(&c)).map(|(v, ..)| *v).collect();
            (next_to, self.labels[c][c], self.labels[c].iter().filter(|left| **left).count())
        };
        let looks: Vec<Look> = all.clone().map(look).collect();
        let partners = |c: usize| {
            let mut partners: Vec<Look> = all.clone().filter(|&d| self.labels[c][d]).map(|d| looks[d].clone()).collect();
            partners.sort();
            (looks[c].clone(), partners)
        };
        all.clone().map(partners).collect()
    }

    /// Would swapping two colors change nothing?
    fn alike(&self, c: usize, d: usize) -> bool {
        let swap = |e: usize| {
            if e == c {
                d
            } else if e == d {
                c
            } else {
                e
            }
        };
        let all = 0..self.edge.colors;
        let same_labels = all.clone().all(|a| all.clone().all(|b| self.labels[a][b] == self.labels[swap(a)][swap(b)]));
        same_labels && self.vertices.iter().all(|(_, border, _)| border.contains(&c) == border.contains(&d))
    }

    /// The least text, and the number of each color in it.
    fn least(&self) -> (String, Vec<usize>) {
        let looks = self.looks();
        let mut sorted: Vec<usize> = (0..self.edge.colors).collect();
        sorted.sort_by(|&c, &d| looks[c].cmp(&looks[d]));
        let mut best = None;
        self.orders(&sorted, &looks, &mut Vec::new(), &mut best);
        best.expect("there is at least one order")
    }

    /// Tries every order of colors that look the same, but for colors that can be swapped.
    fn orders(&self, left: &[usize], looks: &[(Look, Vec<Look>)], order: &mut Vec<usize>, best: &mut Option<(String, Vec<usize>)>) {
        let Some(&first) = left.first() else {
            let mut names = vec![0; order.len()];
            order.iter().enumerate().for_each(|(name, &c)| names[c] = name);
            let text = self.write(&names);
            if best.as_ref().is_none_or(|(least, _)| text < *least) {
                *best = Some((text, names));
            }
            return;
        };
        let tie: Vec<usize> = left.iter().copied().filter(|&c| looks[c] == looks[first]).collect();
        for (at, &c) in tie.iter().enumerate() {
            if tie[..at].iter().any(|&d| self.alike(c, d)) {
                continue;
            }
            let rest: Vec<usize> = left.iter().copied().filter(|&d| d != c).collect();
            order.push(c);
            self.orders(&rest, looks, order, best);
            order.pop();
        }
    }

    fn write(&self, names: &[usize]) -> String {
        let mut words = Vec::new();
        for (v, border, _) in &self.vertices {
            let mut colors: Vec<usize> = border.iter().map(|&c| names[c] + 1).collect();
            colors.sort_unstable();
            let colors: Vec<String> = colors.iter().map(usize::to_string).collect();
            words.push(if colors.is_empty() { v.to_string() } else { format!("{v}:{}", colors.join(",")) });
        }
        words.push("|".to_owned());
        let mut at = vec![0; names.len()];
        names.iter().enumerate().for_each(|(c, &name)| at[name] = c);
        for a in 0..at.len() {
            words.extend((a..at.len()).filter(|&b| self.labels[at[a]][at[b]]).map(|b| format!("{}-{}", a + 1, b + 1)));
        }
        words.push(format!("| {}", self.free));
        words.join(" ")
    }
}

type Look = (Vec<usize>, bool, usize);

fn distinct(mut pairs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
