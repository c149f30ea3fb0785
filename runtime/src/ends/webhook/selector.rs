//! Selection of the kind of a webhook at a shared URL.

use super::Kind;
use crate::message::wire::header;
use crate::values::Json;
use http::HeaderMap;
use std::fmt;

/// A selector that determines the kind of a webhook by a property of its body or by a header, for
/// senders that call one URL with all kinds.
///
/// A value set by [`value`](Self::value) selects its kind. Any other value selects the only kind
/// for which the document lists it at that place (`const`, or an `enum` of one value), and
/// otherwise the kind of that name. Every remaining value is an unknown kind.
///
/// ```
/// use bothends_runtime::webhook::Selector;
///
/// # #[derive(Clone, Copy)]
/// # enum WebhookKind { InvoicePaid }
/// let by_property = Selector::property("/type").value("invoice.paid", WebhookKind::InvoicePaid);
/// let by_header = Selector::<WebhookKind>::header("X-GitHub-Event");
/// ```
#[derive(Debug, Clone)]
pub struct Selector<K> {
    place: Place,
    values: Vec<(String, K)>,
}

#[derive(Debug, Clone)]
enum Place {
    Property(String),
    Header(String),
}

impl<K> Selector<K> {
    /// Creates a selector by the property of the JSON body at this JSON pointer (RFC 6901), such as
    /// `/data/event`. A plain name, such as `type`, is a property of the body itself.
    pub fn property(pointer: impl Into<String>) -> Self {
        let pointer = pointer.into();
        let pointer = if pointer.starts_with('/') {
            pointer
        } else {
            format!("/{pointer}")
        };
        Self {
            place: Place::Property(pointer),
            values: Vec::new(),
        }
    }

    /// Creates a selector by the header of this name, such as `X-GitHub-Event`.
    pub fn header(name: impl Into<String>) -> Self {
        Self {
            place: Place::Header(name.into()),
            values: Vec::new(),
        }
    }

    /// Maps a value to a kind, whatever the document states. The last call for a value counts.
    #[must_use]
    pub fn value(mut self, value: impl Into<String>, kind: K) -> Self {
        self.values.push((value.into(), kind));
        self
    }
}

impl<K: Copy + PartialEq + fmt::Display> Selector<K> {
    /// Returns the kind of a request, if it is known.
    pub(super) fn kind<H>(
        &self,
        kinds: &[Kind<H, K>],
        headers: &HeaderMap,
        body: &[u8],
    ) -> Option<K> {
        let value = match &self.place {
            // Several lines do not distinguish kinds.
            Place::Header(name) => {
                let mut lines = header::texts(headers, name);
                let (Some(Some(line)), None) = (lines.next(), lines.next()) else {
                    return None;
                };
                line.to_owned()
            }
            Place::Property(pointer) => text(body, pointer)?,
        };
        let mut stated = self.values.iter().rev();
        if let Some((_, kind)) = stated.find(|(known, _)| *known == value) {
            return Some(*kind);
        }
        let mut listed = kinds.iter().filter(|row| self.lists(row, &value));
        match (listed.next(), listed.next()) {
            (Some(row), None) => return Some(row.kind),
            // The document lists this value for several kinds, so it does not distinguish them.
            (Some(_), Some(_)) => return None,
            (None, _) => {}
        }
        let mut named = kinds.iter().map(|row| row.kind);
        named.find(|kind| kind.to_string() == value)
    }

    /// Returns whether the document lists a value for a kind at the place of this selector.
    fn lists<H>(&self, row: &Kind<H, K>, value: &str) -> bool {
        match &self.place {
            Place::Property(pointer) => row.values.contains(&(pointer.as_str(), value)),
            Place::Header(_) => false,
        }
    }
}

/// Returns the text, number or boolean at a JSON pointer.
fn text(body: &[u8], pointer: &str) -> Option<String> {
    let body: Json = serde_json::from_slice(body).ok()?;
    match body.pointer(pointer)? {
        Json::String(text) => Some(text.clone()),
        value @ (Json::Number(_) | Json::Bool(_)) => Some(value.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}
