//! A two-player solver in progress. It owns its board.
//!
//! After a limit, searches resume where they stopped, but backward induction and retrograde analysis of all positions start over.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::TwoPlayer;
use super::certificate::{File, sides};
use super::check::OutcomeChecker;
use super::trace::{self, DuelTracer};
use crate::catalog::{Run, SelfCheck, TraceSink, WrittenStrategy};
use crate::gamegraph::decider::{self, Decider, Grundy};
use crate::gamegraph::induction;
use crate::gamegraph::labels::Labels;
use crate::gamegraph::order::Order;
use crate::gamegraph::retrograde::{self, Retrograde};
use crate::gamegraph::sum::{Adder, Watch};
use crate::gamegraph::tree::{self, Proved, Range, TreeSearch};
use crate::gamegraph::{DuelKind, DuelMethod, strategy};
use crate::limits::{Limit, Limits};
use crate::notation::Notation;
use crate::outcome::Stats;
use crate::report::{Answer, Confirmed, DuelResult, Report, claim};
use crate::rules::{CheckError, Game, Score, is_own_image};
use crate::search::explore::Layer;
use crate::verify::{self, Strategy};

/// Number of positions that `auto` searches for Grundy values before it searches for the winner only.
const GRUNDY_NODES: u64 = 100_000;

/// Runs a search for Grundy values, if they are wanted, and a search for the score.
pub(super) struct DuelRun<G: Game> {
    puzzle: TwoPlayer<G>,
    method: &'static DuelMethod,
    score: Decider<G, Score>,
    grundy: Option<Decider<G, Grundy>>,
    /// The search of a method of the minimax family.
    tree: Option<Box<dyn TreeSearch<G> + Send>>,
    /// True if positions can repeat, so that retrograde analysis replaces the searches.
    repeats: bool,
    /// The results of retrograde analysis, for strategies, if positions can repeat.
    analyzed: Option<Retrograde<G>>,
    /// The search of a game whose positions split; it takes the place of both.
    sum: Option<Adder<G>>,
    /// The counts of an abandoned search for Grundy values.
    spent: Stats,
    /// The result and its counts, until they are reported.
    found: Option<Ended>,
    /// Number of trace lines so far.
    lines: u64,
    /// Checked strategies, with the score that they prove.
    strategies: Option<(Score, Vec<Strategy>)>,
}

/// The result of a run, or the limit that ended it, and its counts.
type Ended = (Result<Found, Limit>, Stats);

/// An unchecked answer, and the counts of positions that only induction provides.
type Found = (DuelResult, Map<String, Value>);

/// The tracer of a traced run.
type Trace<'t, 'a, G> = Option<&'t mut DuelTracer<'a, G>>;

/// One search, traced or not.
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

/// True if a move to a position with this score is one of the best.
fn is_best(score: Score, after: Score) -> bool {
    score != Score::Loss && after.reversed() == score
}

impl<G: Game + Notation> DuelRun<G> {
    pub(super) fn new(puzzle: TwoPlayer<G>, method: &'static DuelMethod, order: Order) -> Self {
        let repeats = puzzle.game.repeats();
        let wants_grundy = method.kind == DuelKind::Grundy || method.kind == DuelKind::Auto && puzzle.game.impartial();
        let score = Decider::new(Arc::clone(&puzzle.game));
        let grundy = wants_grundy.then(|| Decider::new(Arc::clone(&puzzle.game)));
        let tree = tree::begin(method.kind, Arc::clone(&puzzle.game), puzzle.start.clone(), order);
        let sum = Adder::new(&puzzle.game).filter(|_| matches!(method.kind, DuelKind::Auto | DuelKind::Winner | DuelKind::Grundy));
        let (analyzed, spent) = (None, Stats::default());
        DuelRun { puzzle, method, score, grundy, tree, sum, repeats, analyzed, spent, found: None, lines: 0, strategies: None }
    }

    fn stats(&self) -> Stats {
        self.score.stats().plus(self.grundy.as_ref().map_or(self.spent, Decider::stats))
    }

