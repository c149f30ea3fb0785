//! Traces of deliveries by OpenTelemetry's own propagator and spans, and metrics by a recorder that is not
//! ours.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use crate::common;

use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{
    DeliveryStore, Destinations, Message, Policy, State, Subscription, Worker,
};
use bothends_runtime::http::HeaderMap;
use bothends_runtime::trace_context::{Propagator, set_propagator};
use common::postgres::Postgres;
use common::receiver::{Act, Received, Receiver};
use metrics_util::debugging::{DebugValue, DebuggingRecorder};
use opentelemetry::Value;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{SpanId, TraceContextExt as _, TracerProvider as _};
use opentelemetry_http::{HeaderExtractor, HeaderInjector};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use std::sync::Once;
use std::time::Duration;
use tracing::{Instrument as _, Span};
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

    fn link(&self, headers: &HeaderMap, span: &Span) {
        let other = self.0.extract(&HeaderExtractor(headers));
        span.add_link(other.span().span_context().clone());
    }
}

fn block_on<T>(test: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(test)
}

/// Returns the spans that `test` ends.
fn spans(test: impl Future<Output = ()>) -> Vec<SpanData> {
    static SET: Once = Once::new();
    SET.call_once(|| set_propagator(Otel(TraceContextPropagator::new())).unwrap());
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder();
    let provider = provider.with_simple_exporter(exporter.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    let subscriber = tracing_subscriber::registry().with(layer);
    tracing::subscriber::with_default(subscriber, || block_on(test));
    exporter.get_finished_spans().unwrap()
}

/// Is busy at first, accepts what comes then, and rejects everything at another path.
async fn receiver() -> Receiver {
    let tries = std::sync::atomic::AtomicUsize::new(0);
    let act = move |received: &Received| {
        if received.line.contains("/gone") {
            return Act::Status(410);
        }
        let first = tries.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0;
        Act::Status(if first { 503 } else { 200 })
    };
    Receiver::start(act).await
}

async fn subscribe(store: &impl DeliveryStore, id: &str, url: String) {
    let subscription = Subscription::builder(id).url(url).build().unwrap();
    store.put_subscription(subscription).await.unwrap();
}

/// Sends until nothing is left.
async fn work(store: &impl DeliveryStore) {
    let policy = Policy {
        initial_backoff: Duration::ZERO,
        ..Policy::default()
    };
    let destinations = Destinations::public().allow_loopback();
    let worker = Worker::builder(store.clone()).policy(policy);
    let worker = worker.destinations(destinations).build().unwrap();
    let finished = async {
        loop {
            let all = store.deliveries(None, 10).await.unwrap();
            if all.iter().all(|delivery| delivery.state.is_finished()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    worker.run(finished).await;
}

/// The example of W3C Trace Context, section 3.2.
const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// Enqueues in a request whose caller has a trace, sends twice, and replays.
async fn traced(store: &impl DeliveryStore) -> Vec<Received> {
    let receiver = receiver().await;
    subscribe(store, "s", receiver.url()).await;
    let span = tracing::info_span!("request");
    let mut headers = HeaderMap::new();
    headers.insert("traceparent", PARENT.parse().unwrap());
    headers.insert("tracestate", "congo=t61rcWkgMzE".parse().unwrap());
    Otel(TraceContextPropagator::new()).extract(&headers, &span);
    let enqueue = async { store.enqueue(Message::new("order.shipped", "{}")).await };
    let enqueued = enqueue.instrument(span).await.unwrap();
    work(store).await;
    store.replay(enqueued.deliveries[0]).await.unwrap();
    work(store).await;
    receiver.log()
}

fn attribute(span: &SpanData, name: &str) -> Option<Value> {
    let mut attributes = span.attributes.iter();
    let found = attributes.find(|attribute| attribute.key.as_str() == name)?;
    Some(found.value.clone())
}

fn assert_linked(spans: &[SpanData], log: &[Received]) {
    let named = |name: &'static str| spans.iter().filter(move |span| span.name == name);
    let request = named("request").next().unwrap();
    assert_eq!(request.span_context.trace_id().to_string(), PARENT[3..35]);
    let attempts: Vec<_> = named("POST order.shipped").collect();
    assert_eq!((attempts.len(), log.len()), (3, 3));
    for (attempt, received) in attempts.iter().zip(log) {
        // A trace of its own, linked to that of the enqueue.
        let context = &attempt.span_context;
        assert_ne!(context.trace_id(), request.span_context.trace_id());
        assert_eq!(attempt.parent_span_id, SpanId::INVALID);
        let [link] = &attempt.links.links[..] else {
            panic!("{:?}", attempt.links)
        };
        let (link, expected) = (&link.span_context, &request.span_context);
        assert_eq!(
            (link.trace_id(), link.span_id()),
            (expected.trace_id(), expected.span_id())
        );
        assert_eq!(link.trace_state().get("congo"), Some("t61rcWkgMzE"));
        // The receiver continues the trace of the attempt.
        let expected = format!("00-{}-{}-01", context.trace_id(), context.span_id());
        assert_eq!(received.header("traceparent"), expected);
    }
    let values_of = |name| -> Vec<_> {
        let values = attempts.iter().map(|attempt| attribute(attempt, name));
        values.collect()
    };
    let statuses = [503, 200, 200].map(|status| Some(Value::I64(status)));
    assert_eq!(values_of("http.response.status_code"), statuses);
    assert_eq!(
        values_of("http.request.resend_count"),
        [0, 1, 0].map(|count| Some(Value::I64(count)))
    );
    assert_eq!(
        values_of("error.type"),
        [Some(Value::from("503")), None, None]
    );
    assert_eq!(
        values_of("server.address"),
        [(); 3].map(|()| Some(Value::from("127.0.0.1")))
    );
}

#[test]
fn an_attempt_is_linked_to_its_enqueue() {
    let mut log = Vec::new();
    let spans = spans(async {
        log = traced(&SqliteStore::open(":memory:").await.unwrap()).await;
    });
    assert_linked(&spans, &log);
}

#[test]
fn an_attempt_is_linked_to_its_enqueue_on_postgres() {
    let Some(server) = Postgres::start("an_attempt_is_linked_to_its_enqueue_on_postgres") else {
        return;
    };
    let mut log = Vec::new();
    let spans = spans(async { log = traced(&server.store().await).await });
    assert_linked(&spans, &log);
}

/// One message is delivered at the second attempt, and one is rejected.
async fn measured(store: &impl DeliveryStore) {
    let receiver = receiver().await;
    let gone = receiver.url().replace("/hook", "/gone");
    let subscription = Subscription::builder("s").url(receiver.url());
    let subscription = subscription.url_for("invented 2", gone).build().unwrap();
    store.put_subscription(subscription).await.unwrap();
    let message = Message::new("invented 1", "{}");
    store.enqueue(message).await.unwrap();
    let message = Message::new("invented 2", "{}");
    let message = message.method("INVENTED".parse().unwrap());
    let rejected = store.enqueue(message).await.unwrap();
    assert_eq!(store.depth().await.unwrap(), 2);
    work(store).await;
    let rejected = store.delivery(rejected.deliveries[0]).await.unwrap();
    assert!(matches!(rejected.unwrap().state, State::Dead { .. }));
    assert_eq!(store.depth().await.unwrap(), 0);
}

#[test]
fn deliveries_are_measured() {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    metrics::with_local_recorder(&recorder, || {
        block_on(async { measured(&SqliteStore::open(":memory:").await.unwrap()).await });
    });
    let all = snapshotter.snapshot().into_vec().into_iter();
    let all = all.map(|(key, _, _, value)| {
        let mut labels: Vec<String> = (key.key().labels())
            .map(|label| format!(" {}={}", label.key(), label.value()))
            .collect();
        labels.sort();
        let value = match value {
            DebugValue::Gauge(value) => format!("{value}"),
            DebugValue::Histogram(values) if key.key().name() == "webhook.delivery.attempts" => {
                format!(
                    "{:?}",
                    values.iter().map(|value| value.0).collect::<Vec<_>>()
                )
            }
            DebugValue::Histogram(values) => {
                let durations = values.iter().all(|value| (0.0..600.0).contains(&value.0));
                assert!(durations, "{values:?}");
                format!("{} durations", values.len())
            }
            DebugValue::Counter(_) => panic!("{key:?}"),
        };
        format!("{}{}: {value}", key.key().name(), labels.concat())
    });
    let mut all: Vec<String> = all.collect();
    all.sort();
    let expected = [
        "http.client.request.duration error.type=410 http.request.method=_OTHER \
         http.response.status_code=410: 1 durations",
        "http.client.request.duration error.type=503 http.request.method=POST \
         http.response.status_code=503: 1 durations",
        "http.client.request.duration http.request.method=POST http.response.status_code=200: \
         1 durations",
        "webhook.delivery.attempts webhook.delivery.state=delivered: [2.0]",
        "webhook.delivery.attempts webhook.delivery.state=rejected: [1.0]",
        "webhook.delivery.backlog: 2",
        "webhook.delivery.duration: 1 durations",
    ];
    assert_eq!(all, expected);
}
