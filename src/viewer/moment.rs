//! One sentence on why a search ended: the fact that proves its answer, or a statement that nothing does.

use crate::outcome::Why;
use crate::report::{Answer, Report, grouped};
use crate::search::{self, Algorithm};

/// The sentence that explains why the method ended as it did.
pub fn moment(report: &Report) -> String {
    let word = report.method.split(':').next().unwrap_or_default();
    let kind = search::find(word).map(|method| method.kind);
    match &report.answer {
        Answer::Solved { moves, .. } if moves.is_empty() => "The start is already a goal, so there is nothing to search.".to_owned(),
        Answer::Solved { cost, optimal: true, .. } => proved(kind, &grouped(u64::from(*cost))),
        Answer::Solved { cost, lower, .. } => found(kind, &grouped(u64::from(*cost)), &grouped(u64::from(*lower))),
        Answer::Unsolvable { why: Why::Exhausted { .. } } => "Nothing is left to expand, so no goal can be reached.".to_owned(),
        Answer::Unsolvable { why: Why::Certificate(certificate) } => {
            format!("A short proof shows that there is no plan: {}.", certificate.claim)
        }
        Answer::Unknown { limit, lower, upper, .. } => {
            let best = upper.map(|upper| format!(", and the best one found costs {}", grouped(u64::from(upper)))).unwrap_or_default();
            format!("Not decided because {}; every plan costs at least {}{best}.", limit.words(), grouped(u64::from(*lower)))
        }
        Answer::Decided(decided) => match decided.outcome() {
            "N" => "The first position has a move to a position that the next player loses, so the first player wins.",
            "P" => "Every move from the first position leads to a position that the next player wins, so the first player loses.",
            _ => "No move from the first position wins, but one keeps the draw, so the game is a draw.",
        }
        .to_owned(),
    }
}

/// The sentence for a plan of least cost.
fn proved(kind: Option<Algorithm>, cost: &str) -> String {
    match kind {
        Some(Algorithm::BreadthFirst | Algorithm::IterativeDeepening) => {
            format!("Every shorter sequence of moves was tried, and none reached a goal, so no plan costs less than {cost}.")
        }
        Some(Algorithm::UniformCost | Algorithm::AStar) => {
            format!("Nothing is left below {cost}: no open state can lead to a cheaper plan.")
        }
        Some(Algorithm::IdaStar) => format!("The rounds with smaller bounds found no goal, so nothing is left below {cost}."),
        Some(Algorithm::RecursiveBestFirst) => format!("The goal has the least value of all open states, so nothing is left below {cost}."),
        Some(Algorithm::Bidirectional) => format!("The two searches have met, and nothing is left below {cost} between them."),
        Some(Algorithm::Layered) => format!("All layers are done; the skipped states cannot lead to a plan below {cost}."),
        Some(Algorithm::Greedy | Algorithm::DepthFirst | Algorithm::WeightedAStar) => {
            format!("Proved only by a lower bound: the method itself does not promise the least cost, but no plan costs less than {cost}.")
        }
        None => format!("The method proves that no plan costs less than {cost}."),
    }
}

/// The sentence for a plan that may not be the best.
fn found(kind: Option<Algorithm>, cost: &str, lower: &str) -> String {
    match kind {
        Some(Algorithm::WeightedAStar) => {
            format!("A plan of cost {cost} is within the factor that the weight allows; no plan costs less than {lower}.")
        }
        Some(Algorithm::Greedy | Algorithm::DepthFirst) => {
            format!("A goal was found, and the search stops there. It is not proved that a plan of cost {cost} is the cheapest.")
        }
        Some(Algorithm::BreadthFirst | Algorithm::IterativeDeepening) => {
            format!("A plan with the fewest moves was found. Moves differ in cost, so it is not proved that {cost} is the least.")
        }
        _ => format!("A goal was found. The estimate may be too large, so it is not proved that {cost} is the least."),
    }
}
