//! How boards of tricolor are read, written and generated.

use std::fmt::Write;
use std::ops::ControlFlow;

use serde_json::Value;

use super::{Color, Colors, Price, Tricolor, census, source};
use crate::graph::formats::{self, Reading};
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
const HELP: &str = "write `colors: GGBRR` and `edges: 0-1 0-2 …`, or rows of 0 and 1 with `colors:`, or `graph: P5` (a family's name \
                    or graph6) with `colors:`";
const LETTERS: &str = "a color is `R` (red), `G` (green) or `B` (black), one for each vertex from 0 on, or one letter for all of them";

fn color(letter: char) -> Option<Color> {
    match letter.to_ascii_uppercase() {
        'R' => Some(Color::Red),
        'G' => Some(Color::Green),
        'B' => Some(Color::Black),
        _ => None,
    }
}

pub(super) fn letter(color: Color) -> char {
    match color {
        Color::Red => 'R',
        Color::Green => 'G',
        Color::Black => 'B',
    }
}

/// Colors from letters, and how many there are; blanks and commas may stand between them. `wrong` makes the error for an offset.
fn colors(text: &str, wrong: impl Fn(usize, String) -> ParseError) -> Result<(Colors, usize), ParseError> {
    let mut found = Vec::new();
    for (at, character) in text.char_indices().filter(|(_, c)| !c.is_whitespace() && *c != ',') {
        match color(character) {
            Some(color) => found.push(color),
            None => return Err(wrong(at, format!("`{}` is no color", shorten(&character.to_string())))),
        }
        if found.len() > MOST_VERTICES {
            return Err(wrong(at, format!("there are more than {MOST_VERTICES} vertices")));
        }
    }
    if found.is_empty() {
        return Err(wrong(0, "there are no vertices".to_owned()));
    }
    let mut colors = Colors::green(found.len());
    found.iter().enumerate().for_each(|(v, color)| colors.set(v, *color));
    Ok((colors, found.len()))
}

/// Repeated edges that are noted one by one. Finding a place takes a pass through the text.
const MOST_NOTES: usize = 5;

/// Puts a graph and colors together; edges that were given more than once count once and are noted. `wrong` makes an error at
/// the colors.
fn board<E>(input: &Input<'_>, edges: Edges, (mut start, given): (Colors, usize), wrong: impl Fn(String) -> E) -> Result<Tricolor, E> {
    let Edges { mut graph, repeats, more } = edges;
    if given == 1 && graph.len() > 1 {
        let color = start.get(0);
        start = Colors::green(graph.len());
        (0..graph.len()).for_each(|v| start.set(v, color));
    } else if graph.len() != given {
        return Err(wrong(format!("there are {given} colors, but {} vertices", graph.len())));
    }
    // Numbers in order are no names: vertices have their own.
    match graph.counts_from() {
        Some(1) => {
            input.note("vertices are numbered from 0: the graph's vertex 1 is vertex 0 here");
            graph.set_names(None);
        }
        Some(_) => graph.set_names(None),
        None => {}
    }
    for repeat in repeats {
        input.note(format!("{repeat}; it counts once"));
    }
    if more > 0 {
        input.note(format!("{more} more edges are given twice"));
    }
    Ok(Tricolor::new(graph, start, Price::Clicks))
}

/// Edges between vertices 0 to n - 1: where loops, repeats and unknown vertices are found.
struct Edges {
    graph: Graph,
    /// The first few edges that were given again, and how many more there are.
    repeats: Vec<ParseError>,
    more: usize,
}

impl From<Reading> for Edges {
    fn from(Reading { graph, mut repeats }: Reading) -> Edges {
        let more = repeats.len().saturating_sub(MOST_NOTES);
        repeats.truncate(MOST_NOTES);
        Edges { graph, repeats, more }
    }
}

impl Edges {
    fn none(vertices: usize) -> Edges {
        Edges { graph: Graph::empty(vertices), repeats: Vec::new(), more: 0 }
    }

