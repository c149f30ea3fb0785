//! Encodings of the properties of a form or of a multipart body: OpenAPI's Encoding Object.

use crate::message::media;
use crate::message::wire::expand::expand;
use crate::message::wire::notation::{Notation, Param, Place};
use crate::message::wire::parse::{Ask, ParamSource};
use crate::message::wire::query::Pairs;
use crate::message::wire::{Encoded, Expanded, Sources};
use crate::values::read::members::Members;
use crate::values::{Node, Strictness, WireError};
use http::HeaderMap;

/// The encoding of a property of a form or of a multipart body, if it differs from the default
/// (OpenAPI 3.1.1, section 4.8.15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub(crate) name: &'static str,
    /// Media types, separated by commas; the first one is sent.
    media: Option<&'static str>,
    style: Option<Param>,
    shape: Shape,
}

/// The kind of a property's value, which its style alone does not determine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Value,
    List,
    Object(&'static [&'static str]),
}

/// The constructors of parts, which rows name after `with`.
pub mod parts {
    use super::{Part, Shape};

    const fn part(name: &'static str, shape: Shape) -> Part {
        Part {
            name,
            media: None,
            style: None,
            shape,
        }
    }

    /// Creates the encoding of a single value.
    pub const fn value(name: &'static str) -> Part {
        part(name, Shape::Value)
    }

    /// Creates the encoding of a list: with a style, or with a media type of JSON as a whole.
    pub const fn list(name: &'static str) -> Part {
        part(name, Shape::List)
    }

    /// Creates the encoding of an object with these properties.
    pub const fn object(name: &'static str, properties: &'static [&'static str]) -> Part {
        part(name, Shape::Object(properties))
    }
}

macro_rules! styles {
    ($($(#[$doc:meta])* $method:ident;)*) => {
        $($(#[$doc])*
        #[must_use]
        pub const fn $method(self) -> Self {
            Self { style: Some(self.param().$method()), ..self }
        })*
    };
}

impl Part {
    /// Sets the media types, separated by commas: the first one is sent for a value without a media
    /// type of its own.
    #[must_use]
    pub const fn media(self, media: &'static str) -> Self {
        Self {
            media: Some(media),
            ..self
        }
    }

    styles! {
        /// Sets the style `form`: `name=a&name=b`
        form;
        /// Sets the style `spaceDelimited`: `name=a b`
        space;
        /// Sets the style `pipeDelimited`: `name=a|b`
        pipe;
        /// Sets the style `deepObject`: `name[key]=a`
        deep;
        /// Sets `explode: true`: each item and property is a pair of its own.
        explode;
        /// Sets `explode: false`: all items and properties are in one value.
        flat;
        /// Sets `allowReserved`: reserved characters are not encoded unless they are delimiters.
        reserved;
    }

    const fn param(self) -> Param {
        match self.style {
            Some(style) => style,
            None => Param::new(Place::Query, Notation::Form),
        }
    }

    /// Returns the media type to send; `None` if the value determines it.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let first = media::each(self.media?).next()?;
        (!first.contains('*')).then_some(first)
    }

    /// Returns whether the property is JSON, whatever its value.
    pub(crate) fn is_json(&self) -> bool {
        self.first().is_some_and(media::is_json)
    }

    /// Returns whether a list is one JSON text, and not a part for each item.
    pub(crate) fn is_whole(&self) -> bool {
        self.style.is_none() && self.shape == Shape::List && self.is_json()
    }

    /// Returns the value as encoded names and values; `None` if the encoding has no style.
    pub(crate) fn expanded(&self, node: &Node) -> Option<Result<Vec<(String, String)>, WireError>> {
        let style = self.style?;
        Some(match expand(style, self.name, node, "") {
            Ok(Some(Expanded::Pairs(pairs))) => Ok(pairs),
            Ok(_) => Ok(Vec::new()),
            Err(error) => Err(error),
        })
    }

    /// Returns whether the items are separated by commas, which are not encoded in a part.
    pub(crate) const fn has_commas(&self) -> bool {
        match self.style {
            Some(style) => matches!(style.form, Notation::Form) && !style.exploded(),
            None => false,
        }
    }

    /// Returns whether a name in a body belongs to this property in its style.
    pub(crate) fn has(&self, name: &str) -> bool {
        let Some(style) = self.style else {
            return false;
        };
        match (style.form, self.shape) {
            (Notation::Deep, _) => {
                name == self.name
                    || crate::message::wire::brackets::brackets(name, self.name).is_some()
            }
            (Notation::Form, Shape::Object(properties)) if style.exploded() => {
                properties.contains(&name)
            }
            _ => name == self.name,
        }
    }

    /// Parses the value from the names and encoded values of a body; `None` if it is absent, or if
    /// the encoding has no style.
    pub(crate) fn gathered(&self, pairs: &Pairs<'_>) -> Option<Result<Node, WireError>> {
        let style = self.style?;
        let sources = Sources {
            path: &[],
            query: pairs,
            whole_query: "",
            headers: &HeaderMap::new(),
            declared: &[],
            encoded: Encoded::Split,
            strictness: Strictness::Lenient,
        };
        let ask = match self.shape {
            Shape::Value => Ask::Scalar,
            Shape::List => Ask::List,
            Shape::Object(properties) => Ask::Struct(properties),
        };
        let read = ParamSource::new(style, self.name, &sources)
            .and_then(|source| source.node(ask, &Members::default()));
        match read {
            Err(error) if error.absent => None,
            read => Some(read),
        }
    }
}

/// Returns the encoding of a property, if there is one.
pub(crate) fn encoding_of<'p>(parts: &'p [Part], name: &str) -> Option<&'p Part> {
    parts.iter().find(|part| part.name == name)
}
