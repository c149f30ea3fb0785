//! Responses of handlers, checked by the document.

use super::call::Finish;
use super::{Body, Response};
use crate::message::operation::checked::{Check, CheckOf, ResponseMismatch};
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use std::fmt::Write as _;

impl Finish {
    /// Sets the check of the response, if the router checks responses.
    pub(super) fn check_by(&mut self, check: CheckOf) {
        if self.settings().check != Check::Off {
            self.check = Some(check);
        }
    }

    /// Checks a response, and reports a mismatch. With [`Check::Fail`] the report takes the place of the response.
    pub(super) fn checked(&self, response: Response) -> Response {
        let Some(check) = self.check else {
            return response;
        };
        let body = response.body().try_clone();
        let body = body.and_then(|body| body.into_bytes().ok());
        let Err(mismatch) = check(response.status(), response.headers(), body.as_ref()) else {
            return response;
        };
        let settings = self.settings();
        settings.on_failure.report(self.meta(), Some(&*mismatch));
        match settings.check {
            Check::Fail => report(&mismatch),
            Check::Off | Check::Log => response,
        }
    }
}

/// Returns the response that takes the place of one that does not match the document.
fn report(mismatch: &ResponseMismatch) -> Response {
    let (operation, status) = (mismatch.operation(), mismatch.status().as_u16());
    let mut text = format!("The response {status} of `{operation}` does not match the document:\n");
    for mismatch in mismatch.mismatches() {
        let _ = writeln!(text, "- {mismatch}");
    }
    text.push_str("\nThe server checks its responses: `check_responses(Check::Fail)`.\n");
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, text);
    response
}
