//! Benchmarks English peg solitaire (23,475,688 positions up to symmetry) with one worker, two workers and two processes. The baselines
//! are `explore` in one process and two crates that explore state spaces, with the same rules and symmetry. All ratios compare times
//! from the same run. The argument `others` also runs the other crates, which takes minutes and gigabytes.

mod common;

use std::sync::Arc;
use std::time::Instant;

use common::{process, two_hosts};
use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use kibitzer::report::count;
use kibitzer::search::explore::explore as explore_alone;
use kibitzer::space::{Batch, Space, Successors};
use kibitzer_cluster::block::word_of;
use kibitzer_cluster::explore;
use kibitzer_cluster::net::Cluster;
use stateright::{Checker, Model, Property};

const STATES: u64 = 23_475_688;

fn space() -> Box<dyn Space> {
    let entry = kibitzer::games::find("pegs").expect("a game");
    entry.parse(include_str!("../../instances/pegs/english.txt"), &Options::default()).expect("valid").space(true)
}

/// Counts with two processes: this one, and a second instance of the same program.
fn two_processes() -> u64 {
    let hosts = two_hosts();
    let program = std::env::current_exe().expect("this program");
    let mut other = std::process::Command::new(program).env("ENGLISH_HOSTS", hosts.join(" ")).spawn().expect("starts");
    let found = explore::explore(Arc::from(space()), &process(0, &hosts), &Limits::none()).expect("no fault");
    assert!(other.wait().expect("exits").success());
    found.explored.total().states
}

/// The same space as a `stateright` model, state by state.
struct Positions {
    space: Box<dyn Space>,
}

impl Positions {
    fn after(&self, state: u64) -> Vec<u64> {
        let mut parents = Batch::new(self.space.width());
        parents.push_word(state);
        let mut next = Successors::new(self.space.width());
        self.space.successors(&parents, &mut next, &Limits::none()).expect("no limit");
        (0..next.states().len()).map(|at| word_of(next.states().get(at))).collect()
    }
}

impl Model for Positions {
    type State = u64;
    type Action = u64;

    fn init_states(&self) -> Vec<u64> {
        vec![word_of(&self.space.start())]
    }

    fn actions(&self, state: &u64, actions: &mut Vec<u64>) {
        *actions = self.after(*state);
    }

    fn next_state(&self, _: &u64, action: u64) -> Option<u64> {
        Some(action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        // A property that always holds; without a property, nothing is explored.
        vec![Property::always("true", |_, _| true)]
    }
}

fn main() {
    if let Ok(hosts) = std::env::var("ENGLISH_HOSTS") {
        let hosts: Vec<String> = hosts.split(' ').map(str::to_owned).collect();
        explore::explore(Arc::from(space()), &process(1, &hosts), &Limits::none()).expect("no fault");
        return;
    }
    println!("{} cores", std::thread::available_parallelism().map_or(1, usize::from));
    let timed = |name: &str, work: &dyn Fn() -> u64| {
        let begun = Instant::now();
        assert_eq!(work(), STATES, "{name}");
        let seconds = begun.elapsed().as_secs_f64();
        println!("{name:<28} {seconds:7.2} s");
        seconds
    };
    let plain = || timed("explore", &|| explore_alone(&*space(), &Limits::none()).total().states);
    let on = |workers: usize| {
        let explored =
            || explore::explore(Arc::from(space()), &Cluster::local(workers), &Limits::none()).expect("no fault").explored.total().states;
        timed(&count(workers as u64, "worker"), &explored)
    };
    let (mut overhead, mut speedup, mut processes) = (f64::MAX, 0f64, 0f64);
    for _ in 0..3 {
        let (base, one, two, both) = (plain(), on(1), on(2), timed("2 processes", &two_processes));
        overhead = overhead.min(one / base);
        speedup = speedup.max(one / two);
        processes = processes.max(one / both);
    }
    println!("one worker takes {overhead:.2} times as long as explore");
    println!("two workers are {speedup:.2} times as fast as one, two processes {processes:.2} times");
    if std::env::args().any(|arg| arg == "others") {
        for threads in [1, 2] {
            let checked = || Positions { space: space() }.checker().threads(threads).spawn_bfs().join().unique_state_count() as u64;
            timed(&format!("stateright, {}", count(threads as u64, "thread")), &checked);
        }
        let positions = Positions { space: space() };
        let start = positions.init_states()[0];
        timed("pathfinding::bfs_reach", &|| pathfinding::prelude::bfs_reach(start, |state| positions.after(*state)).count() as u64);
    }
}
