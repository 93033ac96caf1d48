//! Checks answers by multiplication and by plain elimination, sharing no code with the solvers.

use serde_json::Value;

use super::{Board, Moles};
use crate::limits::Limits;
use crate::notation::shorten;
use crate::outcome::Certificate;
use crate::rules::{CheckError, Cost};

/// Checks that hole weights prove that there is no solution: every hit changes the weighted sum by a multiple of k, but the
/// required change is not a multiple of k.
pub fn refutation(moles: &Moles, board: &Board, certificate: &Certificate, limits: &Limits) -> Result<(), CheckError> {
    limits.check()?;
    let list =
        |key: &str| certificate.data.get(key).and_then(Value::as_array).ok_or_else(|| format!("the certificate has no list `{key}`"));
    let find = |item: &Value| {
        let at = moles.find_hole(item).filter(|&at| moles.field.exists(at));
        at.ok_or_else(|| format!("there is no hole {}", shorten(&item.to_string())))
    };
    let holes: Vec<usize> = list("holes")?.iter().map(find).collect::<Result<_, String>>()?;
    let weights: Vec<u64> = match certificate.kind.as_str() {
        "parity" if moles.states == 2 => vec![1; holes.len()],
        "weights" => {
            list("weights")?.iter().map(|item| item.as_u64().ok_or("`weights` must contain whole numbers")).collect::<Result<_, _>>()?
        }
        kind => return Err(format!("this board has no certificates of kind `{}`", shorten(kind)).into()),
    };
    let states = u64::from(moles.states);
    if weights.len() != holes.len() {
        return Err(format!("the numbers of holes ({}) and weights ({}) differ", holes.len(), weights.len()).into());
    }
    let mut sums = vec![0; moles.field.len()];
    for (&at, &weight) in holes.iter().zip(&weights) {
        limits.check()?;
        if sums[at] != 0 {
            return Err(format!("hole {} is listed twice", moles.name(at)).into());
        }
        sums[at] = weight % states;
    }
    for hit in (0..sums.len()).filter(|&hit| moles.field.can_hit(hit)) {
        limits.check()?;
        let mut sum = 0;
        moles.field.toggled(hit, |at| sum += sums[at]);
        if sum % states != 0 {
            let hit = moles.name(hit);
            return Err(format!("a hit on hole {hit} changes the sum by {}, which is not a multiple of {states}", sum % states).into());
        }
    }
    let needed: u64 = sums.iter().zip(moles.need(board)).map(|(weight, need)| weight * u64::from(need)).sum();
    if needed.is_multiple_of(states) {
        return Err(format!("the sum must change by {needed}, which is a multiple of {states}, so this proves nothing").into());
    }
    Ok(())
}

/// Maximum number of holes for [`least`].
const HOLES: usize = 2500;

/// Decides whether `cost` is the minimum number of hits, by plain elimination followed by an enumeration of all solutions. `None`
/// if the number of states is not prime, or if there are more than `HOLES` holes or `limits.nodes` solutions.
pub fn least(moles: &Moles, board: &Board, cost: Cost, limits: &Limits) -> Option<bool> {
    let (holes, k) = (moles.field.len(), u32::from(moles.states));
    if holes > HOLES || (2..k).any(|divisor| k.is_multiple_of(divisor)) {
        return None;
    }
    // One row per hole: the hits that toggle it, then the number of toggles that it needs.
    let hits: Vec<usize> = (0..holes).filter(|&hit| moles.field.can_hit(hit)).collect();
    let mut rows = vec![vec![0_u8; hits.len() + 1]; holes];
    for (column, &hit) in hits.iter().enumerate() {
        moles.field.toggled(hit, |hole| rows[hole][column] = 1);
    }
    rows.iter_mut().zip(moles.need(board)).for_each(|(row, need)| row[hits.len()] = need);
    let times = |a: u8, b: u8| (u32::from(a) * u32::from(b) % k) as u8;
    let mut rank = 0;
    let mut free: Vec<usize> = Vec::new();
    for column in 0..hits.len() {
        limits.check().ok()?;
        let Some(found) = (rank..holes).find(|&row| rows[row][column] != 0) else {
            free.push(column);
            continue;
        };
        rows.swap(rank, found);
        let inverse = (1..moles.states).find(|&inverse| times(inverse, rows[rank][column]) == 1).expect("k is a prime");
        rows[rank].iter_mut().for_each(|entry| *entry = times(*entry, inverse));
        let pivot = rows[rank].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, row)| *at != rank && row[column] != 0) {
            let factor = moles.states - row[column];
            let add = |a: u8, b: u8| ((u32::from(a) + u32::from(b)) % k) as u8;
            row.iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry = add(*entry, times(factor, *pivot)));
        }
        rank += 1;
    }
    let solutions = (0..free.len()).try_fold(1_u64, |count, _| count.checked_mul(u64::from(k)).filter(|&count| count <= limits.nodes))?;
    // In the first solution, all free hits are 0. From one solution to the next, they are incremented like the digits of a counter.
    let mut hit: Vec<u8> = rows[..rank].iter().map(|row| row[hits.len()]).collect();
    let mut digits = vec![0_u8; free.len()];
    let mut least = u64::MAX;
    for _ in 0..solutions {
        limits.check().ok()?;
        least = least.min(hit.iter().chain(&digits).map(|&times| u64::from(times)).sum());
        for (digit, &column) in digits.iter_mut().zip(&free) {
            // Adds a hit in this column; the pivot hits compensate for it.
            for (hit, row) in hit.iter_mut().zip(&rows) {
                *hit = ((u32::from(*hit) + k - u32::from(row[column])) % k) as u8;
            }
            *digit = if *digit + 1 == moles.states { 0 } else { *digit + 1 };
            if *digit != 0 {
                break;
            }
        }
    }
    Some(u64::from(cost) == least)
}
