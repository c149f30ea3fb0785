//! Unions told apart by a property: reading.

use super::bounds::Level;
use super::buffer::Buffered;
use super::untagged::Unreadable;
use crate::wire::read::{Faults, one_of};
use crate::wire::{Node, WireError};
use serde::de::{DeserializeOwned, Deserializer, Error};

/// A variant of a tagged union.
pub trait TaggedVariant<E> {
    /// Reads it.
    fn decode(&self, value: &Buffered) -> Result<E, Unreadable>;
}

struct Of<T, E>(fn(T) -> E);

impl<T: DeserializeOwned, E> TaggedVariant<E> for Of<T, E> {
    fn decode(&self, value: &Buffered) -> Result<E, Unreadable> {
        value.decode::<T>().map(self.0).map_err(Unreadable)
    }
}

/// A variant by its constructor.
pub const fn tagged_variant<T: DeserializeOwned, E>(make: fn(T) -> E) -> impl TaggedVariant<E> {
    Of(make)
}

/// The place of the variant that the tag of a value names.
fn variant_of(value: &Node, key: &'static str, values: &[&[&str]]) -> Result<usize, Faults> {
    if !matches!(value, Node::Object(_)) {
        return Err(Faults::invalid_type(value.unexpected(), &"struct "));
    }
    let tag = match value.get(key) {
        Some(Node::Text(tag)) => tag.as_str(),
        Some(_) => return Err(WireError::new("must be a string").within(key).into()),
        None => return Err(Faults::missing_field(key)),
    };
    let found = values.iter().position(|names| names.contains(&tag));
    found.ok_or_else(|| WireError::new(one_of(values.concat())).within(key).into())
}

/// Reads a tagged union.
pub fn read_tagged<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    _: &'static str,
    key: &'static str,
    values: &[&[&str]],
    variants: &[&dyn TaggedVariant<T>],
) -> Result<T, D::Error> {
    let value = Buffered::read(deserializer)?;
    pick(&value, key, values, variants).map_err(|faults| value.error(faults))
}

fn pick<T>(
    value: &Buffered,
    key: &'static str,
    values: &[&[&str]],
    variants: &[&dyn TaggedVariant<T>],
) -> Result<T, Faults> {
    let too_deep = || Faults::from(WireError::new("is nested too deeply"));
    let _level = Level::enter().ok_or_else(too_deep)?;
    let node = value.node();
    let variant = variants.get(variant_of(node, key, values)?);
    value.source().walk().tag(node, key);
    let variant = variant.ok_or_else(|| Faults::missing_field(key))?;
    variant.decode(value).map_err(|Unreadable(faults)| faults)
}
