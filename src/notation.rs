//! How an instance, a state and a move are written and read.
//!
//! A game implements [`Notation`] to show itself. Reading is a plain function in the game's file; the helpers here give it
//! places: every error names the line and column where the text is wrong and says how to put it right. Moves are never
//! parsed: text from outside is compared with the written form of the legal moves.

pub mod bitmap;
pub mod json;

use std::borrow::Cow;

use serde_json::Value;

use bitmap::Pictures;

use crate::outcome::Certificate;
use crate::random::Random;
use crate::rules::Rules;
use crate::scene::{Brush, Explanation, Scene};

/// What a game is called, how its instances are read, and how it looks as text, as JSON and as a picture.
pub trait Notation: Rules {
    /// One lowercase word, the same everywhere: file, command line, URL, instances folder, golden file, docs page.
    const NAME: &'static str;
    /// The game in one line.
    const ABOUT: &'static str;
    /// Rules and input formats, for `about`; and what a reader who knows the source may be surprised by.
    const RULES: &'static str;
    /// A small instance with an interesting answer.
    const SAMPLE: &'static str;
    /// Variants that `--option` sets when an instance is read.
    const OPTIONS: &'static [OptionSpec] = &[];
    /// What `--option` sets when a random board is made.
    const GENERATE_OPTIONS: &'static [OptionSpec] = &[];

    /// What can be done with boards that are black-and-white pictures, where there are such. Default: none.
    const PICTURES: Option<Pictures> = None;

    /// Reads an instance.
    fn read(text: &str, options: &Options) -> Result<Self, ReadError>;

    /// Are random boards made so that they can be solved? Then the caller need not find out.
    const GENERATES_SOLVABLE: bool = false;

    /// A random board. Unless [`Notation::GENERATES_SOLVABLE`], the caller draws again until it has one that is solvable.
    fn generate(random: &mut Random, options: &Options) -> Result<Self, OptionError>;

    /// What a layer of the space is called: a number of [`Rules::layer`] or, where there is none, moves from the start.
    fn layer_name(&self, layer: u32) -> String {
        format!("{layer} moves")
    }

    /// A move in one line, as the game's players write it. Different moves of one state must be written differently.
    fn write_move(&self, state: &Self::State, mv: &Self::Move) -> String;

    /// Another way to write the move that is understood, too. Default: none.
    fn move_alias(&self, _state: &Self::State, _mv: &Self::Move) -> Option<String> {
        None
    }

    /// A move in JSON reports. Default: the written move as a string.
    fn move_json(&self, state: &Self::State, mv: &Self::Move) -> Value {
        Value::String(self.write_move(state, mv))
    }

    /// The move that a text or JSON value from outside means; [`Rules::is_legal`] is asked before it is made.
    ///
    /// Default: unknown, and the value is compared with all legal moves as they are written. For games with very many.
    fn find_move(&self, _state: &Self::State, _value: &Value) -> Option<Self::Move> {
        None
    }

    /// An instance, in the format that the game reads, that starts at `state`.
    fn write(&self, state: &Self::State) -> String;

    /// The state as a few lines of text for a terminal.
    fn picture(&self, state: &Self::State) -> String;

    /// The state in one short line, where many are shown side by side. Default: the picture without its line breaks.
    fn line(&self, state: &Self::State) -> String {
        self.picture(state).lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// The state as shapes.
    fn scene(&self, state: &Self::State) -> Scene;

    /// The named shapes of the scene to click, in order, to make a move. Different moves need different clicks, and no
    /// move's clicks may begin another's.
    fn clicks(&self, state: &Self::State, mv: &Self::Move) -> Vec<String>;

    /// Ways to change this board in an editor. Default: none, and no editor is offered.
    fn brushes(&self) -> &'static [Brush] {
        &[]
    }

    /// The state as it is shown for editing; places that can be made part of the board may be shown, too. Default: the scene.
    fn canvas(&self, state: &Self::State) -> Scene {
        self.scene(state)
    }

