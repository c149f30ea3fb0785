//! Tasks: waiting for their end by asking, by webhook, and by both. Time is paused.
#![cfg(feature = "tasks")]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use bothends_runtime::client::{
    Body, Completion, Core, Error, PollOptions, TaskMeta, TaskNotifier, Transport, TransportError,
    WaitError,
};
use bothends_runtime::http::{Request, Response, StatusCode};
use bothends_runtime::{Expression, Json, NoError};
use serde_json::json;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

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

const TASK: TaskMeta<GetStatus, GetStatus> = TaskMeta::new(&["Completed", "Failed"])
    .from(&[("path", "id", Expression::ResponseBody("/task/id"))])
    .status_at("/status")
    .notified_by(&[("refreshCompleted", "/data/task_id")]);

/// Answers with one status after another; the last one stays.
#[derive(Clone)]
struct Server {
    answers: Arc<Mutex<VecDeque<(u16, &'static str)>>>,
    asked: Arc<Mutex<Vec<Duration>>>,
    since: Instant,
}

impl Server {
    fn new(answers: &[(u16, &'static str)]) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.iter().copied().collect())),
            asked: Arc::default(),
            since: Instant::now(),
        }
    }
}

impl Transport for Server {
    async fn send(&self, _: Request<Body>) -> Result<Response<Body>, TransportError> {
        self.asked.lock().unwrap().push(self.since.elapsed());
        let mut answers = self.answers.lock().unwrap();
        let (status, said) = answers[0];
        if answers.len() > 1 {
            answers.pop_front();
        }
        if status == 0 {
            return Err(TransportError::new("broken"));
        }
        let body = bothends_runtime::Bytes::from(format!(r#"{{"status":"{said}"}}"#));
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = StatusCode::from_u16(status).unwrap();
        response
            .headers_mut()
            .insert("content-type", "application/json".parse().unwrap());
        Ok(response)
    }
}

fn task(server: &Server) -> bothends_runtime::client::Task<Server, GetStatus> {
    let core = Core::new("http://localhost", server.clone()).unwrap();
    core.task(GetStatus::from("7f1c"), |status| TASK.is_finished(status))
}

#[test]
fn a_document_says_where_things_are() {
    let submitted = Status::new(json!({ "task": { "id": "7f1c" } }));
    assert_eq!(TASK.id_of(&submitted).as_deref(), Some("7f1c"));
    assert_eq!(TASK.id_of(&Status::new(json!([]))), None);
    let numbered = Status::new(json!({ "task": { "id": 17 } }));
    assert_eq!(TASK.id_of(&numbered).as_deref(), Some("17"));
    assert!(TASK.is_finished(&Status::new(json!({ "status": "Failed" }))));
    assert!(!TASK.is_finished(&Status::new(json!({ "status": "Paused" }))));
    let body = json!({ "data": { "task_id": "7f1c" } });
    assert_eq!(TASK.id_in_webhook("refreshCompleted", &body), Some("7f1c"));
    assert_eq!(TASK.id_in_webhook("customersDeleted", &body), None);
}

#[tokio::test(start_paused = true)]
async fn the_pauses_double_and_have_an_end() {
    let mut answers = vec![(200, "Running"); 9];
    answers.push((200, "Completed"));
    let server = Server::new(&answers);
    let ended = task(&server).wait(&PollOptions::default()).await.unwrap();
    assert_eq!(*ended.into_status(), json!({ "status": "Completed" }));
    let asked = server.asked.lock().unwrap().clone();
    let pauses: Vec<f64> = asked
        .windows(2)
        .map(|at| (at[1] - at[0]).as_secs_f64())
        .collect();
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
    let server = Server::new(&[(503, ""), (0, ""), (429, ""), (200, "Failed")]);
    let ended = task(&server).wait(&PollOptions::default()).await.unwrap();
    assert_eq!(*ended.into_status(), json!({ "status": "Failed" }));
    let server = Server::new(&[(200, "Running"), (404, "")]);
    let error = task(&server)
        .wait(&PollOptions::default())
        .await
        .unwrap_err();
    assert!(
        matches!(error, WaitError::Call(Error::Undocumented(_))),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_it() {
    let server = Server::new(&[(200, "Running")]);
    let wait = PollOptions::default().deadline(Duration::from_secs(100));
    let error = task(&server).wait(&wait).await.unwrap_err();
    assert!(matches!(error, WaitError::Deadline(_)), "{error}");
    assert_eq!(server.since.elapsed().as_secs(), 100);
}

#[tokio::test(start_paused = true)]
async fn a_webhook_counts_before_while_and_instead_of_asking() {
    let server = Server::new(&[(200, "Running")]);
    let notifier = TaskNotifier::new(10);
    notifier.notify("7f1c", "early");
    notifier.notify("7f1c", "again");
    let early = task(&server).with_notifications(&notifier, "7f1c");
    let early = early.wait(&PollOptions::default()).await.unwrap();
    assert!(matches!(early, Completion::Notified("early")), "{early:?}");
    assert!(server.asked.lock().unwrap().is_empty());

    let waiting = tokio::spawn({
        let task = task(&server).with_notifications(&notifier, "8a2d");
        async move { task.wait(&PollOptions::default()).await.unwrap() }
    });
    tokio::time::sleep(Duration::from_secs(20)).await;
    let told = Instant::now();
    notifier.notify("8a2d", "later");
    let later = waiting.await.unwrap();
    assert!(matches!(later, Completion::Notified("later")), "{later:?}");
    assert_eq!(told.elapsed(), Duration::ZERO);
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
