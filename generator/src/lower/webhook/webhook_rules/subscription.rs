//! `subscription`: the attributes of a subscription, its states, and the permissions to subscribe.

use crate::ir::SubscriptionRules;
use crate::model::Model;
use crate::resolve::nearest;

use super::part::{Part, Reader};

/// The maximum length of a token that a document may request, in characters.
const LONGEST: u32 = 4096;

const ATTRIBUTES: &[&str] = &[
    "url",
    "events",
    "additional-headers",
    "signing-token",
    "active",
];

/// Reads the part.
pub(super) fn read(reader: &mut Reader<'_>, part: &Part<'_>, model: &Model) -> SubscriptionRules {
    reader.known(part, &["attributes", "transitions", "products"]);
    let mut rules = SubscriptionRules::default();
    if let Some(attributes) = reader.part(part, "attributes") {
        self::attributes(reader, &attributes, &mut rules);
    }
    for (index, item) in reader
        .list(part, "transitions")
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        let origin = part.origin.child("transitions").item(index);
        let item = reader.item(item, origin);
        rules
            .transitions
            .extend(item.and_then(|item| transition(reader, &item)));
    }
    if let Some(products) = reader.part(part, "products") {
        rules.products = self::products(reader, &products, model);
    }
    rules
}

fn attributes(reader: &mut Reader<'_>, part: &Part<'_>, rules: &mut SubscriptionRules) {
    reader.known(part, ATTRIBUTES);
    for name in ATTRIBUTES {
        let Some(attribute) = reader.part(part, name) else {
            continue;
        };
        let own = match *name {
            "url" => "reachable",
            "signing-token" => "longer-than",
            "active" => "default",
            _ => "required",
        };
        reader.known(&attribute, &["required", own]);
        // An attribute without a declared `required` is optional.
        if reader.flag(&attribute, "required") == Some(true) {
            rules.required.push((*name).to_owned());
        } else {
            rules.optional.push((*name).to_owned());
        }
        match *name {
            "url" => {
                let word = reader.word(&attribute, "reachable", &["publicly"]);
                rules.public_url = word.is_some();
            }
            "signing-token" => {
                rules.token_longer_than = reader.whole(&attribute, "longer-than", LONGEST);
            }
            "active" => rules.active = reader.flag(&attribute, "default"),
            _ => {}
        }
    }
}

fn transition(
    reader: &mut Reader<'_>,
    part: &Part<'_>,
) -> Option<(Option<String>, String, String)> {
    reader.known(part, &["from", "trigger", "to"]);
    let from = reader.text(part, "from");
    let [trigger, to] = ["trigger", "to"].map(|key| {
        if part.value(key).is_none() {
            reader.wrong(
                part.origin.clone(),
                format!("missing `{key}` of a transition"),
            );
        }
        reader.text(part, key)
    });
    Some((from, trigger?, to?))
}

fn products(reader: &mut Reader<'_>, part: &Part<'_>, model: &Model) -> Vec<(String, Vec<String>)> {
    let mut products = Vec::new();
    for (product, _) in part.entries() {
        let Some(kinds) = reader.texts(part, product) else {
            continue;
        };
        for (index, kind) in kinds.iter().enumerate() {
            let mut names = model.webhooks.iter().map(|webhook| webhook.name.as_str());
            if names.any(|name| name == kind) {
                continue;
            }
            let names = model.webhooks.iter().map(|webhook| webhook.name.as_str());
            let near = nearest(kind, names).map(|near| format!(", did you mean `{near}`?"));
            let message = format!("unknown webhook `{kind}`{}", near.unwrap_or_default());
            reader.wrong(part.origin.child(product).item(index), message);
        }
        products.push((product.clone(), kinds));
    }
    products
}
