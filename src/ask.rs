//! Questions and answers as JSON, for all front ends (server, browser worker, Python): see [`ask`].
//!
//! [`QUESTIONS`] lists all questions. Routes, tests and the check of `web/page/openapi.json` are derived from it. Adding a question
//! takes a function, a row here, and a description in that file.
//!
//! An answer is a JSON value, and so is a refusal ([`Refusal::json`]). No state is kept between questions: each body contains its
//! board and moves. Streaming questions also send [`Event`]s while they work. The library has no clock, so the caller fills in
//! seconds ([`Event::json`], [`set_seconds`]) and stops late work with the cancel flag of its [`Limits`].

mod board;
mod editing;
mod filming;
pub mod instances;
mod leveling;
mod playing;
mod primer;
mod refusal;
mod solving;

use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

pub use self::refusal::{Kind, Refusal};
use crate::catalog::{Entry, Games};
use crate::limits::{Limits, Progress};
use crate::notation::{OptionSpec, Options, shorten};

/// A question that a front end can ask.
pub struct Question {
    pub name: &'static str,
    pub about: &'static str,
    /// True if the body must be a JSON object. Otherwise the body is ignored.
    pub body: bool,
    /// True if events are sent while the question is answered.
    pub streams: bool,
    answer: Answerer,
}

/// The function that answers a question about all games, or about one game.
enum Answerer {
    All(fn(&Asked) -> Reply),
    One(fn(&'static Entry, &Asked) -> Reply),
}

use Answerer::{All, One};

#[rustfmt::skip]
pub const QUESTIONS: &[Question] = &[
    Question { name: "games", body: false, streams: false, answer: All(all_games), about: "All games, each with a drawing of its sample" },
    Question { name: "about", body: false, streams: false, answer: One(about), about: "Rules, options and boards of a game" },
    Question { name: "position", body: true, streams: false, answer: One(board::position), about: "Read a board and make moves on it" },
    Question { name: "primer", body: true, streams: false, answer: One(primer::primer), about: "Explain the rules of a board in small pictures" },
    Question { name: "generate", body: true, streams: false, answer: One(generate), about: "Generate a random board" },
    Question { name: "level", body: true, streams: false, answer: One(leveling::level), about: "Generate a board at a given level, or the daily board" },
    Question { name: "explain", body: true, streams: false, answer: One(board::explain), about: "Explain a position" },
    Question { name: "measure", body: true, streams: false, answer: One(board::measure), about: "Follow the invariant behind a proof" },
    Question { name: "graph", body: true, streams: false, answer: One(board::graph), about: "Draw the position graph of a two-player game" },
    Question { name: "canvas", body: true, streams: false, answer: One(editing::canvas), about: "Show a board for editing" },
    Question { name: "paint", body: true, streams: false, answer: One(editing::paint), about: "Change a board with a brush" },
    Question { name: "place", body: true, streams: false, answer: One(editing::place), about: "Move a shape in the drawing" },
    Question { name: "on_graph", body: true, streams: false, answer: One(board::on_graph), about: "Convert a graph to a board" },
    Question { name: "film", body: true, streams: false, answer: One(filming::film), about: "Make a film of a plan, as an HTML document" },
    Question { name: "reply", body: true, streams: true, answer: One(playing::reply), about: "Choose a move for an opponent in a two-player game" },
    Question { name: "solve", body: true, streams: true, answer: One(solving::solve), about: "Solve a board and report progress" },
    Question { name: "trace", body: true, streams: true, answer: One(solving::trace), about: "Solve a board and show every expanded state" },
];

impl Question {
    pub fn find(name: &str) -> Option<&'static Question> {
        QUESTIONS.iter().find(|question| question.name == name)
    }

    /// True if the question is about one game.
    pub fn needs_game(&self) -> bool {
        matches!(self.answer, One(_))
    }

    /// The HTTP method.
    pub fn method(&self) -> &'static str {
        if self.body { "POST" } else { "GET" }
    }

    /// The HTTP path, with `{game}` as the placeholder for the game's name.
    pub fn path(&self) -> String {
        if self.needs_game() { format!("/api/{{game}}/{}", self.name) } else { format!("/api/{}", self.name) }
    }
}

pub type Reply = Result<Value, Refusal>;

/// A message that a streaming question sends while it works. The first event means that the question was accepted; a malformed
/// question is refused before any event.
#[derive(Clone, Debug)]
pub enum Event {
    /// The progress of the work. Some of these events may be skipped.
    Progress(Progress),
    /// The next lines of a trace. None of these events may be skipped.
    Lines(Vec<Value>),
}

