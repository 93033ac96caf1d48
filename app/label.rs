//! `kibitzer label GAME [FILE]`: what every position of a two-player game is worth, into a table that `lookup` answers from.

use crate::cluster::{ClusterArgs, Disk};
use crate::cluster::{ExploreTask, events, needs_two};
use crate::effort::Effort;
use crate::failure::Failure;
use crate::failure::{SOLVED, limit_code};
use crate::input::Board;
use crate::{input, output};
use kibitzer::catalog::Games;
use kibitzer::report::{duration, exploration_json, grouped};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer label GAME FILE --table game.kib
  kibitzer label GAME FILE --table game.kib --workers 8 --checkpoint DIR
  kibitzer label GAME FILE --table game.kib --checkpoint DIR --memory 1G
  kibitzer lookup game.kib --moves 'FIRST MOVE'

Each position gets win, draw or loss for the player to move, its Grundy value where the game has them, and the number of moves to
the end under best play. `--memory` is kept by sorting on disk, which takes longer.")]
pub struct Args {
    #[command(flatten)]
    pub board: Board,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    #[command(flatten)]
    pub disk: Disk,
    #[command(flatten)]
    pub effort: Effort,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    needs_two(input::find_game(games, &args.board.game)?)?;
    if args.disk.table.is_none() && args.disk.checkpoint.is_none() {
        return Err(Failure::input("labels need a place", "name a file for them with `--table FILE`"));
    }
    let watch = args.effort.watch_late("labeling", Duration::from_secs(5), |limit| Err(Failure::stopped(limit)));
    let (entry, puzzle) = args.board.read(games, &watch.limits)?;
    let begun = Instant::now();
    let (options, puzzle) = (args.board.options_text(games), puzzle.into());
    let events = events(&watch, &puzzle, None);
    let task = ExploreTask {
        entry,
        puzzle: &*puzzle,
        options: &options,
        cluster: &args.cluster,
        disk: &args.disk,
        label: true,
        again: events.clone(),
        events,
    };
    let found = task.run(&watch.limits)?;
    let seconds = begun.elapsed().as_secs_f64();
    let space = &found.exploration;
    let total = space.explored.total();
    let text = match space.explored.limit {
        _ if args.json => format!("{}\n", exploration_json(entry.name, space, seconds)),
        Some(limit) => format!("Not all positions are labeled: the {} was reached.\n", limit.words()),
        None => format!(
            "{} positions up to symmetry are labeled. Of {} boards without symmetry {} are lost for the player to move and {} drawn.\n{}\n",
            grouped(total.states),
            grouped(total.unfolded),
            grouped(total.losing),
            grouped(total.drawn),
            duration(seconds)
        ),
    };
    if args.cluster.process.unwrap_or(0) == 0 {
        output::write(&text, None)?;
    }
    Ok(space.explored.limit.map_or(SOLVED, limit_code))
}
