//! The trace context between both ends, by OpenTelemetry's own propagator and spans.
#![cfg(all(feature = "client", feature = "server", feature = "trace-context"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::petstore;

use bothends_runtime::client::{
    Body, CallOptions, ClientCore, InProcess, Transport, TransportError,
};
use bothends_runtime::http::{HeaderMap, Request, Response};
use bothends_runtime::trace_context::{Propagator, PropagatorIsSet, set_propagator};
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{HeaderExtractor, HeaderInjector};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use petstore::operations::ListPetsRequest;
use petstore::server::router;
use petstore::store::Store;
use std::sync::{Arc, Mutex, Once};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::layer::SubscriberExt as _;

/// As the documentation shows it.
struct Otel(TraceContextPropagator);

impl Propagator for Otel {
    fn inject(&self, span: &Span, headers: &mut HeaderMap) {
        let mut headers = HeaderInjector(headers);
        self.0.inject_context(&span.context(), &mut headers);
    }

    fn extract(&self, headers: &HeaderMap, span: &Span) {
        let _ = span.set_parent(self.0.extract(&HeaderExtractor(headers)));
    }
}

/// Returns the spans that `test` ends, in the order of their ends.
fn spans(test: impl Future<Output = ()>) -> Vec<SpanData> {
    static SET: Once = Once::new();
    SET.call_once(|| set_propagator(Otel(TraceContextPropagator::new())).unwrap());
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder();
    let provider = provider.with_simple_exporter(exporter.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    let subscriber = tracing_subscriber::registry().with(layer);
    tracing::subscriber::with_default(subscriber, || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_all().build().unwrap().block_on(test);
    });
    exporter.get_finished_spans().unwrap()
}

/// A transport that keeps the headers.
#[derive(Clone, Default)]
struct Headers(Arc<Mutex<Vec<HeaderMap>>>);

impl Transport for Headers {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        self.0.lock().unwrap().push(request.headers().clone());
        let mut response = Response::new(Body::empty());
        *response.status_mut() = 503.try_into().unwrap();
        Ok(response)
    }
}

#[test]
fn a_request_continues_the_trace_of_its_call() {
    let spans = spans(async {
        let transport = InProcess::new(router(Store::default()));
        let core = ClientCore::new("http://h", transport).unwrap();
        core.call(&ListPetsRequest::new()).await.unwrap();
    });
    let [server, client] = &spans[..] else {
        panic!("{spans:?}")
    };
    let (of_server, of_client) = (&server.span_context, &client.span_context);
    assert_eq!(of_server.trace_id(), of_client.trace_id());
    assert_eq!(server.parent_span_id, of_client.span_id());
    assert!(server.parent_span_is_remote);
}

#[test]
fn the_headers_are_those_of_the_standard() {
    let transport = Headers::default();
    let core = ClientCore::new("http://h", transport.clone()).unwrap();
    let spans = spans(async {
        let list = ListPetsRequest::new();
        core.call(&list).await.unwrap_err();
        let own = CallOptions::new().header("traceparent", "own");
        core.with(own).call(&list).await.unwrap_err();
    });
    let context = &spans[0].span_context;
    let headers = transport.0.lock().unwrap();
    let expected = format!("00-{}-{}-01", context.trace_id(), context.span_id());
    assert_eq!(headers[0]["traceparent"], expected);
    assert_eq!(headers[1]["traceparent"], "own");
}

#[test]
fn a_server_continues_the_trace_of_any_caller() {
    // The example of W3C Trace Context, section 3.2.
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let ask = |parent: &'static str| async move {
        let request = Request::get("/pets").header("traceparent", parent);
        let request = request.header("tracestate", "congo=t61rcWkgMzE");
        let request = request.body(Body::empty()).unwrap();
        let mut service = router(Store::default());
        tower_service::Service::call(&mut service, request)
            .await
            .unwrap();
    };
    let spans = spans(async {
        ask(parent).await;
        ask("00-nonsense").await;
    });
    let context = &spans[0].span_context;
    assert_eq!(context.trace_id().to_string(), &parent[3..35]);
    assert_eq!(spans[0].parent_span_id.to_string(), &parent[36..52]);
    assert_eq!(context.trace_state().get("congo"), Some("t61rcWkgMzE"));
    assert_ne!(spans[1].span_context.trace_id(), context.trace_id());
}

#[test]
fn a_program_has_one_propagator() {
    drop(spans(async {}));
    let again = set_propagator(Otel(TraceContextPropagator::new()));
    let error: PropagatorIsSet = again.unwrap_err();
    assert_eq!(error.to_string(), "a propagator is set already");
}