    /// The instance after a brush was used on these named shapes of the canvas, as many as it takes; nothing if it cannot be
    /// used there. What it gives is read like any text from outside.
    fn painted(&self, _state: &Self::State, _brush: &str, _shapes: &[&str]) -> Option<String> {
        None
    }

    /// What there is to understand about a state: the idea behind its best estimate, or the algebra. Default: nothing.
    fn explain(&self, _state: &Self::State) -> Option<Explanation> {
        None
    }

    /// A proof that there is no solution, shown on the board. Default: its claim alone.
    fn show_refutation(&self, _state: &Self::State, certificate: &Certificate) -> Explanation {
        Explanation::new(sentence(&certificate.claim))
    }
}

/// A claim as a sentence: with a capital letter and a full stop.
pub fn sentence(claim: &str) -> String {
    let mut signs = claim.chars();
    let first = signs.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", signs.as_str())
}

/// What is wrong with a text, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    pub message: String,
    pub help: String,
}

/// A text to be read, which knows its places.
#[derive(Clone)]
pub struct Source<'a> {
    text: Cow<'a, str>,
}

impl<'a> Source<'a> {
    /// The text as it is.
    pub fn new(text: &'a str) -> Self {
        Source { text: Cow::Borrowed(text) }
    }

    /// The text with every line that starts with `#` blanked out; all other places stay what they were.
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

    /// An error at a byte offset of the text.
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

    /// The `key: value` fields of the text, one to a line, or several on a line with `;` between them. `known` lists the
    /// keys that the format has; each may stand once.
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
}

/// One `key: value` of a text.
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

    /// The whole numbers in the value, each with its offset; spaces, commas and brackets separate them.
    pub fn integers(&self, help: &str) -> Result<Vec<(i64, usize)>, ParseError> {
        let separator = |c: char| c.is_whitespace() || ",()[]".contains(c);
        let mut numbers = Vec::new();
        for word in self.value.split(separator).filter(|word| !word.is_empty()) {
            let offset = word.as_ptr() as usize - self.value.as_ptr() as usize;
            match word.parse() {
                Ok(number) => numbers.push((number, offset)),
                Err(_) => {
                    let message = format!("`{}` is not a whole number", shorten(word));
                    return Err(self.error_at(offset, message, help));
                }
            }
        }
        Ok(numbers)
    }
}

/// Two whole numbers, and the offset of the first.
type Pair = ((i64, i64), usize);

impl Field<'_> {
    /// Pairs of whole numbers, each with its offset. Brackets, where they are used, must hold one pair each.
    pub fn pairs(&self, help: &str) -> Result<Vec<Pair>, ParseError> {
        let mut open: Option<(usize, usize)> = None;
        let mut count = 0;
        for (offset, sign) in self.value.char_indices() {
            let starts_number = |at: usize| !self.value[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
            match sign {
                '(' | '[' if open.is_none() => open = Some((offset, count)),
                ')' | ']' if open.is_some_and(|(_, before)| count == before + 2) => open = None,
                '(' | ')' | '[' | ']' => return Err(self.error_at(offset, "a bracket that does not hold one pair", help)),
                c if (c.is_alphanumeric() || c == '-') && starts_number(offset) => count += 1,
                _ => {}
            }
        }
        if let Some((offset, _)) = open {
            return Err(self.error_at(offset, "this bracket is not closed", help));
        }
        let numbers = self.integers(help)?;
        if let (1, Some((_, offset))) = (numbers.len() % 2, numbers.last()) {
            return Err(self.error_at(*offset, "this number has no partner", help));
        }
        Ok(numbers.chunks_exact(2).map(|two| ((two[0].0, two[1].0), two[0].1)).collect())
    }
}

/// The beginning of a text from outside, fit for an error message.
pub fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}

