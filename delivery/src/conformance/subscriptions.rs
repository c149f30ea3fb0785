//! Checks of subscriptions and the routing of messages.

use super::{
    Timed, WORKS, at, claim, delivery, enqueue, id, outcome, record, request, secs, subscribe,
};
use crate::delivery::{DeadReason, State};
use crate::store::{Decision, DeliveryStore, StoreErrorKind};
use crate::{EnqueueStatus, Filter, Message, SigningToken, Subscription};

pub(super) async fn subscriptions_come_back_as_they_were(store: Timed<impl DeliveryStore>) {
    let token = SigningToken::new("a token of more than 32 characters").expect("it is long");
    let mut made = Vec::new();
    for id in ["b", "a"] {
        let subscription = Subscription::builder(id)
            .owner("owner")
            .url("https://example.com/all")
            .url_for("one", "https://example.com/one")
            .events(["two"])
            .header("X-Tenant", "7")
            .header("X-Tenant", "8")
            .token(token.clone())
            .concurrency(3)
            .rate_limit(7, secs(60))
            .retry_delays([secs(1), secs(30)])
            .ordered(true)
            .filter(Filter::new().one_of("/a", [1, 2]).less_than("/b", 1.5))
            .build()
            .expect("it is a good subscription");
        store
            .put_subscription(subscription.clone())
            .await
            .expect(WORKS);
        let back = store.subscription(id).await.expect(WORKS);
        assert_eq!(
            back.as_ref(),
            Some(&subscription),
            "it comes back as it was"
        );
        made.insert(0, subscription);
    }
    assert_eq!(
        store.subscriptions("owner").await.expect(WORKS),
        made,
        "by id"
    );
    assert_eq!(store.subscriptions("other").await.expect(WORKS), []);
    assert_eq!(store.subscription("c").await.expect(WORKS), None);
    let missing = store.set_active_at("c", true, at(0)).await;
    let kind = missing.expect_err("it is not there").kind();
    assert_eq!(kind, StoreErrorKind::NotFound);
}

pub(super) async fn messages_go_where_they_are_wanted(store: Timed<impl DeliveryStore>) {
    let all = Subscription::builder("all").url("https://all.example/");
    let own = all.clone().url_for("x", "https://own.example/x");
    let some = Subscription::builder("some")
        .url("https://some.example/")
        .events(["x", "y"]);
    let other = Subscription::builder("other")
        .owner("other")
        .url("https://other.example/");
    for builder in [own, some, other] {
        let subscription = builder.build().expect("it is a good subscription");
        store.put_subscription(subscription).await.expect(WORKS);
    }
    for kind in ["x", "y", "z"] {
        enqueue(&store, kind, at(0)).await;
    }
    let leases = claim(&store, at(0), 10).await;
    let mut went: Vec<_> = leases
        .iter()
        .map(|l| (l.message.kind.as_str(), l.url.as_str()))
        .collect();
    went.sort_unstable();
    let expected = [
        ("x", "https://own.example/x"),
        ("x", "https://some.example/"),
        ("y", "https://all.example/"),
        ("y", "https://some.example/"),
        ("z", "https://all.example/"),
    ];
    assert_eq!(
        went, expected,
        "each subscription gets what it selected, once"
    );
    let moved = all
        .url_for("x", "https://new.example/x")
        .build()
        .expect("it is good");
    store.put_subscription(moved).await.expect(WORKS);
    let back = leases
        .iter()
        .map(|lease| outcome(lease, at(1), Decision::Release { pause: secs(0) }));
    record(&store, back.collect(), at(1)).await;
    let urls = claim(&store, at(1), 10).await;
    let moved = urls
        .iter()
        .any(|lease| lease.url.as_str() == "https://new.example/x");
    assert!(moved, "what is under way goes to the new URL");
}

