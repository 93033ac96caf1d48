//! The trace of a search. Nothing here runs inside an engine: after every expansion, the tracer reads the state of the engine.
//! Therefore a search that is not traced has no overhead.
//!
//! Engines store states up to symmetry. A trace shows true states and moves, which lead from the start along the engine's own
//! parents.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::driver::{Engine, Kept, Path, Task, tree};
use super::replay::{Patience, cheapest};
use super::store::Id;
use super::tree::Tree;
use crate::limits::Limits;
use crate::rules::{Cost, DEAD, Packing, Problem, Rules};
use crate::trace::{Child, Expanded, Fate, Side, Way};

/// Maximum total size, in bytes, of the true states that are kept. States beyond that are recomputed from their ancestors.
const KEPT_BYTES: usize = 16 << 20;

/// A true state: as it occurs in play, not in canonical form.
#[derive(Clone)]
struct True<S> {
    state: S,
    cost: Cost,
    depth: u32,
}

/// A state on the path, for engines that store only a path.
struct Level<P: Problem> {
    id: u64,
    canonical: P::State,
    here: True<P::State>,
    /// The children of the state, without duplicates.
    children: Vec<Made<P>>,
}

/// A child, without its state, which may be large.
struct Made<P: Problem> {
    id: u64,
    mv: P::Move,
    cost: Cost,
    /// The hash of its canonical form.
    hash: u64,
}

/// A hash for comparing states. Collisions are possible.
fn hash_of<S: Hash>(state: &S) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// A callback that receives each expansion.
pub type Emit<'a, P> = &'a mut dyn FnMut(Expanded<P>);

/// A move with its cost, and the state it starts from if that is not the expanded state.
type Step<P> = (<P as Rules>::Move, Cost, Option<<P as Rules>::State>);

/// An expansion without its estimate, its priority and the bounds.
struct Seen<P: Problem> {
    id: u64,
    parent: Option<u64>,
    way: Option<Way<P>>,
    here: True<P::State>,
    canonical: P::State,
    open: u64,
    bound: Option<Cost>,
    side: Option<Side>,
    children: Vec<Child<P>>,
}

/// Observes one search from its beginning.
pub(super) struct Tracer<P: Problem> {
    problem: Arc<P>,
    start: P::State,
    /// True states by number, for engines with a store.
    kept: HashMap<u64, True<P::State>>,
    most_kept: usize,
    /// The path, for engines that store only a path.
    path: Vec<Level<P>>,
    next_id: u64,
    /// Number of open states, for engines with a store; `None` before the first expansion.
    open: Option<u64>,
    /// The sizes of the stores after the last expansion.
    stored: [usize; 2],
    /// Number of states reopened up to the last expansion.
    reopened: u64,
    packed: Vec<u8>,
    moves: Vec<P::Move>,
}

/// The index of a side in a pair.
fn index(side: Option<Side>) -> usize {
    usize::from(side == Some(Side::Backward))
}

/// A number for a state that is unique across both sides of the search.
fn number(side: Option<Side>, id: Id) -> u64 {
    match side {
        None => id.into(),
        Some(_) => 2 * u64::from(id) + index(side) as u64,
    }
}

impl<P: Problem> Tracer<P> {
    pub(super) fn new(task: &Task<P>, kept: &Kept<'_, P::State>) -> Self {
        let (problem, start) = (Arc::clone(&task.problem), task.start.clone());
        let most_kept = (KEPT_BYTES / (2 * size_of::<True<P::State>>() + problem.state_bytes())).clamp(64, 1 << 16);
        let packed = vec![0; problem.state_bytes()];
        let stored = match kept {
            Kept::Trees { trees, .. } => [None, Some(Side::Backward)].map(|side| trees.get(index(side)).map_or(0, Tree::len)),
            Kept::Path(_) => [0; 2],
        };
        Tracer {
            problem,
            start,
            kept: HashMap::new(),
            most_kept,
            path: Vec::new(),
            next_id: 1,
            open: None,
            stored,
            reopened: 0,
            packed,
            moves: Vec::new(),
        }
    }

