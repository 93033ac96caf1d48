//! The contract between games and everything else.
//!
//! A game implements [`Rules`] (states and moves), then [`Problem`] for one player or [`Game`] for two. Search, proofs, drawing, play
//! and tests need nothing more.
//!
//! Few methods are required. The documentation of each default says what happens if an override claims too much or too
//! little.

mod expanded;
mod pack;
mod patterns;

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{ControlFlow, RangeInclusive};

pub use expanded::{Child, Expanded, Fate, Side, Way};
pub use pack::{Pack, Packing};
pub use patterns::{Patterns, Projection};
use serde_json::{Map, Value};

pub use crate::cost::{Cost, DEAD, MAX_MOVE_COST};
use crate::limits::{Limit, Limits};
pub use crate::outcome::Score;
use crate::outcome::{AnswerField, Certificate, Outcome, Verdict};
use crate::text::shorten;

/// States and moves.
pub trait Rules: Sized + Send + Sync + 'static {
    /// A position. It must be cheap to clone, because searches clone every state they generate.
    type State: Pack<Self> + Clone + Eq + Hash + Debug + Send + Sync;
    /// A complete move. `Ord` must agree with the order in which [`Rules::moves`] lists moves.
    type Move: Clone + Ord + Debug + Send + Sync;

    /// The position that the instance describes.
    fn start(&self) -> Self::State;

    /// Appends every legal move, sorted and without duplicates. The caller owns and clears the buffer.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// The position after `mv`, which is always one of `moves(state)`. External moves are first looked up in that list.
    fn apply(&self, state: &Self::State, mv: &Self::Move) -> Self::State;

    /// The representative of all positions that are equal to this one up to symmetry. Searches store only representatives. Plans are
    /// rebuilt by replay from the true start, so no move has to be mapped back.
    ///
    /// Default: no symmetry. Merging too few positions only costs time. Merging positions causes wrong answers if only one of
    /// them is a goal, or if they differ in move costs, heuristic value or successors (up to symmetry). Must be idempotent.
    fn canonical(&self, state: Self::State) -> Self::State {
        state
    }

    /// A number that strictly increases with every move, if the game has such a number. Then no state can recur, and a search of all
    /// states can forget earlier layers.
    ///
    /// Default: `None`, which only costs time and memory, and leaves a two-player game only retrograde analysis. A number that does not
    /// always increase causes wrong answers.
    fn layer(&self, _state: &Self::State) -> Option<u32> {
        None
    }

    /// The number of states with this canonical form. Used to count all states when a search stores only canonical ones.
    ///
    /// Default: one, which is right if there is no symmetry. A wrong number only causes wrong counts.
    fn orbit(&self, _canonical: &Self::State) -> u64 {
        1
    }

    /// Faster ways to find, test and make moves.
    ///
    /// Default: [`Rules::moves`] and [`Rules::apply`]. Override it only for speed, if there are many moves or states are large.
    const REPLAY: Replay<Self> = Replay::DEFAULT;
}

/// Functions that find, test and make external moves: [`Rules::REPLAY`]. They are used to replay plans.
pub struct Replay<R: Rules> {
    /// The move that an external string or JSON value denotes. It is tested by `is_legal` before it is made. If this function
    /// returns `None`, the value is compared with the written form of every legal move.
    pub find: fn(&R, &R::State, &Value) -> Option<R::Move>,
    /// True if the move is one of [`Rules::moves`].
    pub is_legal: fn(&R, &R::State, &R::Move) -> bool,
    /// Makes a legal move in place.
    pub make: fn(&R, &mut R::State, &R::Move),
}

impl<R: Rules> Replay<R> {
    /// Uses `moves` and `apply`.
    pub const DEFAULT: Replay<R> = Replay {
        find: |_, _, _| None,
        is_legal: |rules, state, mv| {
            let mut moves = Vec::new();
            rules.moves(state, &mut moves);
            moves.contains(mv)
        },
        make: |rules, state, mv| *state = rules.apply(state, mv),
    };
}

