//! The board of a day, which depends only on the date.
//!
//! The library has no clock, so the date comes from outside. A week goes from easy boards on Monday to one for experts on Sunday.

use super::Level;
use crate::notation::shorten;
use crate::random::Random;

/// A day of the calendar that is in use since 1582, written `2026-11-16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u32,
    month: u32,
    day: u32,
}

/// The remedy for an invalid date.
pub const HELP: &str = "write year, month and day, such as 2026-11-16";

impl std::str::FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Date, String> {
        let wrong = || format!("`{}` is not a date", shorten(text));
        let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok()).flatten();
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts[..] else { return Err(wrong()) };
        let ([4, 2, 2], Some(year), Some(month), Some(day)) =
            ([year.len(), month.len(), day.len()], number(year), number(month), number(day))
        else {
            return Err(wrong());
        };
        let date = Date { year, month, day };
        if year < 1583 || !(1..=12).contains(&month) || !(1..=date.days_in_month()).contains(&day) {
            return Err(wrong());
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

    /// 0 is Monday.
    pub fn weekday(self) -> u32 {
        // Months from March on, so that the odd day is the last of the year.
        let (year, month) = if self.month < 3 { (self.year - 1, self.month + 9) } else { (self.year, self.month - 3) };
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + self.day - 1;
        // Day 0, March 1 of year 0, is a Wednesday.
        (days + 2) % 7
    }

    /// Monday and Tuesday are easy, Wednesday and Thursday medium, Friday and Saturday hard, Sunday is for experts.
    pub fn level(self) -> Level {
        super::LEVELS[self.weekday() as usize / 2]
    }

    /// The day's seed for a game. Up to nine digits, so that it can be typed.
    pub fn seed(self, game: &str) -> u64 {
        let day = u64::from((self.year * 100 + self.month) * 100 + self.day);
        let mixed = game.bytes().fold(day, |seed, byte| Random::new(seed ^ u64::from(byte)).word());
        Random::new(mixed).below(1_000_000_000) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_week_are_those_of_the_calendar() {
        let day = |text: &str| text.parse::<Date>().expect("a date").weekday();
        // The first day of this calendar was a Friday, 1582-10-15; these are from almanacs.
        for (text, weekday) in [("1969-07-20", 6), ("1970-01-01", 3), ("2000-02-29", 1), ("2024-02-29", 3), ("2026-11-16", 0)] {
            assert_eq!(day(text), weekday, "{text}");
        }
        // Every day follows the one before it, over 400 years and one.
        let mut before = day("1999-12-31");
        for year in 2000..2401 {
            for month in 1..=12 {
                for number in 1..=31 {
                    let Ok(date) = format!("{year}-{month:02}-{number:02}").parse::<Date>() else { continue };
                    assert_eq!(date.weekday(), (before + 1) % 7, "{date}");
                    before = date.weekday();
                }
            }
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in
            ["", "2026", "2026-1-1", "2026-13-01", "2026-00-10", "2025-02-29", "1900-02-29", "2026-04-31", "2026-11-16 ", "x", "+026-11-16"]
        {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        assert_eq!("2026-11-16".parse::<Date>().map(|date| date.to_string()), Ok("2026-11-16".to_owned()));
    }
}
