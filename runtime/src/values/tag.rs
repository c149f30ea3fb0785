//! Discriminator properties: the values of the variants, and the value that an object has.

use crate::values::error::FieldErrors;
use crate::values::refuse::{look_inside, refuse, refuse_lists, refuse_objects};
use crate::values::words::one_of;
use crate::values::{Node, WireError};
use serde::ser::{self, Serialize, SerializeMap, SerializeStruct, Serializer};

/// The value of a discriminator property.
#[derive(Debug, PartialEq, Eq)]
pub enum Tag {
    /// One of the names of the variant.
    Listed,
    /// Another string; `None` if there is no string.
    Other(Option<String>),
}

/// Serializes a value to find its discriminator property.
pub(crate) fn probe<T: Serialize + ?Sized>(
    value: &T,
    key: &'static str,
    names: &[&'static str],
) -> Tag {
    let probe = Probe {
        key,
        names,
        found: None,
        here: false,
    };
    let found = value.serialize(probe).ok().flatten();
    found.unwrap_or(Tag::Other(None))
}

/// Returns whether a value is a string with one of these texts.
pub(in crate::values) fn text_is<T: Serialize + ?Sized>(value: &T, names: &[&'static str]) -> bool {
    value
        .serialize(Text(names))
        .is_ok_and(|tag| tag == Tag::Listed)
}

/// A serializer that looks for a key; a value that is not an object has none.
struct Probe<'n> {
    key: &'static str,
    names: &'n [&'static str],
    found: Option<Tag>,
    here: bool,
}

/// The error of a value that is not an object, and of a key or tag that is not a string.
#[derive(Debug)]
pub(in crate::values) struct Nothing;

impl std::fmt::Display for Nothing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not an object")
    }
}

impl std::error::Error for Nothing {}

impl ser::Error for Nothing {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

impl SerializeStruct for Probe<'_> {
    type Ok = Option<Tag>;
    type Error = Nothing;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Nothing> {
        if key == self.key {
            self.found = value.serialize(Text(self.names)).ok();
        }
        Ok(())
    }

    fn end(self) -> Result<Self::Ok, Nothing> {
        Ok(self.found)
    }
}

impl SerializeMap for Probe<'_> {
    type Ok = Option<Tag>;
    type Error = Nothing;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Nothing> {
        self.here = text_is(key, &[self.key]);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Nothing> {
        if self.here {
            self.found = value.serialize(Text(self.names)).ok();
        }
        Ok(())
    }

    fn end(self) -> Result<Self::Ok, Nothing> {
        Ok(self.found)
    }
}

impl Probe<'_> {
    const fn refusal(&self) -> Nothing {
        Nothing
    }
}

impl Serializer for Probe<'_> {
    type Ok = Option<Tag>;
    type Error = Nothing;
    type SerializeMap = Self;
    type SerializeStruct = Self;

    refuse! { Option<Tag>, Nothing;
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char);
        serialize_str(&str); serialize_bytes(&[u8]); serialize_none(); serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    refuse_lists!(Option<Tag>, Nothing);
    look_inside!(Option<Tag>, Nothing);

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Nothing> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Nothing> {
        Ok(self)
    }
}

/// A serializer that accepts only a string, and compares it with names.
pub(in crate::values) struct Text<'n>(pub(in crate::values) &'n [&'static str]);

impl Text<'_> {
    const fn refusal(&self) -> Nothing {
        Nothing
    }

    fn tag_of(&self, text: &str) -> Tag {
        match self.0.contains(&text) {
            true => Tag::Listed,
            false => Tag::Other(Some(text.to_owned())),
        }
    }
}

impl Serializer for Text<'_> {
    type Ok = Tag;
    type Error = Nothing;

    refuse! { Tag, Nothing;
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char);
        serialize_bytes(&[u8]); serialize_none(); serialize_unit();
        serialize_unit_struct(&'static str);
    }

    refuse_lists!(Tag, Nothing);
    refuse_objects!(Tag, Nothing);
    look_inside!(Tag, Nothing);

    fn serialize_str(self, text: &str) -> Result<Tag, Nothing> {
        Ok(self.tag_of(text))
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<Tag, Nothing> {
        Ok(self.tag_of(name))
    }
}

/// The discriminator property of a union and its values.
#[derive(Debug)]
pub struct TagTable {
    /// The name of the property.
    pub(in crate::values) key: &'static str,
    /// The values of each variant.
    pub(in crate::values) values: &'static [&'static [&'static str]],
    /// For each variant, 1 if it accepts unlisted values.
    pub(in crate::values) others: &'static [u8],
}

impl TagTable {
    /// Creates a table.
    pub const fn new(
        key: &'static str,
        values: &'static [&'static [&'static str]],
        others: &'static [u8],
    ) -> Self {
        Self {
            key,
            values,
            others,
        }
    }

    /// Returns the variant that a value of the property selects.
    pub(in crate::values) fn find(&self, tag: &str) -> Option<usize> {
        let found = self.values.iter().position(|names| names.contains(&tag));
        found.or_else(|| self.default())
    }

    /// Returns the first value of a variant. The variant that accepts any value may have none.
    pub(in crate::values) fn first(&self, index: usize) -> Option<&'static str> {
        self.values.get(index)?.first().copied()
    }

    /// Returns the values of all variants.
    pub(in crate::values) fn all(&self) -> Vec<&'static str> {
        self.values.concat()
    }

    /// Returns the variant that accepts any value.
    pub(in crate::values) fn default(&self) -> Option<usize> {
        self.others.iter().position(|takes| *takes == 1)
    }

    /// Returns the error of an unlisted value.
    pub(in crate::values) fn unlisted(&self) -> WireError {
        WireError::new(one_of(self.all())).within(self.key)
    }

    /// Returns the variant of a tree; `None` if an open union does not list its tag.
    pub(in crate::values) fn variant_of(
        &self,
        node: &Node,
        is_open: bool,
    ) -> Result<Option<usize>, FieldErrors> {
        if !matches!(node, Node::Object(_)) {
            return Err(WireError::new("must be an object").into());
        }
        match (node.get(self.key), self.default()) {
            (Some(Node::Text(tag)), _) => match self.find(tag) {
                None if !is_open => Err(self.unlisted().into()),
                found => Ok(found),
            },
            (Some(_), _) => Err(WireError::new("must be a string").within(self.key).into()),
            (None, Some(default)) => Ok(Some(default)),
            (None, None) => Err(WireError::missing(self.key).into()),
        }
    }
}