impl Event {
    pub fn name(&self) -> &'static str {
        match self {
            Event::Progress(_) => "progress",
            Event::Lines(_) => "lines",
        }
    }

    /// The event's data. The library has no clock, so the caller passes the elapsed time.
    pub fn json(&self, seconds: f64) -> Value {
        match self {
            Event::Progress(Progress { expanded, generated, open, bytes, lower, upper }) => json!({
                "expanded": expanded, "generated": generated, "open": open, "bytes": bytes, "lower": lower, "upper": upper,
                "seconds": seconds,
            }),
            Event::Lines(lines) => json!({"lines": lines}),
        }
    }
}

/// The receiver of events, called on the thread that does the work. Progress events are frequent, so skip some of them before calling
/// [`Event::json`].
pub type EventSink = Arc<dyn Fn(&Event) + Send + Sync>;

/// Answers a question about one of the given games, or about all of them. When a limit is reached, the answer is a refusal of kind
/// [`Kind::Limit`] or, for `solve`, a report with the verdict `unknown`.
pub fn ask(games: Games, game: Option<&str>, question: &str, body: &Value, limits: &Limits, emit: Option<&EventSink>) -> Reply {
    let Some(question) = Question::find(question) else {
        let names: Vec<&str> = QUESTIONS.iter().map(|question| question.name).collect();
        let message = format!("unknown question `{}`", shorten(question));
        return Err(Refusal::new(Kind::Unknown, message, format!("the questions are {}", names.join(", "))));
    };
    limits.check()?;
    let asked = Asked { games, body, limits, emit };
    match (&question.answer, game) {
        (All(answer), _) => answer(&asked),
        (One(answer), Some(game)) => answer(find_game(games, game)?, &asked),
        (One(_), None) => Err(Refusal::new(Kind::Body, format!("`{}` needs a game", question.name), "pass the name of a game")),
    }
}

/// Fills in the elapsed time if the answer contains a report.
pub fn set_seconds(answer: &mut Value, seconds: f64) {
    if let Some(value) = answer.pointer_mut("/report/stats/seconds") {
        *value = json!(seconds);
    }
}

/// The context of a question: the available games, and the question's body, limits and event sink.
struct Asked<'a> {
    games: Games,
    body: &'a Value,
    limits: &'a Limits,
    emit: Option<&'a EventSink>,
}

impl Asked<'_> {
    /// Parses the body, or refuses it if it does not have the expected format.
    fn read<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        // Without this check, Serde would also accept an array of the field values.
        if !self.body.is_object() {
            return Err(Refusal::body("invalid request: the body is not a JSON object"));
        }
        T::deserialize(self.body).map_err(|error| Refusal::body(format!("invalid request: {error}")))
    }
}

fn find_game(games: Games, name: &str) -> Result<&'static Entry, Refusal> {
    games.find(name).ok_or_else(|| {
        let names = games.names(|_| true);
        Refusal::new(Kind::Unknown, format!("unknown game `{}`", shorten(name)), format!("the games are {}", names.join(", ")))
    })
}

fn all_games(asked: &Asked) -> Reply {
    let game = |entry: &Entry| -> Reply {
        let sample = entry.parse(entry.sample, &Options::default()).map_err(|_| Refusal::internal())?;
        let scene = sample.position(asked.limits)?.scene;
        Ok(json!({"name": entry.name, "about": entry.about, "players": entry.players, "scene": scene}))
    };
    asked.games.iter().map(game).collect()
}

fn about(entry: &'static Entry, _: &Asked) -> Reply {
    let options = |specs: &[OptionSpec]| -> Value {
        specs.iter().map(|spec| json!({"name": spec.name, "about": spec.about, "default": spec.default})).collect()
    };
    Ok(json!({
        "name": entry.name, "about": entry.about, "players": entry.players, "rules": entry.rules, "sample": entry.sample, "paints": entry.paints,
        "options": options(entry.options), "generate_options": options(entry.generate_options.unwrap_or_default()),
        "instances": instances::of(entry.name).iter().map(instances::Instance::json).collect::<Value>(),
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GenerateRequest {
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    options: Map<String, Value>,
}

/// Maximum length of a generated board, in bytes. Later questions contain the board, so it must fit into their bodies.
const MOST_TEXT: usize = 128 << 10;

fn generate(entry: &'static Entry, asked: &Asked) -> Reply {
    let request: GenerateRequest = asked.read()?;
    let instance =
        (entry.generate)(request.seed, &board::options(&request.options, entry.generate_options.unwrap_or_default())?, asked.limits)?;
    if instance.len() > MOST_TEXT {
        return Err(Refusal::too_large());
    }
    Ok(json!({"instance": instance}))
}
