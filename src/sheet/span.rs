//! Ranges of numbers, such as `6..9`.

use std::fmt;
use std::str::FromStr;

/// Numbers from `least` to `most`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub least: u64,
    pub most: u64,
}

impl Span {
    pub fn contains(&self, number: u64) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// Widens a span, which may be empty, to include a number.
    pub(crate) fn include(span: &mut Option<Span>, number: u64) {
        let Span { least, most } = span.unwrap_or(Span { least: number, most: number });
        *span = Some(Span { least: least.min(number), most: most.max(number) });
    }
}

/// Parses `6..9`, `6`, `6..` or `..9`.
impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let number = |text: &str, or: u64| match text.trim() {
            "" => Ok(or),
            text if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().map_err(|_| format!("{text} is too large")),
            text => Err(format!("`{text}` is not a whole number; write a range such as 6..9, 6.., ..9 or 6")),
        };
        let (least, most) = match text.split_once("..") {
            None if text.trim().is_empty() => return Err("write a range such as 6..9, 6.., ..9 or 6".to_owned()),
            None => (text, text),
            // Also accept `6..=9`, the notation of some programming languages.
            Some((least, most)) => (least, most.strip_prefix('=').unwrap_or(most)),
        };
        let span = Span { least: number(least, 0)?, most: number(most, u64::MAX)? };
        if span.least > span.most {
            return Err(format!("{} is more than {}; write the smaller number first", span.least, span.most));
        }
        Ok(span)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Span { least, most } if least == most => write!(f, "{least}"),
            Span { least, most: u64::MAX } => write!(f, "{least}.."),
            Span { least, most } => write!(f, "{least}..{most}"),
        }
    }
}
