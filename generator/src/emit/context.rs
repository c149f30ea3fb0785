//! The context of all emitters: the API, the options, and the only constructor of identifiers.

use super::options::{InvalidNames, Options};
use crate::ir::{Api, Name};
use proc_macro2::{Ident, Span};
use std::cell::RefCell;

/// The API, the options, and the texts that are invalid as names.
pub(super) struct Context<'a> {
    pub(super) api: &'a Api,
    pub(super) options: &'a Options,
    invalid: RefCell<Vec<String>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(api: &'a Api, options: &'a Options) -> Self {
        Self {
            api,
            options,
            invalid: RefCell::default(),
        }
    }

    /// Returns the identifier of a text. Records an invalid text; the whole run then fails at the
    /// end.
    pub(super) fn ident(&self, text: &str) -> Ident {
        identifier(text).unwrap_or_else(|| {
            self.invalid(text);
            Ident::new("invalid", Span::call_site())
        })
    }

    /// Returns the identifier of a name.
    pub(super) fn name(&self, name: &Name) -> Ident {
        self.ident(&name.rust)
    }

    /// Records a text that is invalid as a name.
    pub(super) fn invalid(&self, text: &str) {
        self.invalid.borrow_mut().push(text.to_owned());
    }

    /// Returns the result if all names were valid.
    pub(super) fn finish<T>(self, output: T) -> Result<T, InvalidNames> {
        let invalid = self.invalid.into_inner();
        if invalid.is_empty() {
            Ok(output)
        } else {
            Err(InvalidNames(invalid))
        }
    }
}

/// Returns a text as an identifier, including `r#`, or `None` if the text is not an identifier.
pub(super) fn identifier(text: &str) -> Option<Ident> {
    let (raw, plain) = match text.strip_prefix("r#") {
        Some(plain) => (true, plain),
        None => (false, text),
    };
    let mut chars = plain.chars();
    let first = chars.next()?;
    if plain == "_"
        || !(first == '_' || unicode_ident::is_xid_start(first))
        || !chars.all(unicode_ident::is_xid_continue)
    {
        return None;
    }
    if !raw {
        return Some(Ident::new(plain, Span::call_site()));
    }
    let reserved = matches!(plain, "self" | "Self" | "super" | "crate");
    (!reserved).then(|| Ident::new_raw(plain, Span::call_site()))
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn only_identifiers_are_accepted() {
        for good in ["pet_id", "_1", "r#type", "Größe", "名"] {
            assert!(identifier(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "_",
            "1a",
            "a b",
            "a;",
            "r#",
            "r#self",
            "a\n",
            "a::b",
            "\u{202e}a",
        ] {
            assert!(identifier(bad).is_none(), "{bad}");
        }
    }
}
