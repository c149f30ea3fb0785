//! Spans of attempts, and their trace context, by OpenTelemetry's semantic conventions for HTTP.
//!
//! A URL or a header may contain a secret, so spans have neither, but for the host. Numbers are `i64`, the
//! integers of OpenTelemetry.

use crate::store::Lease;
use http::HeaderMap;
use tracing::Span;
use tracing::field::Empty;

/// Returns the trace context of the current span.
pub(crate) fn current() -> HeaderMap {
    let mut headers = HeaderMap::new();
    inject(&mut headers);
    headers
}

/// Adds the trace context of the current span. Headers that are there already are kept.
#[cfg_attr(not(feature = "trace-context"), expect(clippy::missing_const_for_fn))]
pub(crate) fn inject(headers: &mut HeaderMap) {
    #[cfg(feature = "trace-context")]
    bothends_runtime::trace_context::inject(headers);
    #[cfg(not(feature = "trace-context"))]
    let _ = headers;
}

/// Creates the span of an attempt: the root of a trace, which is linked to the trace of the enqueue.
pub(crate) fn attempt(lease: &Lease) -> Span {
    let (message, url) = (&lease.message, &lease.url);
    let span = tracing::info_span!(
        parent: None,
        "webhook.attempt",
        otel.kind = "client",
        otel.name = format_args!("{} {}", message.method, message.kind),
        otel.status_code = Empty,
        delivery = lease.delivery.0,
        messaging.message.id = message.id.as_str(),
        http.request.method = message.method.as_str(),
        http.request.resend_count = i64::from(lease.generation) - 1,
        url.scheme = url.scheme(),
        server.address = url.host_str(),
        server.port = url.port_or_known_default().map(i64::from),
        http.response.status_code = Empty,
        error.type = Empty,
    );
    #[cfg(feature = "trace-context")]
    if !message.trace.is_empty() {
        bothends_runtime::trace_context::link(&message.trace, &span);
    }
    span
}

/// Records the end of the attempt in the current span: the status, or the kind of the failure.
pub(crate) fn ended(status: Option<u16>, end: &str) {
    let span = Span::current();
    let failed = |kind: &str| {
        span.record("otel.status_code", "ERROR");
        span.record("error.type", kind);
    };
    match status {
        Some(status) => {
            span.record("http.response.status_code", i64::from(status));
            if status >= 400 {
                failed(&status.to_string());
            }
        }
        None => failed(end),
    }
}
