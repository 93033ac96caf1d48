//! The same graph in every format, files written by networkx and nauty, round trips, errors with their positions, and hostile input.

use kibitzer::graph::Graph;
use kibitzer::graph::formats::{FORMATS, graph6, is_document, line_of_list, lines_of_graphs, matrix, read, read_option, read_simple};
use kibitzer::graph::symmetry::canonical;
use kibitzer::random::Random;
use kibitzer::text::{ParseError, Source};

use super::graph::named;
use crate::common::amount;

/// Reads a file in `tests/graphs`.
fn file(name: &str) -> String {
    crate::common::file(&format!("tests/graphs/{name}"))
}

fn try_read(text: &str) -> Result<Graph, ParseError> {
    read_simple(&Source::without_comments(text))
}

fn graph(text: &str) -> Graph {
    try_read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn edges(text: &str) -> Vec<(usize, usize)> {
    graph(text).edges().collect()
}

fn names(graph: &Graph) -> Vec<String> {
    (0..graph.len()).map(|v| graph.name(v)).collect()
}

/// The error for input that must be refused. The error must have a help line and contain `message`.
#[track_caller]
fn refused(text: &str, message: &str) -> ParseError {
    let error = try_read(text).err().unwrap_or_else(|| panic!("{text} was read"));
    assert!(error.message.contains(message) && !error.help.is_empty(), "{text}: {error}; {}", error.help);
    error
}

/// The sorted names and edges, independent of the vertex order.
fn by_name(graph: &Graph) -> (Vec<String>, Vec<[String; 2]>) {
    let mut edges: Vec<[String; 2]> = graph.edges().map(|(u, v)| [graph.name(u), graph.name(v)]).collect();
    edges.iter_mut().for_each(|ends| ends.sort());
    edges.sort();
    let mut names = names(graph);
    names.sort();
    (names, edges)
}

/// Files in `tests/graphs` with undirected graphs.
const FILES: [&str; 14] = [
    "names.gml",
    "names.graphml",
    "names.dot",
    "names-links.json",
    "names-edges.json",
    "names.adjlist",
    "names.edgelist",
    "grid.gml",
    "grid.graphml",
    "grid.json",
    "petersen.g6",
    "petersen.s6",
    "geng-4.s6",
    "geng-5.g6",
];

#[test]
fn one_path_in_every_format() {
    let path = [(0, 1), (1, 2), (2, 3)];
    for text in [
        "P4",
        "Ch",
        ">>graph6<<Ch",
        ":Cdv",
        ">>sparse6<<:Cdv\n",
        "0-1 1-2 2-3",
        "1-2, 2-3, 3-4",
        "0 1\n1 2\n2 3\n",
        "a-b b-c c-d",
        "a:b b:a,c c:b,d d:c",
        "a: b\nb: a, c\nc: b, d\nd: c",
        "a:b b:a,c c:b,d",
        "0100\n1010\n0101\n0010",
        "0 1 0 0\n1 1 1 0\n0 1 0 1\n0 0 1 0\n",
        "c a comment\np edge 4 3\ne 1 2\ne 2 3\ne 3 4\n",
        "p edge 4 6\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 3 4\ne 4 3\n",
        "{\"edges\":[[0,1],[1,2],[2,3]]}",
        "{\"vertices\":4,\"edges\":[[0,1],[1,2],[2,3]]}",
        "{\"vertices\":[\"u\",\"v\",\"w\",\"x\"],\"edges\":[[\"u\",\"v\"],[\"v\",\"w\"],[\"x\",\"w\"]]}",
    ] {
        assert_eq!(edges(text), path, "{text}");
        assert_eq!(graph(text).len(), 4, "{text}");
    }
    assert_eq!(edges("x\n0 1"), [(0, 1)]);
    assert_eq!((edges("c d\nd e"), edges("p\nc d\n").len()), (vec![(0, 1), (1, 2)], 1));
    assert_eq!((graph("3 9 10-3").name(2), graph("a-b c").len()), ("10".to_owned(), 3));
    assert_eq!((graph("@").len(), graph(":@").len()), (1, 1));
    assert_eq!(edges("Bw"), [(0, 1), (0, 2), (1, 2)]);
}

#[test]
fn packed_formats_match_nauty() {
    // The examples in the formats' specifications.
    assert_eq!(graph6::write(&Graph::from_edges(5, [(0, 2), (0, 4), (1, 3), (3, 4)])), "DQc");
    assert_eq!(edges(":Fa@x^\n"), [(0, 1), (0, 2), (1, 2), (5, 6)]);
}

#[test]
fn one_vertex_in_every_format() {
    for (name, texts) in [
        ("a", "a|a\n|a:|P1|@|:@"),
        ("0", "0|[[0]]|[1]|{\"vertices\":1,\"edges\":[]}"),
        ("1", "1|p edge 1 0"),
        ("17", "17:"),
        ("Ann", "Ann:|graph { Ann }"),
    ] {
        for text in texts.split('|') {
            assert_eq!(names(&graph(text)), [name], "{text}");
        }
    }
    assert_eq!(matrix(&Source::new("1\n")).map(|reading| reading.graph.len()), Ok(1));
    // A vertex name may also be a string that would mean something else if it were the whole input.
    for name in ["a", "Z", "7", "Ann", "17", "Bw", "P", "c", "P5", "petersen", "é"] {
        let mut alone = Graph::empty(1);
        alone.set_names(Some(vec![name.to_owned()]));
        for format in FORMATS.iter().filter(|format| format.names) {
            let text = (format.write)(&alone);
            assert_eq!(names(&graph(&text)), [name], "{}: {text}", format.name);
        }
    }
}

#[test]
fn a_graph_without_vertices_is_an_error() {
    for text in [
        "?",
        ":?",
        ">>graph6<<?",
        "graph {}",
        "graph [ ]",
        "p edge 0 0",
        "{\"vertices\":0,\"edges\":[]}",
        "{\"edges\":[]}",
        "{\"nodes\":[],\"links\":[]}",
        "<graphml><graph edgedefault=\"undirected\"/></graphml>",
    ] {
        assert_eq!(refused(text, "the graph has no vertices").help, "a graph needs at least one vertex", "{text}");
    }
}

#[test]
fn a_repeated_edge_is_counted_once() {
    let merged = read(&Source::new("0-1 1-0 1-2")).expect("valid except for a repeat");
    assert_eq!((merged.graph.edge_count(), merged.repeats.len()), (2, 1));
}

#[test]
fn several_graphs_in_one_text_are_counted_and_refused() {
    for (text, line, count) in [
        ("DQc\nDQo\nD??\n", 2, 3),
        ("DQc\r\nDQo\r\n", 2, 2),
        ("\n  Bw\n\n\nBw", 5, 2),
        (">>graph6<<Ch\nCh", 2, 2),
        (":Cdv\n:Cdv\nCh", 2, 3),
        ("P5\nC6\nK3,3\npetersen\nCh", 2, 5),
        ("c two\np edge 2 1\ne 1 2\np edge 3 0\np edge 1 0", 4, 3),
    ] {
        let error = refused(text, &format!("there are {count};"));
        assert_eq!((error.line, error.column == 1 || text.contains("  ")), (line, true), "{text}: {error}");
        assert!(error.help.contains("keep one"), "{}", error.help);
    }
    assert_eq!(refused("DQc\nDQo\nD?\nDQc\n", "3 lines are graphs; `D?` is not").line, 3);
    // Lists of vertices and edges that only resemble a list of graphs.
    for text in ["Bw\nBw C", "P1\nP2\nP1 P2", "P 1\nP 2", "a\nb\nc", "x\n0 1"] {
        assert!(read(&Source::new(text)).is_ok(), "{text}");
    }
}

#[test]
fn spellings_of_the_same_number_are_one_vertex() {
    assert_eq!(edges("01-2 1-3 007-0001"), [(0, 1), (0, 2), (0, 3)]);
    assert_eq!(graph("10-9 9-08").name(0), "08");
    assert_eq!(graph("01-1 x-1").len(), 3, "not all are numbers, so all are plain names");
    assert_eq!(refused("2-1 1-01", "loop").column, 5);
}

/// If every edge is given in both directions, only the first repeats are reported. In DIMACS, an edge in both directions is not a repeat.
#[test]
fn many_repeats_stay_cheap() {
    let pairs: Vec<(usize, usize)> = (0..300).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    let both = || pairs.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
    let list: String = both().map(|(u, v)| format!("{u} {v}\n")).collect();
    let reading = read(&Source::new(&list)).expect("valid except for repeats");
    assert_eq!((reading.graph.edge_count(), reading.repeats.len()), (pairs.len(), 10));
    assert_eq!(reading.repeats[1].line, 4);
    let dimacs = format!("p edge 300 {}\n", pairs.len()) + &both().map(|(u, v)| format!("e {} {}\n", u + 1, v + 1)).collect::<String>();
    assert!(graph(&dimacs).edges().eq(reading.graph.edges()));
}

#[test]
fn files_from_networkx_keep_their_vertex_names() {
    let people = ["Ann", "Bob", "Cy", "Dee", "Eve"];
    for name in FILES {
        let text = file(name);
        let graph = graph(text.lines().next().filter(|_| name.starts_with("geng")).unwrap_or(&text));
        match name.split(['.', '-']).next() {
            Some("names") => {
                // An edge list omits vertices without edges.
                assert_eq!(names(&graph), people[..if name == "names.edgelist" { 4 } else { 5 }], "{name}");
                assert!(graph.edges().eq([(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)]), "{name}");
            }
            Some("grid") => {
                assert_eq!(names(&graph), ["0_0", "0_1", "0_2", "1_0", "1_1", "1_2"], "{name}");
                assert_eq!(graph.edge_count(), 7, "{name}");
            }
            Some("petersen") => assert_eq!(canonical(&graph), canonical(&named("petersen")), "{name}"),
            _ => assert!(name.starts_with("geng"), "{name}"),
        }
    }
}

/// The numbers of connected graphs on 4 and 5 vertices are known (OEIS A001349), and `geng` lists each graph once.
#[test]
fn lists_from_nauty_contain_every_connected_graph_once() {
    for (name, count, vertices) in [("geng-5.g6", 21, 5), ("geng-4.s6", 6, 4), ("geng-4-header.g6", 6, 4)] {
        let text = file(name);
        let lines = lines_of_graphs(&text);
        assert_eq!(lines.len(), count);
        let mut forms = Vec::new();
        for line in lines {
            let graph = graph(line);
            assert!(graph.len() == vertices && graph.is_connected(), "{line}");
            forms.push(graph6::write(&canonical(&graph).expect("small")));
        }
        forms.sort();
        forms.dedup();
        assert_eq!(forms.len(), count);
    }
    assert!(lines_of_graphs("P5").is_empty() && lines_of_graphs("0 1\n1 2").is_empty() && lines_of_graphs("").is_empty());
    assert_eq!(lines_of_graphs(">>graph6<<\n\n# two\nBw\r\nBW\n"), ["Bw", "BW"]);
}

#[test]
fn directed_graphs_are_refused_in_every_format() {
    let digraph6 = file("directed.d6").lines().next().expect("a line").to_owned();
    let mut texts = ["directed.gml", "directed.graphml", "directed.dot", "directed.json", "directed.d6"].map(file).to_vec();
    texts.extend([format!(">>digraph6<<{digraph6}"), digraph6, "graph { a -- b -> c }".to_owned()]);
    texts.push("<graphml><graph><node id='a'/><node id='b'/><edge source='a' target='b' directed='true'/></graph></graphml>".to_owned());
    for text in texts {
        assert!(refused(&text, "is directed").help.contains("to_undirected"), "{text}");
    }
    let error = refused(&file("weighted.edgelist"), "");
    assert!(error.help.contains("without weights") && (error.line, error.column) == (1, 5), "{error}");
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
        let error = refused(text, if repeated { "given twice" } else { "a loop: vertex" });
        assert!(error.help.contains("simple graphs have no"), "{text}: {}", error.help);
    }
}

