//! Compares the default methods with all others: `cargo bench --bench defaults`. Set `GAME=pegs` to test one game, or `BOARDS=50` to
//! test fewer boards.
//!
//! On every instance and on 500 random boards of each game, no default should take more than three times the processor time of the
//! best other method with the same guarantees, plus 10 ms. The other methods run only if the default takes longer than 10 ms. Each method
//! stops once it is slower than the default or than the best other method so far. Exits with code 1 if any default is too slow.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kibitzer::catalog::{Choice, Entry, Puzzle};
use kibitzer::games::{self, GAMES};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::Options;
use kibitzer::random::Random;
use kibitzer::report::Answer;

/// A default may take this many times as long as the best other method, plus [`MORE`].
const FACTOR: f64 = 3.0;
/// Additional time that a default may take, in seconds.
const MORE: f64 = 0.010;
/// Maximum processor time of a default, in seconds.
const MOST: f64 = 2.0;
/// Maximum number of states that a method may expand, to limit memory.
const NODES: u64 = 20_000_000;

fn main() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (count, only) = (number("BOARDS").unwrap_or(500), std::env::var("GAME").ok());
    let mut slow = 0;
    for entry in GAMES.iter().filter(|entry| only.as_ref().is_none_or(|name| name == entry.name)) {
        let mut tally = Tally::default();
        for (name, puzzle) in instances(entry).into_iter().chain(random_boards(entry, count)) {
            tally.add(&name, &*puzzle);
        }
        let Tally { boards, decided, long, late, worst } = tally;
        println!(
            "{}: {boards} boards, {decided} decided, {long} in more than 10 ms, {late} too slow; at most {worst:.2} times the allowed time",
            entry.name
        );
        slow += late;
    }
    std::process::exit(i32::from(slow > 0));
}

#[derive(Default)]
struct Tally {
    boards: u32,
    decided: u32,
    /// Number of boards on which the default takes longer than [`MORE`].
    long: u32,
    /// Number of boards on which the default is too slow.
    late: u32,
    worst: f64,
}

impl Tally {
    fn add(&mut self, name: &str, puzzle: &dyn Puzzle) {
        let default = run(puzzle, &Choice::default(), MOST);
        self.boards += 1;
        self.decided += u32::from(default.decided);
        if default.seconds <= MORE {
            return;
        }
        self.long += 1;
        let methods = puzzle.methods();
        let optimal = methods.first().is_some_and(|info| info.optimal);
        let mut best: Option<(f64, String)> = None;
        for info in methods.iter().filter(|info| !info.course && info.optimal == optimal) {
            let cap = best.as_ref().map_or(default.seconds - MORE, |(seconds, _)| *seconds);
            let other = run(puzzle, &Choice::method(&info.name), cap);
            if other.decided && other.says(&default) && other.seconds < cap {
                best = Some((other.seconds, info.name.clone()));
            }
        }
        let Some((seconds, other)) = best else { return };
        let ratio = default.seconds / (FACTOR * seconds + MORE);
        self.worst = self.worst.max(ratio);
        if ratio > 1.0 {
            self.late += 1;
            let verdict = if default.decided { "decided" } else { "undecided" };
            println!(
                "  {name}: {} {verdict} after {:.3} s, {} states; {other} takes {seconds:.3} s",
                default.method, default.seconds, default.expanded
            );
            println!("    {}", puzzle.instance().trim_end().replace('\n', " | "));
        }
    }
}

struct Ran {
    decided: bool,
    /// For two-player games, true if the answer includes all best moves, and true if it includes the Grundy value. If either is missing,
    /// the method guarantees less.
    whole: (bool, bool),
    method: String,
    expanded: u64,
    /// The processor time of the method itself, excluding the check of its answer.
    seconds: f64,
}

impl Ran {
    /// True if this answer is at least as complete as `other`.
    fn says(&self, other: &Ran) -> bool {
        self.whole.0 >= other.whole.0 && self.whole.1 >= other.whole.1
    }
}

/// Runs a method until it has an answer or has used `cap` seconds of processor time.
fn run(puzzle: &dyn Puzzle, choice: &Choice, cap: f64) -> Ran {
    let limits = Limits::nodes(NODES);
    let (thread, over) = (thread(), AtomicBool::new(false));
    let begun = processor(&thread);
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                if processor(&thread) - begun > cap {
                    limits.cancel.stop(Limit::Time);
                }
                std::thread::park_timeout(Duration::from_millis(2));
            }
        });
        let mut run = puzzle.begin(choice).expect("a listed method");
        run.work(&limits);
        let seconds = processor(&thread) - begun;
        over.store(true, Ordering::Relaxed);
        watch.thread().unpark();
        let report = run.advance(&Limits::nodes(0)).expect("no fault");
        let whole = match &report.answer {
            Answer::Decided(decided) => (decided.all_best, decided.grundy.is_some()),
            _ => (false, false),
        };
        Ran { decided: report.verdict() != "unknown", whole, method: report.method.clone(), expanded: report.stats.expanded, seconds }
    })
}

/// The `/proc` file of the current thread.
fn thread() -> String {
    let link = std::fs::read_link("/proc/thread-self").expect("Linux");
    format!("/proc/{}/schedstat", link.display())
}

/// The processor time of a thread, in seconds.
fn processor(thread: &str) -> f64 {
    let text = std::fs::read_to_string(thread).expect("readable");
    text.split_whitespace().next().and_then(|nanos| nanos.parse().ok()).map_or(0.0, |nanos: f64| nanos / 1e9)
}

type Boards = Vec<(String, Box<dyn Puzzle>)>;

