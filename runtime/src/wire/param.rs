//! A parameter: where it is, and how it is written.

use super::read::{FieldErrors, read_texts};
use super::{DecodeError, EncodeError, Node, Sources, WireError, expand, header, parse};
use crate::operation::{RequestDecoder, RequestEncoder};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Where a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    /// The whole query is one value.
    QueryString,
    Header,
    Cookie,
}

impl Place {
    /// `in` of the parameter; that of OpenAPI 3.2's `querystring` is the query.
    const fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query | Self::QueryString => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
        }
    }
}

/// The styles of OpenAPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    Simple,
    Label,
    Matrix,
    Form,
    Space,
    Pipe,
    Tab,
    Deep,
    Cookie,
    Json,
}

/// A parameter: where it is, and how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    pub(crate) place: Place,
    pub(crate) form: Notation,
    explode: Option<bool>,
    pub(crate) reserved: bool,
    /// `allowEmptyValue`
    empty: bool,
}

macro_rules! forms {
    ($($(#[$doc:meta])* $method:ident => $form:ident;)*) => {
        $($(#[$doc])*
        #[must_use]
        pub const fn $method(self) -> Self {
            Self { form: Notation::$form, ..self }
        })*
    };
}

impl Param {
    pub(crate) const fn new(place: Place, form: Notation) -> Self {
        Self {
            place,
            form,
            explode: None,
            reserved: false,
            empty: false,
        }
    }

    forms! {
        /// `a,b`
        simple => Simple;
        /// `.a,b`
        label => Label;
        /// `;name=a,b`
        matrix => Matrix;
        /// `name=a&name=b`
        form => Form;
        /// `name=a%20b`
        space => Space;
        /// `name=a%7Cb`
        pipe => Pipe;
        /// `name=a%09b`
        tab => Tab;
        /// `name%5Bkey%5D=a`
        deep => Deep;
        /// `name=a; name=b`, and nothing encoded
        cookie => Cookie;
        /// The value as JSON text: a parameter with `content`.
        json => Json;
    }

    /// Each item and property by itself.
    #[must_use]
    pub const fn explode(self) -> Self {
        Self {
            explode: Some(true),
            ..self
        }
    }

    /// All items and properties in one value.
    #[must_use]
    pub const fn flat(self) -> Self {
        Self {
            explode: Some(false),
            ..self
        }
    }

    /// `allowReserved`: reserved characters are not encoded, where they mean nothing else.
    #[must_use]
    pub const fn reserved(self) -> Self {
        Self {
            reserved: true,
            ..self
        }
    }

    /// `allowEmptyValue`: `?name` and `?name=` are taken though the type has no empty value: as `true`
    /// where it takes that, and otherwise as absent where it may be.
    #[must_use]
    pub const fn empty(self) -> Self {
        Self {
            empty: true,
            ..self
        }
    }

    /// May be left out.
    pub const fn optional(self) -> OptionalParam {
        OptionalParam(self)
    }

    pub(crate) const fn exploded(self) -> bool {
        match self.explode {
            Some(explode) => explode,
            None => matches!(self.form, Notation::Form | Notation::Cookie),
        }
    }

    /// Writes the value.
    pub fn encode<T: Serialize>(self, key: &'static str, value: &T, request: &mut RequestEncoder) {
        self.put(key, Node::of(value), true, request);
    }

    /// Reads the value; what is wrong is told to the decoder.
    pub fn decode<T: DeserializeOwned>(
        self,
        key: &'static str,
        request: &mut RequestDecoder<'_>,
    ) -> Option<T> {
        let read = self.read(key, &request.sources());
        read.map_err(|field_errors| tell(self.place, field_errors, key, request))
            .ok()
    }

    fn read<T: DeserializeOwned>(
        self,
        key: &'static str,
        sources: &Sources<'_>,
    ) -> Result<T, FieldErrors> {
        let read = parse::read(self, key, sources);
        match read {
            Err(field_errors) if self.is_given_empty(key, sources) => {
                let set = read_texts(Node::Text("true".to_owned()));
                set.map_err(|_| field_errors)
            }
            read => read,
        }
    }

    /// Whether an empty value is allowed, and is what was sent.
    fn is_given_empty(self, key: &str, sources: &Sources<'_>) -> bool {
        let mut given = sources.query.iter().filter(|(name, _)| name == key);
        self.empty
            && given.next().is_some_and(|(_, value)| value.is_empty())
            && given.next().is_none()
    }

    fn put(
        self,
        key: &'static str,
        node: Result<Node, WireError>,
        required: bool,
        request: &mut RequestEncoder,
    ) {
        let template = request.template();
        let done = node.and_then(|node| expand(self, key, &node, template));
        match done {
            Ok(Some(expanded)) => request.add(self.place, key, expanded),
            Ok(None) if required => request.fail(EncodeError::new(
                key,
                "it is required, and an empty list or null cannot be written here",
            )),
            Ok(None) => {}
            Err(error) => request.fail(EncodeError::new(error.field(key), error.message)),
        }
    }
}

/// A parameter that may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionalParam(Param);

impl OptionalParam {
    /// Writes the value, if there is one.
    pub fn encode<T: Serialize>(self, key: &'static str, value: &T, request: &mut RequestEncoder) {
        let node = Node::of(value);
        // JSON can say null; nothing else can.
        if matches!(node, Ok(Node::Null)) {
            return;
        }
        self.0.put(key, node, false, request);
    }

    /// Reads the value, if it is there; what is wrong is told to the decoder.
    pub fn decode<T: DeserializeOwned + Default>(
        self,
        key: &'static str,
        request: &mut RequestDecoder<'_>,
    ) -> Option<T> {
        let sources = request.sources();
        match self.0.read(key, &sources) {
            Ok(value) => Some(value),
            Err(field_errors)
                if field_errors.is_absent() || self.0.is_given_empty(key, &sources) =>
            {
                Some(T::default())
            }
            Err(field_errors) => {
                tell(self.0.place, field_errors, key, request);
                None
            }
        }
    }
}

/// Tells what is wrong with a parameter.
fn tell(
    place: Place,
    field_errors: FieldErrors,
    key: &'static str,
    request: &mut RequestDecoder<'_>,
) {
    for error in field_errors.into_errors() {
        request.field_error(place.word(), error.field(key), error.message);
    }
}

/// Reads a header of a response.
pub(crate) fn read_header<T: DeserializeOwned>(
    param: Param,
    key: &'static str,
    sources: &Sources<'_>,
) -> Result<T, DecodeError> {
    // Only what takes null can be absent. A header that is not as documented is as good as absent
    // then: it says something beside the response, which came as it should.
    parse::read(param, key, sources).or_else(|field_errors| {
        read_texts(Node::Null).map_err(|_| match field_errors.is_absent() {
            true => DecodeError::new(key, "the header is missing"),
            false => DecodeError::of(field_errors, key),
        })
    })
}

/// Writes a header of a response: a line for each value, and none where there is nothing to say.
pub(crate) fn write_header<T: Serialize>(
    param: Param,
    key: &'static str,
    value: &T,
) -> Result<Vec<String>, EncodeError> {
    let failed = |error: WireError| EncodeError::new(error.field(key), error.message);
    let expanded = Node::of(value).and_then(|node| match node {
        // JSON can say null, and means by it that there is none.
        Node::Null => Ok(Vec::new()),
        node => match header::lines(key, &node).filter(|_| param.form != Notation::Json) {
            Some(lines) => lines,
            None => {
                let expanded = expand(param, key, &node, "")?;
                Ok(expanded
                    .map(super::Expanded::into_text)
                    .into_iter()
                    .collect())
            }
        },
    });
    expanded.map_err(failed)
}
