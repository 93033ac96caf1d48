//! Compares the library in a browser worker with the same work in the program: `cargo bench -p kibitzer-wasm --features bench`.
//!
//! Requires Node, Chromium and `npm ci --prefix web`. The module is built as in `./site`. Native runs are done before and after
//! the one in the browser, to detect a machine that slows down. Ratios are computed from their mean.

use std::path::Path;
use std::process::Command;

use kibitzer_wasm::bench::{moles, peg_space};
use serde_json::Value;

const N: usize = 10_000;
const RUNS: usize = 7;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let target = root.join("target/bench-wasm");
    let built = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["build", "-p", "kibitzer-wasm", "--features", "bench", "--profile", "site", "--target", "wasm32-unknown-unknown"])
        .arg("--target-dir")
        .arg(&target)
        .status();
    assert!(built.is_ok_and(|status| status.success()), "the module was not built");

    let native = || [peg_space(), moles(N, RUNS)];
    let before = native();
    let output = Command::new("node")
        .arg(root.join("web/bench/worker.mjs"))
        .arg(target.join("wasm32-unknown-unknown/site/kibitzer_wasm.wasm"))
        .args([N.to_string(), RUNS.to_string()])
        .output()
        .expect("Node is required");
    let after = native();
    let found: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no answer from the browser: {}", String::from_utf8_lossy(&output.stderr)));
    for (at, (name, what)) in [("peg_space", "all positions of the English peg board"), ("moles", "moles, n = 10,000")].iter().enumerate() {
        let worker = found[name].as_f64().unwrap_or_else(|| panic!("{found}"));
        let mean = (before[at] + after[at]) / 2.0;
        println!(
            "{what}: program {:.0} and {:.0} ms, worker {worker:.0} ms: the worker runs at {:.2} of the program's speed",
            before[at],
            after[at],
            mean / worker
        );
    }
}
