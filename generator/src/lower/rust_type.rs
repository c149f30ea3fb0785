//! `x-rust-type`: the Rust type from which a schema was made.
//!
//! The extension is an object with a `crate`, a `version` (a requirement of cargo), a `path` that begins
//! with the name of the crate, and `parameters`, a list of schemas. As in typify, the type is used if the
//! configuration lists the crate in a version that meets the requirement, and is generated otherwise.

use std::collections::BTreeMap;

use semver::{Op, Version, VersionReq};

use crate::model::{Model, SchemaId};
use crate::source::Value;

const KEY: &str = "x-rust-type";

/// The maximum nesting of type parameters.
const DEEPEST: usize = 8;

/// A crate of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Crate {
    /// The name in code.
    pub(crate) name: String,
    /// The requirement of the version.
    pub(crate) version: String,
}

/// The crates of the configuration, by the name of the package.
pub(crate) type Crates = BTreeMap<String, Crate>;

/// Returns the path of the Rust type that a schema states, if the configuration lists its crate.
pub(super) fn of(model: &Model, id: SchemaId, crates: &Crates) -> Option<String> {
    of_schema(model, id, crates, 0)
}

fn of_schema(model: &Model, id: SchemaId, crates: &Crates, depth: usize) -> Option<String> {
    let schema = model.schemas.get(id.0 as usize)?;
    let (_, stated) = schema.extensions.iter().find(|(key, _)| key == KEY)?;
    path(model, stated, crates, depth)
}

fn path(model: &Model, stated: &Value, crates: &Crates, depth: usize) -> Option<String> {
    let text = |key: &str| stated.get(key).and_then(Value::as_str);
    let (package, written) = (text("crate")?, text("path")?);
    let own = crates.get(package)?;
    if depth > DEEPEST || !meets(&own.version, text("version")?) {
        return None;
    }
    let written = written.strip_prefix("::").unwrap_or(written);
    let (first, rest) = written.split_once("::")?;
    if first != package.replace('-', "_") || !rest.split("::").all(is_ident) {
        return None;
    }
    let mut path = format!("{}::{rest}", own.name);
    let parameters = stated.get("parameters").and_then(Value::as_array);
    let parameters: Vec<String> = parameters
        .unwrap_or_default()
        .iter()
        .map(|schema| parameter(model, schema, crates, depth + 1))
        .collect::<Option<_>>()?;
    if !parameters.is_empty() {
        path.push_str(&format!("<{}>", parameters.join(", ")));
    }
    Some(path)
}

/// Returns the type of a parameter: a schema with a type of its own, or a reference to one.
fn parameter(model: &Model, schema: &Value, crates: &Crates, depth: usize) -> Option<String> {
    if let Some(stated) = schema.get(KEY) {
        return path(model, stated, crates, depth);
    }
    let (_, name) = schema.get("$ref")?.as_str()?.rsplit_once('/')?;
    let (_, id) = model.named_schemas.iter().find(|(own, _)| own == name)?;
    of_schema(model, *id, crates, depth)
}

fn is_ident(text: &str) -> bool {
    let starts = |first: char| first.is_ascii_alphabetic() || first == '_';
    text.starts_with(starts) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns whether the lowest version that a requirement of the configuration accepts meets the
/// requirement of a document. `*` meets every requirement.
fn meets(configured: &str, required: &str) -> bool {
    let Ok(required) = VersionReq::parse(required) else {
        return false;
    };
    let Ok(configured) = VersionReq::parse(configured) else {
        return false;
    };
    if configured.comparators.is_empty() {
        return true;
    }
    let lower = |op: Op| !matches!(op, Op::Less | Op::LessEq);
    let lowest = configured.comparators.iter().find(|of| lower(of.op));
    lowest.is_some_and(|of| {
        let mut version = Version::new(of.major, of.minor.unwrap_or(0), of.patch.unwrap_or(0));
        version.pre = of.pre.clone();
        required.matches(&version)
    })
}

#[cfg(test)]
mod tests {
    use super::meets;

    #[test]
    fn a_version_meets_the_requirement_of_a_document() {
        // The examples of typify's README.
        for (configured, required, expected) in [
            ("0.1.1", "0.1.0", true),
            ("0.2.0", "0.2.2", false),
            ("1.0.1", "1.0.0", true),
            ("0.2.0", "0.1.0", false),
            ("0.9", ">=0.1.0, <1.0.0", true),
            ("1", ">=0.1.0, <1.0.0", false),
            ("=1.2.3", "1", true),
            ("*", "7", true),
            ("1", "*", true),
            ("latest", "1", false),
            ("1", "", false),
        ] {
            assert_eq!(
                meets(configured, required),
                expected,
                "{configured} {required}"
            );
        }
    }
}