/// True if a state is its own image under every symmetry. Only from such a start are the images of all reachable states also
/// reachable, so that the number of all states follows from the counts up to symmetry. From any other start, states are counted again
/// without merging symmetric ones.
pub fn is_own_image<R: Rules>(rules: &R, state: &R::State) -> bool {
    rules.orbit(&rules.canonical(state.clone())) == 1
}

/// A one-player problem: the states, actions, transitions, goal test and path cost of textbooks.
pub trait Problem: Rules {
    /// Estimates of the cost to go, best first. The first consistent heuristic is the default for A*.
    const HEURISTICS: &'static [Heuristic<Self>] = &[];

    /// The game's own solvers, best first.
    const SOLVERS: &'static [Solver<Self>] = &[];

    /// Short proofs that there is no plan, if the game has any.
    const PROOFS: Option<Proofs<Self>> = None;

    /// Backward steps from the goals, if the game supports them.
    const BACKWARD: Option<Backward<Self>> = None;

    /// Projections of states to patterns, if the game has any. They provide the heuristic `pattern`.
    const PATTERNS: Option<Patterns<Self>> = None;

    /// Moves made and unmade in place, if the game supports them.
    const IN_PLACE: Option<InPlace<Self>> = None;

    /// Facts that only this game reports, with every method.
    const FACTS: Facts<Self> = Facts::NONE;

    /// The heuristics for this instance.
    ///
    /// Default: [`Problem::HEURISTICS`]. [`Problem::PATTERNS`] adds one more. Override this function only if the instances of one type
    /// differ in their heuristics, such as problems written in another language.
    fn heuristics(&self) -> &'static [Heuristic<Self>] {
        Self::HEURISTICS
    }

    /// True if the state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// The cost of a move, at most [`MAX_MOVE_COST`]. Zero is allowed.
    fn cost(&self, _state: &Self::State, _mv: &Self::Move) -> Cost {
        1
    }

    /// A range that contains the cost of every move.
    ///
    /// Default: every move costs 1. A range that is too wide is safe, but then breadth-first search does not call its plan optimal. A
    /// range that is too narrow produces plans that are wrongly called optimal.
    fn move_costs(&self) -> RangeInclusive<Cost> {
        1..=1
    }

    /// Calls `emit` with the canonical form of every successor and the cost of the move to it, in the order of the moves, until
    /// `emit` breaks. A limit may stop a search while it expands a state with very many moves. `moves` is a buffer owned by the
    /// caller.
    ///
    /// Default: uses `moves`, `apply`, `canonical` and `cost`. Override it only for speed, if the successors of a state can share
    /// work. An override that does not emit the same states and costs in the same order causes wrong answers.
    #[inline]
    fn expand(
        &self,
        state: &Self::State,
        moves: &mut Vec<Self::Move>,
        mut emit: impl FnMut(Self::State, Cost) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        moves.clear();
        self.moves(state, moves);
        moves.iter().try_for_each(|mv| emit(self.canonical(self.apply(state, mv)), self.cost(state, mv)))
    }

    /// A number that is above all states, where a state is read as the number [`Pack::word`]. If it is small, searches find states in an
    /// array instead of a hash table, which is faster. The array takes four bytes per number.
    ///
    /// Default: `None`. A state that is not below the number causes a panic.
    #[inline]
    fn states_below(&self) -> Option<u64> {
        None
    }

    /// A quick test that no goal can be reached from this state.
    ///
    /// Default: false. Missing a dead state only costs time. Calling a live state dead causes wrong answers.
    fn is_dead(&self, _state: &Self::State) -> bool {
        false
    }

    /// True if it makes sense to search this instance. This affects only lists of methods; a method chosen by name still runs.
    ///
    /// Default: true.
    fn searchable(&self) -> bool {
        true
    }
}

