//! `X-Signature` and `X-Signing-ID`: a JWT of the body, signed with a published key.

use super::{Different, Steps, only};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, UnparsedPublicKey, VerificationAlgorithm,
};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use financial_data::webhooks::SIGNING;
use serde_json::Value;

pub(super) fn check(
    body: &[u8],
    headers: &[(String, String)],
    jwks: &Value,
    steps: &mut Steps,
) -> Result<(), Different> {
    let rules = SIGNING.key.ok_or(Different)?;
    let token = only(headers, rules.header, steps)?;
    let id = only(headers, rules.key_id_header, steps)?;
    let parts: Vec<&str> = token.split('.').collect();
    let [head, payload, signature] = parts.as_slice() else {
        let message = format!("has {} parts instead of three", parts.len());
        return Err(steps.different("JWT", message));
    };
    steps.passed("JWT", "has three parts");
    let algorithm = algorithm(head, id, steps)?;
    let key = key(jwks, id, &algorithm, steps)?;
    let signed = &token[..head.len() + 1 + payload.len()];
    let signature = decode("signature", signature, steps)?;
    let verified = key.0.verify(signed.as_bytes(), &signature);
    if verified.is_err() {
        let message = "is not by this key: another key has signed, or the JWT was changed";
        return Err(steps.different("signature", message));
    }
    steps.passed("signature", "is by the key");
    let payload = decode("payload", payload, steps)?;
    same_body(&payload, body, steps)
}

fn decode(name: &str, part: &str, steps: &mut Steps) -> Result<Vec<u8>, Different> {
    URL_SAFE_NO_PAD.decode(part).map_err(|error| {
        let message = format!("is not Base64 for URLs without padding: {error}");
        steps.different(name, message)
    })
}

/// Returns the algorithm in the header of a JWT.
fn algorithm(head: &str, id: &str, steps: &mut Steps) -> Result<String, Different> {
    let bytes = decode("JWT header", head, steps)?;
    let head: Value = serde_json::from_slice(&bytes)
        .map_err(|error| steps.different("JWT header", format!("is not JSON: {error}")))?;
    let algorithm = head["alg"].as_str().unwrap_or_default();
    if algorithm.eq_ignore_ascii_case("none") {
        let message = "is `none`: such a JWT has no signature and must be refused";
        return Err(steps.different("algorithm", message));
    }
    if !["ES256", "EdDSA"].contains(&algorithm) {
        let message = format!("is `{algorithm}`, and must be `ES256` or `EdDSA`");
        return Err(steps.different("algorithm", message));
    }
    steps.passed("algorithm", algorithm);
    match head["kid"].as_str() {
        Some(kid) if kid != id => {
            let message = format!("is `{kid}` in the JWT, and `{id}` in the header of the request");
            Err(steps.different("key id", message))
        }
        _ => Ok(algorithm.to_owned()),
    }
}

/// A public key.
struct PublicKey(UnparsedPublicKey<Vec<u8>>);

/// Finds the key in a set, or in a single key.
fn key(jwks: &Value, id: &str, algorithm: &str, steps: &mut Steps) -> Result<PublicKey, Different> {
    let lone = std::slice::from_ref(jwks);
    let keys = jwks["keys"].as_array().map_or(lone, Vec::as_slice);
    let Some(key) = keys.iter().find(|key| key["kid"] == id) else {
        let known: Vec<&str> = keys.iter().filter_map(|key| key["kid"].as_str()).collect();
        let message = format!(
            "`{id}` is not in the set, which has `{}`",
            known.join("`, `")
        );
        return Err(steps.different("key", message));
    };
    let part = |name: &str| URL_SAFE_NO_PAD.decode(key[name].as_str().unwrap_or_default());
    let (verify, bytes): (&'static dyn VerificationAlgorithm, _) = match algorithm {
        "ES256" if key["crv"] == "P-256" => {
            // The uncompressed form of a point (SEC 1, section 2.3.3).
            let point =
                part("x").and_then(|x| Ok([&[4], x.as_slice(), part("y")?.as_slice()].concat()));
            (&ECDSA_P256_SHA256_FIXED, point)
        }
        "EdDSA" if key["crv"] == "Ed25519" => (&ED25519, part("x")),
        _ => {
            let message = format!("is not one for `{algorithm}`: its curve is {}", key["crv"]);
            return Err(steps.different("key", message));
        }
    };
    let bytes =
        bytes.map_err(|error| steps.different("key", format!("is not readable: {error}")))?;
    steps.passed("key", format!("`{id}` is in the set"));
    Ok(PublicKey(UnparsedPublicKey::new(verify, bytes)))
}

fn same_body(payload: &[u8], body: &[u8], steps: &mut Steps) -> Result<(), Different> {
    if payload == body {
        steps.passed("payload", "is the body");
        return Ok(());
    }
    let json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok();
    let message = if json(payload).is_some() && json(payload) == json(body) {
        "is the same JSON as the body, in other bytes: compare the bytes as sent".to_owned()
    } else {
        let same = payload.iter().zip(body).take_while(|(a, b)| a == b).count();
        format!(
            "is another body, from byte {} on: the body was changed after it was signed",
            same + 1
        )
    };
    Err(steps.different("payload", message))
}
