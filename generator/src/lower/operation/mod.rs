//! An operation, a webhook or a callback.

pub(super) mod bodies;
pub(super) mod encoding;
pub(super) mod error_sets;
pub(super) mod events;
pub(super) mod media_types;
pub(super) mod media_variants;
pub(super) mod params;
pub(super) mod paths;
pub(super) mod responses;
pub(super) mod retries;
pub(super) mod reusable;
pub(super) mod streams;

use crate::diagnostic::codes;
use crate::ir::{Doc, Name, Operation, Stability, TaskMethods};
use crate::model;

use crate::lower::schema::place::Place;
use crate::lower::schema::sunset;
use crate::lower::{Lowering, security};

/// Lowers an operation.
pub(in crate::lower) fn lower_operation(
    lowering: &mut Lowering<'_>,
    operation: &model::Operation,
    place: &Place,
) -> Operation {
    let params = params::lower(lowering, operation, place);
    let body = operation
        .body
        .as_ref()
        .and_then(|body| bodies::request(lowering, body, place));
    let responses::Responses {
        successes,
        success_headers,
        errors,
        error_headers,
    } = responses::lower(lowering, operation, place);
    let text = match (&operation.summary, &operation.description) {
        (Some(summary), Some(text)) if !text.trim().starts_with(summary.trim()) => {
            Some(format!("{summary}\n\n{text}"))
        }
        (summary, text) => text.clone().or_else(|| summary.clone()),
    };
    // A description changes more often than a summary, and the summary is repeated at each method.
    let summary = operation.summary.clone().filter(|summary| {
        let summary = summary.trim();
        let is_description = operation
            .description
            .as_deref()
            .is_none_or(|text| text.trim() == summary);
        !summary.is_empty() && !is_description
    });
    Operation {
        origin: operation.origin.clone(),
        name: Name {
            wanted: None,
            ..Name::new(operation.id.clone().unwrap_or_else(|| stand_in(operation)))
        },
        base: String::new(),
        tags: operation.tags.clone(),
        tag: None,
        method: operation.method.clone(),
        path: operation.path.clone(),
        server: None,
        stability: stability(operation),
        segments: paths::segments(&operation.path),
        doc: Doc {
            text: text.filter(|text| !text.trim().is_empty()),
            notes: Vec::new(),
            examples: Vec::new(),
            pointer: operation.origin.pointer.readable().map(str::to_owned),
            deprecated: operation.deprecated,
            sunset: sunset::day_of(&operation.extensions),
        },
        summary,
        with_request: None,
        task_methods: TaskMethods::default(),
        params,
        body,
        successes,
        success_headers,
        errors,
        error_headers,
        error_set: None,
        header_set: None,
        security: security::requirements(&mut lowering.document, operation),
        security_by_body: Vec::new(),
        links: Vec::new(),
        stated_links: Vec::new(),
        task: None,
        pages: None,
        retries: None,
        idempotency_key: None,
        webhook: None,
    }
}

/// Returns the level of `x-stability-level`. Without a level that is known, an operation is stable.
fn stability(operation: &model::Operation) -> Stability {
    let mut extensions = operation.extensions.iter();
    let value = extensions.find(|(key, _)| key == "x-stability-level");
    let name = value.and_then(|(_, value)| value.as_str());
    name.and_then(Stability::from_name).unwrap_or_default()
}

/// Returns a name for an operation without an `operationId`: its method and its path.
pub(in crate::lower) fn stand_in(operation: &model::Operation) -> String {
    let mut words = operation.method.to_lowercase();
    for part in operation.path.split('/').filter(|part| !part.is_empty()) {
        match part
            .strip_prefix('{')
            .and_then(|part| part.strip_suffix('}'))
        {
            Some(variable) => {
                words.push_str(" by ");
                words.push_str(variable);
            }
            None => {
                words.push(' ');
                words.extend(
                    part.chars()
                        .map(|c| if c == '{' || c == '}' { ' ' } else { c }),
                );
            }
        }
    }
    if operation.path == "/" {
        words.push_str(" root");
    }
    words
}

impl Lowering<'_> {
    /// Reports an operation without a documented success.
    pub(in crate::lower) fn note_no_success(&mut self, operation: &model::Operation) {
        let message = if operation.responses.is_empty() {
            "operation has no `responses`; every 2xx is accepted as bytes"
        } else {
            "operation documents no success; every 2xx is accepted as bytes"
        };
        self.document
            .diagnostics
            .report(codes::NO_SUCCESS, &operation.origin, message)
            .help("document the successful response and its schema");
    }
}
