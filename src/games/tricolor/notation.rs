//! Reads, writes and generates tricolor boards.

use std::fmt::Write;
use std::ops::ControlFlow;

use serde_json::Value;

use super::{COLORS, Color, Colors, Tricolor, census, source};
use crate::graph::formats::{self, GraphInput};
use crate::graph::places::Layout;
use crate::graph::{Graph, MOST_VERTICES, families};
use crate::limits::Limits;
use crate::notation::json::{self, Node};
use crate::notation::tools::Example;
use crate::notation::{
    Fault, Generator, Info, Input, LevelSpec, Monster, Notation, OptionSpec, Options, ParseError, ReadError, Source, shorten,
};
use crate::random::Random;
use crate::rules::Rules;

const KEYS: [&str; 8] = ["colors", "colours", "edges", "graph", "cost", "layout", "c", "bp"];
const HELP: &str = "write `colors: GGBRR` and `edges: 0-1 0-2 …`, or rows of 0 and 1 with `colors:`, or `graph: P5` (a family name \
                    or graph6) with `colors:`";
const LETTERS: &str = "colors are `R` (red), `G` (green) and `B` (black): one letter per vertex, or a single letter for all vertices";
const COSTS: &str = "give `clicks` (each costs 1) or `color` (red 1, black 2, green 3, by the color before the click)";
const FORM: &str = "write {\"colors\": \"GGBRR\", \"edges\": [[0,1],[0,2]]}, or \"graph\": \"P5\" instead of the edges";

fn letter(color: Color) -> char {
    ['R', 'G', 'B'][color as usize]
}

/// Reads colors from letters, which may be separated by blanks and commas. `wrong` builds the error for an offset.
fn colors<E>(text: &str, wrong: impl Fn(usize, String) -> E) -> Result<Vec<Color>, E> {
    let mut found = Vec::new();
    for (at, character) in text.char_indices().filter(|(_, c)| !c.is_whitespace() && *c != ',') {
        let color = COLORS.into_iter().find(|&color| letter(color) == character.to_ascii_uppercase());
        found.push(color.ok_or_else(|| wrong(at, format!("`{}` is not a color", shorten(&character.to_string()))))?);
        if found.len() > MOST_VERTICES {
            return Err(wrong(at, format!("there are more than {MOST_VERTICES} vertices")));
        }
    }
    if found.is_empty() { Err(wrong(0, "there are no vertices".to_owned())) } else { Ok(found) }
}

/// Maximum number of notes about repeated edges. Locating each edge takes a pass through the text.
const MOST_NOTES: usize = 5;

/// Builds a board from a graph and colors. Repeated edges count once, and each is reported in a note. `wrong` builds an error that
/// points to the colors.
fn board<E>(input: &Input<'_>, reading: GraphInput, mut letters: Vec<Color>, wrong: impl Fn(String) -> E) -> Result<Tricolor, E> {
    let GraphInput { mut graph, repeats } = reading;
    if letters.len() == 1 {
        letters = vec![letters[0]; graph.len()];
    }
    if graph.len() != letters.len() {
        return Err(wrong(format!("there are {} colors, but {} vertices", letters.len(), graph.len())));
    }
    // Names that are consecutive numbers are dropped, because vertices have numbers anyway.
    if let Some(first) = graph.counts_from() {
        graph.set_names(None);
        if first == 1 {
            input.note("vertices are numbered from 0: the graph's vertex 1 is vertex 0 here");
        }
    }
    for repeat in repeats.iter().take(MOST_NOTES) {
        input.note(format!("{repeat}; it is counted once"));
    }
    if repeats.len() > MOST_NOTES {
        input.note("more edges are given twice");
    }
    let mut start = Colors::green(graph.len());
    letters.into_iter().enumerate().for_each(|(v, color)| start.set(v, color));
    Ok(Tricolor::new(graph, start, false))
}

