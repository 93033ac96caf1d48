//! Proofs that the goal cannot be reached. Every move swaps the blank with a tile and takes the blank to a neighboring cell. So the
//! number of moves has the parity of the permutation of the tiles and the blank, and also the parity of the blank's distance from
//! its place. If these parities differ, the goal cannot be reached. If there are at least two rows and two columns, all other
//! boards can be solved (Johnson and Story, 1879).

use serde_json::Map;

use super::{Cells, Tiles};
use crate::drawing::{Measure, MeasureKind};
use crate::notation::{counted, sentence, shorten};
use crate::outcome::Certificate;
use crate::rules::CheckError;
use crate::scene::{Explanation, Paint};

impl Tiles {
    /// Finds a proof, by counting pairs in the wrong order.
    pub(super) fn refute(&self, cells: Cells) -> Option<Certificate> {
        let homes: Vec<usize> = self.tiles(cells).into_iter().map(|tile| self.homes[tile]).collect();
        let wrong = |at: usize| homes[at..].iter().filter(|&&home| home < homes[at]).count();
        let swaps: usize = (0..homes.len()).map(wrong).sum();
        let is_odd = (swaps + self.steps(self.blank(cells), self.homes[0])) % 2 == 1;
        is_odd.then(|| Certificate { kind: "parity".to_owned(), claim: self.claim(cells), data: Map::new() })
    }

    pub(super) fn claim(&self, cells: Cells) -> String {
        let odd = self.steps(self.blank(cells), self.homes[0]) % 2;
        let [blank, tiles] = [["even", "odd"][odd], ["odd", "even"][odd]];
        format!("the blank needs an {blank} number of moves to its place, but sorting needs an {tiles} number of swaps with the blank")
    }

    /// For each cell, the number (counted from 1) of its cycle in the permutation that takes all tiles to their places.
    fn cycles(&self, cells: Cells) -> Vec<usize> {
        let (here, goal) = (self.tiles(cells), self.tiles(self.goal));
        let (mut cycles, mut count) = (vec![0; here.len()], 0);
        for begin in 0..here.len() {
            let mut at = begin;
            count += usize::from(cycles[at] == 0);
            while cycles[at] == 0 {
                cycles[at] = count;
                at = goal.iter().position(|tile| *tile == here[at]).unwrap_or(at);
            }
        }
        cycles
    }

    /// Checks a proof, using the cycles of the permutation and the colors of a chessboard.
    pub(super) fn confirm(&self, cells: Cells, kind: &str) -> Result<(), CheckError> {
        let is_black =
            |cells| self.tiles(cells).iter().position(|&tile| tile == 0).is_some_and(|at| (at / self.columns + at % self.columns) % 2 == 1);
        let cycles = self.cycles(cells);
        let swaps_are_odd = (cycles.len() - cycles.iter().max().unwrap_or(&0)) % 2 == 1;
        match kind {
            "parity" if swaps_are_odd != (is_black(cells) != is_black(self.goal)) => Ok(()),
            "parity" => Err("the board and the goal have the same parity".into()),
            kind => Err(format!("tiles has no certificates of kind `{}`", shorten(kind)).into()),
        }
    }

    /// Shows the cycles of the permutation in different colors.
    pub(super) fn show_proof(&self, cells: Cells, certificate: &Certificate) -> Explanation {
        let (cycles, claim) = (self.cycles(cells), sentence(&certificate.claim));
        let circles = "The tiles in cells of one color must move around in a cycle, which takes one swap fewer than the cycle has cells.";
        let mut explanation = Explanation::new(format!("{claim} Every move is one of these swaps. {circles}"));
        for (cell, &cycle) in cycles.iter().enumerate() {
            if cycles.iter().filter(|&&other| other == cycle).count() > 1 {
                explanation.tint(self.place(cell), Paint::color(cycle), 0.6);
            }
        }
        explanation
    }

    /// The parity of a sum: the number of swaps that would put everything in order, plus the distance of the blank from its place.
    pub(super) fn measure(&self, cells: Cells, certificate: &Certificate) -> Option<Measure> {
        if certificate.kind != "parity" {
            return None;
        }
        let cycles = self.cycles(cells);
        let swaps = cycles.len() - cycles.iter().max().unwrap_or(&0);
        let steps = self.steps(self.blank(cells), self.homes[0]);
        let is_odd = (swaps + steps) % 2 == 1;
        let text = format!(
            "{} would put everything in order, and the blank is {} from its place: together {}",
            counted(swaps, "swap", "swaps"),
            counted(steps, "step", "steps"),
            swaps + steps
        );
        let value = if is_odd { "odd" } else { "even" }.to_owned();
        Some(Measure { kind: MeasureKind::Invariant, text, value, goal: "even".to_owned(), numbers: vec![i64::from(is_odd)] })
    }
}
