//! Tokens that renew themselves, against an endpoint and a server that do as they are told. Time is
//! paused: it moves when everybody waits for it.
#![cfg(feature = "tokens")]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod calls;

use bothends_runtime::NoError;
use bothends_runtime::client::{
    Body, ClientAuthentication, ClientCore, Error, Grant, OAuthEndpoint, Secret, TokenEndpoint,
    TokenError, TokenErrorKind, TokenFlow, TokenProvider, TokenResponse, TokenSource, Transport,
    TransportError,
};
use bothends_runtime::http::{Request, Response, StatusCode};
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
    .non_refreshable_codes("/code_id", &["customer_not_found", "unauthorized_scope"]);

/// Grants `t1`, `t2`, …, each valid for so long, and counts what it is asked.
#[derive(Default)]
struct Endpoint {
    obtained: AtomicUsize,
    refreshed: Mutex<Vec<String>>,
    lifetime: Mutex<Option<u64>>,
    fault: Mutex<Option<fn() -> TokenErrorKind>>,
    refuse_refresh: Mutex<Option<fn() -> TokenErrorKind>>,
    without_refresh_token: bool,
    /// When set, nothing is granted before it is told.
    gate: Option<Arc<Notify>>,
}

impl Endpoint {
    fn asked(&self) -> usize {
        self.obtained.load(Ordering::SeqCst) + self.refreshed.lock().unwrap().len()
    }

    async fn grant(&self, grant: Grant) -> Result<TokenResponse, TokenError> {
        let number = self.asked();
        if let Some(gate) = &self.gate {
            gate.notified().await;
        }
        if let Some(fault) = *self.fault.lock().unwrap() {
            return Err(TokenError::new(grant, fault()));
        }
        Ok(TokenResponse {
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
    async fn obtain(&self) -> Result<TokenResponse, TokenError> {
        self.0.obtained.fetch_add(1, Ordering::SeqCst);
        self.0.grant(Grant::ClientCredentials).await
    }

    async fn refresh(&self, refresh_token: &Secret) -> Result<TokenResponse, TokenError> {
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
async fn run_tasks() {
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
    run_tasks().await;
    assert_eq!(endpoint.0.asked(), 1);
    advance(Duration::from_secs(102)).await;
    assert_eq!(tokens.current().unwrap().expose(), "t1");
    run_tasks().await;
    assert_eq!(tokens.current().unwrap().expose(), "t2");
    assert_eq!(endpoint.0.asked(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_fails_in_the_background_leaves_the_token() {
    let endpoint = lasting(1000);
    let tokens = source(&endpoint);
    take(&tokens).await;
    *endpoint.0.fault.lock().unwrap() =
        Some(|| TokenErrorKind::Transport(TransportError::new("down")));
    advance(Duration::from_secs(900)).await;
    for _ in 0..100 {
        assert_eq!(tokens.current().unwrap().expose(), "t1");
        run_tasks().await;
    }
    // One try, by refresh and by credentials, and not again before `hold` is over.
    assert_eq!(endpoint.0.asked(), 3);
    advance(Duration::from_secs(2)).await;
    *endpoint.0.fault.lock().unwrap() = None;
    tokens.current();
    run_tasks().await;
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
    run_tasks().await;
    let follower = tokio::spawn({
        let tokens = tokens.clone();
        async move { take(&tokens).await }
    });
    run_tasks().await;
    leader.abort();
    run_tasks().await;
    gate.notify_one();
    assert_eq!(follower.await.unwrap(), "t1");
    assert_eq!(endpoint.0.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_refused_refresh_token_is_not_tried_again() {
    let endpoint = lasting(100);
    let tokens = source(&endpoint);
    take(&tokens).await;
    *endpoint.0.refuse_refresh.lock().unwrap() = Some(|| TokenErrorKind::Refused {
        status: StatusCode::BAD_REQUEST,
        code: Some("invalid_grant".to_owned()),
        description: None,
    });
    *endpoint.0.fault.lock().unwrap() =
        Some(|| TokenErrorKind::Transport(TransportError::new("down")));
    advance(Duration::from_secs(101)).await;
    let error = tokens.obtain().await.unwrap_err();
    assert_eq!(error.grant(), Grant::ClientCredentials);
    assert!(
        matches!(error.kind(), TokenErrorKind::Transport(_)),
        "{error}"
    );
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
    tokens.put(TokenResponse {
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
        run_tasks().await;
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
    assert!(
        matches!(error.kind(), TokenErrorKind::Timeout(_)),
        "{error}"
    );
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
    assert!(matches!(error.kind(), TokenErrorKind::NoRuntime));
}
