//! Replays.

use super::absorb::{notes, with_made};
use super::{failure, get};
use crate::delivery::DeadReason;
use crate::{DeliveryId, StoreError, StoreErrorKind, Timestamp};
use deadpool_postgres::Object;
use tokio_postgres::GenericClient;
use tokio_postgres::types::ToSql;

pub(super) async fn replay(
    client: &Object,
    id: DeliveryId,
    now: Timestamp,
) -> Result<DeliveryId, StoreError> {
    let found = client
        .query_opt(
            "SELECT d.state FROM bothends_delivery AS d
             JOIN bothends_endpoint AS e ON e.id = d.endpoint
             WHERE d.id = $1 AND e.removed IS NULL",
            &[&id.0],
        )
        .await
        .map_err(failure)?;
    let Some(found) = found else {
        return Err(StoreError::new(StoreErrorKind::NotFound));
    };
    if get::<i64>(&found, 0)? < 2 {
        return Err(StoreError::new(StoreErrorKind::NotFinished));
    }
    let made = replay_all(&***client, &[id.0], now).await?.pop();
    made.ok_or_else(|| StoreError::new(StoreErrorKind::NotFound))
}

/// Creates replays. Those of poisonous deliveries keep the isolation that they had last.
async fn replay_all<C: GenericClient>(
    client: &C,
    ids: &[i64],
    now: Timestamp,
) -> Result<Vec<DeliveryId>, StoreError> {
    let sql = concat!(
        "WITH made AS (
            INSERT INTO bothends_delivery
                (message, endpoint, due, since, replay_of, owner, state, lost)
            SELECT d.message, d.endpoint, $2, $2, d.id, d.owner,
                CASE WHEN d.reason = $3 THEN -1 ELSE 0 END,
                CASE WHEN d.reason = $3 THEN d.lost ELSE 0 END
            FROM unnest($1::bigint[]) WITH ORDINALITY AS i (id, ord)
            JOIN bothends_delivery AS d ON d.id = i.id ORDER BY i.ord
            RETURNING id, message, endpoint, owner, due, state",
        with_made!(),
        "
        SELECT id FROM made ORDER BY id"
    );
    let values: [&(dyn ToSql + Sync); 3] =
        [&ids, &now.as_millis(), &DeadReason::Poisonous.as_str()];
    let made = client.query(sql, &values).await.map_err(failure)?;
    made.iter().map(|row| get(row, 0).map(DeliveryId)).collect()
}

/// Failed deliveries without a replay, by the index of finished ones: those of the time in question, and
/// not all that the owner ever had. The owner is compared as an expression, which has no index.
const FAILED: &str = "
SELECT d.id FROM bothends_delivery AS d JOIN bothends_endpoint AS e ON e.id = d.endpoint
WHERE d.state >= 2 AND d.due >= $2 AND d.state = 3 AND d.owner || '' = $1 AND e.removed IS NULL
AND NOT EXISTS (
    SELECT 1 FROM bothends_owned AS o JOIN bothends_delivery AS r ON r.id = o.id
    WHERE o.message = d.message AND r.replay_of = d.id)
ORDER BY d.due, d.id LIMIT $3";

pub(super) async fn replay_failed(
    client: &mut Object,
    owner: &str,
    since: Timestamp,
    limit: u32,
    now: Timestamp,
) -> Result<Vec<DeliveryId>, StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    // One call at a time, so that no delivery is replayed twice.
    let lock = "SELECT pg_advisory_xact_lock(hashtext('bothends_delivery.replay'))";
    transaction.execute(lock, &[]).await.map_err(failure)?;
    let values: [&(dyn ToSql + Sync); 3] = [&owner, &since.as_millis(), &i64::from(limit)];
    let failed = transaction.query(FAILED, &values).await.map_err(failure)?;
    let failed = failed.iter().map(|row| get(row, 0));
    let failed: Vec<i64> = failed.collect::<Result<_, _>>()?;
    let made = replay_all(&*transaction, &failed, now).await?;
    transaction.commit().await.map_err(failure)?;
    Ok(made)
}
