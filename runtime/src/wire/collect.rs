//! Everything that is wrong with a JSON body, not only the first thing.
//!
//! serde stops at the first error. When a body cannot be read, it is read once more from the tree of
//! its values by a reader under which [`fill`](crate::table::fill) goes on after an error, so that
//! each property of each object is looked at. Of a list, the first item that is wrong is told.

use super::error::WireError;
use crate::Json;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt;

/// What a map says of its size when its reader may go on after an error.
pub(crate) const GO_ON: usize = usize::MAX;

/// Stands between two errors in a text.
const NEXT: &str = "\u{3}";

/// As many faults are told of one body.
const MOST: usize = 100;

/// What is wrong with a JSON text: ways and messages, in the order of the text, then what is missing.
pub(crate) fn faults<T: DeserializeOwned>(text: &str) -> Vec<WireError> {
    let Ok(json) = serde_json::from_str::<Json>(text) else {
        return Vec::new();
    };
    match T::deserialize(Reader(&json)) {
        Ok(_) => Vec::new(),
        Err(Told(mut errors)) => {
            errors.truncate(MOST);
            errors
        }
    }
}

/// Joins the texts of errors to the text of one.
pub(crate) fn join<E: fmt::Display>(errors: &[E]) -> String {
    let texts: Vec<String> = errors.iter().take(MOST).map(ToString::to_string).collect();
    texts.join(NEXT)
}

/// Several errors, whose text is taken apart again.
#[derive(Debug)]
struct Told(Vec<WireError>);

impl Told {
    fn within(mut self, step: &str) -> Self {
        self.0 = self.0.into_iter().map(|error| error.within(step)).collect();
        self
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(NEXT)?;
            }
            f.write_str(&error.to_text())?;
        }
        Ok(())
    }
}

impl std::error::Error for Told {}

impl de::Error for Told {
    fn custom<T: fmt::Display>(message: T) -> Self {
        let text = message.to_string();
        Self(text.split(NEXT).map(WireError::custom).collect())
    }

    fn missing_field(field: &'static str) -> Self {
        Self(vec![WireError::missing_field(field)])
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self(vec![WireError::duplicate_field(field)])
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        Self(vec![WireError::unknown_field(field, known)])
    }
}

/// Reads a value of a tree.
struct Reader<'de>(&'de Json);

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Told;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Told> {
        match self.0 {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => visitor.visit_u64(value),
                (_, Some(value)) => visitor.visit_i64(value),
                _ => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Json::String(text) => visitor.visit_borrowed_str(text),
            Json::Array(items) => visitor.visit_seq(Items(items.iter(), 0)),
            Json::Object(members) => visitor.visit_map(Members(members.iter(), None)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Told> {
        match self.0 {
            Json::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Told> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Told> {
        let read = self.0.deserialize_enum(name, variants, visitor);
        read.map_err(Told::custom)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'de>(std::slice::Iter<'de, Json>, usize);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Told;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Told> {
        let Some(item) = self.0.next() else {
            return Ok(None);
        };
        let step = format!("[{}]", self.1);
        self.1 += 1;
        let read = seed.deserialize(Reader(item));
        read.map(Some).map_err(|told| told.within(&step))
    }
}

struct Members<'de>(serde_json::map::Iter<'de>, Option<(&'de String, &'de Json)>);

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = Told;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Told> {
        self.1 = self.0.next();
        let Some((key, _)) = self.1 else {
            return Ok(None);
        };
        let key = de::value::BorrowedStrDeserializer::<Told>::new(key);
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Told> {
        let (key, value) = self.1.take().ok_or_else(|| Told::custom("has no value"))?;
        let read = seed.deserialize(Reader(value));
        read.map_err(|told| told.within(key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(GO_ON)
    }
}
