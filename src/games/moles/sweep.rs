//! Solves fields other than complete grids, modulo any k, by a sweep over the holes that leaves few unknowns.
//!
//! The equation of a hole says that the hits around it add up to the toggles that it needs. Of these hits, the one at the largest
//! offset (the last in reading order) occurs in no earlier equation, so this equation determines it. The unknowns that remain are
//! the hits that no equation determines: those in the first row or two, and those beside missing holes. The equations that remain are
//! those that determine no hit: those of the last row or two, and those of holes beside a hole that cannot be hit. For m x n holes,
//! there are about n unknowns instead of m n.

use super::chase::Wrap;
use super::field::{FieldShape, HoleField, Offset};
use super::linear::{Attempt, Solved, may_list, solve_rows};
use crate::limits::{Limit, Limits};
use crate::sort;

/// A field whose hits are expressed row by row as sums of unknowns plus a constant.
pub struct Sweep<'a> {
    field: &'a HoleField,
    states: u8,
    rows: usize,
    columns: usize,
    /// The sorted offsets from an equation's hole to the hits in the equation. The equation determines the hit at the last offset.
    hits: Vec<Offset>,
    /// The place of each unknown.
    unknowns: Vec<usize>,
}

/// Equations, as three lists: the hole of each equation, its coefficients, and its constant.
type System = (Vec<usize>, Vec<Vec<u8>>, Vec<u8>);

/// Maximum number of bytes for the rows in progress.
const MOST_BYTES: usize = 2 << 30;

