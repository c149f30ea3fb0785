//! Injected faults.

use super::support::{Client, another, change, project, start};
use super::tokens::EXPIRED;
use financial_data_sandbox::Sandbox;
use financial_data_sandbox::model::{ApiFault, Fault, FaultTarget};
use std::time::{Duration, Instant};

fn fault(operation: Option<&str>, fault: ApiFault, remaining: Option<u32>) -> Fault {
    Fault {
        id: "fault-1".to_owned(),
        target: FaultTarget::Api {
            operation: operation.map(str::to_owned),
            fault,
        },
        probability: 1.0,
        seed: 3,
        remaining,
        considered: 0,
        hits: 0,
    }
}

async fn inject(sandbox: &Sandbox, project: &str, fault: Fault) {
    change(sandbox, project, |project| {
        project.faults = vec![fault.clone()];
    })
    .await;
}

#[tokio::test]
async fn the_next_calls_of_an_operation_fail() {
    let (sandbox, seeded) = start().await;
    let id = &seeded.project.id;
    let mut client = Client::open(&sandbox, &seeded).await;
    for (injected, status, body) in [
        (ApiFault::TokenExpired, 401, EXPIRED),
        (
            ApiFault::InternalError,
            500,
            r#"{"message":"An error occurred while processing your request"}"#,
        ),
        (
            ApiFault::Unavailable,
            503,
            r#"{"message":"Service unavailable"}"#,
        ),
    ] {
        let operation = Some("getOpenBankingRefreshStatus");
        inject(&sandbox, id, fault(operation, injected, Some(2))).await;
        assert_eq!(client.token().await.status, 200, "another operation");
        for _ in 0..2 {
            let reply = client.status("x").await;
            assert_eq!((reply.status, reply.body.as_str()), (status, body));
        }
        assert_eq!(client.status("x").await.status, 404);
        let after = project(&sandbox, id).await.value.faults;
        assert_eq!(
            (after[0].hits, after[0].considered, after[0].remaining),
            (2, 2, Some(0))
        );
    }
    inject(
        &sandbox,
        id,
        fault(Some("createToken"), ApiFault::Unavailable, Some(1)),
    )
    .await;
    let refresh = client.refresh.clone();
    // Somebody who knows the client id does not use the fault up.
    let stranger = client.exchange("fdrt_unknown_0_token").await;
    assert_eq!(stranger.status, 401, "{}", stranger.body);
    assert_eq!(project(&sandbox, id).await.value.faults[0].considered, 0);
    assert_eq!(client.exchange(&refresh).await.status, 503);
    assert_eq!(
        client.exchange(&refresh).await.status,
        200,
        "the token was not used"
    );
    sandbox.stop().await;
}

#[tokio::test]
async fn faults_hit_authenticated_calls_of_their_project_only() {
    let (sandbox, seeded) = start().await;
    let other = another(&sandbox).await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let mut stranger = Client::open(&sandbox, &other).await;
    let id = &seeded.project.id;
    inject(&sandbox, id, fault(None, ApiFault::Unavailable, None)).await;
    assert_eq!(stranger.status("x").await.status, 404);
    stranger.client_id.clone_from(&client.client_id);
    assert_eq!(stranger.status("x").await.status, 401);
    assert_eq!(client.status("x").await.status, 503);
    assert_eq!(project(&sandbox, id).await.value.faults[0].considered, 1);
    sandbox.stop().await;
}

#[tokio::test]
async fn a_probability_decides_by_its_seed() {
    let (sandbox, seeded) = start().await;
    let id = &seeded.project.id;
    let mut client = Client::open(&sandbox, &seeded).await;
    let mut runs = Vec::new();
    for _ in 0..2 {
        let half = Fault {
            probability: 0.5,
            ..fault(None, ApiFault::Unavailable, None)
        };
        inject(&sandbox, id, half).await;
        let mut statuses = Vec::new();
        for _ in 0..40 {
            statuses.push(client.status("x").await.status);
        }
        runs.push(statuses);
    }
    assert_eq!(runs[0], runs[1]);
    let hits = runs[0].iter().filter(|status| **status == 503).count();
    assert!((10..31).contains(&hits), "{hits}");
    sandbox.stop().await;
}

#[tokio::test]
async fn calls_at_the_same_time_are_all_counted() {
    let (sandbox, seeded) = start().await;
    let id = &seeded.project.id;
    let mut clients = Vec::new();
    for _ in 0..8 {
        clients.push(Client::open(&sandbox, &seeded).await);
    }
    inject(&sandbox, id, fault(None, ApiFault::Unavailable, Some(20))).await;
    let calls = clients.iter_mut().map(async |client| {
        let mut hits = 0;
        for _ in 0..5 {
            hits += usize::from(client.status("x").await.status == 503);
        }
        hits
    });
    let hits: Vec<usize> = futures_util::future::join_all(calls).await;
    assert_eq!(hits.iter().sum::<usize>(), 20);
    sandbox.stop().await;
}

#[tokio::test]
async fn a_truncated_body_is_shorter_than_its_length() {
    let (sandbox, seeded) = start().await;
    let id = &seeded.project.id;
    let mut client = Client::open(&sandbox, &seeded).await;
    inject(&sandbox, id, fault(None, ApiFault::TruncatedBody, Some(1))).await;
    let reply = client.token().await;
    assert_eq!(reply.status, 200);
    assert!(reply.is_cut, "{reply:?}");
    assert!(
        reply
            .body
            .starts_with(r#"{"operation_id":"oauth_token_post""#),
        "{reply:?}"
    );
    Client::open(&sandbox, &seeded).await;
    sandbox.stop().await;
}

#[tokio::test]
async fn latency_holds_a_response_back() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let latency = ApiFault::Latency { milliseconds: 80 };
    inject(&sandbox, &seeded.project.id, fault(None, latency, Some(1))).await;
    let began = Instant::now();
    assert_eq!(client.status("x").await.status, 404);
    assert!(began.elapsed() >= Duration::from_millis(80));
    sandbox.stop().await;
}
