//! Files as networkx and nauty write them, graphs that are written and read again, and hostile texts.

use super::*;
use crate::random::Random;

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../../../tests/graphs/", $name))
    };
}

fn try_read(text: &str) -> Result<Graph, ParseError> {
    read(&Source::without_comments(text)).and_then(Reading::simple)
}

/// Names and edges, sorted: what a graph is, whatever the order of its vertices.
fn by_name(graph: &Graph) -> (Vec<String>, Vec<[String; 2]>) {
    let mut names: Vec<String> = (0..graph.len()).map(|v| graph.name(v)).collect();
    let mut edges: Vec<[String; 2]> = graph
        .edges()
        .map(|(u, v)| {
            let mut ends = [graph.name(u), graph.name(v)];
            ends.sort();
            ends
        })
        .collect();
    names.sort();
    edges.sort();
    (names, edges)
}

/// Every file of undirected graphs in that folder.
const FILES: [(&str, &str); 14] = [
    ("names.gml", file!("names.gml")),
    ("names.graphml", file!("names.graphml")),
    ("names.dot", file!("names.dot")),
    ("names-links.json", file!("names-links.json")),
    ("names-edges.json", file!("names-edges.json")),
    ("names.adjlist", file!("names.adjlist")),
    ("names.edgelist", file!("names.edgelist")),
    ("grid.gml", file!("grid.gml")),
    ("grid.graphml", file!("grid.graphml")),
    ("grid.json", file!("grid.json")),
    ("petersen.g6", file!("petersen.g6")),
    ("petersen.s6", file!("petersen.s6")),
    ("geng-4.s6", file!("geng-4.s6")),
    ("geng-5.g6", file!("geng-5.g6")),
];

#[test]
fn files_of_networkx_are_read_with_their_names() {
    let names = ["Ann", "Bob", "Cy", "Dee", "Eve"];
    for (file, text) in FILES.iter().filter(|(file, _)| file.starts_with("names")) {
        let graph = try_read(text).unwrap_or_else(|error| panic!("{file}: {error}"));
        // An edge list knows nothing of vertices without edges.
        let count = if *file == "names.edgelist" { 4 } else { 5 };
        assert_eq!((0..graph.len()).map(|v| graph.name(v)).collect::<Vec<_>>(), names[..count], "{file}");
        assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)], "{file}");
    }
    for (file, text) in FILES.iter().filter(|(file, _)| file.starts_with("grid")) {
        let graph = try_read(text).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!((0..6).map(|v| graph.name(v)).collect::<Vec<_>>(), ["0_0", "0_1", "0_2", "1_0", "1_1", "1_2"], "{file}");
        assert_eq!(graph.edges().count(), 7, "{file}");
    }
    let petersen = families::by_name("petersen").and_then(Result::ok).expect("a family");
    let canonical = crate::graph::symmetry::canonical;
    for (file, text) in FILES.iter().filter(|(file, _)| file.starts_with("petersen")) {
        assert_eq!(try_read(text).ok().and_then(|graph| canonical(&graph)), canonical(&petersen), "{file}");
    }
}

/// The numbers of connected graphs on 4 and 5 vertices are known (OEIS A001349), and `geng` gives each graph once.
#[test]
fn lists_of_nauty_hold_every_connected_graph_once() {
    for (text, count, vertices) in [(file!("geng-5.g6"), 21, 5), (file!("geng-4.s6"), 6, 4), (file!("geng-4-header.g6"), 6, 4)] {
        let lines = lines_of_graphs(text);
        assert_eq!(lines.len(), count);
        let mut forms = Vec::new();
        for line in lines {
            let graph = try_read(line).expect("a graph");
            assert!(graph.len() == vertices && graph.is_connected(), "{line}");
            forms.push(graph6::write(&crate::graph::symmetry::canonical(&graph).expect("small")));
        }
        forms.sort();
        forms.dedup();
        assert_eq!(forms.len(), count);
    }
    assert!(lines_of_graphs("P5").is_empty() && lines_of_graphs("0 1\n1 2").is_empty() && lines_of_graphs("").is_empty());
    assert_eq!(lines_of_graphs(">>graph6<<\n\n# two\nBw\r\nBW\n"), ["Bw", "BW"]);
}

