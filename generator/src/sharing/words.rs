//! Words that equal types have in common.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Api, Header, TypeDef, TypeKind};

/// The limit for words that describe the content, in characters.
const LONGEST: usize = 30;

/// The number of fields or variants in a name.
const MOST: usize = 3;

/// Words that say nothing without the place.
const EMPTY: &[&str] = &[
    "", "item", "inner", "object", "value", "data", "body", "content",
];

/// Returns the words of most places; of several, the shortest, and then the first of the alphabet.
pub(super) fn common(places: &[&TypeDef]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for place in places {
        *counts.entry(place.name.wire.trim()).or_default() += 1;
    }
    let best = counts
        .into_iter()
        .max_by(|(words, count), (other, others)| {
            let shorter = || other.len().cmp(&words.len());
            count
                .cmp(others)
                .then_with(shorter)
                .then_with(|| other.cmp(words))
        });
    best.map(|(words, _)| words.to_owned()).unwrap_or_default()
}

/// A type of several places.
pub(super) struct Shared<'a> {
    pub(super) words: String,
    pub(super) places: &'a [&'a TypeDef],
    /// Whether no other shared type contains all places. The words of others are complete.
    pub(super) is_outermost: bool,
}

/// Adds words of the content where the words alone are not a name: several types have them, or a
/// component, or they say nothing. If several types still have equal words, the side that sends their
/// values distinguishes them.
pub(super) fn distinguish(api: &Api, all: &mut [Shared<'_>]) {
    let components = api.types.iter().filter(|def| def.parent.is_none());
    let components: BTreeSet<String> = components.map(|def| letters(&def.name.wire)).collect();
    let counts = counts(all);
    for shared in all.iter_mut().filter(|each| each.is_outermost) {
        let Some(def) = shared.places.first() else {
            continue;
        };
        let key = letters(&shared.words);
        let is_name = counts.get(&key) == Some(&1) && !components.contains(&key);
        let value = only_value(shared.places).filter(|value| {
            let key = letters(value);
            !counts.contains_key(&key)
                && !components.contains(&key)
                && !EMPTY.contains(&key.as_str())
        });
        if let Some(value) = value {
            shared.words = value.to_owned();
            continue;
        }
        // `created body`: the status is that of one of the places.
        let is_body = key.ends_with("body");
        if !is_name || is_body || EMPTY.contains(&key.as_str()) {
            let own = if is_body {
                "body"
            } else {
                shared.words.as_str()
            };
            shared.words = format!("{} {own}", of_content(&def.kind));
        }
    }
    distinguish_by_sender(all);
}

/// Returns the value of types that have a single one and whose places differ in their words. It begins with a letter.
fn only_value<'a>(places: &[&'a TypeDef]) -> Option<&'a str> {
    let TypeKind::StringEnum(string_enum) = &places.first()?.kind else {
        return None;
    };
    let [only] = string_enum.variants.as_slice() else {
        return None;
    };
    let mut words = places.iter().map(|place| place.name.wire.trim());
    let first = words.next()?;
    let value = only.name.wire.as_str();
    let is_name = string_enum.fallback.is_none() && value.starts_with(char::is_alphabetic);
    (is_name && words.any(|word| word != first)).then_some(value)
}

/// Adds `request` to the words of types that only requests contain, and `response` to those that only
/// responses contain, where types with equal words differ in it.
fn distinguish_by_sender(all: &mut [Shared<'_>]) {
    let side = |shared: &Shared<'_>| {
        let is_only = |input: bool| {
            let mut places = shared.places.iter();
            places.all(|place| (place.input, place.output) == (input, !input))
        };
        match (is_only(true), is_only(false)) {
            (true, false) => Some("request"),
            (false, true) => Some("response"),
            _ => None,
        }
    };
    let mut sides: BTreeMap<String, BTreeSet<Option<&str>>> = BTreeMap::new();
    for shared in all.iter().filter(|each| each.is_outermost) {
        sides
            .entry(letters(&shared.words))
            .or_default()
            .insert(side(shared));
    }
    for shared in all.iter_mut().filter(|each| each.is_outermost) {
        let differs = sides
            .get(&letters(&shared.words))
            .is_some_and(|sides| sides.len() > 1);
        if let Some(side) = side(shared).filter(|_| differs) {
            shared.words = match shared.words.strip_suffix(" body") {
                Some(content) => format!("{content} {side} body"),
                None => format!("{} {side}", shared.words),
            };
        }
    }
}

/// Returns the number of types with the same words.
fn counts(all: &[Shared<'_>]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for shared in all.iter().filter(|each| each.is_outermost) {
        *counts.entry(letters(&shared.words)).or_default() += 1;
    }
    counts
}

/// Returns the letters and digits of words, by which names are equal.
fn letters(words: &str) -> String {
    let chars = words.chars().filter(|at| at.is_alphanumeric());
    chars.flat_map(char::to_lowercase).collect()
}

/// Returns the first fields of a struct by name (`email name`), or the first values (`open or closed`).
fn of_content(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Object(object) => {
            let names = object.fields.iter().map(|field| field.name.wire.as_str());
            let constants = object
                .constants
                .iter()
                .map(|constant| constant.wire.as_str());
            let mut names: Vec<&str> = names.chain(constants).collect();
            names.sort_unstable();
            joined(names, " ")
        }
        TypeKind::StringEnum(string_enum) => {
            let names = string_enum
                .variants
                .iter()
                .map(|value| value.name.wire.as_str());
            joined(names.collect(), " or ")
        }
        TypeKind::LiteralEnum(literal_enum) => {
            let names = literal_enum
                .variants
                .iter()
                .map(|value| value.name.wire.as_str());
            joined(names.collect(), " or ")
        }
        TypeKind::Union(union) => {
            let names = union
                .variants
                .iter()
                .map(|variant| variant.name.wire.as_str());
            joined(names.collect(), " or ")
        }
        TypeKind::Pending | TypeKind::Newtype(..) | TypeKind::Alias(_) => String::new(),
    }
}

/// Returns the words of a struct of headers: `link headers`.
pub(super) fn of_headers(headers: &[Header]) -> String {
    let names = headers.iter().map(|header| {
        let wire = header.name.wire.as_str();
        wire.strip_prefix("X-")
            .or(wire.strip_prefix("x-"))
            .unwrap_or(wire)
    });
    format!("{} headers", joined(names.collect(), " "))
}

/// Joins the first names, as far as the limit permits. The first may be long.
fn joined(names: Vec<&str>, by: &str) -> String {
    let mut text = String::new();
    for name in names.into_iter().take(MOST) {
        if !text.is_empty() {
            if text.len() + by.len() + name.len() > LONGEST {
                break;
            }
            text.push_str(by);
        }
        text.push_str(name);
    }
    text
}
