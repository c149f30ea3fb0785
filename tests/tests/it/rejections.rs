//! Who is not let in, and what a failing server says: byte by byte over a socket, by the interface
//! document (section 7.1). The other end is a socket.

use bothends_runtime::SecurityRequirement;
use bothends_runtime::server::{
    AuthError, Authenticate, Context, Error, RejectionBody, Response, Router, Secret,
};
use financial_data::operations::*;
use financial_data::server::{Credentials, OauthApi, OpenBankingApi, rejections, router};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

struct Service;

impl OauthApi for Service {
    async fn create_token(
        &self,
        _: Context,
        _: CreateTokenRequest,
    ) -> Result<CreateTokenResponse, Error<CreateTokenError>> {
        Err(rejections::unauthorized::UNKNOWN.into())
    }
}

impl OpenBankingApi for Service {
    async fn start_open_banking_refresh(
        &self,
        _: Context,
        _: StartOpenBankingRefreshRequest,
    ) -> Result<StartOpenBankingRefreshResponse, Error<StartOpenBankingRefreshError>> {
        Ok(StartOpenBankingRefreshResponse::new(Default::default()))
    }

    async fn get_open_banking_refresh_status(
        &self,
        _: Context,
        request: GetOpenBankingRefreshStatusRequest,
    ) -> Result<GetOpenBankingRefreshStatusResponse, Error<GetOpenBankingRefreshStatusError>> {
        if request.task_id == "down" {
            Err(rejections::service_unavailable::UNAVAILABLE)?;
        }
        if request.task_id == "known" {
            return Ok(GetOpenBankingRefreshStatusResponse::new(Default::default()));
        }
        let number = "planted s3cret".parse::<u8>().map_err(Secretive)?;
        Ok(GetOpenBankingRefreshStatusResponse::new(
            [("status".to_owned(), number.into())].into_iter().collect(),
        ))
    }
}

/// An error of somebody's own.
#[derive(Debug)]
struct Secretive(std::num::ParseIntError);

impl std::fmt::Display for Secretive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("planted s3cret is no number")
    }
}

impl std::error::Error for Secretive {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

impl<E> From<Secretive> for Error<E> {
    fn from(error: Secretive) -> Self {
        Self::internal(error)
    }
}

/// Lets nobody in but for one token, and tells each of the others why.
struct Users;

impl Authenticate for Users {
    type Credentials = Credentials;
    type Principal = ();

