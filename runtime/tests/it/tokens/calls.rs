//! Calls with tokens that the server refuses, and both grants as the endpoint sees them.

use super::*;

#[derive(Debug, Clone, PartialEq)]
pub struct Ping {}
bothends_runtime::operation! {
    "ping": "POST" "/ping"
    Ping() {}
    -> Pong { 204 }, PingError = NoError
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
    let client = ClientCore::new("http://localhost", server.clone())
        .unwrap()
        .tokens(tokens.clone());
    server.valid.lock().unwrap().push("t1".to_owned());
    client.call(&Ping::new()).await.unwrap();
    assert_eq!(server.calls(), 1);

    advance(Duration::from_secs(60)).await;
    *server.valid.lock().unwrap() = vec!["t2".to_owned()];
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..1000 {
        let client = client.clone();
        calls.spawn(async move { client.call(&Ping::new()).await.is_ok() });
    }
    assert!(calls.join_all().await.into_iter().all(|done| done));
    assert_eq!(endpoint.0.asked(), 2);
    assert!(server.calls() <= 2000);

    // A server that refuses whatever it gets: twice a call, and no request for a token after one
    // that is younger than a second.
    server.valid.lock().unwrap().clear();
    advance(Duration::from_secs(60)).await;
    for _ in 0..10 {
        let error = client.call(&Ping::new()).await.unwrap_err();
        assert_eq!(error.status(), Some(StatusCode::UNAUTHORIZED));
    }
    assert_eq!(endpoint.0.asked(), 3);
    assert_eq!(server.calls(), 11);
}

#[tokio::test(start_paused = true)]
async fn what_another_token_does_not_cure_is_not_tried_again() {
    let server = Server::default();
    let endpoint = lasting(3600);
    let client = ClientCore::new("http://localhost", server.clone())
        .unwrap()
        .tokens(source(&endpoint));
    for code in ["customer_not_found", "unauthorized_scope"] {
        *server.refusal.lock().unwrap() = match code {
            "customer_not_found" => r#"{"code_id":"customer_not_found"}"#,
            _ => r#"{"code_id":"unauthorized_scope"}"#,
        };
        let error = client.call(&Ping::new()).await.unwrap_err();
        assert_eq!(error.status(), Some(StatusCode::UNAUTHORIZED));
        advance(Duration::from_secs(5)).await;
    }
    assert_eq!((server.calls(), endpoint.0.asked()), (2, 1));
    *server.refusal.lock().unwrap() = r#"{"code_id":"token_expired"}"#;
    client.call(&Ping::new()).await.unwrap_err();
    assert_eq!((server.calls(), endpoint.0.asked()), (2, 2));
}

