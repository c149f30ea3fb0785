//! Names of tags, operations, and their bodies.

use crate::ir::{Api, Operation, Payload, TaskMethods};
use crate::position::Origin;
use std::collections::BTreeSet;

use super::casing::Case;
use super::ident::unraw;
use super::scope::{Ask, Namer, PLAIN, Rule, Scope};
use super::types::TYPE;
use super::{Scopes, reserved};

const MODULE: Rule = Rule {
    reserved: &[reserved::MODULES],
    suffix: Some("_api"),
    ..PLAIN
};
const TRAIT: Rule = Rule {
    derived: &["Api"],
    alone: false,
    ..TYPE
};
const METHOD: Rule = Rule {
    reserved: &[reserved::METHODS],
    ..PLAIN
};
const BASE: Rule = Rule {
    case: Case::Pascal,
    suffix: Some("Op"),
    derived: &[
        "Request",
        "RequestInit",
        "Response",
        "ResponseBody",
        "ResponseHeaders",
        "ResponseHeadersInit",
        "Error",
        "ErrorHeaders",
    ],
    alone: false,
    ..TYPE
};
/// The rule for the base of a webhook, which is a variant of `WebhookKind` too.
const WEBHOOK: Rule = Rule {
    alone: true,
    ..BASE
};

/// Names the modules and the server traits of tags.
pub(super) fn tags(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let names = api
        .tags
        .iter_mut()
        .map(|tag| (&mut tag.name, Origin::default()));
    Scope::default().name(&MODULE, names, namer);
    for tag in &mut api.tags {
        // The words of the module, so that an appended number is part of the trait's name too.
        let module = unraw(&tag.name.rust);
        let wire = module.strip_suffix("_api").unwrap_or(module).to_owned();
        let ask = Ask {
            wire,
            wanted: None,
            prefix: String::new(),
            origin: Origin::default(),
        };
        tag.trait_name = format!("{}Api", scopes.operations.assign_one(&TRAIT, ask, namer));
    }
}

/// Names the methods of operations and webhooks, and the bases of their types.
pub(super) fn methods(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    for (operations, scope, rule) in [
        (&mut api.operations, &mut scopes.operations, BASE),
        (&mut api.webhooks, &mut scopes.webhooks, WEBHOOK),
    ] {
        let names = operations
            .iter_mut()
            .map(|op| (&mut op.name, op.origin.clone()));
        Scope::default().name(&METHOD, names, namer);
        let follow = further_methods(operations);
        // Operations are first; webhooks have no links.
        api.follow.get_or_insert(follow);
        links(operations, namer);
        for operation in operations {
            let mut ask = Ask {
                wire: unraw(&operation.name.rust).to_owned(),
                wanted: None,
                prefix: String::new(),
                origin: operation.origin.clone(),
            };
            // Users import both modules by a glob.
            let base = Scope::default().assign(&rule, std::slice::from_ref(&ask), namer);
            let is_taken = |base: &String| scopes.types.has(&format!("{base}Request"));
            if base.first().is_some_and(is_taken) {
                ask.wire.push_str("_op");
            }
            operation.base = scope.assign_one(&rule, ask, namer);
        }
    }
}

/// Names the second method of operations without required but with optional parameters, and the
/// methods for tasks. Returns the name of the method that follows links.
fn further_methods(operations: &mut [Operation]) -> String {
    let mut known: BTreeSet<String> = (operations.iter())
        .map(|operation| operation.name.rust.clone())
        .collect();
    let mut free = |mut name: String| {
        while !known.insert(name.clone()) {
            name.push('_');
        }
        name
    };
    for operation in operations.iter_mut() {
        let takes = operation.body.is_some() || !operation.params.is_empty();
        if operation.is_bare() && takes {
            let name = unraw(&operation.name.rust);
            operation.with_request = Some(free(format!("{name}_with")));
        }
    }
    for operation in operations {
        let Some(task) = operation.task.as_ref().filter(|task| task.has_known_end()) else {
            continue;
        };
        let name = unraw(&operation.name.rust);
        let is_started = !task.from.is_empty();
        let with = operation.with_request.as_ref().filter(|_| is_started);
        operation.task_methods = TaskMethods {
            start: is_started.then(|| free(format!("{name}_task"))),
            start_with: with.map(|_| free(format!("{name}_task_with"))),
            resume: Some(free(format!("resume_{name}"))),
        };
    }
    free("follow".to_owned())
}

