//! The deserializer of a string for a type that may be optional, or a newtype.

use serde::de::value::StrDeserializer;
use serde::de::{Deserializer, Error, IntoDeserializer, Visitor};
use std::marker::PhantomData;

/// A string. Unlike serde's own deserializer of a string, it passes an optional value on.
pub(crate) struct TextDeserializer<'a, E> {
    text: &'a str,
    marker: PhantomData<E>,
}

impl<'a, E> TextDeserializer<'a, E> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self {
            text,
            marker: PhantomData,
        }
    }
}

impl<'de, E: Error> Deserializer<'de> for TextDeserializer<'_, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_str(self.text)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        let text: StrDeserializer<'_, E> = self.text.into_deserializer();
        text.deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
