//! Non-ASCII identifiers without rustc warnings.
//!
//! Three lints check them: `uncommon_codepoints`, `mixed_script_confusables` and
//! `confusable_idents`. One of them checks whole crates only, so that no attribute in a generated
//! module could turn it off. The lints follow Unicode Technical Standard 39. This module does the
//! same, with the crate that rustc itself uses. A character that a lint would report is written by
//! code point: `u0430`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton;
use unicode_security::general_security_profile::GeneralSecurityProfile;
use unicode_security::mixed_script::{
    AugmentedScriptSet, is_potential_mixed_script_confusable_char,
};

/// Returns whether `uncommon_codepoints` accepts a character in an identifier.
pub(super) fn is_common(char: char) -> bool {
    char.is_ascii_alphanumeric()
        || (!char.is_ascii()
            && unicode_ident::is_xid_continue(char)
            && GeneralSecurityProfile::identifier_allowed(char))
}

/// Returns a character as a word: `u1f600`.
pub(super) fn code_point(char: char) -> String {
    format!("u{:04x}", u32::from(char))
}

/// Returns a word with only ASCII characters.
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

/// Returns the canonical form, in which rustc compares identifiers.
pub(super) fn canonical(ident: &str) -> Cow<'_, str> {
    match ident.is_ascii() {
        true => Cow::Borrowed(ident),
        false => Cow::Owned(ident.nfc().collect()),
    }
}

/// Non-ASCII identifiers in use, by their confusable skeleton.
#[derive(Debug, Default)]
pub(super) struct Lookalikes(BTreeMap<String, String>);

impl Lookalikes {
    /// Returns whether an identifier may be used without a warning, and marks such an identifier as
    /// used.
    pub(super) fn admit(&mut self, ident: &str) -> bool {
        if ident.is_ascii() {
            return true;
        }
        let looks: String = skeleton(ident).collect();
        // A skeleton of ASCII characters could match any name of the crate.
        if looks.is_ascii() || !shows_its_scripts(ident) {
            return false;
        }
        *self.0.entry(looks).or_insert_with(|| ident.to_owned()) == ident
    }
}

/// Returns whether each script in an identifier has a character that resembles no character of
/// another script.
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
