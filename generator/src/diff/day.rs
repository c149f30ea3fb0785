//! Days, for announced removals.

use std::fmt;
use std::str::FromStr;

/// A day of the Gregorian calendar, written `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day(i64);

impl Day {
    /// Returns the day that is a number of days after 1970-01-01.
    #[must_use]
    pub const fn from_epoch(days: i64) -> Self {
        Self(days)
    }

    /// Returns the number of days from another day to this one.
    #[must_use]
    pub const fn since(self, other: Self) -> i64 {
        self.0 - other.0
    }
}

/// The number of days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A year that begins in March has the leap day as its last day.
        let days = self.0 + EPOCH;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let date = day - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        write!(f, "{year:04}-{month:02}-{date:02}")
    }
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.splitn(3, '-').map(str::parse::<i64>);
        let day = match (parts.next(), parts.next(), parts.next()) {
            (Some(Ok(year)), Some(Ok(month)), Some(Ok(date))) => of_date(year, month, date),
            _ => None,
        };
        // A day that does not exist, such as 2026-02-30, is written as another one.
        day.filter(|day| day.to_string() == text)
            .ok_or_else(|| format!("`{text}` is not a day of the form `YYYY-MM-DD`"))
    }
}

fn of_date(year: i64, month: i64, date: i64) -> Option<Day> {
    if !(0..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&date) {
        return None;
    }
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + date - 1;
    let day = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    Some(Day(era * 146_097 + day - EPOCH))
}

#[cfg(test)]
mod tests {
    use super::Day;

    #[test]
    fn days_are_read_and_written() {
        for (days, text) in [
            (-719_528, "0000-01-01"),
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_453, "2025-12-31"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
            (2_932_896, "9999-12-31"),
        ] {
            assert_eq!(Day::from_epoch(days).to_string(), text);
            assert_eq!(text.parse(), Ok(Day::from_epoch(days)));
        }
        for wrong in [
            "",
            "2026-02-30",
            "2026-13-01",
            "2026-1-1",
            "26-01-01",
            "2026-01-01T00",
            "today",
        ] {
            assert!(wrong.parse::<Day>().is_err(), "{wrong}");
        }
    }
}
