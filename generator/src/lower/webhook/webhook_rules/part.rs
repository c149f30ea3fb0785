//! Reading the parts of an extension. Every unknown key is reported.

use crate::diagnostic::{Diagnostics, codes};
use crate::position::Origin;
use crate::resolve::nearest;
use crate::source::{Object, Value};

/// An object of the extension, and its location.
pub(super) struct Part<'a> {
    pub(super) origin: Origin,
    stated: &'a Object,
}

impl<'a> Part<'a> {
    /// Returns the value of a key. `null` represents an unknown value, as if the key were absent.
    pub(super) fn value(&self, key: &str) -> Option<&'a Value> {
        let value = self.stated.get(key)?;
        (*value != Value::Null).then_some(value)
    }

    /// Returns the entries that are not `null`.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a String, &'a Value)> {
        let entries = self.stated.into_iter();
        entries.filter(|(_, value)| **value != Value::Null)
    }
}

/// A reader of values that reports invalid values.
pub(super) struct Reader<'d> {
    pub(super) diagnostics: &'d mut Diagnostics,
}

impl Reader<'_> {
    /// Returns the extension itself.
    pub(super) fn root<'a>(&mut self, stated: &'a Value, origin: Origin) -> Option<Part<'a>> {
        match stated {
            Value::Object(stated) => Some(Part { origin, stated }),
            _ => {
                self.wrong(
                    origin,
                    "expected an object for `x-bothends-webhooks`".to_owned(),
                );
                None
            }
        }
    }

    /// Returns an object in a part.
    pub(super) fn part<'a>(&mut self, part: &Part<'a>, key: &str) -> Option<Part<'a>> {
        let origin = part.origin.child(key);
        match part.value(key)? {
            Value::Object(stated) => Some(Part { origin, stated }),
            _ => {
                self.wrong(origin, format!("expected an object for `{key}`"));
                None
            }
        }
    }

    /// Returns an object in a list.
    pub(super) fn item<'a>(&mut self, value: &'a Value, origin: Origin) -> Option<Part<'a>> {
        match value {
            Value::Object(stated) => Some(Part { origin, stated }),
            _ => {
                self.wrong(origin, "expected an object".to_owned());
                None
            }
        }
    }

    /// Reports an invalid value.
    pub(super) fn wrong(&mut self, origin: Origin, message: String) {
        self.diagnostics
            .report(codes::DELIVERY, &origin, message)
            .help("the page `reference/extensions` of the guide lists the keys of `x-bothends-webhooks` and their values");
    }

    fn not(&mut self, part: &Part<'_>, key: &str, what: &str) {
        self.wrong(
            part.origin.child(key),
            format!("expected {what} for `{key}`"),
        );
    }

    /// Reports keys that are not in a list.
    pub(super) fn known(&mut self, part: &Part<'_>, keys: &[&str]) {
        for (key, _) in part.stated {
            if keys.contains(&key.as_str()) {
                continue;
            }
            let help = nearest(key, keys.iter().copied()).map_or_else(
                || format!("write one of `{}`, or a comment", keys.join("`, `")),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("unknown key `{key}`");
            self.diagnostics
                .report(codes::EXTENSION_NOT_READ, &part.origin.child(key), message)
                .help(help);
        }
    }

    /// Returns a text.
    pub(super) fn text(&mut self, part: &Part<'_>, key: &str) -> Option<String> {
        match part.value(key)? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            _ => {
                self.not(part, key, "a text");
                None
            }
        }
    }

    /// Returns a name that is valid for a header (RFC 9110, section 5.6.2).
    pub(super) fn header(&mut self, part: &Part<'_>, key: &str) -> Option<String> {
        let name = self.text(part, key)?;
        let sign = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.bytes().all(sign) {
            return Some(name);
        }
        self.not(part, key, "the name of a header");
        None
    }

    /// Returns one of the supported words.
    pub(super) fn word(&mut self, part: &Part<'_>, key: &str, words: &[&str]) -> Option<String> {
        let text = self.text(part, key)?;
        if words.contains(&text.as_str()) {
            return Some(text);
        }
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        self.not(part, key, &words.join(" or "));
        None
    }

    /// Returns a boolean.
    pub(super) fn flag(&mut self, part: &Part<'_>, key: &str) -> Option<bool> {
        match part.value(key)? {
            Value::Bool(flag) => Some(*flag),
            _ => {
                self.not(part, key, "`true` or `false`");
                None
            }
        }
    }

    /// Returns an integer.
    pub(super) fn whole(&mut self, part: &Part<'_>, key: &str, most: u32) -> Option<u32> {
        let number = whole(part.value(key)?, most);
        if number.is_none() {
            self.not(part, key, &format!("an integer up to {most}"));
        }
        number
    }

    /// Returns a list.
    pub(super) fn list<'a>(&mut self, part: &Part<'a>, key: &str) -> Option<&'a [Value]> {
        match part.value(key)? {
            Value::Array(items) => Some(items),
            _ => {
                self.not(part, key, "a list");
                None
            }
        }
    }

    /// Returns a list of texts.
    pub(super) fn texts(&mut self, part: &Part<'_>, key: &str) -> Option<Vec<String>> {
        let items = self.list(part, key)?;
        let texts: Option<Vec<String>> = (items.iter())
            .map(|item| item.as_str().map(str::to_owned))
            .collect();
        if texts.is_none() {
            self.not(part, key, "a list of texts");
        }
        texts
    }
}

/// Returns an integer of at most this size.
pub(super) fn whole(value: &Value, most: u32) -> Option<u32> {
    let number = value.as_integer()?;
    u32::try_from(number).ok().filter(|number| *number <= most)
}
