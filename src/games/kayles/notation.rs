//! Reads, writes and generates boards of Kayles.

use std::collections::HashMap;

use super::{Board, Kayles, Kind, MOST, Objects, Octal, Rule, Take, tools};
use crate::graph::{families, formats};
use crate::limits::Limits;
use crate::notation::{
    Fault, Field, Generator, Info, Input, LevelSpec, Monster, Notation, OptionSpec, Options, ParseError, ReadError, Source, counted,
    shorten,
};
use crate::random::Random;
use crate::text::offset_in;

const HELP: &str = "write a graph and what a move takes (`graph: grid3x5; rule: arc`, or `rule: node`), heaps (`heaps: 3 4 5`), or heaps \
                    with the code of an octal game (`octal: 0.77; heaps: 70`); `+` adds boards";
const TAKEN: &str = "list vertices by name (`taken: a b`) or pins by heap and place (`taken: 1.2 1.4-1.6`)";
const KEYS: [&str; 5] = ["graph", "rule", "octal", "heaps", "taken"];
/// Maximum number of boards in a sum.
const MOST_BOARDS: usize = 64;

impl Rule {
    pub(super) fn name(self) -> &'static str {
        match self {
            Rule::Arc => "arc",
            Rule::Node => "node",
        }
    }

    pub(super) fn find(name: &str) -> Option<Rule> {
        [Rule::Arc, Rule::Node].into_iter().find(|rule| rule.name().eq_ignore_ascii_case(name.trim()))
    }

    /// The rule in the options, if there is one.
    pub(super) fn option(options: &Options) -> Result<Option<Rule>, Fault> {
        let Some(text) = options.get("rule") else { return Ok(None) };
        let wrong = || Fault::new(format!("option `rule` cannot be `{}`", shorten(text)), "write `rule=arc` or `rule=node`");
        Rule::find(text).map(Some).ok_or_else(wrong)
    }
}

/// One term of a sum as it is read.
struct Term {
    kind: Kind,
    /// The names of the objects taken, with their errors.
    taken: Vec<(String, ParseError)>,
    /// The place of the board in the text.
    place: ParseError,
}

fn too_large(place: &ParseError, objects: usize) -> ReadError {
    let message = format!("a board has at most {MOST} vertices and pins in all, but this one has at least {objects}");
    ParseError {
        message,
        help: "use a smaller graph or smaller heaps; `kibitzer period` has the values of large heaps".to_owned(),
        ..place.clone()
    }
    .into()
}

/// The text, if it is a short family name.
fn short_name(text: &str) -> Option<String> {
    let text = text.trim();
    (text.len() <= 20 && matches!(families::by_name(text), Some(Ok(_)))).then(|| text.to_owned())
}

