//! Graphs by name (`P5`, `K3,4`, `grid3x4`, `petersen`) and random connected graphs.

use std::ops::RangeInclusive;

use super::{Graph, MOST_EDGES, MOST_VERTICES};
use crate::random::Random;
use crate::text::{Fault, counted, shorten};

/// A graph family: its description for help, and its builder.
struct Family {
    /// The short name, which precedes the numbers, and its alternatives.
    names: &'static [&'static str],
    /// An example and its meaning.
    about: &'static str,
    /// How many numbers may follow the name.
    numbers: RangeInclusive<usize>,
    /// The minimum value of each of these numbers.
    least: usize,
    member: fn(&[usize]) -> Member<'_>,
}

/// The number of vertices, or `usize::MAX` if the graph is too large, and the edges.
type Member<'a> = (usize, Box<dyn Iterator<Item = (usize, usize)> + 'a>);

/// All families, in the order in which help lists them.
const FAMILIES: &[Family] = &[
    Family {
        names: &["P", "path"],
        about: "P5: path on 5 vertices",
        numbers: 1..=1,
        least: 1,
        member: |n| (n[0], Box::new((1..n[0]).map(|v| (v - 1, v)))),
    },
    Family {
        names: &["C", "cycle"],
        about: "C7: cycle on 7 vertices",
        numbers: 1..=1,
        least: 3,
        member: |n| (n[0], Box::new((0..n[0]).map(move |v| (v, (v + 1) % n[0])))),
    },
    Family {
        names: &["K", "complete"],
        about: "K4: complete graph; K3,4 or K3_4: complete bipartite graph; K2,3,4: complete tripartite graph",
        numbers: 1..=usize::MAX,
        least: 1,
        member: multipartite,
    },
    Family {
        names: &["S", "star"],
        about: "S6: star with 6 leaves",
        numbers: 1..=1,
        least: 1,
        member: |n| (n[0] + 1, Box::new((1..=n[0]).map(|leaf| (0, leaf)))),
    },
    Family {
        names: &["W", "wheel"],
        about: "W5: wheel with 5 rim vertices and a hub",
        numbers: 1..=1,
        least: 3,
        member: |n| (n[0] + 1, Box::new((1..=n[0]).flat_map(move |rim| [(0, rim), (rim, rim % n[0] + 1)]))),
    },
    Family {
        names: &["Q", "cube", "hypercube"],
        about: "Q3: hypercube of dimension 3",
        numbers: 1..=1,
        least: 0,
        member: |n| {
            let vertices = 1usize.checked_shl(n[0] as u32).unwrap_or(usize::MAX);
            let flips = move |v: usize| (0..n[0]).map(move |bit| (v, v | 1 << bit)).filter(|(v, w)| v != w);
            (vertices, Box::new((0..vertices).flat_map(flips)))
        },
    },
    Family {
        names: &["grid", "G"],
        about: "grid3x4: grid with 3 rows and 4 columns",
        numbers: 2..=2,
        least: 1,
        member: |n| mesh(n[0], n[1], false),
    },
    Family {
        names: &["torus", "T"],
        about: "torus3x4: grid with 3 rows and 4 columns that wraps around in both directions",
        numbers: 2..=2,
        least: 3,
        member: |n| mesh(n[0], n[1], true),
    },
    Family {
        names: &["L", "ladder"],
        about: "ladder4 or L4: ladder with 4 rungs",
        numbers: 1..=1,
        least: 1,
        member: |n| mesh(2, n[0], false),
    },
    Family {
        names: &["prism", "Y"],
        about: "prism5: two cycles of 5 vertices, with an edge between each pair of corresponding vertices",
        numbers: 1..=1,
        least: 3,
        member: |n| {
            let n = n[0];
            (2 * n, Box::new((0..n).flat_map(move |v| [(v, (v + 1) % n), (n + v, n + (v + 1) % n), (v, n + v)])))
        },
    },
    Family {
        names: &["petersen"],
        about: "petersen: the Petersen graph",
        numbers: 0..=0,
        least: 0,
        member: |_| (10, Box::new((0..5).flat_map(|v| [(v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5)]))),
    },
    Family {
        names: &["empty", "E"],
        about: "empty3: 3 vertices without edges",
        numbers: 1..=1,
        least: 0,
        member: |n| (n[0], Box::new(std::iter::empty())),
    },
];

