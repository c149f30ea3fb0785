//! The store of responses in memory.
#![cfg(feature = "idempotency")]
#![allow(clippy::unwrap_used)]

use bothends_runtime::Bytes;
use bothends_runtime::http::{HeaderMap, StatusCode};
use bothends_runtime::server::{
    IdempotencyKey, IdempotencyState, IdempotencyStore, MemoryIdempotencyStore, StoredResponse,
};
use std::time::Duration;

fn key(text: &str) -> IdempotencyKey {
    IdempotencyKey::of(&[b"caller", text.as_bytes()])
}

fn response(text: &'static str) -> StoredResponse {
    StoredResponse::new(
        StatusCode::OK,
        HeaderMap::new(),
        Bytes::from_static(text.as_bytes()),
    )
}

async fn begin(store: &MemoryIdempotencyStore, text: &str) -> IdempotencyState {
    store.begin(&key(text), &key("request")).await.unwrap()
}

async fn finish(store: &MemoryIdempotencyStore, text: &'static str) {
    let stored = Some(response(text));
    store.finish(&key(text), stored).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn responses_are_bounded_in_number_and_age() {
    let store = MemoryIdempotencyStore::new(2, Duration::from_secs(60));
    let done = |text| IdempotencyState::Completed(response(text));
    for text in ["a", "b", "c"] {
        assert_eq!(begin(&store, text).await, IdempotencyState::New);
        assert_eq!(begin(&store, text).await, IdempotencyState::InProgress);
        finish(&store, text).await;
    }
    assert_eq!(begin(&store, "b").await, done("b"));
    assert_eq!(begin(&store, "c").await, done("c"));
    // The oldest was dropped. Its key is new, and reserved beyond the bound and the time.
    assert_eq!(begin(&store, "a").await, IdempotencyState::New);
    tokio::time::advance(Duration::from_secs(59)).await;
    assert_eq!(begin(&store, "c").await, done("c"));
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!(begin(&store, "c").await, IdempotencyState::New);
    assert_eq!(begin(&store, "a").await, IdempotencyState::InProgress);

    // A released key is new, and a response is not replaced.
    store.finish(&key("a"), None).await.unwrap();
    assert_eq!(begin(&store, "a").await, IdempotencyState::New);
    finish(&store, "a").await;
    let second = Some(response("second"));
    store.finish(&key("a"), second).await.unwrap();
    store.finish(&key("a"), None).await.unwrap();
    assert_eq!(begin(&store, "a").await, done("a"));
    let other = store.begin(&key("a"), &key("other request")).await.unwrap();
    assert_eq!(other, IdempotencyState::Mismatch);
}
