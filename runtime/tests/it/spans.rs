//! Spans of calls and of requests: names and attributes by OpenTelemetry's conventions for HTTP
//! (semantic conventions 1.37, HTTP spans), and no secret in them.
#![cfg(all(feature = "client", feature = "server", feature = "tracing"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::petstore;

use bothends_runtime::client::{
    Attempt, Basic, Body, ClientCore, Delay, InProcess, RetryPolicy, Transport, TransportError,
};
use bothends_runtime::http::{Request, Response};
use bothends_runtime::server::{Leniency, Router};
use petstore::client::{Client, Credentials};
use petstore::operations::*;
use petstore::server::router;
use petstore::store::Store;
use petstore::types::{NewPet, PetId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use tracing_core::span::Current;

type Fields = BTreeMap<&'static str, String>;
/// An event: its level, the span that it is in, and its fields.
type Reported = (tracing::Level, Option<u64>, Fields);

/// Keeps every span with its fields.
#[derive(Clone, Default)]
struct Collector {
    spans: Arc<Mutex<Vec<Kept>>>,
    /// Every event.
    events: Arc<Mutex<Vec<Reported>>>,
    /// Those that are entered, on the one thread of a test.
    entered: Arc<Mutex<Vec<Id>>>,
}

struct Kept {
    metadata: &'static Metadata<'static>,
    fields: Fields,
}

struct Writer<'a>(&'a mut Fields);

impl Visit for Writer<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

fn index(id: &Id) -> usize {
    usize::try_from(id.into_u64()).unwrap() - 1
}

impl Subscriber for Collector {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::new();
        span.record(&mut Writer(&mut fields));
        let mut spans = self.spans.lock().unwrap();
        spans.push(Kept {
            metadata: span.metadata(),
            fields,
        });
        Id::from_u64(u64::try_from(spans.len()).unwrap())
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let mut spans = self.spans.lock().unwrap();
        values.record(&mut Writer(&mut spans[index(id)].fields));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::new();
        event.record(&mut Writer(&mut fields));
        let within = self.entered.lock().unwrap().last().map(Id::into_u64);
        let level = *event.metadata().level();
        self.events.lock().unwrap().push((level, within, fields));
    }

    fn enter(&self, id: &Id) {
        self.entered.lock().unwrap().push(id.clone());
    }

    fn exit(&self, _: &Id) {
        self.entered.lock().unwrap().pop();
    }

    fn current_span(&self) -> Current {
        match self.entered.lock().unwrap().last() {
            Some(id) => {
                let metadata = self.spans.lock().unwrap()[index(id)].metadata;
                Current::new(id.clone(), metadata)
            }
            None => Current::none(),
        }
    }
}

impl Collector {
    /// The spans of a kind, each with the fields that have a value.
    fn spans_of(&self, name: &str) -> Vec<Fields> {
        let spans = self.spans.lock().unwrap();
        let named = spans.iter().filter(|kept| kept.metadata.name() == name);
        named.map(|kept| kept.fields.clone()).collect()
    }
}