    /// Decides by the Grundy values of the position and its successors. `None` if computing them would exceed the node budget of
    /// `auto`.
    fn by_grundy(&mut self, limits: &Limits, trace: Trace<'_, '_, G>) -> Option<Result<Found, Limit>> {
        let (puzzle, auto) = (&self.puzzle, self.method.kind == DuelKind::Auto);
        let mut search = Inquiry::new(self.grundy.as_mut()?, trace);
        let nodes = if auto { GRUNDY_NODES.min(limits.nodes / 2) } else { limits.nodes };
        let grundy = match search.value(&puzzle.start, &limits.with_nodes(nodes)) {
            Err(Limit::Nodes) if auto => return None,
            Err(limit) => return Some(Err(limit)),
            Ok(grundy) => grundy,
        };
        let mut result = puzzle.result(if grundy == 0 { Score::Loss } else { Score::Win }, Some(grundy), None);
        for mv in puzzle.moves() {
            match search.value(&puzzle.game.apply(&puzzle.start, &mv), limits) {
                Ok(0) => result.best.push(puzzle.written(&mv)),
                Ok(_) => {}
                Err(limit) => return Some(Err(limit)),
            }
        }
        Some(Ok((result, Map::new())))
    }

    /// Decides by the values of parts. If a limit is hit while other best moves are being searched, the winner is kept.
    fn by_sum(&self, sum: &mut Adder<G>, limits: &Limits, watch: &mut impl Watch<G>) -> Result<Found, Limit> {
        let (puzzle, kind) = (&self.puzzle, self.method.kind);
        let few = limits.with_nodes(if kind == DuelKind::Auto { GRUNDY_NODES.min(limits.nodes / 2) } else { limits.nodes });
        let grundy = match kind {
            DuelKind::Winner => None,
            _ => match sum.value(&puzzle.start, &few, watch) {
                Err(Limit::Nodes) if kind == DuelKind::Auto => None,
                Err(limit) => return Err(limit),
                Ok(grundy) => Some(grundy),
            },
        };
        let is_lost = grundy.map_or_else(|| sum.is_lost(&puzzle.start, limits, watch), |grundy| Ok(grundy == 0))?;
        let mut result = puzzle.result(if is_lost { Score::Loss } else { Score::Win }, grundy, None);
        if grundy.is_some() {
            let parts = sum.parts(&puzzle.start, limits, watch)?;
            result.parts = parts.iter().filter(|_| parts.len() > 1).map(|(part, value)| (puzzle.game.line(part), *value)).collect();
        }
        for mv in puzzle.moves().iter().filter(|_| !is_lost) {
            match sum.is_lost(&puzzle.game.apply(&puzzle.start, mv), limits, watch) {
                Ok(true) => result.best.push(puzzle.written(mv)),
                Ok(false) => {}
                Err(_) => {
                    result.all_best = false;
                    if limits.check().is_err() {
                        break;
                    }
                }
            }
        }
        Ok((result, Map::new()))
    }

    /// Decides by the score only. If a limit is hit while other best moves are being searched, the score is kept.
    fn by_score(&mut self, limits: &Limits, trace: Trace<'_, '_, G>) -> Result<Found, Limit> {
        let puzzle = &self.puzzle;
        let mut search = Inquiry::new(&mut self.score, trace);
        let score = search.value(&puzzle.start, limits)?;
        let mut result = puzzle.result(score, None, None);
        for mv in puzzle.moves().iter().filter(|_| score != Score::Loss) {
            match search.value(&puzzle.game.apply(&puzzle.start, mv), limits) {
                Ok(after) if is_best(score, after) => result.best.push(puzzle.written(mv)),
                Ok(_) => {}
                Err(_) => {
                    result.all_best = false;
                    // After the node limit, known positions can still be looked up. After the time limit, the loop ends.
                    if limits.check().is_err() {
                        break;
                    }
                }
            }
        }
        Ok((result, Map::new()))
    }

    /// Decides by a method of the minimax family.
    fn by_tree(&self, tree: &mut dyn TreeSearch<G>, limits: &Limits, trace: Trace<'_, '_, G>) -> Result<Found, Limit> {
        let proved = match trace {
            None => tree.solve(limits, None),
            Some(tracer) => tree.solve(limits, Some(&mut |visit| tracer.visited(visit))),
        };
        let Proved { score, length, best, all_best } = proved?;
        let best = best.iter().map(|mv| self.puzzle.written(mv)).collect();
        Ok((DuelResult { best, all_best, ..self.puzzle.result(score, None, length) }, Map::new()))
    }

    /// The bounds on the outcome that were proved before a limit was reached.
    fn bounds(&self) -> Map<String, Value> {
        let Range { at_least, at_most } = self.tree.as_ref().map_or(Range::ALL, |tree| tree.range());
        let bounds = [("at_least", at_least, Score::Loss), ("at_most", at_most, Score::Win)];
        let proved = bounds.into_iter().filter(|(_, score, trivial)| score != trivial);
        proved.map(|(name, score, _)| (name.to_owned(), json!(score.outcome()))).collect()
    }

