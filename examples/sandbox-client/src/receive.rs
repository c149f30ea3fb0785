//! The receiver of webhooks.

use super::BoxError;
use bothends_runtime::StatusCode;
use bothends_runtime::client::HyperTransport;
use bothends_runtime::server::{Context, Error};
use bothends_runtime::tasks::TaskNotifier;
use bothends_runtime::webhook::{
    HttpKeys, KeySignature, MemoryDedupStore, Receiver, TokenSignature, Verifier,
};
use financial_data::types::AggregationEvent;
use financial_data::webhooks::{
    RefreshCompletedError, RefreshCompletedRequest, RefreshCompletedResponse, SIGNING,
    SyncCompletedError, SyncCompletedRequest, SyncCompletedResponse, WebhookHandler,
    router as kinds,
};
use std::time::Duration;

/// How many webhooks are remembered, and for how long. The service repeats a webhook for some hours.
const REMEMBERED: usize = 100_000;
const REMEMBERED_FOR: Duration = Duration::from_secs(48 * 60 * 60);

/// How the webhooks are signed.
#[derive(Clone)]
pub enum Signatures {
    /// With the signing token of the subscription.
    Token(String),
    /// With a published key; the URL of the JWK set.
    Keys(String),
}

/// Omits the token.
impl std::fmt::Debug for Signatures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Token(_) => f.write_str("Token(…)"),
            Self::Keys(url) => f.debug_tuple("Keys").field(url).finish(),
        }
    }
}

/// Passes the ends of tasks on to those who wait for them.
struct Handler(TaskNotifier<AggregationEvent>);

impl Handler {
    fn notify(&self, event: AggregationEvent) {
        if let Some(task_id) = event.task_id.clone() {
            self.0.notify(&task_id, event);
        }
    }
}

impl WebhookHandler for Handler {
    async fn refresh_completed(
        &self,
        _: Context,
        request: RefreshCompletedRequest,
    ) -> Result<RefreshCompletedResponse, Error<RefreshCompletedError>> {
        self.notify(request.body.data);
        Ok(().into())
    }

    async fn sync_completed(
        &self,
        _: Context,
        request: SyncCompletedRequest,
    ) -> Result<SyncCompletedResponse, Error<SyncCompletedError>> {
        self.notify(request.body.data);
        Ok(().into())
    }
}

/// Returns the service that verifies and handles webhooks.
pub(super) fn router(
    notifier: TaskNotifier<AggregationEvent>,
    prefix: &str,
    signatures: Signatures,
) -> Result<axum::Router, BoxError> {
    let missing = || BoxError::from("the document does not describe the signature");
    match signatures {
        Signatures::Token(token) => {
            let rules = SIGNING.token.as_ref().ok_or_else(missing)?;
            let verifier = TokenSignature::from_rules(rules, [token])?;
            Ok(verified(notifier, prefix, verifier))
        }
        Signatures::Keys(url) => {
            let rules = SIGNING.key.as_ref().ok_or_else(missing)?;
            let verifier = KeySignature::from_rules(
                rules,
                HttpKeys::new(HyperTransport::new()?, url.parse()?),
            );
            Ok(verified(notifier, prefix, verifier))
        }
    }
}

fn verified(
    notifier: TaskNotifier<AggregationEvent>,
    prefix: &str,
    verifier: impl Verifier + 'static,
) -> axum::Router {
    let kinds = kinds(Handler(notifier))
        .prefix(prefix)
        // Kinds of no interest, and those of a later version, are accepted. An error would make the
        // service send them again.
        .unhandled(|_| async { StatusCode::OK });
    let receiver = Receiver::new(kinds, verifier)
        .deduplicate(MemoryDedupStore::new(REMEMBERED, REMEMBERED_FOR));
    axum::Router::new().fallback_service(receiver)
}
