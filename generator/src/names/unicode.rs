//! Identifiers beyond ASCII that rustc takes without a word.
//!
//! Three lints look at them, one of them at whole crates only, so that no attribute in a generated
//! module could turn it off: `uncommon_codepoints`, `mixed_script_confusables` and
//! `confusable_idents`. They follow Unicode Technical Standard 39, and so does this module, through
//! the crate that rustc itself uses. What a lint would speak of is written by code point: `u0430`.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton;
use unicode_security::general_security_profile::GeneralSecurityProfile;
use unicode_security::mixed_script::{
    AugmentedScriptSet, is_potential_mixed_script_confusable_char,
};

/// Whether `uncommon_codepoints` lets a character pass in an identifier.
pub(super) fn is_common(char: char) -> bool {
    char.is_ascii_alphanumeric()
        || (!char.is_ascii()
            && unicode_ident::is_xid_continue(char)
            && GeneralSecurityProfile::identifier_allowed(char))
}

/// A character as a word: `u1f600`.
pub(super) fn code_point(char: char) -> String {
    format!("u{:04x}", u32::from(char))
}

/// A word with nothing but ASCII in it.
pub(super) fn to_ascii(word: &str) -> String {
    let mut ascii = String::with_capacity(word.len());
    for char in word.chars() {
        if char.is_ascii() {
            ascii.push(char);
        } else {
            ascii.push_str(&code_point(char));
        }
    }
    ascii
}

/// The canonical form, in which rustc compares identifiers.
pub(super) fn canonical(ident: &str) -> String {
    ident.nfc().collect()
}

/// Identifiers beyond ASCII that are in use, by what they look like.
#[derive(Debug, Default)]
pub(super) struct Lookalikes(BTreeMap<String, String>);

impl Lookalikes {
    /// Whether an identifier may be used without a warning; it is in use from then on.
    pub(super) fn admit(&mut self, ident: &str) -> bool {
        if ident.is_ascii() {
            return true;
        }
        let looks: String = skeleton(ident).collect();
        // What looks like ASCII could look like any name of the crate.
        if looks.is_ascii() || !shows_its_scripts(ident) {
            return false;
        }
        *self.0.entry(looks).or_insert_with(|| ident.to_owned()) == ident
    }
}

/// Whether each script in an identifier has a character that looks like none of another script.
fn shows_its_scripts(ident: &str) -> bool {
    let latin = AugmentedScriptSet::for_char('a');
    let foreign = || ident.chars().filter(|char| !char.is_ascii());
    foreign().all(|char| {
        let script = AugmentedScriptSet::for_char(char);
        script == latin
            || foreign().any(|other| {
                AugmentedScriptSet::for_char(other) == script
                    && !is_potential_mixed_script_confusable_char(other)
            })
    })
}