/// Adds an edge between two vertices. Loops are errors.
fn add(reading: &mut GraphInput, u: &str, v: &str, error: impl Fn(String, &str) -> ParseError) -> Result<(), ParseError> {
    let n = reading.graph.len();
    let end = |text: &str| {
        let found = text.parse().ok().filter(|&v: &usize| v < n);
        found.ok_or_else(|| error(format!("there is no vertex `{}`", shorten(text)), &format!("vertices are numbered from 0 to {}", n - 1)))
    };
    let (u, v) = (end(u)?, end(v)?);
    if u == v {
        return Err(error(format!("a loop: vertex {u} is joined to itself"), "remove this edge: simple graphs have no loops"));
    }
    if !reading.graph.add_edge(u, v) && reading.repeats.len() <= MOST_NOTES {
        reading.repeats.push(error(format!("the edge {u}-{v} is given twice"), "remove one of the two"));
    }
    Ok(())
}

/// Returns whether clicks are priced by color.
fn read_cost<E>(text: &str, wrong: impl Fn(String) -> E) -> Result<bool, E> {
    match text {
        "clicks" => Ok(false),
        "color" | "colour" => Ok(true),
        _ => Err(wrong(format!("`{}` is not a cost", shorten(text)))),
    }
}

/// Replaces text with blanks, keeping line breaks.
fn blank(text: &str) -> impl Iterator<Item = char> {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' })
}

/// Splits the text into matrix rows and the rest. Each result has blanks in place of the other part.
fn split(text: &str) -> (String, String) {
    let (mut rows, mut rest) = (String::with_capacity(text.len()), String::with_capacity(text.len()));
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let is_row = !bare.contains(':') && bare.starts_with(|c: char| c.is_ascii_digit() || c == '[');
        let (full, empty) = if is_row { (&mut rows, &mut rest) } else { (&mut rest, &mut rows) };
        full.push_str(line);
        empty.extend(blank(line));
    }
    (rows, rest)
}

/// Replaces comments, which start with `#` anywhere in a line, with blanks.
fn without_comments(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let at = line.find('#').unwrap_or(line.len());
        bare.push_str(&line[..at]);
        bare.extend(blank(&line[at..]));
    }
    bare
}

/// A board, and whether clicks are priced by color, if its text specifies that.
type Read = (Tricolor, Option<bool>);

/// Reads a board from text; `given` is a graph to use instead of the board's own.
fn read_text(text: &str, given: Option<GraphInput>, input: &Input<'_>) -> Result<Read, ReadError> {
    let (rows, rest) = split(&source::with_colons(text));
    let whole = Source::new(&rest);
    let fields = whole.fields(&KEYS, HELP)?;
    let get = |key: &str| fields.iter().find(|field| field.key == key);
    let end = || rest.trim_end().len();
    let colored = match (get("colors"), get("colours")) {
        (Some(_), Some(twice)) => return Err(twice.error("the colors are given twice", "keep one of the two lines").into()),
        (one, other) => one.or(other),
    };
    let vectors = source::from_fields(get("c"), get("bp"))?;
    let (colored, letters) = match (colored, &vectors) {
        (Some(twice), Some(_)) => return Err(twice.error("the colors are given twice: by letters and by `c`", "keep one of them").into()),
        (Some(field), None) => (field, field.value),
        (None, Some(letters)) => (get("bp").expect("read above"), letters.as_str()),
        (None, None) => return Err(whole.error(end(), "the `colors: …` line is missing", HELP).into()),
    };
    let letters = colors(letters, |at, message| colored.error_at(at, message, LETTERS))?;
    let has_rows = !rows.trim().is_empty();
    let first_row = || rows.len() - rows.trim_start().len();
    let own_graph = given.is_none();
    let reading = match (given, has_rows, get("edges"), get("graph")) {
        (Some(graph), ..) => graph,
        (_, true, None, None) => formats::matrix(&Source::new(&rows))?,
        (_, true, Some(field), _) | (_, true, _, Some(field)) | (_, false, Some(_), Some(field)) => {
            let message = format!("the graph is given twice: by `{}` and by {}", field.key, if has_rows { "rows" } else { "`edges`" });
            let error = if has_rows { Source::new(&rows).error(first_row(), message, HELP) } else { field.error(message, HELP) };
            return Err(error.into());
        }
        (_, false, None, None) => return Err(whole.error(end(), "the graph is missing", HELP).into()),
        (_, false, None, Some(field)) => formats::read(&Source::new(field.value)).map_err(|error| {
            let offset = field.value.char_indices().nth(error.column - 1).map_or(field.value.len(), |(at, _)| at);
            field.error_at(offset, error.message, error.help)
        })?,
        (_, false, Some(field), None) => {
            let mut edges = GraphInput { graph: Graph::empty(letters.len()), repeats: Vec::new() };
            let separates = |c: char| c.is_whitespace() || c == ',';
            for word in field.value.split(separates).filter(|word| !word.is_empty()) {
                input.limits.check()?;
                let at = word.as_ptr() as usize - field.value.as_ptr() as usize;
                let Some((u, v)) = word.split_once('-') else {
                    let message = format!("`{}` is not an edge", shorten(word));
                    return Err(field.error_at(at, message, "write edges as `0-1 0-2`").into());
                };
                add(&mut edges, u, v, |message, help| field.error_at(at, message, help))?;
            }
            edges
        }
    };
    let cost = get("cost").map(|field| read_cost(field.value, |message| field.error(message, COSTS))).transpose()?;
    let mut tricolor = board(input, reading, letters, |message| colored.error(message, LETTERS))?;
    // A layout applies only to the board's own graph.
    if let Some(field) = get("layout").filter(|_| own_graph) {
        tricolor.layout = Layout::read(field, names(&tricolor))?;
    }
    Ok((tricolor, cost))
}

