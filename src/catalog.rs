//! The middle: games on one side, everything that shows or asks on the other.
//!
//! [`Puzzle`] is what the program, a page, Python and the tests see. It is object-safe and implemented once for all
//! one-player problems ([`OnePlayer`]) and once for all two-player games ([`TwoPlayer`]); dispatch happens once per call, the loops inside are compiled for their game.

pub mod census;
mod methods;
mod one_player;
pub mod packed;
pub mod primer;
mod run;
mod sharing;
mod two_player;

pub use census::Survey;
pub use one_player::OnePlayer;
use packed::Packed;
use primer::Illustrated;
use serde_json::Value;
pub use two_player::{CertificateError, Duel, GraphError, MoveValue, TwoPlayer, is_certificate};

use crate::drawing::{Arranging, Drawing};
use crate::graph::Graph;
use crate::limits::{Limit, Limits};
use crate::notation::tools::{Bitmaps, Command, Example, Kernel, Tool};
use crate::notation::{Input, LevelSpec, Monster, Notation, OptionError, OptionSpec, Options, ReadError, sentence, shorten};
use crate::outcome::{AnswerField, Certificate, Stats};
use crate::random::Random;
pub use crate::report::Exploration;
use crate::report::{self, Claim, Report, claim};
use crate::rules::{Cost, Game, Problem};
use crate::scene::{Brush, Explanation, Gesture, Scene};
use crate::search::{Memory, Optimal, WEIGHT_ONE};
use crate::space::Space;
use crate::trace::Line;

/// The games that a front end offers: a value that the program, the server and [`crate::ask`] take as an argument.
#[derive(Clone, Copy)]
pub struct Games(&'static [Entry]);

impl Games {
    pub const fn new(entries: &'static [Entry]) -> Games {
        Games(entries)
    }

    /// A list that stays for as long as the program runs.
    pub fn leak(entries: &[Entry]) -> Games {
        Games(Box::leak(entries.to_vec().into_boxed_slice()))
    }

    /// The game with this name.
    pub fn find(self, name: &str) -> Option<&'static Entry> {
        self.0.iter().find(|entry| entry.name == name)
    }

    /// The names of the games for which something holds.
    pub fn names(self, which: impl Fn(&Entry) -> bool) -> Vec<&'static str> {
        self.0.iter().filter(|entry| which(entry)).map(|entry| entry.name).collect()
    }
}

impl std::ops::Deref for Games {
    type Target = &'static [Entry];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl IntoIterator for Games {
    type Item = &'static Entry;
    type IntoIter = std::slice::Iter<'static, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A game in the registry: what is known before any board is read.
#[derive(Clone)]
pub struct Entry {
    pub name: &'static str,
    pub about: &'static str,
    pub rules: &'static str,
    /// What to cite.
    pub sources: &'static [&'static str],
    pub sample: &'static str,
    pub players: u8,
    /// Fields of an answer that only this game has.
    pub facts: &'static [AnswerField],
    pub options: &'static [OptionSpec],
    /// Options for random boards; `None` if the game makes none.
    pub generate_options: Option<&'static [OptionSpec]>,
    /// What makes a board easy, medium, hard or for experts, if the game says so.
    pub levels: Option<&'static [LevelSpec; 4]>,
    /// What the game offers and most games do not have.
    pub tools: &'static [Tool],
    /// A table over many boards.
    pub census: Option<Survey>,
    /// Boards that are hard on limits.
    pub monsters: &'static [Monster],
    /// The board that a graph alone stands for, where boards are made of graphs.
    pub graph_board: Option<fn(&str) -> String>,
    /// Lines for the program's help.
    pub examples: &'static [Example],
    /// Reads an instance; notes about it are left in the input.
    pub read: fn(&Input<'_>) -> ReadResult,
    /// Makes a random solvable instance, as text.
    pub generate: fn(u64, &Options, &Limits) -> Result<String, ReadError>,
}

/// A puzzle, or what is wrong with its text.
pub type ReadResult = Result<Box<dyn Puzzle>, ReadError>;

impl Entry {
    /// The registry's row for a one-player game.
    pub const fn one_player<P: Problem + Drawing>() -> Entry {
        Entry {
            players: 1,
            facts: P::FACTS.fields,
            census: census::one_player::<P>(),
            read: |input| Ok(Box::new(OnePlayer::new(read::<P>(input)?))),
            generate: one_player::generate::<P>,
            ..Entry::of::<P>()
        }
    }

