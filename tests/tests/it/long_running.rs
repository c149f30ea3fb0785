//! Long-running operations of a server that is not ours: `tests/python/tasks.py`, and the faults that it injects.

use std::time::Duration;

use bothends_runtime::client::{PollOptions, TaskError};
use bothends_tests::has_python;
use bothends_tests::in_process::block_on;
use bothends_tests::python::Running;
use generated::client::Client;
use generated::operations::*;
use generated::types::LongRunning;

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/long-running.rs"));
}

/// Returns the server and a client of it; `None` without Python.
fn client(test: &str) -> Option<(Running, Client)> {
    has_python(test).then(|| {
        let mut server = Running::start("tasks.py", &[]).expect("python3 runs");
        let port = server.line().expect("a line");
        let client = Client::new(&format!("http://127.0.0.1:{port}")).expect("a client");
        (server, client)
    })
}

fn at_once() -> PollOptions {
    let mut options = PollOptions::default();
    options.initial_interval = Duration::from_millis(1);
    options
}

#[test]
fn an_operation_location_leads_to_the_status() {
    let Some((_server, client)) = client("an_operation_location_leads_to_the_status") else {
        return;
    };
    block_on(async {
        // A new job that is unknown at first, and responses that are 503, 429 and cut off, are polled again.
        for kind in ["plain", "new", "busy"] {
            let task = client.start_job_task(kind).poll_options(at_once());
            assert_eq!(task.await.expect(kind).status, "Succeeded");
        }
        let error = client.start_job_task("broken").await.expect_err("it fails");
        let TaskError::Failed(status) = error else {
            panic!("{error:?}");
        };
        let reason = status
            .error
            .as_ref()
            .and_then(|error| error.code.as_deref());
        assert_eq!(reason, Some("quota"));

        let mut task = client.start_job_task("gone").poll_options(at_once());
        let first = task.try_next().await.expect("a status").expect("a status");
        assert_eq!(first.status, "Running");
        let id = task.id().expect("the id").to_owned();
        assert_eq!(id, "gone");
        drop(task);
        let resumed = client.resume_start_job(id).poll_options(at_once());
        let error = resumed.await.expect_err("it is gone");
        assert_eq!(error.id(), Some("gone"));
        assert!(matches!(error, TaskError::Status { .. }), "{error:?}");
    });
}

#[test]
fn done_is_a_success_unless_there_is_an_error() {
    let Some((_server, client)) = client("done_is_a_success_unless_there_is_an_error") else {
        return;
    };
    block_on(async {
        let create = |zone: &str| {
            let body = CreateInstanceBody::new(zone.to_owned());
            client.create_instance_task(body).poll_options(at_once())
        };
        let done = create("north").await.expect("an instance").into_inner();
        assert_eq!(done.name, "operations/north");
        let zone = done.response.and_then(|response| response.zone);
        assert_eq!(zone.as_deref(), Some("operations/north"));
        let error = create("full").await.expect_err("there is none left");
        let TaskError::Failed(status) = error else {
            panic!("{error:?}");
        };
        let LongRunning { error, .. } = status.into_inner();
        assert_eq!(error.map(|error| error.code), Some(8));
    });
}

#[test]
fn a_202_of_the_status_operation_means_that_the_work_continues() {
    let Some((_server, client)) =
        client("a_202_of_the_status_operation_means_that_the_work_continues")
    else {
        return;
    };
    block_on(async {
        let request = StartReportRequest::new().lines(3);
        let report = client
            .start_report_task_with(request)
            .await
            .expect("a report");
        let GetReportResponseBody::Ok(report) = report.into_inner() else {
            panic!("the last response is the report");
        };
        assert_eq!(report.lines, 3);
        let error = client.start_report_task().await.expect_err("no id");
        assert!(matches!(error, TaskError::NoId(_)), "{error:?}");
    });
}
