use super::*;
use crate::webhooks::keys::{KeyAlgorithm, wrong};
use bothends_delivery::SigningToken;
use serde_json::json;

const TOKEN: &str = "a signing token of more than 32 characters";
const BODY: &str = "{\"data\":{\"status\":\"Completed\"}}";

fn headers(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn difference(result: Result<(), Different>, steps: &Steps) -> Option<String> {
    let last = steps.0.last().expect("a step");
    assert_eq!(last.passed, result.is_ok(), "{steps:?}");
    result
        .err()
        .map(|_| format!("{}: {}", last.name, last.reason))
}

#[test]
fn the_first_difference_of_a_token_signature_is_found() {
    let signing = SigningToken::new(TOKEN).expect("a token");
    let right = signing.sign(BODY.as_bytes());
    let check = |body: &str, signature: &str, token: &str| {
        let mut steps = Steps::default();
        let headers = headers(&[("x-token-signature", signature)]);
        let result = token::check(body.as_bytes(), &headers, token, &mut steps);
        difference(result, &steps)
    };
    assert_eq!(check(BODY, &right, TOKEN), None);
    let expect = |found: Option<String>, part: &str| {
        let found = found.expect("a difference");
        assert!(found.contains(part), "{found} does not contain {part}");
    };
    expect(check(BODY, &right, "short"), "has 5 characters");
    expect(check(BODY, &right.to_uppercase(), TOKEN), "upper-case");
    expect(check(BODY, &format!("sha256={right}"), TOKEN), "prefix");
    expect(check(BODY, &right[1..], TOKEN), "63 characters");
    expect(check(BODY, "zz", TOKEN), "not hexadecimal");
    expect(
        check(&format!("{BODY}\n"), &right, TOKEN),
        "without white space at its end",
    );
    let pretty = serde_json::to_string_pretty(&json!({"data": {"status": "Completed"}}));
    expect(
        check(&pretty.expect("JSON"), &right, TOKEN),
        "written again",
    );
    expect(check("{}", &right, TOKEN), "another token, or another body");
    let mut steps = Steps::default();
    let missing = token::check(BODY.as_bytes(), &[], TOKEN, &mut steps);
    expect(difference(missing, &steps), "is missing");
}

#[test]
fn the_first_difference_of_a_jwt_is_found() {
    for algorithm in [KeyAlgorithm::Es256, KeyAlgorithm::EdDsa] {
        let key = wrong("one", algorithm).expect("a key");
        let right = key.sign(BODY.as_bytes()).expect("a signature");
        let jwks = json!({"keys": [key.public_jwk()]});
        let check = |body: &str, token: &str, id: &str| {
            let mut steps = Steps::default();
            let headers = headers(&[("X-Signature", token), ("X-Signing-ID", id)]);
            let result = jwt::check(body.as_bytes(), &headers, &jwks, &mut steps);
            difference(result, &steps)
        };
        let expect = |found: Option<String>, part: &str| {
            let found = found.expect("a difference");
            assert!(found.contains(part), "{found} does not contain {part}");
        };
        assert_eq!(check(BODY, &right, "one"), None);
        expect(
            check("{\"data\":{}}", &right, "one"),
            "payload: is another body, from byte 10 on",
        );
        expect(check(&format!("{BODY} "), &right, "one"), "same JSON");
        expect(check(BODY, &right, "two"), "key id");
        expect(check(BODY, "a.b", "one"), "2 parts");
        let (signed, _) = right.rsplit_once('.').expect("parts");
        let other = wrong("one", algorithm)
            .expect("a key")
            .sign(b"{}")
            .expect("a signature");
        let (_, foreign) = other.rsplit_once('.').expect("parts");
        expect(
            check(BODY, &format!("{signed}.{foreign}"), "one"),
            "not by this key",
        );
        let none = format!(
            "eyJhbGciOiJub25lIn0.{}.",
            right.split('.').nth(1).expect("a part")
        );
        expect(check(BODY, &none, "one"), "`none`");
    }
}
