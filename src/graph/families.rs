//! Graphs by name (`P5`, `K3,4`, `grid3x4`, `petersen`) and random connected graphs.

use std::ops::RangeInclusive;

use super::{Graph, MOST_EDGES, MOST_VERTICES};
use crate::random::Random;

/// A family of graphs: facts for help, and the builder.
pub struct Family {
    /// The short name, before the numbers.
    pub name: &'static str,
    /// Alternative names.
    pub aliases: &'static [&'static str],
    /// An example and what it is.
    pub about: &'static str,
    /// The number of arguments, and the least value of each.
    numbers: RangeInclusive<usize>,
    least: usize,
    build: fn(&[usize]) -> Graph,
    /// Upper bounds on the vertices and edges of a member, known before it is built.
    size: fn(&[usize]) -> (u128, u128),
}

/// Every family, in the order in which they are listed.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "P",
        aliases: &["path"],
        about: "P5: path on 5 vertices",
        numbers: 1..=1,
        least: 1,
        build: |n| Graph::from_edges(n[0], (1..n[0]).map(|v| (v - 1, v))),
        size: |n| (n[0] as u128, n[0] as u128),
    },
    Family {
        name: "C",
        aliases: &["cycle"],
        about: "C7: cycle on 7 vertices",
        numbers: 1..=1,
        least: 3,
        build: |n| cycle(n[0]),
        size: |n| (n[0] as u128, n[0] as u128),
    },
    Family {
        name: "K",
        aliases: &["complete"],
        about: "K4: complete graph; K3,4 or K3_4: complete bipartite, and so on with more numbers",
        numbers: 1..=usize::MAX,
        least: 1,
        build: multipartite,
        size: |n| {
            let all: u128 = n.iter().map(|&n| n as u128).sum();
            (all, if n.len() == 1 { all * all / 2 } else { all * all / 2 - n.iter().map(|&n| (n as u128).pow(2)).sum::<u128>() / 2 })
        },
    },
    Family {
        name: "S",
        aliases: &["star"],
        about: "S6: star with 6 leaves",
        numbers: 1..=1,
        least: 1,
        build: |n| Graph::from_edges(n[0] + 1, (1..=n[0]).map(|leaf| (0, leaf))),
        size: |n| (n[0] as u128 + 1, n[0] as u128),
    },
    Family {
        name: "W",
        aliases: &["wheel"],
        about: "W5: wheel with 5 rim vertices and a hub",
        numbers: 1..=1,
        least: 3,
        build: |n| {
            let spokes = (1..=n[0]).map(|rim| (0, rim));
            Graph::from_edges(n[0] + 1, spokes.chain((1..=n[0]).map(|rim| (rim, rim % n[0] + 1))))
        },
        size: |n| (n[0] as u128 + 1, 2 * n[0] as u128),
    },
    Family {
        name: "Q",
        aliases: &["cube", "hypercube"],
        about: "Q3: hypercube of dimension 3",
        numbers: 1..=1,
        least: 0,
        build: |n| {
            let flips = |v: usize| (0..n[0]).map(move |bit| (v, v | 1 << bit)).filter(|(v, w)| v != w);
            Graph::from_edges(1 << n[0], (0..1 << n[0]).flat_map(flips))
        },
        size: |n| (1u128.checked_shl(n[0].min(127) as u32).unwrap_or(u128::MAX), (n[0] as u128) << n[0].min(64)),
    },
    Family {
        name: "grid",
        aliases: &["G"],
        about: "grid3x4: 3 rows of 4",
        numbers: 2..=2,
        least: 1,
        build: |n| mesh(n[0], n[1], false),
        size: |n| (n[0] as u128 * n[1] as u128, 2 * n[0] as u128 * n[1] as u128),
    },
    Family {
        name: "torus",
        aliases: &["T"],
        about: "torus3x4: a grid that is closed in both directions",
        numbers: 2..=2,
        least: 3,
        build: |n| mesh(n[0], n[1], true),
        size: |n| (n[0] as u128 * n[1] as u128, 2 * n[0] as u128 * n[1] as u128),
    },
    Family {
        name: "L",
        aliases: &["ladder"],
        about: "ladder4 or L4: ladder with 4 rungs",
        numbers: 1..=1,
        least: 1,
        build: |n| mesh(2, n[0], false),
        size: |n| (2 * n[0] as u128, 3 * n[0] as u128),
    },
    Family {
        name: "prism",
        aliases: &["Y"],
        about: "prism5: a ladder of 5 rungs closed to a ring",
        numbers: 1..=1,
        least: 3,
        build: |n| {
            let n = n[0];
            let rung = |v: usize| [(v, (v + 1) % n), (n + v, n + (v + 1) % n), (v, n + v)];
            Graph::from_edges(2 * n, (0..n).flat_map(rung))
        },
        size: |n| (2 * n[0] as u128, 3 * n[0] as u128),
    },
    Family {
        name: "petersen",
        aliases: &[],
        about: "petersen: the Petersen graph",
        numbers: 0..=0,
        least: 0,
        build: |_| Graph::from_edges(10, (0..5).flat_map(|v| [(v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5)])),
        size: |_| (10, 15),
    },
    Family {
        name: "empty",
        aliases: &["E"],
        about: "empty3: 3 vertices without an edge",
        numbers: 1..=1,
        least: 0,
        build: |n| Graph::empty(n[0]),
        size: |n| (n[0] as u128, 0),
    },
];

