//! Receivers that lead elsewhere: redirects, addresses that are not public, names that change their
//! minds. Nothing is sent there, and nobody else waits.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use crate::common;

use bothends_delivery::send::Resolve;
use bothends_delivery::{AttemptEnd, DeadReason, DeliveryStore, Destinations, HttpSender, State};
use common::bench::Bench;
use common::receiver::{Act, Receiver};
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[tokio::test]
async fn redirects_are_not_followed() {
    let bench = Bench::new().await;
    let target = Receiver::always(200).await;
    let location = [
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        target.url(),
    ];
    let mut receivers = Vec::new();
    for (index, location) in location.into_iter().enumerate() {
        let head =
            format!("HTTP/1.1 307 Moved\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
        let receiver = Receiver::start(move |_| Act::Bytes(head.clone().into_bytes())).await;
        bench.subscribe(&index.to_string(), &receiver.url()).await;
        bench.enqueue(&index.to_string()).await;
        receivers.push(receiver);
    }
    let _good = bench.bystander("127.0.0.1").await;
    bench
        .attempt_all(bench.worker().build().unwrap(), |_| false)
        .await;
    bench.nobody_waited().await;
    for kind in ["0", "1"] {
        let (delivery, attempt) = bench.attempt_of(kind).await;
        let dead = matches!(
            delivery.state,
            State::Dead {
                reason: DeadReason::Rejected,
                ..
            }
        );
        assert!(dead && attempt.status == Some(307), "{delivery:?}");
    }
    assert_eq!(target.count(), 0);
}

/// Says one address the first time and another one afterwards, as those do who want in.
#[derive(Clone, Default)]
struct Rebinding(Arc<AtomicUsize>);

impl Resolve for Rebinding {
    fn resolve(
        &self,
        host: String,
    ) -> Pin<Box<dyn Future<Output = std::io::Result<Vec<IpAddr>>> + Send>> {
        let first = self.0.fetch_add(1, Ordering::SeqCst) == 0;
        Box::pin(async move {
            Ok(match host.as_str() {
                "mixed.example" => vec![[127, 0, 0, 2].into(), [169, 254, 169, 254].into()],
                // 127.0.0.2 stands for a public address here.
                _ if first => vec![[127, 0, 0, 2].into()],
                _ => vec![[127, 0, 0, 1].into()],
            })
        })
    }
}

#[tokio::test]
async fn an_address_that_may_not_be_sent_to_is_not_connected_to() {
    let bench = Bench::new().await;
    let secret = Receiver::always(200).await;
    let port = secret.port();
    let urls = [
        ("literal", format!("http://127.0.0.1:{port}/")),
        ("decimal", format!("http://2130706433:{port}/")),
        ("short", format!("http://127.1:{port}/")),
        ("mapped", format!("http://[::ffff:127.0.0.1]:{port}/")),
        ("loopback", format!("http://[::1]:{port}/")),
        ("nat64", "http://[64:ff9b::a9fe:a9fe]/".to_owned()),
        ("6to4", "http://[2002:a9fe:a9fe::]/".to_owned()),
        ("metadata", "http://169.254.169.254/latest/".to_owned()),
        ("mixed", format!("http://mixed.example:{port}/")),
    ];
    for (kind, url) in &urls {
        bench.subscribe(kind, url).await;
        bench.enqueue(kind).await;
    }
    let _good = bench.bystander("127.0.0.3").await;
    let resolver = Rebinding(Arc::new(AtomicUsize::new(1)));
    // 127.0.0.2 and 127.0.0.3 stand for public addresses.
    let only = Destinations::public().allow("127.0.0.2/31".parse().unwrap());
    let sender = HttpSender::builder().resolver(resolver).destinations(only);
    let worker = bench.worker().sender(sender.build().unwrap()).build();
    bench.attempt_all(worker, |_| false).await;
    for (kind, _) in &urls {
        let (delivery, attempt) = bench.attempt_of(kind).await;
        assert_eq!(attempt.end, AttemptEnd::Forbidden, "{kind}: {attempt:?}");
        let forbidden = matches!(
            delivery.state,
            State::Dead {
                reason: DeadReason::Forbidden,
                ..
            }
        );
        assert!(forbidden, "{kind}: {delivery:?}");
    }
    assert_eq!(secret.count(), 0, "nothing came through");
    bench.nobody_waited().await;
}

#[tokio::test]
async fn a_name_that_changes_its_mind_gains_nothing() {
    let bench = Bench::new().await;
    // Listens on every address of loopback's, so that the address tells who was asked for.
    let secret = Receiver::start(|_| {
        Act::Bytes(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_vec())
    })
    .await;
    bench
        .subscribe(
            "rebinding",
            &format!("http://rebinding.example:{}/", secret.port()),
        )
        .await;
    bench.enqueue("rebinding").await;
    let _good = bench.bystander("127.0.0.3").await;
    let resolver = Rebinding::default();
    let asked = Arc::clone(&resolver.0);
    let only = Destinations::public().allow("127.0.0.2/31".parse().unwrap());
    let sender = HttpSender::builder()
        .resolver(resolver)
        .destinations(only)
        .build()
        .unwrap();
    // The first look says the good address, where nobody listens: refused, and sent again later.
    bench
        .attempt_all(bench.worker().sender(sender.clone()).build(), |_| false)
        .await;
    bench.retried("rebinding", AttemptEnd::Broken).await;
    assert_eq!(
        asked.load(Ordering::SeqCst),
        1,
        "one look for one connection"
    );
    // The next look says the private one.
    bench.enqueue("rebinding").await;
    bench
        .attempt_all(bench.worker().sender(sender).build(), |_| false)
        .await;
    let last = bench
        .store
        .deliveries(None, 100)
        .await
        .unwrap()
        .pop()
        .unwrap();
    assert!(
        matches!(
            last.state,
            State::Dead {
                reason: DeadReason::Forbidden,
                ..
            }
        ),
        "{last:?}"
    );
    assert_eq!(secret.count(), 0, "nothing came through");
    bench.nobody_waited().await;
}
