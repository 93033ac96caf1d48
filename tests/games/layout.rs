//! Drawings of graphs: vertices stay where they are placed, by hand or in the text, and nothing else depends on their positions.
//! Drawings are legible and clickable, even on a phone.

use kibitzer::ask::{self, Kind};
use kibitzer::games::GAMES;
use kibitzer::limits::Limits;
use kibitzer::random::Random;
use kibitzer::scene::{Form, Scene, Shape};
use serde_json::{Value, json};

use crate::common::{family as named, open, position};

fn ask(game: &str, question: &str, body: Value) -> Result<Value, ask::Refusal> {
    ask::ask(GAMES, Some(game), question, &body, &Limits::none(), None)
}

#[track_caller]
fn answer(game: &str, question: &str, body: Value) -> Value {
    ask(game, question, body.clone()).unwrap_or_else(|refusal| panic!("{game} {question} {body}: {refusal}; {}", refusal.help))
}

fn scene(game: &str, text: &str) -> Scene {
    position(&*open(game, text, &[])).scene
}

/// The center of a shape, where a user would click on it.
fn middle(form: &Form) -> (f64, f64) {
    match form {
        Form::Circle { x, y, .. } | Form::Text { x, y, .. } => (*x, *y),
        Form::Rect { x, y, width, height } => (x + width / 2.0, y + height / 2.0),
        Form::Polygon { points } => {
            let n = points.len() as f64;
            (points.iter().map(|point| point.0).sum::<f64>() / n, points.iter().map(|point| point.1).sum::<f64>() / n)
        }
        Form::Line { from, to } => ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0),
    }
}

/// The center of a named shape in the scene of an answer.
fn at(answer: &Value, name: &str) -> (f64, f64) {
    let shapes = answer["scene"]["shapes"].as_array().expect("shapes");
    let shape = shapes.iter().find(|shape| shape["name"] == name).unwrap_or_else(|| panic!("no shape is called {name}"));
    let number = |key: &str| shape[key].as_f64().unwrap_or(0.0);
    let (x, y) = (number("x"), number("y"));
    let point = |point: &Value| (point[0].as_f64().expect("a number"), point[1].as_f64().expect("a number"));
    middle(&match shape["form"].as_str() {
        Some("circle") => Form::Circle { x, y, r: 0.0 },
        Some("rect") => Form::Rect { x, y, width: number("width"), height: number("height") },
        _ => Form::Polygon { points: shape["points"].as_array().expect("points").iter().map(point).collect() },
    })
}

