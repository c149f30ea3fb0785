//! Commits that release their locks before they are on the disk.
//!
//! A commit waits for the disk, and keeps the rows of its endpoints locked meanwhile: claims and records of one
//! endpoint would wait for each other's disk. Their transactions commit without waiting ([`commit_early`]), and the
//! call returns after [`flush`], which waits for the log up to this commit.

use super::failure;
use crate::StoreError;
use deadpool_postgres::Object;

/// An expression whose evaluation lets the commit of the transaction return before it is on the disk.
macro_rules! commit_early {
    () => {
        "set_config('synchronous_commit', 'off', true)"
    };
}
pub(super) use commit_early;

/// Waits until everything that was committed before is on the disk, or on replicas, as `synchronous_commit` of the
/// session says: by a transaction of its own that writes to the log.
pub(super) async fn flush(client: &Object) -> Result<(), StoreError> {
    let sql = "SELECT pg_logical_emit_message(true, 'bothends-delivery', '')";
    let statement = client.prepare_cached(sql).await.map_err(failure)?;
    client.query_one(&statement, &[]).await.map_err(failure)?;
    Ok(())
}