    /// Records the engine's last expansion.
    pub(super) fn see(&mut self, task: &Task<P>, engine: &dyn Engine<P>, limits: &Limits) -> Expanded<P> {
        let seen = match engine.kept() {
            Kept::Trees { trees, side } => self.see_stored(task, engine, tree(trees, side), side, limits),
            Kept::Path(path) => self.see_path(task, engine, &path, limits),
        };
        let Seen { id, parent, way, here: True { state, cost, depth }, canonical, open, bound, side, children } = seen;
        let estimate = estimate(task, &canonical, limits);
        let priority = estimate.and_then(|estimate| engine.priority(cost, estimate));
        let (lower, upper) = (task.lower, task.upper());
        Expanded { id, parent, way, depth, cost, estimate, priority, state, open, lower, upper, bound, side, children }
    }

    fn see_stored(&mut self, task: &Task<P>, engine: &dyn Engine<P>, tree: &Tree, side: Option<Side>, limits: &Limits) -> Seen<P> {
        let id = tree.last.expect("a state was expanded");
        let (parent, shown) = (tree.nodes.parent(id), tree.state(&*self.problem, id));
        let backward = side == Some(Side::Backward);
        let (here, way) = match (backward, parent) {
            (true, _) => self.see_backward(tree, &shown, parent),
            (false, None) => (True { state: self.start.clone(), cost: 0, depth: 0 }, None),
            (false, Some(parent)) => {
                let before = self.true_state(tree, side, parent);
                self.step(&before, &shown)
            }
        };
        let here = True { cost: tree.nodes.known_cost(id).unwrap_or(here.cost), ..here };
        let own = number(side, id);
        self.keep(own, here.clone());
        let made = if backward { self.predecessors(&here.state) } else { self.successors(&here.state, &shown) };
        let problem = Arc::clone(&self.problem);
        // The number of states stored before this expansion.
        let before = self.stored[index(side)] as u64;
        let mut seen: HashMap<Id, Cost> = HashMap::new();
        let mut children = Vec::with_capacity(made.len());
        let mut new = 0;
        for (mv, cost, from) in made {
            let state = from.clone().unwrap_or_else(|| problem.apply(&here.state, &mv));
            let goal = !backward && problem.is_goal(&state);
            let canonical = problem.canonical(state);
            let cost = here.cost.saturating_add(cost);
            let estimate = estimate(task, &canonical, limits);
            self.problem.pack(&canonical, &mut self.packed);
            let known = tree.store.find(&self.packed);
            let alive = estimate.is_some() || backward;
            let fate = known.map_or(Fate::Dead, |known| fate(tree, id, before, (known, cost), alive, &mut seen));
            new += u64::from(fate == Fate::New);
            let priority = estimate.and_then(|estimate| engine.priority(cost, estimate));
            let id = known.map(|known| number(side, known));
            children.push(Child { id, moves: vec![mv], from, cost, estimate, priority, fate, goal });
        }
        let reopened = task.stats.reopened;
        let roots = self.open.unwrap_or(1 + (self.stored[1] * usize::from(side.is_some())) as u64);
        let open = (roots + new + reopened - self.reopened).saturating_sub(1);
        self.open = Some(open);
        self.reopened = reopened;
        self.stored[index(side)] = tree.len();
        let parent = parent.map(|parent| number(side, parent));
        Seen { id: own, parent, way, here, canonical: shown, open, bound: None, side, children }
    }

