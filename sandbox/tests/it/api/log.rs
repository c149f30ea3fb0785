//! The log of calls.

use super::support::{Client, FORM, JSON, REFRESH, TOKEN, change, project, start};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use financial_data_sandbox::model::Activity;
use financial_data_sandbox::model::{ApiFault, Call, Fault, FaultTarget};
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio::sync::broadcast::Receiver;

/// The next call in the log.
pub(super) async fn next(log: &mut Receiver<Activity>) -> Arc<Call> {
    loop {
        if let Activity::Call(call) = log.recv().await.expect("an entry") {
            return call;
        }
    }
}

/// The check that has rejected a call.
fn rejection(call: &Call) -> (&str, &str) {
    let failed: Vec<_> = call.checks.iter().filter(|check| !check.passed).collect();
    assert_eq!(failed.len(), 1, "{call:?}");
    assert!(!call.checks.last().unwrap().passed, "{call:?}");
    (&failed[0].name, &failed[0].reason)
}

#[tokio::test]
async fn calls_are_recorded_with_their_checks_and_without_secrets() {
    let (sandbox, seeded) = start().await;
    let mut log = sandbox.app().recorder.watch();
    let mut client = Client::open(&sandbox, &seeded).await;
    let call = next(&mut log).await;
    assert_eq!(call.project, seeded.project.id);
    assert_eq!(call.client_id.as_deref(), Some(seeded.client_id.as_str()));
    assert_eq!(call.operation.as_deref(), Some("createToken"));
    assert_eq!((call.method.as_str(), call.path.as_str()), ("POST", TOKEN));
    assert_eq!(call.status, Some(200));
    assert_eq!(call.request_body, "grant_type=client_credentials");
    assert!(
        call.response_body.contains(r#""access_token":"fdat_"#),
        "{call:?}"
    );
    let authorization = call
        .request_headers
        .iter()
        .find(|(name, _)| name == "authorization");
    let shown = format!("Basic {}…", &client.basic[6..12]);
    assert_eq!(authorization.unwrap().1, shown);
    let refresh = client.refresh.clone();
    client.exchange(&refresh).await;
    let exchange = next(&mut log).await;
    assert!(
        exchange.request_body.ends_with("refresh_token=fdrt_0…"),
        "{exchange:?}"
    );
    client
        .call(
            "POST",
            REFRESH,
            &[JSON, ("X-Customer-Id", &seeded.customer_id)],
            "{}",
        )
        .await;
    let started = next(&mut log).await;
    let names: Vec<&str> = started.checks.iter().map(|check| &*check.name).collect();
    assert_eq!(
        names,
        ["client id", "access token", "customer", "scope", "consent"]
    );
    for call in [&call, &exchange, &started] {
        let text = serde_json::to_string(&**call).unwrap();
        for secret in [
            &client.access,
            &client.refresh,
            &refresh,
            &seeded.client_secret,
        ] {
            assert!(!text.contains(secret.as_str()), "{text}");
        }
        assert!(!text.contains(&client.basic[6..]), "{text}");
    }
    sandbox.stop().await;
}

#[tokio::test]
async fn a_rejected_call_names_the_check_and_the_reason() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let mut log = sandbox.app().recorder.watch();
    // The log may not have announced the request for the tokens yet.
    let mut seen = async |path: &str| loop {
        let call = next(&mut log).await;
        if call.path == path {
            return call;
        }
    };
    let (id, bearer) = (
        client.client_id.clone(),
        format!("Bearer {}", client.access),
    );
    let customer = ("X-Customer-Id", seeded.customer_id.as_str());
    let connection = &mut client.connection;
    let auth = [
        ("Authorization", bearer.as_str()),
        ("X-Client-Id", id.as_str()),
    ];
    for (path, headers, body, expected) in [
        (
            "/v1/open-banking/refresh?1",
            vec![auth[1]],
            "",
            ("credentials", "the request lacks Authorization: Bearer"),
        ),
        (
            "/v1/open-banking/refresh?2",
            vec![auth[0]],
            "",
            ("credentials", "the request lacks X-Client-Id"),
        ),
        (
            "/v1/open-banking/refresh?3",
            vec![("Authorization", "Bearer fdat_x_y"), auth[1]],
            "",
            ("access token", "the token is not known"),
        ),
        (
            "/v1/open-banking/refresh?4",
            auth.to_vec(),
            "",
            ("customer", "the operation requires X-Customer-Id"),
        ),
        (
            "/v1/open-banking/refresh?5",
            [&auth[..], &[customer, JSON]].concat(),
            r#"{"provider":1}"#,
            ("validation", "provider: is not a string"),
        ),
        (
            "/v1/open-banking/refresh?6",
            [&auth[..], &[customer, FORM]].concat(),
            "a=b",
            (
                "media type",
                "the operation does not accept this media type",
            ),
        ),
        (
            "/v1/nothing",
            auth.to_vec(),
            "",
            ("path", "no operation has this path"),
        ),
        (
            "/v1/oauth/token?7",
            vec![auth[1], FORM],
            "grant_type=client_credentials",
            (
                "credentials",
                "client_credentials requires HTTP Basic, refresh_token requires X-Client-Id",
            ),
        ),
    ] {
        connection.send("POST", path, &headers, body).await;
        let call = seen(path).await;
        assert_eq!(rejection(&call), expected, "{path}");
        assert_eq!(call.request_body, body);
        // Only a call with a token of the client is one of its project.
        let is_shown = headers.contains(&auth[0]);
        let project = if is_shown { &*seeded.project.id } else { "" };
        assert_eq!(call.project, project, "{path}");
    }
    connection.get("/v1/anonymous").await;
    let anonymous = seen("/v1/anonymous").await;
    assert_eq!(
        (anonymous.project.as_str(), anonymous.client_id.as_deref()),
        ("", None)
    );
    sandbox.stop().await;
}

