//! The settings of a router, and its responses to rejections.

use super::auth::{Admission, Policy};
use super::failure::{HandlerPanic, OnFailure};
use super::matcher::Matcher;
use super::{Rejection, RejectionBodies, Response};
use crate::message::OperationMeta;
#[cfg(feature = "check-responses")]
use crate::message::operation::checked::Check;
use crate::values::Leniencies;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// Default limit for the time to receive a buffered body.
pub(crate) const BODY_TIMEOUT: Option<Duration> = Some(Duration::from_secs(60));
/// Default limit for the time between two pieces of a streamed body.
const STREAM_IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(5 * 60));

/// The settings that all operations share.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(super) rejection_bodies: &'static RejectionBodies,
    pub(super) on_rejection: Option<Arc<OnRejection>>,
    pub(crate) body_limit: usize,
    pub(crate) body_timeout: Option<Duration>,
    pub(super) stream_idle_timeout: Option<Duration>,
    /// The limits of single operations, by their ids.
    pub(super) body_limits: Vec<(&'static str, usize)>,
    pub(super) admission: Admission,
    pub(crate) on_failure: OnFailure,
    pub(super) base_path: String,
    /// The paths of the operations.
    pub(super) matcher: Arc<Matcher>,
    pub(super) keep_encoded_commas: bool,
    pub(super) leniencies: Leniencies,
    /// Whether a request is rejected whose `Accept` excludes all documented media types.
    pub(super) enforce_accept: bool,
    #[cfg(feature = "gzip")]
    pub(super) compressed: bool,
    /// What is done with responses that do not match the document.
    #[cfg(feature = "check-responses")]
    pub(super) check: Check,
}

type OnRejection = dyn Fn(&Rejection) -> Option<Response> + Send + Sync;

impl Settings {
    /// Creates the default settings, with the responses to rejections and the body limit.
    pub(crate) fn new(rejection_bodies: &'static RejectionBodies, body_limit: usize) -> Self {
        Self {
            rejection_bodies,
            on_rejection: None,
            body_limit,
            body_timeout: BODY_TIMEOUT,
            stream_idle_timeout: STREAM_IDLE_TIMEOUT,
            body_limits: Vec::new(),
            admission: Admission {
                policy: Policy::Closed,
                schemes: &[],
            },
            on_failure: OnFailure::default(),
            base_path: String::new(),
            matcher: Arc::default(),
            keep_encoded_commas: false,
            leniencies: Leniencies::default(),
            enforce_accept: false,
            #[cfg(feature = "gzip")]
            compressed: false,
            #[cfg(feature = "check-responses")]
            check: Check::Off,
        }
    }

    /// Returns a path without the base path; `None` if it is not below the base path.
    pub(super) fn below_base<'p>(&self, path: &'p str) -> Option<&'p str> {
        match path.strip_prefix(self.base_path.as_str()) {
            Some("") => Some("/"),
            Some(path) if path.starts_with('/') => Some(path),
            _ => None,
        }
    }

    /// Returns the limit for the body of an operation, in bytes.
    pub(super) fn body_limit_of(&self, operation: &OperationMeta) -> usize {
        let mut own = self.body_limits.iter().rev();
        own.find(|(id, _)| *id == operation.id)
            .map_or(self.body_limit, |(_, limit)| *limit)
    }

    /// Returns the response for a handler that has panicked.
    pub(super) fn panicked(
        &self,
        meta: Option<&'static OperationMeta>,
        panic: &HandlerPanic,
    ) -> Response {
        if let Some(operation) = meta {
            self.on_failure.report(operation, Some(panic));
        }
        let rejection = Rejection::internal();
        // A custom hook for rejections may panic as well.
        catch_unwind(AssertUnwindSafe(|| self.rejection_of(&rejection, meta)))
            .unwrap_or_else(|_| self.rejection_bodies.response(&rejection, meta))
    }

    /// Returns the response to a rejection without an operation: see [`Self::rejection_of`].
    pub(crate) fn rejection(&self, rejection: &Rejection) -> Response {
        self.rejection_of(rejection, None)
    }

    /// Returns the response to a rejection: that of the hook, the documented one, or that of RFC
    /// 9457.
    pub(super) fn rejection_of(
        &self,
        rejection: &Rejection,
        operation: Option<&'static OperationMeta>,
    ) -> Response {
        match self.on_rejection.as_ref().and_then(|own| own(rejection)) {
            Some(mut response) => {
                rejection.add_headers(&mut response);
                response
            }
            None => self.rejection_bodies.response(rejection, operation),
        }
    }
}
