//! One-player problems as puzzles: methods by name, runs, checked reports, and random boards.

use std::sync::Arc;

use serde_json::Value;

use super::{
    Checked, Choice, ChoiceError, Inside, LegalMove, MethodInfo, MoveError, Position, Puzzle, Run, SelfCheck, Shown, ShownItem, Space,
};
use crate::limits::{Limit, Limits};
use crate::notation::{Notation, OptionError, Options, shorten};
use crate::outcome::{Certificate, Outcome, Plan, Verdict, Why};
use crate::random::Random;
use crate::report::{Answer, Claim, Report, Written};
use crate::rules::{Heuristic, Problem, Rules, Solver};
use crate::scene::{Brush, Gesture, Remark, Scene};
use crate::search::explore::explore;
use crate::search::{self, Guide, Kind, Method, Optimal, Search};
use crate::verify;

/// A one-player problem as a puzzle.
pub struct OnePlayer<P: Problem> {
    problem: Arc<P>,
    start: P::State,
}

impl<P: Problem + Notation> OnePlayer<P> {
    pub fn new(problem: P) -> Self {
        OnePlayer { start: problem.start(), problem: Arc::new(problem) }
    }

    fn legal_move(&self, state: &P::State, mv: &P::Move) -> LegalMove {
        let problem = &self.problem;
        LegalMove {
            text: problem.write_move(state, mv),
            alias: problem.move_alias(state, mv),
            json: problem.move_json(state, mv),
            cost: problem.cost(state, mv),
        }
    }

    fn written(&self, moves: &[P::Move]) -> Vec<Written> {
        let mut state = self.start.clone();
        let write = |mv: &P::Move| {
            let written = Written { text: self.problem.write_move(&state, mv), json: self.problem.move_json(&state, mv) };
            self.problem.make(&mut state, mv);
            written
        };
        moves.iter().map(write).collect()
    }

