//! What generated code needs of other crates.

use super::{Options, Serde};
use crate::ir::{Api, Primitive};
use std::collections::BTreeSet;

/// What generated code needs of other crates, to be stated in the user's Cargo.toml.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Features of the runtime that the types need.
    pub type_features: Vec<&'static str>,
    /// Features of the runtime that the modules beside the types need.
    pub part_features: Vec<&'static str>,
    /// Crates of the types in the format map, as identifiers.
    pub crates: BTreeSet<String>,
}

impl Needs {
    /// What the code of an API needs.
    #[must_use]
    pub fn of(api: &Api, options: &Options) -> Self {
        let (calls, parts) = (!api.operations.is_empty(), options.parts);
        let webhooks = parts.webhooks && !api.webhooks.is_empty();
        let mut part_features = Vec::new();
        part_features.extend((calls && parts.client || webhooks).then_some("client"));
        part_features.extend((calls && parts.server || webhooks).then_some("server"));
        Self {
            type_features: type_features(api, options.serde),
            part_features,
            crates: crates(api),
        }
    }

    /// All features of the runtime, in order.
    #[must_use]
    pub fn features(&self) -> BTreeSet<&'static str> {
        let all = self.type_features.iter().chain(&self.part_features);
        all.copied().collect()
    }
}

/// Features of the runtime that types of the API need, by name.
#[must_use]
pub fn type_features(api: &Api, serde: Serde) -> Vec<&'static str> {
    let mut features = Vec::new();
    features.extend((serde == Serde::Derive).then_some("derive"));
    let jiff = api.uses(&Primitive::Timestamp) || api.uses(&Primitive::Date);
    features.extend(jiff.then_some("jiff"));
    features.extend(api.has_pattern().then_some("pattern"));
    features.extend(api.uses(&Primitive::Uuid).then_some("uuid"));
    features
}

/// The crates that types of the format map come from.
fn crates(api: &Api) -> BTreeSet<String> {
    let paths = api.custom_types();
    let firsts = paths.iter().filter_map(|path| {
        let (first, _) = path.trim_start_matches("::").split_once("::")?;
        let first = first.trim();
        let own = ["crate", "self", "super", "std", "core", "alloc"];
        let known = own.contains(&first) || first == "bothends_runtime";
        (!known && !first.contains(['(', '[', '<'])).then(|| first.to_owned())
    });
    firsts.collect()
}
