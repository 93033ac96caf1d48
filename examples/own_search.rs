//! The 8-puzzle as your own search problem: implement `Rules` and `Problem`, and call `search::solve`.

use kibitzer::limits::Limits;
use kibitzer::outcome::Verdict;
use kibitzer::rules::{Cost, Estimate, Heuristic, Problem, Rules};
use kibitzer::search;

/// The start position. Tile 0 is the blank; a move is the tile that slides.
struct Eight([u8; 9]);

impl Rules for Eight {
    type State = [u8; 9];
    type Move = u8;

    fn start(&self) -> [u8; 9] {
        self.0
    }

    fn moves(&self, board: &[u8; 9], out: &mut Vec<u8>) {
        let blank = place(board, 0);
        out.extend((1..9).filter(|&tile| distance(place(board, tile), blank) == 1));
    }

    fn apply(&self, board: &[u8; 9], tile: &u8) -> [u8; 9] {
        let mut after = *board;
        after.swap(place(board, 0), place(board, *tile));
        after
    }
}

impl Problem for Eight {
    const HEURISTICS: &'static [Heuristic<Self>] = &[Heuristic {
        name: "manhattan",
        about: "the sum of the tiles' distances from their goal positions",
        admissible: true,
        consistent: true,
        aliases: &[],
        build: |_, _| Ok(Estimate::new(|_, board| (1..9).map(|tile| distance(place(board, tile), tile as usize)).sum())),
    }];

    fn is_goal(&self, board: &[u8; 9]) -> bool {
        board.is_sorted()
    }
}

fn place(board: &[u8; 9], tile: u8) -> usize {
    board.iter().position(|&other| other == tile).unwrap_or(0)
}

fn distance(from: usize, to: usize) -> Cost {
    ((from / 3).abs_diff(to / 3) + (from % 3).abs_diff(to % 3)) as Cost
}

fn main() -> Result<(), String> {
    let found = search::solve(Eight([7, 2, 4, 5, 0, 6, 8, 3, 1]), "astar:manhattan", &Limits::none())?;
    let Verdict::Solved { plan, .. } = found.verdict else { return Err("no plan".to_owned()) };
    println!("{} moves: {:?}\n{} states expanded", plan.cost, plan.moves, found.stats.expanded);
    assert_eq!(plan.cost, 26);
    Ok(())
}