    fn see_path(&mut self, task: &Task<P>, engine: &dyn Engine<P>, path: &Path<'_, P::State>, limits: &Limits) -> Seen<P> {
        let shown = path.tip;
        self.path.truncate(path.depth);
        let (id, parent, here, way) = match self.path.last() {
            None => (0, None, True { state: self.start.clone(), cost: 0, depth: 0 }, None),
            Some(above) => {
                let before = &above.here;
                let hash = hash_of(shown);
                let is_shown = |child: &&Made<P>| child.hash == hash && path.cost == before.cost.saturating_add(child.cost);
                let child = above.children.iter().find(is_shown).expect("the engine enters children of the state above");
                let state = self.problem.apply(&before.state, &child.mv);
                let here = True { state, cost: before.cost.saturating_add(child.cost), depth: before.depth + 1 };
                let way = Way { from: before.state.clone(), moves: vec![child.mv.clone()] };
                (child.id, Some(above.id), here, Some(way))
            }
        };
        let mut children = Vec::new();
        let mut twins: HashMap<(u64, Cost), u64> = HashMap::new();
        let mut level = Level { id, canonical: shown.clone(), here: here.clone(), children: Vec::new() };
        for (mv, cost, _) in self.successors(&here.state, shown) {
            let state = self.problem.apply(&here.state, &mv);
            let goal = self.problem.is_goal(&state);
            let canonical = self.problem.canonical(state);
            let estimate = estimate(task, &canonical, limits);
            let on_path = || self.path.iter().any(|level| level.canonical == canonical);
            let hash = hash_of(&canonical);
            // Moves of the same cost to the same state lead to one node of the tree, even though the engine generates that state more
            // than once.
            let twin = twins.get(&(hash, cost)).copied();
            let fate = match estimate {
                _ if twin.is_some() || canonical == *shown || on_path() => Fate::Known,
                None => Fate::Dead,
                Some(_) => Fate::New,
            };
            if fate == Fate::New {
                level.children.push(Made { id: self.next_id, mv: mv.clone(), cost, hash });
                twins.insert((hash, cost), self.next_id);
                self.next_id += 1;
            }
            let id = twin.or((fate == Fate::New).then(|| self.next_id - 1));
            let cost = here.cost.saturating_add(cost);
            let priority = estimate.and_then(|estimate| engine.priority(cost, estimate));
            children.push(Child { id, moves: vec![mv], from: None, cost, estimate, priority, fate, goal });
        }
        self.path.push(level);
        let open = engine.open_and_closed(&task.stats).0;
        Seen { id, parent, way, here, canonical: shown.clone(), open, bound: path.bound, side: None, children }
    }

    /// The true state with this number, which is recomputed from its ancestors if it was not kept.
    fn true_state(&mut self, tree: &Tree, side: Option<Side>, id: Id) -> True<P::State> {
        if let Some(kept) = self.kept.get(&number(side, id)) {
            return kept.clone();
        }
        let mut here = True { state: self.start.clone(), cost: 0, depth: 0 };
        for &next in &tree.path(id)[1..] {
            here = self.step(&here, &tree.state(&*self.problem, next)).0;
        }
        self.keep(number(side, id), here.clone());
        here
    }

    fn keep(&mut self, id: u64, state: True<P::State>) {
        if self.kept.len() >= self.most_kept {
            self.kept.clear();
        }
        self.kept.insert(id, state);
    }

    /// The cheapest move to a state given in canonical form.
    fn step(&mut self, before: &True<P::State>, canonical: &P::State) -> (True<P::State>, Option<Way<P>>) {
        let limits = Limits::none();
        let (problem, mut patience) = (&*self.problem, Patience::Limits(&limits));
        let found = cheapest(problem, &before.state, canonical, &mut self.moves, &mut patience);
        let (cost, mv, state) = found.expect("there is no limit");
        let way = Way { from: before.state.clone(), moves: vec![mv] };
        (True { state, cost: before.cost.saturating_add(cost), depth: before.depth + 1 }, Some(way))
    }