#[tokio::test]
async fn long_bodies_are_cut_and_faults_are_named() {
    let (sandbox, seeded) = start().await;
    change(&sandbox, &seeded.project.id, |project| {
        project.faults = vec![Fault {
            id: "fault-7".to_owned(),
            target: FaultTarget::Api {
                operation: Some("startOpenBankingRefresh".to_owned()),
                fault: ApiFault::TruncatedBody,
            },
            probability: 1.0,
            seed: 0,
            remaining: None,
            considered: 0,
            hits: 0,
        }];
    })
    .await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let mut log = sandbox.app().recorder.watch();
    let long = format!(r#"{{"text":"{}"}}"#, "x".repeat(1 << 20));
    let headers = [JSON, ("X-Customer-Id", seeded.customer_id.as_str())];
    let reply = client.call("POST", REFRESH, &headers, &long).await;
    assert_eq!(
        (reply.status, reply.is_cut),
        (200, true),
        "the whole body was read"
    );
    let call = loop {
        let call = next(&mut log).await;
        if call.path == REFRESH {
            break call;
        }
    };
    // Without what could be the beginning of a secret.
    assert_eq!(call.request_body.len(), 16 * 1024 - 42);
    assert_eq!(call.fault.as_deref(), Some("fault-7"));
    assert!(call.response_body.starts_with(r#"{"task_id":"#));
    assert!(call.response_body.ends_with('}'));
    let mut client = Client::open(&sandbox, &seeded).await;
    let longer = format!(r#"{{"text":"{}"}}"#, "x".repeat((2 << 20) - 10));
    let reply = client.call("POST", REFRESH, &headers, &longer).await;
    assert_eq!(reply.status, 413);
    sandbox.stop().await;
}

#[tokio::test]
async fn a_call_whose_client_has_left_is_recorded_without_a_status() {
    let (sandbox, seeded) = start().await;
    let id = &seeded.project.id;
    change(&sandbox, id, |project| {
        project.faults = vec![Fault {
            id: "fault-1".to_owned(),
            target: FaultTarget::Api {
                operation: None,
                fault: ApiFault::Latency {
                    milliseconds: 86_400_000,
                },
            },
            probability: 1.0,
            seed: 0,
            remaining: None,
            considered: 0,
            hits: 0,
        }];
    })
    .await;
    let mut log = sandbox.app().recorder.watch();
    let address = sandbox.api_url().trim_start_matches("http://");
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let pair = format!("{}:{}", seeded.client_id, seeded.client_secret);
    let request = format!(
        "POST {TOKEN} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic {}\r\nContent-Type: {}\r\n\
         Content-Length: 29\r\n\r\ngrant_type=client_credentials",
        STANDARD.encode(pair),
        FORM.1
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    while project(&sandbox, id).await.faults[0].hits == 0 {
        tokio::task::yield_now().await;
    }
    drop(stream);
    let call = next(&mut log).await;
    assert_eq!((&call.project, call.status), (id, None));
    assert_eq!(call.fault.as_deref(), Some("fault-1"));
    sandbox.stop().await;
}
