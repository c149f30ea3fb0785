//! Bodies that come item by item: the bytes, and items that arrive before the body has ended.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as Cx, Poll, Waker};
use std::time::Duration;

use bothends_runtime::client::{ClientCore, HyperTransport, InProcess};
use bothends_runtime::server::{Body, Context, Error, Router};
use bothends_runtime::{Event, NoError, StreamError, Streamed};
use bothends_wire_tests::of_streams::client::Client;
use bothends_wire_tests::of_streams::operations::*;
use bothends_wire_tests::of_streams::server::{DefaultApi, router};
use bothends_wire_tests::of_streams::types::{Problem, Tick};

/// A source that gives an item when it is told to.
#[derive(Clone, Default)]
pub(super) struct Tap(Arc<Mutex<State>>);

/// What is to be given, whether that is all, and who waits for it.
type State = (Vec<Event<Tick>>, bool, Option<Waker>);

impl Tap {
    pub(super) fn give(&self, n: i64) {
        self.change(|state| state.0.push(Event::new(Tick::new(n))));
    }

    pub(super) fn close(&self) {
        self.change(|state| state.1 = true);
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.0.lock().expect("a lock");
        change(&mut state);
        if let Some(waker) = state.2.take() {
            waker.wake();
        }
    }

    fn stream(&self) -> Streamed<Event<Tick>> {
        Streamed::new(Flow(self.clone()))
    }
}

struct Flow(Tap);

impl futures_core::Stream for Flow {
    type Item = Result<Event<Tick>, StreamError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Cx<'_>) -> Poll<Option<Self::Item>> {
        let mut state = self.0.0.lock().expect("a lock");
        if state.0.is_empty() {
            if state.1 {
                return Poll::Ready(None);
            }
            state.2 = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(Some(Ok(state.0.remove(0))))
    }
}

pub(super) struct Server(pub(super) Tap);

pub(super) fn ticks() -> Vec<Tick> {
    vec![Tick::new(1), Tick::new(2)]
}

type Answer<T> = Result<T, Error<NoError>>;

impl DefaultApi for Server {
    async fn watch_ticks(
        &self,
        ctx: Context,
        _: WatchTicksRequest,
    ) -> Result<WatchTicksResponse, Error<WatchTicksError>> {
        if ctx.headers().contains_key("x-none") {
            let problem = Problem::new().title("none");
            return Err(WatchTicksError::NotFound(problem).into());
        }
        Ok(self.0.stream().into())
    }

    async fn watch_notes(&self, _: Context, _: WatchNotesRequest) -> Answer<WatchNotesResponse> {
        let note = Event {
            event: Some("note".to_owned()),
            id: Some("1".to_owned()),
            retry: Some(Duration::from_millis(5)),
            data: "two\nlines".to_owned(),
        };
        Ok(Streamed::from_items([note, Event::new("5".to_owned())]).into())
    }

    async fn read_log(&self, _: Context, _: ReadLogRequest) -> Answer<ReadLogResponse> {
        Ok(Streamed::from_items(ticks()).into())
    }

    async fn write_log(&self, _: Context, request: WriteLogRequest) -> Answer<WriteLogResponse> {
        assert_eq!(
            request.body.try_collect().await.expect("all items"),
            ticks()
        );
        Ok(().into())
    }

    async fn read_sequence(
        &self,
        _: Context,
        _: ReadSequenceRequest,
    ) -> Answer<ReadSequenceResponse> {
        Ok(Streamed::from_items(ticks()).into())
    }

    async fn complete(&self, ctx: Context, _: CompleteRequest) -> Answer<CompleteResponse> {
        let body = match ctx.prefers(&["application/json", "text/event-stream"]) {
            Some(1) => CompleteOkContent::Events(Streamed::from_items([Event::new(Tick::new(1))])),
            _ => CompleteOkContent::Json(Tick::new(1)),
        };
        Ok(body.into())
    }
}

fn client(tap: &Tap) -> Client<InProcess<Router<Server>>> {
    let transport = InProcess::new(router(Server(tap.clone())));
    Client::with_transport("http://localhost", transport).expect("a client")
}

