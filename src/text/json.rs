//! JSON with line and column: a thin layer over a parser that keeps the range of every value, set to strict JSON.

use jsonc_parser::ast::{self, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::{ParseError, Source, shorten};

/// A JSON value with its place in the text.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    source: &'a Source<'a>,
    value: &'a Value<'a>,
}

/// Parses strict JSON and hands the value to `read`.
pub fn read<T>(source: &Source<'_>, read: impl FnOnce(Node<'_>) -> Result<T, ParseError>) -> Result<T, ParseError> {
    let options = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(source.text(), &CollectOptions::default(), &options).map_err(|error| {
        let what = error.kind().to_string();
        let mut letters = what.chars();
        let what = letters.next().map(|first| first.to_lowercase().chain(letters).collect::<String>()).unwrap_or_default();
        source.error(error.range().start, format!("broken JSON: {what}"), "check quotes, commas and brackets around this place")
    })?;
    match &parsed.value {
        Some(value) => read(Node { source, value }),
        None => Err(source.error(0, "there is no JSON value here", "write an object: { … }")),
    }
}

impl<'a> Node<'a> {
    /// An error at this value.
    pub fn error(&self, message: impl Into<String>, help: impl Into<String>) -> ParseError {
        self.source.error(self.value.range().start, message, help)
    }

    /// The object's members. Only `known` keys may be there, each once.
    pub fn object(&self, known: &[&str]) -> Result<Members<'a>, ParseError> {
        let Value::Object(object) = self.value else {
            return Err(self.mismatch("an object"));
        };
        for (at, member) in object.properties.iter().enumerate() {
            let key = member.name.as_str();
            let wrong = |message: String, help: String| Err(self.source.error(member.range.start, message, help));
            if !known.contains(&key) {
                let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
                return wrong(format!("unknown key `{}`", shorten(key)), format!("the keys are {}", known.join(", ")));
            }
            if object.properties[..at].iter().any(|other| other.name.as_str() == key) {
                return wrong(format!("`{key}` is given twice"), "remove one of the two".to_owned());
            }
        }
        Ok(Members { node: *self, object })
    }

    /// The object's members, whatever their keys, in order. A key may be there more than once.
    pub fn entries(&self) -> Result<Vec<(&'a str, Node<'a>)>, ParseError> {
        match self.value {
            Value::Object(object) => Ok(object
                .properties
                .iter()
                .map(|member| (member.name.as_str(), Node { source: self.source, value: &member.value }))
                .collect()),
            _ => Err(self.mismatch("an object")),
        }
    }

    /// A number as it is written.
    pub fn number(&self) -> Result<&'a str, ParseError> {
        match self.value {
            Value::NumberLit(number) => Ok(number.value),
            _ => Err(self.mismatch("a number")),
        }
    }

    pub fn array(&self) -> Result<Vec<Node<'a>>, ParseError> {
        match self.value {
            Value::Array(ast::Array { elements, .. }) => Ok(elements.iter().map(|value| Node { source: self.source, value }).collect()),
            _ => Err(self.mismatch("a list")),
        }
    }

    pub fn string(&self) -> Result<&'a str, ParseError> {
        match self.value {
            Value::StringLit(string) => Ok(&string.value),
            _ => Err(self.mismatch("a string")),
        }
    }

    pub fn boolean(&self) -> Result<bool, ParseError> {
        match self.value {
            Value::BooleanLit(boolean) => Ok(boolean.value),
            _ => Err(self.mismatch("true or false")),
        }
    }

    pub fn integer(&self) -> Result<i64, ParseError> {
        match self.value {
            Value::NumberLit(number) => number.value.parse().map_err(|_| {
                let message = format!("{} is not a whole number in range", shorten(number.value));
                self.error(message, "give a whole number without a decimal point or an exponent")
            }),
            _ => Err(self.mismatch("a whole number")),
        }
    }

    /// The value without its place. No key may be there twice, since readers differ in which of two counts.
    pub fn json(&self) -> Result<serde_json::Value, ParseError> {
        Ok(match self.value {
            Value::StringLit(string) => (*string.value).into(),
            Value::BooleanLit(boolean) => boolean.value.into(),
            Value::NullKeyword(_) => serde_json::Value::Null,
            Value::NumberLit(number) => serde_json::from_str(number.value)
                .map_err(|_| self.error(format!("the number {} is out of range", shorten(number.value)), "give a smaller number"))?,
            Value::Array(_) => self.array()?.iter().map(Node::json).collect::<Result<_, _>>()?,
            Value::Object(_) => {
                let mut object = serde_json::Map::new();
                for (key, node) in self.entries()? {
                    if object.insert(key.to_owned(), node.json()?).is_some() {
                        return Err(node.error(format!("the key `{}` is there twice", shorten(key)), "remove one of the two"));
                    }
                }
                object.into()
            }
        })
    }

    fn mismatch(&self, expected: &str) -> ParseError {
        let found = match self.value {
            Value::StringLit(string) => format!("the string \"{}\"", shorten(&string.value)),
            Value::NumberLit(number) => format!("the number {}", shorten(number.value)),
            Value::BooleanLit(boolean) => format!("{}", boolean.value),
            Value::Object(_) => "an object".to_owned(),
            Value::Array(_) => "a list".to_owned(),
            Value::NullKeyword(_) => "null".to_owned(),
        };
        self.error(format!("expected {expected}, found {found}"), format!("put {expected} here"))
    }
}

/// The members of an object.
pub struct Members<'a> {
    node: Node<'a>,
    object: &'a Object<'a>,
}

impl<'a> Members<'a> {
    pub fn get(&self, key: &str) -> Option<Node<'a>> {
        let member = self.object.properties.iter().find(|member| member.name.as_str() == key)?;
        Some(Node { source: self.node.source, value: &member.value })
    }

    pub fn require(&self, key: &str, help: &str) -> Result<Node<'a>, ParseError> {
        self.get(key).ok_or_else(|| self.node.error(format!("the key `{key}` is missing"), help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (usize, usize, String) {
        let source = Source::new(text);
        let error = read(&source, |node| {
            let members = node.object(&["a", "b"])?;
            for item in members.require("a", "add it")?.array()? {
                item.integer()?;
            }
            Ok(())
        });
        let error = error.expect_err("wrong");
        (error.line, error.column, error.message)
    }

    #[test]
    fn every_error_has_its_place() {
        assert_eq!(refused("{\"a\":[1,\n 2.5]}"), (2, 2, "2.5 is not a whole number in range".into()));
        assert_eq!(refused("{\"a\":[1e3]}"), (1, 7, "1e3 is not a whole number in range".into()));
        assert_eq!(refused("{\"a\":[true]}"), (1, 7, "expected a whole number, found true".into()));
        assert_eq!(refused("{\"b\":1}"), (1, 1, "the key `a` is missing".into()));
        assert_eq!(refused("{\"a\":[],\n\"c\":1}"), (2, 1, "unknown key `c`".into()));
        assert_eq!(refused("{\"a\":[],\"a\":[]}"), (1, 9, "`a` is given twice".into()));
        assert_eq!(refused("[]"), (1, 1, "expected an object, found a list".into()));
        assert_eq!(refused(""), (1, 1, "there is no JSON value here".into()));
        assert_eq!(refused("{\"a\":[1,]}").2, "broken JSON: trailing commas are not allowed");
        assert!(refused(&"[".repeat(1_000_000)).2.contains("nesting depth"));
    }
}
