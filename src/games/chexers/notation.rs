//! Reads, writes and generates Chexers boards.

use std::fmt::Write;

use super::{Action, COLORS, Chexers, Color, Hex, HexSet, Kind, OFF};
use crate::limits::Limits;
use crate::notation::json::{self, Node};
use crate::notation::tools::Example;
use crate::notation::{
    Fault, Field, Generator, Info, Input, LevelSpec, Monster, Notation, OptionSpec, Options, ParseError, ReadError, Source, shorten,
};
use crate::random::Random;
use crate::rules::Rules;

/// Maximum radius. A board of this radius has 29,107 hexes: more than any search can handle, but quick to set up.
const MAX_RADIUS: i64 = 98;
const EXAMPLE: &str = r#"{"colour":"red","pieces":[[0,0]],"blocks":[[1,0]]}"#;
/// Number of random boards to try before giving up.
const DRAWS: usize = 1000;
const KEYS: [&str; 5] = ["colour", "color", "pieces", "blocks", "radius"];

/// A hex in the text: its coordinates, and a function that builds an error that points to it.
type Place<'a> = ((i64, i64), Box<dyn Fn(String, String) -> ParseError + 'a>);

/// The contents of the text, in either format.
struct Raw<'a> {
    radius: Option<i64>,
    color: Color,
    pieces: Vec<Place<'a>>,
    blocks: Vec<Place<'a>>,
}

/// A value in the text, from a `key: value` line or from JSON.
#[derive(Clone, Copy)]
enum Part<'a> {
    Line(&'a Field<'a>),
    Json(Node<'a>),
}

impl<'a> Part<'a> {
    fn error(self, message: impl Into<String>, help: impl Into<String>) -> ParseError {
        match self {
            Part::Line(line) => line.error(message, help),
            Part::Json(node) => node.error(message, help),
        }
    }

    fn word(self) -> Result<&'a str, ParseError> {
        match self {
            Part::Line(line) => Ok(line.value),
            Part::Json(node) => node.string(),
        }
    }

    fn radius(self) -> Result<i64, ParseError> {
        let radius = match self {
            Part::Line(line) => match line.integers("give one whole number")?.as_slice() {
                &[(number, _)] => number,
                _ => return Err(line.error("the radius must be one number", "write `radius: 3`")),
            },
            Part::Json(node) => node.integer()?,
        };
        if (0..=MAX_RADIUS).contains(&radius) {
            return Ok(radius);
        }
        Err(self.error(format!("{radius} is not a valid radius"), format!("give a radius from 0 to {MAX_RADIUS}")))
    }

    fn hexes(self) -> Result<Vec<Place<'a>>, ParseError> {
        let hex = |item: Node<'a>| -> Result<Place<'a>, ParseError> {
            match item.array()?.as_slice() {
                [q, r] => Ok(((q.integer()?, r.integer()?), Box::new(move |m, h| item.error(m, h)))),
                other => Err(item.error(format!("a hex has 2 coordinates, not {}", other.len()), "write a hex as [q, r]")),
            }
        };
        match self {
            Part::Line(line) => {
                let place = |(hex, offset)| -> Place<'a> { (hex, Box::new(move |m, h| line.error_at(offset, m, h))) };
                Ok(line.pairs("write hexes as (q,r), such as (0,-1)")?.into_iter().map(place).collect())
            }
            Part::Json(node) => node.array()?.into_iter().map(hex).collect(),
        }
    }
}

fn read_parts<'a>(part: impl Fn(&str) -> Option<Part<'a>>, missing: impl Fn(&str) -> ParseError) -> Result<Raw<'a>, ParseError> {
    let color = match (part("colour"), part("color")) {
        (Some(_), Some(again)) => return Err(again.error("the color is given twice", "remove either `colour` or `color`")),
        (color, other) => color.or(other).ok_or_else(|| missing("colour"))?,
    };
    Ok(Raw {
        radius: part("radius").map(Part::radius).transpose()?,
        color: read_color(color.word()?, |m, h| color.error(m, h))?,
        pieces: part("pieces").ok_or_else(|| missing("pieces"))?.hexes()?,
        blocks: part("blocks").map_or(Ok(Vec::new()), Part::hexes)?,
    })
}

