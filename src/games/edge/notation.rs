//! Reads, writes and generates graphs, positions and moves of the Edge-Distinguishing Game.

use super::{Coloring, Edcn, Edge, MOST, Mark, Undecided, clash, edcn, tools};
use crate::graph::places::Layout;
use crate::graph::{Graph, families, formats};
use crate::limits::{Limit, Limits};
use crate::notation::json::{self, Node};
use crate::notation::{
    Fault, Generator, Info, Input, LevelSpec, Monster, Notation, OptionSpec, Options, ParseError, ReadError, Source, counted, shorten,
};
use crate::random::Random;

const HELP: &str = "write a graph (`P5`), or the lines `graph: P5`, `colors: 3`, `position: -,2,1,-,-`, `misere: yes`, \
                    `layout: a 0.1 0.5`";
const POSITION: &str =
    "write one entry per vertex (`-` if it is uncolored), as in `-,2,1,-,-`, or list only the colored vertices, as in `b:2 c:1`";
const KEYS: [&str; 5] = ["graph", "colors", "position", "misere", "layout"];
/// Maximum number of steps to find the minimum number of colors when a board is read: about a second.
const EDCN_STEPS: u64 = 2_000_000;

/// Builds an error from a message and a help text.
type Wrong = Box<dyn Fn(String, &str) -> ReadError>;

/// The parts of a board, before they are combined.
struct Parts {
    graph: Graph,
    name: Option<String>,
    colors: Option<i64>,
    misere: Option<bool>,
    position: Option<String>,
    layout: Layout,
    /// Builds errors that point to the position in the text.
    at_position: Wrong,
    /// Builds errors that point to the colors in the text.
    at_colors: Wrong,
    /// Builds errors that point to the graph in the text.
    at_graph: Wrong,
}

/// Builds errors that point to this place in the text.
fn at(place: ParseError) -> Wrong {
    Box::new(move |message, help| ParseError { message, help: help.to_owned(), ..place.clone() }.into())
}

fn option_error(name: &'static str) -> Wrong {
    Box::new(move |message, help| Fault::new(format!("option `{name}`: {message}"), help).into())
}

impl Parts {
    fn new(graph: Graph, place: ParseError) -> Parts {
        let (at_position, at_colors, at_graph) = (at(place.clone()), at(place.clone()), at(place));
        Parts { graph, name: None, colors: None, misere: None, position: None, layout: Layout::default(), at_position, at_colors, at_graph }
    }

    /// Reads a board whose graph is given by an option; it replaces the graph in the text, if there is one.
    fn on_graph(graph: &str, text: &str) -> Result<Parts, ReadError> {
        let wrong = option_error("graph");
        let graph_read = formats::read_option(graph)?.simple().map_err(|error| wrong(error.to_string(), &error.help))?;
        let parts = match text.trim().is_empty() {
            true => Parts::new(Graph::empty(0), Source::new(text).error(0, "", "")),
            false => Parts::read(text)?,
        };
        // A layout in the text applies only to the graph in the text, so it is dropped here.
        Ok(Parts { graph: graph_read, name: short_name(graph), layout: Layout::default(), at_graph: wrong, ..parts })
    }

    fn read(text: &str) -> Result<Parts, ReadError> {
        let source = Source::without_comments(text);
        let begin = source.text().len() - source.text().trim_start().len();
        let place = source.error(begin, "", "");
        let trimmed = source.text().trim();
        if formats::is_json(trimmed) {
            return Ok(json::read(&source, Parts::from_json)?);
        }
        let first = trimmed.split([':', '\n']).next().unwrap_or_default().trim();
        if !KEYS.contains(&first) || formats::is_document(trimmed) {
            let graph = formats::read(&source)?.simple()?;
            return Ok(Parts { name: short_name(trimmed), ..Parts::new(graph, place) });
        }
        let fields = source.fields(&KEYS, HELP)?;
        let Some(field) = fields.iter().find(|field| field.key == "graph") else {
            return Err(source.error(begin, "the `graph: …` line is missing", HELP).into());
        };
        let mut parts = Parts { name: short_name(field.value), ..Parts::new(formats::read_field(field)?, field.error("", "")) };
        for field in &fields {
            match field.key {
                "colors" => {
                    let wrong = || field.error(format!("`{}` is not a number of colors", shorten(field.value)), "write `colors: 3`");
                    parts.colors = Some(field.value.parse().map_err(|_| wrong())?);
                    parts.at_colors = at(field.error("", ""));
                }
                "position" => {
                    parts.position = Some(field.value.to_owned());
                    parts.at_position = at(field.error("", ""));
                }
                "misere" => {
                    let wrong = || field.error(format!("`{}` is neither yes nor no", shorten(field.value)), "write `misere: yes`");
                    parts.misere = Some(yes_or_no(field.value).ok_or_else(wrong)?);
                }
                "layout" => parts.layout = Layout::read(field, parts.names())?,
                _ => {}
            }
        }
        Ok(parts)
    }

