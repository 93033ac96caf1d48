//! The program of another commit, to compare with: `BASE=path/to/kibitzer cargo bench --bench NAME` runs it on the same boards
//! as the present one, in turn, and compares times and answers.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

/// The program to compare with, if there is one.
pub fn path() -> Option<String> {
    std::env::var("BASE").ok()
}

/// Runs a program on a board: what it answers, and the seconds it took.
pub fn solve(program: &str, game: &str, board: &str, limit: &str) -> (Value, f64) {
    let begun = Instant::now();
    let arguments = ["solve", game, "-", "--json", "--time", limit, "--memory", "2GB"];
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{program} cannot be started: {error}"));
    child.stdin.take().expect("piped").write_all(board.as_bytes()).expect("it reads its input");
    let output = child.wait_with_output().expect("it ends");
    (serde_json::from_slice(&output.stdout).expect("JSON"), begun.elapsed().as_secs_f64())
}

/// Both programs on all boards: how many each decides within the limit, seconds in all and at most; answers must agree.
pub fn compare(game: &str, boards: &[String], limit: &str) {
    let Some(base) = path() else { return };
    let (mut decided, mut seconds, mut longest) = ([0; 2], [0.0; 2], [0_f64; 2]);
    for board in boards {
        let answers = [base.as_str(), env!("CARGO_BIN_EXE_kibitzer")].map(|program| solve(program, game, board, limit));
        for (at, (answer, time)) in answers.iter().enumerate() {
            decided[at] += u32::from(answer["verdict"] != "unknown");
            seconds[at] += time;
            longest[at] = longest[at].max(*time);
        }
        let [old, new] = answers.map(|(answer, _)| answer);
        if old["verdict"] != "unknown" && new["verdict"] != "unknown" {
            let same =
                old["verdict"] == new["verdict"] && (old["cost"] == new["cost"] || old["optimal"] == false || new["optimal"] == false);
            assert!(same, "{board}\n{old}\n{new}");
        }
    }
    let [old, new] = [0, 1].map(|at| format!("{} decided, {:.2} s in all, {:.2} s at most", decided[at], seconds[at], longest[at]));
    println!("    of {} boards: base {old}; now {new}", boards.len());
}