impl Term {
    /// Reads one term. `given` is the rule in the options.
    fn read(source: &Source<'_>, given: Option<Rule>) -> Result<Term, ReadError> {
        let text = source.text();
        let begin = text.len() - text.trim_start().len();
        let place = source.error(begin, "", "");
        let first = text.trim().split([':', '\n']).next().unwrap_or_default().trim();
        if text.trim().is_empty() {
            return Err(source.error(0, "there is no board", HELP).into());
        }
        if !KEYS.contains(&first) || formats::is_document(text.trim()) {
            let graph = formats::read(source)?.simple()?;
            let kind = Kind::Graph { graph, name: short_name(text), rule: given.unwrap_or(Rule::Arc) };
            return Ok(Term { kind, taken: Vec::new(), place });
        }
        let fields = source.fields(&KEYS, HELP)?;
        let find = |key: &str| fields.iter().find(|field| field.key == key);
        let taken = find("taken").map(|field| names(field)).unwrap_or_default();
        let kind = match (find("graph"), find("heaps")) {
            (Some(_), Some(heaps)) => {
                return Err(heaps.error("a board is either a graph or heaps", "write `+` between the two boards").into());
            }
            (Some(field), None) => {
                if let Some(octal) = find("octal") {
                    return Err(octal.error("a code is for heaps, not for a graph", "write `rule: arc` or `rule: node`").into());
                }
                let wrong = |field: &Field<'_>| {
                    field.error(format!("`{}` is neither arc nor node", shorten(field.value)), "write `rule: arc` or `rule: node`")
                };
                let said = find("rule").map(|field| Rule::find(field.value).ok_or_else(|| wrong(field))).transpose()?;
                if let (Some(said), Some(given)) = (said, given)
                    && said != given
                {
                    let message = format!("option `rule` is `{}`, but the board says `{}`", given.name(), said.name());
                    return Err(Fault::new(message, "leave the option out").into());
                }
                let rule = said.or(given).unwrap_or(Rule::Arc);
                Kind::Graph { graph: formats::read_field(field)?, name: short_name(field.value), rule }
            }
            (None, Some(field)) => {
                if let Some(rule) = find("rule") {
                    return Err(rule.error("heaps have no such rule", "write the code of an octal game, as in `octal: 0.77`").into());
                }
                heaps(field, find("octal"))?
            }
            (None, None) => return Err(source.error(begin, "the line `graph: …` or `heaps: …` is missing", HELP).into()),
        };
        Ok(Term { kind, taken, place })
    }
}

fn heaps(field: &Field<'_>, octal: Option<&Field<'_>>) -> Result<Kind, ReadError> {
    let (mut sizes, mut sum) = (Vec::new(), 0);
    for (size, offset) in field.integers("write the sizes of the heaps, as in `heaps: 3 4 5`")? {
        let wrong = |message: String| field.error_at(offset, message, format!("a heap has 1 to {MOST} pins"));
        sum += usize::try_from(size)
            .ok()
            .filter(|&size| size > 0)
            .ok_or_else(|| wrong(format!("a heap cannot have {size} pins")))?
            .min(MOST + 1);
        if sum > MOST {
            return Err(too_large(&wrong(String::new()), sum));
        }
        sizes.push(size as usize);
    }
    let Some(&most) = sizes.iter().max() else {
        return Err(field.error("there are no heaps", "write the sizes of the heaps, as in `heaps: 3 4 5`").into());
    };
    let read = |field: &Field<'_>| {
        Octal::read(field.value)
            .map_err(|message| field.error(message, "write a code such as `0.77`, with the digits 0 to 7 after the point"))
    };
    let (octal, is_nim) = (octal.map(read).transpose()?, octal.is_none());
    Ok(Kind::Heaps { octal: octal.unwrap_or_else(|| Octal::nim(most)), sizes, is_nim })
}

/// The words of a list, with errors at their places.
fn names(field: &Field<'_>) -> Vec<(String, ParseError)> {
    let words = field.value.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.map(|word| (word.to_owned(), field.error_at(offset_in(field.value, word), "", TAKEN))).collect()
}