    fn add(&mut self, u: &str, v: &str, error: impl Fn(String, &str) -> ParseError) -> Result<(), ParseError> {
        let n = self.graph.len();
        let end = |text: &str| {
            let found = text.parse().ok().filter(|&v: &usize| v < n);
            found.ok_or_else(|| error(format!("there is no vertex `{}`", shorten(text)), &format!("vertices are 0 to {}", n - 1)))
        };
        let (u, v) = (end(u)?, end(v)?);
        if u == v {
            return Err(error(format!("a loop: vertex {u} is joined to itself"), "remove this edge: simple graphs have no loops"));
        }
        if self.graph.add_edge(u, v) {
            return Ok(());
        }
        if self.repeats.len() < MOST_NOTES {
            self.repeats.push(error(format!("the edge {u}-{v} is given twice"), "remove one of the two"));
        } else {
            self.more += 1;
        }
        Ok(())
    }
}

fn price(text: &str) -> Option<Price> {
    match text {
        "clicks" => Some(Price::Clicks),
        "color" | "colour" => Some(Price::Color),
        _ => None,
    }
}

/// The price that a board names, and its name.
fn read_price(text: &str, wrong: impl Fn(String) -> ParseError) -> Result<(Price, String), ParseError> {
    let price = price(text).ok_or_else(|| wrong(format!("`{}` is no price", shorten(text))))?;
    Ok((price, text.to_owned()))
}

const PRICES: &str = "give `clicks` (each costs 1) or `color` (red 1, black 2, green 3, as it was before the click)";

/// Rows of a matrix, with everything else blanked out; and the other way round.
fn split(text: &str) -> (String, String) {
    let (mut rows, mut rest) = (String::with_capacity(text.len()), String::with_capacity(text.len()));
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let is_row = !bare.is_empty() && !bare.contains(':') && bare.starts_with(|c: char| c.is_ascii_digit() || c == '[');
        let (full, blank) = if is_row { (&mut rows, &mut rest) } else { (&mut rest, &mut rows) };
        full.push_str(line);
        line.chars().for_each(|c| if c == '\n' { blank.push('\n') } else { (0..c.len_utf8()).for_each(|_| blank.push(' ')) });
    }
    (rows, rest)
}

/// The text without comments, which start with `#` anywhere in a line; places stay what they were.
fn without_comments(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let at = line.find('#').unwrap_or(line.len());
        bare.push_str(&line[..at]);
        line[at..].bytes().for_each(|byte| bare.push(if byte == b'\n' { '\n' } else { ' ' }));
    }
    bare
}

/// A board, and the price that the text names.
type Priced = (Tricolor, Option<(Price, String)>);

fn read_text(text: &str, input: &Input<'_>) -> Result<Priced, ReadError> {
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
        (None, None) => return Err(whole.error(end(), "the line `colors: …` is missing", HELP).into()),
    };
    let start = colors(letters, |at, message| colored.error_at(at, message, LETTERS))?;
    let has_rows = !rows.trim().is_empty();
    let first_row = || rows.len() - rows.trim_start().len();
    let reading = match (has_rows, get("edges"), get("graph")) {
        _ if input.options.get("graph").is_some() => option_graph(input)?,
        (true, None, None) => formats::matrix(&Source::new(&rows))?.into(),
        (true, Some(field), _) | (true, _, Some(field)) | (false, Some(_), Some(field)) => {
            let message = format!("the graph is given twice: by `{}` and by {}", field.key, if has_rows { "rows" } else { "`edges`" });
            let error = if has_rows { Source::new(&rows).error(first_row(), message, HELP) } else { field.error(message, HELP) };
            return Err(error.into());
        }
        (false, None, None) => return Err(whole.error(end(), "the graph is missing", HELP).into()),
        (false, None, Some(field)) => {
            let read = formats::read(&Source::new(field.value));
            read.map_err(|error| field.error_at(offset(field.value, &error), error.message, error.help))?.into()
        }
        (false, Some(field), None) => {
            let mut edges = Edges::none(start.1);
            let separates = |c: char| c.is_whitespace() || c == ',';
            for word in field.value.split(separates).filter(|word| !word.is_empty()) {
                input.limits.check()?;
                let at = word.as_ptr() as usize - field.value.as_ptr() as usize;
                let Some((u, v)) = word.split_once('-') else {
                    let message = format!("`{}` is no edge", shorten(word));
                    return Err(field.error_at(at, message, "write edges as `0-1 0-2`").into());
                };
                edges.add(u, v, |message, help| field.error_at(at, message, help))?;
            }
            edges
        }
    };
    let cost = get("cost").map(|field| read_price(field.value, |message| field.error(message, PRICES))).transpose()?;
    let mut tricolor = board(input, reading, start, |message| colored.error(message, LETTERS))?;
    // With another graph in place of the board's own, its layout means nothing.
    if let (Some(field), None) = (get("layout"), input.options.get("graph")) {
        tricolor.layout = Layout::read(field, names(&tricolor))?;
    }
    Ok((tricolor, cost))
}

