//! Notes of the endpoints of new deliveries, which claims absorb.

use super::clock::now;
use super::flush::commit_early;
use super::parsed::Parsed;
use super::place::{endpoint_columns, next};
use super::target::{Candidate, target_columns};
use super::{corrupt, get};
use crate::{StoreError, Timestamp};
use tokio_postgres::Row;

/// Inserts notes of what this query selects: each is an endpoint, when the first of its new deliveries is due, and
/// whether some of them wait for their turn. A note for many endpoints costs little more than a note for one.
macro_rules! notes {
    ($endpoints:literal) => {
        concat!(
            "
    INSERT INTO bothends_wake (endpoints, times, lines)
    SELECT array_agg(endpoint), array_agg(at), array_agg(line) FROM (
        SELECT n.*, (row_number() OVER () - 1) / 64 AS part FROM (",
            $endpoints,
            ") AS n (endpoint, at, line)
    ) AS n GROUP BY part"
        )
    };
}
pub(super) use notes;

/// What is written along with the new deliveries in `made`: their owners and messages, notes of their endpoints, and their
/// number.
macro_rules! with_made {
    () => {
        concat!(
            "
), owned AS (
    INSERT INTO bothends_owned (owner, id, message) SELECT owner, id, message FROM made
), woken AS (",
            notes!("SELECT endpoint, min(due), bool_or(state = -2) FROM made GROUP BY endpoint"),
            "
), counted AS (
    INSERT INTO bothends_depth SELECT count(*) FROM made HAVING count(*) > 0
)"
        )
    };
}
pub(super) use with_made;

/// Selects the first notes in an order, until they have as many endpoints as there may be.
macro_rules! chosen {
    ($order:literal) => {
        concat!(
            "
    SELECT id, size FROM (
        SELECT id, size, sum(size) OVER (ORDER BY ",
            $order,
            ") AS sum FROM (
            SELECT id, cardinality(endpoints) AS size FROM bothends_wake ORDER BY ",
            $order,
            " LIMIT $1) AS n
    ) AS n WHERE sum - size < $1"
        )
    };
}

/// Absorbs notes, half of them the oldest and half the newest: deletes them, and returns their endpoints, locked. When there
/// is more in the notes than a claim absorbs, old notes do not wait forever, and an endpoint that was idle does not wait for
/// all earlier notes. Most endpoints have earlier deliveries, and their position is already correct. An endpoint is read
/// only after it is locked.
///
/// The statement does not wait for locks. What other transactions have locked remains for the next time: notes, and in a
/// new note the endpoints of the others. Only the transaction that has locked an endpoint forgets what the notes say of it,
/// and it stores the position of the endpoint. A note becomes visible together with its deliveries, because they are
/// committed together.
///
/// Endpoints are compared with those that are locked by `IS NOT TRUE`, so that PostgreSQL looks them up in a hash: a join
/// would compare each with each.
///
/// Each row has what is the same for all, and one endpoint, if there is any. What the notes have, the next due delivery
/// and whether something is over are those of the moment before the notes were absorbed.
pub(super) const ABSORB: &str = concat!(
    "
WITH clock AS MATERIALIZED (SELECT ",
    now!("$2"),
    " AS now
), chosen AS MATERIALIZED (",
    chosen!("id"),
    " UNION ",
    chosen!("id DESC"),
    "), note AS MATERIALIZED (
    SELECT id, endpoints, times, lines FROM bothends_wake
    WHERE id = ANY (ARRAY(SELECT id FROM chosen)) FOR UPDATE SKIP LOCKED
), place AS MATERIALIZED (
    SELECT n.endpoint, min(n.at) AS at, bool_or(n.line) AS line
    FROM note CROSS JOIN LATERAL unnest(endpoints, times, lines) AS n (endpoint, at, line) GROUP BY n.endpoint
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
    DELETE FROM bothends_wake WHERE id = ANY (ARRAY(SELECT id FROM note)) RETURNING 1
), rest AS (",
    notes!(
        "SELECT endpoint, at, line FROM place WHERE (endpoint IN (SELECT id FROM held)) IS NOT TRUE
            AND EXISTS (SELECT 1 FROM bothends_endpoint WHERE id = endpoint)"
    ),
    " RETURNING 1
), same AS MATERIALIZED (
    SELECT (SELECT coalesce(sum(size), 0)::bigint FROM chosen), (SELECT count(*) FROM gone),
        (SELECT count(*) FROM chosen) > (SELECT count(*) FROM note) OR EXISTS (SELECT 1 FROM rest), clock.now,
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
    /// How many endpoints the notes had that were found, each as often as it was in them.
    pub(super) found: usize,
    /// The number of notes that were deleted.
    deleted: usize,
    /// Whether notes or endpoints were locked, and remain for the next time.
    pub(super) left: bool,
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
        let now = Timestamp::from_millis(get(row, 3)?);
        let mut candidates = Vec::new();
        for row in rows {
            if let Some(at) = get(row, 9)? {
                let note = (at, get(row, 10)?);
                candidates.extend(Candidate::noted(row, 11, note, now, parsed)?);
            }
        }
        Ok(Self {
            found: count(0)?,
            deleted: count(1)?,
            left: get(row, 2)?,
            now,
            over: get(row, 4)?,
            lost_before: get(row, 5)?,
            next: get::<Option<i64>>(row, 6)?.map(Timestamp::from_millis),
            millis: get(row, 7)?,
            candidates,
        })
    }

    /// Whether nothing was changed.
    pub(super) const fn is_empty(&self) -> bool {
        self.deleted == 0
    }
}
