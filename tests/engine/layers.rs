//! The invariants of ARCHITECTURE.md that can be checked on the source text.

use std::path::{Path, PathBuf};

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
    assert!(!paths.is_empty(), "{folder} has source files");
    let name = |path: &PathBuf| path.strip_prefix(crate::common::root()).expect("below").to_string_lossy().replace('\\', "/");
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).expect("text"))).collect()
}

/// The source without its test modules: `#[cfg(test)]` and the `mod … { … }` or `mod …;` that follows are dropped, everything
/// after them is kept. Braces in strings, characters and comments do not count.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("#[cfg(test)]") {
        let (before, from) = rest.split_at(at);
        let item = from["#[cfg(test)]".len()..].trim_start();
        kept.push_str(before);
        let module = ["mod ", "pub mod ", "pub(crate) mod "].iter().any(|start| item.starts_with(start));
        // Anything else that is only for tests, such as a function, is read like the rest.
        rest = if module { &item[end_of_item(item)..] } else { item };
    }
    kept + rest
}

/// The offset after the `;` or the closing brace that ends the item at the start of the text.
fn end_of_item(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let past = |from: usize, end: &str| rest[from..].find(end).map_or(rest.len(), |length| from + length + end.len());
        let raw = rest.strip_prefix('r').map(|rest| rest.len() - rest.trim_start_matches('#').len());
        at += match bytes[at] {
            b'/' if rest.starts_with("//") => past(0, "\n"),
            b'/' if rest.starts_with("/*") => past(2, "*/"),
            b'r' if raw.is_some_and(|hashes| rest[1 + hashes..].starts_with('"')) => {
                let hashes = raw.unwrap_or_default();
                past(hashes + 2, &format!("\"{}", "#".repeat(hashes)))
            }
            b'"' => {
                let mut escaped = true;
                let closes = |c: char| {
                    let closes = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    closes
                };
                // The opening quote counts as escaped.
                rest.find(closes).map_or(rest.len(), |quote| quote + 1)
            }
            // A character, not a lifetime: `'{'` or `'\''`.
            b'\'' if rest.starts_with("'\\") => past(3, "'"),
            b'\'' if rest.chars().nth(2) == Some('\'') => 2 + rest.chars().nth(1).map_or(0, char::len_utf8),
            b';' if depth == 0 => return at + 1,
            b'}' if depth == 1 => return at + 1,
            byte => {
                depth += i32::from(byte == b'{') - i32::from(byte == b'}');
                rest.chars().next().map_or(1, char::len_utf8)
            }
        };
    }
    bytes.len()
}

/// The code of a file: without comment lines and test modules.
fn code(text: &str) -> String {
    without_tests(text).lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn only_test_modules_are_skipped() {
    let text = r###"
fn before() {}
#[cfg(test)]
mod outside;
fn between() {}
#[cfg(test)]
mod tests {
    // An unmatched } in a comment, /* or } here */
    const STRINGS: [&str; 4] = ["}", "\"}", r#"}"}"#, "\\"];
    const CHARACTERS: [char; 3] = ['}', '\'', '"'];
    fn inner<'a>(text: &'a str) -> String { format!("{{{text}") }
}
fn after() {}
#[cfg(test)]
fn helper() { std::fs::read("x"); }
"###;
    let kept = without_tests(text);
    assert!(["before", "between", "after", "std::fs"].iter().all(|word| kept.contains(word)), "{kept}");
    assert!(["outside", "STRINGS", "CHARACTERS", "inner"].iter().all(|word| !kept.contains(word)), "{kept}");
}

#[test]
fn the_library_does_no_io() {
    let forbidden =
        ["std::fs", "std::env", "std::io", "std::net", "std::time", "std::process", "std::thread", "print!", "println!", "dbg!"];
    for (name, text) in files("src") {
        for word in forbidden {
            assert!(!code(&text).contains(word), "{name} uses {word}; I/O belongs into app/");
        }
    }
}

/// Only `gf2` has unsafe code, and only to call functions compiled for CPU features that were detected before. Each call says so.
#[test]
fn unsafe_code_only_calls_cpu_specific_functions() {
    for (name, text) in files("src") {
        let code = without_tests(&text);
        let lines: Vec<&str> = code.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.starts_with("//") && line.contains("unsafe ")) {
            assert!(name.starts_with("src/gf2/"), "{name} has unsafe code");
            let before = lines[at.saturating_sub(3)..at].join(" ");
            assert!(before.contains("// SAFETY:"), "{name}: no `// SAFETY:` comment before `{line}`");
            let detects = ["is_x86_feature_detected!", "has!(", "Speed::"].iter().any(|word| text.contains(word));
            assert!(detects, "{name} does not detect CPU features");
        }
    }
}

#[test]
fn games_import_only_the_contract() {
    let allowed = [
        "rules", "tools", "limits", "outcome", "notation", "drawing", "scene", "random", "graph", "gf2", "modular", "sat", "bits", "trace",
    ];
    for (name, text) in files("src/games").into_iter().filter(|(name, _)| name != "src/games/mod.rs") {
        for (at, _) in code(&text).match_indices("crate::") {
            let rest = &code(&text)[at + "crate::".len()..];
            let module: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            assert!(allowed.contains(&module.as_str()), "{name} imports `{module}`; a game may import {allowed:?}");
        }
        assert!(!code(&text).contains("super::super"), "{name} uses super::super; import from the game's own module");
    }
}

#[test]
fn the_program_names_no_game() {
    let games: Vec<&str> = kibitzer::games::GAMES.iter().map(|entry| entry.name).collect();
    for (name, text) in files("app") {
        for word in code(&text).to_lowercase().split(|c: char| !c.is_alphanumeric()) {
            assert!(!games.contains(&word), "{name} names {word}: what only one game has belongs into its record");
        }
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
            assert!(!games.contains(&word) || is_format(word), "{name} names the game {word}");
        }
    }
}

#[test]
fn verify_shares_no_code_with_solvers() {
    let text = std::fs::read_to_string(crate::common::root().join("src/verify.rs")).expect("there");
    for module in ["crate::search", "crate::games", "crate::catalog", "crate::gf2", "crate::gamegraph", ".refute(", "HEURISTICS", "SOLVERS"]
    {
        assert!(!code(&text).contains(module), "verify.rs uses {module}");
    }
}

#[test]
fn each_format_has_one_home() {
    for (name, text) in files("src") {
        assert!(name == "src/scene.rs" || !code(&text).contains("<svg"), "{name} writes SVG, which belongs into scene.rs");
        assert!(
            name.starts_with("src/report") || !code(&text).contains("\"verdict\""),
            "{name} writes the JSON of reports, which belongs into report.rs"
        );
    }
}

#[test]
fn every_file_says_what_it_is_for_and_none_is_too_long() {
    for folder in ["src", "app", "tests", "benches", "cluster"] {
        for (name, text) in files(folder) {
            assert!(text.starts_with("//!"), "{name} does not open with a `//!` comment that says what it is for");
            let lines = text.lines().count();
            assert!(lines <= 600, "{name} has {lines} lines, more than 600: split it");
        }
    }
}
