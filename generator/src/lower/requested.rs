//! Which types keep their rules: those of what a request holds.

use std::collections::HashMap;

use crate::ir::{Api, Operation, Payload, Rule, Ruled, TypeId, TypeKind, Unknown};

use super::Openness;

/// Takes the rules of what no request holds away.
///
/// A server checks what it is sent, and a client may check what it sends. What comes out of a
/// service, a webhook too, is taken as it is.
///
/// An enum or a union that is open for values to come has its listed values alone in requests, unless the
/// document says that it is open.
pub(super) fn settle(api: &mut Api, openness: &HashMap<TypeId, Openness>) {
    for (index, def) in api.types.iter_mut().enumerate() {
        let id = TypeId(u32::try_from(index).unwrap_or(u32::MAX));
        if def.kind.is_open() && openness.get(&id) != Some(&Openness::Open) {
            def.rules.push(Rule::Known);
        }
        let keep = def.input;
        ruled(&mut def.kind, &mut |(_, rules)| {
            if !keep {
                rules.clear();
            }
        });
        if !keep {
            def.rules.clear();
        }
    }
    for operation in &mut api.operations {
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
}

/// Calls `of` with each part of a definition that may have rules.
fn ruled(kind: &mut TypeKind, of: &mut dyn FnMut(Ruled<'_>)) {
    match kind {
        TypeKind::Object(object) => {
            for field in &mut object.fields {
                of((&field.ty, &mut field.rules));
            }
            if let Unknown::Kept(_, ty) = &object.unknown {
                of((ty, &mut object.each));
            }
        }
        TypeKind::Union(union) => {
            for variant in &mut union.variants {
                of((&variant.ty, &mut variant.rules));
            }
        }
        _ => {}
    }
}
