//! Deserialization of unions with a discriminator property.

use super::bounds::{Level, lose, too_deep};
use super::buffer::Buffered;
use super::outline::Outline;
use super::untagged::Unreadable;
use crate::values::UnrecognizedValue;
use crate::values::members::expect;
use crate::values::read::{FieldErrors, one_of};
use crate::values::{Node, WireError};
use serde::de::{DeserializeOwned, Deserializer, Error};

/// A variant of a tagged union.
pub trait TaggedVariant<E> {
    /// Deserializes the variant.
    fn decode(&self, value: &Buffered) -> Result<E, Unreadable>;
}

struct Of<T, E>(fn(T) -> E);

impl<T: DeserializeOwned, E> TaggedVariant<E> for Of<T, E> {
    fn decode(&self, value: &Buffered) -> Result<E, Unreadable> {
        value.decode::<T>().map(self.0).map_err(Unreadable)
    }
}

/// Creates a variant from its constructor.
pub const fn tagged_variant<T: DeserializeOwned, E>(make: fn(T) -> E) -> impl TaggedVariant<E> {
    Of(make)
}

/// Returns the index of the variant that the tag of a value selects; `None` if an `open` union does
/// not list the tag.
fn variant_of(
    value: &Node,
    key: &'static str,
    values: &[&[&str]],
    others: &[u8],
    open: bool,
) -> Result<Option<usize>, FieldErrors> {
    if !matches!(value, Node::Object(_)) {
        return Err(FieldErrors::invalid_type(value.unexpected(), &"struct "));
    }
    let default = others.iter().position(|takes| *takes == 1);
    let tag = match (value.get(key), default) {
        (Some(Node::Text(tag)), _) => tag.as_str(),
        (Some(_), _) => return Err(WireError::new("must be a string").within(key).into()),
        (None, Some(default)) => return Ok(Some(default)),
        (None, None) => return Err(FieldErrors::missing_field(key)),
    };
    let found = values.iter().position(|names| names.contains(&tag));
    match found.or(default) {
        None if !open => Err(WireError::new(one_of(values.concat())).within(key).into()),
        found => Ok(found),
    }
}

/// Deserializes a tagged union. `others` is the constructor of the variant that keeps an object
/// with an unlisted tag, if there is one.
pub fn read_tagged<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    _: &'static str,
    key: &'static str,
    values: &[&[&str]],
    others: &[u8],
    variants: &[&dyn TaggedVariant<T>],
    keep: &[fn(UnrecognizedValue) -> T],
) -> Result<T, D::Error> {
    expect(|| match others.contains(&1) {
        true => vec![Outline::AnyObject],
        false => vec![Outline::Tagged {
            key,
            values: &[],
            others: &[],
            open: false,
        }],
    });
    let value = Buffered::read(deserializer)?;
    let index = variant_of(value.node(), key, values, others, !keep.is_empty());
    let read = index.and_then(|index| match (index, keep) {
        (None, [keep, ..]) => {
            // Another variant of a surrounding union may list the tag.
            lose(1);
            Ok(keep(UnrecognizedValue::new(value.node().to_json())))
        }
        (index, _) => pick(&value, key, index.and_then(|index| variants.get(index))),
    });
    read.map_err(|field_errors| value.error(field_errors))
}

fn pick<T>(
    value: &Buffered,
    key: &'static str,
    variant: Option<&&dyn TaggedVariant<T>>,
) -> Result<T, FieldErrors> {
    let _level = Level::enter(value.node()).ok_or_else(too_deep)?;
    value.source().walk().tag(value.node(), key);
    let variant = variant.ok_or_else(|| FieldErrors::missing_field(key))?;
    variant
        .decode(value)
        .map_err(|Unreadable(field_errors)| field_errors)
}
