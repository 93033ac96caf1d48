//! Helpers for several test files: boards to test on, every game as a type, golden files.
#![allow(dead_code, unused_imports, reason = "not every binary needs all of them")]

use std::path::Path;

use kibitzer::drawing::Drawing;
use kibitzer::games::{self, Visitor};
use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::{Game, Problem};
pub use kibitzer_contract::{Board, Instance, amount, boards, instances, options};

/// The repository: the package's own folder, or the one above.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("instances").is_dir()).expect("the tests run in the repository")
}

/// Limits whose time is over.
pub fn stopped() -> Limits {
    let limits = Limits::none();
    limits.cancel.stop(Limit::Time);
    limits
}

/// Shows the visitor every game's type; only one game's if the environment variable `GAME` names it, which is quicker.
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
