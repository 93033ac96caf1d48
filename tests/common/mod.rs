//! Helpers shared by several test files: boards and their answers, every game as a type, golden files.
#![allow(dead_code, unused_imports, reason = "not every test binary needs every helper")]

use std::collections::BTreeSet;
use std::path::Path;

use kibitzer::catalog::{Choice, Position, Puzzle};
use kibitzer::drawing::Drawing;
use kibitzer::games::{self, Visitor};
use kibitzer::graph::{Graph, families, symmetry};
use kibitzer::limits::{Limit, Limits};
use kibitzer::outcome::{Outcome, Verdict};
use kibitzer::report::{Answer, Report};
use kibitzer::rules::{Cost, Game, Problem};
use kibitzer::verify;
pub use kibitzer_contract::{Board, Instance, amount, boards, instances, options};

/// The root of the repository: the package's own folder or one above it.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("instances").is_dir()).expect("the tests run in the repository")
}

/// Reads a text file from the repository.
pub fn file(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Reads a board of a game, with options such as `jump=single`.
#[track_caller]
pub fn open(game: &str, text: &str, given: &[&str]) -> Box<dyn Puzzle> {
    let entry = games::find(game).expect("a game");
    entry.parse(text, &options(given, entry.options)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Asserts that a board is refused with a remedy and with a message that contains `expected`.
#[track_caller]
pub fn refused(game: &str, text: &str, given: &[&str], expected: &str) {
    let entry = games::find(game).expect("a game");
    let read = entry.parse(text, &options(given, entry.options));
    let error = read.err().unwrap_or_else(|| panic!("{text:?} {given:?} is accepted"));
    assert!(error.to_string().contains(expected), "{text:?} {given:?}: {error}");
    assert!(!error.help().is_empty(), "{text:?} {given:?}: {error}");
}

/// The report of the given or default method, without limits.
#[track_caller]
pub fn solve<'a>(puzzle: &dyn Puzzle, method: impl Into<Option<&'a str>>) -> Report {
    let choice = method.into().map_or_else(Choice::default, Choice::method);
    puzzle.solve(&choice, &Limits::none()).unwrap_or_else(|error| panic!("{choice:?}: {error}"))
}

/// The least cost, proved by the given or default method; `None` if there is no plan.
#[track_caller]
pub fn least<'a>(puzzle: &dyn Puzzle, method: impl Into<Option<&'a str>>) -> Option<u32> {
    let report = solve(puzzle, method);
    assert!(report.verified, "{report:?}");
    match report.answer {
        Answer::Solved { cost, optimal: true, .. } => Some(cost),
        Answer::Unsolvable { .. } => None,
        other => panic!("{other:?}"),
    }
}

/// The cost that a game's own solver found and proved, confirmed by replaying its plan; `None` if there is no plan.
#[track_caller]
pub fn proved<P: Problem>(problem: &P, start: &P::State, outcome: &Outcome<P::Move>) -> Option<Cost> {
    match &outcome.verdict {
        Verdict::Solved { plan, lower } => {
            assert_eq!((verify::plan(problem, start, &plan.moves), *lower), (Ok(plan.cost), plan.cost));
            Some(plan.cost)
        }
        Verdict::Unsolvable(_) => None,
        Verdict::Unknown { .. } => panic!("there were no limits"),
    }
}

/// The start position of a puzzle, with its drawing.
pub fn position(puzzle: &dyn Puzzle) -> Position {
    puzzle.position(&Limits::none()).expect("no limit")
}

/// Limits whose time has already run out.
pub fn stopped() -> Limits {
    let limits = Limits::none();
    limits.cancel.stop(Limit::Time);
    limits
}

/// A temporary folder for one test, removed at its end.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    /// The path of a file in this folder.
    pub fn path(&self, name: &str) -> String {
        self.join(name).to_str().expect("the path is text").to_owned()
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.join(name), content).expect("writable");
        self.path(name)
    }
}

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

pub fn family(name: &str) -> Graph {
    let member = families::by_name(name).unwrap_or_else(|| panic!("{name} is not a family"));
    member.unwrap_or_else(|error| panic!("{name}: {}", error.message))
}

/// All graphs with `n` vertices up to isomorphism: every smaller graph plus one vertex, joined in every possible way.
pub fn graphs(n: usize) -> Vec<Graph> {
    let Some(rest) = n.checked_sub(1) else { return vec![Graph::empty(0)] };
    let mut forms = BTreeSet::new();
    for graph in graphs(rest) {
        for mask in 0..1u32 << rest {
            let joined = (0..rest).filter(|v| mask >> v & 1 == 1).map(|v| (v, rest));
            let larger = Graph::from_edges(n, graph.edges().chain(joined));
            forms.insert(symmetry::canonical(&larger).expect("small").edges().collect::<Vec<_>>());
        }
    }
    forms.into_iter().map(|edges| Graph::from_edges(n, edges)).collect()
}

/// CRC-32 by its definition, bit by bit.
pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ crc >> 1 } else { crc >> 1 };
    !bytes.iter().fold(!0u32, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}

/// Passes the type of every game to the visitor, or only the type of the game that the environment variable `GAME` names.
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

/// Compares `got` with a golden file of the repository, or stores it there if `BLESS=1` is set in the environment. A missing file
/// fails the test.
pub fn golden(name: &str, got: &str) {
    let path = root().join(name);
    if std::env::var_os("BLESS").is_some() {
        return std::fs::write(path, got).expect("writable");
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    if stored != got {
        let same = stored.lines().zip(got.lines()).take_while(|(old, new)| old == new).count();
        let line = |text: &str| text.lines().nth(same).unwrap_or("(nothing)").to_owned();
        let (old, new, line) = (line(&stored), line(got), same + 1);
        panic!("{name}, line {line}:\n  stored: {old}\n  now:    {new}\nIf this is intended, run the test again with BLESS=1 to store it.");
    }
}
