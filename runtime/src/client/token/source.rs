//! The token a client has, and when it gets the next.

use super::flight::{Flight, Outcome};
use super::{TokenEndpoint, TokenFlow, TokenFuture, TokenProvider, TokenResponse};
use crate::client::Secret;
use arc_swap::ArcSwapOption;
use http::StatusCode;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// A token is used for at least this long, however short its lifetime is said to be, and one that
/// is younger is not replaced: a tiny `expires_in`, or a server that refuses whatever it gets,
/// makes no loop.
const SHORTEST: Duration = Duration::from_secs(1);

/// When tokens are renewed, and how long that may take.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RefreshOptions {
    /// The share of its lifetime after which a token is renewed while it still works: 0.8 unless
    /// something else is said.
    pub after: f64,
    /// The share of its lifetime by which that may come earlier, by chance, so that clients which
    /// started together do not renew together: 0.1 unless something else is said.
    pub jitter: f64,
    /// How long a request for a token may take: 10 s unless something else is said.
    pub timeout: Duration,
    /// For how long the reason is given again after a token could not be got, instead of asking
    /// once more: 1 s unless something else is said.
    pub hold: Duration,
}

impl Default for RefreshOptions {
    fn default() -> Self {
        Self {
            after: 0.8,
            jitter: 0.1,
            timeout: Duration::from_secs(10),
            hold: Duration::from_secs(1),
        }
    }
}

/// Keeps a token for as long as it is valid, and gets the next: early, in the background, and once
/// for however many calls need it.
///
/// - A valid token is read without a lock.
/// - Towards its end ([`RefreshOptions::after`]) a token is renewed in the background, while calls still
///   use it.
/// - A renewal runs as a task of its own: a caller that goes away takes nothing with it, and all
///   who wait get the same answer.
/// - It tries the refresh token first, where there is one, then the client's credentials. Both
///   tokens of a pair are replaced at once.
///
/// Clones share the token. Asking for a token needs a tokio runtime with its timer.
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
pub struct TokenSource<E>(Arc<Shared<E>>);

impl<E> Clone for TokenSource<E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<E> fmt::Debug for TokenSource<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenSource")
            .field("scheme", &self.0.flow.scheme)
            .finish_non_exhaustive()
    }
}

/// What the clones of a source share.
pub(super) struct Shared<E> {
    pub(super) endpoint: E,
    pub(super) renewal: RefreshOptions,
    pub(super) flight: Flight,
    flow: TokenFlow,
    current: ArcSwapOption<Held>,
}

/// The pair there is. It is replaced as a whole.
pub(super) struct Held {
    pub(super) granted: TokenResponse,
    since: Instant,
    renew: Option<Instant>,
    end: Option<Instant>,
    /// A server has refused the access token.
    refused: AtomicBool,
}

impl Held {
    fn new(granted: TokenResponse, asked: Instant, renewal: &RefreshOptions) -> Self {
        let lifetime = granted.lifetime.map(|lifetime| lifetime.max(SHORTEST));
        let share = renewal.after - renewal.jitter * fastrand::f64();
        // An end too far away to be counted is none.
        let end = lifetime.and_then(|lifetime| asked.checked_add(lifetime));
        let renew = lifetime
            .filter(|_| end.is_some())
            .map(|lifetime| asked + lifetime.mul_f64(share.clamp(0.0, 1.0)));
        Self {
            granted,
            since: Instant::now(),
            renew,
            end,
            refused: AtomicBool::new(false),
        }
    }

    fn is_valid(&self, now: Instant) -> bool {
        !self.refused.load(Ordering::Acquire) && self.end.is_none_or(|end| now < end)
    }

    fn is_due(&self, now: Instant) -> bool {
        self.renew.is_some_and(|renew| renew <= now)
    }
}

impl<E: TokenEndpoint> TokenSource<E> {
    /// Without a token yet: the first call that needs one gets it.
    pub fn new(flow: TokenFlow, endpoint: E) -> Self {
        Self::with_refresh_options(flow, endpoint, RefreshOptions::default())
    }

    /// With other times than usual.
    pub fn with_refresh_options(flow: TokenFlow, endpoint: E, renewal: RefreshOptions) -> Self {
        Self(Arc::new(Shared {
            endpoint,
            renewal,
            flight: Flight::default(),
            flow,
            current: ArcSwapOption::empty(),
        }))
    }

    /// Starts from a pair that was granted before, such as one that was kept over a restart.
    pub fn put(&self, granted: TokenResponse) {
        self.0.put(granted, Instant::now());
    }
}

impl<E: TokenEndpoint> TokenProvider for TokenSource<E> {
    fn scheme(&self) -> &str {
        self.0.flow.scheme
    }

    fn current(&self) -> Option<Secret> {
        let now = Instant::now();
        let held = self.0.current.load();
        let held = held.as_ref().filter(|held| held.is_valid(now))?;
        if held.is_due(now) {
            self.0.flight.ahead(&self.0);
        }
        Some(held.granted.access_token.clone())
    }

    fn obtain(&self) -> TokenFuture<'_> {
        Box::pin(async move {
            match self.current() {
                Some(token) => Ok(token),
                None => token_of(self.0.flight.join(&self.0).await),
            }
        })
    }

    fn replace(&self, rejected: Secret) -> TokenFuture<'_> {
        Box::pin(async move {
            if let Some(held) = &*self.0.current.load()
                && held.granted.access_token == rejected
            {
                if held.since.elapsed() < SHORTEST {
                    return Ok(rejected);
                }
                held.refused.store(true, Ordering::Release);
            }
            self.obtain().await
        })
    }

    fn should_refresh(&self, status: StatusCode, body: &[u8]) -> bool {
        self.0.flow.should_refresh(status, body)
    }
}

fn token_of(outcome: Outcome) -> Result<Secret, super::TokenError> {
    outcome.map(|held| held.granted.access_token.clone())
}

impl<E> Shared<E> {
    /// The pair there is, valid or not.
    pub(super) fn held(&self) -> Option<Arc<Held>> {
        self.current.load_full()
    }

    /// The pair there is, when it needs no renewing.
    pub(super) fn fresh(&self) -> Option<Arc<Held>> {
        let now = Instant::now();
        self.held()
            .filter(|held| held.is_valid(now) && !held.is_due(now))
    }

    /// The pair there is, when it can be used.
    pub(super) fn valid(&self) -> Option<Arc<Held>> {
        let now = Instant::now();
        self.held().filter(|held| held.is_valid(now))
    }

    pub(super) fn put(&self, granted: TokenResponse, asked: Instant) -> Arc<Held> {
        let held = Arc::new(Held::new(granted, asked, &self.renewal));
        self.current.store(Some(Arc::clone(&held)));
        held
    }

    /// Forgets a refresh token that the endpoint does not take; the access token may still work.
    pub(super) fn forget_refresh_token(&self, held: &Arc<Held>) {
        let without = Held {
            granted: TokenResponse {
                refresh_token: None,
                ..held.granted.clone()
            },
            since: held.since,
            renew: held.renew,
            end: held.end,
            refused: AtomicBool::new(held.refused.load(Ordering::Acquire)),
        };
        self.current.compare_and_swap(held, Some(Arc::new(without)));
    }
}
