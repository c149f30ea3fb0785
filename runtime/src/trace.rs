//! Spans for calls and for requests, by the names of OpenTelemetry's conventions for HTTP.
//!
//! A query or a header may hold a secret, so neither is told; a path is told as its template.

use crate::OperationMeta;
use http::StatusCode;
use tracing::Span;
use tracing::field::Empty;

/// The span of a call.
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

/// The span of a request, of which it is not yet known which operation it is for.
#[cfg(feature = "server")]
pub(crate) fn request(method: &http::Method) -> Span {
    tracing::info_span!(
        "http.server",
        otel.kind = "server",
        otel.name = known(method),
        otel.status_code = Empty,
        operation.id = Empty,
        http.request.method = known(method),
        http.route = Empty,
        http.response.status_code = Empty,
        error.type = Empty,
    )
}

/// A method that HTTP knows; any other is a caller's own word, of which there are too many.
#[cfg(feature = "server")]
fn known(method: &http::Method) -> &str {
    const KNOWN: [&str; 10] = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY",
    ];
    let method = method.as_str();
    if KNOWN.contains(&method) {
        method
    } else {
        "_OTHER"
    }
}

/// Tells the span which operation it is.
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

/// Tells the span of an answer. To a client all errors are errors, to a server its own.
pub(crate) fn answered(span: &Span, status: StatusCode, client: bool) {
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() || (client && status.is_client_error()) {
        span.record("otel.status_code", "ERROR");
        span.record("error.type", status.as_str());
    }
}

/// Tells the span of a call that it was tried again, so many times.
#[cfg(feature = "client")]
pub(crate) fn resent(times: u32) {
    Span::current().record("http.request.resend_count", times);
}

/// Tells the span that there was no answer, and of what kind the failure is.
#[cfg(feature = "client")]
pub(crate) fn failed(span: &Span, kind: &'static str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", kind);
}

/// Tells why the server failed: the cause with all of its sources, in one line.
#[cfg(feature = "server")]
pub(crate) fn server_failed(
    meta: &'static OperationMeta,
    cause: &(dyn std::error::Error + 'static),
) {
    tracing::error!(
        operation = meta.id,
        cause = %crate::chain::Chain(cause),
        "the server failed"
    );
}

/// Tells why everybody is refused.
#[cfg(feature = "server")]
pub(crate) fn no_authenticator(meta: &'static OperationMeta) {
    tracing::warn!(
        operation = meta.id,
        "refused, since the router has no authenticator: call `guard`, `authenticate` or `allow_unauthenticated`"
    );
}
