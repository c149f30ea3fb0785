//! Signatures by the schemes of other senders: libraries of theirs verify what a worker sends, and the
//! receiver of the runtime verifies what they sign.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, Sender, Sent};
use bothends_delivery::signing::{InvalidSecret, SigningScheme, SigningSecrets};
use bothends_delivery::sqlite::{SqliteOptions, SqliteStore};
use bothends_delivery::{
    DeliveryStore, Destinations, ManualClock, Message, MessageId, Signing, Subscription,
    SystemClock, Timestamp, Worker,
};
use bothends_runtime::http::{HeaderMap, HeaderName, HeaderValue};
use bothends_runtime::webhook::HmacSignature;
use bothends_test_environment::skipped;
use common::receiver::Receiver;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

const BODY: &str = r#"{"object": "event", "name": "Ünïcode 7"}"#;
const ID: &str = "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W";
/// The secrets of each scheme: the one that replaces another, the one that is replaced, and that of another sender.
const BASE64: [&str; 3] = [
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
    "whsec_ZXZpbCBzZWNyZXQgb2YgYW5vdGhlciBzZW5kZXI=",
];
const TEXT: [&str; 3] = ["whsec_7f1c", "It's a Secret to Everybody", "another"];
const SCHEMES: [(SigningScheme, [&str; 3]); 4] = [
    (SigningScheme::StandardWebhooks, BASE64),
    (SigningScheme::Svix, BASE64),
    (SigningScheme::GitHub, TEXT),
    (SigningScheme::Stripe, TEXT),
];

/// The receiving side, which knows these secrets.
fn verifier(scheme: SigningScheme, secrets: &[&str]) -> HmacSignature {
    match scheme {
        SigningScheme::Svix => HmacSignature::svix(secrets),
        SigningScheme::GitHub => HmacSignature::github(secrets),
        SigningScheme::Stripe => HmacSignature::stripe(secrets),
        _ => HmacSignature::standard_webhooks(secrets),
    }
    .unwrap()
}

