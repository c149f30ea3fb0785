//! What attempts to sign in to the console share within an instance.

use std::sync::Arc;
use tokio::sync::{Mutex, Semaphore};

/// What attempts share within an instance.
#[derive(Debug)]
pub struct SignInState {
    /// Held while an attempt is counted, so that attempts in parallel do not conflict.
    pub(crate) counting: Mutex<()>,
    /// Computes one hash at a time for strangers, and one for known browsers.
    pub(crate) strangers: Arc<Semaphore>,
    pub(crate) known: Arc<Semaphore>,
}

impl Default for SignInState {
    fn default() -> Self {
        Self {
            counting: Mutex::default(),
            strangers: Arc::new(Semaphore::new(1)),
            known: Arc::new(Semaphore::new(1)),
        }
    }
}
