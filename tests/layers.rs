//! The invariants of ARCHITECTURE.md that can be read off the source text.

mod common;

use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                out.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    walk(&common::root().join(folder), &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "{folder} has source files");
    let name = |path: &PathBuf| path.strip_prefix(common::root()).expect("below").to_string_lossy().replace('\\', "/");
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).expect("text"))).collect()
}

/// The code of a file: without comments and without its tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().expect("the first part");
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_library_touches_nothing_outside() {
    let forbidden =
        ["std::fs", "std::env", "std::io", "std::net", "std::time", "std::process", "std::thread", "print!", "println!", "dbg!"];
    for (name, text) in files("src") {
        for word in forbidden {
            assert!(!code(&text).contains(word), "{name} uses {word}");
        }
    }
}

/// Only `gf2` has unsafe code, and only to call a function compiled for a processor that was asked first. Each line says why.
#[test]
fn unsafe_code_is_there_for_the_processor_only() {
    for (name, text) in files("src") {
        let lines: Vec<&str> = text.split("#[cfg(test)]\nmod tests").next().expect("the first part").lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.starts_with("//") && line.contains("unsafe ")) {
            assert!(name.starts_with("src/gf2/"), "{name} has unsafe code");
            let before = lines[at.saturating_sub(3)..at].join(" ");
            assert!(before.contains("// SAFETY:"), "{name}: {line}");
            assert!(text.contains("is_x86_feature_detected!") || text.contains("has!("), "{name} does not ask the processor");
        }
    }
}

#[test]
fn a_game_knows_only_the_contract() {
    let allowed = ["rules", "outcome", "notation", "scene", "random", "graph", "gf2", "modular"];
    for (name, text) in files("src/games").into_iter().filter(|(name, _)| name != "src/games/mod.rs") {
        for (at, _) in code(&text).match_indices("crate::") {
            let rest = &code(&text)[at + "crate::".len()..];
            let module: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            assert!(allowed.contains(&module.as_str()), "{name} imports {module}");
        }
        assert!(!code(&text).contains("super::super"), "{name} climbs out of its folder");
    }
}

#[test]
fn search_names_no_game() {
    let games: Vec<&str> = kibitzer::games::GAMES.iter().map(|entry| entry.name).collect();
    for (name, text) in files("src/search").into_iter().chain(files("src/gamegraph")) {
        assert!(!text.contains("crate::games"), "{name} imports a game");
        // A graph has edges, also in the formats that other programs read.
        let is_format = |word: &str| name == "src/gamegraph/graph.rs" && word == "edge";
        for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
            assert!(!games.contains(&word) || is_format(word), "{name} names {word}");
        }
    }
}

#[test]
fn verify_shares_no_code_with_a_solver() {
    let text = std::fs::read_to_string(common::root().join("src/verify.rs")).expect("there");
    for module in ["crate::search", "crate::games", "crate::catalog", "crate::gf2", "crate::gamegraph", ".refute(", "HEURISTICS", "SOLVERS"]
    {
        assert!(!code(&text).contains(module), "verify.rs uses {module}");
    }
}

#[test]
fn each_format_has_one_home() {
    for (name, text) in files("src") {
        assert!(name == "src/scene.rs" || !code(&text).contains("<svg"), "{name} writes SVG");
        assert!(name.starts_with("src/report") || !code(&text).contains("\"verdict\""), "{name} knows the JSON of reports");
    }
}

#[test]
fn every_file_opens_with_its_reason_and_none_is_too_long() {
    for folder in ["src", "app", "tests", "benches"] {
        for (name, text) in files(folder) {
            assert!(text.starts_with("//!"), "{name} does not say why it is there");
            let lines = text.lines().count();
            assert!(lines <= 600, "{name} has {lines} lines; is it one thing?");
        }
    }
}