async fn raw(path: &str) -> String {
    use tower_service::Service;
    let request = http::Request::get(path)
        .body(Body::empty())
        .expect("a request");
    let response = router(Server(Tap::default()))
        .call(request)
        .await
        .expect("an answer");
    let bytes = response.into_body().collect(1 << 20).await.expect("a body");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn bytes_are_as_the_standards_say() {
    assert_eq!(
        raw("/notes").await,
        "event: note\nid: 1\nretry: 5\ndata: two\ndata: lines\n\ndata: 5\n\n"
    );
    assert_eq!(raw("/log").await, "{\"n\":1}\n{\"n\":2}\n");
    assert_eq!(raw("/sequence").await, "\u{1e}{\"n\":1}\n\u{1e}{\"n\":2}\n");
}

#[tokio::test]
async fn items_come_back() {
    let client = client(&Tap::default());
    let notes = client.watch_notes().await.expect("notes").into_inner();
    let notes = notes.try_collect().await.expect("events");
    assert_eq!(notes[0].event.as_deref(), Some("note"));
    assert_eq!(notes[0].retry, Some(Duration::from_millis(5)));
    let data: Vec<&str> = notes.iter().map(|note| note.data.as_str()).collect();
    assert_eq!(data, ["two\nlines", "5"]);
    let log = client.read_log().await.expect("a log");
    assert_eq!(
        log.into_inner().try_collect().await.expect("items"),
        ticks()
    );
    let sequence = client.read_sequence().await.expect("a sequence");
    assert_eq!(
        sequence.into_inner().try_collect().await.expect("items"),
        ticks()
    );
    let written = Streamed::from_items(ticks());
    client.write_log(written).await.expect("taken");
}

#[tokio::test]
async fn an_event_arrives_while_the_stream_is_open_over_a_socket() {
    let tap = Tap::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a socket");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let service = axum::Router::new().fallback_service(router(Server(tap.clone())));
    let serving = tokio::spawn(async move { axum::serve(listener, service).await });
    let client = Client::with_transport(&base, HyperTransport::new().expect("a transport"))
        .expect("a client");
    let mut ticks = client.watch_ticks().await.expect("ticks").into_inner();
    for n in 1..4 {
        tap.give(n);
        let tick = ticks.next().await.expect("an event").expect("a tick");
        assert_eq!(tick.data, Tick::new(n));
    }
    tap.close();
    assert!(ticks.next().await.is_none());
    serving.abort();
}

#[tokio::test]
async fn an_error_is_no_stream() {
    let name = http::HeaderName::from_static("x-none");
    let core = ClientCore::new(
        "http://localhost",
        InProcess::new(router(Server(Tap::default()))),
    );
    let core = core
        .expect("a core")
        .header(name, http::HeaderValue::from_static("1"));
    let error = Client::from_core(core)
        .watch_ticks()
        .await
        .expect_err("an error");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(404));
    let problem = Problem::new().title("none");
    assert_eq!(error.api(), Some(&WatchTicksError::NotFound(problem)));
}

#[tokio::test]
async fn the_caller_says_which_media_type_it_wants() {
    let core = || {
        ClientCore::new(
            "http://localhost",
            InProcess::new(router(Server(Tap::default()))),
        )
        .expect("a core")
    };
    let either = Client::from_core(core()).complete().await;
    let either = either.expect("a response");
    assert_eq!(either.into_inner(), CompleteOkContent::Json(Tick::new(1)));
    let value = http::HeaderValue::from_static("application/json;q=0.4, text/event-stream");
    let events = Client::from_core(core().header(http::header::ACCEPT, value));
    let response = events.complete().await.expect("a response");
    let CompleteOkContent::Events(mut events) = response.into_inner() else {
        panic!("events were asked for");
    };
    let first = poll_fn(|cx| futures_core::Stream::poll_next(Pin::new(&mut events), cx)).await;
    assert_eq!(first.expect("an event").expect("a tick").data, Tick::new(1));
}
