//! The methods of a one-player game, by name: its own solvers, and the searches with its heuristics. Choosing a method requires
//! only facts about the board, so this code is compiled once and not for every game.

use super::MethodInfo;
use super::one_player::Erased;
use crate::notation::{Fault, shorten};
use crate::outcome::AnswerField;
use crate::rules::{Heuristic, Problem, Solver};
use crate::search::{self, Algorithm, METHODS, Method, Optimal};
use crate::sort;

/// A method for a board, found by name.
#[derive(Clone, Copy)]
pub(super) enum ChosenMethod {
    /// A solver of the game, by its index in [`Problem::SOLVERS`].
    Solver(usize),
    /// A search, and the index of its heuristic in [`Problem::heuristics`].
    Search(&'static Method, Option<usize>),
}

/// Facts about a board that determine which methods apply and how answers are checked.
pub(super) struct Menu {
    pub(super) game: &'static str,
    pub(super) solvers: Vec<SolverFacts>,
    pub(super) heuristics: Vec<HeuristicFacts>,
    /// True if it makes sense to search this board.
    pub(super) searchable: bool,
    pub(super) equal_costs: bool,
    /// Facts that only this game reports.
    pub(super) fact_fields: &'static [AnswerField],
    /// The field names that a certificate's data can have.
    pub(super) certificate_data: &'static [&'static str],
    /// The number of states that a plain search may store to confirm an answer.
    pub(super) verified_states: u64,
}

pub(super) struct SolverFacts {
    name: &'static str,
    about: &'static str,
    optimal: bool,
    course: bool,
}

impl SolverFacts {
    pub(super) fn of<P: Problem>(solver: &Solver<P>) -> SolverFacts {
        let Solver { name, about, optimal, course, .. } = *solver;
        SolverFacts { name, about, optimal, course }
    }
}

pub(super) struct HeuristicFacts {
    pub(super) name: &'static str,
    about: &'static str,
    admissible: bool,
    pub(super) consistent: bool,
    aliases: &'static [(&'static str, &'static str)],
}

impl HeuristicFacts {
    pub(super) fn of<P: Problem>(heuristic: &Heuristic<P>) -> HeuristicFacts {
        let Heuristic { name, about, admissible, consistent, aliases, .. } = *heuristic;
        HeuristicFacts { name, about, admissible, consistent, aliases }
    }
}

fn default_heuristic(heuristics: &[HeuristicFacts]) -> Option<usize> {
    let first = |fits: fn(&HeuristicFacts) -> bool| heuristics.iter().position(fits);
    first(|h| h.consistent).or_else(|| first(|h| h.admissible)).or_else(|| first(|_| true))
}

/// The full name of a method, such as `astar:relaxed`.
pub(super) fn name(board: &dyn Erased, method: ChosenMethod) -> String {
    match method {
        ChosenMethod::Solver(at) => board.menu().solvers[at].name.to_owned(),
        ChosenMethod::Search(method, None) => method.name.to_owned(),
        ChosenMethod::Search(method, Some(at)) => format!("{}:{}", method.name, board.menu().heuristics[at].name),
    }
}

pub(super) fn find(board: &dyn Erased, name: &str) -> Result<ChosenMethod, Fault> {
    let Menu { game, solvers, heuristics, .. } = board.menu();
    // The game's aliases for methods, each with its method and heuristic.
    let aliases = || heuristics.iter().flat_map(|h| h.aliases.iter().map(|&(alias, method)| (alias, method, h.name)));
    let meant = aliases().find(|(alias, ..)| alias.eq_ignore_ascii_case(name)).map(|(_, method, by)| format!("{method}:{by}"));
    let name = meant.as_deref().unwrap_or(name);
    let solver = |name: &str| solvers.iter().position(|solver| solver.name == name);
    if let Some(at) = solver(name) {
        return board
            .solver_applies(at)
            .map(|()| ChosenMethod::Solver(at))
            .map_err(|reason| Fault::new(format!("`{name}` cannot solve this board: {reason}"), "omit `--method` to let the game choose"));
    }
    let takes_none = |word: &str| Fault::new(format!("`{word}` takes no heuristic"), format!("write `--method {word}`"));
    let (word, heuristic) = name.split_once(':').map_or((name, None), |(word, heuristic)| (word, Some(heuristic)));
    if solver(word).is_some() {
        return Err(takes_none(word));
    }
    let Some(method) = search::find(word) else {
        let own = solvers.iter().map(|solver| solver.name);
        let names: Vec<&str> = own.chain(METHODS.iter().map(|method| method.name)).chain(aliases().map(|(alias, ..)| alias)).collect();
        return Err(Fault::new(format!("unknown method `{}`", shorten(word)), format!("the methods are {}", names.join(", "))));
    };
    board.search_applies(method).map_err(|reason| {
        let message = format!("`{}` cannot solve {game}: {reason}", method.name);
        Fault::new(message, "use another method, such as `ucs`")
    })?;
    const WITHOUT: &str = "use a method without one, such as `ucs`";
    let by = match (method.guided, heuristic) {
        (false, None) => None,
        (false, Some(_)) => return Err(takes_none(method.name)),
        (true, Some(name)) => Some(heuristics.iter().position(|h| h.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
            let names: Vec<String> = heuristics.iter().map(|h| format!("`{}:{}`", method.name, h.name)).collect();
            let help = if names.is_empty() { WITHOUT.to_owned() } else { format!("the heuristics are {}", names.join(", ")) };
            Fault::new(format!("{game} has no heuristic `{}`", shorten(name)), help)
        })?),
        (true, None) => Some(
            default_heuristic(&heuristics)
                .ok_or_else(|| Fault::new(format!("`{}` needs a heuristic, and {game} has none", method.name), WITHOUT))?,
        ),
    };
    Ok(ChosenMethod::Search(method, by))
}