fn read_color(text: &str, error: impl Fn(String, String) -> ParseError) -> Result<Color, ParseError> {
    let found = COLORS.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(color, _)| *color);
    found.ok_or_else(|| error(format!("there is no color `{}`", shorten(text)), "the color must be red, green or blue".to_owned()))
}

/// Checks that all hexes are on the board and distinct. A block that is listed twice is not an error, but causes a note.
fn build(raw: Raw<'_>, input: &Input<'_>) -> Result<Chexers, ReadError> {
    let asked = input.options.integer("radius", 0..=MAX_RADIUS)?;
    if let (Some(asked), Some(written)) = (asked, raw.radius)
        && asked != written
    {
        let message = format!("option `radius` is {asked}, but the board has radius {written}");
        return Err(Fault::new(message, "leave the option out").into());
    }
    let board = Chexers::empty(asked.or(raw.radius).unwrap_or(3) as i32, raw.color);
    let reach = i64::from(board.radius);
    let mut used: Vec<Option<&str>> = vec![None; board.hexes.len()];
    let mut repeated = 0;
    let mut take = |places: &[Place<'_>], what: &'static str| -> Result<Vec<Hex>, ReadError> {
        let mut hexes = Vec::with_capacity(places.len());
        for ((q, r), error) in places {
            input.limits.check()?;
            let near = q.abs_diff(0).max(r.abs_diff(0)) <= reach as u64;
            let hex = if near { board.find((*q as i32, *r as i32)) } else { OFF };
            if hex == OFF {
                let help = format!("q, r and -q-r must be between -{reach} and {reach}; for a larger board, give a `radius`");
                return Err(error(format!("({q}, {r}) is not on the board"), help).into());
            }
            // A piece may stand on a blocked exit. It cannot leave the board from there, nor return to that hex later.
            let on_blocked_exit =
                what == "piece" && used[hex as usize] == Some("block") && board.color.progress(board.hexes[hex as usize]) == board.radius;
            if (what, used[hex as usize]) == ("block", Some("block")) {
                repeated += 1;
                // Only the first note has a position, because finding it takes a pass through the text.
                if repeated == 1 {
                    let ParseError { line, column, .. } = error(String::new(), String::new());
                    input.note(format!("line {line}, column {column}: the block at ({q}, {r}) is listed twice; it is counted once"));
                }
                continue;
            }
            match used[hex as usize] {
                Some(other) if !on_blocked_exit => {
                    let help = "keep one of the two; a piece may stand on a block only on an exit hex".to_owned();
                    return Err(error(format!("there is already a {other} at ({q}, {r})"), help).into());
                }
                _ => used[hex as usize] = Some(what),
            }
            hexes.push(hex);
        }
        Ok(hexes)
    };
    let blocks = take(&raw.blocks, "block")?;
    let pieces = take(&raw.pieces, "piece")?;
    match repeated {
        0 | 1 => {}
        2 => input.note("one more block is repeated"),
        _ => input.note(format!("{} more blocks are repeated", repeated - 1)),
    }
    Ok(board.set_up(&blocks, &pieces))
}

const GENERATE_OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "radius", about: "the board's radius, 1 to 8", default: "3" },
    OptionSpec { name: "pieces", about: "number of pieces, 1 to 12", default: "4" },
    OptionSpec { name: "blocks", about: "number of blocks", default: "a third of the hexes" },
    OptionSpec { name: "color", about: "red, green or blue", default: "red" },
];

