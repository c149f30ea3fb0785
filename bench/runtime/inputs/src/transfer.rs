//! Large bodies: streams of lines, multipart bodies and bodies of 100 MB.

use crate::values::Numbers;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt::Write;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The size of a piece of a streamed body.
pub const PIECE: usize = 64 << 10;
/// The number of pieces of a streamed body of 100 MB.
pub const PIECES: usize = 1526;
/// The number of lines of the journal.
pub const LINES: usize = 10_000;
/// The boundary of [`multipart`].
pub const BOUNDARY: &str = "----bench-7MA4YWxkTrZu0gW";
/// The size of the file of a multipart body.
const FILE: usize = 10_000_000;

/// Returns 10,000 lines of JSON, each an `Entry` of the document.
pub fn journal() -> String {
    let mut numbers = Numbers::new();
    let mut out = String::new();
    for id in 1..=LINES {
        let (account, amount) = (numbers.below(10_000), numbers.below(1_000_000));
        let _ = writeln!(
            out,
            r#"{{"id":{id},"account":"acct-{account:04}","title":"Standing order {id}","amount":{amount},"currency":"EUR","category":"housing","labels":["home","monthly"],"memo":"paid by standing order"}}"#
        );
    }
    out
}

/// Returns a file of 10 MB of all byte values.
pub fn file() -> Bytes {
    let mut numbers = Numbers::new();
    let mut bytes = Vec::with_capacity(FILE);
    while bytes.len() < FILE {
        bytes.extend_from_slice(&numbers.below(1 << 31).to_le_bytes()[..4]);
    }
    bytes.into()
}

/// Returns a multipart body with two fields and a file of 10 MB.
pub fn multipart() -> Bytes {
    let field = |name: &str, value: &str| {
        format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        )
    };
    let mut body = field("title", "Report").into_bytes();
    body.extend_from_slice(field("pages", "12").as_bytes());
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"report.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n"
    );
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(&file());
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    body.into()
}

/// Returns the next piece of a body of 100 MB, allocated as a piece from a socket is.
pub fn piece() -> Bytes {
    vec![b'x'; PIECE].into()
}

/// A body that arrives in frames of 16 KiB, as from a socket.
#[derive(Debug, Clone)]
pub struct Frames(VecDeque<Bytes>);

impl Frames {
    /// Splits bytes into frames without copying them.
    pub fn new(bytes: &Bytes) -> Self {
        let starts = (0..bytes.len()).step_by(16 << 10);
        Self(
            starts
                .map(|start| bytes.slice(start..bytes.len().min(start + (16 << 10))))
                .collect(),
        )
    }
}

impl Body for Frames {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.iter().map(Bytes::len).sum::<usize>() as u64)
    }
}
