//! At most one token request at a time, shared by all calls that wait for it.

use super::shared::{Flight, Landing, Outcome, Shared, State};
use super::{Grant, TokenEndpoint, TokenError, TokenErrorKind, TokenResponse};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::Instant;

impl Flight {
    fn state(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refreshes ahead of time, without a call that waits. After a failure, calls continue with the
    /// present token, and the next attempt is made after `hold`.
    pub(super) fn ahead<E: TokenEndpoint>(&self, shared: &Arc<Shared<E>>) {
        let mut state = self.state();
        if shared.fresh().is_none() {
            // No call waits for the result, so both the receiver and the error are dropped.
            drop(start(&mut state, shared));
        }
    }

    /// Waits for the token request in progress, or starts one.
    pub(super) async fn join<E: TokenEndpoint>(&self, shared: &Arc<Shared<E>>) -> Outcome {
        let mut landing = {
            let mut state = self.state();
            // The request may have completed after the caller checked.
            if let Some(held) = shared.valid() {
                return Ok(held);
            }
            start(&mut state, shared)?
        };
        match landing.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(outcome)) => outcome.clone(),
            _ => Err(TokenError::new(
                Grant::ClientCredentials,
                TokenErrorKind::Aborted,
            )),
        }
    }
}

/// Returns the token request in progress. Starts a request if no request is in progress and the last
/// failure is older than `error_hold`.
fn start<E: TokenEndpoint>(
    state: &mut State,
    shared: &Arc<Shared<E>>,
) -> Result<Landing, TokenError> {
    // A closed channel means that the task was dropped without a result.
    if let Some(landing) = &state.running
        && landing.has_changed().is_ok()
    {
        return Ok(landing.clone());
    }
    if let Some((since, error)) = &state.failed
        && since.elapsed() < shared.options.error_hold
    {
        return Err(error.clone());
    }
    let Ok(runtime) = Handle::try_current() else {
        let kind = TokenErrorKind::NoRuntime;
        return Err(TokenError::new(Grant::ClientCredentials, kind));
    };
    let (sender, landing) = watch::channel(None);
    state.running = Some(landing.clone());
    let shared = Arc::clone(shared);
    runtime.spawn(async move {
        let outcome = renew(&shared).await;
        let mut state = shared.flight.state();
        state.running = None;
        state.failed = outcome
            .as_ref()
            .err()
            .map(|error| (Instant::now(), error.clone()));
        sender.send_replace(Some(outcome));
    });
    Ok(landing)
}

/// Tries the refresh token first, if there is one, and then the client credentials.
async fn renew<E: TokenEndpoint>(shared: &Shared<E>) -> Outcome {
    let asked = Instant::now();
    let timeout = shared.options.timeout;
    if let Some(held) = shared.held()
        && let Some(refresh_token) = &held.granted.refresh_token
    {
        let refreshed = shared.endpoint.refresh(refresh_token);
        match within(timeout, Grant::RefreshToken, refreshed).await {
            // A response without a refresh token leaves the old one valid (RFC 6749, section 6).
            Ok(granted) => {
                let refresh_token = granted
                    .refresh_token
                    .or_else(|| Some(refresh_token.clone()));
                let granted = TokenResponse {
                    refresh_token,
                    ..granted
                };
                return Ok(shared.put(granted, asked, held.is_common));
            }
            // A refused refresh token is spent. If no response was received, the token may still be
            // valid, so it is kept for endpoints that grant nothing without one.
            Err(error) if !error.is_retryable() => shared.forget_refresh_token(&held),
            Err(_) => {}
        }
    }
    let asked = Instant::now();
    let obtained = shared.endpoint.obtain_with(shared.scopes);
    let granted = within(timeout, Grant::ClientCredentials, obtained).await?;
    Ok(shared.put(granted, asked, false))
}

async fn within(
    limit: Duration,
    grant: Grant,
    request: impl Future<Output = Result<TokenResponse, TokenError>>,
) -> Result<TokenResponse, TokenError> {
    match tokio::time::timeout(limit, request).await {
        Ok(granted) => granted,
        Err(_) => Err(TokenError::new(grant, TokenErrorKind::Timeout(limit))),
    }
}
