//! Leases of a claim whose commit was not confirmed.

use super::place::query;
use super::{PostgresStore, get, get_u32};
use crate::StoreError;
use crate::store::Lease;
use std::collections::HashMap;

/// The leases of these deliveries. The lock waits for a commit in progress. It is also a change, so that this statement
/// waits until everything that it has seen is on the disk.
const STANDING: &str = "
WITH held AS (
    SELECT id, generation, state, since, due FROM bothends_delivery WHERE id = ANY ($1) ORDER BY id FOR UPDATE
)
SELECT id, generation, since, due FROM held WHERE state = 1";

/// Returns those leases that were granted in spite of this error, by a connection of its own. Returns the error if
/// there are none.
pub(super) async fn leases(
    store: &PostgresStore,
    leases: Vec<Lease>,
    error: StoreError,
) -> Result<Vec<Lease>, StoreError> {
    if leases.is_empty() {
        return Err(error);
    }
    tracing::warn!(%error, "looking whether a claim was committed");
    let ids: Vec<i64> = leases.iter().map(|lease| lease.delivery.0).collect();
    let client = store.client().await?;
    let mut standing = HashMap::new();
    for row in &query(&client, STANDING, &[&ids]).await? {
        let lease = (get_u32(row, 1)?, get::<i64>(row, 2)?, get::<i64>(row, 3)?);
        standing.insert(get::<i64>(row, 0)?, lease);
    }
    // Another worker may have leased a delivery with the same number, if the database has lost this claim.
    let mut leases = leases;
    leases.retain(|lease| {
        let expected = (
            lease.generation,
            lease.since.as_millis(),
            lease.until.as_millis(),
        );
        standing.get(&lease.delivery.0) == Some(&expected)
    });
    if leases.is_empty() {
        return Err(error);
    }
    Ok(leases)
}