/// The terms of a sum: the text with spaces in place of the other terms.
fn terms(source: &Source<'_>) -> Vec<Source<'static>> {
    let text = source.text();
    if formats::is_json(text.trim()) || formats::is_document(text.trim()) {
        return vec![Source::owned(text.to_owned())];
    }
    let blank = |part: &str| part.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect::<String>();
    let part = |part: &str| {
        let at = offset_in(text, part);
        Source::owned(blank(&text[..at]) + part + &blank(&text[at + part.len()..]))
    };
    text.split('+').map(part).collect()
}

impl Board {
    /// The name of an object on its own board.
    pub(super) fn object_name(&self, object: usize) -> String {
        let mut at = object - self.first;
        match &self.kind {
            Kind::Graph { graph, .. } => graph.name(at),
            Kind::Heaps { sizes, .. } => {
                let mut heap = 0;
                while at >= sizes[heap] {
                    at -= sizes[heap];
                    heap += 1;
                }
                format!("{}.{}", heap + 1, at + 1)
            }
        }
    }

    /// The graph or the code, without what was taken.
    fn kind_text(&self) -> String {
        match &self.kind {
            Kind::Graph { graph, name, rule } => {
                let graph = match name {
                    Some(name) => name.clone(),
                    None if graph.is_empty() => "empty0".to_owned(),
                    None => formats::write_list(graph),
                };
                format!("graph: {graph}; rule: {}", rule.name())
            }
            Kind::Heaps { sizes, octal, is_nim } => {
                let octal = if *is_nim { String::new() } else { format!("octal: {}; ", octal.write()) };
                format!("{octal}heaps: {}", spaced(sizes))
            }
        }
    }

    /// A few words for titles.
    pub(super) fn about(&self) -> String {
        match &self.kind {
            Kind::Graph { graph, name, rule } => {
                let name = name.clone().unwrap_or_else(|| format!("a graph with {}", counted(graph.len(), "vertex", "vertices")));
                format!("{} on {name}", rule.name())
            }
            Kind::Heaps { octal, is_nim, .. } => {
                if *is_nim {
                    "Nim".to_owned()
                } else {
                    octal.write()
                }
            }
        }
    }

    fn objects(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.len
    }
}

fn spaced(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

impl Kayles {
    fn from_terms(terms: Vec<Term>, limits: &Limits) -> Result<Kayles, ReadError> {
        let mut total = 0;
        for (at, Term { kind, place, .. }) in terms.iter().enumerate() {
            total += match kind {
                Kind::Graph { graph, .. } => graph.len(),
                Kind::Heaps { sizes, .. } => sizes.iter().sum(),
            };
            if total > MOST {
                return Err(too_large(place, total));
            }
            if at >= MOST_BOARDS {
                let message = format!("a sum has at most {MOST_BOARDS} boards");
                return Err(ParseError { message, help: "leave some out".to_owned(), ..place.clone() }.into());
            }
        }
        let (kinds, taken): (Vec<Kind>, Vec<_>) = terms.into_iter().map(|term| (term.kind, term.taken)).unzip();
        let mut kayles = Kayles::new(kinds, limits)?;
        for (board, taken) in kayles.boards.iter().zip(taken).filter(|(_, taken)| !taken.is_empty()) {
            let by_name: HashMap<String, usize> = board.objects().map(|object| (board.object_name(object), object)).collect();
            for (word, place) in taken {
                let is_heap = matches!(board.kind, Kind::Heaps { .. });
                let (first, last) = word.split_once('-').filter(|_| is_heap).unwrap_or((&word, &word));
                let find = |name: &str| {
                    let what = if is_heap { "pin" } else { "vertex" };
                    let message = format!("there is no {what} `{}`", shorten(name));
                    by_name.get(name).copied().ok_or(ParseError { message, ..place.clone() })
                };
                let range = find(first)?..=find(last)?;
                kayles.start = kayles.start.without(&Objects::of(range));
            }
        }
        Ok(kayles)
    }

    /// Starts names of objects if there are several boards.
    pub(super) fn prefix(&self, object: usize) -> String {
        if self.boards.len() == 1 { String::new() } else { format!("{}:", self.board_of[object] + 1) }
    }

    /// The objects of a board that were taken, with pins next to each other as a range.
    fn taken(&self, board: &Board, left: &Objects) -> Vec<String> {
        let taken: Vec<usize> = board.objects().filter(|&object| !left.has(object)).collect();
        let joined = |&one: &usize, &next: &usize| matches!(board.kind, Kind::Heaps { .. }) && next == one + 1 && self.near[one].has(next);
        let name = |run: &[usize]| match run {
            [one] => board.object_name(*one),
            _ => format!("{}-{}", board.object_name(run[0]), board.object_name(run[run.len() - 1])),
        };
        taken.chunk_by(joined).map(name).collect()
    }

    /// The sizes of the heaps that are left on a board, and the first pin of each.
    fn heaps(&self, board: &Board, left: &Objects) -> Vec<usize> {
        let pins: Vec<usize> = board.objects().filter(|&pin| left.has(pin)).collect();
        pins.chunk_by(|&pin, &next| next == pin + 1 && self.near[pin].has(next)).map(<[usize]>::len).collect()
    }
}

const GENERATE_OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "vertices", about: "number of vertices of a graph, 1 to 64", default: "7" },
    OptionSpec { name: "edges", about: "number of edges; the graph is always connected", default: "4/3 of the number of vertices" },
    OptionSpec { name: "rule", about: "what a move takes from a graph: arc or node", default: "arc" },
    OptionSpec { name: "heaps", about: "number of heaps instead of a graph, 1 to 16", default: "" },
    OptionSpec { name: "most", about: "size of the largest heap, 1 to 16", default: "5" },
    OptionSpec { name: "octal", about: "the code of an octal game for the heaps, such as 0.77", default: "Nim" },
];

