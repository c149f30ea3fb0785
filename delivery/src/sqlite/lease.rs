//! Claiming, recording, and taking back what was lost.

use super::{corrupt, failure, subscribe};
use crate::delivery::{AttemptEnd, DeadReason};
use crate::store::{
    AttemptLog, CircuitPolicy, ClaimRequest, Claimed, Endpoint, Lease, Outcome, Recorded, Verdict,
};
use crate::{DeliveryId, EndpointId, MessageId, StoreError, Subscription, Timestamp};
use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, ToSql, params};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// How many lost leases are taken back at once, so that no claim takes long.
const REAP: i64 = 1000;

fn execute(connection: &Connection, sql: &str, values: &[&dyn ToSql]) -> Result<usize, StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(failure)?;
    statement.execute(values).map_err(failure)
}

pub(super) fn endpoint(connection: &Connection, id: i64) -> Result<Option<Endpoint>, StoreError> {
    connection
        .prepare_cached(
            "SELECT id, active, cap, busy, failures, closed_until
             FROM bothends_endpoint WHERE id = ?1",
        )
        .and_then(|mut statement| {
            let columns = |row: &rusqlite::Row<'_>| {
                Ok(Endpoint {
                    id: row.get(0)?,
                    active: row.get(1)?,
                    cap: row.get(2)?,
                    busy: row.get(3)?,
                    failures: row.get(4)?,
                    closed_until: row.get(5)?,
                })
            };
            statement.query_row([id], columns).optional()
        })
        .map_err(failure)
}

/// Writes an endpoint down, with the place in the queue that is due to it.
pub(super) fn refresh(
    connection: &Connection,
    endpoint: &Endpoint,
    now: Timestamp,
) -> Result<(), StoreError> {
    let first_due: Option<i64> = connection
        .prepare_cached(
            "SELECT due FROM bothends_delivery WHERE endpoint = ?1 AND state = 0
             ORDER BY due, id LIMIT 1",
        )
        .and_then(|mut statement| {
            statement
                .query_row([endpoint.id], |row| row.get(0))
                .optional()
        })
        .map_err(failure)?;
    let values = params![
        endpoint.id,
        endpoint.busy,
        endpoint.failures,
        endpoint.failures > 0,
        endpoint.closed_until,
        endpoint.ready(first_due, now),
    ];
    let sql = "UPDATE bothends_endpoint
        SET busy = ?2, failures = ?3, suspect = ?4, closed_until = ?5, ready = ?6 WHERE id = ?1";
    execute(connection, sql, values).map(drop)
}

pub(super) fn claim(connection: &Connection, request: ClaimRequest) -> Result<Claimed, StoreError> {
    reap(connection, request)?;
    let mut claiming = Claiming {
        connection,
        request,
        leases: Vec::new(),
        subscriptions: HashMap::new(),
    };
    // Endpoints that failed have few slots, and have them first: else those that always have
    // something to do would leave them none.
    claiming.take_from(true, request.suspects.min(request.limit))?;
    claiming.take_from(false, request.limit)?;
    let next = connection
        .prepare_cached(
            "SELECT min(ready) FROM (
                SELECT min(ready) AS ready FROM bothends_endpoint WHERE suspect = 0 AND ready > ?1
                UNION ALL
                SELECT min(ready) FROM bothends_endpoint WHERE suspect = 1 AND ready > ?1)",
        )
        .and_then(|mut statement| {
            statement.query_row([request.now.as_millis()], |row| {
                row.get::<_, Option<i64>>(0)
            })
        })
        .map_err(failure)?;
    Ok(Claimed {
        leases: claiming.leases,
        next: next.map(Timestamp::from_millis),
    })
}

struct Claiming<'a> {
    connection: &'a Connection,
    request: ClaimRequest,
    leases: Vec<Lease>,
    subscriptions: HashMap<String, Arc<Subscription>>,
}

