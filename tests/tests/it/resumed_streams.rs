//! Event streams of a server that is not ours: `tests/python/streams.py`, and the faults that it injects.

use std::time::Duration;

use bothends_runtime::client::{Backoff, CallOptions, DefaultTransport, Error};
use bothends_runtime::{StatusCode, StreamError};
use bothends_tests::has_python;
use bothends_tests::in_process::block_on;
use bothends_tests::python::Running;
use generated::client::Client;
use generated::operations::*;

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/resumed-streams.rs"));
}

/// The server, the length of its recorded stream, and a client.
struct Notes {
    server: Running,
    length: usize,
    client: Client,
}

impl Notes {
    /// Starts the server; `None` without Python.
    fn start(test: &str) -> Option<Self> {
        has_python(test).then(|| {
            let mut server = Running::start("streams.py", &[]).expect("python3 runs");
            let line = server.line().expect("a line");
            let (port, length) = line.split_once(' ').expect("two numbers");
            Self {
                client: Client::new(&format!("http://127.0.0.1:{port}")).expect("a client"),
                length: length.parse().expect("a number"),
                server,
            }
        })
    }

    /// Returns the `Last-Event-ID` of the requests for a path.
    fn ids(&mut self, path: &str, count: usize) -> Vec<String> {
        let mut line = || self.server.line().expect("a line");
        let lines = (0..count).map(|_| line());
        let ids = lines.map(|line| {
            let id = line.strip_prefix(path).expect("a request for this path");
            id.trim().to_owned()
        });
        ids.collect()
    }
}

fn soon() -> Backoff {
    let mut backoff = Backoff::default();
    backoff.initial_delay = Duration::from_millis(1);
    backoff
}

/// Returns the data of all notes of a script, and whether the stream broke.
async fn notes(client: &Client, script: String) -> (Vec<String>, bool) {
    let call = client.watch_notes(script).resumable(soon());
    let mut events = call.await.expect("a stream").into_inner();
    let (mut data, mut is_broken) = (Vec::new(), false);
    while let Some(event) = events.next().await {
        match event {
            Err(StreamError::Broken(_)) => is_broken = true,
            event => data.push(event.expect("an event").data),
        }
    }
    (data, is_broken)
}

/// Returns the numbers of all orders of a script, and the error at the end.
async fn orders(client: &Client, script: &str) -> (Vec<i64>, Option<Error<WatchOrdersError>>) {
    let call = client.watch_orders(script).resumable(soon());
    let WatchOrdersResponseBody::Ok(mut events) = call.await.expect("a response").into_inner()
    else {
        return (Vec::new(), None);
    };
    let (mut numbers, mut last) = (Vec::new(), None);
    while let Some(event) = events.next().await {
        match event {
            Err(StreamError::Broken(error)) => last = error.downcast().ok().map(|error| *error),
            event => numbers.push(event.expect("an event").data.number),
        }
    }
    (numbers, last)
}

const NOTES: [&str; 5] = ["first", "second\nline", "third", "fouréth", ""];

#[test]
fn a_stream_that_is_cut_at_any_byte_loses_and_doubles_nothing() {
    let Some(notes_of) = Notes::start("a_stream_that_is_cut_at_any_byte_loses_and_doubles_nothing")
    else {
        return;
    };
    // The end of the first event.
    let first = 31;
    block_on(async {
        for cut in 0..=notes_of.length {
            let (data, is_broken) = notes(&notes_of.client, format!("cut-{cut}")).await;
            // Without an id, there is nothing to resume.
            let expected = if cut < first { &[] } else { &NOTES[..] };
            assert_eq!(data, expected, "cut at {cut}");
            assert_eq!(is_broken, cut < first, "cut at {cut}");

            let zero = CallOptions::new().header("last-event-id", "0");
            let client = notes_of.client.with(zero);
            let (data, is_broken) = notes(&client, format!("zero-{cut}")).await;
            assert_eq!(data, NOTES, "from 0, cut at {cut}");
            assert!(!is_broken, "from 0, cut at {cut}");
        }
        // From the length of the longest event on, every connection brings one.
        for cut in first..=notes_of.length {
            let (data, is_broken) = notes(&notes_of.client, format!("all-{cut}")).await;
            assert_eq!(data, NOTES, "always cut at {cut}");
            assert!(!is_broken, "always cut at {cut}");
        }
    });
}

