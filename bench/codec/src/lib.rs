//! A prototype of reading and writing values by a cursor and concrete types: see `README.md`.

#![forbid(unsafe_code)]
pub mod lexer;
pub mod object;
pub mod reader;
pub mod rules;
pub mod tree;
pub mod values;
pub mod writer;

pub use reader::{Error, Failed, Reader};
pub use serde;
pub use writer::Writer;
pub type Map<T> = indexmap::IndexMap<String, T>;

/// A type that is read and written.
pub trait Value: Sized {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failed>;
    fn write(&self, writer: &mut Writer) -> Result<(), Failed>;
    /// The value of null, if the type has one.
    fn null() -> Option<Self> {
        None
    }
    fn check(&self, _: &[rules::Rule], _: &mut rules::Checker) {}
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Policy {
    pub is_strict: bool,
    pub null_as_absent: bool,
}

/// Reads bytes; on an error reads again and collects all.
pub fn from_slice<T: Value>(bytes: &[u8], policy: Policy) -> Result<T, Vec<Error>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => from_str(text, policy),
        Err(_) => Err(vec![Error::new("invalid UTF-8")]),
    }
}

pub fn from_str<T: Value>(text: &str, policy: Policy) -> Result<T, Vec<Error>> {
    let mut reader = Reader::json(text, policy);
    if let Ok(value) = T::read(&mut reader)
        && reader.end().is_ok()
    {
        return Ok(value);
    }
    Err(all_errors::<T>(text, policy))
}

#[cold]
fn all_errors<T: Value>(text: &str, policy: Policy) -> Vec<Error> {
    let mut reader = Reader::json(text, policy);
    reader.goes_on = true;
    if T::read(&mut reader).is_ok() {
        let _ = reader.end();
    }
    reader.into_errors()
}

pub fn to_vec<T: Value>(value: &T) -> Result<Vec<u8>, Error> {
    let mut writer = Writer::default();
    match value.write(&mut writer) {
        Ok(()) => Ok(writer.out),
        Err(Failed) => Err(writer
            .error
            .unwrap_or_else(|| Error::new("cannot be written"))),
    }
}

/// `Deserialize` of a type: JSON text as it is, other formats into a tree, and from it.
pub fn deserialize<'de, T: Value, D: serde::Deserializer<'de>>(d: D) -> Result<T, D::Error> {
    d.deserialize_newtype_struct(RAW, Border(std::marker::PhantomData))
}

/// By a tree.
pub fn by_tree<'de, T: Value, D: serde::Deserializer<'de>>(d: D) -> Result<T, D::Error> {
    let node: tree::Node = serde::Deserialize::deserialize(d)?;
    let mut reader = Reader::tree(&node, false, Policy::default());
    T::read(&mut reader).map_err(|_| custom(reader.into_errors()))
}

#[cold]
fn custom<E: serde::de::Error>(errors: Vec<Error>) -> E {
    E::custom(errors.iter().map(|e| e.to_string()).collect::<String>())
}

const RAW: &str = "$serde_json::private::RawValue";

struct Border<T>(std::marker::PhantomData<T>);
impl<'de, T: Value> serde::de::Visitor<'de> for Border<T> {
    type Value = T;
    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }
    fn visit_newtype_struct<D: serde::Deserializer<'de>>(self, d: D) -> Result<T, D::Error> {
        by_tree(d)
    }
    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        map.next_key::<serde::de::IgnoredAny>()?;
        map.next_value_seed(self)
    }
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        from_str(text, Policy::default()).map_err(custom)
    }
}
impl<'de, T: Value> serde::de::DeserializeSeed<'de> for Border<T> {
    type Value = T;
    fn deserialize<D: serde::Deserializer<'de>>(self, d: D) -> Result<T, D::Error> {
        d.deserialize_str(self)
    }
}

/// `Serialize` of a type: through a tree.
pub fn serialize<T: Value, S: serde::Serializer>(value: &T, s: S) -> Result<S::Ok, S::Error> {
    let bytes = to_vec(value).map_err(|e| serde::ser::Error::custom(e.to_string()))?;
    let tree: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(serde::ser::Error::custom)?;
    serde::Serialize::serialize(&tree, s)
}