fn instances(entry: &Entry) -> Boards {
    let all = kibitzer_contract::instances(entry.name);
    all.into_iter().map(|instance| (instance.path.display().to_string(), instance.open(entry))).collect()
}

/// Small and large random boards.
fn random_boards(entry: &'static Entry, count: usize) -> Boards {
    let mut random = Random::new(25);
    let mut boards: Boards = Vec::new();
    while boards.len() < count {
        let (name, text) = match entry.name {
            "pegs" if random.below(2) == 0 => ("goal board".to_owned(), goal_board(&mut random)),
            _ => {
                let (words, seed) = (wanted(entry.name, &mut random), random.below(1_000_000) as u64);
                let words: Vec<&str> = words.split_whitespace().collect();
                let options = kibitzer_contract::options(&words, entry.generate_options.expect("has a generator"));
                let Ok(text) = (entry.generate)(seed, &options, &Limits::nodes(100_000)) else { continue };
                (format!("{} seed {seed}", words.join(" ")), text)
            }
        };
        let puzzle = entry.parse(&text, &Options::default()).unwrap_or_else(|error| panic!("{text}\n{error}"));
        boards.push((name, puzzle));
    }
    boards
}

fn pick<'a>(random: &mut Random, words: &[&'a str]) -> &'a str {
    words[random.below(words.len())]
}

/// Small graphs, most of them dense.
const DENSE: [&str; 22] = [
    "K3,6", "K4,6", "K5,5", "K4,4", "K2,7", "K5,6", "K6,6", "K7", "K10", "W8", "Q3", "petersen", "grid3x4", "ladder5", "C11", "S9", "Q4",
    "grid4x5", "K8,8", "K10,10", "K18", "K15,15",
];

/// Random options for a game's board generator.
fn wanted(game: &str, random: &mut Random) -> String {
    let mut up_to = |least: usize, most: usize| least + random.below(most + 1 - least);
    match game {
        "pegs" => {
            let (rows, columns) = (up_to(3, 8), up_to(3, 8));
            let pegs = up_to(2, (rows * columns * 3 / 4).min(32));
            let (jump, costs) = (pick(random, &["long", "single"]), prices(random));
            format!("rows={rows} columns={columns} pegs={pegs} jump={jump} costs={costs}")
        }
        "tricolor" if up_to(0, 1) == 0 => format!("graph={} black={}", DENSE[up_to(0, DENSE.len() - 1)], up_to(0, 5)),
        "tricolor" => {
            let vertices = up_to(3, 40);
            format!("vertices={vertices} black={} degree={}", up_to(0, vertices.min(20)), up_to(1, 9))
        }
        "edge" => {
            let vertices = up_to(2, 9);
            format!("vertices={vertices} edges={}", up_to(vertices - 1, (vertices * (vertices - 1) / 2).min(16)))
        }
        "chexers" => {
            let radius = up_to(2, 4);
            let words = format!("radius={radius} pieces={} blocks={}", up_to(1, 4 * radius - 4), up_to(0, 4 * radius));
            format!("{words} color={}", pick(random, &["red", "green", "blue"]))
        }
        _ => {
            let words = format!("size={}x{} states={}", up_to(1, 12), up_to(1, 12), [2, 2, 2, 3, 4, 6][up_to(0, 5)]);
            let wrap = pick(random, &["none", "none", "cylinder", "torus"]);
            format!("{words} kind=any wrap={wrap} pattern={}", pick(random, &["plus", "plus", "cross", "king", "ring"]))
        }
    }
}

fn prices(random: &mut Random) -> String {
    match random.below(4) {
        0 => "unit".to_owned(),
        1 => "1,2,3,4".to_owned(),
        _ => {
            let mut price = || pick(random, &["0", "1", "1", "2", "3", "7", "100", "1000000"]);
            [price(), price(), price(), price()].join(",")
        }
    }
}

/// A small, nearly full rectangle and a goal board that random jumps lead to. In a quarter of the goals, two holes are also swapped.
fn goal_board(random: &mut Random) -> String {
    let pegs = games::find("pegs").expect("listed");
    let (rows, columns) = (2 + random.below(5), 3 + random.below(6));
    let mut row = || (0..columns).map(|_| b"abcdefgABCDEFGxyzXYZqrstu..#"[random.below(28)] as char).collect::<String>();
    let board = (0..rows).map(|_| row()).collect::<Vec<_>>().join("\n");
    let jump = pick(random, &["long", "single"]);
    let head = format!("jump: {jump}\ncosts: {}\n", prices(random));
    let Ok(mut here) = pegs.parse(&format!("{head}{board}"), &Options::default()) else { return goal_board(random) };
    for _ in 0..random.below(2 * rows * columns / 3) {
        let moves = here.position(&Limits::none()).expect("no limit").moves;
        if !moves.is_empty() {
            here = here.after(&[moves[random.below(moves.len())].json.clone()]).expect("legal");
        }
    }
    let letter = |c: char| if c.is_ascii_alphabetic() { 'x' } else { c };
    let instance = here.instance();
    let mut goal: Vec<char> =
        instance.lines().filter(|line| !line.contains(':')).collect::<Vec<_>>().join("\n").chars().map(letter).collect();
    if random.below(4) == 0 {
        random_swap(random, &mut goal);
    }
    let goal: String = goal.into_iter().collect();
    format!("{head}{board}\ngoal:\n{goal}\n")
}

fn random_swap(random: &mut Random, goal: &mut [char]) {
    let holes: Vec<usize> = (0..goal.len()).filter(|&at| matches!(goal[at], 'x' | '.')).collect();
    if !holes.is_empty() {
        goal.swap(holes[random.below(holes.len())], holes[random.below(holes.len())]);
    }
}
