//! Values that are buffered until their type is known.

use crate::values::Json;
use crate::values::Node;
use crate::values::read::{FieldErrors, Source, take_handed};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor,
};
use std::fmt::{self, Write};
use std::rc::Rc;

/// The newtype name by which a deserializer recognizes that a value will be buffered. The crate's
/// own deserializer then passes a part of its tree; any other handles it as an ordinary newtype.
pub(crate) const HELD: &str = "$bothends::Held";

/// A value that is buffered until its type is known: a part of a tree.
#[derive(Debug, Clone)]
pub struct Buffered {
    source: Rc<Source>,
    way: Vec<usize>,
    /// Whether the surrounding deserializer is the crate's own, which parses the text of errors.
    within: bool,
}

impl Buffered {
    /// Buffers a value of any format.
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

    /// Deserializes the value as a type.
    pub(super) fn decode<T: DeserializeOwned>(&self) -> Result<T, FieldErrors> {
        T::deserialize(self.source.reader_at(&self.way))
    }

    pub(super) const fn source(&self) -> &Rc<Source> {
        &self.source
    }

    /// Returns the tree.
    pub(crate) fn node(&self) -> &Node {
        self.source.at(&self.way)
    }

    /// Returns whether every scalar is a text.
    pub(crate) fn is_text(&self) -> bool {
        self.source.is_text()
    }

    /// Converts errors to an error of the surrounding deserializer.
    pub(crate) fn error<E: Error>(&self, field_errors: FieldErrors) -> E {
        if self.within {
            return E::custom(field_errors);
        }
        E::custom(in_words(field_errors))
    }
}

/// Writes errors in one line.
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

    // Formats other than the crate's own pass the content of the newtype.

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
