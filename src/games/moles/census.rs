//! A row of a census: what the algebra of a graph says, and the fewest and most hits that clear it with a mole in every hole.
//! That board can be cleared on every graph (Sutner).

use super::fewest::packed;
use super::field::{FieldShape, HoleField};
use super::{Moles, Wanted};
use crate::gf2::lightest::Lightest;
use crate::graph::formats;
use crate::limits::{Limit, Limits};
use crate::notation::tools::{Census, CensusLine};
use crate::notation::{Input, ReadError, Source};

/// Work that finding the fewest or the most hits of one graph may take.
const STEPS: u64 = 1 << 22;
/// Work between two looks at what was spent.
const STEP: u64 = 2048;
/// Graphs with more vertices are for `solve`.
const MOST_VERTICES: usize = 4096;

pub const CENSUS: Census<Moles> = Census {
    lines: "one graph per line, in graph6 or any one-line format",
    before: &[("n", "vertices"), ("m", "edges")],
    after: &[
        ("rank", "of the matrix A + I over GF(2)"),
        ("nullity", "there are 2^nullity solutions"),
        ("fewest", "fewest hits that clear the board with a mole in every hole"),
        ("most", "most hits that do, none of them twice"),
    ],
    options: &[],
    read: read_line,
    rest: |moles, limits| row(moles, limits).unwrap_or_else(|_| vec![String::new(); 4]),
};

fn read_line(input: &Input<'_>) -> Result<Option<CensusLine<Moles>>, ReadError> {
    let Some(graph) = formats::line_of_list(input.text)? else { return Ok(None) };
    let source = Source::new(input.text);
    if graph.is_empty() || graph.len() > MOST_VERTICES {
        let message = format!("a census takes graphs of 1 to {MOST_VERTICES} vertices, and this one has {}", graph.len());
        return Err(source.error(0, message, "take this line out").into());
    }
    let fields = vec![graph.len().to_string(), graph.edge_count().to_string()];
    let n = graph.len();
    let board =
        Moles::new(HoleField::new(FieldShape::Graph { graph, center: true }, Vec::new()), 2, vec![1; n], vec![0; n], Wanted::Fewest);
    Ok(Some(CensusLine { fields, board: Some(board) }))
}

fn row(moles: &Moles, limits: &Limits) -> Result<Vec<String>, Limit> {
    let n = moles.field.len();
    let need = vec![1; n];
    let Ok(solved) = moles.solve(&need, limits)? else { return Ok(vec![String::new(); 4]) };
    let nullity = solved.orders.len();
    // The hits that were found must clear the board.
    let mut left = need;
    solved.hits.iter().enumerate().filter(|(_, hit)| **hit == 1).for_each(|(at, _)| moles.field.toggled(at, |at| left[at] ^= 1));
    assert!(left.iter().all(|&mole| mole == 0), "hits that clear the board");
    let hits = packed(&solved.hits);
    let weight = || solved.hits.iter().map(|&hit| u64::from(hit)).sum::<u64>();
    let kernel: Vec<Vec<u64>> = solved.quiet.iter().map(|pattern| packed(pattern)).collect();
    let least = |costs: [u32; 2]| -> Result<Option<u64>, Limit> {
        if kernel.len() < nullity {
            return Ok(None);
        }
        let mut search = Lightest::with_costs(n, &hits, &kernel, &|_| costs, limits)?;
        let mut spent = 0;
        // Some hit is needed, and no vertex can be spared by more than all hits.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::families;
    use crate::random::Random;

    /// Every set of hits on random graphs, tried by the definition.
    #[test]
    fn rows_agree_with_all_sets_of_hits() {
        let mut random = Random::new(3);
        for _ in 0..40 {
            let n = 1 + random.below(9);
            let graph = families::random_connected(&mut random, n, n + 1);
            let text = crate::graph::formats::graph6::write(&graph);
            let line = read_line(&Input::new(&text, &Default::default(), &Limits::none())).expect("sound").expect("a graph");
            let board = line.board.expect("a board");
            let after = |hits: u32| {
                let toggled =
                    (0..n).filter(|at| hits >> at & 1 == 1).map(|v| graph.neighbors(v).iter().fold(1_u32 << v, |set, u| set | 1 << u));
                toggled.fold(0, |moles, set| moles ^ set)
            };
            let clearing: Vec<u32> = (0..1 << n).filter(|&hits| after(hits) == (1 << n) - 1).collect();
            let quiet = (0..1_u32 << n).filter(|&hits| after(hits) == 0).count();
            let (fewest, most) = (clearing.iter().map(|hits| hits.count_ones()).min(), clearing.iter().map(|hits| hits.count_ones()).max());
            let nullity = quiet.ilog2() as usize;
            let expected = [n - nullity, nullity, fewest.expect("Sutner") as usize, most.expect("Sutner") as usize].map(|n| n.to_string());
            assert_eq!(row(&board, &Limits::none()), Ok(expected.to_vec()), "{text}");
        }
    }
}
