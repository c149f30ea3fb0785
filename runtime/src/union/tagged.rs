//! Unions told apart by a property: reading.

use super::bounds::Level;
use super::buffer::Buffered;
use super::outline::Outline;
use super::untagged::Unreadable;
use crate::wire::read::{Faults, one_of};
use crate::wire::{Node, WireError, expect};
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
fn variant_of(
    value: &Node,
    key: &'static str,
    values: &[&[&str]],
    others: &[u8],
) -> Result<usize, Faults> {
    if !matches!(value, Node::Object(_)) {
        return Err(Faults::invalid_type(value.unexpected(), &"struct "));
    }
    let default = others.iter().position(|takes| *takes == 1);
    let tag = match (value.get(key), default) {
        (Some(Node::Text(tag)), _) => tag.as_str(),
        (Some(_), _) => return Err(WireError::new("must be a string").within(key).into()),
        (None, Some(default)) => return Ok(default),
        (None, None) => return Err(Faults::missing_field(key)),
    };
    let found = values.iter().position(|names| names.contains(&tag));
    found
        .or(default)
        .ok_or_else(|| WireError::new(one_of(values.concat())).within(key).into())
}

/// Reads a tagged union.
pub fn read_tagged<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    _: &'static str,
    key: &'static str,
    values: &[&[&str]],
    others: &[u8],
    variants: &[&dyn TaggedVariant<T>],
) -> Result<T, D::Error> {
    expect(|| match others.contains(&1) {
        true => vec![Outline::AnyObject],
        false => vec![Outline::Tagged {
            key,
            values: &[],
            others: &[],
        }],
    });
    let value = Buffered::read(deserializer)?;
    let index = variant_of(value.node(), key, values, others);
    let read = index.and_then(|index| pick(&value, key, variants.get(index)));
    read.map_err(|faults| value.error(faults))
}

fn pick<T>(
    value: &Buffered,
    key: &'static str,
    variant: Option<&&dyn TaggedVariant<T>>,
) -> Result<T, Faults> {
    let too_deep = || Faults::from(WireError::new("is nested too deeply"));
    let _level = Level::enter().ok_or_else(too_deep)?;
    value.source().walk().tag(value.node(), key);
    let variant = variant.ok_or_else(|| Faults::missing_field(key))?;
    variant.decode(value).map_err(|Unreadable(faults)| faults)
}
