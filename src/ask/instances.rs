//! The boards that come with the library, by name. The feature `instances` embeds them, so that every front end has the same boards
//! and none has to read files.

use serde_json::{Map, Value, json};

use crate::catalog::{Entry, Puzzle};
use crate::graph::families;
use crate::limits::Limits;
use crate::notation::{Input, Options, ReadError};
use crate::sort;

/// A board that comes with the library: a file in `instances/GAME/`.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The file name without its extension.
    pub name: &'static str,
    pub title: String,
    pub text: &'static str,
    /// The options in the file's header, as `name=value`; they apply when the board is read.
    pub options: Vec<&'static str>,
    /// The rank among the boards for players, easiest first; `None` if the board is for teachers.
    order: Option<u64>,
    source: Option<&'static str>,
    answer: Option<&'static str>,
}

impl Instance {
    /// The given options, plus those of the instance's own options that are not given.
    pub fn with_options(&self, given: &Options) -> Options {
        let others = self.options.iter().filter_map(|option| option.split_once('=')).filter(|(name, _)| given.get(name).is_none());
        others.fold(given.clone(), |all, (name, value)| all.with(name, value))
    }

    /// The instance as JSON. `for` is `players` or `teachers`.
    pub fn json(&self) -> Value {
        let options: Map<String, Value> =
            self.options.iter().filter_map(|option| option.split_once('=')).map(|(name, value)| (name.to_owned(), json!(value))).collect();
        json!({
            "name": self.name, "title": self.title, "for": if self.order.is_some() { "players" } else { "teachers" }, "text": self.text,
            "options": options, "source": self.source, "answer": self.answer,
        })
    }
}

#[cfg(not(feature = "instances"))]
pub fn of(_game: &str) -> Vec<Instance> {
    Vec::new()
}

/// The boards of a game. Boards for players come first, sorted from easy to hard by `order` in their headers. Boards for teachers
/// follow, sorted by name. Lists of many boards (`.list` files) are not included and must be read from their files.
#[cfg(feature = "instances")]
pub fn of(game: &str) -> Vec<Instance> {
    use include_dir::{Dir, include_dir};

    static INSTANCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/instances");
    /// Maximum length of a listed board, in bytes. Longer boards are not included and must be read from their files.
    const MOST_TEXT: usize = 20_000;

    let files = INSTANCES.get_dir(game).into_iter().flat_map(Dir::files);
    let files = files.filter(|file| file.path().extension().is_none_or(|ending| ending != "list"));
    let mut found: Vec<Instance> = files
        .filter_map(|file| {
            let (name, text) = (file.path().file_stem()?.to_str()?, file.contents_utf8()?);
            let header = |key: &str| text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "));
            (text.len() <= MOST_TEXT).then(|| Instance {
                name,
                title: header("title").map_or_else(|| in_words(name), str::to_owned),
                text,
                options: header("options").into_iter().flat_map(str::split_whitespace).collect(),
                order: header("order").and_then(|order| order.parse().ok()),
                source: header("source"),
                answer: header("answer"),
            })
        })
        .collect();
    sort::by_key(&mut found, |instance| (instance.order.unwrap_or(u64::MAX), instance.name));
    found
}

/// Turns a file name into a title: `course-1` becomes "Course 1".
#[cfg(feature = "instances")]
fn in_words(name: &str) -> String {
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The instance with this name. If a graph by itself is a board of this game, a graph family with this name takes precedence.
pub fn named(entry: &Entry, text: &str) -> Option<Instance> {
    let found = of(entry.name).into_iter().find(|instance| instance.name == text)?;
    let reads_graphs = entry.graph_board.is_some_and(|make| make(text) == text);
    let is_graph = reads_graphs && matches!(families::by_name(text), Some(Ok(_)));
    (!is_graph).then_some(found)
}

/// Reads a board that may be given by name; also returns the notes about it. Only single-line text can be a name.
pub fn read(entry: &Entry, text: &str, options: &Options, limits: &Limits) -> Result<(Box<dyn Puzzle>, Vec<String>), ReadError> {
    let noted = |input: &Input<'_>| (entry.read)(input).map(|puzzle| (puzzle, input.notes()));
    if let Some(instance) = named(entry, text) {
        return noted(&Input::new(instance.text, &instance.with_options(options), limits));
    }
    if text.contains(['\n', '\r']) {
        return noted(&Input::new(text, options, limits));
    }
    noted(&Input::typed(text, options, limits)).map_err(|error| match error {
        ReadError::Text(mut error) => {
            error.help = meant(entry.name, text).unwrap_or(error.help);
            error.into()
        }
        error => error,
    })
}

/// A hint with the names most similar to `text`, which is not a board.
fn meant(game: &str, text: &str) -> Option<String> {
    /// Maximum number of names in the hint.
    const MOST_NAMES: usize = 3;

    let word = text.to_lowercase();
    let distance = |name: &str| if name.starts_with(&word) { 0 } else { strsim::damerau_levenshtein(name, &word) };
    let near = |name: &&str| word.len() > 2 && distance(name) <= 1 + word.len() / 4;
    let mut names: Vec<&str> = of(game).into_iter().map(|instance| instance.name).filter(near).collect();
    sort::by_key(&mut names, |name| (distance(name), *name));
    names.truncate(MOST_NAMES);
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}