/// The game's best method: its own optimal solver, or A* with its first consistent heuristic, or uniform-cost search.
pub(super) fn best(board: &dyn Erased) -> ChosenMethod {
    let fits = |(at, solver): (usize, &SolverFacts)| (solver.optimal && board.solver_applies(at).is_ok()).then_some(at);
    let Menu { solvers, heuristics, .. } = board.menu();
    if let Some(at) = solvers.iter().enumerate().find_map(fits) {
        return ChosenMethod::Solver(at);
    }
    let heuristic = default_heuristic(&heuristics).filter(|&at| heuristics[at].admissible);
    let method = search::find(if heuristic.is_some() { "astar" } else { "ucs" }).expect("they are in METHODS");
    ChosenMethod::Search(method, heuristic)
}

/// The search that alternates with a solver, if it makes sense to search this board, and the number of states it generates per turn.
pub(super) fn beside(board: &dyn Erased, solver: usize) -> Option<(ChosenMethod, u64)> {
    let (name, share) = board.beside(solver).filter(|_| board.menu().searchable)?;
    find(board, name).ok().map(|search| (search, share))
}

/// True if a search promises a least-cost plan on this board.
pub(super) fn promises(board: &dyn Erased, method: &Method, heuristic: Option<usize>) -> bool {
    match method.optimal {
        Optimal::Always => true,
        Optimal::EqualCosts => board.menu().equal_costs,
        Optimal::Admissible => heuristic.is_some_and(|at| board.menu().heuristics[at].admissible),
        Optimal::Bounded | Optimal::Never => false,
    }
}

/// The methods for a board. The recommended method is first; the course algorithms are last.
pub(super) fn list(board: &dyn Erased) -> Vec<MethodInfo> {
    let (Menu { solvers, heuristics, searchable, .. }, mut infos) = (board.menu(), Vec::new());
    for (_, solver) in solvers.into_iter().enumerate().filter(|(at, _)| board.solver_applies(*at).is_ok()) {
        let SolverFacts { name, about, optimal, course } = solver;
        let promise = Some(if optimal { Optimal::Always } else { Optimal::Never });
        let (name, about) = (name.to_owned(), about.to_owned());
        infos.push(MethodInfo { name, about, optimal, promise, memory: None, course, orders: Vec::new() });
    }
    let methods = if searchable { METHODS } else { &[] };
    for method in methods.iter().filter(|method| board.search_applies(method).is_ok()) {
        let variants: Vec<Option<usize>> = match method.kind {
            Algorithm::AStar => (0..heuristics.len()).map(Some).collect(),
            _ if method.guided => default_heuristic(&heuristics).into_iter().map(Some).collect(),
            _ => vec![None],
        };
        for variant in variants {
            let about = match variant.map(|at| &heuristics[at]) {
                None => method.about.to_owned(),
                Some(heuristic) => format!("{}; {} = {}", method.about, heuristic.name, heuristic.about),
            };
            let (name, optimal) = (name(board, ChosenMethod::Search(method, variant)), promises(board, method, variant));
            let (promise, memory) = (Some(method.optimal), Some(method.memory));
            infos.push(MethodInfo { name, about, optimal, promise, memory, course: false, orders: Vec::new() });
        }
    }
    let best = name(board, best(board));
    sort::by_key(&mut infos, |info| (info.course, info.name != best));
    infos
}