fn generate(random: &mut Random, options: &Options, limits: &Limits) -> Result<Kayles, ReadError> {
    let kind = match options.integer("heaps", 1..=16)? {
        Some(heaps) => {
            let most = options.integer("most", 1..=16)?.unwrap_or(5) as usize;
            let sizes: Vec<usize> = (0..heaps).map(|_| 1 + random.below(most)).collect();
            let read = |code: &str| {
                let help = "write `octal=0.77`, with the digits 0 to 7 after the point";
                Octal::read(code).map_err(|message| Fault::new(format!("option `octal`: {message}"), help))
            };
            let octal = options.get("octal").map(read).transpose()?;
            let is_nim = octal.is_none();
            Kind::Heaps { octal: octal.unwrap_or_else(|| Octal::nim(sizes.iter().copied().max().unwrap_or(1))), sizes, is_nim }
        }
        None => {
            let vertices = options.integer("vertices", 1..=64)?.unwrap_or(7) as usize;
            let most = (vertices * (vertices - 1) / 2) as i64;
            let edges = options.integer("edges", vertices as i64 - 1..=most)?.map_or(vertices * 4 / 3, |edges| edges as usize);
            let rule = Rule::option(options)?.unwrap_or(Rule::Arc);
            Kind::Graph { graph: families::random_connected(random, vertices, edges), name: None, rule }
        }
    };
    Ok(Kayles::new(vec![kind], limits)?)
}

