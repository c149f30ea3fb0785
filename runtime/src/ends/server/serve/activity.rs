//! What a connection is waiting for, and since when.

use super::Limits;
use http::Version;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use tokio::time::Instant;

/// The activity of one connection, as its socket, its requests and its responses report it.
#[derive(Debug)]
pub(super) struct Activity(Mutex<State>);

#[derive(Debug)]
struct State {
    /// Requests whose responses are not complete.
    requests: usize,
    /// Those of them with a piece of the response that the connection has not taken yet.
    sending: usize,
    /// Whether a request was received on the connection, and whether it was one of HTTP/2.
    begun: bool,
    http2: bool,
    /// The begin of the connection, or the end of the last response. PINGs of HTTP/2 do not move it.
    idle_since: Instant,
    /// The first byte after it.
    head_since: Option<Instant>,
    /// The last time that the connection took a piece of a response.
    last_progress: Instant,
    /// Since when the peer takes nothing of the bytes that the connection has for it.
    stuck_since: Option<Instant>,
    /// The task of the connection. Requests of HTTP/2 run in other tasks.
    task: Option<Waker>,
}

/// The end of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deadline {
    pub(super) at: Instant,
    /// The begin of the wait.
    pub(super) since: Instant,
    /// Whether the connection was idle, so that it ends as HTTP provides.
    pub(super) is_idle: bool,
}

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        let now = Instant::now();
        Arc::new(Self(Mutex::new(State {
            requests: 0,
            sending: 0,
            begun: false,
            http2: false,
            idle_since: now,
            head_since: None,
            last_progress: now,
            stuck_since: None,
            task: None,
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the task that is woken when the deadline changes in another task.
    pub(super) fn set_task(&self, task: &Waker) {
        let own = &mut self.state().task;
        if !own.as_ref().is_some_and(|own| own.will_wake(task)) {
            *own = Some(task.clone());
        }
    }

    /// Bytes were received.
    pub(super) fn received(&self) {
        let mut state = self.state();
        if state.requests == 0 && state.head_since.is_none() {
            state.head_since = Some(Instant::now());
        }
    }

    /// The peer has taken bytes, or has no room for them. The last response may have ended before.
    pub(super) fn sent(&self, is_stuck: bool) {
        let mut state = self.state();
        if is_stuck {
            state.stuck_since.get_or_insert_with(Instant::now);
        } else if state.stuck_since.take().is_some() && state.requests == 0 {
            state.idle_since = Instant::now();
        }
    }

    /// The head of a request was received.
    pub(super) fn begin(self: &Arc<Self>, version: Version) -> Exchange {
        let mut state = self.state();
        state.requests += 1;
        state.begun = true;
        let is_http2 = version == Version::HTTP_2;
        state.http2 |= is_http2;
        state.head_since = None;
        drop(state);
        Exchange {
            activity: Arc::clone(self),
            is_http2,
            is_sending: false,
        }
    }

    /// Returns when the present wait ends; `None` while the connection waits for the service.
    pub(super) fn deadline(&self, limits: &Limits) -> Option<Deadline> {
        let state = self.state();
        let (since, limit, is_idle) = match (state.requests, state.head_since, state.stuck_since) {
            (0, ..) if !state.begun => (state.idle_since, limits.head, false),
            (_, _, Some(since)) => (since, limits.progress, false),
            (0, Some(since), _) if !state.http2 => (since, limits.head, false),
            (0, ..) => (state.idle_since, limits.idle, true),
            (requests, ..) if requests == state.sending => {
                (state.last_progress, limits.progress, false)
            }
            _ => return None,
        };
        let at = since.checked_add(limit?)?;
        Some(Deadline { at, since, is_idle })
    }
}

impl State {
    /// Wakes the task of the connection, if the caller is another one.
    fn wake(&self) {
        if let Some(task) = &self.task
            && self.http2
        {
            task.wake_by_ref();
        }
    }
}

/// A request whose response is not complete.
#[derive(Debug)]
pub(super) struct Exchange {
    activity: Arc<Activity>,
    pub(super) is_http2: bool,
    is_sending: bool,
}

impl Exchange {
    /// Sets whether the connection has a piece of the response that it can send.
    pub(super) fn set_sending(&mut self, is_sending: bool) {
        let mut state = self.activity.state();
        if is_sending {
            state.last_progress = Instant::now();
        }
        match (self.is_sending, is_sending) {
            (false, true) => state.sending += 1,
            (true, false) => state.sending -= 1,
            _ => return,
        }
        self.is_sending = is_sending;
        state.wake();
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.set_sending(false);
        let mut state = self.activity.state();
        state.requests -= 1;
        if state.requests == 0 {
            state.idle_since = Instant::now();
        }
        state.wake();
    }
}
