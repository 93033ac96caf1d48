//! The rules in small pictures, on every board of every game and of the templates. The sentence and pictures of each card are compared
//! with its board, which is read and played through the catalog, and with the options of the actual board.

use std::collections::BTreeSet;

use kibitzer::catalog::primer::Illustrated;
use kibitzer::catalog::{Entry, Position, Puzzle};
use kibitzer::drawing::{Drawing, ShownMove, Topic};
use kibitzer::games::{GAMES, Visitor};
use kibitzer::limits::Limits;
use kibitzer::notation::Notation;
use kibitzer::random::Random;
use kibitzer::rules::{Cost, Game, Problem};
use kibitzer::scene::Scene;

use crate::common::{Board, open, position};

fn cards(puzzle: &dyn Puzzle) -> Vec<Illustrated> {
    puzzle.primer(&Limits::none()).expect("no limit")
}

fn numbers(sentence: &str) -> BTreeSet<Cost> {
    if sentence.contains("nothing") {
        return BTreeSet::from([0]);
    }
    // Text between backticks is a move.
    let plain: String = sentence.split('`').step_by(2).collect();
    plain.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

/// The names and labels of a scene.
fn labels(scene: &Scene) -> BTreeSet<(String, String)> {
    scene.shapes.iter().filter_map(|shape| shape.name.clone().zip(shape.label.clone())).collect()
}

/// True if a picture shows a position. The picture may omit named shapes, such as the colors to choose from, but every label in it must
/// be a label of the position.
fn shows(picture: &Scene, position: &Position) -> bool {
    let (drawn, real) = (labels(picture), labels(&position.scene));
    match real.is_empty() {
        // In a game without labels, the picture must contain all shapes of the position.
        true => position.scene.shapes.iter().all(|shape| picture.shapes.contains(shape)),
        false => !drawn.is_empty() && drawn.is_subset(&real),
    }
}

/// The costs of all moves seen on a random walk.
fn prices(start: &dyn Puzzle, steps: usize) -> BTreeSet<Cost> {
    let mut random = Random::new(3);
    let mut prices = BTreeSet::new();
    let mut here: Option<Box<dyn Puzzle>> = None;
    for _ in 0..steps {
        let moves = position(here.as_deref().unwrap_or(start)).moves;
        prices.extend(moves.iter().map(|mv| mv.cost));
        if moves.is_empty() {
            break;
        }
        let next = moves[random.below(moves.len())].json.clone();
        here = Some(here.as_deref().unwrap_or(start).after(&[next]).expect("legal"));
    }
    prices
}

fn check(puzzle: &dyn Puzzle, one_player: bool, written: bool, read: &dyn Fn(&str) -> Box<dyn Puzzle>, context: &str) {
    let cards = cards(puzzle);
    let topics: Vec<Topic> = cards.iter().map(|card| card.card.topic).collect();
    assert!((1..=3).contains(&cards.len()), "{context}: {topics:?}");
    if written {
        assert_eq!(cards.len(), 3, "{context}: {topics:?}");
        assert!(topics.contains(&Topic::Move) && topics.contains(&Topic::Goal), "{context}: {topics:?}");
    }
    let mut prices_named = None;
    // Cards for boards with many options need more words.
    let (most, shapes) = if context.contains(':') { (115, 500) } else { (90, 120) };
    for Illustrated { card, pictures, price } in &cards {
        let context = format!("{context}: {}", card.sentence);
        assert!(card.sentence.ends_with('.') && (10..=most).contains(&card.sentence.chars().count()), "{context}");
        let small = read(&card.instance);
        let before = position(&*small);
        assert!(shows(&pictures[0], &before), "{context}: the first picture shows a different board");
        for picture in pictures {
            assert!(picture.width > 0.0 && picture.height > 0.0 && !picture.shapes.is_empty(), "{context}");
            assert!(!written || picture.shapes.len() <= shapes, "{context}: {} shapes are too many", picture.shapes.len());
        }
        let mut end = before.goal;
        match &card.shown {
            ShownMove::Nothing => assert_eq!((pictures.len(), *price), (1, None), "{context}"),
            ShownMove::Illegal(mv) => {
                assert_eq!((pictures.len(), *price), (1, None), "{context}");
                assert!(small.after(&[mv.as_str().into()]).is_err(), "{context}: {mv} is legal");
                assert_eq!(card.topic, Topic::Forbidden, "{context}");
            }
            ShownMove::Move(mv) | ShownMove::Priced(mv) => {
                let legal = before.moves.iter().find(|legal| legal.text == *mv).unwrap_or_else(|| panic!("{context}: no move {mv}"));
                let after = position(&*small.after(std::slice::from_ref(&legal.json)).expect("legal"));
                assert_eq!(pictures.len(), 2, "{context}");
                assert!(shows(&pictures[1], &after), "{context}: the second picture does not show the position after the move");
                assert!(pictures[0].shapes != pictures[1].shapes && before.instance != after.instance, "{context}: nothing happens");
                assert!(!shows(&pictures[1], &before) || labels(&before.scene).is_empty(), "{context}: the pictures are the same");
                assert_eq!(*price, matches!(card.shown, ShownMove::Priced(_)).then_some(legal.cost), "{context}");
                assert!(card.topic != Topic::Goal || !before.goal, "{context}: the game was already over");
                end = after.goal;
            }
        }
        if card.topic == Topic::Goal {
            assert!(end, "{context}: the last position is not terminal");
        }
        if card.sentence.contains("cost") {
            let named = numbers(&card.sentence);
            assert!(
                named.is_empty() || price.is_none_or(|price| named.contains(&price)),
                "{context}: the price between the pictures is wrong"
            );
            for note in &card.notes {
                let at = before.scene.moves.iter().position(|gesture| gesture.clicks.last() == Some(&note.name));
                let cost = at.map(|at| before.moves[at].cost.to_string());
                assert_eq!(cost.as_ref(), Some(&note.text), "{context}: wrong price at {}", note.name);
            }
            if named.is_empty() {
                assert!(price.is_some(), "{context}: neither the sentence nor the picture names a price");
            } else if written {
                assert_eq!(prices(&*small, 8), named, "{context}: the board in the picture has different prices");
                let real = prices(puzzle, 8);
                assert!(real.is_subset(&named), "{context}: moves cost {real:?} here");
            }
            prices_named = Some(named);
        }
    }
    let has_moves = !position(puzzle).moves.is_empty();
    assert_eq!(prices_named.is_some(), one_player && (written || has_moves), "{context}: whether a card names the price of moves");
}

/// Boards with many options, in addition to samples, instances and random boards.
const OPTIONS: &[(&str, &[&str])] = &[
    (
        "pegs",
        &[
            "jump: single\ncosts: unit\nab.",
            "costs: 0 0 0 0\nab.",
            "costs: 7 7 7 7\nab.",
            "costs: 5 0 2 2\n.....\nabcd.",
            "jump: single\ngoal: at 0,1\nab.",
            "goal: at 1,1\n...\nab.\n...",
            "abc.\ngoal:\n..oo",
            "ab.\ngoal:\n..o",
            "ab.\ngoal:\n...",
        ],
    ),
    (
        "tricolor",
        &["colors: RG; edges: 0-1", "colors: RG; edges: 0-1; cost: color", "colors: RB; edges: 0-1; cost: color", "colors: B; edges:"],
    ),
    ("edge", &["graph: P4; colors: 1", "graph: P4; colors: 1; misere: yes", "graph: K4; misere: yes", "graph: P4; colors: 20", "empty3"]),
    (
        "moles",
        &[
            "wrap: torus\npattern: king\n000\n010\n000",
            "wrap: cylinder\npattern: ring\nstates: 5\n000\n010\n000",
            "pattern: cross\nstates: 3\ntarget: full\n000\n010\n000",
            "target: 010/101/010\n000\n010\n000",
            "states: 4\ntarget: 012/301/010\n000\n010\n000",
            "locked: 1 2\n000\n010\n000",
            "wrap: torus\npattern: king\nlocked: 1\n000\n010\n000",
            "pattern: 1000001/0000000/0000000/0001000/0000000/0000000/1000001\n0000\n0000\n0000\n0000",
            "pattern: 1000000000000\n0000\n0000\n0000\n0000",
            "pattern: 1000000000000000000000000\n0000\n0000\n0000\n0000",
            "graph: P4; pattern: cross; moles: 1",
            "graph: P4; states: 7; board: 0123; locked: 1",
            "00",
        ],
    ),
    (
        "chexers",
        &[
            "colour: green; pieces: (0,0)",
            "colour: blue; pieces: (0,0) (0,1)",
            "colour: blue; radius: 5; pieces: (0,0); blocks: (1,1)",
            "colour: green; radius: 0; pieces: (0,0)",
        ],
    ),
    ("tiles", &["1 2|3 0", "cost: tile; 1 2|0 3", "goal: blank-first; 1 2 3|4 5 0", "goal: 1 0|2 3; 2 1|0 3", "cost: tile; 0 1 2 3 4"]),
    (
        "kayles",
        &[
            "graph: P5; rule: arc",
            "graph: petersen; rule: node",
            "octal: 0.77; heaps: 5",
            "octal: 0.07; heaps: 5",
            "octal: 0.137; heaps: 5 2",
            "octal: 0.0001; heaps: 6",
            "octal: 0.33; heaps: 6",
            "heaps: 1",
            "graph: P3; rule: node + heaps: 2 2",
            "heaps: 2 + graph: P3; rule: arc",
            "empty2",
        ],
    ),
    (
        "maze",
        &[
            "neighbors: 8\nS..\n..G",
            "neighbors: octile\nS.5\n3.G",
            "neighbors: octile\nS12\n39G",
            "start: 0,0\n5.\n#G",
            "start: 0,0\n12345678\n#.....9G",
            "map:\nA B 2\nB C 3\nstart: A\ngoal: C",
        ],
    ),
    ("connect", &["size: 7x6; gravity: yes", "size: 5x1; line: 2; gravity: yes", "size: 1x3; line: 2", "size: 26x3; line: 12"]),
];

/// The boards in [`OPTIONS`] for a game.
fn with_options(game: &str) -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().filter(move |(name, _)| *name == game).flat_map(|(_, texts)| texts.iter().copied())
}

