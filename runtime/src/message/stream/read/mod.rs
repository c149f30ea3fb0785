//! Decoding of the items of a body.

use super::event::Progress;
use super::framing::Found;
use super::resume::{Position, Reopen, Reopened, Reopening};
use super::scan::Scan;
use super::{Framing, StreamError};
use crate::message::payload::Body;
use bytes::{Buf, BytesMut};
use futures_core::Stream;
use http_body::Body as _;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// Limit for an item, in bytes.
const ITEM_LIMIT: usize = 8 << 20;

/// A stream of the items of a body.
pub(super) struct Reader<T> {
    body: Body,
    buffer: BytesMut,
    scan: Scan,
    framing: Framing<T>,
    state: State,
    progress: Progress,
    /// Whether an item has been received since the body was opened.
    has_moved: bool,
    reopen: Option<Box<dyn Reopen>>,
    /// Opens the body again; the state is that of the body before.
    reopening: Option<Reopening>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// The body has ended; buffered items may remain.
    Ended,
    /// The stream has ended: the body failed and the error was returned, or an item was the last.
    Done,
}

impl<T> Reader<T> {
    pub(super) fn new(body: Body, framing: Framing<T>, reopen: Option<Box<dyn Reopen>>) -> Self {
        let id = reopen.as_ref().map(|reopen| reopen.opened_with());
        Self {
            body,
            buffer: BytesMut::new(),
            scan: Scan::default(),
            framing,
            state: State::Open,
            progress: Progress {
                id: id.unwrap_or_default(),
                ..Progress::default()
            },
            has_moved: false,
            reopen,
            reopening: None,
        }
    }

    /// Returns the next item of the buffer.
    fn cut(&mut self) -> Option<Result<T, StreamError>> {
        while self.state != State::Done {
            let end = self.state == State::Ended;
            let cut = (self.framing.cut)(&mut self.scan, &self.buffer, end)?;
            self.scan.begin();
            let item = self.buffer.split_to(cut.item).freeze();
            self.buffer.advance(cut.next - cut.item);
            let found = self.framing.read(item, &mut self.progress);
            self.has_moved |= !matches!(found, Ok(Found::Nothing));
            match found {
                Ok(Found::Item(item)) => return Some(Ok(item)),
                Ok(Found::Nothing) => {}
                Ok(Found::End) => {
                    self.state = State::Done;
                    self.body = Body::empty();
                }
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }

    /// Appends the next frame of the body to the buffer.
    fn fill(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StreamError>> {
        match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
            None => self.state = State::Ended,
            Some(Err(error)) => return Poll::Ready(Err(StreamError::from_body(error))),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    self.buffer.extend_from_slice(&data);
                }
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Begins to open the body again after its end or `error`, and returns whether that is possible:
    /// after an id, and with an attempt left.
    fn resume(&mut self, error: Option<&StreamError>) -> bool {
        if matches!(error, Some(error) if !matches!(error, StreamError::Broken(_))) {
            return false;
        }
        self.progress.end(&self.buffer);
        let Some(reopen) = self.reopen.take().filter(|_| !self.progress.id.is_empty()) else {
            return false;
        };
        self.body = Body::empty();
        self.reopening = reopen.reopen(Position {
            id: self.progress.id.clone(),
            retry: self.progress.retry,
            has_moved: self.has_moved,
        });
        self.reopening.is_some()
    }

    /// Waits until the body is open again. What was received of an incomplete item is dropped.
    fn poll_reopened(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StreamError>> {
        let Some(reopening) = &mut self.reopening else {
            return Poll::Ready(Ok(()));
        };
        let reopened = ready!(reopening.as_mut().poll(cx));
        self.reopening = None;
        self.buffer.clear();
        self.scan.begin();
        self.state = State::Done;
        match reopened {
            Reopened::Open(body, reopen) => {
                self.body = body;
                self.reopen = Some(reopen);
                self.state = State::Open;
                self.has_moved = false;
                self.progress.has_begun = false;
            }
            Reopened::End => {}
            Reopened::Failed(error) => return Poll::Ready(Err(StreamError::Broken(error))),
        }
        Poll::Ready(Ok(()))
    }

    fn broken(&mut self, error: StreamError) -> Poll<Option<Result<T, StreamError>>> {
        self.state = State::Done;
        Poll::Ready(Some(Err(error)))
    }
}

impl<T> Stream for Reader<T> {
    type Item = Result<T, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Err(error) = ready!(self.poll_reopened(cx)) {
                return Poll::Ready(Some(Err(error)));
            }
            if let Some(item) = self.cut() {
                return Poll::Ready(Some(item));
            }
            let state = self.state;
            match state {
                State::Open => {}
                State::Ended if self.resume(None) => continue,
                State::Ended | State::Done => return Poll::Ready(None),
            }
            if self.buffer.len() > ITEM_LIMIT {
                return self.broken(StreamError::TooLarge { limit: ITEM_LIMIT });
            }
            if let Err(error) = ready!(self.fill(cx))
                && !self.resume(Some(&error))
            {
                return self.broken(error);
            }
        }
    }
}

#[cfg(test)]
mod tests;
