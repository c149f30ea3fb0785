//! The documented flow, from end to end and in one process: the generated client calls a service that
//! implements the generated traits, over real requests and responses but without a socket.

mod service;

use std::sync::Mutex;

use bothends_runtime::client::{
    Basic, Body, CallOptions, Error as ClientError, InProcess, TokenProvider, Transport,
};
use bothends_runtime::server::{Context, Error, Router};
use bothends_runtime::{Json, Map};
use financial_data::client::{CLIENT_CREDENTIALS_FLOW, Client, Credentials};
use financial_data::operations::*;
use financial_data::server::{OauthApi, OpenBankingApi, router};
use financial_data::types::{
    ClientCredentialsGrant, CodeId, ErrorBody, RefreshTokenGrant, ServerErrorBody, Token,
    TokenRequest, TokenResponse, ValidationErrorBody,
};
use serde_json::json;
use service::Service;

const BASIC: &str = "Basic Y2xpZW50OnNlY3JldA=="; // client:secret

type InMemory = InProcess<Router<Service>>;

fn client() -> Client<InMemory> {
    let transport = InProcess::new(router(Service::default()).allow_unauthenticated());
    Client::with_transport("http://localhost", transport).expect("a base URL")
}

fn with_bearer(client: &Client<InMemory>, token: &str) -> Client<InMemory> {
    client.clone().with_credentials(Credentials {
        client_credentials: Some(token.into()),
        client_id: Some("client".into()),
        ..Credentials::default()
    })
}

fn status(task: &str) -> GetOpenBankingRefreshStatusRequest {
    GetOpenBankingRefreshStatusRequest::new(task.to_owned())
}

/// Both grants: the pair of tokens of the second is new.
async fn tokens(client: &Client<InMemory>) -> (Token, Token) {
    let basic = client.clone().with_credentials(Credentials {
        client_basic: Some(Basic::new("client", "secret")),
        ..Credentials::default()
    });
    let grant = TokenRequest::ClientCredentialsGrant(ClientCredentialsGrant::new());
    let first = basic
        .create_token(CreateTokenRequest::new(grant))
        .await
        .expect("a token");
    let first = first.into_inner().data;

    let by_id = client.clone().with_credentials(Credentials {
        client_id: Some("client".into()),
        ..Credentials::default()
    });
    let grant = RefreshTokenGrant::new(first.refresh_token.clone());
    let request = CreateTokenRequest::new(TokenRequest::RefreshTokenGrant(grant));
    let second = by_id
        .create_token(request)
        .await
        .expect("a token")
        .into_inner()
        .data;
    (first, second)
}

#[tokio::test]
async fn tokens_are_issued_and_rotate_as_a_pair() {
    let (first, second) = tokens(&client()).await;
    assert_eq!(
        (first.access_token.as_str(), first.expires_in),
        ("access-1", 3600)
    );
    assert_eq!(second.access_token, "access-2");
    assert_ne!(first.refresh_token, second.refresh_token);
}

#[tokio::test(start_paused = true)]
async fn tokens_renew_themselves_where_a_401_can_be_cured() {
    let client = client();
    let tokens = client
        .core()
        .token_source(CLIENT_CREDENTIALS_FLOW, "client", "secret")
        .expect("a URL");
    let client = client
        .with_credentials(Credentials {
            client_id: Some("client".into()),
            ..Credentials::default()
        })
        .with_tokens(tokens.clone());
    let first = tokens.obtain().await.expect("a token");
    assert_eq!(first.expose(), "access-1");
    // The service takes it for expired long before `expires_in` is over.
    tokio::time::advance(std::time::Duration::from_secs(60)).await;
    let done = client
        .get_open_banking_refresh_status(status("7f1c"))
        .await
        .expect("a status");
    assert_eq!(done.into_inner()["status"], "Completed");
    let second = tokens.current().expect("a token");
    assert_eq!(second.expose(), "access-2");
    // A customer that is not known is a 401 too, which no token cures.
    let error = client
        .get_open_banking_refresh_status(status("stranger"))
        .await
        .expect_err("refused");
    assert_eq!(error.code_id(), Some(&CodeId::CustomerNotFound));
    assert_eq!(tokens.current(), Some(second));
}

