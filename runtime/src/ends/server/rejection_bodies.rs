//! The responses of an API to rejected requests.

use super::fields::{FieldErrorFormat, sentence};
use super::{Body, Rejection, RejectionKind, Response};
use crate::message::OperationMeta;
use crate::values::{FieldError, Json, Map};
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};

/// The media type of RFC 9457.
const PROBLEM: &str = "application/problem+json";

/// A documented response to a rejected request.
///
/// Generated code has a constant for each in `server::rejections`, which a handler
/// ([`Error`](super::Error)) and an authenticator ([`AuthError`](super::AuthError)) may return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RejectionBody {
    /// The status.
    pub status: u16,
    /// The media type.
    pub content_type: &'static str,
    /// The body.
    pub body: &'static str,
    /// The place of field errors in the body, as a JSON pointer.
    pub fields: Option<&'static str>,
    /// The format of the field errors.
    pub fields_as: FieldErrorFormat,
}

impl RejectionBody {
    /// Creates a response with this status, media type and body.
    pub const fn new(status: u16, content_type: &'static str, body: &'static str) -> Self {
        Self {
            status,
            content_type,
            body,
            fields: None,
            fields_as: FieldErrorFormat::Map,
        }
    }

    /// Sets the place of field errors, as a JSON pointer into the body, and their format.
    #[must_use]
    pub const fn with_fields(self, pointer: &'static str, fields_as: FieldErrorFormat) -> Self {
        Self {
            fields: Some(pointer),
            fields_as,
            ..self
        }
    }
}