#[test]
fn what_has_a_direction_is_refused_alike() {
    let digraph6 = file!("directed.d6").lines().next().expect("a line");
    let long = format!(">>digraph6<<{digraph6}");
    for text in [
        file!("directed.gml"),
        file!("directed.graphml"),
        file!("directed.dot"),
        file!("directed.json"),
        file!("directed.d6"),
        digraph6,
        &long,
        "graph { a -- b -> c }",
        "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\" directed=\"true\"/></graph></graphml>",
    ] {
        let error = try_read(text).expect_err("directed");
        assert!(error.message.contains("is directed"), "{text}: {error}");
        assert!(error.help.contains("to_undirected"), "{}", error.help);
    }
    let error = try_read(file!("weighted.edgelist")).expect_err("weights");
    assert!(error.help.contains("column of weights") && (error.line, error.column) == (1, 5), "{error}");
}

#[test]
fn loops_and_repeats_are_found_in_every_format() {
    for (text, repeated) in [
        ("graph { a -- a }", false),
        ("graph { a -- b; b -- a }", true),
        ("graph { {a b} -- {c a} }", false),
        ("graph [ node [ id 0 ] edge [ source 0 target 0 ] ]", false),
        ("graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] edge [ source 1 target 0 ] ]", true),
        ("<graphml><graph><node id='a'/><edge source='a' target='a'/></graph></graphml>", false),
        ("<graphml><graph><node id='a'/><node id='b'/><edge source='a' target='b'/><edge source='b' target='a'/></graph></graphml>", true),
        ("{\"nodes\":[{\"id\":0}],\"links\":[{\"source\":0,\"target\":0}]}", false),
        ("{\"nodes\":[{\"id\":0},{\"id\":1}],\"edges\":[{\"source\":0,\"target\":1},{\"source\":1,\"target\":0}]}", true),
        ("0 1 2\n1 1\n2", false),
        ("0 1 2 1\n1 2\n2", true),
        ("0 1 {}\n1 0 {}", true),
        ("0 0 {}", false),
    ] {
        let error = try_read(text).expect_err(text);
        assert!(error.message.contains(if repeated { "given twice" } else { "a loop: vertex" }), "{text}: {error}");
        assert!(error.help.contains("simple graphs have no"), "{text}: {}", error.help);
    }
}

/// Texts in one format that look a little like another.
#[test]
fn texts_that_look_like_other_formats() {
    let edges = |text: &str| by_name(&try_read(text).unwrap_or_else(|error| panic!("{text}: {error}"))).1;
    assert_eq!(edges("P 5"), [["5", "P"]]);
    assert_eq!(edges("P 5 {}"), [["5", "P"]]);
    assert_eq!(edges("grid 2 x 1").len(), 1, "a family");
    assert_eq!(edges("node-1 node-2 {}\nnode-3 node-4 {'weight': 1}\n"), [["node_1", "node_2"], ["node_3", "node_4"]]);
    assert_eq!(edges("a-b a-c"), [["a", "b"], ["a", "c"]], "on one line: two edges");
    assert_eq!(edges("a-b b-c\nc-d d-e\n").len(), 4);
    for (text, says) in [
        ("node-1 node-2\nnode-3 node-4\n", "with a dash in their names"),
        ("a-b c {}\na_b d {}\n", "would both be called `a_b`"),
        ("New York Boston {}\n", "does not begin the data"),
        ("010\n101\n01\n", "a row of 2 in a matrix of 3 rows"),
        ("01\n10\n11\n", "a row of 2 in a matrix of 3 rows"),
        ("0110\n1010\n1100\n", "a row of 4 in a matrix of 3 rows"),
    ] {
        let error = try_read(text).expect_err(text);
        assert!(error.message.contains(says), "{text}: {}", error.message);
    }
}

