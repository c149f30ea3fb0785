#![allow(dead_code, unreachable_pub)]

use super::{Event, Framing, StreamError, Streamed};
use crate::message::BodyDecoder;
use crate::values::{Base64, DecodeError, Leniencies, Unrecognized, UnrecognizedValue};
use crate::{events, object, string_enum};
use ::bytes::Bytes;
use futures_core::Stream;
use std::collections::VecDeque;
use std::fmt;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// An error of another crate.
#[derive(Debug)]
struct Lagged(u64);

impl fmt::Display for Lagged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} items are lost", self.0)
    }
}

impl std::error::Error for Lagged {}

struct Listed<I>(VecDeque<I>);

impl<I: Unpin> Stream for Listed<I> {
    type Item = I;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<I>> {
        Poll::Ready(self.0.pop_front())
    }
}

fn listed<I>(items: impl IntoIterator<Item = I>) -> Listed<I> {
    Listed(items.into_iter().collect())
}

fn all<T>(stream: Streamed<T>) -> Result<Vec<T>, StreamError> {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(stream.try_collect()).poll(&mut context) {
        Poll::Ready(items) => items,
        Poll::Pending => panic!("the items are there"),
    }
}

#[test]
fn a_stream_may_fail_with_any_error() {
    let error = all(Streamed::new(listed([Ok(1), Err(Lagged(3))]))).expect_err("lagged");
    let source = std::error::Error::source(&error).expect("a source");
    assert_eq!(source.to_string(), "3 items are lost");
    assert!(source.is::<Lagged>());
    let boxed: Result<i32, Box<dyn std::error::Error + Send + Sync>> = Err("gone".into());
    let error = all(Streamed::new(listed([boxed]))).expect_err("gone");
    assert!(matches!(error, StreamError::Broken(_)));
}

#[test]
fn an_error_of_a_stream_stays_the_same() {
    let error = Err::<i32, _>(StreamError::TooLarge { limit: 7 });
    let error = all(Streamed::new(listed([error]))).expect_err("too large");
    assert!(matches!(error, StreamError::TooLarge { limit: 7 }));
}

#[test]
fn items_may_come_from_a_stream_that_never_fails() {
    let items = all(Streamed::from_stream(listed(["a", "b"])));
    assert_eq!(items.expect("all items"), ["a", "b"]);
}

#[derive(Debug, Clone, PartialEq)]
struct Shut {
    a: i64,
}
object! { Shut(a: i64) closed { "a" => a } }

#[derive(Debug, Clone, PartialEq)]
enum Update {
    Shut(Shut),
    Other(UnrecognizedValue),
}
events! { Update, Other by "event" { Shut => "shut" } }

/// Whether the items are accepted, as a server and as others read them.
#[cfg(feature = "server")]
fn accepted<T: 'static>(
    body: &'static str,
    read: fn(&BodyDecoder) -> Result<Streamed<T>, DecodeError>,
) -> [bool; 2] {
    let others = BodyDecoder::new(None, Bytes::from_static(body.as_bytes()));
    let server = others.clone().strict(Leniencies::default());
    [server, others].map(|body| all(read(&body).expect("a stream")).is_ok())
}

#[test]
#[cfg(feature = "server")]
fn a_server_reads_items_by_the_document() {
    let lines = BodyDecoder::lines::<Shut>;
    assert_eq!(accepted("{\"a\":1}\n", lines), [true, true]);
    assert_eq!(accepted("{\"a\":1,\"b\":2}\n", lines), [false, true]);
    let records = "\u{1e}{\"a\":1,\"b\":2}\n";
    let read = accepted(records, BodyDecoder::sequence::<Shut>);
    assert_eq!(read, [false, true]);
    let event = "event: shut\ndata: {\"a\":1,\"b\":2}\n\n";
    let read = accepted(event, BodyDecoder::events::<Shut>);
    assert_eq!(read, [false, true]);
    let read = accepted(event, BodyDecoder::events::<Update>);
    assert_eq!(read, [false, true]);
    // Text, in the URL-safe alphabet.
    let read = accepted("data: -_8\n\n", BodyDecoder::events::<Base64>);
    assert_eq!(read, [false, true]);
}

#[derive(Debug, Clone, PartialEq)]
enum Said {
    Message(String),
    Word(Word),
}
events! { Said by "event" { Message => "message", Word => "other" default } }

#[derive(Debug, Clone, PartialEq, Hash)]
enum Word {
    Active,
    Other(Unrecognized),
}
string_enum! { Word, Other { Active => "active" } }

#[test]
fn an_event_of_any_other_name_is_sent_with_a_name() {
    let sent = Said::Word(Word::Active);
    let written = (Framing::EVENTS.write)(&Event::new(sent.clone())).expect("an event");
    assert_eq!(written, "event: other\ndata: active\n\n");
    let body = BodyDecoder::new(None, written);
    let received = all(body.events::<Said>().expect("a stream")).expect("events");
    assert_eq!(received[0].data, sent);
}

#[test]
fn a_listed_string_may_be_in_quotes() {
    for (data, word) in [
        ("active", Word::Active),
        ("\"active\"", Word::Active),
        ("\"held\"", Word::from("held")),
        ("\"held", Word::from("\"held")),
    ] {
        let body = BodyDecoder::new(None, format!("data: {data}\n\n").into());
        let received = all(body.events::<Word>().expect("a stream")).expect("events");
        assert_eq!(received[0].data, word);
    }
}

/// Returns the frames of a body, and the seconds after which they are sent.
#[cfg(feature = "server")]
fn frames(stream: &Streamed<Event<String>>) -> Vec<(u64, Bytes)> {
    let mut body = stream.body(Framing::EVENTS);
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let since = tokio::time::Instant::now();
        let mut frames = Vec::new();
        let next = |cx: &mut Context<'_>| http_body::Body::poll_frame(Pin::new(&mut body), cx);
        let mut next = next;
        while let Some(frame) = std::future::poll_fn(&mut next).await {
            let data = frame.expect("a frame").into_data().expect("data");
            frames.push((since.elapsed().as_secs(), data));
        }
        frames
    })
}

/// Events after so many seconds each.
#[cfg(feature = "server")]
fn after(pauses: &'static [u64]) -> impl Stream<Item = Event<String>> + Send + 'static {
    futures_util::stream::unfold(pauses, |pauses| async move {
        let (pause, rest) = pauses.split_first()?;
        tokio::time::sleep(std::time::Duration::from_secs(*pause)).await;
        Some((Event::new(pause.to_string()), rest))
    })
}

#[test]
#[cfg(feature = "server")]
fn a_comment_follows_each_interval_of_silence() {
    let quarter = std::time::Duration::from_secs(15);
    let stream = Streamed::from_stream(after(&[10, 32, 14])).keep_alive(quarter);
    let comment = ":\n\n";
    let expected = [
        (10, "data: 10\n\n"),
        (25, comment),
        (40, comment),
        (42, "data: 32\n\n"),
        (56, "data: 14\n\n"),
    ];
    let found = frames(&stream);
    let found: Vec<(u64, &str)> = found
        .iter()
        .map(|(at, text)| (*at, std::str::from_utf8(text).expect("text")))
        .collect();
    assert_eq!(found, expected);
}
