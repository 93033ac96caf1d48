//! The program on Kayles: sums, the command `period` and the census.

use serde_json::json;

use crate::common::Folder;
use crate::run::{ends, fails, json, stdout};

#[test]
fn parts_are_printed_and_checked() {
    let board = "heaps: 3 4 5";
    let report = json(&["solve", "kayles", board, "--json"], "");
    let parts: Vec<_> = [3, 4, 5].iter().map(|heap| json!({"position": format!("Nim: {heap}"), "grundy": heap})).collect();
    assert_eq!((&report["parts"], &report["grundy"], &report["verified"]), (&json!(parts), &json!(2), &json!(true)));
    assert!(stdout(&["solve", "kayles", board], "").contains("\n# part: Nim: 4: Grundy value 4\n"));
    let folder = Folder::new();
    stdout(&["check", "kayles", board, &folder.write("a.json", report.to_string())], "");
    let wrong = report.to_string().replace("\"Nim: 4\"", "\"Nim: 5\"");
    fails(1, &["check", "kayles", board, &folder.write("b.json", wrong)], "");
}

#[test]
fn the_period_of_an_octal_game() {
    assert!(stdout(&["period", "octal: 0.77"], "").starts_with("period 12 from 71\n"));
    let chess = json(&["period", "0.137", "--json"], "");
    assert_eq!((&chess["preperiod"], &chess["period"], &chess["checked"]), (&json!(52), &json!(34), &json!([52, 140])));
    assert!(ends(20, &["period", "0.77", "--nodes", "100"], "").starts_with("# undecided, the node limit was reached"));
    fails(2, &["period", "0.8"], "");
}

#[test]
fn the_census_of_a_list_of_graphs() {
    let table = stdout(&["census", "kayles", "--rule", "node"], "P3\nP4\nBw\n");
    assert!(table.starts_with("line,graph,n,m,winner,outcome,grundy,positions,length,first\n1,P3,3,2,1,N,2,"), "{table}");
    assert!(table.contains("\n2,P4,4,3,2,P,0,") && table.contains("\n3,Bw,3,3,1,N,1,"), "{table}");
    assert!(stdout(&["census", "kayles"], "P3\n").contains("\n1,P3,3,2,1,N,1,"));
}
