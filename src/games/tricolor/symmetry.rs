//! Automorphisms of the graph as symmetries of boards: a board and its image cost the same.
//!
//! If the automorphism group is small, every element is tried. If it is large, only twins are used. Twins are vertices that can be
//! swapped without any other change; sorting their colors handles stars and complete graphs.

use super::Colors;
use crate::bits::ones_in;
use crate::graph::{Graph, symmetry};
use crate::sort;

pub enum Symmetries {
    /// Every automorphism except the identity.
    Elements(Vec<Vec<u32>>),
    /// Classes of two or more twins.
    Twins(Vec<Vec<u32>>),
}

/// Maximum number of vertices of a graph whose symmetries are computed; on larger graphs, none are used.
const MOST_VERTICES: usize = 128;
/// Maximum number of elements to list; a larger group costs more time than it saves.
const MOST_ELEMENTS: usize = 200;

impl Symmetries {
    pub fn of(graph: &Graph) -> Symmetries {
        if graph.len() > MOST_VERTICES {
            return Symmetries::Elements(Vec::new());
        }
        match symmetry::of(graph, None).elements(MOST_ELEMENTS) {
            Some(elements) => Symmetries::Elements(elements.into_iter().skip(1).collect()),
            None => {
                let classes = symmetry::twins(graph, &vec![0; graph.len()]);
                Symmetries::Twins(classes.into_iter().map(|(_, class)| class).filter(|class| class.len() > 1).collect())
            }
        }
    }

    /// The least image of a board.
    pub fn least(&self, colors: Colors) -> Colors {
        match self {
            Symmetries::Elements(elements) => {
                let (mut least, mut other) = (colors.clone(), colors.clone());
                for element in elements {
                    write_image(&colors, element, &mut other);
                    if other.words < least.words {
                        std::mem::swap(&mut least, &mut other);
                    }
                }
                least
            }
            Symmetries::Twins(classes) => {
                let mut sorted = colors;
                for class in classes {
                    let mut here: Vec<_> = class.iter().map(|&v| sorted.get(v as usize)).collect();
                    sort::by_key(&mut here, |&color| color as u8);
                    class.iter().zip(here).for_each(|(&v, color)| sorted.set(v as usize, color));
                }
                sorted
            }
        }
    }

    /// The number of distinct images.
    pub fn orbit(&self, colors: &Colors) -> u64 {
        match self {
            Symmetries::Elements(elements) => {
                let image = |element: &Vec<u32>| {
                    let mut image = colors.clone();
                    write_image(colors, element, &mut image);
                    image.words
                };
                let mut images: Vec<Vec<u64>> = elements.iter().map(image).collect();
                images.push(colors.words.clone());
                sort::ascending(&mut images);
                images.dedup();
                images.len() as u64
            }
            Symmetries::Twins(classes) => {
                let ways = |class: &Vec<u32>| {
                    let mut seen = [0_u64; 3];
                    // A product of binomials; every intermediate result is an integer.
                    class.iter().enumerate().fold(1_u64, |ways, (at, &v)| {
                        let same = &mut seen[colors.get(v as usize) as usize];
                        *same += 1;
                        ways.saturating_mul(at as u64 + 1) / *same
                    })
                };
                classes.iter().map(ways).fold(1, u64::saturating_mul)
            }
        }
    }
}

/// Overwrites `image`, a board of the same size, with the image of a board.
fn write_image(colors: &Colors, element: &[u32], image: &mut Colors) {
    image.words.fill(0);
    let half = image.words.len() / 2;
    for (from, to) in [(colors.red(), 0), (colors.black(), half)] {
        for v in ones_in(from) {
            let v = element[v] as usize;
            image.words[to + v / 64] |= 1 << (v % 64);
        }
    }
}
