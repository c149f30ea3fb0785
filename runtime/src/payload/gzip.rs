//! gzip (RFC 1952).

use super::{Body, BodyError};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::{GzEncoder, MultiGzDecoder};
use http_body::{Body as HttpBody, Frame};
use std::io::Write;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// How much is unwrapped at once: it becomes a thousand times as much at most.
const STEP: usize = 1024;

/// A body that is unwrapped as it comes.
pub(super) struct Unwrapped {
    body: Body,
    /// What has come and is still wrapped.
    input: Bytes,
    /// Gone at the end, and when something went wrong.
    decoder: Option<MultiGzDecoder<Vec<u8>>>,
}

impl Unwrapped {
    pub(super) fn new(body: Body) -> Self {
        Self {
            body,
            input: Bytes::new(),
            decoder: Some(MultiGzDecoder::new(Vec::new())),
        }
    }

    /// What the next step of the input becomes.
    fn step(&mut self) -> Result<Vec<u8>, BodyError> {
        let Some(decoder) = &mut self.decoder else {
            return Ok(Vec::new());
        };
        let piece = self.input.split_to(self.input.len().min(STEP));
        decoder.write_all(&piece)?;
        Ok(std::mem::take(decoder.get_mut()))
    }

    /// What is left at the end of the input.
    fn rest(&mut self) -> Result<Vec<u8>, BodyError> {
        match self.decoder.take() {
            Some(decoder) => Ok(decoder.finish()?),
            None => Ok(Vec::new()),
        }
    }
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

/// Bytes wrapped.
pub(super) fn wrap(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    // Neither can fail: a vector takes whatever comes.
    let written = encoder.write_all(bytes);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::CollectError;
    use std::future::Future;
    use std::pin::pin;
    use std::task::Waker;

    /// Everything is there, so nothing is waited for.
    fn unwrapped(bytes: Vec<u8>, limit: usize) -> Result<Bytes, CollectError> {
        let body = Body::new(Unwrapped::new(Body::from(bytes)));
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
    fn what_is_wrapped_comes_out_and_what_is_cut_off_does_not() {
        // Made with `printf hello | gzip -n`.
        let hello = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0x48, 0xcd, 0xc9,
            0xc9, 0x07, 0x00, 0x86, 0xa6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
        ];
        assert_eq!(unwrapped(hello.to_vec(), 5).unwrap(), "hello");
        // Two of them are one (RFC 1952, 2.2).
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
    fn a_bomb_ends_at_the_limit() {
        // 64 MB of nothing in less than 100 kB, of which little is unwrapped.
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let zeros = vec![0; 1 << 20];
        for _ in 0..64 {
            encoder.write_all(&zeros).unwrap();
        }
        let bomb = encoder.finish().unwrap();
        assert!(bomb.len() < 100_000, "{}", bomb.len());
        let end = unwrapped(bomb.clone(), 1 << 20);
        assert!(matches!(end, Err(CollectError::TooLarge { limit }) if limit == 1 << 20));
        let mut steps = Unwrapped::new(Body::from(bomb));
        let mut cx = Context::from_waker(Waker::noop());
        while let Poll::Ready(Some(frame)) = Pin::new(&mut steps).poll_frame(&mut cx) {
            let data = frame.unwrap().into_data().unwrap();
            assert!(data.len() <= 1032 * STEP + (64 << 10), "{}", data.len());
        }
    }
}
