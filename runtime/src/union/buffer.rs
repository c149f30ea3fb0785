//! A value held until it is known which type it is.

use crate::Json;
use crate::wire::Node;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor,
};
use std::fmt;

/// Under this name a format is told that a value is about to be held: one in which everything is
/// text then calls `visit_some`, any other does what it always does with a newtype.
pub(crate) const HELD: &str = "$bothends::Held";

/// A value held until it is known which type it is.
#[derive(Debug, Clone)]
pub enum Buffered {
    /// From a format that tells numbers from strings.
    Json(Json),
    /// From one in which every scalar is a text.
    Text(Json),
}

impl Buffered {
    /// Holds what comes.
    pub fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(HELD, HoldVisitor)
    }

    /// Reads it as a type.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, String> {
        match self {
            Self::Json(json) => T::deserialize(json).map_err(|error| error.to_string()),
            Self::Text(json) => {
                T::deserialize(Node::from_texts(json)).map_err(|error| error.to_text())
            }
        }
    }

    /// As JSON, in which texts are strings.
    pub const fn json(&self) -> &Json {
        match self {
            Self::Json(json) | Self::Text(json) => json,
        }
    }

    /// Whether every scalar is a text.
    pub const fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }
}

struct HoldVisitor;

impl<'de> Visitor<'de> for HoldVisitor {
    type Value = Buffered;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Buffered, D::Error> {
        Json::deserialize(inner).map(Buffered::Json)
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Buffered, D::Error> {
        Json::deserialize(inner).map(Buffered::Text)
    }

    // What follows is for formats that take a newtype for what is in it.

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Buffered, A::Error> {
        Json::deserialize(MapAccessDeserializer::new(map)).map(Buffered::Json)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Buffered, A::Error> {
        Json::deserialize(SeqAccessDeserializer::new(seq)).map(Buffered::Json)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Buffered, E> {
        Ok(Buffered::Json(Json::from(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Buffered, E> {
        Ok(Buffered::Json(Json::from(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Buffered, E> {
        Ok(Buffered::Json(Json::from(value)))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Buffered, E> {
        Ok(Buffered::Json(Json::from(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Buffered, E> {
        Ok(Buffered::Json(Json::from(value)))
    }

    fn visit_unit<E: Error>(self) -> Result<Buffered, E> {
        Ok(Buffered::Json(Json::Null))
    }

    fn visit_none<E: Error>(self) -> Result<Buffered, E> {
        Ok(Buffered::Json(Json::Null))
    }
}
