//! Retries: on which statuses, how often, and when.

use super::support::{Receiver, Reply, change, log, start, subscribe, trigger};
use financial_data_sandbox::clock;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The statuses of section 8 of the interface document.
const RETRIED: [u16; 7] = [408, 425, 429, 500, 502, 503, 504];
/// Statuses that are no success and are not retried.
const FINAL: [u16; 34] = [
    300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412,
    413, 414, 415, 417, 418, 421, 422, 423, 424, 426, 428, 431, 451, 501, 505,
];
const SUCCESSES: [u16; 4] = [200, 201, 202, 204];
/// Ten pauses from five seconds on, in milliseconds.
const TEN_PAUSES: i64 = (5 + 10 + 20 + 40 + 80 + 160 + 320 + 640 + 1280 + 2560) * 1000;

#[tokio::test]
async fn seven_statuses_are_retried_ten_times_and_no_other() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    clock::freeze(app, &id).await.unwrap();
    let mut receiver = Receiver::start(|request| {
        Reply::Status(request.path.trim_start_matches('/').parse().unwrap())
    })
    .await;
    let all = || RETRIED.into_iter().chain(FINAL).chain(SUCCESSES);
    for status in all() {
        subscribe(app, &id, &format!("{}/{status}", receiver.url)).await;
    }
    trigger(app, &id, "ingestionSucceeded").await;
    let advanced = clock::advance(app, &id, 2 * TEN_PAUSES, true)
        .await
        .unwrap();
    assert_eq!(advanced.settled, Some(true));
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    for request in receiver.so_far() {
        let status = request.path.trim_start_matches('/').parse().unwrap();
        *counts.entry(status).or_default() += 1;
    }
    let expected = all().map(|status| (status, if RETRIED.contains(&status) { 11 } else { 1 }));
    assert_eq!(counts, expected.collect());
}

#[tokio::test]
async fn ten_backoffs_by_advancing_a_frozen_clock() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let frozen = clock::freeze(app, &id)
        .await
        .unwrap()
        .clock
        .frozen_at
        .unwrap();
    let mut receiver = Receiver::always(503).await;
    subscribe(app, &id, &receiver.url).await;
    trigger(app, &id, "refreshCompleted").await;
    let began = std::time::Instant::now();
    let advanced = clock::advance(app, &id, TEN_PAUSES, true).await.unwrap();
    println!("ten backoffs took {:?}", began.elapsed());
    assert_eq!(
        (advanced.settled, advanced.now),
        (Some(true), frozen + TEN_PAUSES)
    );
    let attempts = log(app, &id, 11).await;
    let mut due = frozen;
    let mut pause = 5_000;
    for (index, attempt) in attempts.iter().enumerate() {
        assert_eq!(attempt.attempt as usize, index + 1);
        assert_eq!(attempt.project_time, due, "attempt {}", index + 1);
        due += pause;
        let next = (index < 10).then_some(due);
        assert_eq!(attempt.next_retry, next, "attempt {}", index + 1);
        pause *= 2;
    }
    assert_eq!(attempts.len(), 11);
    assert_eq!(receiver.so_far().len(), 11, "and no other");
}

#[tokio::test]
async fn the_settings_decide_about_the_pauses() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let set = change(app, &id, |project| {
        project.settings.backoff_base = 7;
        project.settings.backoff_cap = 20;
        project.clock.freeze(1_800_000_000_000);
    });
    let start = set.await.clock.frozen_at.unwrap();
    let receiver = Receiver::always(429).await;
    subscribe(app, &id, &receiver.url).await;
    trigger(app, &id, "refreshCompleted").await;
    clock::advance(app, &id, 61_000, true).await.unwrap();
    let times: Vec<i64> = log(app, &id, 5)
        .await
        .iter()
        .map(|sent| sent.project_time - start)
        .collect();
    assert_eq!(times, [0, 7_000, 21_000, 41_000, 61_000]);
}

#[tokio::test]
async fn a_broken_connection_is_retried() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    clock::freeze(app, &id).await.unwrap();
    let count = AtomicUsize::new(0);
    let mut receiver = Receiver::start(move |_| match count.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::Close,
        _ => Reply::Status(200),
    })
    .await;
    subscribe(app, &id, &receiver.url).await;
    // A port without a listener: the connection is refused.
    let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = unused.local_addr().unwrap();
    drop(unused);
    subscribe(app, &id, &format!("http://{address}")).await;
    trigger(app, &id, "refreshCompleted").await;
    let advanced = clock::advance(app, &id, 5_000, true).await.unwrap();
    assert_eq!(advanced.settled, Some(true));
    assert_eq!(receiver.so_far().len(), 2);
    let mut sent = log(app, &id, 4).await;
    sent.sort_by_key(|sent| (sent.delivery, sent.attempt));
    let statuses: Vec<_> = sent.iter().map(|sent| sent.status).collect();
    assert_eq!(statuses.iter().filter(|status| status.is_none()).count(), 3);
    assert_eq!(
        sent.iter().filter(|sent| sent.next_retry.is_some()).count(),
        3
    );
    assert!(sent.iter().all(|sent| !sent.detail.is_empty()));
}

#[tokio::test]
async fn a_request_without_a_response_is_retried_after_ten_seconds() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    clock::freeze(app, &id).await.unwrap();
    let count = AtomicUsize::new(0);
    let mut receiver = Receiver::start(move |_| match count.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::Silence,
        _ => Reply::Status(200),
    })
    .await;
    subscribe(app, &id, &receiver.url).await;
    trigger(app, &id, "refreshCompleted").await;
    let advanced = clock::advance(app, &id, 5_000, true).await.unwrap();
    assert_eq!(advanced.settled, Some(true));
    assert_eq!(receiver.so_far().len(), 2);
    let sent = log(app, &id, 2).await;
    assert_eq!((sent[0].status, sent[1].status), (None, Some(200)));
    assert!(
        sent[0].microseconds >= 9_900_000,
        "{}",
        sent[0].microseconds
    );
    assert!(sent[0].detail.contains("10s"), "{}", sent[0].detail);
    assert!(sent[0].next_retry.is_some());
}
