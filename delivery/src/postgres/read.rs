//! Queries of deliveries, and pruning.

use super::{corrupt, failure, get, get_u32};
use crate::delivery::{Attempt, AttemptEnd, DeadReason, Delivery, DeliveryId, State};
use crate::message::{headers_from_json, method_from, trace_from_json};
use crate::store::DeliveryFilter;
use crate::{Due, Message, MessageId, StoreError, Timestamp};
use bytes::Bytes;
use deadpool_postgres::Object;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// A statement that selects the deliveries of a page.
macro_rules! deliveries {
    ($page:literal, $order:literal) => {
        deliveries!(from concat!("(", $page, ") AS d"), concat!("ORDER BY d.id ", $order))
    };
    (from $from:expr, $rest:expr) => {
        concat!(
            "SELECT d.id, m.id, m.kind, e.subscription, d.state, d.due, d.generation, d.tries,
                d.lost, d.reason, d.replay_of, e.active, e.removed, d.since, m.owner
             FROM ",
            $from,
            "
             JOIN bothends_message AS m ON m.key = d.message
             JOIN bothends_endpoint AS e ON e.id = d.endpoint ",
            $rest
        )
    };
}

const FOUND: &str = deliveries!(
    from "bothends_owned AS o
     CROSS JOIN LATERAL (SELECT * FROM bothends_delivery WHERE id = o.id OFFSET 0) AS d",
    "WHERE o.owner = $1 AND o.id < $2
     AND ($4::bigint IS NULL OR $4 =
        CASE WHEN d.state > 0 THEN d.state WHEN e.removed IS NULL THEN 0 ELSE 3 END)
     AND ($5::text IS NULL OR e.subscription = $5) AND ($6::text IS NULL OR m.kind = $6)
     AND ($7::bigint IS NULL OR $7 <= CASE WHEN d.state > 0 THEN d.since
        ELSE greatest(d.since, e.removed) END)
     AND ($8::bigint IS NULL OR $8 > CASE WHEN d.state > 0 THEN d.since
        ELSE greatest(d.since, e.removed) END)
     ORDER BY o.id DESC LIMIT $3"
);

pub(super) async fn find_deliveries(
    client: &Object,
    owner: &str,
    filter: &DeliveryFilter,
    before: Option<DeliveryId>,
    limit: u32,
) -> Result<Vec<Delivery>, StoreError> {
    let before = before.map_or(i64::MAX, |id| id.0);
    let (phase, since, until) = filter.numbers();
    let (subscription, kind) = (&filter.subscription, &filter.kind);
    let limit = i64::from(limit);
    let values: [&(dyn ToSql + Sync); 8] = [
        &owner,
        &before,
        &limit,
        &phase,
        subscription,
        kind,
        &since,
        &until,
    ];
    select(client, FOUND, &values).await
}

pub(super) async fn deliveries(
    client: &Object,
    after: Option<DeliveryId>,
    limit: u32,
) -> Result<Vec<Delivery>, StoreError> {
    let sql = deliveries!(
        "SELECT * FROM bothends_delivery WHERE id > $1 ORDER BY id LIMIT $2",
        ""
    );
    let after = after.map_or(i64::MIN, |id| id.0);
    select(client, sql, &[&after, &i64::from(limit)]).await
}

pub(super) async fn deliveries_of(
    client: &Object,
    owner: &str,
    after: Option<DeliveryId>,
    limit: u32,
) -> Result<Vec<Delivery>, StoreError> {
    let sql = deliveries!(
        "SELECT d.* FROM (
            SELECT id FROM bothends_owned WHERE owner = $1 AND id > $2 ORDER BY id LIMIT $3
         ) AS o JOIN bothends_delivery AS d ON d.id = o.id",
        ""
    );
    let after = after.map_or(i64::MIN, |id| id.0);
    select(client, sql, &[&owner, &after, &i64::from(limit)]).await
}

pub(super) async fn latest_deliveries_of(
    client: &Object,
    owner: &str,
    before: Option<DeliveryId>,
    limit: u32,
) -> Result<Vec<Delivery>, StoreError> {
    let sql = deliveries!(
        "SELECT d.* FROM (
            SELECT id FROM bothends_owned WHERE owner = $1 AND id < $2 ORDER BY id DESC LIMIT $3
         ) AS o JOIN bothends_delivery AS d ON d.id = o.id",
        "DESC"
    );
    let before = before.map_or(i64::MAX, |id| id.0);
    select(client, sql, &[&owner, &before, &i64::from(limit)]).await
}

