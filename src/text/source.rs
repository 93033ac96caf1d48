//! Input with line and column numbers, so that every error message shows its position.

use std::borrow::Cow;

/// An error in the input: its position, a message and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// The line number, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    pub message: String,
    pub help: String,
}

/// Input to be parsed. Its errors include a line and a column.
#[derive(Clone)]
pub struct Source<'a> {
    text: Cow<'a, str>,
}

impl<'a> Source<'a> {
    /// The unmodified text.
    pub fn new(text: &'a str) -> Self {
        Source { text: Cow::Borrowed(text) }
    }

    /// Like [`Source::new`], but for text derived from other text without changing offsets.
    pub fn owned(text: String) -> Self {
        Source { text: Cow::Owned(text) }
    }

    /// The text with every line that starts with `#` replaced by spaces, so that offsets are preserved.
    pub fn without_comments(text: &'a str) -> Self {
        if !text.contains('#') {
            return Source::new(text);
        }
        let blanked = text.split_inclusive('\n').map(|line| {
            if line.trim_start().starts_with('#') {
                Cow::Owned(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect())
            } else {
                Cow::Borrowed(line)
            }
        });
        Source { text: Cow::Owned(blanked.collect()) }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// An error at a byte offset in the text.
    pub fn error(&self, offset: usize, message: impl Into<String>, help: impl Into<String>) -> ParseError {
        let before = &self.text[..self.text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
            help: help.into(),
        }
    }

    /// The `key: value` fields of the text, one per line, or several on a line separated by `;`. `known` lists the keys of the
    /// format. Each may occur at most once.
    pub fn fields(&self, known: &[&str], help: &str) -> Result<Vec<Field<'_>>, ParseError> {
        let mut fields: Vec<Field> = Vec::new();
        let mut at = 0;
        for part in self.text.split_inclusive(['\n', ';']) {
            let start = at + (part.len() - part.trim_start().len());
            at += part.len();
            let part = part.trim_end_matches(['\n', ';', '\r']).trim();
            if part.is_empty() {
                continue;
            }
            let Some((key, value)) = part.split_once(':') else {
                return Err(self.error(start, format!("expected `key: value`, found `{}`", shorten(part)), help));
            };
            let key = key.trim_end();
            if !known.contains(&key) {
                return Err(self.error(start, format!("unknown key `{}`", shorten(key)), help));
            }
            if fields.iter().any(|field| field.key == key) {
                return Err(self.error(start, format!("`{key}` is given twice"), "remove one of the two lines"));
            }
            fields.push(Field { source: self, key, value: value.trim(), at: start + part.len() - value.trim_start().len() });
        }
        Ok(fields)
    }

    /// The settings of a text that has a board: `key: value` on lines of their own or followed by `;`. `known` lists the keys. Each
    /// may occur again with the same value, which is ignored. Also returns the text with spaces in place of the settings, and `|` in place of other `;`.
    pub fn settings(&self, known: &[&str], help: &str) -> Result<(Vec<Field<'_>>, Source<'static>), ParseError> {
        let (mut fields, mut rest): (Vec<Field>, _) = (Vec::new(), String::new());
        for part in self.text.split_inclusive(['\n', ';']) {
            let text = part.trim_end_matches(['\n', ';', '\r']);
            let Some((key, value)) = text.split_once(':') else {
                rest.push_str(&part.replace(';', "|"));
                continue;
            };
            rest.extend(part.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
            let (key, value, start) = (key.trim(), value.trim(), offset_in(&self.text, key.trim_start()));
            if !known.contains(&key) {
                return Err(self.error(start, format!("unknown setting `{}`", shorten(key)), help));
            }
            if let Some(other) = fields.iter().find(|field| field.key == key) {
                if other.value == value {
                    continue;
                }
                let message = format!("`{key}` cannot be both `{}` and `{}`", shorten(other.value), shorten(value));
                return Err(self.error(start, message, "keep one of the two"));
            }
            fields.push(Field { source: self, key, value, at: offset_in(&self.text, value) });
        }
        Ok((fields, Source::owned(rest)))
    }

    /// Rows of whole numbers, one row per line or several separated by `/` or `|`. Spaces and commas separate the numbers. Each number
    /// is returned with its offset, for errors. Empty lines are skipped.
    pub fn rows(&self, help: &str) -> Result<Vec<Vec<(i64, usize)>>, ParseError> {
        let mut rows = Vec::new();
        for line in self.text.split(['\n', '/', '|']) {
            let mut row = Vec::new();
            for word in line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
                let offset = offset_in(&self.text, word);
                row.push((word.parse().map_err(|_| self.error(offset, not_whole(word), help))?, offset));
            }
            if !row.is_empty() {
                rows.push(row);
            }
        }
        Ok(rows)
    }
}

