//! The generated client calls Python, which answers with bytes written by hand: every operation, and errors
//! of any status with their codes.

use super::facts::facts;
use super::python::{self, Arrived, Server};
use bothends_runtime::client::{Backoff, Basic, CallOptions, Error, HyperTransport, TokenResponse};
use bothends_runtime::{Map, OperationError, ResponseSet};
use bothends_tests::in_process::block_on;
use financial_data::client::{CLIENT_CREDENTIALS_FLOW, Client, Credentials};
use financial_data::operations::*;
use financial_data::types::*;
use serde_json::{Value, json};
use std::time::Duration;

fn client(server: &Server) -> Client<HyperTransport> {
    Client::new(&server.url()).expect("a client")
}

/// For a customer, whose id tells the server what to answer.
fn for_customer(client: &Client<HyperTransport>, customer: &str) -> Client<HyperTransport> {
    client.clone().with_credentials(Credentials {
        client_credentials: Some("a-token".into()),
        client_id: Some("client-7".into()),
        customer_id: Some(customer.into()),
        customer_secret: Some("s3cret".into()),
        ..Credentials::default()
    })
}

fn obtain() -> CreateTokenRequest {
    let grant = ClientCredentialsGrant::new();
    CreateTokenRequest::new(TokenRequest::ClientCredentialsGrant(grant))
}

/// Both credentials at once: each grant takes its own.
fn with_both(client: Client<HyperTransport>, user: &str) -> Client<HyperTransport> {
    client.with_credentials(Credentials {
        client_basic: Some(Basic::new(user, "secret-7")),
        client_id: Some("client-7".into()),
        ..Credentials::default()
    })
}

