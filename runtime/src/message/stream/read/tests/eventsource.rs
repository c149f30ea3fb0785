//! The rules of HTML for streams of events, by the facts that the cases `eventsource/` of
//! web-platform-tests check. Each is named as there.

use super::super::*;
use super::Frames;
use crate::message::{BodyDecoder, Event};
use bytes::Bytes;
use std::task::Waker;
use std::time::Duration;

/// An event: its name, its data, and the id of the last event.
type Seen = (Option<String>, String, String);

/// Returns the events of a body that is received in frames of one size, and the delay at its end.
fn seen(body: &[u8], frame: usize) -> (Vec<Seen>, Option<Duration>) {
    let body = Body::new(Frames(Bytes::copy_from_slice(body), frame));
    let mut reader = Reader::new(body, Framing::<Event<String>>::EVENTS, None);
    let mut cx = Context::from_waker(Waker::noop());
    let mut events = Vec::new();
    while let Poll::Ready(Some(event)) = Pin::new(&mut reader).poll_next(&mut cx) {
        let event = event.expect("an event");
        events.push((event.event, event.data, reader.progress.id.clone()));
    }
    reader.progress.end(&reader.buffer);
    (events, reader.progress.retry)
}

/// Checks the events of a body, whatever its frames.
fn check(case: &str, body: &str, events: &[(&str, &str, &str)], retry: Option<u64>) {
    let events: Vec<Seen> = events
        .iter()
        .map(|(event, data, id)| {
            let event = (!event.is_empty()).then(|| (*event).to_owned());
            (event, (*data).to_owned(), (*id).to_owned())
        })
        .collect();
    for frame in 1..=body.len().min(80) {
        let found = seen(body.as_bytes(), frame);
        let delay = retry.map(Duration::from_millis);
        assert_eq!(found, (events.clone(), delay), "{case}, frames of {frame}");
    }
}

/// Checks the data of a body, whose events have no names and no ids.
fn check_data(case: &str, body: &str, data: &[&str]) {
    let events: Vec<_> = data.iter().map(|data| ("", *data, "")).collect();
    check(case, body, &events, None);
}

#[test]
fn one_byte_order_mark_is_skipped_and_only_at_the_start() {
    let body = "\u{feff}data:1\n\n\u{feff}data:2\n\ndata:3\n\n";
    check_data("format-bom", body, &["1", "3"]);
    let body = "\u{feff}\u{feff}data:1\n\ndata:2\n\ndata:3\n\n";
    check_data("format-bom-2", body, &["2", "3"]);
}

#[test]
fn lines_end_with_any_line_break() {
    let body = "data:test\r\ndata\ndata:test\r\n\r";
    check_data("format-newlines", body, &["test\n\ntest"]);
    let long = "x".repeat(2048);
    let comments =
        format!("data:1\r:\0\n:\r\ndata:2\n:{long}\rdata:3\n:data:fail\r:{long}\ndata:4\n\n");
    check_data("format-comments", &comments, &["1\n2\n3\n4"]);
    let body = "data:\ttest\rdata: \ndata:test\n\n";
    check_data("format-leading-space", body, &["\ttest\n\ntest"]);
}

#[test]
fn fields_are_named_exactly() {
    let body = "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\r\
                data:\r\n data:32\ndata:4\n\n";
    check_data("format-field-parsing", body, &["\0\n 2\n1\n3\n\n4"]);
    let body =
        "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n";
    check_data("format-field-unknown", body, &["test\n\ntest"]);
    check_data("format-null-character", "data:\0\n\n\n\n", &["\0"]);
    check_data("format-utf-8", "data:ok…\n\n", &["ok…"]);
}

#[test]
fn an_event_with_empty_data_is_an_event() {
    let body = "data:\n\ndata\ndata\n\ndata:test\n\n";
    check_data("format-field-data", body, &["", "\n", "test"]);
    check_data("no data", "event:a\n\nid\n\n:\n\n", &[]);
}