    /// The names of the vertices, in order.
    fn names(&self) -> Vec<String> {
        (0..self.graph.len()).map(|v| self.graph.name(v)).collect()
    }

    fn from_json(node: Node<'_>) -> Result<Parts, ParseError> {
        let place = node.error("", "");
        if formats::is_node_link(node) {
            return Ok(Parts::new(formats::from_json(node)?.simple()?, place));
        }
        let members = node.object(&["graph", "vertices", "edges", "colors", "position", "misere", "layout"])?;
        let mut parts = match members.get("graph") {
            None => Parts::new(formats::from_members(node, &members)?.simple()?, place),
            Some(_) if members.get("edges").is_some() => return Err(node.error("both `graph` and `edges` are given", HELP)),
            Some(inner) => {
                let parts = Parts::new(formats::from_json(inner)?.simple()?, inner.error("", ""));
                Parts { name: inner.string().ok().and_then(short_name), ..parts }
            }
        };
        if let Some(colors) = members.get("colors") {
            parts.colors = Some(colors.integer()?);
            parts.at_colors = at(colors.error("", ""));
        }
        if let Some(misere) = members.get("misere") {
            parts.misere = Some(misere.boolean()?);
        }
        if let Some(layout) = members.get("layout") {
            parts.layout = Layout::from_json(layout, parts.names())?;
        }
        if let Some(position) = members.get("position") {
            parts.at_position = at(position.error("", ""));
            parts.position = Some(match position.array() {
                Err(_) => position.string()?.to_owned(),
                Ok(list) => {
                    let entry = |node: &Node<'_>| node.string().map(str::to_owned).or_else(|_| node.integer().map(|n| n.to_string()));
                    list.iter().map(entry).collect::<Result<Vec<_>, _>>()?.join(",")
                }
            });
        }
        Ok(parts)
    }
}

/// The text, if it is a short family name.
fn short_name(text: &str) -> Option<String> {
    let text = text.trim();
    (text.len() <= 20 && matches!(families::by_name(text), Some(Ok(_)))).then(|| text.to_owned())
}

fn yes_or_no(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "" | "yes" | "true" | "1" => Some(true),
        "no" | "false" | "0" => Some(false),
        _ => None,
    }
}

impl Edge {
    /// Reads a position: entries for all vertices, or only for the colored ones.
    fn read_position(&self, text: &str, wrong: &dyn Fn(String, &str) -> ReadError) -> Result<Coloring, ReadError> {
        let n = self.vertices();
        let mut board = Coloring([0; MOST]);
        let separates = |c: char| c.is_whitespace() || ",;()[]".contains(c);
        let words: Vec<&str> = text.split(separates).filter(|word| !word.is_empty()).collect();
        let color = |word: &str| -> Result<u8, ReadError> {
            if ["-", ".", "_", "0", "-1"].contains(&word) {
                return Ok(0);
            }
            let range = format!("colors are numbered from 1 to {}; allow more with `--option colors=K`", self.colors);
            match word.parse::<u64>() {
                Ok(color) if (1..=self.colors as u64).contains(&color) => Ok(color as u8),
                Ok(color) => Err(wrong(format!("there is no color {color}"), &range)),
                Err(_) => Err(wrong(format!("`{}` is not a color", shorten(word)), POSITION)),
            }
        };
        if words.iter().any(|word| word.contains(':')) {
            for word in words {
                let Some((name, text)) = word.split_once(':') else {
                    return Err(wrong(format!("`{}` is not of the form `vertex:color`", shorten(word)), POSITION));
                };
                let Some(vertex) = self.graph.find(name) else {
                    return Err(wrong(format!("there is no vertex `{}`", shorten(name)), POSITION));
                };
                board.0[vertex] = color(text)?;
            }
        } else {
            // The entries may also be written as one word with one character per vertex.
            let letters: Vec<String> = words.first().map(|word| word.chars().map(String::from).collect()).unwrap_or_default();
            let entries =
                if words.len() == 1 && n > 1 && letters.len() == n { letters } else { words.into_iter().map(str::to_owned).collect() };
            if entries.len() != n {
                return Err(wrong(format!("the position has {} entries, but the graph has {n} vertices", entries.len()), POSITION));
            }
            for (place, entry) in board.0.iter_mut().zip(&entries) {
                *place = color(entry)?;
            }
        }
        if let Some([first, second]) = clash(&self.graph, &board) {
            let name = |(u, v): (usize, usize)| format!("{}-{}", self.graph.name(u), self.graph.name(v));
            let (a, b) = (board[first.0], board[first.1]);
            let message = format!("the edges {} and {} both have the label {{{},{}}}", name(first), name(second), a.min(b), a.max(b));
            return Err(wrong(message, "no two edges may have the same pair of colors; recolor an end of one of these edges"));
        }
        Ok(board)
    }

