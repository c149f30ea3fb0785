//! Tasks between processes: a server in Python whose webhook is lost or overtakes its response, and a process of the
//! client that ends before the task does.

use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use bothends_runtime::client::PollOptions;
use bothends_runtime::server::serve;
use bothends_runtime::tasks::TaskInbox;
use bothends_tests::has_python;
use bothends_tests::in_process::block_on;
use bothends_tests::python::Running;
use generated::client::Client;
use generated::webhooks;
use tokio::net::TcpListener;

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/task-links.rs"));
}

/// Where the server of the parent is, and the file for the id.
const CHILD: &str = "BOTHENDS_TASK_CHILD";

/// Returns a server that sends its webhooks as `how` says, and a client of it.
fn server(how: &str, receiver: SocketAddr) -> (Running, String) {
    let hooks = format!("http://{receiver}/exportDone");
    let mut server = Running::start("tasks.py", &["log", how, &hooks]).expect("python3 runs");
    let port = server.line().expect("a line");
    (server, format!("http://127.0.0.1:{port}"))
}

fn asked(server: &mut Running, count: usize) -> Vec<String> {
    let line = |_| server.line().expect("a line");
    let lines = (0..count).map(line);
    lines
        .map(|line| line.trim_end_matches(" HTTP/1.1").to_owned())
        .collect()
}

/// Serves a receiver with this inbox until the runtime ends.
async fn receive(inbox: &TaskInbox) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let here = listener.local_addr().expect("an address");
    tokio::spawn(serve(listener, webhooks::router(()).inbox(inbox)).into_future());
    here
}

fn every(interval: Duration) -> PollOptions {
    let mut options = PollOptions::default();
    options.initial_interval = interval;
    options
}

#[test]
fn polling_ends_the_wait_for_a_webhook_that_is_lost() {
    if !has_python("polling_ends_the_wait_for_a_webhook_that_is_lost") {
        return;
    }
    block_on(async {
        let inbox = webhooks::inbox();
        let (mut server, url) = server("lost", receive(&inbox).await);
        let client = Client::new(&url).expect("a client");
        let task = client.start_export_task().webhooks(&inbox);
        let ended = task.poll_options(every(Duration::from_millis(1))).await;
        assert_eq!(ended.expect("an end").state, "done");
        let poll = "GET /exports/17?verbose=true";
        assert_eq!(asked(&mut server, 4), ["POST /exports", poll, poll, poll]);
    });
}

#[test]
fn a_webhook_before_the_response_to_the_start_ends_the_wait() {
    if !has_python("a_webhook_before_the_response_to_the_start_ends_the_wait") {
        return;
    }
    block_on(async {
        let inbox = webhooks::inbox();
        let (mut server, url) = server("first", receive(&inbox).await);
        let client = Client::new(&url).expect("a client");
        // Polling alone would end the wait in weeks.
        let task = client.start_export_task().webhooks(&inbox);
        let task = task.poll_options(every(Duration::from_secs(1_000_000)));
        assert_eq!(task.await.expect("an end").state, "done");
        let poll = "GET /exports/17?verbose=true";
        let calls = ["webhook 200", "POST /exports", poll, poll];
        assert_eq!(asked(&mut server, 4), calls);
    });
}

#[test]
fn another_process_resumes_a_task_by_its_id() {
    if !has_python("another_process_resumes_a_task_by_its_id") {
        return;
    }
    let nobody = SocketAddr::from(([127, 0, 0, 1], 9));
    let (mut server, url) = server("lost", nobody);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("id");
    for expected in ["started 17", "ended done"] {
        let mut command = Command::new(std::env::current_exe().expect("a program"));
        command.args(["task_faults::child", "--exact", "--nocapture"]);
        command.env(CHILD, format!("{url} {}", file.display()));
        let output = command.output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(expected), "{expected}: {output:?}");
    }
    let poll = "GET /exports/17?verbose=true";
    assert_eq!(asked(&mut server, 4), ["POST /exports", poll, poll, poll]);
}

/// A process of the client, for the test above: it starts a task and ends, or resumes the one in the file.
#[test]
fn child() {
    let Ok(place) = std::env::var(CHILD) else {
        return;
    };
    let (url, file) = place.split_once(' ').expect("a URL and a file");
    block_on(async {
        let client = Client::new(url).expect("a client");
        let Ok(id) = std::fs::read_to_string(file) else {
            let mut task = client.start_export_task();
            let id = task.start().await.expect("a start").expect("an id");
            std::fs::write(file, id).expect("a file");
            println!("started {id}");
            std::process::exit(0);
        };
        let id: i64 = id.parse().expect("a number");
        let task = client.resume_start_export(id);
        let ended = task.poll_options(every(Duration::from_millis(1))).await;
        println!("ended {}", ended.expect("an end").state);
    });
}
