//! No secret is in an error, its sources, `Debug` output or a span. Every secret of these tests holds
//! [`MARK`], and what is shown is searched for it.

use super::api::*;
use super::peer::{Peer, Step};
use super::shown::{MARK, Shown};
use bothends_runtime::client::{
    Attempt, Basic, CallOptions, ClientCore, Credential, Delay, Error, HyperTransport,
    OAuthEndpoint, ProvidedTransport, RetryPolicy, TokenEndpoint, TokenFlow, TokenProvider,
    TokenResponse, TokenSource, Transport, TransportError,
};
use bothends_runtime::http::{HeaderValue, Request, Uri};
use bothends_runtime::server::{Body, Response};
use std::fmt::Debug;
use std::time::Duration;

fn secret(name: &str) -> String {
    format!("{name}-{MARK}")
}

fn all() -> Credentials {
    Credentials {
        basic: Some(Basic::new(secret("user"), secret("basic"))),
        bearer: Some(secret("bearer").into()),
        header: Some(secret("header").into()),
        query: Some(secret("query").into()),
        cookie: Some(secret("cookie").into()),
    }
}

/// Shows what a user's hook is given.
struct Hook(Shown);

impl RetryPolicy for Hook {
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay> {
        self.0.debug(attempt);
        if let Some(error) = attempt.error {
            self.0.error(error);
        }
        (attempt.number < 2).then(|| -> Delay { Box::pin(async {}) })
    }
}

fn request() -> BearerRequest {
    BearerRequest::new().password(secret("password"))
}

async fn call<T: Transport + Debug + Clone>(shown: &Shown, core: ClientCore<T>) {
    let core = core.credentials(all()).retry(Hook(shown.clone()));
    shown.debug(&core);
    let key = HeaderValue::from_str(&secret("key")).unwrap();
    let options = CallOptions::new()
        .header("x-further", key)
        .query("further", &secret("pair"));
    shown.debug(&options);
    let core = core.with(options);
    let bearer = core.call(&request()).await;
    let basic = BasicRequest {
        password: request().password,
    };
    let basic = core.call(&basic).await;
    for outcome in [bearer, basic] {
        let error = outcome.unwrap_err();
        if let Some(answer) = error.raw_response() {
            shown.debug(answer);
        }
        shown.error(&error);
    }
}

fn send(text: &str) -> Step {
    Step::Send(text.as_bytes().to_vec())
}

#[tokio::test(start_paused = true)]
async fn calls_show_no_secret() {
    let shown = Shown::default();
    let guard = tracing::subscriber::set_default(shown.clone());
    let own = format!("set-cookie: sid={MARK}\r\nlocation: /?code={MARK}\r\n");
    let head = |status: u16, more: &str| send(&format!("HTTP/1.1 {status} X\r\n{own}{more}\r\n"));
    let scripts = [
        vec![],
        vec![send("nonsense\r\n\r\n")],
        vec![Step::Echo],
        vec![Step::Stall],
        // A server that sends back what it got: by a documented error, another, and no JSON.
        vec![head(500, ""), Step::Echo],
        vec![head(404, ""), Step::Echo],
        vec![head(200, ""), Step::Echo],
        vec![head(302, "content-length: 0\r\n")],
        vec![head(200, "content-length: 99999999999\r\n"), Step::Echo],
        vec![head(200, "content-length: 9999\r\n"), Step::Echo],
        vec![
            head(200, "content-length: 9999\r\n"),
            Step::Echo,
            Step::Stall,
        ],
        vec![head(200, "content-encoding: gzip\r\n"), Step::Echo],
        vec![head(200, "transfer-encoding: chunked\r\n"), Step::Echo],
    ];
    for script in scripts {
        let peer = Peer::new(script).await;
        call(&shown, core(&peer.url)).await;
        call(&shown, over_reqwest(&peer.url)).await;
        // What was to be hidden was there.
        let heads = peer.heads().concat();
        if !heads.is_empty() {
            for part in [
                "authorization: Bearer bearer-",
                "x-api-key: header-",
                "api_key=query-",
                "sid=cookie-",
            ] {
                let part = format!("{part}{MARK}").to_lowercase();
                assert!(heads.to_lowercase().contains(&part), "{part} of {heads}");
            }
        }
    }
    // Nobody listens; there is no such host; TLS where there is none.
    for url in [
        "http://127.0.0.1:1",
        "http://host.invalid",
        "https://127.0.0.1:1",
    ] {
        call(&shown, core(url)).await;
        call(&shown, over_reqwest(url)).await;
    }
    // What cannot be sent.
    for wrong in ["a\r\nb", "a\0b"] {
        let wrong = || Some(format!("{wrong}{MARK}").into());
        for credentials in [
            Credentials {
                bearer: wrong(),
                ..all()
            },
            Credentials {
                header: wrong(),
                ..all()
            },
        ] {
            let core = core("http://127.0.0.1:1").credentials(credentials);
            shown.error(&core.call(&request()).await.unwrap_err());
        }
        let basic = Some(Basic::new("a:b", secret("basic")));
        let core = core("http://127.0.0.1:1").credentials(Credentials { basic, ..all() });
        let error = core.call(&BasicRequest::new()).await.unwrap_err();
        assert!(matches!(error, Error::Encode(_)));
        shown.error(&error);
    }
    drop(guard);
    assert!(shown.search() > 300);
}

