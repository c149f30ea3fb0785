//! Claiming, recording, and taking back what was lost.
//!
//! Whoever waits for rows waits for those of endpoints, in the order of their ids, and holds no
//! deliveries that others wait for: nobody waits in a circle.

use super::{corrupt, failure, get, get_u32};
use crate::delivery::{AttemptEnd, DeadReason};
use crate::store::{
    CircuitPolicy, ClaimRequest, Claimed, Endpoint, Lease, Outcome, Recorded, Verdict,
};
use crate::{DeliveryId, EndpointId, MessageId, StoreError, Subscription, Timestamp};
use bytes::Bytes;
use deadpool_postgres::{Object, Transaction};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use url::Url;

/// How many lost leases, and how many notes, are dealt with at once.
const AT_ONCE: i64 = 1000;

type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

async fn query(
    transaction: &Transaction<'_>,
    sql: &str,
    values: Values<'_>,
) -> Result<Vec<Row>, StoreError> {
    let statement = transaction.prepare_cached(sql).await.map_err(failure)?;
    transaction.query(&statement, values).await.map_err(failure)
}

/// The six columns of an endpoint, from this one on.
fn endpoint(row: &Row, from: usize) -> Result<Endpoint, StoreError> {
    Ok(Endpoint {
        id: get(row, from)?,
        active: get(row, from + 1)?,
        cap: get(row, from + 2)?,
        busy: get(row, from + 3)?,
        failures: get_u32(row, from + 4)?,
        closed_until: get(row, from + 5)?,
    })
}

/// Waits for these endpoints, and holds them.
async fn lock(
    transaction: &Transaction<'_>,
    ids: &[i64],
) -> Result<BTreeMap<i64, Endpoint>, StoreError> {
    let sql = "SELECT id, active, cap, busy, failures, closed_until FROM bothends_endpoint
        WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE";
    let rows = query(transaction, sql, &[&ids]).await?;
    let endpoints = rows
        .iter()
        .map(|row| endpoint(row, 0).map(|found| (found.id, found)));
    endpoints.collect()
}

/// Writes endpoints down that are held, with the places in the queue that are due to them.
async fn refresh(
    transaction: &Transaction<'_>,
    endpoints: impl IntoIterator<Item = &Endpoint>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let endpoints: Vec<&Endpoint> = endpoints.into_iter().collect();
    if endpoints.is_empty() {
        return Ok(());
    }
    let of = |value: fn(&Endpoint) -> i64| -> Vec<i64> {
        endpoints.iter().map(|endpoint| value(endpoint)).collect()
    };
    let open: Vec<bool> = endpoints
        .iter()
        .map(|endpoint| endpoint.room() > 0)
        .collect();
    query(
        transaction,
        "UPDATE bothends_endpoint AS e SET busy = i.busy, failures = i.failures,
            suspect = i.failures > 0, closed_until = i.closed_until,
            ready = CASE WHEN i.open THEN (
                SELECT greatest(d.due, i.closed_until, $6) FROM bothends_delivery AS d
                WHERE d.endpoint = i.id AND d.state = 0 ORDER BY d.due, d.id LIMIT 1) END
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[])
            AS i (id, busy, failures, closed_until, open) WHERE e.id = i.id",
        &[
            &of(|endpoint| endpoint.id),
            &of(|endpoint| endpoint.busy),
            &of(|endpoint| i64::from(endpoint.failures)),
            &of(|endpoint| endpoint.closed_until),
            &open,
            &now.as_millis(),
        ],
    )
    .await
    .map(drop)
}

/// Finds the places in the queue of all endpoints of a subscription.
pub(super) async fn refresh_all(
    transaction: &Transaction<'_>,
    subscription: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "SELECT id FROM bothends_endpoint WHERE subscription = $1";
    let rows = query(transaction, sql, &[&subscription]).await?;
    let ids: Vec<i64> = rows
        .iter()
        .map(|row| get(row, 0))
        .collect::<Result<_, _>>()?;
    let endpoints = lock(transaction, &ids).await?;
    refresh(transaction, endpoints.values(), now).await
}

pub(super) async fn claim(
    client: &mut Object,
    request: ClaimRequest,
) -> Result<Claimed, StoreError> {
    reap(client, request).await?;
    let transaction = client.transaction().await.map_err(failure)?;
    absorb(&transaction).await?;
    let mut leases = Vec::new();
    // Endpoints that failed have few slots, and have them first: else those that always have
    // something to do would leave them none.
    take(
        &transaction,
        request,
        true,
        request.suspects.min(request.limit),
        &mut leases,
    )
    .await?;
    take(&transaction, request, false, request.limit, &mut leases).await?;
    let next = query(
        &transaction,
        "SELECT least(
            (SELECT min(ready) FROM bothends_endpoint WHERE NOT suspect AND ready > $1),
            (SELECT min(ready) FROM bothends_endpoint WHERE suspect AND ready > $1))",
        &[&request.now.as_millis()],
    )
    .await?;
    transaction.commit().await.map_err(failure)?;
    let next: Option<i64> = next.first().map(|row| get(row, 0)).transpose()?.flatten();
    Ok(Claimed {
        leases,
        next: next.map(Timestamp::from_millis),
    })
}