/// Facts that only one game reports: [`Problem::FACTS`].
pub struct Facts<P: Problem> {
    /// The names of all facts, including those in [`Outcome::facts`]. `check` compares the facts and rejects an answer that contains
    /// any other name.
    pub fields: &'static [AnswerField],
    /// Names and values, for JSON and text. A fact that cannot be computed within the limits is omitted.
    pub of: FactsFn<P>,
}

/// Facts about a verdict.
pub type FactsFn<P> = fn(&P, &Verdict<<P as Rules>::Move>, &Limits) -> Map<String, Value>;

impl<P: Problem> Facts<P> {
    pub const NONE: Facts<P> = Facts { fields: &[], of: |_, _, _| Map::new() };
}

/// Functions that find and check short proofs that there is no plan. See [`Problem::PROOFS`].
pub struct Proofs<P: Problem> {
    /// True if [`Proofs::refute`] is faster than a small search. Then it is called before a search begins; otherwise, it is called
    /// only after many states have been expanded, or before the search gives up. A wrong value only costs time.
    pub quick: bool,
    /// A proof that no goal can be reached from a state, found without search; `None` if no proof was found or a limit was hit. A missed
    /// proof only makes the search longer; a wrong proof is caught by `check` and reported as an internal error. `limits.nodes` is the
    /// number of states that a search would need instead; a proof that takes longer is not worth finding.
    pub refute: fn(&P, &P::State, &Limits) -> Option<Certificate>,
    /// Checks a proof from `refute` or from outside, by the rules alone. It must share no code with `refute`. The error is a
    /// sentence that names the claim that fails, or the limit that was hit first.
    pub check: fn(&P, &P::State, &Certificate, &Limits) -> Result<(), CheckError>,
    /// The field names that a certificate's data can have. A certificate with any other name is rejected.
    pub data: &'static [&'static str],
    /// The sentence that a valid certificate proves. An answer that claims anything else is rejected.
    pub claim: fn(&P, &P::State, &Certificate) -> String,
    /// Decides without a search whether a cost is the least cost of any plan from a state, for boards that are too large for a plain
    /// search. It must share no code with the solver that claims this cost. `limits.nodes` is the maximum number of candidates to examine.
    /// `None` if undecided.
    pub least: Option<LeastFn<P>>,
}

/// The error if a certificate is not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The certificate is wrong, for the reason given in the sentence.
    Wrong(String),
    /// A limit was hit first.
    Stopped(Limit),
}

impl<T: Into<String>> From<T> for CheckError {
    fn from(sentence: T) -> Self {
        CheckError::Wrong(sentence.into())
    }
}

impl From<Limit> for CheckError {
    fn from(limit: Limit) -> Self {
        CheckError::Stopped(limit)
    }
}

/// Decides whether a cost is the least cost of any plan.
pub type LeastFn<P> = fn(&P, &<P as Rules>::State, Cost, &Limits) -> Option<bool>;

/// Backward steps from the goals: [`Problem::BACKWARD`]. They enable bidirectional search.
pub struct Backward<P: Problem> {
    /// All goal states; empty if they cannot be enumerated on this board. A missing goal causes wrong answers.
    pub goals: fn(&P) -> Vec<P::State>,
    /// Calls `emit` with every `before` and `cost` such that a move of that cost leads from `before` to the state, until `emit`
    /// breaks. A missing or invented predecessor causes wrong answers.
    pub step: BackwardFn<P>,
}

/// Emits the predecessors of a state.
pub type BackwardFn<P> = fn(&P, &<P as Rules>::State, &mut dyn FnMut(<P as Rules>::State, Cost) -> ControlFlow<()>) -> ControlFlow<()>;

