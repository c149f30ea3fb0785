//! The bridge with Debian's `nats-server`. What the broker forwards is read from a bare socket.

use async_nats::jetstream::{self, Context, stream};
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::store::Reschedule;
use bothends_delivery::{
    AttemptEnd, DeadReason, Delivery, DeliveryId, DeliveryStore, Message, MessageId, State,
    Subscription, Worker,
};
use bothends_test_environment::skipped;
use example_nats_bridge::JetStreamSender;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A server with JetStream on a free port of loopback, until it is dropped.
struct Broker {
    process: Child,
    address: String,
    _folder: TempDir,
}

impl Broker {
    /// Starts a server, or prints why it cannot be started.
    fn start(test: &str) -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let mut command = Command::new("nats-server");
        command.args(["--addr", "127.0.0.1", "--port", "-1", "--jetstream"]);
        command.arg("--store_dir").arg(folder.path());
        let Ok(mut process) = command.stderr(Stdio::piped()).spawn() else {
            skipped(
                test,
                "no nats-server",
                "install Debian's package nats-server",
            );
            return None;
        };
        let mut log = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut address = None;
        for line in log.by_ref() {
            let line = line.unwrap();
            if let Some((_, listens)) = line.split_once("Listening for client connections on ") {
                address = Some(listens.to_owned());
            }
            if line.ends_with("Server is ready") {
                break;
            }
        }
        std::thread::spawn(move || log.for_each(drop));
        Some(Self {
            process,
            address: address.expect("the server has printed its address"),
            _folder: folder,
        })
    }

    async fn jetstream(&self) -> Context {
        jetstream::new(async_nats::connect(&self.address).await.unwrap())
    }

    /// Subscribes by NATS' protocol, and returns when the server has confirmed it.
    fn subscribe(&self, subject: &str) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(&self.address).unwrap();
        let hello = "CONNECT {\"verbose\":false,\"headers\":true}\r\n";
        let subscribe = format!("{hello}SUB {subject} 1\r\nPING\r\n");
        (&stream).write_all(subscribe.as_bytes()).unwrap();
        let mut lines = BufReader::new(stream);
        let mut line = String::new();
        while line != "PONG\r\n" {
            line.clear();
            assert!(
                lines.read_line(&mut line).unwrap() > 0,
                "the connection was closed"
            );
        }
        lines
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads a message: subject, headers and body.
fn received(from: &mut BufReader<TcpStream>) -> (String, String, String) {
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    // HMSG subject subscription [reply] bytes-of-headers bytes-in-all
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[0], "HMSG", "{line}");
    let number = |from_end: usize| words[words.len() - from_end].parse::<usize>().unwrap();
    let mut content = vec![0; number(1) + 2];
    from.read_exact(&mut content).unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (headers, body) = content.split_at(number(2));
    let body = body.strip_suffix(b"\r\n").unwrap();
    (words[1].to_owned(), text(headers), text(body))
}

async fn create_stream(jetstream: &Context) -> stream::Stream {
    let config = stream::Config {
        name: "WEBHOOKS".to_owned(),
        subjects: vec!["webhooks.>".to_owned()],
        ..stream::Config::default()
    };
    jetstream.create_stream(config).await.unwrap()
}

async fn store() -> SqliteStore {
    let store = SqliteStore::open(":memory:").await.unwrap();
    let subscription = Subscription::builder("broker").owner("o");
    let subscription = subscription.url("https://nats.invalid/");
    store
        .put_subscription(subscription.build().unwrap())
        .await
        .unwrap();
    store
}

async fn enqueue(store: &SqliteStore, kind: &str) -> DeliveryId {
    let message = Message::new(kind, r#"{"order":7}"#).owner("o");
    let message = message.id(MessageId::new("evt-1").unwrap());
    store.enqueue(message).await.unwrap().deliveries[0]
}

/// Runs a worker until the delivery had so many attempts.
async fn work(store: &SqliteStore, jetstream: &Context, id: DeliveryId, tries: u32) -> Delivery {
    let mut changes = store.changes();
    let attempted = async {
        while store.delivery(id).await.unwrap().unwrap().tries < tries {
            changes.changed().await.unwrap();
        }
    };
    let sender = JetStreamSender::new(jetstream.clone(), "webhooks");
    let worker = Worker::builder(store.clone()).sender(sender).build();
    worker.run(attempted).await;
    store.delivery(id).await.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_stored_in_the_stream() {
    let Some(broker) = Broker::start("a_message_is_stored_in_the_stream") else {
        return;
    };
    let mut subscriber = broker.subscribe("webhooks.>");
    let jetstream = broker.jetstream().await;
    let mut stream = create_stream(&jetstream).await;
    let store = store().await;
    let id = enqueue(&store, "order.created").await;
    let delivered = work(&store, &jetstream, id, 1).await;
    assert!(matches!(delivered.state, State::Delivered { .. }));
    assert_eq!(store.attempts(id).await.unwrap()[0].detail, "WEBHOOKS 1");

    let (subject, headers, body) = received(&mut subscriber);
    assert_eq!(subject, "webhooks.order.created");
    assert_eq!(body, r#"{"order":7}"#);
    let lines: Vec<String> = headers.lines().map(str::to_lowercase).collect();
    for header in [
        "webhook-id: evt-1",
        "webhook-attempt: 1.1",
        "content-type: application/json",
        "nats-msg-id: o/evt-1/broker",
    ] {
        assert!(lines.iter().any(|line| line == header), "{headers}");
    }

    // A replay, like an attempt that is repeated after a crash, is stored once.
    let replay = store.replay(id).await.unwrap();
    let delivered = work(&store, &jetstream, replay, 1).await;
    assert!(matches!(delivered.state, State::Delivered { .. }));
    assert_eq!(stream.info().await.unwrap().state.messages, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_stream_the_message_waits() {
    let Some(broker) = Broker::start("without_a_stream_the_message_waits") else {
        return;
    };
    let jetstream = broker.jetstream().await;
    let store = store().await;
    let id = enqueue(&store, "order.created").await;
    let waiting = work(&store, &jetstream, id, 1).await;
    assert!(
        matches!(waiting.state, State::Pending { .. }),
        "{waiting:?}"
    );
    assert_eq!(store.attempts(id).await.unwrap()[0].end, AttemptEnd::Broken);

    create_stream(&jetstream).await;
    store.reschedule("o", .., Reschedule::Now).await.unwrap();
    let delivered = work(&store, &jetstream, id, 2).await;
    assert!(matches!(delivered.state, State::Delivered { .. }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kind_that_is_no_subject_is_rejected() {
    let Some(broker) = Broker::start("a_kind_that_is_no_subject_is_rejected") else {
        return;
    };
    let jetstream = broker.jetstream().await;
    create_stream(&jetstream).await;
    let store = store().await;
    let id = enqueue(&store, "order created").await;
    let rejected = work(&store, &jetstream, id, 1).await;
    let reason = DeadReason::Rejected;
    assert!(matches!(rejected.state, State::Dead { reason: found, .. } if found == reason));
    let detail = &store.attempts(id).await.unwrap()[0].detail;
    assert_eq!(
        detail,
        "the kind `order created` cannot be part of a NATS subject"
    );
}

#[test]
fn the_program_prints_where_its_message_is() {
    let Some(broker) = Broker::start("the_program_prints_where_its_message_is") else {
        return;
    };
    let program = env!("CARGO_BIN_EXE_example-nats-bridge");
    let output = Command::new(program)
        .env("NATS_URL", &broker.address)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "answered: WEBHOOKS 1\n"
    );
}