fn generate(random: &mut Random, options: &Options, limits: &Limits) -> Result<Chexers, ReadError> {
    let radius = options.integer("radius", 1..=8)?.unwrap_or(3);
    let pieces = options.integer("pieces", 1..=12)?.unwrap_or(4) as usize;
    let color = match options.get("color") {
        None => Color::Red,
        Some(name) => read_color(name, |message, help| ParseError { line: 1, column: 1, message, help })
            .map_err(|error| Fault::new(error.message, error.help))?,
    };
    let board = Chexers::empty(radius as i32, color);
    let hexes = board.hexes.len();
    let blocks = options.integer("blocks", 0..=hexes as i64)?.map_or(hexes / 3, |blocks| blocks as usize);
    if pieces + blocks > hexes {
        let message = format!("{pieces} pieces and {blocks} blocks do not fit on {hexes} hexes");
        return Err(Fault::new(message, "ask for fewer pieces or blocks, or for a larger `radius`").into());
    }
    let mut places: Vec<Hex> = (0..hexes as Hex).collect();
    for _ in 0..DRAWS {
        limits.check()?;
        random.shuffle(&mut places, pieces + blocks);
        let board = board.clone().set_up(&places[pieces..pieces + blocks], &places[..pieces]);
        // A board has a solution if and only if it has no refutation.
        if board.refute(&board.start()).is_none() {
            return Ok(board);
        }
    }
    Err(Fault::new(format!("none of {DRAWS} random boards had a solution"), "ask for fewer `blocks`, or use another seed").into())
}

