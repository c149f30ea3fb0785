//! Signatures of webhooks: with tokens, and with published keys.
#![cfg(feature = "jwks")]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::receiver::keys;

use bothends_runtime::TokenSigning;
use bothends_runtime::http::{HeaderMap, HeaderName, HeaderValue};
use bothends_runtime::signature::SigningToken;
use bothends_runtime::webhook::{KeySet, SignatureError, TokenSignature};
use jsonwebtoken::{Algorithm, EncodingKey};
use keys::{BODY, TOKEN, encode, good, jwk, jwt, published, token_header};
use serde_json::{Value, json};

#[test]
fn a_token_is_as_long_as_its_document_requires_and_a_rejected_one_says_why() {
    const RULES: TokenSigning = TokenSigning::new("X-Token-Signature").longer_than(32);
    let by_rules = |token: &str| TokenSignature::from_rules(&RULES, [token.repeat(32)]);
    let error = by_rules("x").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the signing token is not longer than 32 characters"
    );
    assert!(by_rules("é").is_err(), "characters, not bytes");
    assert!(by_rules("xy").is_ok());
    // Without rules, any will do.
    assert!(TokenSignature::new(["x"]).is_ok());
    for none in [vec![], vec![""]] {
        let error = TokenSignature::new(none).unwrap_err();
        assert_eq!(error.to_string(), "the signing token is missing or empty");
    }
    let shown = format!("{:?}", TokenSignature::new([TOKEN]).unwrap());
    assert!(!shown.contains(TOKEN));
}

#[test]
fn a_token_signature_is_that_of_the_bytes() {
    let tokens = TokenSignature::new([TOKEN]).unwrap();
    // python3 -c 'import hmac; print(hmac.new(TOKEN, BODY, "sha256").hexdigest())'
    let right = "4bd60ae975bed909f70db4d28bdf071350c1c327e5d71b77ff2fb176cc6b22fc";
    assert_eq!(tokens.sign(BODY), right);
    assert_eq!(tokens.check(&token_header(right), BODY), Ok(()));
    let wrong = [
        ("upper-case", right.to_uppercase(), BODY),
        ("truncated", right[..62].to_owned(), BODY),
        ("empty", String::new(), BODY),
        ("longer", format!("{right}00"), BODY),
        (
            "tampered",
            right.to_owned(),
            &br#"{"data":{"task_id":"7f1d"}}"#[..],
        ),
        (
            "re-serialised",
            right.to_owned(),
            &br#"{"data": {"task_id": "7f1c"}}"#[..],
        ),
    ];
    for (what, signature, body) in wrong {
        let checked = tokens.check(&token_header(&signature), body);
        assert!(
            matches!(checked, Err(SignatureError::Invalid(_))),
            "{what}: {checked:?}"
        );
    }
    let missing = Err(SignatureError::Missing(HeaderName::from_static(
        "x-token-signature",
    )));
    assert_eq!(tokens.check(&HeaderMap::new(), BODY), missing);
    let mut twice = token_header(right);
    twice.append("x-token-signature", HeaderValue::from_str(right).unwrap());
    assert_eq!(tokens.check(&twice, BODY), missing);
}

#[test]
fn two_tokens_are_good_while_one_replaces_the_other() {
    let old = TokenSignature::new([TOKEN]).unwrap();
    let both = TokenSignature::new([&TOKEN.to_uppercase(), TOKEN]).unwrap();
    let new = TokenSignature::new([TOKEN.to_uppercase()]).unwrap();
    assert!(both.check(&token_header(&old.sign(BODY)), BODY).is_ok());
    assert!(both.check(&token_header(&new.sign(BODY)), BODY).is_ok());
    assert!(old.check(&token_header(&both.sign(BODY)), BODY).is_err());
}

#[test]
fn a_key_signature_says_the_bytes_of_the_body() {
    let keys = KeySet::read(&published(&["ec", "ed"])).unwrap();
    for id in ["ec", "ed"] {
        assert_eq!(keys.check(id, &good(id), BODY), Ok(()), "{id}");
        let bare = json!({ "alg": if id == "ec" { "ES256" } else { "EdDSA" } });
        assert_eq!(keys.check(id, &jwt(id, &bare, BODY), BODY), Ok(()), "{id}");
        let other = br#"{"data": {"task_id": "7f1c"}}"#;
        assert!(keys.check(id, &good(id), other).is_err());
    }
    assert_eq!(
        keys.check("else", &good("ec"), BODY),
        Err(SignatureError::UnknownKey("else".to_owned()))
    );
}

