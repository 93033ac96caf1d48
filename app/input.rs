//! Reads the games and boards named on the command line.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use clap::Args;
use kibitzer::ask::instances::{self, Instance};
use kibitzer::bits::bitmap::{Bitmap, is_pbm};
use kibitzer::catalog::{Entry, Games, Puzzle};
use kibitzer::graph::formats;
use kibitzer::limits::Limits;
use kibitzer::notation::{Input, OptionSpec, Options, ReadError, shorten};

use crate::failure::Failure;
use crate::{bitmap, lines, output};

/// Maximum size of a text file, far larger than any board.
const MAX_BYTES: u64 = 256 << 20;
/// Number of bytes read at a time.
const PIECE: u64 = 1 << 20;

/// A game and one of its boards.
#[derive(Args)]
pub struct Board {
    /// The game; see `kibitzer list`
    pub game: String,
    /// The board: a file, `-` for standard input, a name from `kibitzer list GAME`, or the text of a short board [default: the sample]
    pub file: Option<String>,
    /// Play on this graph: a family such as P5, a graph6 string, a list of edges, or a file in any graph format
    #[arg(long, value_name = "GRAPH")]
    pub graph: Option<String>,
    /// Use line N of a file with one graph per line, such as the output of geng
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub line: Option<u64>,
    /// Set an option of the game, such as `radius=4`; `kibitzer about GAME` lists the options
    #[arg(long = "option", short = 'O', value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// Start from this position, such as `-,2,1,-,-`; short for `--option position=POSITION`
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub position: Option<String>,
}

/// A board before it is parsed. `from` names its source in errors.
pub enum Loaded {
    Text {
        text: String,
        from: String,
    },
    /// Text that is not the name of a file.
    Typed(String),
    Bitmap {
        board: Bitmap,
        from: String,
    },
}

impl Board {
    pub fn read(&self, games: Games, limits: &Limits) -> Result<(&'static Entry, Box<dyn Puzzle>), Failure> {
        let (entry, options, board) = self.load(games, limits)?;
        Ok((entry, board.to_puzzle(entry, &options, limits)?))
    }

    /// The options of the board, without the graph, which is part of the board's text.
    pub fn options_text(&self, games: Games) -> Vec<String> {
        let mut texts: Vec<String> = self.options.iter().filter(|text| !text.starts_with("graph=")).cloned().collect();
        for option in self.instance(games).iter().flat_map(|instance| &instance.options) {
            let is_given = texts.iter().any(|text| text.split('=').next() == option.split('=').next());
            texts.extend((!is_given).then(|| (*option).to_owned()));
        }
        texts.sort();
        texts
    }

    /// The built-in board with this name, unless a file has the same name.
    fn instance(&self, games: Games) -> Option<Instance> {
        let (entry, name) = (games.find(&self.game)?, self.file.as_deref()?);
        if Path::new(name).exists() { None } else { instances::named(entry, name) }
    }

    /// Loads the board without parsing it.
    pub fn load(&self, games: Games, limits: &Limits) -> Result<(&'static Entry, Options, Loaded), Failure> {
        let entry = find_game(games, &self.game)?;
        let mut texts = self.options.clone();
        if let Some(graph) = &self.graph {
            if !entry.on_graphs() {
                let names = games.names(|entry| entry.on_graphs());
                let help = format!("omit `--graph`; it is only for {}", names.join(", "));
                return Err(Failure::input(format!("{} boards have no graph", entry.name), help));
            }
            texts.push(format!("graph={}", graph_text(graph, self.line, limits)?));
        }
        texts.extend(self.position.iter().map(|position| format!("position={position}")));
        let mut options = read_options(&texts, entry.options)?;
        if self.line.is_some() && self.file.is_none() && self.graph.is_none() {
            return Err(Failure::input("`--line` needs a file", "choose a file with one graph per line"));
        }
        let loaded = match self.file.as_deref() {
            // With `--graph`, the board may be omitted, and the game reads an empty string.
            None if options.get("graph").is_some() => Loaded::Text { text: String::new(), from: "the board".to_owned() },
            None => Loaded::Text { text: entry.sample.to_owned(), from: "the sample".to_owned() },
            Some(name) if self.line.is_some() && self.graph.is_none() => self.line_of(games, entry, name, limits)?,
            Some(name) if name == "-" || Path::new(name).exists() => Loaded::stream(name, limits)?,
            Some(text) => match self.instance(games) {
                Some(instance) => {
                    options = instance.with_options(&options);
                    Loaded::Text { text: instance.text.to_owned(), from: format!("the board `{text}`") }
                }
                None => Loaded::Typed(text.to_owned()),
            },
        };
        Ok((entry, options, loaded))
    }

