//! Media types, and their codecs.

use crate::ir::Codec;
use crate::vocabulary::{EVENTS, essence, is_json, is_lines};

/// Returns whether a media type is JSON without a meaning of its own: `application/json` and
/// `text/json`, or a range such as `application/*+json`.
pub(in crate::lower) fn is_plain_json(media: &str) -> bool {
    let media = essence(media);
    matches!(&*media, "application/json" | "text/json") || media.contains('*')
}

/// Returns the parameters of a media type that state what the content is, sorted by name: not
/// `charset` and `boundary`, which state its encoding.
pub(in crate::lower) fn parameters(media: &str) -> Vec<String> {
    let parts = media.split(';').skip(1);
    let parts = parts.map(|part| part.trim().to_ascii_lowercase());
    let mut stated: Vec<String> = parts
        .filter(|part| !part.is_empty())
        .filter(|part| !part.starts_with("charset=") && !part.starts_with("boundary="))
        .collect();
    stated.sort();
    stated
}

/// Returns whether a media type is XML.
pub(in crate::lower) fn is_xml(media: &str) -> bool {
    let media = essence(media);
    media == "application/xml" || media == "text/xml" || media.ends_with("+xml")
}

/// Returns the codec of a media type (RFC 6839 for the suffixes).
pub(in crate::lower) fn codec_of(media: &str) -> Codec {
    let media = essence(media);
    match &*media {
        media if is_json(media) => Codec::Json,
        media if is_lines(media) => Codec::Lines,
        EVENTS => Codec::Events,
        "application/x-www-form-urlencoded" => Codec::Form,
        "application/json-seq" => Codec::Sequence,
        media if media.ends_with("+json-seq") => Codec::Sequence,
        "application/xml" | "application/yaml" | "application/x-yaml" => Codec::Text,
        media if media.starts_with("multipart/") => Codec::Multipart,
        media if media.starts_with("text/") => Codec::Text,
        media if media.ends_with("+xml") || media.ends_with("+yaml") => Codec::Text,
        _ => Codec::Bytes,
    }
}

/// Returns whether a media type is that of the events of a watch (Kubernetes).
pub(in crate::lower) fn is_watch(media: &str) -> bool {
    let parameters = media.split(';').skip(1);
    let is_json = codec_of(media) == Codec::Json;
    is_json
        && parameters
            .into_iter()
            .any(|parameter| parameter.trim().eq_ignore_ascii_case("stream=watch"))
}

/// Returns whether a media type is valid in a header that contains a comma-separated list.
pub(in crate::lower) fn is_writable(media: &str) -> bool {
    let visible = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b',';
    media.bytes().all(visible) && media.contains('/')
}

/// Returns the value of `Content-Type`: never a range, and never longer than a header may be.
pub(in crate::lower) fn concrete(media: &str, codec: Codec) -> String {
    if is_writable(media) && !media.contains('*') {
        return media.trim().to_owned();
    }
    match codec {
        Codec::Json => "application/json",
        Codec::Form => "application/x-www-form-urlencoded",
        Codec::Multipart => "multipart/form-data",
        Codec::Text => "text/plain",
        Codec::Lines => "application/jsonl",
        Codec::Sequence => "application/json-seq",
        Codec::Events => EVENTS,
        Codec::Bytes | Codec::Chunks => "application/octet-stream",
    }
    .to_owned()
}
