//! Tests of gzip bodies.

use super::*;
use crate::message::payload::CollectError;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use std::task::Waker;

/// The output of `printf hello | gzip -n`.
const HELLO: &[u8; 25] =
    b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xcb\x48\xcd\xc9\xc9\x07\0\x86\xa6\x10\x36\x05\0\0\0";

/// Runs without a runtime: all bytes are available.
fn unwrapped(bytes: Vec<u8>, limit: usize) -> Result<Bytes, CollectError> {
    let body = Unwrapped::new(Body::from(bytes), Share::Whole, Reading::Strict);
    collected(Body::new(body), limit)
}

fn collected(body: Body, limit: usize) -> Result<Bytes, CollectError> {
    let mut collected = pin!(body.collect(limit));
    match collected
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(collected) => collected,
        Poll::Pending => panic!("it waits"),
    }
}

/// Pieces that are all available.
struct Pieces(VecDeque<Bytes>);

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(piece))))
    }
}

#[test]
fn complete_bodies_are_decoded_and_truncated_ones_rejected() {
    let hello = *HELLO;
    assert_eq!(unwrapped(hello.to_vec(), 5).unwrap(), "hello");
    // Consecutive members are one body (RFC 1952, section 2.2).
    assert_eq!(
        unwrapped([hello, hello].concat(), 10).unwrap(),
        "hellohello"
    );
    for length in 1..hello.len() {
        let cut = unwrapped(hello[..length].to_vec(), 5);
        assert!(
            matches!(cut, Err(CollectError::Broken(_))),
            "{length}: {cut:?}"
        );
    }
    let mut wrong = hello;
    wrong[18] ^= 1;
    assert!(matches!(
        unwrapped(wrong.to_vec(), 5),
        Err(CollectError::Broken(_))
    ));
    let text = vec![b'a'; 10_000];
    assert_eq!(unwrapped(wrap(&text), 10_000).unwrap(), text);
}

#[test]
fn a_client_reads_a_body_that_is_no_gzip_as_it_is() {
    let lenient = |pieces: Vec<&'static [u8]>| {
        let pieces = Pieces(pieces.into_iter().map(Bytes::from_static).collect());
        let body = Unwrapped::new(Body::new(pieces), Share::Whole, Reading::Lenient);
        collected(Body::new(body), 100)
    };
    assert_eq!(lenient(vec![b"{\"a\":1}"]).unwrap(), "{\"a\":1}");
    assert_eq!(lenient(vec![b"\x1f", b"plain"]).unwrap(), "\x1fplain");
    assert_eq!(lenient(vec![b"\x1f"]).unwrap(), "\x1f");
    assert_eq!(lenient(vec![]).unwrap(), "");
    let (first, rest) = HELLO.split_at(1);
    assert_eq!(lenient(vec![first, rest]).unwrap(), "hello");
    let cut = HELLO.split_at(12).0;
    assert!(matches!(lenient(vec![cut]), Err(CollectError::Broken(_))));
}

#[test]
fn a_decompression_bomb_is_stopped_at_the_limit() {
    // 64 MB of zeros in less than 100 kB, of which only a small part is decoded.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..64 {
        encoder.write_all(&zeros).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    let end = unwrapped(bomb.clone(), 1 << 20);
    assert!(matches!(end, Err(CollectError::TooLarge { limit }) if limit == 1 << 20));
    let mut steps = Unwrapped::new(Body::from(bomb), Share::Whole, Reading::Strict);
    let mut cx = Context::from_waker(Waker::noop());
    while let Poll::Ready(Some(frame)) = Pin::new(&mut steps).poll_frame(&mut cx) {
        let data = frame.unwrap().into_data().unwrap();
        assert!(data.len() <= 1032 * STEP + (64 << 10), "{}", data.len());
    }
}

/// A body that counts the bytes that are read, in pieces as received from a socket.
struct Counted(Bytes, std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let length = self.0.len().min(8 << 10);
        self.1
            .fetch_add(length, std::sync::atomic::Ordering::Relaxed);
        let piece = self.0.split_to(length);
        Poll::Ready((!piece.is_empty()).then(|| Ok(Frame::data(piece))))
    }
}

