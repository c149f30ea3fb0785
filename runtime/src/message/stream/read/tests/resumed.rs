//! When a stream is opened again, and with which id.

use super::super::*;
use crate::message::Event;
use crate::message::payload::BodyError;
use bytes::Bytes;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::task::Waker;

/// A body of one frame, which then ends or breaks.
struct Piece(Option<Bytes>, bool);

impl http_body::Body for Piece {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, BodyError>>> {
        Poll::Ready(match self.0.take() {
            Some(bytes) => Some(Ok(http_body::Frame::data(bytes))),
            None if std::mem::take(&mut self.1) => Some(Err("cut".into())),
            None => None,
        })
    }
}

fn piece(text: &'static str, breaks: bool) -> Body {
    Body::new(Piece(Some(Bytes::from_static(text.as_bytes())), breaks))
}

/// Opens the bodies one after the other, and notes where.
struct Bodies {
    id: &'static str,
    left: VecDeque<Body>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Reopen for Bodies {
    fn opened_with(&self) -> String {
        self.id.to_owned()
    }

    fn reopen(mut self: Box<Self>, at: Position) -> Option<Reopening> {
        let noted = format!("{} {:?} {}", at.id, at.retry, at.has_moved);
        self.asked.lock().unwrap().push(noted);
        let body = self.left.pop_front()?;
        Some(Box::pin(async move { Reopened::Open(body, self) }))
    }
}

/// Returns the data of all events, how the stream ends, and where it was opened again.
fn read(id: &'static str, first: Body, next: Vec<Body>) -> (Vec<String>, bool, Vec<String>) {
    let asked = Arc::default();
    let bodies = Bodies {
        id,
        left: next.into(),
        asked: Arc::clone(&asked),
    };
    let framing = Framing::<Event<String>>::EVENTS.until("[DONE]");
    let mut reader = Reader::new(first, framing, Some(Box::new(bodies)));
    let (mut data, mut is_broken) = (Vec::new(), false);
    let mut cx = Context::from_waker(Waker::noop());
    while let Poll::Ready(Some(item)) = Pin::new(&mut reader).poll_next(&mut cx) {
        match item {
            Ok(event) => data.push(event.data),
            Err(error) => is_broken = matches!(error, StreamError::Broken(_)),
        }
    }
    let asked = asked.lock().unwrap().clone();
    (data, is_broken, asked)
}

#[test]
fn a_stream_goes_on_after_its_last_id() {
    let (data, is_broken, asked) = read(
        "",
        piece("id:1\ndata:a\n\ndata:b\n\nid:9\ndata:lo", true),
        vec![
            piece("retry:5\nid:2\ndata:c\n\n", false),
            piece(":\n\n", false),
            piece("data:d\n\n", true),
        ],
    );
    assert_eq!(data, ["a", "b", "c", "d"]);
    assert!(is_broken, "the last body breaks");
    assert_eq!(
        asked,
        [
            "1 None true",
            "2 Some(5ms) true",
            "2 Some(5ms) false",
            "2 Some(5ms) true"
        ]
    );
}

#[test]
fn a_stream_without_an_id_is_not_resumed() {
    for (id, text) in [("", "data:a\n\n"), ("0", "id:1\ndata:a\n\nid\n\n")] {
        for breaks in [false, true] {
            let next = vec![piece("data:b\n\n", false)];
            let (data, is_broken, asked) = read(id, piece(text, breaks), next);
            assert_eq!(
                (&*data, is_broken),
                (&["a".to_owned()][..], breaks),
                "{text}"
            );
            assert!(asked.is_empty(), "{asked:?}");
        }
    }
}

#[test]
fn the_id_of_the_request_counts() {
    let next = vec![piece("data:a\n\ndata: [DONE]\n\n", true)];
    let (data, is_broken, asked) = read("41", piece("", true), next);
    assert_eq!((&*data, is_broken), (&["a".to_owned()][..], false));
    assert_eq!(asked, ["41 None false"]);
}

#[test]
fn nothing_follows_the_last_event() {
    let first = piece("id:1\ndata:a\n\ndata: [DONE]\n\n", true);
    let (data, is_broken, asked) = read("", first, vec![piece("data:b\n\n", false)]);
    assert_eq!((&*data, is_broken), (&["a".to_owned()][..], false));
    assert!(asked.is_empty());
}
