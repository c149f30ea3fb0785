//! Keys, and what is signed with them, by another implementation than the one that checks it.
#![allow(dead_code, reason = "each test uses some of it")]

use base64::Engine;
use bothends_runtime::http::{HeaderMap, HeaderValue};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::{Value, json};

pub const TOKEN: &str = "a token of more than thirty-two characters";
pub const BODY: &[u8] = br#"{"data":{"task_id":"7f1c"}}"#;

pub fn token_header(value: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("x-token-signature", HeaderValue::from_str(value).unwrap());
    headers
}

/// A key of the curve P-256, and one of Ed25519, made by openssl for this test.
pub const P256: &str = "\
-----BEGIN PRIVATE KEY-----\n\
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg969o03AZX2EQicQ2\n\
iW2iN4l0CE5cjbOzGSQf4+WS1TehRANCAARLOoMf3OS7nDmuL8rHtbrKMUHVRvu4\n\
t8t20rSICZvy/AdVqRp/7o8ArwWLZJCMWhtXIY98b6QiIdiqSlpbDsT+\n\
-----END PRIVATE KEY-----\n\
";
pub const ED25519: &str = "\
-----BEGIN PRIVATE KEY-----\n\
MC4CAQAwBQYDK2VwBCIEIAlr49UMeaPvs4aC+xTO0AsfMHVVRTXpoOGP61K+sbj7\n\
-----END PRIVATE KEY-----\n\
";

pub fn signing(id: &str) -> (EncodingKey, Algorithm) {
    match id {
        "ec" => (
            EncodingKey::from_ec_pem(P256.as_bytes()).unwrap(),
            Algorithm::ES256,
        ),
        _ => (
            EncodingKey::from_ed_pem(ED25519.as_bytes()).unwrap(),
            Algorithm::EdDSA,
        ),
    }
}

pub fn jwk(id: &str) -> Value {
    let (key, algorithm) = signing(id);
    let mut jwk = Jwk::from_encoding_key(&key, algorithm).unwrap();
    jwk.common.key_id = Some(id.to_owned());
    serde_json::to_value(jwk).unwrap()
}

pub fn published(ids: &[&str]) -> Vec<u8> {
    let keys: Vec<Value> = ids.iter().map(|id| jwk(id)).collect();
    json!({ "keys": keys }).to_string().into_bytes()
}

pub fn encode(bytes: &[u8]) -> String {
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

/// A JWT of these bytes with this header.
pub fn jwt(id: &str, header: &Value, body: &[u8]) -> String {
    let (key, algorithm) = signing(id);
    let message = format!("{}.{}", encode(header.to_string().as_bytes()), encode(body));
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &key, algorithm).unwrap();
    format!("{message}.{signature}")
}

pub fn good(id: &str) -> String {
    let algorithm = if id == "ec" { "ES256" } else { "EdDSA" };
    jwt(
        id,
        &json!({ "alg": algorithm, "kid": id, "typ": "JWT" }),
        BODY,
    )
}