#[test]
fn names_belong_to_one_event() {
    let body = "event:test\ndata:x\n\ndata:x\n\n";
    let events = [("test", "x", ""), ("", "x", "")];
    check("format-field-event", body, &events, None);
    let body = "event: \ndata:data\n\n";
    check_data("format-field-event-empty", body, &["data"]);
}

#[test]
fn ids_last_until_the_next_one() {
    let body = "id: 1\ndata: a\n\ndata: b\n\nid: 2\n\ndata: c\n\nid\ndata: d\n\ndata: e\n\n";
    let events = [
        ("", "a", "1"),
        ("", "b", "1"),
        ("", "c", "2"),
        ("", "d", ""),
        ("", "e", ""),
    ];
    check("format-field-id", body, &events, None);
    check(
        "format-field-id-2",
        "id:…\ndata\n\n",
        &[("", "", "…")],
        None,
    );
    for id in ["\0", "x\0", "\0x", "x\0x", " \0"] {
        let body = format!("id: 7\ndata: a\n\nid:{id}\ndata: b\n\n");
        let events = [("", "a", "7"), ("", "b", "7")];
        check("format-field-id-null", &body, &events, None);
    }
}

#[test]
fn a_delay_consists_of_digits() {
    let x = [("", "x", "")];
    for (case, body, retry) in [
        ("format-field-retry", "retry:03000\ndata:x\n\n", Some(3000)),
        (
            "format-field-retry-bogus",
            "retry:3000\nretry:1000x\ndata:x\n\n",
            Some(3000),
        ),
        ("format-field-retry-empty", "retry\ndata:x\n\n", None),
        ("a sign", "retry:+1\nretry:-1\nretry:1.5\ndata:x\n\n", None),
        (
            "more than any number",
            "retry:99999999999999999999\ndata:x\n\n",
            None,
        ),
        ("at once", "data:x\n\nretry:7\ndata:y", Some(7)),
        ("not a line yet", "data:x\n\nretry:7", None),
    ] {
        check(case, body, &x, retry);
    }
}

#[test]
fn an_event_without_its_empty_line_is_dropped() {
    let body = "retry:1000\ndata:test1\n\nid:test\ndata:test2";
    let events = [("", "test1", "")];
    check(
        "format-data-before-final-empty-line",
        body,
        &events,
        Some(1000),
    );
    check(
        "with a line break",
        &format!("{body}\n"),
        &events,
        Some(1000),
    );
}

#[test]
fn only_the_media_type_of_events_is_read() {
    let read = |media: &str| {
        let body = Bytes::from_static(b"data: a\n\n");
        let body = BodyDecoder::new(Some(media.to_owned().into()), body).lenient();
        body.events::<String>().is_ok()
    };
    for media in [
        "text/event-stream",
        "text/event-stream;",
        "Text/Event-Stream; charset=windows-1252",
    ] {
        assert!(read(media), "{media}");
    }
    for media in ["text/x-bogus", "x bogus", "text/event-streams"] {
        assert!(!read(media), "{media}");
    }
}

/// A body that sends one frame and then is silent.
struct Silent(Option<&'static str>);

impl http_body::Body for Silent {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, Self::Error>>> {
        let frame = self
            .0
            .take()
            .map(|text| Ok(http_body::Frame::data(text.into())));
        frame.map_or(Poll::Pending, |frame| Poll::Ready(Some(frame)))
    }
}

/// Whether an LF follows a CR is not known yet, and does not matter.
#[test]
fn an_event_that_ends_with_a_carriage_return_is_not_held_back() {
    for text in ["data:1\r\r", "data:1\n\r", "data:1\r\n\r", "data:1\r\n\r\n"] {
        let body = Body::new(Silent(Some(text)));
        let mut reader = Reader::new(body, Framing::<Event<String>>::EVENTS, None);
        let mut cx = Context::from_waker(Waker::noop());
        let polled = Pin::new(&mut reader).poll_next(&mut cx);
        let Poll::Ready(Some(Ok(event))) = polled else {
            panic!("{text:?}: {polled:?}");
        };
        assert_eq!(event.data, "1");
    }
}
