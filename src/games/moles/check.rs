//! Checks of answers, by multiplication and by plain elimination: no code is shared with the solvers.

use serde_json::Value;

use super::{Board, Moles};
use crate::outcome::Certificate;
use crate::rules::Cost;

/// Weights of the holes such that every hit changes the weighted sum by a multiple of k, and what is needed does not.
pub fn refutation(moles: &Moles, board: &Board, certificate: &Certificate) -> Result<(), String> {
    let list = |key: &str| -> Result<Vec<u64>, String> {
        let list = certificate.data.get(key).and_then(Value::as_array).ok_or(format!("the certificate has no list `{key}`"))?;
        list.iter().map(|item| item.as_u64().ok_or(format!("`{key}` must have whole numbers"))).collect()
    };
    let holes = list("holes")?;
    let weights = match certificate.kind.as_str() {
        "parity" if moles.states == 2 => vec![1; holes.len()],
        "weights" => list("weights")?,
        kind => return Err(format!("this board has no certificates of the kind `{}`", crate::notation::shorten(kind))),
    };
    let states = u64::from(moles.states);
    if weights.len() != holes.len() {
        return Err(format!("{} holes have {} weights", holes.len(), weights.len()));
    }
    let mut sums = vec![0; moles.field.len()];
    for (&hole, &weight) in holes.iter().zip(&weights) {
        let at = usize::try_from(hole).ok().and_then(|hole| hole.checked_sub(1)).filter(|&at| at < sums.len() && moles.field.exists(at));
        let at = at.ok_or(format!("there is no hole {hole}"))?;
        if sums[at] != 0 {
            return Err(format!("hole {hole} is listed twice"));
        }
        sums[at] = weight % states;
    }
    for hit in (0..sums.len()).filter(|&hit| moles.field.can_hit(hit)) {
        let mut sum = 0;
        moles.field.toggled(hit, |at| sum += sums[at]);
        if sum % states != 0 {
            return Err(format!("a hit on hole {} changes the sum by {}, which is no multiple of {states}", hit + 1, sum % states));
        }
    }
    let needed: u64 = sums.iter().zip(moles.need(board)).map(|(weight, need)| weight * u64::from(need)).sum();
    if needed.is_multiple_of(states) {
        return Err(format!("the sum must change by {needed}, which is a multiple of {states}: that proves nothing"));
    }
    Ok(())
}

/// Most holes for the elimination below.
const HOLES: usize = 2500;

/// Whether `cost` is the least number of hits, for moles that are up or down: a plain elimination of its own and then every
/// solution, one after the other. At most `states` solutions are looked at.
pub fn least(moles: &Moles, board: &Board, cost: Cost, states: usize) -> Option<bool> {
    let holes = moles.field.len();
    if moles.states != 2 || holes > HOLES {
        return None;
    }
    // A row for each hole: the hits that toggle it, then what it needs.
    let width = holes / 64 + 1;
    let mut rows = vec![vec![0_u64; width]; holes];
    for hit in (0..holes).filter(|&hit| moles.field.can_hit(hit)) {
        moles.field.toggled(hit, |hole| rows[hole][hit / 64] |= 1 << (hit % 64));
    }
    for (row, need) in rows.iter_mut().zip(moles.need(board)) {
        row[holes / 64] |= u64::from(need) << (holes % 64);
    }
    let bit = |row: &[u64], at: usize| row[at / 64] >> (at % 64) & 1 == 1;
    let mut pivots: Vec<usize> = Vec::new();
    let mut free: Vec<usize> = Vec::new();
    for column in (0..holes).filter(|&hit| moles.field.can_hit(hit)) {
        let Some(found) = (pivots.len()..holes).find(|&row| bit(&rows[row], column)) else {
            free.push(column);
            continue;
        };
        rows.swap(pivots.len(), found);
        let pivot = rows[pivots.len()].clone();
        for (at, row) in rows.iter_mut().enumerate() {
            if at != pivots.len() && bit(row, column) {
                row.iter_mut().zip(&pivot).for_each(|(word, pivot)| *word ^= pivot);
            }
        }
        pivots.push(column);
    }
    let quiet = free.len();
    if quiet >= 63 || 1_u64 << quiet > states as u64 {
        return None;
    }
    // The solution without free hits, then a Gray code over the free ones.
    let side = |row: usize| bit(&rows[row], holes);
    let mut hits: Vec<bool> = (0..pivots.len()).map(side).collect();
    let mut weight = hits.iter().filter(|&&hit| hit).count() as u64;
    let mut chosen = vec![false; quiet];
    let mut least = weight;
    for step in 1..1_u64 << quiet {
        let flip = step.trailing_zeros() as usize;
        chosen[flip] = !chosen[flip];
        weight = if chosen[flip] { weight + 1 } else { weight - 1 };
        for (hit, _) in hits.iter_mut().zip(&rows).filter(|(_, row)| bit(row, free[flip])) {
            *hit = !*hit;
            weight = if *hit { weight + 1 } else { weight - 1 };
        }
        least = least.min(weight);
    }
    Some(u64::from(cost) == least)
}
