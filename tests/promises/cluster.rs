//! With many workers or in several processes on this machine, the program returns the same answers as in one process, even after
//! processes are killed or when memory or disk space is short. Only loopback addresses are used.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use kibitzer::random::Random;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::Value;

use crate::common::Folder;

/// The English board without its two bottom rows. The goal is a single peg at 2,2, not in the center. The board has 2,042,385 positions.
const BOARD: &str = "jump: single\ncosts: unit\ngoal: at 2,2\n##abc##\n##def##\nghijklm\nnop.qrs\ntuvwxyz\n";
const POSITIONS: u64 = 2_042_385;

fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    command.args(args).current_dir(crate::common::root()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(args: &[&str]) -> Output {
    program(args).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The output of a command that must succeed.
#[track_caller]
fn stdout(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", said(&output));
    String::from_utf8(output.stdout).expect("text")
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("no JSON: {text}{}", said(output)))
}

#[track_caller]
fn assert_same_files(one: &str, other: &str) {
    assert!(fs::read(one).expect("written") == fs::read(other).expect("written"), "{one} and {other} differ");
}

/// The answer without the fields that depend on how it was computed.
fn answer(output: &Output) -> Value {
    let mut json = json(output);
    let object = json.as_object_mut().expect("an object");
    ["stats", "deepest", "method"].iter().for_each(|name| _ = object.remove(*name));
    json
}

/// Writes a hosts file with free ports on this machine.
fn hosts(folder: &Folder, count: usize) -> String {
    let free: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let lines: String = free.iter().map(|port| format!("{}\n", port.local_addr().expect("an address"))).collect();
    let path = folder.path("hosts.txt");
    fs::write(&path, lines).expect("writable");
    path
}

/// Starts the same command in several processes.
fn start(args: &[&str], hosts: &str, count: usize) -> Vec<Child> {
    let of = |process: usize| program(args).args(["--hosts", hosts, "--process", &process.to_string()]).spawn().expect("starts");
    (0..count).map(of).collect()
}

fn together(args: &[&str], folder: &Folder, count: usize) -> Vec<Output> {
    let hosts = hosts(folder, count);
    start(args, &hosts, count).into_iter().map(|child| child.wait_with_output().expect("exits")).collect()
}

#[test]
fn two_processes_give_the_same_answers_as_one() {
    let folder = Folder::new();
    for args in [
        &["explore", "pegs", BOARD, "--json"][..],
        &["explore", "edge", "instances/edge/p7.txt", "--json"],
        &["explore", "chexers", "instances/chexers/four-red.json", "--json"],
        &["solve", "chexers", "instances/chexers/source.json", "--json", "--method", "astar"],
        &["solve", "pegs", "instances/pegs/source.txt", "--json", "--method", "dijkstra"],
    ] {
        let alone = run(args);
        let plan = |output: &Output| (json(output)["cost"].clone(), json(output)["verdict"].clone(), json(output)["verified"].clone());
        for outputs in [together(args, &folder, 2), vec![run(&[args, &["--workers", "3"]].concat())]] {
            for output in &outputs {
                assert_eq!(output.status.code(), alone.status.code(), "{args:?}: {}", said(output));
            }
            match args[0] {
                "solve" => assert_eq!(plan(&outputs[0]), plan(&alone), "{args:?}"),
                _ => assert_eq!(answer(&outputs[0]), answer(&alone), "{args:?}"),
            }
            assert!(outputs[1..].iter().all(|output| output.stdout.is_empty()), "only the first process answers");
        }
    }
}

/// Runs two processes repeatedly, and kills one of them at a random moment, until `times` kills have interrupted a run. `args` includes
/// their checkpoint.
#[cfg(unix)]
fn tear(args: &[&str], checkpoint: &str, times: usize, folder: &Folder) {
    let waiting = [args, &["--wait", "2"]].concat();
    let mut random = Random::new(20);
    let (mut killed, mut longest) = (0, 0);
    while killed < times {
        let hosts = hosts(folder, 2);
        let mut both = start(&waiting, &hosts, 2);
        std::thread::sleep(Duration::from_millis(30 + random.below(longest.max(300)) as u64));
        let victim = killed % 2;
        let begun = Instant::now();
        both[victim].kill().expect("killed");
        let survivor = both.remove(1 - victim);
        let status = both[0].wait().expect("dead");
        let output = survivor.wait_with_output().expect("exits");
        assert!(begun.elapsed() < Duration::from_secs(60), "the other process continued for {:?}", begun.elapsed());
        let text = said(&output);
        if status.success() || output.status.success() {
            // The run ended before the kill, so the next run starts over.
            longest /= 2;
            fs::remove_dir_all(checkpoint).expect("removable");
            continue;
        }
        assert_eq!(output.status.code(), Some(20), "{text}");
        let errors: Vec<&str> = text.lines().filter(|line| line.starts_with("error:")).collect();
        assert!(errors.len() == 1 && text.contains("the same command"), "{text}");
        // A kill before the two processes connect does not count.
        killed += usize::from(errors[0].contains("lost connection"));
        longest += 20;
    }
}

/// In each of twenty runs, one of the two processes is killed at a random moment. The memory limit is so low that every layer is spilled.
#[test]
#[cfg(unix)]
fn the_table_is_identical_after_processes_are_killed() {
    let folder = Folder::new();
    let (whole, table) = (folder.path("whole.kib"), folder.path("table.kib"));
    let (calm, torn) = (folder.path("calm"), folder.path("torn"));
    let once = run(&["explore", "pegs", BOARD, "--json", "--checkpoint", &calm, "--table", &whole]);
    assert_eq!(json(&once)["states"], POSITIONS);
    let args = ["explore", "pegs", BOARD, "--json", "--checkpoint", &torn, "--table", &table, "--memory", "2M"];
    tear(&args, &torn, 20, &folder);
    let outputs = together(&args, &folder, 2);
    assert_eq!(answer(&outputs[0]), answer(&once), "{}", said(&outputs[0]));
    assert_same_files(&table, &whole);
    // Resuming a finished run with a different number of workers writes the same table again.
    fs::remove_file(&table).expect("exists");
    assert_eq!(answer(&run(&[&args[..], &["--workers", "3"]].concat())), answer(&once));
    assert_same_files(&table, &whole);
}

/// Like the test above, but for labels, and with a memory limit that allows only a small part of one layer.
#[test]
#[cfg(unix)]
fn the_labels_are_identical_after_processes_are_killed() {
    let folder = Folder::new();
    let (whole, table, torn) = (folder.path("whole.kib"), folder.path("table.kib"), folder.path("torn"));
    stdout(&["label", "edge", "P10", "--table", &whole]);
    let args = ["label", "edge", "P10", "--checkpoint", &torn, "--table", &table, "--memory", "100k"];
    tear(&args, &torn, 6, &folder);
    stdout(&[&args[..], &["--workers", "3"]].concat());
    assert_same_files(&table, &whole);
}

/// The peak resident bytes of a command, and its output.
#[cfg(target_os = "linux")]
fn measured(args: &[&str]) -> (u64, Output) {
    measure_all(vec![program(args).spawn().expect("starts")])
}

/// The peak resident bytes of any of several processes, and the output of the first process.
#[cfg(target_os = "linux")]
fn measure_all(mut children: Vec<Child>) -> (u64, Output) {
    let mut most = 0;
    while children.iter_mut().any(|child| child.try_wait().expect("a status").is_none()) {
        most = children.iter().map(|child| crate::resident(child.id())).fold(most, u64::max);
        std::thread::sleep(Duration::from_millis(2));
    }
    (most, children.remove(0).wait_with_output().expect("exits"))
}

/// With a checkpoint, the program stays within the memory limit by writing states to disk. The program does not give up, and returns freed
/// memory to the system. The limit is well below the size of the space, but large enough for tables of many megabytes.
#[test]
#[cfg(target_os = "linux")]
fn at_the_memory_limit_the_program_spills_and_does_not_stop() {
    const NODES: u64 = 4_000_000;
    let (folder, board) = (Folder::new(), "instances/pegs/english.txt");
    let nodes = NODES.to_string();
    let (itself, output) = measured(&["explore", "pegs", "instances/pegs/course-2.txt", "--checkpoint", &folder.path("small")]);
    assert!(output.status.success());
    for (name, memory, workers, processes) in [("one", 40, "1", 1), ("two", 40, "2", 1), ("processes", 40, "1", 2), ("less", 15, "2", 1)] {
        let (work, limit) = (folder.path(name), format!("{memory}M"));
        let args = ["explore", "pegs", board, "--json", "--checkpoint", &work, "--memory", &limit, "--workers", workers, "--nodes", &nodes];
        let (most, output) = match processes {
            1 => measured(&args),
            count => measure_all(start(&args, &hosts(&folder, count), count)),
        };
        let found = json(&output);
        assert_eq!(found["limit"], "nodes", "{name}: {found}");
        assert!(found["states"].as_u64().is_some_and(|states| states > NODES - 1_000_000), "{name}: {}", found["states"]);
        let allowed = memory * 1_000_000 * 9 / 8 + (8 << 20) * processes as u64;
        assert!(most < itself + allowed, "{name}: {most} bytes were resident, {itself} of them for the program itself");
    }
}

/// A limit that is too small is refused at the start. The error names the smallest limit, and a run with that limit succeeds.
#[test]
#[cfg(target_os = "linux")]
fn the_error_for_too_little_memory_names_the_minimum() {
    let folder = Folder::new();
    for workers in ["1", "2", "16", "40"] {
        let work = folder.path(&format!("work-{workers}"));
        let args = |memory: &str| {
            ["explore", "pegs", BOARD, "--json", "--checkpoint", &work, "--workers", workers, "--memory", memory].map(str::to_owned)
        };
        let of = |memory: &str| run(&args(memory).iter().map(String::as_str).collect::<Vec<_>>());
        let output = of("9k");
        let text = said(&output);
        assert!(output.status.code() == Some(2) && text.starts_with("error: 9000 B is too little memory for "), "{text}");
        assert!(!Path::new(&work).exists(), "nothing is written");
        let least = text.split("`--memory ").nth(1).and_then(|rest| rest.split('`').next()).expect("the help names the minimum");
        let output = of(least);
        assert!(output.status.success(), "{workers} workers with {least}: {}", said(&output));
        assert_eq!(json(&output)["states"], POSITIONS);
    }
}

/// Spilling keeps memory within the limit, as measured from outside. The program's own memory is measured on a board with few states.
#[test]
#[cfg(target_os = "linux")]
fn a_space_larger_than_memory_is_explored_within_the_limit() {
    const MEMORY: u64 = 1_000_000;
    let folder = Folder::new();
    let measure = |board: &str, name: &str| {
        let place = folder.path(name);
        let (most, output) = measured(&["explore", "pegs", board, "--json", "--checkpoint", &place, "--memory", "1M"]);
        (most, json(&output)["states"].as_u64().expect("a count"))
    };
    let (itself, few) = measure("instances/pegs/course-2.txt", "small");
    assert!(itself > 0 && few < 100_000, "{few} positions");
    let (most, states) = measure(BOARD, "large");
    assert_eq!(states, POSITIONS);
    // A position takes four bytes.
    const { assert!(4 * POSITIONS > 8 * MEMORY) };
    assert!(most < itself + 4 * MEMORY, "{most} bytes were resident, {itself} of them for the program itself");
}

/// A machine that loses power does not close its connections. The other process notices the loss because heartbeats stop.
#[test]
#[cfg(unix)]
fn a_silent_process_is_noticed() {
    let folder = Folder::new();
    let place = folder.path("work");
    let args = ["explore", "pegs", "instances/pegs/english.txt", "--json", "--checkpoint", &place, "--memory", "20M"];
    let mut both = start(&args, &hosts(&folder, 2), 2);
    while fs::read_dir(&place).map_or(0, Iterator::count) < 5 {
        assert!(both[0].try_wait().expect("a status").is_none(), "the first process ended too early");
        std::thread::sleep(Duration::from_millis(20));
    }
    let signal = |child: &Child, name: &str| {
        assert!(Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill is installed").success());
    };
    signal(&both[1], "-STOP");
    let begun = Instant::now();
    let (silent, other) = (both.remove(1), both.remove(0));
    let output = other.wait_with_output().expect("exits");
    let (took, text) = (begun.elapsed(), said(&output));
    signal(&silent, "-CONT");
    assert!(took > Duration::from_secs(10) && took < Duration::from_secs(120), "noticed after {took:?}");
    assert!(
        output.status.code() == Some(20) && text.contains("error: lost connection to process 1") && text.lines().count() == 2,
        "{text}"
    );
    // When the stopped process continues, it notices that the other one is gone.
    let output = silent.wait_with_output().expect("exits");
    assert_eq!(output.status.code(), Some(20), "{}", said(&output));
}

/// When the time limit is reached, during expansion or sorting, the finished layers are printed promptly.
#[test]
fn the_finished_layers_are_printed_at_a_time_limit() {
    let folder = Folder::new();
    // Exploring this whole space takes many times longer than these limits.
    let board = "instances/pegs/english.txt";
    let begun = json(&run(&["explore", "pegs", board, "--json", "--nodes", "1000000"]))["layers"].as_array().expect("layers").clone();
    let mut most = 0;
    for time in ["0.2", "0.45", "0.95", "2"] {
        let place = folder.path(&format!("work-{time}"));
        let args = ["explore", "pegs", board, "--json", "--memory", "2M", "--time", time, "--checkpoint", &place];
        for outputs in [vec![run(&[&args[..], &["--workers", "2"]].concat())], together(&args, &folder, 2)] {
            for output in &outputs {
                assert_eq!(output.status.code(), Some(21), "{}", said(output));
            }
            let found = json(&outputs[0]);
            let layers = found["layers"].as_array().expect("layers");
            assert_eq!((&found["complete"], &found["limit"]), (&Value::Bool(false), &Value::from("time")));
            assert!(layers.iter().zip(&begun).all(|(one, other)| one == other), "the layers differ");
            most = most.max(layers.len());
        }
    }
    assert!(most > 0, "no layer was finished");
}

/// Labeling and solving exceed the limit only by the memory of the program itself and a few buffers.
#[test]
#[cfg(target_os = "linux")]
fn labels_and_plans_are_found_within_the_limit() {
    const BUFFERS: u64 = 16 << 20;
    let folder = Folder::new();
    let (table, work) = (folder.path("table.kib"), folder.path("work"));
    let (least, output) = measured(&["label", "edge", "P3", "--table", &table]);
    assert!(output.status.success());
    let (most, output) = measured(&["label", "edge", "P10", "--table", &table, "--memory", "100k"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(most < least + 100_000 + BUFFERS, "{most} bytes were resident, {least} for a tiny game");
    let (most, output) =
        measured(&["solve", "pegs", "instances/pegs/english.txt", "--checkpoint", &work, "--memory", "1M", "--nodes", "400000"]);
    assert_eq!(output.status.code(), Some(20), "{}", said(&output));
    assert!(most < least + 1_000_000 + BUFFERS, "{most} bytes were resident, {least} for a tiny game");
}

/// In this test, writing more than about 100 kB to a file fails, as on a full disk. The last complete layer stays valid.
#[test]
#[cfg(unix)]
fn a_full_disk_is_an_error_that_leaves_the_last_layer_valid() {
    let folder = Folder::new();
    let (whole, table) = (folder.path("whole.kib"), folder.path("table.kib"));
    let on_full_disk = |blocks: u32, args: &[&str]| {
        let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\" --workers 2");
        let output = Command::new("sh").args(["-c", &limit, env!("CARGO_BIN_EXE_kibitzer")]).args(args).output().expect("a shell");
        let text = said(&output);
        assert_eq!(output.status.code(), Some(20), "{text}");
        assert!(
            text.starts_with("error: cannot write") && text.contains("\nhelp: free some disk space") && text.lines().count() == 2,
            "{text}"
        );
        text
    };
    let (explored, labeled) = (folder.path("explored"), folder.path("labeled"));
    let explore = ["explore", "pegs", BOARD, "--json", "--checkpoint", &explored];
    on_full_disk(200, &explore);
    assert_eq!(json(&run(&explore))["states"], POSITIONS);
    let label = ["label", "edge", "P10", "--checkpoint", &labeled, "--table", &table];
    let text = on_full_disk(100, &[&label[..], &["--memory", "100k"]].concat());
    assert!(text.contains("/labeled/run-"), "{text}");
    stdout(&label);
    stdout(&["label", "edge", "P10", "--table", &whole]);
    assert_same_files(&table, &whole);
}

/// `lookup`, `export` and the Python reader agree on every position; `label` on two processes writes the same table as one.
#[test]
fn a_table_of_labels_is_read_in_three_ways() {
    let folder = Folder::new();
    let (table, other) = (folder.path("one.kib"), folder.path("two.kib"));
    stdout(&["label", "edge", "P5", "--table", &table]);
    let outputs = together(&["label", "edge", "P5", "--table", &other, "--checkpoint", &folder.path("work")], &folder, 2);
    assert!(outputs.iter().all(|output| output.status.success()), "{}", said(&outputs[0]));
    assert_same_files(&table, &other);
    let solved = json(&run(&["solve", "edge", "P5", "--json", "--method", "induction"]));
    let found = json(&run(&["lookup", &table, "--json"]));
    assert_eq!((&found["outcome"], &found["grundy"]), (&solved["outcome"], &solved["grundy"]));
    let after = json(&run(&["lookup", &table, "--json", "--moves", solved["best"][0].as_str().unwrap_or("a:1")]));
    assert_eq!(after["found"], true);
    let exported = stdout(&["export", &table, "--format", "csv"]);
    let lines = stdout(&["export", &table, "--format", "jsonl", "--boards"]);
    assert_eq!(exported.lines().count(), lines.lines().count() + 1);
    let python =
        Command::new("python3").arg(crate::common::root().join("examples/read_table.py")).arg(&table).output().expect("python3 runs");
    let python_text = String::from_utf8_lossy(&python.stdout).into_owned();
    assert!(python.status.success(), "{}", said(&python));
    let rows: Vec<Vec<String>> = exported.lines().skip(1).map(|line| line.split(',').skip(1).map(str::to_owned).collect()).collect();
    let read: Vec<Vec<String>> = python_text.lines().map(|line| line.split(' ').skip(1).map(str::to_owned).collect()).collect();
    assert_eq!(rows, read);
    let file = folder.path("one.parquet");
    assert_eq!(run(&["export", &table, "--format", "parquet"]).status.code(), Some(2), "Parquet is not written to the terminal");
    stdout(&["export", &table, "--format", "parquet", "-o", &file]);
    let reader = SerializedFileReader::new(fs::File::open(&file).expect("written")).expect("a Parquet file");
    let about = reader.metadata().file_metadata().key_value_metadata().expect("the board").clone();
    assert!(about.iter().any(|pair| pair.key == "game" && pair.value.as_deref() == Some("edge")));
    let field = |value: &Field| match value {
        Field::Str(text) => text.clone(),
        Field::Int(number) => number.to_string(),
        other => panic!("{other:?}"),
    };
    let columns = |row: Row| row.get_column_iter().skip(1).map(|(_, value)| field(value)).collect::<Vec<_>>();
    let stored: Vec<Vec<String>> = reader.get_row_iter(None).expect("rows").map(|row| columns(row.expect("a row"))).collect();
    assert_eq!(rows, stored);
    // A table with a single flipped bit is not exported, and the earlier export is kept.
    let mut bytes = fs::read(&table).expect("written");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&table, bytes).expect("writable");
    let output = run(&["export", &table]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let before = fs::read(&file).expect("exists");
    assert_eq!(run(&["export", &table, "--format", "parquet", "-o", &file]).status.code(), Some(2));
    assert!(fs::read(&file).expect("exists") == before, "the earlier export was changed");
}

/// On boards with up to nine vertices, two processes compute the same labels as one process does for the position graph.
#[test]
fn two_processes_compute_the_labels_of_the_position_graph() {
    let folder = Folder::new();
    let paths = (3..=9).map(|n| format!("P{n}"));
    let cycles = (3..=9).map(|n| format!("C{n}"));
    let complete = (3..=7).map(|n| format!("K{n}"));
    let others = ["K1,5", "K2,4", "K3,3", "K4,5", "W5", "W8", "Q3", "grid2x4", "grid3x3"];
    let trees = ["0-1 1-2 2-3 1-4 4-5 5-6 5-7 7-8", "0-1 1-2 2-0 2-3 3-4 4-5 5-3"];
    for board in paths.chain(cycles).chain(complete).chain(others.into_iter().chain(trees).map(str::to_owned)) {
        let table = folder.path("two.kib");
        let outputs = together(&["label", "edge", &board, "--table", &table], &folder, 2);
        assert!(outputs.iter().all(|output| output.status.success()), "{board}: {}", said(&outputs[0]));
        let graph = json(&run(&["graph", "edge", &board, "--format", "json"]));
        let exported = stdout(&["export", &table, "--format", "jsonl"]);
        let worth = |row: &Value| (row["outcome"].to_string(), row["length"].as_u64(), row["grundy"].as_u64());
        let mut expected: Vec<_> = graph["nodes"].as_array().expect("nodes").iter().map(worth).collect();
        let mut labeled: Vec<_> = exported.lines().map(|line| worth(&serde_json::from_str(line).expect("JSON"))).collect();
        expected.sort();
        labeled.sort();
        assert_eq!(labeled.len(), expected.len(), "{board}");
        assert!(labeled == expected, "{board}: the labels differ");
    }
}

#[test]
fn two_processes_write_the_same_census_as_one() {
    let folder = Folder::new();
    let list = folder.path("list.txt");
    fs::write(&list, "P3\nC4\n\n# a note\nK4\nP5\nC5\nP6\nK1,3\n").expect("writable");
    let alone = stdout(&["census", "edge", &list]);
    let outputs = together(&["census", "edge", &list], &folder, 2);
    assert!(alone.len() > 100 && String::from_utf8_lossy(&outputs[0].stdout) == alone, "{}", said(&outputs[0]));
    assert!(outputs[1].stdout.is_empty() && outputs[1].status.success());
}

#[test]
fn commands_that_cannot_work_are_refused() {
    let folder = Folder::new();
    let hosts = hosts(&folder, 2);
    let refused = |args: &[&str], reason: &str| {
        let output = run(args);
        let text = said(&output);
        assert!(output.status.code() == Some(2) && text.contains(reason) && text.contains("\nhelp: "), "{args:?}: {text}");
    };
    refused(&["explore", "pegs", "--hosts", &hosts, "--process", "2"], "no process 2");
    refused(&["explore", "pegs", "--hosts", &hosts], "--process");
    refused(&["explore", "pegs", "--workers", "0"], "0");
    refused(&["explore", "pegs", "--hosts", "no-such-file", "--process", "0"], "no-such-file");
    refused(&["label", "pegs", "--table", "x.kib"], "one player");
    refused(&["label", "edge", "P3"], "no output given");
    refused(&["lookup", "README.md"], "not a table of positions");
    refused(&["solve", "pegs", "--workers", "2", "--method", "dfs"], "does not support multiple workers");
    // Two processes with different boards refuse to work together.
    let of =
        |board: &str, process: &str| program(&["explore", "pegs", board, "--hosts", &hosts, "--process", process]).spawn().expect("starts");
    let (first, second) = (of("instances/pegs/source.txt", "0"), of("instances/pegs/source-2.txt", "1"));
    for child in [first, second] {
        let output = child.wait_with_output().expect("exits");
        let text = said(&output);
        assert!(output.status.code() == Some(2) && text.contains("in its board") || text.contains("lost connection"), "{text}");
    }
}
