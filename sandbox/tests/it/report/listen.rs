//! `listen`: forwarding, responses, disconnects and resumption.

use super::support::{Fixture, TOKEN, serve};
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, Uri};
use bothends_delivery::SigningToken;
use financial_data_sandbox::listen::{Forwarded, Listener, Notice};
use financial_data_sandbox::model::SentWebhook;
use financial_data_sandbox::store::Page;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// A request at the local port.
struct Arrived {
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

/// A local endpoint whose next statuses are given; 200 afterwards.
async fn local(statuses: &[u16]) -> (String, mpsc::UnboundedReceiver<Arrived>) {
    let (arriving, arrived) = mpsc::unbounded_channel();
    let statuses: VecDeque<u16> = statuses.iter().copied().collect();
    let statuses = Arc::new(Mutex::new(statuses));
    let receive = move |uri: Uri, headers: HeaderMap, body: Bytes| {
        let path = uri.path().to_owned();
        let _ = arriving.send(Arrived {
            path,
            headers,
            body,
        });
        let status = statuses.lock().unwrap().pop_front().unwrap_or(200);
        std::future::ready((StatusCode::from_u16(status).unwrap(), "from the local port"))
    };
    (serve(Router::new().fallback(receive)).await, arrived)
}

async fn trigger(fixture: &Fixture, kind: &str, message_id: &str) {
    let input = json!({"kind": kind, "message_id": message_id});
    fixture.console("POST", "/events", &input).await;
}

/// Returns the log of sent webhooks, once it has this many entries.
async fn sent(fixture: &Fixture, least: usize) -> Vec<SentWebhook> {
    let app = fixture.app();
    let mut activity = app.recorder.watch();
    loop {
        let sent = app
            .store
            .list::<SentWebhook>(&fixture.project, Page::first(100));
        let sent = sent.await.unwrap();
        if sent.len() >= least {
            return sent.into_iter().map(|sent| sent.value).collect();
        }
        let _ = activity.recv().await;
    }
}

fn message_id(webhook: &Forwarded) -> &str {
    webhook.header("webhook-id").unwrap()
}

#[tokio::test]
async fn requests_are_forwarded_and_statuses_are_returned() {
    let fixture = Fixture::start().await;
    let (url, mut arrived) = local(&[503]).await;
    let mut listener = Listener::builder()
        .console(
            fixture.sandbox.console_url(),
            fixture.sandbox.console_token(),
        )
        .project(&fixture.project)
        .forward(format!("{url}/hooks/{{kind}}"))
        .kind("refreshCompleted")
        .kind("customersDeleted")
        .signing_token(TOKEN)
        .start()
        .await
        .unwrap();
    // A kind that is not selected, and one that is.
    trigger(&fixture, "ingestionSucceeded", "other").await;
    trigger(&fixture, "refreshCompleted", "first").await;
    let webhook = listener.next_webhook().await.unwrap();
    let request = arrived.recv().await.unwrap();
    assert_eq!(request.path, "/hooks/refreshCompleted");
    assert_eq!(request.headers["webhook-id"], "first");
    assert_eq!(request.headers["content-type"], "application/json");
    let signature = SigningToken::new(TOKEN).unwrap().sign(&request.body);
    assert_eq!(request.headers["x-token-signature"], signature.as_str());
    assert_eq!(webhook.body, request.body);
    let response = webhook.local.as_ref().unwrap();
    assert_eq!(
        (response.status, &response.body[..]),
        (503, &b"from the local port"[..])
    );
    assert!(webhook.in_time, "{}", webhook.line());
    let log = sent(&fixture, 1).await;
    assert_eq!(log[0].status, Some(503));
    assert_eq!(log[0].request_body.as_bytes(), &webhook.body[..]);

    // The service sends it again, and so does the listener on request.
    let advance = json!({"milliseconds": 60_000});
    fixture.console("POST", "/clock/advance", &advance).await;
    let again = listener.next_webhook().await.unwrap();
    assert_eq!((message_id(&again), again.status()), ("first", 200));
    assert_eq!(again.body, webhook.body);
    assert_eq!(arrived.recv().await.unwrap().body, webhook.body);
    let repeated = listener.retry(&again).await;
    assert_eq!((repeated.status(), repeated.in_time), (200, false));
    let request = arrived.recv().await.unwrap();
    assert_eq!(request.headers["x-token-signature"], signature.as_str());
    let log = sent(&fixture, 2).await;
    assert_eq!((log.len(), log[1].status), (2, Some(200)));
    assert!(
        again.details().contains("webhook-id: first"),
        "{}",
        again.details()
    );

    // A port that nobody listens at.
    listener.stop().await;
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let mut listener = Listener::builder()
        .console(
            fixture.sandbox.console_url(),
            fixture.sandbox.console_token(),
        )
        .project(&fixture.project)
        .forward(nobody)
        .start()
        .await
        .unwrap();
    trigger(&fixture, "customersDeleted", "second").await;
    let webhook = listener.next_webhook().await.unwrap();
    assert_eq!(
        (webhook.kind.as_str(), webhook.status()),
        ("customersDeleted", 502)
    );
    let subscriptions = fixture.console("GET", "/subscriptions", &Value::Null).await;
    assert_eq!(
        subscriptions.as_array().unwrap().len(),
        1,
        "{subscriptions}"
    );
    listener.stop().await;
}

/// Forwards connections to the console, until told to break them.
struct Proxy {
    url: String,
    breaking: tokio::sync::watch::Sender<u32>,
}

impl Proxy {
    async fn start(target: &str) -> Self {
        let target = target.strip_prefix("http://").unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (breaking, broken) = tokio::sync::watch::channel(0);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let (target, mut broken) = (target.clone(), broken.clone());
                broken.mark_unchanged();
                tokio::spawn(async move {
                    let mut far = TcpStream::connect(target).await.unwrap();
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
                        _ = broken.changed() => {}
                    }
                });
            }
        });
        Self { url, breaking }
    }
}