fn names(tricolor: &Tricolor) -> Vec<String> {
    (0..tricolor.graph.len()).map(|v| tricolor.name(v)).collect()
}

/// Like [`read_text`], but for JSON.
fn read_json(node: Node<'_>, given: Option<GraphInput>, input: &Input<'_>) -> Result<Read, ParseError> {
    let members = node.object(&["colors", "edges", "graph", "cost", "layout", "M", "c", "bp"])?;
    let vectors = source::from_json(&members)?;
    let (colored, text) = match &vectors {
        Some((letters, _)) => (members.require("bp", FORM)?, letters.as_str()),
        None => {
            let colored = members.require("colors", FORM)?;
            (colored, colored.string()?)
        }
    };
    let letters = colors(text, |_, message| colored.error(message, LETTERS))?;
    let own_graph = given.is_none();
    let reading = match (given, members.get("edges"), members.get("graph"), &vectors) {
        (Some(graph), ..) => graph,
        (_, Some(twice), _, Some(_)) | (_, _, Some(twice), Some(_)) | (_, Some(_), Some(twice), _) => {
            return Err(twice.error("the graph is given twice", FORM));
        }
        (_, None, None, Some((_, rows))) => {
            let matrix = members.require("M", FORM)?;
            formats::matrix(&Source::new(rows)).map_err(|error| matrix.error(format!("in this matrix: {error}"), error.help))?
        }
        (_, None, None, None) => return Err(node.error("the key `edges` is missing", FORM)),
        (_, None, Some(graph), None) => formats::from_json(graph)?,
        (_, Some(list), None, None) => {
            let mut edges = GraphInput { graph: Graph::empty(letters.len()), repeats: Vec::new() };
            for edge in list.array()? {
                let ends = edge.array()?;
                let [u, v] = ends.as_slice() else {
                    return Err(edge.error(format!("an edge has 2 ends, not {}", ends.len()), FORM));
                };
                let (u, v) = (u.integer()?.to_string(), v.integer()?.to_string());
                add(&mut edges, &u, &v, |message, help| edge.error(message, help))?;
            }
            edges
        }
    };
    let cost = members.get("cost").map(|cost| read_cost(cost.string()?, |message| cost.error(message, COSTS))).transpose()?;
    let mut tricolor = board(input, reading, letters, |message| colored.error(message, LETTERS))?;
    if let Some(layout) = members.get("layout").filter(|_| own_graph) {
        tricolor.layout = Layout::from_json(layout, names(&tricolor))?;
    }
    Ok((tricolor, cost))
}

