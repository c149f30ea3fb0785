//! The rules of the service's document: signatures, headers, and how often something is sent.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, Sender, Sent};
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::store::CircuitPolicy;
use bothends_delivery::{
    DeadReason, DeliveryStore, InvalidSubscription, Message, Policy, SigningKey, SigningToken,
    State, Subscription, Timestamp, Worker,
};
use std::time::Duration;

const BODY: &[u8] = br#"{"data":{"task_id":"1"}}"#;
const P256: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjYkMxdxOmFxMDeNZ
9uW806LZyetg+isFmqUlPcKKNdmhRANCAAROWUfUzKVRcXpCSge0qzmbQ3MNrvKY
g1u0bV9l84h4UYMoq+NjF6oSXXZDHHe6ojFk/1/yjkpOPbPoiBkHQ1NR
-----END PRIVATE KEY-----";
const ED25519: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIMZV7gQtQLQYfWAB46WiBfNFRUh1fM1StOLjE/Ff36SN
-----END PRIVATE KEY-----";

#[test]
fn tokens_sign_as_python_does() {
    // hmac.new(token, body, hashlib.sha256).hexdigest()
    let token = SigningToken::new("a token of more than thirty-two characters").unwrap();
    assert_eq!(
        token.sign(BODY),
        "abe17a55f1eb80dad817ace5367d95e4304994f34d7febedcff1055a0eefcaa2"
    );
    assert!(SigningToken::longer_than("x".repeat(32), 32).is_err());
    assert!(SigningToken::longer_than("x".repeat(33), 32).is_ok());
    assert!(SigningToken::new("").is_err());
    assert!(!format!("{token:?}").contains("thirty"), "it is not shown");
}

#[test]
fn keys_sign_the_very_bytes() {
    use ed25519_dalek::Verifier as _;
    let ecdsa = SigningKey::es256("one", P256).unwrap();
    let eddsa = SigningKey::ed25519("two", ED25519).unwrap();
    for key in [&ecdsa, &eddsa] {
        let token = key.sign(BODY).unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let (header, payload) = signed.split_once('.').unwrap();
        assert_eq!(URL_SAFE_NO_PAD.decode(payload).unwrap(), BODY);
        let header: serde_json::Value =
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).unwrap()).unwrap();
        assert_eq!(header["kid"], key.id());
        let jwk = key.public_jwk();
        assert_eq!(header["alg"], jwk["alg"]);
        let part = |name: &str| URL_SAFE_NO_PAD.decode(jwk[name].as_str().unwrap()).unwrap();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        if key.id() == "one" {
            let point = [&[4][..], &part("x"), &part("y")].concat();
            let public = p256::ecdsa::VerifyingKey::from_sec1_bytes(&point).unwrap();
            let signature = p256::ecdsa::Signature::from_slice(&signature).unwrap();
            public.verify(signed.as_bytes(), &signature).unwrap();
        } else {
            let public: [u8; 32] = part("x").try_into().unwrap();
            let public = ed25519_dalek::VerifyingKey::from_bytes(&public).unwrap();
            let signature = ed25519_dalek::Signature::from_slice(&signature).unwrap();
            public.verify(signed.as_bytes(), &signature).unwrap();
        }
    }
    assert!(SigningKey::es256("one", ED25519).is_err());
}

/// As different programs write them: by RFC 5915 and RFC 8410 a public half may be beside a private one.
#[test]
fn keys_are_read_in_every_form_of_pkcs_8() {
    let alone = "-----BEGIN PRIVATE KEY-----
MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCBBSUPg7sOXCunTCUQp
9pNsaOJ/7RCua+9umwZbC2ZRNg==
-----END PRIVATE KEY-----
";
    let key = SigningKey::es256("alone", alone).unwrap();
    let part = |name: &str| key.public_jwk()[name].as_str().unwrap().len();
    assert_eq!((part("x"), part("y")), (43, 43));
    // RFC 8410, section 10.3, the second.
    let both = "-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----
";
    let key = SigningKey::ed25519("both", both).unwrap();
    assert_eq!(
        key.public_jwk()["x"],
        "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE"
    );
    let p384 = "-----BEGIN PRIVATE KEY-----
MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCyMWvdUNT90gQVXX2b
LjyaL3t6dLeWKin70FR5IP/XJpHpGDYLe2rm5va1/pYLcL6hZANiAASRy8FfmAOJ
b9iS8R9XqyBwzDn6q9aBig6Lr0Qnv9MuOljXQEnLcZ3NZWRi0xVA+twCMWP0E+Zt
CThPr6ZAdZ+55KfL66C1Rmsr8OJBx1/vaysVhEqQjV9d4dw8Qxtyqyo=
-----END PRIVATE KEY-----
";
    let elsewhere = P256.replace("PRIVATE KEY", "EC PRIVATE KEY");
    let cut = P256.replace("jYkM", "");
    for text in ["", p384, &elsewhere, &cut, ED25519] {
        assert!(SigningKey::es256("no", text).is_err(), "{text}");
    }
    for text in ["", P256, p384, "-----BEGIN PRIVATE KEY-----"] {
        assert!(SigningKey::ed25519("no", text).is_err(), "{text}");
    }
}

