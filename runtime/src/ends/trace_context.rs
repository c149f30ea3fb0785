//! The trace context of requests (W3C Trace Context): between the spans of both ends, by the
//! propagator of the program.

use http::HeaderMap;
use std::fmt;
use std::sync::OnceLock;
use tracing::Span;

/// What writes the trace context of a span to headers, and reads it from them.
///
/// A program implements it with the crates of its telemetry, and sets it once by [`set_propagator`].
/// With `tracing-opentelemetry` and `opentelemetry-http`:
///
/// ```ignore
/// struct Otel;
///
/// impl Propagator for Otel {
///     fn inject(&self, span: &Span, headers: &mut HeaderMap) {
///         get_text_map_propagator(|of| of.inject_context(&span.context(), &mut HeaderInjector(headers)));
///     }
///
///     fn extract(&self, headers: &HeaderMap, span: &Span) {
///         let parent = get_text_map_propagator(|of| of.extract(&HeaderExtractor(headers)));
///         let _ = span.set_parent(parent);
///     }
///
///     fn link(&self, headers: &HeaderMap, span: &Span) {
///         let other = get_text_map_propagator(|of| of.extract(&HeaderExtractor(headers)));
///         span.add_link(other.span().span_context().clone());
///     }
/// }
/// ```
pub trait Propagator: Send + Sync + 'static {
    /// Writes the context of a call's span to the headers of its request: `traceparent` and
    /// `tracestate`. A header that the request has already is kept.
    fn inject(&self, span: &Span, headers: &mut HeaderMap);

    /// Makes the context in the headers of a received request the parent of its span, which has not
    /// been entered yet.
    fn extract(&self, headers: &HeaderMap, span: &Span);

    /// Links a span, which has not been entered yet, to the context in headers that were written
    /// earlier: bothends-delivery links each attempt of a webhook to the span that enqueued it. Without
    /// an implementation, the traces of attempts have no links.
    fn link(&self, headers: &HeaderMap, span: &Span) {
        let _ = (headers, span);
    }
}

static PROPAGATOR: OnceLock<Box<dyn Propagator>> = OnceLock::new();

/// Sets the propagator of the program: all clients send the trace context of their calls, and all
/// routers, those of webhooks too, read that of requests. Requests for tokens have none.
///
/// # Errors
///
/// Returns an error if a propagator is set already.
pub fn set_propagator(propagator: impl Propagator) -> Result<(), PropagatorIsSet> {
    let set = PROPAGATOR.set(Box::new(propagator));
    set.map_err(|_| PropagatorIsSet(()))
}

/// The error of [`set_propagator`]: a propagator is set already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PropagatorIsSet(());

impl fmt::Display for PropagatorIsSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a propagator is set already")
    }
}

impl std::error::Error for PropagatorIsSet {}

/// Adds the trace context of the current span to the headers of a request. A header that the request has
/// already is kept. Clients call it for each request.
pub fn inject(headers: &mut HeaderMap) {
    let Some(propagator) = PROPAGATOR.get() else {
        return;
    };
    let mut context = HeaderMap::new();
    propagator.inject(&Span::current(), &mut context);
    for (name, value) in &context {
        headers.entry(name).or_insert_with(|| value.clone());
    }
}

/// Links a span to the context that [`inject`] has written to these headers.
pub fn link(headers: &HeaderMap, span: &Span) {
    if let Some(propagator) = PROPAGATOR.get() {
        propagator.link(headers, span);
    }
}

/// Sets the parent of the span of a request.
#[cfg(feature = "server")]
pub(crate) fn extract(headers: &HeaderMap, span: &Span) {
    if let Some(propagator) = PROPAGATOR.get() {
        propagator.extract(headers, span);
    }
}
