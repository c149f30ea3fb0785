//! Items out of a body.

use super::{Framing, StreamError};
use crate::payload::Body;
use bytes::{Buf, BytesMut};
use futures_core::Stream;
use http_body::Body as _;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// The most that an item may have.
const ITEM_LIMIT: usize = 8 << 20;

/// Takes a body apart.
pub(super) struct Reader<T> {
    body: Body,
    buffer: BytesMut,
    framing: Framing<T>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// No more bytes come.
    Ended,
    /// It broke, and that has been told.
    Broken,
}

impl<T> Reader<T> {
    pub(super) fn new(body: Body, framing: Framing<T>) -> Self {
        Self {
            body,
            buffer: BytesMut::new(),
            framing,
            state: State::Open,
        }
    }

    /// The next item of what is there.
    fn cut(&mut self) -> Option<Result<T, StreamError>> {
        loop {
            let cut = (self.framing.cut)(&self.buffer, self.state == State::Ended)?;
            let item = self.buffer.split_to(cut.item).freeze();
            self.buffer.advance(cut.next - cut.item);
            if let Some(item) = (self.framing.read)(item).transpose() {
                return Some(item);
            }
        }
    }

    fn broken(&mut self, error: StreamError) -> Poll<Option<Result<T, StreamError>>> {
        self.state = State::Broken;
        Poll::Ready(Some(Err(error)))
    }
}

impl<T> Stream for Reader<T> {
    type Item = Result<T, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if self.state == State::Broken {
                return Poll::Ready(None);
            }
            if let Some(item) = self.cut() {
                return Poll::Ready(Some(item));
            }
            if self.state == State::Ended {
                return Poll::Ready(None);
            }
            if self.buffer.len() > ITEM_LIMIT {
                return self.broken(StreamError::TooLarge { limit: ITEM_LIMIT });
            }
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                None => self.state = State::Ended,
                Some(Err(error)) => return self.broken(StreamError::from_body(error)),
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        self.buffer.extend_from_slice(&data);
                    }
                }
            }
        }
    }
}
