//! What a search shows of itself while it works. Nothing here runs inside an engine: after every expansion the engine is asked
//! what it did, so a search that nobody watches does not pay for it.
//!
//! Engines keep states up to symmetry. What is shown are true states and moves: those that lead from the start along the
//! engine's own parents.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::guide::Guide;
use super::store::Id;
use crate::limits::Limits;
use crate::outcome::Stats;
use crate::rules::{Cost, DEAD, Packing, Problem, Rules};
use crate::trace::{Child, Expanded, Fate, Side, Way};

/// The state that an engine expanded last.
pub(super) struct Shown<S> {
    /// In canonical form.
    pub(super) state: S,
    /// The cost so far, where the engine keeps it.
    pub(super) cost: Option<Cost>,
    pub(super) place: Place,
    pub(super) bound: Option<Cost>,
}

/// Where an engine has a state.
pub(super) enum Place {
    /// In a store, with all its ancestors.
    Stored { side: Option<Side>, id: Id, parent: Option<Id> },
    /// At the end of a path of so many moves.
    Path { depth: usize },
}

/// What an engine keeps of a state in a store.
pub(super) struct Known {
    pub(super) id: Id,
    pub(super) parent: Option<Id>,
    pub(super) cost: Option<Cost>,
}

/// What an engine can be asked right after it expanded a state.
pub(super) trait Watched<P: Problem> {
    /// Brings its bounds up to date after an expansion.
    fn settle(&mut self) {}

    /// The state expanded last.
    fn shown(&self) -> Option<Shown<P::State>>;

    /// Counts; `peak_bytes` and `stored` are not used.
    fn stats(&self) -> Stats;

    /// No plan costs less than this.
    fn lower(&self) -> Cost;

    /// The cost of the best plan found so far.
    fn upper(&self) -> Option<Cost>;

    /// States that wait, where the engine keeps no store.
    fn waiting(&self) -> u64 {
        0
    }

    /// The estimates that it goes by.
    fn guide(&self) -> Option<&Guide<P>> {
        None
    }

    /// What a state is ordered by, where that is not cost so far plus estimate.
    fn priority(&self, _cost: Cost, _estimate: Cost) -> Option<f64> {
        None
    }

    /// States in a store.
    fn stored(&self, _side: Option<Side>) -> usize {
        0
    }

    /// What is in a store of a packed state.
    fn known(&self, _side: Option<Side>, _packed: &[u8]) -> Option<Known> {
        None
    }

    /// The states from a root to this one, in canonical form.
    fn ancestors(&self, _side: Option<Side>, _id: Id) -> Vec<P::State> {
        Vec::new()
    }
}

/// Most bytes of true states that are kept. Those that are gone are found again from their ancestors.
const KEPT_BYTES: usize = 16 << 20;

/// A true state.
#[derive(Clone)]
struct True<S> {
    state: S,
    cost: Cost,
    depth: u32,
}

/// A state on the path of an engine that keeps nothing else.
struct Level<P: Problem> {
    id: u64,
    canonical: P::State,
    here: True<P::State>,
    /// Its children, one of each set of equal ones.
    children: Vec<Made<P>>,
}

/// A child, without its state: states may be large and many.
struct Made<P: Problem> {
    id: u64,
    mv: P::Move,
    cost: Cost,
    /// Of its canonical form.
    hash: u64,
}

/// A number by which a state is recognized; who must be sure compares the states.
fn hash_of<S: Hash>(state: &S) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// Where records go.
pub type Emit<'a, P> = &'a mut dyn FnMut(Expanded<P>);

/// A move with its price, and where it begins if that is not the expanded state.
type Step<P> = (<P as Rules>::Move, Cost, Option<<P as Rules>::State>);

