//! The value that an object has for a discriminator property.

use crate::values::Map;
use crate::values::refuse::{look_inside, refuse, refuse_lists, refuse_objects};
use crate::values::table::{Emit, Fields, Meta, Object, Sink};
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
pub(super) fn text_is<T: Serialize + ?Sized>(value: &T, names: &[&'static str]) -> bool {
    value
        .serialize(Text(names))
        .is_ok_and(|tag| tag == Tag::Listed)
}

/// Returns the discriminator property of an object with a table.
pub(crate) fn tag_in<T: Object>(value: &T, key: &'static str, names: &[&'static str]) -> Tag {
    value.emit(TagSink {
        meta: T::META,
        key,
        names,
    })
}

/// Selects the field of the tag.
struct TagSink<'n> {
    meta: &'static Meta,
    key: &'static str,
    names: &'n [&'static str],
}

impl<'n> Sink for TagSink<'n> {
    type Fields = TagField<'n>;
    type Out = Tag;
    type Open<'r, T: Serialize + 'r> = Self;

    // Unknown keys have no part in the choice of a variant.
    fn rest<T: Serialize>(self, _: &Map<T>) -> Self {
        self
    }

    fn fields(self, fields: &[&dyn Emit<TagField<'n>>]) -> Tag {
        let mut found = TagField {
            names: self.names,
            found: None,
        };
        if let Some(field) = self
            .meta
            .find(self.key, 0)
            .and_then(|index| fields.get(index))
        {
            // A value that is not a string has no tag.
            let _ = field.emit(self.key, &mut found);
        }
        found.found.unwrap_or(Tag::Other(None))
    }
}

/// The destination of the field of a tag.
pub(super) struct TagField<'n> {
    names: &'n [&'static str],
    found: Option<Tag>,
}

impl Fields for TagField<'_> {
    type Error = Nothing;

    fn field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<(), Nothing> {
        self.found = Some(value.serialize(Text(self.names))?);
        Ok(())
    }

    fn skip(&mut self, _: &'static str) -> Result<(), Nothing> {
        Ok(())
    }
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
pub(super) struct Nothing;

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
struct Text<'n>(&'n [&'static str]);

impl Text<'_> {
    const fn refusal(&self) -> Nothing {
        Nothing
    }

    fn of(&self, text: &str) -> Tag {
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
        Ok(self.of(text))
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<Tag, Nothing> {
        Ok(self.of(name))
    }
}
