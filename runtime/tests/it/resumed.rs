//! Streams of events that are resumed: when, with which id, and until when. Time is paused.
#![cfg(feature = "tasks")]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use bothends_runtime::client::{
    Backoff, Body, CallOptions, ClientCore, Error, Transport, TransportError,
};
use bothends_runtime::http::{Request, Response, StatusCode};
use bothends_runtime::{ByteStream, Bytes, Event, NoError, StreamError, Streamed};
use futures_util::{StreamExt as _, future, stream};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

#[derive(Debug, Clone, PartialEq)]
pub struct Watch {
    pub last_event_id: Option<String>,
}
bothends_runtime::operation! {
    "watch": "GET" "/events"
    Watch() {
        header "Last-Event-ID": String => last_event_id?,
    }
    -> Watched { 200 => events Streamed<Event<String>> [until ""] }, WatchError = NoError
}

#[derive(Debug, Clone, PartialEq)]
pub struct Ask {}
bothends_runtime::operation! {
    "ask": "POST" "/answers"
    Ask() {
    }
    -> Asked { 200 => events Streamed<Event<String>> [until "[DONE]"] }, AskError = NoError
}

/// How a body ends.
#[derive(Debug, Clone, Copy)]
enum Then {
    End,
    Break,
    Hang,
    /// After the longest delay.
    BreakLate,
}

/// An answer of the server: the status and a header `Retry-After`, the body, and how it ends.
type Answer = (u16, Option<u64>, &'static str, Then);

const BUSY: Answer = (503, None, "", Then::End);

/// Answers with one answer after another; the last one stays.
#[derive(Clone)]
struct Server {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    asked: Arc<Mutex<Vec<(f64, String)>>>,
    since: Instant,
}

impl Server {
    fn new(answers: &[Answer]) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.iter().copied().collect())),
            asked: Arc::default(),
            since: Instant::now(),
        }
    }

    fn core(&self) -> ClientCore<Self> {
        ClientCore::new("http://localhost", self.clone()).unwrap()
    }

    /// Returns the ids with which the stream was opened.
    fn ids(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|(_, id)| id.clone()).collect()
    }

    /// Returns the seconds between the calls.
    fn pauses(&self) -> Vec<f64> {
        let asked = self.asked.lock().unwrap();
        asked.windows(2).map(|two| two[1].0 - two[0].0).collect()
    }
}

impl Transport for Server {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let id = request.headers().get_all("last-event-id");
        let ids: Vec<&str> = id.iter().map(|id| id.to_str().unwrap()).collect();
        let asked = (self.since.elapsed().as_secs_f64(), ids.join(", "));
        self.asked.lock().unwrap().push(asked);
        let mut answers = self.answers.lock().unwrap();
        let (status, retry_after, body, then) = answers[0];
        if answers.len() > 1 {
            answers.pop_front();
        }
        if status == 0 {
            return Err(TransportError::new("refused"));
        }
        let rest = match then {
            Then::End => stream::empty().boxed(),
            Then::Break => stream::once(future::ready(Err("cut"))).boxed(),
            Then::Hang => stream::pending().boxed(),
            Then::BreakLate => stream::once(async {
                tokio::time::sleep(Backoff::default().max_delay).await;
                Err("cut")
            })
            .boxed(),
        };
        let pieces = stream::once(future::ready(Ok(Bytes::from(body)))).chain(rest);
        let mut response = Response::new(Body::new(ByteStream::new(pieces)));
        *response.status_mut() = StatusCode::from_u16(status).unwrap();
        let headers = response.headers_mut();
        if status == 200 {
            headers.insert("content-type", "text/event-stream".parse().unwrap());
        }
        if let Some(seconds) = retry_after {
            headers.insert("retry-after", seconds.into());
        }
        Ok(response)
    }
}

/// Runs a test on a paused clock.
fn run(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build().unwrap();
    runtime.block_on(test);
}

