//! Runtime expressions: where a document says that values of a message are.

use crate::Json;
use bytes::Bytes;
use http::HeaderMap;

/// Where a value of a request or a response is: a runtime expression (OpenAPI 3.1.1, section
/// 4.8.20.4). Links and callbacks have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expression {
    /// The value itself.
    Constant(&'static str),
    /// `$url`, which is not known before a request is sent: there is no such value.
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
    /// A `Location` or `Content-Location` is a URL: where it ends as the path of the operation that
    /// the link leads to, the value of a path parameter is what stands in its place.
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

/// The value of a header, as text.
pub(crate) fn in_header(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?;
    Some(std::str::from_utf8(value.as_bytes()).ok()?.to_owned())
}

/// A text, or a number or boolean as text.
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
