//! Streams of events that continue after their last event (HTML, section 9.2.3).

use super::StreamCall;
use crate::ends::client::{
    Attempt, Backoff, Body, ClientCore, Error, RawResponse, ResponseFuture, Transport,
};
use crate::message::operation::Row;
use crate::message::operation::SuccessSet as _;
use crate::message::retry_after;
use crate::message::stream::{Position, Reopen, Reopened, Reopening};
use crate::message::wire::header::{self, LAST_EVENT_ID};
use crate::message::{Operation, RequestEncoder, ResponseDecoder};
use http::StatusCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

impl<T, O> StreamCall<'_, T, O>
where
    T: Transport + Clone + 'static,
    O: Operation + Send + Sync + 'static,
{
    /// Resumes the stream when it breaks or ends: the operation is called again, with the id of the
    /// last event as `Last-Event-ID`, and the events of the new response follow those of the last.
    ///
    /// - Only a stream with an id is resumed: that of an event, or that with which it was opened. An
    ///   event with an empty id removes it.
    /// - The delay before an attempt is that of `backoff`. The `retry` of events and the `Retry-After`
    ///   of an error lengthen it. A `Retry-After` beyond the longest delay ends the stream.
    /// - The stream ends at the event that the document declares as its last, and when the server
    ///   responds 204.
    /// - After as many failed attempts as `backoff` allows, the last item is a
    ///   [`StreamError::Broken`](crate::StreamError::Broken), whose source is the [`Error`] of the
    ///   last attempt. An error that is not [retryable](Error::is_retryable) has the same effect at
    ///   once. An attempt has failed if neither an event was received nor the stream lasted for the
    ///   longest delay.
    /// - An operation that is not [repeatable](Attempt::is_repeatable), such as a `POST`, is resumed
    ///   only with [`Backoff::retry_all_methods`].
    ///
    /// The first call is retried like any other call of the client. Nothing happens after the stream
    /// is dropped.
    pub fn resumable(self, backoff: Backoff) -> ResponseFuture<'static, O::Response, O::Error> {
        let (core, request) = (self.core.clone(), self.request);
        Box::pin(async move {
            let opener = Box::new(Opener {
                core: core.clone(),
                request: Arc::clone(&request),
                backoff,
                failures: 0,
                opened: Instant::now(),
            });
            let resumes = |response: &ResponseDecoder| response.body().reopened_by(opener);
            core.call_and(&*request, resumes).await
        })
    }
}

/// Opens a stream of events again.
struct Opener<T, O> {
    core: ClientCore<T>,
    request: Arc<O>,
    backoff: Backoff,
    /// The number of failed attempts in a row.
    failures: u32,
    /// When the stream was last opened.
    opened: Instant,
}

impl<T, O> Reopen for Opener<T, O>
where
    T: Transport + Clone + 'static,
    O: Operation + Send + Sync + 'static,
{
    fn opened_with(&self) -> String {
        let mut encoder = RequestEncoder::new(O::META);
        self.request.encode(&mut encoder);
        let sent = encoder.finish().ok();
        let sent = sent
            .as_ref()
            .and_then(|sent| sent.headers.get(LAST_EVENT_ID));
        let id = sent.or_else(|| self.core.options.headers.get(LAST_EVENT_ID));
        let id = id.and_then(|id| std::str::from_utf8(id.as_bytes()).ok());
        id.unwrap_or_default().to_owned()
    }

    fn reopen(mut self: Box<Self>, at: Position) -> Option<Reopening> {
        if at.has_moved || self.opened.elapsed() >= self.backoff.max_delay {
            self.failures = 0;
        }
        let mut pause = self.pause()?;
        Some(Box::pin(async move {
            loop {
                sleep(pause.max(at.retry.unwrap_or_default())).await;
                self.failures += 1;
                let error = match self.open(&at.id).await {
                    Ok(Some(body)) => {
                        self.opened = Instant::now();
                        return Reopened::Open(body, self);
                    }
                    Ok(None) => return Reopened::End,
                    Err(error) => error,
                };
                let asked = error
                    .raw_response()
                    .and_then(|response| retry_after(&response.headers));
                let asked = asked.unwrap_or_default();
                match self.pause() {
                    Some(next) if error.is_retryable() && asked <= self.backoff.max_delay => {
                        pause = next.max(asked);
                    }
                    _ => return Reopened::Failed(Box::new(error)),
                }
            }
        }))
    }
}

impl<T, O> Opener<T, O>
where
    T: Transport + Clone,
    O: Operation,
{
    /// Returns the delay before the next attempt; `None` if no attempt is left.
    fn pause(&self) -> Option<Duration> {
        let attempt = Attempt {
            operation: O::META,
            number: self.failures.saturating_add(1),
            elapsed: Duration::ZERO,
            idempotency_key: self.core.options.has_idempotency_key(),
            response: None,
            error: None,
        };
        let may = self.backoff.retry_all_methods || attempt.is_repeatable();
        let Backoff {
            initial_delay,
            max_delay,
            ..
        } = self.backoff;
        let delay = || attempt.delay(initial_delay, max_delay, Backoff::FACTOR);
        (may && self.failures < self.backoff.attempts)
            .then(delay)
            .flatten()
    }

    /// Calls the operation, and returns the body of its response; `None` if there are no more events.
    async fn open(&self, id: &str) -> Result<Option<Body>, Error<O::Error>> {
        let mut core = self.core.clone();
        let id = header::value(LAST_EVENT_ID.as_str(), id).map_err(Error::Encode)?;
        core.options.last_event_id = Some(id);
        // The attempts are counted here.
        core.options.retry = None;
        let mut with = None;
        let response = core.traced(&*self.request, &mut with).await?;
        if response.status_code() == StatusCode::NO_CONTENT {
            return Ok(None);
        }
        let is_success = Row::find(O::Success::rows(O::META), response.status()).is_some();
        if !is_success {
            let decoded = core.decoded(&*self.request, with, response).await;
            return decoded.map(|_| None);
        }
        let body = response.body().take_events();
        body.map(Some).map_err(|source| Error::Decode {
            response: RawResponse::boxed(response, O::META.id),
            source,
        })
    }
}
