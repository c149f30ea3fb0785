//! Webhooks that are right in everything but the signature.

use super::keys::{self, KeyAlgorithm};
use crate::app::App;
use crate::ids;
use crate::model::WebhookFault;
use crate::store::StorageError;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bothends_delivery::SigningToken;
use bothends_delivery::send::OutgoingRequest;
use bothends_delivery::signing::{SIGNATURE, SIGNING_ID, TOKEN_SIGNATURE};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

/// Returns `true` if a request has a signature.
pub(super) fn is_signed(headers: &HeaderMap) -> bool {
    headers.contains_key(TOKEN_SIGNATURE) || headers.contains_key(SIGNATURE)
}

/// Makes the signature of a request wrong. Other faults leave the request as it is.
pub(super) fn apply(
    app: &App,
    fault: WebhookFault,
    request: &mut OutgoingRequest,
) -> Result<(), StorageError> {
    match fault {
        WebhookFault::WrongKey => wrong_key(app, request),
        WebhookFault::AlteredBody => {
            request.body = altered(&request.body)?;
            Ok(())
        }
        WebhookFault::AlgorithmNone => unsigned(request),
        WebhookFault::Lost | WebhookFault::Duplicated | WebhookFault::Delayed { .. } => Ok(()),
    }
}

/// Signs with a key that the receiver does not know. Header, algorithm and key id remain.
fn wrong_key(app: &App, request: &mut OutgoingRequest) -> Result<(), StorageError> {
    if request.headers.contains_key(TOKEN_SIGNATURE) {
        let token = ids::secret().map_err(StorageError::new)?;
        let token = SigningToken::longer_than(token, 32).map_err(StorageError::new)?;
        put(request, &TOKEN_SIGNATURE, &token.sign(&request.body))?;
    }
    if let Some(id) = request.headers.get(SIGNING_ID) {
        let id = id.to_str().map_err(StorageError::new)?;
        let algorithm = algorithm(app, id);
        let signed = keys::wrong(id, algorithm)?.sign(&request.body);
        put(request, &SIGNATURE, &signed.map_err(StorageError::new)?)?;
    }
    Ok(())
}

/// Returns the algorithm of a key of the ring.
fn algorithm(app: &App, id: &str) -> KeyAlgorithm {
    let published = app.hooks.keys.load().public_jwks();
    let mut keys = published["keys"].as_array().into_iter().flatten();
    let key = keys.find(|key| key["kid"] == id);
    match key.and_then(|key| key["alg"].as_str()) {
        Some("EdDSA") => KeyAlgorithm::EdDsa,
        _ => KeyAlgorithm::Es256,
    }
}

/// Changes the last character of a value, so that the body remains a valid webhook. An id is
/// changed if there is one.
fn altered(body: &[u8]) -> Result<Bytes, StorageError> {
    let mut value: Value = serde_json::from_slice(body).map_err(StorageError::new)?;
    let ids = ["task_id", "payment_id", "customer_id"];
    let data = value.get_mut("data").and_then(Value::as_object_mut);
    let changed = data.and_then(|data| {
        let known = ids.into_iter().find(|name| data.contains_key(*name));
        let name = known.map(str::to_owned).or_else(|| {
            let mut strings = data.iter().filter(|(_, value)| value.is_string());
            strings.next().map(|(name, _)| name.clone())
        })?;
        match data.get_mut(&name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        }
    });
    match changed {
        Some(text) => match text.pop() {
            Some('0') => text.push('1'),
            _ => text.push('0'),
        },
        // Nothing to change: a field is added, or the value is replaced.
        None => match value.as_object_mut() {
            Some(object) => _ = object.insert("altered".to_owned(), json!(true)),
            None => value = json!({ "altered": true }),
        },
    }
    Ok(Bytes::from(value.to_string()))
}

/// Replaces the JWT by one without a signature. The signature of a token is removed, because its
/// header names no algorithm.
fn unsigned(request: &mut OutgoingRequest) -> Result<(), StorageError> {
    request.headers.remove(TOKEN_SIGNATURE);
    let Some(id) = request.headers.get(SIGNING_ID) else {
        return Ok(());
    };
    let id = String::from_utf8_lossy(id.as_bytes()).into_owned();
    let header = json!({"alg": "none", "kid": id, "typ": "JWT"}).to_string();
    let payload = URL_SAFE_NO_PAD.encode(&request.body);
    let jwt = format!("{}.{payload}.", URL_SAFE_NO_PAD.encode(header));
    put(request, &SIGNATURE, &jwt)
}

fn put(
    request: &mut OutgoingRequest,
    name: &http::HeaderName,
    value: &str,
) -> Result<(), StorageError> {
    let value = HeaderValue::from_str(value).map_err(StorageError::new)?;
    request.headers.insert(name, value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_altered_body_remains_a_webhook() {
        let alter = |body: &str| {
            let altered = altered(body.as_bytes()).expect("a body");
            serde_json::from_slice::<Value>(&altered).expect("JSON")
        };
        let task = alter(r#"{"data":{"status":"Completed","task_id":"a0"}}"#);
        assert_eq!(
            task,
            json!({"data": {"status": "Completed", "task_id": "a1"}})
        );
        assert_eq!(alter(r#"{"data":{"n":1,"a":"é"}}"#)["data"]["a"], "0");
        assert_eq!(alter(r#"{"data":{}}"#)["altered"], true);
        assert_eq!(alter("[1]"), json!({"altered": true}));
    }
}
