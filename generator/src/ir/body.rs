//! Bodies: media types, and how they are coded.

use super::{Doc, Name, Rule, StyleWord, TypeRef};

/// A request body.
#[derive(Debug, Clone)]
pub struct Body {
    /// What it holds.
    pub payload: Payload,
    /// Its field.
    pub name: Name,
    /// Whether it may be absent.
    pub optional: bool,
    /// Its rustdoc.
    pub doc: Doc,
}

/// What a body holds.
#[derive(Debug, Clone)]
pub enum Payload {
    /// One type, written as the first media type.
    One(Media),
    /// Several types by media type: an enum with these variants.
    Many(Content, Vec<(Name, Media)>),
}

/// What an enum of media types is called, and where it is defined.
#[derive(Debug, Clone)]
pub struct Content {
    /// Its name.
    pub name: Name,
    /// Index into [`super::Api::contents`] of one that several operations have; others are defined
    /// with their operation.
    pub shared: Option<usize>,
}

/// A media type and what travels as it.
#[derive(Debug, Clone)]
pub struct Media {
    /// The media type as it is written on the wire; a range where the value says which.
    pub name: String,
    /// Further ones that are taken for the same.
    pub also: Vec<String>,
    /// How it is coded.
    pub codec: Codec,
    /// What it holds.
    pub ty: TypeRef,
    /// How single properties are written, of a form or of parts.
    pub parts: Vec<Part>,
    /// The data of the event that ends a stream of events; empty where only the end of the body does,
    /// `None` where a client knows the usual one.
    pub end: Option<String>,
    /// What is asked of it, in a request.
    pub rules: Vec<Rule>,
}

/// How a property of a form or of a multipart body is written, where it is not as all are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The property.
    pub name: String,
    /// Its media types with commas between; the first is what is sent.
    pub media: Option<String>,
    /// Its style.
    pub style: Vec<StyleWord>,
    /// What it holds.
    pub shape: PartShape,
}

/// What a property holds, as far as its style asks for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartShape {
    /// One value.
    Value,
    /// Several.
    List,
    /// An object with these properties.
    Object(Vec<String>),
}

/// How a body is coded; the runtime has a method of each name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are named for the media types")]
pub enum Codec {
    Json,
    Form,
    Multipart,
    Text,
    /// Bytes, all at once.
    Bytes,
    /// Bytes, which may come in pieces.
    Chunks,
    /// Items of JSON, a line each.
    Lines,
    /// Items of JSON, as RFC 7464 has them.
    Sequence,
    /// Server-sent events; the type is that of their data.
    Events,
}

impl Codec {
    /// Whether the body comes item by item.
    #[must_use]
    pub const fn is_items(self) -> bool {
        matches!(self, Self::Lines | Self::Sequence | Self::Events)
    }

    /// Whether the body is read as it comes.
    #[must_use]
    pub const fn is_stream(self) -> bool {
        self.is_items() || matches!(self, Self::Chunks)
    }
}

impl Media {
    /// All media types that are taken.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let also = self.also.iter().map(String::as_str);
        std::iter::once(self.name.as_str()).chain(also)
    }

    /// How wide its media types are: what has no `*` is looked at first.
    #[must_use]
    pub fn wideness(&self) -> usize {
        let stars = self.names().map(|name| name.matches('*').count());
        stars.max().unwrap_or_default()
    }

    /// All of them as one text, with commas between.
    #[must_use]
    pub fn key(&self) -> String {
        self.names().collect::<Vec<_>>().join(", ")
    }
}

impl Payload {
    /// The name of its enum, if it is one.
    #[must_use]
    pub const fn name(&self) -> Option<&Name> {
        match self {
            Self::One(_) => None,
            Self::Many(content, _) => Some(&content.name),
        }
    }

    /// Its media types.
    #[must_use]
    pub fn media(&self) -> Vec<&Media> {
        match self {
            Self::One(media) => vec![media],
            Self::Many(_, variants) => variants.iter().map(|(_, media)| media).collect(),
        }
    }

    /// The same, to change them.
    #[must_use]
    pub fn media_mut(&mut self) -> Vec<&mut Media> {
        match self {
            Self::One(media) => vec![media],
            Self::Many(_, variants) => variants.iter_mut().map(|(_, media)| media).collect(),
        }
    }

    /// Each media type in the order in which they are looked at, and whether its body is read as it
    /// arrives; nothing where none is.
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

    /// Calls `of` with the type of each media type.
    pub fn parts(&self, of: &mut dyn FnMut(&TypeRef)) {
        match self {
            Self::One(media) => of(&media.ty),
            Self::Many(_, variants) => variants.iter().for_each(|(_, media)| of(&media.ty)),
        }
    }
}