    /// The registry's row for a two-player game.
    pub const fn two_player<G: Game + Drawing>() -> Entry {
        Entry {
            players: 2,
            facts: G::FACTS.fields,
            read: |input| Ok(Box::new(TwoPlayer::new(read::<G>(input)?))),
            census: census::two_player::<G>(),
            generate: two_player::generate::<G>,
            ..Entry::of::<G>()
        }
    }

    const fn of<R: Notation>() -> Entry {
        Entry {
            name: R::INFO.name,
            about: R::INFO.about,
            rules: R::INFO.rules,
            sources: R::INFO.sources,
            sample: R::INFO.sample,
            players: 0,
            facts: &[],
            options: R::INFO.options,
            generate_options: match &R::INFO.generator {
                Some(generator) => Some(generator.options),
                None => None,
            },
            levels: R::INFO.levels,
            tools: R::INFO.tools,
            census: None,
            monsters: R::INFO.monsters,
            graph_board: R::INFO.graph_board,
            examples: R::INFO.examples,
            read: |_| unreachable!("set above"),
            generate: |_, _, _| unreachable!("set above"),
        }
    }

    /// The fields of an answer that claim something; `check` confirms or refutes each, or says that it could not.
    pub fn claims(&self) -> impl Iterator<Item = &'static AnswerField> {
        let common = if self.players == 1 { claim::ONE_PLAYER } else { claim::TWO_PLAYER };
        common.iter().chain(self.facts)
    }

    /// The columns of a table of reports: all fields that one can have, and what the method took. They depend on the game only.
    pub fn columns(&self) -> Vec<&'static str> {
        let neutral = claim::NEUTRAL.iter().filter(|field| !["stats", "seconds"].contains(&field.name));
        let (first, rest): (Vec<&str>, Vec<&str>) = neutral.map(|field| field.name).partition(|name| ["game", "method"].contains(name));
        first.into_iter().chain(self.claims().map(|field| field.name)).chain(rest).chain(report::STATS).collect()
    }

    /// Reads an answer to be checked. Errors are sentences.
    pub fn claim(&self, text: &str) -> Result<Claim, String> {
        let claim = Claim::read_for(text, self.name, self.players)?;
        match claim.said().keys().find(|name| self.claims().all(|field| field.name != name.as_str())) {
            Some(name) => Err(format!("`{}` is no field of an answer of {}; leave it out", shorten(name), self.name)),
            None => Ok(claim),
        }
    }

    /// Commands of the game's own.
    pub fn commands(&self) -> impl Iterator<Item = &'static Command> {
        self.tools.iter().filter_map(|tool| if let Tool::Command(command) = tool { Some(command) } else { None })
    }

    /// Sets of moves that change nothing, if the game is linear.
    pub fn kernel(&self) -> Option<&'static Kernel> {
        self.tools.iter().find_map(|tool| if let Tool::Kernel(kernel) = tool { Some(kernel) } else { None })
    }

    /// Boards as images, if the game has them.
    pub fn bitmaps(&self) -> Option<&'static Bitmaps> {
        self.tools.iter().find_map(|tool| if let Tool::Bitmaps(bitmaps) = tool { Some(bitmaps) } else { None })
    }

    /// Can a board be given by a graph, with the option `graph`?
    pub fn on_graphs(&self) -> bool {
        self.options.iter().any(|spec| spec.name == "graph")
    }

    /// Reads an instance without limits; notes about it are dropped.
    pub fn parse(&self, text: &str, options: &Options) -> ReadResult {
        (self.read)(&Input::new(text, options, &Limits::none()))
    }
}

/// Reads a board whose lines may end with a line feed, a carriage return, or both.
fn read<R: Notation>(input: &Input<'_>) -> Result<R, ReadError> {
    if !input.text.contains('\r') {
        return R::read(input);
    }
    let text = input.text.replace("\r\n", "\n").replace('\r', "\n");
    let plain = Input::new(&text, input.options, input.limits);
    let board = R::read(&plain);
    plain.notes().into_iter().for_each(|note| input.note(note));
    board
}

