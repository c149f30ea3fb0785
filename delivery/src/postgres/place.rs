//! Endpoints, and their positions in the queues.
//!
//! Transactions wait only for rows of endpoints, in the order of their ids, and hold no deliveries
//! for which others wait. This prevents deadlocks.

use super::flush::{FLUSH, Work, prepare};
use super::{failure, get, get_u32};
use crate::store::{Endpoint, Order, Rate};
use crate::{StoreError, Timestamp};
use deadpool_postgres::GenericClient;
use futures_util::future::join4;
use std::collections::BTreeMap;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

pub(super) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

pub(super) async fn query(
    client: &impl GenericClient,
    sql: &str,
    values: Values<'_>,
) -> Result<Vec<Row>, StoreError> {
    let statement = client.prepare_cached(sql).await.map_err(failure)?;
    client.query(&statement, values).await.map_err(failure)
}

/// The columns of an endpoint `e`.
macro_rules! endpoint_columns {
    () => {
        "e.id, e.active, e.cap, e.busy, e.failures, e.closed_until, e.pace, e.class, e.rate_every,
    e.rate_burst, e.rate_free, e.ordered, e.head"
    };
}
pub(super) use endpoint_columns;

/// The number of columns of an endpoint.
pub(super) const COLUMNS: usize = 13;

/// Reads the columns of an endpoint, starting at `from`.
pub(super) fn endpoint(row: &Row, from: usize) -> Result<Endpoint, StoreError> {
    Ok(Endpoint {
        id: get(row, from)?,
        active: get(row, from + 1)?,
        cap: get(row, from + 2)?,
        busy: get(row, from + 3)?,
        failures: get_u32(row, from + 4)?,
        closed_until: get(row, from + 5)?,
        pace: get(row, from + 6)?,
        class: get(row, from + 7)?,
        rate: Rate {
            every: get(row, from + 8)?,
            burst: get(row, from + 9)?,
            free: get(row, from + 10)?,
        },
        order: Order::from_number(get(row, from + 11)?),
        head: get(row, from + 12)?,
    })
}

/// Locks these endpoints, waiting if necessary.
pub(super) async fn lock(
    client: &impl GenericClient,
    ids: &[i64],
) -> Result<BTreeMap<i64, Endpoint>, StoreError> {
    let sql = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM bothends_endpoint AS e WHERE e.id = ANY ($1) ORDER BY e.id FOR NO KEY UPDATE"
    );
    endpoints(&query(client, sql, &[&ids]).await?)
}

/// Reads rows that have only the columns of an endpoint.
pub(super) fn endpoints(rows: &[Row]) -> Result<BTreeMap<i64, Endpoint>, StoreError> {
    let endpoints = rows
        .iter()
        .map(|row| endpoint(row, 0).map(|found| (found.id, found)));
    endpoints.collect()
}

const PROMOTE: &str = "
WITH next AS MATERIALIZED (
    SELECT d.id FROM unnest($1::bigint[]) AS e (id) CROSS JOIN LATERAL (
        SELECT id FROM bothends_delivery WHERE endpoint = e.id AND state = -2 ORDER BY id LIMIT 1
    ) AS d
)
UPDATE bothends_delivery AS d SET state = 0 FROM next WHERE d.id = next.id RETURNING d.endpoint, d.id";

/// Ends the waiting of the first attempts that are next in turn, or of all if they are no longer ordered.
pub(super) async fn promote(
    client: &impl GenericClient,
    placed: &mut [Placed],
) -> Result<(), StoreError> {
    let ids = |selects: fn(&Endpoint) -> bool| -> Vec<i64> {
        let endpoints = placed.iter().map(|placed| &placed.endpoint);
        let endpoints = endpoints.filter(|endpoint| selects(endpoint));
        endpoints.map(|endpoint| endpoint.id).collect()
    };
    let idle = ids(|endpoint| endpoint.order == Order::FirstAttempts && endpoint.head.is_none());
    let ended = ids(|endpoint| endpoint.order == Order::Ended);
    if !ended.is_empty() {
        let sql = "UPDATE bothends_delivery SET state = 0 WHERE endpoint = ANY ($1) AND state = -2";
        query(client, sql, &[&ended]).await?;
        forget_low(client, &ended).await?;
    }
    if !idle.is_empty() {
        let mut heads: BTreeMap<i64, i64> = BTreeMap::new();
        for row in &query(client, PROMOTE, &[&idle]).await? {
            heads.insert(get(row, 0)?, get(row, 1)?);
        }
        // They may have been due long ago.
        let promoted: Vec<i64> = heads.keys().copied().collect();
        forget_low(client, &promoted).await?;
        for Placed { endpoint, .. } in placed {
            endpoint.head = heads.remove(&endpoint.id).or(endpoint.head);
        }
    }
    Ok(())
}

