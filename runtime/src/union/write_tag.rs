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

/// Writes a variant with its tag.
pub fn write_tagged<T: Serialize + ?Sized, S: Serializer>(
    value: &T,
    key: &'static str,
    names: &[&'static str],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let own = value.serialize(Probe::new(key)).ok().flatten();
    match (own, names.first()) {
        (Some(tag), _) if names.contains(&tag.as_str()) => value.serialize(serializer),
        (_, Some(tag)) => value.serialize(Over {
            inner: serializer,
            key,
            tag,
        }),
        (_, None) => value.serialize(serializer),
    }
}