#[test]
fn errors_are_retried_and_204_ends_the_stream() {
    let Some(mut started) = Notes::start("errors_are_retried_and_204_ends_the_stream") else {
        return;
    };
    block_on(async {
        let (numbers, error) = orders(&started.client, "busy").await;
        assert_eq!(numbers, [1, 2]);
        assert!(error.is_none(), "{error:?}");
        let ids = started.ids("GET /orders/busy", 5);
        assert_eq!(ids, ["", "1", "1", "1", "2"]);

        let (numbers, error) = orders(&started.client, "none").await;
        assert_eq!((numbers, error.is_none()), (Vec::new(), true));
        assert_eq!(started.ids("GET /orders/none", 1), [""]);
    });
}

#[test]
fn the_last_error_is_the_last_item() {
    let Some(mut started) = Notes::start("the_last_error_is_the_last_item") else {
        return;
    };
    block_on(async {
        for (script, status, requests) in [("down", 503, 4), ("away", 503, 2), ("gone", 404, 2)] {
            let (numbers, error) = orders(&started.client, script).await;
            let error = error.expect("the error of a call");
            assert_eq!(numbers, [1], "{script}");
            let status_of = error.status().as_ref().map(StatusCode::as_u16);
            assert_eq!(status_of, Some(status), "{script}");
            assert_eq!(error.api().is_some(), script == "gone");
            let ids = started.ids(&format!("GET /orders/{script}"), requests);
            assert!(
                ids[0].is_empty() && ids[1..].iter().all(|id| id == "1"),
                "{ids:?}"
            );
        }
        let (numbers, error) = orders(&started.client, "page").await;
        assert_eq!(numbers, [1]);
        assert!(matches!(error, Some(Error::Decode { .. })), "{error:?}");
    });
}

#[test]
fn nothing_is_resumed_after_the_end_or_without_an_id() {
    let Some(mut started) = Notes::start("nothing_is_resumed_after_the_end_or_without_an_id")
    else {
        return;
    };
    block_on(async {
        for script in ["ended", "cleared", "without"] {
            let (numbers, error) = orders(&started.client, script).await;
            assert_eq!((numbers, error.is_none()), (vec![1], true), "{script}");
        }
        let next = orders(&started.client, "none").await;
        assert!(next.0.is_empty());
        for script in ["ended", "cleared", "without", "none"] {
            assert_eq!(started.ids(&format!("GET /orders/{script}"), 1), [""]);
        }
    });
}

#[test]
fn a_post_is_sent_again_with_its_body() {
    let Some(mut started) = Notes::start("a_post_is_sent_again_with_its_body") else {
        return;
    };
    block_on(async {
        let body = AskBody::new("how many?".to_owned());
        let events = CallOptions::new().header("accept", "text/event-stream");
        let client: Client<DefaultTransport> = started.client.with(events);
        let call = client.ask(body).resumable(soon().retry_all_methods());
        let AskOkContent::Events(mut events) = call.await.expect("a stream").into_inner() else {
            panic!("the server sends events");
        };
        let mut numbers = Vec::new();
        while let Some(event) = events.next().await {
            numbers.push(event.expect("an event").data.number);
        }
        assert_eq!(numbers, [1, 2]);
        let sent = r#"{"question":"how many?"}"#;
        let ids = started.ids("POST /answers", 2);
        assert_eq!(ids, [sent.to_owned(), format!("1 {sent}")]);
    });
}