#[test]
fn texts_that_look_like_other_formats() {
    let edges = |text: &str| by_name(&graph(text)).1;
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
        ("010\n101\n01\n", "a row has length 2, but the matrix has 3 rows"),
        ("01\n10\n11\n", "a row has length 2, but the matrix has 3 rows"),
        ("0110\n1010\n1100\n", "a row has length 4, but the matrix has 3 rows"),
    ] {
        refused(text, says);
    }
}

#[test]
fn dot_is_read_as_by_graphviz_and_gml_by_its_labels() {
    let read = |text: &str| by_name(&graph(text));
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
    let labels = graph("graph [ node [ id 7 label \"a&amp;&#228;\" ] node [ id 8 label \"b\" ] ]");
    assert_eq!([labels.name(0), labels.name(1)], ["a_ä", "b"]);
    let alike = graph("graph [ node [ id 7 label \"x\" ] node [ id 8 label \"x\" ] ]");
    assert_eq!([alike.name(0), alike.name(1)], ["7", "8"]);
}

/// A graph that is written and read again has the same names and edges and, unless the format sorts the vertices, the same order.
/// Every size is tested, because graph6 encodes the size first; a short run tests only some sizes with names.
#[test]
fn every_format_can_be_written_and_read() {
    let mut random = Random::new(7);
    let rounds = |n| (0..4).map(move |round| (n, round)).filter(|(n, round)| *round == 0 || n % amount(9, 1) == 0);
    for (n, round) in (1..=70).chain([100]).flat_map(rounds) {
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
                assert!(again.edges().eq(graph.edges()), "{}", format.name);
            } else if round == 0 || ["edges", "adjacency"].contains(&format.name) && round > 1 {
                assert_eq!(by_name(&again), by_name(&graph), "{}: {text}", format.name);
            } else {
                assert_eq!(again, graph, "{}: {text}", format.name);
            }
            // The other readers use the same functions, so one round is enough.
            if round > 0 {
                continue;
            }
            assert_eq!(line_of_list(text.trim()).map(|found| found.map(|graph| graph.len())), Ok(Some(n)), "{}", format.name);
            assert_eq!(read_option(&text).map(|found| found.graph.len()), Ok(n), "{}", format.name);
        }
    }
}

