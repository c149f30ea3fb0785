//! Finding the positions of nodes in a YAML text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::super::lines::offset_in;
use super::super::repair;
use super::super::search::Search;
use super::{DEEPEST, bad_escape, scan};

/// Finds nodes in a YAML text. Returns the repaired text if the positions refer to that text.
pub(in super::super) fn search(text: &str, search: &mut Search) -> Option<String> {
    let tabs = scan::scan(text, DEEPEST).unwrap_or_default();
    let mended = repair::yaml(text, &tabs, bad_escape).text;
    let walk = Walk {
        text: &mended,
        search,
        node: Search::ROOT,
        key: None,
        merged: false,
    };
    // An incomplete text is searched up to its end.
    let _ = walk.deserialize(serde_yaml::Deserializer::from_str(&mended));
    match mended {
        Cow::Borrowed(_) => None,
        Cow::Owned(mended) => Some(mended),
    }
}

/// The position of a key.
#[derive(Debug, Clone, Copy)]
struct KeyPlace {
    start: usize,
    /// The end of the key and its closing quote.
    end: usize,
}

/// A visitor for one requested node.
struct Walk<'a> {
    text: &'a str,
    search: &'a mut Search,
    node: usize,
    key: Option<KeyPlace>,
    /// Whether the node is merged with `<<`. Merged entries never replace the object's own entries.
    merged: bool,
}

impl Walk<'_> {
    fn found(&mut self, offset: usize) {
        if !(self.merged && self.search.is_found(self.node)) {
            self.search.found(self.node, offset);
        }
    }

    /// Records the position after the key for a scalar that is not a slice of the text.
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
                // An item of an array has the position of its first key.
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

/// Returns the offset of a scalar, including an opening quote.
fn with_quote(text: &str, offset: usize) -> usize {
    if text[..offset].ends_with(['"', '\'']) {
        offset - 1
    } else {
        offset
    }
}

/// A seed that reads a key and its position.
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
