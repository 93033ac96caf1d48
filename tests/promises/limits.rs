//! Every command and method stays within its time and memory limits on any input. This is measured from outside the program, for all
//! registered games, on the boards that they list as monsters.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kibitzer::catalog::Entry;
use kibitzer::games::GAMES;
use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use kibitzer::random::Random;
use serde_json::json;

use crate::common::Folder;

/// Time, memory and exit code of the program, measured from outside.
struct Taken {
    seconds: f64,
    /// Peak resident bytes, if the system reports them.
    bytes: u64,
    code: Option<i32>,
    stderr: String,
}

impl Taken {
    /// True if the program ended within the limits and `delay` seconds, with an answer, or with an error and a help line.
    fn keeps_limits(&self, delay: f64) -> bool {
        // `check` exits with 1 if a monster has a solution after all.
        let ended = matches!(self.code, Some(0 | 1 | 10 | 20 | 21)) || self.code == Some(2) && self.stderr.contains("help: ");
        ended && self.seconds <= TIME + delay && self.bytes <= MEMORY + MEMORY / 4 + (64 << 20)
    }
}

/// Runs the program. Optionally sends Ctrl-C after some time.
fn run(args: &[&str], interrupt: Option<Duration>) -> Taken {
    let begun = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    let mut child: Child = command
        .args(args)
        .current_dir(crate::common::root())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stderr.take().expect("piped");
    let words = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = pipe.read_to_string(&mut text);
        text
    });
    let (mut bytes, mut interrupt) = (0, interrupt);
    let code = loop {
        bytes = bytes.max(crate::resident(child.id()));
        if let Some(status) = child.try_wait().expect("a status") {
            break status.code();
        }
        if interrupt.is_some_and(|after| begun.elapsed() >= after) {
            interrupt = None;
            let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            assert!(sent.is_ok_and(|status| status.success()), "the signal was not sent");
        }
        if begun.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let stderr = words.join().expect("no panic");
    Taken { seconds: begun.elapsed().as_secs_f64(), bytes, code, stderr }
}

/// Time limit per command, in seconds.
const TIME: f64 = 0.2;
/// The delay allowed in each try, in seconds. The machine may be busy, so a command counts as late only if it is late in every try.
const DELAYS: [f64; 5] = [0.5, 1.0, 2.0, 4.0, 8.0];
/// Memory limit per command, in bytes.
const MEMORY: u64 = 100_000_000;

/// Files with a game's monsters or, if it has none, its sample and a random board.
fn monsters(entry: &'static Entry, folder: &Folder) -> Vec<String> {
    let mut texts: Vec<String> = entry.monsters.iter().map(|monster| (monster.make)(&mut Random::new(1))).collect();
    if texts.is_empty() {
        texts.push(entry.sample.to_owned());
        texts.extend((entry.generate)(1, &Options::default(), &Limits::none()).ok());
    }
    texts.into_iter().enumerate().map(|(at, text)| folder.write(&format!("{}-{at}.txt", entry.name), text)).collect()
}

/// Every command that may take a long time, including `solve` with every method.
fn commands(entry: &'static Entry, board: &str, folder: &Folder) -> Vec<Vec<String>> {
    let answer = match entry.players {
        1 => json!({"verdict": "unsolvable", "why": {"kind": "exhausted", "states": 1}}),
        _ => json!({"outcome": "N"}),
    };
    let answer = folder.write(&format!("{}.json", entry.name), answer.to_string());
    let sample = entry.parse(entry.sample, &Options::default()).expect("the sample is valid");
    let mut commands: Vec<Vec<&str>> = Vec::new();
    let methods: Vec<String> = sample.methods().into_iter().map(|info| info.name).collect();
    commands.push(vec!["solve", entry.name, board]);
    commands.extend(methods.iter().map(|method| vec!["solve", entry.name, board, "--method", method]));
    commands.extend([vec!["explore", entry.name, board], vec!["draw", entry.name, board], vec!["compare", entry.name, board]]);
    commands.push(vec!["film", entry.name, board]);
    commands.push(vec!["generate", entry.name, "--count", "1000", "--expanded", "1000000..", "--tries", "1000000000"]);
    if entry.players == 2 {
        commands.push(vec!["graph", entry.name, board, "--format", "json", "--most", "100000000"]);
    }
    if entry.kernel().is_some() {
        commands.push(vec!["kernel", entry.name, board]);
    }
    commands.push(vec!["check", entry.name, board, &answer, "--states", "1000000000"]);
    if entry.census.is_some() {
        commands.push(vec!["census", entry.name, board]);
    }
    commands.extend(entry.commands().map(|tool| vec![tool.name, board]));
    commands.into_iter().map(|command| command.into_iter().map(str::to_owned).collect()).collect()
}

#[test]
fn limits_hold_on_monstrous_boards() {
    let folder = Folder::new();
    let (time, memory) = (TIME.to_string(), MEMORY.to_string());
    let mut late = Vec::new();
    for entry in GAMES {
        for board in monsters(entry, &folder) {
            for command in commands(entry, &board, &folder) {
                let mut args: Vec<&str> = command.iter().map(String::as_str).collect();
                args.extend(["--time", &time, "--memory", &memory]);
                let mut tries = DELAYS.iter().map_while(|&delay| Some(run(&args, None)).filter(|taken| !taken.keeps_limits(delay)));
                if let Some(Taken { seconds, bytes, code, stderr }) = tries.nth(DELAYS.len() - 1) {
                    late.push(format!("{seconds:.2} s, {} MB, exit code {code:?}: {}\n{stderr}", bytes / 1_000_000, args.join(" ")));
                }
            }
        }
    }
    assert!(late.is_empty(), "{} commands exceeded their limits:\n{}", late.len(), late.join("\n"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_any_solve() {
    let folder = Folder::new();
    for entry in GAMES {
        for board in monsters(entry, &folder) {
            let tries = DELAYS.iter().map_while(|&delay| {
                let taken = run(&["solve", entry.name, &board, "--memory", "2G", "--json"], Some(Duration::from_secs_f64(delay)));
                // Some boards are solved before Ctrl-C is sent.
                let ended = matches!(taken.code, Some(0 | 10 | 20 | 21 | 130)) && taken.seconds < 3.0 * delay;
                (!ended).then_some((taken.code, taken.seconds, taken.stderr))
            });
            let tries: Vec<_> = tries.collect();
            assert!(tries.len() < DELAYS.len(), "{board}: {tries:?}");
        }
    }
}
