//! The parts of a document that do not become code: keywords that are not checked, and XML.
//!
//! They are read only for a comparison of two documents, which reports their changes.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher as _};

use crate::ir::{Holder, Uncompared};
use crate::model::{MediaType, Model, Operation, Schema};
use crate::position::Origin;
use crate::resolve::{Node, Resolver};
use crate::source::Value;
use crate::vocabulary::{essence, is_base64, is_json};

use super::conditions::only_requires;
use super::contradiction::out_of_bounds;
use super::keywords::{UNCHECKED, is_unchecked};

/// The maximum depth of a value as text. What is deeper counts as equal.
const DEEPEST: usize = 64;
/// The number of bytes of a value, in ASCII, that a report shows.
const SHOWN: usize = 120;

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
pub(super) fn uncompared(resolver: &Resolver<'_>, model: &Model) -> Vec<Uncompared> {
    let mut texts = Texts {
        resolver,
        targets: HashMap::new(),
    };
    let operations: Vec<&Operation> = operations(model);
    let origins: HashSet<&Origin> = operations
        .iter()
        .map(|operation| &operation.origin)
        .collect();
    let media: Vec<(Holder, &MediaType)> = operations
        .iter()
        .flat_map(|operation| bodies(operation))
        .collect();
    let has_xml = media.iter().any(|(_, media)| is_xml(&media.name));
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for schema in &model.schemas {
        let origin = &schema.origin;
        let Some(node) = resolver.at(origin).filter(|_| seen.insert(origin)) else {
            continue;
        };
        let mut keywords = keywords(&mut texts, &node, has_xml);
        keywords.extend(excluding(&mut texts, &node, schema));
        if keywords.is_empty() || is_within_keyword(origin) {
            continue;
        }
        let holder = holder(origin, &origins);
        let keywords = keywords.into_iter();
        found.extend(keywords.map(|keyword| keyword.into_uncompared(origin, &holder)));
    }
    for (holder, media) in media.into_iter().filter(|(_, media)| is_xml(&media.name)) {
        let Some(node) = resolver.at(&media.origin) else {
            continue;
        };
        let text = node.get("schema").map(|schema| texts.text_of(&schema));
        let text = text.unwrap_or_default();
        let keyword = Keyword(media.name.clone(), text, false);
        found.push(keyword.into_uncompared(&media.origin, &holder));
    }
    found
}

/// Returns the operations, webhooks and callbacks.
fn operations(model: &Model) -> Vec<&Operation> {
    let webhooks = model.webhooks.iter().map(|webhook| &webhook.operation);
    let first: Vec<&Operation> = model.operations.iter().chain(webhooks).collect();
    let callbacks = first.iter().flat_map(|operation| &operation.callbacks);
    let callbacks: Vec<&Operation> = callbacks.map(|(_, _, operation)| operation).collect();
    first.into_iter().chain(callbacks).collect()
}

/// Returns the media types of the messages of an operation.
fn bodies(operation: &Operation) -> Vec<(Holder, &MediaType)> {
    let holder = |response| Holder::Operation(operation.origin.clone(), response);
    let requests = operation.body.iter().flat_map(|body| &body.content);
    let responses = operation
        .responses
        .iter()
        .flat_map(|response| &response.content);
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
        !is_name && is_unchecked(segment)
    })
}

/// A keyword: name, value, and whether it only excludes values.
struct Keyword(String, Text, bool);

impl Keyword {
    fn into_uncompared(self, origin: &Origin, holder: &Holder) -> Uncompared {
        let Self(name, text, excludes) = self;
        Uncompared {
            origin: origin.clone(),
            holder: holder.clone(),
            name,
            value: text.shown,
            hash: text.hash,
            excludes,
        }
    }
}

