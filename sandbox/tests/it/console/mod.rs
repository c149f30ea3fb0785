//! The console: its API and its pages, by HTTP as it is on the wire.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

mod api;
mod http;
mod pages;
mod snapshots;
mod strangers;
mod streams;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use financial_data_sandbox::Sandbox;
use financial_data_sandbox::seed::Seeded;
use http::Reply;
use serde_json::Value;

/// A sandbox with its first project, and the token of its console API.
struct Console {
    sandbox: Sandbox,
    first: Seeded,
}

impl Console {
    async fn start() -> Self {
        let sandbox = crate::database::start().await;
        let first = sandbox.first().expect("a first project").clone();
        Self { sandbox, first }
    }

    fn project(&self) -> &str {
        &self.first.project.id
    }

    /// Calls an operation of the console API.
    async fn call(&self, method: &str, path: &str, body: Option<Value>) -> Reply {
        let token = format!("Bearer {}", self.sandbox.console_token());
        let mut headers = vec![("authorization", token.as_str())];
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        if !body.is_empty() {
            headers.push(("content-type", "application/json"));
        }
        http::send(self.sandbox.console_url(), method, path, &headers, &body).await
    }

    /// Calls an operation on the first project, and returns the body of the expected response.
    async fn expect(&self, status: u16, method: &str, path: &str, body: Option<Value>) -> Value {
        let path = format!("/api/projects/{}{path}", self.project());
        let reply = self.call(method, &path, body).await;
        assert_eq!(reply.status, status, "{method} {path}: {reply:?}");
        if reply.body.is_empty() {
            Value::Null
        } else {
            reply.json()
        }
    }

    async fn get(&self, path: &str) -> Value {
        self.expect(200, "GET", path, None).await
    }
}

/// Returns whether credentials obtain a token from the documented API.
async fn token(console: &Console, client: &str, secret: Option<&str>) -> bool {
    let basic = format!("{client}:{}", secret.expect("a secret"));
    let basic = STANDARD.encode(basic);
    let authorization = format!("Basic {basic}");
    let headers = [
        ("authorization", authorization.as_str()),
        ("content-type", "application/x-www-form-urlencoded"),
    ];
    let body = "grant_type=client_credentials";
    let reply = http::send(
        console.sandbox.api_url(),
        "POST",
        "/v1/oauth/token",
        &headers,
        body,
    )
    .await;
    assert!([200, 401].contains(&reply.status), "{reply:?}");
    reply.status == 200
}

#[tokio::test]
#[ignore = "slow suite `databases`: run with --include-ignored"]
async fn all_of_console_on_postgresql() {
    crate::database::again_on_postgresql("console").await;
}
