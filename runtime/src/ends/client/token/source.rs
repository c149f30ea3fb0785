//! The cached token of a client, and its refresh.

use super::options::RefreshOptions;
use super::shared::{Flight, Outcome, Scopes, Shared};
use super::{TokenEndpoint, TokenFlow, TokenFuture, TokenProvider, TokenResponse};
use crate::ends::client::Secret;
use arc_swap::ArcSwapOption;
use http::StatusCode;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::Instant;

/// A token provider that caches a token, and obtains the next one early, in the background, and
/// once for all calls that need it.
///
/// - A valid token is read without a lock.
/// - Near the end of its lifetime ([`RefreshOptions::refresh_after`]) a token is refreshed in the
///   background, while calls still use it.
/// - A refresh runs as a task of its own: a dropped call does not cancel it, and all waiting calls
///   receive the same result.
/// - The refresh token is tried first, if there is one, and then the client credentials. Both
///   tokens of a pair are replaced at once.
///
/// Clones share the token. A token request needs a tokio runtime with its timer enabled.
///
/// ```
/// # async fn example<T: bothends_runtime::client::Transport + 'static>(
/// #     transport: T,
/// # ) -> Result<(), Box<dyn std::error::Error>> {
/// use bothends_runtime::client::{OAuthEndpoint, TokenFlow, TokenProvider, TokenSource};
///
/// const FLOW: TokenFlow = TokenFlow::new("oauth", "https://id.example.com/token");
///
/// let endpoint = OAuthEndpoint::new(transport, "https://id.example.com/token".parse()?, FLOW, "id", "secret");
/// let tokens = TokenSource::new(FLOW, endpoint);
/// let token = tokens.obtain().await?;
/// # drop(token);
/// # Ok(())
/// # }
/// ```
pub struct TokenSource<E>(Arc<Sources<E>>);

/// The tokens of a source: one for each set of scopes.
struct Sources<E> {
    /// The token of no scopes, and of all scopes if the endpoint knows none.
    common: Arc<Shared<E>>,
    scoped: Mutex<HashMap<Scopes, Arc<Shared<E>>>>,
}

impl<E> Clone for TokenSource<E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<E> fmt::Debug for TokenSource<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenSource")
            .field("scheme", &self.0.common.flow.scheme)
            .finish_non_exhaustive()
    }
}

impl<E: TokenEndpoint> TokenSource<E> {
    /// Creates a source without a token: the first call that needs one obtains it.
    pub fn new(flow: TokenFlow, endpoint: E) -> Self {
        Self::with_refresh_options(flow, endpoint, RefreshOptions::default())
    }

    /// Creates a source with other times than the defaults.
    pub fn with_refresh_options(flow: TokenFlow, endpoint: E, options: RefreshOptions) -> Self {
        Self(Arc::new(Sources {
            common: Arc::new(Shared {
                endpoint: Arc::new(endpoint),
                scopes: &[],
                options,
                flight: Flight::default(),
                flow,
                current: ArcSwapOption::empty(),
            }),
            scoped: Mutex::default(),
        }))
    }

    /// Sets the pair of tokens, such as one that was saved before a restart. It serves the
    /// operations of all scopes, until it is invalid and cannot be refreshed.
    pub fn put(&self, granted: TokenResponse) {
        self.0.common.put(granted, Instant::now(), true);
    }

    /// Returns the state of the token with these scopes.
    fn shared_for(&self, scopes: Scopes) -> Arc<Shared<E>> {
        let Sources { common, scoped } = &*self.0;
        let is_common = scopes.is_empty() || !common.endpoint.is_scoped();
        if is_common || common.held().is_some_and(|held| held.serves_all()) {
            return Arc::clone(common);
        }
        let mut scoped = scoped.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = scoped.entry(scopes).or_insert_with(|| {
            Arc::new(Shared {
                endpoint: Arc::clone(&common.endpoint),
                scopes,
                options: common.options,
                flight: Flight::default(),
                flow: common.flow,
                current: ArcSwapOption::empty(),
            })
        });
        Arc::clone(shared)
    }
}

impl<E: TokenEndpoint> TokenProvider for TokenSource<E> {
    fn scheme(&self) -> &str {
        self.0.common.flow.scheme
    }

    fn current(&self) -> Option<Secret> {
        current(&self.0.common)
    }

    fn current_for(&self, scopes: Scopes) -> Option<Secret> {
        current(&self.shared_for(scopes))
    }

    fn obtain(&self) -> TokenFuture<'_> {
        self.obtain_for(&[])
    }

    fn obtain_for(&self, scopes: Scopes) -> TokenFuture<'_> {
        Box::pin(async move {
            let shared = self.shared_for(scopes);
            let obtained = obtain(&shared).await;
            // The pair for all scopes may have ended meanwhile.
            let again = self.shared_for(scopes);
            match Arc::ptr_eq(&shared, &again) {
                true => obtained,
                false => obtain(&again).await,
            }
        })
    }

    fn replace(&self, rejected: Secret) -> TokenFuture<'_> {
        self.replace_for(&[], rejected)
    }

    fn replace_for(&self, scopes: Scopes, rejected: Secret) -> TokenFuture<'_> {
        Box::pin(async move {
            match self.shared_for(scopes).refuse(&rejected) {
                true => self.obtain_for(scopes).await,
                false => Ok(rejected),
            }
        })
    }

    fn should_refresh(&self, status: StatusCode, body: &[u8]) -> bool {
        self.0.common.flow.should_refresh(status, body)
    }
}

/// Returns the valid token, and refreshes it in the background near its end.
fn current<E: TokenEndpoint>(shared: &Arc<Shared<E>>) -> Option<Secret> {
    let now = Instant::now();
    let held = shared.current.load();
    let held = held.as_ref().filter(|held| held.is_valid(now))?;
    if held.is_due(now) {
        shared.flight.ahead(shared);
    }
    Some(held.granted.access_token.clone())
}

async fn obtain<E: TokenEndpoint>(shared: &Arc<Shared<E>>) -> Result<Secret, super::TokenError> {
    match current(shared) {
        Some(token) => Ok(token),
        None => token_of(shared.flight.join(shared).await),
    }
}

fn token_of(outcome: Outcome) -> Result<Secret, super::TokenError> {
    outcome.map(|held| held.granted.access_token.clone())
}
