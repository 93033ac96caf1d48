//! Peg solitaire: the whole space of the English board through the generic engine, against a well-known crate with the same
//! rules and against a hand-written loop for this board only; boards with costs by A* and by layers; and boards with many pegs by
//! `meet`, against A* and, with `BASE=path/to/another/kibitzer`, against another build of the program.
//! `cargo bench --bench pegs`
//!
//! Absolute times depend on the machine; ratios are taken within one run. The limit is one independent random read of a cache
//! line per generated position: a hash table needs at least that.

#[path = "../tests/common/counting.rs"]
mod counting;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use kibitzer::games::pegs::{PegSet, Pegs};
use kibitzer::limits::Limits;
use kibitzer::notation::{Notation, OptionSpec, Options, parse};
use kibitzer::outcome::Verdict;
use kibitzer::random::Random;
use kibitzer::rules::{Packing, Problem, Rules};
use kibitzer::search;
use kibitzer::search::explore::explore;
use kibitzer::space::RulesSpace;

/// Seconds and peak megabytes of some work.
fn measured<T>(work: impl FnOnce() -> T) -> (T, f64, f64) {
    let begun = Instant::now();
    let (done, bytes) = counting::peak_bytes(work);
    (done, begun.elapsed().as_secs_f64(), bytes as f64 / 1e6)
}

const ENGLISH: &str = "jump: single\ncosts: unit\ngoal: at 3,3\n##abc##\n##def##\nghijklm\nnop.qrs\ntuvwxyz\n##ABC##\n##DEF##\n";

fn main() {
    // `cargo test` runs benches, too, with `--test`: nothing to measure then.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    // `cargo bench --bench pegs -- priced` runs one part.
    let asked = |part: &str| std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).all(|arg| arg == part);
    if asked("english") {
        english();
    }
    if asked("priced") {
        priced();
    }
    if asked("meet") {
        meet();
    }
    if let Some(base) = std::env::var_os("BASE")
        && asked("base")
    {
        against(&base);
    }
}

fn english() {
    let board = Arc::new(parse::<Pegs>(ENGLISH, &Options::default()).expect("right"));
    println!("the English board, all positions from the center vacancy");
    let (found, ours, memory) = measured(|| explore(&RulesSpace::of_problem(Arc::clone(&board), board.start(), true), &Limits::none()));
    let total = found.total();
    assert_eq!((total.states, total.unfolded), (23_475_688, 187_636_299));
    println!("  kibitzer, generic            {ours:7.2} s {memory:7.0} MB   {:.0} ns per position made", ours * 1e9 / total.moves as f64);

    let (count, hand, hand_memory) = measured(by_hand);
    assert_eq!(count, 23_475_688);
    println!("  written by hand              {hand:7.2} s {hand_memory:7.0} MB   kibitzer takes {:.2} times as long", ours / hand);

    let successors = |state: &u64| {
        let state = board.unpack(&state.to_le_bytes()[..board.state_bytes()]);
        let mut moves = Vec::new();
        board.moves(&state, &mut moves);
        let key = |state: PegSet| {
            let mut bytes = [0; 8];
            board.pack(&board.canonical(state), &mut bytes[..board.state_bytes()]);
            u64::from_le_bytes(bytes)
        };
        moves.iter().map(|mv| key(board.apply(&state, mv))).collect::<Vec<u64>>()
    };
    let mut start = [0; 8];
    board.pack(&board.canonical(board.start()), &mut start[..board.state_bytes()]);
    let (count, theirs, their_memory) = measured(|| pathfinding::prelude::bfs_reach(u64::from_le_bytes(start), successors).count());
    assert_eq!(count, 23_475_688);
    let (faster, smaller) = (theirs / ours, their_memory / memory);
    println!(
        "  pathfinding::bfs_reach       {theirs:7.2} s {their_memory:7.0} MB   kibitzer is {faster:.1} times faster and {smaller:.1} times smaller"
    );
    let read = random_read();
    println!(
        "  one independent random read  {:7.1} ns: kibitzer takes {:.1} times that per position made",
        read * 1e9,
        ours / total.moves as f64 / read
    );
}