fn not_whole(word: &str) -> String {
    format!("`{}` is not a whole number", shorten(word))
}

/// Two whole numbers, and the offset of the first.
type Pair = ((i64, i64), usize);

/// One `key: value` field.
pub struct Field<'a> {
    source: &'a Source<'a>,
    pub key: &'a str,
    pub value: &'a str,
    at: usize,
}

impl Field<'_> {
    /// An error at the value.
    pub fn error(&self, message: impl Into<String>, help: impl Into<String>) -> ParseError {
        self.source.error(self.at, message, help)
    }

    /// An error at a byte offset within the value.
    pub fn error_at(&self, offset: usize, message: impl Into<String>, help: impl Into<String>) -> ParseError {
        self.source.error(self.at + offset, message, help)
    }

    /// The text with spaces in place of everything but the value.
    pub fn alone(&self) -> Source<'static> {
        let space = |part: &str| part.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect::<String>();
        let (before, after) = (&self.source.text[..self.at], &self.source.text[self.at + self.value.len()..]);
        Source::owned(space(before) + self.value + &space(after))
    }

    /// The whole numbers in the value, each with its offset. They are separated by spaces, commas and brackets.
    pub fn integers(&self, help: &str) -> Result<Vec<(i64, usize)>, ParseError> {
        let separator = |c: char| c.is_whitespace() || ",()[]".contains(c);
        let mut numbers = Vec::new();
        for word in self.value.split(separator).filter(|word| !word.is_empty()) {
            let offset = offset_in(self.value, word);
            numbers.push((word.parse().map_err(|_| self.error_at(offset, not_whole(word), help))?, offset));
        }
        Ok(numbers)
    }

    /// Pairs of whole numbers, each with its offset. Brackets, if any, must contain one pair each.
    pub fn pairs(&self, help: &str) -> Result<Vec<Pair>, ParseError> {
        let mut open: Option<(usize, usize)> = None;
        let mut count = 0;
        for (offset, character) in self.value.char_indices() {
            let starts_number = |at: usize| !self.value[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
            match character {
                '(' | '[' if open.is_none() => open = Some((offset, count)),
                ')' | ']' if open.is_some_and(|(_, before)| count == before + 2) => open = None,
                '(' | ')' | '[' | ']' => return Err(self.error_at(offset, "a bracket must contain exactly one pair", help)),
                c if (c.is_alphanumeric() || c == '-') && starts_number(offset) => count += 1,
                _ => {}
            }
        }
        if let Some((offset, _)) = open {
            return Err(self.error_at(offset, "this bracket is not closed", help));
        }
        let numbers = self.integers(help)?;
        if let (1, Some((_, offset))) = (numbers.len() % 2, numbers.last()) {
            return Err(self.error_at(*offset, "this number is not part of a pair", help));
        }
        Ok(numbers.chunks_exact(2).map(|two| ((two[0].0, two[1].0), two[0].1)).collect())
    }
}

/// The byte offset of `part` in `text`. `part` must be a slice of `text`.
pub fn offset_in(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// The beginning of external text, for an error message.
pub fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}