/// The names of the vertices.
fn names(tricolor: &Tricolor) -> Vec<String> {
    (0..tricolor.graph.len()).map(|v| tricolor.name(v)).collect()
}

/// The offset of an error in a one-line text.
fn offset(text: &str, error: &ParseError) -> usize {
    text.char_indices().nth(error.column - 1).map_or(text.len(), |(at, _)| at)
}

/// The graph that the options give in place of the board's own.
fn option_graph(input: &Input<'_>) -> Result<Edges, ReadError> {
    Ok(formats::read_option(input.options.get("graph").unwrap_or_default())?.into())
}

/// A board that the options alone give: a graph and colors.
fn from_options(letters: &str, input: &Input<'_>) -> Result<Tricolor, ReadError> {
    let wrong = |message: String| Fault { message: format!("option `colors`: {message}"), help: LETTERS.to_owned() };
    let start = colors(letters, |_, message| ParseError { line: 1, column: 1, message, help: String::new() });
    let start = start.map_err(|error| wrong(error.message))?;
    Ok(board(input, option_graph(input)?, start, wrong)?)
}

fn read_json(node: Node<'_>, input: &Input<'_>) -> Result<Result<Priced, ReadError>, ParseError> {
    const FORM: &str = "write {\"colors\": \"GGBRR\", \"edges\": [[0,1],[0,2]]}, or \"graph\": \"P5\" in place of the edges";
    let members = node.object(&["colors", "edges", "graph", "cost", "layout", "M", "c", "bp"])?;
    let vectors = source::from_json(&members)?;
    let (colored, text) = match &vectors {
        Some((letters, _)) => (members.require("bp", FORM)?, letters.as_str()),
        None => {
            let colored = members.require("colors", FORM)?;
            (colored, colored.string()?)
        }
    };
    let start = colors(text, |_, message| colored.error(message, LETTERS))?;
    let reading = match (members.get("edges"), members.get("graph")) {
        _ if input.options.get("graph").is_some() => match option_graph(input) {
            Ok(reading) => reading,
            Err(error) => return Ok(Err(error)),
        },
        (Some(twice), _) | (_, Some(twice)) if vectors.is_some() => return Err(twice.error("the graph is given twice", FORM)),
        (None, None) if vectors.is_some() => {
            let rows = vectors.as_ref().map_or("", |(_, rows)| rows);
            let matrix = members.require("M", FORM)?;
            formats::matrix(&Source::new(rows)).map_err(|error| matrix.error(format!("in this matrix: {error}"), error.help))?.into()
        }
        (Some(_), Some(graph)) => return Err(graph.error("the graph is given twice", FORM)),
        (None, None) => return Err(node.error("the key `edges` is missing", FORM)),
        (None, Some(graph)) => formats::from_json(graph)?.into(),
        (Some(list), None) => {
            let mut edges = Edges::none(start.1);
            for edge in list.array()? {
                if let Err(limit) = input.limits.check() {
                    return Ok(Err(limit.into()));
                }
                let ends = edge.array()?;
                let [u, v] = ends.as_slice() else {
                    return Err(edge.error(format!("an edge has 2 ends, not {}", ends.len()), FORM));
                };
                let (u, v) = (u.integer()?.to_string(), v.integer()?.to_string());
                edges.add(&u, &v, |message, help| edge.error(message, help))?;
            }
            edges
        }
    };
    let cost = members.get("cost").map(|cost| read_price(cost.string()?, |message| cost.error(message, PRICES))).transpose()?;
    let mut tricolor = board(input, reading, start, |message| colored.error(message, LETTERS))?;
    if let (Some(layout), None) = (members.get("layout"), input.options.get("graph")) {
        tricolor.layout = Layout::from_json(layout, names(&tricolor))?;
    }
    Ok(Ok((tricolor, cost)))
}