    /// The moves that these texts or JSON values stand for.
    fn read_moves(&self, texts: &[Value]) -> Result<(Vec<P::Move>, P::State), MoveError> {
        let mut state = self.start.clone();
        let mut found = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            let meant = self.problem.find_move(&state, text).filter(|mv| self.problem.is_legal(&state, mv));
            let Some(mv) = meant.or_else(|| self.find_written(&state, text)) else {
                let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
                return Err(MoveError { number: at + 1, text: shorten(&text) });
            };
            self.problem.make(&mut state, &mv);
            found.push(mv);
        }
        Ok((found, state))
    }

    /// The legal move that is written so.
    fn find_written(&self, state: &P::State, text: &Value) -> Option<P::Move> {
        let mut legal = Vec::new();
        self.problem.moves(state, &mut legal);
        let written: Vec<LegalMove> = legal.iter().map(|mv| self.legal_move(state, mv)).collect();
        let meant = LegalMove::find(&written, text)?;
        let at = written.iter().position(|mv| std::ptr::eq(mv, meant))?;
        Some(legal.swap_remove(at))
    }

    fn find_heuristic(&self, method: &Method, name: Option<&str>) -> Result<Option<&'static Heuristic<P>>, ChoiceError> {
        let names = || P::HEURISTICS.iter().map(|h| format!("`{}:{}`", method.name, h.name)).collect::<Vec<_>>().join(", ");
        match (method.guided, name) {
            (false, None) => Ok(None),
            (false, Some(_)) => Err(ChoiceError {
                message: format!("`{}` takes no heuristic", method.name),
                help: format!("write `--method {}`", method.name),
            }),
            (true, Some(name)) => match P::HEURISTICS.iter().find(|h| h.name.eq_ignore_ascii_case(name)) {
                Some(heuristic) => Ok(Some(heuristic)),
                None => Err(ChoiceError {
                    message: format!("{} has no heuristic `{}`", P::NAME, shorten(name)),
                    help: format!("there is {}", names()),
                }),
            },
            (true, None) => default_heuristic::<P>().map(Some).ok_or_else(|| ChoiceError {
                message: format!("`{}` needs a heuristic, and {} has none", method.name, P::NAME),
                help: "take a method without one, such as `ucs`".to_owned(),
            }),
        }
    }

    fn find_method(&self, name: &str) -> Result<Chosen<P>, ChoiceError> {
        let alias = P::ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
        let name = alias.map_or(name, |(_, meaning)| meaning);
        if let Some(solver) = P::SOLVERS.iter().find(|solver| solver.name == name) {
            return match (solver.applies)(&self.problem, &self.start) {
                Ok(()) => Ok(Chosen::Solver(solver)),
                Err(reason) => Err(ChoiceError {
                    message: format!("`{name}` cannot solve this board: {reason}"),
                    help: "leave `--method` out to let the game choose".to_owned(),
                }),
            };
        }
        let (word, heuristic) = name.split_once(':').map_or((name, None), |(word, heuristic)| (word, Some(heuristic)));
        if P::SOLVERS.iter().any(|solver| solver.name == word) {
            return Err(ChoiceError { message: format!("`{word}` takes no heuristic"), help: format!("write `--method {word}`") });
        }
        let Some(method) = search::find(word) else {
            let own = P::SOLVERS.iter().map(|solver| solver.name);
            let known = P::ALIASES.iter().map(|(alias, _)| *alias);
            let names: Vec<&str> = own.chain(search::METHODS.iter().map(|method| method.name)).chain(known).collect();
            return Err(ChoiceError {
                message: format!("there is no method `{}`", shorten(word)),
                help: format!("the methods are {}", names.join(", ")),
            });
        };
        if let Err(reason) = method.applies(&*self.problem, &self.start) {
            return Err(ChoiceError {
                message: format!("`{}` cannot solve {}: {reason}", method.name, P::NAME),
                help: "take another method, such as `ucs`".to_owned(),
            });
        }
        Ok(Chosen::Search(method, self.find_heuristic(method, heuristic)?))
    }

    /// The game's best: its own optimal solver, or A* with its first consistent heuristic, or uniform-cost search.
    fn best_method(&self) -> Chosen<P> {
        let fits = |solver: &&Solver<P>| solver.optimal && (solver.applies)(&self.problem, &self.start).is_ok();
        if let Some(solver) = P::SOLVERS.iter().find(fits) {
            return Chosen::Solver(solver);
        }
        let heuristic = default_heuristic::<P>().filter(|heuristic| heuristic.admissible);
        let method = search::find(if heuristic.is_some() { "astar" } else { "ucs" }).expect("they are in METHODS");
        Chosen::Search(method, heuristic)
    }

    /// Checks an outcome and writes it down.
    fn report(&self, method: &str, outcome: Outcome<P::Move>, limits: &Limits) -> Result<Report, SelfCheck> {
        let fail = |fault: String| SelfCheck { method: method.to_owned(), fault };
        let replayed = |plan: &Plan<P::Move>| match verify::plan(&*self.problem, &self.start, &plan.moves) {
            Ok(cost) if cost == plan.cost => Ok(()),
            Ok(cost) => Err(fail(format!("the plan costs {cost}, not {}", plan.cost))),
            Err(fault) => Err(fail(fault)),
        };
        let mut facts = self.problem.facts(&outcome.verdict);
        facts.extend(outcome.facts);
        let (answer, verified) = match outcome.verdict {
            Verdict::Solved { plan, lower } => {
                replayed(&plan)?;
                let moves = self.written(&plan.moves);
                (Answer::Solved { cost: plan.cost, optimal: lower >= plan.cost, lower, moves }, true)
            }
            Verdict::Unsolvable(why) => {
                // A short proof is better than "I looked everywhere".
                let why = match why {
                    Why::Exhausted { .. } => self.problem.refute(&self.start).map_or(why, Why::Certificate),
                    certificate => certificate,
                };
                let limits = limits.with_nodes(verify::STATES);
                let verified = verify::refutation(&*self.problem, &self.start, &why, &limits).map_err(fail)?;
                (Answer::Unsolvable { why }, verified)
            }
            Verdict::Unknown { limit, lower, best } => {
                let upper = best.as_ref().map(|plan| plan.cost);
                best.iter().try_for_each(replayed)?;
                let moves = best.map(|plan| self.written(&plan.moves)).unwrap_or_default();
                (Answer::Unknown { limit, lower, upper, moves }, upper.is_some())
            }
        };
        let all = outcome.all.map(|plans| -> Result<Vec<Vec<Written>>, SelfCheck> {
            plans.iter().try_for_each(replayed)?;
            Ok(plans.iter().map(|plan| self.written(&plan.moves)).collect())
        });
        Ok(Report { game: P::NAME, method: method.to_owned(), answer, verified, stats: outcome.stats, facts, all: all.transpose()? })
    }
}