    /// The moves of the true state with their costs, in the order in which the engine generated the children. The engine expands
    /// the canonical state, which has the same children, but the moves to them may be in a different order.
    fn successors(&mut self, state: &P::State, canonical: &P::State) -> Vec<Step<P>> {
        let problem = &*self.problem;
        self.moves.clear();
        problem.moves(state, &mut self.moves);
        let made: Vec<Step<P>> = self.moves.iter().map(|mv| (mv.clone(), problem.cost(state, mv), None)).collect();
        if state == canonical {
            return made;
        }
        let key = |(mv, cost, _): &Step<P>| (hash_of(&problem.canonical(problem.apply(state, mv))), *cost);
        let mut places = places(made.iter().map(key).collect());
        let mut order = Vec::new();
        let _ = problem.expand(canonical, &mut self.moves, |child, cost| {
            let place = places.get_mut(&(hash_of(&child), cost)).and_then(VecDeque::pop_front);
            order.extend(place.map(|at| made[at].clone()));
            ControlFlow::Continue(())
        });
        order
    }

    /// The predecessors of a state, each with a move that leads from it to the state.
    fn predecessors(&mut self, state: &P::State) -> Vec<Step<P>> {
        let Some(backward) = P::BACKWARD else { return Vec::new() };
        let problem = &*self.problem;
        let mut made: Vec<Step<P>> = Vec::new();
        let moves = &mut self.moves;
        let _ = (backward.step)(problem, state, &mut |before, cost| {
            let before = problem.canonical(before);
            moves.clear();
            problem.moves(&before, moves);
            let leads = |mv: &&P::Move| problem.cost(&before, mv) == cost && problem.canonical(problem.apply(&before, mv)) == *state;
            let mv = moves.iter().find(leads).expect("a backward step undoes a move").clone();
            made.push((mv, cost, Some(before)));
            ControlFlow::Continue(())
        });
        made
    }

    /// A state reached backward from the goals, and the move from it to its parent. The state is in canonical form, because the path
    /// from the start is not known yet.
    fn see_backward(&mut self, tree: &Tree, shown: &P::State, parent: Option<Id>) -> (True<P::State>, Option<Way<P>>) {
        let state = shown.clone();
        let Some(parent) = parent else { return (True { state, cost: 0, depth: 0 }, None) };
        let problem = &*self.problem;
        let after = tree.state(problem, parent);
        self.moves.clear();
        problem.moves(&state, &mut self.moves);
        let leads = |mv: &&P::Move| problem.canonical(problem.apply(&state, mv)) == after;
        let mv = self.moves.iter().filter(leads).min_by_key(|mv| problem.cost(&state, mv)).cloned();
        let way = mv.map(|mv| Way { from: state.clone(), moves: vec![mv] });
        (True { state, cost: 0, depth: tree.path(parent).len() as u32 }, way)
    }
}

/// The fate of a stored child of `id`. States whose ids are at least `before` are new; `seen` contains the least cost of each
/// earlier child.
fn fate(tree: &Tree, id: Id, before: u64, (child, cost): (Id, Cost), alive: bool, seen: &mut HashMap<Id, Cost>) -> Fate {
    let known = tree.nodes.known_cost(child);
    let fate = match seen.get(&child) {
        Some(&least) if known.is_some() && cost < least => Fate::Better,
        Some(_) => Fate::Known,
        None if u64::from(child) >= before => {
            if alive {
                Fate::New
            } else {
                Fate::Dead
            }
        }
        None if tree.nodes.parent(child) == Some(id) && known == Some(cost) => Fate::Better,
        None => Fate::Known,
    };
    let least = seen.entry(child).or_insert(cost);
    *least = cost.min(*least);
    fate
}

/// The indices of each key, in order.
fn places(keys: Vec<(u64, Cost)>) -> HashMap<(u64, Cost), VecDeque<usize>> {
    let mut places: HashMap<_, VecDeque<usize>> = HashMap::new();
    keys.into_iter().enumerate().for_each(|(at, key)| places.entry(key).or_default().push_back(at));
    places
}

/// The engine's estimate; `None` for dead states, or if a limit was hit.
fn estimate<P: Problem>(task: &Task<P>, state: &P::State, limits: &Limits) -> Option<Cost> {
    task.guide.at(&*task.problem, state, limits).ok().filter(|&estimate| estimate != DEAD)
}
