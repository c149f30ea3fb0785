//! Unused extension keys of this generator: misspelled, in the wrong place, or with a value of the
//! wrong kind.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::Codec;
use crate::model::{Extensions, MediaType, Model};
use crate::position::Origin;
use crate::resolve::nearest;
use crate::source::Value;
use crate::vocabulary::{STREAM, STREAM_END};

use crate::lower::links::pages;
use crate::lower::operation::{events, streams};

const PREFIX: &str = "x-bothends-";

/// All keys and their places, as listed on the page `reference/extensions` of the guide.
const KEYS: &[(&str, Place)] = &[
    ("x-bothends-extensible", Place::Schema),
    ("x-bothends-rejections", Place::Root),
    ("x-bothends-name", Place::Schema),
    (pages::PAGES, Place::Operation),
    ("x-bothends-role", Place::Schema),
    ("x-bothends-security", Place::Operation),
    (STREAM, Place::Content),
    (STREAM_END, Place::Events),
    ("x-bothends-task", Place::Operation),
    ("x-bothends-token", Place::Scheme),
    ("x-bothends-webhooks", Place::Root),
];

/// The keys of extensions whose value is an object. The keys of `x-bothends-webhooks` are checked
/// by its reader.
const INSIDE: &[(&str, &[&str])] = &[
    (
        pages::PAGES,
        &[
            "next", "next-url", "page", "offset", "items", "limit", "has-more", "pages",
        ],
    ),
    (
        "x-bothends-task",
        &[
            "status",
            "parameter",
            "terminal",
            "id",
            "status-at",
            "failed",
            "failed-at",
            "webhooks",
            "result",
            "cancel",
        ],
    ),
    (
        "x-bothends-token",
        &[
            "envelope",
            "obtain",
            "refresh",
            "code",
            "non-refreshable-codes",
        ],
    ),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Schema,
    Operation,
    Scheme,
    /// Server-sent events of a response.
    Events,
    /// Any other body.
    Content,
}

impl Place {
    fn words(self) -> &'static str {
        match self {
            Self::Root => "at the root of the document",
            Self::Schema => "at a schema",
            Self::Operation => "at an operation",
            Self::Scheme => "at a security scheme of type `oauth2`",
            Self::Events => "at `text/event-stream` of a response",
            Self::Content => "at a media type",
        }
    }
}

/// Reports unused keys.
pub(in crate::lower) fn check(model: &Model, diagnostics: &mut Diagnostics) {
    let mut check = |place, origin: &Origin, extensions: &Extensions| {
        for (key, value) in extensions.iter().filter(|(key, _)| key.starts_with(PREFIX)) {
            if let Some((message, help)) = fault(place, key, value) {
                diagnostics
                    .report(codes::EXTENSION_NOT_READ, &origin.child(key), message)
                    .help(help);
                continue;
            }
            for (inner, help) in unread_inside(key, value) {
                let origin = origin.child(key).child(inner);
                let message = format!("unknown key `{inner}`");
                diagnostics
                    .report(codes::EXTENSION_NOT_READ, &origin, message)
                    .help(help);
            }
        }
    };
    check(Place::Root, &Origin::default(), &model.extensions);
    for operation in &model.operations {
        check(Place::Operation, &operation.origin, &operation.extensions);
    }
    for (place, content) in contents(model) {
        check(place, &content.origin, &content.extensions);
    }
    for schema in &model.schemas {
        check(Place::Schema, &schema.origin, &schema.extensions);
    }
    for (_, scheme) in &model.security_schemes {
        check(Place::Scheme, &scheme.origin, &scheme.extensions);
    }
}

/// Returns the bodies of all operations, without duplicates.
fn contents(model: &Model) -> Vec<(Place, &MediaType)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for operation in &model.operations {
        let sent = operation.body.iter().flat_map(|body| &body.content);
        found.extend(sent.map(|content| (Place::Content, content)));
        for content in operation
            .responses
            .iter()
            .flat_map(|response| &response.content)
        {
            let events = streams::stated(content) == Codec::Events;
            let place = if events {
                Place::Events
            } else {
                Place::Content
            };
            found.push((place, content));
        }
    }
    found.retain(|(_, content)| seen.insert(&content.origin));
    found
}

/// Returns the unused keys inside an object, each with a suggestion.
fn unread_inside<'a>(key: &str, value: &'a Value) -> Vec<(&'a str, String)> {
    let known = INSIDE.iter().find(|(outer, _)| *outer == key);
    let (Some((_, known)), Value::Object(entries)) = (known, value) else {
        return Vec::new();
    };
    let unread = entries.keys().map(String::as_str);
    let unread = unread.filter(|inner| !known.contains(inner));
    let with_help = unread.map(|inner| {
        let near = nearest(inner, known.iter().copied());
        let help = near.map_or_else(
            || format!("write one of `{}`", known.join("`, `")),
            |near| format!("did you mean `{near}`?"),
        );
        (inner, help)
    });
    with_help.collect()
}

/// Returns the problem of a key, and a suggestion.
fn fault(place: Place, key: &str, value: &Value) -> Option<(String, String)> {
    let known = KEYS.iter().find(|(known, _)| *known == key);
    let Some((_, meant)) = known else {
        let help = nearest(key, KEYS.iter().map(|(known, _)| *known)).map_or_else(
            || "the page `reference/extensions` of the guide lists every key".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        return Some((format!("unknown key `{key}`"), help));
    };
    // Events are a kind of content.
    let is_content = *meant == Place::Content && place == Place::Events;
    if *meant != place && !is_content {
        let help = format!("its place is {}", meant.words());
        return Some((format!("misplaced key `{key}`"), help));
    }
    let kind = match (key, value) {
        ("x-bothends-extensible", Value::Bool(_)) => return None,
        ("x-bothends-extensible", _) => "`true` or `false`",
        ("x-bothends-name", Value::String(_)) => return None,
        ("x-bothends-name", _) => "the name of a Rust type",
        ("x-bothends-role", Value::String(role)) if role == "error-code" => return None,
        ("x-bothends-role", _) => "`error-code`",
        (STREAM, value) if streams::format(value).is_some() => return None,
        (STREAM, _) => "`lines`, `sequence` or `events`",
        (STREAM_END, Value::Bool(false)) => return None,
        (STREAM_END, Value::String(end)) if events::is_end(end) => return None,
        (STREAM_END, _) => "a text of one line or `false`",
        ("x-bothends-rejections", Value::Object(_)) => return None,
        ("x-bothends-rejections", _) => "an object of responses by kind of rejection",
        // The readers of the other keys report all problems.
        _ => return None,
    };
    Some((
        format!("expected {kind} for `{key}`"),
        format!("write {kind}"),
    ))
}
