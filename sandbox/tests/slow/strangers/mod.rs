//! schemathesis against the sandbox: the documented API with and without valid credentials, and the
//! console API. No check fails.
//!
//! It is found at `BOTHENDS_SCHEMATHESIS`, or where `.ci/run` installs it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bothends_test_environment::skipped;
use financial_data_sandbox::Sandbox;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn schemathesis(test: &str) -> Option<PathBuf> {
    let set = std::env::var_os("BOTHENDS_SCHEMATHESIS").map(PathBuf::from);
    let path = set.unwrap_or_else(|| root().join("target/ci-schemathesis/bin/schemathesis"));
    if path.is_file() {
        return Some(path);
    }
    let missing = format!("no schemathesis at {}", path.display());
    skipped(
        test,
        &missing,
        "install it and set BOTHENDS_SCHEMATHESIS to its command, or run .ci/run",
    );
    None
}

/// Settings of schemathesis. 422 is the response to a value that the schema permits and the state does not,
/// such as a customer that does not exist. A customer is deleted by a task that ends later (202), so the
/// check that a deleted resource is gone does not apply to it.
const SETTINGS: &str = "[checks]
positive_data_acceptance.expected-statuses = [\"2xx\", 401, 403, 404, 405, 409, 422]

[[operations]]
include-operation-id = \"getCustomer\"
checks.use_after_free.enabled = false
";

/// Runs schemathesis on a spec and a server with these headers; its report if a check failed.
async fn run(
    schemathesis: PathBuf,
    spec: &'static str,
    url: String,
    headers: Vec<String>,
    more: &'static [&'static str],
) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("schemathesis.toml"), SETTINGS).unwrap();
    let running = tokio::task::spawn_blocking(move || {
        let mut command = Command::new(schemathesis);
        command
            .arg("run")
            .arg(root().canonicalize().unwrap().join("spec").join(spec))
            .args(["--url", &url])
            .args(["--seed", "1", "--max-examples", "25", "--no-color"])
            .args(headers.iter().flat_map(|header| ["-H", header]))
            .args(more)
            .current_dir(folder.path());
        command.output().unwrap()
    });
    let output = running.await.unwrap();
    let reported = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{reported}");
    println!(
        "{}",
        reported
            .lines()
            .filter(|line| line.contains("generated"))
            .collect::<Vec<_>>()
            .join(", ")
    );
}

/// Obtains an access token with a request written by hand.
async fn token(sandbox: &Sandbox) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let first = sandbox.first().unwrap();
    let address = sandbox.api_url().strip_prefix("http://").unwrap();
    let basic = STANDARD.encode(format!("{}:{}", first.client_id, first.client_secret));
    let body = "grant_type=client_credentials";
    let request = format!(
        "POST /v1/oauth/token HTTP/1.1\r\nHost: {address}\r\nAuthorization: Basic {basic}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    let (_, body) = response.split_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    body["data"]["access_token"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "slow suite `strangers`: run with --include-ignored"]
async fn the_api_with_credentials() {
    let Some(schemathesis) = schemathesis("the_api_with_credentials") else {
        return;
    };
    let sandbox = Sandbox::start().await.unwrap();
    let first = sandbox.first().unwrap();
    let headers = vec![
        format!("Authorization: Bearer {}", token(&sandbox).await),
        format!("X-Client-Id: {}", first.client_id),
        format!("X-Customer-Id: {}", first.customer_id),
    ];
    run(
        schemathesis,
        "financial-data.yaml",
        sandbox.api_url().to_owned(),
        headers,
        &[],
    )
    .await;
    sandbox.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "slow suite `strangers`: run with --include-ignored"]
async fn the_api_without_credentials() {
    let Some(schemathesis) = schemathesis("the_api_without_credentials") else {
        return;
    };
    let sandbox = Sandbox::start().await.unwrap();
    run(
        schemathesis,
        "financial-data.yaml",
        sandbox.api_url().to_owned(),
        Vec::new(),
        &[],
    )
    .await;
    sandbox.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "slow suite `strangers`: run with --include-ignored"]
async fn the_console_api() {
    let Some(schemathesis) = schemathesis("the_console_api") else {
        return;
    };
    let sandbox = Sandbox::start().await.unwrap();
    let headers = vec![format!("Authorization: Bearer {}", sandbox.console_token())];
    // Streams do not end, so they are left out.
    let more = &[
        "--exclude-operation-id",
        "watchActivity",
        "--exclude-operation-id",
        "watchReceived",
    ];
    run(
        schemathesis,
        "console.yaml",
        sandbox.console_url().to_owned(),
        headers,
        more,
    )
    .await;
    sandbox.stop().await;
}