/// Returns the data of all events, and the last error.
async fn all(mut events: Streamed<Event<String>>) -> (Vec<String>, Option<Error<NoError>>) {
    let (mut data, mut last) = (Vec::new(), None);
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => data.push(event.data),
            Err(StreamError::Broken(error)) => last = Some(error),
            Err(error) => panic!("{error}"),
        }
    }
    (
        data,
        last.map(|error| *error.downcast().expect("the error of a call")),
    )
}

async fn watched(server: &Server, backoff: Backoff) -> Streamed<Event<String>> {
    let core = server.core();
    let call = core.stream(Watch::new()).resumable(backoff);
    call.await.unwrap().into_inner()
}

#[test]
fn events_follow_across_connections() {
    run(async {
        let server = Server::new(&[
            (
                200,
                None,
                "id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\nda",
                Then::Break,
            ),
            (0, None, "", Then::End),
            BUSY,
            (200, None, "id: 3\ndata: c\n\n", Then::End),
            (204, None, "", Then::End),
        ]);
        let (data, error) = all(watched(&server, Backoff::default()).await).await;
        assert_eq!(data, ["a", "b", "c"]);
        assert!(error.is_none(), "{error:?}");
        assert_eq!(server.ids(), ["", "2", "2", "2", "3"]);
        let pauses = server.pauses();
        for (pause, most) in pauses.iter().zip([0.2, 0.4, 0.8, 0.2]) {
            // The timer has milliseconds.
            assert!((most / 2.0..=most + 0.001).contains(pause), "{pauses:?}");
        }
    });
}

#[test]
fn the_server_lengthens_the_delay() {
    run(async {
        let server = Server::new(&[
            (200, None, "retry: 30000\nid: 1\ndata: a\n\n", Then::Break),
            (503, Some(5), "", Then::End),
            (200, None, "retry: 10\n\n", Then::Break),
            (503, Some(7), "", Then::End),
            (204, None, "", Then::End),
        ]);
        let (data, error) = all(watched(&server, Backoff::default().attempts(9)).await).await;
        assert_eq!((&*data, error.is_none()), (&["a".to_owned()][..], true));
        let pauses = server.pauses();
        let whole: Vec<u64> = pauses.iter().map(|pause| pause.round() as u64).collect();
        // A `retry` beyond the longest delay is obeyed.
        assert_eq!(whole[..2], [30, 30], "{pauses:?}");
        assert_eq!(whole[3..], [7], "{pauses:?}");
    });
}

#[test]
fn the_last_error_follows_the_last_attempt() {
    run(async {
        let first = (200, None, "id: 1\ndata: a\n\n", Then::Break);
        let server = Server::new(&[first, (500, None, "", Then::End), BUSY]);
        let (data, error) = all(watched(&server, Backoff::default()).await).await;
        assert_eq!(data, ["a"]);
        let status = error.expect("an error").status();
        assert_eq!(status, Some(StatusCode::SERVICE_UNAVAILABLE));
        assert_eq!(server.ids(), ["", "1", "1", "1"]);

        for (last, calls) in [
            ((404, None, "", Then::End), 2),
            ((503, Some(21), "", Then::End), 2),
            ((503, Some(20), "", Then::End), 4),
        ] {
            let server = Server::new(&[first, last]);
            let (_, error) = all(watched(&server, Backoff::default()).await).await;
            let status = error.expect("an error").status();
            assert_eq!(status.map(|status| status.as_u16()), Some(last.0));
            assert_eq!(server.ids().len(), calls, "{last:?}");
        }
    });
}

