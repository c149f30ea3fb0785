//! Which media types of a body are one variant, and what a variant is called.

use crate::ir::{Codec, Media, TypeRef};
use crate::model::MediaType;

use super::media_types::{codec_of, concrete, is_plain_json, parameters};
use crate::vocabulary::essence;

/// The message of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Message {
    /// The media type is the choice of the sender, and tells the receiver what the content is.
    Request,
    /// The media type is negotiated.
    Response,
    /// The media type is the server's.
    Error,
}

/// Returns whether two JSON media types of the same type are different requests: the name of one
/// states what the content means, so the sender chooses and the receiver has to know.
pub(super) fn is_choice(
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
pub(super) fn same(known: &Media, other: &Media) -> bool {
    // A text of a range is sent as `text/plain`.
    let sent = |media: &Media| essence(&concrete(&media.name, media.codec));
    let alike = known.codec != Codec::Text || sent(known) == sent(other);
    known.codec == other.codec && known.ty == other.ty && known.parts == other.parts && alike
}

/// Returns the words for the variant of a media type. The parameters are among them if another
/// variant differs in nothing else.
pub(super) fn variant_words(media: &Media, all: &[Media]) -> String {
    let words = plain_words(media);
    let further = match all.iter().filter(|of| plain_words(of) == words).count() {
        0 | 1 => Vec::new(),
        _ => parameters(&media.name),
    };
    let all: Vec<String> = std::iter::once(words).chain(further).collect();
    all.join(" ")
}

fn plain_words(media: &Media) -> String {
    let essence = essence(&concrete(&media.name, media.codec));
    match essence.as_str() {
        _ if media.codec == Codec::Lines && codec_of(&essence) != Codec::Lines => "lines",
        "application/json" => "json",
        "application/x-www-form-urlencoded" => "form",
        "multipart/form-data" => "multipart",
        "text/plain" => "text",
        "text/event-stream" => "events",
        "application/octet-stream" => "bytes",
        other => {
            let words = other.strip_prefix("application/").unwrap_or(other);
            words.strip_prefix("vnd.").unwrap_or(words)
        }
    }
    .to_owned()
}
