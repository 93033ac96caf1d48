//! Prints every connected graph on so many vertices once, as graph6: `cargo run --release --example connected 7`. For lists to
//! survey where nauty's `geng` is not at hand. Each graph on n vertices is one on n - 1 with a vertex joined to some of it.

use std::collections::BTreeSet;

use kibitzer::graph::formats::graph6;
use kibitzer::graph::{Graph, symmetry};

fn main() {
    let Some(n) = std::env::args().nth(1).and_then(|text| text.parse::<usize>().ok()).filter(|n| (1..=9).contains(n)) else {
        eprintln!("give a number of vertices from 1 to 9");
        std::process::exit(2);
    };
    // A connected graph has a vertex without which it is still connected.
    let mut graphs = vec![Graph::empty(1)];
    for size in 2..=n {
        let mut forms: BTreeSet<Vec<(usize, usize)>> = BTreeSet::new();
        for graph in &graphs {
            for mask in 1..1u32 << (size - 1) {
                let joined = (0..size - 1).filter(|v| mask >> v & 1 == 1).map(|v| (v, size - 1));
                let larger = Graph::from_edges(size, graph.edges().chain(joined));
                let form = symmetry::canonical(&larger).expect("small graphs are quickly done");
                forms.insert(form.edges().collect());
            }
        }
        graphs = forms.into_iter().map(|edges| Graph::from_edges(size, edges)).collect();
    }
    for graph in &graphs {
        println!("{}", graph6::write(graph));
    }
}
