//! Methods of one-player games by name: the game's own solvers, and the searches with its heuristics.

use super::{ChoiceError, MethodInfo};
use crate::notation::{Notation, shorten};
use crate::rules::{Heuristic, Problem, Solver};
use crate::search::{self, Kind, Method, Optimal};

/// A method of this game, found by name.
pub(super) enum Chosen<P: Problem> {
    Solver(&'static Solver<P>),
    Search(&'static Method, Option<&'static Heuristic<P>>),
}

impl<P: Problem> Chosen<P> {
    pub(super) fn name(&self) -> String {
        match self {
            Chosen::Solver(solver) => solver.name.to_owned(),
            Chosen::Search(method, None) => method.name.to_owned(),
            Chosen::Search(method, Some(heuristic)) => format!("{}:{}", method.name, heuristic.name),
        }
    }
}

fn default_heuristic<P: Problem>(problem: &P) -> Option<&'static Heuristic<P>> {
    let first = |fits: fn(&&Heuristic<P>) -> bool| problem.heuristics().iter().find(fits);
    first(|h| h.consistent).or_else(|| first(|h| h.admissible)).or_else(|| problem.heuristics().first())
}

fn find_heuristic<P: Problem + Notation>(
    problem: &P,
    method: &Method,
    name: Option<&str>,
) -> Result<Option<&'static Heuristic<P>>, ChoiceError> {
    let names = || problem.heuristics().iter().map(|h| format!("`{}:{}`", method.name, h.name)).collect::<Vec<_>>().join(", ");
    match (method.guided, name) {
        (false, None) => Ok(None),
        (false, Some(_)) => {
            Err(ChoiceError { message: format!("`{}` takes no heuristic", method.name), help: format!("write `--method {}`", method.name) })
        }
        (true, Some(name)) => match problem.heuristics().iter().find(|h| h.name.eq_ignore_ascii_case(name)) {
            Some(heuristic) => Ok(Some(heuristic)),
            None => Err(ChoiceError {
                message: format!("{} has no heuristic `{}`", problem.name(), shorten(name)),
                help: match problem.heuristics() {
                    [] => "take a method without one, such as `ucs`".to_owned(),
                    _ => format!("there is {}", names()),
                },
            }),
        },
        (true, None) => default_heuristic(problem).map(Some).ok_or_else(|| ChoiceError {
            message: format!("`{}` needs a heuristic, and {} has none", method.name, problem.name()),
            help: "take a method without one, such as `ucs`".to_owned(),
        }),
    }
}

/// The names that readers of a game know methods by: each with its method and its heuristic.
fn aliases<P: Problem>(problem: &P) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let of = |heuristic: &'static Heuristic<P>| heuristic.aliases.iter().map(|&(alias, method)| (alias, method, heuristic.name));
    problem.heuristics().iter().flat_map(of)
}

pub(super) fn find<P: Problem + Notation>(problem: &P, start: &P::State, name: &str) -> Result<Chosen<P>, ChoiceError> {
    let meant = aliases(problem).find(|(alias, ..)| alias.eq_ignore_ascii_case(name)).map(|(_, method, by)| format!("{method}:{by}"));
    let name = meant.as_deref().unwrap_or(name);
    if let Some(solver) = P::SOLVERS.iter().find(|solver| solver.name == name) {
        return match (solver.applies)(problem, start) {
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
        let known = aliases(problem).map(|(alias, ..)| alias);
        let names: Vec<&str> = own.chain(search::METHODS.iter().map(|method| method.name)).chain(known).collect();
        return Err(ChoiceError {
            message: format!("there is no method `{}`", shorten(word)),
            help: format!("the methods are {}", names.join(", ")),
        });
    };
    if let Err(reason) = method.applies(problem, start) {
        return Err(ChoiceError {
            message: format!("`{}` cannot solve {}: {reason}", method.name, problem.name()),
            help: "take another method, such as `ucs`".to_owned(),
        });
    }
    Ok(Chosen::Search(method, find_heuristic(problem, method, heuristic)?))
}

/// The game's best: its own optimal solver, or A* with its first consistent heuristic, or uniform-cost search.
pub(super) fn best<P: Problem>(problem: &P, start: &P::State) -> Chosen<P> {
    let fits = |solver: &&Solver<P>| solver.optimal && (solver.applies)(problem, start).is_ok();
    if let Some(solver) = P::SOLVERS.iter().find(fits) {
        return Chosen::Solver(solver);
    }
    let heuristic = default_heuristic(problem).filter(|heuristic| heuristic.admissible);
    let method = search::find(if heuristic.is_some() { "astar" } else { "ucs" }).expect("they are in METHODS");
    Chosen::Search(method, heuristic)
}

/// The search that takes turns with a solver, where it makes sense to search this board, and the states that it makes in a turn.
pub(super) fn beside<P: Problem + Notation>(problem: &P, start: &P::State, solver: &Solver<P>) -> Option<(Chosen<P>, u64)> {
    let (name, share) = solver.beside.filter(|_| problem.searchable())?(problem);
    find(problem, start, name).ok().map(|search| (search, share))
}

/// Does a search promise a least-cost plan on this board?
pub(super) fn promises<P: Problem>(problem: &P, method: &Method, heuristic: Option<&Heuristic<P>>) -> bool {
    match method.optimal {
        Optimal::Always => true,
        Optimal::EqualCosts => problem.move_costs().start() == problem.move_costs().end(),
        Optimal::Admissible => heuristic.is_some_and(|heuristic| heuristic.admissible),
        Optimal::Bounded | Optimal::Never => false,
    }
}

/// The ways to solve a board, the recommended one first.
pub(super) fn list<P: Problem>(problem: &P, start: &P::State) -> Vec<MethodInfo> {
    let mut infos = Vec::new();
    for solver in P::SOLVERS.iter().filter(|solver| (solver.applies)(problem, start).is_ok()) {
        let (name, about) = (solver.name.to_owned(), solver.about.to_owned());
        let promise = Some(if solver.optimal { Optimal::Always } else { Optimal::Never });
        infos.push(MethodInfo { name, about, optimal: solver.optimal, promise, memory: None, course: solver.course });
    }
    let methods = if problem.searchable() { search::METHODS } else { &[] };
    for method in methods {
        let variants: Vec<Option<&Heuristic<P>>> = match method.kind {
            _ if method.applies(problem, start).is_err() => continue,
            Kind::AStar => problem.heuristics().iter().map(Some).collect(),
            _ if method.guided => default_heuristic(problem).into_iter().map(Some).collect(),
            _ => vec![None],
        };
        for heuristic in variants {
            let optimal = promises(problem, method, heuristic);
            let about = match heuristic {
                None => method.about.to_owned(),
                Some(heuristic) => format!("{}; {}: {}", method.about, heuristic.name, heuristic.about),
            };
            let name = Chosen::Search(method, heuristic).name();
            infos.push(MethodInfo { name, about, optimal, promise: Some(method.optimal), memory: Some(method.memory), course: false });
        }
    }
    in_order(infos, &best(problem, start).name())
}

/// The best one first, those of a course last.
fn in_order(mut infos: Vec<MethodInfo>, best: &str) -> Vec<MethodInfo> {
    infos.sort_by_key(|info| (info.course, info.name != best));
    infos
}