impl<'a> Sweep<'a> {
    /// Prepares a sweep. `None` if the field cannot be swept: on graphs, on a torus, on a cylinder if the largest offset is not the
    /// only one in its row, or if too many hits are unknown.
    pub fn new(field: &'a HoleField, states: u8) -> Option<Sweep<'a>> {
        let FieldShape::Grid { rows, columns, wrap, .. } = &field.shape else { return None };
        // A hit at h toggles h + offset, so the equation of a hole contains the hits at hole - offset.
        let mut hits: Vec<Offset> = field.offsets.iter().map(|(row, column)| (-row, -column)).collect();
        sort::ascending(&mut hits);
        let lead = *hits.last()?;
        let alone = hits.iter().filter(|(row, _)| *row == lead.0).count() == 1;
        if *wrap == Wrap::Torus || *wrap == Wrap::Cylinder && !alone {
            return None;
        }
        let mut sweep = Sweep { field, states, rows: *rows, columns: *columns, hits, unknowns: Vec::new() };
        sweep.unknowns = (0..field.len()).filter(|&at| field.can_hit(at) && sweep.equation(at).is_none()).collect();
        let window = sweep.window() * columns;
        let small = sweep.unknowns.len() * 2 <= field.len().max(64) && window.saturating_mul(sweep.unknowns.len() + 1) <= MOST_BYTES;
        small.then_some(sweep)
    }

    fn lead(&self) -> Offset {
        *self.hits.last().expect("a pattern is not empty")
    }

    fn beside(&self, at: usize, offset: Offset) -> Option<usize> {
        self.field.beside((at / self.columns, at % self.columns), offset)
    }

    /// The hole whose equation determines the hits at `at`.
    fn equation(&self, at: usize) -> Option<usize> {
        let (row, column) = self.lead();
        self.beside(at, (-row, -column)).filter(|&hole| self.field.exists(hole))
    }

    /// The hit that the equation of a hole determines.
    fn determined(&self, hole: usize) -> Option<usize> {
        self.beside(hole, self.lead()).filter(|&at| self.field.can_hit(at))
    }

    /// Number of rows that the hits in one equation span.
    fn window(&self) -> usize {
        (self.hits[self.hits.len() - 1].0 - self.hits[0].0) as usize + 1
    }

    /// The remaining system, with the constants for `need`.
    fn equations(&self, need: &[u8], limits: &Limits) -> Result<System, Limit> {
        let width = self.unknowns.len() + 1;
        let window = self.window();
        limits.room((window * self.columns).saturating_mul(width))?;
        // A ring buffer of the hits in `window` rows. Holes that cannot be hit stay 0.
        let mut ring = vec![0_u8; window * self.columns * width];
        let slot = |at: usize| (at / self.columns % window * self.columns + at % self.columns) * width;
        let mut unknowns = self.unknowns.iter().enumerate().peekable();
        let (mut left, mut sides, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        let mut sum = vec![0_u8; width];
        // The last row of hits that has entered the ring buffer.
        let mut entered: i64 = -1;
        for (hole, &need) in need.iter().enumerate() {
            limits.check()?;
            let reach = (hole / self.columns) as i64 + i64::from(self.lead().0);
            while entered < reach.min(self.rows as i64 - 1) {
                entered += 1;
                let start = slot(entered as usize * self.columns);
                ring[start..start + self.columns * width].fill(0);
                while let Some((number, &at)) = unknowns.next_if(|(_, at)| (**at / self.columns) as i64 <= entered) {
                    ring[slot(at) + number] = 1;
                }
            }
            if !self.field.exists(hole) {
                continue;
            }
            sum.fill(0);
            sum[width - 1] = need;
            let determined = self.determined(hole);
            for at in self.hits.iter().filter_map(|&offset| self.beside(hole, offset)) {
                if Some(at) != determined && self.field.can_hit(at) {
                    subtract(&mut sum, &ring[slot(at)..][..width], self.states);
                }
            }
            match determined {
                Some(at) => ring[slot(at)..][..width].copy_from_slice(&sum),
                None => {
                    // 0 = need - sum of hits: the unknowns move to the other side.
                    left.push(hole);
                    sides.push(sum[width - 1]);
                    rows.push(sum[..width - 1].iter().map(|&c| if c == 0 { 0 } else { self.states - c }).collect());
                }
            }
        }
        Ok((left, rows, sides))
    }

    /// Computes all hits from the unknown ones.
    fn hits(&self, need: Option<&[u8]>, unknowns: &[u8], limits: &Limits) -> Result<Vec<u8>, Limit> {
        let mut hits = vec![0; self.field.len()];
        for (&at, &value) in self.unknowns.iter().zip(unknowns) {
            hits[at] = value;
        }
        let states = u32::from(self.states);
        for hole in (0..self.field.len()).filter(|&hole| self.field.exists(hole)) {
            limits.check()?;
            let Some(determined) = self.determined(hole) else { continue };
            let others = self.hits.iter().filter_map(|&offset| self.beside(hole, offset)).filter(|&at| at != determined);
            let sum: u32 = others.map(|at| u32::from(hits[at])).sum();
            let need = need.map_or(0, |need| u32::from(need[hole]));
            hits[determined] = ((need + states - sum % states) % states) as u8;
        }
        Ok(hits)
    }

    /// Extends the weights of the remaining equations to hole weights for which no hit changes the weighted sum (modulo k).
    fn proof(&self, left: &[usize], weights: &[u8], limits: &Limits) -> Result<Vec<u8>, Limit> {
        let mut proof = vec![0; self.field.len()];
        for (&hole, &weight) in left.iter().zip(weights) {
            proof[hole] = weight;
        }
        let states = u32::from(self.states);
        for hole in (0..self.field.len()).rev().filter(|&hole| self.field.exists(hole)) {
            limits.check()?;
            let Some(determined) = self.determined(hole) else { continue };
            let mut sum = 0;
            self.field.toggled(determined, |other| {
                if other != hole {
                    sum += u32::from(proof[other]);
                }
            });
            proof[hole] = ((states - sum % states) % states) as u8;
        }
        Ok(proof)
    }

    /// Solves the system, given the toggles that each hole needs.
    pub fn solve(&self, need: &[u8], limits: &Limits) -> Attempt {
        let (left, rows, sides) = self.equations(need, limits)?;
        Ok(match solve_rows(self.states, self.unknowns.len(), &rows, &sides, limits)? {
            Ok(solved) => {
                let mut quiet = Vec::new();
                if may_list(solved.orders.len(), need.len(), limits) {
                    for pattern in &solved.quiet {
                        quiet.push(self.hits(None, pattern, limits)?);
                    }
                }
                Ok(Solved { hits: self.hits(Some(need), &solved.hits, limits)?, quiet, ..solved })
            }
            Err(weights) => Err(self.proof(&left, &weights, limits)?),
        })
    }
}

/// `sum -= other`, modulo `states`, for numbers below `states`.
fn subtract(sum: &mut [u8], other: &[u8], states: u8) {
    for (sum, other) in sum.iter_mut().zip(other) {
        let less = sum.wrapping_sub(*other);
        *sum = less.min(less.wrapping_add(states));
    }
}