/// Gives endpoints their places in the queue for what was enqueued since.
///
/// A note is seen only after its delivery: they were committed together. Its endpoint is held
/// when the place is computed, so that no claim that saw less comes after.
async fn absorb(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let notes = query(
        transaction,
        "DELETE FROM bothends_wake WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM bothends_wake LIMIT $1 FOR UPDATE SKIP LOCKED))
         RETURNING endpoint, at",
        &[&AT_ONCE],
    )
    .await?;
    let mut woken: BTreeMap<i64, i64> = BTreeMap::new();
    for note in &notes {
        let at: i64 = get(note, 1)?;
        let first = woken.entry(get(note, 0)?).or_insert(at);
        *first = at.min(*first);
    }
    if woken.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = woken.keys().copied().collect();
    let endpoints = lock(transaction, &ids).await?;
    let (mut ids, mut places) = (Vec::new(), Vec::new());
    for endpoint in endpoints.values() {
        // The time of the note stands for the time it is read: its place dates from then.
        let at = woken.get(&endpoint.id).copied();
        if let Some(ready) = endpoint.ready(at, Timestamp::from_millis(0)) {
            ids.push(endpoint.id);
            places.push(ready);
        }
    }
    let sql = "UPDATE bothends_endpoint AS e SET ready = least(e.ready, i.ready)
        FROM unnest($1::bigint[], $2::bigint[]) AS i (id, ready) WHERE e.id = i.id";
    query(transaction, sql, &[&ids, &places]).await.map(drop)
}

const READY: &str = "
SELECT e.id, e.active, e.cap, e.busy, e.failures, e.closed_until, e.url, s.id, s.owner, s.active,
    s.config
FROM bothends_endpoint AS e JOIN bothends_subscription AS s ON s.id = e.subscription
WHERE e.suspect = $1 AND e.ready <= $2 ORDER BY e.ready, e.id LIMIT $3
FOR NO KEY UPDATE OF e SKIP LOCKED";

const LEASE: &str = "
WITH picked AS (
    SELECT d.id, d.due, e.ord
    FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS e (endpoint, room, ord)
    CROSS JOIN LATERAL (
        SELECT id, due FROM bothends_delivery
        WHERE endpoint = e.endpoint AND state = 0 AND due <= $3 ORDER BY due, id LIMIT e.room
    ) AS d
    ORDER BY e.ord, d.due, d.id LIMIT $4
), leased AS (
    UPDATE bothends_delivery AS d SET state = 1, generation = generation + 1, due = $5, since = $3
    FROM picked AS p WHERE d.id = p.id AND d.state = 0
    RETURNING d.id, d.generation, d.tries, d.message, d.endpoint, p.ord, p.due
)
SELECT l.id, l.generation, l.tries, l.endpoint, m.id, m.kind, m.body
FROM leased AS l JOIN bothends_message AS m ON m.key = l.message ORDER BY l.ord, l.due, l.id";

/// Leases what is due, from endpoints in the order of the queue.
async fn take(
    transaction: &Transaction<'_>,
    request: ClaimRequest,
    suspect: bool,
    limit: usize,
    leases: &mut Vec<Lease>,
) -> Result<(), StoreError> {
    let limit = i64::try_from(limit.saturating_sub(leases.len())).unwrap_or(i64::MAX);
    if limit == 0 {
        return Ok(());
    }
    let now = request.now.as_millis();
    let ready = query(transaction, READY, &[&suspect, &now, &limit]).await?;
    let mut targets: HashMap<i64, (Url, Arc<Subscription>)> = HashMap::new();
    let mut endpoints = Vec::new();
    for row in &ready {
        let found = endpoint(row, 0)?;
        targets.insert(found.id, target(row)?);
        endpoints.push(found);
    }
    let ids: Vec<i64> = endpoints.iter().map(|endpoint| endpoint.id).collect();
    let rooms: Vec<i64> = endpoints.iter().map(Endpoint::room).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let until = request.now.after(request.lease);
    let values: Values<'_> = &[&ids, &rooms, &now, &limit, &until.as_millis()];
    let mut taken: HashMap<i64, i64> = HashMap::new();
    for row in &query(transaction, LEASE, values).await? {
        let id: i64 = get(row, 3)?;
        let (url, subscription) = targets.get(&id).ok_or_else(|| corrupt("no endpoint"))?;
        let of = endpoints.iter().find(|endpoint| endpoint.id == id);
        *taken.entry(id).or_default() += 1;
        leases.push(Lease {
            delivery: DeliveryId(get(row, 0)?),
            generation: get_u32(row, 1)?,
            until,
            tries: get_u32(row, 2)?,
            endpoint: EndpointId(id),
            epoch: of.map_or(0, |endpoint| endpoint.failures),
            message: MessageId::from(get::<&str>(row, 4)?),
            kind: get(row, 5)?,
            body: Bytes::from(get::<Vec<u8>>(row, 6)?),
            url: url.clone(),
            subscription: Arc::clone(subscription),
        });
    }
    // Those that nothing was left for keep their places.
    let mut left = limit;
    let mut served = Vec::new();
    for mut endpoint in endpoints {
        if left.min(endpoint.room()) > 0 {
            let count = taken.get(&endpoint.id).copied().unwrap_or(0);
            endpoint.busy += count;
            left -= count;
            served.push(endpoint);
        }
    }
    refresh(transaction, &served, request.now).await
}