/// Maximum number of rounds of random clicks on a generated board. After each round, a vertex may become black.
const ROUNDS: usize = 400;

const GENERATE_OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "vertices", about: "number of vertices, 2 to 2000", default: "7" },
    OptionSpec { name: "black", about: "number of black vertices", default: "2" },
    OptionSpec { name: "degree", about: "average number of neighbors, 1 to 100", default: "3" },
    OptionSpec { name: "graph", about: "a graph, such as petersen, instead of a random one", default: "" },
];

fn generate(random: &mut Random, options: &Options, limits: &Limits) -> Result<Tricolor, ReadError> {
    let graph = match options.get("graph") {
        Some(text) => {
            let mut graph = formats::read_option(text)?.graph;
            if graph.counts_from().is_some() {
                graph.set_names(None);
            }
            graph
        }
        None => {
            let vertices = options.integer("vertices", 2..=2000)?.unwrap_or(7) as usize;
            let degree = options.integer("degree", 1..=100)?.unwrap_or(3) as usize;
            families::random_connected(random, vertices, (vertices * degree).div_ceil(2))
        }
    };
    let n = graph.len();
    let wanted = options.integer("black", 0..=n as i64)?.unwrap_or(2.min(n as i64 / 2)) as usize;
    let mut tricolor = Tricolor::new(graph, Colors::green(n), false);
    let mut colors = tricolor.start();
    let mut blacks = 0;
    for _ in 0..ROUNDS {
        // A second click on a colored vertex undoes the first, so each vertex is clicked at most once.
        for v in (0..n).filter(|_| random.below(2) == 1).collect::<Vec<usize>>() {
            limits.check()?;
            if colors.get(v) != Color::Black {
                tricolor.make(&mut colors, &(v as u32));
            }
        }
        if blacks == wanted {
            tricolor.start = colors;
            return Ok(tricolor);
        }
        let v = random.below(n);
        if colors.get(v) != Color::Black {
            let mut black = None;
            let _ = tricolor.backward_at(&colors, v, &mut |earlier: Colors, _| {
                black = Some(earlier).filter(|earlier| earlier.get(v) == Color::Black);
                if black.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            blacks += usize::from(black.is_some());
            colors = black.unwrap_or(colors);
        }
    }
    Err(Fault::new(format!("no board with {wanted} black vertices was found"), "ask for fewer black vertices").into())
}

impl Notation for Tricolor {
    const INFO: Info<Self> = Info {
        name: "tricolor",
        about: "turn a graph green: clicks swap red and green, and black vertices follow the majority around them",
        rules: "\
Each vertex of a graph is red, green or black; the goal is to make all vertices green. Any vertex may be clicked at any time,
even twice in a row. A click on a red or green vertex swaps red and green at that vertex and at its red and green neighbors. A
click on a black vertex swaps red and green at its neighbors and then counts them. If more are green than red, the black vertex
turns green; if more are red, it turns red; otherwise (or if it has no such neighbor) it stays black. No vertex ever becomes
black.

A board is given as `colors: GGBRR` and `edges: 0-1 0-2 1-2`, on separate lines or separated by `;`. Vertices are numbered from
0. Instead of the edges, there may be rows of 0 and 1 (the diagonal is ignored), or `graph:` with a family name (`P5`, `K3,4`,
`petersen`), graph6 or any other one-line graph format; `--graph FILE` accepts files in any format that `edge` reads. `#`
starts a comment. JSON: {\"colors\": \"GGBRR\", \"edges\": [[0,1],[0,2]]}. An edge given twice is counted once, and a note reports
it. A single letter applies to all vertices: `graph: petersen; colors: R`. A move is the number of a vertex, or its name if the
graph has names other than consecutive numbers. The source's own form is also read: the rows of M, `c = {1,1,0,0,0}` and
`bp = {1,1,0,1,1}`, or JSON {\"M\": [[1,1],[1,1]], \"c\": [1,0], \"bp\": [1,1]}; the source numbers its vertices from 1. `layout` sets
the positions of vertices in the drawing, as x (rightward) and y (downward), each from 0 to 1:
`layout: 0 0.1 0.5, 1 0.9 0.5`, in JSON \"layout\": {\"0\": [0.1, 0.5]}.

A click costs 1; with `cost=color` it costs 1 on a red vertex, 2 on a black one and 3 on a green one, by its color before the
click. As long as no black vertex changes color, clicks commute, and the game is linear algebra over GF(2). `phases`, the best
method, searches only over the black vertices; if that takes too long, a SAT solver orders the clicks. A board of 100 vertices,
20 of them black, takes a fraction of a second, and so do thousands of vertices if none is black. With cost=color, the cost
depends on the order of all clicks, so the SAT solver is used from the start.

If you know the source of this game, note these corrections: its goal test is inverted (it fails if a vertex is green); only
clicks on black vertices count neighbors, while in its pseudocode every click does; green neighbors are counted after the swap,
as in its text, not before it, as in its pseudocode; its second comparison must be `<` (both are `>`, so nothing ever turns
red); its `+` is exclusive or; twice the number of green neighbors is compared with the number of neighbors, which avoids
rounding; and vertices are numbered from 0, not from 1.",
        sample: "colors: GGBRR\nedges: 0-1 0-2 1-2 1-3 1-4 2-3",
        sources: &["An untitled, anonymous and undated model of the game as a search problem, with the matrix M and the vectors c and bp."],
        options: &[
            OptionSpec { name: "cost", about: "clicks (each costs 1), or color (red 1, black 2, green 3)", default: "clicks" },
            OptionSpec {
                name: "graph",
                about: "a graph instead of the board's own: a family (P5), graph6, or the text of a file",
                default: "",
            },
            OptionSpec {
                name: "colors",
                about: "the colors of the vertices, such as GGBRR, or R for all; only with option `graph` and without a board",
                default: "",
            },
        ],
        examples: &[
            Example {
                command: "solve",
                arguments: "'colors: GGBRR; edges: 0-1 0-2 1-2 1-3 1-4 2-3'",
                about: "a board on the command line",
            },
            Example { command: "solve", arguments: "--graph P5 --option colors=GGBRR", about: "on a named graph" },
            Example { command: "generate", arguments: "--seed 7 --option vertices=30", about: "" },
            Example { command: "census", arguments: "graphs.g6 --format jsonl", about: "as JSON lines" },
        ],
        generator: Some(Generator { options: GENERATE_OPTIONS, solvable: true, make: generate }),
        levels: Some(&[
            LevelSpec { options: &["vertices=5 black=1"], least: 2..=3, guesses: 5..=12 },
            LevelSpec { options: &["vertices=7 black=2"], least: 4..=5, guesses: 13..=25 },
            LevelSpec { options: &["vertices=9 black=3", "vertices=10 black=3"], least: 5..=7, guesses: 24..=45 },
            LevelSpec { options: &["vertices=13 black=5", "vertices=14 black=5"], least: 8..=12, guesses: 42..=150 },
        ]),
        census: Some(census::CENSUS),
        graph_board: Some(|graph| format!("graph: {graph}\ncolors: R\n")),
        board_graph: |tricolor| {
            let mut graph = tricolor.graph.clone();
            graph.set_names(Some(names(tricolor)));
            Some(graph)
        },
        monsters: &[
            Monster { name: "2,000 vertices, one third black", make: |random| monster(random, 2000, 4, "RGB") },
            Monster { name: "4,000 vertices, none black", make: |random| monster(random, 4000, 3, "RG") },
        ],
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let options = input.options;
        let bare = without_comments(input.text);
        let source = Source::new(&bare);
        let given = options.get("graph").map(formats::read_option).transpose()?;
        let (mut tricolor, said) = match (bare.trim().is_empty(), given, options.get("colors")) {
            (true, Some(graph), Some(letters)) => {
                let wrong = |message: String| Fault::new(format!("option `colors`: {message}"), LETTERS);
                (board(input, graph, colors(letters, |_, message| wrong(message))?, wrong)?, None)
            }
            (true, Some(_), None) => {
                let help = "add them, one letter per vertex, as in `--option colors=GGBRR`, or a single letter for all";
                return Err(Fault::new("a graph alone has no colors", help).into());
            }
            (true, None, _) => return Err(source.error(0, "the board is empty", HELP).into()),
            (false, _, Some(_)) => {
                let message = "option `colors` can be used only with option `graph` and without a board";
                return Err(Fault::new(message, "leave out the option or the board").into());
            }
            (false, given, None) if formats::is_json(&bare) => json::read(&source, |node| read_json(node, given, input))?,
            (false, given, None) => read_text(&bare, given, input)?,
        };
        input.limits.check()?;
        let wrong = |message: String| Fault::new(format!("option `cost`: {message}"), COSTS);
        let asked = options.get("cost").map(|text| read_cost(text, wrong)).transpose()?;
        if asked.is_some() && said.is_some() && asked != said {
            return Err(Fault::new("option `cost` differs from the cost set by the board", "leave the option out").into());
        }
        tricolor.by_color = asked.or(said).unwrap_or(false);
        Ok(tricolor)
    }

    fn layer_name(&self, layer: u32) -> String {
        if layer == 1 { "1 click".to_owned() } else { format!("{layer} clicks") }
    }

    fn write_move(&self, _colors: &Colors, vertex: &u32) -> String {
        self.name(*vertex as usize)
    }

    fn move_json(&self, _colors: &Colors, vertex: &u32) -> Value {
        self.name_json(*vertex as usize)
    }

    fn write(&self, colors: &Colors) -> String {
        let letters: String = (0..self.graph.len()).map(|v| letter(colors.get(v))).collect();
        let mut text = format!("colors: {letters}\n");
        if !self.graph.is_empty() && self.graph.own_name(0).is_some() {
            let _ = write!(text, "graph: {}", formats::write_list(&self.graph));
        } else {
            text.push_str("edges:");
            for (u, v) in self.graph.edges() {
                let _ = write!(text, " {u}-{v}");
            }
        }
        text.push_str(if self.by_color { "\ncost: color\n" } else { "\n" });
        if let Some(layout) = self.layout.write(&|v| self.name(v)) {
            let _ = writeln!(text, "layout: {layout}");
        }
        text
    }

    fn ascii(&self, colors: &Colors) -> String {
        let (n, total) = (self.graph.len(), self.tally(colors));
        if n > 40 {
            return format!("{n} vertices: {total}");
        }
        let width = names(self).iter().map(|name| name.chars().count()).max().unwrap_or(1);
        let line = |v: usize| {
            let others: Vec<String> =
                self.graph.neighbors(v).iter().map(|&u| format!("{}{}", self.name(u as usize), letter(colors.get(u as usize)))).collect();
            format!("{:>width$} {}  {}", self.name(v), letter(colors.get(v)), others.join(" ")).trim_end().to_owned()
        };
        let lines: Vec<String> = (0..n).map(line).collect();
        format!("{}\n{total}", lines.join("\n"))
    }
}

impl Tricolor {
    /// The number of vertices of each color, in words.
    pub(super) fn tally(&self, colors: &Colors) -> String {
        let [red, green, black] = COLORS.map(|wanted| (0..self.graph.len()).filter(|&v| colors.get(v) == wanted).count());
        format!("{red} red, {green} green, {black} black")
    }
}

/// A random board with about `edges` edges per vertex.
fn monster(random: &mut Random, vertices: usize, edges: usize, colors: &str) -> String {
    let colors: String = (0..vertices).map(|_| char::from(colors.as_bytes()[random.below(colors.len())])).collect();
    let mut text = format!("colors: {colors}\nedges:");
    for _ in 0..vertices * edges {
        let (u, v) = (random.below(vertices), random.below(vertices));
        if u != v {
            text.push_str(&format!(" {u}-{v}"));
        }
    }
    text
}
