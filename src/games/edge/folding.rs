//! The symmetry of boards: colors may be renamed, and vertices permuted by automorphisms of the graph.
//!
//! Twins (vertices with the same neighbors) may be permuted freely. A star with ten leaves has millions of these permutations, so
//! they are not listed; the colors of twins are sorted instead. Only permutations of whole classes of twins are listed. In each
//! image, the colors are ordered by how many times they occur in each class. Colors with the same counts can be swapped without
//! changing the sorted board, so this order is sufficient. The least image is the canonical board.

use super::{Coloring, MOST};
use crate::graph::{Graph, symmetry};
use crate::limits::{Limit, Limits};
use crate::sort;

/// The maximum number of permutations of classes to list. If there are more, only colors and twins are permuted.
const MOST_WAYS: usize = 500;

#[derive(Clone, Debug)]
pub struct SymmetryFold {
    colors: usize,
    /// Classes of twins.
    classes: Vec<Vec<u8>>,
    /// Permutations of the vertices, the identity first: vertex `v` gets the color of vertex `way[v]`.
    ways: Vec<Vec<u8>>,
}

impl SymmetryFold {
    pub fn new(graph: &Graph, colors: usize, limits: &Limits) -> Result<SymmetryFold, Limit> {
        let n = graph.len();
        let narrow = |class: &[u32]| class.iter().map(|&v| v as u8).collect::<Vec<u8>>();
        let classes: Vec<Vec<u8>> = symmetry::twins(graph, &vec![0; n]).iter().map(|(_, class)| narrow(class)).collect();
        let mut class_of = vec![0; n];
        for (at, class) in classes.iter().enumerate() {
            class.iter().for_each(|&v| class_of[v as usize] = at);
        }
        let of_classes =
            |generator: &Vec<u32>| classes.iter().map(|class| class_of[generator[class[0] as usize] as usize] as u32).collect();
        let mut generators: Vec<Vec<u32>> = symmetry::within(graph, None, limits)?.generators.iter().map(of_classes).collect();
        sort::ascending(&mut generators);
        generators.dedup();
        let moved = symmetry::closure(classes.len(), &generators, MOST_WAYS);
        let moved = moved.unwrap_or_else(|| vec![(0..classes.len() as u32).collect()]);
        let way = |moved: &Vec<u32>| {
            let mut way = vec![0; n];
            for (class, &image) in classes.iter().zip(moved) {
                class.iter().zip(&classes[image as usize]).for_each(|(&v, &to)| way[v as usize] = to);
            }
            way
        };
        let ways = moved.iter().map(way).collect();
        Ok(SymmetryFold { colors, classes, ways })
    }

    pub fn canonical(&self, board: &Coloring) -> Coloring {
        let images = self.ways.iter().map(|way| self.form(board, way));
        Coloring(images.min().expect("there is the identity"))
    }

    /// The number of boards with this canonical form; [`u64::MAX`] on overflow.
    pub fn orbit(&self, canonical: &Coloring) -> u64 {
        self.count(canonical).and_then(|orbit| u64::try_from(orbit).ok()).unwrap_or(u64::MAX)
    }

    fn count(&self, canonical: &Coloring) -> Option<u128> {
        let own = self.form(canonical, &self.ways[0]);
        let fixing = self.ways.iter().filter(|way| self.form(canonical, way) == own).count();
        let mut orbit = (self.ways.len() / fixing) as u128;
        // Multiplies by the number of arrangements within each class.
        for class in &self.classes {
            let mut left = class.len() as u128;
            let mut counts = [0u128; MOST + 1];
            class.iter().for_each(|&v| counts[canonical[v as usize] as usize] += 1);
            for count in counts {
                orbit = orbit.checked_mul(binomial(left, count)?)?;
                left -= count;
            }
        }
        // Colors with the same counts in every class were counted once for each order of these colors, so the number of orders is
        // divided out.
        let signatures = self.signatures(canonical, &self.ways[0]);
        let used: Vec<&Vec<u8>> = signatures.iter().map(|(signature, _)| signature).filter(|s| s.iter().any(|&count| count > 0)).collect();
        for equal in used.chunk_by(|a, b| a == b) {
            orbit /= (2..=equal.len() as u128).try_fold(1u128, |product, at| product.checked_mul(at))?;
        }
        (0..used.len()).try_fold(orbit, |orbit, at| orbit.checked_mul((self.colors - at) as u128))
    }

    /// The colors in decreasing order of how many times they occur in each class of an image.
    fn signatures(&self, board: &Coloring, way: &[u8]) -> Vec<(Vec<u8>, u8)> {
        let mut signatures: Vec<(Vec<u8>, u8)> = (1..=self.colors as u8).map(|color| (vec![0; self.classes.len()], color)).collect();
        for (at, class) in self.classes.iter().enumerate() {
            for &v in class {
                let color = board[way[v as usize] as usize];
                if color != 0 {
                    signatures[color as usize - 1].0[at] += 1;
                }
            }
        }
        sort::by(&mut signatures, |a, b| b.0.cmp(&a.0));
        signatures
    }

    /// The least board obtained from an image by renaming colors and permuting twins.
    fn form(&self, board: &Coloring, way: &[u8]) -> [u8; MOST] {
        let mut form = [0; MOST];
        let mut name = [0u8; MOST + 1];
        if self.classes.len() == way.len() {
            // If there are no twins, colors are renamed in order of first occurrence.
            let mut names = 0;
            for (place, &from) in form.iter_mut().zip(way) {
                let color = board[from as usize] as usize;
                if color != 0 && name[color] == 0 {
                    names += 1;
                    name[color] = names;
                }
                *place = name[color];
            }
            return form;
        }
        for (rank, (_, color)) in self.signatures(board, way).iter().enumerate() {
            name[*color as usize] = rank as u8 + 1;
        }
        for class in &self.classes {
            let mut colors: Vec<u8> = class.iter().map(|&v| name[board[way[v as usize] as usize] as usize]).collect();
            colors.sort_unstable();
            class.iter().zip(colors).for_each(|(&v, color)| form[v as usize] = color);
        }
        form
    }
}

fn binomial(n: u128, k: u128) -> Option<u128> {
    (1..=k).try_fold(1u128, |product, at| Some(product.checked_mul(n + 1 - at)? / at))
}
