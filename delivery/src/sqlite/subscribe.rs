//! Subscriptions and their endpoints.

use super::{corrupt, failure, find, place};
use crate::store::EndpointStatus;
use crate::{StoreError, StoreErrorKind, Subscription, Timestamp};
use rusqlite::{Connection, Row, params};

pub(super) fn put(connection: &Connection, subscription: &Subscription) -> Result<(), StoreError> {
    let id = subscription.id();
    let execute = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
        let mut statement = connection.prepare_cached(sql)?;
        statement.execute(values)
    };
    let (every, burst) = subscription.rate();
    let filter = subscription.filter_json();
    let put = || -> rusqlite::Result<()> {
        execute(
            "INSERT INTO bothends_subscription (id, owner, active, config) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (id) DO UPDATE SET owner = ?2, active = ?3, config = ?4",
            params![
                id,
                subscription.owner(),
                subscription.is_active(),
                subscription.to_json()
            ],
        )?;
        // A removed route leads to the URL for all kinds, or keeps its URL.
        if let Some(url) = &subscription.url {
            execute(
                "UPDATE bothends_endpoint SET url = ?2 WHERE subscription = ?1 AND removed IS NULL",
                params![id, url.as_str()],
            )?;
        }
        for (route, url) in subscription.routes() {
            execute(
                "INSERT INTO bothends_endpoint (subscription, route, url, active, cap)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (subscription, route) WHERE removed IS NULL DO UPDATE SET url = ?3",
                params![
                    id,
                    route,
                    url.as_str(),
                    subscription.is_active(),
                    subscription.concurrency()
                ],
            )?;
        }
        execute(
            "UPDATE bothends_endpoint SET active = ?2, cap = ?3,
                failures = 0, class = 0, closed_until = 0,
                rate_every = ?4, rate_burst = ?5, rate_free = 0,
                ordered = CASE WHEN ?6 THEN 1 WHEN ordered = 0 THEN 0 ELSE 2 END,
                head = CASE WHEN ?6 THEN head END,
                revision = random()
                WHERE subscription = ?1 AND removed IS NULL",
            params![
                id,
                subscription.is_active(),
                subscription.concurrency(),
                every,
                burst,
                subscription.is_ordered(),
            ],
        )?;
        execute(
            "INSERT INTO bothends_load (endpoint) SELECT id FROM bothends_endpoint
             WHERE subscription = ?1 AND removed IS NULL
             ON CONFLICT (endpoint) DO UPDATE SET pace = NULL",
            params![id],
        )?;
        execute(
            "DELETE FROM bothends_selected WHERE subscription = ?1",
            params![id],
        )?;
        for (kind, route) in subscription.selected() {
            execute(
                "INSERT INTO bothends_selected (owner, kind, every, subscription, endpoint, ordered, filter)
                 SELECT ?2, ?3, ?4, ?1, id, ?6, ?7 FROM bothends_endpoint
                 WHERE subscription = ?1 AND route = ?5 AND removed IS NULL",
                params![
                    id,
                    subscription.owner(),
                    kind.unwrap_or(""),
                    kind.is_none(),
                    route,
                    subscription.is_ordered(),
                    filter,
                ],
            )?;
        }
        Ok(())
    };
    put().map_err(failure)?;
    refresh_all(connection, id, Timestamp::from_millis(0))
}

pub(super) fn set_active(
    connection: &Connection,
    id: &str,
    active: bool,
    now: Timestamp,
) -> Result<(), StoreError> {
    let set = |sql| {
        connection
            .execute(sql, params![id, active])
            .map_err(failure)
    };
    if set("UPDATE bothends_subscription SET active = ?2 WHERE id = ?1")? == 0 {
        return Err(StoreError::new(StoreErrorKind::NotFound));
    }
    set(
        "UPDATE bothends_endpoint SET active = ?2, revision = random()
         WHERE subscription = ?1 AND removed IS NULL",
    )?;
    refresh_all(connection, id, now)
}

