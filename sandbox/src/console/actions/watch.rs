//! Streams of what happens in a project.
//!
//! A stream reads from the store, so that it shows what happens in every instance. It is woken by the
//! announcements of its own instance, and looks by itself once a second.

use super::{project, view};
use crate::app::{App, Shared};
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::Activity;
use crate::model::{Call, Received, SentWebhook};
use crate::store::{Document, Page};
use futures_util::Stream;
use futures_util::stream::unfold;
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;
use tokio::sync::{broadcast, watch};
use uuid::{NoContext, Timestamp, Uuid};

/// How many entries of a kind are read at once.
const BATCH: u32 = 100;
/// The longest pause between two looks.
const PAUSE: Duration = Duration::from_secs(1);
/// How late an entry may be written after its id was made, in milliseconds.
const LATE: u64 = 5_000;
/// How many ids are remembered, so that late entries are found and no entry is sent twice.
const REMEMBERED: usize = 20_000;

/// How long a stream is silent before a comment is sent. Proxies close silent connections after a minute
/// by default.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Returns the times at which a silent stream sends a comment.
pub fn heartbeats() -> impl Stream<Item = ()> + Send + use<> {
    let first = tokio::time::Instant::now() + HEARTBEAT;
    unfold(
        tokio::time::interval_at(first, HEARTBEAT),
        async |mut interval| {
            interval.tick().await;
            Some(((), interval))
        },
    )
}

/// Something that has happened.
#[derive(Debug, Clone)]
pub enum Entry {
    /// A call of the API.
    Call(Call),
    /// A request with a webhook.
    Webhook(SentWebhook),
    /// A received webhook.
    Received(Received),
}

impl Entry {
    /// Returns the id, which is the cursor.
    pub fn id(&self) -> &str {
        match self {
            Self::Call(call) => &call.id,
            Self::Webhook(sent) => &sent.id,
            Self::Received(received) => &received.id,
        }
    }

    /// Returns the entry as the console API shows it.
    ///
    /// # Errors
    /// Returns an error if the entry cannot be shown.
    pub fn view(&self) -> Result<types::Activity, Failure> {
        let mut activity = types::Activity::new(match self {
            Self::Call(_) => types::ActivityType::Call,
            Self::Webhook(_) => types::ActivityType::Webhook,
            Self::Received(_) => types::ActivityType::Received,
        });
        match self {
            Self::Call(call) => activity.call = Some(view(call)?),
            Self::Webhook(sent) => activity.webhook = Some(view(sent)?),
            Self::Received(received) => activity.received = Some(view(received)?),
        }
        Ok(activity)
    }
}

/// Returns a stream of what happens after a cursor. An empty cursor stands for everything that is
/// stored, and without one the stream begins now. The stream ends when the program stops.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn watch(
    app: &Shared,
    id: &str,
    cursor: Option<String>,
) -> Result<impl Stream<Item = Entry> + Send + use<>, Failure> {
    project(app, id).await?;
    let watcher = Watcher {
        // Before the first look, so that no announcement is missed.
        announcements: app.recorder.watch(),
        stopping: app.stopping.clone(),
        app: Shared::clone(app),
        project: id.to_owned(),
        floor: cursor.unwrap_or_else(now),
        seen: BTreeSet::new(),
        waiting: VecDeque::new(),
    };
    Ok(unfold(watcher, async |mut watcher| {
        let entry = watcher.next().await?;
        Some((entry, watcher))
    }))
}

/// Returns the cursor of a stream that begins now.
pub(super) fn now() -> String {
    lower_bound(App::system_now())
}

/// Returns the smallest id of a time.
fn lower_bound(millis: i64) -> String {
    let millis = u64::try_from(millis).unwrap_or(0);
    let time = Timestamp::from_unix(NoContext, millis / 1000, 0);
    let mut bytes = Uuid::new_v7(time).into_bytes();
    bytes[..6].copy_from_slice(&millis.to_be_bytes()[2..]);
    bytes[6..].fill(0);
    bytes[6] = 0x70;
    Uuid::from_bytes(bytes).to_string()
}

