//! The keys of objects.

use super::{AHEAD, Cursor, EXPECTED, Rejected};
use serde::de::value::CowStrDeserializer;
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use std::borrow::Cow;

/// The key of a member, which is next.
pub(crate) struct Key<'c, 't>(pub(super) &'c mut Cursor<'t>);

impl<'t> Key<'_, 't> {
    #[inline]
    fn visit<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Rejected> {
        match self.0.string()? {
            Cow::Borrowed(key) => visitor.visit_borrowed_str(key),
            Cow::Owned(key) => visitor.visit_str(&key),
        }
    }
}

/// Keys of other types than strings contain their values as JSON.
macro_rules! contained {
    ($($method:ident $visit:ident $Type:ty;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
            visitor.$visit(serde_json::from_str::<$Type>(&self.0.string()?)?)
        })*
    };
}

impl<'de> Deserializer<'de> for Key<'_, 'de> {
    type Error = Rejected;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        self.visit(visitor)
    }

    contained! {
        deserialize_bool visit_bool bool;
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_i128 visit_i128 i128;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
        deserialize_u64 visit_u64 u64;
        deserialize_u128 visit_u128 u128;
        deserialize_f32 visit_f32 f32;
        deserialize_f64 visit_f64 f64;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Rejected> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Rejected> {
        match (name, fields) {
            (EXPECTED, [key]) if self.0.takes_name(key) => visitor.visit_unit(),
            (AHEAD, [key]) => match self.0.string_ahead(key) {
                Some(found) => visitor.visit_bytes(found.as_bytes()),
                None => visitor.visit_unit(),
            },
            _ => self.visit(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Rejected> {
        let key: CowStrDeserializer<'_, Rejected> = self.0.string()?.into_deserializer();
        key.deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}
