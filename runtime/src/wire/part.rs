//! How a property of a form or of a multipart body is written: OpenAPI's Encoding Object.

use super::param::{Notation, Place};
use super::parse::{Ask, ParamSource};
use super::query::Pairs;
use super::{Encoded, Expanded, Node, Param, Sources, WireError, expand, media};
use http::HeaderMap;

/// How a property of a form or of a multipart body is written, where that is not how all are
/// (OpenAPI 3.1.1, 4.8.15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub(crate) name: &'static str,
    /// Media types with commas between; the first is written.
    media: Option<&'static str>,
    style: Option<Param>,
    shape: Shape,
}

/// What a property holds, which its style alone does not show.
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

    /// One value.
    pub const fn value(name: &'static str) -> Part {
        part(name, Shape::Value)
    }

    /// Several values.
    pub const fn list(name: &'static str) -> Part {
        part(name, Shape::List)
    }

    /// An object with these properties.
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
    /// Of one of these media types, with commas between: the first is what is sent of a value that
    /// does not say its own.
    #[must_use]
    pub const fn media(self, media: &'static str) -> Self {
        Self {
            media: Some(media),
            ..self
        }
    }

    styles! {
        /// `name=a&name=b`
        form;
        /// `name=a b`
        space;
        /// `name=a|b`
        pipe;
        /// `name[key]=a`
        deep;
        /// Each item and property by itself.
        explode;
        /// All items and properties in one value.
        flat;
        /// `allowReserved`: reserved characters are not encoded, where they mean nothing else.
        reserved;
    }

    const fn param(self) -> Param {
        match self.style {
            Some(style) => style,
            None => Param::new(Place::Query, Notation::Form),
        }
    }

    /// What is written as its media type; `None` when that is to be seen from the value.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let first = media::each(self.media?).next()?;
        (!first.contains('*')).then_some(first)
    }

    /// Whether it is JSON, whatever the value is.
    pub(crate) fn is_json(&self) -> bool {
        self.first().is_some_and(media::is_json)
    }

    /// The value as encoded names and values; `None` when no style says how.
    pub(crate) fn expanded(&self, node: &Node) -> Option<Result<Vec<(String, String)>, WireError>> {
        let style = self.style?;
        Some(match expand(style, self.name, node, "") {
            Ok(Some(Expanded::Pairs(pairs))) => Ok(pairs),
            Ok(_) => Ok(Vec::new()),
            Err(error) => Err(error),
        })
    }

    /// Whether commas stand between its items, which nothing else marks in a part.
    pub(crate) const fn has_commas(&self) -> bool {
        match self.style {
            Some(style) => matches!(style.form, Notation::Form) && !style.exploded(),
            None => false,
        }
    }

    /// Whether a name of a body is one of those that its style writes.
    pub(crate) fn has(&self, name: &str) -> bool {
        let Some(style) = self.style else {
            return false;
        };
        match (style.form, self.shape) {
            (Notation::Deep, _) => {
                name == self.name || super::brackets::brackets(name, self.name).is_some()
            }
            (Notation::Form, Shape::Object(properties)) if style.exploded() => {
                properties.contains(&name)
            }
            _ => name == self.name,
        }
    }

    /// The value out of the names and values of a body, these still encoded; `None` when it is not
    /// there, or no style says how.
    pub(crate) fn gathered(&self, pairs: &Pairs<'_>) -> Option<Result<Node, WireError>> {
        let style = self.style?;
        let sources = Sources {
            path: &[],
            query: pairs,
            whole_query: "",
            headers: &HeaderMap::new(),
            declared: &[],
            encoded: Encoded::Split,
        };
        let ask = match self.shape {
            Shape::Value => Ask::Scalar,
            Shape::List => Ask::List,
            Shape::Object(properties) => Ask::Struct(properties),
        };
        let read = ParamSource::new(style, self.name, &sources).and_then(|source| source.node(ask));
        match read {
            Err(error) if error.absent => None,
            read => Some(read),
        }
    }
}

/// The part of a name, if something is said of it.
pub(crate) fn of<'p>(parts: &'p [Part], name: &str) -> Option<&'p Part> {
    parts.iter().find(|part| part.name == name)
}
