//! Reports as text.

use std::fmt::Write;

use super::{Answer, Confirmed, DuelResult, LeastPlans, ProofSource, Report, Written, bytes, claim, count, duration, grouped};
use crate::limits::Limit;
use crate::outcome::{Certificate, Stats, Why};
use crate::rules::Score;

impl DuelResult {
    /// The result as two comment lines.
    fn text(&self, game: &str) -> String {
        let result = claim::winner_sentence(self.winner);
        let confirmed = match self.confirmed {
            Some(Confirmed::Plain) => "independently confirmed",
            Some(Confirmed::Symmetry) => "confirmed by a check that uses the game's own symmetry",
            Some(Confirmed::Parts) => "confirmed part by part",
            Some(Confirmed::Strategy) => "confirmed by a strategy that was played against every reply",
            None => "not confirmed, because there are too many positions",
        };
        let grundy = self.grundy.map(|grundy| format!(", Grundy value {grundy}")).unwrap_or_default();
        let length = match self.length {
            Some(length) => format!(", {} with best play", count(length.into(), "move")),
            None if self.endless => ", a draw by repetition".to_owned(),
            None => String::new(),
        };
        let (article, kind) = match self.score {
            Score::Win => ("an", "winning"),
            Score::Draw => ("a", "drawing"),
            Score::Loss => ("a", "winning"),
        };
        let moves = match (self.best.len(), self.all_best) {
            (0, _) if self.score == Score::Draw => "no move is left".to_owned(),
            (0, _) => "no move wins".to_owned(),
            (found, true) => count(found as u64, &format!("{kind} move")),
            (found, false) => format!("{} found; there may be more", count(found as u64, &format!("{kind} move"))),
        };
        let part = |(position, grundy): &(String, u16)| format!("\n# part: {position}: Grundy value {grundy}");
        let parts: String = self.parts.iter().map(part).collect();
        format!("# {game}: {result}; {confirmed}\n# {article} {}-position{grundy}{length}; {moves}{parts}\n", self.outcome())
    }
}

impl Report {
    /// The report as text: comments that begin with `#`, then one move per line.
    pub fn text(&self, seconds: f64) -> String {
        let mut text = String::new();
        let Stats { expanded, generated, peak_bytes, .. } = self.stats;
        let checked = |yes: &str, no: &str| if self.verified { yes.to_owned() } else { no.to_owned() };
        let mut moves: &[Written] = &[];
        let _ = match &self.answer {
            Answer::Solved { cost, optimal, lower, moves: found } => {
                moves = found;
                let worth = match (optimal, self.proof) {
                    (true, Some(ProofSource::Bound)) => "the least possible, by a lower bound".to_owned(),
                    (true, _) => "the least possible".to_owned(),
                    (false, _) => format!("not proved least; every plan costs at least {lower}"),
                };
                let moves = count(found.len() as u64, "move");
                writeln!(text, "# {}: solved, cost {cost} ({worth}), {moves}; replayed and correct", self.game)
            }
            Answer::Unsolvable { why: Why::Exhausted { states } } => {
                let checked = checked("; confirmed by a second search", "; too many to confirm by a second search");
                let states = count(*states, "state");
                writeln!(text, "# {}: there is no solution\n# why: no reachable state is a goal; {states} examined{checked}", self.game)
            }
            Answer::Unsolvable { why: Why::Certificate(certificate) } => {
                let Certificate { kind, claim, .. } = certificate;
                writeln!(text, "# {}: there is no solution\n# why: {claim}; certificate `{kind}`, checked", self.game)
            }
            Answer::Decided(decided) => {
                moves = &decided.best;
                text.push_str(&decided.text(self.game));
                Ok(())
            }
            Answer::Unknown { limit, lower, upper, moves: found } => {
                moves = found;
                let limit = limit.words();
                let _ = writeln!(text, "# {}: not decided: {limit}", self.game);
                match upper {
                    None if *lower == 0 => Ok(()),
                    Some(upper) => writeln!(text, "# every plan costs at least {lower}; the best one found costs {upper}:"),
                    None => writeln!(text, "# every plan costs at least {lower}; none was found"),
                }
            }
        };
        if let (Answer::Unsolvable { .. }, Some(limit)) = (&self.answer, self.gave_up()) {
            let _ = writeln!(text, "# proved by the certificate alone; {} gave up: {}", self.method, limit.words());
        }
        for (name, value) in &self.facts {
            let _ = writeln!(text, "# {name}: {value}");
        }
        let _ = writeln!(
            text,
            "# by {}: {} expanded, {} generated, {}, {}",
            self.method,
            count(expanded, "state"),
            grouped(generated),
            bytes(peak_bytes),
            duration(seconds)
        );
        for (number, plan) in self.all.iter().flatten().enumerate() {
            let plan: Vec<&str> = plan.iter().map(|mv| mv.text.as_str()).collect();
            let _ = writeln!(text, "# plan {} ({}): {}", number + 1, count(plan.len() as u64, "move"), plan.join(" "));
        }
        if let Some(LeastPlans { count, list, limit }) = &self.plans {
            let _ = match (count, limit) {
                (Some(count), _) => writeln!(text, "# plans: {count}"),
                (None, limit) => writeln!(text, "# plans: not counted: {}", limit.map_or("", Limit::words)),
            };
            for (number, plan) in list.iter().flatten().enumerate() {
                let plan: Vec<&str> = plan.iter().map(|mv| mv.text.as_str()).collect();
                let _ = writeln!(text, "# plan {}: {}", number + 1, plan.join("; "));
            }
            if let (Some(limit), Some(_)) = (limit, count) {
                let _ = writeln!(text, "# no more plans are listed: {}", limit.words());
            }
        }
        for mv in moves {
            let _ = writeln!(text, "{}", mv.text);
        }
        text
    }
}
