//! Table files: their first lines, their rows, and the closing line of a complete table. `table/text.rs` reads them back.
//!
//! The first lines name the version and the options that produced the table. Rows are appended one by one, so that a table can be resumed
//! after a stop. The closing line of a complete table contains the number of rows and the CRC-32 of everything before it, as zlib and
//! `crc32` compute it. The checksum detects damage, not forgery; `kibitzer check` recomputes the rows themselves.

mod text;

use std::path::Path;

use clap::ValueEnum;
use serde_json::{Map, Value, json};

pub use self::text::TextTable;
use crate::{csv, output};

/// The beginning of a line with totals in CSV.
pub const CSV_TOTALS: &str = "# totals: ";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// Comma-separated values
    Csv,
    /// JSON lines, one object per row
    Jsonl,
}

impl RowFormat {
    /// The requested format or, by default, the format that matches the file extension.
    pub fn of(asked: Option<RowFormat>, file: Option<&Path>) -> RowFormat {
        let by_ending = matches!(output::ending(file).as_deref(), Some("jsonl" | "ndjson")).then_some(RowFormat::Jsonl);
        asked.or(by_ending).unwrap_or(RowFormat::Csv)
    }

    /// The header above rows on standard output: the column names in CSV, and nothing in JSON lines.
    pub fn header<T: AsRef<str>>(self, columns: &[T]) -> String {
        if self == RowFormat::Csv { csv::row(columns) } else { String::new() }
    }

    /// A row, with a line ending. The values are strings, numbers and nulls.
    pub fn row<T: AsRef<str>>(self, columns: &[T], values: impl IntoIterator<Item = Value>) -> String {
        match self {
            RowFormat::Csv => csv::row(values.into_iter().map(|value| text(&value).unwrap_or_default())),
            RowFormat::Jsonl => {
                let names = columns.iter().map(|name| name.as_ref().to_owned());
                format!("{}\n", Value::Object(names.zip(values).collect()))
            }
        }
    }
}

/// The command, game, options and columns of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableHead {
    /// The version of the program.
    pub version: String,
    /// The command: `census` or `kernel`.
    pub kind: String,
    /// The version of the table format, which changes whenever the columns or their meaning change.
    pub edition: u64,
    pub game: String,
    pub options: Vec<(String, String)>,
    pub columns: Vec<String>,
}

impl TableHead {
    pub fn new<'a>(
        kind: &str,
        edition: u64,
        game: &str,
        options: Vec<(String, String)>,
        columns: impl Iterator<Item = &'a str>,
    ) -> TableHead {
        let (version, columns) = (env!("CARGO_PKG_VERSION").to_owned(), columns.map(str::to_owned).collect());
        TableHead { version, kind: kind.to_owned(), edition, game: game.to_owned(), options, columns }
    }

    /// The command, game and options on one line.
    pub fn made(&self) -> String {
        let options: String = self.options.iter().map(|(name, value)| format!("; {name}={value}")).collect();
        format!("kibitzer {} {} {}: {}{options}", self.version, self.kind, self.edition, self.game)
    }

    /// The header lines of a table file.
    pub fn lines(&self, format: RowFormat) -> String {
        match format {
            RowFormat::Csv => format!("# {}\n{}", self.made(), csv::row(&self.columns)),
            RowFormat::Jsonl => {
                let options: Map<String, Value> = self.options.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
                let head = json!({
                    "kibitzer": self.version, "table": self.kind, "edition": self.edition, "game": self.game, "options": options,
                    "columns": self.columns,
                });
                format!("{head}\n")
            }
        }
    }

    /// Reads the header lines. Also returns the rest of the text and the number of lines read. Returns `None` if the text is not a table.
    pub fn read(text: &str) -> Option<(TableHead, RowFormat, &str, usize)> {
        let (first, rest) = text.split_once('\n')?;
        if let Some(made) = first.strip_prefix("# kibitzer ") {
            let (columns, rest) = rest.split_once('\n')?;
            let (command, options) = made.split_once(": ")?;
            let mut words = command.split(' ');
            let (version, kind, edition) = (words.next()?, words.next()?, words.next()?.parse().ok()?);
            let mut options = options.split("; ");
            let game = options.next()?.to_owned();
            let option = |text: &str| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
            let options = options.map(option).collect::<Option<_>>()?;
            let (version, kind, columns) = (version.to_owned(), kind.to_owned(), csv::fields(columns)?);
            return Some((TableHead { version, kind, edition, game, options, columns }, RowFormat::Csv, rest, 2));
        }
        let head: Value = serde_json::from_str(first).ok()?;
        let text = |key: &str| head[key].as_str().map(str::to_owned);
        let options = head["options"].as_object()?.iter().map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        let columns = head["columns"].as_array()?.iter().map(|name| name.as_str().map(str::to_owned));
        let read = TableHead {
            version: text("kibitzer")?,
            kind: text("table")?,
            edition: head["edition"].as_u64()?,
            game: text("game")?,
            options: options.collect::<Option<_>>()?,
            columns: columns.collect::<Option<_>>()?,
        };
        Some((read, RowFormat::Jsonl, rest, 1))
    }

    /// A row, with a line ending.
    pub fn row<T: AsRef<str>>(&self, format: RowFormat, fields: &[T]) -> String {
        format.row(&self.columns, self.columns.iter().zip(fields).map(|(name, field)| value(name, field.as_ref())))
    }

    /// The fields of a row, or `None` if the line is not a row of this table.
    pub fn fields(&self, format: RowFormat, line: &str) -> Option<Vec<String>> {
        let fields = match format {
            RowFormat::Csv => csv::fields(line)?,
            RowFormat::Jsonl => {
                let Value::Object(object) = serde_json::from_str(line).ok()? else { return None };
                if !object.keys().eq(&self.columns) {
                    return None;
                }
                object.values().map(text).collect::<Option<_>>()?
            }
        };
        (fields.len() == self.columns.len()).then_some(fields)
    }
}

/// A field as JSON: numbers as numbers, an empty field as null. Only these columns have fractions or truth values.
fn value(column: &str, field: &str) -> Value {
    if matches!(column, "seconds" | "optimal")
        && let Ok(value @ (Value::Number(_) | Value::Bool(_))) = serde_json::from_str::<Value>(field)
        && value.to_string().eq(field)
    {
        return value;
    }
    match field.parse::<u64>() {
        Ok(number) if number.to_string() == field && number < 1 << 53 => json!(number),
        _ if field.is_empty() => Value::Null,
        _ => json!(field),
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

/// The number of lines that a table was made from, and the number of skipped lines, which have no board and therefore no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListCounts {
    pub lines: u64,
    pub skipped: u64,
}

/// The closing line of a complete table. Tables written by earlier versions have no counts.
pub fn closing(format: RowFormat, rows: u64, sum: u32, counts: Option<ListCounts>) -> String {
    match format {
        RowFormat::Csv => {
            let counts = counts.map(|counts| format!("; lines={}; skipped={}", counts.lines, counts.skipped)).unwrap_or_default();
            format!("# end: rows={rows}; crc32={sum:08x}{counts}\n")
        }
        RowFormat::Jsonl => {
            let mut object = json!({"rows": rows, "crc32": format!("{sum:08x}")});
            if let Some(counts) = counts {
                object["lines"] = counts.lines.into();
                object["skipped"] = counts.skipped.into();
            }
            format!("{object}\n")
        }
    }
}
