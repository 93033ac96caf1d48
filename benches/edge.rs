//! The Edge-Distinguishing Game: the whole labeled digraph of P8 with 4 colors (126,621 boards) by induction, with and without
//! symmetry, and by naive recursion; then winners by keys against canonical boards. All in one run.
//!
//! `python3 benches/edge_source.py 8 4` runs the program from the paper on the same board. With `BASE=path/to/an/older/kibitzer`,
//! that program and the present one (`NOW`, by default `target/release/kibitzer`) take turns on P16 and C16 instead.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use kibitzer::gamegraph::decider::Decider;
use kibitzer::gamegraph::induction;
use kibitzer::games::edge::{Coloring, Edge, edcn};
use kibitzer::graph::families;
use kibitzer::limits::Limits;
use kibitzer::rules::{Game, Pack, Packing, Rules, Score};

fn game(name: &str) -> Edge {
    let graph = families::by_name(name).and_then(Result::ok).expect("a family");
    let colors = edcn(&graph, &Limits::none()).expect("not stopped").colors;
    Edge::on(graph, colors, false)
}

/// The least of three runs, in seconds.
fn time(mut work: impl FnMut()) -> f64 {
    let once = |work: &mut dyn FnMut()| {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64()
    };
    (0..3).map(|_| once(&mut work)).fold(f64::MAX, f64::min)
}

/// Recursion with a map of boards: what one would write first.
fn plain(game: &Edge, board: &Coloring, known: &mut HashMap<Coloring, bool>) -> bool {
    if let Some(wins) = known.get(board) {
        return *wins;
    }
    let mut moves = Vec::new();
    game.moves(board, &mut moves);
    // All moves, so that the whole digraph is labeled.
    let losing = moves.iter().filter(|mv| !plain(game, &game.apply(board, mv), known)).count();
    known.insert(*board, losing > 0);
    losing > 0
}

/// Who wins and by which moves, positions looked at, and the seconds of the method itself.
fn solve(program: &str, board: &str) -> (serde_json::Value, u64, f64) {
    let output = std::process::Command::new(program).args(["solve", "edge", board, "--method", "winner", "--json"]).output();
    let report: serde_json::Value = serde_json::from_slice(&output.expect("the program runs").stdout).expect("JSON");
    let (positions, seconds) = (report["stats"]["expanded"].as_u64(), report["stats"]["seconds"].as_f64());
    let answer = serde_json::json!([report["winner"], report["best"], report["all_best"], report["colors"]]);
    (answer, positions.expect("a number"), seconds.expect("a number"))
}

/// Two programs in turn, three times: the least times count.
fn against(base: &str, now: &str) {
    for board in ["P16", "C16"] {
        let mut least = [f64::MAX; 2];
        let mut positions = [0; 2];
        for _ in 0..3 {
            let [one, two] = [base, now].map(|program| solve(program, board));
            assert_eq!(one.0, two.0, "{board}: the answers differ");
            positions = [one.1, two.1];
            least = [least[0].min(one.2), least[1].min(two.2)];
        }
        let ([before, after], [slow, quick]) = (positions, least);
        println!("{board}: {before} positions in {slow:.2} s before, {after} in {quick:.2} s now: {:.1} times as fast", slow / quick);
    }
}

fn main() {
    if let Ok(base) = std::env::var("BASE") {
        return against(&base, &std::env::var("NOW").unwrap_or_else(|_| "target/release/kibitzer".to_owned()));
    }
    let p8 = game("P8");
    let boards = |fold: bool| {
        let labeled = induction::label(&p8, &p8.start(), fold, &Limits::none()).unwrap_or_else(|_| panic!("no limit"));
        labeled.total()
    };
    assert_eq!(boards(false), 126_621);
    let naive = time(|| {
        let mut known = HashMap::new();
        plain(&p8, &p8.start(), &mut known);
        assert_eq!(known.len(), 126_621);
    });
    let whole = time(|| _ = boards(false));
    let folded = time(|| _ = boards(true));
    println!("P8, 4 colors, 126,621 boards labeled:");
    println!("  recursion with a map       {:8.1} ms", naive * 1e3);
    println!("  induction, every board     {:8.1} ms   {:.1} times as fast", whole * 1e3, naive / whole);
    println!("  induction, {} up to symmetry {:6.1} ms   {:.1} times as fast", boards(true), folded * 1e3, naive / folded);
    println!("winner, positions looked at, bytes and microseconds per position made:");
    for name in ["P8", "P11", "P13", "C13", "C15"] {
        let game = Arc::new(game(name));
        let mut search: Decider<Edge, Score> = Decider::new(Arc::clone(&game));
        let begun = Instant::now();
        let score = search.value(&game.start(), &Limits::none()).expect("no limit");
        let (seconds, stats) = (begun.elapsed().as_secs_f64(), search.stats());
        // The same search with symmetry only.
        let mut other: Decider<Canonical, Score> = Decider::new(Arc::new(Canonical((*game).clone())));
        let begun = Instant::now();
        let same = name.len() < 3 || name == "P11";
        let (more, times) = match same {
            true => {
                assert_eq!(other.value(&game.start(), &Limits::none()), Ok(score));
                (other.stats().expanded.to_string(), format!("{:.1}", begun.elapsed().as_secs_f64() / seconds))
            }
            false => ("-".to_owned(), "-".to_owned()),
        };
        println!(
            "  {name:4} player {}  {:8} positions  {:3} bytes each  {:.2} µs per position made; by symmetry only {more} positions, {times} times as long",
            if score == Score::Win { 1 } else { 2 },
            stats.expanded,
            stats.peak_bytes as u64 / stats.stored.max(1),
            seconds * 1e6 / stats.generated as f64
        );
    }
}

/// The game without its keys.
struct Canonical(Edge);

impl Pack<Canonical> for Coloring {
    fn bytes(rules: &Canonical) -> usize {
        rules.0.state_bytes()
    }

    fn pack(&self, rules: &Canonical, out: &mut [u8]) {
        rules.0.pack(self, out);
    }

    fn unpack(rules: &Canonical, bytes: &[u8]) -> Self {
        rules.0.unpack(bytes)
    }
}

impl Rules for Canonical {
    type State = Coloring;
    type Move = <Edge as Rules>::Move;

    fn start(&self) -> Coloring {
        self.0.start()
    }

    fn moves(&self, state: &Coloring, out: &mut Vec<Self::Move>) {
        self.0.moves(state, out);
    }

    fn apply(&self, state: &Coloring, mv: &Self::Move) -> Coloring {
        self.0.apply(state, mv)
    }

    fn canonical(&self, state: Coloring) -> Coloring {
        self.0.canonical(state)
    }

    fn layer(&self, state: &Coloring) -> Option<u32> {
        self.0.layer(state)
    }
}

impl Game for Canonical {}