/// A transport of one's own that names the URL, as reqwest does.
#[derive(Debug, Clone)]
struct Plain(reqwest::Client);

impl Transport for Plain {
    async fn send(&self, request: Request<Body>) -> Result<Response, TransportError> {
        let url = request.uri().to_string();
        let boxed: Box<dyn std::error::Error + Send + Sync> = match self.0.get(url).send().await {
            Ok(_) => "it answers".into(),
            Err(error) => error.into(),
        };
        assert!(boxed.to_string().contains(MARK));
        Err(TransportError::new(boxed))
    }
}

#[tokio::test]
async fn errors_of_reqwest_lose_their_url_whoever_hands_them_on() {
    let shown = Shown::default();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let core = ClientCore::new("http://127.0.0.1:1", Plain(client)).unwrap();
    call(&shown, core).await;
    shown.search();
}

#[tokio::test(start_paused = true)]
async fn addresses_show_no_name_and_password() {
    let shown = Shown::default();
    for url in [
        "https://user:S3CRET@h/",
        "https://user:S3CRET@h/a b",
        "user:S3CRET@h",
        "https://h/?key=S3CRET",
        "https://h/#S3CRET",
        "ftp://S3CRET@h",
        "https://u:S3CRET@",
    ] {
        shown.error(&ClientCore::new(url, ()).unwrap_err());
        shown.error(&ClientCore::reqwest(url).unwrap_err());
        shown.error(&HyperTransport::provide(url).unwrap_err());
        let good = core("http://h");
        shown.error(&good.clone().override_server("x", url).unwrap_err());
        shown.error(&good.clone().trust_origin(url).unwrap_err());
        let flow: &'static str = Box::leak(url.to_owned().into_boxed_str());
        let flow = TokenFlow::new("oauth", flow);
        if let Err(error) = good.trust_every_origin().token_source(flow, "id", MARK) {
            shown.error(&error);
        }
    }
    assert!(shown.search() > 50);
}

const FLOW: TokenFlow = TokenFlow::new("bearer", "/token");

#[tokio::test(start_paused = true)]
async fn tokens_show_no_secret() {
    let shown = Shown::default();
    let guard = tracing::subscriber::set_default(shown.clone());
    let granted = |text: &str| {
        let head = "HTTP/1.1 200 OK\r\n\r\n";
        vec![send(&format!("{head}{text}"))]
    };
    let refused = "HTTP/1.1 400 X\r\n\r\n{\"error\":\"invalid_client\",\"error_description\":\"not client-S3CRET\"}";
    for script in [
        vec![],
        vec![Step::Echo],
        vec![Step::Stall],
        vec![send(refused)],
        granted("S3CRET"),
        granted("{\"access_token\":1,\"refresh_token\":\"S3CRET\"}"),
        granted("{\"access_token\":\"S3CRET\\n\"}"),
        granted("{\"access_token\":\"S3CRET\",\"token_type\":\"S3CRET\"}"),
        granted("{\"access_token\":\"S3CRET\",\"expires_in\":\"S3CRET\"}"),
        granted("{\"access_token\":\"S3CRET\",\"refresh_token\":[\"S3CRET\"]}"),
    ] {
        let peer = Peer::new(script).await;
        let core = core(&peer.url);
        let tokens = core.token_source(FLOW, "id", secret("client")).unwrap();
        shown.debug(&tokens);
        shown.error(&tokens.obtain().await.unwrap_err());
        let without = Credentials {
            bearer: None,
            ..all()
        };
        let core = core.credentials(without).tokens(tokens);
        shown.debug(&core);
        let error = core.call(&request()).await.unwrap_err();
        assert!(matches!(error, Error::Token(_)), "{error:#}");
        shown.error(&error);
    }

    // A pair that is refreshed, by an endpoint whose URL has a name and a password.
    let url: Uri = "http://user:S3CRET@127.0.0.1:1/token?key=S3CRET"
        .parse()
        .unwrap();
    let endpoint = OAuthEndpoint::new(transport(), url, FLOW, "id", secret("client"));
    shown.debug(&endpoint);
    shown.error(&endpoint.obtain().await.unwrap_err());
    let pair = TokenResponse {
        access_token: secret("access").into(),
        refresh_token: Some(secret("refresh").into()),
        lifetime: Some(Duration::ZERO),
    };
    shown.debug(&pair);
    let tokens = TokenSource::new(FLOW, endpoint);
    tokens.put(pair);
    tokio::time::advance(Duration::from_secs(5)).await;
    shown.error(&tokens.obtain().await.unwrap_err());
    drop(guard);
    assert!(shown.search() > 50);
}

#[tokio::test]
async fn credentials_show_no_secret() {
    let shown = Shown::default();
    shown.debug(&all());
    let text = all().bearer.unwrap();
    shown.debug(&text);
    shown.debug(&[
        Credential::basic(&all().basic.unwrap()),
        Credential::bearer(&text),
        Credential::http(&text, "Word"),
        Credential::header(&text, "h"),
        Credential::query(&text, "q"),
        Credential::cookie(&text, "c"),
    ]);
    shown.search();
}
