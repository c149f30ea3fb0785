//! The parts of a document that do not become code: keywords that are not checked, and XML.
//!
//! They are read only for a comparison of two documents, which reports their changes.

use std::collections::{BTreeSet, HashSet};

use crate::ir::{Holder, Uncompared};
use crate::model::{MediaType, Model, Operation};
use crate::position::Origin;
use crate::resolve::{Node, Resolver};
use crate::source::{Tree, Value};
use crate::vocabulary::{essence, is_json};

use super::conditions::only_requires;

/// The maximum depth of a value as text. What is deeper counts as equal.
const DEEPEST: usize = 12;
/// The maximum number of bytes of a value as text.
const LONGEST: usize = 20_000;

/// Keywords that are not checked and only exclude values. Those of one row have a meaning together:
/// the first one is required.
const EXCLUDING: [&[&str]; 6] = [
    &["if", "then", "else"],
    &["not"],
    &["contains", "minContains", "maxContains"],
    &["dependentSchemas"],
    &["dependencies"],
    &["unevaluatedItems"],
];

/// Keywords that do not exclude values and say what a text or an element of XML is.
const DESCRIBING: [&str; 3] = ["contentSchema", "contentMediaType", "contentEncoding"];

/// The keys whose values are not part of the meaning of a schema.
const TEXTS: [&str; 6] = [
    "description",
    "title",
    "example",
    "examples",
    "$comment",
    "deprecated",
];

/// Returns the parts of a document that do not become code.
pub(crate) fn uncompared(tree: &Tree, model: &Model) -> Vec<Uncompared> {
    let resolver = Resolver::new(tree);
    let operations: Vec<&Operation> = operations(model);
    let origins: HashSet<&Origin> = operations.iter().map(|of| &of.origin).collect();
    let media: Vec<(Holder, &MediaType)> = operations.iter().flat_map(|of| bodies(of)).collect();
    let has_xml = media.iter().any(|(_, media)| is_xml(&media.name));
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for schema in &model.schemas {
        let origin = &schema.origin;
        let Some(node) = resolver.at(origin).filter(|_| seen.insert(origin)) else {
            continue;
        };
        if is_within_keyword(origin) {
            continue;
        }
        for (name, value, excludes) in keywords(&resolver, &node, has_xml) {
            let holder = holder(origin, &origins);
            let origin = origin.clone();
            found.push(Uncompared {
                origin,
                holder,
                name,
                value,
                excludes,
            });
        }
    }
    for (holder, media) in media.into_iter().filter(|(_, media)| is_xml(&media.name)) {
        let Some(node) = resolver.at(&media.origin) else {
            continue;
        };
        let name = media.name.clone();
        let schema = node.get("schema");
        let value = schema.map_or_else(String::new, |schema| text(&resolver, &schema));
        let origin = media.origin.clone();
        found.push(Uncompared {
            origin,
            holder,
            name,
            value,
            excludes: false,
        });
    }
    found
}

/// Returns the operations, webhooks and callbacks.
fn operations(model: &Model) -> Vec<&Operation> {
    let webhooks = model.webhooks.iter().map(|webhook| &webhook.operation);
    let first: Vec<&Operation> = model.operations.iter().chain(webhooks).collect();
    let callbacks = first.iter().flat_map(|of| &of.callbacks);
    let callbacks: Vec<&Operation> = callbacks.map(|(_, _, operation)| operation).collect();
    first.into_iter().chain(callbacks).collect()
}

/// Returns the media types of the messages of an operation.
fn bodies(operation: &Operation) -> Vec<(Holder, &MediaType)> {
    let holder = |response| Holder::Operation(operation.origin.clone(), response);
    let requests = operation.body.iter().flat_map(|body| &body.content);
    let responses = operation.responses.iter().flat_map(|of| &of.content);
    let requests = requests.map(|media| (holder(false), media));
    requests
        .chain(responses.map(|media| (holder(true), media)))
        .collect()
}

fn is_xml(media: &str) -> bool {
    essence(media).ends_with("xml")
}

/// Returns whether a schema is inside of a keyword whose value is compared as a whole.
fn is_within_keyword(origin: &Origin) -> bool {
    let names = |name: &String| {
        matches!(
            name.as_str(),
            "properties" | "patternProperties" | "schemas"
        )
    };
    let segments: Vec<String> = origin.pointer.segments().collect();
    let mut at = segments.iter().enumerate();
    at.any(|(index, segment)| {
        let is_name = index > 0 && segments.get(index - 1).is_some_and(names);
        !is_name && EXCLUDING.iter().any(|of| of.contains(&segment.as_str()))
    })
}

