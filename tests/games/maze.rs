//! Compares mazes with a plain Dijkstra search on their text: costs, heuristics, maps, the Moving AI formats, and the painted search.

use std::collections::{BTreeMap, BTreeSet};

use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::games::find;
use kibitzer::games::maze::Maze;
use kibitzer::limits::Limits;
use kibitzer::notation::{Input, Notation, OptionSpec, Options, parse};
use kibitzer::random::Random;
use kibitzer::report::Answer;
use kibitzer::rules::{Problem, Rules};
use kibitzer::search::Memory;
use kibitzer::trace::Line;
use kibitzer::viewer::painted;

use crate::common::{open, position, solve};

/// Prices of straight and diagonal steps; no diagonals if the second is 0.
type Scale = (u64, u64);

const SCALES: [(&str, Scale); 3] = [("4", (1, 0)), ("8", (10, 14)), ("octile", (1000, 1414))];

/// The free cells of a grid with their prices, and the cells of `S` and `G`.
struct Plain {
    prices: BTreeMap<(i32, i32), u64>,
    start: (i32, i32),
    goal: (i32, i32),
}

impl Plain {
    fn read(rows: &str) -> Plain {
        let (mut prices, mut ends) = (BTreeMap::new(), [(0, 0); 2]);
        for (y, row) in (0..).zip(rows.lines()) {
            for (x, sign) in (0..).zip(row.chars()) {
                match sign {
                    'S' => ends[0] = (x, y),
                    'G' => ends[1] = (x, y),
                    _ => {}
                }
                if sign != '#' {
                    prices.insert((x, y), u64::from(sign.to_digit(10).unwrap_or(1)));
                }
            }
        }
        Plain { prices, start: ends[0], goal: ends[1] }
    }

    /// The least cost from the start to every cell that can be reached, by relaxing all steps until nothing changes.
    fn costs(&self, (straight, diagonal): Scale) -> BTreeMap<(i32, i32), u64> {
        let mut costs = BTreeMap::from([(self.start, 0)]);
        let mut fresh = BTreeSet::from([(0, self.start)]);
        while let Some((cost, (x, y))) = fresh.pop_first() {
            if costs[&(x, y)] < cost {
                continue;
            }
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                let slanted = dx != 0 && dy != 0;
                let clear = self.prices.contains_key(&(x + dx, y)) && self.prices.contains_key(&(x, y + dy));
                let Some(price) = self.prices.get(&(x + dx, y + dy)).filter(|_| (dx, dy) != (0, 0)) else { continue };
                if slanted && (diagonal == 0 || !clear) {
                    continue;
                }
                let through = cost + price * if slanted { diagonal } else { straight };
                if costs.get(&(x + dx, y + dy)).is_none_or(|&known| through < known) {
                    costs.insert((x + dx, y + dy), through);
                    fresh.insert((through, (x + dx, y + dy)));
                }
            }
        }
        costs
    }
}

/// Random rows, with a start and a goal.
fn rows(random: &mut Random, (columns, rows): (usize, usize), signs: &str) -> String {
    let signs: Vec<char> = signs.chars().collect();
    let mut cells: Vec<char> = (0..columns * rows).map(|_| signs[random.below(signs.len())]).collect();
    let start = random.below(cells.len());
    let goal = (start + 1 + random.below(cells.len() - 1)) % cells.len();
    (cells[start], cells[goal]) = ('S', 'G');
    cells.chunks(columns).map(|row| row.iter().collect::<String>() + "\n").collect()
}

