//! Automorphisms of the graph as symmetries of boards: a board and its image cost the same.
//!
//! A small group is gone through element by element. Of a large one only the twins are used, vertices that can be swapped
//! and nothing else changes: their colours are sorted, which settles stars and complete graphs.

use super::Colours;
use crate::graph::Graph;
use crate::graph::symmetry;

pub enum Symmetries {
    /// Every automorphism but the identity.
    Elements(Vec<Vec<u32>>),
    /// Classes of two and more twins.
    Twins(Vec<Vec<u32>>),
}

/// Larger boards are not searched, and a larger group costs more than it saves.
const MOST_VERTICES: usize = 128;
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

    /// The least of all images.
    pub fn least(&self, colours: Colours) -> Colours {
        match self {
            Symmetries::Elements(elements) => {
                let images = elements.iter().map(|element| image(&colours, element));
                let least = images.min_by(|a, b| a.words.cmp(&b.words));
                least.filter(|least| least.words < colours.words).unwrap_or(colours)
            }
            Symmetries::Twins(classes) => {
                let mut sorted = colours;
                for class in classes {
                    let mut here: Vec<_> = class.iter().map(|&v| sorted.get(v as usize)).collect();
                    here.sort_unstable_by_key(|&colour| colour as u8);
                    class.iter().zip(here).for_each(|(&v, colour)| sorted.set(v as usize, colour));
                }
                sorted
            }
        }
    }

    /// How many different images there are.
    pub fn orbit(&self, colours: &Colours) -> u64 {
        match self {
            Symmetries::Elements(elements) => {
                let mut images: Vec<Vec<u64>> = elements.iter().map(|element| image(colours, element).words).collect();
                images.push(colours.words.clone());
                images.sort_unstable();
                images.dedup();
                images.len() as u64
            }
            Symmetries::Twins(classes) => {
                let ways = |class: &Vec<u32>| {
                    let mut seen = [0_u64; 3];
                    // A product of binomials, each step of which is a whole number.
                    class.iter().enumerate().fold(1_u64, |ways, (at, &v)| {
                        let same = &mut seen[colours.get(v as usize) as usize];
                        *same += 1;
                        ways.saturating_mul(at as u64 + 1) / *same
                    })
                };
                classes.iter().map(ways).fold(1, u64::saturating_mul)
            }
        }
    }
}

fn image(colours: &Colours, element: &[u32]) -> Colours {
    let mut image = Colours { words: vec![0; colours.words.len()] };
    let half = image.words.len() / 2;
    for (from, to) in [(colours.red(), 0), (colours.black(), half)] {
        for v in super::ones(from) {
            let v = element[v] as usize;
            image.words[to + v / 64] |= 1 << (v % 64);
        }
    }
    image
}
