//! Unions told apart by a property: reading.

use super::bounds::Level;
use super::buffer::Buffered;
use crate::Json;
use serde::de::{DeserializeOwned, Deserializer, Error, Unexpected};

/// A variant of a tagged union.
pub trait TaggedVariant<E> {
    /// Reads it.
    fn decode(&self, value: &Buffered) -> Result<E, String>;
}

struct Of<T, E>(fn(T) -> E);

impl<T: DeserializeOwned, E> TaggedVariant<E> for Of<T, E> {
    fn decode(&self, value: &Buffered) -> Result<E, String> {
        value.decode::<T>().map(self.0)
    }
}

/// A variant by its constructor.
pub const fn tagged_variant<T: DeserializeOwned, E>(make: fn(T) -> E) -> impl TaggedVariant<E> {
    Of(make)
}

/// The value of the tag.
fn tag_of<'a, E: Error>(
    value: &'a Buffered,
    name: &'static str,
    key: &'static str,
) -> Result<&'a str, E> {
    let Json::Object(object) = value.json() else {
        return Err(E::invalid_type(kind(value.json()), &name));
    };
    match object.get(key) {
        Some(Json::String(tag)) => Ok(tag),
        Some(other) => Err(E::custom(format_args!(
            "invalid tag `{key}`: {other}, expected a string"
        ))),
        None => Err(E::missing_field(key)),
    }
}

/// The place of the variant that a tag names.
fn variant_for(values: &[&[&str]], tag: &str) -> Option<usize> {
    values.iter().position(|names| names.contains(&tag))
}

/// Reads a tagged union.
pub fn read_tagged<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    name: &'static str,
    key: &'static str,
    values: &[&[&str]],
    variants: &[&dyn TaggedVariant<T>],
) -> Result<T, D::Error> {
    let value = Buffered::read(deserializer)?;
    let too_deep = || D::Error::custom(format_args!("{name} is nested too deeply"));
    let _level = Level::enter().ok_or_else(too_deep)?;
    let tag = tag_of(&value, name, key)?;
    match variant_for(values, tag).and_then(|index| variants.get(index)) {
        Some(variant) => variant.decode(&value).map_err(D::Error::custom),
        None => Err(D::Error::custom(format_args!(
            "unknown tag `{tag}` in `{key}`, expected one of {}",
            values
                .concat()
                .iter()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(", ")
        ))),
    }
}

fn kind(value: &Json) -> Unexpected<'_> {
    match value {
        Json::Null => Unexpected::Unit,
        Json::Bool(value) => Unexpected::Bool(*value),
        Json::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(value), _) => Unexpected::Unsigned(value),
            (_, Some(value)) => Unexpected::Signed(value),
            _ => Unexpected::Float(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Unexpected::Str(text),
        Json::Array(_) => Unexpected::Seq,
        Json::Object(_) => Unexpected::Map,
    }
}
