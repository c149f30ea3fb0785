//! Operations.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::ir::{Api, Doc, Module, Name, Parent, Tag};
use crate::model;

use crate::lower::links::{bound_links, pages};
use crate::lower::operation::{bodies, paths, retries};
use crate::lower::schema::place::{Place, Whole};
use crate::lower::security::security_by_body;
use crate::lower::server::servers;
use crate::lower::webhook::webhooks;
use crate::lower::{Lowering, operation, security};

/// Lowers every operation, and then the webhooks and callbacks, in document order.
pub(in crate::lower) fn lower(lowering: &mut Lowering<'_>, api: &mut Api) {
    let operations = std::mem::take(&mut lowering.document.model.operations);
    let retries = retries::Stated::at_root(&mut lowering.document);
    let mut callbacks = Vec::new();
    api.tags = tags(&lowering.document.model.tags, &operations);
    let tags = api.tags.iter().enumerate();
    let tags: HashMap<String, usize> = tags.map(|(at, tag)| (tag.name.wire.clone(), at)).collect();
    for mut stated in operations {
        let tag = tags.get(tag_of(&stated)).copied().unwrap_or_default();
        let index = api.operations.len();
        let place = Place {
            parent: Parent::Operation(index, false),
            module: Module::Tag(tag),
            words: String::new(),
            whole: Whole::Operation,
        };
        callbacks.extend(webhooks::take_callbacks(&mut stated, Some(index)));
        let mut lowered = operation::lower_operation(lowering, &stated, &place);
        lowered.tag = Some(tag);
        lowered.server = servers::own(&mut lowering.document, &stated);
        security_by_body::lower(lowering, &stated, &mut lowered);
        retries.lower(&mut lowering.document, &stated, &mut lowered);
        let task = stated
            .extensions
            .iter()
            .find(|(key, _)| key == "x-bothends-task");
        lowering
            .pending
            .stated_tasks
            .extend(task.map(|(_, value)| (index, value.clone())));
        let pages = pages::stated(&stated.extensions);
        if !pages.is_empty() {
            lowering.pending.stated_pages.push((index, pages));
        }
        stated
            .responses
            .retain(|response| !response.links.is_empty());
        if !stated.responses.is_empty() {
            lowering.pending.stated_links.push(bound_links::Stated {
                operation: index,
                responses: stated.responses,
            });
        }
        api.operations.push(lowered);
    }
    paths::report_twins(&mut lowering.document, &api.operations);
    webhooks::lower(lowering, api, callbacks);
    bodies::report_uncoded(lowering);
    api.schemes = security::schemes(&mut lowering.document, api);
    lowering.check_defaults();
    lowering.check_parameter_defaults(api);
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
