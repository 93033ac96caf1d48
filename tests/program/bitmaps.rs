//! Runs the program on moles boards: invalid boards, and bitmaps that it reads and writes, whether complete, truncated or with false
//! headers.

use crate::common::{Folder, amount};
use crate::run::{self, ends, json};

#[test]
fn bad_boards_are_refused_with_a_remedy() {
    let cases: &[(&str, &[&str], &str)] = &[
        ("010", &["--method", "magic"], "unknown method `magic`"),
        ("states: 3\n010", &["--method", "source"], "it needs a board with two states"),
        ("graph: P5", &["--method", "chase"], "it needs a grid"),
        ("P1 3 2\n010 01", &[], "ends after"),
        ("P1 3 2\n010 0111", &[], "continues after the bitmap"),
        ("P1 3 2\n010 0x1", &[], "`x` is not a cell"),
        ("P1 3", &[], "the bitmap's height is missing"),
        ("P4 0 3\n", &[], "the bitmap's width is 0"),
        ("P4 99999999999999999999 3\n", &[], "too large"),
        ("P4 1000000000 1000000000\nabc", &[], "the bitmap ends after 0 of 1000000000 rows"),
        ("P4 8 1000000000\nabc", &[], "the bitmap ends after 3 of 1000000000 rows"),
        ("P4 8 2\nabc", &[], "continues after the bitmap"),
    ];
    for (board, more, expected) in cases {
        run::refused(&[&["solve", "moles", "-"], *more].concat(), board, expected);
    }
}

#[test]
fn forms_of_the_same_board() {
    let moves = |args: &[&str], stdin: &[u8]| json(&[&["solve", "moles", "--json"], args].concat(), stdin)["moves"].clone();
    let expected = serde_json::json!([6, 14, 16]);
    for text in [
        "0100\n1110\n0001\n1101\n",
        "0 1 0 0\n1 1 1 0\r\n0 0 0 1\n1 1 0 1",
        "# a comment\n.#..\n###.\n...#\n##.#\n",
        "size: 4x4\nmoles: 2 5 6 7 12 13 14 16\n",
        "size: 4 x 4; moles: 2,5,6,7,12,13,14,16",
        "P1\n# a comment\n4 4\n0100111000011101",
        "P1 4 4 0 1 0 0 1 1 1 0 0 0 0 1 1 1 0 1",
    ] {
        assert_eq!(moves(&["-"], text.as_bytes()), expected, "{text}");
    }
    assert_eq!(moves(&["-"], b"P4 4 4\n\x40\xe0\x10\xd0"), expected);
    assert_eq!(moves(&["0100 1110 0001 1101"], b""), expected);
    assert_eq!(moves(&["0100/1110/0001/1101"], b""), expected);
    assert_eq!(moves(&["size: 4x4; moles: 2 5 6 7 12 13 14 16"], b""), expected);
}

#[test]
fn bitmaps_are_read_and_written() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let run = |code: i32, args: &[&str]| ends(code, args, "");
    let (board, hits, odd, proof) = (path("board.pbm"), path("hits.pbm"), path("odd.pbm"), path("proof.pbm"));
    run(0, &["generate", "moles", "--option", "size=300x170", "--seed", "3", "-o", &board]);
    run(0, &["solve", "moles", &board, "-o", &hits]);
    assert!(run(0, &["check", "moles", &board, &hits]).contains("the goal is reached in"));
    run(1, &["check", "moles", &board, &board]);
    // The same hits as a list.
    let report = json(&["solve", "moles", &board, "--json"], "");
    let bitmap = json(&["solve", "moles", &board, "-o", &hits, "--json"], "");
    assert_eq!((&report["cost"], &report["rank"]), (&bitmap["cost"], &bitmap["rank"]));
    assert!(bitmap["moves"].is_null() && bitmap["picture"].is_string());
    // An unsolvable board, and its proof.
    run(0, &["generate", "moles", "--option", "size=99x99", "--option", "kind=any", "--seed", "1", "-o", &odd]);
    run(10, &["solve", "moles", &odd, "-o", &proof]);
    assert!(run(0, &["check", "moles", &odd, &proof]).contains("no solution"));
    let list = path("proof.json");
    run(10, &["solve", "moles", &odd, "--json", "-o", &list]);
    assert!(run(0, &["check", "moles", &odd, &list]).contains("there is no solution"));
    // Converts text to a bitmap and back.
    run(0, &["draw", "moles", "-o", &path("sample.pbm")]);
    assert_eq!(std::fs::read(path("sample.pbm")).expect("written"), b"P4\n4 4\n\x40\xe0\x10\xd0");
    run(0, &["solve", "moles", "-o", &hits]);
    assert!(run(0, &["check", "moles", &path("sample.pbm"), &hits]).contains("3 moves"));
    // The settings in a text file are kept: this board is solved on a torus.
    let torus = folder.write("torus.txt", "wrap: torus\n11001\n10000\n00000\n00000\n10000\n");
    let text = json(&["solve", "moles", &torus, "--json"], "");
    let image = json(&["solve", "moles", &torus, "--json", "-o", &hits], "");
    assert_eq!((&image["cost"], &image["rank"], &image["nullity"]), (&text["cost"], &text["rank"], &text["nullity"]));
    assert_eq!(image["rank"], 17);
    run(0, &["check", "moles", &torus, &hits]);
    // A header that promises more data than the file contains is refused at once, however large the promised size.
    let lie = folder.write("lie.pbm", "P4 100000 100000\nabc");
    run(2, &["solve", "moles", &lie, "-o", &hits]);
    run(2, &["check", "moles", &board, &lie]);
    // Invalid combinations.
    run(2, &["solve", "chexers", &board]);
    run(2, &["solve", "moles", &board, "-o", &hits, "--method", "dense"]);
    run(2, &["solve", "moles", "states: 3; size: 3x3", "-o", &hits]);
    run(2, &["generate", "moles", "--option", "size=0x5", "-o", &hits]);
    run(20, &["generate", "moles", "--option", "size=1000000000x1000000000", "-o", &hits]);
    // A wide board with few rows needs more memory when it is transposed.
    run(0, &["generate", "moles", "--option", "size=1x5000000", "--seed", "1", "-o", &board]);
    run(2, &["solve", "moles", &board, "--memory", "1M"]);
    let size = format!("size=1x{}", amount(100_000, 5_000_000));
    run(0, &["generate", "moles", "--option", &size, "--seed", "1", "-o", &board]);
    run(0, &["solve", "moles", &board, "-o", &hits]);
    run(0, &["check", "moles", &board, &hits]);
    run(2, &["generate", "pegs", "-o", &hits]);
}

#[test]
fn boards_too_large_for_a_list_are_solved_as_bitmaps() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (board, hits) = (path("board.pbm"), path("hits.pbm"));
    let run = |code: i32, args: &[&str]| ends(code, args, "");
    run(0, &["generate", "moles", "--option", "size=2200x2000", "--seed", "5", "-o", &board]);
    let report = json(&["solve", "moles", &board, "--json"], "");
    assert_eq!((&report["verdict"], &report["verified"]), (&"solved".into(), &true.into()));
    run(0, &["solve", "moles", &board, "-o", &hits]);
    run(0, &["check", "moles", &board, &hits]);
    for command in ["draw", "play", "compare", "explore"] {
        run(2, &[command, "moles", &board]);
    }
}
