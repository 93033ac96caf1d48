//! Optional parts of every registered game: explanations refer to shapes and moves that exist, and brushes produce boards that can be
//! read.

use kibitzer::catalog::{Choice, Entry, Puzzle};
use kibitzer::games::GAMES;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, Options, ReadError};
use kibitzer::outcome::Why;
use kibitzer::random::Random;
use kibitzer::report::Answer;
use kibitzer::scene::{Explanation, Scene};

use crate::common::{amount, file, instances, position, stopped};

fn boards(entry: &Entry) -> Vec<(String, Box<dyn Puzzle>)> {
    let sample = entry.parse(entry.sample, &Options::default()).expect("the sample is valid");
    let mut boards = vec![(format!("{} sample", entry.name), sample)];
    for instance in instances(entry.name) {
        let name = format!("{} {}", entry.name, instance.path.display());
        boards.push((name, instance.open(entry)));
    }
    boards.retain(|(_, puzzle)| puzzle.state_bytes() <= 64);
    boards
}

fn names(scene: &Scene) -> Vec<&str> {
    let mut names: Vec<&str> = scene.shapes.iter().filter_map(|shape| shape.name.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn sound(explanation: &Explanation, puzzle: &dyn Puzzle, context: &str) {
    let position = position(puzzle);
    let names = names(&position.scene);
    assert!(explanation.text.len() > 20 && explanation.text.ends_with('.'), "{context}: `{}` is not a sentence", explanation.text);
    for tint in &explanation.tints {
        assert!(names.contains(&tint.name.as_str()), "{context}: no shape is called {}", tint.name);
        assert!((0.0..=1.0).contains(&tint.strength), "{context}: {tint:?}");
    }
    for label in &explanation.labels {
        assert!(position.moves.iter().any(|legal| legal.text == label.mv), "{context}: {label:?} does not name a legal move");
    }
}

#[test]
fn explanations_refer_to_existing_shapes_and_moves() {
    for entry in GAMES {
        for (name, puzzle) in boards(entry) {
            let mut random = Random::new(7);
            let mut here = puzzle;
            for _ in 0..6 {
                if let Some(explanation) = here.explain(&Limits::nodes(amount(20_000, 60_000))) {
                    sound(&explanation, &*here, &name);
                }
                let moves = position(&*here).moves;
                if moves.is_empty() {
                    break;
                }
                let next = moves[random.below(moves.len())].json.clone();
                here = here.after(&[next]).expect("legal");
            }
        }
    }
}

#[test]
fn proofs_can_be_shown() {
    let mut shown = 0;
    for entry in GAMES.iter().filter(|entry| entry.players == 1) {
        for (name, puzzle) in boards(entry) {
            let report = puzzle.solve(&Choice::default(), &Limits::nodes(20_000)).expect("no fault");
            if let Answer::Unsolvable { why: Why::Certificate(certificate) } = report.answer {
                sound(&puzzle.show_proof(&certificate), &*puzzle, &name);
                shown += 1;
            }
        }
    }
    assert!(shown >= 2, "at least two proofs are shown");
}

#[test]
fn brushes_produce_readable_boards() {
    for entry in GAMES {
        for (name, puzzle) in boards(entry).into_iter().take(amount(2, 6)) {
            let Some(editor) = puzzle.editor() else { continue };
            let canvas = editor.canvas(&Limits::none()).expect("no limit");
            let names = names(&canvas);
            // On a large board, a sample of the names is enough.
            let names: Vec<&str> = names.iter().copied().step_by(names.len().div_ceil(200).max(1)).collect();
            let own = puzzle.instance();
            for brush in editor.brushes() {
                let strokes: Vec<Vec<&str>> = match brush.clicks {
                    0 => vec![Vec::new()],
                    1 => names.iter().map(|name| vec![*name]).collect(),
                    _ => names.iter().zip(names.iter().rev()).map(|(one, other)| vec![*one, *other]).collect(),
                };
                let mut changes = 0;
                for shapes in &strokes {
                    let Some(text) = editor.paint(brush.name, shapes) else { continue };
                    let context = format!("{name}: {} on {shapes:?}", brush.name);
                    let painted = entry.parse(&text, &Options::default()).unwrap_or_else(|error| panic!("{context}: {error} in\n{text}"));
                    let _ = painted.editor().expect("an editor").canvas(&Limits::none()).expect("no limit");
                    changes += usize::from(painted.instance() != own);
                }
                if brush.clicks > 0 && name.ends_with("sample") {
                    assert!(changes > 0, "{name}: {} never changes anything", brush.name);
                }
                assert_eq!(editor.paint(brush.name, &["no such place"; 3]), None);
            }
            assert_eq!(editor.paint("no such brush", &[]), None);
        }
    }
}

#[test]
fn readers_and_generators_can_be_stopped() {
    let options = Options::default();
    let texts: [(&str, &[&str]); 4] = [
        ("chexers", &["colour: red; pieces: (0,0)"]),
        // Reading the first text is stopped while computing the number of colors, reading the second while computing the symmetry.
        ("edge", &["Q6", "graph: Q6; colors: 64"]),
        ("moles", &["0110\n0110", "P1 2 2\n01\n10\n", "size: 2x2; moles: 1 2"]),
        ("tricolor", &["colors: RGB; edges: 0-1", r#"{"colors": "RGB", "edges": [[0,1]]}"#]),
    ];
    for (game, texts) in texts {
        let entry = crate::entry(game);
        for text in texts {
            let read = (entry.read)(&Input::new(text, &options, &stopped())).err();
            assert_eq!(read, Some(ReadError::Stopped(Limit::Time)), "{text}");
        }
        let made = (entry.generate)(1, &options, &stopped()).err();
        assert_eq!(made, Some(ReadError::Stopped(Limit::Time)), "{game}");
    }
    let small = Limits { bytes: 1000, ..Limits::none() };
    let read = (crate::entry("moles").read)(&Input::new("size: 100x100", &options, &small)).err();
    assert_eq!(read, Some(ReadError::Stopped(Limit::Memory)));
}

/// In the page's address, the names in `OWN` belong to the page itself; every other name is a generator option.
#[test]
fn generator_options_do_not_clash_with_names_in_the_address() {
    let share = file("web/page/state/address.js");
    let list = share.split("const OWN = [").nth(1).and_then(|rest| rest.split("];").next()).expect("the list");
    let own: Vec<&str> = list.split(',').map(|name| name.trim().trim_matches('\'')).collect();
    assert!(own.contains(&"board") && own.contains(&"zoom"), "{own:?}");
    for entry in GAMES {
        for option in entry.generate_options.unwrap_or_default() {
            assert!(!own.contains(&option.name), "{}: `{}` is taken", entry.name, option.name);
        }
    }
}
