//! A census row: the rank and nullity of a graph, and the minimum and maximum number of hits that clear the board with a mole
//! in every hole. By a theorem of Sutner, that board can be cleared on every graph.

use super::fewest::packed;
use super::field::{FieldShape, HoleField};
use super::{Moles, Wanted};
use crate::gf2::lightest::Lightest;
use crate::limits::{Limit, Limits};
use crate::notation::tools::{Census, CensusLine};

/// Maximum number of work units for each of the two searches on one graph: for the minimum and for the maximum number of hits.
const STEPS: u64 = 1 << 22;
/// Number of work units per step.
const STEP: u64 = 2048;

pub const CENSUS: Census<Moles> = Census {
    lines: "one graph per line, in graph6 or any other one-line format",
    before: &[("n", "vertices"), ("m", "edges")],
    after: &[
        ("rank", "rank of the matrix A + I over GF(2)"),
        ("nullity", "there are 2^nullity solutions"),
        ("fewest", "minimum number of hits that clear the board with a mole in every hole"),
        ("most", "maximum number of hits that clear this board, at most one per hole"),
    ],
    options: &[],
    read: |input| {
        CensusLine::of_graph(input, |graph| {
            let n = graph.len();
            let field = HoleField::new(FieldShape::Graph { graph, center: true }, Vec::new());
            Some(Moles::new(field, 2, vec![1; n], vec![0; n], Wanted::Fewest))
        })
    },
    rest: |moles, limits| row(moles, limits).unwrap_or_else(|_| vec![String::new(); 4]),
};

fn row(moles: &Moles, limits: &Limits) -> Result<Vec<String>, Limit> {
    let n = moles.field.len();
    let need = vec![1; n];
    let Ok(solved) = moles.solve(&need, limits)? else { return Ok(vec![String::new(); 4]) };
    let nullity = solved.orders.len();
    // Checks that the hits clear the board.
    let mut left = need;
    solved.hits.iter().enumerate().filter(|(_, hit)| **hit == 1).for_each(|(at, _)| moles.field.toggled(at, |at| left[at] ^= 1));
    assert!(left.iter().all(|&mole| mole == 0), "the hits clear the board");
    let hits = packed(&solved.hits);
    let weight = || solved.hits.iter().map(|&hit| u64::from(hit)).sum::<u64>();
    let kernel: Vec<Vec<u64>> = solved.quiet.iter().map(|pattern| packed(pattern)).collect();
    let least = |costs: [u32; 2]| -> Result<Option<u64>, Limit> {
        if kernel.len() < nullity {
            return Ok(None);
        }
        let mut search = Lightest::with_costs(n, &hits, &kernel, &|_| costs, limits)?;
        let mut spent = 0;
        // At least one hole must be hit, but the number of holes not hit may be 0.
        let least = costs[1].min(1).into();
        while !search.done() && search.cost() > search.lower().max(least) && spent < STEPS {
            search.step_within(STEP, limits)?;
            spent += STEP;
        }
        Ok((search.done() || search.cost() <= search.lower().max(least)).then(|| search.cost()))
    };
    let (fewest, most) = match nullity {
        0 => (Some(weight()), Some(weight())),
        _ => (least([0, 1])?, least([1, 0])?.map(|spared| n as u64 - spared)),
    };
    let text = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    Ok(vec![(n - nullity).to_string(), nullity.to_string(), text(fewest), text(most)])
}