/// Rounds of random clicks on a generated board, after each of which a vertex may become black.
const ROUNDS: usize = 400;

const GENERATE_OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "vertices", about: "how many, 2 to 2000", default: "7" },
    OptionSpec { name: "black", about: "how many of them are black", default: "2" },
    OptionSpec { name: "degree", about: "neighbors of a vertex on average, 1 to 100", default: "3" },
    OptionSpec { name: "graph", about: "this graph, such as petersen, in place of a random one", default: "" },
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
    let mut tricolor = Tricolor::new(graph, Colors::green(n), Price::Clicks);
    let mut colors = tricolor.start();
    let mut blacks = 0;
    for _ in 0..ROUNDS {
        // A second click on a colored vertex undoes the first: each vertex once is enough.
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
        let mut before = Vec::new();
        if colors.get(v) != Color::Black {
            let _ = tricolor.backward_at(&colors, v, &mut |colors, cost| {
                before.push((colors, cost));
                ControlFlow::Continue(())
            });
        }
        if let Some((earlier, _)) = before.into_iter().find(|(earlier, _)| earlier.get(v) == Color::Black) {
            colors = earlier;
            blacks += 1;
        }
    }
    Err(Fault { message: format!("no board with {wanted} black vertices was found"), help: "ask for fewer".to_owned() }.into())
}

