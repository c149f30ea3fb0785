//! Suspect deliveries, which have lost workers: recovery of their leases, and sending in isolation.

use super::flush::Work;
use super::parsed::Parsed;
use super::place::{Values, endpoint_columns, lock, query, refresh};
use super::target::{LEASE_THESE, Target, endpoint_of, lease_of, target_columns};
use super::{corrupt, events, get, get_u32};
use crate::delivery::{AttemptEnd, DeadReason};
use crate::store::{ClaimRequest, ISOLATED, Incidents, Isolation, Lease, group_size};
use crate::{DeliveryId, StoreError, Timestamp};
use deadpool_postgres::Object;
use std::collections::HashMap;

/// The maximum number of lost leases recovered at once.
const AT_ONCE: i64 = 1000;
/// The maximum number of suspect deliveries that one claim examines.
const SUSPECTS_AT_ONCE: i64 = 4096;

/// Recovers leases that expired after `since`, without an outcome. Returns `true` if there were any.
pub(super) async fn reap(
    client: &Object,
    request: &ClaimRequest,
    since: i64,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let work = Work::started(client).await?;
    let lost = query(
        &*work,
        "WITH gone AS (
            SELECT id, generation, since FROM bothends_delivery WHERE state = 1 AND due <= $1 AND due > $6
            ORDER BY due, id LIMIT $2 FOR UPDATE SKIP LOCKED
        ), logged AS (
            INSERT INTO bothends_attempt (delivery, n, started, ended, outcome, status, detail)
            SELECT id, generation, since, $1, $5, NULL, '' FROM gone
        ), reaped AS (
            UPDATE bothends_delivery AS d SET due = $1, since = $1, lost = d.lost + 1,
                state = CASE WHEN d.isolated >= $3 THEN 3 ELSE -1 END,
                reason = CASE WHEN d.isolated >= $3 THEN $4 END
            FROM gone WHERE d.id = gone.id RETURNING d.endpoint, d.id, d.state = 3 AS dead
        ), counted AS (
            INSERT INTO bothends_depth SELECT -count(*) FROM reaped WHERE dead HAVING count(*) > 0
        )
        SELECT endpoint, id, dead FROM reaped",
        &[
            &now.as_millis(),
            &AT_ONCE,
            &i64::from(request.lost),
            &DeadReason::Poisonous.as_str(),
            &AttemptEnd::Lost.as_str(),
            &since,
        ],
    )
    .await?;
    let ids: Vec<i64> = lost
        .iter()
        .map(|row| get(row, 0))
        .collect::<Result<_, _>>()?;
    let mut endpoints = lock(&*work, &ids).await?;
    let mut incidents = Incidents::default();
    for row in &lost {
        if let Some(endpoint) = endpoints.get_mut(&get::<i64>(row, 0)?) {
            endpoint.end(DeliveryId(get(row, 1)?), true);
        }
        if get(row, 2)? {
            incidents.failed.push(get(row, 1)?);
        }
    }
    refresh(&*work, endpoints.values(), now).await?;
    incidents.failed.sort_unstable();
    events::report(&work, incidents, now).await?;
    work.commit().await?;
    Ok(!ids.is_empty())
}

const WAITING: &str = "
SELECT d.id, d.endpoint, d.lost FROM bothends_delivery AS d
JOIN bothends_endpoint AS e ON e.id = d.endpoint
WHERE d.state = -1 AND d.due <= $1 AND e.active AND e.closed_until <= $1
    AND e.rate_free <= $1 * 1000
ORDER BY d.due, d.id LIMIT $2";

const HOLD: &str = concat!(
    "
SELECT ",
    endpoint_columns!(),
    ", ",
    target_columns!(),
    "
FROM bothends_endpoint AS e JOIN bothends_subscription AS s ON s.id = e.subscription
WHERE e.id = ANY ($1) ORDER BY e.id FOR NO KEY UPDATE OF e SKIP LOCKED"
);

/// Leases suspect deliveries: after the first loss together with others, after further losses in
/// isolation.
pub(super) async fn take(
    client: &Object,
    request: &ClaimRequest,
    now: Timestamp,
    parsed: &Parsed,
    leases: &mut Vec<Lease>,
) -> Result<Isolation, StoreError> {
    let mut waiting: Vec<(i64, i64, u32)> = Vec::new();
    for row in &query(client, WAITING, &[&now.as_millis(), &SUSPECTS_AT_ONCE]).await? {
        waiting.push((get(row, 0)?, get(row, 1)?, get_u32(row, 2)?));
    }
    let stage = waiting
        .iter()
        .map(|(.., lost)| *lost)
        .find(|lost| *lost >= ISOLATED);
    if stage.is_some() && !request.idle {
        return Ok(Isolation::Wait);
    }
    let lost = stage.unwrap_or(1);
    let mut limit = group_size(request.slots, lost).min(request.limit);
    if stage.is_none() {
        limit = limit.min(request.suspect_limit);
    }
    waiting.retain(|(.., found)| *found == lost);
    if waiting.is_empty() {
        return Ok(Isolation::None);
    }
    let ids: Vec<i64> = waiting.iter().map(|(_, endpoint, _)| *endpoint).collect();
    let mut targets: HashMap<i64, Target> = HashMap::new();
    for row in &query(client, HOLD, &[&ids]).await? {
        let target = Target::read(row, 0, parsed)?;
        targets.insert(target.endpoint.id, target);
    }
    let mut chosen = Vec::new();
    let mut held: HashMap<i64, _> = targets
        .iter()
        .map(|(id, target)| (*id, target.endpoint))
        .collect();
    for (delivery, id, _) in waiting {
        if let Some(endpoint) = held.get_mut(&id)
            && chosen.len() < limit
            && endpoint.free_slots_at(now) > 0
        {
            endpoint.start(1, now);
            chosen.push(delivery);
        }
    }
    let until = now.after(request.lease);
    let values: Values<'_> = &[&until.as_millis(), &now.as_millis(), &chosen];
    for row in &query(client, LEASE_THESE, values).await? {
        let target = targets.get(&endpoint_of(row)?);
        let target = target.ok_or_else(|| corrupt("no endpoint"))?;
        leases.push(lease_of(row, target, (now, until))?);
    }
    // Deliveries leased by another worker in the meantime are left out.
    let mut endpoints = targets;
    for lease in leases.iter() {
        if let Some(target) = endpoints.get_mut(&lease.endpoint.0) {
            target.endpoint.start(1, now);
        }
    }
    let served = endpoints.values().map(|target| &target.endpoint);
    let served =
        served.filter(|endpoint| leases.iter().any(|lease| lease.endpoint.0 == endpoint.id));
    refresh(client, served, now).await?;
    if stage.is_none() || leases.is_empty() {
        return Ok(Isolation::None);
    }
    if let [alone] = leases.as_slice() {
        let sql = "UPDATE bothends_delivery SET isolated = isolated + 1 WHERE id = $1";
        query(client, sql, &[&alone.delivery.0]).await?;
    }
    Ok(Isolation::Exclusive)
}