/// Moves made and unmade in place: [`Problem::IN_PLACE`]. Depth-first searches then copy only the states that they enter.
///
/// Only for games without symmetry: `canonical` must return its argument. Otherwise, and if a function leaves a wrong state, answers
/// are wrong. Without this record, a search copies every state that it generates, which only costs time.
pub struct InPlace<P: Problem> {
    /// Makes a legal move: the state becomes [`Rules::apply`] of the state and the move. Returns a number for `unmake`, such as what the
    /// move does not tell.
    pub make: fn(&P, &mut P::State, &P::Move) -> u64,
    /// Restores the state from which the move was made, given the number that `make` returned.
    pub unmake: fn(&P, &mut P::State, &P::Move, u64),
    /// Writes the index of each of the given moves of a state in every table of differences: see [`Estimate::with_differences`]. Moves
    /// that change some estimate by different amounts have different indices. Only called if there is such a table.
    pub changes: ChangesFn<P>,
}

/// Writes the indices of moves.
pub type ChangesFn<P> = fn(&P, &<P as Rules>::State, &[<P as Rules>::Move], &mut [usize]);

impl<P: Problem> InPlace<P> {
    /// The index of one move of a state in every table of differences.
    #[inline]
    pub fn change(&self, problem: &P, state: &P::State, mv: &P::Move) -> usize {
        let mut change = [0];
        (self.changes)(problem, state, std::slice::from_ref(mv), &mut change);
        change[0]
    }
}

/// A two-player game of perfect information in which the players alternate.
///
/// If no position can recur, implement [`Rules::layer`], because most methods need it. If positions can repeat, only retrograde analysis
/// decides the game, and play that never ends is a draw. Either all positions have a layer, or none has one.
///
/// ```
/// use kibitzer::rules::{Game, Rules, Score};
///
/// /// One heap; a move takes one, two or three stones; a player who cannot move loses.
/// struct Heap(u8);
///
/// impl Rules for Heap {
///     type State = u8;
///     type Move = u8;
///     fn start(&self) -> u8 { self.0 }
///     fn moves(&self, heap: &u8, out: &mut Vec<u8>) { out.extend(1..=3.min(*heap)) }
///     fn apply(&self, heap: &u8, take: &u8) -> u8 { heap - take }
///     fn layer(&self, heap: &u8) -> Option<u32> { Some(u32::from(self.0 - heap)) }
/// }
///
/// impl Game for Heap {}
///
/// fn score(game: &Heap, heap: u8) -> Score {
///     if let Some(score) = game.terminal(&heap) {
///         return score;
///     }
///     let mut moves = Vec::new();
///     game.moves(&heap, &mut moves);
///     moves.iter().map(|take| score(game, game.apply(&heap, take)).reversed()).max().unwrap_or(Score::Loss)
/// }
/// let game = Heap(21);
/// assert_eq!(score(&game, game.start()), Score::Win);
/// assert_eq!(score(&game, 20), Score::Loss);
/// ```
pub trait Game: Rules {
    /// The score for the player to move if the game has ended, else `None`.
    ///
    /// A terminal state has no moves, and a state without moves is terminal. If a terminal state lists moves, they are ignored. A state
    /// without moves for which this returns `None` counts as lost.
    ///
    /// Default: a player who cannot move loses.
    fn terminal(&self, state: &Self::State) -> Option<Score> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves.is_empty().then_some(Score::Loss)
    }

    /// True if positions have Grundy values. They do if both players have the same moves in every position and a player who
    /// cannot move loses.
    ///
    /// Default: true. For a game with Grundy values, `false` only hides them. For any other game, such as one with draws, `true`
    /// produces meaningless values. Without [`Rules::layer`], Grundy values are never computed.
    fn impartial(&self) -> bool {
        true
    }

    /// True if positions can repeat. Then only retrograde analysis decides the game.
    ///
    /// Default: true if the start has no layer. Override it only if computing layers takes long. `false` without layers, or although
    /// positions repeat, causes a panic or wrong answers. `true` only costs time and memory.
    fn repeats(&self) -> bool {
        self.layer(&self.start()).is_none()
    }

    /// Keys that determine the values of positions.
    ///
    /// Default: the packed canonical state. Override it if different canonical states are known to have the same value, or if a
    /// better move order is known.
    const KEYS: Keys<Self> = Keys::DEFAULT;

    /// The independent parts into which positions split, if the game has any. Solvers then compute the Grundy values of parts and add
    /// them. Used only if [`Game::impartial`] holds.
    ///
    /// Default: none, which only costs time.
    const PARTS: Option<Parts<Self>> = None;

    /// The written form of positions and moves in strategy certificates.
    ///
    /// Default: the packed state in hexadecimal digits, and moves numbered from 1.
    const OUTLINE: Outline<Self> = Outline::DEFAULT;

    /// Facts that only this game reports. If an answer to be checked contains them, they are compared.
    const FACTS: GameFacts<Self> = GameFacts::NONE;
}

