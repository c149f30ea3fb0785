//! Token endpoints with the rules of Entra ID, Okta and Auth0, which are servers in Python.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use api::client::{Client, MACHINE_FLOW};
use bothends_runtime::client::{
    AssertionClaims, ClientAuthentication, HyperTransport, OAuthEndpoint, TokenEndpoint,
    TokenError, TokenProvider, TokenRequest, TokenSource,
};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "34-token-endpoints");

/// The servers, which end with the test.
struct Services {
    child: Child,
    lines: BufReader<ChildStdout>,
    url: String,
}

impl Drop for Services {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Services {
    fn start() -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/token_endpoints.py");
        let child = Command::new("python3")
            .arg(script)
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.expect("python3");
        let mut lines = BufReader::new(child.stdout.take().expect("its output"));
        let mut port = String::new();
        lines.read_line(&mut port).expect("a port");
        let url = format!("http://127.0.0.1:{}", port.trim());
        Self { child, lines, url }
    }

    /// The next token request: its path and the fields of its form.
    fn request(&mut self) -> serde_json::Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a request");
        serde_json::from_str(&line).expect("JSON")
    }

    fn endpoint(&self, service: &str, request: TokenRequest) -> OAuthEndpoint<HyperTransport> {
        let url = |path: &str| format!("{}/{path}/token", self.url).parse();
        let transport = HyperTransport::new().expect("a transport");
        let at = url(service).expect("a URL");
        let endpoint = OAuthEndpoint::new(transport, at, MACHINE_FLOW, "me", "s3cret");
        let endpoint = endpoint.with_request(request);
        endpoint.with_refresh_url(url("refresh").expect("a URL"))
    }

    fn tokens(
        &self,
        service: &str,
        request: TokenRequest,
    ) -> TokenSource<OAuthEndpoint<HyperTransport>> {
        TokenSource::new(MACHINE_FLOW, self.endpoint(service, request))
    }

    fn obtain(&self, service: &str, request: TokenRequest) -> Result<String, TokenError> {
        let tokens = self.tokens(service, request);
        let token = block_on(async move { tokens.obtain().await })?;
        Ok(token.expose().to_owned())
    }

    fn client(&self, tokens: impl TokenProvider + 'static) -> Client {
        Client::new(&self.url)
            .expect("a client")
            .with_tokens(tokens)
    }
}

#[test]
fn entra_gets_a_scope_and_the_secret_in_the_form() {
    let mut services = Services::start();
    let error = services
        .obtain("entra", TokenRequest::new())
        .expect_err("no scope");
    let text = error.to_string();
    assert!(text.contains("`invalid_request`: AADSTS900144: "), "{text}");
    assert!(!error.is_retryable());
    let request = TokenRequest::new().scope("api://orders/.default");
    assert!(services.obtain("entra", request.clone()).is_err());
    let request = request.authentication(ClientAuthentication::Form);
    let token = services.obtain("entra", request).expect("a token");
    assert_eq!(token, "t1/api://orders/.default/");
    let _ = (services.request(), services.request());
    let form = services.request();
    assert_eq!(form["form"]["client_id"], "me");
}

/// Signs with HMAC, which the server checks by the standard library of Python.
fn signed(claims: &AssertionClaims) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let script = "import base64,hashlib,hmac,sys\n\
        b=lambda of: base64.urlsafe_b64encode(of).decode().rstrip('=')\n\
        text=b(b'{\"alg\":\"HS256\"}')+'.'+b(sys.argv[1].encode())\n\
        print(text+'.'+b(hmac.new(b'the key of the client',text.encode(),hashlib.sha256).digest()),end='')";
    let claims = serde_json::to_string(claims)?;
    let output = Command::new("python3")
        .args(["-c", script, &claims])
        .output()?;
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn okta_gets_a_signed_assertion_and_a_scope() {
    let mut services = Services::start();
    let request = TokenRequest::new().private_key_jwt(signed);
    let error = services
        .obtain("okta", request.clone())
        .expect_err("no scope");
    assert!(
        error.to_string().contains("'scope' must be provided"),
        "{error}"
    );
    let token = services
        .obtain("okta", request.scope("read"))
        .expect("a token");
    assert_eq!(token, "t1/read/");
    let form = services.request()["form"].clone();
    assert_eq!(form["client_id"], "me");
    assert!(form.get("client_secret").is_none());
    let failing = TokenRequest::new().private_key_jwt(|_| Err("no key".into()));
    let error = services.obtain("okta", failing).expect_err("no assertion");
    assert!(error.to_string().contains("cannot be signed"), "{error}");
}

