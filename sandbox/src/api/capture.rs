//! The log of calls: everything that the inspector shows.

use super::redact;
use super::tokens;
use super::trace::Trace;
use crate::app::{App, Shared};
use crate::ids;
use crate::model::Activity;
use crate::model::{Call, Check, Credential, Project};
use crate::store::StorageError;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header, request, response};
use axum::middleware::Next;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::time::Instant;

/// How much of a body is kept.
const KEPT: usize = 16 * 1024;
/// The header with the id of a client.
const CLIENT_ID: HeaderName = HeaderName::from_static("x-client-id");

/// Records a call, without waiting for the log.
pub(super) async fn capture(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let trace = Trace::default();
    parts.extensions.insert(trace.clone());
    let mut recording = Recording::start(app, &parts, trace.clone());
    let (beginning, body) = begin(body).await;
    recording.request_body(&parts.headers, beginning);
    let response = next.run(Request::from_parts(parts, body)).await;
    let (head, body) = response.into_parts();
    // The bodies of this API are in memory. One that breaks is reported by the router.
    let body = match body.collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => {
            tracing::error!(%error, "a response was not written");
            Bytes::new()
        }
    };
    recording.response(&head, &body);
    let (latency, is_truncated) = {
        let findings = trace.findings();
        (findings.latency, findings.is_truncated)
    };
    if !latency.is_zero() {
        tokio::time::sleep(latency).await;
    }
    recording.finish(head.status);
    match is_truncated {
        true => truncated(head, body),
        false => Response::from_parts(head, Body::from(body)),
    }
}

/// Reads the beginning of a body, and returns a body with the same content.
async fn begin(mut body: Body) -> (Bytes, Body) {
    if body.is_end_stream() {
        return (Bytes::new(), body);
    }
    let mut beginning = Vec::new();
    while beginning.len() < KEPT {
        match body.frame().await {
            None => {
                let beginning = Bytes::from(beginning);
                return (beginning.clone(), Body::from(beginning));
            }
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    beginning.extend_from_slice(data);
                }
            }
            Some(Err(error)) => {
                let beginning = Bytes::from(beginning);
                let read = [Ok(beginning.clone()), Err(error)];
                return (beginning, Body::from_stream(stream::iter(read)));
            }
        }
    }
    let beginning = Bytes::from(beginning);
    let read = stream::iter([Ok(beginning.clone())]);
    let whole = read.chain(body.into_data_stream());
    (beginning, Body::from_stream(whole))
}

/// Returns a response that announces its whole body, sends half of it, and breaks the connection.
fn truncated(mut head: response::Parts, body: Bytes) -> Response {
    head.headers
        .insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    let half = body.slice(..body.len() / 2);
    let error = io::Error::new(io::ErrorKind::ConnectionAborted, "truncated on request");
    let broken = async {
        // The connection sends the half while the body is not ready.
        tokio::task::yield_now().await;
        Err(error)
    };
    let sent = stream::iter([Ok(half)]).chain(stream::once(broken));
    Response::from_parts(head, Body::from_stream(sent))
}

/// A call that is being recorded. Dropped before its end, the client has closed the connection.
struct Recording {
    app: Shared,
    trace: Trace,
    started: Instant,
    /// The presented credentials, by which a call is attributed that was rejected without.
    credentials: HeaderMap,
    body: Bytes,
    /// Taken at the end.
    call: Option<Call>,
}

impl Recording {
    fn start(app: Shared, parts: &request::Parts, trace: Trace) -> Self {
        let at = App::system_now();
        let call = Call {
            project: String::new(),
            id: ids::ordered(),
            at,
            project_time: at,
            microseconds: 0,
            client_id: None,
            operation: operation_of(parts.uri.path()).map(Cow::Borrowed),
            method: parts.method.as_str().to_owned(),
            path: redact::path(&parts.uri),
            request_headers: redact::headers(&parts.headers),
            request_body: String::new(),
            status: None,
            response_headers: Vec::new(),
            response_body: String::new(),
            checks: Vec::new(),
            fault: None,
        };
        Self {
            app,
            trace,
            started: Instant::now(),
            credentials: credentials(&parts.headers),
            body: Bytes::new(),
            call: Some(call),
        }
    }

