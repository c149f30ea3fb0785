//! The values of a link's parameters in what was sent and what came back.

use crate::expression::{Expression, in_body, in_header};
use crate::operation::SuccessSet;
use crate::wire::percent::{Keep, decode, encode};
use crate::wire::{query, template};
use crate::{
    BodyDecoder, EncodedRequest, EncodedResponse, Operation, RequestDecoder, RequestEncoder,
    ResponseEncoder,
};
use bytes::Bytes;
use http::header::{CONTENT_LOCATION, COOKIE, LOCATION};
use http::{HeaderMap, HeaderName, HeaderValue};

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
    pub(super) fn came<O: Operation>(answer: &O::Response) -> Option<Self> {
        let mut response = ResponseEncoder::new();
        O::Success::encode(O::META, answer, &mut response);
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
