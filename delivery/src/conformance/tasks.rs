//! Checks for stores of tasks.

use super::WORKS;
use bothends_runtime::OutgoingWebhook;
use bothends_runtime::tasks::TaskStore;
use bytes::Bytes;
use futures_util::future::join_all;
use http::HeaderMap;

/// A webhook that the end of a task has sent: the owner of the task, and the body.
pub type TaskWebhook = (String, Bytes);

/// Runs every check of a [`TaskStore`].
///
/// `open` is called once for each check, with its name. It returns a new, empty store, and a function that
/// returns the webhooks which this store has sent or enqueued so far, in order. A store that enqueues them
/// needs a subscription for each of the owners `o1` and `o2`.
///
/// ```no_run
/// # use bothends_delivery::conformance;
/// # use bothends_runtime::tasks::MemoryTasks;
/// # use std::sync::{Arc, Mutex};
/// # async fn test() {
/// conformance::check_tasks(async |_name: &str| {
///     let sent = Arc::<Mutex<Vec<_>>>::default();
///     let keep = Arc::clone(&sent);
///     let store = MemoryTasks::new(move |owner, webhook| {
///         keep.lock().unwrap().push((owner.to_owned(), webhook.body));
///     });
///     (store, async move || sent.lock().unwrap().clone())
/// })
/// .await;
/// # }
/// ```
///
/// # Panics
/// Panics if the store fails a check.
pub async fn check_tasks<S: TaskStore, W: AsyncFn() -> Vec<TaskWebhook>>(
    open: impl AsyncFn(&str) -> (S, W),
) {
    let (store, sent) = open("task-life").await;
    a_task_ends_once(&store, sent).await;
    let (store, sent) = open("task-kinds").await;
    ids_are_unique_within_a_kind(&store, sent).await;
    let (store, sent) = open("task-owners").await;
    webhooks_go_to_the_owner(&store, sent).await;
    let (store, sent) = open("task-concurrent").await;
    of_concurrent_calls_one_has_an_effect(&store, sent).await;
}

const KIND: &str = "export";

/// A status that is no text.
fn status(text: &'static str) -> Bytes {
    [b"\x00\xff", text.as_bytes()].concat().into()
}

fn webhook(body: &'static str) -> Option<OutgoingWebhook> {
    Some(OutgoingWebhook {
        kind: "exportFinished",
        url: None,
        method: "POST",
        headers: HeaderMap::new(),
        content_type: None,
        body: Bytes::from_static(body.as_bytes()),
    })
}

fn to(owner: &str, body: &'static str) -> TaskWebhook {
    (owner.to_owned(), Bytes::from_static(body.as_bytes()))
}

async fn start(store: &impl TaskStore, kind: &str, id: &str, owner: &str) -> bool {
    let running = status("running");
    store.start(kind, id, owner, running).await.expect(WORKS)
}

async fn end(store: &impl TaskStore, id: &str, body: &'static str) -> bool {
    let ended = store.end(KIND, id, status(body), webhook(body));
    ended.await.expect(WORKS)
}

async fn found(store: &impl TaskStore, kind: &str, id: &str) -> Option<Bytes> {
    store.status(kind, id).await.expect(WORKS)
}

async fn a_task_ends_once(store: &impl TaskStore, sent: impl AsyncFn() -> Vec<TaskWebhook>) {
    assert_eq!(found(store, KIND, "7").await, None);
    assert!(!end(store, "7", "early").await);
    let update = async |text| {
        let updated = store.update(KIND, "7", status(text));
        updated.await.expect(WORKS)
    };
    assert!(!update("early").await);
    assert!(start(store, KIND, "7", "o1").await);
    assert_eq!(found(store, KIND, "7").await, Some(status("running")));
    assert!(update("half").await);
    assert!(!start(store, KIND, "7", "o2").await, "the id is taken");
    assert_eq!(found(store, KIND, "7").await, Some(status("half")));
    assert_eq!(sent().await, []);
    assert!(end(store, "7", "done").await);
    for _ in 0..2 {
        assert!(!end(store, "7", "again").await);
        assert!(!update("again").await);
        assert!(!start(store, KIND, "7", "o2").await, "the id stays taken");
    }
    assert_eq!(found(store, KIND, "7").await, Some(status("done")));
    assert_eq!(sent().await, [to("o1", "done")]);
}

async fn ids_are_unique_within_a_kind(
    store: &impl TaskStore,
    sent: impl AsyncFn() -> Vec<TaskWebhook>,
) {
    for id in ["7", "", "a/b ü\n'%"] {
        assert!(start(store, KIND, id, "o1").await);
        assert!(start(store, "import", id, "o1").await);
        let ended = store.end("import", id, Bytes::new(), None);
        assert!(ended.await.expect(WORKS));
        assert_eq!(found(store, "import", id).await, Some(Bytes::new()));
        assert_eq!(found(store, KIND, id).await, Some(status("running")));
        assert!(end(store, id, "done").await);
    }
    assert_eq!(sent().await.len(), 3, "an end without a webhook sends none");
}

async fn webhooks_go_to_the_owner(
    store: &impl TaskStore,
    sent: impl AsyncFn() -> Vec<TaskWebhook>,
) {
    for (id, owner) in [("a", "o1"), ("b", "o2")] {
        assert!(start(store, KIND, id, owner).await);
    }
    assert!(end(store, "b", "first").await);
    assert!(end(store, "a", "second").await);
    assert_eq!(sent().await, [to("o2", "first"), to("o1", "second")]);
}

async fn of_concurrent_calls_one_has_an_effect(
    store: &impl TaskStore,
    sent: impl AsyncFn() -> Vec<TaskWebhook>,
) {
    let effects = |all: Vec<bool>| all.into_iter().filter(|effect| *effect).count();
    let started = (0..8).map(|_| start(store, KIND, "7", "o1"));
    assert_eq!(effects(join_all(started).await), 1);
    let ended = (0..8).map(|_| end(store, "7", "done"));
    assert_eq!(effects(join_all(ended).await), 1);
    assert_eq!(sent().await, [to("o1", "done")]);
}