#[test]
fn headers_of_ours_cannot_be_set() {
    let with = |name: &str, value: &str| {
        let builder = Subscription::builder("s")
            .url("https://example.com/")
            .header(name, value);
        builder.build()
    };
    for name in [
        "Host",
        "content-length",
        "X-Token-Signature",
        "X-SIGNATURE",
        "x-signing-id",
        "Webhook-Id",
    ] {
        let refused = with(name, "x").unwrap_err();
        assert!(
            matches!(refused, InvalidSubscription::Reserved { .. }),
            "{name}"
        );
    }
    let smuggled = with("X-A", "b\r\nHost: c").unwrap_err();
    assert!(matches!(smuggled, InvalidSubscription::Header { .. }));
    assert!(with("X-A", "b").is_ok());
    let nowhere = Subscription::builder("s")
        .events(["a"])
        .build()
        .unwrap_err();
    assert_eq!(nowhere, InvalidSubscription::NoUrl);
}

#[test]
fn a_subscription_keeps_to_the_rules_of_its_document() {
    use bothends_runtime::SubscriptionRules;
    const RULES: SubscriptionRules = SubscriptionRules::new(&["paid", "closed"])
        .attributes(&["url"], &["active"])
        .token_longer_than(40)
        .active(false)
        .products(&[("payments", &["paid"])]);
    let builder = || {
        Subscription::builder("s")
            .url("https://example.com/")
            .rules(RULES)
    };
    let unknown = builder().events(["piad"]).build().unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "there is no event `piad`; the events are `paid`, `closed`"
    );
    let unknown = builder().url_for("opened", "https://example.com/o").build();
    assert!(matches!(
        unknown,
        Err(InvalidSubscription::UnknownEvent { .. })
    ));
    let short = SigningToken::new("a token of 33 characters or so...").unwrap();
    let short = builder().token(short).build().unwrap_err();
    assert_eq!(short, InvalidSubscription::TokenLength { longer_than: 40 });
    assert!(!builder().build().unwrap().is_active());
    assert!(builder().active(true).build().unwrap().is_active());

    let none = || builder().products(["ingestion"]);
    let gated = none().events(["paid"]).build().unwrap_err();
    assert!(matches!(
        gated,
        InvalidSubscription::Product {
            product: "payments",
            ..
        }
    ));
    let open = none().build().unwrap();
    assert!(open.url_for("paid").is_none() && open.url_for("closed").is_some());
    let all = builder().products(["payments"]).build().unwrap();
    assert!(all.url_for("paid").is_some());
    let required = RULES.attributes(&["signing-token"], &[]);
    let missing = builder().rules(required).build().unwrap_err();
    assert_eq!(
        missing,
        InvalidSubscription::Missing {
            attribute: "signing-token"
        }
    );
}

