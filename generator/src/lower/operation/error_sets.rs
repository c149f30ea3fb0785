//! Errors that operations share.
//!
//! Most operations of a document have the same errors: the reusable responses of its components. A
//! type for each operation would repeat one type many times, so equal errors are one type, and the
//! error type of an operation is an alias of it. Whether errors are shared depends on the errors
//! alone, and never on the number of operations that have them.

use std::collections::HashMap;

use crate::ir::{Api, ErrorSet, Header, Module, Name, Operation, Payload, Response, TypeRef};

/// Finds the types of errors, and the operations that use each type.
pub(in crate::lower) fn share(api: &mut Api) {
    let mut sets = Vec::new();
    // Looked up only.
    let mut keys: HashMap<(bool, String), usize> = HashMap::new();
    let (mut operations, mut webhooks) = (
        std::mem::take(&mut api.operations),
        std::mem::take(&mut api.webhooks),
    );
    for (of_webhooks, operation) in (operations.iter_mut().map(|operation| (false, operation)))
        .chain(webhooks.iter_mut().map(|webhook| (true, webhook)))
    {
        if operation.errors.is_empty() || !is_shareable(api, operation) {
            continue;
        }
        let key = (of_webhooks, key(operation));
        let index = match keys.get(&key) {
            Some(index) => {
                agree(&mut sets, *index, operation);
                *index
            }
            None => {
                keys.insert(key, sets.len());
                sets.push(ErrorSet {
                    name: Name::default(),
                    content: String::new(),
                    of_webhooks,
                    responses: in_order(&operation.errors),
                    headers: by_name(&operation.error_headers),
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
    let mut headers = operation.error_headers.iter();
    shareable && headers.all(|header| is_reusable(api, &header.ty))
}

fn is_reusable(api: &Api, ty: &TypeRef) -> bool {
    match ty {
        TypeRef::Named(id) => api.type_def(*id).module == Module::Types,
        TypeRef::Primitive(_) | TypeRef::Replaced(_) => true,
        TypeRef::Boxed(inner)
        | TypeRef::Vec(inner)
        | TypeRef::Option(inner)
        | TypeRef::Map(inner)
        | TypeRef::Nullable(inner)
        | TypeRef::JsonText(inner) => is_reusable(api, inner),
        TypeRef::Tuple(items) => items.iter().all(|item| is_reusable(api, item)),
        TypeRef::Prefix(prefix) => {
            let rest = prefix.rest.iter();
            let mut parts = prefix.required.iter().chain(&prefix.optional).chain(rest);
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

fn by_name(headers: &[Header]) -> Vec<Header> {
    let mut headers = headers.to_vec();
    headers.sort_by(|header, other| header.name.wire.cmp(&other.name.wire));
    headers
}

/// Returns a text of all properties that define the type: responses with the same text are equal.
/// Descriptions and examples are excluded.
fn key(operation: &Operation) -> String {
    let responses = in_order(&operation.errors).into_iter();
    let responses =
        responses.map(|response| format!("{:?} {:?}", response.status, response.payload));
    let headers = by_name(&operation.error_headers).into_iter();
    let headers = headers.map(|header| {
        format!(
            "{} {:?} {:?} {:?}",
            header.name.wire, header.style, header.ty, header.rules
        )
    });
    responses.chain(headers).collect::<Vec<_>>().join("\n")
}

/// Removes texts that differ between the operations.
fn agree(sets: &mut [ErrorSet], index: usize, operation: &Operation) {
    let Some(set) = sets.get_mut(index) else {
        return;
    };
    for (known, other) in set.responses.iter_mut().zip(in_order(&operation.errors)) {
        if known.doc.text != other.doc.text {
            known.doc.text = None;
        }
        if known.doc.examples != other.doc.examples {
            known.doc.examples.clear();
        }
    }
    let headers = by_name(&operation.error_headers);
    for (known, other) in set.headers.iter_mut().zip(headers) {
        // Each header has a pointer of its own if it is declared in the responses.
        known.doc.pointer = known
            .doc
            .pointer
            .take()
            .filter(|pointer| Some(pointer) == other.doc.pointer.as_ref());
        if known.doc.text != other.doc.text {
            known.doc.text = None;
        }
        if known.doc.examples != other.doc.examples {
            known.doc.examples.clear();
        }
        known.doc.deprecated &= other.doc.deprecated;
    }
}
