//! Which features of the runtime an API needs.

use crate::emit::Serde;
use crate::ir::{Api, Primitive};

/// Features of the runtime that types of the API need, by name.
#[must_use]
pub fn runtime_features(api: &Api, serde: Serde) -> Vec<&'static str> {
    let mut features = Vec::new();
    features.extend((serde == Serde::Derive).then_some("derive"));
    let jiff = api.uses(&Primitive::Timestamp) || api.uses(&Primitive::Date);
    features.extend(jiff.then_some("jiff"));
    features.extend(api.uses(&Primitive::Uuid).then_some("uuid"));
    features.extend(api.has_pattern().then_some("pattern"));
    features
}