/// A method of this game, found by name.
enum Chosen<P: Problem> {
    Solver(&'static Solver<P>),
    Search(&'static Method, Option<&'static Heuristic<P>>),
}

impl<P: Problem> Chosen<P> {
    fn name(&self) -> String {
        match self {
            Chosen::Solver(solver) => solver.name.to_owned(),
            Chosen::Search(method, None) => method.name.to_owned(),
            Chosen::Search(method, Some(heuristic)) => format!("{}:{}", method.name, heuristic.name),
        }
    }
}

fn default_heuristic<P: Problem>() -> Option<&'static Heuristic<P>> {
    let first = |fits: fn(&&Heuristic<P>) -> bool| P::HEURISTICS.iter().find(fits);
    first(|h| h.consistent).or_else(|| first(|h| h.admissible)).or_else(|| P::HEURISTICS.first())
}

impl<P: Problem + Notation> Puzzle for OnePlayer<P> {
    fn game(&self) -> &'static str {
        P::NAME
    }

    fn position(&self) -> Position {
        let (problem, state) = (&*self.problem, &self.start);
        let mut legal = Vec::new();
        problem.moves(state, &mut legal);
        let moves: Vec<LegalMove> = legal.iter().map(|mv| self.legal_move(state, mv)).collect();
        let mut scene = problem.scene(state);
        let gesture = |(mv, written): (&P::Move, &LegalMove)| Gesture { text: written.text.clone(), clicks: problem.clicks(state, mv) };
        scene.moves = legal.iter().zip(&moves).map(gesture).collect();
        let (instance, picture) = (problem.write(state), problem.picture(state));
        Position { instance, picture, scene, moves, goal: problem.is_goal(state) }
    }

    fn after(&self, moves: &[Value]) -> Result<Box<dyn Puzzle>, MoveError> {
        let (_, start) = self.read_moves(moves)?;
        Ok(Box::new(OnePlayer { problem: Arc::clone(&self.problem), start }))
    }

    fn methods(&self) -> Vec<MethodInfo> {
        let mut infos = Vec::new();
        for solver in P::SOLVERS.iter().filter(|solver| (solver.applies)(&self.problem, &self.start).is_ok()) {
            let (name, about) = (solver.name.to_owned(), solver.about.to_owned());
            infos.push(MethodInfo { name, about, optimal: solver.optimal, memory: None, course: solver.course });
        }
        let costs = self.problem.move_costs();
        let methods = if self.problem.searchable() { search::METHODS } else { &[] };
        for method in methods {
            let variants: Vec<Option<&Heuristic<P>>> = match method.kind {
                _ if method.applies(&*self.problem, &self.start).is_err() => continue,
                Kind::AStar => P::HEURISTICS.iter().map(Some).collect(),
                _ if method.guided => default_heuristic::<P>().into_iter().map(Some).collect(),
                _ => vec![None],
            };
            for heuristic in variants {
                let optimal = match method.optimal {
                    Optimal::Always => true,
                    Optimal::EqualCosts => costs.start() == costs.end(),
                    Optimal::Admissible => heuristic.is_some_and(|heuristic| heuristic.admissible),
                    Optimal::Bounded | Optimal::Never => false,
                };
                let about = match heuristic {
                    None => method.about.to_owned(),
                    Some(heuristic) => format!("{}; {}: {}", method.about, heuristic.name, heuristic.about),
                };
                let name = Chosen::Search(method, heuristic).name();
                infos.push(MethodInfo { name, about, optimal, memory: Some(method.memory), course: false });
            }
        }
        let best = self.best_method().name();
        infos.sort_by_key(|info| (info.course, info.name != best));
        infos
    }

    fn method(&self, choice: &Choice) -> Result<String, ChoiceError> {
        Ok(choice.method.as_ref().map_or_else(|| Ok(self.best_method()), |name| self.find_method(name))?.name())
    }

    fn begin<'a>(&'a self, choice: &Choice) -> Result<Box<dyn Run + 'a>, ChoiceError> {
        let chosen = match &choice.method {
            Some(name) => self.find_method(name)?,
            None => self.best_method(),
        };
        let method = chosen.name();
        Ok(match chosen {
            Chosen::Solver(solver) => Box::new(Solving { puzzle: self, solver }),
            Chosen::Search(found, heuristic) => {
                let guide = heuristic.map_or_else(Guide::none, |heuristic| Guide::new(heuristic, &*self.problem));
                let search = search::begin(found.kind, &*self.problem, self.start.clone(), guide, choice.weight);
                let refute_after = choice.method.is_none().then_some(REFUTE_AFTER);
                Box::new(Searching { puzzle: self, method, search, refute_after })
            }
        })
    }

    fn cost(&self, moves: &[Value]) -> Result<u64, MoveError> {
        let (moves, _) = self.read_moves(moves)?;
        let mut state = self.start.clone();
        let cost = |mv: &P::Move| {
            let cost = self.problem.cost(&state, mv);
            self.problem.make(&mut state, mv);
            u64::from(cost)
        };
        Ok(moves.iter().map(cost).sum())
    }

    fn state_bytes(&self) -> usize {
        self.problem.state_bytes()
    }

    fn brushes(&self) -> &'static [Brush] {
        self.problem.brushes()
    }

    fn canvas(&self) -> Scene {
        self.problem.canvas(&self.start)
    }

    fn painted(&self, brush: &str, shapes: &[&str]) -> Option<String> {
        self.problem.brushes().iter().find(|known| known.name == brush && known.clicks == shapes.len())?;
        self.problem.painted(&self.start, brush, shapes)
    }

    fn explain(&self) -> Option<Remark> {
        self.problem.explain(&self.start)
    }

    fn show_refutation(&self, certificate: &Certificate) -> Remark {
        self.problem.show_refutation(&self.start, certificate)
    }

    fn explore(&self, limits: &Limits) -> Space {
        let problem = &*self.problem;
        let explored = explore(problem, &self.start, limits);
        let names = explored.layers.iter().map(|layer| problem.layer_name(layer.layer)).collect();
        let complete = explored.limit.is_none();
        // Symmetric images of reachable states are reachable themselves only if the start is its own image.
        let unfolded = match problem.orbit(&problem.canonical(self.start.clone())) {
            1 => complete.then(|| explored.total().unfolded),
            _ if !complete => None,
            _ => {
                let plain = explore(&Plain(Arc::clone(&self.problem)), &self.start, limits);
                plain.limit.is_none().then(|| plain.total().states)
            }
        };
        Space { explored, unfolded, names, losing: None, drawn: None }
    }

    fn exhibits(&self, most: usize) -> Option<Shown> {
        let problem = &self.problem;
        let exhibits = problem.exhibits(most)?;
        let item = |(title, state): (String, P::State)| {
            let (instance, picture, scene) = (problem.write(&state), problem.picture(&state), problem.scene(&state));
            ShownItem { title, instance, picture, scene }
        };
        Some(Shown {
            about: exhibits.about,
            count: exhibits.count,
            total: exhibits.total,
            items: exhibits.items.into_iter().map(item).collect(),
        })
    }

    fn check(&self, claim: &Claim, limits: &Limits) -> Result<Checked, String> {
        match claim {
            Claim::Plan { moves, cost: claimed, optimal, said } => {
                let (moves, _) = self.read_moves(moves).map_err(|error| error.to_string())?;
                let cost = verify::plan(&*self.problem, &self.start, &moves)?;
                if claimed.is_some_and(|claimed| claimed != u64::from(cost)) {
                    return Err(format!("the plan costs {cost}, not {}", claimed.unwrap_or_default()));
                }
                if said.get("lower").and_then(Value::as_u64).is_some_and(|lower| lower > u64::from(cost)) {
                    return Err(format!("the answer says that no plan costs less than {}, but this one costs {cost}", said["lower"]));
                }
                let facts = self.problem.facts(&Verdict::Solved { plan: Plan { moves, cost }, lower: 0 });
                if let Some((name, fact)) = facts.iter().find(|(name, fact)| said.get(*name).is_some_and(|said| said != *fact)) {
                    return Err(format!("the answer says that `{name}` is {}, but it is {fact}", said[name]));
                }
                let mut text = format!("the plan is legal, ends at a goal and costs {cost}");
                if !optimal {
                    return Ok(Checked { text, verified: true, complete: true });
                }
                let least = verify::is_least(&*self.problem, &self.start, cost, limits)?;
                text.push_str("; ");
                text.push_str(least.unwrap_or("whether one is cheaper was not decided (too many states)"));
                Ok(Checked { text, verified: true, complete: least.is_some() })
            }
            Claim::Unsolvable(why) => {
                let complete = verify::refutation(&*self.problem, &self.start, why, limits)?;
                let text = match why {
                    Why::Certificate(certificate) => format!("the certificate `{}` holds: there is no solution", certificate.kind),
                    _ if complete => "a plain search of all states found no solution either".to_owned(),
                    _ => "not decided: there are too many states for a plain search".to_owned(),
                };
                Ok(Checked { text, verified: complete, complete })
            }
            Claim::Decided { .. } => Err(format!("the answer says who wins, and {} has one player", P::NAME)),
            Claim::Unknown => {
                let text = "the answer says `unknown`: there is nothing to check".to_owned();
                Ok(Checked { text, verified: false, complete: false })
            }
        }
    }
}