impl From<RejectionBody> for Response {
    fn from(body: RejectionBody) -> Self {
        // Only a status that is written by hand can be invalid.
        let status = StatusCode::from_u16(body.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        response(status, body.content_type, body.body.to_owned())
    }
}

fn response(status: StatusCode, content_type: &str, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    if let Ok(content_type) = HeaderValue::from_str(content_type) {
        response.headers_mut().insert(CONTENT_TYPE, content_type);
    }
    response
}

/// The responses of an API to rejected requests, by kind. A kind without a documented response gets
/// `application/problem+json` (RFC 9457).
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RejectionBodies {
    /// The path does not exist.
    pub not_found: Option<RejectionBody>,
    /// The path does not have the method.
    pub method_not_allowed: Option<RejectionBody>,
    /// The parameters or the body are invalid.
    pub validation: Option<RejectionBody>,
    /// The caller is not authenticated.
    pub unauthorized: Option<RejectionBody>,
    /// The caller is not permitted.
    pub forbidden: Option<RejectionBody>,
    /// The caller accepts no media type of the response.
    pub not_acceptable: Option<RejectionBody>,
    /// The media type of the body is not supported.
    pub unsupported_media_type: Option<RejectionBody>,
    /// The body is larger than the limit.
    pub too_large: Option<RejectionBody>,
    /// The server failed.
    pub internal: Option<RejectionBody>,
    /// The operation has no handler yet.
    pub not_implemented: Option<RejectionBody>,
    /// The responses to validation rejections of single operations, by operation id, which replace
    /// `validation`.
    pub validation_of: &'static [(&'static [&'static str], RejectionBody)],
}

impl Default for RejectionBodies {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl RejectionBodies {
    /// The responses of an API that documents none.
    pub const DEFAULT: Self = Self {
        not_found: None,
        method_not_allowed: None,
        validation: None,
        unauthorized: None,
        forbidden: None,
        not_acceptable: None,
        unsupported_media_type: None,
        too_large: None,
        internal: None,
        not_implemented: None,
        validation_of: &[],
    };

    /// Creates responses for an API that documents none; generated code calls this and the
    /// following methods.
    pub const fn new() -> Self {
        Self::DEFAULT
    }

    /// Sets the response for [`not_found`](Self::not_found).
    #[must_use]
    pub const fn with_not_found(mut self, body: RejectionBody) -> Self {
        self.not_found = Some(body);
        self
    }

    /// Sets the response for [`method_not_allowed`](Self::method_not_allowed).
    #[must_use]
    pub const fn with_method_not_allowed(mut self, body: RejectionBody) -> Self {
        self.method_not_allowed = Some(body);
        self
    }

    /// Sets the response for [`validation`](Self::validation).
    #[must_use]
    pub const fn with_validation(mut self, body: RejectionBody) -> Self {
        self.validation = Some(body);
        self
    }

    /// Sets the response for [`unauthorized`](Self::unauthorized).
    #[must_use]
    pub const fn with_unauthorized(mut self, body: RejectionBody) -> Self {
        self.unauthorized = Some(body);
        self
    }

    /// Sets the response for [`forbidden`](Self::forbidden).
    #[must_use]
    pub const fn with_forbidden(mut self, body: RejectionBody) -> Self {
        self.forbidden = Some(body);
        self
    }

    /// Sets the response for [`not_acceptable`](Self::not_acceptable).
    #[must_use]
    pub const fn with_not_acceptable(mut self, body: RejectionBody) -> Self {
        self.not_acceptable = Some(body);
        self
    }

    /// Sets the response for [`unsupported_media_type`](Self::unsupported_media_type).
    #[must_use]
    pub const fn with_unsupported_media_type(mut self, body: RejectionBody) -> Self {
        self.unsupported_media_type = Some(body);
        self
    }

    /// Sets the response for [`too_large`](Self::too_large).
    #[must_use]
    pub const fn with_too_large(mut self, body: RejectionBody) -> Self {
        self.too_large = Some(body);
        self
    }

    /// Sets the response for [`internal`](Self::internal).
    #[must_use]
    pub const fn with_internal(mut self, body: RejectionBody) -> Self {
        self.internal = Some(body);
        self
    }

    /// Sets the response for [`not_implemented`](Self::not_implemented).
    #[must_use]
    pub const fn with_not_implemented(mut self, body: RejectionBody) -> Self {
        self.not_implemented = Some(body);
        self
    }

    /// Sets the responses to validation rejections of single operations.
    #[must_use]
    pub const fn with_validation_of(
        mut self,
        rows: &'static [(&'static [&'static str], RejectionBody)],
    ) -> Self {
        self.validation_of = rows;
        self
    }

    fn own(
        &self,
        kind: RejectionKind,
        operation: Option<&OperationMeta>,
    ) -> Option<&RejectionBody> {
        if let (RejectionKind::Validation, Some(operation)) = (kind, operation) {
            let mut rows = self.validation_of.iter();
            if let Some((_, body)) = rows.find(|(ids, _)| ids.contains(&operation.id)) {
                return Some(body);
            }
        }
        match kind {
            RejectionKind::NotFound => self.not_found.as_ref(),
            RejectionKind::MethodNotAllowed => self.method_not_allowed.as_ref(),
            RejectionKind::Validation => self.validation.as_ref(),
            RejectionKind::Unauthorized => self.unauthorized.as_ref(),
            RejectionKind::Forbidden => self.forbidden.as_ref(),
            RejectionKind::NotAcceptable => self.not_acceptable.as_ref(),
            RejectionKind::UnsupportedMediaType => self.unsupported_media_type.as_ref(),
            RejectionKind::TooLarge => self.too_large.as_ref(),
            // Never documented: most callers that cause it do not read a response.
            RejectionKind::Timeout => None,
            RejectionKind::Internal => self.internal.as_ref(),
            RejectionKind::NotImplemented => self.not_implemented.as_ref(),
        }
    }

    /// Returns the response to a rejection, and for an operation if one was reached.
    pub(super) fn response(
        &self,
        rejection: &Rejection,
        operation: Option<&OperationMeta>,
    ) -> Response {
        let (status, content_type, body) = match self.own(rejection.kind, operation) {
            Some(own) => (
                StatusCode::from_u16(own.status).unwrap_or_else(|_| rejection.kind.status()),
                own.content_type,
                with_fields(own, &rejection.fields),
            ),
            None => {
                let status = rejection.kind.status();
                (status, PROBLEM, with_errors(status, &rejection.fields))
            }
        };
        let mut response = response(status, content_type, body);
        rejection.add_headers(&mut response);
        response
    }
}

/// Returns a response in the format of RFC 9457, with the title of the status.
#[cfg(any(feature = "idempotency", feature = "receiver"))]
pub(crate) fn problem(status: StatusCode, detail: Option<&str>) -> Response {
    let mut problem = about(status);
    if let Some(detail) = detail {
        problem.insert("detail".to_owned(), Json::from(detail));
    }
    let body = serde_json::to_string(&problem).unwrap_or_default();
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let content_type = HeaderValue::from_static(PROBLEM);
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    response
}

fn about(status: StatusCode) -> Map<Json> {
    let title = status.canonical_reason().unwrap_or("Error");
    Map::from_iter([
        ("type".to_owned(), Json::from("about:blank")),
        ("title".to_owned(), Json::from(title)),
        ("status".to_owned(), Json::from(status.as_u16())),
    ])
}

fn with_errors(status: StatusCode, fields: &[FieldError]) -> String {
    let mut problem = about(status);
    if !fields.is_empty() {
        problem.insert("errors".to_owned(), messages(fields));
    }
    serde_json::to_string(&problem).unwrap_or_default()
}

/// Joins the errors of all fields to one text.
fn sentences(fields: &[FieldError]) -> String {
    fields.iter().map(sentence).collect::<Vec<_>>().join("; ")
}

/// Returns an object of fields and messages; the messages of one field are joined.
fn messages(fields: &[FieldError]) -> Json {
    let mut all = serde_json::Map::new();
    for FieldError { field, message, .. } in fields {
        match all.get_mut(field) {
            Some(Json::String(known)) => {
                known.push_str("; ");
                known.push_str(message);
            }
            _ => drop(all.insert(field.clone(), Json::from(message.as_str()))),
        }
    }
    Json::Object(all)
}

/// Inserts field errors into the body of a rejection. A body without a place for them is unchanged.
fn with_fields(own: &RejectionBody, fields: &[FieldError]) -> String {
    let put_in = || {
        let mut steps = own.fields?.strip_prefix('/')?.split('/').map(unescape);
        let first = steps.next()?;
        let mut body: Map<Json> = serde_json::from_str(own.body).ok()?;
        let mut place = body.entry(first).or_insert(Json::Null);
        for step in steps {
            place = match place {
                Json::Array(items) => items.get_mut(step.parse::<usize>().ok()?)?,
                Json::Object(object) => object.entry(step).or_insert(Json::Null),
                _ => return None,
            };
        }
        let list = own.fields_as.list(fields);
        *place = list.unwrap_or_else(|| match place {
            // The present text describes the error as a whole, so the field errors follow it.
            Json::String(text) => format!("{text}: {}", sentences(fields)).into(),
            _ => messages(fields),
        });
        serde_json::to_string(&body).ok()
    };
    if fields.is_empty() { None } else { put_in() }.unwrap_or_else(|| own.body.to_owned())
}

fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
