//! The boards that come with the library. They are embedded when it is built with the feature `instances`, so that every front
//! end has the same ones and none has to read files.

use serde_json::Value;

#[cfg(not(feature = "instances"))]
pub fn of(_game: &str) -> Value {
    Value::Array(Vec::new())
}

/// The boards of a game: name, title, text, options, whom they are for, and what the header comment says about them. Those for
/// players come first, the easier ones before the harder, as `order` in the header says; then those for teachers, by name.
#[cfg(feature = "instances")]
pub fn of(game: &str) -> Value {
    use include_dir::{Dir, include_dir};
    use serde_json::{Map, json};

    static INSTANCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/instances");
    /// Longer boards are for files.
    const MOST_TEXT: usize = 20_000;

    let files = INSTANCES.get_dir(game).into_iter().flat_map(Dir::files);
    let mut rows: Vec<(u64, String, Value)> = files
        .filter_map(|file| {
            let (name, text) = (file.path().file_stem()?.to_str()?, file.contents_utf8()?);
            let header = |key: &str| text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "));
            let options: Map<String, Value> = header("options")
                .into_iter()
                .flat_map(str::split_whitespace)
                .filter_map(|option| option.split_once('='))
                .map(|(name, value)| (name.to_owned(), json!(value)))
                .collect();
            let title = header("title").map_or_else(|| in_words(name), str::to_owned);
            let order: u64 = header("order").and_then(|order| order.parse().ok()).unwrap_or(u64::MAX);
            let row = || {
                json!({
                    "name": name, "title": title, "for": if order < u64::MAX { "players" } else { "teachers" }, "text": text,
                    "options": options, "source": header("source"), "answer": header("answer"),
                })
            };
            (text.len() <= MOST_TEXT).then(|| (order, name.to_owned(), row()))
        })
        .collect();
    rows.sort_by(|(order, name, _), (other, next, _)| (order, name).cmp(&(other, next)));
    rows.into_iter().map(|(_, _, row)| row).collect()
}

/// A file's name as a title: `course-1` is "Course 1".
#[cfg(feature = "instances")]
fn in_words(name: &str) -> String {
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
