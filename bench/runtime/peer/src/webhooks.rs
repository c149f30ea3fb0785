//! A receiver of webhooks with axum: the signature is verified, and then the body is read by path.

use crate::types::{AccountClosed, EntryAdded, EntryRemoved};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use bench_inputs::cases::{Case, Prepare, case, drive};
use bench_inputs::{requests, webhooks};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::de::DeserializeOwned;
use sha2::Sha256;
use std::hint::black_box;
use std::sync::Arc;
use tower_service::Service;

pub const CASES: &[(&str, Prepare)] = &[("webhooks", |_| receive())];

async fn received<T: DeserializeOwned>(
    State(key): State<Arc<Hmac<Sha256>>>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let Some(signature) = headers.get(webhooks::SIGNATURE) else {
        return StatusCode::UNAUTHORIZED;
    };
    let mut digest = [0; 32];
    if hex::decode_to_slice(signature.as_bytes(), &mut digest).is_err()
        || Hmac::clone(&key)
            .chain_update(&body)
            .verify_slice(&digest)
            .is_err()
    {
        return StatusCode::UNAUTHORIZED;
    }
    match serde_json::from_slice::<T>(&body) {
        Ok(body) => {
            black_box(body);
            StatusCode::NO_CONTENT
        }
        Err(_) => StatusCode::BAD_REQUEST,
    }
}

fn receive() -> Box<dyn Case> {
    let key =
        Hmac::<Sha256>::new_from_slice(webhooks::SECRET.as_bytes()).expect("a key of any length");
    let mut receiver = Router::new()
        .route("/entryAdded", post(received::<EntryAdded>))
        .route("/entryRemoved", post(received::<EntryRemoved>))
        .route("/accountClosed", post(received::<AccountClosed>))
        .with_state(Arc::new(key));
    let mut other = receiver.clone();
    let all = webhooks::webhooks();
    let valid = all[..webhooks::VALID].to_vec();
    let show = move || {
        let shown = all.iter().map(|webhook| {
            let Ok(response) = drive(other.call(webhook.request()));
            requests::shown(response)
        });
        shown.collect()
    };
    let run = move || {
        for webhook in black_box(&valid) {
            let Ok(response) = drive(receiver.call(webhook.request()));
            black_box(requests::drain(response));
        }
    };
    case(show, run)
}
