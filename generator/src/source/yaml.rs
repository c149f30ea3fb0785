//! YAML behind one module: nothing else knows which parser reads it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{
    Deserialize as _, DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

use super::locate::{Lines, Search, offset_in};
use super::read::{EXPANDS, Read, ReadError, ReadErrorKind, Reader};
use super::{Format, repair};

/// Reads a YAML text.
pub(super) fn read(text: &str) -> Result<Read, ReadError> {
    if let Some(offset) = too_deep(text) {
        let message = "recursion limit exceeded".to_owned();
        return Err(ReadError {
            kind: ReadErrorKind::TooDeep,
            message,
            offset,
        });
    }
    let mended = repair::yaml(text, bad_escape);
    let reader = Reader::new(text, Format::Yaml, mended.disguised);
    match reader
        .seed()
        .deserialize(serde_yaml::Deserializer::from_str(&mended.text))
    {
        Ok(value) => Ok(reader.finish(value)),
        Err(error) => Err(describe(text, &mended.text, &error)),
    }
}

/// Where far too many brackets are open at once.
///
/// The parser has a limit of its own, which it applies only after it has taken the text apart,
/// and that takes a time that grows with the square of the depth. Brackets in strings count as
/// well here, so the limit is far beyond what a document can hold.
fn too_deep(text: &str) -> Option<usize> {
    const LIMIT: usize = 10_000;
    let mut open = 0_usize;
    text.bytes().position(|byte| {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > LIMIT
    })
}

/// The byte at which the parser stops because of an escape.
fn bad_escape(text: &str) -> Option<usize> {
    let error = IgnoredAny::deserialize(serde_yaml::Deserializer::from_str(text)).err()?;
    let is_escape = error
        .to_string()
        .contains("invalid Unicode character escape");
    is_escape.then(|| offset_of(text, &error))
}

fn offset_of(text: &str, error: &serde_yaml::Error) -> usize {
    let index = error.location().map_or(0, |location| location.index());
    Lines::new(text).position(index).offset
}

fn describe(text: &str, parsed: &str, error: &serde_yaml::Error) -> ReadError {
    let full = error.to_string();
    let offset = offset_of(parsed, error);
    let offset = if parsed == text {
        offset
    } else {
        map_back(text, parsed, offset)
    };
    if full.contains(EXPANDS) || full.contains("repetition limit exceeded") {
        let message = EXPANDS.to_owned();
        return ReadError {
            kind: ReadErrorKind::ExpandsTooFar,
            message,
            offset,
        };
    }
    let kind = if full.contains("recursion limit") {
        ReadErrorKind::TooDeep
    } else {
        ReadErrorKind::Syntax
    };
    let place = error
        .location()
        .map(|at| format!(" at line {} column {}", at.line(), at.column()));
    let message = place.map_or_else(|| full.clone(), |place| full.replacen(&place, "", 1));
    ReadError {
        kind,
        message,
        offset,
    }
}

/// The place in a text of a place in the repaired text: lines are the same, columns nearly so.
fn map_back(text: &str, repaired: &str, offset: usize) -> usize {
    let position = Lines::new(repaired).position(offset);
    Lines::new(text).offset(position.line, position.column)
}

/// Finds where nodes stand in a YAML text, and gives what turns what was found into offsets.
pub(super) fn search<'a>(text: &'a str, search: &mut Search) -> Box<dyn Fn(usize) -> usize + 'a> {
    let mended = repair::yaml(text, bad_escape).text;
    let walk = Walk {
        text: &mended,
        search,
        node: Search::ROOT,
        key: None,
        merged: false,
    };
    // A text that breaks off half-way is found as far as it goes.
    let _ = walk.deserialize(serde_yaml::Deserializer::from_str(&mended));
    match mended {
        Cow::Borrowed(_) => Box::new(|offset| offset),
        Cow::Owned(mended) => Box::new(move |offset| map_back(text, &mended, offset)),
    }
}

/// Where a key stands.
#[derive(Debug, Clone, Copy)]
struct KeyPlace {
    start: usize,
    /// After the key and its closing quote.
    end: usize,
}

