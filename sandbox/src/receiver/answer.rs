//! The response that the URL of a receiver asks for.

use http::HeaderMap;
use std::fmt;
use std::time::Duration;

/// The longest pause before a response.
const LONGEST: Duration = Duration::from_secs(60);
/// The header with the number of the attempt, after the last dot.
const ATTEMPT: &str = "webhook-attempt";

/// A requested response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// The statuses of the attempts; the last also that of further attempts.
    statuses: Vec<u16>,
    pub(super) delay: Duration,
    pub(super) body: String,
    /// Whether a listener decides about the status.
    pub(super) forward: bool,
}

/// An error in the query of a receiver's URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidAnswer {
    name: &'static str,
    value: String,
    expected: &'static str,
}

impl fmt::Display for InvalidAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            value,
            expected,
        } = self;
        write!(f, "`{name}={value}` is not {expected}")
    }
}

impl std::error::Error for InvalidAnswer {}

impl Answer {
    /// Reads a query. Unknown parameters are ignored, so that a URL can carry others.
    pub(super) fn parse(query: &str) -> Result<Self, InvalidAnswer> {
        let mut answer = Self {
            statuses: vec![200],
            delay: Duration::ZERO,
            body: String::new(),
            forward: false,
        };
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            let invalid = |name, expected| InvalidAnswer {
                name,
                value: value.clone().into_owned(),
                expected,
            };
            match &*name {
                "status" => {
                    let statuses: Option<Vec<u16>> = value.split(',').map(status).collect();
                    answer.statuses = statuses
                        .ok_or_else(|| invalid("status", "a list of statuses from 200 to 599"))?;
                }
                "delay" => {
                    answer.delay = delay(&value).ok_or_else(|| {
                        invalid("delay", "a duration such as 11s or 500ms, up to 60s")
                    })?;
                }
                "body" => answer.body = value.into_owned(),
                "mode" => match &*value {
                    "forward" => answer.forward = true,
                    "answer" => answer.forward = false,
                    _ => return Err(invalid("mode", "`answer` or `forward`")),
                },
                _ => {}
            }
        }
        Ok(answer)
    }

    /// Returns the status for the attempt that a request belongs to. A request without a number is a
    /// first attempt.
    pub(super) fn status(&self, headers: &HeaderMap) -> u16 {
        let attempt = headers.get(ATTEMPT).and_then(|value| value.to_str().ok());
        let number = attempt.and_then(|attempt| attempt.rsplit('.').next()?.parse().ok());
        let index = number.unwrap_or(1_usize).saturating_sub(1);
        let last = self.statuses.last();
        self.statuses.get(index).or(last).copied().unwrap_or(200)
    }
}

fn status(text: &str) -> Option<u16> {
    let status = text.trim().parse().ok()?;
    (200..=599).contains(&status).then_some(status)
}

fn delay(text: &str) -> Option<Duration> {
    let delay = if let Some(millis) = text.strip_suffix("ms") {
        Duration::from_millis(millis.parse().ok()?)
    } else {
        Duration::from_secs(text.strip_suffix('s').unwrap_or(text).parse().ok()?)
    };
    (delay <= LONGEST).then_some(delay)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_a_response() {
        let answer = Answer::parse("status=503,503,200&delay=11s&body=a%20b&other=1");
        let answer = answer.expect("a response");
        assert_eq!((answer.delay.as_secs(), answer.body.as_str()), (11, "a b"));
        let statuses = ["7.1", "7.2", "7.3", "7.4", "x"].map(|attempt| {
            let value = http::HeaderValue::from_static(attempt);
            answer.status(&HeaderMap::from_iter([(
                ATTEMPT.parse().expect("a name"),
                value,
            )]))
        });
        assert_eq!(statuses, [503, 503, 200, 200, 503]);
        assert_eq!(answer.status(&HeaderMap::new()), 503);
        let delay = |text: &str| Answer::parse(text).map(|answer| answer.delay.as_millis());
        assert_eq!(delay("delay=500ms"), Ok(500));
        assert_eq!(delay("delay=2"), Ok(2000));
        assert!(Answer::parse("mode=forward").is_ok_and(|answer| answer.forward));
        for wrong in [
            "status=",
            "status=99",
            "status=200;",
            "delay=61s",
            "delay=-1",
            "mode=x",
        ] {
            let error = Answer::parse(wrong).expect_err(wrong).to_string();
            assert!(error.contains(wrong), "{error}");
        }
    }
}
