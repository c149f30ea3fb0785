//! The built-in receiver of webhooks, on the listener of the console.
//!
//! `/receivers/{project}/{name}` stores each request as it was sent, and responds as the query says:
//!
//! - `status=503`, or a list such as `status=503,503,200`: the n-th attempt of a webhook gets the
//!   n-th status, and further attempts the last one. 200 by default.
//! - `delay=11s`: the pause before the response, in `s` or `ms`, up to a minute.
//! - `body=text`: the body of the response.
//! - `mode=forward`: the request is held until a listener has responded to it with [`respond`], for
//!   up to nine seconds; otherwise the response is a 503. Requests and responses are exchanged
//!   through the store, so that the listener can be connected to another instance.

mod answer;
mod watch;

pub use answer::InvalidAnswer;
pub use watch::{Watch, watch};

use crate::app::{App, Shared};
use crate::ids;
use crate::model::Activity;
use crate::model::Received;
use crate::request_error::RequestError;
use crate::store::{Changes, CommitError, Page, StorageError, Stored};
use answer::Answer;
use axum::Router;
use axum::extract::{FromRequest, Path, RawQuery, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long a request is held for a listener. The service gives up after ten seconds.
const HELD: Duration = Duration::from_secs(9);
/// How often a held request looks for a response that was posted to another instance.
const LOOK: Duration = Duration::from_millis(200);
/// How many requests each project keeps.
const KEPT: u32 = 5_000;
/// After how many requests of a project the oldest are removed.
const TRIM_EVERY: u32 = 200;
/// The longest name of a receiver.
const LONGEST_NAME: usize = 100;
/// How often a response is written anew because another request has changed the entry.
const TRIES: usize = 5;

/// The state of the receiver in this instance.
#[derive(Clone)]
struct Receiver {
    app: Shared,
    /// The number of requests of each project since its oldest ones were removed.
    counts: Arc<Mutex<HashMap<String, u32>>>,
}

/// Returns the service of the receiver.
pub fn router(app: Shared) -> Router {
    let counts = Arc::default();
    Router::new()
        .route("/receivers/{project}/{name}", any(receive))
        .with_state(Receiver { app, counts })
}

async fn receive(
    State(receiver): State<Receiver>,
    Path((project, name)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    request: Request,
) -> Response {
    let answer = match Answer::parse(query.as_deref().unwrap_or_default()) {
        Ok(answer) => answer,
        Err(error) => return (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    };
    if name.chars().count() > LONGEST_NAME {
        return (
            StatusCode::BAD_REQUEST,
            "the name of the receiver is too long",
        )
            .into_response();
    }
    // Before the body is read: it is stored for an existing project only.
    if let Err(error) = find_project(&receiver.app, &project).await {
        return failed(&error);
    }
    let (method, headers) = (request.method().clone(), request.headers().clone());
    let body = match Bytes::from_request(request, &()).await {
        Ok(body) => body,
        Err(error) => return error.into_response(),
    };
    let request = Received {
        project,
        id: ids::ordered(),
        receiver: name,
        at: App::system_now(),
        method: method.as_str().to_owned(),
        headers: pairs(&headers),
        body: STANDARD.encode(&body),
        status: (!answer.forward).then(|| answer.status(&headers)),
    };
    match respond_to(&receiver, &answer, request).await {
        Ok(status) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
            (status, answer.body).into_response()
        }
        Err(error) => failed(&error),
    }
}

async fn find_project(app: &App, id: &str) -> Result<(), RequestError> {
    match app.project(id).await? {
        Some(_) => Ok(()),
        None => Err(RequestError::not_found("project", id)),
    }
}

fn failed(error: &RequestError) -> Response {
    if let RequestError::NotFound { .. } = error {
        return (StatusCode::NOT_FOUND, "there is no such project").into_response();
    }
    tracing::warn!(%error, "a request was not received");
    (
        StatusCode::SERVICE_UNAVAILABLE,
        "the database is not available",
    )
        .into_response()
}

/// Returns the headers as sent. Bytes that are no UTF-8 are read as Latin-1.
fn pairs(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
    headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes())))
        .collect()
}

