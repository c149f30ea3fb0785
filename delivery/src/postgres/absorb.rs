//! Notes of new deliveries, which claims absorb.

use super::clock::now;
use super::flush::commit_early;
use super::parsed::Parsed;
use super::place::{endpoint_columns, next};
use super::target::{Candidate, target_columns};
use super::{corrupt, get};
use crate::{StoreError, Timestamp};
use tokio_postgres::Row;

/// Absorbs wake notes, half of them the oldest and half the newest: deletes them, and returns their endpoints, locked.
/// When there are more notes than claims absorb, old notes do not wait forever, and an endpoint that was idle does not
/// wait for all earlier notes. Most endpoints have earlier deliveries, and their position is already correct. An endpoint
/// is read only after it is locked.
///
/// The statement does not wait for locks: notes of endpoints that another transaction has locked remain for the next
/// time. Only the transaction that has locked an endpoint deletes its notes, and it stores the position of the endpoint.
/// A note becomes visible together with its delivery, because both are committed together.
///
/// Endpoints are compared with notes by `IS TRUE`, so that PostgreSQL looks them up in a hash: a join would compare each
/// with each.
///
/// Each row has what is the same for all, and one endpoint, if there is any. The number of notes, the next due delivery
/// and whether something is over are those of the moment before the notes were absorbed.
pub(super) const ABSORB: &str = concat!(
    "
WITH clock AS MATERIALIZED (SELECT ",
    now!("$2"),
    " AS now
), note AS MATERIALIZED (
    SELECT id, endpoint, at, line FROM (
        SELECT id, endpoint, at, line FROM bothends_wake ORDER BY id LIMIT $1) AS oldest
    UNION SELECT id, endpoint, at, line FROM (
        SELECT id, endpoint, at, line FROM bothends_wake ORDER BY id DESC LIMIT $1) AS newest
), place AS MATERIALIZED (
    SELECT endpoint, min(at) AS at, bool_or(line) AS line FROM note GROUP BY endpoint
), held AS MATERIALIZED (
    SELECT place.at, place.line, ",
    endpoint_columns!(),
    ", ",
    target_columns!(),
    ", e.ready, e.low
    FROM place JOIN bothends_endpoint AS e ON e.id = place.endpoint
    LEFT JOIN bothends_subscription AS s ON s.id = e.subscription
    ORDER BY e.id FOR NO KEY UPDATE OF e SKIP LOCKED
), gone AS (
    DELETE FROM bothends_wake WHERE id = ANY (ARRAY(
        SELECT id FROM note WHERE (endpoint IN (SELECT id FROM held)) IS TRUE))
    RETURNING 1
), same AS MATERIALIZED (
    SELECT (SELECT count(*) FROM note), (SELECT count(*) FROM gone), clock.now,
        EXISTS (SELECT 1 FROM bothends_delivery WHERE state = 1 AND due > $3 AND due <= clock.now),
        EXISTS (SELECT 1 FROM bothends_delivery WHERE state = -1 AND due <= clock.now),
        ",
    next!("clock.now"),
    ",
        extract(epoch FROM clock_timestamp() - statement_timestamp())::double precision * 1000, ",
    commit_early!(),
    "
    FROM clock
)
SELECT same.*, held.* FROM same LEFT JOIN held ON TRUE"
);

/// The result of absorbing notes.
pub(super) struct Absorbed {
    /// The number of notes found.
    pub(super) found: usize,
    /// The number of notes that were absorbed.
    taken: usize,
    pub(super) now: Timestamp,
    /// Whether leases have expired, among those that were looked for.
    pub(super) over: bool,
    /// Whether deliveries that have lost workers are due.
    pub(super) lost_before: bool,
    /// The time of the next due delivery, apart from those of the notes.
    pub(super) next: Option<Timestamp>,
    /// How long the server took, in milliseconds.
    pub(super) millis: f64,
    /// The endpoints whose notes were absorbed.
    pub(super) candidates: Vec<Candidate>,
}

impl Absorbed {
    /// Reads the rows that [`ABSORB`] returns. Endpoints without a subscription are removed, and have no position.
    pub(super) fn read(rows: &[Row], parsed: &Parsed) -> Result<Self, StoreError> {
        let row = rows.first().ok_or_else(|| corrupt("no time"))?;
        let count = |column| {
            get::<i64>(row, column).map(|count| usize::try_from(count).unwrap_or_default())
        };
        let now = Timestamp::from_millis(get(row, 2)?);
        let mut candidates = Vec::new();
        for row in rows {
            if let Some(at) = get(row, 8)? {
                let note = (at, get(row, 9)?);
                candidates.extend(Candidate::noted(row, 10, note, now, parsed)?);
            }
        }
        Ok(Self {
            found: count(0)?,
            taken: count(1)?,
            now,
            over: get(row, 3)?,
            lost_before: get(row, 4)?,
            next: get::<Option<i64>>(row, 5)?.map(Timestamp::from_millis),
            millis: get(row, 6)?,
            candidates,
        })
    }

    /// Whether some of the notes remain.
    pub(super) const fn left(&self) -> bool {
        self.taken < self.found
    }

    /// Whether nothing was changed.
    pub(super) const fn is_empty(&self) -> bool {
        self.taken == 0
    }
}