/// Returns the keywords of a schema that are not checked.
fn keywords<'t>(texts: &mut Texts<'_, 't>, node: &Node<'t>, has_xml: bool) -> Vec<Keyword> {
    let mut found = Vec::new();
    let mut keys = node
        .value
        .as_object()
        .into_iter()
        .flat_map(|object| object.keys());
    if !keys.any(|key| is_uncompared(key)) {
        return found;
    }
    for row in UNCHECKED {
        let [first, others @ ..] = row else { continue };
        let Some(value) = node.get(first).filter(|value| !only_requires(first, value)) else {
            continue;
        };
        let mut all = vec![value];
        all.extend(others.iter().filter_map(|key| node.get(key)));
        if !is_idle(first, &all) {
            let text = texts.named(&all);
            found.push(Keyword((*first).to_owned(), text, true));
        }
    }
    let names = node.get("propertyNames").filter(|names| {
        let mut choices = ["oneOf", "anyOf"].iter();
        choices.any(|key| names.get(key).is_some())
    });
    // The types of a closed object show its patterns.
    let closed = node.get("additionalProperties");
    let is_closed = closed.is_some_and(|node| node.value.as_bool() == Some(false));
    let patterns = node.get("patternProperties").filter(|_| !is_closed);
    let describing = DESCRIBING.iter().filter_map(|key| {
        let value = node.get(key)?;
        (!becomes_a_type(node, key, value.value)).then_some((value, false))
    });
    let xml = node.get("xml").filter(|_| has_xml);
    let unevaluated = node.get("unevaluatedProperties");
    let unevaluated = unevaluated.filter(|node| !node.value.as_bool().unwrap_or_default());
    let unevaluated =
        unevaluated.filter(|keyword| keyword.value.as_bool().is_none() || refers(node));
    let single = names.into_iter().chain(patterns).chain(unevaluated);
    let single = single.map(|value| (value, true));
    for (value, excludes) in single
        .chain(describing)
        .chain(xml.map(|node| (node, false)))
    {
        let name = value.pointer.last().unwrap_or_default().to_owned();
        let text = texts.text_of(&value);
        found.push(Keyword(name, text, excludes));
    }
    found
}

/// Returns whether a keyword may be one that is not checked.
fn is_uncompared(key: &str) -> bool {
    const OTHERS: [&str; 4] = [
        "patternProperties",
        "propertyNames",
        "unevaluatedProperties",
        "xml",
    ];
    is_unchecked(key) || OTHERS.contains(&key) || DESCRIBING.contains(&key)
}

/// Returns the bounds of a schema that exclude one of its listed values, which an enum accepts nevertheless.
fn excluding<'t>(texts: &mut Texts<'_, 't>, node: &Node<'t>, schema: &Schema) -> Vec<Keyword> {
    let listed = schema.enumeration.iter().flatten().chain(&schema.constant);
    let names: BTreeSet<&str> = listed
        .filter_map(|value| out_of_bounds(&schema.constraints, value))
        .collect();
    let bounds = names.into_iter().filter_map(|name| match name {
        "minimum" => node.get(name).or_else(|| node.get("exclusiveMinimum")),
        "maximum" => node.get(name).or_else(|| node.get("exclusiveMaximum")),
        _ => node.get(name),
    });
    let keyword = |node: Node<'t>| {
        let name = node.pointer.last().unwrap_or_default().to_owned();
        Keyword(name, texts.text_of(&node), true)
    };
    bounds.map(keyword).collect()
}

/// Returns whether a schema is another one with annotations, as which it is read whatever it says about properties.
fn refers(node: &Node<'_>) -> bool {
    let parts = node.get("allOf");
    let only = parts.and_then(|parts| parts.value.as_array().map(|all| all.len() == 1));
    node.get("properties").is_none() && (only == Some(true) || node.get("$ref").is_some())
}

/// Returns whether the keywords of a row, of which the first is `first`, exclude nothing.
fn is_idle(first: &str, all: &[Node<'_>]) -> bool {
    let get = |key: &str| {
        all.iter()
            .find(|each| each.pointer.last().as_deref() == Some(key))
    };
    let is_zero = |node: &Node<'_>| {
        node.value
            .as_number()
            .and_then(|number| number.as_integer())
            == Some(0)
    };
    match first {
        "if" => all.len() == 1,
        "contains" => get("minContains").is_some_and(is_zero) && get("maxContains").is_none(),
        _ => false,
    }
}