#[test]
fn dot_is_read_as_graphviz_does() {
    let read = |text: &str| by_name(&try_read(text).unwrap_or_else(|error| panic!("{text}: {error}")));
    let path = read("graph { a -- b -- c }");
    for text in [
        "strict graph G { a--b b--c }",
        "strict graph { a -- b; b -- a; b -- c; b -- c }",
        "graph { a:n -- b:p:s [color=red, label=\"x -> y\"]; b -- c; }",
        "/* x */ graph \"a -> b\" { // y\n node [shape=box]; rank = same; a -- { b } -- subgraph cluster_1 { color=blue; c }\n}",
        "graph{\"a\"--\"b\"\n# no line\n\"b\"--<c>}",
        "Graph { {a; c} -- b }",
        "graph { \"a\" + \"\" -- b; b -- c; a; b; c [label=<<b>x</b>>] }",
    ] {
        assert_eq!(read(text), path, "{text}");
    }
    assert_eq!(read("graph { -1 -- 2.5; \"New York\" }").0, ["2.5", "New_York", "_1"]);
    for (text, column, expected) in [
        ("graph { a -- ", 14, "the end of the text"),
        ("graph { a -- b", 7, "not closed"),
        ("graph { a [x ", 11, "not closed"),
        ("graph { \"a b\"; a_b }", 16, "would both be written `a_b`"),
        ("graph { \"\" }", 9, "cannot be the name"),
        ("graph { a } graph { b }", 13, "there are 2"),
        ("graph { a ! }", 11, "`!` is not expected"),
    ] {
        let error = try_read(text).expect_err(text);
        assert!(error.message.contains(expected) && error.column == column, "{text}: {error}");
    }
}

