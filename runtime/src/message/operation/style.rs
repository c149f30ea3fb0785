//! The styles of parameters and bodies.

use super::body::BodyStyle;
use crate::message::wire::{Notation, Param, Place};

/// The start of a row's style in [`operation!`](crate::operation!).
///
/// `query[pipe] "tags" => tags` is `ParameterStyle::query().pipe()`.
#[derive(Debug)]
pub struct ParameterStyle;

impl ParameterStyle {
    /// Returns the style of a path parameter: `simple`, not exploded.
    pub const fn path() -> Param {
        Param::new(Place::Path, Notation::Simple)
    }

    /// Returns the style of a query parameter: `form`, exploded.
    pub const fn query() -> Param {
        Param::new(Place::Query, Notation::Form)
    }

    /// Returns the style of the whole query (OpenAPI 3.2): a form, or JSON text.
    pub const fn querystring() -> Param {
        Param::new(Place::QueryString, Notation::Form)
    }

    /// Returns the style of a header: `simple`, not exploded.
    pub const fn header() -> Param {
        Param::new(Place::Header, Notation::Simple)
    }

    /// Returns the style of a cookie: `form`, exploded.
    pub const fn cookie() -> Param {
        Param::new(Place::Cookie, Notation::Form)
    }

    /// Returns the style of the body.
    pub const fn body() -> BodyStyle {
        BodyStyle
    }
}
