//! Enqueues, claims and records on SQLite in a fixed order, with as many endpoints as the argument says, so that their
//! instructions can be counted: they differ by less than a percent between runs, and times by far more.
//!
//! `valgrind --tool=cachegrind --cache-sim=no instructions 64`

#[path = "../workload.rs"]
#[allow(dead_code)]
mod workload;

use bothends_delivery::conformance::{outcome, request};
use bothends_delivery::sqlite::SqliteOptions;
use bothends_delivery::store::{CircuitPolicy, Decision, Lease};
use bothends_delivery::{DeliveryStore, SystemClock};

/// How many times a group of messages is enqueued, while the group before is claimed, and that before it is recorded.
const ROUNDS: usize = 100;
const GROUP: usize = 60;

#[tokio::main]
async fn main() {
    let endpoints = std::env::args().nth(1).map(|count| count.parse().unwrap());
    let endpoints = endpoints.unwrap_or(1);
    let folder = tempfile::tempdir().unwrap();
    // The clock of the database is read in a way that Valgrind does not support.
    let store = SqliteOptions::new().clock(SystemClock);
    let store = store.open(folder.path().join("queue.db")).await.unwrap();
    workload::subscribe(&store, endpoints, "https://example.com/").await;
    let mut leases: Vec<Lease> = Vec::new();
    for round in 0..ROUNDS {
        let now = store.now().await.unwrap();
        let outcomes = leases
            .iter()
            .map(|lease| outcome(lease, now, Decision::Delivered));
        let outcomes: Vec<_> = outcomes.collect();
        let calls = (0..GROUP).map(|number| {
            let message = workload::message(round * GROUP + number, endpoints);
            let store = store.clone();
            tokio::spawn(async move { store.enqueue(message).await.unwrap() })
        });
        let calls: Vec<_> = calls.collect();
        let (claimed, recorded) = tokio::join!(
            store.claim(request(4 * GROUP)),
            store.record(outcomes, CircuitPolicy::default())
        );
        recorded.unwrap();
        leases = claimed.unwrap().leases;
        for call in calls {
            call.await.unwrap();
        }
    }
}
