//! Prints the table of levels in docs/levels.md, computed from fifty seeds: `cargo run --release --example levels`.

use kibitzer::games::GAMES;
use kibitzer::level::{self, LEVELS, Leveled};
use kibitzer::limits::Limits;

fn main() {
    println!("| game | level | least cost or moves | guesses | choices | dead ends | states |\n|---|---|---|---|---|---|---|");
    for entry in GAMES {
        for level in LEVELS {
            let make = |seed| {
                level::make(entry, level, seed, &Limits::none()).unwrap_or_else(|error| panic!("{} {level} {seed}: {error}", entry.name))
            };
            let boards: Vec<Leveled> = (1..=50).map(make).collect();
            let sorted = |value: fn(&Leveled) -> u64| {
                let mut values: Vec<u64> = boards.iter().map(value).collect();
                values.sort_unstable();
                values
            };
            let median = |value| sorted(value)[boards.len() / 2];
            let column = |value| {
                let values = sorted(value);
                format!("{} to {}, {}", values[0], values[values.len() - 1], values[values.len() / 2])
            };
            println!(
                "| {} | {level} | {} | {} | {} | {}% | {} |",
                entry.name,
                column(|board| board.difficulty.least.unwrap_or(board.difficulty.moves)),
                column(|board| board.difficulty.guesses),
                median(|board| board.difficulty.choices),
                median(|board| board.difficulty.dead_ends),
                column(|board| board.difficulty.states),
            );
        }
    }
}
