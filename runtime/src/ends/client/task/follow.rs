//! The request that a link derives from a request and its response.

use super::found::{Exchange, Sent};
#[cfg(feature = "tasks")]
use crate::message::Expression;
use crate::message::wire::percent::{Keep, encode};
use crate::message::{BodyDecoder, Operation, RequestDecoder, RequestEncoder};
use bytes::Bytes;
use http::header::COOKIE;
use http::{HeaderMap, HeaderName, HeaderValue};

impl Exchange {
    /// Adds the request.
    pub(super) fn sent<S: Operation>(self, request: &S) -> Option<Self> {
        Some(Self {
            sent: Some(Sent::of(request)?),
            ..self
        })
    }
}

impl Sent {
    /// Captures a request; `None` if it cannot be encoded.
    fn of<S: Operation>(request: &S) -> Option<Self> {
        let mut encoder = RequestEncoder::new(S::META);
        request.encode(&mut encoder);
        let variables = encoder.variables();
        let variables = variables.map(|(name, value)| (name, value.to_owned()));
        let variables = variables.collect();
        Some(Self {
            method: S::META.method,
            variables,
            request: encoder.finish().ok()?,
        })
    }
}

/// Returns the value of a parameter in a request.
#[cfg(feature = "tasks")]
pub(super) fn value<O: Operation>(request: &O, place: &str, name: &'static str) -> Option<String> {
    Sent::of(request)?.value(match place {
        "path" => Expression::RequestPath(name),
        "query" => Expression::RequestQuery(name),
        "header" => Expression::RequestHeader(name),
        _ => return None,
    })
}

/// Decodes the request of an operation from these values.
pub(super) fn request<O: Operation>(
    values: Vec<(&'static str, &'static str, String)>,
) -> Option<O> {
    let (mut variables, mut pairs, mut cookies) = (Vec::new(), Vec::new(), Vec::new());
    let mut headers = HeaderMap::new();
    for (place, name, value) in values {
        let written = encode(&value, Keep::UNRESERVED);
        let pair = format!("{}={written}", encode(name, Keep::UNRESERVED));
        match place {
            "path" => variables.push((name, written.into())),
            "query" => pairs.push(pair),
            "cookie" => cookies.push(pair),
            "header" => {
                let key = HeaderName::from_bytes(name.as_bytes()).ok()?;
                headers.append(key, HeaderValue::from_bytes(value.as_bytes()).ok()?);
            }
            _ => return None,
        }
    }
    if !cookies.is_empty() {
        headers.insert(COOKIE, HeaderValue::try_from(cookies.join("; ")).ok()?);
    }
    let query = pairs.join("&");
    let body = BodyDecoder::new(None, Bytes::new());
    let mut decoder =
        RequestDecoder::with_variables(O::META, variables, Some(&query), &headers, body);
    O::decode(&mut decoder)
}
