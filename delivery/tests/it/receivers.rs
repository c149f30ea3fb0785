//! Bad receivers: each attempt ends as the policy says, in time, and nobody else waits for it.
//!
//! Nothing depends on how fast the machine is: the timeout is an hour, and the clock is set forward once
//! nothing but receivers that hang is waited for.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use crate::common;

use bothends_delivery::{AttemptEnd, DeadReason, DeliveryStore, State};
use common::bench::{Bench, time_out};
use common::receiver::{Act, Receiver, refused};
use std::time::Duration;

/// Part 8 of the service's document, rules 1 and 3; success is what senders agree on.
fn expected(status: u16) -> &'static str {
    match status {
        200..=299 => "delivered",
        408 | 425 | 429 | 500 | 502 | 503 | 504 => "retried",
        // An interim response is none: the one that counts never comes.
        100 | 102..=199 => "timed out",
        _ => "dead",
    }
}

#[tokio::test]
async fn every_status_ends_as_the_policy_says() {
    let bench = Bench::new().await;
    let receiver = Receiver::start(|received| {
        let status = received
            .line
            .split(['/', ' '])
            .find_map(|word| word.parse().ok());
        Act::Status(status.unwrap())
    })
    .await;
    let _good = bench.bystander("127.0.0.1").await;
    for status in 100..=599u16 {
        let url = format!("http://127.0.0.1:{}/{status}", receiver.port());
        bench.subscribe(&status.to_string(), &url).await;
        bench.enqueue(&status.to_string()).await;
    }
    let worker = bench.worker().build().unwrap();
    let hangs = |kind: &str| {
        kind.parse()
            .is_ok_and(|status| expected(status) == "timed out")
    };
    bench.attempt_all(worker, hangs).await;
    let all = bench.store.deliveries(None, 1000).await.unwrap();
    let all = all.into_iter().filter(|delivery| delivery.kind != "good");
    let all: Vec<_> = all.collect();
    assert_eq!(all.len(), 500);
    for delivery in all {
        let status: u16 = delivery.kind.parse().unwrap();
        let attempts = bench.store.attempts(delivery.id).await.unwrap();
        let got = match (&delivery.state, attempts[0].end) {
            (State::Delivered { .. }, AttemptEnd::Answered) => "delivered",
            (State::Pending { .. }, AttemptEnd::Answered) => "retried",
            (State::Pending { .. }, AttemptEnd::TimedOut) => "timed out",
            (
                State::Dead {
                    reason: DeadReason::Rejected,
                    ..
                },
                AttemptEnd::Answered,
            ) => "dead",
            other => panic!("{status}: {other:?}"),
        };
        assert_eq!(got, expected(status), "{status}");
        if got != "timed out" {
            assert_eq!(attempts[0].status, Some(status));
        }
    }
    assert_eq!(receiver.count(), 500, "each was sent once");
    bench.nobody_waited().await;
}

#[tokio::test]
async fn bad_receivers_end_in_time_and_nobody_waits_for_them() {
    let bench = Bench::new().await;
    let head = |rest: &str| format!("HTTP/1.1 200 OK\r\n{rest}").into_bytes();
    let pause = Duration::from_millis(20);
    let acts = [
        ("hang", Act::Hang, AttemptEnd::TimedOut),
        (
            "drip head",
            Act::Drip(head("x-slow: "), pause),
            AttemptEnd::TimedOut,
        ),
        (
            "drip body",
            Act::Drip(head("content-length: 999999\r\n\r\n"), pause),
            AttemptEnd::TimedOut,
        ),
        ("reset", Act::Reset(Vec::new()), AttemptEnd::Broken),
        ("reset in head", Act::Reset(head("x-")), AttemptEnd::Broken),
        (
            "reset in body",
            Act::Reset(head("content-length: 10\r\n\r\nabc")),
            AttemptEnd::Broken,
        ),
        (
            "no http",
            Act::Bytes(b"SSH-2.0-OpenSSH_9.9\r\n\r\n".to_vec()),
            AttemptEnd::Broken,
        ),
        (
            "huge head",
            Act::Bytes(head(&"x-a: b\r\n".repeat(100_000))),
            AttemptEnd::Broken,
        ),
    ];
    let mut receivers = Vec::new();
    for (kind, act, _) in &acts {
        let act = act.clone();
        let receiver = Receiver::start(move |_| act.clone()).await;
        bench.subscribe(kind, &receiver.url()).await;
        // More than an endpoint may have at once.
        for _ in 0..40 {
            bench.enqueue(kind).await;
        }
        receivers.push(receiver);
    }
    bench.subscribe("refused", &refused().await).await;
    bench.enqueue("refused").await;
    let good = Receiver::always(200).await;
    bench.subscribe("good", &good.url()).await;
    for _ in 0..50 {
        bench.enqueue("good").await;
    }
    // Fewer slots than the bad ones want together; what hangs when the test is over is left.
    let worker = bench
        .worker()
        .concurrency(64)
        .grace(Duration::ZERO)
        .build()
        .unwrap();
    let tried = async |kind: &str| {
        let all = bench.all().await;
        all.iter()
            .any(|delivery| delivery.kind == kind && delivery.tries > 0)
    };
    let hanging = [&receivers[0], &receivers[1], &receivers[2]];
    worker
        .run(async {
            // Good ones are served while bad ones hang, and those that break are tried.
            bench
                .until(|delivery| {
                    delivery.kind != "good" || matches!(delivery.state, State::Delivered { .. })
                })
                .await;
            for kind in acts
                .iter()
                .skip(hanging.len())
                .map(|(kind, ..)| *kind)
                .chain(["refused"])
            {
                while !tried(kind).await {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
            while hanging.iter().any(|receiver| receiver.count() == 0) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            for (kind, ..) in acts.iter().take(hanging.len()) {
                assert!(!tried(kind).await, "{kind} is under way");
            }
            time_out().await;
            for (kind, ..) in acts.iter().take(hanging.len()) {
                while !tried(kind).await {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        })
        .await;
    for (kind, _, end) in &acts {
        let mut seen = false;
        for delivery in bench.store.deliveries(None, 1000).await.unwrap() {
            if delivery.kind == *kind && delivery.tries > 0 {
                assert!(
                    matches!(delivery.state, State::Pending { .. }),
                    "{kind}: {delivery:?}"
                );
                let attempts = bench.store.attempts(delivery.id).await.unwrap();
                let first = attempts.first().unwrap();
                // What was under way when the time passed has timed out, whatever its receiver does.
                let either = first.end == *end || first.end == AttemptEnd::TimedOut;
                assert!(either, "{kind}: {first:?}");
                seen |= first.end == *end;
            }
        }
        assert!(seen, "{kind}: no attempt ended as {end:?}");
    }
    bench.retried("refused", AttemptEnd::Broken).await;
}
