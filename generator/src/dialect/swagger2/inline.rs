//! Parameters and headers of Swagger 2.0 as the schemas that they are besides.

use super::super::context::Context;
use super::super::table::Form;
use crate::model::{SchemaId, Style};
use crate::resolve::Node;

/// `collectionFormat` of an array; other types are written in one way only.
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

/// The schema that a parameter or a header is, beside what else it is.
pub(super) fn inline_schema<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
    form: Form,
) -> Option<SchemaId> {
    if let (None, Some(schema)) = (node.value.get("type"), node.get("schema")) {
        // As OpenAPI 3 writes it; what is meant is plain.
        return Some(context.schema(&schema));
    }
    node.value.get("type")?;
    Some(context.schema_in(node, form))
}

/// Whether a keyword of a parameter or a header is no keyword of the schema in it.
pub(in super::super) fn belongs_to_holder(form: Form, key: &str) -> bool {
    match form {
        Form::Schema => false,
        Form::Field => key == "required",
        Form::Inline => matches!(key, "required" | "description" | "deprecated"),
    }
}