    fn entry(&self, board: &Coloring, vertex: usize) -> String {
        match board[vertex] {
            0 => "-".to_owned(),
            color => color.to_string(),
        }
    }
}

const GENERATE_OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "vertices", about: "number of vertices, 1 to 64", default: "7" },
    OptionSpec { name: "edges", about: "number of edges; the graph is always connected", default: "4/3 of the number of vertices" },
];

/// The minimum number of colors and its proof. Reading a board must not take long, so there is a maximum number of steps. If this
/// maximum is reached, `wrong` builds an error from the lower bound proved so far.
fn least_colors(graph: &Graph, limits: &Limits, wrong: impl Fn(usize) -> ReadError) -> Result<Edcn, ReadError> {
    edcn(graph, &limits.with_nodes(EDCN_STEPS)).map_err(|Undecided { limit, lower }| match limit {
        Limit::Nodes => wrong(lower),
        limit => ReadError::Stopped(limit),
    })
}

fn generate(random: &mut Random, options: &Options, limits: &Limits) -> Result<Edge, ReadError> {
    let vertices = options.integer("vertices", 1..=MOST as i64)?.unwrap_or(7) as usize;
    let most = (vertices * (vertices - 1) / 2) as i64;
    let edges = options.integer("edges", vertices as i64 - 1..=most)?.map_or(vertices * 4 / 3, |edges| edges as usize);
    let graph = families::random_connected(random, vertices, edges);
    let found = least_colors(&graph, limits, |_| {
        let message = "finding the least number of colors for this graph takes too long";
        Fault::new(message, "ask for fewer vertices or edges, or use another seed").into()
    })?;
    Ok(Edge { edcn: Some(found.clone()), ..Edge::new(graph, found.colors, limits)? })
}

