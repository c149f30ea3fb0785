//! Operations that look as if they returned a list in pages, which the document does not describe.

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{Api, Operation, Payload, Place};
use crate::position::Origin;

/// Usual names of parameters for a cursor, without case and signs.
const CURSORS: [&str; 9] = [
    "cursor",
    "pagetoken",
    "nexttoken",
    "continuationtoken",
    "startingafter",
    "after",
    "marker",
    "pagecursor",
    "nextcursor",
];

/// Usual names of properties with the next cursor, without case and signs.
const NEXT: [&str; 9] = [
    "nextcursor",
    "nextpagetoken",
    "nexttoken",
    "nextpage",
    "next",
    "continuationtoken",
    "nextmarker",
    "endcursor",
    "cursor",
];

/// Reports such operations, each with the action of an overlay that describes its pages.
pub(crate) fn report(api: &Api, diagnostics: &mut Diagnostics) {
    for operation in &api.operations {
        let Some(pages) = probable(api, operation) else {
            continue;
        };
        let message = format!(
            "`{}` looks like a list in pages, which the document does not describe",
            operation.name.wire
        );
        let path = operation.path.replace('\'', "\\'");
        let method = operation.method.to_ascii_lowercase();
        let target = format!("$['paths']['{path}']['{method}']");
        let target = serde_json::Value::from(target);
        let origin: &Origin = &operation.origin;
        diagnostics
            .report(codes::PAGES_UNSTATED, origin, message)
            .help(format!(
                "if it is, add to an overlay: {{ target: {target}, update: {{ x-bothends-pages: {pages} }} }}"
            ));
    }
}

/// Returns the value of `x-bothends-pages` that an operation probably needs.
fn probable(api: &Api, operation: &Operation) -> Option<String> {
    let [success] = operation.successes.as_slice() else {
        return None;
    };
    let Some(Payload::One(media)) = &success.payload else {
        return None;
    };
    if operation.pages.is_some() || operation.method != "GET" {
        return None;
    }
    let param = |names: &[&str]| {
        let mut params = operation.params.iter();
        let found = params.find(|param| {
            param.place == Place::Query && names.contains(&&*plain(&param.name.wire))
        });
        found.map(|param| serde_json::Value::from(param.name.wire.as_str()))
    };
    let list = super::items::only(api, &media.ty);
    let fields = api
        .object_of(&media.ty)
        .map_or(&[][..], |object| &object.fields);
    let next = fields
        .iter()
        .find(|field| NEXT.contains(&&*plain(&field.name.wire)));
    if let (Some(cursor), Some(next), Some(_)) = (param(&CURSORS), next, &list) {
        let name = next.name.wire.replace('~', "~0").replace('/', "~1");
        let next = serde_json::Value::from(format!("$response.body#/{name}"));
        return Some(format!("{{ next: {{ {cursor}: {next} }} }}"));
    }
    list?;
    for (key, names) in [
        ("page", &["page", "pagenumber", "pageindex"][..]),
        ("offset", &["offset", "skip"]),
    ] {
        if let Some(name) = param(names) {
            let limit = param(&["limit", "pagesize", "perpage", "size", "count", "top"]);
            let limit = limit.map_or_else(String::new, |limit| format!(", limit: {limit}"));
            return Some(format!("{{ {key}: {name}{limit} }}"));
        }
    }
    None
}

/// Returns a name in lower case and without signs.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}
