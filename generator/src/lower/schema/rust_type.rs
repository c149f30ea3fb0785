//! `x-rust-type`: the Rust type from which a schema was made.
//!
//! The extension is an object with a `crate`, a `version` (a requirement of cargo), a `path` that begins
//! with the name of the crate, and `parameters`, a list of schemas. As in typify, the type is used if the
//! configuration lists the crate in a version that meets the requirement, and is generated otherwise;
//! [`UnknownCrates`] is the treatment of crates that the configuration does not list.

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

/// The treatment of types that a document states by `x-rust-type` and whose crates the configuration
/// does not list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownCrates {
    /// The types are generated from their schemas.
    #[default]
    Generate,
    /// The types are used, whatever version the document requires.
    Allow,
    /// Each such type is an error.
    Deny,
}

/// The crates of the configuration.
#[derive(Debug, Clone, Default)]
pub(crate) struct Crates {
    /// The listed crates, by the name of the package.
    pub(crate) listed: BTreeMap<String, Crate>,
    /// The treatment of other crates.
    pub(crate) unknown: UnknownCrates,
}

impl Crates {
    /// Returns whether no type that a document states is used or reported.
    pub(crate) fn is_empty(&self) -> bool {
        self.listed.is_empty() && self.unknown == UnknownCrates::Generate
    }
}

/// Returns the path of the Rust type that a schema states, if the configuration lists or allows its
/// crate.
pub(in crate::lower) fn path_of(model: &Model, id: SchemaId, crates: &Crates) -> Option<String> {
    of_schema(model, id, crates, 0)
}

/// Returns the path, the package and the required version of a type that a schema states and whose
/// crate the configuration does not list.
pub(in crate::lower) fn unlisted<'m>(
    model: &'m Model,
    id: SchemaId,
    crates: &Crates,
) -> Option<[&'m str; 3]> {
    let (path, package, version) = stated(stated_by(model, id)?)?;
    let is_listed = crates.listed.contains_key(package);
    (!is_listed).then_some([path, package, version])
}

fn stated_by(model: &Model, id: SchemaId) -> Option<&Value> {
    let schema = model.schemas.get(id.0 as usize)?;
    let (_, stated) = schema.extensions.iter().find(|(key, _)| key == KEY)?;
    Some(stated)
}

/// Returns the path, the package and the required version of a value of the extension, or `None` if the
/// value is invalid.
fn stated(value: &Value) -> Option<(&str, &str, &str)> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let (package, written, version) = (text("crate")?, text("path")?, text("version")?);
    let written = written.strip_prefix("::").unwrap_or(written);
    let (first, rest) = written.split_once("::")?;
    let is_own = matches!(first, "crate" | "self" | "super");
    let is_path = is_ident(first) && rest.split("::").all(is_ident);
    let is_valid = is_path && !is_own && first == package.replace('-', "_");
    is_valid.then_some((written, package, version))
}

fn of_schema(model: &Model, id: SchemaId, crates: &Crates, depth: usize) -> Option<String> {
    path(model, stated_by(model, id)?, crates, depth)
}

fn path(model: &Model, value: &Value, crates: &Crates, depth: usize) -> Option<String> {
    let (written, package, version) = stated(value)?;
    let (first, rest) = written.split_once("::")?;
    let name = match crates.listed.get(package) {
        Some(own) if meets(&own.version, version) => own.name.as_str(),
        None if crates.unknown == UnknownCrates::Allow => first,
        _ => return None,
    };
    if depth > DEEPEST {
        return None;
    }
    let mut path = format!("{name}::{rest}");
    let parameters = value.get("parameters").and_then(Value::as_array);
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
    let lowest = configured
        .comparators
        .iter()
        .find(|comparator| lower(comparator.op));
    lowest.is_some_and(|comparator| {
        let mut version = Version::new(
            comparator.major,
            comparator.minor.unwrap_or(0),
            comparator.patch.unwrap_or(0),
        );
        version.pre = comparator.pre.clone();
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