    /// Loads the board on one line of a file.
    fn line_of(&self, games: Games, entry: &Entry, name: &str, limits: &Limits) -> Result<Loaded, Failure> {
        let Some(make) = entry.graph_board else {
            let names = games.names(|entry| entry.graph_board.is_some());
            let help = format!("omit `--line`; it is only for {}", names.join(", "));
            return Err(Failure::input(format!("a {} board cannot be one line of a file", entry.name), help));
        };
        let number = self.line.unwrap_or(1);
        let line = lines::pick(name, number, limits)?;
        // The header of a graph format may be on the same line as the graph.
        let line = formats::line_of_graph(&line).unwrap_or(&line);
        Ok(Loaded::Text { text: make(line), from: format!("{name}, line {number}") })
    }
}

impl Loaded {
    fn stream(name: &str, limits: &Limits) -> Result<Loaded, Failure> {
        let (name, mut from) = source(name)?;
        let mut start = Vec::new();
        (&mut from).take(3).read_to_end(&mut start).map_err(|error| cannot_read(name, &error))?;
        let image = is_pbm(&start);
        let all = std::io::Cursor::new(start).chain(from);
        if image {
            let board = bitmap::read(&read_bytes(all, name, u64::MAX, limits)?, name)?;
            return Ok(Loaded::Bitmap { board, from: name.to_owned() });
        }
        Ok(Loaded::Text { text: read_all(all, name, limits)?, from: name.to_owned() })
    }

    /// True if this is a bitmap with too many cells for text.
    pub fn is_large_bitmap(&self, entry: &Entry) -> bool {
        matches!(self, Loaded::Bitmap { board, .. } if entry.bitmaps().is_some_and(|bitmaps| board.cells() > bitmaps.most_as_text))
    }

    /// The board as a bitmap, and its options.
    pub fn to_bitmap(&self, entry: &Entry, options: &Options, limits: &Limits) -> Result<(Cow<'_, Bitmap>, Options), Failure> {
        let bitmaps = bitmap::of(entry)?;
        let (text, from) = match self {
            Loaded::Bitmap { board, .. } => return Ok((Cow::Borrowed(board), options.clone())),
            Loaded::Text { text, from } => (text, from.as_str()),
            Loaded::Typed(text) => (text, "the board on the command line"),
        };
        let input = Input::new(text, options, limits);
        let (board, options) = (bitmaps.from_text)(&input).map_err(|error| Failure::reading(from, &error))?;
        print_notes(&input);
        Ok((Cow::Owned(board), options))
    }

    pub fn to_puzzle(&self, entry: &Entry, options: &Options, limits: &Limits) -> Result<Box<dyn Puzzle>, Failure> {
        match self {
            Loaded::Text { text, from } => read_board(entry, text, options, limits).map_err(|error| Failure::reading(from, &error)),
            Loaded::Bitmap { board, from } => {
                let bitmaps = bitmap::of(entry)?;
                if self.is_large_bitmap(entry) {
                    let most = bitmaps.most_as_text;
                    let message = format!("{from} has {} cells; the maximum for this command is {most}", board.cells());
                    return Err(Failure::input(message, format!("solve it with `kibitzer solve {} {from} -o answer.pbm`", entry.name)));
                }
                read_board(entry, &(bitmaps.to_text)(board), options, limits).map_err(|error| Failure::reading(from, &error))
            }
            Loaded::Typed(text) => typed(entry, text, options, limits),
        }
    }
}

/// Reads a board, and prints the notes about it.
fn read_board(entry: &Entry, text: &str, options: &Options, limits: &Limits) -> Result<Box<dyn Puzzle>, ReadError> {
    let input = Input::new(text, options, limits);
    let puzzle = (entry.read)(&input)?;
    print_notes(&input);
    Ok(puzzle)
}

pub fn print_notes(input: &Input<'_>) {
    input.notes().iter().for_each(|note| output::note(&format!("note: {note}")));
}