impl Notation for Edge {
    const INFO: Info<Self> = Info {
        name: "edge",
        about: "two players color vertices; no two edges may get the same pair of colors",
        rules: "\
The board is a graph, and there are k colors, numbered from 1. Two players take turns, player 1 first. A move colors one
uncolored vertex so that no two edges with both ends colored have the same pair of colors. Both ends of an edge may have the
same color. Colors never change. A player who cannot move loses (with option `misere`: wins); the board need not be full.
Unless `colors` is given, k is the edge-distinguishing chromatic number (EDCN) of the graph: the least number of colors with
which the whole graph can be colored this way. An N-position is won by the next player to move, a P-position by the previous one.

A graph is given as a family name:
  P5 path on 5 vertices    C7 cycle    K4 complete    K3,4 complete bipartite    S6 star with 6 leaves    W5 wheel with 5
  rim vertices and a hub    Q3 hypercube    grid3x3    torus3x4    ladder4 with 4 rungs    prism5    petersen    empty3
or as graph6 or sparse6 text, edges (`0-1 1-2`), an adjacency list (`a:b b:a,c c:b`), a matrix of 0 and 1, DIMACS, JSON
({\"edges\":[[0,1],[1,2]]}), or in a format of another tool: GML, GraphML, DOT, node-link JSON, networkx's edge and adjacency
lists. Vertices keep their names; characters other than letters, digits, `_`, `.` and `'` become `_`. From a file with one
graph per line, as written by nauty's geng, `--line N` selects one. Other settings are given on separate lines or after `;`:
  graph: P5; colors: 3; position: -,2,1,-,-; misere: yes
A position has an entry for each vertex (`-` if it is uncolored), or lists only the colored vertices: `b:2 c:1`. Player 1 moves
first from there. A move is written `c:2`: color vertex c with 2. The positions of vertices in the drawing may also be given, as
x (rightward) and y (downward), each from 0 to 1: `layout: a 0.1 0.5, b 0.9 0.5`, in JSON \"layout\": {\"a\": [0.1, 0.5]}.

For readers of the paper: its adjacency sets are lists here; its `terminating_board` is true for boards that are not terminal;
and its 0 and -1 both mean uncolored, which is written `-` here (0 and -1 are also accepted).",
        sample: "P5",
        sources: &[
            "N. Benjamin, E. Benthem, C. Burkel, M. Chesser and M. Janssen: The Edge-Distinguishing Game: Algorithm Supplement.",
            "OEIS A006670, A006671, A278375: the EDCN of paths, cycles and ladders.",
        ],
        options: &[
            OptionSpec { name: "colors", about: "number of colors, 1 to 64, as in `colors=4`", default: "the EDCN" },
            OptionSpec { name: "position", about: "starting position, as in `position=-,2,1,-,-`", default: "all vertices uncolored" },
            OptionSpec { name: "misere", about: "whether a player who cannot move wins: yes or no", default: "no" },
            OptionSpec {
                name: "graph",
                about: "a graph instead of the board's own: a family (P5), graph6, or the text of a file",
                default: "",
            },
        ],
        examples: tools::EXAMPLES,
        generator: Some(Generator { options: GENERATE_OPTIONS, solvable: true, make: generate }),
        levels: Some(&[
            LevelSpec {
                options: &["vertices=4 edges=3", "vertices=4 edges=4", "vertices=5 edges=5", "vertices=5 edges=6"],
                least: 3..=3,
                guesses: 2..=6,
            },
            LevelSpec { options: &["vertices=5 edges=4", "vertices=5 edges=5"], least: 5..=5, guesses: 7..=11 },
            LevelSpec { options: &["vertices=6 edges=6", "vertices=6 edges=7"], least: 5..=7, guesses: 8..=13 },
            LevelSpec { options: &["vertices=7 edges=7", "vertices=7 edges=8"], least: 5..=9, guesses: 16..=60 },
        ]),
        census: Some(tools::CENSUS),
        tools: tools::TOOLS,
        graph_board: Some(str::to_owned),
        board_graph: |edge| Some(edge.named_graph()),
        monsters: &[
            Monster { name: "hypercube", make: |_| "Q6".to_owned() },
            Monster { name: "complete graph", make: |_| "K64".to_owned() },
            Monster { name: "path with all colors", make: |_| "graph: P64; colors: 64".to_owned() },
            Monster { name: "path", make: |_| "P16".to_owned() },
        ],
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let (text, options) = (input.text, input.options);
        let mut parts = match options.get("graph") {
            None => Parts::read(text)?,
            Some(graph) => Parts::on_graph(graph, text)?,
        };
        if parts.graph.len() > MOST {
            let message = format!("the game is played on at most {MOST} vertices, but this graph has {}", parts.graph.len());
            return Err((parts.at_graph)(message, "use a smaller graph; `kibitzer edcn` accepts larger graphs"));
        }
        let differs = |name: &str, asked: &str, said: &str| {
            let message = format!("option `{name}` is `{}`, but the board says `{}`", shorten(asked), shorten(said));
            Err(Fault::new(message, "leave the option out").into())
        };
        if let Some(colors) = options.integer("colors", 1..=MOST as i64)? {
            if let Some(said) = parts.colors.filter(|&said| said != colors) {
                return differs("colors", &colors.to_string(), &said.to_string());
            }
            parts.colors = Some(colors);
        }
        if let Some(text) = options.get("position") {
            if let Some(said) = parts.position.as_ref().filter(|said| said.trim() != text.trim()) {
                return differs("position", text, said);
            }
            parts.position = Some(text.to_owned());
            parts.at_position = option_error("position");
        }
        if let Some(text) = options.get("misere") {
            let help = "write `misere=yes` or `misere=no`";
            let asked =
                yes_or_no(text).ok_or_else(|| option_error("misere")(format!("`{}` is neither yes nor no", shorten(text)), help))?;
            if let Some(said) = parts.misere.filter(|&said| said != asked) {
                return differs("misere", text, if said { "yes" } else { "no" });
            }
            parts.misere = Some(asked);
        }
        let mut edge = match parts.colors {
            Some(colors @ 1..=64) => Edge::new(parts.graph, colors as usize, input.limits)?,
            Some(colors) => return Err((parts.at_colors)(format!("{colors} is not a valid number of colors"), "give 1 to 64 colors")),
            None => {
                let found = least_colors(&parts.graph, input.limits, |least| {
                    let message = format!("this graph needs at least {least} colors, but finding the exact number takes too long");
                    (parts.at_graph)(message, "give a number of colors with `--option colors=K`; `kibitzer edcn` has no limit on its steps")
                })?;
                Edge { edcn: Some(found.clone()), ..Edge::new(parts.graph, found.colors, input.limits)? }
            }
        };
        edge.misere = parts.misere.unwrap_or(false);
        edge.name = parts.name;
        edge.layout = parts.layout;
        if let Some(position) = &parts.position {
            edge.start = edge.read_position(position, &*parts.at_position)?;
        }
        Ok(edge)
    }

    fn layer_name(&self, layer: u32) -> String {
        format!("{layer} colored")
    }

    fn write_move(&self, _board: &Coloring, mark: &Mark) -> String {
        format!("{}:{}", self.graph.name(mark.vertex as usize), mark.color)
    }

    fn write(&self, board: &Coloring) -> String {
        let graph = match &self.name {
            Some(name) => name.clone(),
            None if self.graph.is_empty() => "empty0".to_owned(),
            None => formats::write_list(&self.graph),
        };
        let mut text = format!("graph: {graph}\ncolors: {}\n", self.colors);
        if board.iter().any(|&color| color != 0) {
            text.push_str(&format!("position: {}\n", self.line(board)));
        }
        if self.misere {
            text.push_str("misere: yes\n");
        }
        if let Some(layout) = self.layout.write(&|v| self.graph.name(v)) {
            text.push_str(&format!("layout: {layout}\n"));
        }
        text
    }

    fn ascii(&self, board: &Coloring) -> String {
        let names: Vec<String> = (0..self.vertices()).map(|v| self.graph.name(v)).collect();
        let entries: Vec<String> = (0..self.vertices()).map(|v| self.entry(board, v)).collect();
        let width = names.iter().chain(&entries).map(|text| text.chars().count()).max().unwrap_or(1) + 1;
        let row = |texts: &[String]| texts.iter().map(|text| format!("{text:>width$}")).collect::<String>();
        let (vertices, edges, colors) = (self.vertices(), self.edges.len(), self.colors);
        let name = self.name.clone().unwrap_or_else(|| "graph".to_owned());
        let play = if self.misere { ", misere" } else { "" };
        let (vertices, edges) = (counted(vertices, "vertex", "vertices"), counted(edges, "edge", "edges"));
        let mut text = format!("{name}: {vertices}, {edges}, {}{play}", counted(colors, "color", "colors"));
        let per_row = (100 / width).max(1);
        for (names, entries) in names.chunks(per_row).zip(entries.chunks(per_row)) {
            text.push_str(&format!("\nvertex{}\ncolor {}", row(names), row(entries)));
        }
        let labels = |&(u, v): &(u8, u8)| {
            let (a, b) = (board[u as usize], board[v as usize]);
            let label = if a != 0 && b != 0 { format!("{{{},{}}}", a.min(b), a.max(b)) } else { String::new() };
            format!("{}-{}{label}", names[u as usize], names[v as usize])
        };
        let shown: Vec<String> = self.edges.iter().take(60).map(labels).collect();
        let more = if self.edges.len() > 60 { " …" } else { "" };
        text.push_str(&format!("\nedges  {}{more}", shown.join(" ")));
        text
    }

    fn line(&self, board: &Coloring) -> String {
        (0..self.graph.len()).map(|v| self.entry(board, v)).collect::<Vec<_>>().join(",")
    }
}

impl Edge {
    /// The graph, whose vertices have the same names as in moves.
    fn named_graph(&self) -> Graph {
        let mut graph = self.graph.clone();
        graph.set_names(Some((0..graph.len()).map(|v| self.graph.name(v)).collect()));
        graph
    }
}