fn boards<R: Notation>() -> Vec<Board> {
    let mut boards = crate::common::boards::<R>(5);
    boards.extend(with_options(R::INFO.name).map(|text| Board::new(text, text)));
    boards
}

#[test]
fn cards_are_true_on_every_board() {
    struct Check;
    impl Visitor for Check {
        fn one_player<P: Problem + Drawing>(&mut self) {
            let written = |board: &Board| P::PRIMER.is_some_and(|primer| !(primer.cards)(&board.read()).is_empty());
            check_boards(crate::entry(P::INFO.name), &boards::<P>(), written);
        }

        fn two_player<G: Game + Drawing>(&mut self) {
            let written = |board: &Board| G::PRIMER.is_some_and(|primer| !(primer.cards)(&board.read()).is_empty());
            check_boards(crate::entry(G::INFO.name), &boards::<G>(), written);
        }
    }
    crate::common::visit(&mut Check);
}

fn check_boards(entry: &Entry, boards: &[Board], written: impl Fn(&Board) -> bool) {
    for board in boards {
        let context = format!("{} {}", entry.name, board.name);
        let read = |text: &str| Board::new(&context, text).open(entry);
        check(&*board.open(entry), entry.players == 1, written(board), &read, &context);
    }
}

/// The lines of an instance that set these options; the card's board must have the same lines.
fn settings(instance: &str, keys: &[&str]) -> BTreeSet<String> {
    instance.lines().filter(|line| keys.iter().any(|key| line.starts_with(&format!("{key}:")))).map(str::to_owned).collect()
}