/// Reads text that is not the name of a file: a board, or a misspelled name. Whether the text looks like a board or a file name affects
/// only the messages.
fn typed(entry: &Entry, text: &str, options: &Options, limits: &Limits) -> Result<Box<dyn Puzzle>, Failure> {
    let short = shorten(text);
    let like_a_board = text.contains([':', '{', '\n', ' ', '|']);
    let named_like_a_file = !like_a_board
        && [".json", ".txt", ".pbm", ".g6", ".s6", ".gml", ".graphml", ".dot", ".col"].iter().any(|ending| text.ends_with(ending));
    if named_like_a_file {
        return Err(no_file(text));
    }
    let like_a_file = !like_a_board && (text.contains('.') || text.contains(['/', '\\']) && text.contains(char::is_alphabetic));
    let (puzzle, notes) = instances::read(entry, text, options, limits).map_err(|error| match &error {
        ReadError::Text(_) if like_a_file => Failure::input(
            format!("`{short}` is neither a file nor a valid board: {error}"),
            format!("check the file name; `kibitzer about {}` shows how boards are written", entry.name),
        ),
        // Without a dot it was probably meant as a board or a name, so show the parser's hint.
        ReadError::Text(_) if !like_a_board => Failure::input(
            format!("`{short}` is not a file, the name of a board, or a valid board: {error}"),
            format!("{} (`kibitzer list {}` shows the names)", error.help(), entry.name),
        ),
        _ => Failure::reading("the board on the command line", &error),
    })?;
    notes.iter().for_each(|note| output::note(&format!("note: {note}")));
    if like_a_file {
        output::note(&format!("note: there is no file `{short}`, so it was read as a board"));
    }
    Ok(puzzle)
}

/// Opens a file, or standard input for `-`. Also returns the name to show in errors.
pub fn source(name: &str) -> Result<(&str, Box<dyn Read + Send>), Failure> {
    match name {
        "-" => Ok(("standard input", Box::new(std::io::stdin()))),
        name => Ok((name, Box::new(open(name)?))),
    }
}

/// The text of a graph: the argument itself, the contents of a file, or one line of a file.
fn graph_text(graph: &str, line: Option<u64>, limits: &Limits) -> Result<String, Failure> {
    if !Path::new(graph).is_file() {
        if line.is_some() {
            return Err(no_file(graph));
        }
        let ending = Path::new(graph).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let like_a_file = formats::FORMATS.iter().any(|format| format.endings.contains(&ending)) && !graph.contains(['{', ' ', ':']);
        return if like_a_file { Err(no_file(graph)) } else { Ok(graph.to_owned()) };
    }
    if let Some(number) = line {
        return lines::pick(graph, number, limits);
    }
    Ok(read_all(open(graph)?, graph, limits)?.trim().to_owned())
}

/// Returns the source of an argument (for errors) and its text: the contents of a file or of standard input (`-`), or the argument itself.
pub fn text_of(argument: &str, what: &str, limits: &Limits) -> Result<(String, String), Failure> {
    if argument != "-" && !Path::new(argument).exists() {
        return Ok((format!("{what} on the command line"), argument.to_owned()));
    }
    let (name, from) = source(argument)?;
    Ok((name.to_owned(), read_all(from, name, limits)?))
}

pub fn open(path: impl AsRef<Path>) -> Result<std::fs::File, Failure> {
    let path = path.as_ref();
    std::fs::File::open(path).map_err(|error| cannot_read(&path.to_string_lossy(), &error))
}

pub fn find_game(games: Games, name: &str) -> Result<&'static Entry, Failure> {
    games.find(name).ok_or_else(|| {
        let names = games.names(|_| true);
        let near = names.iter().find(|known| strsim::damerau_levenshtein(known, &name.to_lowercase()) <= 2);
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the games are {}; see `kibitzer list`", names.join(", ")),
        };
        Failure::input(format!("unknown game `{}`", shorten(name)), help)
    })
}

pub fn read_options(texts: &[String], known: &'static [OptionSpec]) -> Result<Options, Failure> {
    let known: Vec<&OptionSpec> = known.iter().collect();
    Ok(Options::parse(texts.iter().map(String::as_str), &known)?)
}

/// Reads all bytes, and checks the limits while reading. Fails if there are more than `most` bytes. Error messages contain `name`.
pub fn read_bytes(mut from: impl Read, name: &str, most: u64, limits: &Limits) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while (&mut from).take(PIECE).read_to_end(&mut bytes).map_err(|error| cannot_read(name, &error))? > 0 {
        limits.check()?;
        limits.room(bytes.len())?;
        if bytes.len() as u64 > most {
            return Err(Failure::input(format!("{name} is too large"), format!("the limit is {} MiB", most >> 20)));
        }
    }
    Ok(bytes)
}

pub fn read_all(from: impl Read, name: &str, limits: &Limits) -> Result<String, Failure> {
    let bytes = read_bytes(from, name, MAX_BYTES, limits)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        Failure::input(format!("{name}: line {line}, column {column}: this is not UTF-8 text"), "use a text file")
    })?;
    // Some editors begin a file with a byte-order mark.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

fn no_file(name: &str) -> Failure {
    Failure::input(format!("there is no file `{}`", shorten(name)), "check the file name")
}

pub fn cannot_read(name: &str, error: &std::io::Error) -> Failure {
    Failure::input(format!("cannot read {}: {error}", shorten(name)), "check the name and the permissions")
}