/// One number yields a complete graph, several numbers a complete multipartite graph with parts of these sizes.
fn multipartite(sizes: &[usize]) -> Member<'_> {
    let n = sizes.iter().fold(0, |sum: usize, &size| sum.saturating_add(size));
    let inside: usize = if sizes.len() == 1 { 0 } else { sizes.iter().filter(|_| n <= MOST_VERTICES).map(|size| size * size).sum() };
    if n > MOST_VERTICES || (n * n - inside) / 2 > MOST_EDGES {
        return (usize::MAX, Box::new(std::iter::empty()));
    }
    // In a complete graph, each part has one vertex. Each vertex is joined to all vertices in the parts before its own.
    let mut start = 0;
    let groups = if let [_] = sizes { vec![1; n] } else { sizes.to_vec() };
    let joined = groups.into_iter().flat_map(move |size| {
        let own = start;
        start += size;
        (own..start).flat_map(move |v| (0..own).map(move |u| (u, v)))
    });
    (n, Box::new(joined))
}

fn mesh(rows: usize, columns: usize, closed: bool) -> Member<'static> {
    let joined = move |at: usize| {
        let (row, column) = (at / columns, at % columns);
        let right = (closed || column + 1 < columns).then(|| (at, row * columns + (column + 1) % columns));
        let below = (closed || row + 1 < rows).then(|| (at, (row + 1) % rows * columns + column));
        right.into_iter().chain(below)
    };
    (rows * columns, Box::new((0..rows * columns).flat_map(joined)))
}

/// The graph with this name, such as `P5`. Case and spaces do not matter. `None` if the text does not look like the name of a
/// family and may be a graph in another format.
pub fn by_name(text: &str) -> Option<Result<Graph, Fault>> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    let word: String = plain.chars().take_while(char::is_ascii_alphabetic).collect();
    let rest = &plain[word.len()..];
    if word.is_empty() || !rest.chars().all(|c| c.is_ascii_digit() || ",_x*{}()".contains(c)) {
        return None;
    }
    if let Some(family) = FAMILIES.iter().find(|family| family.names.iter().any(|name| name.eq_ignore_ascii_case(&word))) {
        return Some(member(family, rest));
    }
    let distance = |name: &&&str| strsim::damerau_levenshtein(name, &word);
    let long = FAMILIES.iter().flat_map(|family| family.names).filter(|name| name.len() > 2);
    let near = long.min_by_key(distance).filter(|name| distance(name) <= 2);
    (near.is_some() || rest.contains(|c: char| c.is_ascii_digit())).then(|| {
        let meant = near.map(|near| format!("did you mean `{near}{rest}`? ")).unwrap_or_default();
        let families: Vec<&str> = FAMILIES.iter().map(|family| family.about).collect();
        let help = format!("{meant}the families are {}", families.join("; "));
        Err(Fault::new(format!("unknown graph family `{}`", shorten(&word)), help))
    })
}

fn member(family: &Family, rest: &str) -> Result<Graph, Fault> {
    let name = family.names[0];
    let wrong = |message: String| Fault::new(message, format!("write it like this: {}", family.about));
    let texts: Vec<&str> = rest.split(|c: char| !c.is_ascii_digit()).filter(|text| !text.is_empty()).collect();
    if !family.numbers.contains(&texts.len()) {
        return Err(wrong(format!("`{name}` does not accept {}", counted(texts.len(), "number", "numbers"))));
    }
    let too_large = || {
        let help = format!("a graph may have at most {MOST_VERTICES} vertices and {MOST_EDGES} edges");
        Fault::new(format!("`{name}{}` is too large", shorten(rest)), help)
    };
    let number = |text: &&str| text.parse().ok().filter(|&number: &usize| number <= MOST_VERTICES);
    let numbers: Vec<usize> = texts.iter().map(number).collect::<Option<_>>().ok_or_else(too_large)?;
    if let Some(small) = numbers.iter().find(|&&number| number < family.least) {
        return Err(wrong(format!("`{name}` needs numbers of at least {}, not {small}", family.least)));
    }
    match (family.member)(&numbers) {
        (vertices, _) if vertices > MOST_VERTICES => Err(too_large()),
        (vertices, edges) => Ok(Graph::from_edges(vertices, edges)),
    }
}

/// A random connected graph: a random tree, plus random edges up to a total of `edges`, or until the graph is complete.
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