fn cost(puzzle: &dyn Puzzle, method: &str) -> Option<u64> {
    match solve(puzzle, method).answer {
        Answer::Solved { cost, .. } => Some(cost.into()),
        Answer::Unsolvable { .. } => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn costs_equal_those_of_a_plain_search() {
    let mut random = Random::new(5);
    let (mut reached, mut blocked) = (0, 0);
    for round in 0..60 {
        let size = (2 + random.below(9), 1 + random.below(8));
        let text = rows(&mut random, size, ["..#", "....##", ".123456789##", ".5#"][round % 4]);
        let plain = Plain::read(&text);
        for (name, scale) in SCALES {
            let expected = plain.costs(scale).get(&plain.goal).copied();
            let puzzle = open("maze", &text, &[&format!("neighbors={name}")]);
            for method in puzzle.methods().iter().filter(|method| method.optimal && method.memory == Some(Memory::States)) {
                assert_eq!(cost(&*puzzle, &method.name), expected, "neighbors={name} {}:\n{text}", method.name);
            }
            if expected.is_some() { reached += 1 } else { blocked += 1 }
        }
    }
    assert!(reached > 30 && blocked > 10, "{reached} {blocked}");
}

/// A diagonal step is legal only if both cells beside it are free, and a heuristic that can overestimate is not called admissible.
#[test]
fn diagonals_and_heuristics_depend_on_the_neighbors() {
    let moves = |text: &str, neighbors: &str| -> Vec<(String, u32)> {
        let puzzle = open("maze", text, &[&format!("neighbors={neighbors}")]);
        position(&*puzzle).moves.iter().map(|mv| (mv.text.clone(), mv.cost)).collect()
    };
    let named = |moves: &[(&str, u32)]| moves.iter().map(|&(name, cost)| (name.to_owned(), cost)).collect::<Vec<_>>();
    assert_eq!(moves("S#|.G", "8"), named(&[("down", 10)]));
    assert_eq!(moves("S.|#G", "8"), named(&[("right", 10)]));
    assert_eq!(moves("S.|5G", "octile"), named(&[("right", 1000), ("down", 5000), ("down-right", 1414)]));
    assert_eq!(moves("S.|5G", "4"), named(&[("right", 1), ("down", 5)]));
    assert_eq!(moves("123|4S5|67G", "8").iter().map(|(_, cost)| *cost).collect::<Vec<_>>(), [14, 20, 42, 40, 50, 84, 70, 14]);
    for (neighbors, expected) in [("4", "manhattan octile straight"), ("8", "octile straight"), ("octile", "octile straight")] {
        let maze: Maze = parse("S..\n..G\n", &options(&[&format!("neighbors={neighbors}")])).expect("a maze");
        let sound: Vec<&str> = maze.heuristics().iter().filter(|h| h.admissible && h.consistent).map(|h| h.name).collect();
        assert_eq!(sound.join(" "), expected);
        assert_eq!(maze.heuristics().len(), 3, "the others are offered, too");
    }
}

fn options(texts: &[&str]) -> Options {
    let known: Vec<&OptionSpec> = Maze::INFO.options.iter().collect();
    Options::parse(texts.iter().copied(), &known).expect("options")
}

/// Tests the published costs on the map of Romania, and compares estimates with the exact costs.
#[test]
fn maps_have_checked_estimates() {
    let romania = crate::common::file("instances/maze/romania.txt");
    let puzzle = open("maze", &romania, &[]);
    assert_eq!(cost(&*puzzle, "ucs"), Some(418));
    assert_eq!(cost(&*puzzle, "astar:table"), Some(418));
    assert_eq!(cost(&*puzzle, "greedy:table"), Some(450));
    assert_eq!(cost(&*open("maze", &romania, &["goal=Craiova"]), "ucs"), Some(140 + 80 + 146));
    let trust = |table: &str| {
        let maze: Maze =
            parse(&format!("map:\nA B 2\nB C 2\nA C 5\ntable:\n{table}\nstart: A\ngoal: C\n"), &Options::default()).expect("a map");
        maze.heuristics().iter().map(|h| (h.name, h.admissible, h.consistent)).collect::<Vec<_>>()
    };
    assert_eq!(trust("A 4\nB 2\nC 0"), [("table", true, true)]);
    assert_eq!(trust("A 4\nB 1\nC 0"), [("table", true, false)]);
    assert_eq!(trust("A 5\nB 2\nC 0"), [("table", false, false)]);
    assert_eq!(trust("A 0\nB 0\nC 1"), [("table", false, false)]);
    let one_way = open("maze", "map:|A > B 2|C > B 1|A C 9|start: B|goal: A", &[]);
    assert_eq!(cost(&*one_way, "ucs"), None);
    assert_eq!(cost(&*open("maze", "map:|A > B 2|B > C 1|A C 9|start: C|goal: B", &[]), "bidirectional"), Some(11));
}

/// A map and its scenarios in the Moving AI formats. The lengths stated in the scenarios are recomputed here, from all cells, with exact
/// numbers of straight and diagonal steps.
#[test]
fn moving_ai_scenarios_have_the_stated_lengths() {
    let mut random = Random::new(9);
    let (columns, height) = (40, 30);
    let terrain: Vec<char> = (0..columns * height).map(|_| ['.', '.', '.', 'G', 'S', '@', 'T', 'O', 'W'][random.below(9)]).collect();
    let map: String = terrain.chunks(columns).map(|row| row.iter().collect::<String>() + "\n").collect();
    let mut text = format!("type octile\nheight {height}\nwidth {columns}\nmap\n{map}version 1\n");
    let prices: BTreeMap<(i32, i32), u64> = (0..)
        .zip(&terrain)
        .filter(|(_, sign)| ".GS".contains(**sign))
        .map(|(at, _): (i32, _)| ((at % columns as i32, at / columns as i32), 1))
        .collect();
    let cells: Vec<(i32, i32)> = prices.keys().copied().collect();
    let mut stated = Vec::new();
    while stated.len() < 12 {
        let [start, goal] = [0; 2].map(|_| cells[random.below(cells.len())]);
        // √2 as a fraction, far more precise than the costs of the game.
        let plain = Plain { prices: prices.clone(), start, goal };
        let Some(&length) = plain.costs((1_000_000_000, 1_414_213_562)).get(&goal) else { continue };
        let length = length as f64 / 1e9;
        stated.push(length);
        text += &format!("{}\tmaps/a b.map\t{columns}\t{height}\t{}\t{}\t{}\t{}\t{length:.8}\n", 0, start.0, start.1, goal.0, goal.1);
    }
    for (number, length) in (1..).zip(stated) {
        let puzzle = open("maze", &text, &[&format!("scenario={number}")]);
        let Answer::Solved { moves, optimal: true, .. } = solve(&*puzzle, None).answer else { panic!("scenario {number}") };
        let diagonal = moves.iter().filter(|mv| mv.text.contains('-')).count() as f64;
        let found = moves.len() as f64 - diagonal + diagonal * 2f64.sqrt();
        assert!((found - length).abs() <= 0.0003 * diagonal + 1e-6, "scenario {number}: {found} against {length}");
    }
    let water = "type octile\nheight 1\nwidth 5\nmap\nW.WWW\n";
    assert_eq!(cost(&*open("maze", water, &["start=2,0", "goal=4,0"]), "ucs"), Some(2000));
    assert_eq!(
        find("maze").expect("listed").parse(water, &options(&["start=1,0", "goal=2,0"])).err().map(|error| error.help().is_empty()),
        Some(false)
    );
}

/// Boards of 10^8 cells are refused without being stored, and options replace the settings in the text.
#[test]
fn large_boards_are_refused_and_options_replace_settings() {
    for text in ["type octile\nheight 10000\nwidth 10000\nmap\n..\n".to_owned(), (".".repeat(10_000) + "\n").repeat(1700)] {
        let limits = Limits::none();
        let read = Maze::read(&Input::new(&text, &Options::default(), &limits));
        let error = read.err().expect("too large");
        assert!(error.to_string().contains("more than 16777216 cells") && error.help().contains("smaller"), "{error}");
    }
    let text = "neighbors: 8\nS..\n..G\n";
    assert_eq!(cost(&*open("maze", text, &[]), "ucs"), Some(24));
    assert_eq!(cost(&*open("maze", text, &["neighbors=4", "start=1,0"]), "ucs"), Some(2));
    let maze: Maze = parse("S5.\n..G\n", &Options::default()).expect("a maze");
    let mut moves = Vec::new();
    maze.moves(&maze.start(), &mut moves);
    let written = maze.write(&maze.apply(&maze.start(), &moves[0]));
    assert_eq!(written, "start: 1,0\n.5.\n..G\n", "a price is not lost by standing on it");
}

#[test]
fn generated_mazes_have_the_requested_loops_and_prices() {
    let entry = find("maze").expect("listed");
    let make = |options: &[&str]| {
        let known: Vec<&OptionSpec> = entry.generate_options.expect("a generator").iter().collect();
        (entry.generate)(7, &Options::parse(options.iter().copied(), &known).expect("options"), &Limits::none()).expect("a maze")
    };
    // Without loops, a maze is a tree, with one passage fewer than rooms.
    let tree = make(&["rows=21", "columns=31", "loops=0"]);
    let free = |text: &str| text.chars().filter(|sign| !"#\n".contains(*sign)).count();
    assert_eq!(free(&tree), 2 * 11 * 16 - 1);
    assert!(free(&make(&["rows=21", "columns=31", "loops=30"])) > free(&tree) + 30);
    let priced = make(&["rows=21", "columns=31", "prices=4", "neighbors=8"]);
    assert!(priced.contains('4') && !priced.contains('5') && priced.starts_with("neighbors: 8\n"));
    let field = make(&["rows=20", "columns=30", "shape=field", "walls=60"]);
    let plain = Plain::read(&field);
    assert!(plain.costs((1, 0)).contains_key(&plain.goal), "there is a way");
}

/// Tests the places in a trace, and the painted board.
#[test]
fn a_search_is_painted_on_one_board() {
    let entry = find("maze").expect("listed");
    assert!(entry.paints);
    for method in ["ucs", "astar:manhattan", "idastar:manhattan", "bidirectional"] {
        let puzzle = open("maze", "S..|.#.|..G", &[]);
        let mut lines: Vec<Line> = Vec::new();
        let report = puzzle
            .begin(&Choice::method(method))
            .expect("a method")
            .trace(false, &Limits::none(), &mut |line| lines.push(line))
            .expect("no fault");
        let scene = position(&*puzzle).scene;
        let names: BTreeSet<&str> = scene.shapes.iter().filter_map(|shape| shape.name.as_deref()).collect();
        for line in &lines {
            let places = line.children.iter().map(|child| &child.place).chain([&line.place]);
            places.for_each(|place| assert!(names.contains(place.as_deref().expect("a place")), "{method}: {place:?}"));
        }
        let plan: Vec<_> = report.plan().iter().map(|mv| mv.json.clone()).collect();
        let places = puzzle.places(&plan);
        assert_eq!((places.len(), places[0].as_str(), places[4].as_str()), (5, "0,0", "2,2"), "{method}");
        let painted = painted::draw(scene.clone(), &lines, &places, &report, &Limits::none()).expect("no limit");
        let svg = painted.svg(&Limits::none()).expect("no limit");
        assert!(svg.contains("expanded at step 1, g 0") && svg.contains("the plan"), "{method}: {svg}");
        let shaded = |name: &str| {
            let of_place = painted.shapes.iter().filter(|shape| shape.name.as_deref() == Some(name));
            of_place.filter(|shape| format!("{:?}", shape.paint).starts_with("Shade")).count()
        };
        assert_eq!(shaded("0,0"), 1, "{method}: the start was expanded");
        assert_eq!(shaded("1,1"), 0, "{method}: a wall is never painted");
    }
}
