//! The entry point of the game's own solver. This file handles boards with a short proof that there is no plan, and boards on which the
//! order of clicks does not matter. `least` handles all others.

use std::cell::RefCell;

use serde_json::{Map, Value};

use super::least::LeastCost;
use super::meter::{Meter, Most};
use super::relaxed::{Coset, count_bound};
use super::trace::BoardTrace;
use super::{Colors, Tricolor, count};
use crate::bits::{bit, dot, ones_in};
use crate::gf2::lightest::{Lightest, REACH};
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::{Certificate, Outcome, Plan, Stats, Verdict, Why};
use crate::rules::Cost;
use crate::trace::Expanded;

/// Maximum number of vertices on boards with black vertices.
pub const MOST_VERTICES: usize = 64 * 64;
/// Number of work units spent on a bound if no member of a coset can be proved to be the lightest.
const BEYOND_REACH: u64 = 1 << 16;

/// Solves a board. `at_first` limits the search over recolorings, after which the SAT solver takes over.
pub fn solve(
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
    if let Some(certificate) = parity(tricolor, &coset, colors).or_else(|| enclosed(tricolor, colors)) {
        return Outcome::new(Verdict::Unsolvable(Why::Certificate(certificate)), stats);
    }
    let member = coset.member(colors.red()).expect("there is a solution unless a parity proof was found");
    if count(colors.black()) == 0 && !tricolor.by_color {
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
    // Each width is compiled separately, so more widths would make the page's download larger.
    match n.div_ceil(64) {
        1 => least.solve::<1>(meter, stats),
        2..=4 => least.solve::<4>(meter, stats),
        _ => least.solve::<64>(meter, stats),
    }
}

/// A light member of a coset, a lower bound for all members, and the limit that was reached, if any.
pub struct Lightened {
    pub clicks: Vec<u64>,
    pub lower: Cost,
    pub limit: Option<Limit>,
}

/// The lightest member of a coset, or the lightest found within the limits.
pub fn lightest(n: usize, member: &[u64], coset: &Coset, costs: &dyn Fn(usize) -> [u32; 2], limits: &Limits) -> Lightened {
    let mut search = match Lightest::with_costs(n, member, &coset.kernel, costs, limits) {
        Ok(search) => search,
        Err(limit) => return Lightened { clicks: member.to_vec(), lower: 0, limit: Some(limit) },
    };
    let budget = if search.dims() <= REACH { u64::MAX } else { BEYOND_REACH };
    let limit = search.run(budget, limits, |_| Progress::default()).err();
    Lightened { clicks: search.member(), lower: search.lower() as Cost, limit }
}

/// A short proof that a board cannot be solved, if there is one.
pub fn refute(tricolor: &Tricolor, colors: &Colors, limits: &Limits) -> Option<Certificate> {
    let coset = Coset::new(&tricolor.graph, colors.black(), limits).ok();
    coset.and_then(|coset| parity(tricolor, &coset, colors)).or_else(|| enclosed(tricolor, colors))
}

/// A set of colored vertices such that every click swaps an even number of them, but an odd number of them are red.
fn parity(tricolor: &Tricolor, coset: &Coset, colors: &Colors) -> Option<Certificate> {
    let wrong = coset.even.iter().filter(|set| dot(set, colors.red()));
    Some(certificate(tricolor, "parity", ones_in(wrong.min_by_key(|set| count(set))?)))
}

fn certificate(tricolor: &Tricolor, kind: &str, vertices: impl Iterator<Item = usize>) -> Certificate {
    let vertices: Value = vertices.map(|v| tricolor.name_json(v)).collect();
    Certificate { kind: kind.to_owned(), claim: claim(kind, &vertices), data: Map::from_iter([("vertices".to_owned(), vertices)]) }
}

/// The claim of a certificate that lists these vertices.
pub fn claim(kind: &str, vertices: &Value) -> String {
    let name = |vertex: &Value| vertex.as_str().map_or_else(|| vertex.to_string(), str::to_owned);
    match (kind, vertices.as_array().map_or(&[][..], Vec::as_slice)) {
        ("parity", [alone]) => format!("no click swaps vertex {}, which is red", name(alone)),
        ("parity", many) => {
            format!("every click swaps an even number of these {} vertices, but an odd number of them are red", many.len())
        }
        (_, [alone]) => format!("vertex {} is black and has no neighbors, so it stays black", name(alone)),
        (_, many) => format!("{} black vertices have no neighbors but each other, so they stay black", many.len()),
    }
}

/// A component with only black vertices. They never have a colored neighbor, so they stay black.
fn enclosed(tricolor: &Tricolor, colors: &Colors) -> Option<Certificate> {
    let part = tricolor.graph.parts();
    let mut has_color = vec![false; part.len()];
    (0..part.len()).filter(|&v| !bit(colors.black(), v)).for_each(|v| has_color[part[v]] = true);
    let &first = part.iter().find(|&&part| !has_color[part])?;
    Some(certificate(tricolor, "enclosed", (0..part.len()).filter(|&v| part[v] == first)))
}
