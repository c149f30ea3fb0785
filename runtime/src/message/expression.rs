//! Runtime expressions: references to values of a message.

use crate::values::Json;
use bytes::Bytes;
use http::HeaderMap;

/// A runtime expression (OpenAPI 3.1.1, section 4.8.20.4): a reference to a value of a request or a
/// response. Links and callbacks use runtime expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expression {
    /// A constant value.
    Constant(&'static str),
    /// `$url`, which is not known before a request is sent, so it has no value.
    Url,
    /// `$method`
    Method,
    /// `$statusCode`
    StatusCode,
    /// `$request.path.…`
    RequestPath(&'static str),
    /// `$request.query.…`
    RequestQuery(&'static str),
    /// `$request.header.…`
    RequestHeader(&'static str),
    /// `$request.body#…`, a JSON pointer.
    RequestBody(&'static str),
    /// `$response.header.…`
    ///
    /// For `Location`, `Content-Location`, `Operation-Location` and `Azure-AsyncOperation`, a path
    /// parameter is extracted from the URL, if the
    /// URL ends with the path of the link's target operation.
    ResponseHeader(&'static str),
    /// `$response.body#…`, a JSON pointer.
    ResponseBody(&'static str),
}

impl Expression {
    #[cfg(feature = "client")]
    pub(crate) const fn is_of_response(self) -> bool {
        matches!(
            self,
            Self::StatusCode | Self::ResponseHeader(_) | Self::ResponseBody(_)
        )
    }
}

/// Returns the value of a header, as text.
pub(crate) fn in_header(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?;
    Some(std::str::from_utf8(value.as_bytes()).ok()?.to_owned())
}

/// Returns a text, or a number or boolean as text, at a JSON pointer.
pub(crate) fn in_body(body: &Bytes, pointer: &str) -> Option<String> {
    match serde_json::from_slice::<Json>(body)
        .ok()?
        .pointer(pointer)?
    {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(truth) => Some(truth.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}
