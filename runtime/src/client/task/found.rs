//! Where a document says that the values of a link's parameters are.

use crate::wire::percent::{Keep, decode, encode};
use crate::wire::{query, template};
use crate::{
    BodyDecoder, EncodedRequest, EncodedResponse, Json, Operation, Outcome, RequestDecoder,
    RequestEncoder, ResponseEncoder,
};
use bytes::Bytes;
use http::header::{CONTENT_LOCATION, COOKIE, LOCATION};
use http::{HeaderMap, HeaderName, HeaderValue};

/// Where the value of a link's parameter is: a runtime expression (OpenAPI 3.1.1, section 4.8.20.4).
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
    pub(super) const fn is_of_response(self) -> bool {
        matches!(
            self,
            Self::StatusCode | Self::ResponseHeader(_) | Self::ResponseBody(_)
        )
    }
}

/// A parameter: its place, its name, and where its value is.
pub(super) type Row = (&'static str, &'static str, Expression);

/// What was sent.
struct Sent {
    method: &'static str,
    variables: Vec<(&'static str, String)>,
    request: EncodedRequest,
}

/// What was sent and what came back.
pub(super) struct Exchange {
    sent: Option<Sent>,
    came: EncodedResponse,
}

impl Exchange {
    /// What came back; `None` for what cannot be written, which no server has sent.
    pub(super) fn came(answer: &impl Outcome) -> Option<Self> {
        let mut response = ResponseEncoder::new();
        answer.encode(&mut response);
        let came = response.finish().ok()?;
        Some(Self { sent: None, came })
    }

    /// With what was sent.
    pub(super) fn sent<S: Operation>(self, request: &S) -> Option<Self> {
        let mut encoder = RequestEncoder::new(S::META);
        request.encode(&mut encoder);
        let variables = encoder.variables().to_vec();
        let sent = Sent {
            method: S::META.method,
            variables,
            request: encoder.finish().ok()?,
        };
        Some(Self {
            sent: Some(sent),
            ..self
        })
    }

    /// The value of a parameter of an operation with this path, as text.
    pub(super) fn value(&self, row: &Row, path: &'static str) -> Option<String> {
        let (place, name, expression) = row;
        let sent = self.sent.as_ref();
        match *expression {
            Expression::Constant(text) => Some(text.to_owned()),
            Expression::Url => None,
            Expression::Method => Some(sent?.method.to_owned()),
            Expression::StatusCode => Some(self.came.status.as_str().to_owned()),
            Expression::RequestPath(of) => {
                let (_, raw) = sent?.variables.iter().find(|(known, _)| *known == of)?;
                Some(decode(raw, false).ok()?.into_owned())
            }
            Expression::RequestQuery(of) => {
                let pairs = query::pairs(&sent?.request.query);
                let (_, raw) = pairs.iter().find(|(known, _)| known == of)?;
                Some(decode(raw, true).ok()?.into_owned())
            }
            Expression::RequestHeader(of) => in_header(&sent?.request.headers, of),
            Expression::RequestBody(pointer) => in_body(&sent?.request.body.as_ref()?.1, pointer),
            Expression::ResponseHeader(of) => {
                let value = in_header(&self.came.headers, of)?;
                let is_url = [LOCATION, CONTENT_LOCATION]
                    .iter()
                    .any(|known| *known == of);
                let there = (is_url && *place == "path").then(|| variable(&value, path, name));
                Some(there.flatten().unwrap_or(value))
            }
            Expression::ResponseBody(pointer) => in_body(&self.came.body.as_ref()?.1, pointer),
        }
    }
}

fn in_header(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?;
    Some(std::str::from_utf8(value.as_bytes()).ok()?.to_owned())
}

/// A text, or a number or boolean as text.
fn in_body(body: &Bytes, pointer: &str) -> Option<String> {
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

/// The value of a path's variable in a URL that ends as the path does.
fn variable(url: &str, path: &'static str, name: &str) -> Option<String> {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let of = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => url,
    };
    let (path, _) = template::parts(path);
    let steps: Vec<&str> = path.split('/').skip(1).collect();
    let came: Vec<&str> = of.trim_start_matches('/').split('/').collect();
    let tail = came.get(came.len().checked_sub(steps.len())?..)?;
    let same = |(step, came): (&&str, &&str)| {
        step.contains('{') || decode(came, false).is_ok_and(|came| came == *step)
    };
    if !steps.iter().zip(tail).all(same) {
        return None;
    }
    let variables = template::variables(&format!("/{}", tail.join("/")), path)?;
    let (_, raw) = variables.into_iter().find(|(known, _)| *known == name)?;
    Some(decode(&raw, false).ok()?.into_owned())
}

/// The request of an operation with these values.
pub(super) fn request<O: Operation>(
    values: Vec<(&'static str, &'static str, String)>,
) -> Option<O> {
    let (mut variables, mut pairs, mut cookies) = (Vec::new(), Vec::new(), Vec::new());
    let mut headers = HeaderMap::new();
    for (place, name, value) in values {
        let written = encode(&value, Keep::UNRESERVED);
        let pair = format!("{}={written}", encode(name, Keep::UNRESERVED));
        match place {
            "path" => variables.push((name, written)),
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

#[cfg(test)]
mod tests {
    use super::variable;

    #[test]
    fn a_url_that_ends_as_the_path_has_its_variables() {
        let path = "/projects/{project}/imports/{id}";
        for (url, id) in [
            ("/projects/p/imports/7%201", Some("7 1")),
            ("https://h:1/v1/projects/p/imports/7?x=1#y", Some("7")),
            ("/v1/projects/p/imports/7", Some("7")),
            ("/projects/p/exports/7", None),
            ("imports/7", None),
            ("7", None),
            ("https://h", None),
            ("", None),
        ] {
            assert_eq!(variable(url, path, "id").as_deref(), id, "{url}");
        }
    }
}
