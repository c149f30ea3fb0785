//! Claims.

use super::apart;
use super::clock::now;
use super::place::{Values, absorb, endpoint_columns, query, refresh};
use super::target::{LEASE, Target, lease_of};
use super::{failure, get};
use crate::store::{ClaimRequest, Claimed, Isolation, Lease, class};
use crate::{StoreError, Timestamp};
use deadpool_postgres::{Object, Transaction};
use std::collections::HashMap;
use std::time::Duration;

/// The maximum number of notes absorbed at once.
const MANY_NOTES: usize = 4096;
/// The delay until notes of locked endpoints are examined again.
const SOON: Duration = Duration::from_millis(10);

/// Returns how many notes a claim absorbs. The number exceeds the lease limit, so that the notes
/// become fewer. The number is bounded, so that a claim with a million notes is as fast as with
/// one.
fn notes_for(limit: usize) -> usize {
    limit.saturating_mul(2).clamp(32, MANY_NOTES)
}

/// Selects the current time, whether leases have expired, and whether suspect deliveries are due.
const LOOK: &str = concat!(
    "
SELECT n.now,
    EXISTS (SELECT 1 FROM bothends_delivery WHERE state = 1 AND due <= n.now),
    EXISTS (SELECT 1 FROM bothends_delivery WHERE state = -1 AND due <= n.now)
FROM (SELECT ",
    now!("$1"),
    " AS now OFFSET 0) AS n"
);

pub(super) async fn claim(
    client: &mut Object,
    request: &ClaimRequest,
    given: Option<i64>,
) -> Result<Claimed, StoreError> {
    let statement = client.prepare_cached(LOOK).await.map_err(failure)?;
    let row = client.query_one(&statement, &[&given]).await;
    let row = row.map_err(failure)?;
    let now = Timestamp::from_millis(get(&row, 0)?);
    let (over, mut lost_before): (bool, bool) = (get(&row, 1)?, get(&row, 2)?);
    if over {
        lost_before |= apart::reap(client, request, now).await?;
    }
    let mut claimed = Claimed {
        now,
        ..Claimed::default()
    };
    let mut notes = notes_for(request.limit);
    loop {
        let absorbed = absorb(client, notes, now).await?;
        let apart = std::mem::take(&mut lost_before);
        match claim_once(client, request, apart, &mut claimed).await {
            Ok(()) => {}
            // The leases committed so far are valid.
            Err(error) if !claimed.leases.is_empty() => {
                tracing::warn!(%error, "looking for more to claim");
                return Ok(claimed);
            }
            Err(error) => return Err(error),
        }
        if absorbed.left {
            let soon = now.after(SOON);
            claimed.next = Some(claimed.next.map_or(soon, |next| next.min(soon)));
        }
        // While there is room, further notes may name endpoints that are not in the queue yet.
        let enough = claimed.leases.len() >= request.limit || absorbed.found < notes;
        if enough || absorbed.left || claimed.isolation != Isolation::None {
            return Ok(claimed);
        }
        notes = MANY_NOTES;
    }
}

const NEXT: &str = "SELECT least(
    (SELECT min(ready) FROM bothends_endpoint WHERE class = 0 AND ready > $1),
    (SELECT min(ready) FROM bothends_endpoint WHERE class = 1 AND ready > $1),
    (SELECT min(ready) FROM bothends_endpoint WHERE class = 2 AND ready > $1),
    (SELECT min(due) FROM bothends_delivery WHERE state = -1 AND due > $1))";

