//! Probable misspellings of media types and formats.

use super::context::Context;
use crate::diagnostic::codes;
use crate::resolve::{Node, nearest_within};
use crate::vocabulary;

/// The types of media types (IANA's registry), and those of common private ones.
const TYPES: [&str; 12] = [
    "application",
    "audio",
    "chemical",
    "example",
    "font",
    "haptics",
    "image",
    "message",
    "model",
    "multipart",
    "text",
    "video",
];

/// Common subtypes of `application`, `text` and `multipart`, and registered ones that are similar to
/// them.
const SUBTYPES: [&str; 49] = [
    "json",
    "jsonl",
    "json5",
    "json-seq",
    "jsonlines",
    "problem+json",
    "merge-patch+json",
    "json-patch+json",
    "hal+json",
    "ld+json",
    "geo+json",
    "schema+json",
    "stream+json",
    "vnd.api+json",
    "x-www-form-urlencoded",
    "form-data",
    "octet-stream",
    "event-stream",
    "ndjson",
    "x-ndjson",
    "x-jsonlines",
    "xml",
    "html",
    "xhtml+xml",
    "plain",
    "markdown",
    "yaml",
    "x-yaml",
    "csv",
    "pdf",
    "zip",
    "gzip",
    "x-gzip",
    "x-zip",
    "x-bzip",
    "x-bzip2",
    "x-tar",
    "javascript",
    "x-javascript",
    "jwt",
    "graphql",
    "protobuf",
    "x-protobuf",
    "bson",
    "jsonp",
    "x-gtar",
    "x-jar",
    "x-lzip",
    "x-rar",
];

/// The formats of the OpenAPI format registry and of JSON Schema, and other common ones.
const FORMATS: [&str; 54] = [
    "base64url",
    "base64",
    "binary",
    "byte",
    "char",
    "commonmark",
    "currency",
    "date",
    "date-time",
    "date-time-local",
    "decimal",
    "decimal128",
    "double",
    "double-int",
    "duration",
    "email",
    "float",
    "float32",
    "float64",
    "hostname",
    "html",
    "http-date",
    "idn-email",
    "idn-hostname",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "integer",
    "ip",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json",
    "json-pointer",
    "media-range",
    "password",
    "regex",
    "relative-json-pointer",
    "string",
    "time",
    "time-local",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uri",
    "uri-reference",
    "uri-template",
    "url",
    "uuid",
];

/// The minimum length of a word that a single edit distinguishes from another word. Shorter ones are
/// too similar to one another.
const SHORTEST: usize = 4;

impl<'t> Context<'t, '_> {
    /// Reports a media type that is similar to a known one.
    pub(super) fn report_media_type(&mut self, node: &Node<'t>, name: &str) {
        let essence = name.split(';').next().unwrap_or_default().trim();
        let Some(meant) = media_type(&vocabulary::essence(name)) else {
            return;
        };
        let message = format!("`{essence}` is not a known media type");
        self.report(codes::MEDIA_TYPE_MISSPELT, &node.origin(), message)
            .help(format!("did you mean `{meant}`?"));
    }
}

/// Returns the probable spelling of an unknown media type in lower case.
fn media_type(essence: &str) -> Option<String> {
    let (ty, subtype) = essence.split_once('/')?;
    if ty.starts_with("x-") || ty.contains(['*', ' ', '{']) {
        return None;
    }
    if !TYPES.contains(&ty) {
        let limit = if ty.len() > 6 { 2 } else { 1 };
        return nearest_within(ty, TYPES.into_iter(), limit).map(|ty| format!("{ty}/{subtype}"));
    }
    let has_own = !matches!(ty, "application" | "text" | "multipart");
    if has_own || subtype.len() < SHORTEST || SUBTYPES.contains(&subtype) {
        return None;
    }
    let limit = if subtype.len() > 8 { 2 } else { 1 };
    // `x-markdown` is a private name, and no misspelling of `markdown`.
    let is_private = |text: &str| text.starts_with("x-");
    let known = SUBTYPES.into_iter();
    // The words before `+json` are too similar to one another where they are short.
    let known = known.filter(|candidate| match subtype.rsplit_once('+') {
        Some((word, suffix)) => {
            word.len() >= SHORTEST
                && candidate
                    .rsplit_once('+')
                    .is_some_and(|(_, ending)| ending == suffix)
        }
        None => true,
    });
    let known =
        known.filter(|word| word.len() >= SHORTEST && is_private(word) == is_private(subtype));
    nearest_within(subtype, known, limit).map(|subtype| format!("{ty}/{subtype}"))
}

