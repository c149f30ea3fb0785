//! Files that are read and written: as strings, and as they are in the trees of this crate.

use crate::values::binary::{Binary, FILE};
use crate::values::outline::Outline;
use crate::values::read::{Ask, Builtin, Kind, State, Value, read};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};
use serde::ser::{self, Serialize, SerializeTuple, Serializer};
use std::cell::RefCell;
use std::fmt;

/// A slot through which a file passes between a value and the crate's own tree: serde could pass on
/// only a copy of its bytes, and no stream.
enum Hand {
    Empty,
    /// The serializer accepts a file.
    Open,
    Full(Box<Binary>),
}

thread_local! {
    static HAND: RefCell<Hand> = const { RefCell::new(Hand::Empty) };
}

/// Runs `serialize`, and returns its result with the file that it has put into the slot.
pub(crate) fn sent<T>(serialize: impl FnOnce() -> T) -> (Option<Box<Binary>>, T) {
    let before = HAND.replace(Hand::Open);
    let done = serialize();
    match HAND.replace(before) {
        Hand::Full(file) => (Some(file), done),
        Hand::Empty | Hand::Open => (None, done),
    }
}

impl Serialize for Binary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(FILE, &Inner(self))
    }
}

/// The content of a file: the file itself for the crate's own tree, a string or its members for any
/// other format.
struct Inner<'a>(&'a Binary);

impl Serialize for Inner<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_open = HAND.with_borrow(|hand| matches!(hand, Hand::Open));
        if is_open {
            HAND.set(Hand::Full(Box::new(self.0.clone())));
            return serializer.serialize_unit();
        }
        if self.0.attached().is_some() {
            let why = "a stream can only be a part of a multipart body";
            return Err(ser::Error::custom(why));
        }
        if serializer.is_human_readable() {
            let text = std::str::from_utf8(&self.0.data)
                .map_err(|_| ser::Error::custom("bytes that are not UTF-8 are no string"))?;
            return serializer.serialize_str(text);
        }
        let mut parts = serializer.serialize_tuple(3)?;
        parts.serialize_element(&self.0.name)?;
        parts.serialize_element(&self.0.content_type)?;
        parts.serialize_element(&self.0.data)?;
        parts.end()
    }
}

impl Value for Binary {
    type Kind = Builtin;
}

impl Kind<Binary> for Builtin {
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<Binary, D::Error> {
        state.ask(Ask::File);
        deserializer.deserialize_newtype_struct(FILE, BinaryVisitor(state))
    }

    fn outline() -> Outline {
        Outline::String
    }
}

impl<'de> Deserialize<'de> for Binary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer)
    }
}

struct BinaryVisitor<'s, 't>(&'s State<'t>);

impl<'de> Visitor<'de> for BinaryVisitor<'_, '_> {
    type Value = Binary;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_unit<E: Error>(self) -> Result<Binary, E> {
        match self.0.take_file() {
            Some(file) => Ok(*file),
            None => Err(E::invalid_type(Unexpected::Unit, &self)),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Binary, D::Error> {
        String::deserialize(inner).map(|text| Binary::new(text.into_bytes()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Binary, E> {
        Ok(Binary::new(text.as_bytes().to_vec()))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Binary, E> {
        Ok(Binary::new(bytes.to_vec()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Binary, A::Error> {
        let name = parts.next_element()?.flatten();
        let content_type = parts.next_element()?.flatten();
        let data = parts.next_element()?.unwrap_or_default();
        Ok(Binary {
            data,
            name,
            content_type,
            ..Binary::default()
        })
    }
}
