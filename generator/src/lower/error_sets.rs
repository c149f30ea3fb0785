//! Errors that operations share.
//!
//! Most operations of a document have the same errors: the reusable responses of its components. A
//! type for each operation would repeat one type many times, so equal errors are one type, and the
//! error type of an operation is an alias of it. Whether errors are shared depends on the errors
//! alone, and never on the number of operations that have them.

use crate::ir::{Api, ErrorSet, Module, Name, Operation, Payload, Response, TypeRef};

/// Finds the types of errors, and the operations that use each type.
pub(super) fn settle(api: &mut Api) {
    let mut sets = Vec::new();
    let mut keys: Vec<(bool, String)> = Vec::new();
    let (mut operations, mut webhooks) = (
        std::mem::take(&mut api.operations),
        std::mem::take(&mut api.webhooks),
    );
    for (of_webhooks, operation) in (operations.iter_mut().map(|of| (false, of)))
        .chain(webhooks.iter_mut().map(|of| (true, of)))
    {
        if operation.errors.is_empty() || !is_shareable(api, operation) {
            continue;
        }
        let key = (of_webhooks, key(&operation.errors));
        let index = match keys.iter().position(|known| *known == key) {
            Some(index) => {
                agree(&mut sets, index, &operation.errors);
                index
            }
            None => {
                keys.push(key);
                sets.push(ErrorSet {
                    name: Name::default(),
                    of_webhooks,
                    responses: in_order(&operation.errors),
                });
                sets.len() - 1
            }
        };
        operation.error_set = Some(index);
    }
    api.operations = operations;
    api.webhooks = webhooks;
    api.error_sets = sets;
}

/// Returns whether all parts of the errors belong to the document, and not to one operation.
fn is_shareable(api: &Api, operation: &Operation) -> bool {
    let mut shareable = true;
    for response in &operation.errors {
        shareable &= response.name.wanted.is_none();
        if let Some(Payload::Many(content, _)) = &response.payload {
            shareable &= content.shared.is_some();
        }
        response.parts(&mut |ty| shareable &= is_reusable(api, ty));
    }
    shareable
}

fn is_reusable(api: &Api, ty: &TypeRef) -> bool {
    match ty {
        TypeRef::Named(id) => api.type_def(*id).module == Module::Types,
        TypeRef::Primitive(_) => true,
        TypeRef::Boxed(of)
        | TypeRef::Vec(of)
        | TypeRef::Option(of)
        | TypeRef::Map(of)
        | TypeRef::Nullable(of)
        | TypeRef::JsonText(of) => is_reusable(api, of),
        TypeRef::Tuple(items) => items.iter().all(|item| is_reusable(api, item)),
        TypeRef::Prefix(of) => {
            let rest = of.rest.iter();
            let mut parts = of.required.iter().chain(&of.optional).chain(rest);
            parts.all(|part| is_reusable(api, part))
        }
    }
}

/// Returns the errors in the order of statuses. Documents list the same errors in different orders.
fn in_order(responses: &[Response]) -> Vec<Response> {
    let mut responses = responses.to_vec();
    responses.sort_by_key(|response| response.status);
    responses
}

/// Returns a text of all properties that define the type: responses with the same text are equal.
/// Descriptions and examples are excluded.
fn key(responses: &[Response]) -> String {
    let parts = in_order(responses).into_iter().map(|response| {
        let headers = response.headers.iter();
        let headers: Vec<_> = headers
            .map(|of| (&of.name.wire, &of.style, &of.ty, of.optional))
            .collect();
        format!("{:?} {headers:?} {:?}", response.status, response.payload)
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// Removes texts that differ between the operations.
fn agree(sets: &mut [ErrorSet], index: usize, errors: &[Response]) {
    let Some(set) = sets.get_mut(index) else {
        return;
    };
    for (known, other) in set.responses.iter_mut().zip(in_order(errors)) {
        if known.doc.text != other.doc.text {
            known.doc.text = None;
        }
        if known.doc.examples != other.doc.examples {
            known.doc.examples.clear();
        }
        for (known, other) in known.headers.iter_mut().zip(other.headers) {
            if known.doc != other.doc {
                known.doc = crate::ir::Doc::default();
            }
        }
    }
}