/// Returns the probable spelling of an unknown format.
pub(crate) fn meant_format(stated: &str) -> Option<&'static str> {
    if FORMATS.contains(&stated) {
        return None;
    }
    let bare = |text: &str| text.replace(['-', '_', ' '], "").to_ascii_lowercase();
    let plain = bare(stated);
    if let Some(meant) = FORMATS.into_iter().find(|known| bare(known) == plain) {
        return Some(meant);
    }
    // A digit distinguishes formats of their own: `int128`, `decimal64`.
    let letters = |text: &str| text.chars().filter(char::is_ascii_digit).count() == 0;
    let known = FORMATS
        .into_iter()
        .filter(|format| format.len() > SHORTEST && letters(format));
    let misspelt = stated.len() > SHORTEST && letters(stated);
    nearest_within(stated, known, 1).filter(|_| misspelt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_media_types_are_found() {
        for (stated, meant) in [
            ("aplication/json", "application/json"),
            ("applicaton/xml", "application/xml"),
            ("application/jsno", "application/json"),
            ("application/josn", "application/json"),
            (
                "application/x-www-form-urlencode",
                "application/x-www-form-urlencoded",
            ),
            ("application/octetstream", "application/octet-stream"),
            ("multipart/formdata", "multipart/form-data"),
            ("mutlipart/form-data", "multipart/form-data"),
            ("text/plan", "text/plain"),
            ("txt/plain", "text/plain"),
            ("text/event-steam", "text/event-stream"),
            ("application/problem-json", "application/problem+json"),
            ("application/problm+json", "application/problem+json"),
        ] {
            assert_eq!(media_type(stated).as_deref(), Some(meant), "{stated}");
        }
    }

    #[test]
    fn media_types_of_their_own_are_left_alone() {
        for stated in [
            "application/json",
            "application/jsonl",
            "application/vnd.github.v3+json",
            "application/vnd.api+json",
            "application/cbor",
            "application/td+json",
            "application/tm+json",
            "application/geo+jsn",
            "application/bson",
            "application/jsonp",
            "application/x-gtar",
            "application/x-rar",
            "application/x-lzip",
            "application/zip",
            "application/x-zip",
            "application/jose",
            "application/*",
            "*/*",
            "image/jpg",
            "image/png",
            "image/gif",
            "text/json",
            "text/x-markdown",
            "text/x-yaml",
            "audio/mpeg",
            "video/mp4",
            "font/woff2",
            "x-world/x-3dmf",
            "binary/octet-stream",
            "{type}/json",
        ] {
            assert_eq!(media_type(stated), None, "{stated}");
        }
    }

    #[test]
    fn similar_formats_are_found() {
        for (stated, meant) in [
            ("datetime", "date-time"),
            ("dateTime", "date-time"),
            ("date_time", "date-time"),
            ("DATE-TIME", "date-time"),
            ("data-time", "date-time"),
            ("UUID", "uuid"),
            ("Int64", "int64"),
            ("int-32", "int32"),
            ("e-mail", "email"),
            ("hostnam", "hostname"),
            ("pasword", "password"),
            ("IPv4", "ipv4"),
            ("binray", "binary"),
        ] {
            assert_eq!(meant_format(stated), Some(meant), "{stated}");
        }
    }

    #[test]
    fn formats_of_their_own_are_left_alone() {
        for stated in [
            "",
            "int128",
            "decimal64",
            "money",
            "color",
            "phone",
            "hash",
            "id",
            "guid",
            "ulid",
            "url",
            "unix-time",
            "timestamp",
            "timezone",
            "locale",
            "long",
            "mime",
            "cidr",
            "dates",
            "object-id",
            "image",
            "file",
            "style",
        ] {
            assert_eq!(meant_format(stated), None, "{stated}");
        }
    }
}
