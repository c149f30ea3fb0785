//! Termination signals of the operating system.

/// Completes when the process receives SIGTERM, which service managers send, or ctrl-c.
pub async fn shutdown_signal() {
    let interrupted = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!(%error, "ctrl-c is not listened for");
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupted => {}
        () = asked() => {}
    }
}

#[cfg(unix)]
async fn asked() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut asked) => {
            asked.recv().await;
        }
        Err(error) => {
            tracing::warn!(%error, "SIGTERM is not listened for");
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(not(unix))]
async fn asked() {
    std::future::pending::<()>().await;
}
