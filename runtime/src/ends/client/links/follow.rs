//! The request that a link derives from a request and its response.

use super::found::{Exchange, Row, Sent};
#[cfg(feature = "tasks")]
use crate::message::Expression;
use crate::message::media;
use crate::message::wire::percent::{Keep, encode};
use crate::message::{BodyDecoder, Operation, OperationMeta, RequestDecoder, RequestEncoder};
use bytes::Bytes;
use http::header::COOKIE;
use http::{HeaderMap, HeaderName, HeaderValue};

impl Exchange {
    /// Adds the request.
    pub(in crate::ends::client) fn sent<S: Operation>(self, request: &S) -> Option<Self> {
        Some(Self {
            sent: Some(Sent::new(request)?),
            ..self
        })
    }

    /// Returns the request whose parameters have the values of these expressions.
    pub(in crate::ends::client) fn follow<O: Operation>(&self, parameters: &[Row]) -> Option<O> {
        let value = |row: &Row| Some((row.0, row.1, self.value(row, O::META.path)?));
        request(parameters.iter().map(value).collect::<Option<_>>()?)
    }
}

impl Sent {
    /// Captures a request; `None` if it cannot be encoded.
    pub(in crate::ends::client) fn new<S: Operation>(request: &S) -> Option<Self> {
        let mut encoder = RequestEncoder::new(S::META);
        request.encode(&mut encoder);
        Self::written(S::META, encoder)
    }

    /// Captures a request whose parts are written; `None` if one cannot be.
    pub(in crate::ends) fn written(
        meta: &'static OperationMeta,
        encoder: RequestEncoder,
    ) -> Option<Self> {
        let variables = encoder.variables();
        let variables = variables.map(|(name, value)| (name, value.to_owned()));
        let variables = variables.collect();
        Some(Self {
            method: meta.method,
            variables,
            request: encoder.finish().ok()?,
        })
    }

    /// Returns the request whose parameters have the values of these expressions, none of which is for
    /// a response.
    #[cfg(feature = "tasks")]
    pub(in crate::ends::client) fn follow<O: Operation>(&self, parameters: &[Row]) -> Option<O> {
        let value = |row: &Row| match row.2 {
            Expression::Constant(text) => Some((row.0, row.1, text.to_owned())),
            of_request => Some((row.0, row.1, self.value(of_request)?)),
        };
        request(parameters.iter().map(value).collect::<Option<_>>()?)
    }
}

/// Returns the value of a parameter in a request.
#[cfg(feature = "tasks")]
pub(in crate::ends::client) fn value<O: Operation>(
    request: &O,
    place: &str,
    name: &'static str,
) -> Option<String> {
    Sent::new(request)?.value(match place {
        "path" => Expression::RequestPath(name),
        "query" => Expression::RequestQuery(name),
        "header" => Expression::RequestHeader(name),
        _ => return None,
    })
}

/// Returns a request with the constants of these parameters that it lacks.
#[cfg(feature = "tasks")]
pub(in crate::ends::client) fn with_constants<O: Operation>(request: O, parameters: &[Row]) -> O {
    let Some(mut draft) = Sent::new(&request).map(Draft::from) else {
        return request;
    };
    let mut adds = false;
    for (place, name, expression) in parameters {
        if let Expression::Constant(text) = expression
            && !draft.has(place, name)
        {
            adds = draft.add(place, name, text).is_some() || adds;
        }
    }
    let complete = adds.then(|| draft.decode()).flatten();
    complete.unwrap_or(request)
}

/// Decodes the request of an operation from these values.
fn request<O: Operation>(values: Vec<(&'static str, &'static str, String)>) -> Option<O> {
    let mut draft = Draft::default();
    for (place, name, value) in values {
        draft.add(place, name, &value)?;
    }
    draft.decode()
}

/// The encoded parts of a request.
#[derive(Default)]
struct Draft {
    variables: Vec<(&'static str, String)>,
    query: String,
    cookies: String,
    headers: HeaderMap,
    body: Option<(HeaderValue, Bytes)>,
}

#[cfg(feature = "tasks")]
impl From<Sent> for Draft {
    fn from(sent: Sent) -> Self {
        Self {
            variables: sent.variables,
            query: sent.request.query,
            cookies: sent.request.cookies,
            headers: sent.request.headers,
            body: sent.request.body,
        }
    }
}

impl Draft {
    #[cfg(feature = "tasks")]
    fn has(&self, place: &str, name: &'static str) -> bool {
        let is_among = |pairs: &str, between: &str| {
            let written = encode(name, Keep::UNRESERVED);
            let mut pairs = pairs.split(between);
            pairs.any(|pair| pair.split('=').next() == Some(&*written))
        };
        match place {
            "path" => self.variables.iter().any(|(known, _)| *known == name),
            "query" => is_among(&self.query, "&"),
            "cookie" => is_among(&self.cookies, "; "),
            _ => self.headers.contains_key(name),
        }
    }

    /// Adds a value; `None` if it cannot be written there.
    fn add(&mut self, place: &str, name: &'static str, value: &str) -> Option<()> {
        let written = encode(value, Keep::UNRESERVED);
        let pair = |pairs: &mut String, between: &str| {
            if !pairs.is_empty() {
                pairs.push_str(between);
            }
            pairs.push_str(&encode(name, Keep::UNRESERVED));
            pairs.push('=');
            pairs.push_str(&written);
        };
        match place {
            "path" => self.variables.push((name, written)),
            "query" => pair(&mut self.query, "&"),
            "cookie" => pair(&mut self.cookies, "; "),
            "header" => {
                let key = HeaderName::from_bytes(name.as_bytes()).ok()?;
                let value = HeaderValue::from_bytes(value.as_bytes()).ok()?;
                self.headers.append(key, value);
            }
            _ => return None,
        }
        Some(())
    }

    fn decode<O: Operation>(mut self) -> Option<O> {
        if !self.cookies.is_empty() {
            let cookies = HeaderValue::try_from(self.cookies).ok()?;
            self.headers.insert(COOKIE, cookies);
        }
        let body = match self.body {
            Some((media, body)) => BodyDecoder::new(media.to_str().ok().map(media::owned), body),
            None => BodyDecoder::new(None, Bytes::new()),
        };
        let variables = self.variables.into_iter();
        let variables = variables.map(|(name, value)| (name, value.into()));
        let mut decoder = RequestDecoder::with_variables(
            O::META,
            variables.collect(),
            Some(&self.query),
            &self.headers,
            body,
        );
        O::decode(&mut decoder)
    }
}
