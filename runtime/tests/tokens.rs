//! Tokens that renew themselves, against an endpoint and a server that do as they are told. Time is
//! paused: it moves when everybody waits for it.
#![cfg(feature = "tokens")]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use bothends_runtime::client::{
    Body, ClientAuthentication, Core, Error, Grant, Granted, OAuthEndpoint, Secret, TokenEndpoint,
    TokenError, TokenFault, TokenFlow, TokenProvider, TokenSource, Transport, TransportError,
};
use bothends_runtime::http::{Request, Response, StatusCode};
use bothends_runtime::{DecodeError, NoError, Outcome, ResponseDecoder, ResponseEncoder};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, advance};

const FLOW: TokenFlow = TokenFlow::new("oauth", "/v1/oauth/token")
    .envelope("/data")
    .authentication(
        ClientAuthentication::Basic,
        ClientAuthentication::IdHeader("X-Client-Id"),
    )
    .incurable("/code_id", &["customer_not_found", "unauthorized_scope"]);

/// Grants `t1`, `t2`, …, each valid for so long, and counts what it is asked.
#[derive(Default)]
struct Endpoint {
    obtained: AtomicUsize,
    refreshed: Mutex<Vec<String>>,
    lifetime: Mutex<Option<u64>>,
    fault: Mutex<Option<fn() -> TokenFault>>,
    refuse_refresh: Mutex<Option<fn() -> TokenFault>>,
    without_refresh_token: bool,
    /// When set, nothing is granted before it is told.
    gate: Option<Arc<Notify>>,
}

impl Endpoint {
    fn asked(&self) -> usize {
        self.obtained.load(Ordering::SeqCst) + self.refreshed.lock().unwrap().len()
    }

    async fn grant(&self, grant: Grant) -> Result<Granted, TokenError> {
        let number = self.asked();
        if let Some(gate) = &self.gate {
            gate.notified().await;
        }
        if let Some(fault) = *self.fault.lock().unwrap() {
            return Err(TokenError::new(grant, fault()));
        }
        Ok(Granted {
            access_token: Secret::from(format!("t{number}")),
            refresh_token: (!self.without_refresh_token)
                .then(|| Secret::from(format!("r{number}"))),
            lifetime: self.lifetime.lock().unwrap().map(Duration::from_secs),
        })
    }
}

#[derive(Clone, Default)]
struct Shared(Arc<Endpoint>);

impl TokenEndpoint for Shared {
    async fn obtain(&self) -> Result<Granted, TokenError> {
        self.0.obtained.fetch_add(1, Ordering::SeqCst);
        self.0.grant(Grant::ClientCredentials).await
    }

    async fn refresh(&self, refresh_token: &Secret) -> Result<Granted, TokenError> {
        let token = refresh_token.expose().to_owned();
        self.0.refreshed.lock().unwrap().push(token);
        if let Some(fault) = *self.0.refuse_refresh.lock().unwrap() {
            return Err(TokenError::new(Grant::RefreshToken, fault()));
        }
        self.0.grant(Grant::RefreshToken).await
    }
}

fn lasting(seconds: u64) -> Shared {
    let endpoint = Shared::default();
    *endpoint.0.lifetime.lock().unwrap() = Some(seconds);
    endpoint
}

fn source(endpoint: &Shared) -> TokenSource<Shared> {
    TokenSource::new(FLOW, endpoint.clone())
}

async fn take(tokens: &TokenSource<Shared>) -> String {
    tokens.obtain().await.unwrap().expose().to_owned()
}