/// Walks one node that is searched for.
struct Walk<'a> {
    text: &'a str,
    search: &'a mut Search,
    node: usize,
    key: Option<KeyPlace>,
    /// What comes in through `<<` never hides what the object says itself.
    merged: bool,
}

impl Walk<'_> {
    fn found(&mut self, offset: usize) {
        if !(self.merged && self.search.is_found(self.node)) {
            self.search.found(self.node, offset);
        }
    }

    /// A scalar that is no slice of the text stands after its key.
    fn found_after_key(&mut self) {
        let Some(key) = self.key else { return };
        let rest = &self.text[key.end..];
        let after = rest.trim_start_matches([' ', '\t']);
        let value = after
            .strip_prefix(':')
            .map(|it| it.trim_start_matches([' ', '\t']));
        let same_line = value.filter(|it| !it.is_empty() && !it.starts_with(['\n', '\r', '#']));
        self.found(same_line.map_or(key.start, |value| self.text.len() - value.len()));
    }

    fn child(&mut self, node: usize, key: Option<KeyPlace>, merged: bool) -> Walk<'_> {
        Walk {
            text: self.text,
            search: self.search,
            node,
            key,
            merged,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut access: A) -> Result<(), A::Error> {
        if let Some(key) = self.key {
            self.found(key.start);
        }
        let mut first = true;
        while let Some((name, place)) = access.next_key_seed(KeySeed { text: self.text })? {
            if first && self.key.is_none() && self.node != Search::ROOT {
                // An item of an array begins where its first key does.
                if let Some(place) = place {
                    self.found(place.start);
                }
            }
            first = false;
            let (node, merged) = match self.search.child(self.node, &name) {
                Some(node) => (node, self.merged),
                None if name == "<<" => (self.node, true),
                None => {
                    access.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            access.next_value_seed(self.child(node, place, merged))?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut access: A) -> Result<(), A::Error> {
        if let Some(key) = self.key {
            self.found(key.start);
        }
        let mut index = 0;
        loop {
            let wanted = self.search.child(self.node, &index.to_string());
            let wanted = wanted.or_else(|| self.merged.then_some(self.node));
            let more = match wanted {
                Some(node) => {
                    let merged = self.merged;
                    access
                        .next_element_seed(self.child(node, None, merged))?
                        .is_some()
                }
                None => access.next_element::<IgnoredAny>()?.is_some(),
            };
            if !more {
                return Ok(());
            }
            index += 1;
        }
    }

    fn visit_borrowed_str<E: Error>(mut self, slice: &'de str) -> Result<(), E> {
        match offset_in(self.text, slice) {
            Some(offset) => self.found(with_quote(self.text, offset)),
            None => self.found_after_key(),
        }
        Ok(())
    }

    fn visit_str<E: Error>(mut self, _: &str) -> Result<(), E> {
        self.found_after_key();
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.visit_str("")
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.visit_str("")
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.visit_str("")
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<(), E> {
        self.visit_str("")
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<(), E> {
        self.visit_str("")
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.visit_str("")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.visit_str("")
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.visit_str("")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let (IgnoredAny, variant) = access.variant()?;
        variant.newtype_variant_seed(self)
    }
}

/// A quoted scalar begins with its quote.
fn with_quote(text: &str, offset: usize) -> usize {
    if text[..offset].ends_with(['"', '\'']) {
        offset - 1
    } else {
        offset
    }
}

/// Reads a key and where it stands.
struct KeySeed<'a> {
    text: &'a str,
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = (String, Option<KeyPlace>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for KeySeed<'_> {
    type Value = (String, Option<KeyPlace>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E: Error>(self, slice: &'de str) -> Result<Self::Value, E> {
        let place = offset_in(self.text, slice).map(|offset| {
            let start = with_quote(self.text, offset);
            KeyPlace {
                start,
                end: offset + slice.len() + (offset - start),
            }
        });
        Ok((slice.to_owned(), place))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok((text.to_owned(), None))
    }
}