/// Stores locked endpoints with their current positions in the queue. The transaction may have made deliveries
/// pending that are due at the time or later.
const REFRESH: &str = "
UPDATE bothends_endpoint AS e SET busy = i.busy, failures = i.failures,
    class = i.class, pace = i.pace, closed_until = i.closed_until, has_room = i.has_room,
    rate_free = i.free, head = i.head,
    closed_since = CASE WHEN e.closed_until = i.closed_until THEN e.closed_since ELSE $6 END,
    (ready, low) = (
        SELECT CASE WHEN i.has_room AND f.due IS NOT NULL THEN greatest(f.due, i.opens, i.place) END,
            coalesce(f.due, 9223372036854775807)
        FROM (SELECT (
            SELECT d.due FROM bothends_delivery AS d
            WHERE d.endpoint = e.id AND d.state = 0 AND d.due >= least(e.low, i.low, $6)
            ORDER BY d.due, d.id LIMIT 1) AS due OFFSET 0) AS f)
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[],
        $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[])
    AS i (id, busy, failures, closed_until, has_room, class, pace, free, opens, head, low, place)
WHERE e.id = i.id";

/// A locked endpoint to be stored.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) endpoint: Endpoint,
    /// The time of the earliest delivery that absorbed notes are for.
    pub(super) low: i64,
    /// The earliest position in the queue.
    pub(super) place: i64,
}

impl Placed {
    /// An endpoint that goes to the end of the queue.
    pub(super) const fn last(endpoint: Endpoint, now: Timestamp) -> Self {
        Self {
            endpoint,
            low: i64::MAX,
            place: now.as_millis(),
        }
    }

    /// An endpoint that was not served, and keeps this position: an update that changes no column of an index is
    /// cheaper, too.
    pub(super) fn kept(endpoint: Endpoint, ready: Option<i64>, now: Timestamp) -> Self {
        let place = ready.map_or(now.as_millis(), |ready| ready.min(now.as_millis()));
        Self {
            place,
            ..Self::last(endpoint, now)
        }
    }
}

/// Endpoints as arrays for [`REFRESH`].
struct Columns {
    ids: Vec<i64>,
    busy: Vec<i64>,
    failures: Vec<i64>,
    closed_until: Vec<i64>,
    has_room: Vec<bool>,
    now: i64,
    classes: Vec<i64>,
    paces: Vec<Option<i64>>,
    free: Vec<i64>,
    opens: Vec<i64>,
    heads: Vec<Option<i64>>,
    lows: Vec<i64>,
    places: Vec<i64>,
}

impl Columns {
    fn new(placed: &[Placed], now: Timestamp) -> Self {
        fn column<T>(placed: &[Placed], value: impl Fn(&Endpoint) -> T) -> Vec<T> {
            placed
                .iter()
                .map(|placed| value(&placed.endpoint))
                .collect()
        }
        Self {
            ids: column(placed, |endpoint| endpoint.id),
            busy: column(placed, |endpoint| endpoint.busy),
            failures: column(placed, |endpoint| i64::from(endpoint.failures)),
            closed_until: column(placed, |endpoint| endpoint.closed_until),
            has_room: column(placed, |endpoint| endpoint.free_slots() > 0),
            now: now.as_millis(),
            classes: column(placed, |endpoint| endpoint.class),
            paces: column(placed, |endpoint| endpoint.pace),
            free: column(placed, |endpoint| endpoint.rate.free_at(now)),
            opens: column(placed, |endpoint| endpoint.opens(now)),
            heads: column(placed, |endpoint| endpoint.head),
            lows: placed.iter().map(|placed| placed.low).collect(),
            places: placed.iter().map(|placed| placed.place).collect(),
        }
    }

