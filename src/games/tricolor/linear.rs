//! The game's own solver, as it is called from outside: proofs that there is no plan, boards without black vertices, and the
//! search over recolorings where there are some.

use std::cell::RefCell;

use serde_json::{Map, Value};

use super::classes::{Classes, Decided};
use super::meter::{Effort, Meter, Show};
use super::phases::{Level, Phases};
use super::relaxed::{Coset, count_bound, list};
use super::sets::Field;
use super::{Colors, Tricolor, count};
use crate::bits::{bit, ones_in};
use crate::gf2::lightest::Lightest;
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::{Certificate, Outcome, Plan, Stats, Verdict, Why};
use crate::rules::Cost;
use crate::trace::Expanded;

/// Most vertices while some are black.
pub const MOST_VERTICES: usize = 64 * 64;
/// Most dimensions of a coset all of whose members are enumerated in search of the least clicks, fewer where the graph is
/// large: 2^26 members take some tenths of a second.
const MEMBERS: usize = 26;
/// Work on a lightest member between two looks at the limits, and where it is out of reach or only for a bound.
const STEP: u64 = 2048;
const REACH: usize = 46;
const BEYOND_REACH: u64 = 1 << 16;
/// Beyond that: dimensions that are enumerated around a lightest member, and boards expanded in search of a plan.
const SOME_MEMBERS: usize = 14;
const SOME_NODES: u64 = 4000;
/// And how much more than the bound a plan may cost to be worth looking for.
const SOME_MORE: Cost = 12;

/// Solves a board.
pub fn solve(tricolor: &Tricolor, colors: &Colors, limits: &Limits, emit: Option<&mut dyn FnMut(Expanded<Tricolor>)>) -> Outcome<u32> {
    let n = tricolor.graph.len();
    let lower = count_bound(colors, tricolor.graph.max_degree() + 1);
    let matrix = Coset::most_bytes(n);
    let stopped = |limit, stats| Outcome::new(Verdict::Unknown { limit, lower, best: None }, stats);
    let begun = Progress { lower, bytes: matrix, ..Progress::default() };
    let coset = match limits.report(&begun).and_then(|()| Coset::new(&tricolor.graph, colors.black(), limits)) {
        Ok(coset) => coset,
        Err(limit) => return stopped(limit, Stats::default()),
    };
    let stats = Stats { peak_bytes: matrix, ..Stats::default() };
    if let Some(certificate) = parity_of(tricolor, &coset, colors).or_else(|| enclosed(tricolor, colors)) {
        return Outcome::new(Verdict::Unsolvable(Why::Certificate(certificate)), stats);
    }
    let member = coset.member(colors.red()).expect("there is no proof against it");
    if count(colors.black()) == 0 {
        let Lightened { clicks, lower, limit } = lightest(n, &member, &coset, &|_| [0, 1], limits);
        let moves: Vec<u32> = ones_in(&clicks).map(|v| v as u32).collect();
        let plan = Plan { cost: moves.len() as Cost, moves };
        let verdict = match limit {
            Some(limit) => Verdict::Unknown { limit, lower, best: Some(plan) },
            None => Verdict::Solved { plan, lower },
        };
        return Outcome::new(verdict, stats);
    }
    let show = emit.map(|emit| RefCell::new(Show { tricolor, emit, next: 0 }));
    let meter = Meter { limits, lower, upper: None, expanded: 0, most: None, show };
    match n.div_ceil(64) {
        1 => with_black::<1>(tricolor, colors, &coset, &member, meter, stats),
        2 => with_black::<2>(tricolor, colors, &coset, &member, meter, stats),
        3..=4 => with_black::<4>(tricolor, colors, &coset, &member, meter, stats),
        5..=16 => with_black::<16>(tricolor, colors, &coset, &member, meter, stats),
        _ => with_black::<64>(tricolor, colors, &coset, &member, meter, stats),
    }
}

/// A light member of a coset, a lower bound for all, and the limit that was hit.
struct Lightened {
    clicks: Vec<u64>,
    lower: Cost,
    limit: Option<Limit>,
}

/// The lightest member of the coset that is found.
fn lightest(n: usize, member: &[u64], coset: &Coset, costs: &dyn Fn(usize) -> [u32; 2], limits: &Limits) -> Lightened {
    let mut search = match Lightest::within(n, member, &coset.kernel, costs, limits) {
        Ok(search) => search,
        Err(limit) => return Lightened { clicks: member.to_vec(), lower: 0, limit: Some(limit) },
    };
    let mut budget = if search.dims() <= REACH { u64::MAX } else { BEYOND_REACH };
    let look = |search: &mut Lightest| {
        if search.step_within(STEP, limits)? {
            return Ok(true);
        }
        let (bytes, lower, upper) = (search.bytes(), search.lower() as Cost, Some(search.cost() as Cost));
        limits.room(bytes)?;
        limits.report(&Progress { bytes, lower, upper, ..Progress::default() })?;
        Ok(false)
    };
    let limit = loop {
        match look(&mut search) {
            Ok(false) if budget > STEP => budget -= STEP,
            Ok(_) => break None,
            Err(limit) => break Some(limit),
        }
    };
    Lightened { clicks: search.member(), lower: search.lower() as Cost, limit }
}

