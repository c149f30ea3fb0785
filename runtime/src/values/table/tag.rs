//! The discriminator property of an object with a table.

use super::{Emit, Fields, Object, Sink};
use crate::values::Map;
use crate::values::outline::Meta;
use crate::values::tag::{Nothing, Tag, Text};
use serde::ser::Serialize;

/// Returns the discriminator property of an object with a table. The table contains the value of a
/// property with a single value; that of a field is read from the object.
pub(crate) fn tag_in<T: Object>(value: &T, key: &'static str, names: &[&'static str]) -> Tag {
    let is_listed = |(known, text): &(&str, Option<&'static str>)| {
        *known == key && text.is_some_and(|text| names.contains(&text))
    };
    if T::META.constants.iter().any(is_listed) {
        return Tag::Listed;
    }
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
