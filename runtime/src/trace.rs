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
        otel.name = Empty,
        otel.status_code = Empty,
        operation.id = Empty,
        http.request.method = method.as_str(),
        http.route = Empty,
        http.response.status_code = Empty,
        error.type = Empty,
    )
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

/// Tells the span that there was no answer, and of what kind the failure is.
#[cfg(feature = "client")]
pub(crate) fn failed(span: &Span, kind: &'static str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", kind);
}
