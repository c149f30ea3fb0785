//! The needs of generated code: features of the runtime, and crates.
//!
//! The needs are determined in this one place. The head of a generated file, the `Cargo.toml` of a
//! generated crate, `bothends deps` and the check of a build script use the result.

use super::options::{Options, Serde};
use crate::ir::{Api, Imported, Operation, Primitive, TagFeature, TaskMethods};
use crate::position::Origin;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;

/// The dependencies and features that generated code needs in the user's `Cargo.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Features of the runtime that the types need.
    pub types: Vec<Feature>,
    /// Features of the runtime that the modules other than the types need.
    pub parts: Vec<Feature>,
    /// Features of the runtime that most programs use, but the code does not need to compile.
    pub optional: Vec<Feature>,
    /// Crates of the types in the format map, and of configured derives and attributes, as
    /// identifiers.
    pub crates: BTreeSet<String>,
    /// Features of the crate that contains the code.
    pub tags: Vec<TagFeature>,
    /// Features of the runtime that the tests of the code need.
    pub tests: Vec<&'static str>,
}

/// A feature of the runtime, and the reason why generated code needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// The name of the feature.
    pub name: &'static str,
    /// The reason, as a phrase.
    pub reason: String,
    /// The places in the document that need the feature. Empty if an option needs it.
    pub places: Vec<Origin>,
}

impl Feature {
    fn new(name: &'static str, reason: impl Into<String>) -> Self {
        Self {
            name,
            reason: reason.into(),
            places: Vec::new(),
        }
    }

    /// Returns the feature, if any place of the document needs it.
    fn at(name: &'static str, reason: impl Into<String>, places: Vec<Origin>) -> Option<Self> {
        let feature = Self {
            places,
            ..Self::new(name, reason)
        };
        (!feature.places.is_empty()).then_some(feature)
    }
}

impl Needs {
    /// Returns the needs of the code for an API.
    #[must_use]
    pub fn new(api: &Api, options: &Options) -> Self {
        Self {
            types: types(api, options.serde),
            parts: parts(api, options),
            optional: optional(api, options),
            crates: crates(api),
            tags: api.conditions.features.clone(),
            tests: match options.parts.client && options.parts.server && !api.exchanges.is_empty() {
                true => vec!["test"],
                false => Vec::new(),
            },
        }
    }

    /// Returns the names of the runtime features that the types need.
    #[must_use]
    pub fn type_features(&self) -> Vec<&'static str> {
        self.types.iter().map(|feature| feature.name).collect()
    }

    /// Returns the names of all runtime features that the code needs to compile, in order.
    #[must_use]
    pub fn features(&self) -> BTreeSet<&'static str> {
        let all = self.types.iter().chain(&self.parts);
        all.map(|feature| feature.name).collect()
    }
}

/// Returns the runtime features that the types of an API need, by name.
#[must_use]
pub fn type_features(api: &Api, serde: Serde) -> Vec<&'static str> {
    let features = types(api, serde);
    features.iter().map(|feature| feature.name).collect()
}

/// Returns the runtime features that the types of an API need, by name.
fn types(api: &Api, serde: Serde) -> Vec<Feature> {
    let mut features = Vec::new();
    if serde == Serde::Derive {
        features.push(Feature::new("derive", "`serde = \"derive\"` is set"));
    }
    features.extend(dates(api));
    let patterns = api.places_of_patterns();
    features.extend(Feature::at("pattern", "`pattern`", patterns));
    let uuids = api.places_of(&Primitive::Uuid);
    features.extend(Feature::at("uuid", "`format: uuid`", uuids));
    features
}

fn dates(api: &Api) -> Option<Feature> {
    let (days, times) = (
        api.places_of(&Primitive::Date),
        api.places_of(&Primitive::DateTime),
    );
    let reason = match (days.is_empty(), times.is_empty()) {
        (false, false) => "`format: date` and `format: date-time`",
        (false, true) => "`format: date`",
        _ => "`format: date-time`",
    };
    Feature::at("jiff", reason, [days, times].concat())
}

/// Returns the runtime features that the client, the server and the webhooks need, by name. A sender of
/// webhooks needs none.
fn parts(api: &Api, options: &Options) -> Vec<Feature> {
    let parts = options.parts;
    let purpose = |part: bool, count: usize, what: &str, each: &str| {
        (part && count > 0).then(|| format!("{what} {}", counted(count, each)))
    };
    let operations = api.operations.len();
    let client = purpose(parts.client, operations, "client for", "operation");
    let server = [
        purpose(parts.server, operations, "server traits for", "operation"),
        purpose(parts.webhooks, api.webhooks.len(), "receiver of", "webhook"),
    ];
    let server: Vec<String> = server.into_iter().flatten().collect();
    let server = (!server.is_empty()).then(|| server.join(", "));
    let client = client.map(|reason| Feature::new("client", reason));
    let server = server.map(|reason| Feature::new("server", reason));
    let waits = client_waits(api);
    let of_methods = of_methods(api, waits).filter(|_| parts.client);
    let of_methods = of_methods.map(|(name, reason)| Feature::new(name, reason));
    let ends = client.into_iter().chain(server);
    ends.chain(of_methods).collect()
}