#[test]
fn auth0_gets_an_audience() {
    let services = Services::start();
    let error = services
        .obtain("auth0", TokenRequest::new())
        .expect_err("no audience");
    assert!(
        error.to_string().contains("`access_denied`: No audience"),
        "{error}"
    );
    let request = TokenRequest::new()
        .audience("https://api.example.com")
        .resource("urn:a&b");
    assert_eq!(
        services.obtain("auth0", request).expect("a token"),
        "t1//urn:a&b"
    );
}

#[test]
fn the_scope_is_that_of_the_operation_unless_one_is_given() {
    let mut services = Services::start();
    let client = services.client(services.tokens("plain", TokenRequest::new()));
    block_on(async {
        let seen = client.list_things().await.expect("things");
        assert_eq!(seen[0], "Bearer t1/read/");
        let agent = format!("bothends-case-tests/{} bothends", env!("CARGO_PKG_VERSION"));
        assert_eq!(seen[1], agent);
        let added = client.add_thing().await.expect("a thing");
        assert_eq!(added.headers()["x-authorization"], "Bearer t2/write admin/");
        let seen = client.list_things().await.expect("things");
        assert_eq!(seen[0], "Bearer t1/read/");
    });
    assert_eq!(services.request()["form"]["scope"], "read");
    assert_eq!(services.request()["form"]["scope"], "write admin");
    let client = services.client(services.tokens("plain", TokenRequest::new().scope("all")));
    block_on(async {
        let seen = client.list_things().await.expect("things");
        let added = client.add_thing().await.expect("a thing");
        assert_eq!(
            added.headers()["x-authorization"].to_str().ok(),
            Some(seen[0].as_str())
        );
    });
    assert_eq!(services.request()["form"]["scope"], "all");
}

#[test]
fn a_refresh_token_is_sent_to_the_refresh_url_and_replaced() {
    let mut services = Services::start();
    let endpoint = services.endpoint("plain", TokenRequest::new().scope("read").audience("a"));
    block_on(async {
        let first = endpoint.obtain().await.expect("a token");
        let first = first.refresh_token.expect("a refresh token");
        let second = endpoint.refresh(&first).await.expect("a token");
        assert_ne!(second.refresh_token.expect("a refresh token"), first);
        let error = endpoint.refresh(&first).await.expect_err("a used token");
        assert!(
            error
                .to_string()
                .contains("`invalid_grant`: The refresh token"),
            "{error}"
        );
    });
    let _ = services.request();
    let refreshed = services.request();
    assert_eq!(refreshed["path"], "/refresh/token");
    assert!(refreshed["form"].get("scope").is_none());
    assert_eq!(refreshed["form"]["audience"], "a");
}

/// The rules of RFC 6749, 5.1: the type of a token in any case, and a lifetime as a text or absent.
#[test]
fn a_token_response_is_read_in_the_forms_that_services_use() {
    for (expires, seconds) in [
        ("3600", Some(3600)),
        ("\"3600\"", Some(3600)),
        ("null", None),
    ] {
        let body =
            format!(r#"{{"access_token":"t","token_type":"BEARER","expires_in":{expires}}}"#);
        let read = MACHINE_FLOW.read(body.as_bytes()).expect("a token");
        assert_eq!(read.lifetime.map(|lifetime| lifetime.as_secs()), seconds);
    }
    let body = br#"{"access_token":"t","token_type":"bearer","refresh_token":"r2"}"#;
    let read = MACHINE_FLOW.read(body).expect("a token");
    assert_eq!(read.refresh_token.expect("a token").expose(), "r2");
    assert_eq!(MACHINE_FLOW.url(), "http://127.0.0.1:8080/oauth/token");
}