pub(super) async fn a_message_is_enqueued_once(store: Timed<impl DeliveryStore>) {
    let message = Message::new("kind", "{\"a\":1}").id(id("message-1"));
    let none = store.enqueue_at(message.clone(), at(0)).await.expect(WORKS);
    assert_eq!(none.status, EnqueueStatus::NoSubscription);
    assert!(none.deliveries.is_empty(), "nobody wants it");
    subscribe(&store, "s", 4).await;
    let first = store.enqueue_at(message.clone(), at(0)).await.expect(WORKS);
    assert_eq!((first.deliveries.len(), first.is_created()), (1, true));
    let second = store.enqueue_at(message.clone(), at(0)).await.expect(WORKS);
    assert_eq!(second.status, EnqueueStatus::Duplicate { differs: false });
    assert_eq!(second.deliveries, first.deliveries, "it is there already");
    let kept = store.message("", &message.id).await.expect(WORKS);
    assert_eq!(
        kept,
        Some(message.clone()),
        "the bytes are those that were given"
    );
    let later = Message::new("kind", "{}").due(at(60));
    store.enqueue_at(later, at(0)).await.expect(WORKS);
    let claimed = store.claim_at(request(10), at(0)).await.expect(WORKS);
    assert_eq!(claimed.leases.len(), 1, "the other is not due");
    assert_eq!(claimed.leases[0].message.body, message.body);
    assert_eq!(claimed.leases[0].message.id, message.id);
    assert_eq!(claimed.next, Some(at(60)), "it is known when it is");
    assert_eq!(
        claim(&store, at(60), 10).await.len(),
        2,
        "the one that is due, and the lost one"
    );
}

pub(super) async fn inactive_subscriptions_hold(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "s", 8).await;
    let before = enqueue(&store, "kind", at(0)).await[0];
    store.set_active_at("s", false, at(1)).await.expect(WORKS);
    let meanwhile = enqueue(&store, "kind", at(2)).await[0];
    for id in [before, meanwhile] {
        assert!(matches!(
            delivery(&store, id).await.state,
            State::Held { .. }
        ));
    }
    assert!(claim(&store, at(9), 10).await.is_empty());
    store.set_active_at("s", true, at(10)).await.expect(WORKS);
    assert!(matches!(
        delivery(&store, before).await.state,
        State::Pending { .. }
    ));
    let leases = claim(&store, at(10), 10).await;
    assert_eq!(leases.len(), 2, "what was held is sent");
    // After a deactivation, attempts in progress are completed.
    store.set_active_at("s", false, at(11)).await.expect(WORKS);
    let again = outcome(&leases[0], at(12), Decision::Retry { pause: secs(1) });
    let done = outcome(&leases[1], at(12), Decision::Delivered);
    record(&store, vec![again, done], at(12)).await;
    assert_eq!(
        delivery(&store, before).await.state,
        State::Held { due: at(13) }
    );
    assert_eq!(
        delivery(&store, meanwhile).await.state,
        State::Delivered { at: at(12) }
    );
    assert!(claim(&store, at(20), 10).await.is_empty());
}

/// A new subscription is active. Each call of `set_active` sets the requested state, and has no
/// effect if the subscription is already in that state.
pub(super) async fn subscriptions_are_active_until_they_are_not(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "s", 8).await;
    let is_active = async || {
        let found = store.subscription("s").await.expect(WORKS);
        found.expect("it is there").is_active()
    };
    assert!(is_active().await, "active once subscribed");
    for active in [false, false, true, true, false] {
        store.set_active_at("s", active, at(0)).await.expect(WORKS);
        assert_eq!(is_active().await, active);
    }
    subscribe(&store, "s", 8).await;
    assert!(is_active().await, "active once subscribed again");
}