    async fn authenticate(
        &self,
        shown: Credentials,
        _: &'static [SecurityRequirement],
        _: &Context,
    ) -> Result<(), AuthError> {
        use rejections::unauthorized;
        let token = shown.client_credentials.ok_or(AuthError::Unauthenticated)?;
        let response: RejectionBody = match Secret::expose(&token) {
            "good" => return Ok(()),
            "expired" => unauthorized::TOKEN_EXPIRED,
            "invalid" => unauthorized::TOKEN_INVALID,
            "customer" => unauthorized::CUSTOMER_NOT_FOUND,
            "scope" => unauthorized::UNAUTHORIZED_SCOPE,
            "any" => unauthorized::UNKNOWN,
            "forbidden" => return Err(AuthError::Forbidden),
            "broken" => return Err(AuthError::internal("the store of tokens: planted s3cret")),
            _ => return Err(AuthError::Unauthenticated),
        };
        Err(response.into())
    }
}

/// What comes back for these bytes, without its date.
async fn answer(router: Router<Service>, request: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let app = axum::Router::new().fallback_service(router);
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    let mut stream = TcpStream::connect(address).await.expect("connected");
    let (head, body) = request.split_once("\n\n").unwrap_or((request, ""));
    let head = head.replace('\n', "\r\n");
    let length = body.len();
    let request = format!(
        "{head}\r\nHost: here\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("an answer");
    server.abort();
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let kept = |line: &&str| !line.starts_with("date: ") && !line.starts_with("connection: ");
    let head: Vec<&str> = head.split("\r\n").filter(kept).collect();
    format!("{}\n\n{body}", head.join("\n"))
}

const STATUS: &str = "GET /v1/open-banking/refresh/1 HTTP/1.1";

/// An error body of section 2.2, whose members have an order of their own.
fn error_body(code: &str, message: &str) -> String {
    format!(
        r#"{{"operation_id":"unknown","code_id":"{code}","message":"{message}","errors":{{}}}}"#
    )
}

fn expected(status: &str, challenges: &[&str], body: &str) -> String {
    let challenges: String = challenges
        .iter()
        .map(|challenge| format!("www-authenticate: {challenge}\n"))
        .collect();
    format!(
        "HTTP/1.1 {status}\ncontent-type: application/json\n{challenges}content-length: {}\n\n{body}",
        body.len()
    )
}

const KEYS: [&str; 3] = [
    r#"ApiKey in="header", name="X-Client-Id""#,
    r#"ApiKey in="header", name="X-Customer-Id""#,
    r#"ApiKey in="header", name="X-Customer-Secret""#,
];

#[tokio::test]
async fn the_five_documented_401s_are_as_documented() {
    for (token, code, message, error) in [
        (
            "expired",
            "token_expired",
            "The provided token is expired or is not valid.",
            "invalid_token",
        ),
        (
            "invalid",
            "token_invalid",
            "An invalid token was provided.",
            "invalid_token",
        ),
        (
            "customer",
            "customer_not_found",
            "The customer in the request was not found.",
            "invalid_token",
        ),
        (
            "scope",
            "unauthorized_scope",
            "The provided token lacks the required permissions for this endpoint.",
            "insufficient_scope",
        ),
        (
            "forbidden",
            "unauthorized_scope",
            "The provided token lacks the required permissions for this endpoint.",
            "insufficient_scope",
        ),
        ("any", "unknown", "Unauthorised request", "invalid_token"),
        ("other", "unknown", "Unauthorised request", "invalid_token"),
    ] {
        let request = format!("{STATUS}\nAuthorization: Bearer {token}\nX-Client-Id: me");
        let bearer = format!(r#"Bearer realm="api", error="{error}""#);
        let mut challenges = vec![bearer.as_str()];
        // Another key does not give a token its scopes.
        if error == "invalid_token" {
            challenges.extend(KEYS);
        }
        let body = error_body(code, message);
        assert_eq!(
            answer(router(Service).guard(Users), &request).await,
            expected("401 Unauthorized", &challenges, &body),
            "{token}"
        );
    }
}

#[tokio::test]
async fn a_router_without_an_authenticator_is_closed() {
    let generic = error_body("unknown", "Unauthorised request");
    let mut challenges = vec![r#"Bearer realm="api""#];
    challenges.extend(KEYS);
    let refused = expected("401 Unauthorized", &challenges, &generic);
    // Whatever is shown: nobody is there to say that it is good.
    for shown in ["", "\nAuthorization: Bearer good\nX-Client-Id: me"] {
        let request = format!("{STATUS}{shown}");
        assert_eq!(answer(router(Service), &request).await, refused);
        // Before the body is looked at, and before the handler.
        let request = format!("POST /v1/open-banking/refresh HTTP/1.1{shown}\n\n{{");
        assert_eq!(answer(router(Service), &request).await, refused);
    }
    let opened = router(Service).allow_unauthenticated();
    let came = answer(opened, "POST /v1/open-banking/refresh HTTP/1.1").await;
    assert!(came.starts_with("HTTP/1.1 200 OK\n"), "{came}");
    let request = format!("{STATUS}\nAuthorization: Bearer good\nX-Client-Id: me");
    let guarded = answer(router(Service).guard(Users), &request).await;
    assert!(guarded.starts_with("HTTP/1.1 500 "), "{guarded}");
}

#[tokio::test]
async fn what_the_router_refuses_has_the_error_body() {
    let with = |line: &str| format!("{line}\nAuthorization: Bearer good\nX-Client-Id: me");
    let post = with("POST /v1/open-banking/refresh HTTP/1.1");
    for (request, status, header, message) in [
        (
            with("GET /v1/open-banking/refresh/known HTTP/1.1\nAccept: text/html"),
            "406 Not Acceptable",
            "",
            "Not Acceptable",
        ),
        (
            format!("{post}\nContent-Type: text/plain\n\nhello"),
            "415 Unsupported Media Type",
            "accept: application/json\n",
            "Unsupported Media Type",
        ),
        (
            format!(
                "{post}\nContent-Type: application/json\n\n{{\"much\": \"{:100}\"}}",
                ""
            ),
            "413 Payload Too Large",
            "",
            "Content Too Large",
        ),
    ] {
        let router = router(Service).guard(Users).body_limit(99).enforce_accept();
        let body = error_body("unknown", message);
        assert_eq!(
            answer(router, &request).await,
            format!(
                "HTTP/1.1 {status}\ncontent-type: application/json\n{header}content-length: {}\n\n{body}",
                body.len()
            )
        );
    }
}

#[tokio::test]
async fn a_handler_answers_a_response_of_the_document() {
    let request = "GET /v1/open-banking/refresh/down HTTP/1.1";
    let router = router(Service).allow_unauthenticated();
    let body = r#"{"message":"Service unavailable"}"#;
    assert_eq!(
        answer(router, request).await,
        expected("503 Service Unavailable", &[], body)
    );
}

#[tokio::test]
async fn why_a_server_fails_is_told_to_the_server_alone() {
    let internal = r#"{"message":"An error occurred while processing your request"}"#;
    let internal = expected("500 Internal Server Error", &[], internal);
    for (token, reported) in [
        (
            "good",
            "getOpenBankingRefreshStatus (GET /v1/open-banking/refresh/{task_id}) failed: \
             planted s3cret is no number: invalid digit found in string",
        ),
        (
            "broken",
            "getOpenBankingRefreshStatus (GET /v1/open-banking/refresh/{task_id}) failed: \
             the store of tokens: planted s3cret",
        ),
    ] {
        let failures = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&failures);
        let router = router(Service)
            .guard(Users)
            .on_failure(move |failure| kept.lock().expect("no panic").push(failure.to_string()));
        let request = format!("{STATUS}\nAuthorization: Bearer {token}\nX-Client-Id: me");
        let came = answer(router, &request).await;
        assert_eq!(came, internal);
        assert_eq!(*failures.lock().expect("no panic"), [reported]);
    }
}

#[test]
fn a_response_may_be_written_by_hand() {
    let response = Response::from(RejectionBody::new(409, "text/plain", "taken"));
    assert_eq!(response.status(), 409);
    assert_eq!(response.headers()["content-type"], "text/plain");
}
