//! Notifications of the file system about commits by other processes.
//!
//! Each commit of any process or program writes to the write-ahead log beside the database. If the
//! file system sends no notifications, workers find new deliveries by polling.

use super::thread::Jobs;
use std::path::Path;
#[cfg(target_os = "linux")]
use tokio::net::unix::pipe::Receiver;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// Starts a task that notifies workers of commits by other processes. Returns `None` if the file
/// cannot be watched.
#[cfg(target_os = "linux")]
pub(super) fn notice(
    database: &Path,
    writer: Jobs,
    changes: watch::Sender<u64>,
) -> Option<AbortHandle> {
    use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    // An inotify descriptor is not a pipe, but is read like one.
    let watching = || -> std::io::Result<Receiver> {
        let inotify = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
        add_watch(&inotify, Path::new(&log), WatchFlags::MODIFY)?;
        Receiver::from_owned_fd_unchecked(inotify)
    };
    match watching() {
        Ok(events) => Some(tokio::spawn(tell(events, writer, changes)).abort_handle()),
        Err(error) => {
            tracing::warn!(%error, "commits of other processes are found by polling");
            None
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn notice(_: &Path, _: Jobs, _: watch::Sender<u64>) -> Option<AbortHandle> {
    None
}

#[cfg(target_os = "linux")]
async fn tell(events: Receiver, writer: Jobs, changes: watch::Sender<u64>) {
    // The minimum interval between two checks. Events in between count as one.
    const PACE: std::time::Duration = std::time::Duration::from_millis(5);
    let mut seen = None;
    loop {
        if let Err(error) = events.readable().await {
            tracing::warn!(%error, "commits of other processes are found by polling");
            return;
        }
        let mut buffer = [0; 4096];
        while events.try_read(&mut buffer).is_ok_and(|count| count > 0) {}
        // The version changes with commits of other connections, but not with those of this
        // connection.
        match writer.call(false, super::cache::data_version).await {
            Ok(version) if seen == Some(version) => {}
            Ok(version) => {
                seen = Some(version);
                changes.send_modify(|count| *count = count.wrapping_add(1));
            }
            Err(error) => tracing::debug!(%error, "looking for commits of other processes"),
        }
        tokio::time::sleep(PACE).await;
    }
}
