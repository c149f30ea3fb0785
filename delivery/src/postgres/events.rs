//! Events for operators.

use super::place::{Values, query};
use super::{corrupt, enqueue, failure, get, get_u32};
use crate::delivery::DeadReason;
use crate::store::{Failed, Incidents, OperatorEvent, OperatorSettings};
use crate::{StoreError, Timestamp};
use deadpool_postgres::Object;
use std::collections::BTreeMap;
use tokio_postgres::{GenericClient, Row};

pub(super) async fn set(client: &Object, settings: &OperatorSettings) -> Result<(), StoreError> {
    let sql = "INSERT INTO bothends_operator (id, owner, failures) VALUES (1, $1, $2)
        ON CONFLICT (id) DO UPDATE SET owner = $1, failures = $2";
    let failures = i64::from(settings.failures);
    let set = client.execute(sql, &[&settings.owner, &failures]).await;
    set.map(drop).map_err(failure)
}

pub(super) async fn settings<C: GenericClient>(client: &C) -> Result<OperatorSettings, StoreError> {
    let sql = "SELECT owner, failures FROM bothends_operator WHERE id = 1";
    match client.query_opt(sql, &[]).await.map_err(failure)? {
        None => Ok(OperatorSettings::default()),
        Some(row) => Ok(OperatorSettings {
            owner: get(&row, 0)?,
            failures: get_u32(&row, 1)?,
        }),
    }
}

pub(super) async fn list(
    client: &Object,
    after: Option<i64>,
    limit: u32,
) -> Result<Vec<OperatorEvent>, StoreError> {
    let sql = "SELECT id, body FROM bothends_event WHERE id > $1 ORDER BY id LIMIT $2";
    let after = after.unwrap_or(i64::MIN);
    let rows = client.query(sql, &[&after, &i64::from(limit)]).await;
    let event = |row: &Row| OperatorEvent::from_json(get(row, 0)?, get(row, 1)?).map_err(corrupt);
    rows.map_err(failure)?.iter().map(event).collect()
}

const FAILED: &str = "
SELECT d.id, d.owner, m.id, m.kind, e.subscription, d.endpoint, d.tries, d.reason
FROM unnest($1::bigint[]) WITH ORDINALITY AS i (id, ord)
JOIN bothends_delivery AS d ON d.id = i.id
JOIN bothends_message AS m ON m.key = d.message
JOIN bothends_endpoint AS e ON e.id = d.endpoint ORDER BY i.ord";

const OWNERS: &str = "
SELECT e.id, s.id, s.owner FROM bothends_endpoint AS e
JOIN bothends_subscription AS s ON s.id = e.subscription
WHERE e.id = ANY ($1) AND e.removed IS NULL";

/// Events are numbered by one transaction after the other, so that a reader who has seen a number has seen
/// all smaller ones. The lock is the last that a transaction takes.
const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtext('bothends_delivery.event'))";

const INSERT: &str = "
INSERT INTO bothends_event (at, body)
SELECT $1, i.body FROM unnest($2::text[]) WITH ORDINALITY AS i (body, ord) ORDER BY i.ord RETURNING id";

/// Records the events of incidents in the transaction of a connection, and enqueues their webhooks.
pub(super) async fn report(
    client: &Object,
    mut incidents: Incidents,
    now: Timestamp,
) -> Result<(), StoreError> {
    if incidents.is_empty() {
        return Ok(());
    }
    let settings = settings(&***client).await?;
    incidents.retain(&settings);
    let mut events = Vec::new();
    for row in &query(client, FAILED, &[&incidents.failed]).await? {
        events.push(failed(row)?.event(now));
    }
    let ids: Vec<i64> = incidents
        .rounds
        .iter()
        .map(|round| round.endpoint)
        .collect();
    let mut owners: BTreeMap<i64, (String, String)> = BTreeMap::new();
    for row in &query(client, OWNERS, &[&ids]).await? {
        owners.insert(get(row, 0)?, (get(row, 1)?, get(row, 2)?));
    }
    for round in incidents.rounds {
        if let Some((subscription, owner)) = owners.get(&round.endpoint) {
            events.extend(round.events(&settings, now, (subscription, owner)));
        }
    }
    events.retain(|event| settings.owner.as_ref() != Some(&event.owner));
    if events.is_empty() {
        return Ok(());
    }
    query(client, LOCK, &[]).await?;
    let bodies: Vec<String> = events.iter().map(OperatorEvent::to_json).collect();
    let values: Values<'_> = &[&now.as_millis(), &bodies];
    let rows = query(client, INSERT, values).await?;
    for (event, row) in events.iter_mut().zip(&rows) {
        event.id = get(row, 0)?;
    }
    if let Some(owner) = &settings.owner {
        let webhooks: Vec<_> = events.iter().map(|event| event.webhook(owner)).collect();
        let webhooks: Vec<_> = webhooks.iter().collect();
        let now = Some(now.as_millis());
        enqueue::enqueue_all(&***client, None, &webhooks, now).await?;
    }
    Ok(())
}

fn failed(row: &Row) -> Result<Failed, StoreError> {
    let reason = DeadReason::from_word(get(row, 7)?);
    Ok(Failed {
        delivery: get(row, 0)?,
        owner: get(row, 1)?,
        message: get(row, 2)?,
        kind: get(row, 3)?,
        subscription: get(row, 4)?,
        endpoint: get(row, 5)?,
        attempts: get_u32(row, 6)?,
        reason: reason.ok_or_else(|| corrupt("a reason that is not known"))?,
    })
}

pub(super) async fn prune(
    client: &Object,
    before: Timestamp,
    limit: u32,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM bothends_event WHERE id = ANY (ARRAY(
        SELECT id FROM bothends_event WHERE at < $1 ORDER BY at, id LIMIT $2))";
    let values: Values<'_> = &[&before.as_millis(), &i64::from(limit)];
    let pruned = client.execute(sql, values).await;
    pruned.map(drop).map_err(failure)
}