impl Notation for Kayles {
    const INFO: Info<Self> = Info {
        name: "kayles",
        about: "two players take edges, vertices or pins; a player who cannot move loses",
        rules: "\
Two players take turns, player 1 first. A player who cannot move loses. There are three kinds of boards:
  graph: grid3x5; rule: arc     a move takes an edge with both of its ends (on grids, this is Cram)
  graph: P7; rule: node         a move takes a vertex with all of its neighbors
  heaps: 3 4 5                  Nim: a move takes any number of pins from one heap
  octal: 0.77; heaps: 7         heaps under an octal game; 0.77 is Kayles
The digits of an octal code say when a move may take 1 pin, 2 pins, and so on from one heap. A digit is a sum: 1 if the heap may
have no other pins, 2 if one heap may remain, 4 if two heaps may remain. So 0.137 is Dawson's Chess and 0.07 is Dawson's Kayles.
A heap is a row of pins. A move takes pins that are next to each other; in games that never split a heap, from its right end. The
digit before the point must be 0. `+` adds boards, as in `P5 + heaps: 3 4`; a move is then made on one of them.

A graph is given as a family name (P5, C7, K4, grid3x3, petersen, ...), or as graph6, edges (`0-1 1-2`), or a file of another tool.
Without `rule`, a move takes an edge. `taken` lists what is gone: `graph: P5; rule: arc; taken: a b` or, for heaps, by heap and
place, `heaps: 3 4; taken: 1.3 2.2-2.4`. A move is written `a-b` (an edge), `a` (a vertex), `1.2` or `1.2-1.3` (pins); with several
boards, the number of the board comes first: `2:a-b`.

A position is the sum of its connected parts, so its Grundy value is the xor of their values. `kibitzer period` finds the period of
an octal game. An N-position is won by the next player to move, a P-position by the previous one.",
        sample: "graph: grid3x4; rule: arc",
        sources: &[
            "R. K. Guy and C. A. B. Smith: The G-values of various games. Proc. Cambridge Philos. Soc. 52 (1956), 514-526.",
            "J. Lemoine and S. Viennot: Nimbers are inevitable. Theoretical Computer Science 462 (2012), 70-79.",
            "OEIS A002186 (Kayles), A002187 (Dawson's Chess).",
        ],
        options: &[
            OptionSpec {
                name: "rule",
                about: "what a move takes: arc (an edge with both ends) or node (a vertex with its neighbors)",
                default: "arc",
            },
            OptionSpec {
                name: "graph",
                about: "a graph instead of the board's own: a family (P5), graph6, or the text of a file",
                default: "",
            },
        ],
        examples: tools::EXAMPLES,
        generator: Some(Generator { options: GENERATE_OPTIONS, solvable: true, make: generate }),
        levels: Some(&LEVELS),
        census: Some(tools::CENSUS),
        tools: tools::TOOLS,
        graph_board: Some(str::to_owned),
        board_graph: |kayles| match &kayles.boards[..] {
            [Board { kind: Kind::Graph { graph, .. }, .. }] => {
                let mut graph = graph.clone();
                graph.set_names(Some((0..graph.len()).map(|v| graph.name(v)).collect()));
                Some(graph)
            }
            _ => None,
        },
        // A position of a long row has hundreds of moves. More positions are confirmed part by part.
        verified_states: 20_000,
        monsters: &[
            Monster { name: "grid", make: |_| "graph: grid16x16; rule: arc".to_owned() },
            Monster { name: "complete graph", make: |_| "graph: K256; rule: arc".to_owned() },
            Monster { name: "hypercube", make: |_| "graph: Q8; rule: node".to_owned() },
            Monster { name: "long row", make: |_| "octal: 0.777; heaps: 256".to_owned() },
            Monster { name: "many heaps", make: |_| format!("heaps:{}", " 4".repeat(64)) },
        ],
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let given = Rule::option(input.options)?;
        let source = Source::without_comments(input.text);
        let read = |source: &Source<'_>| Term::read(source, given);
        let terms = match input.options.get("graph") {
            None => terms(&source).iter().map(read).collect::<Result<Vec<_>, _>>()?,
            Some(graph) => {
                let place = source.error(0, "", "");
                let wrong = |error: ParseError| Fault::new(format!("option `graph`: {}", error.message), error.help);
                let name = short_name(graph);
                let graph = formats::read_option(graph)?.simple().map_err(wrong)?;
                if graph.len() > MOST {
                    let message = format!("option `graph`: a board has at most {MOST} vertices, but this graph has {}", graph.len());
                    return Err(Fault::new(message, "use a smaller graph").into());
                }
                let rule = match source.text().trim().is_empty() {
                    true => given,
                    false => match Term::read(&source, given)?.kind {
                        Kind::Graph { rule, .. } => Some(rule),
                        Kind::Heaps { .. } => given,
                    },
                };
                vec![Term { kind: Kind::Graph { graph, name, rule: rule.unwrap_or(Rule::Arc) }, taken: Vec::new(), place }]
            }
        };
        Kayles::from_terms(terms, input.limits)
    }

    fn layer_name(&self, layer: u32) -> String {
        format!("{layer} taken")
    }

    fn write_move(&self, _left: &Objects, take: &Take) -> String {
        let (first, last) = (usize::from(take.first), usize::from(take.last));
        let name = |object: usize| self.board(object).object_name(object);
        let last = if first == last { String::new() } else { format!("-{}", name(last)) };
        format!("{}{}{last}", self.prefix(first), name(first))
    }

