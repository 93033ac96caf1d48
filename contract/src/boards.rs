//! Boards for tests: the sample, the files in `instances/NAME/`, and random boards.

use std::path::PathBuf;

use kibitzer::catalog::{Entry, Puzzle};
use kibitzer::limits::Limits;
use kibitzer::notation::{Notation, OptionSpec, Options, parse};
use kibitzer::random::Random;

/// A file in `instances/GAME/`, and the fields of its header.
pub struct Instance {
    pub path: PathBuf,
    pub text: String,
    pub options: Vec<String>,
    /// `cost N`, `unsolvable`, `player N` or `draw`.
    pub answer: String,
}

impl Instance {
    /// # Panics
    /// If the header does not state the answer and the source.
    fn read(path: PathBuf) -> Instance {
        let text = std::fs::read_to_string(&path).expect("an instance is text");
        let header = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("# {key}:")));
            line.map(|line| line.trim().to_owned())
        };
        assert!(header("source").is_some(), "{} has no `# source:` line", path.display());
        let answer = header("answer").unwrap_or_else(|| panic!("{} has no `# answer:` line", path.display()));
        let options = header("options").map(|line| line.split_whitespace().map(str::to_owned).collect()).unwrap_or_default();
        Instance { path, text, options, answer }
    }

    pub fn open(&self, entry: &Entry) -> Box<dyn Puzzle> {
        let puzzle = entry.parse(&self.text, &options(&self.options, entry.options));
        puzzle.unwrap_or_else(|error| panic!("{}: {error}", self.path.display()))
    }
}

/// All instances of a game, sorted by name: the files in `instances/GAME/` of the package under test or of an ancestor folder. Files
/// that end in `.list` contain many boards, without answers, and are omitted.
pub fn instances(game: &str) -> Vec<Instance> {
    let package = std::env::current_dir().expect("tests run in their package");
    let folders = package.ancestors().map(|folder| folder.join("instances").join(game));
    let Some(folder) = folders.into_iter().find(|folder| folder.is_dir()) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = folder.read_dir().expect("readable").map(|entry| entry.expect("readable").path()).collect();
    paths.retain(|path| path.extension().is_none_or(|ending| ending != "list"));
    paths.sort();
    paths.into_iter().map(Instance::read).collect()
}

/// Parses options written as `name=value`.
pub fn options<T: AsRef<str>>(texts: &[T], known: &'static [OptionSpec]) -> Options {
    let known: Vec<&OptionSpec> = known.iter().collect();
    Options::parse(texts.iter().map(T::as_ref), &known).expect("the options are valid")
}

/// The text of a board, which tests read as the game's own type or through the game's registry entry.
pub struct Board {
    pub name: String,
    text: String,
    options: Options,
}

impl Board {
    pub fn new(name: &str, text: &str) -> Board {
        Board { name: name.to_owned(), text: text.to_owned(), options: Options::default() }
    }

    pub fn read<R: Notation>(&self) -> R {
        parse(&self.text, &self.options).unwrap_or_else(|error| panic!("{} {}: {error}", R::INFO.name, self.name))
    }

    pub fn open(&self, entry: &Entry) -> Box<dyn Puzzle> {
        entry.parse(&self.text, &self.options).unwrap_or_else(|error| panic!("{} {}: {error}", entry.name, self.name))
    }
}

/// The sample, all instances, and `random` random boards of a game.
pub fn boards<R: Notation>(random: u64) -> Vec<Board> {
    let mut boards = vec![Board::new("sample", R::INFO.sample)];
    for Instance { path, text, options: texts, .. } in instances(R::INFO.name) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        boards.push(Board { name, text, options: options(&texts, R::INFO.options) });
    }
    if let Some(generator) = &R::INFO.generator {
        boards.extend((0..random).map(|seed| {
            let board = (generator.make)(&mut Random::new(seed), &Options::default(), &Limits::none()).expect("the defaults are valid");
            Board::new(&format!("seed {seed}"), &board.write(&board.start()))
        }));
    }
    boards
}
