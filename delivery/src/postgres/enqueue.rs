//! New deliveries.

use super::{failure, get, listen, no_connection};
use crate::{DeliveryId, Enqueued, Message, StoreError, StoreErrorKind, Timestamp};
use deadpool_postgres::{Object, Pool};
use std::collections::BTreeMap;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_postgres::{GenericClient, Statement};

/// How many messages are enqueued at once.
const GROUP: usize = 512;

/// Everything that enqueuing does, for any number of messages. It leaves a note for each endpoint
/// and locks nothing that others hold.
const ENQUEUE: &str = "
WITH input AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bigint[], $6::bigint[])
        WITH ORDINALITY AS input (id, owner, kind, body, now, due, ord)
), target AS (
    SELECT DISTINCT ON (i.ord, s.subscription) i.ord, i.id, s.subscription, s.endpoint
    FROM input AS i JOIN bothends_selected AS s ON s.owner = i.owner
        AND (s.kind = i.kind AND NOT s.every OR s.kind = '' AND s.every)
    ORDER BY i.ord, s.subscription, s.every
), first AS (
    SELECT DISTINCT ON (id) * FROM input WHERE ord IN (SELECT ord FROM target) ORDER BY id, ord
), fresh AS (
    INSERT INTO bothends_message (id, kind, body, created)
    SELECT id, kind, body, now FROM first ORDER BY ord
    ON CONFLICT (id) DO NOTHING RETURNING key, id
), made AS (
    INSERT INTO bothends_delivery (message, endpoint, due, since)
    SELECT fresh.key, t.endpoint, f.due, f.now
    FROM fresh JOIN first AS f ON f.id = fresh.id JOIN target AS t ON t.ord = f.ord
    ORDER BY f.ord, t.subscription
    RETURNING id, message, endpoint, due
), woken AS (
    INSERT INTO bothends_wake (endpoint, at) SELECT endpoint, min(due) FROM made GROUP BY endpoint
)
SELECT wanted.ord, made.id
FROM (SELECT DISTINCT ord FROM target) AS wanted
LEFT JOIN first AS f ON f.ord = wanted.ord
LEFT JOIN fresh ON fresh.id = f.id
LEFT JOIN made ON made.message = fresh.key
ORDER BY wanted.ord, made.id";

/// Enqueues a message in a transaction of the user's, on any connection to the database of a store:
/// it is sent if, and only if, the transaction is committed. Afterwards,
/// [`PostgresStore::wake`](super::PostgresStore::wake) makes it fast.
///
/// # Errors
/// Where the database refuses.
pub async fn enqueue_in<C: GenericClient>(
    client: &C,
    message: &Message,
    now: Timestamp,
) -> Result<Enqueued, StoreError> {
    let statement = client.prepare(ENQUEUE).await.map_err(failure)?;
    let mut enqueued = enqueue_all(client, &statement, &[(message, now)]).await?;
    enqueued
        .pop()
        .ok_or_else(|| StoreError::new(StoreErrorKind::Database))
}

async fn enqueue_all<C: GenericClient>(
    client: &C,
    statement: &Statement,
    messages: &[(&Message, Timestamp)],
) -> Result<Vec<Enqueued>, StoreError> {
    let column = |of: fn(&Message) -> &str| -> Vec<&str> {
        messages.iter().map(|(message, _)| of(message)).collect()
    };
    let ids = column(|message| message.id.as_str());
    let owners = column(|message| &message.owner);
    let kinds = column(|message| &message.kind);
    let bodies: Vec<&[u8]> = messages
        .iter()
        .map(|(message, _)| &message.body[..])
        .collect();
    let nows: Vec<i64> = messages.iter().map(|(_, now)| now.as_millis()).collect();
    let due = |(message, now): &(&Message, Timestamp)| message.due.unwrap_or(*now).max(*now);
    let dues: Vec<i64> = messages.iter().map(|one| due(one).as_millis()).collect();
    let rows = client
        .query(statement, &[&ids, &owners, &kinds, &bodies, &nows, &dues])
        .await
        .map_err(failure)?;
    let mut made: BTreeMap<i64, Vec<DeliveryId>> = BTreeMap::new();
    for row in &rows {
        let deliveries = made.entry(get(row, 0)?).or_default();
        deliveries.extend(get::<Option<i64>>(row, 1)?.map(DeliveryId));
    }
    let enqueued = messages.iter().zip(1..).map(|((message, _), ord)| {
        let deliveries = made.remove(&ord);
        Enqueued {
            message: message.id.clone(),
            duplicate: deliveries.as_ref().is_some_and(Vec::is_empty),
            deliveries: deliveries.unwrap_or_default(),
        }
    });
    Ok(enqueued.collect())
}

