//! The syntax of a media type.

/// Returns `type/subtype` without parameters.
pub(crate) fn essence(media: &str) -> &str {
    media.split(';').next().unwrap_or(media).trim()
}

/// Returns whether a body of this type is JSON.
pub(crate) fn is_json(media: &str) -> bool {
    Syntax::new(media) == Syntax::Json
}

/// Returns whether a body of this type is XML.
pub(crate) fn is_xml(media: &str) -> bool {
    Syntax::new(media) == Syntax::Xml
}

/// Returns whether a media type names a syntax and nothing else: `application/json`, unlike
/// `application/merge-patch+json`, states no meaning of the content.
pub(crate) fn is_plain(media: &str) -> bool {
    let essence = essence(media);
    let plain = [
        "application/json",
        "text/json",
        "application/xml",
        "text/xml",
    ];
    plain.iter().any(|name| essence.eq_ignore_ascii_case(name))
}

/// The syntax of a media type, as far as its name states it (RFC 6839).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    Json,
    Xml,
    Form,
    Multipart,
    /// Server-sent events.
    Events,
    /// Lines of JSON.
    Lines,
    /// A sequence of JSON texts (RFC 7464).
    Sequence,
    /// Text or bytes without a known syntax.
    Other,
}

/// The media types of lines of JSON.
const LINES: [&str; 8] = [
    "application/jsonl",
    "application/jsonlines",
    "application/x-jsonlines",
    "application/x-jsonl",
    "application/ndjson",
    "application/x-ndjson",
    "application/json-lines",
    "application/stream+json",
];

impl Syntax {
    pub(crate) fn new(media: &str) -> Self {
        let essence = essence(media);
        let is = |name: &str| essence.eq_ignore_ascii_case(name);
        let ends = |suffix: &str| {
            let at = essence.len().checked_sub(suffix.len());
            let end = at.and_then(|at| essence.get(at..));
            end.is_some_and(|end| end.eq_ignore_ascii_case(suffix))
        };
        let starts = |prefix: &str| {
            let start = essence.get(..prefix.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        if LINES.iter().any(|name| is(name)) {
            Self::Lines
        } else if is("application/json") || is("text/json") || ends("+json") {
            Self::Json
        } else if is("application/xml") || is("text/xml") || ends("+xml") {
            Self::Xml
        } else if is("application/json-seq") || ends("+json-seq") {
            Self::Sequence
        } else if is("text/event-stream") {
            Self::Events
        } else if is("application/x-www-form-urlencoded") {
            Self::Form
        } else if starts("multipart/") {
            Self::Multipart
        } else {
            Self::Other
        }
    }

    /// Returns whether this syntax can parse the media type. Lines of JSON may be labelled as JSON.
    pub(crate) fn reads(self, media: &str) -> bool {
        let syntax = Self::new(media);
        self == syntax || (matches!(self, Self::Lines | Self::Sequence) && syntax == Self::Json)
    }
}
