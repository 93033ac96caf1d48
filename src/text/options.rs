//! The options of a game, set by `--option NAME=VALUE`.

use super::{Fault, shorten};

/// An option of a game, with its description for the help text. Option names are checked before a game reads the values.
#[derive(Debug)]
pub struct OptionSpec {
    pub name: &'static str,
    /// The option's effect and possible values, on one line.
    pub about: &'static str,
    pub default: &'static str,
}

/// The options of one instance.
#[derive(Clone, Debug, Default)]
pub struct Options {
    given: Vec<(String, String)>,
}

impl Options {
    /// Reads `name=value` strings. Every name must be one of `known`, and may occur only once.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>, known: &[&OptionSpec]) -> Result<Options, Fault> {
        let mut given: Vec<(String, String)> = Vec::new();
        for text in texts {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            if !known.iter().any(|spec| spec.name == name) {
                let names: Vec<String> = known.iter().map(|spec| format!("`{}`: {}", spec.name, spec.about)).collect();
                let help = if names.is_empty() { "omit it".to_owned() } else { format!("the options are {}", names.join("; ")) };
                return Err(Fault::new(format!("unknown option `{}`", shorten(name)), help));
            }
            if given.iter().any(|(other, _)| other == name) {
                return Err(Fault::new(format!("option `{name}` is given twice"), format!("keep one `{name}=…`")));
            }
            given.push((name.to_owned(), value.to_owned()));
        }
        Ok(Options { given })
    }

    /// Returns these options with a different value for one of them.
    pub fn with(&self, name: &str, value: &str) -> Options {
        let others = self.given.iter().filter(|(given, _)| given != name).cloned();
        Options { given: others.chain([(name.to_owned(), value.to_owned())]).collect() }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// The value of an option as a whole number, which must be in `range`.
    pub fn integer(&self, name: &str, range: std::ops::RangeInclusive<i64>) -> Result<Option<i64>, Fault> {
        let Some(text) = self.get(name) else { return Ok(None) };
        match text.parse() {
            Ok(number) if range.contains(&number) => Ok(Some(number)),
            _ => Err(Fault::new(
                format!("option `{name}` cannot be `{}`", shorten(text)),
                format!("use a whole number from {} to {}, as in `{name}={}`", range.start(), range.end(), range.start()),
            )),
        }
    }
}