/// Makes a board with a game's generator, or says that it has none.
fn draw<R: Notation>(random: &mut Random, options: &Options, limits: &Limits) -> Result<R, ReadError> {
    let Some(generator) = &R::INFO.generator else {
        let message = format!("{} makes no random boards", R::INFO.name);
        return Err(OptionError { message, help: "write a board yourself; `about` shows the format".to_owned() }.into());
    };
    (generator.make)(random, options, limits)
}

/// One board of some game.
pub trait Puzzle: Send + Sync {
    /// The game's name.
    fn game(&self) -> &'static str;

    /// The board as an instance that can be read again.
    fn instance(&self) -> String;

    /// The board as a few lines of text for a terminal.
    fn ascii(&self) -> String;

    /// The board as it stands, drawn, with the moves that can be made.
    fn position(&self, limits: &Limits) -> Result<Position, Limit>;

    /// The puzzle that is left after these moves, each written as the game writes it.
    fn after(&self, moves: &[Value]) -> Result<Box<dyn Puzzle>, MoveError>;

    /// The legal move that a text or JSON value means.
    fn meant(&self, value: &Value) -> Option<LegalMove>;

    /// What these moves cost together, each written as the game writes it. Default: 1 each.
    fn cost(&self, moves: &[Value]) -> Result<u64, MoveError> {
        Ok(moves.len() as u64)
    }

    /// The ways to solve this board, the recommended one first.
    fn methods(&self) -> Vec<MethodInfo>;

    /// The full name of the method that a choice means, such as `astar:relaxed` for `A*`.
    fn method(&self, choice: &Choice) -> Result<String, ChoiceError>;

    /// Starts a solver that can be stopped, looked into, moved to another thread and resumed.
    fn begin(&self, choice: &Choice) -> Result<Box<dyn Run + Send>, ChoiceError>;

    /// Solves in one go.
    fn solve(&self, choice: &Choice, limits: &Limits) -> Result<Report, SolveError> {
        Ok(self.begin(choice)?.advance(limits)?)
    }

    /// Checks an answer that came from anywhere; `limits.nodes` says how many states a plain search may look at.
    fn check(&self, claim: &Claim, limits: &Limits) -> Result<Checked, String> {
        self.checker().check(claim, limits)
    }

    /// Checks many answers to this board.
    fn checker(&self) -> Box<dyn Checker + '_>;

    /// Walks through everything that can be reached.
    fn explore(&self, limits: &Limits) -> Exploration;

    /// The board's whole space as packed states, with symmetric ones as one if `fold` is set.
    fn space(&self, fold: bool) -> Box<dyn Space>;

    /// What can be said about its packed states.
    fn packed(&self) -> &dyn Packed;

    /// Bytes of a packed state: how large the board is.
    fn state_bytes(&self) -> usize;

    /// What there is to understand about the board, if anything, within the limits.
    fn explain(&self, limits: &Limits) -> Option<Explanation>;

    /// A proof that there is no solution, shown on the board.
    fn show_proof(&self, certificate: &Certificate) -> Explanation;

    /// The rules of this board in up to three small pictures.
    fn primer(&self, limits: &Limits) -> Result<Vec<Illustrated>, Limit>;

    /// Changing the board by hand, if the game offers that.
    fn editor(&self) -> Option<&dyn Edit>;

    /// The instance with a named shape of the scene at another point of it; nothing if it cannot be moved.
    fn place(&self, name: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit>;

    /// The graph on which the board is played, its vertices named as in moves, if there is one.
    fn board_graph(&self) -> Option<Graph>;

    /// What only two-player games can be asked. Default: it is none.
    fn duel(&self) -> Option<&dyn Duel> {
        None
    }
}

/// Checks answers to one board. What is the same for all of them, the least cost or an induction over all positions, is found
/// out once: for the first answer that needs it, and under the limits given with that one.
pub trait Checker {
    /// As [`Puzzle::check`]; the error says what is wrong with the answer.
    fn check(&mut self, claim: &Claim, limits: &Limits) -> Result<Checked, String>;
}

/// Changing a board by hand.
pub trait Edit {
    /// Ways to change the board.
    fn brushes(&self) -> &'static [Brush];

    /// The board as it is shown for editing.
    fn canvas(&self, limits: &Limits) -> Result<Scene, Limit>;