#[test]
fn a_stream_that_brings_nothing_ends_after_the_attempts() {
    run(async {
        let first = (200, None, "id: 1\ndata: a\n\n", Then::End);
        let server = Server::new(&[first, (200, None, ": nothing\n\n", Then::End)]);
        let (data, error) = all(watched(&server, Backoff::default()).await).await;
        assert_eq!((&*data, error.is_none()), (&["a".to_owned()][..], true));
        assert_eq!(server.ids().len(), 4);

        let silent = (200, None, "", Then::Break);
        let next = (200, None, "data: b\n\n", Then::Break);
        let server = Server::new(&[
            first,
            silent,
            silent,
            next,
            silent,
            silent,
            (204, None, "", Then::End),
        ]);
        let (data, error) = all(watched(&server, Backoff::default()).await).await;
        assert_eq!(data, ["a", "b"]);
        assert!(
            error.is_none(),
            "an event begins the count again: {error:?}"
        );

        let quiet = (200, None, ":\n\n", Then::BreakLate);
        let server = Server::new(&[
            first,
            quiet,
            quiet,
            quiet,
            quiet,
            (204, None, "", Then::End),
        ]);
        let (_, error) = all(watched(&server, Backoff::default()).await).await;
        assert!(error.is_none(), "so does a long silence: {error:?}");
        assert_eq!(server.ids().len(), 6);
    });
}

#[test]
fn the_id_of_the_request_is_the_first() {
    run(async {
        let answers = [
            (200, None, "", Then::Break),
            (200, None, "id: 8\ndata: a\n\n", Then::Break),
            (204, None, "", Then::End),
        ];
        let server = Server::new(&answers);
        let core = server.core();
        let call = core.stream(Watch::new().last_event_id("7".to_owned()));
        let events = call.resumable(Backoff::default()).await.unwrap();
        assert_eq!(all(events.into_inner()).await.0, ["a"]);
        assert_eq!(server.ids(), ["7", "7", "8"]);

        let server = Server::new(&answers);
        let core = server
            .core()
            .with(CallOptions::new().header("last-event-id", "7"));
        let events = core.stream(Watch::new()).resumable(Backoff::default());
        assert_eq!(all(events.await.unwrap().into_inner()).await.0, ["a"]);
        assert_eq!(server.ids(), ["7", "7", "8"]);
    });
}

#[test]
fn a_post_is_resumed_only_if_every_method_is() {
    run(async {
        let answers = [
            (200, None, "id: 1\ndata: a\n\n", Then::Break),
            (200, None, "data: b\n\ndata: [DONE]\n\n", Then::Hang),
        ];
        for (backoff, data, ids) in [
            (Backoff::default(), &["a"][..], &[""][..]),
            (
                Backoff::default().retry_all_methods(),
                &["a", "b"],
                &["", "1"],
            ),
        ] {
            let server = Server::new(&answers);
            let core = server.core();
            let call = core.stream(Ask::new()).resumable(backoff);
            let mut events = call.await.unwrap().into_inner();
            let mut found = Vec::new();
            while let Some(Ok(event)) = events.next().await {
                found.push(event.data);
            }
            assert_eq!(found, data);
            assert_eq!(server.ids(), ids);
        }
    });
}

#[test]
fn nothing_happens_before_the_call_is_awaited_or_after_the_stream_is_dropped() {
    run(async {
        let server = Server::new(&[(200, None, "id: 1\ndata: a\n\n", Then::Break), BUSY]);
        let core = server.core();
        drop(core.stream(Watch::new()));
        drop(core.stream(Watch::new()).resumable(Backoff::default()));
        assert!(server.ids().is_empty());
        let mut events = watched(&server, Backoff::default()).await;
        events.next().await.expect("an event").expect("an event");
        let soon = Duration::from_millis(1);
        let waiting = tokio::time::timeout(soon, events.next()).await;
        assert!(waiting.is_err(), "the delay is longer");
        drop(events);
        tokio::time::sleep(Duration::from_secs(3600)).await;
        assert_eq!(server.ids(), [""]);
    });
}

#[test]
fn without_it_a_stream_ends_where_it_breaks() {
    run(async {
        let server = Server::new(&[(200, None, "id: 1\ndata: a\n\n", Then::Break)]);
        let core = server.core();
        let mut events = core.stream(Watch::new()).await.unwrap().into_inner();
        assert_eq!(events.next().await.unwrap().unwrap().data, "a");
        let error = events.next().await.unwrap().unwrap_err();
        assert!(matches!(error, StreamError::Broken(_)), "{error:?}");
        assert!(events.next().await.is_none());
        assert_eq!(server.ids(), [""]);
    });
}