/// Delivers a message that is signed with these secrets, and returns the headers that went over the wire.
async fn delivered(store: SqliteStore, scheme: SigningScheme, secrets: &[&str]) -> HeaderMap {
    let receiver = Receiver::always(200).await;
    let secrets = SigningSecrets::new(scheme, secrets.iter().copied()).unwrap();
    let subscription = Subscription::builder("s").url(receiver.url());
    let subscription = subscription.signing(Signing::Secrets(secrets)).build();
    let subscription = subscription.unwrap();
    store.put_subscription(subscription.clone()).await.unwrap();
    assert_eq!(store.subscription("s").await.unwrap(), Some(subscription));
    let message = Message::new("kind", BODY).id(MessageId::new(ID).unwrap());
    store.enqueue(message).await.unwrap();
    let destinations = Destinations::public().allow_loopback();
    let worker = Worker::builder(store).destinations(destinations).build();
    let received = async {
        while receiver.count() == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    worker.unwrap().run(received).await;
    let received = receiver.log().remove(0);
    assert_eq!(received.body, BODY.as_bytes());
    let headers = received.headers.iter();
    let headers = headers.map(|(name, value)| {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        (name, HeaderValue::from_str(value).unwrap())
    });
    headers.collect()
}

async fn sent(scheme: SigningScheme, secrets: &[&str]) -> HeaderMap {
    delivered(
        SqliteStore::open(":memory:").await.unwrap(),
        scheme,
        secrets,
    )
    .await
}

/// What was sent an hour ago.
async fn sent_before(scheme: SigningScheme, secrets: &[&str]) -> HeaderMap {
    let before = bothends_delivery::Clock::now(&SystemClock).before(Duration::from_secs(3600));
    let clock = ManualClock::new(before);
    let store = SqliteOptions::new().clock(clock).open(":memory:");
    delivered(store.await.unwrap(), scheme, secrets).await
}

/// A program with libraries of senders.
struct Libraries {
    child: Child,
    input: ChildStdin,
    lines: BufReader<ChildStdout>,
    _folder: TempDir,
}

impl Libraries {
    /// Those of Python and of JavaScript, or none (and a line that says so) where `.ci/run` has not installed them.
    fn start(test: &str) -> Option<[Self; 2]> {
        let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/ci-webhooks");
        let python = installed.join("python/bin/python");
        let modules = installed.join("node/node_modules");
        if !python.exists() || !modules.exists() {
            let missing = format!("no libraries in {}", installed.display());
            let remedy = "run the step `strangers` of .ci/run, which installs them";
            skipped(test, &missing, remedy);
            return None;
        }
        let (python_script, script) = (
            ("libraries.py", include_str!("fixtures/libraries.py")),
            ("libraries.mjs", include_str!("fixtures/libraries.mjs")),
        );
        Some([
            Self::run(python, python_script, &modules),
            Self::run("node".into(), script, &modules),
        ])
    }

    fn run(program: PathBuf, (name, script): (&str, &str), modules: &Path) -> Self {
        let folder = TempDir::new().unwrap();
        // Node looks for modules beside the script.
        let modules = modules.canonicalize().unwrap();
        std::os::unix::fs::symlink(modules, folder.path().join("node_modules")).unwrap();
        let script_path = folder.path().join(name);
        std::fs::write(&script_path, script).unwrap();
        let mut command = Command::new(program);
        command.arg(script_path).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            lines: BufReader::new(child.stdout.take().unwrap()),
            child,
            _folder: folder,
        }
    }

    fn call(&mut self, call: &Value) -> Value {
        writeln!(self.input, "{call}").unwrap();
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Whether the library of a scheme accepts a webhook.
    fn accepts(
        &mut self,
        scheme: SigningScheme,
        secret: &str,
        headers: &HeaderMap,
        body: &str,
    ) -> bool {
        let headers = headers.iter();
        let headers = headers.map(|(name, value)| (name.as_str(), value.to_str().unwrap()));
        let headers: BTreeMap<_, _> = headers.collect();
        let result = self.call(&json!({
            "call": "verify", "scheme": scheme.as_str(), "secret": secret, "headers": headers, "body": body,
        }));
        assert!(result.is_null() || result.as_str().unwrap().starts_with("refused: "));
        result.is_null()
    }

    fn sign(&mut self, scheme: SigningScheme, secret: &str, seconds: u64) -> HeaderMap {
        let signed = self.call(&json!({
            "call": "sign", "scheme": scheme.as_str(), "secret": secret, "message_id": ID, "seconds": seconds,
            "body": BODY,
        }));
        let headers = signed.as_object().unwrap().iter();
        let headers = headers.map(|(name, value)| {
            let value = HeaderValue::from_str(value.as_str().unwrap()).unwrap();
            (name.parse::<HeaderName>().unwrap(), value)
        });
        headers.collect()
    }
}

impl Drop for Libraries {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether the timestamp is signed.
fn is_timed(scheme: SigningScheme) -> bool {
    scheme != SigningScheme::GitHub
}

#[tokio::test]
async fn libraries_verify_what_is_sent() {
    let Some(mut libraries) = Libraries::start("libraries_verify_what_is_sent") else {
        return;
    };
    for (scheme, [new, old, other]) in SCHEMES {
        let single = sent(scheme, &[new]).await;
        let both = sent(scheme, &[new, old]).await;
        let before = sent_before(scheme, &[new]).await;
        for library in &mut libraries {
            assert!(library.accepts(scheme, new, &single, BODY), "{scheme:?}");
            assert!(!library.accepts(scheme, other, &single, BODY), "{scheme:?}");
            assert!(!library.accepts(scheme, new, &single, "{\"object\": \"event\"}"));
            // While a secret is replaced, receivers know one or the other.
            assert!(library.accepts(scheme, new, &both, BODY));
            assert_eq!(library.accepts(scheme, old, &both, BODY), is_timed(scheme));
            assert!(!library.accepts(scheme, old, &single, BODY));
            assert_eq!(
                library.accepts(scheme, new, &before, BODY),
                !is_timed(scheme)
            );
        }
    }
}

#[test]
fn the_receiver_verifies_what_libraries_sign() {
    let Some(mut libraries) = Libraries::start("the_receiver_verifies_what_libraries_sign") else {
        return;
    };
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    for (scheme, [new, old, other]) in SCHEMES {
        for library in &mut libraries {
            let headers = library.sign(scheme, old, now);
            let check = |secrets: &[&str], body: &str| {
                let checked = verifier(scheme, secrets).check(&headers, body.as_bytes());
                checked.is_ok()
            };
            assert!(check(&[old], BODY), "{scheme:?}");
            assert!(check(&[new, old], BODY));
            assert!(!check(&[new], BODY));
            assert!(!check(&[other], BODY));
            assert!(!check(&[old], "{}"));
            for seconds in [now - 3600, now + 3600] {
                let headers = library.sign(scheme, old, seconds);
                let checked = verifier(scheme, &[old]).check(&headers, BODY.as_bytes());
                assert_eq!(checked.is_ok(), !is_timed(scheme), "{scheme:?}");
            }
        }
    }
}

/// Without libraries: the headers, byte by byte, as the documentation of each sender has them.
#[tokio::test]
async fn headers_are_those_of_the_documentation() {
    let seconds = |headers: &HeaderMap, name: &str| -> u64 {
        headers[name].to_str().unwrap().parse().unwrap()
    };
    for (scheme, [new, old, other]) in SCHEMES {
        let headers = sent(scheme, &[new, old]).await;
        let text = |name: &str| headers[name].to_str().unwrap().to_owned();
        match scheme {
            SigningScheme::Svix => {
                assert_eq!(text("svix-id"), ID);
                assert!(seconds(&headers, "svix-timestamp") > 1_700_000_000);
                assert_eq!(text("svix-signature").matches("v1,").count(), 2);
            }
            SigningScheme::GitHub => {
                let signature = text("x-hub-signature-256");
                assert_eq!((&signature[..7], signature.len()), ("sha256=", 71));
            }
            SigningScheme::Stripe => {
                let signature = text("stripe-signature");
                assert!(signature.starts_with("t="));
                assert_eq!(signature.matches(",v1=").count(), 2);
            }
            _ => {
                assert!(seconds(&headers, "webhook-timestamp") > 1_700_000_000);
                assert_eq!(text("webhook-signature").matches("v1,").count(), 2);
            }
        }
        assert_eq!(text("webhook-id"), ID, "as in every request");
        let check = |secret| verifier(scheme, &[secret]).check(&headers, BODY.as_bytes());
        assert_eq!(check(new), Ok(()));
        assert_eq!(check(old).is_ok(), is_timed(scheme));
        assert!(check(other).is_err());
    }
}

/// Keeps the headers of each request, and fails.
#[derive(Clone, Default)]
struct Busy(std::sync::Arc<std::sync::Mutex<Vec<HeaderMap>>>);

impl Sender for Busy {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        self.0.lock().unwrap().push(request.headers);
        Ok(ReceiverResponse {
            status: 503,
            waited: None,
            retry_after: None,
            excerpt: String::new(),
        })
    }
}

/// A retry is signed at its own time, so that a receiver accepts it however late it is.
#[tokio::test]
async fn each_attempt_has_a_timestamp_of_its_own() {
    let clock = ManualClock::new(Timestamp::from_millis(1_614_265_330_000));
    let options = SqliteOptions::new().clock(clock.clone());
    let store = options.open(":memory:").await.unwrap();
    let secrets = SigningSecrets::new(SigningScheme::StandardWebhooks, [BASE64[0]]).unwrap();
    let subscription = Subscription::builder("s").url("https://example.com/");
    let subscription = subscription.signing(Signing::Secrets(secrets)).build();
    store.put_subscription(subscription.unwrap()).await.unwrap();
    store.enqueue(Message::new("kind", BODY)).await.unwrap();
    let busy = Busy::default();
    for attempts in 1..=2 {
        let worker = Worker::builder(store.clone()).sender(busy.clone()).build();
        let sent = async {
            while busy.0.lock().unwrap().len() < attempts {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        worker.run(sent).await;
        clock.set(Timestamp::from_millis(1_614_351_730_000));
    }
    let sent = busy.0.lock().unwrap();
    let values_of =
        |name: &str| -> Vec<_> { sent.iter().map(|headers| headers[name].clone()).collect() };
    let ids = values_of("webhook-id");
    assert_eq!(ids[0], ids[1]);
    let seconds = values_of("webhook-timestamp");
    let seconds: Vec<_> = seconds.iter().map(|text| text.to_str().unwrap()).collect();
    assert!(
        seconds[0].starts_with("16142653") && seconds[1].starts_with("16143517"),
        "{seconds:?}"
    );
    assert_ne!(
        values_of("webhook-signature")[0],
        values_of("webhook-signature")[1]
    );
}

#[test]
fn secrets_are_checked_and_not_shown() {
    let new = |scheme, secrets: &[&str]| SigningSecrets::new(scheme, secrets.iter().copied());
    for (scheme, secrets) in SCHEMES {
        assert_eq!(SigningScheme::from_word(scheme.as_str()), Some(scheme));
        assert_eq!(new(scheme, &[]).unwrap_err(), InvalidSecret::Missing);
        assert_eq!(
            new(scheme, &[secrets[0], ""]).unwrap_err(),
            InvalidSecret::Empty
        );
        let shown = format!("{:?}", Signing::Secrets(new(scheme, &secrets).unwrap()));
        assert!(
            secrets.iter().all(|secret| !shown.contains(secret)),
            "{shown}"
        );
    }
    let error = new(SigningScheme::Svix, &["no base64"]).unwrap_err();
    assert_eq!(error, InvalidSecret::NotBase64);
}
