//! Calls that go the other way: webhooks, and the callbacks of operations.
//!
//! Both are requests that the service sends and its client answers, so both are kinds of webhooks:
//! they have a payload, a receiver and a sender. They differ in where the URL comes from, which is
//! outside of what is generated.

use crate::ir::{Api, Module, Name, Operation, Parent};
use crate::model;

use super::Lowering;
use super::operations::{Place, one, stand_in};

/// A callback before it is lowered.
pub(super) struct Callback {
    /// The name of its kind.
    name: String,
    /// A sentence that says whose it is and where it is sent.
    note: String,
    operation: model::Operation,
}

/// Takes the callbacks out of an operation. A kind is named after its operation as well, so that it
/// keeps its name when another operation gets a callback of the same name.
pub(super) fn take_callbacks(operation: &mut model::Operation) -> Vec<Callback> {
    let callbacks = std::mem::take(&mut operation.callbacks);
    let owner = operation.id.clone().unwrap_or_else(|| stand_in(operation));
    let one = |(name, expression, answer): (String, String, model::Operation)| Callback {
        name: format!("{}.{name}", owner.replace([' ', '/'], "_")),
        note: format!("A callback of `{owner}`, sent to `{expression}`."),
        operation: answer,
    };
    callbacks.into_iter().map(one).collect()
}

/// Lowers every webhook and then every callback.
pub(super) fn lower(lowering: &mut Lowering<'_>, api: &mut Api, mut callbacks: Vec<Callback>) {
    for mut webhook in std::mem::take(&mut lowering.model.webhooks) {
        callbacks.extend(take_callbacks(&mut webhook.operation));
        let kind = kind(lowering, api, &webhook.name, webhook.operation);
        api.webhooks.push(kind);
    }
    for callback in callbacks {
        let mut kind = kind(lowering, api, &callback.name, callback.operation);
        kind.doc.notes.push(callback.note);
        api.webhooks.push(kind);
    }
}

fn kind(
    lowering: &mut Lowering<'_>,
    api: &Api,
    name: &str,
    mut operation: model::Operation,
) -> Operation {
    let place = Place {
        parent: Parent::Operation(api.webhooks.len(), true),
        module: Module::Webhooks,
    };
    // Who receives it chooses the URL; what is written here is no template of ours.
    operation.path = String::new();
    let mut lowered = one(lowering, &operation, &place);
    // The key names the kind; an operation id may follow another convention.
    lowered.name = Name::new(unused(api, name, &lowered.method));
    lowered.segments = Vec::new();
    lowered
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
