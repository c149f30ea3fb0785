//! Tasks: waiting for their end by asking, by webhook, and by both. Time is paused.
#![cfg(feature = "tasks")]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use bothends_runtime::client::{
    Body, CancelError, ClientCore, Error, PollOptions, Task, TaskError, TaskMeta, Transport,
    TransportError,
};
use bothends_runtime::http::{Request, Response, StatusCode};
use bothends_runtime::tasks::{TaskInbox, TaskNotifier};
use bothends_runtime::{Bytes, Expression, Json, NoError};
use futures_util::StreamExt as _;
use serde_json::json;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

#[derive(Debug, Clone, PartialEq)]
pub struct Start {}
bothends_runtime::operation! {
    "start": "POST" "/tasks"
    Start() {
    }
    -> Started { 202 => json Json }, StartError = NoError
}

#[derive(Debug, Clone, PartialEq)]
pub struct GetStatus {
    pub id: String,
}
bothends_runtime::operation! {
    "getStatus": "GET" "/tasks/{id}"
    GetStatus(id: String) from [String, &str] {
        path "id" => id,
    }
    -> Status { 200 => json Json }, GetStatusError = NoError
}

const TASK: TaskMeta<Start, GetStatus> = TaskMeta::new(&["Completed", "Failed"])
    .from(&[("path", "id", Expression::ResponseBody("/task/id"))])
    .status_at("/status")
    .failed(&["Failed"])
    .failed_at("/error");

#[derive(Debug, Clone, PartialEq)]
pub struct Cancel {
    pub id: String,
}
bothends_runtime::operation! {
    "cancel": "DELETE" "/tasks/{id}"
    Cancel(id: String) from [String, &str] {
        path "id" => id,
    }
    -> Cancelled { 204 }, CancelFailed = NoError
}

/// An answer of the server: the status and a header `Retry-After`, and the body.
type Answer = (u16, Option<u64>, &'static str);

const STARTED: Answer = (202, None, r#"{"task":{"id":"7f1c"}}"#);
const RUNNING: Answer = (200, None, r#"{"status":"Running"}"#);
const COMPLETED: Answer = (200, None, r#"{"status":"Completed"}"#);
const FAILED: Answer = (200, None, r#"{"status":"Failed"}"#);

/// Answers with one answer after another; the last one stays.
#[derive(Clone)]
struct Server {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    asked: Arc<Mutex<Vec<(Duration, String)>>>,
    since: Instant,
}

impl Server {
    fn new(answers: &[Answer]) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.iter().copied().collect())),
            asked: Arc::default(),
            since: Instant::now(),
        }
    }

    fn core(&self) -> ClientCore<Self> {
        ClientCore::new("http://localhost", self.clone()).unwrap()
    }

    /// Returns a task whose start is not stated: its status alone.
    fn task(&self) -> Task<Self, GetStatus> {
        let is_over = |status: &Status| TASK.is_finished(status);
        self.core().task(GetStatus::from("7f1c"), is_over)
    }

    fn start(&self) -> Task<Self, GetStatus, Start> {
        self.core().start_task(TASK, Start::new())
    }

    /// Returns the seconds at which the calls were made, and their request lines.
    fn asked(&self) -> Vec<(f64, String)> {
        let asked = self.asked.lock().unwrap();
        let seconds = asked.iter();
        seconds
            .map(|(at, line)| (at.as_secs_f64(), line.clone()))
            .collect()
    }
}

impl Transport for Server {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let line = format!("{} {}", request.method(), request.uri().path());
        let mut asked = self.asked.lock().unwrap();
        asked.push((self.since.elapsed(), line));
        let mut answers = self.answers.lock().unwrap();
        let (status, retry_after, body) = answers[0];
        if answers.len() > 1 {
            answers.pop_front();
        }
        if status == 0 {
            return Err(TransportError::new("broken"));
        }
        let body = bothends_runtime::Bytes::from(body);
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = StatusCode::from_u16(status).unwrap();
        let headers = response.headers_mut();
        headers.insert("content-type", "application/json".parse().unwrap());
        if let Some(seconds) = retry_after {
            headers.insert("retry-after", seconds.into());
        }
        Ok(response)
    }
}

