//! Dates with a time, to the end of the year 9999.

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

/// A `date-time` of RFC 3339: a point in time, up to `9999-12-31T23:59:59.999999999Z`.
///
/// A [`jiff::Timestamp`] ends 26 hours earlier, so that it can be told in any time zone; but `never` is
/// written `9999-12-31T23:59:59Z` in many places. A value of this type keeps such a time as it came,
/// and orders it behind all others. For everything else it is the timestamp that it dereferences to;
/// of a time behind the last timestamp, that is [`Timestamp::MAX`].
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
    /// How many nanoseconds it is behind the last timestamp; nothing for all others.
    beyond: i64,
}

impl DateTime {
    /// Now.
    #[must_use]
    pub fn now() -> Self {
        Self::from(Timestamp::now())
    }

    /// The timestamp to reckon with; the last there is, where it is behind that.
    #[must_use]
    pub const fn timestamp(self) -> Timestamp {
        self.timestamp
    }

    /// What is behind the last timestamp: what jiff reads as a date and a time of day.
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

/// The last timestamp in UTC.
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

/// As [`DateTime::timestamp`].
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

/// A text that is no date and time with a zone, or is one behind the year 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateTimeError;

impl fmt::Display for DateTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be {EXPECTED}")
    }
}

impl std::error::Error for DateTimeError {}

const EXPECTED: &str = "a date and time with a zone, such as 2030-01-02T03:04:05Z";

/// As many digits of a second as are kept; RFC 3339 sets no limit.
const DIGITS: usize = 9;

/// The text without the digits of a second that are too many.
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

    fn of(text: &str) -> DateTime {
        text.parse().unwrap_or_else(|_| panic!("{text}"))
    }

    #[test]
    fn all_of_the_year_9999_is_read_and_written() {
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
            assert_eq!(of(text).to_string(), text);
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
            assert_eq!(of(text), of(same), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_and_time_with_a_zone_is_refused() {
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
    fn the_order_is_that_of_time() {
        let all = [
            of("2030-01-02T03:04:05Z"),
            DateTime::from(Timestamp::MAX),
            of("9999-12-31T00:00:00Z"),
            of("9999-12-31T23:59:59Z"),
        ];
        assert!(all.is_sorted());
        assert!(all[2] > Timestamp::MAX && all[1] == Timestamp::MAX);
        assert_ne!(all[2], Timestamp::MAX);
        assert_eq!(Timestamp::from(all[3]), Timestamp::MAX);
    }
}
