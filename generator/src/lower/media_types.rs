//! Media types, and their codecs.

use crate::ir::Codec;

/// Returns the media type without parameters, in lower case.
pub(super) fn essence(media: &str) -> String {
    media
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

/// Returns whether a media type is XML.
pub(super) fn is_xml(media: &str) -> bool {
    let media = essence(media);
    media == "application/xml" || media == "text/xml" || media.ends_with("+xml")
}

/// Returns the codec of a media type (RFC 6839 for the suffixes).
pub(super) fn codec_of(media: &str) -> Codec {
    let media = essence(media);
    match media.as_str() {
        "application/json" | "text/json" => Codec::Json,
        "application/x-www-form-urlencoded" => Codec::Form,
        "text/event-stream" => Codec::Events,
        "application/jsonl"
        | "application/jsonlines"
        | "application/x-jsonlines"
        | "application/x-jsonl"
        | "application/ndjson"
        | "application/x-ndjson"
        | "application/json-lines"
        | "application/stream+json" => Codec::Lines,
        "application/json-seq" => Codec::Sequence,
        media if media.ends_with("+json-seq") => Codec::Sequence,
        "application/xml" | "application/yaml" | "application/x-yaml" => Codec::Text,
        media if media.ends_with("+json") => Codec::Json,
        media if media.starts_with("multipart/") => Codec::Multipart,
        media if media.starts_with("text/") || media.ends_with("+xml") => Codec::Text,
        _ => Codec::Bytes,
    }
}

/// Returns whether a media type is that of the events of a watch (Kubernetes).
pub(super) fn is_watch(media: &str) -> bool {
    let parameters = media.split(';').skip(1);
    let is_json = codec_of(media) == Codec::Json;
    is_json
        && parameters
            .into_iter()
            .any(|of| of.trim().eq_ignore_ascii_case("stream=watch"))
}

/// Returns whether a media type is valid in a header that contains a comma-separated list.
pub(super) fn is_writable(media: &str) -> bool {
    let visible = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b',';
    media.bytes().all(visible) && media.contains('/')
}