/// Stores a request, and returns the status of the response when it is time to send it.
async fn respond_to(
    receiver: &Receiver,
    answer: &Answer,
    request: Received,
) -> Result<u16, RequestError> {
    let app = &receiver.app;
    let mut changes = Changes::new();
    changes.insert(&request);
    app.store.commit(changes).await?;
    let request = Arc::new(request);
    app.recorder
        .announce(Activity::Received(Arc::clone(&request)));
    receiver.trim(&request.project).await;
    let status = match request.status {
        Some(status) => status,
        None => hold(app, &request).await?,
    };
    tokio::time::sleep(answer.delay).await;
    Ok(status)
}

impl Receiver {
    /// Removes the oldest requests of a project that has received many.
    async fn trim(&self, project: &str) {
        {
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            let count = counts.entry(project.to_owned()).or_default();
            *count += 1;
            if *count < TRIM_EVERY {
                return;
            }
            *count = 0;
        }
        if let Err(error) = self.app.store.trim::<Received>(project, KEPT).await {
            tracing::warn!(%error, "old received webhooks were not removed");
        }
    }
}

/// Waits for the response of a listener. Returns 503 if there was none in time.
async fn hold(app: &App, request: &Received) -> Result<u16, RequestError> {
    let deadline = Instant::now() + HELD;
    loop {
        let mut responded = std::pin::pin!(app.hooks.responses.notified());
        responded.as_mut().enable();
        let stored = app.store.get::<Received>(&request.project, &request.id);
        match stored.await?.map(|stored| stored.value.status) {
            Some(Some(status)) => return Ok(status),
            Some(None) => {}
            // Removed, for example by a reset of the project.
            None => return Ok(StatusCode::SERVICE_UNAVAILABLE.as_u16()),
        }
        if Instant::now() >= deadline {
            let late = StatusCode::SERVICE_UNAVAILABLE.as_u16();
            return match respond(app, &request.project, &request.id, late).await {
                // A listener has responded in the last moment.
                Err(RequestError::State(_)) => continue,
                Err(error) => Err(error),
                Ok(_) => Ok(late),
            };
        }
        let until = deadline.min(Instant::now() + LOOK);
        // Whatever ends the waiting: the next round looks.
        let _ = timeout_at(until, responded).await;
    }
}

/// Responds to a held request. The response may be posted to any instance.
///
/// # Errors
/// Returns an error if the project has no such request, if the request has a response already, if
/// the status is not a final one, or for an error of the database.
pub async fn respond(
    app: &App,
    project: &str,
    id: &str,
    status: u16,
) -> Result<Received, RequestError> {
    if !(200..=599).contains(&status) {
        return Err(RequestError::invalid("status", "is not from 200 to 599"));
    }
    for _ in 0..TRIES {
        let stored = app.store.get::<Received>(project, id).await?;
        let mut stored: Stored<Received> =
            stored.ok_or_else(|| RequestError::not_found("received webhook", id))?;
        if let Some(status) = stored.value.status {
            let message = format!("the webhook was responded to with {status} already");
            return Err(RequestError::State(message));
        }
        stored.value.status = Some(status);
        let mut changes = Changes::new();
        changes.update(&stored);
        match app.store.commit(changes).await {
            Ok(()) => {
                app.hooks.responses.notify_waiters();
                return Ok(stored.value);
            }
            Err(CommitError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(RequestError::Busy)
}

/// Returns received requests of a project after a cursor, which is the id of the last request that
/// is known, in the order of their ids; all receivers, or one.
///
/// # Errors
/// Returns an error of the database.
pub async fn list(
    app: &App,
    project: &str,
    receiver: Option<&str>,
    after: Option<&str>,
    limit: u32,
) -> Result<Vec<Received>, StorageError> {
    let page = Page {
        parent: receiver,
        ..Page::first(limit).after(after)
    };
    let received = app.store.list::<Received>(project, page).await?;
    Ok(received
        .into_iter()
        .map(|received| received.value)
        .collect())
}