/// A variant that `--option NAME=VALUE` sets: facts for help, checked before a game sees them.
#[derive(Debug)]
pub struct OptionSpec {
    pub name: &'static str,
    /// What it does and what values it takes, in one line.
    pub about: &'static str,
    pub default: &'static str,
}

/// The options given for one instance.
#[derive(Clone, Debug, Default)]
pub struct Options {
    given: Vec<(String, String)>,
}

/// An option that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct OptionError {
    pub message: String,
    pub help: String,
}

impl Options {
    /// Reads `name=value` texts. Every name must be one of `known`; each may be given once.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>, known: &[&OptionSpec]) -> Result<Options, OptionError> {
        let mut given: Vec<(String, String)> = Vec::new();
        for text in texts {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            if !known.iter().any(|spec| spec.name == name) {
                let names: Vec<String> = known.iter().map(|spec| format!("`{}`: {}", spec.name, spec.about)).collect();
                let help = if names.is_empty() { "leave it out".to_owned() } else { format!("there is {}", names.join("; ")) };
                return Err(OptionError { message: format!("there is no option `{}` here", shorten(name)), help });
            }
            if given.iter().any(|(other, _)| other == name) {
                let help = format!("keep one `{name}=…`");
                return Err(OptionError { message: format!("option `{name}` is given twice"), help });
            }
            given.push((name.to_owned(), value.to_owned()));
        }
        Ok(Options { given })
    }

    /// The text given for an option.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// The whole number given for an option, which must be in the range.
    pub fn integer(&self, name: &str, range: std::ops::RangeInclusive<i64>) -> Result<Option<i64>, OptionError> {
        let Some(text) = self.get(name) else { return Ok(None) };
        match text.parse() {
            Ok(number) if range.contains(&number) => Ok(Some(number)),
            _ => Err(OptionError {
                message: format!("option `{name}` cannot be `{}`", shorten(text)),
                help: format!("give a whole number from {} to {}, as in `{name}={}`", range.start(), range.end(), range.start()),
            }),
        }
    }
}

/// Why an instance could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text is wrong at some place.
    #[error("{0}")]
    Text(#[from] ParseError),
    /// An option is wrong.
    #[error("{0}")]
    Option(#[from] OptionError),
}

impl ReadError {
    /// The remedy.
    pub fn help(&self) -> &str {
        match self {
            ReadError::Text(error) => &error.help,
            ReadError::Option(error) => &error.help,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_keep_places() {
        let source = Source::without_comments("# héllo\nab: 1\n  # x\ncd: x\n");
        let fields = source.fields(&["ab", "cd"], "").unwrap();
        assert_eq!((fields[0].key, fields[0].value), ("ab", "1"));
        let error = fields[1].integers("give numbers").unwrap_err();
        assert_eq!((error.line, error.column), (4, 5));
        assert_eq!(error.message, "`x` is not a whole number");
    }

    #[test]
    fn fields_on_one_line() {
        let source = Source::new("a: 1 2 ; b:(3,-4)");
        let fields = source.fields(&["a", "b"], "").unwrap();
        assert_eq!(fields[0].integers("").unwrap(), [(1, 0), (2, 2)]);
        assert_eq!(fields[1].integers("").unwrap(), [(3, 1), (-4, 3)]);
        assert_eq!(fields[1].error("x", "").column, 12);
    }

    #[test]
    fn fields_refuse_strangers_and_doubles() {
        let told = |text: &str| Source::new(text).fields(&["a"], "write `a: 1`").err().map(|error| (error.line, error.message));
        assert_eq!(told("a: 1\nb: 2"), Some((2, "unknown key `b`".to_owned())));
        assert_eq!(told("a: 1\na: 2"), Some((2, "`a` is given twice".to_owned())));
        assert_eq!(told("\n\nhello"), Some((3, "expected `key: value`, found `hello`".to_owned())));
        assert_eq!(told(""), None);
    }
}
