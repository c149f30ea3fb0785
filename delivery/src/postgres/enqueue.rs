//! New deliveries.

use super::{failure, get};
use crate::{DeliveryId, Enqueued, Message, StoreError, StoreErrorKind, Timestamp};
use deadpool_postgres::Object;
use std::collections::BTreeMap;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

/// Everything that enqueuing does, for any number of messages. It leaves a note for each endpoint
/// and locks nothing that others hold.
///
/// Who wants a message is looked up by index for each one (`LATERAL` keeps it so, whatever the
/// statistics say); what comes of that is joined by hashes.
pub(super) const ENQUEUE: &str = "
WITH input AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bigint[], $6::bigint[])
        WITH ORDINALITY AS input (id, owner, kind, body, now, due, ord)
), target AS (
    SELECT i.ord, s.subscription, s.endpoint
    FROM input AS i CROSS JOIN LATERAL (
        SELECT DISTINCT ON (subscription) subscription, endpoint FROM (
            SELECT subscription, endpoint, every FROM bothends_selected
            WHERE owner = i.owner AND kind = i.kind AND NOT every
            UNION ALL
            SELECT subscription, endpoint, every FROM bothends_selected
            WHERE owner = i.owner AND kind = '' AND every
        ) AS both_ways ORDER BY subscription, every
    ) AS s
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
    let messages = [(message, now)];
    let columns = Columns::of(&messages);
    let rows = client
        .query_typed(ENQUEUE, &columns.typed())
        .await
        .map_err(failure)?;
    let mut enqueued = enqueued(&rows, &messages)?;
    enqueued
        .pop()
        .ok_or_else(|| StoreError::new(StoreErrorKind::Database))
}

/// Messages as the arrays that PostgreSQL takes.
pub(super) struct Columns<'a> {
    ids: Vec<&'a str>,
    owners: Vec<&'a str>,
    kinds: Vec<&'a str>,
    bodies: Vec<&'a [u8]>,
    nows: Vec<i64>,
    dues: Vec<i64>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(messages: &[(&'a Message, Timestamp)]) -> Self {
        let column = |of: fn(&'a Message) -> &'a str| -> Vec<&'a str> {
            messages.iter().map(|(message, _)| of(message)).collect()
        };
        let due = |(message, now): &(&Message, Timestamp)| message.due.unwrap_or(*now).max(*now);
        Self {
            ids: column(|message| message.id.as_str()),
            owners: column(|message| &message.owner),
            kinds: column(|message| &message.kind),
            bodies: messages
                .iter()
                .map(|(message, _)| &message.body[..])
                .collect(),
            nows: messages.iter().map(|(_, now)| now.as_millis()).collect(),
            dues: messages.iter().map(|one| due(one).as_millis()).collect(),
        }
    }

    pub(super) fn values(&self) -> [&(dyn ToSql + Sync); 6] {
        [
            &self.ids,
            &self.owners,
            &self.kinds,
            &self.bodies,
            &self.nows,
            &self.dues,
        ]
    }

    fn typed(&self) -> [(&(dyn ToSql + Sync), Type); 6] {
        let [ids, owners, kinds, bodies, nows, dues] = self.values();
        [
            (ids, Type::TEXT_ARRAY),
            (owners, Type::TEXT_ARRAY),
            (kinds, Type::TEXT_ARRAY),
            (bodies, Type::BYTEA_ARRAY),
            (nows, Type::INT8_ARRAY),
            (dues, Type::INT8_ARRAY),
        ]
    }
}

/// What the rows that [`ENQUEUE`] returns say of each message.
pub(super) fn enqueued(
    rows: &[Row],
    messages: &[(&Message, Timestamp)],
) -> Result<Vec<Enqueued>, StoreError> {
    let mut made: BTreeMap<i64, Vec<DeliveryId>> = BTreeMap::new();
    for row in rows {
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
