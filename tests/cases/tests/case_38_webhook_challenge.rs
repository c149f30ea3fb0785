//! Webhooks with a challenge, in batches, and as a form with an answer in XML.

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};

use api::types::Event;
use api::webhooks::*;
use bothends_runtime::server::{Context, Error};
use bothends_runtime::{Response, StatusCode};
use bothends_test_peers::{get, post};

bothends_case_tests::document!(api, "38-webhook-challenge");

#[derive(Clone, Default)]
struct Hooks(Arc<Mutex<Vec<Event>>>);

impl WebhookHandler for Hooks {
    async fn messages(
        &self,
        _: Context,
        request: MessagesRequest,
    ) -> Result<MessagesResponse, Error<MessagesError>> {
        match request.hub_verify_token.as_str() {
            "secret" => Ok(request.hub_challenge.into()),
            _ => Err(Empty403::Forbidden.into()),
        }
    }

    async fn messages_post(
        &self,
        _: Context,
        request: MessagesPostRequest,
    ) -> Result<MessagesPostResponse, Error<MessagesPostError>> {
        self.0.lock().expect("no panic").extend(request.body);
        Ok(Response::new(()).with_status(StatusCode::ACCEPTED))
    }

    async fn form_event(
        &self,
        _: Context,
        request: FormEventRequest,
    ) -> Result<FormEventResponse, Error<FormEventError>> {
        let FormEventBody {
            call_sid, digits, ..
        } = request.body;
        let digits = digits.unwrap_or_default();
        Ok(format!("<Response><Say>{call_sid} {digits}</Say></Response>").into())
    }
}

/// Serves the webhooks until the process ends.
fn listen(hooks: Hooks) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a socket");
    let address = listener.local_addr().expect("an address");
    listener.set_nonblocking(true).expect("a socket");
    std::thread::spawn(move || {
        bothends_tests::in_process::block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            let service = axum::Router::new().fallback_service(router(hooks));
            axum::serve(listener, service).await
        })
    });
    address
}

#[test]
fn a_challenge_is_answered_as_text() {
    let to = listen(Hooks::default());
    // As Meta documents it: "Verification Requests".
    let target = "/messages?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=secret";
    let answer = get(to, target, "");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(
        answer.contains("\r\ncontent-type: text/plain\r\n"),
        "{answer}"
    );
    assert!(answer.ends_with("\r\n\r\n1158201444"), "{answer}");
    let answer = get(to, &target.replace("secret", "guess"), "");
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    let answer = get(to, &target.replace("subscribe", "other"), "");
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
}

#[test]
fn a_batch_is_a_list_that_keeps_unknown_kinds() {
    let hooks = Hooks::default();
    let to = listen(hooks.clone());
    let body = r#"[{"type":"sent","id":"1"},{"type":"read","id":"2","at":"2026-01-02T03:04:05Z"},{"type":"typing","id":"3"}]"#;
    let head = format!(
        "Content-Type: application/json\r\nContent-Length: {}\r\n",
        body.len()
    );
    let answer = post(to, "/messages", &head, body);
    assert!(answer.starts_with("HTTP/1.1 202 "), "{answer}");
    let events = hooks.0.lock().expect("no panic");
    assert!(
        matches!(
            events.as_slice(),
            [Event::Sent(_), Event::Read(_), Event::Unrecognized(_)]
        ),
        "{events:?}"
    );
}

#[test]
fn a_form_is_answered_in_xml() {
    let to = listen(Hooks::default());
    // As Twilio documents it, with parameters that the document does not have.
    let body = "CallSid=CA1&Digits=%231+2&AccountSid=AC1";
    let head = format!(
        "Content-Type: application/x-www-form-urlencoded; charset=UTF-8\r\nContent-Length: {}\r\n",
        body.len()
    );
    let answer = post(to, "/formEvent", &head, body);
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(
        answer.contains("\r\ncontent-type: application/xml\r\n"),
        "{answer}"
    );
    assert!(
        answer.ends_with("<Response><Say>CA1 #1 2</Say></Response>"),
        "{answer}"
    );
}
