//! Stored transcripts and the generated documentation of every registered game. A missing file fails the test. `BLESS=1 cargo test
//! --test engine` stores the current text.

use std::fmt::Write;

use kibitzer::catalog::Entry;
use kibitzer::gamegraph;
use kibitzer::gamegraph::order::{ORDERS, Order};
use kibitzer::games::GAMES;
use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use kibitzer::search::METHODS;

use crate::common::{golden, instances, position, solve};

/// The sample of each game: picture, moves, best plan, JSON.
#[test]
fn transcripts() {
    for entry in GAMES {
        let puzzle = entry.parse(entry.sample, &Options::default()).expect("the sample is valid");
        let position = position(&*puzzle);
        let mut text = format!("{}\n{}\n\nmoves:\n", position.instance, position.ascii);
        for mv in &position.moves {
            let _ = match entry.players {
                1 => writeln!(text, "  {} costs {}", mv.text, mv.cost),
                _ => writeln!(text, "  {}", mv.text),
            };
        }
        let report = solve(&*puzzle, None);
        let _ = write!(text, "\n{}\n{}\n", report.text(0.0), report.json(0.0));
        golden(&format!("tests/golden/{}.txt", entry.name), &text);
    }
}

/// The page's colors, which every drawing uses.
#[test]
fn palette() {
    golden("web/page/palette.css", &kibitzer::scene::palette());
}

/// docs/GAME.md and docs/GAME.svg.
#[test]
fn pages() {
    for entry in GAMES {
        let puzzle = entry.parse(entry.sample, &Options::default()).expect("the sample is valid");
        let svg = position(&*puzzle).scene.svg(&Limits::none()).expect("no limit");
        golden(&format!("docs/{}.svg", entry.name), &svg);
        golden(&format!("docs/{}.md", entry.name), &page(entry));
    }
}

fn page(entry: &Entry) -> String {
    let name = entry.name;
    let puzzle = entry.parse(entry.sample, &Options::default()).expect("the sample is valid");
    let about = entry.about;
    let mut text =
        format!("<!-- Generated from src/games by `BLESS=1 cargo test --test engine golden`; do not edit. -->\n# {name}\n\n*{about}*\n\n");
    let _ = writeln!(text, "![The sample board]({name}.svg)\n\n```text\n{}\n```\n", entry.rules);
    for (title, specs) in [("Options", entry.options), ("Options for `generate`", entry.generate_options.unwrap_or_default())] {
        if !specs.is_empty() {
            let _ = writeln!(text, "## {title}\n\n| `--option` | | default |\n|---|---|---|");
            for spec in specs {
                let _ = writeln!(text, "| `{}` | {} | {} |", spec.name, spec.about, spec.default);
            }
            text.push('\n');
        }
    }
    text.push_str("## Methods\n\nFor the sample board, `kibitzer solve` uses the first method below unless `--method` names another.\n\n");
    let head = if entry.players == 1 { "| `--method` | least cost? | |\n|---|---|---|\n" } else { "| `--method` | |\n|---|---|\n" };
    text.push_str(head);
    let mut methods = puzzle.methods();
    let of_sample = methods.len();
    for instance in instances(name) {
        for info in instance.open(entry).methods() {
            if methods.iter().all(|known| known.name != info.name) {
                methods.push(info);
            }
        }
    }
    for (at, info) in methods.iter().enumerate() {
        if at == of_sample {
            let _ = write!(text, "\nSome other boards also have these methods.\n\n{head}");
        }
        let _ = match entry.players {
            2 => writeln!(text, "| `{}` | {} |", info.name, info.about),
            _ => writeln!(text, "| `{}` | {} | {} |", info.name, if info.optimal { "yes" } else { "no" }, info.about),
        };
    }
    if !entry.sources.is_empty() {
        let _ = writeln!(text, "\n## Sources\n");
        entry.sources.iter().for_each(|source| _ = writeln!(text, "* {source}"));
    }
    let _ = writeln!(text, "\n## The sample\n\n```text\n{}\n```", entry.sample);
    text
}

/// docs/methods.md: the search methods available in one-player games.
#[test]
fn methods() {
    let mut text =
        String::from("<!-- Generated from src/search by `BLESS=1 cargo test --test engine golden`; do not edit. -->\n# Search methods\n\n");
    text.push_str("Every one-player game can be solved by these methods. Names are not case-sensitive; the other names also work.\n\n");
    text.push_str("| `--method` | other names | | least cost? | keeps in memory |\n|---|---|---|---|---|\n");
    for method in METHODS {
        let name = if method.guided { format!("{}:HEURISTIC", method.name) } else { method.name.to_owned() };
        let aliases = method.aliases.join(", ");
        let _ = writeln!(text, "| `{name}` | {aliases} | {} | {} | {} |", method.about, method.optimal.about(), method.memory.about());
    }
    text.push_str("\n# Methods for two players\n\n");
    text.push_str("Games for two players are solved by these methods. `grundy` needs a game with Grundy values.\n\n");
    text.push_str("| `--method` | | all best moves? | `--order` |\n|---|---|---|---|\n");
    for method in gamegraph::METHODS {
        let orders = ORDERS.iter().filter(|(order, ..)| method.kind.takes(*order)).map(|(_, name, _)| *name).collect::<Vec<_>>();
        let all = if method.kind.finds_all_best() { "yes" } else { "those it happens to prove" };
        let _ = writeln!(text, "| `{}` | {} | {all} | {} |", method.name, method.about, orders.join(", "));
    }
    text.push_str(
        "\nThe methods with an order of moves search the game tree. `--order` says in which order they try the moves of a position:\n\n",
    );
    ORDERS.iter().for_each(|(_, name, about)| _ = writeln!(text, "* `{name}`: {about}"));
    text.push_str(&format!("\nThe default is `{}`. ", Order::default().name()));
    text.push_str("`expanded` counts the positions that such a method visits, including those in which the game is over,\n");
    text.push_str("each time they are visited. `generated` counts all moves of these positions, including those that are cut off.\n");
    text.push_str("A position whose value is found in the table is not visited. If a limit stops such a method, `at_least` and\n");
    text.push_str("`at_most` are the bounds that it has proved.\n");
    golden("docs/methods.md", &text);
}
