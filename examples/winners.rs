//! Prints the table of winners in docs/edge-winners.md: `cargo run --release --example winners -- 20` allows 20 seconds per board.
//! A family ends at the first board that takes longer.

use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use kibitzer::gamegraph::decider::Decider;
use kibitzer::games::edge::{Edge, edcn};
use kibitzer::graph::families;
use kibitzer::limits::{Cancel, Limit, Limits};
use kibitzer::rules::{Rules, Score};

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse::<f64>().ok()).unwrap_or(20.0);
    let begun = Instant::now();
    println!("| family | winner | longest |\n|---|---|---|");
    for (family, from, to) in [
        ("P", 1, 20),
        ("C", 3, 24),
        ("S", 1, 24),
        ("W", 3, 24),
        ("K", 1, 24),
        ("K2,", 2, 16),
        ("K3,", 3, 12),
        ("K4,", 4, 10),
        ("L", 1, 14),
        ("prism", 3, 12),
    ] {
        let mut winners = String::new();
        let mut last = (0, 0, 0.0);
        for n in from..=to {
            let graph = families::by_name(&format!("{family}{n}")).and_then(Result::ok).expect("a family");
            let start = Instant::now();
            let cancel = Cancel::default();
            let (done, ended) = mpsc::channel::<()>();
            let flag = cancel.clone();
            std::thread::spawn(move || {
                if ended.recv_timeout(Duration::from_secs_f64(seconds)) == Err(mpsc::RecvTimeoutError::Timeout) {
                    flag.stop(Limit::Time);
                }
            });
            let limits = Limits { cancel, ..Limits::none() };
            let Ok(found) = edcn(&graph, &limits) else { break };
            let game = Arc::new(Edge::on(graph, found.colors, false));
            let mut search: Decider<Edge, Score> = Decider::new(Arc::clone(&game));
            let Ok(score) = search.value(&game.start(), &limits) else { break };
            drop(done);
            if !winners.is_empty() && (n - from) % 5 == 0 {
                winners.push(' ');
            }
            winners.push(if score == Score::Win { '1' } else { '2' });
            last = (n, search.stats().expanded, start.elapsed().as_secs_f64());
        }
        let (n, positions, time) = last;
        let positions = kibitzer::report::grouped(positions);
        println!("| {family}{from} to {family}{n} | {winners} | {family}{n}: {positions} positions, {time:.1} s |");
    }
    println!("\n{:.0} seconds in total, one core.", begun.elapsed().as_secs_f64());
}
