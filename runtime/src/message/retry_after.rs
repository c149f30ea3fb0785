//! The delay that a server asks for.

use http::HeaderMap;
use http::header::{DATE, RETRY_AFTER};
use std::time::{Duration, SystemTime};

/// Returns the delay that `Retry-After` states, in seconds or as a date (RFC 9110, section 10.2.3).
///
/// A date is relative to `Date` of the same headers, because the local clock may be wrong; without it, to
/// the local clock.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
    delay(headers, || has_clock.then(SystemTime::now))
}

fn delay(headers: &HeaderMap, now: impl FnOnce() -> Option<SystemTime>) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number beyond the range of `u64` is treated as its maximum.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let stated = headers.get(DATE).and_then(|date| date.to_str().ok());
    let stated = stated.and_then(|date| httpdate::parse_http_date(date).ok());
    let delay = date.duration_since(stated.or_else(now)?);
    Some(delay.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::delay;
    use http::header::{DATE, RETRY_AFTER};
    use http::{HeaderMap, HeaderValue};

    #[test]
    fn the_delay_is_in_seconds_or_until_a_date() {
        let now = httpdate::parse_http_date("Fri, 31 Dec 1999 23:59:59 GMT").unwrap();
        let seconds_of = |value: &'static str, date: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_static(value));
            headers.extend(date.map(|date| (DATE, HeaderValue::from_static(date))));
            delay(&headers, || Some(now)).map(|delay| delay.as_secs())
        };
        assert_eq!(seconds_of("120", None), Some(120));
        assert_eq!(seconds_of(" 0 ", None), Some(0));
        assert_eq!(seconds_of("99999999999999999999999", None), Some(u64::MAX));
        let then = "Sat, 01 Jan 2000 00:01:59 GMT";
        assert_eq!(seconds_of(then, None), Some(120));
        assert_eq!(
            seconds_of(then, Some("Sat, 01 Jan 2000 00:01:58 GMT")),
            Some(1)
        );
        assert_eq!(seconds_of("Fri, 31 Dec 1999 23:00:00 GMT", None), Some(0));
        for invalid in ["", "-1", "soon", "1.5"] {
            assert_eq!(seconds_of(invalid, None), None, "{invalid}");
        }
        assert_eq!(delay(&HeaderMap::new(), || None), None);
    }
}