fn fields<const N: usize>(all: [(&'static str, &str); N]) -> Fields {
    all.map(|(name, value)| (name, value.to_owned())).into()
}

#[tokio::test]
async fn a_call_and_its_request_have_spans_without_secrets() {
    let collector = Collector::default();
    let guard = tracing::subscriber::set_default(collector.clone());
    let transport = InProcess::new(router(Store::default()));
    let core = ClientCore::new("https://api.example.com", transport).unwrap();
    let client = Client::from_core(core.credentials(Credentials {
        basic: Some(Basic::new("hidden", "hidden")),
        bearer: Some("hidden".into()),
        client_id: Some("hidden".into()),
        key: Some("hidden".into()),
        sid: Some("hidden".into()),
    }));
    let request = ShowPetByIdRequest::new(PetId("hidden".to_owned())).tags(["hidden".to_owned()]);
    client.show_pet_by_id(request).await.unwrap();
    drop(guard);

    let expected = fields([
        ("otel.kind", "client"),
        ("otel.name", "GET /pets/{petId}"),
        ("operation.id", "showPetById"),
        ("http.request.method", "GET"),
        ("url.template", "/pets/{petId}"),
        ("url.scheme", "https"),
        ("server.address", "api.example.com"),
        ("server.port", "443"),
        ("http.response.status_code", "200"),
    ]);
    assert_eq!(collector.spans_of("http.client"), [expected]);
    let expected = fields([
        ("otel.kind", "server"),
        ("otel.name", "GET /pets/{petId}"),
        ("operation.id", "showPetById"),
        ("http.request.method", "GET"),
        ("http.route", "/pets/{petId}"),
        ("http.response.status_code", "200"),
    ]);
    assert_eq!(collector.spans_of("http.server"), [expected]);
    let spans = collector.spans.lock().unwrap();
    let mut values = spans.iter().flat_map(|kept| kept.fields.values());
    assert!(values.all(|value| !value.contains("hidden")));
}

/// Fails twice, and says no then.
struct Failing(Mutex<u16>);

impl Transport for Failing {
    async fn send(&self, _: Request<Body>) -> Result<Response<Body>, TransportError> {
        let mut count = self.0.lock().unwrap();
        *count += 1;
        if *count == 1 {
            return Err(TransportError::new("https://hidden"));
        }
        let mut response = Response::new(Body::empty());
        *response.status_mut() = [503, 404][usize::from(*count > 2)].try_into().unwrap();
        Ok(response)
    }
}

/// Three attempts.
struct Thrice;

impl RetryPolicy for Thrice {
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay> {
        let again = attempt.number < 3 && attempt.is_transient();
        again.then(|| -> Delay { Box::pin(async {}) })
    }
}

#[tokio::test]
async fn what_goes_wrong_with_a_call_is_told_by_its_kind() {
    let collector = Collector::default();
    let guard = tracing::subscriber::set_default(collector.clone());
    let core = || ClientCore::new("http://h:8080", Failing(Mutex::new(0))).unwrap();
    let list = ListPetsRequest::new;
    core().retry(Thrice).call(&list()).await.unwrap_err();
    core().call(&list()).await.unwrap_err();
    let create = CreatePetRequest::new(NewPet::new());
    core().call(&create).await.unwrap_err();
    drop(guard);
    let reported: Vec<_> = collector
        .spans_of("http.client")
        .into_iter()
        .map(|fields| {
            let value_of = |name| fields.get(name).cloned().unwrap_or_default();
            [
                value_of("server.port"),
                value_of("http.request.resend_count"),
                value_of("http.response.status_code"),
                value_of("error.type"),
                value_of("otel.status_code"),
            ]
        })
        .collect();
    let expected = [
        ["8080", "2", "404", "404", "ERROR"],
        ["8080", "", "", "transport", "ERROR"],
        ["8080", "", "", "missing_credentials", "ERROR"],
    ];
    assert_eq!(reported, expected.map(|row| row.map(str::to_owned)));
}

async fn ask(method: &str, path: &str) {
    let request = Request::builder().method(method).uri(path);
    let request = request.body(Body::empty()).unwrap();
    let mut service = router(Store::default());
    let answer = tower_service::Service::call(&mut service, request).await;
    answer.unwrap();
}

#[tokio::test]
async fn a_request_that_reaches_no_handler_has_a_span_too() {
    let collector = Collector::default();
    let guard = tracing::subscriber::set_default(collector.clone());
    ask("GET", "/hidden").await;
    ask("HIDDEN", "/pets").await;
    ask("OPTIONS", "/pets").await;
    ask("GET", "/pets/1?order=hidden").await;
    drop(guard);
    let reported = collector.spans_of("http.server");
    let bare = |name: &'static str, status: &str| {
        fields([
            ("otel.kind", "server"),
            ("otel.name", name),
            ("http.request.method", name),
            ("http.response.status_code", status),
        ])
    };
    assert_eq!(
        reported[..3],
        [
            bare("GET", "404"),
            bare("_OTHER", "405"),
            bare("OPTIONS", "204")
        ]
    );
    // A caller's fault is no error of the server's.
    assert_eq!(reported[3]["http.response.status_code"], "400");
    assert_eq!(reported[3]["http.route"], "/pets/{petId}");
    assert!(
        !reported[3].contains_key("error.type") && !reported[3].contains_key("otel.status_code")
    );
}

#[tokio::test]
async fn a_failure_is_an_event_with_its_whole_cause() {
    let collector = Collector::default();
    let guard = tracing::subscriber::set_default(collector.clone());
    for id in ["internal", "panic", "unsent", "404"] {
        ask("GET", &format!("/pets/{id}")).await;
    }
    // It says why everybody is refused.
    ask("POST", "/pets").await;
    drop(guard);
    let event = |cause: &str| {
        fields([
            ("message", "the server failed"),
            ("operation", "showPetById"),
            ("cause", cause),
        ])
    };
    let events = collector.events.lock().unwrap();
    let expected = [
        event("the outer secret: the inner secret"),
        event("the handler panicked: a secret"),
        event(
            "Location cannot be sent: a header cannot hold a line break or another control character",
        ),
    ];
    for ((number, (level, within, fields)), expected) in (1..).zip(&*events).zip(expected) {
        assert_eq!((*level, fields), (tracing::Level::ERROR, &expected));
        // In the span of its request, which is the only one of it.
        assert_eq!(*within, Some(number));
    }
    let [.., (level, _, fields)] = &events[..] else {
        panic!("no event")
    };
    assert_eq!((*level, events.len()), (tracing::Level::WARN, 4));
    assert_eq!(fields["operation"], "createPet");
    assert!(fields["message"].contains("no authenticator"), "{fields:?}");
}

/// Creates a pet with a name that may be null, and returns the event of the response.
async fn created(body: &'static str, router: Router<Store>) -> Option<Reported> {
    let collector = Collector::default();
    let guard = tracing::subscriber::set_default(collector.clone());
    let request = Request::post("/pets").header("content-type", "application/json");
    let request = request.body(Body::from(body)).unwrap();
    let mut service = router.allow_unauthenticated();
    let answer = tower_service::Service::call(&mut service, request).await;
    let body = answer.unwrap().into_body().collect(1 << 20).await.unwrap();
    drop(guard);
    let body = String::from_utf8_lossy(&body).to_ascii_lowercase();
    assert!(!body.contains("lenien"), "{body}");
    collector.events.lock().unwrap().pop()
}

#[tokio::test]
async fn the_event_of_a_rejection_names_the_leniency_that_accepts_it() {
    let null = r#"{"name":null}"#;
    let (level, _, event) = created(null, router(Store::default())).await.unwrap();
    assert_eq!(level, tracing::Level::INFO);
    assert_eq!(event["leniency"], "Leniency::NullAsAbsent");
    assert_eq!(
        (&*event["operation"], &*event["status"]),
        ("createPet", "400")
    );
    // Another error remains, so no leniency accepts the request.
    let both = r#"{"name":null,"kind":1}"#;
    let (level, _, event) = created(both, router(Store::default())).await.unwrap();
    assert_eq!(
        (level, event.get("leniency")),
        (tracing::Level::DEBUG, None)
    );
    assert_eq!(
        created(null, router(Store::default()).lenient()).await,
        None
    );
    let alone = router(Store::default()).leniency(Leniency::NullAsAbsent);
    assert_eq!(created(null, alone).await, None);
}
