//! Counts legal boards: partial colorings in which no two edges have the same label. Symmetric boards are counted separately. Boards
//! that differ only in the names of colors are counted in one step, so a graph with eight vertices takes at most 21,147 steps.

use super::{Coloring, Edge, MOST};
use crate::bits::ones;
use crate::limits::{Limit, Limits};

impl Edge {
    /// The number of legal boards; `None` if it overflows. `limits.nodes` is the maximum number of steps. Every legal board can be
    /// reached from the empty one, because removing colors keeps a board legal.
    pub fn boards(&self, limits: &Limits) -> Result<Option<u128>, Limit> {
        let empty = Coloring([0; MOST]);
        BoardCounter { edge: self, board: empty, free: self.free(&empty), steps: 0, limits }.count(0, 0)
    }
}

struct BoardCounter<'a> {
    edge: &'a Edge,
    board: Coloring,
    free: [u64; MOST],
    steps: u64,
    limits: &'a Limits,
}

impl BoardCounter<'_> {
    /// The number of boards that extend the coloring of the vertices before `vertex`, which uses the first `used` colors; `None`
    /// if it overflows.
    fn count(&mut self, vertex: usize, used: usize) -> Result<Option<u128>, Limit> {
        self.limits.check()?;
        self.steps += 1;
        if self.steps > self.limits.nodes {
            return Err(Limit::Nodes);
        }
        if vertex == self.edge.vertices() {
            return Ok(Some(1));
        }
        let Some(mut total) = self.count(vertex + 1, used)? else { return Ok(None) };
        let (_, allowed) = self.edge.choices(&self.board, &self.free, vertex);
        for color in ones(allowed).take_while(|&color| color <= used) {
            let before = self.free;
            self.board.0[vertex] = color as u8 + 1;
            for near in ones(self.edge.near[vertex]).filter(|&near| self.board[near] != 0) {
                let other = self.board[near] as usize - 1;
                self.free[color] &= !(1 << other);
                self.free[other] &= !(1 << color);
            }
            let below = self.count(vertex + 1, used.max(color + 1))?;
            // A new color represents all unused colors.
            let ways = if color == used { (self.edge.colors - used) as u128 } else { 1 };
            let Some(sum) = below.and_then(|below| total.checked_add(below.checked_mul(ways)?)) else { return Ok(None) };
            total = sum;
            self.board.0[vertex] = 0;
            self.free = before;
        }
        Ok(Some(total))
    }
}
