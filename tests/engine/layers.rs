//! The invariants in ARCHITECTURE.md that can be checked on the source text.

use std::path::{Path, PathBuf};

use kibitzer::games::GAMES;

fn files(folder: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
                out.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    walk(&crate::common::root().join(folder), &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "{folder} has no source files");
    let name = |path: &PathBuf| path.strip_prefix(crate::common::root()).expect("below").to_string_lossy().replace('\\', "/");
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).expect("text"))).collect()
}

/// The code of a file, without comment lines and without its test module, which is its last item.
fn code(text: &str) -> String {
    let tests = text.match_indices("#[cfg(test)]\nmod ").find(|(at, _)| text[*at..].lines().nth(1).is_some_and(|line| line.ends_with('{')));
    let own = &text[..tests.map_or(text.len(), |(at, _)| at)];
    own.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// I/O belongs in app/, SVG in scene.rs, and report JSON in report.rs.
#[test]
fn the_library_does_no_io_and_each_format_has_one_home() {
    let io = ["std::fs", "std::env", "std::io", "std::net", "std::time", "std::process", "std::thread", "print!", "println!", "dbg!"];
    for (name, text) in files("src") {
        let code = code(&text);
        for word in io {
            assert!(!code.contains(word), "{name} uses {word}; I/O belongs in app/");
        }
        assert!(name == "src/scene.rs" || !code.contains("<svg"), "{name} writes SVG, which belongs in scene.rs");
        assert!(name.starts_with("src/report") || !code.contains("\"verdict\""), "{name} writes report JSON, which belongs in report.rs");
    }
}

/// Only `gf2` and the moles recurrence contain unsafe code, and only to call functions compiled for CPU features that the
/// program has detected. A `SAFETY` comment precedes each call.
#[test]
fn unsafe_code_only_calls_cpu_specific_functions() {
    for (name, text) in files("src") {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.starts_with("//") && line.contains("unsafe ")) {
            assert!(name.starts_with("src/gf2/") || name == "src/games/moles/recurrence.rs", "{name} has unsafe code");
            let before = lines[at.saturating_sub(3)..at].join(" ");
            assert!(before.contains("// SAFETY:"), "{name}: no `// SAFETY:` comment before `{line}`");
            let detects = ["is_x86_feature_detected!", "has!(", "Speed::"].iter().any(|word| text.contains(word));
            assert!(detects, "{name} does not detect CPU features");
        }
    }
}

/// The modules of `src/` in the order of the table in ARCHITECTURE.md. A module imports only modules before it. `games/` stands for the
/// games; the file `games.rs` lists them for the catalog, so it is later in the order.
fn order() -> Vec<String> {
    let text = crate::common::file("ARCHITECTURE.md");
    let table = text.split("## The order of modules").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a table");
    let cells = table.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).chain(["lib"]).map(str::to_owned).collect()
}

/// The module that a file belongs to.
fn module(name: &str) -> &str {
    let path = name.strip_prefix("src/").expect("a library file");
    match path.split_once('/') {
        Some(("games", _)) => "games/",
        Some((module, _)) => module,
        None => path.strip_suffix(".rs").expect("a source file"),
    }
}

/// The module names that follow `crate::` in source code.
fn imported(text: &str) -> impl Iterator<Item = &str> {
    text.split("crate::").skip(1).filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
}

#[test]
fn modules_import_in_one_direction() {
    let order = order();
    let rank = |name: &str| order.iter().position(|known| known == name);
    for (name, text) in files("src") {
        let (code, module) = (code(&text), module(&name));
        let own = rank(module).unwrap_or_else(|| panic!("{name}: `{module}` is not in the module order"));
        for other in imported(&code).filter(|other| *other != module) {
            let below = rank(other).unwrap_or_else(|| panic!("{name}: `crate::{other}` is not in the module order"));
            // A game's files may import from their own folder.
            let same = module == "games/" && other == "games";
            assert!(below < own || same, "{name} imports `{other}`, which is not before `{module}` in the module order");
        }
        assert!(!code.contains("super::super"), "{name} uses super::super; import from the module by name");
    }
}

#[test]
fn program_and_engines_name_no_game() {
    for folder in ["app", "src/search", "src/gamegraph"] {
        for (name, text) in files(folder) {
            // In graph formats, `edge` means an edge of the graph, not the game.
            let is_format = |word: &str| name == "src/gamegraph/graph.rs" && word == "edge";
            // The server connects to networks.
            let is_network = |word: &str| name.starts_with("app/serve/") && word == "connect";
            for word in code(&text).to_lowercase().split(|c: char| !c.is_alphanumeric()) {
                let game = GAMES.iter().any(|entry| entry.name == word) && !is_format(word) && !is_network(word);
                assert!(!game, "{name} names {word}: anything specific to one game belongs in that game's `INFO`");
            }
        }
    }
}

#[test]
fn verify_shares_no_code_with_solvers() {
    let verify = files("src").into_iter().filter(|(name, _)| module(name) == "verify");
    for (name, text) in verify {
        for word in ["crate::search", "crate::games", "crate::space", "crate::gf2", "crate::sat", ".refute(", "HEURISTICS", "SOLVERS"] {
            assert!(!code(&text).contains(word), "{name} uses {word}");
        }
    }
}

#[test]
fn every_file_states_its_purpose_and_none_is_too_long() {
    for folder in ["src", "app", "tests", "benches", "cluster"] {
        for (name, text) in files(folder) {
            assert!(text.starts_with("//!"), "{name} does not open with a `//!` comment that states its purpose");
            let lines = text.lines().count();
            assert!(lines <= 600, "{name} has {lines} lines, more than 600: split it");
        }
    }
}
