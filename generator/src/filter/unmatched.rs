//! Selectors that select nothing, and the selectors that were possibly meant.

use super::Selector;
use crate::ir::{Api, Operation};
use crate::resolve::nearest;

/// Returns whether a selector selects an operation, a webhook or a schema.
pub(super) fn selects_something(selector: &Selector, api: &Api) -> bool {
    // An API without deprecated operations may get some.
    *selector == Selector::Deprecated
        || api
            .operations
            .iter()
            .any(|operation| selector.selects(operation))
        || api
            .webhooks
            .iter()
            .any(|webhook| selector.selects_webhook(webhook))
        || schemas(api).any(|name| selector.selects_schema(name))
}

/// Returns the message for a selector that selects nothing, and the help.
pub(super) fn describe(selector: &Selector, api: &Api) -> (String, String) {
    let message = format!("the selector `{selector}` matches nothing in the document");
    let (name, list, candidates) = candidates(selector, api);
    let near = nearest(&name, candidates.iter().map(String::as_str));
    let meant = near.and_then(|near| {
        let index = candidates.iter().position(|candidate| candidate == near)?;
        selectors(selector, api).into_iter().nth(index)
    });
    let meant = meant.or_else(|| of_another_kind(selector, api));
    let help = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("`bothends list {list}` prints the selectors of the document"),
    };
    (message, help)
}

/// Returns the name in a selector, what `bothends list` lists, and the names of the same kind.
fn candidates(selector: &Selector, api: &Api) -> (String, &'static str, Vec<String>) {
    let names = selectors(selector, api)
        .into_iter()
        .map(|selector| name(&selector));
    let list = match selector {
        Selector::Tag(_) => "tags",
        Selector::Schema(_) => "schemas",
        _ => "operations",
    };
    (name(selector), list, names.collect())
}

fn name(selector: &Selector) -> String {
    match selector {
        Selector::Tag(name)
        | Selector::Path(name)
        | Selector::Id(name)
        | Selector::Webhook(name)
        | Selector::Schema(name) => name.clone(),
        Selector::Call(..) | Selector::Deprecated => selector.to_string(),
    }
}

/// Returns all selectors of the same kind.
fn selectors(selector: &Selector, api: &Api) -> Vec<Selector> {
    let all = || api.operations.iter().chain(&api.webhooks);
    let call =
        |operation: &Operation| Selector::Call(operation.method.clone(), operation.path.clone());
    let mut list: Vec<Selector> = match selector {
        Selector::Tag(_) => {
            let tags = all().flat_map(|each| each.tags.clone());
            tags.map(Selector::Tag).collect()
        }
        Selector::Call(..) => api.operations.iter().map(call).collect(),
        Selector::Path(_) => {
            let paths = api
                .operations
                .iter()
                .map(|operation| operation.path.clone());
            paths.map(Selector::Path).collect()
        }
        Selector::Id(_) => {
            let names = api
                .operations
                .iter()
                .map(|operation| operation.name.wire.clone());
            names.map(Selector::Id).collect()
        }
        Selector::Webhook(_) => {
            let names = api.webhooks.iter().map(|webhook| webhook.name.wire.clone());
            names.map(Selector::Webhook).collect()
        }
        Selector::Schema(_) => schemas(api)
            .map(|name| Selector::Schema(name.to_owned()))
            .collect(),
        Selector::Deprecated => Vec::new(),
    };
    list.dedup();
    list
}

/// Returns the selector of another kind with the same name.
fn of_another_kind(selector: &Selector, api: &Api) -> Option<Selector> {
    let name = name(selector);
    let kinds = [
        Selector::Tag(name.clone()),
        Selector::Schema(name.clone()),
        Selector::Webhook(name.clone()),
        Selector::Id(name),
    ];
    kinds.into_iter().find(|kind| selects_something(kind, api))
}

/// Returns the names of the reusable schemas.
pub(super) fn schemas(api: &Api) -> impl Iterator<Item = &str> {
    let schemas = api.types.iter().filter(|def| def.is_reusable_schema());
    schemas.map(|def| def.name.wire.as_str())
}
