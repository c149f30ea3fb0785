//! Clocks that stand, run and jump, and the retries that wait for them.

use super::support::{Receiver, Reply, change, log, project, start, subscribe, trigger};
use bothends_delivery::DeliveryStore;
use financial_data_sandbox::app::App;
use financial_data_sandbox::{RequestError, webhooks};
use financial_data_sandbox::{Sandbox, clock};

/// Waits until the only webhook of a project waits for a retry. Returns when that is, by the clock
/// of the project.
async fn waiting(app: &App, id: &str) -> i64 {
    let store = app.store.delivery();
    let sent = log(app, id, 1).await;
    let next = sent.last().unwrap().next_retry.unwrap();
    let due = store.backlog(id).await.unwrap().next_due.unwrap();
    assert_eq!(webhooks::in_project(&project(app, id).await, due), next);
    next
}

async fn failing(sandbox: &Sandbox, id: &str) -> Receiver {
    let receiver = Receiver::always(503).await;
    subscribe(sandbox.app(), id, &receiver.url).await;
    trigger(sandbox.app(), id, "refreshCompleted").await;
    receiver
}

#[tokio::test]
async fn a_running_clock_retries_by_itself() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    change(app, &id, |project| project.settings.backoff_base = 1).await;
    let mut receiver = failing(&sandbox, &id).await;
    receiver.next().await;
    receiver.next().await;
    let sent = log(app, &id, 2).await;
    let late = sent[1].project_time - sent[0].next_retry.unwrap();
    assert!(late >= 0, "{late} ms early");
}

#[tokio::test]
async fn a_retry_waits_for_a_frozen_clock_exactly() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut receiver = failing(&sandbox, &id).await;
    let due = waiting(app, &id).await;
    // The retry was planned while the clock ran. Now the clock stands.
    clock::freeze(app, &id).await.unwrap();
    assert_eq!(waiting(app, &id).await, due);
    let now = App::now(&project(app, &id).await);
    let before = clock::advance(app, &id, due - now - 1, true).await.unwrap();
    assert_eq!((before.now, before.settled), (due - 1, Some(true)));
    assert_eq!(receiver.so_far().len(), 1, "one millisecond early");
    clock::advance(app, &id, 1, true).await.unwrap();
    assert_eq!(receiver.so_far().len(), 1, "now");
    assert_eq!(log(app, &id, 2).await[1].project_time, due);
}

#[tokio::test]
async fn advancing_without_waiting_makes_retries_due_as_well() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut receiver = failing(&sandbox, &id).await;
    let due = waiting(app, &id).await;
    // While the clock runs.
    let advanced = clock::advance(app, &id, 60_000, false).await.unwrap();
    assert_eq!(advanced.settled, None);
    assert!(advanced.now >= due);
    receiver.next().await;
    receiver.next().await;
    // While it stands.
    log(app, &id, 2).await;
    clock::freeze(app, &id).await.unwrap();
    clock::advance(app, &id, 60_000, false).await.unwrap();
    receiver.next().await;
}

#[tokio::test]
async fn a_resumed_clock_runs_on_with_its_retries() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    change(app, &id, |project| project.settings.backoff_base = 1).await;
    clock::freeze(app, &id).await.unwrap();
    let mut receiver = failing(&sandbox, &id).await;
    receiver.next().await;
    let due = waiting(app, &id).await;
    clock::advance(app, &id, 500, true).await.unwrap();
    let resumed = clock::resume(app, &id).await.unwrap();
    assert!(!resumed.clock.is_frozen());
    assert!(App::now(&resumed) < due, "half a second is left");
    receiver.next().await;
    assert!(log(app, &id, 2).await[1].project_time >= due);
}

#[tokio::test]
async fn a_clock_that_runs_can_settle() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut receiver = failing(&sandbox, &id).await;
    let before = App::now(&project(app, &id).await);
    let advanced = clock::advance(app, &id, 20_000, true).await.unwrap();
    assert_eq!(advanced.settled, Some(true));
    assert!(advanced.now >= before + 20_000);
    // The first attempt, and the retries after five and ten seconds.
    assert_eq!(receiver.so_far().len(), 3);
}

#[tokio::test]
async fn restarts_keep_retries_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("sandbox.db").display());
    let first = Sandbox::builder().database(&url).start().await.unwrap();
    let id = first.first().unwrap().project.id.clone();
    clock::freeze(first.app(), &id).await.unwrap();
    let count = std::sync::atomic::AtomicUsize::new(0);
    let mut receiver = Receiver::start(move |_| {
        let earlier = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        Reply::Status(if earlier < 2 { 503 } else { 200 })
    })
    .await;
    subscribe(first.app(), &id, &receiver.url).await;
    trigger(first.app(), &id, "refreshCompleted").await;
    let due = waiting(first.app(), &id).await;
    first.stop().await;

    let second = Sandbox::builder().database(&url).start().await.unwrap();
    let app = second.app();
    assert_eq!(waiting(app, &id).await, due);
    clock::advance(app, &id, 5_000, true).await.unwrap();
    assert_eq!(log(app, &id, 2).await[1].project_time, due);
    // A retry that waits at the start is found, although no call advances the clock any more.
    change(app, &id, |project| project.clock.advance(60_000)).await;
    second.stop().await;
    let third = Sandbox::builder().database(&url).start().await.unwrap();
    let sent = log(third.app(), &id, 3).await;
    assert_eq!(sent[2].status, Some(200));
    assert_eq!(receiver.so_far().len(), 3);
}

#[tokio::test]
async fn clocks_only_move_forward_and_not_too_far() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    for distance in [-1, i64::MIN, i64::MAX] {
        let error = clock::advance(app, &id, distance, true).await.unwrap_err();
        assert!(matches!(
            error,
            RequestError::Invalid {
                field: "milliseconds",
                ..
            }
        ));
    }
    let century = 3_153_600_000_000;
    for _ in 0..21 {
        clock::advance(app, &id, century, false).await.unwrap();
    }
    let far = clock::advance(app, &id, century * 10, false).await;
    far.unwrap_err();
    let error = clock::freeze(app, "other").await.unwrap_err();
    assert!(matches!(
        error,
        RequestError::NotFound {
            what: "project",
            ..
        }
    ));
}
