//! Bodies: media types and their codecs.

use super::{Doc, Name, Operation, Rule, StyleWord, TypeRef};

/// A request body.
#[derive(Debug, Clone)]
pub struct Body {
    /// The content of the body.
    pub payload: Payload,
    /// The media types that generated code leaves out.
    pub left_out: Vec<String>,
    /// The name of its field.
    pub name: Name,
    /// Whether the body may be absent.
    pub optional: bool,
    /// The rustdoc of the field.
    pub doc: Doc,
}

/// The content of a body.
#[derive(Debug, Clone)]
pub enum Payload {
    /// A single type, sent with the first of its media types.
    One(Media),
    /// Several types by media type: an enum with these variants.
    Many(Content, Vec<(Name, Media)>),
}

/// The name and the place of an enum of media types.
#[derive(Debug, Clone)]
pub struct Content {
    /// The name of the enum.
    pub name: Name,
    /// The index into [`super::Api::contents`] of an enum that several operations share; other
    /// enums are defined with their operation.
    pub shared: Option<usize>,
}

/// A media type and the type of its content.
#[derive(Debug, Clone)]
pub struct Media {
    /// The media type as sent; a range if the value determines the media type.
    pub name: String,
    /// Further media types that are treated as the same.
    pub also: Vec<String>,
    /// The codec.
    pub codec: Codec,
    /// The type of the content.
    pub ty: TypeRef,
    /// The serialization of single properties, for a form or a multipart body.
    pub parts: Vec<Part>,
    /// The data of the event that ends a stream of events. An empty string means that only the end
    /// of the body ends the stream; `None` means that a client recognizes the usual event.
    pub end: Option<String>,
    /// Whether the document describes the data of events as text.
    pub is_text: bool,
    /// The validation rules, for a request; for a stream of a user's type, those of an item.
    pub rules: Vec<Rule>,
}

/// The serialization of a property of a form or multipart body, if different from the default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The name of the property.
    pub name: String,
    /// The media types, separated by commas; the first is sent.
    pub media: Option<String>,
    /// The style.
    pub style: Vec<StyleWord>,
    /// The shape of the content.
    pub shape: PartShape,
}

/// The shape of a property, as far as its style depends on the shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartShape {
    /// A single value.
    Value,
    /// A list of values.
    List,
    /// An object with these properties.
    Object(Vec<String>),
}

/// The codec of a body; the runtime has a method with the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are named for the media types")]
pub enum Codec {
    Json,
    Form,
    Multipart,
    Text,
    /// Bytes, buffered.
    Bytes,
    /// Bytes, streamed in chunks.
    Chunks,
    /// JSON items, one per line.
    Lines,
    /// JSON items in a JSON text sequence (RFC 7464).
    Sequence,
    /// Server-sent events; the type is the type of their data.
    Events,
}

impl Codec {
    /// Returns `true` if the body is a sequence of items.
    #[must_use]
    pub const fn is_items(self) -> bool {
        matches!(self, Self::Lines | Self::Sequence | Self::Events)
    }

    /// Returns `true` if the body is streamed.
    #[must_use]
    pub const fn is_stream(self) -> bool {
        self.is_items() || matches!(self, Self::Chunks)
    }
}

impl Media {
    /// Returns all accepted media types.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let also = self.also.iter().map(String::as_str);
        std::iter::once(self.name.as_str()).chain(also)
    }

    /// Returns the number of wildcards in the media types. Media types without `*` are matched
    /// first.
    #[must_use]
    pub fn wideness(&self) -> usize {
        let stars = self.names().map(|name| name.matches('*').count());
        stars.max().unwrap_or_default()
    }

    /// Returns all media types as one string, separated by commas.
    #[must_use]
    pub fn key(&self) -> String {
        self.names().collect::<Vec<_>>().join(", ")
    }
}

impl Payload {
    /// Returns the name of the enum of media types, if the content has several.
    #[must_use]
    pub const fn name(&self) -> Option<&Name> {
        match self {
            Self::One(_) => None,
            Self::Many(content, _) => Some(&content.name),
        }
    }

    /// Returns the media types.
    #[must_use]
    pub fn media(&self) -> Vec<&Media> {
        match self {
            Self::One(media) => vec![media],
            Self::Many(_, variants) => variants.iter().map(|(_, media)| media).collect(),
        }
    }

    /// Returns the media types, mutably.
    #[must_use]
    pub fn media_mut(&mut self) -> Vec<&mut Media> {
        match self {
            Self::One(media) => vec![media],
            Self::Many(_, variants) => variants.iter_mut().map(|(_, media)| media).collect(),
        }
    }

    /// Returns each media type in matching order, and whether its body is streamed. Returns an
    /// empty list if no media type is streamed.
    #[must_use]
    pub fn streams(&self) -> Vec<(String, bool)> {
        let mut sorted = self.media();
        if !sorted.iter().any(|media| media.codec.is_stream()) {
            return Vec::new();
        }
        sorted.sort_by_key(|media| media.wideness());
        let rows = sorted.into_iter().flat_map(|media| {
            let live = media.codec.is_stream();
            media.names().map(move |name| (name.to_owned(), live))
        });
        rows.collect()
    }

    /// Calls `visit` with the type of each media type.
    pub fn parts(&self, visit: &mut dyn FnMut(&TypeRef)) {
        match self {
            Self::One(media) => visit(&media.ty),
            Self::Many(_, variants) => variants.iter().for_each(|(_, media)| visit(&media.ty)),
        }
    }
}

impl Operation {
    /// Returns whether a success is a stream of events.
    #[must_use]
    pub fn has_events(&self) -> bool {
        let payloads = self.successes.iter().flat_map(|success| &success.payload);
        let mut media = payloads.flat_map(Payload::media);
        media.any(|media| media.codec == Codec::Events)
    }
}
