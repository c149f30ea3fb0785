//! Subscriptions and their endpoints.

use super::{corrupt, failure, get as column, get_u32, place};
use crate::store::EndpointStatus;
use crate::{StoreError, StoreErrorKind, Subscription, Timestamp};
use deadpool_postgres::Object;
use tokio_postgres::Row;

pub(super) async fn put(
    client: &mut Object,
    subscription: &Subscription,
) -> Result<(), StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    let (id, owner) = (subscription.id(), subscription.owner());
    let (active, cap) = (
        subscription.is_active(),
        i64::from(subscription.concurrency()),
    );
    let (every, burst) = subscription.rate();
    let ordered = subscription.is_ordered();
    let filter = subscription.filter_json();
    let put = async {
        transaction
            .execute(
                "INSERT INTO bothends_subscription (id, owner, active, config)
                 VALUES ($1, $2, $3, $4)
                 ON CONFLICT (id) DO UPDATE SET owner = $2, active = $3, config = $4",
                &[&id, &owner, &active, &subscription.to_json()],
            )
            .await?;
        transaction
            .execute(
                "SELECT 1 FROM bothends_endpoint WHERE subscription = $1 AND removed IS NULL
                 ORDER BY id FOR NO KEY UPDATE",
                &[&id],
            )
            .await?;
        // A removed route leads to the URL for all kinds, or keeps its URL.
        let default = subscription.url.as_ref().map(url::Url::as_str);
        transaction
            .execute(
                "UPDATE bothends_endpoint SET url = coalesce($2, url), active = $3, cap = $4,
                    failures = 0, class = 0, pace = NULL, closed_until = 0
                 WHERE subscription = $1 AND removed IS NULL",
                &[&id, &default, &active, &cap],
            )
            .await?;
        for (route, url) in subscription.routes() {
            transaction
                .execute(
                    "INSERT INTO bothends_endpoint (subscription, route, url, active, cap)
                     VALUES ($1, $2, $3, $4, $5)
                     ON CONFLICT (subscription, route) WHERE removed IS NULL DO UPDATE SET url = $3",
                    &[&id, &route, &url.as_str(), &active, &cap],
                )
                .await?;
        }
        transaction
            .execute(
                "UPDATE bothends_endpoint SET rate_every = $2, rate_burst = $3, rate_free = 0,
                    ordered = CASE WHEN $4 THEN 1 WHEN ordered = 0 THEN 0 ELSE 2 END,
                    head = CASE WHEN $4 THEN head END
                 WHERE subscription = $1 AND removed IS NULL",
                &[&id, &every, &burst, &ordered],
            )
            .await?;
        transaction
            .execute(
                "DELETE FROM bothends_selected WHERE subscription = $1",
                &[&id],
            )
            .await?;
        for (kind, route) in subscription.selected() {
            transaction
                .execute(
                    "INSERT INTO bothends_selected
                        (owner, kind, every, subscription, endpoint, ordered, filter)
                     SELECT $2, $3, $4, $1, id, $6, $7 FROM bothends_endpoint
                     WHERE subscription = $1 AND route = $5 AND removed IS NULL",
                    &[
                        &id,
                        &owner,
                        &kind.unwrap_or(""),
                        &kind.is_none(),
                        &route,
                        &ordered,
                        &filter,
                    ],
                )
                .await?;
        }
        Ok(())
    };
    put.await.map_err(failure)?;
    place::refresh_all(&transaction, id, Timestamp::from_millis(0)).await?;
    transaction.commit().await.map_err(failure)
}

