//! How much is said of what is wrong.
//!
//! Names and texts of a message come back in what is said of it, to a caller or in a log. One name of
//! two megabytes, with a hundred field_errors within, would come back a hundred times. So each part has a
//! length, and so has the whole.

use crate::FieldError;

/// Of a name in a path, in bytes.
pub(crate) const NAME: usize = 96;
/// Of a whole path, in bytes: its beginning and its end are kept.
pub(crate) const PATH: usize = 512;
/// Of what is said of one value, in bytes.
pub(crate) const MESSAGE: usize = 2048;
/// Of everything that is said of one message, in bytes as JSON writes them.
pub(crate) const WHOLE: usize = 64 * 1024;

/// Stands where something was left out.
const CUT: char = '…';

/// The start of a text, no longer than so many bytes.
fn start(text: &str, most: usize) -> &str {
    let mut ends = (0..=most.min(text.len())).rev();
    ends.find_map(|end| text.get(..end)).unwrap_or_default()
}

/// A text of at most so many bytes, and a mark where it is cut.
pub(crate) fn short(text: &str, most: usize) -> String {
    match text.len() > most {
        true => format!("{}{CUT}", start(text, most)),
        false => text.to_owned(),
    }
}

/// The same, of a text that is there already.
pub(crate) fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        text.truncate(start(&text, most).len());
        text.push(CUT);
    }
    text
}

/// A path with its beginning and its end.
pub(crate) fn path(path: String) -> String {
    if path.len() <= PATH {
        return path;
    }
    let half = PATH / 2;
    let mut ends = path.len() - half..path.len();
    let end = ends.find_map(|at| path.get(at..));
    format!("{}{CUT}{}", start(&path, half), end.unwrap_or_default())
}

/// How many bytes a error takes as JSON, at most.
fn size(text: &str) -> usize {
    let escaped = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\');
    text.len() + 5 * text.bytes().filter(|byte| escaped(byte)).count()
}

/// Counts what is said of one message.
#[derive(Debug, Default)]
pub(crate) struct Told(usize);

impl Told {
    /// Counts one more; false when that is too much.
    pub(crate) fn takes(&mut self, field: &str, message: &str) -> bool {
        self.0 = self.0.saturating_add(size(field) + size(message));
        self.0 <= WHOLE
    }
}

/// Adds a error, as long as there is room; then, once, that there are more.
pub(crate) fn add(field_errors: &mut Vec<FieldError>, told: &mut Told, error: FieldError) {
    if told.0 > WHOLE {
        return;
    }
    let error = FieldError {
        field: path(error.field),
        message: cut(error.message, MESSAGE),
        ..error
    };
    if told.takes(&error.field, &error.message) {
        field_errors.push(error);
    } else {
        field_errors.push(super::more());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(short("abc", 3), "abc");
        assert_eq!(short("abcd", 3), "abc…");
        assert_eq!(short("aéé", 2), "a…");
        assert_eq!(cut("€€€".to_owned(), 4), "€…");
        let long = format!("a.{}.z", "€".repeat(1000));
        let cut = path(long);
        assert!(cut.len() <= PATH + 3 && cut.starts_with("a.€") && cut.ends_with("€.z"));
    }

    #[test]
    fn the_whole_has_an_end() {
        let (mut field_errors, mut told) = (Vec::new(), Told::default());
        for _ in 0..10_000 {
            let error = FieldError::new("\u{1}".repeat(10_000), "m".repeat(10_000));
            add(&mut field_errors, &mut told, error);
        }
        let all: usize = field_errors
            .iter()
            .map(|of| size(&of.field) + size(&of.message))
            .sum();
        assert!(all <= WHOLE + 100, "{all}");
        assert_eq!(field_errors.last(), Some(&super::super::more()));
        assert_eq!(
            field_errors
                .iter()
                .filter(|of| **of == super::super::more())
                .count(),
            1
        );
    }
}
