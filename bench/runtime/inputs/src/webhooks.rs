//! A hundred signed webhooks of three kinds.

use crate::requests::{NEW_ENTRY, Template};
use crate::values;
use aws_lc_rs::hmac::{self, HMAC_SHA256};
use http::{HeaderValue, Method};

/// The secret of the sender and the receiver.
pub const SECRET: &str = "a secret of more than thirty-two characters";
/// The header with the signature: HMAC-SHA256 of the body in hexadecimal.
pub const SIGNATURE: &str = "x-signature";

/// Returns a hundred webhooks, and then one for each way to refuse a webhook.
pub fn webhooks() -> Vec<Template> {
    let key = hmac::Key::new(HMAC_SHA256, SECRET.as_bytes());
    let signed = |path: &str, body: String| {
        let signature = hex::encode(hmac::sign(&key, body.as_bytes()));
        let signature = HeaderValue::from_str(&signature).expect("digits are valid");
        Template::new(Method::POST, path, body).header(SIGNATURE, signature)
    };
    let mut all: Vec<Template> = (0..100)
        .map(|n| {
            let sent = format!(r#""sent_at":"2026-05-01T12:{:02}:00Z""#, n % 60);
            match n % 3 {
                0 => {
                    let entry = format!(r#"{{"id":{n},"account":"acct-{n}",{}"#, &NEW_ENTRY[1..]);
                    signed("/entryAdded", format!(r#"{{"entry":{entry},{sent}}}"#))
                }
                1 => {
                    let body =
                        format!(r#"{{"id":{n},"account":"acct-{n}","reason":"duplicate",{sent}}}"#);
                    signed("/entryRemoved", body)
                }
                _ => {
                    let body = format!(
                        r#"{{"account":{},"balance":{n}.5,{sent}}}"#,
                        values::object()
                    );
                    signed("/accountClosed", body)
                }
            }
        })
        .collect();
    let wrong = HeaderValue::from_static("00112233");
    all.push(all[0].clone().header(SIGNATURE, wrong));
    all.push(Template::new(Method::POST, "/entryAdded", "{}"));
    all.push(signed("/entryAdded", "{}".to_owned()));
    all.push(signed("/nothing", "{}".to_owned()));
    all
}

/// The number of webhooks that are valid and measured.
pub const VALID: usize = 100;
