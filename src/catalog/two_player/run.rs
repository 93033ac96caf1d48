//! A two-player solver at work. It owns the board that it works on.
//!
//! After a limit the depth-first searches resume where they stopped; backward induction over all positions starts over.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::TwoPlayer;
use super::certificate::{File, sides};
use super::check::OutcomeChecker;
use super::trace::{self, DuelTracer};
use crate::catalog::{Inside, Run, SelfCheck, WrittenStrategy};
use crate::gamegraph::decider::{self, Decider, Grundy};
use crate::gamegraph::induction::{self, Labeled};
use crate::gamegraph::{DuelKind, DuelMethod, strategy};
use crate::limits::{Limit, Limits};
use crate::notation::Notation;
use crate::outcome::Stats;
use crate::report::{Answer, Confirmed, DuelResult, Report};
use crate::rules::{CheckError, Game, Score, is_own_image};
use crate::search::explore::Layer;
use crate::trace::Line;
use crate::verify::{self, Strategy};

/// Positions that `auto` spends on Grundy values before it asks for the winner only.
const GRUNDY_NODES: u64 = 100_000;

/// A search for Grundy values if they are wanted, and one for the score.
pub(super) struct DuelRun<G: Game> {
    puzzle: TwoPlayer<G>,
    method: &'static DuelMethod,
    score: Decider<G, Score>,
    grundy: Option<Decider<G, Grundy>>,
    /// The counts of an abandoned search for Grundy values.
    spent: Stats,
    /// The result and its counts, until they are reported.
    found: Option<Ended<G::Move>>,
    /// Lines of a trace so far.
    lines: u64,
    /// Strategies that were checked, with the score that they show.
    strategies: Option<(Score, Vec<Strategy>)>,
}

/// The result of a run, or the limit that ended it, and its counts.
type Ended<M> = (Result<Found<M>, Limit>, Stats);

/// An answer before it is checked.
struct Found<M> {
    score: Score,
    grundy: Option<Grundy>,
    length: Option<u16>,
    best: Vec<M>,
    all_best: bool,
    facts: Map<String, Value>,
}

/// The tracer of a traced run.
type Trace<'t, 'a, G> = Option<&'t mut DuelTracer<'a, G>>;

/// Questions to one search, traced or not.
struct Inquiry<'t, 'a, G: Game + Notation, V: decider::Value> {
    search: &'t mut Decider<G, V>,
    watch: Option<trace::DeciderTrace<'t, 'a, G, V>>,
}

impl<'t, 'a, G: Game + Notation, V: decider::Value> Inquiry<'t, 'a, G, V> {
    fn new(search: &'t mut Decider<G, V>, trace: Trace<'t, 'a, G>) -> Self {
        Inquiry { search, watch: trace.map(trace::DeciderTrace::new) }
    }

    fn value(&mut self, state: &G::State, limits: &Limits) -> Result<V, Limit> {
        let Some(watch) = &mut self.watch else { return self.search.value(state, limits) };
        let value = self.search.watched(state, limits, watch);
        if value.is_err() {
            watch.finish();
        }
        value
    }
}

/// Does a move to a position of this score belong to the best ones?
fn is_best(score: Score, after: Score) -> bool {
    score != Score::Loss && after.reversed() == score
}

impl<G: Game + Notation> DuelRun<G> {
    pub(super) fn new(puzzle: TwoPlayer<G>, method: &'static DuelMethod) -> Self {
        let wants_grundy = method.kind == DuelKind::Grundy || method.kind == DuelKind::Auto && puzzle.game.impartial();
        let score = Decider::new(Arc::clone(&puzzle.game));
        let grundy = wants_grundy.then(|| Decider::new(Arc::clone(&puzzle.game)));
        DuelRun { puzzle, method, score, grundy, spent: Stats::default(), found: None, lines: 0, strategies: None }
    }

    fn stats(&self) -> Stats {
        let (score, grundy) = (self.score.stats(), self.grundy.as_ref().map_or(self.spent, Decider::stats));
        Stats {
            expanded: score.expanded + grundy.expanded,
            generated: score.generated + grundy.generated,
            stored: score.stored + grundy.stored,
            peak_bytes: score.peak_bytes.max(grundy.peak_bytes),
            ..Stats::default()
        }
    }

