//! The cached token of a client, and its refresh.

use super::flight::{Flight, Outcome};
use super::{TokenEndpoint, TokenFlow, TokenFuture, TokenProvider, TokenResponse};
use crate::ends::client::Secret;
use crate::ends::client::jitter::part;
use arc_swap::ArcSwapOption;
use http::StatusCode;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

type Scopes = &'static [&'static str];

/// A token is used for at least this long, however short its stated lifetime, and a younger token
/// is not replaced. This prevents a loop with a tiny `expires_in`, or with a server that rejects
/// every token.
const SHORTEST: Duration = Duration::from_secs(1);

/// Options for refreshing tokens: times and timeouts.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RefreshOptions {
    /// The share of its lifetime after which a token is refreshed while it is still valid. The
    /// default is 0.8.
    pub refresh_after: f64,
    /// The largest share of its lifetime by which the refresh is advanced at random, so that clients
    /// that started together do not refresh together. The default is 0.1.
    pub jitter: f64,
    /// The timeout of a token request. The default is 10 s.
    pub timeout: Duration,
    /// How long calls receive the error of a failed token request before the next one is made. The
    /// default is 1 s.
    pub error_hold: Duration,
}

impl Default for RefreshOptions {
    fn default() -> Self {
        Self {
            refresh_after: 0.8,
            jitter: 0.1,
            timeout: Duration::from_secs(10),
            error_hold: Duration::from_secs(1),
        }
    }
}

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

/// The state that the clones of a source share.
pub(super) struct Shared<E> {
    pub(super) endpoint: Arc<E>,
    pub(super) scopes: Scopes,
    pub(super) options: RefreshOptions,
    pub(super) flight: Flight,
    flow: TokenFlow,
    current: ArcSwapOption<Held>,
}

/// The cached pair, which is replaced as a whole.
pub(super) struct Held {
    pub(super) granted: TokenResponse,
    since: Instant,
    renew: Option<Instant>,
    end: Option<Instant>,
    /// Whether a server has rejected the access token.
    refused: AtomicBool,
    /// Whether the pair was set, and so serves all scopes.
    pub(super) is_common: bool,
}

impl Held {
    fn new(
        granted: TokenResponse,
        asked: Instant,
        is_common: bool,
        options: &RefreshOptions,
    ) -> Self {
        let lifetime = granted.lifetime.map(|lifetime| lifetime.max(SHORTEST));
        let share = options.refresh_after - options.jitter * fastrand::f64();
        // An end too far away to be represented is treated as absent.
        let end = lifetime.and_then(|lifetime| asked.checked_add(lifetime));
        let renew = lifetime
            .filter(|_| end.is_some())
            .and_then(|lifetime| asked.checked_add(part(lifetime, share.clamp(0.0, 1.0))));
        Self {
            granted,
            since: Instant::now(),
            renew,
            end,
            refused: AtomicBool::new(false),
            is_common,
        }
    }

    fn is_valid(&self, now: Instant) -> bool {
        !self.refused.load(Ordering::Acquire) && self.end.is_none_or(|end| now < end)
    }

    /// Returns whether the pair serves all scopes: the token itself, or one for its refresh token.
    fn serves_all(&self) -> bool {
        self.is_common && (self.is_valid(Instant::now()) || self.granted.refresh_token.is_some())
    }

    fn is_due(&self, now: Instant) -> bool {
        self.renew.is_some_and(|renew| renew <= now)
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
    fn of(&self, scopes: Scopes) -> Arc<Shared<E>> {
        let Sources { common, scoped } = &*self.0;
        let is_common = scopes.is_empty() || !common.endpoint.is_scoped();
        if is_common || common.held().is_some_and(|held| held.serves_all()) {
            return Arc::clone(common);
        }
        let mut scoped = scoped.lock().unwrap_or_else(PoisonError::into_inner);
        let of = scoped.entry(scopes).or_insert_with(|| {
            Arc::new(Shared {
                endpoint: Arc::clone(&common.endpoint),
                scopes,
                options: common.options,
                flight: Flight::default(),
                flow: common.flow,
                current: ArcSwapOption::empty(),
            })
        });
        Arc::clone(of)
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
        current(&self.of(scopes))
    }

    fn obtain(&self) -> TokenFuture<'_> {
        self.obtain_for(&[])
    }

    fn obtain_for(&self, scopes: Scopes) -> TokenFuture<'_> {
        Box::pin(async move {
            let shared = self.of(scopes);
            let obtained = obtain(&shared).await;
            // The pair for all scopes may have ended meanwhile.
            let again = self.of(scopes);
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
            match self.of(scopes).refuse(&rejected) {
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

impl<E> Shared<E> {
    /// Returns the cached pair, valid or not.
    pub(super) fn held(&self) -> Option<Arc<Held>> {
        self.current.load_full()
    }

    /// Returns the cached pair, if it needs no refresh.
    pub(super) fn fresh(&self) -> Option<Arc<Held>> {
        let now = Instant::now();
        self.held()
            .filter(|held| held.is_valid(now) && !held.is_due(now))
    }

    /// Returns the cached pair, if it is valid.
    pub(super) fn valid(&self) -> Option<Arc<Held>> {
        let now = Instant::now();
        self.held().filter(|held| held.is_valid(now))
    }

    /// Returns whether a rejected token is replaced, which a very young one is not.
    fn refuse(&self, rejected: &Secret) -> bool {
        let held = self
            .held()
            .filter(|held| held.granted.access_token == *rejected);
        held.is_none_or(|held| {
            let is_old = held.since.elapsed() >= SHORTEST;
            held.refused.fetch_or(is_old, Ordering::AcqRel);
            is_old
        })
    }

    pub(super) fn put(&self, granted: TokenResponse, asked: Instant, is_common: bool) -> Arc<Held> {
        let held = Arc::new(Held::new(granted, asked, is_common, &self.options));
        self.current.store(Some(Arc::clone(&held)));
        held
    }

    /// Drops a refresh token that the endpoint refuses; the access token may still be valid.
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
            is_common: held.is_common,
        };
        self.current.compare_and_swap(held, Some(Arc::new(without)));
    }
}
