//! The location and the style of a parameter.

/// The location of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    /// The whole query as one value.
    QueryString,
    Header,
    Cookie,
}

impl Place {
    /// Returns `in` of the parameter; `query` for `querystring` of OpenAPI 3.2.
    pub(crate) const fn word(self) -> &'static str {
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

/// The location and the style of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    pub(crate) place: Place,
    pub(crate) form: Notation,
    explode: Option<bool>,
    pub(crate) reserved: bool,
    /// `allowEmptyValue`
    pub(crate) empty: bool,
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
        /// Sets the style `simple`: `a,b`
        simple => Simple;
        /// Sets the style `label`: `.a,b`
        label => Label;
        /// Sets the style `matrix`: `;name=a,b`
        matrix => Matrix;
        /// Sets the style `form`: `name=a&name=b`
        form => Form;
        /// Sets the style `spaceDelimited`: `name=a%20b`
        space => Space;
        /// Sets the style `pipeDelimited`: `name=a%7Cb`
        pipe => Pipe;
        /// Separates items by tabs: `name=a%09b`
        tab => Tab;
        /// Sets the style `deepObject`: `name%5Bkey%5D=a`
        deep => Deep;
        /// Sets the style `cookie`: `name=a; name=b`, without encoding
        cookie => Cookie;
        /// Encodes the value as JSON text: a parameter with `content`.
        json => Json;
    }

    /// Sets `explode: true`: each item and property is a pair of its own.
    #[must_use]
    pub const fn explode(self) -> Self {
        Self {
            explode: Some(true),
            ..self
        }
    }

    /// Sets `explode: false`: all items and properties are in one value.
    #[must_use]
    pub const fn flat(self) -> Self {
        Self {
            explode: Some(false),
            ..self
        }
    }

    /// Sets `allowReserved`: reserved characters are not encoded unless they are delimiters.
    #[must_use]
    pub const fn reserved(self) -> Self {
        Self {
            reserved: true,
            ..self
        }
    }

    /// Sets `allowEmptyValue`: `?name` and `?name=` are accepted even if the type has no empty
    /// value. The value is `true` if the type accepts it, and otherwise absent if the parameter is
    /// optional.
    #[must_use]
    pub const fn empty(self) -> Self {
        Self {
            empty: true,
            ..self
        }
    }

    pub(crate) const fn exploded(self) -> bool {
        match self.explode {
            Some(explode) => explode,
            None => matches!(self.form, Notation::Form | Notation::Cookie),
        }
    }
}
