//! The daily board, which depends only on the date.
//!
//! The library has no clock, so the caller passes the date. Boards range from easy on Monday to expert on Sunday.

use std::ops::Range;

use super::Level;
use crate::notation::shorten;
use crate::random::Random;

/// A day of the Gregorian calendar, written `2026-11-16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u32,
    month: u32,
    day: u32,
}

/// The help text for an invalid date.
pub const HELP: &str = "write year, month and day, such as 2026-11-16";

impl std::str::FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Date, String> {
        let fits = |(at, byte): (usize, u8)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() };
        let is_written = text.len() == 10 && text.bytes().enumerate().all(fits);
        let number = |part: Range<usize>| text.get(part).and_then(|part| part.parse().ok()).unwrap_or(0);
        let date = Date { year: number(0..4), month: number(5..7), day: number(8..10) };
        if !is_written || date.year < 1583 || !(1..=12).contains(&date.month) || !(1..=date.days_in_month()).contains(&date.day) {
            return Err(format!("`{}` is not a date", shorten(text)));
        }
        Ok(date)
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Date {
    fn days_in_month(self) -> u32 {
        let leap = self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        match self.month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// The day of the week; 0 is Monday.
    pub fn weekday(self) -> u32 {
        // Years start in March, so that a leap day is the last day of its year.
        let (year, month) = if self.month < 3 { (self.year - 1, self.month + 9) } else { (self.year, self.month - 3) };
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + self.day - 1;
        // Day 0 is March 1 of year 0, a Wednesday.
        (days + 2) % 7
    }

    /// The level of the daily board: easy on Monday and Tuesday, medium on Wednesday and Thursday, hard on Friday and Saturday, expert
    /// on Sunday.
    pub fn level(self) -> Level {
        super::LEVELS[self.weekday() as usize / 2]
    }

    /// The seed of the daily board for a game. It has at most nine digits, so that it can be typed.
    pub fn seed(self, game: &str) -> u64 {
        let day = u64::from((self.year * 100 + self.month) * 100 + self.day);
        let mixed = game.bytes().fold(day, |seed, byte| Random::new(seed ^ u64::from(byte)).word());
        Random::new(mixed).below(1_000_000_000) as u64
    }
}
