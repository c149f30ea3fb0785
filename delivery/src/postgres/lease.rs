//! Claiming, and taking back what was lost.

use super::place::{Values, absorb, endpoint, lock, query, refresh};
use super::{corrupt, failure, get, get_u32};
use crate::delivery::{AttemptEnd, DeadReason};
use crate::store::{ClaimRequest, Claimed, Endpoint, Lease};
use crate::{DeliveryId, EndpointId, MessageId, StoreError, Subscription, Timestamp};
use bytes::Bytes;
use deadpool_postgres::{Object, Transaction};
use std::collections::HashMap;
use std::sync::Arc;
use tokio_postgres::Row;
use url::Url;

/// How many lost leases are taken back at once.
const AT_ONCE: i64 = 1000;

/// The most notes that are taken in in one transaction.
const MANY_NOTES: usize = 4096;

/// How many notes a claim takes in: more than it can make room for by what it leases, so that they
/// become fewer, and no more, so that a claim is as fast with a million of them as with one.
fn notes_for(limit: usize) -> usize {
    limit.saturating_mul(2).clamp(32, MANY_NOTES)
}

pub(super) async fn claim(
    client: &mut Object,
    request: ClaimRequest,
) -> Result<Claimed, StoreError> {
    reap(client, request).await?;
    let mut claimed = Claimed::default();
    let mut notes = notes_for(request.limit);
    loop {
        let found = match claim_once(client, request, notes, &mut claimed).await {
            Ok(found) => found,
            // What was committed is leased.
            Err(error) if !claimed.leases.is_empty() => {
                tracing::warn!(%error, "looking for more to claim");
                return Ok(claimed);
            }
            Err(error) => return Err(error),
        };
        // While there is room, whoever was noted and is not in the queue yet is looked for.
        if claimed.leases.len() >= request.limit || found < notes {
            return Ok(claimed);
        }
        notes = MANY_NOTES;
    }
}

/// Takes in so many notes, and leases what is due then; returns how many notes there were.
async fn claim_once(
    client: &mut Object,
    request: ClaimRequest,
    notes: usize,
    claimed: &mut Claimed,
) -> Result<usize, StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    let found = absorb(&transaction, notes).await?;
    let mut leases = Vec::new();
    let taken = claimed.leases.len();
    // Endpoints that failed have few slots, and have them first: else those that always have
    // something to do would leave them none.
    let suspects = request.suspects.min(request.limit).saturating_sub(taken);
    take(&transaction, request, true, suspects, &mut leases).await?;
    let limit = request.limit.saturating_sub(taken);
    take(&transaction, request, false, limit, &mut leases).await?;
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
    claimed.leases.extend(leases);
    claimed.next = next.map(Timestamp::from_millis);
    Ok(found)
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
