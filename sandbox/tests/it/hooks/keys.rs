//! Signing keys: made once, rotated while webhooks are sent, followed by all instances.

use super::support::{Receiver, change, start, subscribe, trigger};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use financial_data_sandbox::Sandbox;
use financial_data_sandbox::app::App;
use financial_data_sandbox::model::SigningVariant;
use financial_data_sandbox::webhooks::keys::{self, KeyAlgorithm};
use financial_data_sandbox::{subscriptions, webhooks};
use serde_json::Value;

async fn sign_with_keys(app: &App, id: &str) {
    change(app, id, |project| {
        project.settings.signing = SigningVariant::Key
    })
    .await;
    subscriptions::sync(app, id).await.unwrap();
}

/// Returns the algorithm in the head of a JWT, and checks that its payload is the body.
fn algorithm(jwt: &str, body: &[u8]) -> String {
    let parts: Vec<Vec<u8>> = jwt
        .split('.')
        .map(|part| URL_SAFE_NO_PAD.decode(part).unwrap())
        .collect();
    assert_eq!(parts[1], body);
    let head: Value = serde_json::from_slice(&parts[0]).unwrap();
    head["alg"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_rotation_publishes_before_it_signs() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut receiver = Receiver::always(200).await;
    subscribe(app, &id, &receiver.url).await;
    sign_with_keys(app, &id).await;
    let first = keys::list(app).await.unwrap();
    assert_eq!(first.len(), 1);
    let mut expected = vec![(first[0].id.clone(), "ES256")];
    let rotated = keys::rotate(app, KeyAlgorithm::EdDsa).await.unwrap();
    expected.push((rotated, "EdDSA"));
    // The webhook before the rotation would have been signed with the first key.
    trigger(app, &id, "refreshCompleted").await;
    let arrived = receiver.next().await;
    assert_eq!(arrived.header("x-signing-id"), Some(expected[1].0.as_str()));
    assert_eq!(
        algorithm(arrived.header("x-signature").unwrap(), &arrived.body),
        "EdDSA"
    );
    assert_eq!(arrived.header("x-token-signature"), None);
    let jwks = webhooks::jwks(app).await.unwrap();
    for (id, algorithm) in &expected {
        let mut published = jwks["keys"].as_array().unwrap().iter();
        let key = published.find(|key| key["kid"] == **id).unwrap();
        assert_eq!(key["alg"], *algorithm);
        assert!(
            key.get("d").is_none(),
            "the private part is published: {key}"
        );
    }
    let signs: Vec<bool> = keys::list(app)
        .await
        .unwrap()
        .iter()
        .map(|key| key.signs)
        .collect();
    assert_eq!(signs, [true, false]);
    for _ in 0..6 {
        keys::rotate(app, KeyAlgorithm::Es256).await.unwrap();
    }
    let published = keys::list(app).await.unwrap();
    assert_eq!(published.len(), 5, "older keys are no longer published");
}

#[tokio::test]
async fn other_instances_follow_a_rotation() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("sandbox.db").display());
    let sandbox = Sandbox::builder().database(&url).start().await.unwrap();
    let id = sandbox.first().unwrap().project.id.clone();
    let mut receiver = Receiver::always(200).await;
    subscribe(sandbox.app(), &id, &receiver.url).await;
    sign_with_keys(sandbox.app(), &id).await;
    let other = Sandbox::builder().database(&url).start().await.unwrap();
    let key = keys::rotate(other.app(), KeyAlgorithm::EdDsa)
        .await
        .unwrap();
    let known = webhooks::jwks(sandbox.app()).await.unwrap();
    assert!(
        known.to_string().contains(&key),
        "published by every instance at once"
    );
    // The rotated key signs at the other instance now, and at this one soon. Only this one sends.
    other.stop().await;
    loop {
        trigger(sandbox.app(), &id, "refreshCompleted").await;
        let arrived = receiver.next().await;
        let signed_by = arrived.header("x-signing-id").unwrap().to_owned();
        assert!(known.to_string().contains(&signed_by));
        if signed_by == key {
            break;
        }
    }
}
