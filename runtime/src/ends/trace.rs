//! Spans for calls and for requests, by OpenTelemetry's semantic conventions for HTTP.
//!
//! A query or a header may contain a secret, so spans have neither; a path is recorded as its
//! template.

use crate::message::OperationMeta;
#[cfg(all(feature = "client", feature = "check-responses"))]
use crate::message::operation::checked::ResponseMismatch;
#[cfg(feature = "server")]
use crate::values::Leniencies;
use http::StatusCode;
use tracing::Span;
use tracing::field::Empty;

/// Creates the span of a call.
#[cfg(feature = "client")]
pub(crate) fn call(meta: &'static OperationMeta, base: Option<&http::Uri>) -> Span {
    let scheme = base.and_then(http::Uri::scheme_str);
    let port = base.and_then(http::Uri::port_u16).or(match scheme {
        Some("https") => Some(443),
        Some(_) => Some(80),
        None => None,
    });
    tracing::info_span!(
        "http.client",
        otel.kind = "client",
        otel.name = format_args!("{} {}", meta.method, meta.path),
        otel.status_code = Empty,
        operation.id = meta.id,
        http.request.method = meta.method,
        url.template = meta.path,
        url.scheme = scheme,
        server.address = base.and_then(http::Uri::host),
        server.port = port,
        http.request.resend_count = Empty,
        http.response.status_code = Empty,
        error.type = Empty,
    )
}

/// Creates the span of a request whose operation is not yet known.
#[cfg(feature = "server")]
pub(crate) fn request(parts: &http::request::Parts) -> Span {
    let method = super::method::known(&parts.method);
    let span = tracing::info_span!(
        "http.server",
        otel.kind = "server",
        otel.name = method,
        otel.status_code = Empty,
        operation.id = Empty,
        http.request.method = method,
        http.route = Empty,
        http.response.status_code = Empty,
        error.type = Empty,
    );
    #[cfg(feature = "trace-context")]
    super::trace_context::extract(&parts.headers, &span);
    span
}

/// Records the operation in the span.
#[cfg(feature = "server")]
pub(crate) fn operation(meta: &'static OperationMeta) {
    let span = Span::current();
    span.record(
        "otel.name",
        tracing::field::display(format_args!("{} {}", meta.method, meta.path)),
    );
    span.record("operation.id", meta.id);
    span.record("http.route", meta.path);
}

/// Records the response in the span. For a client every error status is an error, for a server only
/// its own.
pub(crate) fn answered(span: &Span, status: StatusCode, client: bool) {
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() || (client && status.is_client_error()) {
        span.record("otel.status_code", "ERROR");
        span.record("error.type", status.as_str());
    }
}

/// Records in the span of a call how often it was retried.
#[cfg(feature = "client")]
pub(crate) fn resent(times: u32) {
    Span::current().record("http.request.resend_count", times);
}

/// Records in the span that no response was received, and the kind of the failure.
#[cfg(feature = "client")]
pub(crate) fn failed(span: &Span, kind: &'static str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", kind);
}

/// Reports a response that does not match the document.
#[cfg(all(feature = "client", feature = "check-responses"))]
pub(crate) fn mismatched(mismatch: &ResponseMismatch) {
    tracing::warn!(
        operation = mismatch.operation(),
        mismatch = %mismatch,
        "the response does not match the document"
    );
}

/// Reports why the server failed: the cause with all of its sources, in one line.
#[cfg(feature = "server")]
pub(crate) fn server_failed(
    meta: &'static OperationMeta,
    cause: &(dyn std::error::Error + 'static),
) {
    tracing::error!(
        operation = meta.id,
        cause = %crate::message::chain::Chain(cause),
        "the server failed"
    );
}

/// Reports a rejected request, and the leniencies of the router that together accept it. The caller does not receive
/// these.
#[cfg(feature = "server")]
pub(crate) fn rejected(meta: &'static OperationMeta, status: StatusCode, leniencies: Leniencies) {
    let status = status.as_u16();
    if leniencies.is_empty() {
        tracing::debug!(operation = meta.id, status, "the request was rejected");
        return;
    }
    tracing::info!(
        operation = meta.id,
        status,
        leniency = %leniencies,
        "the request was rejected, and is accepted with `Router::leniency`"
    );
}

/// Warns that every caller is refused, because no authenticator is set.
#[cfg(feature = "server")]
pub(crate) fn no_authenticator(meta: &'static OperationMeta) {
    tracing::warn!(
        operation = meta.id,
        "refused, since the router has no authenticator: call `guard`, `authenticate` or `allow_unauthenticated`"
    );
}
