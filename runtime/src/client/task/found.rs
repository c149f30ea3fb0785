//! The values of a link's parameters, found in a request and its response.

use crate::expression::{Expression, in_body, in_header};
use crate::operation::SuccessSet;
use crate::wire::percent::decode;
use crate::wire::{query, template};
use crate::{EncodedRequest, EncodedResponse, Operation, ResponseEncoder};
use http::header::{CONTENT_LOCATION, LOCATION};

/// A parameter: its location, its name, and the expression of its value.
pub(super) type Row = (&'static str, &'static str, Expression);

/// The request of the exchange.
#[cfg_attr(
    not(any(feature = "server", feature = "tasks")),
    allow(dead_code, reason = "made by `follow`")
)]
pub(super) struct Sent {
    pub(super) method: &'static str,
    pub(super) variables: Vec<(&'static str, String)>,
    pub(super) request: EncodedRequest,
}

/// A request and its response.
pub(super) struct Exchange {
    pub(super) sent: Option<Sent>,
    pub(super) came: EncodedResponse,
}

impl Exchange {
    /// Captures a response; `None` if it cannot be encoded, which means that no server has sent it.
    pub(super) fn came<O: Operation>(answer: &O::Response) -> Option<Self> {
        let mut response = ResponseEncoder::new();
        O::Success::encode(O::META, answer, &mut response);
        let came = response.finish().ok()?;
        Some(Self { sent: None, came })
    }

    /// Returns the value of a parameter as text, for an operation with this path.
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

/// Returns the value of a path variable in a URL that ends with the path.
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
