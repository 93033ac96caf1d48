//! The boards that come with the library. They are embedded when it is built with the feature `instances`, so that every front
//! end has the same ones and none has to read files.

use serde_json::Value;

#[cfg(not(feature = "instances"))]
pub fn of(_game: &str) -> Value {
    Value::Array(Vec::new())
}

/// The boards of a game: name, text, options, and what the header comment says about them.
#[cfg(feature = "instances")]
pub fn of(game: &str) -> Value {
    use include_dir::{Dir, include_dir};
    use serde_json::{Map, json};

    static INSTANCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/instances");
    /// Longer boards are for files.
    const MOST_TEXT: usize = 20_000;

    let files = INSTANCES.get_dir(game).into_iter().flat_map(Dir::files);
    let mut rows: Vec<Value> = files
        .filter_map(|file| {
            let (name, text) = (file.path().file_stem()?.to_str()?, file.contents_utf8()?);
            let header = |key: &str| text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "));
            let options: Map<String, Value> = header("options")
                .into_iter()
                .flat_map(str::split_whitespace)
                .filter_map(|option| option.split_once('='))
                .map(|(name, value)| (name.to_owned(), json!(value)))
                .collect();
            (text.len() <= MOST_TEXT)
                .then(|| json!({"name": name, "text": text, "options": options, "source": header("source"), "answer": header("answer")}))
        })
        .collect();
    rows.sort_by_key(|row| row["name"].to_string());
    Value::Array(rows)
}