    fn values(&self) -> [&(dyn ToSql + Sync); 13] {
        [
            &self.ids,
            &self.busy,
            &self.failures,
            &self.closed_until,
            &self.has_room,
            &self.now,
            &self.classes,
            &self.paces,
            &self.free,
            &self.opens,
            &self.heads,
            &self.lows,
            &self.places,
        ]
    }
}

/// Stores locked endpoints as [`REFRESH`] says, with the first attempts that are next in turn, at the end of the queue.
pub(super) async fn refresh(
    client: &impl GenericClient,
    endpoints: impl IntoIterator<Item = &Endpoint>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let endpoints = endpoints.into_iter();
    let mut placed: Vec<_> = endpoints
        .map(|endpoint| Placed::last(*endpoint, now))
        .collect();
    if placed.is_empty() {
        return Ok(());
    }
    promote(client, &mut placed).await?;
    let columns = Columns::new(&placed, now);
    query(client, REFRESH, &columns.values()).await.map(drop)
}

/// Stores locked endpoints as [`REFRESH`] says, with the first attempts that are next in turn, commits, and waits until
/// the commit is durable. What is sent by `then` is executed after the commit.
///
/// If the first result is an error, it is not known whether the transaction was committed.
pub(super) async fn finish<T>(
    work: Work<'_>,
    mut placed: Vec<Placed>,
    now: Timestamp,
    then: impl Future<Output = T>,
) -> (Result<(), StoreError>, Option<T>) {
    let client = work.client();
    let prepared = async {
        promote(client, &mut placed).await?;
        prepare(client, [REFRESH, FLUSH]).await
    };
    let [refresh, flush] = match prepared.await {
        Ok(prepared) => prepared,
        Err(error) => return (Err(error), None),
    };
    let columns = Columns::new(&placed, now);
    let values = columns.values();
    let (refreshed, committed, flushed, then) = join4(
        client.query(&refresh, &values),
        work.commit(),
        client.query(&flush, &[]),
        then,
    )
    .await;
    let finished = refreshed.and(flushed).map_err(failure).and(committed);
    (finished, Some(then))
}

/// Forgets before which time nothing is due at these locked endpoints, after due times were moved. The next
/// [`refresh`] finds it.
pub(super) async fn forget_low(client: &impl GenericClient, ids: &[i64]) -> Result<(), StoreError> {
    let sql = "UPDATE bothends_endpoint SET low = '-9223372036854775808' WHERE id = ANY ($1)";
    query(client, sql, &[&ids]).await.map(drop)
}

/// Recomputes the queue positions of all endpoints of a subscription.
pub(super) async fn refresh_all(
    client: &impl GenericClient,
    subscription: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "SELECT id FROM bothends_endpoint WHERE subscription = $1 AND removed IS NULL";
    let rows = query(client, sql, &[&subscription]).await?;
    let ids: Vec<i64> = rows
        .iter()
        .map(|row| get(row, 0))
        .collect::<Result<_, _>>()?;
    let endpoints = lock(client, &ids).await?;
    refresh(client, endpoints.values(), now).await
}

/// The time of the next due delivery after the given one.
macro_rules! next {
    ($now:literal) => {
        concat!(
            "least(
    (SELECT min(ready) FROM bothends_endpoint WHERE class = 0 AND ready > ",
            $now,
            "),
    (SELECT min(ready) FROM bothends_endpoint WHERE class = 1 AND ready > ",
            $now,
            "),
    (SELECT min(ready) FROM bothends_endpoint WHERE class = 2 AND ready > ",
            $now,
            "),
    (SELECT min(due) FROM bothends_delivery WHERE state = -1 AND due > ",
            $now,
            "))"
        )
    };
}
pub(super) use next;
