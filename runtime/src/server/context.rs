//! What is known of a request beside its parameters.

use crate::operation::negotiate;
use crate::wire::header;
use crate::{OperationMeta, Requirement};
use http::request::Parts;
use http::{Extensions, HeaderMap, Method, Uri};

/// What is known of a request beside its parameters.
///
/// Its `Debug` shows the operation and the names of headers only: a query, or the value of a header, may
/// be a credential.
#[derive(Clone)]
pub struct Context {
    pub(super) parts: Parts,
    operation: &'static OperationMeta,
    security: &'static [&'static [Requirement]],
    /// The alternative by which the caller was let in, when a guard let it in by one.
    admitted: Option<&'static [Requirement]>,
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
    pub(crate) const fn new(parts: Parts, operation: &'static OperationMeta) -> Self {
        Self {
            parts,
            operation,
            security: operation.security,
            admitted: None,
        }
    }

    /// The method, as it came.
    pub const fn method(&self) -> &Method {
        &self.parts.method
    }

    /// Where the request went to.
    pub const fn uri(&self) -> &Uri {
        &self.parts.uri
    }

    /// The headers.
    pub const fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// Which of these media types the caller wants most, by the weights of `Accept`; the first of
    /// several, and `None` when it takes none of them.
    ///
    /// ```ignore
    /// Ok(match ctx.prefers(&["application/json", "text/csv"]) {
    ///     Some(1) => ReportResponse::Ok(ReportContent::Csv(csv)),
    ///     _ => ReportResponse::Ok(ReportContent::Json(report)),
    /// })
    /// ```
    pub fn prefers(&self, media: &[&str]) -> Option<usize> {
        let all: Vec<&str> = header::texts(&self.parts.headers, "accept")
            .flatten()
            .collect();
        negotiate::choose(&all.join(","), media)
    }

    /// What layers and the authenticator left for the handler.
    pub const fn extensions(&self) -> &Extensions {
        &self.parts.extensions
    }

    /// Who calls, as an [`Authenticate`](super::Authenticate) with this principal has found out;
    /// `None` for a caller who is not asked.
    pub fn principal<P: Send + Sync + 'static>(&self) -> Option<&P> {
        self.extensions().get()
    }

    /// The same, to leave something.
    pub const fn extensions_mut(&mut self) -> &mut Extensions {
        &mut self.parts.extensions
    }

    /// The operation.
    pub const fn operation(&self) -> &'static OperationMeta {
        self.operation
    }

    /// The alternatives by which this request may be let in: those of the operation, and once the
    /// body is read, those that its variant accepts (`x-bothends-security`).
    pub const fn security(&self) -> &'static [&'static [Requirement]] {
        self.security
    }

    /// Takes a note of the alternative by which the caller was let in.
    pub(super) const fn admit(&mut self, alternative: &'static [Requirement]) {
        self.admitted = Some(alternative);
    }

    /// Leaves these alternatives only. `false` when the caller was let in by another one.
    pub(super) fn narrow(&mut self, security: &'static [&'static [Requirement]]) -> bool {
        if std::ptr::eq(self.security, security) || self.security == security {
            return true;
        }
        self.security = security;
        self.admitted.is_some_and(|by| security.contains(&by))
    }
}