    /// By Grundy values of the position and of all that follow.
    fn by_grundy(&mut self, limits: &Limits, trace: Trace<'_, '_, G>) -> Option<Result<Found<G::Move>, Limit>> {
        let (game, start) = (&*self.puzzle.game, &self.puzzle.start);
        let mut search = Inquiry::new(self.grundy.as_mut()?, trace);
        let nodes = if self.method.kind == DuelKind::Auto { GRUNDY_NODES.min(limits.nodes / 2) } else { limits.nodes };
        let grundy = match search.value(start, &limits.with_nodes(nodes)) {
            Err(Limit::Nodes) if self.method.kind == DuelKind::Auto => return None,
            Err(limit) => return Some(Err(limit)),
            Ok(grundy) => grundy,
        };
        let mut best = Vec::new();
        for mv in self.puzzle.moves() {
            match search.value(&game.apply(start, &mv), limits) {
                Ok(0) => best.push(mv),
                Ok(_) => {}
                Err(limit) => return Some(Err(limit)),
            }
        }
        let score = if grundy == 0 { Score::Loss } else { Score::Win };
        Some(Ok(Found { score, grundy: Some(grundy), length: None, best, all_best: true, facts: Map::new() }))
    }

    /// By the score only. A limit that is hit while further best moves are looked for does not lose the score.
    fn by_score(&mut self, limits: &Limits, trace: Trace<'_, '_, G>) -> Result<Found<G::Move>, Limit> {
        let (game, start) = (&*self.puzzle.game, &self.puzzle.start);
        let mut search = Inquiry::new(&mut self.score, trace);
        let score = search.value(start, limits)?;
        let mut found = Found { score, grundy: None, length: None, best: Vec::new(), all_best: true, facts: Map::new() };
        for mv in self.puzzle.moves().iter().filter(|_| score != Score::Loss) {
            match search.value(&game.apply(start, mv), limits) {
                Ok(after) if is_best(score, after) => found.best.push(mv.clone()),
                Ok(_) => {}
                Err(_) => {
                    found.all_best = false;
                    // With nodes spent, what is known already can still be looked up; with the time over, not even that.
                    if limits.check().is_err() {
                        break;
                    }
                }
            }
        }
        Ok(found)
    }

    fn by_induction(&self, labeled: &Labeled<'_, G>, limits: &Limits) -> Result<Found<G::Move>, Limit> {
        let (game, start) = (&*self.puzzle.game, &self.puzzle.start);
        let worth = labeled.worth(start);
        let mut best = Vec::new();
        for mv in self.puzzle.moves() {
            limits.check()?;
            if is_best(worth.score, labeled.worth(&game.apply(start, &mv)).score) {
                best.push(mv);
            }
        }
        let mut facts = Map::from_iter([("positions".to_owned(), json!(labeled.layers.iter().map(|layer| layer.len()).sum::<usize>()))]);
        if is_own_image(game, start) {
            let Layer { unfolded: boards, dead_ends: over, losing, drawn, .. } =
                labeled.counts(limits)?.iter().fold(Layer::default(), Layer::plus);
            let mut named = vec![("boards", boards), ("boards_over", over), ("boards_P", losing)];
            // Most games have no draws.
            named.extend((drawn > 0).then_some(("boards_D", drawn)));
            facts.extend(named.into_iter().filter(|(_, sum)| *sum < u64::MAX).map(|(name, sum)| (name.to_owned(), json!(sum))));
        }
        let grundy = game.impartial().then_some(worth.grundy);
        Ok(Found { score: worth.score, grundy, length: Some(worth.length), best, all_best: true, facts })
    }

    /// Decides by the method, without a check.
    fn decide(&mut self, limits: &Limits, mut trace: Trace<'_, '_, G>) -> (Result<Found<G::Move>, Limit>, Stats) {
        if self.method.kind == DuelKind::Induction {
            let (game, start) = (&*self.puzzle.game, &self.puzzle.start);
            let labeled = match &mut trace {
                None => induction::label(game, start, true, limits),
                Some(tracer) => induction::watched(game, start, true, limits, Some(&mut |position| tracer.labeled(position))),
            };
            return match labeled {
                // The positions shown count.
                Err(limit) => (Err(limit), Stats { expanded: trace.map_or(0, |tracer| tracer.lines), ..Stats::default() }),
                Ok(labeled) => {
                    let stored = labeled.layers.iter().map(|layer| layer.len() as u64).sum();
                    let (expanded, generated, peak_bytes) = (labeled.expanded, labeled.generated, labeled.bytes);
                    (self.by_induction(&labeled, limits), Stats { expanded, generated, reopened: 0, stored, peak_bytes })
                }
            };
        }
        let found = match self.by_grundy(limits, trace.as_deref_mut()) {
            Some(found) => found,
            None => {
                if let Some(grundy) = self.grundy.take() {
                    self.spent = grundy.stats();
                }
                self.by_score(&limits.with_nodes(limits.nodes.saturating_sub(self.spent.expanded)), trace)
            }
        };
        (found, self.stats())
    }

    fn unknown(&self, limit: Limit, stats: Stats) -> Report {
        let answer = Answer::Unknown { limit, lower: 0, upper: None, moves: Vec::new() };
        let (method, facts) = (self.method.name.to_owned(), (G::FACTS.of)(&self.puzzle.game));
        Report { game: self.puzzle.game.name(), method, answer, proof: None, verified: false, stats, facts, all: None }
    }