/// Watches one search from its beginning.
pub struct Tracer<P: Problem> {
    problem: Arc<P>,
    start: P::State,
    /// True states by number, for engines with a store.
    kept: HashMap<u64, True<P::State>>,
    most_kept: usize,
    /// For engines with a path.
    path: Vec<Level<P>>,
    next_id: u64,
    /// States that wait, in stores; none before the first expansion.
    open: Option<u64>,
    /// As they were after the last expansion.
    stored: [usize; 2],
    reopened: u64,
    packed: Vec<u8>,
    moves: Vec<P::Move>,
}

/// The place of a side in a pair.
fn index(side: Option<Side>) -> usize {
    usize::from(side == Some(Side::Backward))
}

/// Numbers of the two sides do not collide.
fn number(side: Option<Side>, id: Id) -> u64 {
    match side {
        None => id.into(),
        Some(_) => 2 * u64::from(id) + index(side) as u64,
    }
}

impl<P: Problem> Tracer<P> {
    pub fn new(problem: Arc<P>, start: P::State) -> Self {
        let most_kept = (KEPT_BYTES / (2 * size_of::<True<P::State>>() + problem.state_bytes())).clamp(64, 1 << 16);
        let packed = vec![0; problem.state_bytes()];
        Tracer {
            problem,
            start,
            kept: HashMap::new(),
            most_kept,
            path: Vec::new(),
            next_id: 1,
            open: None,
            stored: [0; 2],
            reopened: 0,
            packed,
            moves: Vec::new(),
        }
    }

    /// Says what stores hold before the first expansion.
    pub(super) fn prepare(&mut self, engine: &dyn Watched<P>) {
        self.stored = [engine.stored(None), engine.stored(Some(Side::Backward))];
    }

    /// Records the expansion that the engine just made.
    pub(super) fn see(&mut self, engine: &dyn Watched<P>, limits: &Limits, emit: Emit<'_, P>) {
        let Some(shown) = engine.shown() else { return };
        match shown.place {
            Place::Stored { side, id, parent } => self.see_stored(engine, &shown, (side, id, parent), limits, emit),
            Place::Path { depth } => self.see_path(engine, &shown, depth, limits, emit),
        }
    }

    fn see_stored(
        &mut self,
        engine: &dyn Watched<P>,
        shown: &Shown<P::State>,
        (side, id, parent): (Option<Side>, Id, Option<Id>),
        limits: &Limits,
        emit: Emit<'_, P>,
    ) {
        let backward = side == Some(Side::Backward);
        let (here, way) = match (backward, parent) {
            (true, _) => self.see_backward(engine, shown, parent, side),
            (false, None) => (True { state: self.start.clone(), cost: 0, depth: 0 }, None),
            (false, Some(parent)) => {
                let before = self.true_state(engine, side, parent);
                self.step(&before, &shown.state)
            }
        };
        let here = True { cost: shown.cost.unwrap_or(here.cost), ..here };
        let own = number(side, id);
        self.keep(own, here.clone());
        let made = if backward { self.predecessors(&here.state) } else { self.successors(&here.state, &shown.state) };
        let problem = Arc::clone(&self.problem);
        // What was there before this expansion.
        let before = self.stored[index(side)] as u64;
        let mut seen: HashMap<Id, Cost> = HashMap::new();
        let mut children = Vec::with_capacity(made.len());
        let mut new = 0;
        for (mv, cost, from) in made {
            let state = from.clone().unwrap_or_else(|| problem.apply(&here.state, &mv));
            let goal = !backward && problem.is_goal(&state);
            let canonical = problem.canonical(state);
            let cost = here.cost.saturating_add(cost);
            let estimate = self.estimate(engine, &canonical, limits);
            self.problem.pack(&canonical, &mut self.packed);
            let known = engine.known(side, &self.packed);
            let fate = match &known {
                None => Fate::Dead,
                Some(known) => match seen.get(&known.id) {
                    Some(&before) if known.cost.is_some() && cost < before => Fate::Better,
                    Some(_) => Fate::Known,
                    None if u64::from(known.id) >= before && estimate.is_none() && !backward => Fate::Dead,
                    None if u64::from(known.id) >= before => Fate::New,
                    None if known.parent == Some(id) && known.cost == Some(cost) => Fate::Better,
                    None => Fate::Known,
                },
            };
            if let Some(known) = &known {
                let least = seen.entry(known.id).or_insert(cost);
                *least = cost.min(*least);
            }
            new += u64::from(fate == Fate::New);
            let priority = estimate.and_then(|estimate| engine.priority(cost, estimate));
            let id = known.map(|known| number(side, known.id));
            children.push(Child { id, moves: vec![mv], from, cost, estimate, priority, fate, goal });
        }
        let reopened = engine.stats().reopened;
        let roots = self.open.unwrap_or(1 + (self.stored[1] * usize::from(side.is_some())) as u64);
        let open = (roots + new + reopened - self.reopened).saturating_sub(1);
        self.open = Some(open);
        self.reopened = reopened;
        self.stored[index(side)] = engine.stored(side);
        let estimate = self.estimate(engine, &shown.state, limits);
        emit(Expanded {
            id: own,
            parent: parent.map(|parent| number(side, parent)),
            way,
            depth: here.depth,
            cost: here.cost,
            estimate,
            priority: estimate.and_then(|estimate| engine.priority(here.cost, estimate)),
            state: here.state,
            open,
            lower: engine.lower(),
            upper: engine.upper(),
            bound: shown.bound,
            side,
            children,
        });
    }

