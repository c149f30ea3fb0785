//! What a response of a service gets wrong.

use super::Probe;
use crate::ends::client::UntypedResponse;
use crate::message::operation::checked::{Mismatch, ResponsePart};
use crate::values::FieldError;
use http::StatusCode;
use std::fmt;

/// A fault of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The service responded with a 5xx.
    ServerError(StatusCode),
    /// The response does not match the document.
    Mismatch(StatusCode, Mismatch),
    /// The service accepted a request that breaks one rule: that of this field.
    Accepted(StatusCode, FieldError),
    /// An object to which a response leads is not found.
    NotFound(StatusCode, Lead),
    /// A request whose values are those of a response is rejected.
    Rejected(StatusCode, Lead),
    /// Another object is returned than that to which a response leads: this member differs.
    OtherObject(String, Lead),
    /// An object that was deleted is still found.
    NotDeleted(StatusCode),
    /// No response was received.
    NoResponse(String),
}

/// A response that leads to a request: by a link, or as it has created an object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lead {
    /// The id of the operation of the response.
    pub operation: &'static str,
    /// The name of the link; `None` if the operation has created what is requested.
    pub link: Option<&'static str>,
}

impl fmt::Display for Lead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = self.operation;
        match self.link {
            Some(link) => write!(f, "the object of the link `{link}` of `{operation}`"),
            None => write!(f, "the object that `{operation}` has created"),
        }
    }
}

impl Fault {
    /// Returns a text that is the same for the same fault of another request.
    pub(super) fn key(&self) -> String {
        let name = |path: &str| {
            let steps = path.split(['/', '.', '[', ']']);
            let steps = steps.map(|step| match step.parse::<u64>() {
                Ok(_) => "*",
                Err(_) => step,
            });
            steps.collect::<Vec<_>>().join("/")
        };
        match self {
            Self::Mismatch(status, mismatch) => {
                let Mismatch {
                    part,
                    pointer,
                    rule,
                } = mismatch;
                format!("{status} {part:?} {} {rule}", name(pointer))
            }
            Self::Accepted(_, error) => {
                format!(
                    "accepted {} {} {}",
                    error.place,
                    name(&error.field),
                    error.message
                )
            }
            Self::NoResponse(_) => "no response".to_owned(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ServerError(status) => write!(f, "the service failed with {status}"),
            Self::Mismatch(status, mismatch) => {
                write!(
                    f,
                    "the response {} does not match the document: {mismatch}",
                    status.as_u16()
                )
            }
            Self::Accepted(status, error) => {
                let FieldError {
                    place,
                    field,
                    message,
                } = error;
                write!(
                    f,
                    "the response {} accepts an invalid request: `{field}` ({place}) {message}",
                    status.as_u16()
                )
            }
            Self::NotFound(status, lead) => write!(f, "{lead} is not found: {status}"),
            Self::Rejected(status, lead) => {
                write!(f, "the request for {lead} is rejected: {status}")
            }
            Self::OtherObject(member, lead) => {
                write!(
                    f,
                    "another object is returned in place of {lead}: `{member}` differs"
                )
            }
            Self::NotDeleted(status) => {
                write!(f, "what was deleted is still found: {status}")
            }
            Self::NoResponse(why) => write!(f, "no response was received: {why}"),
        }
    }
}

/// Returns the faults of the response to a request, which breaks a rule or none.
pub(super) fn faults(
    probe: &Probe,
    broken: Option<&FieldError>,
    received: &UntypedResponse,
) -> Vec<Fault> {
    let UntypedResponse {
        status,
        headers,
        body,
    } = received;
    let status = *status;
    if status.is_server_error() {
        return vec![Fault::ServerError(status)];
    }
    if is_refused(probe, status) {
        return Vec::new();
    }
    if let Some(error) = broken
        && !status.is_client_error()
    {
        return vec![Fault::Accepted(status, error.clone())];
    }
    let Err(mismatch) = (probe.check)(status, headers, body.as_ref()) else {
        return Vec::new();
    };
    let mismatches = mismatch.mismatches().iter();
    // A rejection of an invalid request need not be documented.
    let counts = |mismatch: &&Mismatch| broken.is_none() || mismatch.part != ResponsePart::Status;
    let faults = mismatches.filter(counts).cloned();
    faults
        .map(|mismatch| Fault::Mismatch(status, mismatch))
        .collect()
}

pub(super) fn is_missing(status: StatusCode) -> bool {
    matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE)
}

/// Returns whether a service has refused the credentials of a request.
pub(super) fn is_refused(probe: &Probe, status: StatusCode) -> bool {
    let is_refusal = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    is_refusal && !probe.meta().security.is_empty()
}
