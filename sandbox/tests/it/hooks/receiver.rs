//! The built-in receiver.

use super::instances;
use super::support::{log, start, subscribe, trigger};
use crate::postgres::Postgres;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use financial_data_sandbox::RequestError;
use financial_data_sandbox::app::Shared;
use financial_data_sandbox::receiver::{list, respond, router, watch};
use financial_data_sandbox::{Sandbox, clock};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Serves the receiver alone. Returns its URL.
async fn serve(app: &Shared) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = router(Arc::clone(app));
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

/// Sends a request, and returns the response with its head.
async fn send(url: &str, request: &[u8]) -> String {
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await.unwrap();
    String::from_utf8(response).unwrap()
}

#[tokio::test]
async fn requests_are_stored_as_sent() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let url = serve(app).await;
    let mut head = format!(
        "PATCH /receivers/{id}/mine?status=418&body=short+and+stout HTTP/1.1\r\nHost: x\r\n\
         Connection: close\r\nX-Twice: 1\r\nX-Twice: 2\r\nX-Bytes: "
    )
    .into_bytes();
    head.extend_from_slice(b"\xe9\r\nContent-Length: 6\r\n\r\n\x00\xff\r\n{}");
    let response = send(&url, &head).await;
    assert!(response.starts_with("HTTP/1.1 418 "), "{response}");
    assert!(response.ends_with("\r\n\r\nshort and stout"), "{response}");
    let received = list(app, &id, Some("mine"), None, 10).await.unwrap();
    let [received] = &received[..] else {
        panic!("{received:?}");
    };
    assert_eq!(
        (received.method.as_str(), received.status),
        ("PATCH", Some(418))
    );
    assert_eq!(STANDARD.decode(&received.body).unwrap(), b"\x00\xff\r\n{}");
    let values = |name: &str| -> Vec<&str> {
        let headers = received.headers.iter();
        headers
            .filter(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
            .collect()
    };
    assert_eq!(
        (values("x-twice"), values("x-bytes")),
        (vec!["1", "2"], vec!["é"])
    );
    assert!(
        list(app, &id, Some("other"), None, 10)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        list(app, &id, None, Some(&received.id), 10)
            .await
            .unwrap()
            .is_empty()
    );
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let response = send(&url, get("/receivers/other/mine").as_bytes()).await;
    assert!(response.starts_with("HTTP/1.1 404 "), "{response}");
    let wrong = send(
        &url,
        get(&format!("/receivers/{id}/mine?status=x")).as_bytes(),
    )
    .await;
    assert!(wrong.starts_with("HTTP/1.1 400 "), "{wrong}");
    let late = send(
        &url,
        get(&format!("/receivers/{id}/mine?delay=5ms")).as_bytes(),
    )
    .await;
    assert!(late.starts_with("HTTP/1.1 200 "), "{late}");
}

#[tokio::test]
async fn each_attempt_gets_its_status() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    clock::freeze(app, &id).await.unwrap();
    let url = format!("{}/receivers/{id}/a?status=503,429,200", serve(app).await);
    subscribe(app, &id, &url).await;
    trigger(app, &id, "refreshCompleted").await;
    trigger(app, &id, "ingestionSucceeded").await;
    clock::advance(app, &id, 60_000, true).await.unwrap();
    let mut sent = log(app, &id, 6).await;
    sent.sort_by_key(|sent| (sent.delivery, sent.attempt));
    let statuses: Vec<_> = sent.iter().filter_map(|sent| sent.status).collect();
    assert_eq!(statuses, [503, 429, 200, 503, 429, 200]);
    let received = list(app, &id, None, None, 10).await.unwrap();
    assert_eq!(received.len(), 6);
}

#[tokio::test]
async fn a_listener_at_another_instance_responds() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    a_listener_elsewhere_responds(&format!("sqlite:{}", file.display())).await;
}

#[tokio::test]
async fn a_listener_at_another_instance_responds_on_postgresql() {
    let test = "a_listener_at_another_instance_responds_on_postgresql";
    if let Some(server) = Postgres::start(test) {
        a_listener_elsewhere_responds(&instances::url(&server.database().await)).await;
    }
}

async fn a_listener_elsewhere_responds(database: &str) {
    let instance = || Sandbox::builder().database(database).start();
    let (sandbox, other) = (instance().await.unwrap(), instance().await.unwrap());
    let id = sandbox.first().unwrap().project.id.clone();
    let url = format!(
        "{}/receivers/{id}/cli?mode=forward",
        serve(sandbox.app()).await
    );
    subscribe(sandbox.app(), &id, &url).await;
    trigger(sandbox.app(), &id, "refreshCompleted").await;

    let app = other.app();
    let mut watching = watch(app, &id, Some("cli"), None);
    let first = watching.next().await.unwrap();
    assert_eq!((first.len(), first[0].status), (1, None));
    let body = STANDARD.decode(&first[0].body).unwrap();
    let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["data"]["task_type"], "refresh");
    let error = respond(app, &id, &first[0].id, 99).await.unwrap_err();
    assert!(matches!(error, RequestError::Invalid { .. }), "{error}");
    respond(app, &id, &first[0].id, 201).await.unwrap();
    let error = respond(app, &id, &first[0].id, 500).await.unwrap_err();
    assert!(matches!(error, RequestError::State(_)), "{error}");
    assert_eq!(log(sandbox.app(), &id, 1).await[0].status, Some(201));

    // A watch that continues from the cursor returns what came later, and nothing twice.
    trigger(sandbox.app(), &id, "ingestionSucceeded").await;
    let mut resumed = watch(app, &id, Some("cli"), Some(&first[0].id));
    let second = resumed.next().await.unwrap();
    assert_eq!(second.len(), 1);
    assert_ne!(second[0].id, first[0].id);
    respond(app, &id, &second[0].id, 200).await.unwrap();
    assert_eq!(watching.next().await.unwrap()[0].id, second[0].id);
}

#[tokio::test]
async fn without_a_listener_the_response_is_503() {
    let (sandbox, id) = start().await;
    let url = serve(sandbox.app()).await;
    let request = format!(
        "POST /receivers/{id}/cli?mode=forward HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
         Content-Length: 0\r\n\r\n"
    );
    let response = send(&url, request.as_bytes()).await;
    assert!(response.starts_with("HTTP/1.1 503 "), "{response}");
    let received = list(sandbox.app(), &id, None, None, 10).await.unwrap();
    assert_eq!(received[0].status, Some(503));
}