    /// The instance after a brush was used on named shapes of the canvas; nothing if it cannot be used there.
    fn paint(&self, brush: &str, shapes: &[&str]) -> Option<String>;

    /// Brushes that take a point of the canvas in place of shapes.
    fn point_brushes(&self) -> &'static [&'static str];

    /// The instance after such a brush was used at a point of the canvas; nothing if it cannot be used there.
    fn paint_at(&self, brush: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit>;
}

/// The board as it is shown for editing: as any game draws it, where it has no editor.
fn canvas<R: Drawing>(rules: &R, state: &R::State, limits: &Limits) -> Result<Scene, Limit> {
    R::EDITOR.map_or_else(|| rules.scene(state, limits), |editor| (editor.canvas)(rules, state, limits))
}

/// A board drawn, with its legal moves as `write` writes each.
fn position<R: Drawing>(
    rules: &R,
    state: &R::State,
    legal: &[R::Move],
    write: impl Fn(&R::Move) -> LegalMove,
    goal: bool,
    limits: &Limits,
) -> Result<Position, Limit> {
    let mut scene = rules.scene(state, limits)?;
    limits.room(scene.bytes() + legal.len() * (size_of::<LegalMove>() + size_of::<Gesture>()))?;
    let mut moves = Vec::with_capacity(legal.len());
    for mv in legal {
        limits.check()?;
        let written = write(mv);
        scene.moves.push(Gesture { text: written.text.clone(), clicks: rules.clicks(state, mv) });
        moves.push(written);
    }
    limits.check()?;
    Ok(Position { instance: rules.write(state), ascii: rules.ascii(state), scene, moves, goal })
}

/// The editor of any game, for the state at hand.
fn paint<R: Drawing>(rules: &R, state: &R::State, brush: &str, shapes: &[&str]) -> Option<String> {
    let editor = R::EDITOR?;
    (editor.brushes)(rules).iter().find(|known| known.name == brush && known.clicks == shapes.len())?;
    (editor.paint)(rules, state, brush, shapes)
}

/// How the drawing is arranged by hand, if the game offers that.
fn arranging<R: Drawing>() -> Option<Arranging<R>> {
    R::EDITOR.and_then(|editor| editor.arranging)
}

/// The instance with a named shape of the scene elsewhere.
fn place<R: Drawing>(rules: &R, state: &R::State, name: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
    arranging::<R>().map_or(Ok(None), |arranging| (arranging.place)(rules, state, name, at, limits))
}

/// The instance after a brush was used at a point.
fn paint_at<R: Drawing>(rules: &R, state: &R::State, brush: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
    match arranging::<R>() {
        Some(arranging) if arranging.brushes.contains(&brush) => (arranging.paint)(rules, state, brush, at, limits),
        _ => Ok(None),
    }
}

/// A proof shown by the game, or its claim alone.
fn show_proof<R: Drawing>(rules: &R, state: &R::State, certificate: &Certificate) -> Explanation {
    match &R::LESSON {
        Some(lesson) => (lesson.show_proof)(rules, state, certificate),
        None => Explanation::new(sentence(&certificate.claim)),
    }
}

/// A strategy as the text of a certificate, or the limit that was hit before there was one.
pub type WrittenStrategy = Result<Result<String, Limit>, SelfCheck>;

/// A solver at work. It owns what it needs: it can move to a thread, live in an object of another language, be stepped,
/// looked into, stopped and resumed.
pub trait Run {
    /// Works until there is an answer or a limit is hit. After `unknown` it can be called again with larger limits or a new
    /// cancel flag: a search goes on where it stopped; what [`Run::resumes`] denies starts over.
    ///
    /// The answer is checked and written down before it is reported. Where [`Run::work`] was called before, that is all that
    /// is left to do.
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck>;

    /// The method's own part of [`Run::advance`], without the check of the answer: call it first to measure how long the
    /// method itself takes.
    fn work(&mut self, limits: &Limits);

    /// The same as [`Run::advance`], and `emit` gets a line for every state that is expanded, in order; with their boards if
    /// `states` is set. To be called on a run that did nothing yet; what resumes can be traced on. Where a default takes turns with
    /// a search, the trace shows the method that [`Puzzle::method`] names, on its own.
    fn trace(&mut self, states: bool, limits: &Limits, emit: &mut dyn FnMut(Line)) -> Result<Report, SelfCheck>;