#[tokio::test]
async fn a_refresh_is_started_and_its_status_read() {
    let client = client();
    let (_, token) = tokens(&client).await;
    let client = with_bearer(&client, &token.access_token);
    let asked = Map::from_iter([("accounts".to_owned(), json!([1, 2]))]);
    let submitted = client
        .start_open_banking_refresh_with(StartOpenBankingRefreshRequest::new().body(asked))
        .await
        .expect("a task")
        .into_inner();
    assert_eq!(submitted["task_id"], "7f1c");
    assert_eq!(submitted["asked"], json!({ "accounts": [1, 2] }));
    assert_eq!(submitted["customer"], Json::Null);

    let done = client
        .get_open_banking_refresh_status(status("7f1c"))
        .await
        .expect("a status");
    assert_eq!(done.into_inner()["status"], "Completed");
}

#[tokio::test]
async fn an_absent_body_is_absent_and_customer_headers_go_where_they_are_given() {
    let client = client();
    let (_, token) = tokens(&client).await;
    let client = client.with_credentials(Credentials {
        client_credentials: Some(token.access_token.as_str().into()),
        client_id: Some("client".into()),
        customer_id: Some("someone".into()),
        ..Credentials::default()
    });
    let submitted = client
        .start_open_banking_refresh()
        .await
        .expect("a task")
        .into_inner();
    assert_eq!(submitted["customer"], "someone");
    assert_eq!(submitted["asked"], json!({}));
}

#[tokio::test]
async fn one_call_has_a_header_of_its_own() {
    let client = client();
    let (_, token) = tokens(&client).await;
    let client = with_bearer(&client, &token.access_token);
    let options = CallOptions::new().header("x-customer-id", "someone");
    let of_someone = client.with(options);
    let submitted = of_someone.start_open_banking_refresh().await;
    let submitted = submitted.expect("a task").into_inner();
    assert_eq!(submitted["customer"], "someone");
    let submitted = client.start_open_banking_refresh().await;
    let submitted = submitted.expect("a task").into_inner();
    assert_eq!(submitted["customer"], Json::Null);
}

#[tokio::test]
async fn every_error_is_typed_and_has_its_code() {
    let client = client();
    let (_, token) = tokens(&client).await;
    let codes = [
        ("access-1", CodeId::TokenExpired),
        ("narrow", CodeId::UnauthorizedScope),
        ("nonsense", CodeId::TokenInvalid),
    ];
    for (token, code) in codes {
        let error = with_bearer(&client, token)
            .get_open_banking_refresh_status(status("7f1c"))
            .await
            .expect_err("refused");
        assert_eq!(error.code_id(), Some(&code));
        assert_eq!(error.status().map(|status| status.as_u16()), Some(401));
    }

    let client = with_bearer(&client, &token.access_token);
    let missing = client
        .get_open_banking_refresh_status(status("nobody"))
        .await;
    let missing = missing.expect_err("not found");
    assert_eq!(missing.code_id(), Some(&CodeId::TaskNotFound));
    assert!(!missing.is_retryable());

    // A value that needs encoding arrives as it was.
    let odd = client
        .get_open_banking_refresh_status(status("a/b %"))
        .await
        .expect_err("odd");
    assert_eq!(odd.code_id(), Some(&CodeId::FailedValidation));

    // A fault of the handler: the document's words, and nothing else.
    let failed = client
        .get_open_banking_refresh_status(status("panics"))
        .await;
    let failed = failed.expect_err("failed");
    assert_eq!(failed.code_id(), None);
    assert!(failed.is_retryable());
    let ClientError::Api {
        error: GetOpenBankingRefreshStatusError::InternalServerError(body),
        response: answer,
    } = failed
    else {
        panic!("not the documented 500");
    };
    assert_eq!(
        body.message,
        "An error occurred while processing your request"
    );
    // And as it came.
    let raw: Json = serde_json::from_slice(&answer.body).expect("JSON");
    assert_eq!(raw, json!({ "message": body.message }));
    assert_eq!(answer.headers["content-type"], "application/json");

    let mut request = StartOpenBankingRefreshRequest::new();
    request.body = Some(Map::from_iter([("boom".to_owned(), json!(true))]));
    let error = client
        .start_open_banking_refresh_with(request)
        .await
        .expect_err("unavailable");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(503));
    assert!(error.is_retryable());
}