async fn select(
    client: &Object,
    sql: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Delivery>, StoreError> {
    let rows = client.query(sql, values).await.map_err(failure)?;
    rows.iter().map(delivery).collect()
}

fn delivery(row: &Row) -> Result<Delivery, StoreError> {
    let reason: Option<&str> = get(row, 9)?;
    let at = Timestamp::from_millis(get(row, 5)?);
    let (removed, since): (Option<i64>, i64) = (get(row, 12)?, get(row, 13)?);
    let state = match (get::<i64>(row, 4)?, get(row, 11)?, removed) {
        (..=0, _, Some(removed)) => State::removed(removed, since),
        (..=0, true, None) => State::Pending { due: at },
        (..=0, false, None) => State::Held { due: at },
        (1, ..) => State::Leased { until: at },
        (2, ..) => State::Delivered { at },
        _ => match reason.and_then(DeadReason::from_word) {
            Some(reason) => State::Dead { at, reason },
            None => return Err(corrupt("a reason that is not known")),
        },
    };
    Ok(Delivery {
        id: DeliveryId(get(row, 0)?),
        owner: get(row, 14)?,
        message: MessageId::stored(get(row, 1)?),
        kind: get(row, 2)?,
        subscription: get(row, 3)?,
        state,
        generation: get_u32(row, 6)?,
        tries: get_u32(row, 7)?,
        lost: get_u32(row, 8)?,
        replay_of: get::<Option<i64>>(row, 10)?.map(DeliveryId),
    })
}

pub(super) async fn attempts(
    client: &Object,
    delivery: DeliveryId,
) -> Result<Vec<Attempt>, StoreError> {
    let rows = client
        .query(
            "SELECT n, started, ended, outcome, status, detail, responded FROM bothends_attempt
             WHERE delivery = $1 ORDER BY n",
            &[&delivery.0],
        )
        .await
        .map_err(failure)?;
    let attempt = |row: &Row| {
        let end = AttemptEnd::from_word(get(row, 3)?);
        let status: Option<i64> = get(row, 4)?;
        Ok(Attempt {
            delivery,
            n: get_u32(row, 0)?,
            started: Timestamp::from_millis(get(row, 1)?),
            responded: get::<Option<i64>>(row, 6)?.map(Timestamp::from_millis),
            ended: Timestamp::from_millis(get(row, 2)?),
            end: end.ok_or_else(|| corrupt("an outcome that is not known"))?,
            status: status.map(u16::try_from).transpose().map_err(corrupt)?,
            detail: get(row, 5)?,
        })
    };
    rows.iter().map(attempt).collect()
}

pub(super) async fn message(
    client: &Object,
    owner: &str,
    id: &MessageId,
) -> Result<Option<Message>, StoreError> {
    let sql = "SELECT owner, id, kind, method, headers, body, trace FROM bothends_message
        WHERE owner = $1 AND id = $2";
    let row = client
        .query_opt(sql, &[&owner, &id.as_str()])
        .await
        .map_err(failure)?;
    row.as_ref().map(|row| message_at(row, 0)).transpose()
}

/// Reads the seven columns of a message, starting at `from`.
pub(super) fn message_at(row: &Row, from: usize) -> Result<Message, StoreError> {
    Ok(Message {
        owner: get(row, from)?,
        id: MessageId::stored(get(row, from + 1)?),
        kind: get(row, from + 2)?,
        method: method_from(get(row, from + 3)?).map_err(corrupt)?,
        headers: headers_from_json(get(row, from + 4)?).map_err(corrupt)?,
        trace: trace_from_json(get(row, from + 6)?).map_err(corrupt)?,
        body: Bytes::from(get::<Vec<u8>>(row, from + 5)?),
        due: Due::Now,
    })
}

pub(super) async fn prune(
    client: &Object,
    before: Timestamp,
    limit: u32,
) -> Result<u64, StoreError> {
    let row = client
        .query_one(
            "WITH done AS (
                SELECT id, message, owner FROM bothends_delivery WHERE state >= 2 AND due < $1
                ORDER BY due, id LIMIT $2 FOR UPDATE SKIP LOCKED
            ), removed AS (
                SELECT d.id, d.message, d.owner FROM bothends_endpoint AS e
                JOIN bothends_delivery AS d ON d.endpoint = e.id AND d.state = 0
                WHERE e.removed < $1 AND d.since < $1 ORDER BY e.removed, e.id, d.due, d.id
                LIMIT $2 - (SELECT count(*) FROM done) FOR UPDATE OF d SKIP LOCKED
            ), suspect AS (
                SELECT d.id, d.message, d.owner FROM bothends_delivery AS d
                JOIN bothends_endpoint AS e ON e.id = d.endpoint
                WHERE d.state = -1 AND e.removed < $1 AND d.since < $1 ORDER BY d.due, d.id
                LIMIT $2 - (SELECT count(*) FROM done) - (SELECT count(*) FROM removed)
                FOR UPDATE OF d SKIP LOCKED
            ), ordered AS (
                SELECT d.id, d.message, d.owner FROM bothends_endpoint AS e
                JOIN bothends_delivery AS d ON d.endpoint = e.id AND d.state = -2
                WHERE e.removed < $1 AND d.since < $1 ORDER BY e.removed, e.id, d.id
                LIMIT $2 - (SELECT count(*) FROM done) - (SELECT count(*) FROM removed)
                    - (SELECT count(*) FROM suspect) FOR UPDATE OF d SKIP LOCKED
            ), open AS (
                SELECT * FROM removed UNION ALL SELECT * FROM suspect UNION ALL SELECT * FROM ordered
            ), over AS (
                SELECT * FROM done UNION ALL SELECT * FROM open
            ), counted AS (
                INSERT INTO bothends_depth SELECT -count(*) FROM open HAVING count(*) > 0
            ), attempts AS (
                DELETE FROM bothends_attempt WHERE delivery IN (SELECT id FROM over)
            ), deliveries AS (
                DELETE FROM bothends_delivery WHERE id IN (SELECT id FROM over)
            ), owned AS (
                DELETE FROM bothends_owned AS o USING over WHERE o.owner = over.owner AND o.id = over.id
            ), messages AS (
                DELETE FROM bothends_message AS m WHERE key IN (SELECT message FROM over)
                AND NOT EXISTS (
                    SELECT 1 FROM bothends_owned AS o
                    WHERE o.message = m.key AND o.id NOT IN (SELECT id FROM over))
            )
            SELECT count(*) FROM over",
            &[&before.as_millis(), &i64::from(limit)],
        )
        .await
        .map_err(failure)?;
    u64::try_from(get::<i64>(&row, 0)?).map_err(corrupt)
}
