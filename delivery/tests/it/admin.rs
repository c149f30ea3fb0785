//! The administration, as a browser and a program see it: bytes over a socket, through axum.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::admin::Admin;
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::store::DeliveryFilter;
use bothends_delivery::store::{OperatorSettings, Phase};
use bothends_delivery::{DeliveryStore, Message, Policy, State, Subscription, Worker};
use common::load::Taking;
use common::postgres::Postgres;
use serde_json::{Value as Json, json};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A text that would be markup, a script, an attribute and an entity.
const HOSTILE: &str = r#"</td><script>alert(1)</script>" onload='x' &lt;&amp;"#;
/// The same as markup.
const ESCAPED: &str =
    "&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload='x' &amp;lt;&amp;amp;";

/// A response: its status, its head in lower case, and its body.
struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn json(&self) -> Json {
        serde_json::from_str(&self.body).unwrap()
    }
}

struct Site(SocketAddr);

impl Site {
    /// Serves the administration of a store below `/hooks`.
    async fn start(store: impl DeliveryStore) -> Self {
        let app = axum::Router::new().nest_service("/hooks", Admin::new(store, "/hooks"));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self(address)
    }

    async fn send(&self, start: &str, headers: &[&str], body: &str) -> Reply {
        let mut stream = TcpStream::connect(self.0).await.unwrap();
        let length = body.len();
        let mut request = format!(
            "{start} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {length}\r\n",
            self.0
        );
        for header in headers {
            request += &format!("{header}\r\n");
        }
        request += &format!("\r\n{body}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut all = String::new();
        stream.read_to_string(&mut all).await.unwrap();
        let (head, body) = all.split_once("\r\n\r\n").unwrap();
        Reply {
            status: head[9..12].parse().unwrap(),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    async fn get(&self, path: &str) -> Reply {
        self.send(&format!("GET /hooks{path}"), &[], "").await
    }

    /// Posts a form as a page of this site does.
    async fn submit(&self, path: &str, form: &str) -> Reply {
        let origin = format!("origin: http://{}", self.0);
        let headers = [
            "accept: text/html,*/*",
            "content-type: application/x-www-form-urlencoded",
            &origin,
            "sec-fetch-site: same-origin",
        ];
        self.send(&format!("POST /hooks{path}"), &headers, form)
            .await
    }
}

async fn filled(store: &impl DeliveryStore, owner: &str, kind: &str) {
    let subscription = Subscription::builder(format!("{owner} {kind}"))
        .owner(owner)
        .url_for(kind, "https://example.com/secret?token=7");
    store
        .put_subscription(subscription.build().unwrap())
        .await
        .unwrap();
    let message = Message::new(kind, "{}").owner(owner);
    store.enqueue(message).await.unwrap();
}

/// Lets a worker send what waits, to a receiver that takes everything.
async fn work(store: &impl DeliveryStore) {
    let worker = Worker::builder(store.clone())
        .sender(Taking::default())
        .build();
    let done = async {
        while store.depth().await.unwrap() > 0 {
            tokio::task::yield_now().await;
        }
    };
    worker.run(done).await;
}

/// Everything that the API reads and changes.
async fn api(store: impl DeliveryStore) {
    filled(&store, "o", "order.paid").await;
    filled(&store, "", "other").await;
    let site = Site::start(store.clone()).await;
    let queue = site.get("/api/queue").await;
    assert_eq!(queue.status, 200);
    let queue = queue.json();
    assert_eq!((&queue["depth"], &queue["next"]), (&json!(2), &Json::Null));
    let owners: Vec<_> = queue["owners"]
        .as_array()
        .unwrap()
        .iter()
        .map(|owner| (&owner["owner"], &owner["waiting"]))
        .collect();
    assert_eq!(owners, [(&json!(""), &json!(1)), (&json!("o"), &json!(1))]);

    let endpoints = site.get("/api/endpoints?owner=o").await.json();
    let endpoint = &endpoints["endpoints"][0];
    assert_eq!(
        endpoint["origin"], "https://example.com",
        "the rest of a URL may be secret"
    );
    assert_eq!(
        (&endpoint["active"], &endpoint["circuit"]),
        (&json!(true), &json!("closed"))
    );
    let pause = |action: &str| format!("POST /hooks/api/{action}");
    let body = json!({ "subscription": "o order.paid" }).to_string();
    let media = ["content-type: application/json"];
    for (action, active) in [("pause", false), ("resume", true)] {
        let changed = site.send(&pause(action), &media, &body).await;
        assert_eq!(
            (changed.status, &changed.json()["active"]),
            (200, &json!(active))
        );
        let found = store.subscription("o order.paid").await.unwrap().unwrap();
        assert_eq!(found.is_active(), active);
    }
    let later = json!({ "owner": "o", "change": "later", "by": 3600 }).to_string();
    let moved = site
        .send("POST /hooks/api/reschedule", &media, &later)
        .await;
    assert_eq!(moved.json()["moved"], 1);
    let moved = site.submit("/api/reschedule", "owner=o&change=now").await;
    assert_eq!(moved.status, 303, "{}", moved.body);
    assert!(
        moved.head.contains("location: /hooks/owner?owner=o\r\n"),
        "{}",
        moved.head
    );

    work(&store).await;
    let delivered = site
        .get("/api/deliveries?owner=o&phase=delivered")
        .await
        .json();
    let delivered = &delivered["deliveries"][0];
    assert_eq!(
        (&delivered["kind"], &delivered["state"]),
        (&json!("order.paid"), &json!("delivered"))
    );
    let path = format!("/api/delivery?id={}", delivered["id"]);
    let found = site.get(&path).await.json();
    assert_eq!(found["delivery"]["id"], delivered["id"]);
    assert_eq!(found["attempts"][0]["status"], 200);
    let form = format!("delivery={}", delivered["id"]);
    let replayed = site.submit("/api/replay", &form).await;
    let all = store
        .find_deliveries("o", &DeliveryFilter::new(), None, 10)
        .await
        .unwrap();
    let location = format!("location: /hooks/delivery?id={}\r\n", all[0].id);
    assert!(replayed.head.contains(&location), "{}", replayed.head);
    assert_eq!(all[0].replay_of.unwrap().0, delivered["id"]);
    let failed = site.submit("/api/replay-failed", "owner=o&since=0").await;
    assert_eq!(failed.status, 303);
    let none = site
        .send("POST /hooks/api/replay-failed", &[], "owner=o")
        .await;
    assert_eq!(none.json()["deliveries"], json!([]));
    store
        .set_operator(OperatorSettings::default())
        .await
        .unwrap();
    assert_eq!(site.get("/api/events").await.json()["events"], json!([]));
    for page in [
        "",
        "/",
        "/?after=a",
        "/owner?owner=o&phase=waiting&kind=order.paid",
        &format!("/delivery?id={}", all[0].id),
    ] {
        let page = site.get(page).await;
        assert!(
            page.status == 200 && page.head.contains("content-type: text/html"),
            "{}",
            page.head
        );
        assert!(
            page.head
                .contains("content-security-policy: default-src 'none'")
        );
    }
    assert!(
        site.get("/style.css")
            .await
            .head
            .contains("content-type: text/css")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_is_administered_on_sqlite() {
    api(SqliteStore::open(":memory:").await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_is_administered_on_postgres() {
    let Some(server) = Postgres::start("a_store_is_administered_on_postgres") else {
        return;
    };
    api(server.store().await).await;
}

#[tokio::test]
async fn errors_are_statuses() {
    let store = SqliteStore::open(":memory:").await.unwrap();
    filled(&store, "o", "kind").await;
    let open = store.deliveries(None, 1).await.unwrap()[0].id;
    let site = Site::start(store).await;
    let long = format!("subscription={}", "x".repeat(17 << 10));
    for (start, body, status, error) in [
        ("GET /hooks/nowhere", "", 404, "there is no such page"),
        ("GET /hooks/api/nowhere", "", 404, "there is no such page"),
        (
            "POST /hooks/api/nowhere",
            "",
            405,
            "the path allows GET, HEAD",
        ),
        ("GET /hooks/api/pause", "", 405, "the path allows POST"),
        (
            "GET /hooks/api/deliveries",
            "",
            400,
            "the parameter `owner` is missing or malformed",
        ),
        (
            "GET /hooks/api/deliveries?owner=&phase=gone",
            "",
            400,
            "the parameter `phase` is missing or malformed",
        ),
        (
            "GET /hooks/api/delivery?id=x",
            "",
            400,
            "the parameter `id` is missing or malformed",
        ),
        (
            "GET /hooks/api/delivery?id=99",
            "",
            404,
            "there is nothing with this id",
        ),
        (
            "POST /hooks/api/pause",
            "subscription=gone",
            404,
            "there is nothing with this id",
        ),
        (
            "POST /hooks/api/pause",
            &long,
            413,
            "the body is incomplete or longer than 16 KiB",
        ),
        (
            "POST /hooks/api/replay",
            &format!("delivery={open}"),
            409,
            "the delivery is not finished",
        ),
        (
            "POST /hooks/api/reschedule",
            "owner=o&change=later",
            400,
            "the parameter `by` is missing or malformed",
        ),
    ] {
        let reply = site.send(start, &[], body).await;
        assert_eq!(reply.status, status, "{start}: {}", reply.body);
        assert_eq!(reply.json()["error"], error, "{start}");
    }
    let page = site
        .send("GET /hooks/nowhere", &["accept: text/html"], "")
        .await;
    assert!(page.status == 404 && page.body.starts_with("<!DOCTYPE html>"));
}

#[tokio::test]
async fn another_site_changes_nothing() {
    let store = SqliteStore::open(":memory:").await.unwrap();
    filled(&store, "o", "kind").await;
    let site = Site::start(store.clone()).await;
    let other = ["origin: http://other.example"];
    for headers in [
        &["sec-fetch-site: cross-site"][..],
        &["sec-fetch-site: same-site"],
        &other,
        &["origin: null"],
    ] {
        let form = "subscription=o+kind";
        let reply = site.send("POST /hooks/api/pause", headers, form).await;
        assert_eq!(reply.status, 403, "{headers:?}");
        let found = store.subscription("o kind").await.unwrap().unwrap();
        assert!(found.is_active(), "{headers:?}");
    }
    // What reads changes nothing, from wherever it is asked.
    for action in ["pause", "resume", "replay", "replay-failed", "reschedule"] {
        let path = format!("/api/{action}?subscription=o+kind&owner=o&delivery=1&change=now");
        assert_eq!(site.get(&path).await.status, 405);
    }
    assert_eq!(
        site.submit("/api/pause", "subscription=o+kind")
            .await
            .status,
        303
    );
    assert!(
        !store
            .subscription("o kind")
            .await
            .unwrap()
            .unwrap()
            .is_active()
    );
}

#[tokio::test]
async fn texts_of_others_are_no_markup() {
    let store = SqliteStore::open(":memory:").await.unwrap();
    filled(&store, HOSTILE, HOSTILE).await;
    let worker = Worker::builder(store.clone()).policy(Policy::default());
    let worker = worker.sender(Hostile).build();
    let done = async {
        while store.depth().await.unwrap() > 0 {
            tokio::task::yield_now().await;
        }
    };
    worker.run(done).await;
    let id = store.deliveries(None, 1).await.unwrap()[0].clone();
    assert!(matches!(id.state, State::Dead { .. }));
    let dead = DeliveryFilter::new().phase(Phase::Dead);
    assert_eq!(
        store
            .find_deliveries(HOSTILE, &dead, None, 9)
            .await
            .unwrap()
            .len(),
        1
    );
    let site = Site::start(store).await;
    let query: String = url::form_urlencoded::byte_serialize(HOSTILE.as_bytes()).collect();
    let pages = [
        "/".to_owned(),
        format!("/owner?owner={query}&kind={query}&subscription={query}+{query}"),
        format!("/delivery?id={}", id.id),
    ];
    for path in pages {
        let page = site.get(&path).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.body.contains(ESCAPED), "{path}: {}", page.body);
        assert!(!page.body.contains("<script"), "{path}: {}", page.body);
        assert!(!page.body.contains("\" onload"), "{path}: {}", page.body);
    }
    let error = site
        .send(&format!("GET /hooks/{query}"), &["accept: text/html"], "")
        .await;
    assert_eq!(error.status, 404);
    assert!(!error.body.contains("<script"));
}

/// Rejects everything, with markup.
struct Hostile;

impl bothends_delivery::send::Sender for Hostile {
    async fn send(
        &self,
        _: bothends_delivery::send::OutgoingRequest,
    ) -> bothends_delivery::send::Sent {
        Ok(bothends_delivery::send::ReceiverResponse {
            status: 410,
            waited: None,
            retry_after: None,
            excerpt: HOSTILE.to_owned(),
        })
    }
}
