//! Runs the program with arguments and standard input, and returns its exit code and output.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

/// Runs the program in a folder. If it hangs, it is killed after five minutes; the limit is generous because tests share the cores with
/// other work.
pub fn run_in(folder: &Path, args: &[&str], stdin: impl AsRef<[u8]>) -> Output {
    let stdin = stdin.as_ref();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    command.current_dir(folder).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("starts");
    let (mut pipe, id) = (child.stdin.take().expect("piped"), child.id().to_string());
    let (ended, end) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        // A program that needs no input may end before all input is written.
        scope.spawn(move || _ = pipe.write_all(stdin));
        scope.spawn(move || {
            if end.recv_timeout(Duration::from_secs(300)) == Err(mpsc::RecvTimeoutError::Timeout) {
                _ = Command::new("kill").arg(id).status();
            }
        });
        let output = child.wait_with_output().expect("exits");
        drop(ended);
        output
    })
}

/// Runs the program in the repository.
pub fn kibitzer(args: &[&str], stdin: impl AsRef<[u8]>) -> Output {
    run_in(crate::common::root(), args, stdin)
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The output of a command that must succeed.
#[track_caller]
pub fn stdout(args: &[&str], stdin: impl AsRef<[u8]>) -> String {
    ends(0, args, stdin)
}

/// The output of a command that must exit with this code.
#[track_caller]
pub fn ends(code: i32, args: &[&str], stdin: impl AsRef<[u8]>) -> String {
    let output = kibitzer(args, stdin);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The JSON that a command prints, whatever its exit code.
#[track_caller]
pub fn json(args: &[&str], stdin: impl AsRef<[u8]>) -> Value {
    let output = kibitzer(args, stdin);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {}", text(&output.stderr)))
}

/// The error and help lines of a command that must exit with this code.
#[track_caller]
pub fn fails(code: i32, args: &[&str], stdin: impl AsRef<[u8]>) -> String {
    failure(code, args, &kibitzer(args, stdin))
}

/// The error and help lines of a command that must have exited with this code and printed no result.
#[track_caller]
pub fn failure(code: i32, args: &[&str], output: &Output) -> String {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
    assert!(error.starts_with("error: ") && error.lines().count() == 2, "{args:?}: {error}");
    let help = error.lines().nth(1).and_then(|line| line.strip_prefix("help: "));
    assert!(help.is_some_and(|help| help.len() > 2), "{args:?}: {error}");
    assert!(output.stdout.is_empty(), "{args:?} prints a result although it fails");
    error
}

/// Asserts that a command is refused with exit code 2 and an error that contains `expected`.
#[track_caller]
pub fn refused(args: &[&str], stdin: impl AsRef<[u8]>, expected: &str) {
    let error = fails(2, args, stdin);
    assert!(error.contains(expected), "{args:?}: {error}");
}

/// The JSON of an answer, without the values that depend on the machine.
#[track_caller]
pub fn answer(args: &[&str]) -> Value {
    let mut value = json(args, "");
    value["stats"].take();
    value
}
