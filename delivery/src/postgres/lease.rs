//! Claims.

use super::apart;
use super::flush::{commit_early, flush};
use super::place::{Absorbed, Values, absorb, endpoint_columns, next, query, refresh};
use super::target::{LEASE, Target, lease_of};
use super::{failure, get};
use crate::store::{ClaimRequest, Claimed, Endpoint, Isolation, Lease, class};
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

/// Leases deliveries that are due. `count` is called with each result of absorbing notes.
pub(super) async fn claim(
    client: &mut Object,
    request: &ClaimRequest,
    given: Option<i64>,
    count: impl Fn(&Absorbed),
) -> Result<Claimed, StoreError> {
    let mut notes = notes_for(request.limit);
    let mut absorbed = absorb(client, notes, given).await?;
    count(&absorbed);
    let now = absorbed.now;
    let mut claimed = Claimed {
        now,
        ..Claimed::default()
    };
    let mut lost_before = absorbed.lost_before;
    let mut is_idle = !absorbed.ready && !lost_before && request.unresponsive.is_empty();
    if absorbed.over {
        lost_before |= apart::reap(client, request, now).await?;
        is_idle = false;
    }
    loop {
        if is_idle {
            claimed.next = absorbed.next;
        } else {
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
        absorbed = absorb(client, notes, given).await?;
        count(&absorbed);
        is_idle = false;
    }
}

const NEXT: &str = concat!("SELECT ", next!("$1"));

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
        take_ready(&transaction, request, claimed, &mut leases).await?;
    }
    transaction.commit().await.map_err(failure)?;
    if !leases.is_empty() {
        flush(client).await?;
    }
    claimed.leases.extend(leases);
    claimed.isolation = isolation;
    claimed.next = next_due(client, now).await?;
    Ok(())
}

async fn next_due(client: &Object, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    let statement = client.prepare_cached(NEXT).await.map_err(failure)?;
    let next = client.query_one(&statement, &[&now.as_millis()]).await;
    let next: Option<i64> = get(&next.map_err(failure)?, 0)?;
    Ok(next.map(Timestamp::from_millis))
}

/// Locks the endpoints of a class that are ready, in the order of its queue.
macro_rules! ready {
    ($class:literal, $limit:literal) => {
        concat!(
            "SELECT ",
            endpoint_columns!(),
            ", e.url, s.id AS subscription, s.owner, s.active AS is_active, s.config
    FROM bothends_endpoint AS e JOIN bothends_subscription AS s ON s.id = e.subscription
    WHERE e.class = ",
            $class,
            " AND e.ready <= $1 AND (e.pace IS NOT NULL OR e.busy < $2)
    ORDER BY e.ready, e.id LIMIT ",
            $limit,
            " FOR NO KEY UPDATE OF e SKIP LOCKED"
        )
    };
}

/// The classes are those of [`class`].
const READY: &str = concat!(
    "WITH suspect AS (",
    ready!("2", "$3"),
    "), slow AS (",
    ready!("1", "$4"),
    "), fast AS (",
    ready!("0", "$5"),
    ") SELECT ready.*, ",
    commit_early!(),
    " FROM (
        SELECT * FROM suspect UNION ALL SELECT * FROM slow UNION ALL SELECT * FROM fast
    ) AS ready"
);

/// Leases deliveries of ready endpoints. Failing and slow endpoints have few slots and are served first.
/// Otherwise, endpoints that are always busy would leave no slots.
async fn take_ready(
    transaction: &Transaction<'_>,
    request: &ClaimRequest,
    claimed: &Claimed,
    leases: &mut Vec<Lease>,
) -> Result<(), StoreError> {
    let before = &claimed.leases;
    let slow_before = before.iter().filter(|lease| lease.slow).count();
    let limit = request.limit.saturating_sub(before.len());
    let suspects = request.suspect_limit.min(request.limit);
    let suspects = suspects.saturating_sub(before.len());
    let slow = request.slow_limit.saturating_sub(slow_before).min(limit);
    let number = |limit: usize| i64::try_from(limit).unwrap_or(i64::MAX);
    let values: Values<'_> = &[
        &claimed.now.as_millis(),
        &number(request.probe_limit),
        &number(suspects),
        &number(slow),
        &number(limit),
    ];
    let rows = query(transaction, READY, values).await?;
    let mut ready: [Vec<Target>; 3] = Default::default();
    for row in &rows {
        let target = Target::of(row, 0)?;
        let of_class = usize::try_from(target.endpoint.class).ok();
        if let Some(of_class) = of_class.and_then(|class| ready.get_mut(class)) {
            of_class.push(target);
        }
    }
    let [fast, slowly, suspect] = ready;
    take(transaction, request, claimed.now, suspect, suspects, leases).await?;
    let slow = leases.len().saturating_add(slow).min(limit);
    take(transaction, request, claimed.now, slowly, slow, leases).await?;
    take(transaction, request, claimed.now, fast, limit, leases).await
}

/// Leases due deliveries from locked endpoints, in their order, until `leases` has `limit` entries.
async fn take(
    transaction: &Transaction<'_>,
    request: &ClaimRequest,
    since: Timestamp,
    ready: Vec<Target>,
    limit: usize,
    leases: &mut Vec<Lease>,
) -> Result<(), StoreError> {
    let limit = i64::try_from(limit.saturating_sub(leases.len())).unwrap_or(i64::MAX);
    if limit == 0 || ready.is_empty() {
        return Ok(());
    }
    let now = since.as_millis();
    let endpoints: Vec<Endpoint> = ready.iter().map(|target| target.endpoint).collect();
    let targets = ready.into_iter().map(|target| (target.endpoint.id, target));
    let targets: HashMap<i64, Target> = targets.collect();
    let ids: Vec<i64> = endpoints.iter().map(|endpoint| endpoint.id).collect();
    let rooms: Vec<i64> = endpoints
        .iter()
        .map(|endpoint| endpoint.room_for(request.probe_limit, since))
        .collect();
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