type Waiting = (
    Message,
    Timestamp,
    oneshot::Sender<Result<Enqueued, StoreError>>,
);

/// Enqueues in one transaction what callers want enqueued at the same time.
#[derive(Clone)]
pub(super) struct Batcher(mpsc::Sender<Waiting>);

impl Batcher {
    pub(super) fn start(pool: Pool) -> (Self, JoinHandle<()>) {
        let (sender, mut receiver) = mpsc::channel(GROUP);
        let task = tokio::spawn(async move {
            let mut group = Vec::with_capacity(GROUP);
            while receiver.recv_many(&mut group, GROUP).await > 0 {
                enqueue_group(&pool, &mut group).await;
            }
        });
        (Self(sender), task)
    }

    pub(super) async fn enqueue(
        &self,
        message: Message,
        now: Timestamp,
    ) -> Result<Enqueued, StoreError> {
        let gone = || StoreError::because(StoreErrorKind::Unavailable, "the store is closed");
        let (reply, result) = oneshot::channel();
        let waiting = (message, now, reply);
        self.0.send(waiting).await.map_err(|_| gone())?;
        result.await.map_err(|_| gone())?
    }
}

async fn enqueue_group(pool: &Pool, group: &mut Vec<Waiting>) {
    match enqueue_at_once(pool, group).await {
        Ok(enqueued) => {
            for ((_, _, reply), enqueued) in group.drain(..).zip(enqueued) {
                // Nobody waits any more: it is enqueued all the same.
                let _ = reply.send(Ok(enqueued));
            }
        }
        // One that the database refuses must not take the others along.
        Err(error) if error.kind() == StoreErrorKind::Database && group.len() > 1 => {
            for one in group.drain(..) {
                let mut alone = vec![one];
                Box::pin(enqueue_group(pool, &mut alone)).await;
            }
        }
        Err(error) => {
            for (_, _, reply) in group.drain(..) {
                let error = StoreError::because(error.kind(), error.to_string());
                let _ = reply.send(Err(error));
            }
        }
    }
}

async fn enqueue_at_once(pool: &Pool, group: &[Waiting]) -> Result<Vec<Enqueued>, StoreError> {
    let messages: Vec<_> = group
        .iter()
        .map(|(message, now, _)| (message, *now))
        .collect();
    let mut client = pool.get().await.map_err(no_connection)?;
    let transaction = client.transaction().await.map_err(failure)?;
    let statement = transaction.prepare_cached(ENQUEUE).await.map_err(failure)?;
    let enqueued = enqueue_all(&*transaction, &statement, &messages).await?;
    transaction
        .batch_execute(listen::NOTIFY)
        .await
        .map_err(failure)?;
    transaction.commit().await.map_err(failure)?;
    Ok(enqueued)
}

pub(super) async fn replay(
    client: &Object,
    id: DeliveryId,
    now: Timestamp,
) -> Result<DeliveryId, StoreError> {
    let found = client
        .query_opt(
            "SELECT state FROM bothends_delivery WHERE id = $1",
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
    let made = client
        .query_opt(
            "WITH made AS (
                INSERT INTO bothends_delivery (message, endpoint, due, since, replay_of)
                SELECT message, endpoint, $2, $2, id FROM bothends_delivery WHERE id = $1
                RETURNING id, endpoint
            ), woken AS (
                INSERT INTO bothends_wake (endpoint, at) SELECT endpoint, $2 FROM made
            )
            SELECT id FROM made",
            &[&id.0, &now.as_millis()],
        )
        .await
        .map_err(failure)?;
    let made = made.ok_or_else(|| StoreError::new(StoreErrorKind::NotFound))?;
    Ok(DeliveryId(get(&made, 0)?))
}
