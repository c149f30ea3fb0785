//! Header values.

use crate::message::wire::notation::{Notation, Param};
use crate::values::{EncodeError, Node, WireError};
use http::header::AsHeaderName;
#[cfg(feature = "server")]
use http::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderName};
use http::{HeaderMap, HeaderValue};
use std::borrow::Cow;

/// The id of the last event that a client received of a stream (HTML, section 9.2.4).
#[cfg(any(feature = "client", feature = "server"))]
pub(crate) const LAST_EVENT_ID: http::HeaderName = http::HeaderName::from_static("last-event-id");

/// Converts a text to the value of a header.
///
/// A text with line breaks or other control characters is an error, and so is a text with space at
/// its ends, which would be lost in transit.
pub(crate) fn value(name: &str, text: &str) -> Result<HeaderValue, EncodeError> {
    let fail = |message| Err(EncodeError::new(name, message));
    let bytes = text.as_bytes();
    let Ok(value) = HeaderValue::from_bytes(bytes) else {
        return fail("a header cannot hold a line break or another control character");
    };
    let is_space = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    if is_space(bytes.first()) || is_space(bytes.last()) {
        return fail("a header cannot begin or end with space");
    }
    Ok(value)
}

/// Headers in which each line is a separate value, because commas inside of it are no delimiters. A
/// list has a line for each item, and the lines of one text are joined by a delimiter. Lines of
/// `Set-Cookie` cannot be joined by any character that a header may contain (RFC 9110, section
/// 5.3), so a text has line breaks, and is sent as several headers. The challenges of an
/// authentication header contain and are separated by commas (section 11.6.1), so they may be
/// joined and not split.
const LINE_BY_LINE: [(&str, &str); 3] = [
    ("set-cookie", "\n"),
    ("www-authenticate", ", "),
    ("proxy-authenticate", ", "),
];

/// Returns whether each line of a header is a separate value.
pub(super) fn is_line_by_line(name: &str) -> bool {
    mark_between_lines(name).is_some()
}

fn mark_between_lines(name: &str) -> Option<&'static str> {
    let mut known = LINE_BY_LINE.iter();
    let (_, mark) = known.find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some(mark)
}

/// Returns the values of the lines of a header.
pub(super) fn values<'a>(name: &str, param: Param, lines: Vec<&'a str>) -> Vec<Cow<'a, str>> {
    if lines.len() < 2 || is_line_by_line(name) {
        return lines.into_iter().map(Cow::Borrowed).collect();
    }
    // Several headers of one name are one list.
    let mark = match param.form {
        Notation::Space => " ",
        Notation::Pipe => "|",
        Notation::Tab => "\t",
        _ => ",",
    };
    vec![Cow::Owned(lines.join(mark))]
}

/// Joins several lines to one text, for the headers of [`LINE_BY_LINE`].
pub(super) fn as_one(name: &str, lines: &[Cow<'_, str>]) -> Option<String> {
    let mark = mark_between_lines(name)?;
    (lines.len() > 1).then(|| lines.join(mark))
}

/// Returns the lines for a value, for the headers of [`LINE_BY_LINE`].
pub(crate) fn lines(name: &str, node: &Node) -> Option<Result<Vec<String>, WireError>> {
    let mark = mark_between_lines(name)?;
    match node {
        Node::List(items) => {
            let there = items.iter().filter(|item| !matches!(item, Node::Null));
            Some(there.map(Node::text).collect())
        }
        Node::Text(text) if mark == "\n" => Some(Ok(text.split('\n').map(str::to_owned).collect())),
        _ => None,
    }
}

/// Returns all values of a header as texts; `None` for a value that is not UTF-8.
pub(crate) fn texts(
    headers: &HeaderMap,
    name: impl AsHeaderName,
) -> impl Iterator<Item = Option<&str>> {
    headers
        .get_all(name)
        .into_iter()
        .map(|value| std::str::from_utf8(value.as_bytes()).ok())
}

/// Returns the first value of a header as a text.
pub(crate) fn text(headers: &HeaderMap, name: impl AsHeaderName) -> Option<&str> {
    let value = headers.get(name)?;
    std::str::from_utf8(value.as_bytes()).ok()
}

/// Headers with one value that decides who calls, or what is sent. Several lines of one are
/// malformed, because it is not a list (RFC 9110, section 5.3; for `Host` RFC 9112, section 3.2): a
/// gateway in front may have read another line than the server.
#[cfg(feature = "server")]
static SINGLETONS: [HeaderName; 3] = [AUTHORIZATION, CONTENT_TYPE, HOST];

/// Returns the name of a header that has several lines and may have one, of those that every request
/// may have and the given ones.
#[cfg(feature = "server")]
pub(crate) fn repeated<'n>(
    headers: &HeaderMap,
    mut own: impl Iterator<Item = &'n str>,
) -> Option<String> {
    if headers.len() == headers.keys_len() {
        return None;
    }
    let is_repeated = |name: &str| headers.get_all(name).iter().nth(1).is_some();
    let mut singletons = SINGLETONS.iter().map(HeaderName::as_str);
    let name = singletons.find(|name| is_repeated(name));
    let name = name.or_else(|| own.find(|name| is_repeated(name)));
    name.map(str::to_owned)
}
