//! One request for a token at a time, for however many wait.

use super::source::{Held, Shared};
use super::{Grant, TokenEndpoint, TokenError, TokenErrorKind, TokenResponse};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::Instant;

/// What a request for a token comes to, for all who wait for it.
pub(super) type Outcome = Result<Arc<Held>, TokenError>;
type Landing = watch::Receiver<Option<Outcome>>;

/// The request for a token that runs, if one does.
#[derive(Default)]
pub(super) struct Flight(Mutex<State>);

#[derive(Default)]
struct State {
    running: Option<Landing>,
    /// Why the last one failed, and until when that is given as the answer.
    failed: Option<(Instant, TokenError)>,
}

impl Flight {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing in here panics half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Renews ahead of time, without anybody waiting. When it cannot be done, calls go on with the
    /// token they have, and it is tried again when `hold` is over.
    pub(super) fn ahead<E: TokenEndpoint>(&self, shared: &Arc<Shared<E>>) {
        let mut state = self.state();
        if shared.fresh().is_none() {
            // Both a landing to wait for and a failure are for those who wait.
            drop(start(&mut state, shared));
        }
    }

    /// Waits for the request that runs, or for a new one.
    pub(super) async fn join<E: TokenEndpoint>(&self, shared: &Arc<Shared<E>>) -> Outcome {
        let mut landing = {
            let mut state = self.state();
            // It may have landed since the caller looked.
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

/// The request that runs; a new one where none does and the last failure is not too young.
fn start<E: TokenEndpoint>(
    state: &mut State,
    shared: &Arc<Shared<E>>,
) -> Result<Landing, TokenError> {
    // One whose task went away without a word no longer runs.
    if let Some(landing) = &state.running
        && landing.has_changed().is_ok()
    {
        return Ok(landing.clone());
    }
    if let Some((until, error)) = &state.failed
        && Instant::now() < *until
    {
        return Err(error.clone());
    }
    let Ok(runtime) = Handle::try_current() else {
        let kind = TokenErrorKind::NoRuntime;
        return Err(TokenError::new(Grant::ClientCredentials, kind));
    };
    let (told, landing) = watch::channel(None);
    state.running = Some(landing.clone());
    let shared = Arc::clone(shared);
    runtime.spawn(async move {
        let outcome = renew(&shared).await;
        let mut state = shared.flight.state();
        state.running = None;
        state.failed = outcome
            .as_ref()
            .err()
            .map(|error| (Instant::now() + shared.renewal.hold, error.clone()));
        told.send_replace(Some(outcome));
    });
    Ok(landing)
}

/// The refresh token first, where there is one, then the credentials.
async fn renew<E: TokenEndpoint>(shared: &Shared<E>) -> Outcome {
    let asked = Instant::now();
    let timeout = shared.renewal.timeout;
    if let Some(held) = shared.held()
        && let Some(refresh_token) = &held.granted.refresh_token
    {
        let refreshed = shared.endpoint.refresh(refresh_token);
        match within(timeout, Grant::RefreshToken, refreshed).await {
            // Without a new refresh token the old one stays (RFC 6749 section 6).
            Ok(granted) => {
                let refresh_token = granted
                    .refresh_token
                    .or_else(|| Some(refresh_token.clone()));
                let granted = TokenResponse {
                    refresh_token,
                    ..granted
                };
                return Ok(shared.put(granted, asked));
            }
            // The token is spent. After an answer that did not arrive nobody knows, so it is kept
            // for an endpoint that grants nothing without it.
            Err(error) if !error.is_retryable() => shared.forget_refresh_token(&held),
            Err(_) => {}
        }
    }
    let asked = Instant::now();
    let obtained = shared.endpoint.obtain();
    let granted = within(timeout, Grant::ClientCredentials, obtained).await?;
    Ok(shared.put(granted, asked))
}

async fn within(
    limit: Duration,
    grant: Grant,
    answer: impl Future<Output = Result<TokenResponse, TokenError>>,
) -> Result<TokenResponse, TokenError> {
    match tokio::time::timeout(limit, answer).await {
        Ok(granted) => granted,
        Err(_) => Err(TokenError::new(grant, TokenErrorKind::Timeout(limit))),
    }
}
