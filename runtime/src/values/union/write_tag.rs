//! Serialization of unions with a discriminator property: writing the property.
//!
//! First a probe finds the value that the variant itself writes for the tag, and skips everything
//! else. If that is one of the variant's values, the variant is serialized unchanged; otherwise the
//! tag is written first, and the variant's own tag is skipped.

mod over;
mod probe;

use over::Over;
use probe::Probe;
use serde::ser::{Serialize, Serializer};

/// Serializes a variant with its tag. If the variant accepts any other tag, `others` contains the
/// values of all variants: a tag that is not among them is kept, and a missing tag stays missing.
pub fn write_tagged<T: Serialize + ?Sized, S: Serializer>(
    value: &T,
    key: &'static str,
    names: &[&'static str],
    others: &[&[&[&str]]],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let own = value.serialize(Probe::new(key)).ok().flatten();
    match (own, names.first()) {
        (Some(tag), _) if names.contains(&tag.as_str()) => value.serialize(serializer),
        (own, _) if takes(others, own.as_deref()) => value.serialize(serializer),
        (_, Some(tag)) => value.serialize(Over {
            inner: serializer,
            key,
            tag,
        }),
        (_, None) => value.serialize(serializer),
    }
}

fn takes(others: &[&[&[&str]]], tag: Option<&str>) -> bool {
    let mut names = others.iter().copied().flatten().copied().flatten();
    !others.is_empty() && tag.is_none_or(|tag| !names.any(|name| *name == tag))
}
