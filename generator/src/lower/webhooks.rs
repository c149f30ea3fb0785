//! Calls that go the other way: webhooks, and the callbacks of operations.
//!
//! Both are requests that the service sends and its client answers, so both are kinds of webhooks:
//! they have a payload, a receiver and a sender. They differ in where the URL comes from: that of a
//! callback is in the call of its operation, that of a webhook is outside of the API.

use crate::diagnostic::codes;
use crate::ir::{self, Api, Module, Name, Operation, Parent, Webhook};
use crate::model;

use super::operations::{Place, one, stand_in};
use super::{Lowering, expression};

/// A callback before it is lowered.
pub(super) struct Callback {
    /// The name of its kind.
    name: String,
    /// A sentence that says whose it is and where it is sent.
    note: String,
    /// Its URL, as the document writes it.
    url: String,
    /// Index of the operation whose calls give the URL; `None` for a callback of a webhook.
    owner: Option<usize>,
    operation: model::Operation,
}

/// Takes the callbacks out of an operation. A kind is named after its operation as well, so that it
/// keeps its name when another operation gets a callback of the same name.
pub(super) fn take_callbacks(
    operation: &mut model::Operation,
    owner: Option<usize>,
) -> Vec<Callback> {
    let callbacks = std::mem::take(&mut operation.callbacks);
    let id = operation.id.clone().unwrap_or_else(|| stand_in(operation));
    let one = |(name, url, operation): (String, String, model::Operation)| Callback {
        name: format!("{}.{name}", id.replace([' ', '/'], "_")),
        note: format!("A callback of `{id}`, sent to `{url}`."),
        url,
        owner,
        operation,
    };
    callbacks.into_iter().map(one).collect()
}

/// Lowers every webhook and then every callback.
pub(super) fn lower(lowering: &mut Lowering<'_>, api: &mut Api, mut callbacks: Vec<Callback>) {
    for mut webhook in std::mem::take(&mut lowering.model.webhooks) {
        callbacks.extend(take_callbacks(&mut webhook.operation, None));
        let kind = kind(lowering, api, &webhook.name, webhook.operation, None);
        api.webhooks.push(kind);
    }
    for callback in callbacks {
        let sent_to = sent_to(lowering, &callback);
        let mut kind = kind(lowering, api, &callback.name, callback.operation, sent_to);
        kind.doc.notes.push(callback.note);
        api.webhooks.push(kind);
    }
}

/// Where a callback is sent, if that can be evaluated.
fn sent_to(lowering: &mut Lowering<'_>, callback: &Callback) -> Option<ir::Callback> {
    let operation = callback.owner?;
    match expression::url(&callback.url) {
        Ok(url) => Some(ir::Callback { operation, url }),
        Err(why) => {
            let message = format!(
                "the URL of a callback, `{}`, cannot be read: {why}",
                callback.url
            );
            let origin = &callback.operation.origin;
            let report = lowering
                .diagnostics
                .report(codes::CALLBACK_URL, origin, message);
            report
                .help("`{$request.body#/url}` and `https://example.com/{$request.path.id}` can be");
            None
        }
    }
}

fn kind(
    lowering: &mut Lowering<'_>,
    api: &Api,
    name: &str,
    mut operation: model::Operation,
    callback: Option<ir::Callback>,
) -> Operation {
    let place = Place {
        parent: Parent::Operation(api.webhooks.len(), true),
        module: Module::Webhooks,
        words: String::new(),
    };
    // Who receives it chooses the URL; what is written here is no template of ours.
    operation.path = String::new();
    let mut lowered = one(lowering, &operation, &place);
    // The key names the kind; an operation id may follow another convention.
    lowered.name = Name::new(unused(api, name, &lowered.method));
    lowered.segments = Vec::new();
    lowered.webhook = Some(Webhook {
        path: path(api, name, &lowered),
        values: Vec::new(),
        callback,
    });
    lowered
}

/// A path by the key of a webhook, which may hold slashes as a path does. Kinds of one key share it,
/// unless they have the same method.
fn path(api: &Api, key: &str, kind: &Operation) -> String {
    let path = |name: &str| format!("/{}", name.strip_prefix('/').unwrap_or(name));
    let by_key = path(key);
    let taken = |known: &Operation| {
        let own = known.webhook.as_ref();
        known.method == kind.method && own.is_some_and(|webhook| webhook.path == by_key)
    };
    if api.webhooks.iter().any(taken) {
        path(&kind.name.wire)
    } else {
        by_key
    }
}

/// Two methods of one webhook are two kinds, and so are two addresses of one callback.
fn unused(api: &Api, name: &str, method: &str) -> String {
    let taken = |name: &str| api.webhooks.iter().any(|known| known.name.wire == name);
    if !taken(name) {
        return name.to_owned();
    }
    let by_method = format!("{name} {}", method.to_lowercase());
    if !taken(&by_method) {
        return by_method;
    }
    let numbered = |number: usize| format!("{by_method} {number}");
    (2..)
        .map(numbered)
        .find(|name| !taken(name))
        .unwrap_or(by_method)
}