#[test]
fn signatures_of_another_implementation() {
    let vectors: Value = serde_json::from_str(include_str!("receiver/vectors.json")).unwrap();
    let keys = KeySet::read(vectors.to_string().as_bytes()).unwrap();
    let body = vectors["body"].as_str().unwrap().as_bytes();
    for id in ["ec", "ed", "rsa", "pss"] {
        let token = vectors["tokens"][id].as_str().unwrap();
        assert_eq!(keys.check(id, token, body), Ok(()), "{id}");
        assert!(keys.check(id, token, b"{}").is_err(), "{id}");
    }
    // The same key, but it is good for one algorithm only.
    let token = vectors["tokens"]["pss"].as_str().unwrap();
    assert!(keys.check("rsa", token, body).is_err());
}

#[test]
fn forged_key_signatures() {
    let keys = KeySet::read(&published(&["ec", "ed"])).unwrap();
    let unsigned = |header: Value| {
        format!(
            "{}.{}.",
            encode(header.to_string().as_bytes()),
            encode(BODY)
        )
    };
    // HMAC keyed with what is public: the point of the key, and the whole JWK as it is published.
    let with_public = |secret: &[u8]| {
        let header = json!({ "alg": "HS256", "kid": "ec" });
        let message = format!("{}.{}", encode(header.to_string().as_bytes()), encode(BODY));
        let key = EncodingKey::from_secret(secret);
        let signature =
            jsonwebtoken::crypto::sign(message.as_bytes(), &key, Algorithm::HS256).unwrap();
        format!("{message}.{signature}")
    };
    let right = good("ec");
    let (message, signature) = right.rsplit_once('.').unwrap();
    let mut changed = signature.to_owned();
    let first = if changed.starts_with('A') { "B" } else { "A" };
    changed.replace_range(..1, first);
    let forged = [
        ("alg none", unsigned(json!({ "alg": "none", "kid": "ec" }))),
        ("alg None", unsigned(json!({ "alg": "None" }))),
        ("no alg", unsigned(json!({ "kid": "ec" }))),
        (
            "public point as secret",
            with_public(jwk("ec")["x"].as_str().unwrap().as_bytes()),
        ),
        (
            "public key as secret",
            with_public(jwk("ec").to_string().as_bytes()),
        ),
        (
            "another algorithm",
            jwt("ed", &json!({ "alg": "EdDSA", "kid": "ec" }), BODY),
        ),
        (
            "another key",
            jwt("ed", &json!({ "alg": "ES256", "kid": "ec" }), BODY),
        ),
        (
            "another id inside",
            jwt("ec", &json!({ "alg": "ES256", "kid": "ed" }), BODY),
        ),
        (
            "crit",
            jwt(
                "ec",
                &json!({ "alg": "ES256", "crit": ["b64"], "b64": false }),
                BODY,
            ),
        ),
        ("truncated", right[..right.len() - 2].to_owned()),
        ("changed", format!("{message}.{changed}")),
        ("without signature", format!("{message}.")),
        ("padded", format!("{right}==")),
        ("two parts", message.to_owned()),
        ("four parts", format!("{right}.e30")),
        ("nothing", String::new()),
        ("dots", "..".to_owned()),
    ];
    for (what, token) in forged {
        let checked = keys.check("ec", &token, BODY);
        assert!(
            matches!(checked, Err(SignatureError::Invalid(_))),
            "{what}: {checked:?}"
        );
    }
}

#[test]
fn keys_that_are_not_for_this_are_left_out() {
    let mut encryption = jwk("ec");
    encryption["use"] = "enc".into();
    let mut anonymous = jwk("ec");
    anonymous.as_object_mut().unwrap().remove("kid");
    let symmetric = json!({ "kty": "oct", "kid": "oct", "k": encode(b"secret"), "alg": "HS256" });
    let odd = json!({ "kty": "new", "kid": "odd" });
    let set = json!({ "keys": [encryption, anonymous, symmetric, odd, 7, jwk("ed")] });
    let keys = KeySet::read(set.to_string().as_bytes()).unwrap();
    assert_eq!(format!("{keys:?}"), r#"{"ed": EdDSA}"#);
    for (set, message) in [
        ("<html>", "the set of keys is not JSON"),
        ("{}", "the set of keys has no list `keys`"),
    ] {
        assert_eq!(
            KeySet::read(set.as_bytes()).unwrap_err().to_string(),
            message
        );
    }
    let many = json!({ "keys": vec![json!({}); 101] }).to_string();
    assert!(KeySet::read(many.as_bytes()).is_err());
}

#[test]
fn a_sender_signs_as_a_receiver_checks() {
    let (sends, receives) = (SigningToken::new(TOKEN), TokenSignature::new([TOKEN]));
    let (sends, receives) = (sends.unwrap(), receives.unwrap());
    let signature = sends.sign(BODY);
    assert_eq!(receives.sign(BODY), signature);
    assert_eq!(receives.check(&token_header(&signature), BODY), Ok(()));
    assert!(sends.verify(BODY, &signature));
    for wrong in [
        signature.to_uppercase(),
        signature[1..].to_owned(),
        String::new(),
    ] {
        assert!(!sends.verify(BODY, &wrong), "{wrong}");
    }
    assert!(!sends.verify(b"{}", &signature));
}
