//! Termination signals of the operating system.

use std::future::Future;
use tokio::signal;

/// Returns a future that completes when the process receives SIGTERM, which service managers send,
/// or ctrl-c. On Unix, signals are noticed from this call on, even before the future is polled.
///
/// # Panics
/// Panics on Unix if called outside of a tokio runtime whose I/O is enabled.
pub fn shutdown_signal() -> impl Future<Output = ()> + Send + 'static {
    signalled()
}

#[cfg(unix)]
fn signalled() -> impl Future<Output = ()> + Send + 'static {
    use signal::unix::{SignalKind, signal};
    let listen = |kind: SignalKind, name: &str| match signal(kind) {
        Ok(signal) => Some(signal),
        Err(error) => {
            tracing::warn!(%error, "{name} is not listened for");
            None
        }
    };
    let terminated = listen(SignalKind::terminate(), "SIGTERM");
    let interrupted = listen(SignalKind::interrupt(), "ctrl-c");
    async {
        tokio::select! {
            () = received(terminated) => {}
            () = received(interrupted) => {}
        }
    }
}

/// Completes when the signal is received, and never if it is not listened for.
#[cfg(unix)]
async fn received(signal: Option<signal::unix::Signal>) {
    match signal {
        Some(mut signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn signalled() {
    if let Err(error) = signal::ctrl_c().await {
        tracing::warn!(%error, "ctrl-c is not listened for");
        std::future::pending::<()>().await;
    }
}
