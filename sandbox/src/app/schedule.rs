//! When the scheduler of tasks looks at them.

use super::App;
use crate::model::Millis;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

/// Wakes the scheduler of tasks.
#[derive(Debug)]
pub struct Schedule {
    changed: Notify,
    /// The time of the system clock until which the scheduler sleeps. While it looks at tasks, that is
    /// the end of time, because it may have looked already at those that are added.
    next: AtomicI64,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            changed: Notify::new(),
            next: AtomicI64::new(Millis::MAX),
        }
    }
}

impl Schedule {
    /// Wakes the scheduler.
    pub fn wake(&self) {
        self.changed.notify_one();
    }

    /// Wakes the scheduler if it would sleep beyond this time of the system clock.
    pub fn wake_for(&self, at: Millis) {
        if at < self.next.load(Ordering::SeqCst) {
            self.wake();
        }
    }

    /// Waits for the end of a pause, or until the scheduler is woken.
    pub async fn sleep(&self, pause: Duration) {
        let pause_milliseconds = i64::try_from(pause.as_millis()).unwrap_or(i64::MAX);
        let until = App::system_now().saturating_add(pause_milliseconds);
        self.next.store(until, Ordering::SeqCst);
        tokio::select! {
            () = self.changed.notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
        self.next.store(Millis::MAX, Ordering::SeqCst);
    }
}
