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
    /// The begin of the connection, or the end of the last response.
    idle_since: Instant,
    /// The first byte after it.
    head_since: Option<Instant>,
    /// The last time that a response began to wait for the peer, or that the peer took bytes.
    last_progress: Instant,
    /// The task of the connection. Requests of HTTP/2 run in other tasks.
    task: Option<Waker>,
}

/// The end of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deadline {
    pub(super) at: Instant,
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

    /// The peer has taken bytes.
    pub(super) fn sent(&self) {
        self.state().last_progress = Instant::now();
    }

    /// The head of a request was received.
    pub(super) fn begin(self: &Arc<Self>, version: Version) -> Exchange {
        let mut state = self.state();
        state.requests += 1;
        state.begun = true;
        state.http2 |= version == Version::HTTP_2;
        state.head_since = None;
        drop(state);
        Exchange {
            activity: Arc::clone(self),
            is_sending: false,
        }
    }

    /// Returns when the present wait ends; `None` while the connection waits for the service.
    pub(super) fn deadline(&self, limits: &Limits) -> Option<Deadline> {
        let state = self.state();
        let (since, limit, is_idle) = match (state.requests, state.head_since) {
            (0, _) if !state.begun => (state.idle_since, limits.head, false),
            (0, Some(since)) if !state.http2 => (since, limits.head, false),
            (0, _) => (state.idle_since.max(state.last_progress), limits.idle, true),
            (requests, _) if requests == state.sending => {
                (state.last_progress, limits.progress, false)
            }
            _ => return None,
        };
        let at = since.checked_add(limit?)?;
        Some(Deadline { at, is_idle })
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
    is_sending: bool,
}

impl Exchange {
    /// Sets whether the connection has a piece of the response that it can send.
    pub(super) fn set_sending(&mut self, is_sending: bool) {
        let mut state = self.activity.state();
        // HTTP/2 asks for a piece when the peer has room for it, HTTP/1 when its own buffer has.
        if is_sending && (state.http2 || !self.is_sending) {
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
