//! Rust identifiers made of words.

use super::casing::{Case, cased};
use super::unicode::{Lookalikes, canonical, to_ascii};

/// The maximum length of an identifier in characters, without an appended number. Names grow with
/// the depth of a document; the limit keeps them readable, and file names within the limits of file
/// systems.
pub(super) const LONGEST: usize = 100;

/// The number of characters of a name in the document that are read: more than an identifier can have, with
/// marks that compose and characters that separate words.
pub(super) const MOST_READ: usize = LONGEST * 16;

/// Joins words into an identifier without a rustc warning. The identifier may be a keyword.
pub(super) fn join(words: &[String], case: Case, lookalikes: &mut Lookalikes) -> String {
    let ident = join_as_is(words, case);
    if is_ident(&ident) && lookalikes.admit(&ident) {
        return ident;
    }
    let words: Vec<String> = words.iter().map(|word| to_ascii(word)).collect();
    join_as_is(&words, case)
}

fn join_as_is(words: &[String], case: Case) -> String {
    let mut ident = String::new();
    for (index, word) in words.iter().enumerate() {
        let digits_meet = ident.ends_with(|c: char| c.is_ascii_digit())
            && word.starts_with(|c: char| c.is_ascii_digit());
        if index > 0 && (case != Case::Pascal || digits_meet) {
            ident.push('_');
        }
        if index == 0 && !word.starts_with(unicode_ident::is_xid_start) {
            // `n404` and `N404` mean "number"; a leading `_` would mean "unused".
            ident.push_str(&cased("n", case));
        }
        ident.push_str(&cased(word, case));
    }
    truncate(&canonical(&ident))
}

fn truncate(ident: &str) -> String {
    if ident.len() <= LONGEST {
        return ident.to_owned();
    }
    let short: String = ident.chars().take(LONGEST).collect();
    if short.len() == ident.len() {
        short
    } else {
        short.trim_end_matches('_').to_owned()
    }
}

/// Returns an identifier with an appended number, separated from digits that are part of the name.
pub(super) fn numbered(ident: &str, number: u32) -> String {
    let ident = ident.trim_end_matches('_');
    if ident.ends_with(|c: char| c.is_ascii_digit()) {
        format!("{ident}_{number}")
    } else {
        format!("{ident}{number}")
    }
}

/// Returns whether a text is an identifier or a keyword.
pub(super) fn is_ident(text: &str) -> bool {
    let mut chars = text.chars();
    let begins_right = chars
        .next()
        .is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c));
    begins_right && chars.all(unicode_ident::is_xid_continue) && text != "_"
}

/// Returns whether rustc's naming lints accept an identifier for this case.
pub(super) fn suits(ident: &str, case: Case) -> bool {
    let trimmed = ident.trim_matches('_');
    if !is_ident(ident) || trimmed.contains("__") || trimmed.is_empty() {
        return false;
    }
    match case {
        Case::Snake => !trimmed.contains(char::is_uppercase),
        Case::Constant => !trimmed.contains(char::is_lowercase),
        Case::Pascal => {
            let chars: Vec<char> = trimmed.chars().collect();
            let cased = |c: char| c.is_uppercase() || c.is_lowercase();
            !chars[0].is_lowercase()
                && !chars
                    .windows(3)
                    .any(|three| three[1] == '_' && (cased(three[0]) || cased(three[2])))
        }
    }
}

/// The keywords of all editions, including reserved ones (The Rust Reference, "Keywords").
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "Self", "static", "struct", "super", "trait", "true", "try", "type",
    "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The keywords without a raw form.
const NEVER_RAW: &[&str] = &["crate", "self", "Self", "super"];

/// Returns whether an identifier is a keyword.
pub(crate) fn is_keyword(ident: &str) -> bool {
    KEYWORDS.contains(&ident)
}

/// Returns a keyword in a form that is valid as a name: `r#type`, `self_`.
pub(super) fn raw(ident: &str) -> String {
    if NEVER_RAW.contains(&ident) {
        format!("{ident}_")
    } else if is_keyword(ident) {
        format!("r#{ident}")
    } else {
        ident.to_owned()
    }
}

/// Returns the identifier without `r#`.
pub(super) fn unraw(ident: &str) -> &str {
    ident.strip_prefix("r#").unwrap_or(ident)
}

/// Returns the name of a constant that belongs to a field, a method or a module.
pub(crate) fn constant(ident: &str) -> String {
    let words = unraw(ident).split('_');
    let words: Vec<String> = words.map(|word| cased(word, Case::Constant)).collect();
    words.join("_")
}

/// Returns the name of the constant of a scheme's token endpoint, `MACHINE_FLOW` for the field `machine`.
pub(crate) fn flow_constant(field: &str) -> String {
    format!("{}_FLOW", constant(field))
}