    fn see_path(&mut self, engine: &dyn Watched<P>, shown: &Shown<P::State>, depth: usize, limits: &Limits, emit: Emit<'_, P>) {
        self.path.truncate(depth);
        let (id, parent, here, way) = match self.path.last() {
            None => (0, None, True { state: self.start.clone(), cost: 0, depth: 0 }, None),
            Some(above) => {
                let before = &above.here;
                let hash = hash_of(&shown.state);
                let is_shown =
                    |child: &&Made<P>| child.hash == hash && shown.cost.is_none_or(|cost| cost == before.cost.saturating_add(child.cost));
                let child = above.children.iter().find(is_shown).expect("the engine enters children of the state above");
                let state = self.problem.apply(&before.state, &child.mv);
                let here = True { state, cost: before.cost.saturating_add(child.cost), depth: before.depth + 1 };
                let way = Way { from: before.state.clone(), moves: vec![child.mv.clone()] };
                (child.id, Some(above.id), here, Some(way))
            }
        };
        let mut children = Vec::new();
        let mut twins: HashMap<(u64, Cost), u64> = HashMap::new();
        let mut level = Level { id, canonical: shown.state.clone(), here: here.clone(), children: Vec::new() };
        for (mv, cost, _) in self.successors(&here.state, &shown.state) {
            let state = self.problem.apply(&here.state, &mv);
            let goal = self.problem.is_goal(&state);
            let canonical = self.problem.canonical(state);
            let estimate = self.estimate(engine, &canonical, limits);
            let on_path = || self.path.iter().any(|level| level.canonical == canonical);
            let hash = hash_of(&canonical);
            // What another move of the same price leads to is the same node of the tree, though the engine comes to it twice.
            let twin = twins.get(&(hash, cost)).copied();
            let fate = match estimate {
                _ if twin.is_some() || canonical == shown.state || on_path() => Fate::Known,
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
        let estimate = self.estimate(engine, &shown.state, limits);
        emit(Expanded {
            id,
            parent,
            way,
            depth: here.depth,
            cost: here.cost,
            estimate,
            priority: estimate.and_then(|estimate| engine.priority(here.cost, estimate)),
            state: here.state,
            open: engine.waiting(),
            lower: engine.lower(),
            upper: engine.upper(),
            bound: shown.bound,
            side: None,
            children,
        });
    }

    /// The engine's estimate, as far as it can be had.
    fn estimate(&self, engine: &dyn Watched<P>, state: &P::State, limits: &Limits) -> Option<Cost> {
        let estimate = match engine.guide() {
            Some(guide) => guide.at(&self.problem, state, limits).ok()?,
            None if self.problem.is_dead(state) => DEAD,
            None => 0,
        };
        Some(estimate).filter(|&estimate| estimate != DEAD)
    }

    /// The true state by its number, found again from its ancestors if it is not kept.
    fn true_state(&mut self, engine: &dyn Watched<P>, side: Option<Side>, id: Id) -> True<P::State> {
        if let Some(kept) = self.kept.get(&number(side, id)) {
            return kept.clone();
        }
        let mut here = True { state: self.start.clone(), cost: 0, depth: 0 };
        for next in engine.ancestors(side, id).iter().skip(1) {
            here = self.step(&here, next).0;
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
        let problem = &*self.problem;
        self.moves.clear();
        problem.moves(&before.state, &mut self.moves);
        let mut found: Option<(Cost, &P::Move, P::State)> = None;
        for mv in &self.moves {
            let cost = problem.cost(&before.state, mv);
            if found.as_ref().is_some_and(|(least, ..)| *least <= cost) {
                continue;
            }
            let next = problem.apply(&before.state, mv);
            if problem.canonical(next.clone()) == *canonical {
                found = Some((cost, mv, next));
            }
        }
        let (cost, mv, state) = found.expect("every state was reached by a move from its parent, up to symmetry");
        let way = Way { from: before.state.clone(), moves: vec![mv.clone()] };
        (True { state, cost: before.cost.saturating_add(cost), depth: before.depth + 1 }, Some(way))
    }

    /// The moves of the true state with their prices, in the order in which the engine made the children. The engine expands the
    /// canonical state: its children are the same, but the moves to them may come in another order.
    fn successors(&mut self, state: &P::State, canonical: &P::State) -> Vec<Step<P>> {
        let problem = &*self.problem;
        self.moves.clear();
        problem.moves(state, &mut self.moves);
        let made: Vec<Step<P>> = self.moves.iter().map(|mv| (mv.clone(), problem.cost(state, mv), None)).collect();
        if state == canonical {
            return made;
        }
        let mut places: HashMap<(u64, Cost), VecDeque<Step<P>>> = HashMap::new();
        for (mv, cost, _) in made {
            let hash = hash_of(&problem.canonical(problem.apply(state, &mv)));
            places.entry((hash, cost)).or_default().push_back((mv, cost, None));
        }
        let mut order = Vec::new();
        let _ = problem.expand(canonical, &mut self.moves, |child, cost| {
            order.extend(places.get_mut(&(hash_of(&child), cost)).and_then(VecDeque::pop_front));
            ControlFlow::Continue(())
        });
        order
    }

    /// The states before this one, each with a move that leads from it to here.
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
            let mv = moves.iter().find(leads).expect("a step backwards undoes a move").clone();
            made.push((mv, cost, Some(before)));
            ControlFlow::Continue(())
        });
        made
    }

    /// A state that a search from the goals came to: it stays in canonical form, since nobody knows yet where the start is.
    fn see_backward(
        &mut self,
        engine: &dyn Watched<P>,
        shown: &Shown<P::State>,
        parent: Option<Id>,
        side: Option<Side>,
    ) -> (True<P::State>, Option<Way<P>>) {
        let state = shown.state.clone();
        let Some(parent) = parent else { return (True { state, cost: 0, depth: 0 }, None) };
        let ancestors = engine.ancestors(side, parent);
        let after = ancestors.last().expect("a state is its own last ancestor");
        let problem = &*self.problem;
        self.moves.clear();
        problem.moves(&state, &mut self.moves);
        let leads = |mv: &&P::Move| problem.canonical(problem.apply(&state, mv)) == *after;
        let mv = self.moves.iter().filter(leads).min_by_key(|mv| problem.cost(&state, mv)).cloned();
        let way = mv.map(|mv| Way { from: state.clone(), moves: vec![mv] });
        (True { state, cost: 0, depth: ancestors.len() as u32 }, way)
    }
}
