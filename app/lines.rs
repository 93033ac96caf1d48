//! Reads a list with one board or graph per line, one line at a time, because a list may be larger than memory.

use std::io::{BufRead, BufReader, ErrorKind, Read};

use kibitzer::limits::Limits;
use kibitzer::sheet::Span;

use crate::failure::Failure;
use crate::input;

/// Maximum number of bytes in a line.
const MOST_LINE: usize = 256 << 20;

/// Lines that end with a line feed, a carriage return, or both.
pub struct ListLines {
    input: Box<dyn BufRead + Send>,
    /// True before the first line, which may begin with a byte-order mark.
    first: bool,
    /// True if the previous line ended with a carriage return. A line feed right after that belongs to the same line ending.
    after_return: bool,
}

impl ListLines {
    pub fn new(input: impl Read + Send + 'static) -> ListLines {
        ListLines { input: Box::new(BufReader::new(input)), first: true, after_return: false }
    }
}

impl Iterator for ListLines {
    type Item = std::io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = std::mem::take(&mut self.first);
        let text = |line: Vec<u8>| match String::from_utf8(line) {
            Ok(line) if first && line.starts_with('\u{feff}') => Ok(line['\u{feff}'.len_utf8()..].to_owned()),
            line => line.map_err(|_| std::io::Error::new(ErrorKind::InvalidData, "a line is not UTF-8 text")),
        };
        let mut line = Vec::new();
        loop {
            let piece = match self.input.fill_buf() {
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Some(Err(error)),
            };
            if piece.is_empty() {
                return if line.is_empty() { None } else { Some(text(line)) };
            }
            if std::mem::take(&mut self.after_return) && piece[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            let end = piece.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            line.extend_from_slice(&piece[..end.unwrap_or(piece.len())]);
            if line.len() > MOST_LINE {
                return Some(Err(std::io::Error::new(ErrorKind::InvalidData, "a line is too long")));
            }
            match end {
                None => {
                    let count = piece.len();
                    self.input.consume(count);
                }
                Some(at) => {
                    self.after_return = piece[at] == b'\r';
                    self.input.consume(at + 1);
                    return Some(text(line));
                }
            }
        }
    }
}

/// True if a line contains a board, so it is not empty, not a comment, and not just the header of a graph format.
pub fn is_board(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#') && ![">>graph6<<", ">>sparse6<<"].contains(&line)
}

/// One line of a list, for `--line N`. The `line` column of a census uses the same numbering.
pub fn pick(name: &str, number: u64, limits: &Limits) -> Result<String, Failure> {
    let (name, from) = input::source(name)?;
    find(ListLines::new(from), name, number, limits)
}

fn find(lines: ListLines, name: &str, number: u64, limits: &Limits) -> Result<String, Failure> {
    let mut count = 0;
    for line in lines {
        let line = line.map_err(|error| input::cannot_read(name, &error))?;
        count += 1;
        if count == number {
            return match line.trim() {
                line if is_board(line) => Ok(line.to_owned()),
                _ => Err(Failure::input(format!("{name}: line {number} is not a board"), "choose another line")),
            };
        }
        limits.check()?;
    }
    let lines = kibitzer::report::count(count, "line");
    Err(Failure::input(format!("{name} has only {lines}, so there is no line {number}"), "lines are numbered from 1"))
}

/// All lines of a list.
pub const ALL: Span = Span { least: 1, most: u64::MAX };

/// Parses a range of positive numbers: `5`, `5..20` or `5..`.
pub fn span(text: &str) -> Result<Span, String> {
    let span = text.parse::<Span>().ok().filter(|span| span.least > 0);
    span.ok_or_else(|| "expected a positive number such as 5, or a range such as 5..20".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        assert_eq!(span("5..20"), Ok(Span { least: 5, most: 20 }));
        assert_eq!(span("5"), Ok(Span { least: 5, most: 5 }));
        assert_eq!(span("5.."), Ok(Span { least: 5, most: u64::MAX }));
        for wrong in ["", "0", "..", "20..5", "5...20", "x", "-1", "5..0", "1e3"] {
            assert!(span(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lines_are_found_by_number() {
        let lines = || ListLines::new("\u{feff}a\r\nb\r\r\n# c\nd".as_bytes());
        let of = |number| find(lines(), "it", number, &Limits::none()).map_err(|failure| failure.message);
        assert_eq!((of(1), of(2), of(5)), (Ok("a".to_owned()), Ok("b".to_owned()), Ok("d".to_owned())));
        assert_eq!(of(3), Err("it: line 3 is not a board".to_owned()));
        assert_eq!(of(6), Err("it has only 5 lines, so there is no line 6".to_owned()));
    }
}
