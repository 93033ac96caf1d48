//! The same graph in every format; broken texts with their places.

use super::*;

fn graph(text: &str) -> Graph {
    read(&Source::new(text)).and_then(Reading::simple).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn edges(text: &str) -> Vec<(usize, usize)> {
    graph(text).edges().collect()
}

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
fn packed_formats_are_those_of_nauty() {
    // As the format's own description has it.
    assert_eq!(graph6::write(&Graph::from_edges(5, [(0, 2), (0, 4), (1, 3), (3, 4)])), "DQc");
    let sparse = graph6::read(&Source::new(":Fa@x^\n")).and_then(Reading::simple).expect("sound");
    assert_eq!(sparse.edges().collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2), (5, 6)]);
}

#[test]
fn one_vertex_in_every_format() {
    for (text, name) in [
        ("a", "a"),
        ("a\n", "a"),
        ("0", "0"),
        ("1", "1"),
        ("[[0]]", "0"),
        ("[1]", "0"),
        ("a:", "a"),
        ("Ann:", "Ann"),
        ("17:", "17"),
        ("P1", "a"),
        ("@", "a"),
        (":@", "a"),
        ("p edge 1 0", "1"),
        ("{\"vertices\":1,\"edges\":[]}", "0"),
        ("graph { Ann }", "Ann"),
    ] {
        assert_eq!((graph(text).len(), graph(text).name(0)), (1, name.to_owned()), "{text}");
    }
    assert_eq!(matrix(&Source::new("1\n")).map(|reading| reading.graph.len()), Ok(1));
    // Also with names that mean something else when they stand alone.
    for name in ["a", "Z", "7", "Ann", "17", "Bw", "P", "c", "P5", "petersen", "é"] {
        let mut alone = Graph::empty(1);
        alone.set_names(Some(vec![name.to_owned()]));
        for format in FORMATS.iter().filter(|format| format.names) {
            let text = (format.write)(&alone);
            assert_eq!((graph(&text).len(), graph(&text).name(0)), (1, name.to_owned()), "{}: {text}", format.name);
        }
    }
}

#[test]
fn no_vertex_is_an_error() {
    let texts = [
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
    ];
    for text in texts {
        let error = read(&Source::new(text)).err().unwrap_or_else(|| panic!("{text} was read"));
        assert_eq!((error.message.as_str(), error.help.as_str()), (NO_VERTICES, NO_VERTICES_HELP), "{text}");
    }
}

