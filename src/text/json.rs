//! JSON with line and column numbers: a thin layer over a parser that records the range of every value, configured for strict JSON.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::{ParseError, Source, shorten};

/// A JSON value with its position in the text.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    source: &'a Source<'a>,
    value: &'a Value<'a>,
}

/// Parses strict JSON and passes the value to `read`.
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
        let mut what = error.kind().to_string();
        if let Some(first) = what.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        source.error(error.range().start, format!("broken JSON: {what}"), "check the quotes, commas and brackets near this position")
    })?;
    match &parsed.value {
        Some(value) => read(Node { source, value }),
        None => Err(source.error(0, "there is no JSON value here", "write an object: { … }")),
    }
}

impl<'a> Node<'a> {
    pub fn source(&self) -> &'a Source<'a> {
        self.source
    }

    /// The offset of this value in the text.
    pub fn at(&self) -> usize {
        self.value.range().start
    }

    /// An error at this value.
    pub fn error(&self, message: impl Into<String>, help: impl Into<String>) -> ParseError {
        self.source.error(self.at(), message, help)
    }

    /// The object's members. Only `known` keys may occur, each at most once.
    pub fn object(&self, known: &[&str]) -> Result<Members<'a>, ParseError> {
        let object = self.value.as_object().ok_or_else(|| self.mismatch("an object"))?;
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

    /// All members of the object, in order. Keys are arbitrary and may be repeated.
    pub fn entries(&self) -> Result<Vec<(&'a str, Node<'a>)>, ParseError> {
        let object = self.value.as_object().ok_or_else(|| self.mismatch("an object"))?;
        Ok(object.properties.iter().map(|member| (member.name.as_str(), self.with(&member.value))).collect())
    }

    /// The number exactly as it is written in the text.
    pub fn number(&self) -> Result<&'a str, ParseError> {
        self.value.as_number_lit().map(|number| number.value).ok_or_else(|| self.mismatch("a number"))
    }

    pub fn array(&self) -> Result<Vec<Node<'a>>, ParseError> {
        let array = self.value.as_array().ok_or_else(|| self.mismatch("a list"))?;
        Ok(array.elements.iter().map(|value| self.with(value)).collect())
    }

    pub fn string(&self) -> Result<&'a str, ParseError> {
        self.value.as_string_lit().map(|string| &*string.value).ok_or_else(|| self.mismatch("a string"))
    }

    pub fn boolean(&self) -> Result<bool, ParseError> {
        self.value.as_boolean_lit().map(|boolean| boolean.value).ok_or_else(|| self.mismatch("true or false"))
    }

    pub fn integer(&self) -> Result<i64, ParseError> {
        let number = self.value.as_number_lit().ok_or_else(|| self.mismatch("a whole number"))?.value;
        number.parse().map_err(|_| {
            let message = format!("{} is not a whole number in range", shorten(number));
            self.error(message, "write a whole number without a decimal point or an exponent")
        })
    }

    /// The node of another value in the same text.
    fn with(&self, value: &'a Value<'a>) -> Node<'a> {
        Node { source: self.source, value }
    }

    /// The value without its position. Duplicate keys are an error, because JSON parsers differ in which of the values they use.
    pub fn json(&self) -> Result<serde_json::Value, ParseError> {
        Ok(match self.value {
            Value::StringLit(string) => (*string.value).into(),
            Value::BooleanLit(boolean) => boolean.value.into(),
            Value::NullKeyword(_) => serde_json::Value::Null,
            Value::NumberLit(number) => serde_json::from_str(number.value)
                .map_err(|_| self.error(format!("the number {} is out of range", shorten(number.value)), "use a smaller number"))?,
            Value::Array(_) => self.array()?.iter().map(Node::json).collect::<Result<_, _>>()?,
            Value::Object(_) => {
                let mut object = serde_json::Map::new();
                for (key, node) in self.entries()? {
                    if object.insert(key.to_owned(), node.json()?).is_some() {
                        return Err(node.error(format!("the key `{}` occurs twice", shorten(key)), "remove one of the two"));
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
        Some(self.node.with(&member.value))
    }

    pub fn require(&self, key: &str, help: &str) -> Result<Node<'a>, ParseError> {
        self.get(key).ok_or_else(|| self.node.error(format!("the key `{key}` is missing"), help))
    }
}
