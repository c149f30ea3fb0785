//! Removal of dead rows that vacuum cannot remove.
//!
//! While any transaction of the database has an earlier snapshot, absorbed notes and earlier versions of endpoints
//! remain in their tables and indices, and each claim passes them. The few rows that are alive are then copied to
//! empty tables. Claims and enqueues wait for this, some milliseconds.

use super::absorb::Absorbed;
use super::{failure, get};
use crate::StoreError;
use deadpool_postgres::Object;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of endpoints in notes that are absorbed between two compactions at least.
const ABSORBED: usize = 2_000;
/// The average duration of an absorption from which dead rows may be in its way, if it is not that of many notes.
const SLOW_MILLIS: f64 = 1.0;
/// The minimum interval between two compactions, doubled while they fail.
const INTERVAL: Duration = Duration::from_secs(1);
/// The largest interval.
const MAX_INTERVAL: Duration = Duration::from_secs(60);

/// Copies what is alive, unless there are more rows than can be copied in a moment: dead rows matter less then. Another
/// transaction that uses the tables for longer than claims may wait is an error.
const COMPACT: &str = "DO $$
DECLARE
    notes bothends_wake[];
    endpoints bothends_endpoint[];
BEGIN
    SET LOCAL lock_timeout = '100ms';
    LOCK TABLE bothends_wake, bothends_endpoint IN ACCESS EXCLUSIVE MODE;
    IF (SELECT count(*) FROM (SELECT 1 FROM bothends_wake LIMIT 10001) AS rows) <= 10000 THEN
        notes := ARRAY(SELECT w FROM bothends_wake AS w);
        TRUNCATE bothends_wake;
        INSERT INTO bothends_wake OVERRIDING SYSTEM VALUE SELECT * FROM unnest(notes);
    END IF;
    IF (SELECT count(*) FROM (SELECT 1 FROM bothends_endpoint LIMIT 10001) AS rows) <= 10000 THEN
        endpoints := ARRAY(SELECT e FROM bothends_endpoint AS e);
        TRUNCATE bothends_endpoint;
        INSERT INTO bothends_endpoint OVERRIDING SYSTEM VALUE SELECT * FROM unnest(endpoints);
    END IF;
END $$";

/// Whether a table is larger than its rows need: a busy server also makes claims slow. A row of endpoints takes a few
/// hundred bytes, and each transaction passes all versions of it that cannot be removed; a note takes
/// at most 1,280 bytes.
const IS_BLOATED: &str = "SELECT
    pg_relation_size('bothends_endpoint') > 65536 + 1024 * (
        SELECT count(*) FROM (SELECT 1 FROM bothends_endpoint LIMIT 10000) AS rows)
    OR pg_relation_size('bothends_wake') > 524288 + 1280 * (
        SELECT count(*) FROM (SELECT 1 FROM bothends_wake LIMIT 10000) AS rows)";

/// Decides when tables are compacted.
#[derive(Clone)]
pub(super) struct Compaction(Arc<Mutex<State>>);

struct State {
    absorbed: usize,
    average_millis: f64,
    last: Instant,
    interval: Duration,
}

impl Compaction {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(State {
            absorbed: 0,
            average_millis: 0.0,
            last: Instant::now(),
            interval: INTERVAL,
        })))
    }

    /// Counts an absorption. Returns `true` if it is time for [`compact`].
    pub(super) fn is_due_after(&self, absorbed: &Absorbed) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.absorbed += absorbed.found;
        state.average_millis = state.average_millis * 0.8 + absorbed.millis * 0.2;
        let is_due = state.absorbed >= ABSORBED
            && state.average_millis > SLOW_MILLIS
            && state.last.elapsed() >= state.interval;
        if is_due {
            state.absorbed = 0;
            state.last = Instant::now();
        }
        is_due
    }

    /// Waits longer before the next compaction if this one failed.
    pub(super) fn ended<T>(&self, result: &Result<T, StoreError>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.interval = match result {
            Ok(_) => INTERVAL,
            Err(_) => (state.interval * 2).min(MAX_INTERVAL),
        };
    }
}

pub(super) async fn compact(client: &Object) -> Result<(), StoreError> {
    client.batch_execute(COMPACT).await.map_err(failure)
}

/// Compacts the tables if there is something to remove.
pub(super) async fn compact_if_bloated(client: &Object) -> Result<(), StoreError> {
    let row = client.query_one(IS_BLOATED, &[]).await.map_err(failure)?;
    match get(&row, 0)? {
        true => compact(client).await,
        false => Ok(()),
    }
}