impl Notation for Chexers {
    const INFO: Info<Self> = Info {
        name: "chexers",
        about: "bring all pieces off a hex board, past blocks, in the fewest actions",
        rules: "\
The board is a hexagon of hexes (q, r) with q, r and -q-r from -3 to 3 (the radius is an option). There are pieces of
one color, and blocks that never move. Each action costs 1:
  MOVE  a piece to a neighboring empty hex;
  JUMP  over one neighboring piece or block to the empty hex straight behind it; nothing is removed;
  EXIT  from an exit hex of the color: red where q = 3, green where r = 3, blue where -q-r = 3.
A blocked exit hex is not an exit. The goal is to bring all pieces off the board. `solve` finds a plan with the fewest actions,
for 7 or more pieces on boards up to radius 4 with `wasted`, otherwise with A*. Boards with 12 pieces take seconds.

A board as JSON:
  {\"colour\":\"red\",\"pieces\":[[0,0],[0,1],[-2,1]],\"blocks\":[[-1,0],[-1,1],[1,1],[3,-1]]}
or as text, on separate lines or separated by `;`:
  colour: red; pieces: (0,0) (0,1) (-2,1); blocks: (-1,0) (-1,1) (1,1) (3,-1)
`radius` may also be given. Lines that start with `#` are comments. A piece may stand on a blocked exit; any other hex
contains at most one piece or block.

For readers of the cited source: here, pieces are written (q, r), not (r, q). The source's queue operations are not O(1). Its A*
never reopens a closed state, so it needs a consistent heuristic, such as `relaxed`. The source allows only 1 to 4 pieces.",
        sample: r#"{"colour":"red","pieces":[[0,0],[0,1],[-2,1]],"blocks":[[-1,0],[-1,1],[1,1],[3,-1]]}"#,
        sources: &["C. Liu and Z. Huang: Problem, Search and beyond: single-player Chexers as a search problem."],
        options: &[OptionSpec { name: "radius", about: "the board's radius, 0 to 98, as in `radius=4`", default: "3" }],
        examples: &[
            Example { command: "solve", arguments: "board.json --method astar:relaxed", about: "" },
            Example { command: "solve", arguments: "'colour: red; pieces: (0,0)'", about: "a board on the command line" },
            Example { command: "compare", arguments: "board.json --methods bfs,astar:null,astar:relaxed", about: "" },
            Example { command: "generate", arguments: "--option pieces=4 --option blocks=15 -o board.json", about: "" },
        ],
        generator: Some(Generator { options: GENERATE_OPTIONS, solvable: true, make: generate }),
        levels: Some(&[
            LevelSpec { options: &["pieces=1 blocks=8", "pieces=2 blocks=6"], least: 3..=5, guesses: 8..=22 },
            LevelSpec { options: &["pieces=2 blocks=6", "pieces=2 blocks=10"], least: 6..=9, guesses: 23..=70 },
            LevelSpec { options: &["pieces=3 blocks=10", "pieces=4 blocks=12"], least: 9..=14, guesses: 42..=100 },
            LevelSpec { options: &["pieces=5 blocks=12", "pieces=6 blocks=12"], least: 15..=24, guesses: 70..=300 },
        ]),
        monsters: &[Monster {
            name: "radius 98, 500 pieces",
            make: |random| {
                let mut hexes: Vec<(i32, i32)> = (-98..=98).flat_map(|q| (-98..=98).map(move |r| (q, r))).collect();
                hexes.retain(|(q, r)| (q + r).abs() <= 98);
                random.shuffle(&mut hexes, 3000);
                serde_json::json!({"colour": "red", "radius": 98, "pieces": hexes[..500], "blocks": hexes[500..3000]}).to_string()
            },
        }],
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let source = Source::without_comments(input.text);
        let help = format!("a board looks like {EXAMPLE}");
        match source.text().trim_start().chars().next() {
            None => Err(source.error(0, "the board is empty", help).into()),
            // Errors in the text are reported before errors in options.
            Some('{' | '[') => json::read(&source, |node| {
                let members = node.object(&KEYS)?;
                let missing = |key: &str| members.require(key, &help).err().expect("it is missing");
                Ok(build(read_parts(|key| members.get(key).map(Part::Json), missing)?, input))
            })?,
            Some(_) => {
                let help = format!("write the lines `colour: red`, `pieces: (0,0) (0,1)`, `blocks: (1,0)`, or JSON: {EXAMPLE}");
                let fields = source.fields(&KEYS, &help)?;
                let missing = |key: &str| source.error(source.text().len(), format!("the `{key}: …` line is missing"), &help);
                build(read_parts(|key| fields.iter().find(|field| field.key == key).map(Part::Line), missing)?, input)
            }
        }
    }

    fn write_move(&self, _pieces: &HexSet, action: &Action) -> String {
        let hex = |at: Hex| self.hexes[at as usize];
        match action.kind {
            Kind::Move => format!("MOVE from {:?} to {:?}.", hex(action.from), hex(action.to)),
            Kind::Jump => format!("JUMP from {:?} to {:?}.", hex(action.from), hex(action.to)),
            Kind::Exit => format!("EXIT from {:?}.", hex(action.from)),
        }
    }

    fn write(&self, pieces: &HexSet) -> String {
        let list = |hexes: &HexSet| {
            let pair = |hex: Hex| format!("[{},{}]", self.hexes[hex as usize].0, self.hexes[hex as usize].1);
            hexes.iter().map(pair).collect::<Vec<_>>().join(",")
        };
        let (pieces, blocks) = (list(pieces), list(&self.blocked));
        let radius = if self.radius == 3 { String::new() } else { format!(",\"radius\":{}", self.radius) };
        format!("{{\"colour\":\"{}\",\"pieces\":[{pieces}],\"blocks\":[{blocks}]{radius}}}\n", self.color.name())
    }

    fn ascii(&self, pieces: &HexSet) -> String {
        let mut text = String::new();
        let letter = self.color.name().to_uppercase().remove(0);
        let label = |r: i32| format!("r = {r}");
        let margin = label(-self.radius).len();
        for r in -self.radius..=self.radius {
            let _ = write!(text, "{:>margin$}  {}", label(r), "  ".repeat(r.unsigned_abs() as usize));
            let row: Vec<Hex> = (-self.radius..=self.radius).map(|q| self.find((q, r))).filter(|&hex| hex != OFF).collect();
            let character = |&hex: &Hex| {
                if pieces.has(hex) {
                    letter
                } else if self.blocked.has(hex) {
                    '#'
                } else if self.exit.has(hex) {
                    'o'
                } else {
                    '.'
                }
            };
            let characters: Vec<String> = row.iter().map(character).map(String::from).collect();
            let (first, last) = (self.hexes[row[0] as usize].0, self.hexes[row[row.len() - 1] as usize].0);
            let _ = writeln!(text, "{}{}  q = {first} to {last}", characters.join("   "), "  ".repeat(r.unsigned_abs() as usize));
        }
        let _ = write!(text, "{letter} piece, # block, o exit, . empty");
        text
    }
}