    fn by_labels(&self, labeled: &Labels<'_, G>, limits: &Limits) -> Result<Found, Limit> {
        let (puzzle, game) = (&self.puzzle, &*self.puzzle.game);
        let worth = labeled.worth(&puzzle.start);
        let mut result = puzzle.result(worth.score, labeled.grundy(game, worth), worth.moves());
        result.endless = worth.moves().is_none();
        for mv in puzzle.moves() {
            limits.check()?;
            if is_best(worth.score, labeled.worth(&game.apply(&puzzle.start, &mv)).score) {
                result.best.push(puzzle.written(&mv));
            }
        }
        let mut facts = Map::from_iter([("positions".to_owned(), json!(labeled.total()))]);
        if is_own_image(game, &puzzle.start) {
            let Layer { unfolded: boards, dead_ends: over, losing, drawn, .. } =
                labeled.counts(limits)?.iter().fold(Layer::default(), Layer::plus);
            let mut named = vec![("boards", boards), ("boards_over", over), ("boards_P", losing)];
            // Most games have no draws, so zero is not reported.
            named.extend((drawn > 0).then_some(("boards_D", drawn)));
            facts.extend(named.into_iter().filter(|(_, sum)| *sum < u64::MAX).map(|(name, sum)| (name.to_owned(), json!(sum))));
        }
        Ok((result, facts))
    }

    /// Decides by retrograde analysis.
    fn analyze(&mut self, limits: &Limits, mut trace: Trace<'_, '_, G>) -> Ended {
        let (game, start) = (&self.puzzle.game, &self.puzzle.start);
        let analyzed = match &mut trace {
            None => retrograde::analyze(game, start, true, limits),
            Some(tracer) => retrograde::watched(game, start, true, limits, Some(&mut |position| tracer.labeled(position, false))),
        };
        let labeled = match analyzed {
            Err(limit) => return (Err(limit), Stats { expanded: trace.map_or(0, |tracer| tracer.lines), ..Stats::default() }),
            Ok(analyzed) => Labels::Retrograde(analyzed),
        };
        let ended = (self.by_labels(&labeled, limits), labeled.stats());
        if let (true, Labels::Retrograde(analyzed)) = (self.repeats, labeled) {
            self.analyzed = Some(analyzed);
        }
        ended
    }

