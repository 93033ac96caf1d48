//! The game's own solver, as it is called from outside: proofs that there is no plan, boards without black vertices, and
//! `least` for all others.

use std::cell::RefCell;

use serde_json::{Map, Value};

use super::least::{AT_FIRST, LeastCost};
use super::meter::{Meter, Most};
use super::relaxed::{Coset, count_bound, odd};
use super::trace::BoardTrace;
use super::{Colors, Price, Tricolor, count};
use crate::bits::{bit, ones_in};
use crate::gf2::lightest::Lightest;
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::{Certificate, Outcome, Plan, Stats, Verdict, Why};
use crate::rules::Cost;
use crate::trace::Expanded;

/// The maximum number of vertices while some are black.
pub const MOST_VERTICES: usize = 64 * 64;
/// The work on a lightest member between two looks at the limits; the maximum dimension within reach; the work beyond that, which is
/// only for a bound.
const STEP: u64 = 2048;
const REACH: usize = 46;
const BEYOND_REACH: u64 = 1 << 16;

/// Solves a board.
pub fn solve(tricolor: &Tricolor, colors: &Colors, limits: &Limits, emit: Option<&mut dyn FnMut(Expanded<Tricolor>)>) -> Outcome<u32> {
    solve_with(tricolor, colors, limits, emit, AT_FIRST)
}

/// Like [`solve`], with another limit to the search over recolorings.
pub fn solve_with(
    tricolor: &Tricolor,
    colors: &Colors,
    limits: &Limits,
    emit: Option<&mut dyn FnMut(Expanded<Tricolor>)>,
    at_first: Most,
) -> Outcome<u32> {
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
    if count(colors.black()) == 0 && tricolor.price == Price::Clicks {
        let Lightened { clicks, lower, limit } = lightest(n, &member, &coset, &|_| [0, 1], limits);
        let moves: Vec<u32> = ones_in(&clicks).map(|v| v as u32).collect();
        let plan = Plan { cost: moves.len() as Cost, moves };
        let verdict = match limit {
            Some(limit) => Verdict::Unknown { limit, lower, best: Some(plan) },
            None => Verdict::Solved { plan, lower },
        };
        return Outcome::new(verdict, stats);
    }
    let trace = emit.map(|emit| RefCell::new(BoardTrace { emit, next: 0 }));
    let meter = Meter { limits, lower, upper: None, expanded: 0, most: None, trace };
    let least = LeastCost { tricolor, colors, coset: &coset, member: &member, at_first };
    // Each width is code of its own, a good part of the page's download.
    match n.div_ceil(64) {
        1 => least.solve::<1>(meter, stats),
        2..=4 => least.solve::<4>(meter, stats),
        _ => least.solve::<64>(meter, stats),
    }
}

/// A light member of a coset, a lower bound for all, and the limit that was hit.
pub struct Lightened {
    pub clicks: Vec<u64>,
    pub lower: Cost,
    pub limit: Option<Limit>,
}

/// The lightest member of the coset that is found.
pub fn lightest(n: usize, member: &[u64], coset: &Coset, costs: &dyn Fn(usize) -> [u32; 2], limits: &Limits) -> Lightened {
    let mut search = match Lightest::with_costs(n, member, &coset.kernel, costs, limits) {
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

/// A set of colored vertices of which every click swaps an even number, but an odd number of them are red.
pub fn parity(tricolor: &Tricolor, colors: &Colors, limits: &Limits) -> Result<Option<Certificate>, Limit> {
    Ok(parity_of(tricolor, &Coset::new(&tricolor.graph, colors.black(), limits)?, colors))
}

fn parity_of(tricolor: &Tricolor, coset: &Coset, colors: &Colors) -> Option<Certificate> {
    let wrong = coset.even.iter().filter(|set| odd(set, colors.red()));
    let set: Value = ones_in(wrong.min_by_key(|set| count(set))?).map(|v| tricolor.name_json(v)).collect();
    Some(Certificate { kind: "parity".to_owned(), claim: claim("parity", &set), data: Map::from_iter([("vertices".to_owned(), set)]) })
}

/// The claim of a certificate about some vertices.
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