#[test]
fn every_operation_is_called_as_the_document_says() {
    if !python::is_there("every_operation_is_called_as_the_document_says") {
        return;
    }
    let mut server = Server::start();
    let basic = "Basic Y2xpZW50LTc6c2VjcmV0LTc="; // client-7:secret-7
    block_on(async {
        let tokens = with_both(client(&server), "client-7");
        let issued = tokens.create_token(obtain()).await.expect("a token");
        let data = issued.into_inner().data;
        assert_eq!(
            (data.access_token.as_str(), data.expires_in),
            ("made-by-hand", 3600)
        );
        let came = server.arrived();
        assert_eq!(came.line(), ("POST", "/v1/oauth/token"));
        assert_eq!(came.body(), "grant_type=client_credentials");
        assert_eq!(came.header("authorization"), Some(basic));
        assert_eq!(came.header("x-client-id"), None);
        let media = came.header("content-type");
        assert_eq!(media, Some("application/x-www-form-urlencoded"));

        let grant = RefreshTokenGrant::new("a+b=c".to_owned());
        let request = CreateTokenRequest::new(TokenRequest::RefreshTokenGrant(grant));
        tokens.create_token(request).await.expect("a token");
        let came = server.arrived();
        assert_eq!(
            came.body(),
            "grant_type=refresh_token&refresh_token=a%2Bb%3Dc"
        );
        assert_eq!(came.header("x-client-id"), Some("client-7"));
        assert_eq!(came.header("authorization"), None);

        let client = for_customer(&client(&server), "someone");
        let accounts = Map::from_iter([("accounts".to_owned(), json!(["ü"]))]);
        let request = StartOpenBankingRefreshRequest::new().body(accounts);
        let task = client.start_open_banking_refresh_with(request).await;
        let task = Value::from_iter(task.expect("a task").into_inner());
        assert_eq!(
            task,
            json!({ "task": { "id": "t-1" }, "more": [null, 1e3] })
        );
        let came = server.arrived();
        assert_eq!(came.line(), ("POST", "/v1/open-banking/refresh"));
        assert_eq!(came.body(), r#"{"accounts":["ü"]}"#);
        assert_eq!(came.header("authorization"), Some("Bearer a-token"));
        assert_eq!(came.header("x-client-id"), Some("client-7"));
        assert_eq!(came.header("x-customer-id"), Some("someone"));
        assert_eq!(came.header("x-customer-secret"), Some("s3cret"));

        let request = GetOpenBankingRefreshStatusRequest::new("t/1 ü".to_owned());
        let status = client.get_open_banking_refresh_status(request).await;
        assert_eq!(status.expect("a status").into_inner()["state"], "Failed");
        let came = server.arrived();
        assert_eq!(
            came.line(),
            ("GET", "/v1/open-banking/refresh/t%2F1%20%C3%BC")
        );
        assert_eq!(came.body(), "");
    });
}

/// The message of an error, of whichever status.
fn message(error: &StartOpenBankingRefreshError) -> &str {
    use StartOpenBankingRefreshError as Of;
    match error {
        Of::BadRequest(body) => &body.message,
        Of::Unauthorized(body) | Of::NotFound(body) | Of::MethodNotAllowed(body) => &body.message,
        Of::ClientError { body, .. } => &body.message,
        Of::InternalServerError(body) | Of::ServiceUnavailable(body) => &body.message,
        Of::ServerError { body, .. } => &body.message,
        other => panic!("not documented: {other}"),
    }
}

#[test]
fn errors_of_any_status_have_their_code_and_message() {
    if !python::is_there("errors_of_any_status_have_their_code_and_message") {
        return;
    }
    let cases: [(u16, Option<CodeId>, &str, bool); 10] = [
        (400, Some(CodeId::FailedValidation), "No.", false),
        (
            403,
            Some(CodeId::ConnectionPermission),
            "The consent does not cover this.",
            false,
        ),
        (404, Some(CodeId::TaskNotFound), "No such task.", false),
        (405, Some(CodeId::Unknown), "Method not allowed", false),
        (
            409,
            Some(CodeId::UniqueConstraint),
            "It exists already.",
            false,
        ),
        (
            418,
            Some(CodeId::from("a_code_of_tomorrow")),
            "Short and stout.",
            false,
        ),
        (
            429,
            Some(CodeId::ProviderRequestLimit),
            "Slower, please.",
            true,
        ),
        (
            500,
            None,
            "An error occurred while processing your request",
            true,
        ),
        (502, None, "The provider is away.", true),
        (599, None, "Nobody knows.", true),
    ];
    let mut server = Server::start();
    let all = client(&server);
    for (status, code, text, retryable) in cases {
        let client = for_customer(&all, &format!("c-{status}"));
        let error = block_on(client.start_open_banking_refresh());
        let error = error.expect_err("an error");
        server.arrived();
        assert_eq!(error.status().map(|status| status.as_u16()), Some(status));
        assert_eq!(error.code_id(), code.as_ref(), "{status}");
        assert_eq!(error.is_retryable(), retryable, "{status}");
        let api = error.api().unwrap_or_else(|| panic!("{status}: {error}"));
        assert_eq!((message(api), api.status()), (text, status));
        assert_eq!(api.message(), Some(text));
        assert_eq!(api.code_id(), code.as_ref());
        let raw = error.raw_response().expect("a response");
        let body: Value = serde_json::from_slice(&raw.body).expect("JSON");
        assert_eq!(body["message"], text, "{status}");
        assert_eq!(raw.headers["content-type"], "application/json");
    }
    let error = block_on(with_both(all, "locked").create_token(obtain()));
    let error = error.expect_err("an error");
    assert_eq!(error.code_id(), Some(&CodeId::InvalidLogin));
    assert_eq!(error.status().map(|status| status.as_u16()), Some(403));
}

#[test]
fn generic_401s_have_their_code() {
    if !python::is_there("generic_401s_have_their_code") {
        return;
    }
    let mut server = Server::start();
    let facts = facts();
    let generic = facts["generic_responses"].as_array().expect("a list");
    for response in generic.iter().filter(|response| response["status"] == 401) {
        let code = response["code_id"].as_str().expect("a code");
        let client = for_customer(&client(&server), &format!("c-{code}"));
        let error = block_on(client.start_open_banking_refresh());
        let Err(Error::Api {
            error,
            response: answer,
        }) = error
        else {
            panic!("not the documented 401: {error:?}");
        };
        server.arrived();
        assert_eq!(error.code_id().map(CodeId::as_str), Some(code));
        assert_eq!(response["message"], message(&error));
        assert_eq!(
            response["body"],
            String::from_utf8_lossy(&answer.body).as_ref()
        );
    }
}

/// A 401 makes the client get another token and call once more, unless its code says that the token is not
/// the cause. `unknown` says nothing, so it is tried.
#[test]
fn a_401_is_retried_once_unless_no_token_fixes_it() {
    if !python::is_there("a_401_is_retried_once_unless_no_token_fixes_it") {
        return;
    }
    let mut server = Server::start();
    let url = server.url();
    for (code, fixed_by_a_token) in [
        ("token_expired", true),
        ("token_invalid", true),
        ("unknown", true),
        ("customer_not_found", false),
        ("unauthorized_scope", false),
    ] {
        let lines = block_on(async {
            let client = Client::new(&url).expect("a client");
            let flow = CLIENT_CREDENTIALS_FLOW;
            let tokens = client.core().token_source(flow, "client-7", "secret-7");
            let tokens = tokens.expect("a URL");
            tokens.put(TokenResponse {
                access_token: "kept".into(),
                refresh_token: Some("next".into()),
                lifetime: None,
            });
            // A token that is younger than a second is not replaced.
            tokio::time::pause();
            tokio::time::advance(Duration::from_secs(5)).await;
            tokio::time::resume();
            let client = client.with_tokens(tokens).with_credentials(Credentials {
                client_id: Some("client-7".into()),
                customer_id: Some(format!("c-{code}").as_str().into()),
                ..Credentials::default()
            });
            let error = client.start_open_banking_refresh().await;
            let error = error.expect_err("an error");
            assert_eq!(error.code_id().map(CodeId::as_str), Some(code));
            // A request that follows shows that there are no more of this call.
            let next = Client::new(&url).expect("a client");
            with_both(next, "end")
                .create_token(obtain())
                .await
                .expect("a token");
            let line_of = |request: Arrived| {
                let bearer = request.header("authorization").unwrap_or_default();
                format!("{} {bearer}", request.line().1)
            };
            let mut lines = Vec::new();
            loop {
                let line = line_of(server.arrived());
                if line.contains("Basic ") {
                    return lines;
                }
                lines.push(line);
            }
        });
        let expected: &[&str] = if fixed_by_a_token {
            &[
                "/v1/open-banking/refresh Bearer kept",
                "/v1/oauth/token ",
                "/v1/open-banking/refresh Bearer made-by-hand",
            ]
        } else {
            &["/v1/open-banking/refresh Bearer kept"]
        };
        assert_eq!(lines, expected, "{code}");
    }
}

/// Whoever makes the client decides whether a 5xx is tried again: by default nothing is, `Backoff` repeats
/// what may be repeated.
#[test]
fn a_5xx_is_retried_by_who_asks_for_it() {
    if !python::is_there("a_5xx_is_retried_by_who_asks_for_it") {
        return;
    }
    let mut server = Server::start();
    let client = for_customer(&client(&server), "c-503");
    let status = || GetOpenBankingRefreshStatusRequest::new("t-1".to_owned());
    let last = |server: &mut Server| {
        let marked = client.with(CallOptions::new().header("x-mark", "end"));
        drop(block_on(marked.get_open_banking_refresh_status(status())));
        let mut count = 0;
        while server.arrived().header("x-mark").is_none() {
            count += 1;
        }
        count
    };
    drop(block_on(client.get_open_banking_refresh_status(status())));
    assert_eq!(last(&mut server), 1, "nothing is repeated unasked");

    let mut backoff = Backoff::default().attempts(3);
    backoff.initial_delay = Duration::ZERO;
    let retrying = client.with(CallOptions::new().retry(backoff));
    drop(block_on(retrying.get_open_banking_refresh_status(status())));
    assert_eq!(last(&mut server), 3, "a GET is repeated");
    drop(block_on(retrying.start_open_banking_refresh()));
    assert_eq!(last(&mut server), 1, "a POST may start two tasks");

    let retrying = client.with(CallOptions::new().retry(backoff.retry_all_methods()));
    drop(block_on(retrying.start_open_banking_refresh()));
    assert_eq!(last(&mut server), 3, "unless it is asked for");
}
