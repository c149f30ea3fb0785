//! The generated receiver of webhooks, called in process.

use crate::api::webhooks::*;
use bench_inputs::cases::{Case, Prepare, case, drive};
use bench_inputs::{requests, webhooks};
use bothends_runtime::http::HeaderName;
use bothends_runtime::server::{Context, Error};
use bothends_runtime::webhook::{HmacSignature, Receiver};
use std::hint::black_box;
use tower_service::Service;

pub const CASES: &[(&str, Prepare)] = &[("webhooks", |_| receive())];

/// The handlers do nothing with a webhook but keep it alive until here.
#[derive(Debug, Clone, Copy)]
struct Handler;

impl WebhookHandler for Handler {
    async fn entry_added(
        &self,
        _: Context,
        request: EntryAddedRequest,
    ) -> Result<EntryAddedResponse, Error<EntryAddedError>> {
        black_box(request.body);
        Ok(().into())
    }

    async fn entry_removed(
        &self,
        _: Context,
        request: EntryRemovedRequest,
    ) -> Result<EntryRemovedResponse, Error<EntryRemovedError>> {
        black_box(request.body);
        Ok(().into())
    }

    async fn account_closed(
        &self,
        _: Context,
        request: AccountClosedRequest,
    ) -> Result<AccountClosedResponse, Error<AccountClosedError>> {
        black_box(request.body);
        Ok(().into())
    }
}

fn receive() -> Box<dyn Case> {
    let header = HeaderName::from_static(webhooks::SIGNATURE);
    let verifier = HmacSignature::new(header, [webhooks::SECRET]).expect("there is a secret");
    let mut receiver = Receiver::new(router(Handler), verifier);
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