/// The same walk for this board only: 33 holes in a word, one open table per layer, no trait, no batch.
fn by_hand() -> usize {
    let squares: Vec<(i32, i32)> =
        (0..7).flat_map(|r| (0..7).map(move |c| (r, c))).filter(|&(r, c)| (2..5).contains(&r) || (2..5).contains(&c)).collect();
    let at = |r: i32, c: i32| squares.iter().position(|&square| square == (r, c));
    let mut jumps: Vec<(u64, u64)> = Vec::new();
    for &(r, c) in &squares {
        for (dr, dc) in [(-1, 0), (0, -1), (0, 1), (1, 0)] {
            if let (Some(from), Some(over), Some(to)) = (at(r, c), at(r + dr, c + dc), at(r + 2 * dr, c + 2 * dc)) {
                jumps.push((1 << from | 1 << over | 1 << to, 1 << from | 1 << over));
            }
        }
    }
    let maps: Vec<Vec<usize>> = (0..8)
        .map(|kind| {
            let image = |&(r, c): &(i32, i32)| {
                let (r, c) = if kind & 1 == 0 { (r, c) } else { (6 - r, c) };
                let (r, c) = if kind & 2 == 0 { (r, c) } else { (r, 6 - c) };
                let (r, c) = if kind & 4 == 0 { (r, c) } else { (c, r) };
                at(r, c).expect("symmetric")
            };
            squares.iter().map(image).collect()
        })
        .collect();
    let image =
        |kind: usize, pegs: u64| (0..33).filter(|&hole| pegs >> hole & 1 == 1).fold(0u64, |image, hole| image | 1 << maps[kind][hole]);
    let tables: Vec<Vec<[u64; 2048]>> =
        (0..8).map(|kind| (0..3).map(|part| std::array::from_fn(|bits| image(kind, (bits as u64) << (11 * part)))).collect()).collect();
    let images: Vec<[u64; 8]> = jumps.iter().map(|&(flips, _)| std::array::from_fn(|kind| image(kind, flips))).collect();

    let mut layer: Vec<u64> = vec![((1u64 << 33) - 1) & !(1 << at(3, 3).expect("the center"))];
    let mut count = 0;
    while !layer.is_empty() {
        count += layer.len();
        let mut table: Vec<u64> = vec![0; 1 << 12];
        let mut next: usize = 0;
        for &pegs in &layer {
            let whole: [u64; 8] =
                std::array::from_fn(|kind| (0..3).fold(0, |image, part| image | tables[kind][part][(pegs >> (11 * part)) as usize & 2047]));
            for (&(flips, need), flipped) in jumps.iter().zip(&images) {
                if pegs & flips != need {
                    continue;
                }
                let least = (0..8).map(|kind| whole[kind] ^ flipped[kind]).min().expect("eight");
                if next * 10 > table.len() * 6 {
                    let old = std::mem::take(&mut table);
                    table = vec![0; old.len() * 2];
                    for key in old.into_iter().filter(|&key| key != 0) {
                        put(&mut table, key);
                    }
                }
                next += usize::from(put(&mut table, least));
            }
        }
        layer = table.into_iter().filter(|&key| key != 0).collect();
    }
    count
}

