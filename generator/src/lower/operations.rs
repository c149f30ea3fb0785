//! Operations.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::diagnostic::codes;
use crate::ir::{Api, Doc, Module, Name, Operation, Parent, Tag};
use crate::model;

use super::{
    At, Lowering, bodies, links, params, paths, responses, security, security_by_body, servers,
    webhooks,
};

/// Lowers every operation, and then the webhooks and callbacks, in document order.
pub(super) fn lower(lowering: &mut Lowering<'_>, api: &mut Api) {
    let operations = std::mem::take(&mut lowering.model.operations);
    let mut callbacks = Vec::new();
    api.tags = tags(&lowering.model.tags, &operations);
    let tags = api.tags.iter().enumerate();
    let tags: HashMap<String, usize> = tags.map(|(at, tag)| (tag.name.wire.clone(), at)).collect();
    for mut operation in operations {
        let tag = tags.get(tag_of(&operation)).copied().unwrap_or_default();
        let index = api.operations.len();
        let place = Place {
            parent: Parent::Operation(index, false),
            module: Module::Tag(tag),
            words: String::new(),
        };
        callbacks.extend(webhooks::take_callbacks(&mut operation, Some(index)));
        let mut lowered = one(lowering, &operation, &place);
        lowered.tag = Some(tag);
        lowered.server = servers::own(lowering, &operation);
        security_by_body::lower(lowering, &operation, &mut lowered);
        let task = operation
            .extensions
            .iter()
            .find(|(key, _)| key == "x-bothends-task");
        lowering
            .stated_tasks
            .extend(task.map(|(_, value)| (index, value.clone())));
        operation
            .responses
            .retain(|response| !response.links.is_empty());
        if !operation.responses.is_empty() {
            lowering.stated_links.push(links::Stated {
                operation: index,
                responses: operation.responses,
            });
        }
        api.operations.push(lowered);
    }
    paths::report_twins(lowering, &api.operations);
    webhooks::lower(lowering, api, callbacks);
    bodies::tell_uncoded(lowering);
    api.schemes = security::schemes(lowering, api);
    lowering.settle_defaults();
    lowering.settle_parameter_defaults(api);
}

/// The place of the inline types of an operation, or of a reusable part.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) parent: Parent,
    pub(super) module: Module,
    /// The words at the start of all names.
    pub(super) words: String,
}

impl Place {
    /// Returns a place for a part of the operation.
    pub(super) fn at(&self, words: &str) -> At {
        let at = At {
            parent: Some(self.parent.clone()),
            words: self.words.clone(),
            module: self.module,
        };
        if words.is_empty() { at } else { at.step(words) }
    }
}

pub(super) fn one(
    lowering: &mut Lowering<'_>,
    operation: &model::Operation,
    place: &Place,
) -> Operation {
    let params = params::lower(lowering, operation, place);
    let body = operation
        .body
        .as_ref()
        .and_then(|body| bodies::request(lowering, body, place));
    let (mut successes, errors) = responses::lower(lowering, operation, place);
    let success_headers = responses::take_headers(&mut successes);
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
        tag: None,
        method: operation.method.clone(),
        path: operation.path.clone(),
        server: None,
        segments: paths::segments(&operation.path),
        doc: Doc {
            text: text.filter(|text| !text.trim().is_empty()),
            notes: Vec::new(),
            examples: Vec::new(),
            pointer: operation.origin.pointer.readable().map(str::to_owned),
            deprecated: operation.deprecated,
        },
        summary,
        with_request: None,
        params,
        body,
        successes,
        success_headers,
        errors,
        error_set: None,
        security: security::requirements(lowering, operation),
        security_by_body: Vec::new(),
        task: None,
        webhook: None,
    }
}

/// Returns a name for an operation without an `operationId`: its method and its path.
pub(super) fn stand_in(operation: &model::Operation) -> String {
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

/// Returns the tag that groups an operation: its first tag, or `default`.
fn tag_of(operation: &model::Operation) -> &str {
    let name = operation.tags.iter().find(|tag| !tag.trim().is_empty());
    name.map_or("default", String::as_str)
}

/// Returns the tags that group operations: those of the document's list in its order, then the
/// others by name.
fn tags(declared: &[model::Tag], operations: &[model::Operation]) -> Vec<Tag> {
    let used: BTreeSet<&str> = operations.iter().map(tag_of).collect();
    let mut listed: BTreeMap<&str, (usize, &model::Tag)> = BTreeMap::new();
    for (index, tag) in declared.iter().enumerate() {
        listed.entry(&tag.name).or_insert((index, tag));
    }
    let mut used: Vec<&str> = used.into_iter().collect();
    // Unlisted tags stay in the order of the names.
    used.sort_by_key(|name| listed.get(name).map_or(usize::MAX, |(index, _)| *index));
    let tag = |name: &str| Tag {
        name: Name::new(name),
        trait_name: String::new(),
        doc: Doc {
            text: (listed.get(name)).and_then(|(_, tag)| tag.description.clone()),
            ..Doc::default()
        },
    };
    used.into_iter().map(tag).collect()
}

impl Lowering<'_> {
    /// Reports an operation without a documented success.
    pub(super) fn note_no_success(&mut self, operation: &model::Operation) {
        let message = if operation.responses.is_empty() {
            "this operation has no `responses`; any 2xx is taken, as bytes"
        } else {
            "no response of this operation is a success; any 2xx is taken, as bytes"
        };
        self.diagnostics
            .report(codes::NO_SUCCESS, &operation.origin, message)
            .help("list the response of a call that went well, with what it holds");
    }
}
