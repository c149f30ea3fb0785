//! Patterns.
//!
//! The generator has translated them from ECMA-262 to the syntax of the crate `regex`, which
//! matches in time linear to the text whatever the pattern is.

/// Whether a pattern is found in a text. Without the feature `pattern`, it always is.
#[cfg(not(feature = "pattern"))]
pub(super) const fn is_found(_: &'static str, _: &str) -> bool {
    true
}

/// Whether a pattern is found in a text. One that is no pattern, which the generator does not
/// write, is found everywhere.
#[cfg(feature = "pattern")]
pub(super) fn is_found(pattern: &'static str, text: &str) -> bool {
    compiled(pattern).is_none_or(|regex| regex.is_match(text))
}

/// The pattern as a regex, which is made once and kept: patterns come out of generated code, so
/// there are only so many.
#[cfg(feature = "pattern")]
fn compiled(pattern: &'static str) -> Option<regex::Regex> {
    use std::collections::HashMap;
    use std::sync::{LazyLock, PoisonError, RwLock};

    static KNOWN: LazyLock<RwLock<HashMap<&'static str, Option<regex::Regex>>>> =
        LazyLock::new(RwLock::default);

    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(regex) = known.get(pattern) {
        return regex.clone();
    }
    drop(known);
    let regex = regex::Regex::new(pattern).ok();
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.entry(pattern).or_insert(regex).clone()
}
