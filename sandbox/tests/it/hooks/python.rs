//! The witness in Python: it receives webhooks, and verifies signatures and bodies on its own.

use super::support::{Arrived, TOKEN, change, start, trigger};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bothends_test_environment::{has_python, skipped};
use financial_data_sandbox::catalogue::catalogue;
use financial_data_sandbox::model::SigningVariant;
use financial_data_sandbox::subscriptions::{self, SubscriptionInput};
use financial_data_sandbox::webhooks;
use financial_data_sandbox::webhooks::keys::{self, KeyAlgorithm};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

/// Starts the script. `None`, with a line that says so, where a program or library is missing.
fn script(test: &str, arguments: &[&str]) -> Option<Child> {
    let there = has_python(test);
    assert!(
        there || std::env::var_os("CI").is_none(),
        "python3 is needed in CI"
    );
    let command = || {
        let mut command = Command::new("python3");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/hooks.py");
        command.arg("-B").arg(script).env("PYTHONUTF8", "1");
        command
    };
    if !there {
        return None;
    }
    let library = command()
        .arg("library")
        .stdout(Stdio::null())
        .status()
        .unwrap();
    if !library.success() {
        assert!(
            std::env::var_os("CI").is_none(),
            "CI needs PyJWT: .ci/run installs it"
        );
        let remedy = "install Debian's package python3-jwt or python3-cryptography";
        skipped(test, "Python has no library for JWTs", remedy);
        return None;
    }
    let child = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    Some(child.unwrap())
}

/// Returns for each request whether the script verifies its signature.
pub(crate) fn verify(
    test: &str,
    requests: &[Arrived],
    token: &str,
    jwks: &Value,
) -> Option<Vec<bool>> {
    let mut child = script(test, &["verify"])?;
    let requests: Vec<Value> = requests
        .iter()
        .map(|request| {
            let headers: BTreeMap<String, &str> = request
                .headers
                .iter()
                .map(|(name, value)| (name.to_lowercase(), value.as_str()))
                .collect();
            json!({"headers": headers, "body": STANDARD.encode(&request.body)})
        })
        .collect();
    let input = json!({"requests": requests, "token": token, "jwks": jwks});
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.to_string().as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// Receives all kinds with one signing variant. The script checks signature, method, field names and
/// types, and exits when it has seen all kinds.
async fn receive_all(test: &str, variant: SigningVariant) {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    if variant == SigningVariant::Key {
        // Two keys are published, of different algorithms.
        keys::rotate(app, KeyAlgorithm::EdDsa).await.unwrap();
    }
    let jwks = webhooks::jwks(app).await.unwrap().to_string();
    let Some(mut child) = script(test, &["receive", TOKEN, &jwks]) else {
        return;
    };
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let port = lines.next().unwrap().unwrap();
    change(app, &id, |project| project.settings.signing = variant).await;
    // One URL per webhook, because most bodies do not name their kind.
    let kinds = catalogue().unwrap();
    let urls = kinds.iter().map(|kind| {
        let url = format!("http://127.0.0.1:{port}/{}", kind.kind);
        (kind.kind.clone(), url)
    });
    let input = SubscriptionInput {
        urls: urls.collect(),
        signing_token: Some(TOKEN.to_owned()),
        ..SubscriptionInput::default()
    };
    subscriptions::create(app, &id, input).await.unwrap();
    let header = match variant {
        SigningVariant::Token => "x-token-signature",
        SigningVariant::Key => "x-signature",
    };
    for kind in kinds {
        trigger(app, &id, &kind.kind).await;
    }
    let reports = tokio::task::spawn_blocking(move || -> Vec<Value> {
        let reports = lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap());
        reports.collect()
    });
    let reports = reports.await.unwrap();
    assert!(child.wait().unwrap().success());
    let mut seen = BTreeMap::new();
    for report in reports {
        assert_eq!(report["problems"], json!([]), "{report}");
        assert_eq!(report["verified"], json!([header]), "{report}");
        seen.insert(report["kind"].as_str().unwrap().to_owned(), ());
    }
    assert_eq!(seen.len(), 8);
}

#[tokio::test]
async fn python_verifies_tokens_and_bodies() {
    receive_all("python_verifies_tokens_and_bodies", SigningVariant::Token).await;
}

#[tokio::test]
async fn python_verifies_keys_and_bodies() {
    receive_all("python_verifies_keys_and_bodies", SigningVariant::Key).await;
}
