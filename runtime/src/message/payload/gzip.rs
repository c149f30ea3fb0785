//! gzip (RFC 1952).
//!
//! A limit for the decoded length does not limit the encoded one: a thousand empty members decode
//! to no bytes, and each costs time. The encoded length is therefore limited by the decoded length
//! ([`Share`]).

use super::{Body, BodyError};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::{GzDecoder, GzEncoder};
use http_body::{Body as HttpBody, Frame};
use std::io::Write;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// The number of bytes that are decoded at once: they expand by a factor of a thousand at most.
const STEP: usize = 1024;

/// The number of encoded bytes that are allowed without any decoded ones.
const SLACK: u64 = 64 << 10;
/// The number of members after which each must have [`MEMBER`] decoded bytes on average.
const MEMBERS: u64 = 100;
/// The required average length of a decoded member, if there are many: block-gzip writes 64 KiB.
const MEMBER: u64 = 1024;

/// The number of encoded bytes that are allowed for the decoded ones, in addition to [`SLACK`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    /// An eighth more than the decoded length: incompressible data grows by less than that (RFC
    /// 1951, section 3.2.4: 5 bytes for each block of 64 KiB, and 18 for a member).
    Whole,
    /// 16 times the decoded length: a stream is flushed after each item, however small. A line
    /// break alone is then encoded as 8 bytes.
    Streamed,
}

impl Share {
    const fn of(self, out: u64) -> u64 {
        SLACK.saturating_add(match self {
            Self::Whole => out.saturating_add(out / 8),
            Self::Streamed => out.saturating_mul(16),
        })
    }
}

/// A body that is decoded while it is received.
pub(super) struct Unwrapped {
    body: Body,
    /// The received bytes that are not yet decoded.
    input: Bytes,
    /// The decoder of the present member; `None` at the end, and after an error.
    decoder: Option<GzDecoder<Vec<u8>>>,
    /// Whether a byte of the member was read.
    begun: bool,
    share: Share,
    /// The encoded bytes, the decoded bytes, and the members that are complete.
    taken: u64,
    given: u64,
    members: u64,
}

impl Unwrapped {
    pub(super) fn new(body: Body, share: Share) -> Self {
        Self {
            body,
            input: Bytes::new(),
            decoder: Some(GzDecoder::new(Vec::new())),
            begun: false,
            share,
            taken: 0,
            given: 0,
            members: 0,
        }
    }

    /// Decodes the next step of the input.
    fn step(&mut self) -> Result<Vec<u8>, BodyError> {
        let Some(decoder) = &mut self.decoder else {
            return Ok(Vec::new());
        };
        let piece = self.input.get(..STEP).unwrap_or(&self.input);
        let taken = decoder.write(piece)?;
        let mut out = std::mem::take(decoder.get_mut());
        self.begun |= taken > 0;
        // A decoder accepts no more bytes at the end of its member (RFC 1952, section 2.2).
        if taken == 0 && !piece.is_empty() {
            if !self.begun {
                return Err(NOT_GZIP.into());
            }
            out.append(&mut self.end_member()?);
            self.decoder = Some(GzDecoder::new(Vec::new()));
        }
        let _ = self.input.split_to(taken);
        self.taken = self.taken.saturating_add(count(taken));
        self.given = self.given.saturating_add(count(out.len()));
        let allowed = MEMBERS.saturating_add(self.given / MEMBER);
        if self.taken > self.share.of(self.given) || self.members > allowed {
            return Err(HOLLOW.into());
        }
        Ok(out)
    }

    /// Ends a member, and verifies its checksum and length.
    fn end_member(&mut self) -> Result<Vec<u8>, BodyError> {
        self.begun = false;
        self.members = self.members.saturating_add(1);
        match self.decoder.take() {
            Some(decoder) => Ok(decoder.finish()?),
            None => Ok(Vec::new()),
        }
    }

    /// Returns the remaining bytes at the end of the input.
    fn rest(&mut self) -> Result<Vec<u8>, BodyError> {
        // The input may end after a member, but it needs at least one.
        if !self.begun && self.members > 0 {
            self.decoder = None;
            return Ok(Vec::new());
        }
        self.end_member()
    }
}

const NOT_GZIP: &str = "the body is not gzip";
const HOLLOW: &str = "the gzip of the body holds too little for its length";

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

impl HttpBody for Unwrapped {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let this = &mut *self;
        while this.decoder.is_some() {
            let out = if this.input.is_empty() {
                match ready!(Pin::new(&mut this.body).poll_frame(cx)) {
                    Some(Ok(frame)) => {
                        if let Ok(data) = frame.into_data() {
                            this.input = data;
                        }
                        continue;
                    }
                    Some(Err(error)) => Err(error),
                    None => this.rest(),
                }
            } else {
                this.step()
            };
            match out {
                Ok(out) if out.is_empty() => {}
                Ok(out) => return Poll::Ready(Some(Ok(Frame::data(out.into())))),
                Err(error) => {
                    this.decoder = None;
                    return Poll::Ready(Some(Err(error)));
                }
            }
        }
        Poll::Ready(None)
    }
}

/// Compresses bytes.
pub(super) fn wrap(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    // Writing to a vector never fails.
    let written = encoder.write_all(bytes);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::payload::CollectError;
    use std::future::Future;
    use std::pin::pin;
    use std::task::Waker;

    /// Runs without a runtime: all bytes are available.
    fn unwrapped(bytes: Vec<u8>, limit: usize) -> Result<Bytes, CollectError> {
        let body = Body::new(Unwrapped::new(Body::from(bytes), Share::Whole));
        let mut collected = pin!(body.collect(limit));
        match collected
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(collected) => collected,
            Poll::Pending => panic!("it waits"),
        }
    }

    #[test]
    fn complete_bodies_are_decoded_and_truncated_ones_rejected() {
        // The output of `printf hello | gzip -n`.
        let hello = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0x48, 0xcd, 0xc9,
            0xc9, 0x07, 0x00, 0x86, 0xa6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
        ];
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
        let mut steps = Unwrapped::new(Body::from(bomb), Share::Whole);
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
        let mut body = Unwrapped::new(Body::new(body), share);
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
}
