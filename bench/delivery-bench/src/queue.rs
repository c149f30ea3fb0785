//! Claims, records and the number of open deliveries, with few and with many waiting.

use crate::workload::BODY;
use bothends_delivery::conformance::{outcome, request};
use bothends_delivery::store::{CircuitPolicy, Decision};
use bothends_delivery::{DeliveryStore, Message, Subscription};
use std::time::{Duration, Instant};

/// The sorted times of calls.
#[derive(Default)]
pub struct Waiting {
    claims: Vec<Duration>,
    records: Vec<Duration>,
    depths: Vec<Duration>,
}

type Times = fn(&Waiting) -> &[Duration];

impl Waiting {
    pub const SUBJECTS: [(&str, Times); 3] = [
        ("claim of 16", |found| &found.claims),
        ("record of 16", |found| &found.records),
        ("depth", |found| &found.depths),
    ];
}

/// Measures alternating claims and records, with `waiting` deliveries over a thousand endpoints.
pub async fn measure<S: DeliveryStore>(store: S, waiting: usize) -> Waiting {
    const ENDPOINTS: usize = 1000;
    for id in 0..ENDPOINTS {
        let subscription = Subscription::builder(format!("s{id}")).url("https://example.com/");
        let subscription = subscription.build().unwrap();
        store.put_subscription(subscription).await.unwrap();
    }
    for _ in 0..waiting / ENDPOINTS {
        store.enqueue(Message::new("kind", BODY)).await.unwrap();
    }
    let mut found = Waiting::default();
    for _ in 0..50 {
        let (claimed, took) = timed(store.claim(request(16))).await;
        found.claims.push(took);
        assert_eq!(claimed.leases.len(), 16);
        let outcomes = claimed.leases.iter();
        let outcomes = outcomes.map(|lease| outcome(lease, claimed.now, Decision::Delivered));
        let recording = store.record(outcomes.collect(), CircuitPolicy::default());
        found.records.push(timed(recording).await.1);
        let (depth, took) = timed(store.depth()).await;
        found.depths.push(took);
        assert_eq!(depth, (waiting - 16 * found.claims.len()) as u64);
    }
    for times in [&mut found.claims, &mut found.records, &mut found.depths] {
        times.sort_unstable();
    }
    found
}

async fn timed<T, E: std::fmt::Debug>(call: impl Future<Output = Result<T, E>>) -> (T, Duration) {
    let began = Instant::now();
    let result = call.await.unwrap();
    (result, began.elapsed())
}
