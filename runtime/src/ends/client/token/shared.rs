//! What the clones of a token source share: the cached token, and the token request in progress.

use super::options::RefreshOptions;
use super::{TokenError, TokenFlow, TokenResponse};
use crate::ends::client::Secret;
use crate::ends::client::jitter::part;
use arc_swap::ArcSwapOption;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

pub(super) type Scopes = &'static [&'static str];

/// A token is used for at least this long, however short its stated lifetime, and a younger token
/// is not replaced. This prevents a loop with a tiny `expires_in`, or with a server that rejects
/// every token.
const SHORTEST: Duration = Duration::from_secs(1);

/// The result of a token request, shared by all calls that wait for it.
pub(super) type Outcome = Result<Arc<Held>, TokenError>;
pub(super) type Landing = watch::Receiver<Option<Outcome>>;

/// The token request in progress, if there is one.
#[derive(Default)]
pub(super) struct Flight(pub(super) Mutex<State>);

#[derive(Default)]
pub(super) struct State {
    pub(super) running: Option<Landing>,
    /// The last failure and its time. Calls receive it for a while, without a new request.
    pub(super) failed: Option<(Instant, TokenError)>,
}

/// The state that the clones of a source share.
pub(super) struct Shared<E> {
    pub(super) endpoint: Arc<E>,
    pub(super) scopes: Scopes,
    pub(super) options: RefreshOptions,
    pub(super) flight: Flight,
    pub(super) flow: TokenFlow,
    pub(super) current: ArcSwapOption<Held>,
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

    pub(super) fn is_valid(&self, now: Instant) -> bool {
        !self.refused.load(Ordering::Acquire) && self.end.is_none_or(|end| now < end)
    }

    /// Returns whether the pair serves all scopes: the token itself, or one for its refresh token.
    pub(super) fn serves_all(&self) -> bool {
        self.is_common && (self.is_valid(Instant::now()) || self.granted.refresh_token.is_some())
    }

    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.renew.is_some_and(|renew| renew <= now)
    }
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
    pub(super) fn refuse(&self, rejected: &Secret) -> bool {
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
