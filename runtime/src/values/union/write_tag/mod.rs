//! Serialization of unions with a discriminator property: writing the property.
//!
//! First a probe finds the value that the variant itself writes for the tag. If that is one of the
//! variant's values, the variant is serialized unchanged; otherwise the tag is written first, and the
//! variant's own tag is skipped.

mod over;

use crate::values::tag::Tag;
use over::Over;
use serde::ser::{Serialize, Serializer};

/// Serializes a variant with its tag, given the tag that the variant itself writes. If the variant
/// accepts any other tag, `others` contains the values of all variants: a tag that is not among
/// them is kept, and a missing tag stays missing.
pub(super) fn write_tagged<T: Serialize, S: Serializer>(
    value: &T,
    own: Tag,
    key: &'static str,
    names: &[&'static str],
    others: &[&[&[&str]]],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match (own, names.first()) {
        (Tag::Listed, _) | (_, None) => value.serialize(serializer),
        (Tag::Other(own), _) if takes(others, own.as_deref()) => value.serialize(serializer),
        (_, Some(tag)) => value.serialize(Over {
            inner: serializer,
            key,
            tag,
        }),
    }
}

fn takes(others: &[&[&[&str]]], tag: Option<&str>) -> bool {
    let mut names = others.iter().copied().flatten().copied().flatten();
    !others.is_empty() && tag.is_none_or(|tag| !names.any(|name| *name == tag))
}