/// Returns the keywords of a schema that are not checked: name, value, and whether the keyword only
/// excludes values.
fn keywords(
    resolver: &Resolver<'_>,
    node: &Node<'_>,
    has_xml: bool,
) -> Vec<(String, String, bool)> {
    let mut found = Vec::new();
    for row in EXCLUDING {
        let [first, others @ ..] = row else { continue };
        let Some(value) = node.get(first).filter(|value| !only_requires(first, value)) else {
            continue;
        };
        let others: Vec<Node<'_>> = others.iter().filter_map(|key| node.get(key)).collect();
        let is_idle = match *first {
            "if" => others.is_empty(),
            "contains" => {
                let zero =
                    |of: &Node<'_>| of.value.as_number().and_then(|of| of.as_integer()) == Some(0);
                node.get("minContains").is_some_and(|of| zero(&of))
                    && node.get("maxContains").is_none()
            }
            _ => false,
        };
        if !is_idle {
            let all = std::iter::once(value).chain(others);
            let named = all.map(|of| {
                let key = of.pointer.last().unwrap_or_default();
                format!("{key}: {}", text(resolver, &of))
            });
            found.push((
                (*first).to_owned(),
                named.collect::<Vec<_>>().join(", "),
                true,
            ));
        }
    }
    let names = node.get("propertyNames");
    let choice = names.filter(|names| {
        ["oneOf", "anyOf"]
            .iter()
            .any(|key| names.get(key).is_some())
    });
    found.extend(choice.map(|names| ("propertyNames".to_owned(), text(resolver, &names), true)));
    // The types of a closed object show its patterns.
    let closed = node.get("additionalProperties");
    let is_closed = closed.is_some_and(|of| of.value.as_bool() == Some(false));
    let patterns = node.get("patternProperties").filter(|_| !is_closed);
    found.extend(patterns.map(|of| ("patternProperties".to_owned(), text(resolver, &of), true)));
    for key in DESCRIBING {
        let value = node
            .get(key)
            .filter(|value| !becomes_a_type(node, key, value.value));
        found.extend(value.map(|value| (key.to_owned(), text(resolver, &value), false)));
    }
    let xml = node.get("xml").filter(|_| has_xml);
    found.extend(xml.map(|value| ("xml".to_owned(), text(resolver, &value), false)));
    found
}

/// Returns whether a keyword about the content of a text selects the type of the text.
fn becomes_a_type(node: &Node<'_>, key: &str, value: &Value) -> bool {
    let media = node.get("contentMediaType");
    let media = media.as_ref().and_then(|media| media.value.as_str());
    match key {
        "contentEncoding" => matches!(value.as_str(), Some("base64" | "base64url" | "binary")),
        _ => media.is_some_and(|media| is_json(media) || media == "application/octet-stream"),
    }
}

/// Returns what contains a schema.
fn holder(origin: &Origin, operations: &HashSet<&Origin>) -> Holder {
    let segments: Vec<String> = origin.pointer.segments().collect();
    match segments.as_slice() {
        [components, schemas, name, ..] if components == "components" && schemas == "schemas" => {
            return Holder::Schema(name.clone());
        }
        [definitions, name, ..] if definitions == "definitions" => {
            return Holder::Schema(name.clone());
        }
        _ => {}
    }
    let mut at = origin.clone();
    for below in segments.iter().rev() {
        at = at.parent();
        if operations.contains(&at) {
            return Holder::Operation(at, below == "responses");
        }
    }
    let start: Vec<&str> = segments.iter().take(3).map(String::as_str).collect();
    Holder::Other(start.join("/"))
}

/// Returns a value as JSON without texts, with sorted keys, and references replaced by their targets.
fn text(resolver: &Resolver<'_>, node: &Node<'_>) -> String {
    let mut out = String::new();
    write(resolver, node, DEEPEST, &mut out);
    out
}

fn write(resolver: &Resolver<'_>, node: &Node<'_>, depth: usize, out: &mut String) {
    if depth == 0 || out.len() > LONGEST {
        return out.push('…');
    }
    if let Some(reference) = node.reference()
        && let Ok(target) = resolver.target(node, reference)
    {
        return write(resolver, &target, depth - 1, out);
    }
    match node.value {
        Value::Object(_) => {
            let mut entries: Vec<_> = node.entries().collect();
            entries
                .retain(|(key, value)| !TEXTS.contains(key) || value.value.as_object().is_some());
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                out.push_str(key);
                out.push_str(": ");
                write(resolver, value, depth - 1, out);
            }
            out.push('}');
        }
        Value::Array(_) => {
            out.push('[');
            for (index, item) in node.items().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write(resolver, &item, depth - 1, out);
            }
            out.push(']');
        }
        value => out.push_str(&value.to_json()),
    }
}