pub(super) async fn removed_subscriptions_end_what_is_open(store: Timed<impl DeliveryStore>) {
    let missing = store.remove_at("s", at(0)).await;
    let kind = missing.expect_err("it is not there").kind();
    assert_eq!(kind, StoreErrorKind::NotFound);
    subscribe(&store, "s", 3).await;
    subscribe(&store, "other", 8).await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(enqueue(&store, "kind", at(0)).await);
    }
    // Deliveries to "other" precede those to "s", in the order of subscription ids.
    let id_of = |message: usize| ids[message][1];
    let leases = claim(&store, at(1), 20).await;
    let leased: Vec<_> = leases
        .iter()
        .filter(|lease| lease.subscription.id() == "s")
        .collect();
    assert_eq!(leased.len(), 3);
    record(
        &store,
        vec![outcome(leased[0], at(2), Decision::Delivered)],
        at(2),
    )
    .await;
    store.remove_at("s", at(3)).await.expect(WORKS);

    assert_eq!(store.subscription("s").await.expect(WORKS), None);
    assert_eq!(store.subscriptions("").await.expect(WORKS).len(), 1);
    let later = store
        .set_active_at("s", true, at(3))
        .await
        .expect_err("it is gone");
    assert_eq!(later.kind(), StoreErrorKind::NotFound);
    let twice = store.remove_at("s", at(3)).await.expect_err("it is gone");
    assert_eq!(twice.kind(), StoreErrorKind::NotFound);
    assert_eq!(
        enqueue(&store, "kind", at(4)).await.len(),
        1,
        "it gets nothing new"
    );

    let removed = |seconds| State::Dead {
        at: at(seconds),
        reason: DeadReason::Removed,
    };
    assert_eq!(
        delivery(&store, id_of(0)).await.state,
        State::Delivered { at: at(2) }
    );
    for waited in [id_of(3), id_of(4)] {
        let found = delivery(&store, waited).await;
        assert_eq!(found.state, removed(3), "what waited is given up");
        assert_eq!(found.subscription, "s", "and still tells whose it was");
    }
    // Attempts in progress are completed, but not retried.
    assert_eq!(
        delivery(&store, id_of(1)).await.state,
        State::Leased { until: at(31) }
    );
    let done = outcome(leased[1], at(5), Decision::Delivered);
    let again = outcome(leased[2], at(5), Decision::Retry { pause: secs(1) });
    record(&store, vec![done, again], at(5)).await;
    assert_eq!(
        delivery(&store, id_of(1)).await.state,
        State::Delivered { at: at(5) }
    );
    assert_eq!(delivery(&store, id_of(2)).await.state, removed(5));
    assert_eq!(store.attempts(id_of(2)).await.expect(WORKS).len(), 1);
    let others = claim(&store, at(100), 20).await;
    assert!(
        others
            .iter()
            .all(|lease| lease.subscription.id() == "other"),
        "nobody else waits"
    );

    for gone in [id_of(0), id_of(3)] {
        let nowhere = store
            .replay_at(gone, at(100))
            .await
            .expect_err("it would go nowhere");
        assert_eq!(nowhere.kind(), StoreErrorKind::NotFound);
    }
    // A subscription with the same id is a new subscription: finished deliveries stay finished.
    subscribe(&store, "s", 8).await;
    assert_eq!(delivery(&store, id_of(3)).await.state, removed(3));
    let fresh = enqueue(&store, "kind", at(101)).await[1];
    let leases = claim(&store, at(101), 20).await;
    let got: Vec<_> = leases
        .iter()
        .filter(|lease| lease.subscription.id() == "s")
        .collect();
    assert_eq!(
        got.iter().map(|lease| lease.delivery).collect::<Vec<_>>(),
        [fresh]
    );

    // Removed deliveries are pruned like other finished deliveries. The delivery that finished at 5
    // is kept longer.
    assert_eq!(store.prune_at(at(5), 20).await.expect(WORKS), 3);
    assert_eq!(store.delivery(id_of(3)).await.expect(WORKS), None);
    assert_eq!(delivery(&store, id_of(2)).await.state, removed(5));
    assert_eq!(store.prune_at(at(6), 20).await.expect(WORKS), 2);
    let kept = store.claim_at(request(20), at(200)).await;
    let leases = kept.expect(WORKS).leases;
    assert!(
        leases
            .iter()
            .all(|lease| lease.delivery == fresh || lease.subscription.id() == "other")
    );
}

