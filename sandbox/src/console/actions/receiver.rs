//! Webhooks that the built-in receiver has received.

use super::{Actor, limit, note_alone, project, view, views};
use crate::app::{App, Shared};
use crate::console::api::operations::ListReceivedRequest;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::receiver::{self, Watch};
use bothends_runtime::{Event, StreamError};
use futures_util::Stream;
use futures_util::stream::unfold;
use std::collections::VecDeque;
use tokio::sync::watch;

type Received = Event<types::Received>;

/// Returns received webhooks, the oldest first.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn list(
    app: &App,
    request: &ListReceivedRequest,
) -> Result<Vec<types::Received>, Failure> {
    let id = &request.project;
    project(app, id).await?;
    let name = request.receiver.as_deref();
    let (after, wanted) = (request.after.as_deref(), limit(request.limit_or_default()));
    views(&receiver::list(app, id, name, after, wanted).await?)
}

/// Decides the response to a webhook that waits for a listener.
///
/// # Errors
/// Returns an error if the project has no such webhook, or if its response is decided already.
pub async fn respond(
    app: &App,
    id: &str,
    received: &str,
    status: u16,
) -> Result<types::Received, Failure> {
    project(app, id).await?;
    let responded = receiver::respond(app, id, received, status).await?;
    let detail = format!("webhook {received}, status {status}");
    note_alone(app, Actor::Token, "respondReceived", Some(id), detail).await?;
    view(&responded)
}

/// Returns a stream of received webhooks after a cursor. An empty cursor stands for everything that
/// is stored, and without one the stream begins now. The stream ends when the program stops.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn watch(
    app: &Shared,
    id: &str,
    receiver: Option<&str>,
    cursor: Option<String>,
) -> Result<impl Stream<Item = Result<Received, StreamError>> + Send + use<>, Failure> {
    project(app, id).await?;
    let cursor = match cursor {
        Some(cursor) => Some(cursor).filter(|cursor| !cursor.is_empty()),
        None => Some(super::watch::now()),
    };
    let state = Arrivals {
        watch: receiver::watch(app, id, receiver, cursor.as_deref()),
        stopping: app.stopping.clone(),
        waiting: VecDeque::new(),
    };
    Ok(unfold(state, async |mut state| {
        let next = state.next().await?;
        Some((next, state))
    }))
}

struct Arrivals {
    watch: Watch,
    stopping: watch::Receiver<bool>,
    waiting: VecDeque<crate::model::Received>,
}

impl Arrivals {
    async fn next(&mut self) -> Option<Result<Received, StreamError>> {
        while self.waiting.is_empty() {
            let more = tokio::select! {
                more = self.watch.next() => more,
                _ = self.stopping.wait_for(|stop| *stop) => return None,
            };
            match more {
                Ok(more) => self.waiting.extend(more),
                Err(error) => return Some(Err(StreamError::Broken(error.into()))),
            }
        }
        let received = self.waiting.pop_front()?;
        Some(event(&received).map_err(|failure| StreamError::Broken(failure.into())))
    }
}

fn event(received: &crate::model::Received) -> Result<Received, Failure> {
    let mut event = Event::new(view(received)?);
    event.id = Some(received.id.clone());
    Ok(event)
}
