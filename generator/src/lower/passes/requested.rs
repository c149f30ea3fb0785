//! Types with validation rules: the types of requests, and on request those of responses.

use std::collections::HashMap;

use crate::ir::{Api, Operation, Payload, Rule, Ruled, TypeId, TypeKind, Unknown};

use crate::lower::Openness;

/// Which rules stay beside those of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum KeptRules {
    /// None.
    #[default]
    Requests,
    /// Those of responses, for checks of responses.
    Responses,
    /// All, for a comparison.
    All,
}

/// Removes the rules of types that no request contains.
///
/// A server validates requests, and a client may validate the requests that it sends. Output of a
/// service, including webhooks, is not validated, except for responses if that is asked for.
///
/// An enum or a union that is open for future values accepts only its listed values in requests,
/// unless the document declares it as open.
pub(in crate::lower) fn select_rules(
    api: &mut Api,
    openness: &HashMap<TypeId, Openness>,
    kept: KeptRules,
) {
    let of_responses = kept == KeptRules::Responses;
    for (index, def) in api.types.iter_mut().enumerate() {
        let id = TypeId(u32::try_from(index).unwrap_or(u32::MAX));
        let known = (def.input || of_responses) && openness.get(&id) != Some(&Openness::Open);
        if known && def.kind.is_open() {
            def.rules.push(Rule::Known);
        }
        let keep = def.input || kept != KeptRules::Requests;
        ruled(&mut def.kind, &mut |(_, rules)| {
            if !keep {
                rules.clear();
            }
        });
        if !keep {
            def.rules.clear();
        }
    }
    if kept == KeptRules::All {
        return;
    }
    for operation in api.operations.iter_mut().filter(|_| !of_responses) {
        clear_responses(operation);
    }
    for webhook in &mut api.webhooks {
        webhook
            .params
            .iter_mut()
            .for_each(|param| param.rules.clear());
        let body = webhook.body.iter_mut();
        body.flat_map(|body| body.payload.media_mut())
            .for_each(|media| media.rules.clear());
        clear_responses(webhook);
    }
}

fn clear_responses(operation: &mut Operation) {
    let responses = operation.successes.iter_mut().chain(&mut operation.errors);
    let payloads = responses.filter_map(|response| response.payload.as_mut());
    payloads
        .flat_map(Payload::media_mut)
        .for_each(|media| media.rules.clear());
    let headers = operation.success_headers.iter_mut();
    headers
        .chain(&mut operation.error_headers)
        .for_each(|header| header.rules.clear());
}

/// Calls `visit` with each part of a definition that may have rules.
fn ruled(kind: &mut TypeKind, visit: &mut dyn FnMut(Ruled<'_>)) {
    match kind {
        TypeKind::Object(object) => {
            for field in &mut object.fields {
                visit((&field.ty, &mut field.rules));
            }
            if let Unknown::Kept(_, ty) = &object.unknown {
                visit((ty, &mut object.each));
            }
        }
        TypeKind::Union(union) => {
            for variant in &mut union.variants {
                visit((&variant.ty, &mut variant.rules));
            }
        }
        _ => {}
    }
}