#[tokio::test]
async fn a_listener_connects_again_and_resumes() {
    let fixture = Fixture::start().await;
    let proxy = Proxy::start(fixture.sandbox.console_url()).await;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("cursor");
    let (url, _arrived) = local(&[]).await;
    // The receiver is part of the subscription, so it is that of the sandbox itself.
    let start = async |console: &str| {
        let builder = Listener::builder()
            .console(console, fixture.sandbox.console_token())
            .project(&fixture.project)
            .forward(url.as_str())
            .cursor_file(&file);
        builder.start().await.unwrap()
    };
    let mut listener = start(&proxy.url).await;
    assert!(matches!(listener.next().await, Some(Notice::Connected)));
    trigger(&fixture, "refreshCompleted", "one").await;
    let one = listener.next_webhook().await.unwrap();
    assert_eq!(message_id(&one), "one");
    proxy.breaking.send_modify(|times| *times += 1);
    assert!(matches!(
        listener.next().await,
        Some(Notice::Disconnected { .. })
    ));
    trigger(&fixture, "refreshCompleted", "two").await;
    let two = loop {
        // A request through a broken connection is sent again by the service.
        let webhook = listener.next_webhook().await.unwrap();
        if message_id(&webhook) == "two" {
            break webhook;
        }
    };
    assert!(two.id > one.id);
    listener.stop().await;

    // While nobody listens, the receiver holds the request.
    trigger(&fixture, "customersDeleted", "three").await;
    let received = |received: &Value| received.as_array().unwrap().len();
    let mut watch = fixture.app().recorder.watch();
    while received(&fixture.console("GET", "/received", &Value::Null).await) < 3 {
        let _ = watch.recv().await;
    }
    let mut listener = start(&proxy.url).await;
    let three = listener.next_webhook().await.unwrap();
    assert_eq!(
        (message_id(&three), three.kind.as_str()),
        ("three", "customersDeleted")
    );
    assert!(three.in_time, "{}", three.line());
    let stored = std::fs::read_to_string(&file).unwrap();
    assert_eq!(stored.trim(), three.id);
    listener.stop().await;
    fixture.sandbox.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_prints_forwards_and_obeys_keys() {
    let fixture = Fixture::start().await;
    let (url, mut arrived) = local(&[]).await;
    let mut child = Command::new(env!("CARGO_BIN_EXE_financial-data-sandbox"))
        .args(["listen", "--forward", &url, "--kind", "refreshCompleted"])
        .env("SANDBOX_CONSOLE_URL", fixture.sandbox.console_url())
        .env("SANDBOX_CONSOLE_TOKEN", fixture.sandbox.console_token())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keys = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut line = || tokio::task::block_in_place(|| lines.next().unwrap().unwrap());
    assert!(line().starts_with("Listening at http://"));
    assert_eq!(line(), "connected");
    trigger(&fixture, "refreshCompleted", "m-1").await;
    let printed = line();
    assert!(
        printed.starts_with("refreshCompleted m-1 attempt "),
        "{printed}"
    );
    assert!(printed.contains(" -> 200 in "), "{printed}");
    let body = arrived.recv().await.unwrap().body;
    keys.write_all(b"r\n").unwrap();
    let printed = line();
    assert!(printed.ends_with("(the sandbox did not wait)"), "{printed}");
    assert_eq!(arrived.recv().await.unwrap().body, body);
    keys.write_all(b"d\n").unwrap();
    assert!(line().starts_with("POST http://"));
    keys.write_all(b"q\n").unwrap();
    let status = tokio::task::block_in_place(|| child.wait().unwrap());
    assert_eq!(status.code(), Some(0));
}
