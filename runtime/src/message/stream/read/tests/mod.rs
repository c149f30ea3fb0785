//! Items of bodies in frames of all sizes.

mod eventsource;
mod resumed;

use super::*;
use crate::message::Event;
use bytes::Bytes;
use http_body::Frame;
use std::convert::Infallible;
use std::task::Waker;

/// A buffered body that is split into frames of one size.
struct Frames(Bytes, usize);

impl http_body::Body for Frames {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let size = self.1.min(self.0.len());
        let frame = self.0.split_to(size);
        Poll::Ready((size > 0).then(|| Ok(Frame::data(frame))))
    }
}

/// Returns the items of a body, and how many of its bytes were examined and were moved.
fn read<T>(framing: Framing<T>, body: &[u8], frame: usize) -> (Vec<T>, usize, usize) {
    let frames = Frames(Bytes::copy_from_slice(body), frame);
    let mut reader = Reader::new(Body::new(frames), framing, None);
    let mut items = Vec::new();
    let mut moved = 0;
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        // The loop of `Reader::poll_next`, one frame at a time.
        while let Some(item) = reader.cut() {
            items.push(item.unwrap());
        }
        if reader.state == State::Ended {
            return (items, reader.scan.examined, moved);
        }
        let (before, length) = (reader.buffer.as_ptr(), reader.buffer.len());
        let polled = reader.fill(&mut cx);
        assert!(matches!(polled, Poll::Ready(Ok(()))));
        if reader.buffer.as_ptr() != before {
            moved += length;
        }
    }
}

/// Slightly less than 8 MB, in frames of several sizes.
#[test]
fn a_long_item_in_small_frames_is_read_in_linear_time() {
    let text = "x".repeat((8 << 20) - 100);
    let json = format!("\"{text}\"");
    for frame in [64, 1400] {
        let body = format!("{json}\n{json}\n");
        let (items, examined, moved) = read(Framing::<String>::LINES, body.as_bytes(), frame);
        assert!(items.len() == 2 && items.iter().all(|item| *item == text));
        assert_eq!(examined, body.len(), "lines");
        assert!(moved <= 2 * body.len(), "{moved} of {}", body.len());

        let body = format!("\u{1e}{json}\n\u{1e}{json}\n");
        let (items, examined, moved) = read(Framing::<String>::SEQUENCE, body.as_bytes(), frame);
        assert!(items.len() == 2 && items.iter().all(|item| *item == text));
        // The separator that ends a record is examined again as the start of the next.
        assert!(examined <= body.len() + 2, "{examined}");
        assert!(moved <= 2 * body.len(), "{moved} of {}", body.len());

        // An event with one line, and with many lines.
        for text in [text.clone(), "x\n".repeat(1 << 20)] {
            let data = format!("data: {}\n", text.replace('\n', "\ndata: "));
            let body = format!("{data}\n{data}\n");
            let (items, examined, moved) =
                read(Framing::<Event<String>>::EVENTS, body.as_bytes(), frame);
            assert!(items.len() == 2 && items.iter().all(|item| item.data == text));
            assert_eq!(examined, body.len(), "events");
            assert!(moved <= 2 * body.len(), "{moved} of {}", body.len());
        }
    }
}

/// Many items in one frame: the rest is not moved for each item.
#[test]
fn many_items_of_a_large_frame_are_read_in_linear_time() {
    let body = "1\r\n".repeat(1 << 17);
    for frame in [64, 1 << 16, body.len()] {
        let (items, examined, moved) = read(Framing::<i64>::LINES, body.as_bytes(), frame);
        assert_eq!(items.len(), 1 << 17);
        assert!(examined <= 2 * body.len(), "{examined}");
        assert!(moved <= body.len(), "{moved} of {}", body.len());
    }
}

/// The items do not depend on how the body is split into frames.
#[test]
fn items_do_not_depend_on_frames() {
    let events = "\u{feff}data: a\r\n\r\n: note\r\rdata: b\ndata: c\r\n\n\ndata: d\n\ndata: cut";
    let lines = "1\r\n\r2\n\n3\r4";
    let records = "\u{1e}1\n\u{1e}2\n\u{1e}\n\u{1e}3";
    for frame in 1..=events.len() {
        let (items, ..) = read(Framing::<Event<String>>::EVENTS, events.as_bytes(), frame);
        let data: Vec<&str> = items.iter().map(|item| item.data.as_str()).collect();
        assert_eq!(data, ["a", "b\nc", "d"], "{frame}");
        let (items, ..) = read(Framing::<i64>::LINES, lines.as_bytes(), frame);
        assert_eq!(items, [1, 2, 3, 4], "{frame}");
        let (items, ..) = read(Framing::<i64>::SEQUENCE, records.as_bytes(), frame);
        assert_eq!(items, [1, 2, 3], "{frame}");
    }
}
