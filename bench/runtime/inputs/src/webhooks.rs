//! A hundred signed webhooks of three kinds.

use crate::requests::{NEW_ENTRY, Template};
use crate::values;
use hmac::{Hmac, KeyInit as _, Mac as _};
use http::{HeaderValue, Method};
use sha2::Sha256;

/// The secret of the sender and the receiver.
pub const SECRET: &str = "a secret of more than thirty-two characters";
/// The header with the signature: HMAC-SHA256 of the body in hexadecimal.
pub const SIGNATURE: &str = "x-signature";

/// Returns a hundred webhooks, and then one for each way to refuse a webhook.
pub fn webhooks() -> Vec<Template> {
    let key = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).expect("a key of any length");
    let signed = |path: &str, body: String| {
        let signature = hex::encode(
            key.clone()
                .chain_update(body.as_bytes())
                .finalize()
                .into_bytes(),
        );
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
