//! Games and boards as the command line names them.

use std::io::Read;
use std::path::Path;

use clap::Args;
use kibitzer::catalog::{Entry, Puzzle};
use kibitzer::games;
use kibitzer::notation::{OptionSpec, Options, shorten};

use crate::failure::Failure;
use crate::output;

/// Larger texts are refused before they are read: no board of any listed game comes near.
const MAX_BYTES: u64 = 256 << 20;

/// A game and one of its boards.
#[derive(Args)]
pub struct Board {
    /// The game; `kibitzer list` shows them
    pub game: String,
    /// A file with a board, `-` for standard input, or a short board itself; the game's sample if left out
    pub file: Option<String>,
    /// A variant of the game, such as `radius=4`; `kibitzer about GAME` lists them
    #[arg(long = "option", short = 'O', value_name = "NAME=VALUE")]
    pub options: Vec<String>,
}

impl Board {
    pub fn read(&self) -> Result<(&'static Entry, Box<dyn Puzzle>), Failure> {
        let entry = find_game(&self.game)?;
        let options = read_options(&self.options, entry.options)?;
        let puzzle = match self.file.as_deref() {
            None => (entry.read)(entry.sample, &options).map_err(|error| Failure::reading("the sample", &error))?,
            Some("-") => {
                let text = read_all(std::io::stdin(), "standard input")?;
                (entry.read)(&text, &options).map_err(|error| Failure::reading("standard input", &error))?
            }
            Some(name) if Path::new(name).exists() => {
                let file = std::fs::File::open(name).map_err(|error| cannot_read(name, &error))?;
                let text = read_all(file, name)?;
                (entry.read)(&text, &options).map_err(|error| Failure::reading(name, &error))?
            }
            Some(text) => {
                let short = shorten(text);
                let like_a_path = text.contains(['/', '\\']) || [".json", ".txt"].iter().any(|ending| text.ends_with(ending));
                if like_a_path && !text.contains(['{', '|', '\n']) {
                    return Err(Failure::input(format!("there is no file `{short}`"), "check the file's name"));
                }
                let like_a_board = text.contains([':', '{', '\n', ' ', '|']);
                let puzzle = (entry.read)(text, &options).map_err(|error| match like_a_board {
                    true => Failure::reading("the board on the command line", &error),
                    false => Failure::input(
                        format!("there is no file `{short}`, and as a board it is not right either: {error}"),
                        format!("check the file's name; `kibitzer about {}` shows how boards are written", entry.name),
                    ),
                })?;
                if !like_a_board {
                    output::note(&format!("there is no file `{short}`: taken as a board"));
                }
                puzzle
            }
        };
        Ok((entry, puzzle))
    }
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