/// Any input is either accepted or refused with a remedy.
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
    for (start, repeated) in [("", "{"), ("graph {", "{"), ("graph ", "[ x "), ("", "<")] {
        refused(&(start.to_owned() + &repeated.repeat(100_000)), "");
    }
    // A short input that describes too many edges.
    let names: String = (0..3000).map(|v| format!("v{v} ")).collect();
    let all: String = format!("graph {{ {{{names}}} -- {{{}}} }}", names.replace('v', "w"));
    refused(&all, "too many edges");
    let files = FILES.map(file);
    for round in 0..6000 {
        let mut bytes = match round % 3 {
            0 => (0..random.below(60)).map(|_| random.below(256) as u8).collect(),
            1 => (0..random.below(30)).flat_map(|_| pieces[random.below(pieces.len())].bytes()).collect(),
            _ => files[random.below(files.len())].as_bytes().to_vec(),
        };
        for _ in 0..random.below(4) {
            let at = random.below(bytes.len().max(1));
            match random.below(3) {
                0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
                1 => bytes.truncate(at),
                _ => {
                    let at = at.min(bytes.len());
                    bytes.splice(at..at, pieces[random.below(pieces.len())].bytes());
                }
            }
        }
        check(&String::from_utf8_lossy(&bytes));
    }
}