/// Returns the time of an id, in milliseconds.
fn time_of(id: &str) -> Option<u64> {
    let (seconds, nanos) = Uuid::parse_str(id).ok()?.get_timestamp()?.to_unix();
    Some(seconds * 1000 + u64::from(nanos / 1_000_000))
}

struct Watcher {
    app: Shared,
    announcements: broadcast::Receiver<Activity>,
    stopping: watch::Receiver<bool>,
    project: String,
    /// Everything up to this id was sent, or is older than the stream.
    floor: String,
    /// The ids after it that were sent.
    seen: BTreeSet<String>,
    waiting: VecDeque<Entry>,
}

impl Watcher {
    async fn next(&mut self) -> Option<Entry> {
        loop {
            if let Some(entry) = self.waiting.pop_front() {
                self.remember(entry.id().to_owned());
                return Some(entry);
            }
            if *self.stopping.borrow() {
                return None;
            }
            match self.look().await {
                Ok(()) if self.waiting.is_empty() => self.pause().await,
                Ok(()) => {}
                Err(failure) => {
                    tracing::warn!(%failure, "a stream of the console ended");
                    return None;
                }
            }
        }
    }

    /// Waits until something may have happened.
    async fn pause(&mut self) {
        tokio::select! {
            _ = self.announcements.recv() => {
                // Further announcements are covered by the same look.
                while self.announcements.try_recv().is_ok() {}
            }
            _ = self.stopping.wait_for(|stop| *stop) => {}
            () = tokio::time::sleep(PAUSE) => {}
        }
    }

    /// Reads what was not sent yet, in the order of ids.
    async fn look(&mut self) -> Result<(), Failure> {
        let calls = self.unseen::<Call>().await?;
        let sent = self.unseen::<SentWebhook>().await?;
        let received = self.unseen::<Received>().await?;
        let calls = calls.into_iter().map(Entry::Call);
        let sent = sent.into_iter().map(Entry::Webhook);
        let received = received.into_iter().map(Entry::Received);
        let mut found: Vec<Entry> = calls.chain(sent).chain(received).collect();
        found.sort_by(|a, b| a.id().cmp(b.id()));
        self.waiting.extend(found);
        Ok(())
    }

    async fn unseen<T: Document>(&self) -> Result<Vec<T>, Failure> {
        let mut after = self.floor.clone();
        loop {
            let page = Page::first(BATCH).after(Some(&after));
            let entries = self.app.store.list::<T>(&self.project, page).await?;
            let Some(last) = entries.last() else {
                return Ok(Vec::new());
            };
            after = last.id().to_owned();
            let entries = entries.into_iter().map(|entry| entry.value);
            let entries: Vec<T> = entries
                .filter(|entry| !self.seen.contains(entry.id()))
                .collect();
            if !entries.is_empty() {
                return Ok(entries);
            }
        }
    }

    /// Remembers an id, and forgets those that are too old for late entries before them.
    fn remember(&mut self, id: String) {
        let newest = time_of(&id);
        self.seen.insert(id);
        while let Some(oldest) = self.seen.first() {
            let is_old = match (time_of(oldest), newest) {
                (Some(oldest), Some(newest)) => oldest + LATE < newest,
                _ => true,
            };
            if !is_old && self.seen.len() <= REMEMBERED {
                return;
            }
            if let Some(oldest) = self.seen.pop_first()
                && oldest > self.floor
            {
                self.floor = oldest;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_smaller_than_every_id_of_its_time() {
        let now = App::system_now();
        let bound = lower_bound(now);
        assert_eq!(time_of(&bound), u64::try_from(now).ok());
        assert!(bound < crate::ids::ordered());
        assert!(bound > lower_bound(now - 1));
    }
}
