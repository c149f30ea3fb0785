//! The interface to the crate `openapiv3`: imports documents of code-first frameworks from its
//! types, and exports one bundled document through them.
//!
//! The other modules do not use these types. They cover OpenAPI 3.0 only, reject common documents,
//! and drop unknown keywords silently. The model is therefore read from plain values instead.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize as _;

use crate::diagnostic::{Diagnostics, codes};
use crate::model::Model;
use crate::source::{Limits, MemoryLoader, Overlays, Sources, Tree, load_overlaid};
use crate::stack::on_large_stack;

mod bundle;
mod filtered;
mod operation;
mod path;
mod schema;
mod security;
mod shared;
#[cfg(test)]
mod tests;

use bundle::Bundle;

/// JSON as used by `openapiv3`.
type Json = serde_json::Value;
/// A JSON object that is being built.
type Map = serde_json::Map<String, Json>;

/// Imports a document that does not come from a file. `name` replaces its path in diagnostics.
pub(crate) fn import(
    name: &str,
    document: &openapiv3::OpenAPI,
    overlays: &Overlays<'_>,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Tree> {
    // The serialized text is the source for the listings of diagnostics.
    match serde_json::to_string_pretty(document) {
        Ok(text) => {
            let mut loader = MemoryLoader::new();
            loader.add(name, text);
            let (path, limits) = (Path::new(name), Limits::default());
            load_overlaid(&loader, path, &limits, overlays, sources, diagnostics)
        }
        Err(error) => {
            let message = format!("the document has no JSON form: {error}");
            diagnostics.report_general(codes::FILE_UNREADABLE, message);
            None
        }
    }
}

/// Returns an equivalent document of OpenAPI 3.0.
///
/// References between components are kept; parts of other files become components. Keywords that
/// OpenAPI 3.0 does not have are written under keys that begin with `x-`.
///
/// With `only_used`, parts of the document are left out that no operation and no webhook uses, except
/// the schemas with these names.
pub(crate) fn bundle(
    tree: &Tree,
    model: &Model,
    only_used: Option<&BTreeSet<String>>,
    diagnostics: &mut Diagnostics,
) -> Option<openapiv3::OpenAPI> {
    let mut value = Bundle::new(tree, model).document();
    if let Some(schemas) = only_used {
        filtered::retain_used(&mut value, schemas);
    }
    // The types nest as deep as the document, and deserializing recurses.
    let read = on_large_stack(|| openapiv3::OpenAPI::deserialize(&value));
    read.map_err(|error| {
        let message = format!("the document cannot be written as OpenAPI 3.0: {error}");
        diagnostics.report_general(codes::NOT_OPENAPI_3_0, message);
    })
    .ok()
}

/// Returns the text of a bundled document, as JSON or as YAML.
///
/// # Errors
/// Returns an error message if the document cannot be serialized.
pub(crate) fn to_text(document: &openapiv3::OpenAPI, json: bool) -> Result<String, String> {
    let mut value = serde_json::to_value(document).map_err(|error| error.to_string())?;
    drop_nulls(&mut value);
    if json {
        let text = serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?;
        return Ok(text + "\n");
    }
    serde_yaml::to_string(&value).map_err(|error| error.to_string())
}

/// Removes two empty fields that the types write as `null`, which the standard does not allow.
fn drop_nulls(value: &mut Json) {
    match value {
        Json::Object(object) => {
            for (key, holder) in &mut *object {
                let field = match key.as_str() {
                    "encoding" => "contentType",
                    "variables" => "description",
                    _ => continue,
                };
                for entry in holder.as_object_mut().into_iter().flat_map(Map::values_mut) {
                    if let Some(entry) = entry.as_object_mut()
                        && entry.get(field).is_some_and(Json::is_null)
                    {
                        entry.shift_remove(field);
                    }
                }
            }
            object.values_mut().for_each(drop_nulls);
        }
        Json::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}
