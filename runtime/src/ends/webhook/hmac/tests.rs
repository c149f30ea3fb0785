use super::{HmacSignature, SignatureError};
use crate::ends::mac::counted;
use crate::ends::webhook::Verifier;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time of the examples of Standard Webhooks.
const SECONDS: u64 = 1_614_265_330;

fn headers(rows: &[(&str, &str)]) -> HeaderMap {
    let row = |(name, value): &(&str, &str)| {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        (name, HeaderValue::from_str(value).unwrap())
    };
    rows.iter().map(row).collect()
}

fn at(verifier: HmacSignature, seconds: u64) -> HmacSignature {
    verifier.clock(move || UNIX_EPOCH + Duration::from_secs(seconds))
}

/// The example of the specification of Standard Webhooks, and of the documentation of Svix.
const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY: &[u8] = br#"{"test": 2432232314}"#;
const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

fn by(vendor: &str, signature: &str) -> HeaderMap {
    headers(&[
        (&format!("{vendor}-id"), ID),
        (&format!("{vendor}-timestamp"), "1614265330"),
        (&format!("{vendor}-signature"), signature),
    ])
}

#[test]
fn documented_examples_are_valid() {
    let standard = at(HmacSignature::standard_webhooks([SECRET]).unwrap(), SECONDS);
    let svix = at(HmacSignature::svix([SECRET]).unwrap(), SECONDS);
    assert_eq!(standard.check(&by("webhook", SIGNATURE), BODY), Ok(()));
    assert_eq!(svix.check(&by("svix", SIGNATURE), BODY), Ok(()));
    // Svix sends either; with both, its own count.
    assert_eq!(svix.check(&by("webhook", SIGNATURE), BODY), Ok(()));
    let mut both = by("webhook", SIGNATURE);
    both.extend(by("svix", "v1,AAAA"));
    assert!(svix.check(&both, BODY).is_err());
    assert!(standard.check(&by("svix", SIGNATURE), BODY).is_err());

    // GitHub, "Validating webhook deliveries".
    let github = HmacSignature::github(["It's a Secret to Everybody"]).unwrap();
    let signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    let header = headers(&[("x-hub-signature-256", signature)]);
    assert_eq!(github.check(&header, b"Hello, World!"), Ok(()));

    // Slack, "Verifying requests from Slack".
    let slack = HmacSignature::slack(["8f742231b10e8888abcd99yyyzzz85a5"]).unwrap();
    let signature = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
    let header = headers(&[
        ("x-slack-request-timestamp", "1531420618"),
        ("x-slack-signature", signature),
    ]);
    let body = b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    assert_eq!(at(slack, 1_531_420_618).check(&header, body), Ok(()));
}

/// hmac.new(SECRET, b"1614265330." + STRIPE_BODY, "sha256").hexdigest() of Python, with this secret, and
/// with one that is longer than a block.
const STRIPE: [(&str, &str); 2] = [
    (
        "whsec_test_secret",
        "42b3d2b2181207b6b299df380bf37599bb895dc182467ba12e046b1916c4cd19",
    ),
    (
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "e67a21c7cc5c9c346283500d50adc8a5cce23c5127578bf1aa22f3d4569ba58b",
    ),
];
const STRIPE_BODY: &[u8] = br#"{"id":"evt_1","object":"event"}"#;

fn stripe(text: &str) -> HeaderMap {
    headers(&[("stripe-signature", text)])
}

#[test]
fn signatures_of_stripe_by_secrets_of_any_length() {
    for (secret, signature) in STRIPE {
        let verifier = at(HmacSignature::stripe([secret]).unwrap(), SECONDS);
        for text in [
            format!("t=1614265330,v1={signature}"),
            format!("t=1614265330,v1={signature},v0=6ffbb59b2300aae63f272406069a9788"),
            format!("t=1614265330, v1={}, v1={signature}", "0".repeat(64)),
        ] {
            let checked = verifier.check(&stripe(&text), STRIPE_BODY);
            assert_eq!(checked, Ok(()), "{text}");
        }
        let other = stripe(&format!("t=1614265331,v1={signature}"));
        assert!(verifier.check(&other, STRIPE_BODY).is_err());
    }
}

/// Returns the result, and the number of codes of the body that were computed.
fn counted(
    verifier: &HmacSignature,
    headers: &HeaderMap,
    body: &[u8],
) -> (Result<(), SignatureError>, usize) {
    counted::take();
    let checked = verifier.check(headers, body);
    (checked, counted::take())
}

