//! The registry: an entry for every game, with the facts that do not depend on a board.

use super::{OnePlayer, Puzzle, Survey, TwoPlayer, census, one_player, two_player};
use crate::drawing::{Drawing, Track};
use crate::limits::Limits;
use crate::notation::tools::{Bitmaps, Command, Example, Kernel, Tool};
use crate::notation::{Fault, Input, LevelSpec, Monster, Notation, OptionSpec, Options, ReadError, shorten};
use crate::outcome::AnswerField;
use crate::random::Random;
use crate::report::{self, Claim, claim};
use crate::rules::{Game, Problem};

/// The games that a front end offers. The program, the server and [`crate::ask`] take this as an argument.
#[derive(Clone, Copy)]
pub struct Games(&'static [Entry]);

impl Games {
    pub const fn new(entries: &'static [Entry]) -> Games {
        Games(entries)
    }

    /// Makes a list of games that is never freed.
    pub fn leak(entries: &[Entry]) -> Games {
        Games(Box::leak(entries.to_vec().into_boxed_slice()))
    }

    pub fn find(self, name: &str) -> Option<&'static Entry> {
        self.0.iter().find(|entry| entry.name == name)
    }

    /// The names of the games that satisfy a condition.
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

/// A game in the registry.
#[derive(Clone)]
pub struct Entry {
    pub name: &'static str,
    pub about: &'static str,
    pub rules: &'static str,
    /// Publications to cite.
    pub sources: &'static [&'static str],
    pub sample: &'static str,
    pub players: u8,
    /// Answer fields that only this game has.
    pub facts: &'static [AnswerField],
    pub options: &'static [OptionSpec],
    /// Options for random boards; `None` if the game cannot generate any.
    pub generate_options: Option<&'static [OptionSpec]>,
    /// The requirements for easy, medium, hard and expert boards, if the game has its own.
    pub levels: Option<&'static [LevelSpec; 4]>,
    /// Commands and formats that only some games have.
    pub tools: &'static [Tool],
    /// The game's census, if it has one.
    pub census: Option<Survey>,
    /// Boards that test limits.
    pub monsters: &'static [Monster],
    /// Converts a graph to a board, if a graph by itself is a board.
    pub graph_board: Option<fn(&str) -> String>,
    /// Example lines for the program's help.
    pub examples: &'static [Example],
    /// True if a whole search can be painted on one board.
    pub paints: bool,
    /// Reads an instance; notes about it are added to the input.
    pub read: fn(&Input<'_>) -> ReadResult,
    /// Generates a random solvable instance, as text.
    pub generate: fn(u64, &Options, &Limits) -> Result<String, ReadError>,
}

/// A puzzle, or the error in its text.
pub type ReadResult = Result<Box<dyn Puzzle>, ReadError>;

impl Entry {
    /// The registry entry of a one-player game.
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

    /// The registry entry of a two-player game.
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

    const fn of<R: Drawing>() -> Entry {
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
            paints: matches!(R::TRACK, Some(Track { whole: true, .. })),
            read: |_| unreachable!("set above"),
            generate: |_, _, _| unreachable!("set above"),
        }
    }

    /// The answer fields that make claims. `check` confirms or refutes each claim, or reports it as undecided.
    pub fn claims(&self) -> impl Iterator<Item = &'static AnswerField> {
        let common = if self.players == 1 { claim::ONE_PLAYER } else { claim::TWO_PLAYER };
        common.iter().chain(self.facts)
    }

    /// The columns of a table of reports: all possible fields and counts. They depend only on the game.
    pub fn columns(&self) -> Vec<&'static str> {
        let neutral = claim::NEUTRAL.iter().filter(|field| !["stats", "seconds"].contains(&field.name));
        let (first, rest): (Vec<&str>, Vec<&str>) = neutral.map(|field| field.name).partition(|name| ["game", "method"].contains(name));
        let tree = report::TREE_STATS.into_iter().filter(|_| self.players == 2);
        first.into_iter().chain(self.claims().map(|field| field.name)).chain(rest).chain(report::STATS).chain(tree).collect()
    }

    /// Reads an answer to be checked. The error is a message for the user.
    pub fn claim(&self, text: &str) -> Result<Claim, String> {
        let claim = Claim::read_for(text, self.name, self.players)?;
        match claim.said().keys().find(|name| self.claims().all(|field| field.name != name.as_str())) {
            Some(name) => Err(format!("unknown field `{}` in an answer for {}", shorten(name), self.name)),
            None => Ok(claim),
        }
    }

    /// The game's own commands.
    pub fn commands(&self) -> impl Iterator<Item = &'static Command> {
        self.tools.iter().filter_map(|tool| if let Tool::Command(command) = tool { Some(command) } else { None })
    }

    /// Sets of moves that change nothing, if the game is linear.
    pub fn kernel(&self) -> Option<&'static Kernel> {
        self.tools.iter().find_map(|tool| if let Tool::Kernel(kernel) = tool { Some(kernel) } else { None })
    }

    /// Conversion of boards to and from images, if the game supports it.
    pub fn bitmaps(&self) -> Option<&'static Bitmaps> {
        self.tools.iter().find_map(|tool| if let Tool::Bitmaps(bitmaps) = tool { Some(bitmaps) } else { None })
    }

    /// True if a board can be given as a graph, with the option `graph`.
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

/// Generates a board with the game's generator. Returns an error if the game has no generator.
pub(super) fn draw<R: Notation>(random: &mut Random, options: &Options, limits: &Limits) -> Result<R, ReadError> {
    let Some(generator) = &R::INFO.generator else {
        let message = format!("{} cannot generate random boards", R::INFO.name);
        return Err(Fault::new(message, "write a board yourself; `about` shows the format").into());
    };
    (generator.make)(random, options, limits)
}