fn target(row: &Row) -> Result<(Url, Arc<Subscription>), StoreError> {
    let url = Url::parse(get(row, 6)?).map_err(corrupt)?;
    let config: &str = get(row, 10)?;
    let subscription = Subscription::from_json(get(row, 7)?, get(row, 8)?, get(row, 9)?, config);
    Ok((url, Arc::new(subscription.map_err(corrupt)?)))
}

/// Takes back leases that nobody recorded in time.
async fn reap(client: &mut Object, request: ClaimRequest) -> Result<(), StoreError> {
    let now = request.now.as_millis();
    let statement = client
        .prepare_cached("SELECT 1 FROM bothends_delivery WHERE state = 1 AND due <= $1 LIMIT 1")
        .await
        .map_err(failure)?;
    if client
        .query_opt(&statement, &[&now])
        .await
        .map_err(failure)?
        .is_none()
    {
        return Ok(());
    }
    let transaction = client.transaction().await.map_err(failure)?;
    let lost = query(
        &transaction,
        "WITH gone AS (
            SELECT id, generation, since FROM bothends_delivery WHERE state = 1 AND due <= $1
            ORDER BY due, id LIMIT $2 FOR UPDATE SKIP LOCKED
        ), logged AS (
            INSERT INTO bothends_attempt (delivery, n, started, ended, outcome, status, detail)
            SELECT id, generation, since, $1, $5, NULL, '' FROM gone
        )
        UPDATE bothends_delivery AS d SET due = $1, since = $1, lost = d.lost + 1,
            state = CASE WHEN d.lost + 1 >= $3 THEN 3 ELSE 0 END,
            reason = CASE WHEN d.lost + 1 >= $3 THEN $4 END
        FROM gone WHERE d.id = gone.id RETURNING d.endpoint",
        &[
            &now,
            &AT_ONCE,
            &i64::from(request.lost),
            &DeadReason::Poisonous.as_str(),
            &AttemptEnd::Lost.as_str(),
        ],
    )
    .await?;
    let ids: Vec<i64> = lost
        .iter()
        .map(|row| get(row, 0))
        .collect::<Result<_, _>>()?;
    let mut endpoints = lock(&transaction, &ids).await?;
    for id in &ids {
        if let Some(endpoint) = endpoints.get_mut(id) {
            endpoint.busy -= 1;
        }
    }
    refresh(&transaction, endpoints.values(), request.now).await?;
    transaction.commit().await.map_err(failure)
}

const RECORD: &str = "
WITH input AS (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
        $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $10::bigint[], $11::text[])
        AS i (id, generation, state, due, reason, counts, started, ended, outcome, status, detail)
), held AS (
    SELECT d.id FROM input AS i JOIN bothends_delivery AS d
        ON d.id = i.id AND d.generation = i.generation AND d.state = 1
    ORDER BY d.id FOR UPDATE OF d
), settled AS (
    UPDATE bothends_delivery AS d SET state = i.state, due = i.due, since = $12, reason = i.reason,
        tries = d.tries + i.counts, lost = CASE WHEN i.counts = 1 THEN 0 ELSE d.lost END
    FROM input AS i
    WHERE d.id = i.id AND d.generation = i.generation AND d.state = 1
        AND d.id IN (SELECT id FROM held)
    RETURNING d.id, d.generation, d.endpoint
), logged AS (
    INSERT INTO bothends_attempt (delivery, n, started, ended, outcome, status, detail)
    SELECT i.id, i.generation, i.started, i.ended, i.outcome, i.status, i.detail
    FROM settled AS s JOIN input AS i ON i.id = s.id AND i.generation = s.generation
    WHERE i.outcome IS NOT NULL
)
SELECT id, generation, endpoint FROM settled";

