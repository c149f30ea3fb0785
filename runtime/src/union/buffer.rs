//! A value held until it is known which type it is.

use crate::Json;
use crate::wire::Node;
use crate::wire::read::{FieldErrors, Source, take_handed};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor,
};
use std::fmt::{self, Write};
use std::rc::Rc;

/// Under this name a format is told that a value is about to be held. Our own hands over a part of
/// the tree that it reads; any other does what it always does with a newtype.
pub(crate) const HELD: &str = "$bothends::Held";

/// A value held until it is known which type it is: a part of a tree.
#[derive(Debug, Clone)]
pub struct Buffered {
    source: Rc<Source>,
    way: Vec<usize>,
    /// Whoever reads around it is our own, and takes the text of an error apart.
    within: bool,
}

impl Buffered {
    /// Holds what comes.
    pub fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(HELD, HoldVisitor)
    }

    fn of(json: Json) -> Self {
        Self {
            source: Source::json(json),
            way: Vec::new(),
            within: false,
        }
    }

    /// Reads it as a type.
    pub(super) fn decode<T: DeserializeOwned>(&self) -> Result<T, FieldErrors> {
        T::deserialize(self.source.reader_at(&self.way))
    }

    pub(super) const fn source(&self) -> &Rc<Source> {
        &self.source
    }

    /// As a tree.
    pub(crate) fn node(&self) -> &Node {
        self.source.at(&self.way)
    }

    /// Whether every scalar is a text.
    pub(crate) fn is_text(&self) -> bool {
        self.source.is_text()
    }

    /// What is wrong, as an error of whoever reads around it.
    pub(crate) fn error<E: Error>(&self, field_errors: FieldErrors) -> E {
        if self.within {
            return E::custom(field_errors);
        }
        E::custom(in_words(field_errors))
    }
}

/// What is wrong, in one line.
pub(super) fn in_words(field_errors: FieldErrors) -> String {
    let mut out = String::new();
    for error in field_errors.into_errors() {
        let mark = if out.is_empty() { "" } else { "; " };
        let field = error.field("");
        let colon = if field.is_empty() { "" } else { ": " };
        let _ = write!(out, "{mark}{field}{colon}{}", error.message);
    }
    out
}

struct HoldVisitor;

impl<'de> Visitor<'de> for HoldVisitor {
    type Value = Buffered;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Buffered, D::Error> {
        Json::deserialize(inner).map(Buffered::of)
    }

    fn visit_unit<E: Error>(self) -> Result<Buffered, E> {
        Ok(match take_handed() {
            Some((source, way)) => Buffered {
                source,
                way,
                within: true,
            },
            None => Buffered::of(Json::Null),
        })
    }

    // What follows is for formats that take a newtype for what is in it.

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Buffered, A::Error> {
        Json::deserialize(MapAccessDeserializer::new(map)).map(Buffered::of)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Buffered, A::Error> {
        Json::deserialize(SeqAccessDeserializer::new(seq)).map(Buffered::of)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Buffered, E> {
        Ok(Buffered::of(Json::from(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Buffered, E> {
        Ok(Buffered::of(Json::from(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Buffered, E> {
        Ok(Buffered::of(Json::from(value)))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Buffered, E> {
        Ok(Buffered::of(Json::from(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Buffered, E> {
        Ok(Buffered::of(Json::from(value)))
    }

    fn visit_none<E: Error>(self) -> Result<Buffered, E> {
        Ok(Buffered::of(Json::Null))
    }
}