#[test]
fn the_boards_on_cards_have_the_options_of_the_actual_board() {
    let keys: &[(&str, &[&str])] = &[
        ("pegs", &["jump", "costs"]),
        ("tricolor", &["cost"]),
        ("edge", &["colors", "misere"]),
        ("moles", &["states", "wrap", "pattern"]),
        ("tiles", &["cost"]),
        ("maze", &["neighbors"]),
        ("connect", &["line", "gravity"]),
    ];
    for entry in GAMES {
        let keys = keys.iter().find(|(name, _)| *name == entry.name).map_or(&[] as &[&str], |(_, keys)| *keys);
        let mut compared = 0;
        for text in with_options(entry.name) {
            let puzzle = open(entry.name, text, &[]);
            for card in cards(&*puzzle) {
                let small = open(entry.name, &card.card.instance, &[]).instance();
                assert_eq!(settings(&small, keys), settings(&puzzle.instance(), keys), "{} {text}: {}", entry.name, card.card.sentence);
                if entry.name == "chexers" {
                    let color = |text: &str| text.split("\"pieces\"").next().map(str::to_owned);
                    assert_eq!(color(&small), color(&puzzle.instance()), "{text}");
                }
                compared += 1;
            }
        }
        assert!(compared > 0, "{} has no boards in OPTIONS", entry.name);
    }
}