    fn settle(&mut self, found: Result<Found<G::Move>, Limit>, stats: Stats, limits: &Limits) -> Result<Report, SelfCheck> {
        match found {
            Ok(found) => self.report(found, stats, limits),
            Err(limit) => Ok(self.unknown(limit, stats)),
        }
    }

    /// Finds the strategies that show a score, and checks them; `limits.nodes` is how many positions they may have.
    fn strategy(&mut self, score: Score, limits: &Limits) -> Result<Result<(), Limit>, SelfCheck> {
        if self.strategies.as_ref().is_some_and(|(known, _)| *known == score) {
            return Ok(Ok(()));
        }
        let (game, start) = (&*self.puzzle.game, &self.puzzle.start);
        let mut checked = Vec::new();
        for &side in sides(score) {
            let strategy = match strategy::find(game, start, side, &mut self.score, limits) {
                Ok(strategy) => strategy,
                Err(limit) => return Ok(Err(limit)),
            };
            match verify::strategy(game, start, &strategy, limits) {
                Ok(_) => checked.push(strategy),
                Err(CheckError::Stopped(limit)) => return Ok(Err(limit)),
                Err(CheckError::Wrong(fault)) => return Err(SelfCheck { method: self.method.name.to_owned(), fault }),
            }
        }
        self.strategies = Some((score, checked));
        Ok(Ok(()))
    }

    /// Checks an answer like one from outside.
    fn report(&mut self, found: Found<G::Move>, stats: Stats, limits: &Limits) -> Result<Report, SelfCheck> {
        let method = self.method.name.to_owned();
        let best: Vec<_> = found.best.iter().map(|mv| self.puzzle.written(mv)).collect();
        let said = json!({
            "outcome": found.score.outcome(), "grundy": found.grundy, "all_best": found.all_best,
            "best": best.iter().map(|mv| mv.json.clone()).collect::<Value>(),
        });
        let mut said = said.as_object().cloned().unwrap_or_default();
        said.extend(found.length.map(|length| ("length".to_owned(), json!(length))));
        let confirmed = OutcomeChecker::new(&self.puzzle).confirm(&said, &limits.with_nodes(G::INFO.verified_states));
        let mut confirmed = confirmed.map_err(|fault| SelfCheck { method: method.clone(), fault })?.how;
        if confirmed.is_none() && self.strategy(found.score, &limits.with_nodes(G::INFO.verified_states))?.is_ok() {
            confirmed = Some(Confirmed::Strategy);
        }
        let Found { score, grundy, length, all_best, .. } = found;
        let decided = DuelResult { winner: self.puzzle.winner(score), score, grundy, length, best, all_best, confirmed };
        let mut facts = (G::FACTS.of)(&self.puzzle.game);
        facts.extend(found.facts);
        let verified = confirmed.is_some();
        Ok(Report {
            game: self.puzzle.game.name(),
            method,
            answer: Answer::Decided(decided),
            proof: None,
            verified,
            stats,
            facts,
            all: None,
        })
    }
}

impl<G: Game + Notation> Run for DuelRun<G> {
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        let (found, stats) = self.found.take().unwrap_or_else(|| self.decide(limits, None));
        self.settle(found, stats, limits)
    }

    fn work(&mut self, limits: &Limits) {
        self.found = Some(self.decide(limits, None));
    }

    fn trace(&mut self, states: bool, limits: &Limits, emit: &mut dyn FnMut(Line)) -> Result<Report, SelfCheck> {
        let mut tracer = DuelTracer::new(Arc::clone(&self.puzzle.game), states, self.lines, emit);
        let (found, stats) = self.decide(limits, Some(&mut tracer));
        self.lines = tracer.lines;
        self.settle(found, stats, limits)
    }

    fn certificate(&mut self, limits: &Limits) -> Option<WrittenStrategy> {
        let (game, start) = (Arc::clone(&self.puzzle.game), self.puzzle.start.clone());
        let score = match self.score.value(&start, limits) {
            Ok(score) => score,
            Err(limit) => return Some(Ok(Err(limit))),
        };
        match self.strategy(score, limits) {
            Ok(Ok(())) => {}
            Ok(Err(limit)) => return Some(Ok(Err(limit))),
            Err(fault) => return Some(Err(fault)),
        }
        let (_, strategies) = self.strategies.take()?;
        let (board, data) = (game.write(&start), (G::OUTLINE.data)(&game, &start));
        Some(Ok(Ok(File { game: game.name().to_owned(), board, data, score, strategies }.write())))
    }

    fn resumes(&self) -> bool {
        self.method.kind != DuelKind::Induction
    }

    fn look(&self) -> Option<Inside> {
        None
    }
}
