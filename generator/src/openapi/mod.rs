//! The border with the crate `openapiv3`: documents that code-first frameworks hold in its types
//! come in here, and one resolved document goes out through them.
//!
//! Nothing inside reads these types. They hold OpenAPI 3.0 only, refuse documents that people
//! have, and drop keywords without a word, so the model is read from plain values instead.

use crate::diagnostic::{Diagnostics, codes};
use crate::model::Model;
use crate::source::{Sources, Tree, load_text};

mod bundle;
mod operation;
mod path;
mod schema;
mod security;
mod shared;
#[cfg(test)]
mod tests;

use bundle::Bundle;

/// JSON as `openapiv3` holds it.
type Json = serde_json::Value;
/// A JSON object in the making.
type Map = serde_json::Map<String, Json>;

/// Takes in a document that never was a file; `name` stands for its path in diagnostics.
pub(crate) fn import(
    name: &str,
    document: &openapiv3::OpenAPI,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Tree> {
    // A text of its own gives diagnostics something to show.
    match serde_json::to_string_pretty(document) {
        Ok(text) => load_text(name, &text, sources, diagnostics),
        Err(error) => {
            let message = format!("the document has no JSON form: {error}");
            diagnostics.report_general(codes::FILE_UNREADABLE, message);
            None
        }
    }
}

/// One document of OpenAPI 3.0 that says what the model says.
///
/// References between components stay; whatever stood in other files becomes a component. What
/// OpenAPI 3.0 has no words for stands under keys that begin with `x-`.
pub(crate) fn bundle(
    tree: &Tree,
    model: &Model,
    diagnostics: &mut Diagnostics,
) -> Option<openapiv3::OpenAPI> {
    /// The types nest as deep as the document, and so does reading them.
    const STACK: usize = 128 << 20;
    let value = Bundle::new(tree, model).document();
    let read = move || serde_json::from_value(value).map_err(|error| error.to_string());
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(read);
    let read = thread
        .map_err(|error| error.to_string())
        .and_then(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err("its types cannot hold the document".to_owned()))
        });
    read.map_err(|error| {
        let message = format!("the document cannot be written as OpenAPI 3.0: {error}");
        diagnostics.report_general(codes::NOT_OPENAPI_3_0, message);
    })
    .ok()
}

/// The text of a bundled document, as JSON or as YAML.
///
/// # Errors
/// When it cannot be written, in words.
pub(crate) fn to_text(document: &openapiv3::OpenAPI, json: bool) -> Result<String, String> {
    let mut value = serde_json::to_value(document).map_err(|error| error.to_string())?;
    drop_nulls(&mut value);
    if json {
        let text = serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?;
        return Ok(text + "\n");
    }
    serde_yaml::to_string(&value).map_err(|error| error.to_string())
}

/// The types write two of their empty fields as `null`, which the standard does not allow.
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