fn taken_of(bytes: Vec<u8>, share: Share) -> (Result<usize, BodyError>, usize) {
    let taken = std::sync::Arc::default();
    let body = Counted(bytes.into(), std::sync::Arc::clone(&taken));
    let mut body = Unwrapped::new(Body::new(body), share, Reading::Strict);
    let mut cx = Context::from_waker(Waker::noop());
    let mut given = 0;
    let end = loop {
        match Pin::new(&mut body).poll_frame(&mut cx) {
            Poll::Ready(Some(Ok(frame))) => given += frame.into_data().unwrap().len(),
            Poll::Ready(Some(Err(error))) => break Err(error),
            Poll::Ready(None) => break Ok(given),
            Poll::Pending => panic!("it waits"),
        }
    };
    (end, taken.load(std::sync::atomic::Ordering::Relaxed))
}

#[test]
fn encoded_bytes_without_output_are_limited() {
    let member = |text: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    // Stored blocks of no bytes (RFC 1951, section 3.2.4) in one member.
    let mut blocks = member(b"")[..10].to_vec();
    blocks.extend([0, 0, 0, 0xff, 0xff].repeat(1 << 20));
    // A file name that does not end (RFC 1952, section 2.3).
    let mut name = vec![0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3];
    name.resize(4 << 20, b'a');
    let empty = member(b"").repeat(2 << 20);
    assert!(empty.len() >= 40 << 20);
    for (what, bytes) in [
        ("empty members", empty),
        ("members of a byte", member(b"a").repeat(10_000)),
        ("empty blocks", blocks),
        ("a name", name),
    ] {
        for share in [Share::Whole, Share::Streamed] {
            let (end, taken) = taken_of(bytes.clone(), share);
            assert!(end.is_err(), "{what} {share:?}");
            assert!(taken <= 80 << 10, "{what} {share:?}: {taken}");
        }
    }
}

#[test]
fn valid_bodies_stay_within_their_share() {
    let noise = |length: usize| -> Vec<u8> {
        let mut state = 1_u32;
        let next = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        (0..length).map(next).collect()
    };
    // Incompressible data, whole and in members of 2 KiB; many small members after a large one.
    let whole = noise(1 << 19);
    assert_eq!(taken_of(wrap(&whole), Share::Whole).0.unwrap(), whole.len());
    let parts: Vec<u8> = whole.chunks(2 << 10).flat_map(wrap).collect();
    assert_eq!(taken_of(parts, Share::Whole).0.unwrap(), whole.len());
    // An hour of heartbeats, each of them flushed.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..12_000 {
        encoder.write_all(b":\n\n").unwrap();
        encoder.flush().unwrap();
    }
    let beats = encoder.finish().unwrap();
    assert!(taken_of(beats.clone(), Share::Whole).0.is_err());
    assert_eq!(taken_of(beats, Share::Streamed).0.unwrap(), 36_000);
}

/// A piece, and a panic where the end is asked for again.
struct Once(VecDeque<Option<Bytes>>);

impl HttpBody for Once {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let piece = self.0.pop_front().expect("polled after its end");
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
    }
}

#[test]
fn a_plain_body_is_not_polled_after_its_end() {
    for text in ["plain text", "p", "\u{1f}"] {
        let pieces = [Some(Bytes::from(text)), None];
        let body = Body::new(Once(pieces.into()));
        let mut body = Unwrapped::new(body, Share::Whole, Reading::Lenient);
        let mut cx = Context::from_waker(Waker::noop());
        let mut poll = || Pin::new(&mut body).poll_frame(&mut cx);
        assert!(matches!(poll(), Poll::Ready(Some(Ok(_)))), "{text:?}");
        for _ in 0..2 {
            assert!(matches!(poll(), Poll::Ready(None)), "{text:?}");
        }
    }
}
