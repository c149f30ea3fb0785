//! Credentials go where the user of a client has said, wherever the document directs them.

use super::api::*;
use super::peer::Peer;
use bothends_runtime::client::{
    Body, BuildError, CallOptions, ClientCore, Error, TokenFlow, Transport, TransportError,
};
use bothends_runtime::http::{HeaderName, HeaderValue, Request, Response, Uri};
use std::sync::{Arc, Mutex};

/// Notes where requests go, and answers 204.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<Uri>>>);

impl Transport for Notes {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        self.0.lock().unwrap().push(request.uri().clone());
        let mut response = Response::new(Body::empty());
        *response.status_mut() = status(204);
        Ok(response)
    }
}

fn all() -> Credentials {
    Credentials {
        basic: None,
        bearer: Some("b".into()),
        header: Some("h".into()),
        query: Some("q".into()),
        cookie: Some("c".into()),
    }
}

fn client(base: &str) -> (ClientCore<Notes>, Notes) {
    let notes = Notes::default();
    let core = ClientCore::new(base, notes.clone()).unwrap();
    (core.credentials(all()), notes)
}

async fn refused(core: &ClientCore<Notes>) -> Option<String> {
    match core.call(&ElsewhereRequest::new()).await {
        Ok(_) => None,
        Err(Error::UntrustedOrigin(error)) => {
            assert_eq!(error.sender(), "elsewhere");
            Some(error.origin().to_owned())
        }
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_server_of_the_document_gets_no_credentials_unless_it_is_trusted() {
    const FILES: &str = "https://files.example.com:8443";
    let (core, notes) = client("https://api.example.com/v1");
    assert_eq!(refused(&core).await.as_deref(), Some(FILES));
    assert!(notes.0.lock().unwrap().is_empty(), "nothing was sent");
    // The same host by another port or scheme is another origin (RFC 6454, section 4).
    for near in [
        "https://files.example.com",
        "http://files.example.com:8443",
        "https://example.com:8443",
        "https://files.example.com.evil.example:8443",
    ] {
        let core = core.clone().trust_origin(near).unwrap();
        assert_eq!(refused(&core).await.as_deref(), Some(FILES), "{near}");
    }
    let upper = "HTTPS://FILES.example.com:8443/whatever";
    for trusting in [
        core.clone().trust_origin(FILES).unwrap(),
        core.clone().trust_origin(upper).unwrap(),
        core.clone().trust_every_origin(),
        core.clone().override_all_servers(),
        // The user has named it, or another in its place.
        core.clone()
            .override_server("https://files.example.com:8443/up", "http://localhost:1")
            .unwrap(),
        client("https://files.example.com:8443/v1").0,
        // There is nothing to be shown.
        core.clone().credentials(Credentials::default()),
    ] {
        let outcome = trusting.call(&ElsewhereRequest::new()).await;
        let missing = matches!(outcome, Err(Error::MissingCredentials(_)));
        assert!(outcome.is_ok() || missing, "{:?}", outcome.err());
    }
    core.call(&OpenElsewhereRequest {}).await.unwrap();
    assert!(core.clone().trust_origin("files.example.com").is_err());

    // From https to http on the same host, all would be there to read.
    let error = core.call(&DowngradeRequest::new()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`downgrade` would send credentials to `http://api.example.com`, which is not the server of this \
         client: allow it with `ClientCore::trust_origin`"
    );
}

#[tokio::test]
async fn headers_that_are_credentials_count() {
    let (core, notes) = client("https://api.example.com");
    let core = core.credentials(Credentials::default());
    let name = |name: &'static str| HeaderName::from_static(name);
    let mut secret = HeaderValue::from_static("k");
    secret.set_sensitive(true);
    for with in [
        core.clone()
            .header(name("authorization"), HeaderValue::from_static("Bearer b")),
        core.clone()
            .header(name("cookie"), HeaderValue::from_static("a=b")),
        core.clone().header(name("x-key"), secret),
        core.with(CallOptions::new().header("authorization", "Bearer b")),
        core.with(CallOptions::new().query("api_key", "k")),
    ] {
        let error = with.call(&OpenElsewhereRequest {}).await.unwrap_err();
        assert!(matches!(error, Error::UntrustedOrigin(_)), "{error}");
    }
    let harmless = core.with(CallOptions::new().header("x-request-id", "1"));
    harmless.call(&OpenElsewhereRequest {}).await.unwrap();
    assert_eq!(notes.0.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_token_url_elsewhere_gets_no_client_secret_unless_it_is_trusted() {
    const ELSEWHERE: TokenFlow = TokenFlow::new("oauth", "https://login.example.com/token");
    let (core, _) = client("https://api.example.com/v1");
    let source_of = |core: &ClientCore<Notes>, flow| core.token_source(flow, "id", "secret");
    match source_of(&core, ELSEWHERE) {
        Err(BuildError::UntrustedOrigin(error)) => {
            assert_eq!(error.sender(), "oauth");
            assert_eq!(error.origin(), "https://login.example.com");
        }
        other => panic!("{other:?}"),
    }
    let trusting = core.clone().trust_origin("https://login.example.com:443");
    assert!(source_of(&trusting.unwrap(), ELSEWHERE).is_ok());
    assert!(source_of(&core, TokenFlow::new("oauth", "/token")).is_ok());
    assert!(source_of(&core, TokenFlow::new("oauth", "https://api.example.com/t")).is_ok());
    let downgrade = TokenFlow::new("oauth", "http://api.example.com/t");
    assert!(matches!(
        source_of(&core, downgrade),
        Err(BuildError::UntrustedOrigin(_))
    ));
    let named = TokenFlow::new("oauth", "https://user:pass@api.example.com/t");
    assert!(matches!(source_of(&core, named), Err(BuildError::Base(_))));
}

/// reqwest would follow, and take off `Authorization` for another host, but no header of an API's own.
#[tokio::test(start_paused = true)]
async fn a_redirect_takes_no_credentials_along() {
    let other = Peer::sending("HTTP/1.1 204 No Content\r\n\r\n").await;
    for code in [301, 302, 303, 307, 308] {
        let head = format!(
            "HTTP/1.1 {code} X\r\nlocation: {}/secured\r\ncontent-length: 0\r\n\r\n",
            other.url
        );
        let peer = Peer::sending(head).await;
        let core = core(&peer.url).credentials(all());
        let error = core.call(&BearerRequest::new()).await.unwrap_err();
        assert_eq!(error.status(), Some(status(code)));
        assert_eq!(peer.heads().len(), 1);
    }
    assert!(other.heads().is_empty());
}
