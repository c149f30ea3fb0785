//! Names of crates.

use std::fmt;

/// An error for an invalid crate name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadName {
    name: String,
    why: &'static str,
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a valid crate name: {}",
            self.name.escape_debug(),
            self.why
        )
    }
}

impl std::error::Error for BadName {}

/// Names that cargo or rustc reserve.
const TAKEN: &[&str] = &[
    "alloc",
    "bothends_runtime",
    "build",
    "core",
    "deps",
    "examples",
    "incremental",
    "proc_macro",
    "std",
    "test",
];

/// Checks the name of a crate by the rules of cargo's manifest ("The `name` field") and of the
/// rustc lint `non_snake_case`.
///
/// # Errors
/// Returns an error if cargo or rustc would reject the name or warn about it.
pub fn check_crate_name(name: &str) -> Result<(), BadName> {
    let ident = name.replace('-', "_");
    let why = if name.is_empty() || name.len() > 64 {
        "it has between 1 and 64 letters"
    } else if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        "it begins with a small letter from a to z"
    } else if !name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte))
    {
        "it consists of small letters from a to z, digits, `-` and `_`"
    } else if TAKEN.contains(&ident.as_str()) {
        "that name is taken"
    } else if crate::names::is_keyword(&ident) {
        "it is a keyword of Rust"
    } else {
        return Ok(());
    };
    Err(BadName {
        name: name.to_owned(),
        why,
    })
}

/// Returns a name for the crate of an API, made from its title: `Pet Store (v2)` becomes
/// `pet-store-v2`.
#[must_use]
pub fn crate_name_of(title: &str) -> String {
    let lower = title.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|char: char| !char.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let mut name = words.join("-");
    name.truncate(50);
    let name = name.trim_end_matches('-').to_owned();
    if name.is_empty() {
        return "api".to_owned();
    }
    // Only two problems can remain: the first letter, or a reserved name.
    if check_crate_name(&name).is_ok() {
        name
    } else {
        format!("api-{name}")
    }
}
