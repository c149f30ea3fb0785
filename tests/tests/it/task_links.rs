//! Tasks by links: the handle is made of what was sent and what came back, and its end becomes known by
//! asking or by a webhook. Time is paused.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bothends_runtime::client::{Completion, InProcess, PollOptions, TaskNotifier};
use bothends_runtime::server::{Context, Error, Router};
use bothends_runtime::{Json, NoError};
use generated::client::{Client, START_EXPORT_TASK, START_IMPORT_TASK};
use generated::operations::*;
use generated::server::{DefaultApi, router};
use generated::types::Status;
use serde_json::json;
use tokio::time::Instant;

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/task-links.rs"));
}

/// Says `running` so often, and `done` then; keeps what it was asked.
#[derive(Clone, Default)]
struct Service {
    running: usize,
    exports: Arc<Mutex<Vec<GetExportRequest>>>,
    imports: Arc<Mutex<Vec<GetImportRequest>>>,
}

impl Service {
    fn status(&self, asked: usize) -> Status {
        let state = if asked > self.running {
            "done"
        } else {
            "running"
        };
        Status::new(state.to_owned())
    }

    fn client(&self) -> Client<InProcess<Router<Self>>> {
        let transport = InProcess::new(router(self.clone()));
        Client::with_transport("http://localhost", transport).expect("a client")
    }
}

impl DefaultApi for Service {
    async fn start_export(
        &self,
        _: Context,
        _: StartExportRequest,
    ) -> Result<StartExportResponse, Error<NoError>> {
        let body = json!({ "export": { "id": 17 } });
        let body = serde_json::from_value(body).expect("the body");
        Ok(StartExportResponse::new(body))
    }

    async fn get_export(
        &self,
        _: Context,
        request: GetExportRequest,
    ) -> Result<GetExportResponse, Error<NoError>> {
        let mut asked = self.exports.lock().expect("no poison");
        asked.push(request);
        Ok(GetExportResponse::new(self.status(asked.len())))
    }

    async fn start_import(
        &self,
        _: Context,
        _: StartImportRequest,
    ) -> Result<StartImportResponse, Error<NoError>> {
        let location = "https://localhost/v1/projects/a%20b/imports/7%2F1?from=start".to_owned();
        let headers = StartImportResponseHeaders::new(location);
        Ok(StartImportResponse::with_headers((), headers))
    }

    async fn get_import(
        &self,
        _: Context,
        request: GetImportRequest,
    ) -> Result<GetImportResponse, Error<NoError>> {
        let mut asked = self.imports.lock().expect("no poison");
        asked.push(request);
        Ok(GetImportResponse::new(self.status(asked.len())))
    }

    async fn cancel_import(
        &self,
        _: Context,
        _: CancelImportRequest,
    ) -> Result<CancelImportResponse, Error<NoError>> {
        Ok(CancelImportResponse::new(()))
    }

    async fn add_note(
        &self,
        _: Context,
        _: AddNoteRequest,
    ) -> Result<AddNoteResponse, Error<NoError>> {
        Err(bothends_runtime::server::Rejection::internal().into())
    }

    async fn get_note(
        &self,
        _: Context,
        _: GetNoteRequest,
    ) -> Result<GetNoteResponse, Error<NoError>> {
        Ok(GetNoteResponse::new(()))
    }
}

#[tokio::test(start_paused = true)]
async fn a_link_makes_the_handle_and_asking_ends_it() {
    let service = Service {
        running: 2,
        ..Service::default()
    };
    let client = service.client();
    let request = StartExportRequest::new();
    let answer = client.start_export().await.expect("a task");
    assert_eq!(START_EXPORT_TASK.id_of(&answer).as_deref(), Some("17"));
    let over = |status: &_| START_EXPORT_TASK.is_finished(status);
    let task = client
        .core()
        .task_of(START_EXPORT_TASK, &request, &answer, over);
    let task = task.expect("the id is there");
    let began = Instant::now();
    let ended = task.wait(&PollOptions::default()).await.expect("an end");
    let done = Status::new("done".to_owned());
    assert_eq!(ended.into_status().into_inner(), done);
    // One second, and then two, but for a tenth at most.
    let passed = began.elapsed().as_secs_f64();
    assert!((2.7..=3.01).contains(&passed), "{passed}");
    // A constant of the link goes along.
    let mut expected = GetExportRequest::new(17);
    expected.verbose = Some(true);
    let asked = service.exports.lock().expect("no poison").clone();
    assert_eq!(asked, vec![expected; 3]);
}

#[tokio::test(start_paused = true)]
async fn a_webhook_ends_the_wait_before_the_next_question() {
    let service = Service {
        running: usize::MAX,
        ..Service::default()
    };
    let client = service.client();
    let request = StartExportRequest::new();
    let answer = client.start_export().await.expect("a task");
    let over = |status: &_| START_EXPORT_TASK.is_finished(status);
    let task = client
        .core()
        .task_of(START_EXPORT_TASK, &request, &answer, over);
    let id = START_EXPORT_TASK.id_of(&answer).expect("an id");
    let notifier = TaskNotifier::new(10);
    let task = task
        .expect("the id is there")
        .with_notifications(&notifier, id);
    let began = Instant::now();
    let webhook = async {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        let body: Json = json!({ "export": "17" });
        let id = START_EXPORT_TASK
            .id_in_webhook("exportDone", &body)
            .expect("an id");
        notifier.notify(id, "exportDone");
    };
    let wait = PollOptions::default();
    let (ended, ()) = tokio::join!(task.wait(&wait), webhook);
    let ended = ended.expect("an end");
    assert!(
        matches!(ended, Completion::Notified("exportDone")),
        "{ended:?}"
    );
    assert_eq!(began.elapsed(), Duration::from_millis(1500));
    assert_eq!(service.exports.lock().expect("no poison").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_id_is_taken_from_a_location_and_from_what_was_sent() {
    let service = Service::default();
    let client = service.client();
    let request = StartImportRequest::new("a b".to_owned());
    let answer = client.start_import(request.clone()).await.expect("a task");
    assert_eq!(START_IMPORT_TASK.id_of(&answer).as_deref(), Some("7/1"));
    let over = |status: &GetImportResponse| status.state == "done";
    let task = client
        .core()
        .task_of(START_IMPORT_TASK, &request, &answer, over);
    let task = task.expect("the id is there");
    let expected = GetImportRequest::from(GetImportRequestInit {
        project: "a b".to_owned(),
        id: "7/1".to_owned(),
    });
    assert_eq!(task.request(), &expected);
    task.wait(&PollOptions::default()).await.expect("an end");
    assert_eq!(*service.imports.lock().expect("no poison"), [expected]);

    // A `Location` that is no URL of the operation is the value itself.
    let location = "7".to_owned();
    let headers = StartImportResponseHeaders::new(location);
    let answer = StartImportResponse::with_headers((), headers);
    assert_eq!(START_IMPORT_TASK.id_of(&answer).as_deref(), Some("7"));
}
