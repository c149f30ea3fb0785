//! The documentation of methods: of the client, and of the traits of servers and receivers.

use super::docs::{Text, code};
use super::operations::{call_of, label, short, type_name};
use super::scope::Scope;
use crate::ir::{Doc, Operation, Response};
use proc_macro2::Ident;

/// Returns the docs of a method: the description, the type that a call returns, the request line with a
/// link to the request type, the arguments, unless another method has them, and the documented errors.
pub(super) fn of_client(
    scope: &Scope<'_>,
    operation: &Operation,
    request: &Ident,
    returned: Option<String>,
) -> Text {
    let mut text = Text::new(&operation.doc);
    let line = format!("{} with [`{request}`]", call_of(operation));
    let line = match returned {
        Some(returned) => format!("Returns {} from {line}", code(&returned)),
        None => line,
    };
    let rows = operation.with_request.is_none();
    let rows = rows.then(|| arguments(scope, operation));
    text.list(line, rows.into_iter().flatten());
    if !operation.errors.is_empty() {
        text.paragraph("# Errors".to_owned());
        errors(&mut text, scope, operation);
    }
    text
}

/// Returns the docs of the second method of an operation, which refer to the first.
pub(super) fn of_client_with(scope: &Scope<'_>, operation: &Operation) -> Text {
    let name = operation.name.rust.trim_start_matches("r#");
    let mut text = Text::summary(&operation.doc, None);
    let line = format!("[`{name}`](Self::{name}) with its optional values");
    text.list(line, arguments(scope, operation));
    text
}

/// Returns the docs of a method: the description, unless the method of the client or the request of a
/// webhook has it, and the request line with a link to the request type.
pub(super) fn of_server(scope: &Scope<'_>, operation: &Operation, request: &Ident) -> Text {
    let line = format!("{} with [`{request}`]", call_of(operation));
    let is_described = operation.webhook.is_some() || scope.cx.options.parts.client;
    let mut text = match is_described {
        true => Text::summary(&operation.doc, operation.summary.as_deref()),
        false => Text::new(&operation.doc),
    };
    let line = match operation.webhook {
        None if is_described => {
            let method = operation.name.rust.trim_start_matches("r#");
            format!("{line}: see `Client::{method}`.")
        }
        _ => format!("{line}."),
    };
    text.paragraph(line);
    text
}

/// Returns the parameters and the body of a request, by the names of its fields.
fn arguments<'a>(
    scope: &Scope<'_>,
    operation: &'a Operation,
) -> impl Iterator<Item = (String, &'a Doc)> {
    let params = operation.params.iter();
    let params = params.map(|param| (&param.name, param.optional, &param.doc));
    let body = operation.body.iter();
    let all = params.chain(body.map(|body| (&body.name, body.optional, &body.doc)));
    all.map(|(name, optional, doc)| {
        let mark = if optional { " (optional)" } else { "" };
        (
            format!("{}{mark}", code(&scope.name(name).to_string())),
            doc,
        )
    })
}

/// Adds the statuses of the documented errors with a link to their type, and the texts that this type
/// does not have because other operations share it.
fn errors(text: &mut Text, scope: &Scope<'_>, operation: &Operation) {
    let statuses: Vec<String> = operation
        .errors
        .iter()
        .map(|error| short(error.status))
        .collect();
    let link = type_name(scope.cx, operation, "Error");
    let set = operation.error_set;
    let set = set.and_then(|set| scope.cx.api.error_sets.get(set));
    let is_in_shared = |response: &&Response| {
        let shared = set.map_or(operation.errors.as_slice(), |set| &set.responses);
        let shared = shared
            .iter()
            .find(|shared| shared.status == response.status);
        shared.is_some_and(|shared| shared.doc.text == response.doc.text)
    };
    let rows = operation.errors.iter().filter(|error| !is_in_shared(error));
    text.list(
        format!("{}: see [`{link}`]", statuses.join(", ")),
        rows.map(|row| (label(row.status), &row.doc)),
    );
}
