//! Requests in the other direction: webhooks, and the callbacks of operations.
//!
//! The service sends both, and its client responds, so both are kinds of webhooks: they have a
//! payload, a receiver and a sender. They differ in the source of the URL: the URL of a callback is
//! in the call of its operation, and the URL of a webhook is outside of the API.

use crate::diagnostic::codes;
use crate::ir::{self, Api, Module, Name, Operation, Parent, Webhook};
use crate::model;

use crate::lower::Lowering;
use crate::lower::links::expression;
use crate::lower::operation::{lower_operation, stand_in};
use crate::lower::schema::place::{Place, Whole};

/// A callback before it is lowered.
pub(in crate::lower) struct Callback {
    /// The name of its kind.
    name: String,
    /// A sentence with its operation and its URL.
    note: String,
    /// The URL, as written in the document.
    url: String,
    /// The index of the operation whose calls contain the URL; `None` for a callback of a webhook.
    owner: Option<usize>,
    operation: model::Operation,
}

/// Takes the callbacks out of an operation. The name of a kind includes the operation, so that it
/// does not change when another operation gets a callback of the same name.
pub(in crate::lower) fn take_callbacks(
    operation: &mut model::Operation,
    owner: Option<usize>,
) -> Vec<Callback> {
    let callbacks = std::mem::take(&mut operation.callbacks);
    let id = operation.id.clone().unwrap_or_else(|| stand_in(operation));
    let callback_of = |(name, url, operation): (String, String, model::Operation)| Callback {
        name: format!("{}.{name}", id.replace([' ', '/'], "_")),
        note: format!("A callback of `{id}`, sent to `{url}`."),
        url,
        owner,
        operation,
    };
    callbacks.into_iter().map(callback_of).collect()
}

/// Lowers every webhook and then every callback.
pub(in crate::lower) fn lower(
    lowering: &mut Lowering<'_>,
    api: &mut Api,
    mut callbacks: Vec<Callback>,
) {
    for mut webhook in std::mem::take(&mut lowering.document.model.webhooks) {
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

/// Returns the URL of a callback, if it can be evaluated.
fn sent_to(lowering: &mut Lowering<'_>, callback: &Callback) -> Option<ir::Callback> {
    let operation = callback.owner?;
    match expression::url(&callback.url) {
        Ok(url) => Some(ir::Callback { operation, url }),
        Err(why) => {
            let message = format!("invalid URL of a callback, `{}`: {why}", callback.url);
            let origin = &callback.operation.origin;
            let report = lowering
                .document
                .diagnostics
                .report(codes::CALLBACK_URL, origin, message);
            report
                .help("valid URLs are `{$request.body#/url}` and `https://example.com/{$request.path.id}`");
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
    let place = match &operation.reusable {
        Some(name) => Place::callback(name),
        None => Place {
            parent: Parent::Operation(api.webhooks.len(), true),
            module: Module::Webhooks,
            words: String::new(),
            whole: Whole::Webhook,
        },
    };
    // The receiver chooses the URL; the text in the document is not a path template of the API.
    operation.path = String::new();
    let mut lowered = lower_operation(lowering, &operation, &place);
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

/// Returns a path made of the key of a webhook, which may contain slashes like a path. Kinds with
/// the same key share the path, unless they have the same method.
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

/// Returns an unused name: two methods of one webhook are two kinds, and so are two URLs of one
/// callback.
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
