//! Limits for the length of error messages.
//!
//! Error messages contain names and texts of the received message, and are sent to a caller or
//! logged. A name of two megabytes with a hundred invalid members would be repeated a hundred
//! times. Each part is therefore limited, and so is the whole.

use crate::values::FieldError;

/// Limit for a name in a path, in bytes.
pub(crate) const NAME: usize = 96;
/// Limit for a whole path, in bytes: its beginning and its end are kept.
pub(crate) const PATH: usize = 512;
/// Limit for the message of one value, in bytes.
pub(crate) const MESSAGE: usize = 2048;
/// Limit for all errors of one request or response, in bytes as JSON.
pub(crate) const WHOLE: usize = 64 * 1024;

/// The mark of omitted text.
const CUT: char = '…';

/// Returns the beginning of a text, with at most `most` bytes.
fn start(text: &str, most: usize) -> &str {
    let mut ends = (0..=most.min(text.len())).rev();
    ends.find_map(|end| text.get(..end)).unwrap_or_default()
}

/// Truncates a text to at most `most` bytes, with a mark.
pub(crate) fn short(text: &str, most: usize) -> String {
    match text.len() > most {
        true => format!("{}{CUT}", start(text, most)),
        false => text.to_owned(),
    }
}

/// Truncates an owned text.
pub(crate) fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        text.truncate(start(&text, most).len());
        text.push(CUT);
    }
    text
}

/// Shortens a path, and keeps its beginning and its end.
pub(crate) fn path(path: String) -> String {
    if path.len() <= PATH {
        return path;
    }
    let half = PATH / 2;
    let mut ends = path.len() - half..path.len();
    let end = ends.find_map(|at| path.get(at..));
    format!("{}{CUT}{}", start(&path, half), end.unwrap_or_default())
}

/// Returns an upper bound for the length of a text as JSON, in bytes.
fn size(text: &str) -> usize {
    let escaped = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\');
    text.len() + 5 * text.bytes().filter(|byte| escaped(byte)).count()
}

/// The total length of the errors of one request or response.
#[derive(Debug, Default)]
pub(crate) struct Budget(usize);

impl Budget {
    /// Adds the length of an error; returns `false` if the limit is exceeded.
    pub(crate) fn takes(&mut self, field: &str, message: &str) -> bool {
        self.0 = self.0.saturating_add(size(field) + size(message));
        self.0 <= WHOLE
    }
}

/// Adds an error if the limit permits it, and otherwise, once, an error that states that there are
/// more.
pub(crate) fn add(field_errors: &mut Vec<FieldError>, budget: &mut Budget, error: FieldError) {
    if budget.0 > WHOLE {
        return;
    }
    let error = FieldError {
        field: path(error.field),
        message: cut(error.message, MESSAGE),
        ..error
    };
    if budget.takes(&error.field, &error.message) {
        field_errors.push(error);
    } else {
        field_errors.push(super::more());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_truncated_between_characters() {
        assert_eq!(short("abc", 3), "abc");
        assert_eq!(short("abcd", 3), "abc…");
        assert_eq!(short("aéé", 2), "a…");
        assert_eq!(cut("€€€".to_owned(), 4), "€…");
        let long = format!("a.{}.z", "€".repeat(1000));
        let cut = path(long);
        assert!(cut.len() <= PATH + 3 && cut.starts_with("a.€") && cut.ends_with("€.z"));
    }

    #[test]
    fn the_total_length_is_limited() {
        let (mut field_errors, mut budget) = (Vec::new(), Budget::default());
        for _ in 0..10_000 {
            let error = FieldError::new("\u{1}".repeat(10_000), "m".repeat(10_000));
            add(&mut field_errors, &mut budget, error);
        }
        let all: usize = field_errors
            .iter()
            .map(|error| size(&error.field) + size(&error.message))
            .sum();
        assert!(all <= WHOLE + 100, "{all}");
        assert_eq!(field_errors.last(), Some(&crate::values::more()));
        assert_eq!(
            field_errors
                .iter()
                .filter(|error| **error == crate::values::more())
                .count(),
            1
        );
    }
}