impl Notation for Tricolor {
    const INFO: Info<Self> = Info {
        name: "tricolor",
        about: "turn a graph green: clicks swap red and green, black vertices follow the majority around them",
        rules: "\
Each vertex of a graph is red, green or black; the goal is that all are green. Any vertex may be clicked at any time,
also twice in a row. A click on a red or green vertex swaps red and green there and at its red and green neighbors. A
click on a black vertex swaps its red and green neighbors, and then counts them: if more are green than red it turns
green, if more are red it turns red, otherwise (also with no such neighbor) it stays black. It never becomes black again.

A board is `colors: GGBRR` and `edges: 0-1 0-2 1-2`, on lines or with `;` between them; vertices count from 0. In place
of the edges there may be rows of 0 and 1 (the diagonal is ignored), or `graph:` with a family's name (`P5`, `K3,4`,
`petersen`), graph6 or any other graph on one line; `--graph FILE` takes files in any format that `edge` reads. `#` starts
a comment. JSON: {\"colors\": \"GGBRR\", \"edges\": [[0,1],[0,2]]}. An edge given twice counts once, with a note. One letter stands
for all vertices: `graph: petersen; colors: R`. A move is the number of the vertex, or its name in a graph whose names are
more than numbers in order. The source's own form is read, too: the rows of M, `c = {1,1,0,0,0}` and `bp = {1,1,0,1,1}`, or
JSON {\"M\": [[1,1],[1,1]], \"c\": [1,0], \"bp\": [1,1]}; only there do vertices count from 1. Where vertices are drawn may be said, too, by numbers from 0 to 1,
to the right and down: `layout: 0 0.1 0.5, 1 0.9 0.5`, in JSON \"layout\": {\"0\": [0.1, 0.5]}.

A click costs 1; with `cost=color` it costs 1 on a red vertex, 2 on a black and 3 on a green one, as it is before the
click. While no black vertex takes a color, clicks commute, and the game is linear algebra over GF(2). `phases`, the best
method, searches over the black vertices only, and decides about the order of clicks by clauses where that takes long:
a hundred vertices with 20 black ones take a fraction of a second, and so do thousands without a black one. With
cost=color the price depends on the order of all clicks, which is decided by clauses from the start.

If you know the source of this game, these points are read differently here: its goal test is inverted (it fails where
a vertex is green); only a click on a black vertex recolors, while its pseudocode lets every click do so; green
neighbors are counted after the swap, as its text says, not before, as its pseudocode does; its second comparison
must be `<` (both are `>`, so nothing ever turns red); its `+` is exclusive or; twice the green ones are compared with
all, so that halves are not rounded; and vertices count from 0, not from 1.",
        sample: "colors: GGBRR\nedges: 0-1 0-2 1-2 1-3 1-4 2-3",
        sources: &["A model of the game as a search problem, with the matrix M and the vectors c and bp, without title, author or date."],
        options: &[
        OptionSpec { name: "cost", about: "clicks (each costs 1), or color (red 1, black 2, green 3)", default: "clicks" },
        OptionSpec { name: "graph", about: "a graph in place of the board's own: a family (P5), graph6, or a file's text", default: "" },
        OptionSpec {
            name: "colors",
            about: "with `graph` and without a board: the vertices' colors, such as GGBRR, or R for all",
            default: "",
        },
    ],
        examples: &[
        Example {
            command: "solve",
            arguments: "'colors: GGBRR; edges: 0-1 0-2 1-2 1-3 1-4 2-3'",
            about: "a short board in the file's place",
        },
        Example { command: "solve", arguments: "--graph P5 --option colors=GGBRR", about: "on a graph by name" },
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
        Monster { name: "2,000 vertices, a third black", make: |random| monster(random, 2000, 4, "RGB") },
        Monster { name: "4,000 vertices, none black", make: |random| monster(random, 4000, 3, "RG") },
    ],
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let (text, options) = (input.text, input.options);
        let bare = without_comments(text);
        let source = Source::new(&bare);
        let (mut tricolor, said) = match (bare.trim().is_empty(), options.get("graph"), options.get("colors")) {
            (true, Some(_), Some(letters)) => (from_options(letters, input)?, None),
            (true, Some(_), None) => {
                let help = "add them, one letter for each vertex from 0 on, as in `--option colors=GGBRR`, or one for all";
                return Err(Fault { message: "a graph alone has no colors".to_owned(), help: help.to_owned() }.into());
            }
            (true, None, _) => return Err(source.error(0, "the board is empty", HELP).into()),
            (false, _, Some(_)) => {
                let message = "option `colors` goes with `graph`, without a board".to_owned();
                return Err(Fault { message, help: "leave it out, or leave the board out".to_owned() }.into());
            }
            _ if formats::is_json(&bare) => json::read(&source, |node| read_json(node, input))??,
            _ => read_text(&bare, input)?,
        };
        let asked = match options.get("cost") {
            None => None,
            Some(text) => Some(
                price(text)
                    .ok_or_else(|| Fault { message: format!("option `cost` cannot be `{}`", shorten(text)), help: PRICES.to_owned() })?,
            ),
        };
        if let (Some(asked), Some((price, said))) = (asked, &said)
            && asked != *price
        {
            let message = format!("option `cost` differs from what the board says, `{}`", shorten(said));
            return Err(Fault { message, help: "leave the option out".to_owned() }.into());
        }
        tricolor.price = asked.or(said.map(|(price, _)| price)).unwrap_or(Price::Clicks);
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
        text.push_str(if self.price == Price::Color { "\ncost: color\n" } else { "\n" });
        if let Some(layout) = self.layout.write(&|v| self.name(v)) {
            let _ = writeln!(text, "layout: {layout}");
        }
        text
    }

    fn ascii(&self, colors: &Colors) -> String {
        let n = self.graph.len();
        let counts = |wanted: Color| (0..n).filter(|&v| colors.get(v) == wanted).count();
        let total = format!("{} red, {} green, {} black", counts(Color::Red), counts(Color::Green), counts(Color::Black));
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

/// A random board with so many edges per vertex.
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