    /// Decides by the chosen method, without checking the result.
    fn decide(&mut self, limits: &Limits, mut trace: Trace<'_, '_, G>) -> Ended {
        if self.repeats || self.method.kind == DuelKind::Retrograde {
            return self.analyze(limits, trace);
        }
        if self.method.kind == DuelKind::Induction {
            let (game, start) = (&*self.puzzle.game, &self.puzzle.start);
            let labeled = match &mut trace {
                None => induction::label(game, start, true, limits),
                Some(tracer) => induction::watched(game, start, true, limits, Some(&mut |position| tracer.labeled(position, true))),
            };
            return match labeled {
                // Only the trace knows how many positions were labeled before the limit.
                Err(limit) => (Err(limit), Stats { expanded: trace.map_or(0, |tracer| tracer.lines), ..Stats::default() }),
                Ok(labeled) => {
                    let labeled = Labels::Layered(labeled);
                    (self.by_labels(&labeled, limits), labeled.stats())
                }
            };
        }
        if let Some(mut tree) = self.tree.take() {
            let found = self.by_tree(&mut *tree, limits, trace);
            let stats = tree.stats();
            self.tree = Some(tree);
            return (found, stats);
        }
        // The first condition is constant, so the program has this code only for games with parts.
        if G::PARTS.is_some()
            && let Some(mut sum) = self.sum.take()
        {
            let found = match trace {
                None => self.by_sum(&mut sum, limits, &mut ()),
                Some(tracer) => {
                    let mut watch = trace::SumTrace::new(tracer);
                    let found = self.by_sum(&mut sum, limits, &mut watch);
                    watch.finish();
                    found
                }
            };
            let stats = sum.stats();
            self.sum = Some(sum);
            return (found, stats);
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

    /// Finds and checks the strategies that prove a score. `limits.nodes` is the maximum number of positions in them.
    fn strategy(&mut self, score: Score, limits: &Limits) -> Result<(), CheckError> {
        if self.strategies.as_ref().is_some_and(|(known, _)| *known == score) {
            return Ok(());
        }
        let (game, start) = (&*self.puzzle.game, &self.puzzle.start);
        let mut checked = Vec::new();
        for &side in sides(score) {
            let strategy = match &mut self.analyzed {
                Some(analyzed) => strategy::find(game, start, side, analyzed, limits)?,
                None => strategy::find(game, start, side, &mut self.score, limits)?,
            };
            verify::strategy(game, start, &strategy, limits)?;
            checked.push(strategy);
        }
        self.strategies = Some((score, checked));
        Ok(())
    }

    /// The certificate of a strategy that proves who wins.
    fn write_certificate(&mut self, limits: &Limits) -> Result<String, CheckError> {
        if self.repeats && self.analyzed.is_none() {
            self.analyzed = Some(retrograde::analyze(&self.puzzle.game, &self.puzzle.start, true, limits)?);
        }
        let score = match &self.analyzed {
            Some(analyzed) => analyzed.worth(&self.puzzle.start).score,
            None => self.score.value(&self.puzzle.start, limits)?,
        };
        self.strategy(score, limits)?;
        let (_, strategies) = self.strategies.take().expect("they were just found");
        let (game, start) = (&*self.puzzle.game, &self.puzzle.start);
        let (board, data) = (game.write(start), (G::OUTLINE.data)(game, start));
        Ok(File { game: game.name().to_owned(), board, data, score, strategies }.write())
    }

    fn self_check(&self, fault: String) -> SelfCheck {
        SelfCheck { method: self.method.name.to_owned(), fault }
    }

    /// Checks an answer as if it came from outside.
    fn confirm(&mut self, result: &DuelResult, limits: &Limits) -> Result<Option<Confirmed>, SelfCheck> {
        let best: Value = result.best.iter().map(|mv| mv.json.clone()).collect();
        let said = json!({"outcome": result.outcome(), "grundy": result.grundy, "all_best": result.all_best, "best": best});
        let mut said = said.as_object().cloned().unwrap_or_default();
        if result.length.is_some() || result.endless {
            said.insert("length".to_owned(), json!(result.length));
        }
        said.extend((!result.parts.is_empty()).then(|| (claim::PARTS.to_owned(), claim::parts(&result.parts))));
        let limits = limits.with_nodes(G::INFO.verified_states);
        let confirmed = OutcomeChecker::new(&self.puzzle).confirm(&said, &limits).map_err(|fault| self.self_check(fault))?.how;
        if confirmed.is_some() {
            return Ok(confirmed);
        }
        match self.strategy(result.score, &limits) {
            Ok(()) => Ok(Some(Confirmed::Strategy)),
            Err(CheckError::Stopped(_)) => Ok(None),
            Err(CheckError::Wrong(fault)) => Err(self.self_check(fault)),
        }
    }
}

impl<G: Game + Notation> Run for DuelRun<G> {
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        if self.found.is_none() {
            self.work(limits);
        }
        let (found, stats) = self.found.take().expect("the method has run");
        let mut facts = (G::FACTS.of)(&self.puzzle.game);
        let (game, method) = (self.puzzle.game.name(), self.method.name);
        let (mut result, counts) = match found {
            Err(limit) => {
                facts.extend(self.bounds());
                return Ok(Report { stats, facts, ..Report::unknown(game, method, limit) });
            }
            Ok(found) => found,
        };
        result.confirmed = self.confirm(&result, limits)?;
        facts.extend(counts);
        let (method, verified) = (method.to_owned(), result.confirmed.is_some());
        Ok(Report { game, method, answer: Answer::Decided(result), proof: None, verified, stats, facts, all: None, plans: None })
    }

    fn solve(&mut self, limits: &Limits, trace: Option<TraceSink<'_>>) {
        self.found = Some(match trace {
            None => self.decide(limits, None),
            Some(sink) => {
                let mut tracer = DuelTracer::new(Arc::clone(&self.puzzle.game), sink, self.lines);
                let ended = self.decide(limits, Some(&mut tracer));
                self.lines = tracer.lines;
                ended
            }
        });
    }

    fn certificate(&mut self, limits: &Limits) -> Option<WrittenStrategy> {
        Some(match self.write_certificate(limits) {
            Ok(text) => Ok(Ok(text)),
            Err(CheckError::Stopped(limit)) => Ok(Err(limit)),
            Err(CheckError::Wrong(fault)) => Err(self.self_check(fault)),
        })
    }

    fn resumes(&self) -> bool {
        !self.repeats && !matches!(self.method.kind, DuelKind::Induction | DuelKind::Retrograde)
    }
}