/// Keys that determine the values of positions: [`Game::KEYS`].
pub struct Keys<G: Game> {
    /// Writes bytes that are equal only for positions with the same outcome and Grundy value. Searches for a winner examine
    /// only one of several positions with equal keys. Merging too few positions only costs time; merging positions with different
    /// values causes wrong answers.
    pub key: fn(&G, &G::State, &mut Vec<u8>),
    /// Calls `emit` with every move of a position except the first `skip` moves, together with a rank and the key of the position
    /// after the move, until `emit` breaks. Searches for a winner try moves of low rank first.
    ///
    /// By default, moves are emitted in their usual order and ranked by key length, because a small position is decided quickly.
    /// The order must be the same in every call. Ranks affect only the running time. Omitting a move, or emitting a
    /// key that `key` does not write, causes wrong answers.
    pub successors: SuccessorsFn<G>,
}

/// Emits moves with the keys of the positions after them.
pub type SuccessorsFn<G> = fn(&G, &<G as Rules>::State, &[<G as Rules>::Move], usize, EmitKey<'_, <G as Rules>::Move>);

impl<G: Game> Keys<G> {
    /// Uses the packed canonical state.
    pub const DEFAULT: Keys<G> = Keys {
        key: |game, state, out| {
            out.resize(game.state_bytes(), 0);
            game.pack(&game.canonical(state.clone()), out);
        },
        successors: keys_after::<G>,
    };
}

/// The independent parts of positions: [`Game::PARTS`].
pub struct Parts<G: Game> {
    /// Appends positions of the same instance whose sum is the position: a move in the sum is a move in one of them. A position that
    /// does not split is its own only part, and parts without moves may be omitted. Splitting too rarely only costs time. Parts that are
    /// not independent, or that reach a lower [`Rules::layer`] than the position, cause wrong answers.
    pub of: fn(&G, &G::State, &mut Vec<G::State>),
}

/// Positions and moves in a strategy certificate: [`Game::OUTLINE`].
pub struct Outline<G: Game> {
    /// A position as a line without ` = `, and the names of the given moves. Two positions may have the same text only if they are
    /// equal up to renaming: moves of the same name must again lead to positions with the same text. Readers of a certificate have to
    /// trust this function, so it should be easy to verify, and it must share no code with [`Game::KEYS`]. Merging too few positions
    /// makes certificates longer; merging positions with different values lets wrong certificates pass.
    pub position: OutlineFn<G>,
    /// The board as plain data for the header of certificates, so that small programs can check certificates without parsing boards.
    pub data: fn(&G, &G::State) -> Map<String, Value>,
}

/// Writes a position and some of its moves.
pub type OutlineFn<G> = fn(&G, &<G as Rules>::State, &[<G as Rules>::Move]) -> (String, Vec<String>);

impl<G: Game> Outline<G> {
    /// Uses the packed state.
    pub const DEFAULT: Outline<G> = Outline {
        position: |game, state, moves| {
            let mut bytes = vec![0; game.state_bytes()];
            game.pack(state, &mut bytes);
            let mut legal = Vec::new();
            game.moves(state, &mut legal);
            let number = |mv: &G::Move| legal.iter().position(|other| other == mv).map_or(0, |at| at + 1).to_string();
            (bytes.iter().map(|byte| format!("{byte:02x}")).collect(), moves.iter().map(number).collect())
        },
        data: |_, _| Map::new(),
    };
}

/// Facts that only one game reports: [`Game::FACTS`].
pub struct GameFacts<G: Game> {
    /// The names of all facts. An answer that contains any other name is rejected.
    pub fields: &'static [AnswerField],
    /// Names and values, for JSON and text.
    pub of: fn(&G) -> Map<String, Value>,
    /// Checks a fact claimed by an answer. `None` if undecided. The error is a sentence that names the fact. If several values are
    /// right, accept all of them. Rejecting a right value rejects a right answer, and accepting a wrong value confirms a wrong answer.
    pub judge: fn(&G, &str, &Value) -> Option<Result<(), String>>,
}

impl<G: Game> GameFacts<G> {
    pub const NONE: GameFacts<G> =
        GameFacts { fields: &[], of: |_| Map::new(), judge: |game, name, value| same_fact(&(G::FACTS.of)(game), name, value) };
}

/// Receives a move, its rank, and the key of the position after it. Returns whether to continue.
pub type EmitKey<'a, M> = &'a mut dyn FnMut(&M, u32, &[u8]) -> ControlFlow<()>;

/// The default of [`Keys::successors`].
pub fn keys_after<G: Game>(game: &G, state: &G::State, moves: &[G::Move], skip: usize, emit: EmitKey<'_, G::Move>) {
    let mut key = Vec::new();
    for mv in &moves[skip..] {
        key.clear();
        (G::KEYS.key)(game, &game.apply(state, mv), &mut key);
        if emit(mv, key.len() as u32, &key).is_break() {
            return;
        }
    }
}

/// Compares a claimed value with the fact of that name, if there is one.
pub fn same_fact(facts: &Map<String, Value>, name: &str, value: &Value) -> Option<Result<(), String>> {
    let fact = facts.get(name)?;
    Some(if fact == value { Ok(()) } else { Err(format!("`{name}` is {fact}, not {}", shorten(&value.to_string()))) })
}

/// A heuristic: its properties as data, and a builder that prepares tables once per instance.
pub struct Heuristic<P: Problem> {
    /// The word after the colon in `--method astar:NAME`.
    pub name: &'static str,
    /// One sentence for help and documentation.
    pub about: &'static str,
    /// True if the estimate never exceeds the true cost to go. If this is wrongly true, A* may call a plan optimal that is not.
    pub admissible: bool,
    /// True if no move lowers the estimate by more than the move's cost, and the estimate is 0 at goals. Implies `admissible`.
    pub consistent: bool,
    /// Aliases for methods that use this heuristic. Each pair is an alias and its method, such as (`A*2`, `astar`).
    pub aliases: &'static [(&'static str, &'static str)],
    /// Prepares the estimate for one instance. A slow build must check the limits regularly.
    pub build: fn(&P, &Limits) -> Result<Estimate<P>, Limit>,
}

/// A prepared heuristic.
pub struct Estimate<P: Problem> {
    at: EstimateFn<P>,
    differences: Vec<Cost>,
    bytes: usize,
}

enum EstimateFn<P: Problem> {
    Quick(Box<QuickFn<P>>),
    Slow(Box<SlowFn<P>>),
}

type QuickFn<P> = dyn Fn(&P, &<P as Rules>::State) -> Cost + Send + Sync;
type SlowFn<P> = dyn Fn(&P, &<P as Rules>::State, &Limits) -> Result<Cost, Limit> + Send + Sync;

impl<P: Problem> Estimate<P> {
    /// An estimate computed by a function, which returns the estimated cost to go or [`DEAD`].
    pub fn new(at: impl Fn(&P, &P::State) -> Cost + Send + Sync + 'static) -> Self {
        Estimate { at: EstimateFn::Quick(Box::new(at)), differences: Vec::new(), bytes: 0 }
    }

    /// Like [`Estimate::new`], but for a function that may take longer than a tenth of a second. It must check the limits of the current
    /// run and stop when they are reached. Repeated calls for the same state must return the same estimate.
    pub fn slow(at: impl Fn(&P, &P::State, &Limits) -> Result<Cost, Limit> + Send + Sync + 'static) -> Self {
        Estimate { at: EstimateFn::Slow(Box::new(at)), differences: Vec::new(), bytes: 0 }
    }

    /// Adds a table of the differences that moves make: the estimate after a move minus the estimate before it. A negative difference
    /// wraps around. The table has an entry for every index that [`InPlace::changes`] returns. Depth-first searches look differences up
    /// before they make any move, if the game has [`Problem::IN_PLACE`]. Without the table, every estimate is recomputed, which only
    /// costs time. A wrong difference causes wrong answers.
    pub fn with_differences(self, table: Vec<Cost>) -> Self {
        let bytes = self.bytes + table.capacity() * size_of::<Cost>();
        Estimate { differences: table, bytes, ..self }
    }

    /// Adds the size of the estimate's tables in bytes.
    pub fn with_tables(self, bytes: usize) -> Self {
        Estimate { bytes: self.bytes + bytes, ..self }
    }

    /// The estimate for a state. Only a slow estimate can run into a limit.
    #[inline]
    pub fn at(&self, problem: &P, state: &P::State, limits: &Limits) -> Result<Cost, Limit> {
        match &self.at {
            EstimateFn::Quick(at) => Ok(at(problem, state)),
            EstimateFn::Slow(at) => at(problem, state, limits),
        }
    }

    /// The table of differences, which is empty if there is none: see [`Estimate::with_differences`].
    #[inline]
    pub fn differences(&self) -> &[Cost] {
        &self.differences
    }

    /// True if computing the estimate may run into a limit.
    pub fn is_slow(&self) -> bool {
        matches!(self.at, EstimateFn::Slow(_))
    }

    /// The size of the estimate's tables in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// One of a game's own solvers: its properties as data, and its functions.
pub struct Solver<P: Problem> {
    /// The word in `--method NAME`.
    pub name: &'static str,
    /// One sentence for help and documentation.
    pub about: &'static str,
    /// True if the solver finds least-cost plans.
    pub optimal: bool,
    /// True if the solver is an algorithm exactly as a course teaches it. Such a solver is for `--course` and is never recommended.
    pub course: bool,
    /// The optimal search that alternates with this solver if the solver is the default, and the number of states that the search
    /// generates per turn on this instance. Set it for a solver that may be far slower than the search on some boards. The solver calls
    /// [`Limits::take_turns`] about once per millisecond, so the number should be what the search generates in a millisecond. `None` for
    /// a solver that is always fast and runs alone. A wrong number only costs time.
    pub beside: Option<BesideFn<P>>,
    /// Tests whether the solver can solve this instance from this state. The error is the reason why not.
    pub applies: fn(&P, &P::State) -> Result<(), &'static str>,
    /// Solves from the given state.
    pub run: fn(&P, &P::State, &Limits) -> Outcome<P::Move>,
    /// Like `run`, but also emits every expanded state, in order. `None` for solvers that do not search.
    pub trace: Option<TraceFn<P>>,
}

/// The name of the search that alternates with a solver, and the number of states it generates per turn.
pub type BesideFn<P> = fn(&P) -> (&'static str, u64);

/// Solves and emits expanded states.
pub type TraceFn<P> = fn(&P, &<P as Rules>::State, &Limits, &mut dyn FnMut(Expanded<P>)) -> Outcome<<P as Rules>::Move>;