#[test]
fn broken_documents_have_a_place_and_a_remedy() {
    for (text, line, column, expected) in [
        ("<html></html>", 1, 1, "does not begin a GraphML file"),
        ("<graphml>\n<graph><node/></graph></graphml>", 2, 8, "has no `id`"),
        ("<graphml><graph><edge source='a' target='b'/></graph></graphml>", 1, 17, "there is no vertex a"),
        ("<graphml><graph><node id='a'/>", 1, 31, "`</graph>` is missing"),
        ("<graphml><graph/><graph/></graphml>", 1, 18, "there are 2"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><graphml/>", 1, 1, "definitions of its own"),
        ("<graphml><graph><node id=a/></graph></graphml>", 1, 17, "broken attributes"),
        ("<graphml", 1, 1, "no `>`"),
        ("graph [\n node [ label \"a\" ] ]", 2, 2, "has no `id`"),
        ("graph [ node [ id 0 ] edge [ source 0 ] ]", 1, 23, "no `target`"),
        ("graph [ node [ id 0 ] node [ id 0 ] ]", 1, 33, "given twice"),
        ("graph [ node [ id 0 label \"a ]", 1, 27, "not closed"),
        ("Creator \"x\" node [ id 0 ]", 1, 1, "no list `graph"),
        ("{\"nodes\":[{\"id\":1}],\"links\":[{\"source\":1,\"target\":\"1\"}]}", 1, 51, "there is no vertex 1"),
        ("{\"nodes\":[{\"id\":1}]}", 1, 1, "the key `links` is missing"),
        ("{\"nodes\":[{\"id\":1},{\"id\":1}],\"links\":[]}", 1, 26, "given twice"),
        ("{\"nodes\":[{\"id\":[1,[2]]}],\"links\":[]}", 1, 20, "part of a vertex"),
    ] {
        let error = try_read(text).expect_err(text);
        assert!(error.message.contains(expected), "{text}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        assert!(!error.help.is_empty());
    }
    let labels = try_read("graph [ node [ id 7 label \"a&amp;&#228;\" ] node [ id 8 label \"b\" ] ]").expect("sound");
    assert_eq!([labels.name(0), labels.name(1)], ["a_ä", "b"]);
    let alike = try_read("graph [ node [ id 7 label \"x\" ] node [ id 8 label \"x\" ] ]").expect("sound");
    assert_eq!([alike.name(0), alike.name(1)], ["7", "8"]);
}

/// Written and read again: the same names and edges and, where a format does not sort, the same order. Every size is tried, because
/// the first character of graph6 is the size.
#[test]
fn every_format_comes_back() {
    let mut random = Random::new(7);
    for (n, round) in (1..=70).chain([100]).flat_map(|n| (0..4).map(move |round| (n, round))) {
        let mut graph = Graph::empty(n);
        let part = [0, 1, 4, 8][random.below(4)];
        for u in 0..n {
            (0..u).filter(|_| random.below(8) < part).for_each(|v| _ = graph.add_edge(u, v));
        }
        let name = |v: usize| match round {
            1 => v.to_string(),
            2 => format!("node_{v}'"),
            _ => ["graph", "edge", "strict", "é", "P5", "C.x"][v % 6].to_owned() + &"_".repeat(v / 6),
        };
        graph.set_names((round > 0).then(|| (0..n).map(name).collect()));
        for format in FORMATS {
            let text = (format.write)(&graph);
            let again = try_read(&text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", format.name));
            if !format.names {
                assert_eq!(again.edges().collect::<Vec<_>>(), graph.edges().collect::<Vec<_>>(), "{}", format.name);
            } else if round == 0 || ["edges", "adjacency"].contains(&format.name) && round > 1 {
                assert_eq!(by_name(&again), by_name(&graph), "{}: {text}", format.name);
            } else {
                assert_eq!(again, graph, "{}: {text}", format.name);
            }
            // Other readers use the same functions: once is enough.
            if round > 0 {
                continue;
            }
            assert_eq!(line_of_list(text.trim()).map(|found| found.map(|graph| graph.len())), Ok(Some(n)), "{}", format.name);
            assert_eq!(read_option(&text).map(|found| found.graph.len()), Ok(n), "{}", format.name);
        }
    }
}

/// Whatever a text holds, it is read or refused with a remedy.
#[test]
fn hostile_texts_do_no_harm() {
    let mut random = Random::new(11);
    let pieces = [
        "{", "}", "[", "]", "\"", "<", ">", "graph", "node", "edge", "--", "->", "&", "~", ":", ";", "\n", " ", "0", "é", "<!--", "id", "=",
    ];
    let whole = [
        "~~~~~~~~",
        ":~~~~~~~~",
        ":~~?~~~~~@",
        "~_??",
        "~~?@????",
        ">>graph6<<~~~~~~~~~",
        "P99999999",
        "{\"vertices\":68719476736,\"edges\":[]}",
    ];
    let check = |text: &str| {
        if let Err(error) = try_read(text) {
            assert!(!error.help.is_empty() && error.line >= 1 && error.column >= 1, "{text:?}");
        }
        lines_of_graphs(text);
        is_document(text);
    };
    whole.iter().for_each(|text| check(text));
    for text in [
        "{".repeat(100_000),
        "graph {".to_owned() + &"{".repeat(100_000),
        "graph ".to_owned() + &"[ x ".repeat(100_000),
        "<".repeat(100_000),
    ] {
        assert!(try_read(&text).is_err());
    }
    // Few characters, and as many edges as a graph may have.
    let names: String = (0..3000).map(|v| format!("v{v} ")).collect();
    let all: String = format!("graph {{ {{{names}}} -- {{{}}} }}", names.replace('v', "w"));
    assert!(try_read(&all).expect_err("nine million edges").message.contains("too many edges"));
    for round in 0..6000 {
        let mut bytes = match round % 3 {
            0 => (0..random.below(60)).map(|_| random.below(256) as u8).collect(),
            1 => (0..random.below(30)).flat_map(|_| pieces[random.below(pieces.len())].bytes()).collect(),
            _ => FILES[random.below(FILES.len())].1.as_bytes().to_vec(),
        };
        for _ in 0..random.below(4) {
            let at = random.below(bytes.len().max(1));
            match random.below(3) {
                0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
                1 => bytes.truncate(at),
                _ => {
                    let piece = pieces[random.below(pieces.len())];
                    let at = at.min(bytes.len());
                    bytes.splice(at..at, piece.bytes());
                }
            }
        }
        check(&String::from_utf8_lossy(&bytes));
    }
}