/// A problem without its symmetry.
struct Plain<P: Problem>(Arc<P>);

impl<P: Problem> Rules for Plain<P> {
    type State = P::State;
    type Move = P::Move;

    fn start(&self) -> P::State {
        self.0.start()
    }

    fn moves(&self, state: &P::State, out: &mut Vec<P::Move>) {
        self.0.moves(state, out);
    }

    fn apply(&self, state: &P::State, mv: &P::Move) -> P::State {
        self.0.apply(state, mv)
    }

    fn layer(&self, state: &P::State) -> Option<u32> {
        self.0.layer(state)
    }

    fn state_bytes(&self) -> usize {
        self.0.state_bytes()
    }

    fn pack(&self, state: &P::State, out: &mut [u8]) {
        self.0.pack(state, out);
    }

    fn unpack(&self, bytes: &[u8]) -> P::State {
        self.0.unpack(bytes)
    }
}

impl<P: Problem> Problem for Plain<P> {
    fn is_goal(&self, state: &P::State) -> bool {
        self.0.is_goal(state)
    }
}

struct Solving<'a, P: Problem> {
    puzzle: &'a OnePlayer<P>,
    solver: &'static Solver<P>,
}

impl<P: Problem + Notation> Run for Solving<'_, P> {
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        let outcome = (self.solver.run)(&self.puzzle.problem, &self.puzzle.start, limits);
        self.puzzle.report(self.solver.name, outcome, limits)
    }

    fn look(&self) -> Option<Inside> {
        None
    }
}

