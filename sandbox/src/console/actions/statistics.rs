//! Counts over time.

use super::{inspector, project};
use crate::app::App;
use crate::console::api::types::{Bucket, BucketInit, Statistics, StatisticsInit};
use crate::console::failure::Failure;
use crate::model::{Call, Millis, SentWebhook};
use crate::recorder::KEPT;
use crate::store::{Document, Page};

/// How many entries are read at once.
const BATCH: u32 = 500;
/// The time that is shown by default.
const HOUR: Millis = 60 * 60 * 1000;

/// Counts calls, errors and requests with webhooks in equal parts of a time.
///
/// # Errors
/// Returns an error if the project does not exist, or if the end is not after the beginning.
pub async fn count(
    app: &App,
    id: &str,
    since: Option<Millis>,
    until: Option<Millis>,
    buckets: i32,
) -> Result<Statistics, Failure> {
    project(app, id).await?;
    let until = until.unwrap_or_else(App::system_now);
    let since = since.unwrap_or(until.saturating_sub(HOUR));
    if since >= until {
        return Err(Failure::field("since", "is not before the end"));
    }
    let buckets = i64::from(buckets.max(1));
    let width = until.saturating_sub(since);
    let start = |index: i64| {
        since
            + i64::try_from(i128::from(width) * i128::from(index) / i128::from(buckets))
                .unwrap_or(0)
    };
    let mut counts: Vec<Bucket> = (0..buckets)
        .map(|index| {
            Bucket::from(BucketInit {
                at: start(index),
                calls: 0,
                errors: 0,
                delivered: 0,
                failed: 0,
            })
        })
        .collect();
    let number = counts.len();
    // The newest entries may be of the moment in which they are counted.
    let place = |at: Millis| {
        let index = i128::from(at - since) * i128::from(buckets) / i128::from(width.max(1));
        usize::try_from(index).ok().filter(|index| *index < number)
    };
    let calls = times::<Call>(app, id, since, |call| (call.at, inspector::is_error(call))).await?;
    let sent = |sent: &SentWebhook| {
        let accepted = sent
            .status
            .is_some_and(|status| (200..300).contains(&status));
        (sent.at, accepted)
    };
    let sent = times::<SentWebhook>(app, id, since, sent).await?;
    let placed = |entries: &Entries| {
        let entries = entries.times.iter();
        let entries = entries.filter_map(|(at, is)| Some((place(*at)?, *is)));
        entries.collect::<Vec<_>>()
    };
    for (index, is_error) in placed(&calls) {
        counts[index].calls += 1;
        counts[index].errors += u32::from(is_error);
    }
    for (index, accepted) in placed(&sent) {
        counts[index].delivered += u32::from(accepted);
        counts[index].failed += u32::from(!accepted);
    }
    let mut statistics = Statistics::from(StatisticsInit {
        since,
        until,
        buckets: counts,
    });
    statistics.calls_since = calls.cut_at;
    statistics.webhooks_since = sent.cut_at;
    Ok(statistics)
}

/// Entries of a log since a time.
struct Entries {
    /// The time of each, and what it is counted as.
    times: Vec<(Millis, bool)>,
    /// The oldest one, if the log is full and earlier ones may have been removed.
    cut_at: Option<Millis>,
}

/// Reads entries back to a time.
async fn times<T: Document>(
    app: &App,
    id: &str,
    since: Millis,
    time_of: impl Fn(&T) -> (Millis, bool),
) -> Result<Entries, Failure> {
    let mut found = Entries {
        times: Vec::new(),
        cut_at: None,
    };
    let mut before: Option<String> = None;
    loop {
        let page = Page::last(BATCH).after(before.as_deref());
        let entries = app.store.list::<T>(id, page).await?;
        let Some(last) = entries.last() else {
            let is_full = found.times.len() >= KEPT as usize;
            let oldest = found.times.iter().map(|(at, _)| *at).min();
            found.cut_at = oldest.filter(|_| is_full);
            return Ok(found);
        };
        before = Some(last.id().to_owned());
        let is_over = time_of(&last.value).0 < since;
        let entries = entries.iter().map(|entry| time_of(&entry.value));
        found.times.extend(entries.filter(|(at, _)| *at >= since));
        if is_over {
            return Ok(found);
        }
    }
}
