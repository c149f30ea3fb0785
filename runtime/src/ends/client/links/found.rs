//! The values of a link's parameters, found in a request and its response.

use crate::message::expression::{Expression, in_body, in_header};
use crate::message::operation::SuccessSet;
use crate::message::wire::percent::decode;
use crate::message::wire::{query, template};
use crate::message::{EncodedRequest, EncodedResponse, Operation, ResponseEncoder};
use crate::values::Json;
use http::header::{CONTENT_LOCATION, LOCATION};

/// A parameter: its location, its name, and the expression of its value.
pub(in crate::ends) type Row = (&'static str, &'static str, Expression);

/// The request of the exchange.
#[cfg_attr(
    not(any(feature = "server", feature = "links")),
    allow(dead_code, reason = "made by `follow`")
)]
pub(in crate::ends) struct Sent {
    pub(in crate::ends::client) method: &'static str,
    pub(in crate::ends::client) variables: Vec<(&'static str, String)>,
    pub(in crate::ends) request: EncodedRequest,
}

/// A request and its response.
pub(in crate::ends) struct Exchange {
    pub(in crate::ends) sent: Option<Sent>,
    pub(in crate::ends) response: EncodedResponse,
}

impl Exchange {
    /// Captures a response; `None` if it cannot be encoded, which means that no server has sent it.
    pub(in crate::ends::client) fn received<O: Operation>(response: &O::Response) -> Option<Self> {
        let mut encoder = ResponseEncoder::new();
        O::Success::encode(O::META, response, &mut encoder);
        let response = encoder.finish().ok()?;
        Some(Self {
            sent: None,
            response,
        })
    }

    /// Returns whether the body of the response has a value other than null at a JSON pointer.
    pub(in crate::ends::client) fn has(&self, pointer: &str) -> bool {
        let body = self.response.body.as_ref();
        let body = body.and_then(|(_, body)| serde_json::from_slice::<Json>(body).ok());
        body.is_some_and(|body| {
            body.pointer(pointer)
                .is_some_and(|value| *value != Json::Null)
        })
    }

    /// Returns the value of a parameter as text, for an operation with this path.
    pub(in crate::ends) fn value(&self, row: &Row, path: &'static str) -> Option<String> {
        let (place, name, expression) = row;
        match *expression {
            Expression::Constant(text) => Some(text.to_owned()),
            Expression::Url => None,
            Expression::StatusCode => Some(self.response.status.as_str().to_owned()),
            Expression::ResponseHeader(key) => {
                let value = in_header(&self.response.headers, key)?;
                let is_url = is_location(key);
                if !is_url || *place != "path" {
                    return Some(value);
                }
                // A service may write the id alone, and a URL of another resource has none.
                let is_id = !value.contains('/');
                variable(&value, path, name).or_else(|| is_id.then_some(value))
            }
            Expression::ResponseBody(pointer) => in_body(&self.response.body.as_ref()?.1, pointer),
            of_request => self.sent.as_ref()?.value(of_request),
        }
    }
}

impl Sent {
    /// Returns the value of an expression for requests as text.
    pub(in crate::ends::client) fn value(&self, expression: Expression) -> Option<String> {
        match expression {
            Expression::Method => Some(self.method.to_owned()),
            Expression::RequestPath(key) => {
                let (_, raw) = self.variables.iter().find(|(known, _)| *known == key)?;
                Some(decode(raw, false).ok()?.into_owned())
            }
            Expression::RequestQuery(key) => {
                let pairs = query::pairs(&self.request.query);
                let (_, raw) = pairs.iter().find(|(known, _)| known == key)?;
                Some(decode(raw, true).ok()?.into_owned())
            }
            Expression::RequestHeader(key) => in_header(&self.request.headers, key),
            Expression::RequestBody(pointer) => in_body(&self.request.body.as_ref()?.1, pointer),
            _ => None,
        }
    }
}

/// Returns whether a header contains the URL of a resource: `Location` and `Content-Location` (RFC 9110),
/// and `Operation-Location` and `Azure-AsyncOperation`, by which services of Azure name the status.
fn is_location(header: &str) -> bool {
    let known = [
        LOCATION.as_str(),
        CONTENT_LOCATION.as_str(),
        "operation-location",
        "azure-asyncoperation",
    ];
    known.iter().any(|known| header.eq_ignore_ascii_case(known))
}

/// Returns the value of a path variable in a URL that ends with the path.
fn variable(url: &str, path: &'static str, name: &str) -> Option<String> {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let target = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => url,
    };
    let (path, _) = template::parts(path);
    let steps: Vec<&str> = path.split('/').skip(1).collect();
    let segments: Vec<&str> = target.trim_start_matches('/').split('/').collect();
    let tail = segments.get(segments.len().checked_sub(steps.len())?..)?;
    let same = |(step, segment): (&&str, &&str)| {
        step.contains('{') || decode(segment, false).is_ok_and(|segment| segment == *step)
    };
    if !steps.iter().zip(tail).all(same) {
        return None;
    }
    let tail = format!("/{}", tail.join("/"));
    let variables = template::variables(&tail, path)?;
    let (_, raw) = variables.into_iter().find(|(known, _)| *known == name)?;
    Some(decode(&raw, false).ok()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::variable;

    #[test]
    fn variables_are_extracted_from_urls_that_end_with_the_path() {
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