/// Where the game chooses: states to expand before a short proof of unsolvability is looked for, which may take longer than
/// an easy search.
const REFUTE_AFTER: u64 = 10_000;

struct Searching<'a, P: Problem> {
    puzzle: &'a OnePlayer<P>,
    method: String,
    search: Box<dyn Search<P> + 'a>,
    refute_after: Option<u64>,
}

impl<P: Problem + Notation> Run for Searching<'_, P> {
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        let first = limits.with_nodes(self.refute_after.map_or(limits.nodes, |nodes| nodes.min(limits.nodes)));
        let mut verdict = self.search.run(&first);
        if first.nodes < limits.nodes && matches!(verdict, Verdict::Unknown { limit: Limit::Nodes, .. }) {
            self.refute_after = None;
            if let Some(certificate) = self.puzzle.problem.refute(&self.puzzle.start) {
                let verdict = Verdict::Unsolvable(Why::Certificate(certificate));
                let outcome = Outcome::new(verdict, self.search.stats());
                return self.puzzle.report(&self.method, outcome, limits);
            }
            verdict = self.search.run(limits);
        }
        let outcome = Outcome::new(verdict, self.search.stats());
        self.puzzle.report(&self.method, outcome, limits)
    }

    fn look(&self) -> Option<Inside> {
        let search::Look { open, closed, lower, upper, last } = self.search.look();
        let last = last.map(|state| self.puzzle.problem.write(&state));
        Some(Inside { open, closed, lower, upper, stats: self.search.stats(), last })
    }
}

/// Boards drawn before a generator gives up, and states that deciding one of them may take.
const DRAWS: usize = 1000;
const DRAW_NODES: u64 = 300_000;

pub(super) fn generate<P: Problem + Notation>(seed: u64, options: &Options) -> Result<String, OptionError> {
    let mut random = Random::new(seed);
    for _ in 0..DRAWS {
        let puzzle = OnePlayer::new(P::generate(&mut random, options)?);
        if P::GENERATES_SOLVABLE {
            return Ok(puzzle.problem.write(&puzzle.start));
        }
        let solved = puzzle.solve(&Choice::default(), &Limits::nodes(DRAW_NODES));
        if matches!(solved, Ok(Report { answer: Answer::Solved { .. }, .. })) {
            return Ok(puzzle.problem.write(&puzzle.start));
        }
    }
    Err(OptionError {
        message: format!("none of {DRAWS} random boards was solved"),
        help: "ask for a smaller or emptier board, or another seed".to_owned(),
    })
}
