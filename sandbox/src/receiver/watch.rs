//! Received requests as they arrive.

use super::list;
use crate::app::Shared;
use crate::model::Activity;
use crate::model::{Millis, Received};
use crate::store::StorageError;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::sync::broadcast;

/// How often the store is read without an announcement, for requests to other instances.
const LOOK: Duration = Duration::from_millis(500);
/// The number of requests that are read at once.
const PAGE: u32 = 100;
/// How far the store is read again behind the newest request. The id of a request is older than its
/// commit, so that requests can appear in another order than that of their ids.
const OVERLAP: Millis = 5_000;

/// Received requests of a project, as they arrive.
#[derive(Debug)]
pub struct Watch {
    app: Shared,
    project: String,
    receiver: Option<String>,
    /// All requests up to this id were returned, or were there before the start.
    after: Option<String>,
    /// The requests around and after this id that were returned, or were there before the start.
    seen: BTreeSet<String>,
    started: bool,
    activity: broadcast::Receiver<Activity>,
}

/// Watches the receivers of a project, or one of them. The first requests are those after a cursor,
/// the id of the last request that is known; without a cursor, the oldest that are stored.
///
/// A request shortly before the cursor that still waits for a listener is returned as well, because
/// it may have been stored after the cursor.
pub fn watch(app: &Shared, project: &str, receiver: Option<&str>, after: Option<&str>) -> Watch {
    Watch {
        app: Shared::clone(app),
        project: project.to_owned(),
        receiver: receiver.map(str::to_owned),
        after: after.map(str::to_owned),
        seen: after.map(str::to_owned).into_iter().collect(),
        started: false,
        activity: app.recorder.watch(),
    }
}

impl Watch {
    /// Returns the next requests, at least one, in the order of their ids. Dropping the future loses
    /// no request.
    ///
    /// # Errors
    /// Returns an error of the database. The next call tries again.
    pub async fn next(&mut self) -> Result<Vec<Received>, StorageError> {
        loop {
            let new = self.look().await?;
            if !new.is_empty() {
                return Ok(new);
            }
            // Whatever ends the waiting: the next round looks.
            let _ = tokio::time::timeout(LOOK, self.activity.recv()).await;
        }
    }

    /// Reads the requests that are new.
    async fn look(&mut self) -> Result<Vec<Received>, StorageError> {
        let mut from = self.after.as_deref().and_then(before);
        let mut known = Vec::new();
        let mut new = Vec::new();
        loop {
            let receiver = self.receiver.as_deref();
            let after = from.as_deref();
            let page = list(&self.app, &self.project, receiver, after, PAGE).await?;
            let full = page.len() == PAGE as usize;
            from = page.last().map(|last| last.id.clone());
            for received in page {
                if self.seen.contains(&received.id) {
                    continue;
                }
                // At the start, what has a response and is before the cursor is known.
                let before = self
                    .after
                    .as_ref()
                    .is_some_and(|after| received.id < *after);
                if !self.started && before && received.status.is_some() {
                    known.push(received.id);
                } else {
                    new.push(received);
                }
            }
            if !full {
                break;
            }
        }
        self.started = true;
        self.seen.extend(known);
        self.seen
            .extend(new.iter().map(|received| received.id.clone()));
        self.after = self.seen.last().cloned().max(self.after.take());
        // What is further behind than the overlap is not read again.
        if let Some(from) = self.after.as_deref().and_then(before) {
            self.seen = self.seen.split_off(&from);
        }
        Ok(new)
    }
}

/// Returns the first id of the time that is read again for a cursor. `None` for a text that is no
/// UUID of version 7, so that everything is read.
fn before(cursor: &str) -> Option<String> {
    let id: uuid::Uuid = cursor.parse().ok()?;
    let (seconds, nanos) = id.get_timestamp()?.to_unix();
    let millis = i64::try_from(seconds).ok()? * 1000 + i64::from(nanos) / 1_000_000;
    let from = millis.saturating_sub(OVERLAP).max(0);
    Some(format!("{:08x}-{:04x}", from >> 16, from & 0xffff))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids;

    #[test]
    fn the_overlap_begins_before_the_cursor() {
        let cursor = ids::ordered();
        let from = before(&cursor).expect("a time");
        assert!(from < cursor && from.len() == 13);
        assert_eq!(before("zzz"), None);
        assert_eq!(
            before("00000000-0001-7000-8000-000000000000").as_deref(),
            Some("00000000-0000")
        );
    }
}