/// Returns whether a keyword about the content of a text selects the type of the text.
fn becomes_a_type(node: &Node<'_>, key: &str, value: &Value) -> bool {
    let media = node.get("contentMediaType");
    let media = media.as_ref().and_then(|media| media.value.as_str());
    match key {
        "contentEncoding" => value.as_str().is_some_and(is_base64),
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

/// Values as JSON without texts, with sorted keys, and references replaced by their targets.
struct Texts<'r, 't> {
    resolver: &'r Resolver<'t>,
    /// The targets of references, each read once at each depth.
    targets: HashMap<(Origin, usize), Text>,
}

/// A value as JSON: a hash of the value, and the first characters.
#[derive(Clone, Default)]
struct Text {
    hash: u64,
    shown: String,
}

impl Text {
    fn show(&mut self, text: &str) {
        let rest = SHOWN.saturating_sub(self.shown.len());
        self.shown.extend(text.chars().take(rest));
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<'t> Texts<'_, 't> {
    /// Returns the text of a value.
    fn text_of(&mut self, node: &Node<'t>) -> Text {
        let mut text = Text::default();
        text.hash = self.write(node, DEEPEST, &mut text);
        text
    }

    /// Returns the text of values with their names.
    fn named(&mut self, nodes: &[Node<'t>]) -> Text {
        let entries = nodes.iter().map(|node| (node.pointer.last(), node));
        let mut text = Text::default();
        text.hash = self.list("keywords", entries, DEEPEST, &mut text);
        text
    }

    /// Writes a value, and returns its hash.
    fn write(&mut self, node: &Node<'t>, depth: usize, text: &mut Text) -> u64 {
        if depth == 0 {
            text.show("…");
            return 0;
        }
        if let Some(reference) = node.reference()
            && let Ok(target) = self.resolver.target(node, reference)
        {
            return self.target(&target, depth - 1, text);
        }
        match node.value {
            Value::Object(_) => {
                let is_text = |key: &str, value: &Node<'_>| {
                    TEXTS.contains(&key) && value.value.as_object().is_none()
                };
                let mut entries: Vec<_> = node.entries().collect();
                entries.retain(|(key, value)| !is_text(key, value));
                entries.sort_by_key(|(key, _)| *key);
                text.show("{");
                let entries = entries.iter().map(|(key, value)| (Some(*key), value));
                let hash = self.list("object", entries, depth - 1, text);
                text.show("}");
                hash
            }
            Value::Array(_) => {
                let items: Vec<_> = node.items().collect();
                text.show("[");
                let items = items.iter().map(|item| (None::<&str>, item));
                let hash = self.list("array", items, depth - 1, text);
                text.show("]");
                hash
            }
            value => {
                let json = value.to_json();
                text.show(&json);
                hash(json)
            }
        }
    }

    fn list<'n, N: AsRef<str> + Hash>(
        &mut self,
        kind: &str,
        entries: impl Iterator<Item = (Option<N>, &'n Node<'t>)>,
        depth: usize,
        text: &mut Text,
    ) -> u64
    where
        't: 'n,
    {
        let mut hashes = Vec::new();
        for (name, value) in entries {
            text.show(if hashes.is_empty() { "" } else { ", " });
            if let Some(name) = &name {
                text.show(name.as_ref());
                text.show(": ");
            }
            hashes.push((name, self.write(value, depth, text)));
        }
        hash((kind, hashes))
    }

    fn target(&mut self, node: &Node<'t>, depth: usize, text: &mut Text) -> u64 {
        let key = (node.origin(), depth);
        if let Some(known) = self.targets.get(&key) {
            text.show(&known.shown);
            return known.hash;
        }
        let mut target = Text::default();
        target.hash = self.write(node, depth, &mut target);
        text.show(&target.shown);
        let hash = target.hash;
        self.targets.insert(key, target);
        hash
    }
}