impl Claiming<'_> {
    fn take_from(&mut self, suspect: bool, limit: usize) -> Result<(), StoreError> {
        let now = self.request.now;
        let ready = || -> rusqlite::Result<Vec<(i64, String, String)>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT id, subscription, url FROM bothends_endpoint
                 WHERE suspect = ?1 AND ready <= ?2 ORDER BY ready, id LIMIT ?3",
            )?;
            let room = limit.saturating_sub(self.leases.len());
            let columns = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            let room = i64::try_from(room).unwrap_or(i64::MAX);
            statement
                .query_map(params![suspect, now.as_millis(), room], columns)?
                .collect()
        };
        for (id, subscription, url) in ready().map_err(failure)? {
            let room = limit.saturating_sub(self.leases.len());
            let Some(mut endpoint) = endpoint(self.connection, id)? else {
                continue;
            };
            let room = i64::try_from(room).unwrap_or(i64::MAX).min(endpoint.room());
            if room > 0 {
                endpoint.busy += self.lease(&endpoint, &subscription, &url, room)?;
                refresh(self.connection, &endpoint, now)?;
            }
        }
        Ok(())
    }

    /// Leases what is due of one endpoint, at most so many; returns how many.
    fn lease(
        &mut self,
        endpoint: &Endpoint,
        subscription: &str,
        url: &str,
        room: i64,
    ) -> Result<i64, StoreError> {
        let subscription = self.subscription(subscription)?;
        let url = Url::parse(url).map_err(corrupt)?;
        let (now, until) = (self.request.now, self.request.now.after(self.request.lease));
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT d.id, d.generation, d.tries, m.id, m.kind, m.body
                 FROM (SELECT id, due, generation, tries, message FROM bothends_delivery
                       WHERE endpoint = ?1 AND state = 0 AND due <= ?2
                       ORDER BY due, id LIMIT ?3) AS d
                 CROSS JOIN bothends_message AS m ON m.key = d.message ORDER BY d.due, d.id",
            )
            .map_err(failure)?;
        let found = statement.query_map(params![endpoint.id, now.as_millis(), room], |row| {
            Ok(Lease {
                delivery: DeliveryId(row.get(0)?),
                generation: row.get::<_, u32>(1)?.saturating_add(1),
                until,
                tries: row.get(2)?,
                endpoint: EndpointId(endpoint.id),
                epoch: endpoint.failures,
                message: MessageId::from(row.get::<_, String>(3)?),
                kind: row.get(4)?,
                body: Bytes::from(row.get::<_, Vec<u8>>(5)?),
                url: url.clone(),
                subscription: Arc::clone(&subscription),
            })
        });
        let found: rusqlite::Result<Vec<Lease>> = found.map_err(failure)?.collect();
        let found = found.map_err(failure)?;
        for lease in &found {
            execute(
                self.connection,
                "UPDATE bothends_delivery SET state = 1, generation = ?2, due = ?3, since = ?4
                 WHERE id = ?1",
                params![
                    lease.delivery.0,
                    lease.generation,
                    until.as_millis(),
                    now.as_millis()
                ],
            )?;
        }
        let taken = found.len();
        self.leases.extend(found);
        Ok(i64::try_from(taken).unwrap_or(i64::MAX))
    }

    fn subscription(&mut self, id: &str) -> Result<Arc<Subscription>, StoreError> {
        if let Some(known) = self.subscriptions.get(id) {
            return Ok(Arc::clone(known));
        }
        let found = subscribe::get(self.connection, id)?;
        let found = Arc::new(found.ok_or_else(|| corrupt("an endpoint of no subscription"))?);
        self.subscriptions.insert(id.to_owned(), Arc::clone(&found));
        Ok(found)
    }
}

/// A lease that nobody recorded: delivery, endpoint, generation, losses before, begun when.
type Lost = (i64, i64, u32, u32, i64);

/// Takes back leases that nobody recorded in time.
fn reap(connection: &Connection, request: ClaimRequest) -> Result<(), StoreError> {
    let now = request.now;
    let lost = || -> rusqlite::Result<Vec<Lost>> {
        let mut statement = connection.prepare_cached(
            "SELECT id, endpoint, generation, lost, since FROM bothends_delivery
             WHERE state = 1 AND due <= ?1 ORDER BY due, id LIMIT ?2",
        )?;
        let columns = |row: &rusqlite::Row<'_>| {
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
            ))
        };
        statement
            .query_map(params![now.as_millis(), REAP], columns)?
            .collect()
    };
    let mut endpoints = Endpoints::default();
    for (id, endpoint, generation, lost, since) in lost().map_err(failure)? {
        let lost = lost.saturating_add(1);
        let poisonous = lost >= request.lost;
        execute(
            connection,
            "UPDATE bothends_delivery SET state = ?2, due = ?3, since = ?3, lost = ?4, reason = ?5
             WHERE id = ?1",
            params![
                id,
                if poisonous { 3 } else { 0 },
                now.as_millis(),
                lost,
                poisonous.then_some(DeadReason::Poisonous.as_str()),
            ],
        )?;
        let attempt = AttemptLog {
            started: Timestamp::from_millis(since),
            ended: now,
            end: AttemptEnd::Lost,
            status: None,
            detail: String::new(),
        };
        log(connection, id, generation, &attempt)?;
        if let Some(endpoint) = endpoints.of(connection, endpoint)? {
            endpoint.busy -= 1;
        }
    }
    endpoints.refresh(connection, now)
}