/// Returns the features of the runtime that the client needs.
#[must_use]
pub fn client_features(api: &Api) -> Vec<&'static str> {
    let of_methods = of_methods(api, client_waits(api)).map(|(feature, _)| feature);
    std::iter::once("client").chain(of_methods).collect()
}

/// Returns the features of the runtime that methods of the client need, each with the reason. Waiting
/// for tasks needs retries and links.
fn of_methods(api: &Api, waits: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    let (retries, links) = (api.documents_retries(), api.follow_method().is_some());
    let features = [
        ("tasks", "waits for tasks that operations start", waits),
        (
            "retries",
            "retries calls as the document states",
            !waits && retries,
        ),
        ("links", "follows links of responses", !waits && links),
    ];
    let needed = features.into_iter().filter(|(.., needed)| *needed);
    needed.map(|(feature, reason, _)| (feature, reason))
}

/// Returns whether the client has methods that wait for tasks.
fn client_waits(api: &Api) -> bool {
    let mut operations = api.operations.iter();
    operations.any(|operation| operation.task_methods != TaskMethods::default())
}

/// Returns the runtime features that most programs use, but the code does not need to compile.
fn optional(api: &Api, options: &Options) -> Vec<Feature> {
    let mut features = Vec::new();
    let client = options.parts.client && !api.operations.is_empty();
    let webhooks = options.parts.webhooks && !api.webhooks.is_empty();
    if webhooks || options.parts.server && !api.operations.is_empty() {
        let reason = "serves the router, with limits for its connections";
        features.push(Feature::new("serve", reason));
    }
    if webhooks {
        let reason = "verifies the signatures of received webhooks";
        features.push(Feature::new("receiver", reason));
        let signing = api.webhook_rules.signing.as_ref();
        if signing.is_some_and(|signing| signing.key.is_some()) {
            let reason = "verifies signatures with published keys; needs a C compiler";
            features.push(Feature::new("jwks", reason));
        }
    }
    if client {
        let reason = "`Client::new` with https; `native-tls` uses the system's TLS library";
        features.push(Feature::new("rustls", reason));
        let any = |get: fn(&Operation) -> bool| api.operations.iter().any(get);
        let waits = client_waits(api);
        let starts = any(|operation| operation.task.is_some());
        if starts && !waits {
            let reason = "waits for tasks that operations start";
            features.push(Feature::new("tasks", reason));
        }
        // Waiting for tasks needs retries.
        let retries = waits || starts || api.documents_retries();
        if any(Operation::has_events) && !retries {
            features.push(Feature::new("retries", "resumes streams of events"));
        }
        if api.schemes.iter().any(|scheme| scheme.token.is_some()) {
            let reason = "gets and refreshes OAuth 2.0 tokens";
            features.push(Feature::new("tokens", reason));
        }
    }
    features
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Returns the crates of the types in the format map, of imported types, and of configured derives and
/// attributes.
fn crates(api: &Api) -> BTreeSet<String> {
    let custom = api.custom_types();
    let own = api.types.iter().filter(|def| def.imported.is_none());
    let configured = own.flat_map(|def| def.derives.iter().chain(&def.attributes));
    let imported = api.types.iter().filter_map(|def| match &def.imported {
        Some(Imported::From(path)) => Some(path),
        _ => None,
    });
    let texts = custom.iter().chain(configured).chain(imported);
    let mut crates: BTreeSet<String> = texts.flat_map(|text| crates_of(text)).collect();
    let is_there = |name: &str| matches!(name, "std" | "core" | "alloc" | "bothends_runtime");
    crates.retain(|name| !is_there(name) && !is_own(name));
    crates
}

/// Returns the first segments of the paths in a type, for paths of several segments.
#[must_use]
pub fn crates_of(ty: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if let Ok(tokens) = ty.parse() {
        first_segments(tokens, &mut found);
    }
    found
}

/// Returns whether a path with this first segment refers to the current crate.
#[must_use]
pub fn is_own(first: &str) -> bool {
    matches!(first, "crate" | "self" | "super" | "Self")
}

/// Collects the first segments of paths with several segments, anywhere in a type.
fn first_segments(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => first_segments(group.stream(), found),
            TokenTree::Ident(ident) => {
                let follows = at >= 3
                    && is_colon(at - 1)
                    && match &tokens[at - 3] {
                        TokenTree::Ident(_) => true,
                        TokenTree::Punct(sign) => sign.as_char() == '>',
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