#[tokio::test]
async fn without_credentials_nothing_is_sent() {
    let error = client()
        .get_open_banking_refresh_status(status("7f1c"))
        .await;
    assert!(matches!(error, Err(ClientError::MissingCredentials(_))));
}

/// Sends a request that no generated client would.
async fn raw(method: &str, path: &str, body: &str) -> (u16, Option<String>, Json) {
    let request = http::Request::builder()
        .method(method)
        .uri(format!("http://localhost{path}"))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(body.to_owned()))
        .expect("a request");
    let response = InProcess::new(router(Service::default()).allow_unauthenticated())
        .send(request)
        .await
        .expect("sent");
    let status = response.status().as_u16();
    let allow = response
        .headers()
        .get("allow")
        .map(|v| v.to_str().expect("text").to_owned());
    let body = response.into_body().collect(1 << 20).await.expect("a body");
    (
        status,
        allow,
        serde_json::from_slice(&body).unwrap_or(Json::Null),
    )
}

#[tokio::test]
async fn what_reaches_no_handler_is_answered_in_the_words_of_the_api() {
    let (status, _, body) = raw("GET", "/v1/nowhere", "").await;
    assert_eq!(status, 404);
    assert_eq!(
        body,
        json!({
            "operation_id": "unknown", "code_id": "unknown",
            "message": "Route or resource not found", "errors": {},
        })
    );

    let (status, allow, body) = raw("DELETE", "/v1/oauth/token", "").await;
    assert_eq!((status, allow.as_deref()), (405, Some("POST, OPTIONS")));
    assert_eq!(body["message"], "Method not allowed");
    assert_eq!(body["errors"], json!({}));

    let (status, _, body) = raw("POST", "/v1/oauth/token", "grant_type=refresh_token").await;
    assert_eq!(status, 400);
    assert_eq!(body["code_id"], "failed_validation");
    assert!(body["errors"]["refresh_token"].is_string(), "{body}");

    let (status, _, body) = raw("POST", "/v1/oauth/token", "grant_type=password").await;
    assert_eq!(status, 400);
    assert_eq!(body["code_id"], "failed_validation");
    assert!(
        body["errors"]
            .as_object()
            .is_some_and(|errors| !errors.is_empty()),
        "{body}"
    );
}

#[tokio::test]
async fn the_router_mounts_into_axum() {
    let app =
        axum::Router::new().fallback_service(router(Service::default()).allow_unauthenticated());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    let client = Client::new(&format!("http://{address}"))
        .expect("a client")
        .with_credentials(Credentials {
            client_basic: Some(Basic::new("client", "secret")),
            ..Credentials::default()
        });
    let grant = TokenRequest::ClientCredentialsGrant(ClientCredentialsGrant::new());
    let answer = client
        .create_token(CreateTokenRequest::new(grant))
        .await
        .expect("a token");
    assert_eq!(answer.into_inner().data.access_token, "access-1");
    server.abort();
}

#[test]
fn a_webhook_is_handed_to_who_delivers_it() {
    use financial_data::webhooks::{CustomersDeletedRequest, DELIVERY};
    let event = financial_data::types::CustomerManagementWebhook::new(
        financial_data::types::CustomerManagementEvent::new().task_id("7f1c"),
    );
    let webhook = bothends_runtime::OutgoingWebhook::new(&CustomersDeletedRequest::new(event));
    let webhook = webhook.expect("it can be written");
    assert_eq!((webhook.kind, webhook.method), ("customersDeleted", "POST"));
    assert_eq!(&webhook.body[..], br#"{"data":{"task_id":"7f1c"}}"#);
    assert_eq!(webhook.content_type.expect("a body"), "application/json");
    assert!(webhook.headers.is_empty());
    assert_eq!((DELIVERY.timeout.as_secs(), DELIVERY.retries), (10, 10));
    assert_eq!(DELIVERY.retry_statuses, [408, 425, 429, 500, 502, 503, 504]);
}