fn put(table: &mut [u64], key: u64) -> bool {
    let mask = table.len() - 1;
    let hash = (key ^ (key >> 17)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut at = (hash >> 20) as usize & mask;
    loop {
        match table[at] {
            0 => {
                table[at] = key;
                return true;
            }
            found if found == key => return false,
            _ => at = (at + 1) & mask,
        }
    }
}

/// Seconds per independent random read of a line from a table of 64 MB, about that of the largest layer.
fn random_read() -> f64 {
    let table: Vec<[u64; 8]> = vec![[1; 8]; 1 << 20];
    let mut random = Random::new(1);
    let places: Vec<u32> = (0..4 << 20).map(|_| random.below(table.len()) as u32).collect();
    let begun = Instant::now();
    black_box(places.iter().map(|&place| table[place as usize][0]).sum::<u64>());
    begun.elapsed().as_secs_f64() / places.len() as f64
}

/// Random boards with the usual prices: the same costs by every method, and what each takes.
fn priced() {
    for (jump, size, pegs, count) in [("long", 5, 9, 60), ("long", 6, 16, 12), ("single", 5, 13, 12), ("single", 6, 14, 12)] {
        println!("\n{count} random boards of {size} x {size} with {pegs} pegs, {jump} jumps, prices 1 2 3 4");
        let options = [format!("rows={size}"), format!("columns={size}"), format!("pegs={pegs}"), format!("jump={jump}")];
        let generator = Pegs::INFO.generator.expect("pegs makes boards");
        let known: Vec<&OptionSpec> = generator.options.iter().collect();
        let options = Options::parse(options.iter().map(String::as_str), &known).expect("right");
        let board = |seed| Arc::new((generator.make)(&mut Random::new(seed), &options, &Limits::none()).expect("right"));
        let boards: Vec<Arc<Pegs>> = (0..count).map(board).collect();
        let mut known_costs: Option<Vec<u32>> = None;
        let mut first = None;
        for method in ["astar:h2", "astar:lines", "astar:potential", "astar:priced", "layered:potential", "layered:priced"] {
            let (name, heuristic) = method.split_once(':').expect("both");
            let kind = search::find(name).expect("there").kind;
            let heuristic = Pegs::HEURISTICS.iter().find(|known| known.name == heuristic).expect("there");
            let mut expanded = 0;
            let solve = |board: &Arc<Pegs>| {
                let mut search = search::begin(kind, Arc::clone(board), board.start(), Some(heuristic), 1000);
                let Verdict::Solved { plan, lower } = search.run(&Limits::none()) else { panic!("solvable") };
                assert_eq!(plan.cost, lower);
                expanded += search.stats().expanded;
                plan.cost
            };
            let (costs, seconds, memory) = measured(|| boards.iter().map(solve).collect::<Vec<u32>>());
            assert_eq!(known_costs.get_or_insert(costs.clone()), &costs, "{method}");
            let ratio = *first.get_or_insert(seconds) / seconds;
            println!("  {method:18} {seconds:8.3} s {expanded:9} expanded {memory:6.0} MB, {ratio:.1} times as fast as astar:h2");
        }
    }
}

/// Boards with many pegs, and what a plan costs.
const MANY: [(&str, &str, u32); 3] = [
    ("the English board, priced", include_str!("../instances/pegs/english-priced.txt"), 64),
    ("24 pegs in a diamond, priced", include_str!("../instances/pegs/diamond-priced.txt"), 48),
    ("the same with long jumps", LONG, 27),
];

const LONG: &str = "goal: at 3,3\n##.a.##\n##bcd##\n.efghi.\njkl.mno\n.pqrst.\n##uvw##\n##.x.##\n";

/// The same costs by `meet` and by A*, and what each takes.
fn meet() {
    for (name, text, known) in MANY {
        println!("\n{name}");
        let board = Arc::new(parse::<Pegs>(text, &Options::default()).expect("right"));
        let solver = Pegs::SOLVERS.iter().find(|solver| solver.name == "meet").expect("there");
        let ((cost, expanded), ours, memory) = measured(|| {
            let outcome = (solver.run)(&board, &board.start(), &Limits::none());
            let Verdict::Solved { plan, lower } = outcome.verdict else { panic!("solvable") };
            assert_eq!(plan.cost, lower);
            (plan.cost, outcome.stats.expanded)
        });
        assert_eq!(cost, known);
        println!("  meet          {ours:8.3} s {expanded:9} expanded {memory:6.0} MB");
        let ((cost, expanded), theirs, memory) = measured(|| {
            let kind = search::find("astar").expect("there").kind;
            let mut search = search::begin(kind, Arc::clone(&board), board.start(), Pegs::HEURISTICS.first(), 1000);
            let Verdict::Solved { plan, .. } = search.run(&Limits::none()) else { panic!("solvable") };
            (plan.cost, search.stats().expanded)
        });
        assert_eq!(cost, known);
        println!("  astar:priced  {theirs:8.3} s {expanded:9} expanded {memory:6.0} MB: meet is {:.1} times as fast", theirs / ours);
    }
}

/// This program and another build of it, in turns, by their default methods: seconds of the processor, the least of three.
fn against(base: &std::ffi::OsStr) {
    println!("\nby default, against {}", base.to_string_lossy());
    for (name, text, known) in MANY {
        let mut least = [f64::MAX; 2];
        for _ in 0..3 {
            for (program, least) in [env!("CARGO_BIN_EXE_kibitzer").as_ref(), base].into_iter().zip(&mut least) {
                *least = least.min(solved(program, text, known));
            }
        }
        println!("  {name:30} {:7.2} s against {:7.2} s: {:.1} times as fast", least[0], least[1], least[1] / least[0]);
    }
}

/// Seconds that a program takes for a board whose answer is known.
fn solved(program: &std::ffi::OsStr, text: &str, known: u32) -> f64 {
    let before = of_children();
    let begun = Instant::now();
    let mut command = std::process::Command::new(program);
    let piped = command.args(["solve", "pegs", "-", "--json"]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = piped.spawn().expect("it starts");
    std::io::Write::write_all(&mut child.stdin.take().expect("piped"), text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((report["cost"].as_u64(), report["optimal"].as_bool()), (Some(u64::from(known)), Some(true)));
    match (before, of_children()) {
        (Some(before), Some(after)) => after - before,
        _ => begun.elapsed().as_secs_f64(),
    }
}

/// Seconds of the processor that ended children took, where the system says so: a busy machine does not change them much.
fn of_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name in parentheses: the fourteenth and fifteenth field, in hundredths.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some((fields.get(13)?.parse::<f64>().ok()? + fields.get(14)?.parse::<f64>().ok()?) / 100.0)
}
