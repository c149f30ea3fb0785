//! gzip (RFC 1952).
//!
//! A limit for the decoded length does not limit the encoded one: a thousand empty members decode
//! to no bytes, and each costs time. The encoded length is therefore limited by the decoded length
//! ([`Share`]).

use super::{Body, BodyError};
use crate::message::media::Reading;
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
    const fn allowed_for(self, out: u64) -> u64 {
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
    begins: Begins,
    share: Share,
    /// The encoded bytes, the decoded bytes, and the members that are complete.
    taken: u64,
    given: u64,
    members: u64,
}

impl Unwrapped {
    pub(super) fn new(body: Body, share: Share, reading: Reading) -> Self {
        Self {
            body,
            input: Bytes::new(),
            decoder: Some(GzDecoder::new(Vec::new())),
            begun: false,
            begins: match reading {
                Reading::Strict | Reading::StrictButBytes => Begins::Gzip,
                Reading::Lenient => Begins::Unknown,
            },
            share,
            taken: 0,
            given: 0,
            members: 0,
        }
    }

    /// Returns whether the first bytes, which are all bytes if the body `is_complete`, state what
    /// the body is.
    fn is_known(&mut self, is_complete: bool) -> bool {
        if self.begins == Begins::Unknown {
            self.begins = match MAGIC.strip_prefix(self.input.as_ref()) {
                // Part of the magic number, or nothing.
                Some([_, ..]) if !is_complete => return false,
                Some([]) => Begins::Gzip,
                _ if self.input.starts_with(&MAGIC) => Begins::Gzip,
                _ => Begins::Plain,
            };
        }
        true
    }

    /// Adds received bytes to the input, which is empty unless it is the first byte of a body.
    fn receive(&mut self, data: Bytes) {
        self.input = match self.input.is_empty() {
            true => data,
            false => [self.input.as_ref(), &data].concat().into(),
        };
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
        if self.taken > self.share.allowed_for(self.given) || self.members > allowed {
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

/// The first bytes of a member (RFC 1952, section 2.3.1).
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// What a body is, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begins {
    /// Too few bytes were received.
    Unknown,
    Gzip,
    /// Something else than gzip, which is passed on as it is.
    Plain,
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
            if this.begins == Begins::Plain {
                let input = std::mem::take(&mut this.input);
                if !input.is_empty() {
                    return Poll::Ready(Some(Ok(Frame::data(input))));
                }
                let frame = ready!(Pin::new(&mut this.body).poll_frame(cx));
                if !matches!(frame, Some(Ok(_))) {
                    this.decoder = None;
                }
                return Poll::Ready(frame);
            }
            let out = if this.input.is_empty() || !this.is_known(false) {
                match ready!(Pin::new(&mut this.body).poll_frame(cx)) {
                    Some(Ok(frame)) => {
                        if let Ok(data) = frame.into_data() {
                            this.receive(data);
                        }
                        continue;
                    }
                    Some(Err(error)) => Err(error),
                    None if this.begins == Begins::Unknown => {
                        this.is_known(true);
                        this.body = Body::empty();
                        continue;
                    }
                    None => this.rest(),
                }
            } else if this.begins == Begins::Plain {
                continue;
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
mod tests;