fn over(server: &Server) -> ClientCore<Server> {
    let url = "http://localhost/v1/oauth/token".parse().unwrap();
    let endpoint = OAuthEndpoint::new(server.clone(), url, FLOW, "me", "s3cret");
    ClientCore::new("http://localhost", server.clone())
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
    client.call(&Ping::new()).await.unwrap();
    *server.token.lock().unwrap() = (200, grant("a2", "r2"));
    *server.valid.lock().unwrap() = vec!["a2".to_owned()];
    advance(Duration::from_secs(4000)).await;
    client.call(&Ping::new()).await.unwrap();
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
        (200, "<html>", "the endpoint's response is not JSON"),
        (
            200,
            "[]",
            "the endpoint's response is not an object with a token",
        ),
        (
            200,
            r#"{"data":{}}"#,
            "`/data/access_token` of the endpoint's response is missing",
        ),
        (
            200,
            r#"{"data":{"access_token":""}}"#,
            "`/data/access_token` of the endpoint's response is empty",
        ),
        (
            200,
            r#"{"data":{"access_token":"a\r\nb"}}"#,
            "`/data/access_token` of the endpoint's response holds what no header can",
        ),
        (
            200,
            r#"{"data":{"access_token":"a","expires_in":-1}}"#,
            "`/data/expires_in` of the endpoint's response is negative",
        ),
        (
            200,
            r#"{"data":{"access_token":"a","token_type":"mac"}}"#,
            "`/data/token_type` of the endpoint's response is not `bearer`",
        ),
        (
            401,
            r#"{"code_id":"invalid_login"}"#,
            "the endpoint responded 401 Unauthorized, `invalid_login`",
        ),
        (
            400,
            r#"{"error":"invalid_client"}"#,
            "the endpoint responded 400 Bad Request, `invalid_client`",
        ),
        (503, "", "the endpoint responded 503 Service Unavailable"),
    ];
    for (status, body, message) in cases {
        let server = Server::default();
        *server.token.lock().unwrap() = (status, body.to_owned());
        let error = over(&server).call(&Ping::new()).await.unwrap_err();
        let Error::Token(token) = &error else {
            panic!("{error}");
        };
        let message = format!("no token by client_credentials: {message}");
        assert_eq!(token.to_string(), message);
        assert_eq!(error.is_retryable(), status == 503);
        assert_eq!(server.seen().len(), 1);
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Read {}
bothends_runtime::operation! {
    "read": "POST" "/echo"
    Read() {}
    -> ReadResponse { 204 }, ReadError = NoError
    security { ["oauth": ["read"]] }
}

/// Grants `token-1`, `token-2`, … for an hour, and notes the scopes that it is asked for.
#[derive(Clone, Default)]
struct Scoped(Arc<Mutex<Vec<String>>>);

impl TokenEndpoint for Scoped {
    async fn obtain(&self) -> Result<TokenResponse, TokenError> {
        self.obtain_with(&[]).await
    }

    async fn obtain_with(&self, scopes: &[&str]) -> Result<TokenResponse, TokenError> {
        let mut asked = self.0.lock().unwrap();
        asked.push(scopes.join(" "));
        Ok(pair(&format!("token-{}", asked.len()), None))
    }

    fn is_scoped(&self) -> bool {
        true
    }

    async fn refresh(&self, _: &Secret) -> Result<TokenResponse, TokenError> {
        self.0.lock().unwrap().push("refresh".to_owned());
        let spent = TokenErrorKind::Malformed {
            pointer: String::new(),
            why: "is spent",
        };
        Err(TokenError::new(Grant::RefreshToken, spent))
    }
}

fn pair(access: &str, refresh: Option<&str>) -> TokenResponse {
    TokenResponse {
        access_token: access.into(),
        refresh_token: refresh.map(Secret::from),
        lifetime: Some(Duration::from_secs(3600)),
    }
}

/// Sends the header `Authorization` back, with an undocumented status.
#[derive(Clone)]
struct Echo;

impl Transport for Echo {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let sent = request.headers()["authorization"].to_str().unwrap();
        let mut answer = Response::new(Body::from(format!("got {sent} here")));
        *answer.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
        Ok(answer)
    }
}

#[tokio::test(start_paused = true)]
async fn an_echoed_token_with_scopes_is_left_out_of_the_message() {
    let core = ClientCore::new("http://localhost", Echo).unwrap();
    let core = core.tokens(TokenSource::new(FLOW, Scoped::default()));
    let error = core.call(&Read {}).await.unwrap_err();
    let text = error.to_string();
    assert!(text.ends_with("got … here"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_token_that_was_set_serves_all_scopes_while_it_lasts() {
    for (refresh, asked) in [(None, &["read"][..]), (Some("r"), &["refresh", "", "read"])] {
        let endpoint = Scoped::default();
        let tokens = TokenSource::new(FLOW, endpoint.clone());
        tokens.put(pair("saved", refresh));
        let take = async || tokens.obtain_for(&["read"]).await.unwrap();
        assert_eq!(take().await, "saved");
        advance(Duration::from_secs(3601)).await;
        let token = take().await;
        assert_eq!(*endpoint.0.lock().unwrap(), asked);
        assert_eq!(token, *format!("token-{}", asked.len()));
        assert_eq!(take().await, *token.expose());
    }
    // The server rejects it.
    let endpoint = Scoped::default();
    let tokens = TokenSource::new(FLOW, endpoint.clone());
    tokens.put(pair("saved", None));
    advance(Duration::from_secs(60)).await;
    let token = tokens.replace_for(&["read"], "saved".into()).await.unwrap();
    assert_eq!(token, "token-1");
    assert_eq!(*endpoint.0.lock().unwrap(), ["read"]);
}