pub(super) async fn set_active(
    client: &mut Object,
    id: &str,
    active: bool,
    now: Timestamp,
) -> Result<(), StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    let set = "UPDATE bothends_subscription SET active = $2 WHERE id = $1";
    if transaction
        .execute(set, &[&id, &active])
        .await
        .map_err(failure)?
        == 0
    {
        return Err(StoreError::new(StoreErrorKind::NotFound));
    }
    let lock = "SELECT 1 FROM bothends_endpoint WHERE subscription = $1 AND removed IS NULL
         ORDER BY id FOR NO KEY UPDATE";
    transaction.execute(lock, &[&id]).await.map_err(failure)?;
    let set = "UPDATE bothends_endpoint SET active = $2
        WHERE subscription = $1 AND removed IS NULL";
    transaction
        .execute(set, &[&id, &active])
        .await
        .map_err(failure)?;
    place::refresh_all(&transaction, id, now).await?;
    transaction.commit().await.map_err(failure)
}

pub(super) async fn remove(
    client: &mut Object,
    id: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    let gone = "DELETE FROM bothends_subscription WHERE id = $1";
    if transaction.execute(gone, &[&id]).await.map_err(failure)? == 0 {
        return Err(StoreError::new(StoreErrorKind::NotFound));
    }
    let unselect = "DELETE FROM bothends_selected WHERE subscription = $1";
    transaction
        .execute(unselect, &[&id])
        .await
        .map_err(failure)?;
    transaction
        .execute(
            "WITH held AS (
                SELECT id FROM bothends_endpoint WHERE subscription = $1 AND removed IS NULL
                ORDER BY id FOR NO KEY UPDATE
            )
            UPDATE bothends_endpoint AS e SET removed = $2, active = FALSE, has_room = FALSE, ready = NULL
            FROM held WHERE e.id = held.id",
            &[&id, &now.as_millis()],
        )
        .await
        .map_err(failure)?;
    transaction.commit().await.map_err(failure)
}

const COLUMNS: &str = "SELECT id, owner, active, config FROM bothends_subscription";

pub(super) async fn get(client: &Object, id: &str) -> Result<Option<Subscription>, StoreError> {
    let sql = format!("{COLUMNS} WHERE id = $1");
    let row = client.query_opt(&sql, &[&id]).await.map_err(failure)?;
    row.as_ref().map(subscription).transpose()
}

pub(super) async fn list(client: &Object, owner: &str) -> Result<Vec<Subscription>, StoreError> {
    let sql = format!("{COLUMNS} WHERE owner = $1 ORDER BY id");
    let rows = client.query(&sql, &[&owner]).await.map_err(failure)?;
    rows.iter().map(subscription).collect()
}

fn subscription(row: &Row) -> Result<Subscription, StoreError> {
    let config: &str = column(row, 3)?;
    Subscription::from_json(column(row, 0)?, column(row, 1)?, column(row, 2)?, config)
        .map_err(corrupt)
}

pub(super) async fn owners(
    client: &Object,
    after: Option<&str>,
    limit: u32,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT DISTINCT owner FROM bothends_subscription
        WHERE $1::text IS NULL OR owner > $1 ORDER BY owner LIMIT $2";
    let rows = client.query(sql, &[&after, &i64::from(limit)]).await;
    rows.map_err(failure)?
        .iter()
        .map(|row| column(row, 0))
        .collect()
}

pub(super) async fn endpoints(
    client: &Object,
    owner: &str,
) -> Result<Vec<EndpointStatus>, StoreError> {
    let sql = "SELECT e.id, e.subscription, e.route, e.url, e.active, e.busy, e.failures,
            e.closed_until, e.pace
        FROM bothends_subscription AS s
        JOIN bothends_endpoint AS e ON e.subscription = s.id AND e.removed IS NULL
        WHERE s.owner = $1 ORDER BY s.id, e.route";
    let rows = client.query(sql, &[&owner]).await.map_err(failure)?;
    let endpoint = |row: &Row| {
        Ok(EndpointStatus::stored(
            (column(row, 0)?, column(row, 1)?, column(row, 2)?),
            column(row, 3)?,
            (column(row, 4)?, column(row, 5)?, get_u32(row, 6)?),
            (column(row, 7)?, column(row, 8)?),
        ))
    };
    rows.iter().map(endpoint).collect()
}