#[test]
fn a_document_says_where_things_are() {
    let submitted = Started::new(json!({ "task": { "id": "7f1c" } }));
    assert_eq!(TASK.id_of(&submitted).as_deref(), Some("7f1c"));
    assert_eq!(TASK.id_of(&Started::new(json!([]))), None);
    let numbered = Started::new(json!({ "task": { "id": 17 } }));
    assert_eq!(TASK.id_of(&numbered).as_deref(), Some("17"));
    assert!(TASK.is_finished(&Status::new(json!({ "status": "Failed" }))));
    assert!(!TASK.is_finished(&Status::new(json!({ "status": "Paused" }))));
}

#[test]
fn the_id_of_an_ended_task_is_read_from_webhooks_that_report_it() {
    let inbox = TaskInbox::new(&[("refreshCompleted", "/data/task_id")]);
    let body = Bytes::from_static(br#"{"data":{"task_id":"7f1c"}}"#);
    assert_eq!(
        inbox.id_in("refreshCompleted", &body).as_deref(),
        Some("7f1c")
    );
    assert_eq!(inbox.id_in("customersDeleted", &body), None);
    assert_eq!(
        inbox.id_in("refreshCompleted", &Bytes::from_static(b"{}")),
        None
    );
}

#[tokio::test(start_paused = true)]
async fn the_pauses_double_and_have_an_end() {
    let mut answers = vec![RUNNING; 9];
    answers.push(COMPLETED);
    let server = Server::new(&answers);
    let ended = server.task().await.unwrap();
    assert_eq!(*ended, json!({ "status": "Completed" }));
    let asked = server.asked();
    let pauses: Vec<f64> = asked.windows(2).map(|at| at[1].0 - at[0].0).collect();
    for (pause, most) in pauses
        .iter()
        .zip([1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0, 30.0])
    {
        // The timer counts in milliseconds.
        assert!(*pause <= most + 0.002 && *pause >= 0.9 * most, "{pauses:?}");
    }
    assert_eq!(asked.len(), 10);
}

#[tokio::test(start_paused = true)]
async fn what_passes_does_not_end_a_wait_and_what_stays_does() {
    let server = Server::new(&[(503, None, ""), (0, None, ""), (429, None, ""), FAILED]);
    let ended = server.task().await.unwrap();
    assert_eq!(*ended, json!({ "status": "Failed" }));
    let server = Server::new(&[RUNNING, (404, None, "")]);
    let error = server.task().await.unwrap_err();
    let TaskError::Status { error: call, .. } = &error else {
        panic!("{error:?}");
    };
    assert!(matches!(call, Error::Undocumented(_)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_task_is_started_and_followed_by_one_await() {
    let server = Server::new(&[STARTED, RUNNING, COMPLETED]);
    let ended = server.start().await.unwrap();
    assert_eq!(*ended, json!({ "status": "Completed" }));
    let lines: Vec<String> = server.asked().into_iter().map(|(_, line)| line).collect();
    assert_eq!(lines, ["POST /tasks", "GET /tasks/7f1c", "GET /tasks/7f1c"]);
}

#[tokio::test(start_paused = true)]
async fn a_failed_state_is_an_error_with_the_status() {
    let unknown = (200, None, r#"{"status":"Odd","error":{"code":7}}"#);
    for failed in [FAILED, unknown] {
        let error = Server::new(&[STARTED, failed]).start().await.unwrap_err();
        let TaskError::Failed(status) = &error else {
            panic!("{error:?}");
        };
        assert_eq!(
            **status.as_ref(),
            serde_json::from_str::<Json>(failed.2).unwrap()
        );
        assert_eq!(error.to_string(), "the task has failed");
    }
    let null = (200, None, r#"{"status":"Completed","error":null}"#);
    assert!(Server::new(&[STARTED, null]).start().await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_response_without_an_id_and_a_start_that_fails_are_errors() {
    let error = Server::new(&[(202, None, "{}")]).start().await.unwrap_err();
    let TaskError::NoId(response) = error else {
        panic!("{error:?}");
    };
    assert_eq!(**response.as_ref(), json!({}));
    let error = Server::new(&[(503, None, "")]).start().await.unwrap_err();
    assert!(matches!(error, TaskError::Start(_)), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn retry_after_of_the_start_and_of_the_status_is_obeyed() {
    let started = (STARTED.0, Some(7), STARTED.2);
    let running = (RUNNING.0, Some(40), RUNNING.2);
    let busy = (503, Some(90), "");
    let server = Server::new(&[started, running, busy, COMPLETED]);
    assert!(server.start().await.is_ok());
    let at: Vec<u64> = server.asked().iter().map(|(at, _)| *at as u64).collect();
    assert_eq!(at, [0, 7, 47, 137]);
}

#[tokio::test(start_paused = true)]
async fn a_new_task_may_be_unknown_for_a_while() {
    let unknown = (404, None, "");
    let server = Server::new(&[STARTED, unknown, unknown, unknown, COMPLETED]);
    assert!(server.start().await.is_ok());
    let server = Server::new(&[STARTED, unknown]);
    let error = server.start().await.unwrap_err();
    assert_eq!(error.id(), Some("7f1c"));
    let (last, _) = server.asked().pop().unwrap();
    assert!((10.0..17.0).contains(&last), "{last}");
    // What was started long ago is not new.
    let resumed = server.core().resume_task(TASK, GetStatus::from("7f1c"));
    assert!(resumed.await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_stream_has_every_status_and_the_id_survives_a_restart() {
    let server = Server::new(&[STARTED, RUNNING, RUNNING, COMPLETED]);
    let mut task = server.start();
    assert_eq!(task.id(), None);
    assert_eq!(task.start().await.unwrap(), Some("7f1c"));
    assert_eq!(task.start().await.unwrap(), Some("7f1c"));
    assert_eq!(server.asked().len(), 1);
    let first = task.try_next().await.unwrap().unwrap();
    assert_eq!(*first, json!({ "status": "Running" }));
    let id = task.id().unwrap().to_owned();
    drop(task);

    let mut task = server.core().resume_task(TASK, GetStatus::from(id));
    assert_eq!(task.id(), Some("7f1c"));
    let mut statuses = Vec::new();
    while let Some(status) = task.next().await {
        statuses.push(status.unwrap().into_inner());
    }
    let [running, completed] = ["Running", "Completed"].map(|it| json!({ "status": it }));
    assert_eq!(statuses, [running, completed]);
    assert!(task.try_next().await.unwrap().is_none());
    assert!(matches!(task.await.unwrap_err(), TaskError::Ended));
    assert_eq!(server.asked().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_task_asks_no_more() {
    let server = Server::new(&[STARTED, RUNNING]);
    let ended = tokio::time::timeout(Duration::from_secs(5), server.start()).await;
    assert!(ended.is_err());
    let asked = server.asked().len();
    tokio::time::sleep(Duration::from_secs(500)).await;
    assert_eq!(server.asked().len(), asked);
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_id_is_not_there_is_not_cancelled() {
    let server = Server::new(&[STARTED, RUNNING]);
    let by = TASK.cancelled_by::<Cancel>(&[("path", "id", Expression::RequestQuery("key"))]);
    let mut task = server.core().start_task(by, Start::new());
    let error = task.cancel().await.unwrap_err();
    assert!(matches!(error, CancelError::NotStarted), "{error}");
    task.start().await.unwrap();
    let error = task.cancel().await.unwrap_err();
    assert!(matches!(error, CancelError::NoId), "{error}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_result_is_requested_once() {
    let rows = &[("path", "id", Expression::RequestPath("id"))];
    let server = Server::new(&[STARTED, (200, Some(50), RUNNING.2), COMPLETED, COMPLETED]);
    let task = server
        .core()
        .start_task(TASK.result::<GetStatus>(rows), Start::new());
    let result: Status = task.deadline(Duration::from_secs(60)).await.unwrap();
    assert_eq!(*result, json!({ "status": "Completed" }));
    assert_eq!(server.asked().len(), 4);

    let server = Server::new(&[COMPLETED, (503, Some(90), "")]);
    let result = TASK.result::<GetStatus>(rows);
    let error = server.core().resume_task(result, "7f1c".into()).await;
    let error = error.unwrap_err();
    assert!(matches!(error, TaskError::Result { .. }), "{error}");
    assert_eq!((error.id(), server.asked().len()), (Some("7f1c"), 2));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_it() {
    let server = Server::new(&[STARTED, RUNNING]);
    let limit = Duration::from_secs(100);
    let error = server.start().deadline(limit).await.unwrap_err();
    assert!(matches!(error, TaskError::Deadline { .. }), "{error}");
    assert_eq!(error.id(), Some("7f1c"));
    assert_eq!(server.since.elapsed().as_secs(), 100);
}

#[tokio::test(start_paused = true)]
async fn a_webhook_ends_the_wait_before_the_next_poll() {
    let inbox = TaskInbox::new(&[("refreshCompleted", "/data/task_id")]);
    let webhook = |id: &str| json!({ "data": { "task_id": id } }).to_string().into();
    assert!(!inbox.receive("customersDeleted", &webhook("7f1c")));
    assert!(!inbox.receive("refreshCompleted", &"{}".into()));
    assert!(!inbox.receive("refreshCompleted", &"no JSON".into()));

    let mut options = PollOptions::default();
    options.initial_interval = Duration::from_secs(1000);
    let server = Server::new(&[STARTED, RUNNING, COMPLETED]);
    let task = server.start().poll_options(options).webhooks(&inbox);
    let later = async {
        tokio::time::sleep(Duration::from_secs(20)).await;
        assert!(inbox.receive("refreshCompleted", &webhook("another")));
        assert!(inbox.receive("refreshCompleted", &webhook("7f1c")));
    };
    let (ended, ()) = tokio::join!(async { task.await }, later);
    assert_eq!(*ended.unwrap(), json!({ "status": "Completed" }));
    assert_eq!(server.since.elapsed().as_secs(), 20);

    // It was received before the response to the start, and the status lags behind.
    let server = Server::new(&[STARTED, RUNNING, RUNNING, COMPLETED]);
    let task = server.start().poll_options(options).webhooks(&inbox);
    assert!(task.await.is_ok());
    let at: Vec<u64> = server.asked().iter().map(|(at, _)| *at as u64).collect();
    assert_eq!(at[..3], [0, 0, 0]);
    assert!((900..=1000).contains(&at[3]), "{at:?}");
}

#[tokio::test(start_paused = true)]
async fn a_board_keeps_what_it_was_made_for_and_forgets_who_went_away() {
    let notifier = TaskNotifier::new(2);
    for (id, event) in [("a", 1), ("b", 2), ("c", 3)] {
        notifier.notify(id, event);
    }
    assert_eq!(
        (notifier.get("a"), notifier.get("b"), notifier.get("c")),
        (None, Some(2), Some(3))
    );
    let both = [notifier.clone(), notifier.clone()]
        .map(|notifier| tokio::spawn(async move { notifier.wait("d").await }));
    tokio::task::yield_now().await;
    let [first, second] = both;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    assert!(
        format!("{notifier:?}").contains("awaited: 1"),
        "{notifier:?}"
    );
    notifier.notify("d", 4);
    assert_eq!(second.await.unwrap(), 4);
    assert!(
        format!("{notifier:?}").contains("awaited: 0"),
        "{notifier:?}"
    );
    let gone = tokio::time::timeout(Duration::from_secs(1), notifier.wait("e")).await;
    assert!(gone.is_err());
    assert!(
        format!("{notifier:?}").contains("awaited: 0"),
        "{notifier:?}"
    );
}