pub(super) fn remove(connection: &Connection, id: &str, now: Timestamp) -> Result<(), StoreError> {
    let execute =
        |sql, values: &[&dyn rusqlite::ToSql]| connection.execute(sql, values).map_err(failure);
    if execute("DELETE FROM bothends_subscription WHERE id = ?1", &[&id])? == 0 {
        return Err(StoreError::new(StoreErrorKind::NotFound));
    }
    execute(
        "DELETE FROM bothends_selected WHERE subscription = ?1",
        &[&id],
    )?;
    execute(
        "UPDATE bothends_endpoint SET removed = ?2, active = 0, ready = NULL
         WHERE subscription = ?1 AND removed IS NULL",
        &[&id, &now.as_millis()],
    )
    .map(drop)
}

fn refresh_all(connection: &Connection, id: &str, now: Timestamp) -> Result<(), StoreError> {
    let endpoints = || -> rusqlite::Result<Vec<i64>> {
        let sql = "SELECT id FROM bothends_endpoint
            WHERE subscription = ?1 AND removed IS NULL ORDER BY id";
        let mut statement = connection.prepare_cached(sql)?;
        statement.query_map([id], |row| row.get(0))?.collect()
    };
    for endpoint in endpoints().map_err(failure)? {
        place::refresh_id(connection, endpoint, now)?;
    }
    Ok(())
}

pub(super) fn get(connection: &Connection, id: &str) -> Result<Option<Subscription>, StoreError> {
    columns_of(connection, id)?.map(subscription).transpose()
}

/// Returns the columns of a subscription.
pub(super) fn columns_of(connection: &Connection, id: &str) -> Result<Option<Columns>, StoreError> {
    let sql = "SELECT id, owner, active, config FROM bothends_subscription WHERE id = ?1";
    find(connection, sql, params![id], columns)
}

pub(super) fn list(connection: &Connection, owner: &str) -> Result<Vec<Subscription>, StoreError> {
    let found = || -> rusqlite::Result<Vec<Columns>> {
        let mut statement = connection.prepare_cached(
            "SELECT id, owner, active, config FROM bothends_subscription WHERE owner = ?1 ORDER BY id",
        )?;
        statement.query_map([owner], columns)?.collect()
    };
    found()
        .map_err(failure)?
        .into_iter()
        .map(subscription)
        .collect()
}

pub(super) type Columns = (String, String, bool, String);

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
}

fn subscription((id, owner, active, config): Columns) -> Result<Subscription, StoreError> {
    Subscription::from_json(id, owner, active, &config).map_err(corrupt)
}

pub(super) fn owners(
    connection: &Connection,
    after: Option<&str>,
    limit: u32,
) -> Result<Vec<String>, StoreError> {
    let found = || -> rusqlite::Result<Vec<String>> {
        let mut statement = connection.prepare_cached(
            "SELECT DISTINCT owner FROM bothends_subscription
             WHERE owner >= coalesce(?1, '') AND owner IS NOT ?1 ORDER BY owner LIMIT ?2",
        )?;
        let owners = statement.query_map(params![after, limit], |row| row.get(0))?;
        owners.collect()
    };
    found().map_err(failure)
}

pub(super) fn endpoints(
    connection: &Connection,
    owner: &str,
) -> Result<Vec<EndpointStatus>, StoreError> {
    let found = || -> rusqlite::Result<Vec<EndpointStatus>> {
        let mut statement = connection.prepare_cached(
            "SELECT e.id, e.subscription, e.route, e.url, e.active, l.busy, e.failures,
                e.closed_until, l.pace
             FROM bothends_subscription AS s
             CROSS JOIN bothends_endpoint AS e ON e.subscription = s.id AND e.removed IS NULL
             CROSS JOIN bothends_load AS l ON l.endpoint = e.id
             WHERE s.owner = ?1 ORDER BY s.id, e.route",
        )?;
        let endpoints = statement.query_map([owner], |row| {
            Ok(EndpointStatus::stored(
                (row.get(0)?, row.get(1)?, row.get(2)?),
                &row.get::<_, String>(3)?,
                (row.get(4)?, row.get(5)?, row.get(6)?),
                (row.get(7)?, row.get(8)?),
            ))
        })?;
        endpoints.collect()
    };
    found().map_err(failure)
}
