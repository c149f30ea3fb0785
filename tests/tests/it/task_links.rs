//! Tasks by links: the request for the status is made of what was sent and what came back, and the end becomes
//! known by polling or by a webhook. Time is paused.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bothends_runtime::NoError;
use bothends_runtime::client::{InProcess, TaskError};
use bothends_runtime::http::{Request, StatusCode};
use bothends_runtime::server::{Context, Error, Router};
use generated::client::{Client, START_IMPORT_TASK};
use generated::operations::*;
use generated::server::{DefaultApi, router};
use generated::types::Status;
use generated::webhooks;
use serde_json::json;
use tokio::time::Instant;
use tower_service::Service as _;

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/task-links.rs"));
}

/// Says `running` so often, and `done` then; keeps what it was asked.
#[derive(Clone)]
struct Service {
    running: usize,
    end: &'static str,
    exports: Arc<Mutex<Vec<GetExportRequest>>>,
    imports: Arc<Mutex<Vec<GetImportRequest>>>,
}

impl Default for Service {
    fn default() -> Self {
        Self {
            running: 0,
            end: "done",
            exports: Arc::default(),
            imports: Arc::default(),
        }
    }
}

impl Service {
    fn status(&self, asked: usize) -> Status {
        let state = if asked > self.running {
            self.end
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
async fn a_link_makes_the_method_and_polling_ends_it() {
    let service = Service {
        running: 2,
        ..Service::default()
    };
    let client = service.client();
    let began = Instant::now();
    let ended = client.start_export_task().await.expect("an end");
    assert_eq!(ended.into_inner(), Status::new("done".to_owned()));
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
async fn an_export_that_failed_is_an_error_with_its_status() {
    let service = Service {
        end: "failed",
        ..Service::default()
    };
    let client = service.client();
    let mut task = client.start_export_task();
    assert_eq!(task.start().await.expect("a start"), Some("17"));
    drop(task);
    let error = client.resume_start_export(17).await.expect_err("it failed");
    let TaskError::Failed(status) = error else {
        panic!("{error:?}");
    };
    assert_eq!(status.into_inner(), Status::new("failed".to_owned()));
    // The constant of the link goes along, unless the caller states a value.
    let mut stated = GetExportRequest::new(17);
    stated.verbose = Some(false);
    let resumed = client.resume_start_export(stated.clone()).await;
    assert!(resumed.is_err());
    let mut expected = stated.clone();
    expected.verbose = Some(true);
    let asked = service.exports.lock().expect("no poison").clone();
    assert_eq!(asked, [expected, stated]);
}

#[tokio::test(start_paused = true)]
async fn a_webhook_ends_the_wait_before_the_next_poll() {
    let service = Service {
        running: 2,
        ..Service::default()
    };
    let client = service.client();
    let inbox = webhooks::inbox();
    let mut receiver = webhooks::router(()).inbox(&inbox);
    let began = Instant::now();
    let webhook = async {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        let request = Request::post("/exportDone")
            .header("content-type", "application/json")
            .body(r#"{"export":"17"}"#.to_owned())
            .expect("a request");
        receiver.call(request).await.expect("a response").status()
    };
    let task = async { client.start_export_task().webhooks(&inbox).await };
    let (ended, status) = tokio::join!(task, webhook);
    assert_eq!(ended.expect("an end").state, "done");
    assert_eq!(status, StatusCode::OK);
    assert_eq!(began.elapsed(), Duration::from_millis(1500));
    assert_eq!(service.exports.lock().expect("no poison").len(), 3);
}

#[tokio::test(start_paused = true)]
async fn an_id_is_taken_from_a_location_and_from_what_was_sent() {
    let service = Service::default();
    let client = service.client();
    let request = StartImportRequest::new("a b".to_owned());
    let answer = client.start_import(request.clone()).await.expect("a task");
    assert_eq!(START_IMPORT_TASK.id_of(&answer).as_deref(), Some("7/1"));
    let expected = GetImportRequest::from(GetImportRequestInit {
        project: "a b".to_owned(),
        id: "7/1".to_owned(),
    });
    // The document does not state how the end is known, so the caller decides.
    let status = START_IMPORT_TASK.request(&request, &answer);
    assert_eq!(status.as_ref(), Some(&expected));
    let is_over = |status: &GetImportResponse| status.state == "done";
    let task = client
        .core()
        .task(status.expect("the id is there"), is_over);
    task.await.expect("an end");
    assert_eq!(*service.imports.lock().expect("no poison"), [expected]);

    // A `Location` that is no URL of the operation is the value itself.
    let location = "7".to_owned();
    let headers = StartImportResponseHeaders::new(location);
    let answer = StartImportResponse::with_headers((), headers);
    assert_eq!(START_IMPORT_TASK.id_of(&answer).as_deref(), Some("7"));
}
