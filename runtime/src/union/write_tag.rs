//! Unions told apart by a property: writing the property.
//!
//! First a probe looks at what the variant itself writes under the tag's name, skipping
//! everything else. When that is one of its own values, it is written as it is; otherwise the
//! tag is written first, and the variant's own left out.

mod over;
mod probe;

use over::Over;
use probe::Probe;
use serde::ser::{Serialize, Serializer};

/// Writes a variant with its tag. `others` holds the values of all variants when this is the one that
/// takes any other: then a tag that is none of them stays as it is, and none at all is none.
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