#[test]
fn the_code_of_a_body_is_computed_once_for_each_secret() {
    let secrets = STRIPE.map(|(secret, _)| secret);
    let verifier = at(HmacSignature::stripe(secrets).unwrap(), SECONDS);
    let wrong = format!(",v1={}", "0".repeat(64));
    let right = format!(",v1={}", STRIPE[1].1);
    for (listed, valid) in [(1, false), (15, true), (16, false)] {
        let end = if valid { right.as_str() } else { "" };
        let text = format!("t=1614265330{}{end}", wrong.repeat(listed));
        let (checked, codes) = counted(&verifier, &stripe(&text), STRIPE_BODY);
        assert_eq!(checked.is_ok(), valid, "{listed}");
        assert_eq!(codes, 2, "{listed}");
    }

    let secrets = [SECRET, "c2Vjb25k", "dGhpcmQ="];
    let standard = at(HmacSignature::standard_webhooks(secrets).unwrap(), SECONDS);
    let wrong = format!("v1,{} ", STANDARD.encode([7; 32]));
    let text = format!("{}{SIGNATURE}", wrong.repeat(15));
    let (checked, codes) = counted(&standard, &by("webhook", &text), BODY);
    assert_eq!((checked, codes), (Ok(()), 3));
}

#[test]
fn no_code_is_computed_for_what_cannot_be_valid() {
    let many = |listed: usize| {
        let hex = format!(",v1={}", "0".repeat(64)).repeat(listed);
        let base64 = format!("v1,{} ", STANDARD.encode([7; 32])).repeat(listed);
        (stripe(&format!("t=1614265330{hex}")), by("svix", &base64))
    };
    let stripe_at = |seconds| at(HmacSignature::stripe([STRIPE[0].0]).unwrap(), seconds);
    let svix_at = |seconds| at(HmacSignature::svix([SECRET]).unwrap(), seconds);
    for listed in [17, 5_000] {
        let (of_stripe, of_svix) = many(listed);
        let too_many = Err(SignatureError::Invalid("is one of more than 16"));
        let checked = counted(&stripe_at(SECONDS), &of_stripe, STRIPE_BODY);
        assert_eq!(checked, (too_many.clone(), 0));
        assert_eq!(counted(&svix_at(SECONDS), &of_svix, BODY), (too_many, 0));
        // The timestamp is checked before the signatures are counted.
        let late = Err(SignatureError::Invalid("has a timestamp out of tolerance"));
        let checked = counted(&stripe_at(SECONDS + 301), &of_stripe, STRIPE_BODY);
        assert_eq!(checked, (late.clone(), 0));
        assert_eq!(counted(&svix_at(SECONDS + 301), &of_svix, BODY), (late, 0));
    }
    let odd = Err(SignatureError::Invalid("is not of the required form"));
    let texts = ["t=1614265330", "t=1614265330,v1=", "t=1614265330,v1=zz"];
    for text in texts {
        let checked = counted(&stripe_at(SECONDS), &stripe(text), STRIPE_BODY);
        assert_eq!(checked, (odd.clone(), 0), "{text}");
    }
}

#[test]
fn the_id_of_a_message_is_the_signed_one() {
    let standard = HmacSignature::standard_webhooks([SECRET]).unwrap();
    let svix = HmacSignature::svix([SECRET]).unwrap();
    let id = Some(ID.as_bytes());
    assert_eq!(standard.message_id(&by("webhook", SIGNATURE)), id);
    assert_eq!(svix.message_id(&by("svix", SIGNATURE)), id);
    assert_eq!(svix.message_id(&by("webhook", SIGNATURE)), id);
    // With both, the id is that of the signature that was verified.
    let mut both = by("webhook", SIGNATURE);
    both.insert("webhook-id", HeaderValue::from_static("another"));
    both.extend(by("svix", SIGNATURE));
    assert_eq!(svix.message_id(&both), id);
    let github = HmacSignature::github(["s"]).unwrap();
    assert_eq!(github.message_id(&by("webhook", SIGNATURE)), None);
}

#[test]
fn the_default_clock_is_that_of_the_system() {
    let verifier = HmacSignature::stripe(["s"]).unwrap();
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let wrong = format!("t={now},v1={}", "0".repeat(64));
    let expected = Err(SignatureError::Invalid("is not that of this body"));
    assert_eq!(verifier.check(&stripe(&wrong), b""), expected);
}