    fn request_body(&mut self, headers: &HeaderMap, beginning: Bytes) {
        if let Some(call) = &mut self.call {
            call.request_body = shown(headers, &beginning);
        }
        self.body = beginning;
    }

    fn response(&mut self, head: &response::Parts, body: &[u8]) {
        if let Some(call) = &mut self.call {
            call.response_headers = redact::headers(&head.headers);
            call.response_body = shown(&head.headers, body);
            conclude(&self.trace, &self.credentials, call, head.status, body);
        }
    }

    fn finish(&mut self, status: StatusCode) {
        if let Some(call) = &mut self.call {
            call.status = Some(status.as_u16());
        }
        self.record();
    }

    fn record(&mut self) {
        let Some(mut call) = self.call.take() else {
            return;
        };
        let elapsed = self.started.elapsed().as_micros();
        call.microseconds = u64::try_from(elapsed).unwrap_or(u64::MAX);
        let mut findings = self.trace.findings();
        call.checks = std::mem::take(&mut findings.checks);
        call.fault = findings.fault.take();
        call.client_id = findings.client_id.take();
        let mut hidden = std::mem::take(&mut findings.hidden);
        let project = findings.project.take();
        drop(findings);
        if let Some(project) = project {
            write(&self.app, call, Some(&project), &hidden);
            return;
        }
        let (app, headers) = (Arc::clone(&self.app), std::mem::take(&mut self.credentials));
        let body = std::mem::take(&mut self.body);
        let attributed = async move {
            let presented = Presented {
                headers: &headers,
                body: &body,
            };
            let found = presented.attribute(&app, &mut hidden).await;
            let project = found.unwrap_or_default().map(|(project, client_id)| {
                call.client_id = Some(client_id);
                project
            });
            write(&app, call, project.as_ref(), &hidden);
        };
        // Without a runtime, the program is ending.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(attributed);
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.record();
    }
}

fn write(app: &App, mut call: Call, project: Option<&Project>, hidden: &[String]) {
    redact::hidden(&mut call, hidden);
    if let Some(project) = project {
        call.project.clone_from(&project.id);
        call.project_time = project.clock.now(call.at);
    }
    app.recorder.record(Activity::Call(Arc::new(call)));
}

/// Returns the headers with credentials.
fn credentials(headers: &HeaderMap) -> HeaderMap {
    let named = [header::AUTHORIZATION, CLIENT_ID].into_iter();
    named
        .filter_map(|name| headers.get(&name).cloned().map(|value| (name, value)))
        .collect()
}

/// Returns the beginning of a body as text, with secrets shortened.
fn shown(headers: &HeaderMap, body: &[u8]) -> String {
    let content_type = headers.get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    match body.get(..KEPT) {
        Some(cut) => redact::body(content_type, redact::without_part(cut)),
        None => redact::body(content_type, body),
    }
}

/// Returns the operation whose path this is.
fn operation_of(path: &str) -> Option<&'static str> {
    let mut segments = path.strip_prefix("/v1/")?.split('/');
    let segments = [(); 4].map(|()| segments.next());
    match segments {
        [Some("oauth"), Some("token"), None, None] => Some("createToken"),
        [Some("open-banking"), Some("refresh"), None, None] => Some("startOpenBankingRefresh"),
        [Some("open-banking"), Some("refresh"), Some(id), None] if !id.is_empty() => {
            Some("getOpenBankingRefreshStatus")
        }
        _ => None,
    }
}

