//! Group commit of concurrent enqueues.

use super::clock::StoreClock;
use super::enqueue::{ENQUEUE, enqueue_all};
use super::listen::Waker;
use super::{failure, no_connection};
use crate::{Enqueued, Message, StoreError, StoreErrorKind};
use deadpool_postgres::Pool;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::{JoinHandle, JoinSet};

/// The maximum number of messages per group.
const GROUP: usize = 512;
/// The maximum number of concurrent groups: while one group waits for the disk, the next is
/// computed.
pub(super) const UNDER_WAY: usize = 2;
/// The pause after a failed notification of workers.
const PAUSE: Duration = Duration::from_millis(500);

type Waiting = (Message, oneshot::Sender<Result<Enqueued, StoreError>>);

/// Combines concurrent enqueues into one statement, which is its own transaction: one round trip
/// and one commit for the group.
#[derive(Clone)]
pub(super) struct Batcher(mpsc::Sender<Waiting>);

impl Batcher {
    /// Starts the batcher and its background tasks.
    pub(super) fn start(
        pool: Pool,
        clock: StoreClock,
        waker: Waker,
    ) -> (Self, [JoinHandle<()>; 2]) {
        let (waiting, receiver) = mpsc::channel(GROUP);
        let committed = Arc::new(Notify::new());
        let notifying = tokio::spawn(notify_workers(
            pool.clone(),
            waker.clone(),
            Arc::clone(&committed),
        ));
        let batching = tokio::spawn(batch((pool, clock, waker), receiver, committed));
        (Self(waiting), [batching, notifying])
    }

    pub(super) async fn enqueue(&self, message: Message) -> Result<Enqueued, StoreError> {
        let gone = || StoreError::because(StoreErrorKind::Unavailable, "the store is closed");
        let (reply, result) = oneshot::channel();
        let waiting = (message, reply);
        self.0.send(waiting).await.map_err(|_| gone())?;
        result.await.map_err(|_| gone())?
    }
}

async fn batch(
    (pool, clock, waker): (Pool, StoreClock, Waker),
    mut receiver: mpsc::Receiver<Waiting>,
    committed: Arc<Notify>,
) {
    let mut under_way = JoinSet::new();
    loop {
        // While all groups are in progress, new messages wait for the next group, which becomes
        // larger.
        while under_way.len() >= UNDER_WAY {
            under_way.join_next().await;
        }
        let mut group = Vec::with_capacity(64);
        if receiver.recv_many(&mut group, GROUP).await == 0 {
            break;
        }
        let (pool, committed, clock) = (pool.clone(), Arc::clone(&committed), clock.clone());
        let waker = waker.clone();
        under_way.spawn(async move {
            enqueue_group(&pool, &clock, &waker, group).await;
            committed.notify_one();
        });
    }
    under_way.join_all().await;
}

/// Notifies workers of other processes, once for all commits since the last notification. The notification is separate
/// from the commits, because a `NOTIFY` within a transaction serializes commits.
async fn notify_workers(pool: Pool, waker: Waker, committed: Arc<Notify>) {
    loop {
        committed.notified().await;
        let notifying = async {
            let client = pool.get().await.map_err(no_connection)?;
            waker.notify(&client).await.map_err(failure)
        };
        if let Err(error) = notifying.await {
            // Workers poll in the meantime.
            tracing::warn!(%error, "workers were not notified");
            tokio::time::sleep(PAUSE).await;
            committed.notify_one();
        }
    }
}

async fn enqueue_group(pool: &Pool, clock: &StoreClock, waker: &Waker, mut group: Vec<Waiting>) {
    match enqueue_at_once(pool, clock, &group).await {
        Ok(enqueued) => {
            waker.wake_here();
            for ((_, reply), enqueued) in group.into_iter().zip(enqueued) {
                // The message is enqueued even if the caller no longer waits.
                let _ = reply.send(Ok(enqueued));
            }
        }
        // One message that the database rejects must not fail the others.
        Err(error) if error.kind() == StoreErrorKind::Database && group.len() > 1 => {
            for waiting in group.drain(..) {
                Box::pin(enqueue_group(pool, clock, waker, vec![waiting])).await;
            }
        }
        Err(error) => {
            for (_, reply) in group {
                let error = StoreError::because(error.kind(), error.to_string());
                let _ = reply.send(Err(error));
            }
        }
    }
}

async fn enqueue_at_once(
    pool: &Pool,
    clock: &StoreClock,
    group: &[Waiting],
) -> Result<Vec<Enqueued>, StoreError> {
    let messages: Vec<&Message> = group.iter().map(|(message, _)| message).collect();
    let client = pool.get().await.map_err(no_connection)?;
    let statement = client.prepare_cached(ENQUEUE).await.map_err(failure)?;
    let client: &tokio_postgres::Client = &client;
    enqueue_all(client, Some(&statement), &messages, clock.given()).await
}
