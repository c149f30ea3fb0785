//! Media types and extension keys that several stages know.

use std::borrow::Cow;

/// The keys of the names for the values of an enum.
pub(crate) const ENUM_NAMES: [&str; 3] = ["x-enum-varnames", "x-enumNames", "x-enum-names"];

/// The keys of the texts for the values of an enum.
pub(crate) const ENUM_TEXTS: [&str; 3] =
    ["x-enum-descriptions", "x-enumDescriptions", "x-enum-docs"];

/// The key for the format of a stream under another media type.
pub(crate) const STREAM: &str = "x-bothends-stream";

/// The key for the data that ends a stream.
pub(crate) const STREAM_END: &str = "x-bothends-stream-end";

/// The media type of server-sent events.
pub(crate) const EVENTS: &str = "text/event-stream";

/// Returns the media type without parameters, in lower case.
pub(crate) fn essence(media: &str) -> Cow<'_, str> {
    let essence = media.split(';').next().unwrap_or_default().trim();
    match essence.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(essence.to_ascii_lowercase()),
        false => Cow::Borrowed(essence),
    }
}

/// Returns whether a media type is JSON (RFC 6839 for the suffix).
pub(crate) fn is_json(media: &str) -> bool {
    let media = essence(media);
    let is_json = matches!(&*media, "application/json" | "text/json");
    is_json || media.ends_with("+json") && !is_lines(&media)
}

/// Returns whether a `contentEncoding` is Base64, which has a type of its own.
pub(crate) fn is_base64(encoding: &str) -> bool {
    encoding == "base64"
}

/// Returns whether a media type is lines of JSON.
pub(crate) fn is_lines(media: &str) -> bool {
    matches!(
        &*essence(media),
        "application/jsonl"
            | "application/jsonlines"
            | "application/x-jsonlines"
            | "application/x-jsonl"
            | "application/ndjson"
            | "application/x-ndjson"
            | "application/json-lines"
            | "application/stream+json"
    )
}
