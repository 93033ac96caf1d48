//! Lines of a list, one board or graph to a line: read one at a time, so that a list may be larger than memory.

use std::io::{BufRead, BufReader, ErrorKind, Read};

use kibitzer::limits::Limits;

use crate::failure::Failure;
use crate::input;

/// Bytes that one line of a list may have.
const MOST_LINE: usize = 256 << 20;

/// Lines that end with a line feed, a carriage return, or both.
pub struct Lines {
    input: Box<dyn BufRead + Send>,
    /// Was nothing read yet? Some editors begin a file with a byte-order mark.
    first: bool,
    /// Was the last end a carriage return? Then a line feed belongs to it.
    after_return: bool,
}

impl Lines {
    pub fn new(input: impl Read + Send + 'static) -> Lines {
        Lines { input: Box::new(BufReader::new(input)), first: true, after_return: false }
    }
}

impl Iterator for Lines {
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

/// Does a line hold a board? A header alone on its line, as some tools write it, is none.
pub fn is_board(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#') && ![">>graph6<<", ">>sparse6<<"].contains(&line)
}

/// One line of a list, as `--line N` names it: what `N` is in the column `line` of a census.
pub fn pick(from: impl Read + Send + 'static, name: &str, number: u64, limits: &Limits) -> Result<String, Failure> {
    let mut count = 0;
    for line in Lines::new(from) {
        let line = line.map_err(|error| input::cannot_read(name, &error))?;
        count += 1;
        if count == number {
            return match line.trim() {
                line if is_board(line) => Ok(line.to_owned()),
                _ => Err(Failure::input(format!("{name}: line {number} holds no graph"), "name another line")),
            };
        }
        limits.check()?;
    }
    let lines = kibitzer::report::count(count, "line");
    Err(Failure::input(format!("{name} has no line {number}: it has {lines}"), "lines count from 1"))
}

/// The lines that a command takes: `5` or `5..20`, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub first: u64,
    pub last: u64,
}

impl Range {
    pub const ALL: Range = Range { first: 1, last: u64::MAX };
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.last {
            u64::MAX => write!(f, "{}..", self.first),
            last if last == self.first => write!(f, "{last}"),
            last => write!(f, "{}..{last}", self.first),
        }
    }
}

impl std::str::FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Range, String> {
        let number = |text: &str| text.trim().parse::<u64>().ok().filter(|&number| number > 0);
        let range = match text.split_once("..") {
            None => number(text).map(|line| Range { first: line, last: line }),
            Some((first, "")) => number(first).map(|first| Range { first, last: u64::MAX }),
            Some((first, last)) => number(first).zip(number(last)).map(|(first, last)| Range { first, last }),
        };
        range
            .filter(|range| range.first <= range.last)
            .ok_or_else(|| "write a number such as 5, or a range such as 5..20, from 1 on".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_both_ends() {
        assert_eq!("5..20".parse(), Ok(Range { first: 5, last: 20 }));
        assert_eq!("5".parse(), Ok(Range { first: 5, last: 5 }));
        assert_eq!("5..".parse(), Ok(Range { first: 5, last: u64::MAX }));
        for wrong in ["", "0", "..", "20..5", "5...20", "x", "-1", "5..0", "1e3"] {
            assert!(wrong.parse::<Range>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn one_line_of_many() {
        let of = |number| pick("\u{feff}a\r\nb\r\r\n# c\nd".as_bytes(), "it", number, &Limits::none()).map_err(|failure| failure.message);
        assert_eq!((of(1), of(2), of(5)), (Ok("a".to_owned()), Ok("b".to_owned()), Ok("d".to_owned())));
        assert_eq!(of(3), Err("it: line 3 holds no graph".to_owned()));
        assert_eq!(of(6), Err("it has no line 6: it has 5 lines".to_owned()));
    }
}
