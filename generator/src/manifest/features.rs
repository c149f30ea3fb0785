//! The features of the runtime.

use std::collections::BTreeSet;

/// Each feature of the runtime, and the features that it enables.
///
/// A build script cannot ask cargo which features of a dependency are on, so the table repeats the
/// runtime's `Cargo.toml`; a test compares the two.
pub const RUNTIME_FEATURES: &[(&str, &[&str])] = &[
    ("client", &[]),
    ("default", &[]),
    ("derive", &[]),
    ("gzip", &[]),
    ("jiff", &[]),
    ("native-tls", &["reqwest"]),
    ("pattern", &[]),
    ("receiver", &["server", "signature"]),
    ("reqwest", &["client"]),
    ("rustls", &["reqwest"]),
    ("server", &["validate"]),
    ("signature", &[]),
    ("tasks", &["client"]),
    ("tokens", &["client"]),
    ("tracing", &[]),
    ("uuid", &[]),
    ("validate", &[]),
];

/// Returns the features with all that they enable; `None` if one is not in the table, and so belongs to
/// a runtime that this generator does not know.
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
