//! Recovery of lost leases, and recording of outcomes.

use super::cache::Cache;
use super::ended::Ended;
use super::{events, execute, failure, upkeep};
use crate::delivery::{AttemptEnd, DeadReason};
use crate::store::{
    AttemptLog, CircuitPolicy, ClaimRequest, Decision, Incidents, Outcome, Recorded,
};
use crate::{DeliveryId, StoreError, Timestamp};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, params};

/// The maximum number of lost leases that one claim recovers, to bound its duration.
const AT_ONCE: i64 = 1000;

/// A lease that expired without an outcome.
struct Lost {
    id: i64,
    endpoint: i64,
    generation: u32,
    /// The number of leases lost in a row, including this lease.
    lost: u32,
    isolated: u32,
    since: i64,
}

impl Lost {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            endpoint: row.get(1)?,
            generation: row.get(2)?,
            lost: row.get::<_, u32>(3)?.saturating_add(1),
            isolated: row.get(4)?,
            since: row.get(5)?,
        })
    }
}

/// Recovers leases that expired without an outcome.
pub(super) fn reap(
    connection: &Connection,
    request: &ClaimRequest,
    now: Timestamp,
    cache: &Cache,
) -> Result<(), StoreError> {
    let lost = || -> rusqlite::Result<Vec<Lost>> {
        let mut statement = connection.prepare_cached(
            "SELECT id, endpoint, generation, lost, isolated, since FROM bothends_delivery
             WHERE state = 1 AND due <= ?1 ORDER BY due, id LIMIT ?2",
        )?;
        statement
            .query_map(params![now.as_millis(), AT_ONCE], Lost::read)?
            .collect()
    };
    let lost = lost().map_err(failure)?;
    if lost.is_empty() {
        return Ok(());
    }
    let mut endpoints = Ended::new(connection, cache)?;
    let mut log = Log::new(connection)?;
    let mut incidents = Incidents::default();
    for lost in lost {
        let poisonous = lost.isolated >= request.lost;
        execute(
            connection,
            "UPDATE bothends_delivery SET state = ?2, due = ?3, since = ?3, lost = ?4, reason = ?5
             WHERE id = ?1",
            params![
                lost.id,
                if poisonous { 3 } else { -1 },
                now.as_millis(),
                lost.lost,
                poisonous.then_some(DeadReason::Poisonous.as_str()),
            ],
        )?;
        if poisonous {
            incidents.failed.push(lost.id);
        }
        let attempt = AttemptLog {
            started: Timestamp::from_millis(lost.since),
            responded: None,
            ended: now,
            end: AttemptEnd::Lost,
            status: None,
            detail: String::new(),
        };
        log.add(lost.id, lost.generation, &attempt)?;
        if let Some(endpoint) = endpoints.find(lost.endpoint, false)? {
            endpoint.end(DeliveryId(lost.id), true);
        }
    }
    upkeep::close(connection, incidents.failed.len())?;
    endpoints.store(now)?;
    incidents.failed.sort_unstable();
    events::report(connection, incidents, now)
}

/// The log of attempts.
struct Log<'a>(CachedStatement<'a>);

impl<'a> Log<'a> {
    fn new(connection: &'a Connection) -> Result<Self, StoreError> {
        let sql =
            "INSERT INTO bothends_attempt (delivery, n, started, ended, outcome, status, detail,
                responded)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        connection.prepare_cached(sql).map_err(failure).map(Self)
    }

    fn add(&mut self, delivery: i64, n: u32, attempt: &AttemptLog) -> Result<(), StoreError> {
        let values = params![
            delivery,
            n,
            attempt.started.as_millis(),
            attempt.ended.as_millis(),
            attempt.end.as_str(),
            attempt.status,
            attempt.detail,
            attempt.responded.map(Timestamp::as_millis),
        ];
        self.0.execute(values).map(drop).map_err(failure)
    }
}

pub(super) fn record(
    connection: &Connection,
    outcomes: &[Outcome],
    now: Timestamp,
    circuit: CircuitPolicy,
    cache: &Cache,
) -> Result<Vec<Recorded>, StoreError> {
    let mut endpoints = Ended::new(connection, cache)?;
    let mut log = Log::new(connection)?;
    let mut leases = Leases::new(connection)?;
    let mut recorded = Vec::with_capacity(outcomes.len());
    let mut closed = 0;
    let mut incidents = Incidents::default();
    for outcome in outcomes {
        let Some(endpoint) = leases.end(outcome, now)? else {
            recorded.push(Recorded::Fenced);
            continue;
        };
        if let Some(attempt) = &outcome.attempt {
            log.add(outcome.delivery.0, outcome.generation, attempt)?;
        }
        let is_final = outcome.is_final();
        closed += usize::from(is_final);
        let endpoint = endpoints.find(endpoint, !is_final)?;
        let round = endpoint.and_then(|endpoint| endpoint.notice(outcome, now, circuit));
        incidents.add(outcome, round);
        recorded.push(Recorded::Applied);
    }
    upkeep::close(connection, closed)?;
    endpoints.store(now)?;
    events::report(connection, incidents, now)?;
    Ok(recorded)
}

/// The statements that end leases.
struct Leases<'a> {
    find: CachedStatement<'a>,
    end: CachedStatement<'a>,
}

impl<'a> Leases<'a> {
    fn new(connection: &'a Connection) -> Result<Self, StoreError> {
        // `RETURNING` would collect the rows in a table of its own, which takes longer than a statement.
        let find = "SELECT endpoint FROM bothends_delivery WHERE id = ?1 AND generation = ?2 AND state = 1";
        let end = "UPDATE bothends_delivery SET
                state = CASE WHEN ?6 OR lost = 0 THEN ?2 ELSE -1 END,
                due = ?3, since = ?4, reason = ?5, tries = tries + ?6,
                lost = CASE WHEN ?6 THEN 0 ELSE lost END,
                isolated = CASE WHEN ?6 THEN 0 ELSE max(isolated - 1, 0) END
            WHERE id = ?1";
        Ok(Self {
            find: connection.prepare_cached(find).map_err(failure)?,
            end: connection.prepare_cached(end).map_err(failure)?,
        })
    }

    /// Ends a lease if it is still valid, and returns its endpoint. A released delivery remains as
    /// suspect as before.
    fn end(&mut self, outcome: &Outcome, now: Timestamp) -> Result<Option<i64>, StoreError> {
        let lease = params![outcome.delivery.0, outcome.generation];
        let endpoint = self.find.query_row(lease, |row| row.get(0));
        let Some(endpoint) = endpoint.optional().map_err(failure)? else {
            return Ok(None);
        };
        let (state, pause, reason) = outcome.settled();
        let counts = !matches!(outcome.verdict, Decision::Release { .. });
        let values = params![
            outcome.delivery.0,
            state,
            now.after(pause).as_millis(),
            now.as_millis(),
            reason,
            i64::from(counts),
        ];
        self.end.execute(values).map_err(failure)?;
        Ok(Some(endpoint))
    }
}