/// Adds the check of a rejection that the router has made by itself.
fn conclude(trace: &Trace, headers: &HeaderMap, call: &Call, status: StatusCode, body: &[u8]) {
    let is_explained = (trace.findings().checks.iter()).any(|check: &Check| !check.passed);
    if is_explained || status.as_u16() < 400 {
        return;
    }
    match status.as_u16() {
        400 => trace.fail("validation", errors_of(body)),
        401 => trace.fail("credentials", missing(call.operation.as_deref(), headers)),
        404 => trace.fail("path", "no operation has this path"),
        405 => trace.fail("method", "the path does not have this method"),
        406 => trace.fail("accept", "no media type of the response is accepted"),
        413 => trace.fail("body", "the body is too large"),
        415 => trace.fail(
            "media type",
            "the operation does not accept this media type",
        ),
        _ => trace.fail("service", "the service failed"),
    }
}

/// Returns the errors of a validation in one line.
fn errors_of(body: &[u8]) -> String {
    let body: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let errors = body["errors"].as_object();
    let errors = errors.map(|errors| {
        let errors = errors.iter().map(|(field, error)| match error.as_str() {
            Some(error) => format!("{field}: {error}"),
            None => format!("{field}: {error}"),
        });
        errors.collect::<Vec<_>>().join("; ")
    });
    errors.unwrap_or_else(|| "the request is not valid".to_owned())
}

/// Returns the credentials that a request lacks.
fn missing(operation: Option<&str>, headers: &HeaderMap) -> String {
    if operation == Some("createToken") {
        return "client_credentials requires HTTP Basic, refresh_token requires X-Client-Id"
            .to_owned();
    }
    let mut lacking = Vec::new();
    if bearer(headers).is_none() {
        lacking.push("Authorization: Bearer");
    }
    if !headers.contains_key(CLIENT_ID) {
        lacking.push("X-Client-Id");
    }
    if lacking.is_empty() {
        return "a required header is empty".to_owned();
    }
    format!("the request lacks {}", lacking.join(" and "))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !token.trim().is_empty()).then(|| token.trim())
}

/// What a request has presented.
struct Presented<'r> {
    headers: &'r HeaderMap,
    /// The beginning of the body.
    body: &'r [u8],
}

impl Presented<'_> {
    /// Returns the project and the client whose secret or token a rejected request has. The secret of a
    /// client that it names is hidden.
    async fn attribute(
        &self,
        app: &App,
        hidden: &mut Vec<String>,
    ) -> Result<Option<(Project, String)>, StorageError> {
        let basic = basic(self.headers);
        let id = self.headers.get(CLIENT_ID).and_then(|id| id.to_str().ok());
        let named = [id, basic.as_ref().map(|(id, _)| id.as_str())];
        for client_id in named.into_iter().flatten().filter(|id| !id.is_empty()) {
            let Some(credential) = app.store.find::<Credential>(client_id).await? else {
                continue;
            };
            hidden.push(credential.secret_hash.clone());
            let shown = basic.as_ref().filter(|(id, _)| id == client_id);
            if shown.is_some_and(|(_, secret)| ids::hash(secret) == credential.secret_hash) {
                let project = app.project(&credential.project).await?;
                return Ok(project.map(|project| (project.value, client_id.to_owned())));
            }
        }
        let mut form = url::form_urlencoded::parse(self.body);
        let refresh = form.find_map(|(name, token)| (name == "refresh_token").then_some(token));
        let tokens = [bearer(self.headers), refresh.as_deref()];
        for token in tokens.into_iter().flatten() {
            if let Some(family) = tokens::family_of(&app.store, token).await? {
                let project = app.project(&family.project).await?;
                return Ok(project.map(|project| (project.value, family.client_id)));
            }
        }
        Ok(None)
    }
}

/// Returns the user and the password of HTTP Basic.
fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, pair) = value.split_once(' ')?;
    let pair = (scheme.eq_ignore_ascii_case("basic"))
        .then(|| STANDARD.decode(pair.trim()).ok())
        .flatten()?;
    let (user, password) = std::str::from_utf8(&pair).ok()?.split_once(':')?;
    Some((user.to_owned(), password.to_owned()))
}
