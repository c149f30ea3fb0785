//! How a parameter or body is written, said in words.

use super::Param;
use super::param::{Notation, Place};
use crate::operation::body::BodyStyle;

/// Where the words of a row in [`operation!`](crate::operation) begin.
///
/// `query[pipe] "tags" => tags` is `Style::query().pipe()`.
#[derive(Debug)]
pub struct Style;

impl Style {
    /// In the path; `simple`, not exploded.
    pub const fn path() -> Param {
        Param::new(Place::Path, Notation::Simple)
    }

    /// In the query; `form`, exploded.
    pub const fn query() -> Param {
        Param::new(Place::Query, Notation::Form)
    }

    /// The whole query (OpenAPI 3.2): a form, or JSON text.
    pub const fn querystring() -> Param {
        Param::new(Place::QueryString, Notation::Form)
    }

    /// In a header; `simple`, not exploded.
    pub const fn header() -> Param {
        Param::new(Place::Header, Notation::Simple)
    }

    /// In a cookie; `form`, exploded.
    pub const fn cookie() -> Param {
        Param::new(Place::Cookie, Notation::Form)
    }

    /// The body.
    pub const fn body() -> BodyStyle {
        BodyStyle
    }
}
