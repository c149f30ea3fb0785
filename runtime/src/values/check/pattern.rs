//! Patterns.
//!
//! The generator has translated them from ECMA-262 to the syntax of the crate `regex`, which
//! matches in time linear in the text, whatever the pattern.

/// Returns whether a pattern matches a text. Without the feature `pattern`, every text matches.
#[cfg(not(feature = "pattern"))]
pub(super) const fn is_found(_: &'static str, _: &str) -> bool {
    true
}

/// Returns whether a pattern matches a text. Every text matches an invalid pattern, which the
/// generator does not write.
#[cfg(feature = "pattern")]
pub(super) fn is_found(pattern: &'static str, text: &str) -> bool {
    compiled(pattern).is_none_or(|regex| regex.is_match(text))
}

/// Returns the compiled pattern, which is cached: patterns are constants of generated code, so
/// their number is limited.
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
