//! Games and boards as the command line names them.

use std::io::Read;
use std::path::Path;

use clap::Args;
use kibitzer::catalog::{Entry, Puzzle};
use kibitzer::games;
use kibitzer::notation::bitmap::is_pbm;
use kibitzer::notation::{OptionSpec, Options, ReadError, shorten};

use crate::failure::Failure;
use crate::{output, picture};

/// Larger texts are refused before they are read: no board of any listed game comes near.
const MAX_BYTES: u64 = 256 << 20;

/// A game and one of its boards.
#[derive(Args)]
pub struct Board {
    /// The game; `kibitzer list` shows them
    pub game: String,
    /// A file with a board, `-` for standard input, or a short board itself; the game's sample if left out
    pub file: Option<String>,
    /// A graph in place of the board's own: a family such as P5, graph6, edges, or a file with one of these
    #[arg(long, value_name = "GRAPH")]
    pub graph: Option<String>,
    /// A variant of the game, such as `radius=4`; `kibitzer about GAME` lists them
    #[arg(long = "option", short = 'O', value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// Where play starts, such as `-,2,1,-,-`: short for `--option position=…`
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub position: Option<String>,
}

/// A board as it came in.
pub enum Loaded {
    Text {
        text: String,
        /// Where it came from, for errors.
        from: String,
    },
    /// What stood in a file's place.
    Typed(String),
    Picture {
        source: picture::Source,
        cells: usize,
        from: String,
    },
}

impl Board {
    pub fn read(&self) -> Result<(&'static Entry, Box<dyn Puzzle>), Failure> {
        let (entry, options, board) = self.load()?;
        Ok((entry, board.into_puzzle(entry, &options)?))
    }

    /// Reads the board, but does not look into it.
    pub fn load(&self) -> Result<(&'static Entry, Options, Loaded), Failure> {
        let entry = find_game(&self.game)?;
        let mut texts = self.options.clone();
        if let Some(graph) = &self.graph {
            texts.push(format!("graph={}", graph_text(graph)?));
        }
        texts.extend(self.position.iter().map(|position| format!("position={position}")));
        let options = read_options(&texts, entry.options)?;
        let loaded = match self.file.as_deref() {
            // With a graph of its own a board need not be there: a game then says what it makes of nothing.
            None if self.graph.is_some() || self.options.iter().any(|option| option.starts_with("graph=")) => {
                Loaded::Text { text: String::new(), from: "the board".to_owned() }
            }
            None => Loaded::Text { text: entry.sample.to_owned(), from: "the sample".to_owned() },
            Some("-") => Loaded::stream(std::io::stdin(), "standard input")?,
            Some(name) if picture::is_file(name) => {
                let head = picture::Rows::open(name)?.head;
                let cells = head.rows.saturating_mul(head.columns);
                Loaded::Picture { cells, source: picture::Source::File(name.to_owned()), from: name.to_owned() }
            }
            Some(name) if Path::new(name).exists() => {
                Loaded::stream(std::fs::File::open(name).map_err(|error| cannot_read(name, &error))?, name)?
            }
            Some(text) => Loaded::Typed(text.to_owned()),
        };
        Ok((entry, options, loaded))
    }
}

impl Loaded {
    /// Reads what can be read only once.
    fn stream(mut from: impl Read, name: &str) -> Result<Loaded, Failure> {
        let mut start = Vec::new();
        (&mut from).take(3).read_to_end(&mut start).map_err(|error| cannot_read(name, &error))?;
        let packed = is_pbm(&start);
        let all = std::io::Cursor::new(start).chain(from);
        if packed {
            let board = picture::Rows::new(all, name)?.all()?;
            return Ok(Loaded::Picture { cells: board.cells(), source: picture::Source::Memory(board), from: name.to_owned() });
        }
        Ok(Loaded::Text { text: read_all(all, name)?, from: name.to_owned() })
    }

    /// Is it a picture of more cells than should be listed one by one?
    pub fn is_large_picture(&self, entry: &Entry) -> bool {
        let most = entry.pictures.as_ref().map_or(0, |pictures| pictures.most_as_text);
        matches!(self, Loaded::Picture { cells, .. } if *cells > most)
    }

