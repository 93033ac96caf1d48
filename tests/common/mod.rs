//! Helpers for several test files: boards to test on, headers of instance files, golden files.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use kibitzer::catalog::{Entry, Puzzle};
use kibitzer::drawing::Drawing;
use kibitzer::games::{self, Visitor};
use kibitzer::limits::Limits;
use kibitzer::notation::{Notation, OptionSpec, Options, parse};
use kibitzer::random::Random;
use kibitzer::rules::{Game, Problem};

/// The repository: the package's own folder, or the one above.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("instances").is_dir()).expect("the tests run in the repository")
}

/// A file of `instances/GAME/` with the fields of its header.
pub struct Instance {
    pub path: PathBuf,
    pub text: String,
    pub options: Vec<String>,
    /// `cost N` or `unsolvable`.
    pub answer: String,
}

/// All instances of a game, sorted by name.
///
/// # Panics
/// If one does not name its answer and its source.
pub fn instances(game: &str) -> Vec<Instance> {
    let Ok(folder) = std::fs::read_dir(root().join("instances").join(game)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("an instance is text");
        let header = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("# {key}:")));
            line.map(|line| line.trim().to_owned())
        };
        assert!(header("source").is_some(), "{} has no `# source:` line", path.display());
        let answer = header("answer").unwrap_or_else(|| panic!("{} has no `# answer:` line", path.display()));
        let options = header("options").map(|line| line.split_whitespace().map(str::to_owned).collect()).unwrap_or_default();
        Instance { path, text, options, answer }
    };
    paths.into_iter().map(read).collect()
}

pub fn options(texts: &[String], known: &'static [OptionSpec]) -> Options {
    let known: Vec<&OptionSpec> = known.iter().collect();
    Options::parse(texts.iter().map(String::as_str), &known).expect("the options are right")
}

/// A board as text, to be read as the game's type or through its row of the registry.
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

/// The sample, all instances, and some random boards of a game.
pub fn boards<R: Notation>(random: u64) -> Vec<Board> {
    let mut boards = vec![Board::new("sample", R::INFO.sample)];
    for Instance { path, text, options: texts, .. } in instances(R::INFO.name) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        boards.push(Board { name, text, options: options(&texts, R::INFO.options) });
    }
    if let Some(generator) = &R::INFO.generator {
        boards.extend((0..random).map(|seed| {
            let board = (generator.make)(&mut Random::new(seed), &Options::default(), &Limits::none()).expect("the defaults are right");
            Board::new(&format!("seed {seed}"), &board.write(&board.start()))
        }));
    }
    boards
}

/// How much to do: little by default, much where `LONG` is set in the environment, as `./test long` sets it.
pub fn amount<T>(little: T, much: T) -> T {
    if std::env::var_os("LONG").is_some() { much } else { little }
}

/// Shows the visitor every game's type; only one game's if the environment variable `GAME` names it, which is quicker for
/// somebody who writes one.
#[allow(dead_code, reason = "not every test file visits types")]
pub fn visit(visitor: &mut impl Visitor) {
    struct Only<'a, V>(&'a mut V, String);
    impl<V: Visitor> Visitor for Only<'_, V> {
        fn one_player<P: Problem + Drawing>(&mut self) {
            if P::INFO.name == self.1 {
                self.0.one_player::<P>();
            }
        }
        fn two_player<G: Game + Drawing>(&mut self) {
            if G::INFO.name == self.1 {
                self.0.two_player::<G>();
            }
        }
    }
    match std::env::var("GAME") {
        Ok(name) => games::visit(&mut Only(visitor, name)),
        Err(_) => games::visit(visitor),
    }
}

/// Compares with a stored file, or stores it if `BLESS=1` is set in the environment. A missing file fails.
pub fn golden(path: &Path, got: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, got).expect("writable");
        return;
    }
    let stored = std::fs::read_to_string(path)
        .unwrap_or_else(|_| panic!("{} is missing; `BLESS=1 cargo test --test engine` creates it", path.display()));
    if let Some((line, (old, new))) = stored.lines().zip(got.lines()).enumerate().find(|(_, (old, new))| old != new) {
        panic!(
            "{}, line {}:\n  stored: {old}\n  now:    {new}\nIf this is intended, `BLESS=1 cargo test --test engine` stores it.",
            path.display(),
            line + 1
        );
    }
    assert_eq!(
        stored.len(),
        got.len(),
        "{} has a different length; if this is intended, `BLESS=1 cargo test --test engine` stores it",
        path.display()
    );
}
