//! `kibitzer label GAME [FILE]`: solves every position of a two-player game and writes the table that `lookup` reads.

use std::time::Instant;

use kibitzer::catalog::Games;
use kibitzer::report::{count, duration, exploration_json, grouped};

use crate::cluster::{ClusterArgs, Disk, ExploreTask, needs_two};
use crate::effort::Effort;
use crate::explore::LATE;
use crate::failure::{Failure, SOLVED, limit_code};
use crate::input::{self, Board};
use crate::output;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer label GAME FILE --table game.kib
  kibitzer label GAME FILE --table game.kib --workers 8 --checkpoint DIR
  kibitzer label GAME FILE --table game.kib --checkpoint DIR --memory 1G
  kibitzer lookup game.kib --moves 'FIRST MOVE'

Each position has a label: win, draw or loss for the player to move, the Grundy value if the game has Grundy values, and the number
of moves to the end with best play. To stay within --memory, states are sorted on disk, which takes longer. If positions can repeat, a
draw by repetition has no length, and the labels must fit in memory; more processes share them.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    disk: Disk,
    #[command(flatten)]
    effort: Effort,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    needs_two(input::find_game(games, &args.board.game)?)?;
    if args.disk.table.is_none() && args.disk.checkpoint.is_none() {
        return Err(Failure::input("no output given", "choose a file for the table with `--table FILE`"));
    }
    let watch = args.effort.watch_or("labeling", LATE, |limit| Err(Failure::stopped(limit)));
    let (entry, puzzle) = args.board.read(games, &watch.limits)?;
    let begun = Instant::now();
    let (puzzle, options) = (puzzle.into(), args.board.options_text(games));
    let found = ExploreTask { entry, puzzle, options, cluster: &args.cluster, disk: &args.disk, so_far: None }.run(&watch)?;
    let seconds = begun.elapsed().as_secs_f64();
    let space = &found.exploration;
    let total = space.explored.total();
    let text = match space.explored.limit {
        _ if args.json => format!("{}\n", exploration_json(entry.name, space, seconds)),
        Some(limit) => format!("Not all positions are labeled: {}.\n", limit.words()),
        None => {
            let (states, boards) = (count(total.states, "position"), count(total.unfolded, "board"));
            let [losing, drawn] = [total.losing, total.drawn].map(grouped);
            format!(
                "Labeled {states} up to symmetry. Of {boards} in all, the player to move loses {losing} and draws {drawn}.\n{}\n",
                duration(seconds)
            )
        }
    };
    if args.cluster.process.unwrap_or(0) == 0 {
        output::write(&text, None)?;
    }
    Ok(space.explored.limit.map_or(SOLVED, limit_code))
}
