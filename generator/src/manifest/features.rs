//! The features of the runtime.

use std::collections::BTreeSet;

/// The features of the runtime, each with the features that it enables.
///
/// A build script cannot query the enabled features of a dependency. The table therefore repeats
/// the runtime's `Cargo.toml`; a test compares the two.
pub const RUNTIME_FEATURES: &[(&str, &[&str])] = &[
    ("check-responses", &["validate"]),
    ("client", &[]),
    ("default", &[]),
    ("derive", &[]),
    ("gzip", &[]),
    ("hyper", &["client"]),
    ("idempotency", &["server"]),
    ("jiff", &[]),
    ("jwks", &["receiver"]),
    ("links", &["client"]),
    ("metrics", &[]),
    ("native-tls", &["hyper"]),
    ("pattern", &[]),
    ("proptest", &["sample"]),
    ("receiver", &["server", "signature"]),
    ("reqwest", &["client"]),
    ("retries", &["client"]),
    ("rustls", &["rustls-no-provider"]),
    ("rustls-no-provider", &["hyper"]),
    ("rustls-ring", &["rustls-no-provider"]),
    ("sample", &["pattern", "validate"]),
    ("serve", &["server"]),
    ("server", &["validate"]),
    ("signature", &[]),
    ("tasks", &["links", "retries"]),
    ("test", &["check-responses", "client", "sample", "server"]),
    ("tokens", &["retries"]),
    ("trace-context", &["tracing"]),
    ("tracing", &[]),
    ("uuid", &[]),
    ("validate", &[]),
];

/// Returns the features and all features that they enable, or `None` if a feature is not in the
/// table and thus belongs to an unknown version of the runtime.
pub(super) fn closure(features: &BTreeSet<String>) -> Option<BTreeSet<&'static str>> {
    let mut enabled = BTreeSet::new();
    let mut open: Vec<&str> = features.iter().map(String::as_str).collect();
    while let Some(name) = open.pop() {
        let (name, enables) = RUNTIME_FEATURES.iter().find(|(known, _)| *known == name)?;
        if enabled.insert(*name) {
            open.extend(*enables);
        }
    }
    Some(enabled)
}
