//! Transactions of claims and records: few round trips, and locks that do not wait for the disk.
//!
//! Their statements are sent without waiting for the results of those before, which the server executes in order: a
//! round trip takes longer than most of them. A commit waits for the disk, and keeps the rows of its endpoints locked
//! meanwhile, so that claims and records of one endpoint would wait for each other's disk. They commit without waiting
//! ([`commit_early`]), and the call returns after [`FLUSH`], which waits for the log up to this commit.

use super::failure;
use crate::StoreError;
use deadpool_postgres::Object;
use futures_util::FutureExt;
use std::ops::Deref;
use tokio_postgres::Statement;

/// An expression whose evaluation lets the commit of the transaction return before it is on the disk.
macro_rules! commit_early {
    () => {
        "set_config('synchronous_commit', 'off', true)"
    };
}
pub(super) use commit_early;

/// Begins a transaction whose statements are planned once for all values: planning takes longer than most of them, and
/// their plans are the same.
const BEGIN: &str = "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan";

/// Waits until everything that was committed before is on the disk, or on replicas, as `synchronous_commit` of the
/// session says: by a transaction of its own that writes to the log.
pub(super) const FLUSH: &str = "SELECT pg_logical_emit_message(true, 'bothends-delivery', '')";

/// Returns statements that are prepared, so that executing them sends nothing but them. Statements that are sent
/// without waiting must be prepared before: otherwise, one that is could overtake one that is not.
pub(super) async fn prepare<const N: usize>(
    client: &Object,
    statements: [&str; N],
) -> Result<[Statement; N], StoreError> {
    let prepared = statements.map(|sql| client.prepare_cached(sql));
    let prepared = futures_util::future::try_join_all(prepared).await;
    <[Statement; N]>::try_from(prepared.map_err(failure)?)
        .map_err(|_| super::corrupt("statements that are not prepared"))
}

/// A connection in a transaction, which is rolled back unless it is committed.
pub(super) struct Work<'a> {
    client: &'a Object,
    is_open: bool,
}

impl<'a> Work<'a> {
    /// Takes a connection for a transaction, which begins with [`Work::begin`].
    pub(super) const fn on(client: &'a Object) -> Self {
        Self {
            client,
            is_open: true,
        }
    }

    /// Begins a transaction, and waits until it has begun.
    pub(super) async fn started(client: &'a Object) -> Result<Self, StoreError> {
        let work = Self::on(client);
        work.begin().await?;
        Ok(work)
    }

    pub(super) const fn client(&self) -> &'a Object {
        self.client
    }

    /// Begins the transaction. Statements may be sent after this future was polled once.
    pub(super) async fn begin(&self) -> Result<(), StoreError> {
        self.client.batch_execute(BEGIN).await.map_err(failure)
    }

    /// Commits. The result is meaningful only if no statement before has failed: PostgreSQL rolls back otherwise.
    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        let committing = self.client.batch_execute("COMMIT");
        self.is_open = false;
        committing.await.map_err(failure)
    }
}

impl Deref for Work<'_> {
    type Target = Object;

    fn deref(&self) -> &Object {
        self.client
    }
}

impl Drop for Work<'_> {
    fn drop(&mut self) {
        if self.is_open {
            // The statement is sent when the future is polled. Nothing depends on its result.
            let _ = self.client.batch_execute("ROLLBACK").now_or_never();
        }
    }
}