/// Lets tasks that can run do so, until none can.
async fn settle() {
    for _ in 0..16 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_thousand_calls_on_an_expired_token_make_one_request() {
    let endpoint = lasting(3600);
    let tokens = source(&endpoint);
    assert_eq!(take(&tokens).await, "t1");
    advance(Duration::from_secs(3601)).await;
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..1000 {
        let tokens = tokens.clone();
        calls.spawn(async move { take(&tokens).await });
    }
    let taken = calls.join_all().await;
    assert!(taken.iter().all(|token| token == "t2"));
    assert_eq!(endpoint.0.asked(), 2);
    assert_eq!(*endpoint.0.refreshed.lock().unwrap(), ["r1"]);
}

#[tokio::test(start_paused = true)]
async fn a_token_is_renewed_in_the_background_while_it_works() {
    let endpoint = lasting(1000);
    let tokens = source(&endpoint);
    assert_eq!(take(&tokens).await, "t1");
    // Never before 70 % of its lifetime, always after 80 %.
    advance(Duration::from_secs(699)).await;
    assert_eq!(tokens.current().unwrap().expose(), "t1");
    settle().await;
    assert_eq!(endpoint.0.asked(), 1);
    advance(Duration::from_secs(102)).await;
    assert_eq!(tokens.current().unwrap().expose(), "t1");
    settle().await;
    assert_eq!(tokens.current().unwrap().expose(), "t2");
    assert_eq!(endpoint.0.asked(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_fails_in_the_background_leaves_the_token() {
    let endpoint = lasting(1000);
    let tokens = source(&endpoint);
    take(&tokens).await;
    *endpoint.0.fault.lock().unwrap() = Some(|| TokenFault::Transport("down".to_owned()));
    advance(Duration::from_secs(900)).await;
    for _ in 0..100 {
        assert_eq!(tokens.current().unwrap().expose(), "t1");
        settle().await;
    }
    // One try, by refresh and by credentials, and not again before `hold` is over.
    assert_eq!(endpoint.0.asked(), 3);
    advance(Duration::from_secs(2)).await;
    *endpoint.0.fault.lock().unwrap() = None;
    tokens.current();
    settle().await;
    assert_eq!(tokens.current().unwrap().expose(), "t4");
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_strands_nobody() {
    let gate = Arc::new(Notify::new());
    let endpoint = Shared(Arc::new(Endpoint {
        gate: Some(Arc::clone(&gate)),
        ..Endpoint::default()
    }));
    let tokens = source(&endpoint);
    let leader = tokio::spawn({
        let tokens = tokens.clone();
        async move { take(&tokens).await }
    });
    settle().await;
    let follower = tokio::spawn({
        let tokens = tokens.clone();
        async move { take(&tokens).await }
    });
    settle().await;
    leader.abort();
    settle().await;
    gate.notify_one();
    assert_eq!(follower.await.unwrap(), "t1");
    assert_eq!(endpoint.0.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_refused_refresh_token_is_not_tried_again() {
    let endpoint = lasting(100);
    let tokens = source(&endpoint);
    take(&tokens).await;
    *endpoint.0.refuse_refresh.lock().unwrap() = Some(|| TokenFault::Refused {
        status: StatusCode::BAD_REQUEST,
        code: Some("invalid_grant".to_owned()),
    });
    *endpoint.0.fault.lock().unwrap() = Some(|| TokenFault::Transport("down".to_owned()));
    advance(Duration::from_secs(101)).await;
    let error = tokens.obtain().await.unwrap_err();
    assert_eq!(error.grant(), Grant::ClientCredentials);
    assert!(matches!(error.fault(), TokenFault::Transport(_)), "{error}");
    advance(Duration::from_secs(2)).await;
    *endpoint.0.fault.lock().unwrap() = None;
    assert_eq!(take(&tokens).await, "t4");
    assert_eq!(*endpoint.0.refreshed.lock().unwrap(), ["r1"]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_without_a_refresh_token_keeps_the_old_one() {
    let endpoint = Shared(Arc::new(Endpoint {
        without_refresh_token: true,
        ..Endpoint::default()
    }));
    let tokens = source(&endpoint);
    tokens.put(Granted {
        access_token: Secret::from("kept"),
        refresh_token: Some(Secret::from("r0")),
        lifetime: Some(Duration::from_secs(5)),
    });
    assert_eq!(tokens.current().unwrap().expose(), "kept");
    advance(Duration::from_secs(5)).await;
    assert_eq!(take(&tokens).await, "t1");
    advance(Duration::from_secs(2)).await;
    assert_eq!(
        tokens.replace(Secret::from("t1")).await.unwrap().expose(),
        "t2"
    );
    assert_eq!(*endpoint.0.refreshed.lock().unwrap(), ["r0", "r0"]);
}

#[tokio::test(start_paused = true)]
async fn a_lifetime_of_nothing_makes_no_loop() {
    let endpoint = lasting(0);
    let tokens = source(&endpoint);
    for _ in 0..100 {
        assert_eq!(take(&tokens).await, "t1");
        settle().await;
    }
    // It is due at once, so one renewal more was begun; no third before a second has passed.
    assert!(endpoint.0.asked() <= 2, "{}", endpoint.0.asked());
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_is_slow_or_down_is_an_error_and_not_asked_by_everyone() {
    let endpoint = Shared(Arc::new(Endpoint {
        gate: Some(Arc::new(Notify::new())),
        ..Endpoint::default()
    }));
    let tokens = source(&endpoint);
    let began = Instant::now();
    let error = tokens.obtain().await.unwrap_err();
    assert!(matches!(error.fault(), TokenFault::Timeout(_)), "{error}");
    assert!(error.is_retryable());
    assert_eq!(began.elapsed().as_secs(), 10);
    for _ in 0..100 {
        tokens.obtain().await.unwrap_err();
    }
    assert_eq!(endpoint.0.asked(), 1);
}

#[test]
fn without_a_runtime_there_is_an_error() {
    let tokens = source(&Shared::default());
    let mut waiting = std::pin::pin!(tokens.obtain());
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(Err(error)) = waiting.as_mut().poll(&mut cx) else {
        panic!("nothing to wait for");
    };
    assert!(matches!(error.fault(), TokenFault::NoRuntime));
}

#[derive(Debug, Clone, PartialEq)]
pub struct Ping;
#[derive(Debug, Clone, PartialEq)]
pub struct Pong;

impl Outcome for Pong {
    fn encode(&self, response: &mut ResponseEncoder) {
        response.status(204).empty();
    }
    fn decode(response: &ResponseDecoder) -> Option<Result<Self, DecodeError>> {
        (response.status() == 204).then_some(Ok(Self))
    }
}

bothends_runtime::operation! {
    "ping": "POST" "/ping"
    Ping() -> Pong, NoError {}
    security { ["oauth"] }
}

/// Lets in who shows one of these tokens; says this to others. The token endpoint is here too.
#[derive(Clone, Default)]
struct Server {
    valid: Arc<Mutex<Vec<String>>>,
    refusal: Arc<Mutex<&'static str>>,
    seen: Arc<Mutex<Vec<(String, String, String)>>>,
    token: Arc<Mutex<(u16, String)>>,
}

impl Server {
    fn seen(&self) -> Vec<(String, String, String)> {
        std::mem::take(&mut *self.seen.lock().unwrap())
    }

    fn calls(&self) -> usize {
        let seen = self.seen();
        seen.iter().filter(|(path, ..)| path == "/ping").count()
    }
}

impl Transport for Server {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().to_owned();
        let shown: String = ["authorization", "x-client-id"]
            .iter()
            .filter_map(|name| parts.headers.get(*name)?.to_str().ok())
            .collect();
        let body = body.collect(1 << 20).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        let mut answer = Response::new(Body::empty());
        if path == "/ping" {
            let token = shown.strip_prefix("Bearer ").unwrap().to_owned();
            if self.valid.lock().unwrap().contains(&token) {
                *answer.status_mut() = StatusCode::NO_CONTENT;
            } else {
                *answer.status_mut() = StatusCode::UNAUTHORIZED;
                let refusal = *self.refusal.lock().unwrap();
                *answer.body_mut() = Body::from(bytes_of(refusal));
            }
        } else {
            let (status, body) = self.token.lock().unwrap().clone();
            *answer.status_mut() = StatusCode::from_u16(status).unwrap();
            *answer.body_mut() = Body::from(bytes_of(&body));
        }
        self.seen.lock().unwrap().push((path, shown, body));
        Ok(answer)
    }
}

fn bytes_of(text: &str) -> bothends_runtime::Bytes {
    bothends_runtime::Bytes::copy_from_slice(text.as_bytes())
}

#[tokio::test(start_paused = true)]
async fn a_storm_of_401s_makes_one_request_and_each_call_is_tried_once_more() {
    let server = Server::default();
    let endpoint = lasting(3600);
    let tokens = source(&endpoint);
    let client = Core::new("http://localhost", server.clone())
        .unwrap()
        .tokens(tokens.clone());
    server.valid.lock().unwrap().push("t1".to_owned());
    client.call(&Ping).await.unwrap();
    assert_eq!(server.calls(), 1);

    advance(Duration::from_secs(60)).await;
    *server.valid.lock().unwrap() = vec!["t2".to_owned()];
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..1000 {
        let client = client.clone();
        calls.spawn(async move { client.call(&Ping).await.is_ok() });
    }
    assert!(calls.join_all().await.into_iter().all(|done| done));
    assert_eq!(endpoint.0.asked(), 2);
    assert!(server.calls() <= 2000);

    // A server that refuses whatever it gets: twice a call, and no request for a token after one
    // that is younger than a second.
    server.valid.lock().unwrap().clear();
    advance(Duration::from_secs(60)).await;
    for _ in 0..10 {
        let error = client.call(&Ping).await.unwrap_err();
        assert_eq!(error.status(), Some(StatusCode::UNAUTHORIZED));
    }
    assert_eq!(endpoint.0.asked(), 3);
    assert_eq!(server.calls(), 11);
}

#[tokio::test(start_paused = true)]
async fn what_another_token_does_not_cure_is_not_tried_again() {
    let server = Server::default();
    let endpoint = lasting(3600);
    let client = Core::new("http://localhost", server.clone())
        .unwrap()
        .tokens(source(&endpoint));
    for code in ["customer_not_found", "unauthorized_scope"] {
        *server.refusal.lock().unwrap() = match code {
            "customer_not_found" => r#"{"code_id":"customer_not_found"}"#,
            _ => r#"{"code_id":"unauthorized_scope"}"#,
        };
        let error = client.call(&Ping).await.unwrap_err();
        assert_eq!(error.status(), Some(StatusCode::UNAUTHORIZED));
        advance(Duration::from_secs(5)).await;
    }
    assert_eq!((server.calls(), endpoint.0.asked()), (2, 1));
    *server.refusal.lock().unwrap() = r#"{"code_id":"token_expired"}"#;
    client.call(&Ping).await.unwrap_err();
    assert_eq!((server.calls(), endpoint.0.asked()), (2, 2));
}

fn over(server: &Server) -> Core<Server> {
    let url = "http://localhost/v1/oauth/token".parse().unwrap();
    let endpoint = OAuthEndpoint::new(server.clone(), url, FLOW, "me", "s3cret");
    Core::new("http://localhost", server.clone())
        .unwrap()
        .tokens(TokenSource::new(FLOW, endpoint))
}

#[tokio::test(start_paused = true)]
async fn both_grants_on_the_wire() {
    let server = Server::default();
    let client = over(&server);
    let grant = |access: &str, refresh: &str| {
        format!(
            r#"{{"operation_id":"oauth_token_post","data":{{"access_token":"{access}","token_type":"bearer","expires_in":3600,"refresh_token":"{refresh}"}}}}"#
        )
    };
    *server.token.lock().unwrap() = (200, grant("a1", "r/1"));
    server.valid.lock().unwrap().push("a1".to_owned());
    client.call(&Ping).await.unwrap();
    *server.token.lock().unwrap() = (200, grant("a2", "r2"));
    *server.valid.lock().unwrap() = vec!["a2".to_owned()];
    advance(Duration::from_secs(4000)).await;
    client.call(&Ping).await.unwrap();
    let path = "/v1/oauth/token";
    let expected = [
        (path, "Basic bWU6czNjcmV0", "grant_type=client_credentials"),
        ("/ping", "Bearer a1", ""),
        (path, "me", "grant_type=refresh_token&refresh_token=r%2F1"),
        ("/ping", "Bearer a2", ""),
    ];
    let expected = expected.map(|(path, shown, body)| (path.into(), shown.into(), body.into()));
    assert_eq!(server.seen(), expected);
}

#[tokio::test(start_paused = true)]
async fn nonsense_from_the_endpoint_is_told() {
    let cases = [
        (200, "<html>", "the endpoint's answer is no JSON"),
        (200, "[]", "the endpoint's answer is no object with a token"),
        (
            200,
            r#"{"data":{}}"#,
            "`/data/access_token` of the endpoint's answer is missing",
        ),
        (
            200,
            r#"{"data":{"access_token":""}}"#,
            "`/data/access_token` of the endpoint's answer is empty",
        ),
        (
            200,
            r#"{"data":{"access_token":"a\r\nb"}}"#,
            "`/data/access_token` of the endpoint's answer holds what no header can",
        ),
        (
            200,
            r#"{"data":{"access_token":"a","expires_in":-1}}"#,
            "`/data/expires_in` of the endpoint's answer is negative",
        ),
        (
            200,
            r#"{"data":{"access_token":"a","token_type":"mac"}}"#,
            "`/data/token_type` of the endpoint's answer is not `bearer`",
        ),
        (
            401,
            r#"{"code_id":"invalid_login"}"#,
            "the endpoint answered 401 Unauthorized, `invalid_login`",
        ),
        (
            400,
            r#"{"error":"invalid_client"}"#,
            "the endpoint answered 400 Bad Request, `invalid_client`",
        ),
        (503, "", "the endpoint answered 503 Service Unavailable"),
    ];
    for (status, body, said) in cases {
        let server = Server::default();
        *server.token.lock().unwrap() = (status, body.to_owned());
        let error = over(&server).call(&Ping).await.unwrap_err();
        let Error::Token(token) = &error else {
            panic!("{error}");
        };
        let said = format!("no token by client_credentials: {said}");
        assert_eq!(token.to_string(), said);
        assert_eq!(error.is_retryable(), status == 503);
        assert_eq!(server.seen().len(), 1);
    }
}
