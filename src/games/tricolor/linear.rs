//! The game's own solver, from the outside: proofs that there is no plan, boards without black vertices, and the search over
//! recolourings where there are some.

use serde_json::{Map, json};

use super::classes::{Classes, Decided};
use super::phases::{Level, Phases};
use super::relaxed::{Coset, count_bound, list};
use super::sets::Field;
use super::{Colours, Tricolor, bit, count, ones};
use crate::gf2::lightest::Lightest;
use crate::graph::{Graph, symmetry};
use crate::outcome::{Certificate, Limit, Limits, Outcome, Plan, Progress, Stats, Verdict, Why};
use crate::rules::Cost;

/// Most vertices while some are black.
pub const MOST_VERTICES: usize = 64 * 64;
/// Most dimensions of the coset that are gone through in search of the least clicks.
const MEMBERS: usize = 20;
/// Work on a lightest member between two looks at the limits, and where it is out of reach or only for a bound.
const STEP: u64 = 2048;
const REACH: usize = 46;
const BEYOND_REACH: u64 = 1 << 16;

/// Solves a board.
pub fn solve(tricolor: &Tricolor, colours: &Colours, limits: &mut Limits<'_>) -> Outcome<u32> {
    let n = tricolor.graph.len();
    let lower = count_bound(colours, tricolor.graph.max_degree() + 1);
    let matrix = 2 * n * n.div_ceil(64) * 16;
    let stopped = |limit, stats| Outcome::new(Verdict::Unknown { limit, lower, best: None }, stats);
    if matrix > limits.bytes {
        return stopped(Limit::Memory, Stats::default());
    }
    if asks_to_stop(limits, &Progress { lower, bytes: matrix, ..Progress::default() }) {
        return stopped(Limit::Time, Stats::default());
    }
    let coset = Coset::new(&tricolor.graph, colours.black());
    let stats = Stats { peak_bytes: matrix, ..Stats::default() };
    if let Some(certificate) = parity_of(&coset, colours).or_else(|| stuck(tricolor, colours)) {
        return Outcome::new(Verdict::Unsolvable(Why::Certificate(certificate)), stats);
    }
    let member = coset.member(colours.red()).expect("there is no proof against it");
    if count(colours.black()) == 0 {
        let (clicks, lower, limit) = lightest(n, &member, &coset, |_| [0, 1], limits);
        let moves: Vec<u32> = ones(&clicks).map(|v| v as u32).collect();
        let plan = Plan { cost: moves.len() as Cost, moves };
        let verdict = match limit {
            Some(limit) => Verdict::Unknown { limit, lower, best: Some(plan) },
            None => Verdict::Solved { plan, lower },
        };
        return Outcome::new(verdict, stats);
    }
    match n.div_ceil(64) {
        1 => with_black::<1>(tricolor, colours, &coset, &member, limits, stats),
        2 => with_black::<2>(tricolor, colours, &coset, &member, limits, stats),
        3..=4 => with_black::<4>(tricolor, colours, &coset, &member, limits, stats),
        5..=16 => with_black::<16>(tricolor, colours, &coset, &member, limits, stats),
        _ => with_black::<64>(tricolor, colours, &coset, &member, limits, stats),
    }
}

fn asks_to_stop(limits: &mut Limits<'_>, progress: &Progress) -> bool {
    limits.stop.as_mut().is_some_and(|stop| stop(progress))
}

/// The lightest member of the coset that is found, a lower bound for all, and the limit that was hit.
fn lightest(
    n: usize,
    member: &[u64],
    coset: &Coset,
    costs: impl Fn(usize) -> [u32; 2],
    limits: &mut Limits<'_>,
) -> (Vec<u64>, Cost, Option<Limit>) {
    let mut search = Lightest::with_costs(n, member, &coset.kernel, costs);
    let mut budget = if search.dims() <= REACH { u64::MAX } else { BEYOND_REACH };
    let mut hit = None;
    while budget > 0 && !search.step(STEP) {
        budget = budget.saturating_sub(STEP);
        let (lower, upper) = (search.lower() as Cost, Some(search.cost() as Cost));
        if search.bytes() > limits.bytes {
            hit = Some(Limit::Memory);
        } else if asks_to_stop(limits, &Progress { bytes: search.bytes(), lower, upper, ..Progress::default() }) {
            hit = Some(Limit::Time);
        }
        if hit.is_some() {
            break;
        }
    }
    (search.member(), search.lower() as Cost, hit)
}