#[test]
fn errors_have_a_place_and_a_remedy() {
    for (text, line, column, expected) in [
        ("", 1, 1, "no graph"),
        ("X5", 1, 1, "no family"),
        ("{abcd", 1, 6, "graph6 with 60 vertices has 296 characters"),
        ("{", 1, 1, "broken JSON"),
        ("C2", 1, 1, "from 3 on"),
        ("P99999999", 1, 1, "too large"),
        ("hello", 1, 6, "graph6 with 41 vertices has 138 characters"),
        (">>graph6<<C", 1, 12, "graph6 with 4 vertices has 2 characters"),
        ("Ch?", 1, 3, "has 2 characters, not 3"),
        (">>graph6<<C!", 1, 12, "`!` is not a graph6 character"),
        ("D~~~~", 1, 4, "graph6 with 5 vertices"),
        ("~~", 1, 1, "cut off"),
        ("ab", 1, 3, "graph6 with 34 vertices"),
        ("17", 1, 1, "`17` is not a graph"),
        ("~~~~~~~~", 1, 1, "too many"),
        ("B~", 1, 2, "unused bits"),
        ("0-0", 1, 1, "loop"),
        ("0-1 1-0", 1, 5, "given twice"),
        ("0-1\n1-2 2-1", 2, 5, "given twice"),
        ("0-1-2", 1, 1, "not an edge"),
        ("0 1 2\n3 4", 1, 5, "more than two"),
        ("0-", 1, 1, "not an edge"),
        ("a:a", 1, 3, "loop"),
        ("a:b,b b:a", 1, 5, "given twice"),
        ("a:b b:c c:b", 1, 3, "b does not list a"),
        ("a:b a:c", 1, 5, "two entries"),
        ("a:? b:a", 1, 3, "not a vertex"),
        ("01\n00", 2, 1, "differs from"),
        ("p edge 2 1\ne 1 3", 2, 5, "no vertex 3"),
        ("p edge 2 1\ne 1 1", 2, 3, "loop"),
        ("p edge 2 3\ne 1 2", 1, 10, "declared"),
        ("p edge 3 2\ne 1 2\ne 1 2", 3, 3, "given twice"),
        ("p edge 99999999999 3", 1, 8, "too many"),
        ("c x\ne 1 2", 2, 1, "unexpected line"),
        ("{\"edges\":[[0,0]]}", 1, 11, "loop"),
        ("{\"edges\":[[0,1],[1,0]]}", 1, 17, "given twice"),
        ("{\"edges\":[[0,1,2]]}", 1, 11, "2 ends"),
        ("{\"vertices\":1,\"edges\":[[0,1]]}", 1, 27, "no vertex 1"),
        ("{\"vertices\":[1,1],\"edges\":[]}", 1, 13, "given twice"),
        ("{\"edges\":[[0,99999999999]]}", 1, 1, "too many"),
        ("{\"vertices\":-1,\"edges\":[]}", 1, 13, "cannot be -1"),
        (":AN", 1, 3, "loop"),
    ] {
        let read = read(&Source::new(text)).and_then(Reading::simple);
        let error = read.err().unwrap_or_else(|| panic!("{text} was read"));
        assert!(expected.split('|').any(|expected| error.message.contains(expected)), "{text}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        assert!(!error.help.is_empty());
    }
    let merged = read(&Source::new("0-1 1-0 1-2")).expect("sound but for a repeat");
    assert_eq!((merged.graph.edge_count(), merged.repeats.len()), (2, 1));
}

#[test]
fn several_graphs_are_counted() {
    for (text, line, count) in [
        ("DQc\nDQo\nD??\n", 2, 3),
        ("DQc\r\nDQo\r\n", 2, 2),
        ("\n  Bw\n\n\nBw", 5, 2),
        (">>graph6<<Ch\nCh", 2, 2),
        (":Cdv\n:Cdv\nCh", 2, 3),
        ("P5\nC6\nK3,3\npetersen\nCh", 2, 5),
        ("c two\np edge 2 1\ne 1 2\np edge 3 0\np edge 1 0", 4, 3),
    ] {
        let error = read(&Source::new(text)).err().unwrap_or_else(|| panic!("{text} was read as one graph"));
        assert!(error.message.contains(&format!("there are {count};")), "{text}: {error}");
        assert_eq!((error.line, error.column == 1 || text.contains("  ")), (line, true), "{text}: {error}");
        assert!(error.help.contains("keep one"), "{}", error.help);
    }
    let error = read(&Source::new("DQc\nDQo\nD?\nDQc\n")).expect_err("one is cut off");
    assert!(error.message.contains("3 lines are graphs; `D?` is not") && error.line == 3, "{error}");
    // Lists of vertices and edges that only look a little like that.
    for text in ["Bw\nBw C", "P1\nP2\nP1 P2", "P 1\nP 2", "a\nb\nc", "x\n0 1"] {
        assert!(read(&Source::new(text)).is_ok(), "{text}");
    }
}

#[test]
fn spellings_of_a_number_are_one_vertex() {
    assert_eq!(edges("01-2 1-3 007-0001"), [(0, 1), (0, 2), (0, 3)]);
    assert_eq!(graph("10-9 9-08").name(0), "08");
    assert_eq!(graph("01-1 x-1").len(), 3, "not all are numbers, so they are only words");
    let error = read(&Source::new("2-1 1-01")).expect_err("a loop");
    assert_eq!((error.column, error.message.contains("loop")), (5, true), "{error}");
}

/// Every edge twice, in both directions: only the first repeats are reported, DIMACS has none.
#[test]
fn many_repeats_stay_cheap() {
    let pairs: Vec<(usize, usize)> = (0..300).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    let both = || pairs.iter().flat_map(|&(u, v)| [(u, v), (v, u)]);
    let list: String = both().map(|(u, v)| format!("{u} {v}\n")).collect();
    let reading = read(&Source::new(&list)).expect("sound but for repeats");
    assert_eq!((reading.graph.edge_count(), reading.repeats.len()), (pairs.len(), MOST_REPEATS));
    assert_eq!(reading.repeats[1].line, 4);
    let dimacs = format!("p edge 300 {}\n", pairs.len()) + &both().map(|(u, v)| format!("e {} {}\n", u + 1, v + 1)).collect::<String>();
    assert_eq!(graph(&dimacs).edges().collect::<Vec<_>>(), reading.graph.edges().collect::<Vec<_>>());
}
