//! The result of a task and its cancellation, with a server that is not ours: `tests/python/tasks.py`, which prints
//! what it is asked.

use std::time::Duration;

use bothends_runtime::client::{CancelError, Error, PollOptions, TaskError};
use bothends_tests::has_python;
use bothends_tests::in_process::block_on;
use bothends_tests::python::Running;
use generated::client::Client;
use generated::operations::*;

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/task-calls.rs"));
}

/// Returns the server and a client of it; `None` without Python.
fn client(test: &str) -> Option<(Running, Client)> {
    has_python(test).then(|| {
        let mut server = Running::start("tasks.py", &["log"]).expect("python3 runs");
        let port = server.line().expect("a line");
        let client = Client::new(&format!("http://127.0.0.1:{port}")).expect("a client");
        (server, client)
    })
}

fn asked<const N: usize>(server: &mut Running) -> [String; N] {
    std::array::from_fn(|_| {
        let line = server.line().expect("a line");
        line.trim_end_matches(" HTTP/1.1").to_owned()
    })
}

fn at_once() -> PollOptions {
    let mut options = PollOptions::default();
    options.initial_interval = Duration::from_millis(1);
    options
}

fn script(name: &str) -> StartVideoRequest {
    StartVideoRequest::new().script(name.to_owned())
}

#[test]
fn an_await_returns_the_result() {
    let Some((mut server, client)) = client("an_await_returns_the_result") else {
        return;
    };
    block_on(async {
        let task = client.start_video_task_with(script("short"));
        let file: GetFileResponse = task.poll_options(at_once()).await.expect("a file");
        assert_eq!(file.seconds, 7);
        let calls = [
            "POST /videos?script=short",
            "GET /videos/short?detail=full",
            "GET /videos/short?detail=full",
            "GET /files/5?of=short&quality=high",
        ];
        assert_eq!(asked(&mut server), calls);

        // The stream returns statuses, and an `await` after it the result.
        let mut task = client
            .resume_start_video("short".to_owned())
            .poll_options(at_once());
        let status = task.try_next().await.expect("a status").expect("a status");
        assert_eq!(status.state, "done");
        assert!(task.try_next().await.expect("the end").is_none());
        assert_eq!(asked(&mut server), ["GET /videos/short?detail=full"]);
        assert_eq!(task.await.expect("a file").seconds, 7);
        assert_eq!(asked(&mut server), ["GET /files/5?of=short&quality=high"]);

        let id = "a b".to_owned();
        let check: GetCheckTextResponse = client.start_check_task(id).await.expect("a text");
        assert_eq!(check.as_str(), "2 found");
        let calls = [
            "POST /a%20b/checks",
            "GET /a%20b/checks/1%2F2",
            "GET /a%20b/checks/1%2F2",
            "GET /a%20b/checks/1%2F2",
            "GET /a%20b/checks/1%2F2/text",
        ];
        assert_eq!(asked(&mut server), calls);
    });
}

#[test]
fn a_result_that_is_not_there_is_an_error() {
    let Some((_server, client)) = client("a_result_that_is_not_there_is_an_error") else {
        return;
    };
    block_on(async {
        let task = client.start_video_task_with(script("old"));
        let error = task.await.expect_err("it has expired");
        assert_eq!(error.id(), Some("old"));
        let TaskError::Result { error, .. } = error else {
            panic!("{error:?}");
        };
        let Error::Api { error, .. } = error else {
            panic!("{error:?}");
        };
        assert!(format!("{error:?}").contains("expired"), "{error:?}");

        let task = client.start_video_task_with(script("lost"));
        let error = task.await.expect_err("it has no file");
        let TaskError::NoResult(status) = error else {
            panic!("{error:?}");
        };
        assert_eq!((status.state.as_str(), status.file), ("done", None));
    });
}

#[test]
fn a_task_is_cancelled() {
    let Some((mut server, client)) = client("a_task_is_cancelled") else {
        return;
    };
    block_on(async {
        let mut task = client
            .start_video_task_with(script("endless"))
            .poll_options(at_once());
        let error = task.cancel().await.expect_err("there is no task yet");
        assert!(matches!(error, CancelError::NotStarted), "{error:?}");
        task.start().await.expect("a start");
        let status = task.try_next().await.expect("a status").expect("a status");
        assert_eq!(status.state, "new");
        let stopped: StopVideoResponse = task.cancel().await.expect("it stops");
        drop(stopped);
        let error = task.await.expect_err("it was cancelled");
        let TaskError::Failed(status) = error else {
            panic!("{error:?}");
        };
        assert_eq!(status.state, "cancelled");
        let calls = [
            "POST /videos?script=endless",
            "GET /videos/endless?detail=full",
            "POST /videos/endless/stop",
            "GET /videos/endless?detail=full",
        ];
        assert_eq!(asked(&mut server), calls);

        // A task of another process, and a service that refuses.
        let mut task = client.resume_start_video("old".to_owned());
        let error = task.cancel().await.expect_err("it has ended");
        let CancelError::Call(Error::Api { error, .. }) = error else {
            panic!("{error:?}");
        };
        assert!(format!("{error:?}").contains("it has ended"), "{error:?}");

        let request = GetCheckRequest::from(GetCheckRequestInit {
            project: "p".to_owned(),
            id: "7".to_owned(),
        });
        let cancelled = client.resume_start_check(request).cancel().await;
        let _: CancelCheckResponse = cancelled.expect("cancelled");
        let calls = ["POST /videos/old/stop", "DELETE /p/checks/7"];
        assert_eq!(asked(&mut server), calls);
    });
}