/// Endpoints that something happened to, each read and written once.
#[derive(Default)]
struct Endpoints(BTreeMap<i64, Endpoint>);

impl Endpoints {
    fn of(
        &mut self,
        connection: &Connection,
        id: i64,
    ) -> Result<Option<&mut Endpoint>, StoreError> {
        if let std::collections::btree_map::Entry::Vacant(vacant) = self.0.entry(id)
            && let Some(found) = endpoint(connection, id)?
        {
            vacant.insert(found);
        }
        Ok(self.0.get_mut(&id))
    }

    fn refresh(&self, connection: &Connection, now: Timestamp) -> Result<(), StoreError> {
        self.0
            .values()
            .try_for_each(|endpoint| refresh(connection, endpoint, now))
    }
}

fn log(
    connection: &Connection,
    delivery: i64,
    n: u32,
    attempt: &AttemptLog,
) -> Result<(), StoreError> {
    execute(
        connection,
        "INSERT INTO bothends_attempt (delivery, n, started, ended, outcome, status, detail)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            delivery,
            n,
            attempt.started.as_millis(),
            attempt.ended.as_millis(),
            attempt.end.as_str(),
            attempt.status,
            attempt.detail,
        ],
    )
    .map(drop)
}

pub(super) fn record(
    connection: &Connection,
    outcomes: &[Outcome],
    now: Timestamp,
    circuit: CircuitPolicy,
) -> Result<Vec<Recorded>, StoreError> {
    let mut endpoints = Endpoints::default();
    let mut recorded = Vec::with_capacity(outcomes.len());
    for outcome in outcomes {
        let Some(endpoint) = settle(connection, outcome, now)? else {
            recorded.push(Recorded::Fenced);
            continue;
        };
        if let Some(attempt) = &outcome.attempt {
            log(connection, outcome.delivery.0, outcome.generation, attempt)?;
        }
        if let Some(endpoint) = endpoints.of(connection, endpoint)? {
            endpoint.notice(outcome.health, outcome.epoch, now, circuit);
        }
        recorded.push(Recorded::Applied);
    }
    endpoints.refresh(connection, now)?;
    Ok(recorded)
}

/// Ends a lease, if it still is one; returns the endpoint.
fn settle(
    connection: &Connection,
    outcome: &Outcome,
    now: Timestamp,
) -> Result<Option<i64>, StoreError> {
    let (state, due, reason) = match outcome.verdict {
        Verdict::Delivered => (2, now, None),
        Verdict::Dead(reason) => (3, now, Some(reason.as_str())),
        Verdict::Retry { due } | Verdict::Release { due } => (0, due, None),
    };
    let counts = !matches!(outcome.verdict, Verdict::Release { .. });
    connection
        .prepare_cached(
            "UPDATE bothends_delivery SET state = ?3, due = ?4, since = ?5, reason = ?6,
                tries = tries + ?7, lost = CASE WHEN ?7 THEN 0 ELSE lost END
             WHERE id = ?1 AND generation = ?2 AND state = 1 RETURNING endpoint",
        )
        .and_then(|mut statement| {
            let values = params![
                outcome.delivery.0,
                outcome.generation,
                state,
                due.as_millis(),
                now.as_millis(),
                reason,
                i64::from(counts),
            ];
            statement.query_row(values, |row| row.get(0)).optional()
        })
        .map_err(failure)
}

pub(super) fn mend(
    connection: &Connection,
    now: Timestamp,
    slack: Duration,
) -> Result<u64, StoreError> {
    let moved = || -> rusqlite::Result<Vec<i64>> {
        // The lease of a worker whose clock ran ahead ends as much too late.
        let mut statement = connection.prepare_cached(
            "UPDATE bothends_delivery SET due = due - (since - ?1), since = ?1
             WHERE state IN (0, 1) AND due > ?2 AND since > ?2 RETURNING endpoint",
        )?;
        let limit = now.after(slack).as_millis();
        statement
            .query_map(params![now.as_millis(), limit], |row| row.get(0))?
            .collect()
    };
    let moved = moved().map_err(failure)?;
    let mut endpoints = Endpoints::default();
    for id in &moved {
        endpoints.of(connection, *id)?;
    }
    endpoints.refresh(connection, now)?;
    Ok(moved.len() as u64)
}
