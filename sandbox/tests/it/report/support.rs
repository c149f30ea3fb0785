//! What the tests share: raw HTTP, the console API, and the report.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use financial_data_sandbox::Sandbox;
use financial_data_sandbox::app::App;
use financial_data_sandbox::conformance::{self, History, Report, Verdict};
use serde_json::{Value, json};
use std::fmt::Write as _;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A signing token of sufficient length.
pub(crate) const TOKEN: &str = "a-signing-token-of-forty-four-characters-abc";

/// A response as it was received.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

/// Sends one request over a connection of its own.
pub(crate) async fn http(
    method: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Received {
    let rest = url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_at(rest.find('/').unwrap());
    let length = body.len();
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
    for (name, value) in headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    let _ = write!(head, "content-length: {length}\r\n\r\n{body}");
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await.unwrap();
    let response = String::from_utf8(response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    Received {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        body: serde_json::from_str(body).unwrap_or(Value::Null),
    }
}

/// A sandbox with fast tasks, and its first project.
pub(crate) struct Fixture {
    pub(crate) sandbox: Sandbox,
    pub(crate) project: String,
    pub(crate) client_id: String,
    client_secret: String,
    pub(crate) customer_id: String,
}

impl Fixture {
    pub(crate) async fn start() -> Self {
        let sandbox = crate::database::start().await;
        let first = sandbox.first().unwrap().clone();
        let fixture = Self {
            sandbox,
            project: first.project.id,
            client_id: first.client_id,
            client_secret: first.client_secret,
            customer_id: first.customer_id,
        };
        let completion = json!({"mode": "automatic", "step_milliseconds": 20});
        let patch = json!({"settings": {"completion": completion}});
        fixture.console("PATCH", "", &patch).await;
        fixture
    }

    pub(crate) fn app(&self) -> &App {
        self.sandbox.app()
    }

    /// Calls the console API below the project.
    pub(crate) async fn console(&self, method: &str, path: &str, body: &Value) -> Value {
        let (console, project) = (self.sandbox.console_url(), &self.project);
        let url = format!("{console}/api/projects/{project}{path}");
        let token = format!("Bearer {}", self.sandbox.console_token());
        let headers = [
            ("authorization", token.as_str()),
            ("content-type", "application/json"),
        ];
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let response = http(method, &url, &headers, &body).await;
        assert!(response.status < 300, "{method} {path}: {response:?}");
        response.body
    }

    /// Sends a form to the token endpoint.
    pub(crate) async fn token(&self, form: &str) -> Received {
        let basic = self.basic();
        let mut headers = vec![
            ("content-type", "application/x-www-form-urlencoded"),
            ("x-client-id", self.client_id.as_str()),
        ];
        if form.contains("client_credentials") {
            headers.push(("authorization", basic.as_str()));
        }
        let url = format!("{}/v1/oauth/token", self.sandbox.api_url());
        http("POST", &url, &headers, form).await
    }

    fn basic(&self) -> String {
        let pair = format!("{}:{}", self.client_id, self.client_secret);
        format!("Basic {}", STANDARD.encode(pair))
    }

    /// Obtains an access token and a refresh token.
    pub(crate) async fn tokens(&self) -> (String, String) {
        let response = self.token("grant_type=client_credentials").await;
        assert_eq!(response.status, 200, "{response:?}");
        let text = |name: &str| response.body["data"][name].as_str().unwrap().to_owned();
        (text("access_token"), text("refresh_token"))
    }

    /// Calls the API with a token.
    pub(crate) async fn api(
        &self,
        method: &str,
        path: &str,
        token: &str,
        headers: &[(&str, &str)],
    ) -> Received {
        let bearer = format!("Bearer {token}");
        let mut all = vec![("authorization", bearer.as_str())];
        all.extend_from_slice(headers);
        let url = format!("{}{path}", self.sandbox.api_url());
        http(method, &url, &all, "").await
    }

    /// Returns the report, once the log has everything that happened before this call.
    pub(crate) async fn report(&self) -> Report {
        let app = self.app();
        let mut activity = app.recorder.watch();
        let marker = format!("/v1/{}", financial_data_sandbox::ids::fresh());
        let url = format!("{}{marker}", self.sandbox.api_url());
        http("GET", &url, &[("authorization", &self.basic())], "").await;
        loop {
            let history = History::read(&app.store, &self.project, App::system_now()).await;
            if history
                .unwrap()
                .calls
                .iter()
                .any(|call| call.path == marker)
            {
                let project = app.project(&self.project).await.unwrap().unwrap();
                return conformance::report(app, &project).await.unwrap();
            }
            let _ = activity.recv().await;
        }
    }

    /// Subscribes URLs by kind, and returns the id of the subscription.
    pub(crate) async fn subscribe(&self, input: &Value) -> String {
        let subscription = self.console("POST", "/subscriptions", input).await;
        subscription["id"].as_str().unwrap().to_owned()
    }
}

/// Asserts the verdicts on some rules.
#[track_caller]
pub(crate) fn verdicts(report: &Report, verdict: Verdict, rules: &[&str]) {
    for rule in rules {
        let finding = report.finding(rule).unwrap();
        assert_eq!(finding.verdict, verdict, "{finding:#?}");
    }
}

/// Serves a router on a free port, and returns its URL.
pub(crate) async fn serve(router: axum::Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}