    fn write(&self, left: &Objects) -> String {
        let board = |board: &Board| match self.taken(board, left) {
            taken if taken.is_empty() => board.kind_text(),
            taken => format!("{}; taken: {}", board.kind_text(), taken.join(" ")),
        };
        self.boards.iter().map(board).collect::<Vec<_>>().join(" + ") + "\n"
    }

    fn ascii(&self, left: &Objects) -> String {
        let mut lines = Vec::new();
        for (at, board) in self.boards.iter().enumerate() {
            let number = if self.boards.len() == 1 { String::new() } else { format!("board {}: ", at + 1) };
            let count = board.objects().filter(|&object| left.has(object)).count();
            lines.push(format!("{number}{}, {count} of {} left", board.about(), board.len));
            match &board.kind {
                Kind::Graph { graph, .. } => {
                    let width = board.objects().map(|v| board.object_name(v).chars().count()).max().unwrap_or(1);
                    let entry = |v: usize| format!(" {:>width$}", if left.has(v) { board.object_name(v) } else { ".".to_owned() });
                    let objects: Vec<usize> = board.objects().collect();
                    for row in objects.chunks(board.columns.unwrap_or((100 / (width + 1)).max(1)).max(1)) {
                        lines.push(row.iter().map(|&v| entry(v)).collect());
                    }
                    if board.columns.is_none() {
                        let there = |v: usize| left.has(board.first + v);
                        let mut edges = graph
                            .edges()
                            .filter(|&(u, v)| there(u) && there(v))
                            .map(|(u, v)| format!("{}-{}", graph.name(u), graph.name(v)));
                        let shown: Vec<String> = edges.by_ref().take(60).collect();
                        let more = if edges.next().is_some() { " …" } else { "" };
                        lines.push(format!("edges {}{more}", shown.join(" ")));
                    }
                }
                Kind::Heaps { sizes, .. } => {
                    let mut from = board.first;
                    for (heap, size) in sizes.iter().enumerate() {
                        let pins: String = (from..from + size).map(|pin| if left.has(pin) { '|' } else { '.' }).collect();
                        lines.push(format!("{:>4}: {pins}", heap + 1));
                        from += size;
                    }
                }
            }
        }
        lines.join("\n")
    }

    fn line(&self, left: &Objects) -> String {
        let board = |board: &Board| {
            let objects: Vec<usize> = board.objects().filter(|&object| left.has(object)).collect();
            if objects.is_empty() {
                return None;
            }
            let about = board.about();
            Some(match &board.kind {
                Kind::Graph { .. } if objects.len() == board.len => about,
                Kind::Graph { .. } => format!("{about}: {}", objects.iter().map(|&v| board.object_name(v)).collect::<Vec<_>>().join(" ")),
                Kind::Heaps { .. } => format!("{about}: {}", spaced(&self.heaps(board, left))),
            })
        };
        let boards: Vec<String> = self.boards.iter().filter_map(board).collect();
        if boards.is_empty() { "nothing left".to_owned() } else { boards.join(" + ") }
    }
}

const LEVELS: [LevelSpec; 4] = [
    LevelSpec { options: &["vertices=5 edges=5", "vertices=5 edges=6", "heaps=2 most=3"], least: 1..=3, guesses: 1..=8 },
    LevelSpec { options: &["vertices=7 edges=8", "heaps=3 most=3", "heaps=1 most=7 octal=0.77"], least: 3..=7, guesses: 4..=20 },
    LevelSpec { options: &["vertices=9 edges=11", "vertices=9 edges=12"], least: 3..=9, guesses: 8..=60 },
    LevelSpec { options: &["vertices=11 edges=15", "vertices=12 edges=16"], least: 5..=11, guesses: 15..=400 },
];