/// A game, a board, phrases that its cards must contain, and phrases that they must not contain.
const SAID: &[(&str, &str, &[&str], &[&str])] = &[
    ("pegs", "jump: single\ncosts: unit\nab.", &["over one peg", "costs 1."], &["more", "up", "however long"]),
    ("pegs", "ab.", &["one or more", "up costs 1, right 2, down 3, left 4, however long", "anywhere"], &["center", "marked"]),
    ("pegs", "goal: at 0,1\nab.", &["in the center"], &["anywhere", "marked"]),
    ("pegs", "goal: at 0,2\nab.", &["in the marked hole"], &["anywhere", "center"]),
    ("pegs", "abc.\ngoal:\n..oo", &["exactly the marked holes"], &["one peg is left"]),
    ("tricolor", "colors: RB; edges: 0-1", &["black", "majority", "costs 1."], &["costs 1 on"]),
    ("tricolor", "colors: RB; edges: 0-1; cost: color", &["1 on red, 2 on black and 3 on green", "majority"], &["Every click"]),
    ("tricolor", "colors: RG; edges: 0-1", &["Every click costs 1."], &["black"]),
    ("edge", "P5", &["3 colors", "you lose", "same pair"], &["Misère", "you win"]),
    ("edge", "graph: P5; misere: yes", &["Misère", "you win"], &["you lose"]),
    ("edge", "graph: P5; colors: 1", &["is 1 color."], &["1 colors"]),
    ("moles", "000\n010\n000", &["four neighbors", "no mole is left"], &["eight", "joined", "count", "crossed"]),
    ("moles", "pattern: king\n000\n010\n000", &["eight holes"], &["four", "joined"]),
    ("moles", "pattern: cross\n000\n010\n000", &["four neighbors", "not the hole itself"], &["it and"]),
    ("moles", "pattern: ring\n000\n010\n000", &["eight holes", "not the hole itself"], &["four", "it and"]),
    ("moles", "pattern: 01010/10001/00100/10001/01010\n000\n010\n000", &["this pattern"], &["four", "eight"]),
    ("moles", "wrap: torus\n000\n010\n000", &["Opposite sides are joined"], &["Left"]),
    ("moles", "wrap: cylinder\n000\n010\n000", &["Left and right are joined"], &["Opposite"]),
    ("moles", "states: 6\n000\n010\n000", &["from 5 to empty", "every hole is empty"], &["flip", "mole"]),
    ("moles", "target: full\n000\n010\n000", &["every hole has a mole"], &["no mole"]),
    ("moles", "locked: 1\n000\n010\n000", &["crossed-out"], &[]),
    ("moles", "graph: petersen; moles: 1", &["joined to it"], &["four", "sides"]),
    ("chexers", "colour: red; pieces: (0,0) (0,1); blocks: (1,1)", &["a piece or block", "marked hex", "costs 1"], &[]),
    ("chexers", "colour: red; pieces: (0,0) (0,1)", &["over a piece"], &["block"]),
    ("chexers", "colour: red; pieces: (0,0)", &["Step"], &["over", "block"]),
    ("tiles", "1 2|3 0", &["Every move costs 1.", "in this order"], &["number"]),
    ("tiles", "cost: tile; 1 2|3 0", &["costs the number of the tile"], &["Every move"]),
    ("connect", "size: 7x6; gravity: yes", &["drop a disc", "with 4 in a row"], &["marks"]),
    ("connect", "size: 3x3", &["X marks any empty square", "with 3 in a row"], &["disc"]),
];

#[test]
fn sentences_follow_the_options() {
    for (game, board, says, never) in SAID {
        let said: Vec<String> = cards(&*open(game, board, &[])).into_iter().map(|card| card.card.sentence).collect();
        let said = said.join(" ");
        for words in *says {
            assert!(said.contains(words), "{game} {board}: `{words}` is not in\n{said}");
        }
        for words in *never {
            assert!(!said.contains(words), "{game} {board}: `{words}` is in\n{said}");
        }
    }
}

/// The cards of a large board show a small board instead.
#[test]
fn large_boards_have_small_pictures() {
    let boards =
        [("moles", "size: 60x60; moles: 1"), ("chexers", "colour: red; radius: 40; pieces: (0,0)"), ("edge", "graph: P40; colors: 9")];
    for (game, board) in boards {
        for card in cards(&*open(game, board, &[])) {
            assert!(card.pictures.iter().all(|picture| picture.shapes.len() < 80), "{game}: {}", card.card.sentence);
        }
    }
}
