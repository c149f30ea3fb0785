//! Rules for all webhooks of the document: `x-bothends-webhooks`.
//!
//! Every key is used or reported: by `E0310` if its value is invalid, by `W0315` if the key is
//! unknown.

mod delivery;
mod part;
mod signing;
mod subscription;

use crate::diagnostic::Diagnostics;
use crate::ir::WebhookRules;
use crate::model::Model;
use crate::position::Origin;

use part::{Part, Reader};

const KEY: &str = "x-bothends-webhooks";

/// Reads the extension of the root.
pub(in crate::lower) fn lower(model: &Model, diagnostics: &mut Diagnostics) -> WebhookRules {
    let mut rules = WebhookRules::default();
    let stated = model.extensions.iter().find(|(name, _)| name == KEY);
    let Some((_, stated)) = stated else {
        return rules;
    };
    let mut reader = Reader { diagnostics };
    let Some(root) = reader.root(stated, Origin::default().child(KEY)) else {
        return rules;
    };
    reader.known(&root, &["subscription", "signing", "delivery"]);
    if let Some(part) = reader.part(&root, "delivery") {
        rules.delivery = delivery::read(&mut reader, &part, model);
    }
    if let Some(part) = reader.part(&root, "signing") {
        rules.signing = Some(signing::read(&mut reader, &part));
    }
    if let Some(part) = reader.part(&root, "subscription") {
        rules.subscription = subscription::read(&mut reader, &part, model);
    }
    one_length(&mut reader, &root, &mut rules);
    rules
}

/// Sets the length of a signing token in both of its possible places, and reports different values.
fn one_length(reader: &mut Reader<'_>, root: &Part<'_>, rules: &mut WebhookRules) {
    let token = rules
        .signing
        .as_mut()
        .and_then(|signing| signing.token.as_mut());
    let Some(token) = token else { return };
    let subscription = &mut rules.subscription.token_longer_than;
    match (token.longer_than, *subscription) {
        (Some(length), Some(other)) if length != other => reader.wrong(
            root.origin.child("signing").child("token").child("token-longer-than"),
            format!("`token-longer-than` is {length} here and `longer-than` of the attribute `signing-token` is {other}"),
        ),
        (Some(length), None) => *subscription = Some(length),
        (None, Some(length)) => token.longer_than = Some(length),
        _ => {}
    }
}
