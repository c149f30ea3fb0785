//! The request without its parameters.

use crate::message::operation::negotiate;
use crate::message::wire::header::{self, LAST_EVENT_ID};
use crate::message::{OperationMeta, SecurityRequirement};
use http::header::ACCEPT;
use http::request::Parts;
use http::{Extensions, HeaderMap, Method, Uri};

/// The request of a handler without its parameters: method, URI, headers, extensions and operation.
///
/// `Debug` shows the operation and the names of headers only, because a query or a header value may
/// be a credential.
#[derive(Clone)]
pub struct Context {
    /// Boxed, because a context is moved several times on the way to its handler.
    parts: Box<Parts>,
    operation: &'static OperationMeta,
    security: &'static [&'static [SecurityRequirement]],
    /// The alternative that the caller satisfied, if a guard has accepted the caller by one.
    admitted: Option<&'static [SecurityRequirement]>,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.headers().keys().map(|name| name.as_str()).collect();
        f.debug_struct("Context")
            .field("operation", &self.operation.id)
            .field("method", self.method())
            .field("headers", &names)
            .finish_non_exhaustive()
    }
}

impl Context {
    pub(crate) const fn new(parts: Box<Parts>, operation: &'static OperationMeta) -> Self {
        Self {
            parts,
            operation,
            security: operation.security,
            admitted: None,
        }
    }

    /// Returns the method as it was received.
    pub const fn method(&self) -> &Method {
        &self.parts.method
    }

    /// Returns the URI of the request.
    pub const fn uri(&self) -> &Uri {
        &self.parts.uri
    }

    /// Returns the headers.
    pub const fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// Returns the index of the media type that the caller prefers, by the weights of `Accept`: the
    /// first of several, and `None` if the caller accepts none of them.
    ///
    /// ```ignore
    /// Ok(match ctx.prefers(&["application/json", "text/csv"]) {
    ///     Some(1) => ReportResponse::Ok(ReportContent::Csv(csv)),
    ///     _ => ReportResponse::Ok(ReportContent::Json(report)),
    /// })
    /// ```
    pub fn prefers(&self, media: &[&str]) -> Option<usize> {
        let all: Vec<&str> = header::texts(&self.parts.headers, ACCEPT)
            .flatten()
            .collect();
        negotiate::choose(&all.join(","), media)
    }

    /// Returns the id of the last event that the client has received, if the request resumes a stream
    /// of events (`Last-Event-ID`, HTML, section 9.2.4). The events after it follow.
    pub fn last_event_id(&self) -> Option<&str> {
        let id = self.headers().get(LAST_EVENT_ID)?;
        let id = std::str::from_utf8(id.as_bytes()).ok()?;
        (!id.is_empty()).then_some(id)
    }

    /// Returns the extensions that layers and the authenticator have set.
    pub const fn extensions(&self) -> &Extensions {
        &self.parts.extensions
    }

    /// Returns the principal that [`Authenticate`](super::Authenticate) has found; `None` if the
    /// operation did not require authentication.
    pub fn principal<P: Send + Sync + 'static>(&self) -> Option<&P> {
        self.extensions().get()
    }

    /// Returns the extensions for modification.
    pub const fn extensions_mut(&mut self) -> &mut Extensions {
        &mut self.parts.extensions
    }

    /// Returns the operation.
    pub const fn operation(&self) -> &'static OperationMeta {
        self.operation
    }

    /// Returns the alternatives that authenticate this request: those of the operation, and once
    /// the body is decoded, those that its variant accepts (`x-bothends-security`).
    pub const fn security(&self) -> &'static [&'static [SecurityRequirement]] {
        self.security
    }

    /// Records the alternative that the caller satisfied.
    pub(super) const fn admit(&mut self, alternative: &'static [SecurityRequirement]) {
        self.admitted = Some(alternative);
    }

    /// Restricts the alternatives. Returns `false` if the caller was accepted by another one.
    pub(super) fn narrow(&mut self, security: &'static [&'static [SecurityRequirement]]) -> bool {
        if std::ptr::eq(self.security, security) || self.security == security {
            return true;
        }
        self.security = security;
        self.admitted.is_some_and(|by| security.contains(&by))
    }
}