fn cycle(n: usize) -> Graph {
    Graph::from_edges(n, (0..n).map(|v| (v, (v + 1) % n)))
}

/// One number: complete; several: complete between groups of these sizes.
fn multipartite(sizes: &[usize]) -> Graph {
    let group: Vec<usize> = match sizes {
        [n] => (0..*n).collect(),
        sizes => sizes.iter().enumerate().flat_map(|(group, &size)| std::iter::repeat_n(group, size)).collect(),
    };
    let mut graph = Graph::empty(group.len());
    for v in 0..group.len() {
        (0..v).filter(|&u| group[u] != group[v]).for_each(|u| _ = graph.add_edge(u, v));
    }
    graph
}

fn mesh(rows: usize, columns: usize, closed: bool) -> Graph {
    let mut graph = Graph::empty(rows * columns);
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let here = row * columns + column;
        if closed || column + 1 < columns {
            graph.add_edge(here, row * columns + (column + 1) % columns);
        }
        if closed || row + 1 < rows {
            graph.add_edge(here, (row + 1) % rows * columns + column);
        }
    }
    graph
}

/// Why a name does not denote a graph: what is wrong, and the remedy.
pub struct NameError {
    pub message: String,
    pub help: String,
}

/// The graph with this name, such as `P5`; case and spaces do not matter. `None` if it does not look like a family's name at all:
/// then it may be a graph in some format.
pub fn by_name(text: &str) -> Option<Result<Graph, NameError>> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    let word: String = plain.chars().take_while(char::is_ascii_alphabetic).collect();
    let rest = &plain[word.len()..];
    if word.is_empty() || !rest.chars().all(|c| c.is_ascii_digit() || ",_x*{}()".contains(c)) {
        return None;
    }
    let named = |family: &&Family| std::iter::once(&family.name).chain(family.aliases).any(|name| name.eq_ignore_ascii_case(&word));
    let Some(family) = FAMILIES.iter().find(named) else {
        let long = FAMILIES.iter().flat_map(|family| std::iter::once(family.name).chain(family.aliases.iter().copied()));
        let near = long.filter(|name| name.len() > 2).min_by_key(|name| strsim::damerau_levenshtein(name, &word));
        let near = near.filter(|name| strsim::damerau_levenshtein(name, &word) <= 2);
        let meant = near.map(|near| format!("did you mean `{near}{rest}`? ")).unwrap_or_default();
        let message = format!("there is no family of graphs `{}`", crate::text::shorten(&word));
        return (near.is_some() || rest.chars().any(|c| c.is_ascii_digit()))
            .then(|| Err(NameError { message, help: format!("{meant}the families are {}", list()) }));
    };
    Some(member(family, rest))
}

/// The families in one line.
pub fn list() -> String {
    FAMILIES.iter().map(|family| family.about).collect::<Vec<_>>().join("; ")
}

fn member(family: &Family, rest: &str) -> Result<Graph, NameError> {
    let wrong = |message: String| NameError { message, help: format!("write it like this: {}", family.about) };
    let texts: Vec<&str> = rest.split(|c: char| !c.is_ascii_digit()).filter(|text| !text.is_empty()).collect();
    if !family.numbers.contains(&texts.len()) {
        return Err(wrong(format!("`{}` does not take {} numbers", family.name, texts.len())));
    }
    let too_large = |what: String| NameError {
        message: format!("{what} is too large"),
        help: format!("a graph has at most {MOST_VERTICES} vertices and {MOST_EDGES} edges"),
    };
    let numbers: Option<Vec<usize>> = texts.iter().map(|text| text.parse().ok().filter(|&n: &usize| n <= MOST_VERTICES)).collect();
    let Some(numbers) = numbers else { return Err(too_large(format!("`{}{}`", family.name, crate::text::shorten(rest)))) };
    if let Some(small) = numbers.iter().find(|&&number| number < family.least) {
        return Err(wrong(format!("`{}` takes numbers from {} on, not {small}", family.name, family.least)));
    }
    let (vertices, edges) = (family.size)(&numbers);
    if vertices > MOST_VERTICES as u128 || edges > MOST_EDGES as u128 {
        return Err(too_large(format!("`{}{rest}`", family.name)));
    }
    Ok((family.build)(&numbers))
}

/// A random connected graph with this many vertices and edges, as near as possible: a random tree plus random edges.
pub fn random_connected(random: &mut Random, vertices: usize, edges: usize) -> Graph {
    let mut graph = Graph::empty(vertices);
    let mut order: Vec<usize> = (0..vertices).collect();
    random.shuffle(&mut order, vertices);
    for at in 1..vertices {
        graph.add_edge(order[at], order[random.below(at)]);
    }
    let most = vertices * vertices.saturating_sub(1) / 2;
    while graph.edge_count() < edges.min(most) {
        let (u, v) = (random.below(vertices), random.below(vertices));
        if u != v {
            graph.add_edge(u, v);
        }
    }
    graph
}
