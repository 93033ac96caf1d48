//! How many legal boards there are, without symmetry: every partial coloring in which no two edges have the same label. They
//! are counted one for each way to rename the colors, so that a graph on eight vertices takes at most 21,147 steps.

use super::{Board, Edge, MOST};

impl Edge {
    /// The number of legal boards, unless counting takes more than so many steps. Every legal board can be reached from the
    /// empty one, since taking colors away keeps a board legal.
    pub fn boards(&self, most_steps: u64) -> Option<u128> {
        let mut counting = Counting { edge: self, board: Board([0; MOST]), free: self.free(&Board([0; MOST])), steps: most_steps };
        counting.count(0, 0)
    }
}

struct Counting<'a> {
    edge: &'a Edge,
    board: Board,
    free: [u64; MOST],
    steps: u64,
}

impl Counting<'_> {
    /// Boards that agree with the colors of the vertices before `vertex`, which use the first `used` colors.
    fn count(&mut self, vertex: usize, used: usize) -> Option<u128> {
        self.steps = self.steps.checked_sub(1)?;
        if vertex == self.edge.vertices() {
            return Some(1);
        }
        let mut total = self.count(vertex + 1, used)?;
        let (_, allowed) = self.edge.choices(&self.board, &self.free, vertex);
        for color in crate::bits::ones(allowed).take_while(|&color| color <= used) {
            let before = self.free;
            self.board.0[vertex] = color as u8 + 1;
            for near in crate::bits::ones(self.edge.near[vertex]).filter(|&near| self.board[near] != 0) {
                let other = self.board[near] as usize - 1;
                self.free[color] &= !(1 << other);
                self.free[other] &= !(1 << color);
            }
            let below = self.count(vertex + 1, used.max(color + 1))?;
            // A new color stands for all that are not used yet.
            let ways = if color == used { (self.edge.colors - used) as u128 } else { 1 };
            total = total.checked_add(below.checked_mul(ways)?)?;
            self.board.0[vertex] = 0;
            self.free = before;
        }
        Some(total)
    }
}