fn with_black<const W: usize>(
    tricolor: &Tricolor,
    colours: &Colours,
    coset: &Coset,
    member: &[u64],
    limits: &mut Limits<'_>,
    mut stats: Stats,
) -> Outcome<u32> {
    let field = Field::<W>::new(&tricolor.graph);
    let start = Field::here(colours);
    let mut phases = Phases::new(&field, start, coset, member);
    let within = coset.kernel.len() <= MEMBERS;
    let mut lower = if within { phases.relaxed() } else { count_bound(colours, tricolor.graph.max_degree() + 1) };
    let plan = |moves: Vec<u32>| Plan { cost: moves.len() as Cost, moves };

    let mut stop = |classes: u64| {
        asks_to_stop(limits, &Progress { expanded: classes, generated: classes, lower, ..Progress::default() })
    };
    let best = match Classes::new(&tricolor.graph, &field).decide(start, &mut stop) {
        Decided::None { classes } => {
            let stats = Stats { expanded: classes, generated: classes, ..stats };
            return Outcome::new(Verdict::Unsolvable(Why::Exhausted { states: classes }), stats);
        }
        Decided::Plan(moves) => Some(plan(moves)),
        Decided::Open => None,
    };
    if !within {
        let costs = |v: usize| if bit(colours.black(), v) { [2, 1] } else { [0, 1] };
        let (_, bound, limit) = lightest(tricolor.graph.len(), member, coset, costs, limits);
        lower = lower.max(bound);
        let verdict = match (best, limit) {
            (Some(plan), None) => Verdict::Solved { plan, lower },
            (best, limit) => Verdict::Unknown { limit: limit.unwrap_or(Limit::Memory), lower, best },
        };
        return Outcome::new(verdict, stats);
    }
    let (most_nodes, most_bytes) = (limits.nodes, limits.bytes);
    let upper = best.as_ref().map(|plan| plan.cost);
    let verdict = loop {
        if upper.is_some_and(|upper| upper <= lower) {
            break Verdict::Solved { plan: best.expect("it has a price"), lower };
        }
        let level = phases.level(lower, &mut |effort| {
            if effort.expanded >= most_nodes {
                return Some(Limit::Nodes);
            }
            if effort.bytes > most_bytes {
                return Some(Limit::Memory);
            }
            let progress = Progress { expanded: effort.expanded, generated: effort.generated, bytes: effort.bytes, lower, upper, open: 0 };
            (effort.expanded % 256 == 255 && asks_to_stop(limits, &progress)).then_some(Limit::Time)
        });
        match level {
            Level::Plan(moves) => break Verdict::Solved { plan: plan(moves), lower },
            Level::Next(next) => lower = next,
            Level::Stopped(limit) => break Verdict::Unknown { limit, lower, best },
        }
    };
    stats.expanded = phases.effort.expanded;
    stats.generated = phases.effort.generated;
    stats.peak_bytes += phases.effort.peak;
    Outcome::new(verdict, stats)
}

/// A set of coloured vertices of which every click swaps an even number, but an odd number of them are red.
pub fn parity(tricolor: &Tricolor, colours: &Colours) -> Option<Certificate> {
    parity_of(&Coset::new(&tricolor.graph, colours.black()), colours)
}

fn parity_of(coset: &Coset, colours: &Colours) -> Option<Certificate> {
    let reds = |set: &[u64]| set.iter().zip(colours.red()).map(|(set, red)| (set & red).count_ones()).sum::<u32>();
    let wrong = coset.even.iter().filter(|set| reds(set) % 2 == 1);
    let set = list(wrong.min_by_key(|set| count(set))?);
    let claim = match set.len() {
        1 => format!("no click swaps vertex {}, which is red", set[0]),
        many => format!("every click swaps an even number of these {many} vertices, but an odd number of them are red"),
    };
    Some(Certificate { kind: "parity".to_owned(), claim, data: Map::from_iter([("vertices".to_owned(), json!(set))]) })
}

/// Black vertices that stay black for ever: all their neighbours that are not such themselves come in pairs that always
/// have different colours, because every click swaps both or none. Most often there are no such neighbours at all.
pub fn stuck(tricolor: &Tricolor, colours: &Colours) -> Option<Certificate> {
    let graph = &tricolor.graph;
    let black = |v: usize| bit(colours.black(), v);
    let mut stuck: Vec<bool> = (0..graph.len()).map(black).collect();
    let mate = mates(graph, colours);
    loop {
        let tied = |v: usize| graph.neighbours(v).iter().all(|&u| stuck[u as usize] || mate[u as usize].is_some());
        let lost: Vec<usize> = (0..graph.len()).filter(|&v| stuck[v] && !tied(v)).collect();
        if lost.is_empty() {
            break;
        }
        lost.into_iter().for_each(|v| stuck[v] = false);
    }
    let vertices: Vec<usize> = (0..graph.len()).filter(|&v| stuck[v]).collect();
    let &first = vertices.first()?;
    let near = |v: usize| graph.neighbours(v).iter().any(|&u| stuck[u as usize]);
    let pairs: Vec<[usize; 2]> = (0..graph.len()).filter_map(|v| mate[v].filter(|&u| v < u && near(v)).map(|u| [v, u])).collect();
    let claim = match (vertices.len(), pairs.is_empty()) {
        (1, true) => format!("vertex {first} is black and has no neighbour: it stays black"),
        (1, false) => format!("the neighbours of black vertex {first} are pairs that always have different colours: it stays black"),
        (many, true) => format!("{many} black vertices have no neighbours but each other: they stay black"),
        (many, false) => {
            format!("{many} black vertices have next to them only each other and pairs that always have different colours: they stay black")
        }
    };
    let data = Map::from_iter([("vertices".to_owned(), json!(vertices)), ("pairs".to_owned(), json!(pairs))]);
    Some(Certificate { kind: "stuck".to_owned(), claim, data })
}

/// Pairs of a red and a green vertex that every click swaps both or none of, where a class of such vertices has as many reds
/// as greens. A black vertex next to one of a class is next to all of it.
fn mates(graph: &Graph, colours: &Colours) -> Vec<Option<usize>> {
    let mut mate = vec![None; graph.len()];
    for (joined, class) in symmetry::twins(graph, &vec![0; graph.len()]) {
        let coloured = class.iter().map(|&v| v as usize).filter(|&v| joined && !bit(colours.black(), v));
        let (reds, greens): (Vec<usize>, Vec<usize>) = coloured.partition(|&v| bit(colours.red(), v));
        if reds.len() == greens.len() {
            for (red, green) in reds.into_iter().zip(greens) {
                (mate[red], mate[green]) = (Some(green), Some(red));
            }
        }
    }
    mate
}
