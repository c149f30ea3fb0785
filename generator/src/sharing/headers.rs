//! Equal headers of successes.

use std::collections::HashMap;

use crate::ir::{Api, Header, HeaderSet, Name};

use super::content::Content;
use super::types::resolved;
use super::words;

/// Finds the headers that at least two operations have, and makes them types of their own.
///
/// The texts of headers do not prevent it: the alias of an operation has the texts on which the
/// operations do not agree. `ruled` tells whether their rules are part of the code.
pub(super) fn share(api: &mut Api, ruled: bool) {
    // Looked up only.
    let mut known: HashMap<Content, usize> = HashMap::new();
    let mut sets: Vec<(Vec<Header>, usize)> = Vec::new();
    let operations = api.operations.iter().chain(&api.webhooks);
    let found: Vec<Option<usize>> = operations
        .map(|operation| {
            let headers = shared(api, &operation.success_headers);
            if headers.is_empty() {
                return None;
            }
            let index = *known
                .entry(Content::of_headers(&headers, ruled))
                .or_insert(sets.len());
            match sets.get_mut(index) {
                Some((known, count)) => {
                    agree(known, &headers);
                    *count += 1;
                }
                None => sets.push((headers, 1)),
            }
            Some(index)
        })
        .collect();
    let mut order: Vec<usize> = (0..sets.len()).filter(|index| sets[*index].1 > 1).collect();
    // Each set has other content, by which the order is that of no document.
    order.sort_by_cached_key(|index| {
        let headers = &sets[*index].0;
        (words::of_headers(headers), order_of(api, headers, ruled))
    });
    api.header_sets = order
        .iter()
        .map(|index| HeaderSet {
            name: Name::new(words::of_headers(&sets[*index].0)),
            headers: sets[*index].0.clone(),
            init: None,
        })
        .collect();
    let place: HashMap<usize, usize> = order.into_iter().zip(0..).collect();
    let operations = api.operations.iter_mut().chain(&mut api.webhooks);
    for (operation, set) in operations.zip(found) {
        operation.header_set = set.and_then(|set| place.get(&set).copied());
    }
}

/// Returns headers by name, with the types that the aliases of places stand for.
fn shared(api: &Api, headers: &[Header]) -> Vec<Header> {
    let mut headers = headers.to_vec();
    for header in &mut headers {
        let resolve = &mut |id: &mut _| *id = resolved(api, *id);
        header.ty.each_named_mut(resolve);
    }
    headers.sort_by(|header, other| header.name.wire.cmp(&other.name.wire));
    headers
}

/// Removes texts that differ.
fn agree(known: &mut [Header], other: &[Header]) {
    for (known, other) in known.iter_mut().zip(other) {
        if known.doc.text != other.doc.text {
            known.doc.text = None;
        }
        if known.doc.notes != other.doc.notes {
            known.doc.notes.clear();
        }
        if known.doc.examples != other.doc.examples {
            known.doc.examples.clear();
        }
    }
}

/// Returns a text of all parts of headers that does not depend on the order of the document.
fn order_of(api: &Api, headers: &[Header], ruled: bool) -> (String, Vec<String>) {
    let content = Content::of_headers(headers, ruled);
    let parts = content.parts.iter();
    let parts = parts.map(|id| api.type_def(*id).name.wire.clone());
    (content.text, parts.collect())
}