/// Leases deliveries that are due now.
async fn claim_once(
    client: &mut Object,
    request: &ClaimRequest,
    lost_before: bool,
    claimed: &mut Claimed,
) -> Result<(), StoreError> {
    let now = claimed.now;
    let transaction = client.transaction().await.map_err(failure)?;
    if !request.unresponsive.is_empty() {
        let hanging: Vec<i64> = request
            .unresponsive
            .iter()
            .map(|endpoint| endpoint.0)
            .collect();
        // An endpoint without requests in progress has responded since it was reported as hanging.
        let sql = "WITH held AS (
                SELECT id FROM bothends_endpoint WHERE id = ANY ($1) AND class = $3 AND busy > 0
                ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
            )
            UPDATE bothends_endpoint AS e SET class = $2 FROM held WHERE e.id = held.id";
        let values: Values<'_> = &[&hanging, &class::SLOW, &class::FAST];
        query(&transaction, sql, values).await?;
    }
    let mut leases = Vec::new();
    let isolation = if lost_before {
        apart::take(&transaction, request, now, &mut leases).await?
    } else {
        Isolation::None
    };
    if isolation == Isolation::None {
        let taken = claimed.leases.len();
        let of = |class: i64| {
            let before = &claimed.leases;
            let is = |lease: &&Lease| lease.slow == (class == class::SLOW);
            before.iter().filter(is).count()
        };
        // Failing and slow endpoints have few slots and are served first. Otherwise, endpoints that
        // are always busy would leave no slots.
        let limit = request.limit.saturating_sub(taken);
        let suspects = request
            .suspect_limit
            .min(request.limit)
            .saturating_sub(taken);
        take(
            &transaction,
            request,
            now,
            class::SUSPECT,
            suspects,
            &mut leases,
        )
        .await?;
        let slow = request.slow_limit.saturating_sub(of(class::SLOW));
        let slow = leases.len().saturating_add(slow).min(limit);
        take(&transaction, request, now, class::SLOW, slow, &mut leases).await?;
        take(&transaction, request, now, class::FAST, limit, &mut leases).await?;
    }
    let next = query(&transaction, NEXT, &[&now.as_millis()]).await?;
    transaction.commit().await.map_err(failure)?;
    let next: Option<i64> = next.first().map(|row| get(row, 0)).transpose()?.flatten();
    claimed.leases.extend(leases);
    claimed.isolation = isolation;
    claimed.next = next.map(Timestamp::from_millis);
    Ok(())
}

const READY: &str = concat!(
    "
SELECT ",
    endpoint_columns!(),
    ", e.url, s.id, s.owner, s.active, s.config
FROM bothends_endpoint AS e JOIN bothends_subscription AS s ON s.id = e.subscription
WHERE e.class = $1 AND e.ready <= $2 AND (e.pace IS NOT NULL OR e.busy < $4)
ORDER BY e.ready, e.id LIMIT $3
FOR NO KEY UPDATE OF e SKIP LOCKED"
);

/// Leases due deliveries from endpoints of a class, in the order of its queue, until `leases` has
/// `limit` entries.
async fn take(
    transaction: &Transaction<'_>,
    request: &ClaimRequest,
    since: Timestamp,
    class: i64,
    limit: usize,
    leases: &mut Vec<Lease>,
) -> Result<(), StoreError> {
    let limit = i64::try_from(limit.saturating_sub(leases.len())).unwrap_or(i64::MAX);
    if limit == 0 {
        return Ok(());
    }
    let now = since.as_millis();
    let probes = i64::try_from(request.probe_limit).unwrap_or(i64::MAX);
    let ready = query(transaction, READY, &[&class, &now, &limit, &probes]).await?;
    let mut targets: HashMap<i64, Target> = HashMap::new();
    let mut endpoints = Vec::new();
    for row in &ready {
        let target = Target::of(row, 0)?;
        endpoints.push(target.endpoint);
        targets.insert(target.endpoint.id, target);
    }
    let ids: Vec<i64> = endpoints.iter().map(|endpoint| endpoint.id).collect();
    let rooms: Vec<i64> = endpoints
        .iter()
        .map(|endpoint| endpoint.room_for(request.probe_limit, since))
        .collect();
    if ids.is_empty() {
        return Ok(());
    }
    let until = since.after(request.lease);
    let values: Values<'_> = &[&until.as_millis(), &now, &ids, &rooms, &limit];
    let mut taken: HashMap<i64, i64> = HashMap::new();
    for row in &query(transaction, LEASE, values).await? {
        let lease = lease_of(row, &targets, (since, until))?;
        *taken.entry(lease.endpoint.0).or_default() += 1;
        leases.push(lease);
    }
    // Endpoints beyond the limit keep their places in the queue.
    let mut left = limit;
    let mut served = Vec::new();
    for mut endpoint in endpoints {
        if left.min(endpoint.room_for(request.probe_limit, since)) > 0 {
            let count = taken.get(&endpoint.id).copied().unwrap_or(0);
            endpoint.start(count, since);
            left -= count;
            served.push(endpoint);
        }
    }
    refresh(transaction, &served, since).await
}