fn with_black<const W: usize>(
    tricolor: &Tricolor,
    colors: &Colors,
    coset: &Coset,
    member: &[u64],
    mut meter: Meter<'_>,
    stats: Stats,
) -> Outcome<u32> {
    let (limits, lower) = (meter.limits, meter.lower);
    let field = Field::<W>::new(&tricolor.graph);
    let start = Field::here(colors);
    let plan = |moves: Vec<u32>| Plan { cost: moves.len() as Cost, moves };

    let mut classes = Classes::new(&tricolor.graph, &field);
    let decided = classes.decide(start, &meter);
    let stats = |effort: &Effort| Stats {
        expanded: classes.effort.expanded + effort.expanded,
        generated: classes.effort.generated + effort.generated,
        peak_bytes: stats.peak_bytes + classes.effort.peak.max(effort.peak),
        ..stats
    };
    let nothing = stats(&Effort::default());
    let best = match decided {
        Ok(Decided::None { classes }) => return Outcome::new(Verdict::Unsolvable(Why::Exhausted { states: classes }), nothing),
        Ok(Decided::Plan(moves)) => Some(plan(moves)),
        Ok(Decided::Open) => None,
        Err(limit) => return Outcome::new(Verdict::Unknown { limit, lower, best: None }, nothing),
    };
    meter.upper = best.as_ref().map(|plan| plan.cost);
    meter.expanded = nothing.expanded;

    // All members if they are few. Else some around a lightest one: a plan of that price is the best all the same.
    let all = coset.kernel.len() + (W.ilog2() as usize) <= MEMBERS;
    let (mut phases, bound) = if all {
        let mut phases = Phases::new(&field, start, member, &coset.kernel);
        match phases.relaxed(&meter) {
            Ok(bound) => (phases, bound),
            Err(limit) => return Outcome::new(Verdict::Unknown { limit, lower, best }, nothing),
        }
    } else {
        let costs = |v: usize| if bit(colors.black(), v) { [2, 1] } else { [0, 1] };
        let Lightened { clicks: member, lower: bound, limit } = lightest(tricolor.graph.len(), member, coset, &costs, limits);
        if let Some(limit) = limit {
            return Outcome::new(Verdict::Unknown { limit, lower: bound.max(lower), best }, nothing);
        }
        meter.most = Some(SOME_NODES);
        let mut kernel = coset.kernel.clone();
        kernel.sort_by_key(|vector| count(vector));
        (Phases::new(&field, start, &member, &kernel[..SOME_MEMBERS.min(kernel.len())]), bound)
    };
    let mut price = bound.max(lower);
    meter.lower = price;
    let verdict = loop {
        let proved = if all { price } else { bound };
        let enough = |plan: &&Plan<u32>| plan.cost <= price || !all && price > bound.saturating_add(SOME_MORE);
        if let Some(plan) = best.as_ref().filter(enough) {
            break Verdict::Solved { plan: plan.clone(), lower: proved };
        }
        match phases.level(price, &meter) {
            Ok(Level::Plan(moves)) => break Verdict::Solved { plan: plan(moves), lower: proved },
            Ok(Level::Next(u32::MAX)) if all => break Verdict::Unsolvable(Why::Exhausted { states: phases.effort.expanded }),
            Ok(Level::Next(next)) => price = next,
            // The solver's own limit, where no proof is possible anyway: perhaps a plan of the next price is easier to find.
            Err(Limit::Nodes) if meter.most.is_some_and(|most| phases.effort.expanded >= most) => {
                meter.most = Some(phases.effort.expanded + SOME_NODES);
                price += 1;
            }
            Err(limit) => break Verdict::Unknown { limit, lower: proved, best },
        }
        if all {
            meter.lower = price;
        }
    };
    Outcome::new(verdict, stats(&phases.effort))
}

/// A set of colored vertices of which every click swaps an even number, but an odd number of them are red.
pub fn parity(tricolor: &Tricolor, colors: &Colors, limits: &Limits) -> Result<Option<Certificate>, Limit> {
    Ok(parity_of(tricolor, &Coset::new(&tricolor.graph, colors.black(), limits)?, colors))
}

fn parity_of(tricolor: &Tricolor, coset: &Coset, colors: &Colors) -> Option<Certificate> {
    let reds = |set: &[u64]| set.iter().zip(colors.red()).map(|(set, red)| (set & red).count_ones()).sum::<u32>();
    let wrong = coset.even.iter().filter(|set| reds(set) % 2 == 1);
    let set: Value = list(wrong.min_by_key(|set| count(set))?).into_iter().map(|v| tricolor.name_json(v as usize)).collect();
    Some(Certificate { kind: "parity".to_owned(), claim: claim("parity", &set), data: Map::from_iter([("vertices".to_owned(), set)]) })
}

/// What a certificate about some vertices shows.
pub fn claim(kind: &str, vertices: &Value) -> String {
    let name = |vertex: &Value| vertex.as_str().map_or_else(|| vertex.to_string(), str::to_owned);
    match (kind, vertices.as_array().map_or(&[][..], Vec::as_slice)) {
        ("parity", [alone]) => format!("no click swaps vertex {}, which is red", name(alone)),
        ("parity", many) => {
            format!("every click swaps an even number of these {} vertices, but an odd number of them are red", many.len())
        }
        (_, [alone]) => format!("vertex {} is black and has no neighbor: it stays black", name(alone)),
        (_, many) => format!("{} black vertices have no neighbors but each other: they stay black", many.len()),
    }
}

/// Black vertices that have no neighbors but each other: nothing is ever counted, and they stay black.
pub fn enclosed(tricolor: &Tricolor, colors: &Colors) -> Option<Certificate> {
    let part = tricolor.graph.parts();
    let mut has_color = vec![false; part.len()];
    (0..part.len()).filter(|&v| !bit(colors.black(), v)).for_each(|v| has_color[part[v]] = true);
    let &first = part.iter().find(|&&part| !has_color[part])?;
    let vertices: Value = (0..part.len()).filter(|&v| part[v] == first).map(|v| tricolor.name_json(v)).collect();
    Some(Certificate {
        kind: "enclosed".to_owned(),
        claim: claim("enclosed", &vertices),
        data: Map::from_iter([("vertices".to_owned(), vertices)]),
    })
}
