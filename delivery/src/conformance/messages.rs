//! Checks of messages: their ids, contents and due times.

use super::{Timed, WORKS, at, claim, delivery, id, outcome, record, secs, subscribe};
use crate::delivery::State;
use crate::store::{Decision, DeliveryStore};
use crate::{EnqueueStatus, Message, Subscription};
use http::{HeaderValue, Method};

pub(super) async fn ids_are_unique_within_an_owner(store: Timed<impl DeliveryStore>) {
    for owner in ["a", "b"] {
        let subscription = Subscription::builder(owner).owner(owner);
        let subscription = subscription.url("https://example.com/").build();
        let subscription = subscription.expect("it is a good subscription");
        store.put_subscription(subscription).await.expect(WORKS);
    }
    let message = |owner: &str, name: &str| Message::new("kind", "1").id(id(name)).owner(owner);
    let mut made = Vec::new();
    for (owner, name) in [
        ("a", "evt-1"),
        ("b", "evt-1"),
        ("a", "order 1 2"),
        ("a", "order 12"),
        ("a", "EVT-1"),
    ] {
        let enqueued = store.enqueue(message(owner, name)).await.expect(WORKS);
        assert!(enqueued.is_created(), "{owner} {name}: {enqueued:?}");
        assert_eq!(enqueued.message.as_str(), name, "it is kept as it is");
        made.extend(enqueued.deliveries);
    }
    let leases = claim(&store, at(1), 10).await;
    let mut sent: Vec<_> = leases
        .iter()
        .map(|lease| {
            (
                lease.delivery,
                lease.message.owner.as_str(),
                lease.message.id.as_str(),
            )
        })
        .collect();
    sent.sort_unstable();
    let expected = [
        (made[0], "a", "evt-1"),
        (made[1], "b", "evt-1"),
        (made[2], "a", "order 1 2"),
        (made[3], "a", "order 12"),
        (made[4], "a", "EVT-1"),
    ];
    assert_eq!(sent, expected);
    assert_eq!(delivery(&store, made[1]).await.owner, "b");
    // A second message with the same id and other content is a duplicate that differs, and the
    // first message stays.
    let same = message("a", "evt-1").delay(secs(9));
    let kind = Message {
        kind: "other".to_owned(),
        ..message("a", "evt-1")
    };
    let body = Message {
        body: "2".into(),
        ..message("a", "evt-1")
    };
    let method = message("a", "evt-1").method(Method::PUT);
    let media = message("a", "evt-1").content_type(HeaderValue::from_static("text/plain"));
    for (again, differs) in [
        (same, false),
        (kind, true),
        (body, true),
        (method, true),
        (media, true),
    ] {
        let enqueued = store.enqueue(again.clone()).await.expect(WORKS);
        assert_eq!(
            enqueued.status,
            EnqueueStatus::Duplicate { differs },
            "{again:?}"
        );
        assert_eq!(enqueued.deliveries, [made[0]]);
    }
    let kept = store.message("a", &id("evt-1")).await.expect(WORKS);
    assert_eq!(kept, Some(message("a", "evt-1")));
    assert_eq!(store.message("c", &id("evt-1")).await.expect(WORKS), None);
    // Of two concurrent calls, exactly one stores the message.
    let both = [message("b", "twice"), message("b", "twice")];
    let [first, second] = both.map(|message| store.enqueue(message));
    let (first, second) = futures_util::future::join(first, second).await;
    let (first, second) = (first.expect(WORKS), second.expect(WORKS));
    assert_ne!(first.is_created(), second.is_created());
    assert_eq!(first.deliveries, second.deliveries);
}

pub(super) async fn a_message_is_kept_whole(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "s", 8).await;
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    let opaque = HeaderValue::from_bytes(b"\xff").expect("it can be sent");
    let plain = Message::new("plain", "x")
        .method(Method::PUT)
        .content_type(text);
    let plain = plain
        .header("X-A", "1")
        .and_then(|message| message.header("x-a", "2"));
    let messages = [
        plain.expect("these are good headers"),
        Message::new("none", "")
            .method(Method::DELETE)
            .content_type(None),
        Message::new("odd", vec![0, 255]).content_type(opaque),
        Message::new("usual", "{}"),
    ];
    for message in &messages {
        let enqueued = store.enqueue(message.clone()).await.expect(WORKS);
        assert!(enqueued.is_created());
    }
    let leases = claim(&store, at(0), 10).await;
    let sent: Vec<_> = leases
        .iter()
        .map(|lease| (*lease.message).clone())
        .collect();
    assert_eq!(sent, messages);
    for message in &messages {
        let kept = store.message("", &message.id).await.expect(WORKS);
        assert_eq!(kept.as_ref(), Some(message));
    }
}

/// Only the clock of the store decides.
pub(super) async fn delays_and_dates_are_kept(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "s", 8).await;
    let message = || Message::new("kind", "{}");
    let mut ids = Vec::new();
    for (message, due) in [
        (message(), at(10)),
        (message().delay(secs(60)), at(70)),
        (message().due(at(20)), at(20)),
        (message().due(at(5)), at(10)),
    ] {
        let enqueued = store.enqueue_at(message, at(10)).await.expect(WORKS);
        let found = delivery(&store, enqueued.deliveries[0]).await;
        assert_eq!(found.state, State::Pending { due });
        ids.extend(enqueued.deliveries);
    }
    assert_eq!(store.now().await.expect(WORKS), at(10));
    let claimed = store
        .claim_at(super::request(10), at(12))
        .await
        .expect(WORKS);
    assert_eq!((claimed.now, claimed.next), (at(12), Some(at(20))));
    let taken: Vec<_> = claimed.leases.iter().map(|lease| lease.delivery).collect();
    assert_eq!(taken, [ids[0], ids[3]]);
    for lease in &claimed.leases {
        assert_eq!((lease.since, lease.until), (at(12), at(42)));
    }
    // A pause starts when the outcome is recorded.
    let again = outcome(
        &claimed.leases[0],
        at(12),
        Decision::Retry { pause: secs(7) },
    );
    record(&store, vec![again], at(15)).await;
    assert_eq!(
        delivery(&store, ids[0]).await.state,
        State::Pending { due: at(22) }
    );
}