pub(super) async fn patterns_select_kinds(store: Timed<impl DeliveryStore>) {
    let url = |path: &str| format!("https://a.example/{path}");
    let new = |id: &str| Subscription::builder(id).url(url(id));
    for subscription in [
        new("all"),
        new("exact").events(["order.shipped"]),
        new("pattern").events(["order.*"]),
        new("several")
            .events(["order.*", "other"])
            .url_for("order.item.*", url("item"))
            .url_for("order.item.lost", url("lost")),
    ] {
        let subscription = subscription.build().expect("it is a good subscription");
        store.put_subscription(subscription).await.expect(WORKS);
    }
    let order = &["all", "pattern", "several"][..];
    for (kind, expected) in [
        ("order.shipped", &["all", "exact", "pattern", "several"][..]),
        ("order.paid", order),
        ("order.", order),
        ("order.item.added", &["all", "pattern", "item"]),
        ("order.item.lost", &["all", "pattern", "lost"]),
        ("order.item.lost.again", &["all", "pattern", "item"]),
        ("order", &["all"]),
        ("orders.paid", &["all"]),
        ("other.order.paid", &["all"]),
        ("", &["all"]),
    ] {
        enqueue(&store, kind, at(0)).await;
        let leases = claim(&store, at(0), 10).await;
        let mut urls: Vec<_> = leases.iter().map(|lease| lease.url.to_string()).collect();
        urls.sort();
        let mut expected: Vec<_> = expected.iter().map(|path| url(path)).collect();
        expected.sort();
        assert_eq!(urls, expected, "{kind:?}");
        for lease in &leases {
            assert_eq!(
                lease.subscription.url_for(kind),
                Some(&lease.url),
                "{kind:?}"
            );
        }
        let outcomes = leases.iter();
        let outcomes = outcomes.map(|lease| outcome(lease, at(0), Decision::Delivered));
        record(&store, outcomes.collect(), at(0)).await;
    }
}

pub(super) async fn filters_select_bodies(store: Timed<impl DeliveryStore>) {
    let put = async |id: &str, filter: Option<Filter>| {
        let mut subscription = Subscription::builder(id).url(format!("https://{id}.example/"));
        if let Some(filter) = filter {
            subscription = subscription.filter(filter).events(["order.*", "other"]);
        }
        let subscription = subscription.build().expect("it is a good subscription");
        store.put_subscription(subscription).await.expect(WORKS);
    };
    let paid = || Filter::new().equals("/state", "paid");
    put("paid", Some(paid())).await;
    put("large", Some(paid().at_least("/amount", 100))).await;
    let send = async |kind: &str, body: &'static str| {
        let enqueued = store.enqueue_at(Message::new(kind, body), at(0)).await;
        let enqueued = enqueued.expect(WORKS);
        let mut found = Vec::new();
        for id in &enqueued.deliveries {
            found.push(delivery(&store, *id).await.subscription);
        }
        (enqueued.status, found)
    };
    for (kind, body, expected) in [
        (
            "order.paid",
            r#"{ "state": "paid", "amount": 100 }"#,
            &["large", "paid"][..],
        ),
        (
            "order.paid",
            r#"{ "state": "paid", "amount": 99.5 }"#,
            &["paid"],
        ),
        ("other", r#"{ "state": "paid" }"#, &["paid"]),
        ("other", r#"{ "state": "open", "amount": 100 }"#, &[]),
        ("other", "paid", &[]),
        ("another", r#"{ "state": "paid", "amount": 100 }"#, &[]),
    ] {
        let (status, found) = send(kind, body).await;
        assert_eq!(found, expected, "{kind} {body}");
        let created = status == EnqueueStatus::Created;
        assert_eq!(created, !expected.is_empty(), "{kind} {body}");
    }
    // Beside others, without one, and changed.
    put("all", None).await;
    let (_, found) = send("other", "not JSON").await;
    assert_eq!(found, ["all"]);
    put("large", Some(Filter::new().less_than("/amount", 100))).await;
    let (_, found) = send("other", r#"{ "amount": 1 }"#).await;
    assert_eq!(found, ["all", "large"]);
    let message = Message::new("other", r#"{ "state": "paid" }"#).id(id("once"));
    let first = store.enqueue_at(message.clone(), at(0)).await.expect(WORKS);
    let again = store.enqueue_at(message, at(0)).await.expect(WORKS);
    assert_eq!(again.status, EnqueueStatus::Duplicate { differs: false });
    assert_eq!(again.deliveries, first.deliveries);
    assert_eq!(first.deliveries.len(), 2);
}