/// Names links after their operations: `{operation}_{link}`.
fn links(operations: &mut [Operation], namer: &mut Namer<'_>) {
    const LINK: Rule = Rule {
        alone: false,
        ..PLAIN
    };
    let mut scope = Scope::default();
    for operation in operations {
        let prefix = unraw(&operation.name.rust).to_owned();
        for link in &mut operation.links {
            let ask = Ask {
                wire: format!("{prefix}_{}", link.name.wire),
                wanted: None,
                prefix: String::new(),
                origin: operation.origin.clone(),
            };
            link.name.rust = scope.assign_one(&LINK, ask, namer);
        }
    }
}

/// Names the enums of bodies with several media types: `{base}Content`, `{base}{Response}Content`.
pub(super) fn bodies(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    for (operations, scope) in [
        (&mut api.operations, &mut scopes.operations),
        (&mut api.webhooks, &mut scopes.webhooks),
    ] {
        for operation in operations {
            bodies_of(operation, scope, namer);
        }
    }
}

fn bodies_of(operation: &mut Operation, scope: &mut Scope, namer: &mut Namer<'_>) {
    let base = operation.base.clone();
    if let Some(body) = &mut operation.body {
        enum_of(
            &mut body.payload,
            base.clone(),
            &operation.origin,
            scope,
            namer,
        );
    }
    for response in operation.successes.iter_mut().chain(&mut operation.errors) {
        if let Some(payload) = &mut response.payload {
            let prefix = format!("{base}{}", unraw(&response.name.rust));
            enum_of(payload, prefix, &response.origin, scope, namer);
        }
    }
}

fn enum_of(
    payload: &mut Payload,
    prefix: String,
    origin: &Origin,
    scope: &mut Scope,
    namer: &mut Namer<'_>,
) {
    if let Payload::Many(content, _) = payload
        && content.shared.is_none()
    {
        let (wire, wanted) = ("content".to_owned(), content.name.wanted.clone());
        content.name.rust = scope.assign_one(
            &TYPE,
            Ask {
                wire,
                wanted,
                prefix,
                origin: origin.clone(),
            },
            namer,
        );
    }
}

/// Names the enums of the media types of reusable bodies and responses, for all of their uses.
pub(super) fn shared_bodies(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let mut names = Vec::with_capacity(api.contents.len());
    for (origin, payload) in &mut api.contents {
        let Payload::Many(content, _) = payload else {
            names.push(String::new());
            continue;
        };
        let ask = Ask {
            wire: content.name.wire.clone(),
            wanted: content.name.wanted.clone(),
            prefix: String::new(),
            origin: origin.clone(),
        };
        content.name.rust = scopes.types.assign_one(&TYPE, ask, namer);
        names.push(content.name.rust.clone());
    }
    let sets = api.error_sets.iter_mut();
    let mut payloads: Vec<&mut Payload> = sets
        .flat_map(|set| &mut set.responses)
        .filter_map(|response| response.payload.as_mut())
        .collect();
    let operations = api.operations.iter_mut().chain(&mut api.webhooks);
    payloads.extend(operations.flat_map(Operation::payloads_mut));
    for payload in payloads {
        if let Payload::Many(content, _) = payload
            && let Some(name) = content.shared.and_then(|index| names.get(index))
        {
            content.name.rust.clone_from(name);
        }
    }
}