#[test]
fn patterns_stand_for_the_kinds_of_a_document() {
    use bothends_runtime::SubscriptionRules;
    const RULES: SubscriptionRules =
        SubscriptionRules::new(&["order.paid", "order.item.added", "order", "closed"])
            .products(&[("payments", &["order.paid"])]);
    let builder = || {
        let builder = Subscription::builder("s").url("https://example.com/");
        builder.rules(RULES)
    };
    let selected = |subscription: &Subscription| -> Vec<&str> {
        let kinds = RULES.kinds.iter().copied();
        let kinds = kinds.filter(|kind| subscription.url_for(kind).is_some());
        kinds.collect()
    };
    let orders = builder().events(["order.*"]).build().unwrap();
    assert_eq!(selected(&orders), ["order.paid", "order.item.added"]);
    assert_eq!(orders.url_for("order.invented"), None);
    let none = || builder().products(["ingestion"]);
    let open = none().events(["order.*"]).build().unwrap();
    assert_eq!(selected(&open), ["order.item.added"]);
    for unknown in ["close.*", "order.p*", "*", "order.paid.*"] {
        let unknown = builder().events([unknown]).build().unwrap_err();
        let is_unknown = matches!(unknown, InvalidSubscription::UnknownEvent { .. });
        assert!(is_unknown, "{unknown}");
    }
    const GATED: SubscriptionRules =
        SubscriptionRules::new(&["pay.in"]).products(&[("payments", &["pay.in"])]);
    let gated = none().rules(GATED).events(["pay.*"]).build().unwrap_err();
    assert!(
        matches!(gated, InvalidSubscription::Product { .. }),
        "{gated}"
    );
    let url = |path: &str| format!("https://example.com/{path}");
    let urls = builder()
        .url_for("order.item.*", url("item"))
        .url_for("order.paid", url("paid"))
        .url_for("order.*", url("order"));
    let urls = urls.build().unwrap();
    let url_of = |kind: &str| urls.url_for(kind).unwrap().to_string();
    assert_eq!(url_of("order.paid"), url("paid"));
    assert_eq!(url_of("order.item.added"), url("item"));
}

/// Is never there.
struct Away(Option<Duration>);

impl Sender for Away {
    async fn send(&self, _: OutgoingRequest) -> Sent {
        Ok(ReceiverResponse {
            status: 503,
            waited: None,
            retry_after: self.0,
            excerpt: String::new(),
        })
    }
}

async fn state_after(
    policy: Policy,
    sender: Away,
    attempts: u32,
) -> (SqliteStore, State, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
    let subscription = Subscription::builder("s")
        .url("https://example.com/")
        .build()
        .unwrap();
    store.put_subscription(subscription).await.unwrap();
    let message = Message::new("kind", BODY);
    let id = store.enqueue(message).await.unwrap().deliveries[0];
    let worker = Worker::builder(store.clone())
        .policy(policy)
        .sender(sender)
        .seed(1)
        .build();
    let mut changes = store.changes();
    worker
        .run(async {
            while store.delivery(id).await.unwrap().unwrap().tries < attempts {
                changes.changed().await.unwrap();
            }
        })
        .await;
    let state = store.delivery(id).await.unwrap().unwrap().state;
    assert_eq!(store.attempts(id).await.unwrap().len(), attempts as usize);
    (store, state, folder)
}

#[tokio::test]
async fn something_is_sent_eleven_times_and_no_more() {
    let policy = Policy {
        initial_backoff: Duration::from_millis(1),
        max_backoff: Duration::from_millis(2),
        circuit: CircuitPolicy {
            rounds: u32::MAX,
            ..CircuitPolicy::default()
        },
        ..Policy::default()
    };
    let (_store, state, _folder) = state_after(policy, Away(None), 11).await;
    assert!(
        matches!(
            state,
            State::Dead {
                reason: DeadReason::Exhausted,
                ..
            }
        ),
        "{state:?}"
    );
}

#[tokio::test]
async fn retry_after_makes_pauses_longer_and_never_shorter() {
    for (asked, least, most) in [
        (3600, 3600, 3600),
        (1, 80, 120),
        (999_999_999, 86_400, 86_400),
    ] {
        let policy = Policy {
            initial_backoff: Duration::from_secs(100),
            ..Policy::default()
        };
        let (store, state, _folder) =
            state_after(policy, Away(Some(Duration::from_secs(asked))), 1).await;
        let State::Pending { due } = state else {
            panic!("{state:?}");
        };
        // What was recorded says when that was: no clock of the test is compared with it.
        let sql = |tx: &rusqlite::Connection| {
            let since = "SELECT since FROM bothends_delivery";
            Ok(tx.query_row(since, [], |row| row.get(0))?)
        };
        let recorded = Timestamp::from_millis(store.transaction(sql).await.unwrap());
        let pause = due.since(recorded).as_secs();
        assert!(
            (least..=most).contains(&pause),
            "asked {asked}, waits {pause}"
        );
    }
}

#[test]
fn pauses_double() {
    let policy = Policy::default();
    let pauses: Vec<u64> = (1..=10)
        .map(|retry| policy.pause(retry).as_secs())
        .collect();
    assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560]);
    assert_eq!(policy.pause(11), policy.max_backoff);
    assert_eq!(policy.pause(u32::MAX), policy.max_backoff);
}
