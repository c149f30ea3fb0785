//! Parameters and headers of Swagger 2.0 as schemas.

use super::super::context::Context;
use super::super::table::Form;
use crate::model::{SchemaId, Style};
use crate::resolve::Node;

/// Reads `collectionFormat` of an array. Values of other types have a single form.
pub(super) fn read_collection_format<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
) -> Option<(Style, bool)> {
    if node.value.get("type")?.as_str() != Some("array") {
        return None;
    }
    let Some(format) = context.child(node, "collectionFormat") else {
        return Some((Style::Form, false));
    };
    match context.word(&format, &["csv", "multi", "ssv", "tsv", "pipes"]) {
        Some("csv") => Some((Style::Form, false)),
        Some("multi") => Some((Style::Form, true)),
        Some("ssv") => Some((Style::SpaceDelimited, false)),
        Some("tsv") => Some((Style::TabDelimited, false)),
        Some("pipes") => Some((Style::PipeDelimited, false)),
        _ => {
            context.ignored(&format, "`csv`, `ssv`, `tsv`, `pipes` or `multi`");
            Some((Style::Form, false))
        }
    }
}

/// Returns the schema part of a parameter or a header.
pub(super) fn inline_schema<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
    form: Form,
) -> Option<SchemaId> {
    if let (None, Some(schema)) = (node.value.get("type"), node.get("schema")) {
        // The notation of OpenAPI 3, whose meaning is unambiguous.
        return Some(context.schema(&schema));
    }
    node.value.get("type")?;
    Some(context.schema_in(node, form))
}

/// Returns whether a keyword of a parameter or a header is not a keyword of its schema.
pub(in super::super) fn belongs_to_holder(form: Form, key: &str) -> bool {
    match form {
        Form::Schema => false,
        Form::Field => key == "required",
        Form::Inline => matches!(key, "required" | "description" | "deprecated"),
    }
}