fn names(answer: &Value) -> Vec<String> {
    answer["scene"]["movable"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn near(one: (f64, f64), other: (f64, f64)) -> bool {
    (one.0 - other.0).hypot(one.1 - other.1) < 1.0
}

/// Boards with movable vertices, from all games.
const BOARDS: [(&str, &str); 7] = [
    ("moles", "graph: petersen; moles: 1 2 5; locked: 3"),
    ("tricolor", "colors: GGBRR\nedges: 0-1 0-2 1-2 1-3 1-4 2-3"),
    ("tricolor", "{\"colors\": \"BRRGR\", \"edges\": [[0,1],[0,2],[0,3],[1,2],[3,4]], \"cost\": \"color\"}"),
    ("edge", "P5"),
    ("edge", "graph: petersen; colors: 5; misere: yes"),
    ("edge", "red:blue blue:red,green green:blue"),
    ("edge", "graph: C6; position: 1,-,-,2,-,-"),
];

#[test]
fn a_vertex_stays_where_it_is_placed_and_moves_are_kept() {
    for (game, text) in BOARDS {
        let first = answer(game, "position", json!({"instance": text}));
        let mut random = Random::new(5);
        let moves: Vec<Value> = first["legal"].as_array().expect("moves").iter().take(1).map(|legal| legal["text"].clone()).collect();
        let before = answer(game, "position", json!({"instance": text, "moves": moves}));
        let all = names(&before);
        assert!(all.len() >= 3, "{text}");
        let mut now = before.clone();
        for turn in 0..6 {
            let name = &all[random.below(all.len())];
            let (width, height) = (now["scene"]["width"].as_f64().expect("a width"), now["scene"]["height"].as_f64().expect("a height"));
            let to =
                (60.0 + (width - 120.0) * random.below(100) as f64 / 100.0, 60.0 + (height - 150.0) * random.below(100) as f64 / 100.0);
            let task = json!({"instance": now["start"], "moves": moves, "name": name, "x": to.0, "y": to.1});
            let after = answer(game, "place", task);
            assert!(near(at(&after, name), to), "{game} {text}: {name} is at {:?}, not {to:?}", at(&after, name));
            for other in all.iter().filter(|other| *other != name) {
                assert!(near(at(&after, other), at(&now, other)), "{game} {text}: {other} also moved");
            }
            for field in ["game", "made", "cost", "goal", "legal", "methods", "editable", "turn"] {
                assert_eq!(after[field], before[field], "{game} {text}: {field}, turn {turn}");
            }
            assert_eq!(after["scene"]["moves"], before["scene"]["moves"]);
            assert_eq!(names(&after), all);
            // The board's text contains everything, so reading the text again changes nothing.
            let again = answer(game, "position", json!({"instance": after["start"], "moves": moves}));
            assert_eq!(again, after, "{game} {text}");
            let there = answer(game, "position", json!({"instance": after["instance"]}));
            assert_eq!(there["scene"]["shapes"], after["scene"]["shapes"], "the position also keeps the layout");
            now = after;
        }
        // A point outside the drawing is moved to the nearest point inside.
        let far = json!({"instance": text, "name": all[0], "x": -1e9, "y": 1e300});
        assert!(ask(game, "place", far).is_ok());
        for name in ["no such vertex", "color 1", ""] {
            let refusal = ask(game, "place", json!({"instance": text, "name": name, "x": 1, "y": 1})).expect_err("refused");
            assert_eq!(refusal.kind, Kind::Board);
        }
        let refusal = ask(game, "place", json!({"instance": text, "name": all[0], "x": "1", "y": 1})).expect_err("refused");
        assert_eq!(refusal.kind, Kind::Body);
    }
}

#[test]
fn only_movable_shapes_can_be_placed() {
    for entry in GAMES {
        let position = answer(entry.name, "position", json!({"instance": entry.sample}));
        let movable = names(&position);
        let all = position["scene"]["shapes"].as_array().expect("shapes").iter().filter_map(|shape| shape["name"].as_str());
        for name in all.filter(|name| !movable.contains(&(*name).to_owned())).take(5) {
            let refusal = ask(entry.name, "place", json!({"instance": entry.sample, "name": name, "x": 5, "y": 5})).expect_err("refused");
            assert_eq!(refusal.kind, Kind::Board, "{} {name}", entry.name);
        }
    }
}

/// Answers do not depend on the layout: neither the report, nor the plan, nor the explanation of the position.
#[test]
fn nothing_but_the_drawing_depends_on_a_layout() {
    for (game, text) in BOARDS {
        let position = answer(game, "position", json!({"instance": text}));
        let name = &names(&position)[1];
        let moved = answer(game, "place", json!({"instance": text, "name": name, "x": 70.0, "y": 55.0}));
        assert_ne!(moved["start"], position["start"]);
        for question in ["solve", "explain"] {
            let plain = answer(game, question, json!({"instance": position["start"]}));
            assert_eq!(answer(game, question, json!({"instance": moved["start"]})), plain, "{game} {text}: {question}");
        }
    }
}

#[test]
fn layouts_are_read_and_written_and_errors_are_located() {
    for (game, text, written) in [
        ("edge", "graph: P3; layout: a 0.1 0.5, c .9 0.25", "graph: P3\ncolors: 2\nlayout: a 0.1 0.5, c 0.9 0.25\n"),
        ("edge", "{\"graph\": \"P3\", \"layout\": {\"b\": [0.5, 0.123456]}}", "graph: P3\ncolors: 2\nlayout: b 0.5 0.123\n"),
        ("tricolor", "colors: GRB; edges: 0-1; layout: 2 1 0", "colors: GRB\nedges: 0-1\nlayout: 2 1 0\n"),
        ("tricolor", "layout: 1 0 0\n010\n101\n010\ncolors: RRR", "colors: RRR\nedges: 0-1 1-2\nlayout: 1 0 0\n"),
        (
            "tricolor",
            "{\"colors\": \"RG\", \"edges\": [[0,1]], \"cost\": \"color\", \"layout\": {\"1\": [0, 1]}}",
            "colors: RG\nedges: 0-1\ncost: color\nlayout: 1 0 1\n",
        ),
    ] {
        let start = answer(game, "position", json!({"instance": text}))["start"].clone();
        assert_eq!(start, written, "{text}");
        assert_eq!(answer(game, "position", json!({"instance": start}))["start"], written, "{text}");
    }
    for (game, text, place, message) in [
        ("edge", "graph: P3\nlayout: a 0.1 0.5, d 0 0", (2, 20), "there is no vertex `d`"),
        ("edge", "graph: P3\nlayout: a 0 0\nlayout: b 0 0", (3, 1), "`layout` is given twice"),
        ("edge", "{\"graph\": \"P3\",\n\"layout\": {\"a\": [0]}}", (2, 17), "a vertex has 2 coordinates, not 1"),
        ("tricolor", "colors: GRB\nedges: 0-1\nlayout: 0 0 0, 0 1 1", (3, 16), "vertex `0` is placed twice"),
        ("tricolor", "colors: GRB\nedges: 0-1\nlayout: 3 0 0", (3, 9), "there is no vertex `3`"),
        ("moles", "graph: P3\nmoles: 1\nlayout: 4 0 0", (3, 9), "there is no vertex `4`"),
        ("moles", "layout: 1 0 0\n01\n10", (1, 9), "only a graph has a layout"),
        ("tricolor", "{\"colors\": \"RG\", \"edges\": [], \"layout\": {\"0\": [0, -1]}}", (1, 51), "`-1` is not a decimal number"),
    ] {
        let refusal = ask(game, "position", json!({"instance": text})).expect_err(text);
        assert_eq!(refusal.place, Some(place), "{text}: {refusal}");
        assert!(refusal.message.contains(message), "{text}: {refusal}");
    }
    // A board whose graph is replaced loses its layout.
    let other = json!({"instance": "graph: P3; layout: a 0 0", "options": {"graph": "C5"}});
    assert!(!answer("edge", "position", other)["start"].as_str().expect("text").contains("layout"));
}

#[test]
fn the_editor_keeps_extends_and_resets_layouts() {
    for (game, text) in BOARDS {
        let canvas = answer(game, "canvas", json!({"instance": text}));
        let brush = canvas["brushes"].as_array().expect("brushes").iter().find(|brush| brush["point"] == true).expect("takes a point");
        let (all, to) = (names(&canvas), (90.0, 75.0));
        let added = answer(game, "paint", json!({"instance": canvas["instance"], "brush": brush["name"], "at": [to.0, to.1]}));
        let after = names(&added);
        assert_eq!(after.len(), all.len() + 1, "{game} {text}");
        let last = after.last().expect("some");
        // The scale may change with the graph, so positions relative to two other vertices are compared.
        let scale = |answer: &Value, names: &[String]| {
            let (a, b) = (at(answer, &names[0]), at(answer, &names[1]));
            move |(x, y): (f64, f64)| ((x - a.0) / (b.0 - a.0).hypot(b.1 - a.1), (y - a.1) / (b.0 - a.0).hypot(b.1 - a.1))
        };
        let (before_at, after_at) = (scale(&canvas, &all)(to), scale(&added, &after)(at(&added, last)));
        assert!((before_at.0 - after_at.0).hypot(before_at.1 - after_at.1) < 0.05, "{game} {text}: {before_at:?}, {after_at:?}");
        // Without a point, the vertex is placed in free space, and all others stay.
        let more = answer(game, "paint", json!({"instance": added["instance"], "brush": brush["name"]}));
        let points: Vec<(f64, f64)> = names(&more).iter().map(|name| at(&more, name)).collect();
        let (new, others) = points.split_last().expect("some");
        assert!(others.iter().all(|other| (new.0 - other.0).hypot(new.1 - other.1) > 30.0), "{game} {text}: {points:?}");
        let fewer =
            answer(game, "paint", json!({"instance": more["instance"], "brush": if game == "moles" { "− hole" } else { "− vertex" }}));
        assert_eq!(fewer["instance"].as_str().map(|text| text.contains("layout")), Some(true));
        let reset = answer(game, "paint", json!({"instance": fewer["instance"], "brush": "reset layout"}));
        assert_eq!(reset["instance"].as_str().map(|text| text.contains("layout")), Some(false), "{game} {text}");
        let both = json!({"instance": text, "brush": brush["name"], "shapes": [all[0]], "at": [1, 1]});
        assert_eq!(ask(game, "paint", both).expect_err("shapes and a point").kind, Kind::Board);
        let wrong = json!({"instance": text, "brush": "join", "at": [1, 1]});
        assert_eq!(ask(game, "paint", wrong).expect_err("no point").kind, Kind::Board);
    }
}

/// The vertices of a scene: names and centers.
fn vertices(scene: &Scene) -> Vec<(&str, (f64, f64))> {
    let first = |name: &String| scene.shapes.iter().find(|shape| shape.name.as_ref() == Some(name)).map(|shape| middle(&shape.form));
    scene.movable.iter().filter_map(|name| Some((name.as_str(), first(name)?))).collect()
}

fn distance_to_line(at: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    // An approximation: the minimum over many points on the line.
    let point = |part: f64| (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
    (0..=400).map(|step| point(f64::from(step) / 400.0)).map(|point| (point.0 - at.0).hypot(point.1 - at.1)).fold(f64::MAX, f64::min)
}

const FAMILIES: [&str; 36] = [
    "P2", "P3", "P5", "P8", "P12", "P16", "C3", "C5", "C12", "K2", "K4", "K5", "K8", "K10", "K2,3", "K3,3", "K4,5", "K2,2,2", "K1,2,3",
    "S3", "S8", "W3", "W5", "W9", "Q3", "Q4", "grid3x3", "grid4x5", "torus3x3", "torus3x4", "torus4x4", "ladder4", "ladder7", "prism3",
    "prism6", "petersen",
];

/// No edge passes through a vertex other than its ends, and every line ends at the vertices that it names.
#[test]
fn edges_avoid_other_vertices() {
    for family in FAMILIES {
        let graph = named(family);
        let colors = "G".repeat(graph.len());
        for (game, text) in [("tricolor", format!("colors: {colors}; graph: {family}")), ("edge", format!("graph: {family}; colors: 9"))] {
            let scene = scene(game, &text);
            let vertices = vertices(&scene);
            let place = |name: &str| vertices.iter().find(|vertex| vertex.0 == name).expect("a vertex").1;
            let mut lines = 0;
            for shape in &scene.shapes {
                let (Form::Line { from, to }, Some(ends)) = (&shape.form, &shape.ends) else { continue };
                lines += 1;
                assert_eq!([*from, *to], [place(&ends[0]), place(&ends[1])], "{game} {family}");
                for (name, at) in vertices.iter().filter(|vertex| !ends.iter().any(|end| end == vertex.0)) {
                    let distance = distance_to_line(*at, *from, *to);
                    assert!(distance > 17.0, "{game} {family}: {name} is {distance} from the edge {ends:?}");
                }
            }
            assert_eq!((lines, vertices.len()), (graph.edge_count(), graph.len()));
            for (v, one) in vertices.iter().enumerate() {
                let apart = vertices[..v].iter().map(|other| (one.1.0 - other.1.0).hypot(one.1.1 - other.1.1)).fold(f64::MAX, f64::min);
                assert!(apart > 36.0, "{game} {family}: {} is {apart} from another vertex", one.0);
            }
        }
    }
}

/// The bounding box of a shape: left, top, right, bottom. A letter is assumed to be 0.6 times as wide as its font size.
fn extent(form: &Form) -> [f64; 4] {
    let (x, y) = middle(form);
    let (wide, high) = match form {
        Form::Circle { r, .. } => (*r, *r),
        Form::Rect { width, height, .. } => (width / 2.0, height / 2.0),
        Form::Text { size, text, .. } => (0.3 * size * text.chars().count() as f64, 0.4 * size),
        _ => panic!("unexpected shape"),
    };
    [x - wide, y - high, x + wide, y + high]
}

fn meet(one: [f64; 4], other: [f64; 4]) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

/// True if a shape overlaps a rectangle. A circle does not fill the corners of its bounding box.
fn hides(form: &Form, rectangle: [f64; 4]) -> bool {
    let [left, top, right, bottom] = rectangle;
    match form {
        Form::Circle { x, y, r } => (x - x.clamp(left, right)).hypot(y - y.clamp(top, bottom)) < *r,
        other => meet(extent(other), rectangle),
    }
}

/// Regression test: on long paths, edge labels were hidden behind vertices.
#[test]
fn labels_of_edges_can_be_read() {
    let mut labels = 0;
    for n in 3..=16 {
        for family in ["P", "C", "W", "ladder"] {
            let graph = named(&format!("{family}{n}"));
            if graph.len() > 24 {
                continue;
            }
            // With a different color on every vertex, every edge has a label, and all labels differ.
            let position: Vec<String> = (1..=graph.len()).map(|color| color.to_string()).collect();
            let text = format!("graph: {family}{n}; colors: {}; position: {}", graph.len(), position.join(","));
            let scene = scene("edge", &text);
            let is_name = |shape: &&Shape| shape.ends.as_ref().is_some_and(|ends| ends[0] == ends[1]);
            let between = |shape: &&Shape| shape.ends.is_some() && !is_name(shape) && !matches!(shape.form, Form::Line { .. });
            let shown: Vec<[f64; 4]> = scene.shapes.iter().filter(between).map(|shape| extent(&shape.form)).collect();
            assert_eq!(shown.len(), 2 * graph.edge_count(), "a rectangle and a text for each edge");
            let is_vertex = |shape: &&Shape| shape.name.as_ref().is_some_and(|name| name.starts_with("vertex "));
            let others: Vec<&Shape> = scene.shapes.iter().filter(|shape| is_vertex(shape) || is_name(shape)).collect();
            assert_eq!(others.len(), 3 * graph.len(), "a circle, a color and a name for each vertex");
            for other in others {
                for label in &shown {
                    assert!(!hides(&other.form, *label), "{family}{n}: a label is behind {:?} {:?}", other.name, other.form);
                }
            }
            // Labels are drawn after all lines.
            let last_line = scene.shapes.iter().rposition(|shape| matches!(shape.form, Form::Line { .. }));
            assert!(last_line < scene.shapes.iter().position(|shape| between(&shape)), "{family}{n}");
            labels += graph.edge_count();
        }
    }
    assert!(labels > 300);
}

/// On a phone, where a board is 360 pixels wide, the vertices of a path are far enough apart to be tapped.
#[test]
fn long_paths_fit_a_phone() {
    for n in 2..=14 {
        for (game, text) in [("edge", format!("P{n}")), ("tricolor", format!("colors: {}; graph: P{n}", "R".repeat(n)))] {
            let scene = scene(game, &text);
            let vertices = vertices(&scene);
            for (v, one) in vertices.iter().enumerate() {
                for other in &vertices[..v] {
                    let pixels = (one.1.0 - other.1.0).hypot(one.1.1 - other.1.1) * 360.0 / scene.width;
                    assert!(pixels >= 40.0, "{game} P{n}: {} and {} are {pixels} pixels apart", one.0, other.0);
                }
            }
        }
    }
}

/// All shapes stay inside the drawing, even after a vertex was moved to a corner.
#[test]
fn all_shapes_are_inside_the_drawing() {
    for (game, text) in BOARDS {
        let position = answer(game, "position", json!({"instance": text}));
        for (x, y) in [(-99.0, -99.0), (9999.0, -99.0), (9999.0, 9999.0), (0.0, 9999.0)] {
            let task = json!({"instance": text, "name": names(&position)[0], "x": x, "y": y});
            let moved = answer(game, "place", task);
            let scene = scene(game, moved["start"].as_str().expect("text"));
            for shape in scene.shapes.iter().filter(|shape| !matches!(shape.form, Form::Line { .. } | Form::Polygon { .. })) {
                let [left, top, right, bottom] = extent(&shape.form);
                assert!(left >= 0.0 && top >= 0.0 && right <= scene.width && bottom <= scene.height, "{game} {text}: {shape:?}");
            }
        }
    }
}
