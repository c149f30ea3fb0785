//! Which media types of a body are one variant, and what a variant is called.

use std::collections::HashMap;

use crate::ir::{Codec, Media, TypeRef};
use crate::model::MediaType;

use crate::lower::operation::media_types::{codec_of, concrete, is_plain_json, parameters};
use crate::vocabulary::essence;

/// The message of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Message {
    /// The media type is the choice of the sender, and tells the receiver what the content is.
    Request,
    /// The media type is negotiated.
    Response,
    /// The media type is the server's.
    Error,
}

/// Returns whether two JSON media types of the same type are different requests: the name of one
/// states what the content means, so the sender chooses and the receiver has to know.
pub(in crate::lower) fn is_choice(
    message: Message,
    known: &Media,
    other: &Media,
    content: &[MediaType],
) -> bool {
    let is_same = essence(&known.name) == essence(&other.name)
        || is_plain(known, content) && is_plain(other, content);
    message == Message::Request
        && known.codec == Codec::Json
        && !(is_same && parameters(&known.name) == parameters(&other.name))
}

/// Returns whether a media type is JSON without a meaning of its own.
///
/// A framework lists `application/json-patch+json` next to `application/json` for every body. Only
/// a list is a JSON Patch (RFC 6902, section 3), so for other content both are JSON.
fn is_plain(media: &Media, content: &[MediaType]) -> bool {
    let is_patch = || {
        essence(&media.name) == "application/json-patch+json"
            && !matches!(media.ty, TypeRef::Vec(_))
            && content.iter().any(|entry| is_plain_json(&entry.name))
    };
    is_plain_json(&media.name) || is_patch()
}

/// Returns whether two media types have the same codec, type and parts, so that a caller cannot
/// distinguish their values. Texts of different media types always differ.
pub(in crate::lower) fn same(known: &Media, other: &Media) -> bool {
    // A text of a range is sent as `text/plain`.
    let sent = |media: &Media| essence(&concrete(&media.name, media.codec)).into_owned();
    known.codec == other.codec
        && known.ty == other.ty
        && known.parts == other.parts
        && (known.codec != Codec::Text || sent(known) == sent(other))
}

/// Returns the words for the variant of each media type. The parameters are among them if another
/// variant differs in nothing else.
pub(in crate::lower) fn variant_words(all: &[Media]) -> Vec<String> {
    let plain: Vec<String> = all.iter().map(plain_words).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for words in &plain {
        *counts.entry(words).or_default() += 1;
    }
    let words = plain.iter().zip(all).map(|(words, media)| {
        let further = match counts.get(words.as_str()) {
            Some(2..) => parameters(&media.name),
            _ => Vec::new(),
        };
        let all: Vec<String> = std::iter::once(words.clone()).chain(further).collect();
        all.join(" ")
    });
    words.collect()
}

fn plain_words(media: &Media) -> String {
    let concrete = concrete(&media.name, media.codec);
    let essence = essence(&concrete);
    match &*essence {
        _ if media.codec == Codec::Lines && codec_of(&essence) != Codec::Lines => "lines",
        "application/json" => "json",
        "application/x-www-form-urlencoded" => "form",
        "multipart/form-data" => "multipart",
        "text/plain" => "text",
        "text/event-stream" => "events",
        "application/octet-stream" => "bytes",
        "application/x-ndjson" | "application/ndjson" => "nd json",
        other => {
            let words = other.strip_prefix("application/").unwrap_or(other);
            let words = words.strip_prefix("x-").unwrap_or(words);
            words.strip_prefix("vnd.").unwrap_or(words)
        }
    }
    .to_owned()
}