    /// A strategy that shows who wins, as a file that [`Duel::check`] reads; it is checked before it is given. Only for two
    /// players.
    fn certificate(&mut self, _limits: &Limits) -> Option<WrittenStrategy> {
        None
    }

    /// Does it go on where a limit stopped it? A game's own solver starts over.
    fn resumes(&self) -> bool;

    /// What is going on inside, where the method can say.
    fn look(&self) -> Option<Inside>;
}

/// A look into a search.
#[derive(Clone, Debug)]
pub struct Inside {
    pub open: u64,
    pub closed: u64,
    pub lower: Cost,
    pub upper: Option<Cost>,
    pub stats: Stats,
    /// The state expanded last, as an instance.
    pub last: Option<String>,
}

/// A board and what can be done with it.
#[derive(Clone, Debug)]
pub struct Position {
    /// As an instance that can be read again.
    pub instance: String,
    pub ascii: String,
    pub scene: Scene,
    pub moves: Vec<LegalMove>,
    pub goal: bool,
}

#[derive(Clone, Debug)]
pub struct LegalMove {
    pub text: String,
    pub json: Value,
    pub cost: Cost,
}

impl LegalMove {
    /// The move that a text or JSON value from outside means: the one written exactly so or, if only one fits, the one that
    /// differs in case, spaces or a full stop at the end.
    pub fn find<'a>(moves: &'a [LegalMove], value: &Value) -> Option<&'a LegalMove> {
        let exact = |legal: &&LegalMove| legal.json == *value || value.as_str() == Some(&legal.text);
        moves.iter().find(exact).or_else(|| {
            let text = plain(value.as_str()?);
            let mut alike = moves.iter().filter(|legal| plain(&legal.text) == text);
            alike.next().filter(|_| alike.next().is_none())
        })
    }

    /// Where in the list that move is.
    pub fn position(moves: &[LegalMove], value: &Value) -> Option<usize> {
        let meant = LegalMove::find(moves, value)?;
        moves.iter().position(|legal| std::ptr::eq(legal, meant))
    }
}

/// A method that can be asked for on some board.
#[derive(Clone, Debug)]
pub struct MethodInfo {
    /// As `--method` takes it, such as `astar:relaxed`.
    pub name: String,
    pub about: String,
    /// Does it promise a least-cost plan on this board?
    pub optimal: bool,
    /// When it promises one on any board; none where there are no plans, as where two play.
    pub promise: Option<Optimal>,
    pub memory: Option<Memory>,
    /// A course's own algorithm?
    pub course: bool,
}

/// How to solve: a method by name, or the game's best.
#[derive(Clone, Debug)]
pub struct Choice {
    /// `METHOD` or `METHOD:HEURISTIC`; none lets the game choose.
    pub method: Option<String>,
    /// Weighted A*'s weight in thousandths.
    pub weight: u32,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { method: None, weight: 2 * WEIGHT_ONE }
    }
}

impl Choice {
    pub fn method(name: impl Into<String>) -> Choice {
        Choice { method: Some(name.into()), ..Choice::default() }
    }
}

/// A method that does not exist or does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ChoiceError {
    pub message: String,
    pub help: String,
}

/// A move that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}, `{text}`, is not legal there")]
pub struct MoveError {
    /// From 1.
    pub number: usize,
    pub text: String,
}

/// A solver's answer did not pass the check: a fault of this library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an answer by `{method}` did not pass its check: {fault}")]
pub struct SelfCheck {
    pub method: String,
    pub fault: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    #[error(transparent)]
    SelfCheck(#[from] SelfCheck),
}

/// What a check found out about an answer that is not wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What holds, in a sentence.
    pub text: String,
    /// Fields of the answer that could not be decided within the limits.
    pub undecided: Vec<String>,
    /// What its plan costs, if it has one.
    pub cost: Option<Cost>,
    /// The least cost of any plan, if the check had to find it out.
    pub least: Option<Cost>,
}

impl Checked {
    /// Was everything that the answer claims confirmed?
    pub fn complete(&self) -> bool {
        self.undecided.is_empty()
    }
}

/// A written move without what does not matter.
fn plain(text: &str) -> String {
    text.trim_end().trim_end_matches('.').chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}