    /// The board as a picture.
    pub fn into_picture(self, entry: &Entry, options: &Options) -> Result<picture::Source, Failure> {
        let pictures = picture::of(entry)?;
        let read = |text: &str, from: &str| {
            let board = (pictures.from_text)(text, options).map_err(|error| Failure::reading(from, &error))?;
            Ok(picture::Source::Memory(board))
        };
        match self {
            Loaded::Picture { source, .. } => Ok(source),
            Loaded::Text { text, from } => read(&text, &from),
            Loaded::Typed(text) => read(&text, "the board on the command line"),
        }
    }

    pub fn into_puzzle(self, entry: &Entry, options: &Options) -> Result<Box<dyn Puzzle>, Failure> {
        match self {
            Loaded::Text { text, from } => (entry.read)(&text, options).map_err(|error| Failure::reading(&from, &error)),
            Loaded::Picture { source, cells, from } => {
                let pictures = picture::of(entry)?;
                if cells > pictures.most_as_text {
                    let message = format!("{from} has {cells} cells, which is too many for this command");
                    return Err(Failure::input(message, format!("`kibitzer solve {} {from} -o answer.pbm` solves it", entry.name)));
                }
                let text = (pictures.to_text)(&source.read()?);
                (entry.read)(&text, options).map_err(|error| Failure::reading(&from, &error))
            }
            Loaded::Typed(text) => {
                let text = text.as_str();
                let short = shorten(text);
                let like_a_path = text.contains(['/', '\\']) && text.contains(char::is_alphabetic)
                    || [".json", ".txt", ".pbm"].iter().any(|ending| text.ends_with(ending));
                if like_a_path && !text.contains(['{', '|', '\n']) {
                    return Err(Failure::input(format!("there is no file `{short}`"), "check the file's name"));
                }
                let like_a_board = text.contains([':', '{', '\n', ' ', '|']);
                let puzzle = (entry.read)(text, options).map_err(|error| match like_a_board {
                    _ if matches!(error, ReadError::Option(_)) => Failure::reading("the board", &error),
                    true => Failure::reading("the board on the command line", &error),
                    // A name without a dot is hardly a file's: the board's own remedy helps more.
                    false if !text.contains('.') => {
                        let message = format!("there is no file `{short}`, and as a board it is not right either: {error}");
                        Failure::input(message, error.help())
                    }
                    false => Failure::input(
                        format!("there is no file `{short}`, and as a board it is not right either: {error}"),
                        format!("check the file's name; `kibitzer about {}` shows how boards are written", entry.name),
                    ),
                })?;
                // `P5` does not look like a file's name; `a.txt` does.
                if !like_a_board && text.contains('.') {
                    output::note(&format!("there is no file `{short}`: taken as a board"));
                }
                Ok(puzzle)
            }
        }
    }
}

/// A graph as it was typed, or as it stands in a file.
fn graph_text(graph: &str) -> Result<String, Failure> {
    if !Path::new(graph).is_file() {
        return Ok(graph.to_owned());
    }
    let file = std::fs::File::open(graph).map_err(|error| cannot_read(graph, &error))?;
    Ok(read_all(file, graph)?.trim().to_owned())
}

pub fn find_game(name: &str) -> Result<&'static Entry, Failure> {
    games::find(name).ok_or_else(|| {
        let names: Vec<&str> = games::GAMES.iter().map(|entry| entry.name).collect();
        let near = names.iter().find(|known| strsim::damerau_levenshtein(known, &name.to_lowercase()) <= 2);
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the games are {}; see `kibitzer list`", names.join(", ")),
        };
        Failure::input(format!("there is no game `{}`", shorten(name)), help)
    })
}

pub fn read_options(texts: &[String], known: &'static [OptionSpec]) -> Result<Options, Failure> {
    let known: Vec<&OptionSpec> = known.iter().collect();
    Ok(Options::parse(texts.iter().map(String::as_str), &known)?)
}

/// Reads a text to its end. `name` is for the error.
pub fn read_all(from: impl Read, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| cannot_read(name, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::input(format!("{name} is larger than {} MiB", MAX_BYTES >> 20), "give a board, not an archive"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        Failure::input(format!("{name}: line {line}, column {column}: this is not text (UTF-8)"), "give a text file")
    })?;
    // Some editors begin a file with a byte-order mark.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

pub fn cannot_read(name: &str, error: &std::io::Error) -> Failure {
    Failure::input(format!("cannot read {}: {error}", shorten(name)), "check the name and the permissions")
}
