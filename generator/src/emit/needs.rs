//! What generated code needs of other crates.

use super::options::{Options, Serde};
use crate::ir::{Api, Primitive};
use proc_macro2::{TokenStream, TokenTree};
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
    let jiff = api.uses(&Primitive::DateTime) || api.uses(&Primitive::Date);
    features.extend(jiff.then_some("jiff"));
    features.extend(api.has_pattern().then_some("pattern"));
    features.extend(api.uses(&Primitive::Uuid).then_some("uuid"));
    features
}

/// The crates that types of the format map come from.
fn crates(api: &Api) -> BTreeSet<String> {
    let paths = api.custom_types();
    let mut crates: BTreeSet<String> = paths.iter().flat_map(|path| crates_of(path)).collect();
    let is_there = |name: &str| matches!(name, "std" | "core" | "alloc" | "bothends_runtime");
    crates.retain(|name| !is_there(name) && !is_own(name));
    crates
}

/// What the paths in a type begin with, where they have several segments.
#[must_use]
pub fn crates_of(ty: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if let Ok(tokens) = ty.parse() {
        first_segments(tokens, &mut found);
    }
    found
}

/// Whether a path that begins so leads into the crate that it stands in.
#[must_use]
pub fn is_own(first: &str) -> bool {
    matches!(first, "crate" | "self" | "super" | "Self")
}

/// The first segments of paths of several segments, wherever they stand in a type.
fn first_segments(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(of)) if of.as_char() == ':');
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => first_segments(group.stream(), found),
            TokenTree::Ident(ident) => {
                let follows = at >= 3
                    && is_colon(at - 1)
                    && match &tokens[at - 3] {
                        TokenTree::Ident(_) => true,
                        TokenTree::Punct(of) => of.as_char() == '>',
                        _ => false,
                    };
                if !follows && is_colon(at + 1) && is_colon(at + 2) {
                    found.insert(ident.to_string());
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_found_wherever_they_stand_in_a_type() {
        for (path, crates) in [
            ("Money", vec![]),
            ("rust_decimal::Decimal", vec!["rust_decimal"]),
            ("::rust_decimal::Decimal", vec!["rust_decimal"]),
            ("Vec<a::B<c::d::E>>", vec!["a", "c"]),
            ("(a::B, [c::D; 2])", vec!["a", "c"]),
            ("std::net::IpAddr", vec!["std"]),
            ("a :: b :: C", vec!["a"]),
        ] {
            let found: Vec<String> = crates_of(path).into_iter().collect();
            assert_eq!(found, crates, "{path}");
        }
    }
}
