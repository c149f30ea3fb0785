//! The case of words, by heck.

use heck::{AsShoutySnakeCase, AsSnakeCase, AsUpperCamelCase};

/// The case of an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// `snake_case`
    Snake,
    /// `PascalCase`; `_` separates digits: `V1_5`.
    Pascal,
    /// `SCREAMING_SNAKE_CASE`
    Constant,
}

/// Writes one word in a case.
///
/// For heck, any character that is not alphanumeric separates words. Within a word, it is part of the
/// word, as the vowel signs of Devanagari are.
pub(super) fn cased(word: &str, case: Case) -> String {
    // Most words have one letter that changes, or none.
    if word
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    {
        let mut word = word.to_owned();
        let end = match case {
            Case::Snake => 0,
            Case::Pascal => word.len().min(1),
            Case::Constant => word.len(),
        };
        word[..end].make_ascii_uppercase();
        return word;
    }
    let end = word.find(|char: char| !char.is_alphanumeric());
    let (start, rest) = word.split_at(end.unwrap_or(word.len()));
    match case {
        // Only types keep the inner capital of `OAuth`.
        Case::Snake => {
            AsSnakeCase(start.to_ascii_lowercase()).to_string() + &rest.to_ascii_lowercase()
        }
        Case::Pascal => AsUpperCamelCase(start).to_string() + rest,
        Case::Constant => AsShoutySnakeCase(start).to_string() + &rest.to_uppercase(),
    }
}
