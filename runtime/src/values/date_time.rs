//! Timestamps up to the end of the year 9999.

use jiff::civil;
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::de::{Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

/// A `date-time` of RFC 3339: a timestamp up to `9999-12-31T23:59:59.999999999Z`.
///
/// A [`jiff::Timestamp`] ends 26 hours earlier, so that it can be converted to any time zone; but
/// many APIs write `9999-12-31T23:59:59Z` for `never`. A value of this type preserves such a time,
/// and orders it after all others. It dereferences to a timestamp; for a time after the last
/// timestamp, that is [`Timestamp::MAX`].
///
/// ```
/// use bothends_runtime::DateTime;
/// use bothends_runtime::jiff::{Timestamp, ToSpan};
///
/// let at: DateTime = "2030-01-02T03:04:05Z".parse().unwrap();
/// assert_eq!(at.timestamp() + 1.hour(), "2030-01-02T04:04:05Z".parse::<Timestamp>().unwrap());
/// assert_eq!(at.as_second(), 1_893_553_445);
///
/// let never: DateTime = "9999-12-31T23:59:59Z".parse().unwrap();
/// assert_eq!(never.to_string(), "9999-12-31T23:59:59Z");
/// assert_eq!(never.timestamp(), Timestamp::MAX);
/// assert!(never > at);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DateTime {
    timestamp: Timestamp,
    /// The nanoseconds after the last timestamp; zero for all other times.
    beyond: i64,
}

impl DateTime {
    /// Returns the current time.
    #[must_use]
    pub fn now() -> Self {
        Self::from(Timestamp::now())
    }

    /// Returns the timestamp; [`Timestamp::MAX`] for a time after the last timestamp.
    #[must_use]
    pub const fn timestamp(self) -> Timestamp {
        self.timestamp
    }

    /// Parses a time after the last timestamp, which jiff accepts only as a date and a time of day.
    fn beyond(text: &str) -> Option<Self> {
        let pieces = DateTimeParser::new().parse_pieces(text).ok()?;
        let offset = SignedDuration::from_secs(pieces.to_numeric_offset()?.seconds().into());
        let at = civil::DateTime::from_parts(pieces.date(), pieces.time()?);
        let beyond = at.checked_sub(offset).ok()?.duration_since(last());
        match i64::try_from(beyond.as_nanos()) {
            Ok(beyond @ 1..) => Some(Self {
                timestamp: Timestamp::MAX,
                beyond,
            }),
            _ => None,
        }
    }
}

/// Returns the last timestamp in UTC.
fn last() -> civil::DateTime {
    TimeZone::UTC.to_datetime(Timestamp::MAX)
}

impl Deref for DateTime {
    type Target = Timestamp;

    fn deref(&self) -> &Timestamp {
        &self.timestamp
    }
}

impl From<Timestamp> for DateTime {
    fn from(timestamp: Timestamp) -> Self {
        Self {
            timestamp,
            beyond: 0,
        }
    }
}

/// Converts like [`DateTime::timestamp`].
impl From<DateTime> for Timestamp {
    fn from(at: DateTime) -> Self {
        at.timestamp
    }
}

impl PartialEq<Timestamp> for DateTime {
    fn eq(&self, other: &Timestamp) -> bool {
        *self == Self::from(*other)
    }
}

impl PartialOrd<Timestamp> for DateTime {
    fn partial_cmp(&self, other: &Timestamp) -> Option<Ordering> {
        self.partial_cmp(&Self::from(*other))
    }
}

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.beyond == 0 {
            return fmt::Display::fmt(&self.timestamp, f);
        }
        let at = last().saturating_add(SignedDuration::from_nanos(self.beyond));
        write!(f, "{at}Z")
    }
}

impl fmt::Debug for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error of a text that is not a date and time with an offset, or is after the year 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateTimeError;

impl fmt::Display for DateTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be {EXPECTED}")
    }
}

impl std::error::Error for DateTimeError {}

const EXPECTED: &str = "a date and time with a zone, such as 2030-01-02T03:04:05Z";

/// The number of fractional digits of a second that are kept; RFC 3339 sets no limit.
const DIGITS: usize = 9;

/// Returns the text without excess fractional digits.
fn shortened(text: &str) -> Option<String> {
    let (whole, rest) = text.split_once('.')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (fraction, zone) = rest.split_at_checked(digits)?;
    let fraction = fraction.get(..DIGITS).filter(|_| digits > DIGITS)?;
    Some(format!("{whole}.{fraction}{zone}"))
}

impl FromStr for DateTime {
    type Err = DateTimeError;

    fn from_str(text: &str) -> Result<Self, DateTimeError> {
        if let Ok(timestamp) = text.parse::<Timestamp>() {
            return Ok(Self::from(timestamp));
        }
        match shortened(text) {
            Some(short) => short.parse(),
            None => Self::beyond(text).ok_or(DateTimeError),
        }
    }
}

impl Serialize for DateTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DateTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(DateTimeVisitor)
    }
}

struct DateTimeVisitor;

impl Visitor<'_> for DateTimeVisitor {
    type Value = DateTime;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<DateTime, E> {
        let read = text.parse();
        read.map_err(|DateTimeError| E::invalid_value(Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date_time(text: &str) -> DateTime {
        text.parse().unwrap_or_else(|_| panic!("{text}"))
    }

    #[test]
    fn the_year_9999_is_parsed_and_formatted() {
        for text in [
            "0001-01-01T00:00:00Z",
            "1970-01-01T00:00:00Z",
            "9999-12-30T22:00:00.999999999Z",
            "9999-12-30T22:00:01Z",
            "9999-12-31T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "9999-12-31T23:59:59.999Z",
            "9999-12-31T23:59:59.999999999Z",
        ] {
            assert_eq!(date_time(text).to_string(), text);
        }
        for (text, same) in [
            ("9999-12-31T23:59:59+00:00", "9999-12-31T23:59:59Z"),
            ("9999-12-31T23:59:59+05:30", "9999-12-31T18:29:59Z"),
            ("9999-12-31t12:00:00-01:00", "9999-12-31T13:00:00Z"),
            (
                "2030-01-02T03:04:05.1234567899Z",
                "2030-01-02T03:04:05.123456789Z",
            ),
            (
                "9999-12-31T23:59:59.9999999999Z",
                "9999-12-31T23:59:59.999999999Z",
            ),
        ] {
            assert_eq!(date_time(text), date_time(same), "{text}");
        }
    }

    #[test]
    fn invalid_date_times_are_rejected() {
        for text in [
            "",
            "9999-12-31",
            "9999-12-31T23:59:59",
            "9999-12-31T23:59:59-00:01",
            "10000-01-01T00:00:00Z",
            "9999-12-32T00:00:00Z",
            "2030-01-02T03:04:05.12345678901",
            "2030-01-02 03:04",
            "never",
        ] {
            assert_eq!(text.parse::<DateTime>(), Err(DateTimeError), "{text}");
        }
    }

    #[test]
    fn date_times_are_ordered_chronologically() {
        let all = [
            date_time("2030-01-02T03:04:05Z"),
            DateTime::from(Timestamp::MAX),
            date_time("9999-12-31T00:00:00Z"),
            date_time("9999-12-31T23:59:59Z"),
        ];
        assert!(all.is_sorted());
        assert!(all[2] > Timestamp::MAX && all[1] == Timestamp::MAX);
        assert_ne!(all[2], Timestamp::MAX);
        assert_eq!(Timestamp::from(all[3]), Timestamp::MAX);
    }
}