pub(super) async fn record(
    client: &mut Object,
    outcomes: &[Outcome],
    now: Timestamp,
    circuit: CircuitPolicy,
) -> Result<Vec<Recorded>, StoreError> {
    // The same lease twice in one statement would be settled and logged twice at once.
    let mut first: HashMap<(i64, u32), usize> = HashMap::new();
    for (index, outcome) in outcomes.iter().enumerate() {
        first
            .entry((outcome.delivery.0, outcome.generation))
            .or_insert(index);
    }
    let mut chosen: Vec<usize> = first.into_values().collect();
    chosen.sort_unstable();
    let columns = Columns::of(chosen.iter().filter_map(|index| outcomes.get(*index)), now);
    let transaction = client.transaction().await.map_err(failure)?;
    let settled = query(&transaction, RECORD, &columns.values()).await?;
    let mut endpoint_of: HashMap<(i64, u32), i64> = HashMap::new();
    for row in &settled {
        endpoint_of.insert((get(row, 0)?, get_u32(row, 1)?), get(row, 2)?);
    }
    let ids: Vec<i64> = endpoint_of.values().copied().collect();
    let mut endpoints = lock(&transaction, &ids).await?;
    let mut recorded = Vec::with_capacity(outcomes.len());
    for outcome in outcomes {
        let key = (outcome.delivery.0, outcome.generation);
        recorded.push(match endpoint_of.remove(&key) {
            None => Recorded::Fenced,
            Some(id) => {
                if let Some(endpoint) = endpoints.get_mut(&id) {
                    endpoint.notice(outcome.health, outcome.epoch, now, circuit);
                }
                Recorded::Applied
            }
        });
    }
    refresh(&transaction, endpoints.values(), now).await?;
    transaction.commit().await.map_err(failure)?;
    Ok(recorded)
}

/// Outcomes as the arrays that PostgreSQL takes.
#[derive(Default)]
struct Columns<'a> {
    now: i64,
    ids: Vec<i64>,
    generations: Vec<i64>,
    states: Vec<i64>,
    dues: Vec<i64>,
    reasons: Vec<Option<&'static str>>,
    counts: Vec<i64>,
    started: Vec<Option<i64>>,
    ended: Vec<Option<i64>>,
    ends: Vec<Option<&'static str>>,
    statuses: Vec<Option<i64>>,
    details: Vec<Option<&'a str>>,
}

impl<'a> Columns<'a> {
    fn of(outcomes: impl Iterator<Item = &'a Outcome>, now: Timestamp) -> Self {
        let mut columns = Self {
            now: now.as_millis(),
            ..Self::default()
        };
        for outcome in outcomes {
            let (state, due, reason) = match outcome.verdict {
                Verdict::Delivered => (2, now, None),
                Verdict::Dead(reason) => (3, now, Some(reason.as_str())),
                Verdict::Retry { due } | Verdict::Release { due } => (0, due, None),
            };
            let counts = !matches!(outcome.verdict, Verdict::Release { .. });
            let attempt = outcome.attempt.as_ref();
            columns.ids.push(outcome.delivery.0);
            columns.generations.push(i64::from(outcome.generation));
            columns.states.push(state);
            columns.dues.push(due.as_millis());
            columns.reasons.push(reason);
            columns.counts.push(i64::from(counts));
            columns
                .started
                .push(attempt.map(|log| log.started.as_millis()));
            columns.ended.push(attempt.map(|log| log.ended.as_millis()));
            columns.ends.push(attempt.map(|log| log.end.as_str()));
            columns
                .statuses
                .push(attempt.and_then(|log| log.status).map(i64::from));
            columns.details.push(attempt.map(|log| log.detail.as_str()));
        }
        columns
    }

    fn values(&self) -> [&(dyn ToSql + Sync); 12] {
        [
            &self.ids,
            &self.generations,
            &self.states,
            &self.dues,
            &self.reasons,
            &self.counts,
            &self.started,
            &self.ended,
            &self.ends,
            &self.statuses,
            &self.details,
            &self.now,
        ]
    }
}

pub(super) async fn mend(
    client: &mut Object,
    now: Timestamp,
    slack: Duration,
) -> Result<u64, StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    let (now_ms, limit) = (now.as_millis(), now.after(slack).as_millis());
    // The lease of a worker whose clock ran ahead ends as much too late.
    let moved = query(
        &transaction,
        "UPDATE bothends_delivery SET due = due - (since - $1), since = $1
         WHERE state IN (0, 1) AND due > $2 AND since > $2 RETURNING endpoint",
        &[&now_ms, &limit],
    )
    .await?;
    let ids: Vec<i64> = moved
        .iter()
        .map(|row| get(row, 0))
        .collect::<Result<_, _>>()?;
    let endpoints = lock(&transaction, &ids).await?;
    refresh(&transaction, endpoints.values(), now).await?;
    transaction.commit().await.map_err(failure)?;
    Ok(moved.len() as u64)
}
