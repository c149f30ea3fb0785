//! Claims.

use super::cache::{Cache, Reading};
use super::place::{Pending, Stored, Storing};
use super::{execute, failure, read, reap};
use crate::store::{ClaimRequest, Claimed, ISOLATED, Isolation, Lease, class, group_size};
use crate::{DeliveryId, EndpointId, StoreError, Timestamp};
use rusqlite::{CachedStatement, Connection, Row, params};
use std::sync::Arc;

/// How many endpoints are read from the queue at once, or as many as deliveries can be leased.
const PAGE: usize = 64;
/// The maximum number of suspect deliveries that one claim examines.
const SUSPECTS_AT_ONCE: i64 = 4096;

pub(super) fn claim(
    connection: &Connection,
    request: &ClaimRequest,
    now: Timestamp,
    cache: &Cache,
) -> Result<Claimed, StoreError> {
    reap::reap(connection, request, now, cache)?;
    for hanging in &request.unresponsive {
        // An endpoint without requests in progress has responded since it was reported as hanging.
        let sql =
            "UPDATE bothends_endpoint SET class = ?2 WHERE id = ?1 AND class = ?3 AND busy > 0";
        execute(
            connection,
            sql,
            params![hanging.0, class::SLOW, class::FAST],
        )?;
        cache.remove(hanging.0);
    }
    let mut claiming = Claiming {
        connection,
        take: connection.prepare_cached(TAKE).map_err(failure)?,
        request,
        now,
        cache,
        leases: Vec::new(),
        served: Vec::new(),
    };
    let isolation = claiming.lease_suspects()?;
    if isolation == Isolation::None {
        // Failing and slow endpoints have few slots and are served first. Otherwise, endpoints that
        // are always busy would leave no slots.
        claiming.lease_class(class::SUSPECT, request.suspect_limit.min(request.limit))?;
        let slow = claiming.leases.len().saturating_add(request.slow_limit);
        claiming.lease_class(class::SLOW, slow.min(request.limit))?;
        claiming.lease_class(class::FAST, request.limit)?;
        claiming.store_served()?;
    }
    let next = connection
        .prepare_cached(
            "SELECT min(ready) FROM (
                SELECT min(ready) AS ready FROM bothends_endpoint WHERE class = 0 AND ready > ?1
                UNION ALL
                SELECT min(ready) FROM bothends_endpoint WHERE class = 1 AND ready > ?1
                UNION ALL
                SELECT min(ready) FROM bothends_endpoint WHERE class = 2 AND ready > ?1
                UNION ALL
                SELECT min(due) FROM bothends_delivery WHERE state = -1 AND due > ?1)",
        )
        .and_then(|mut statement| {
            statement.query_row([now.as_millis()], |row| row.get::<_, Option<i64>>(0))
        })
        .map_err(failure)?;
    Ok(Claimed {
        now,
        isolation,
        leases: claiming.leases,
        next: next.map(Timestamp::from_millis),
    })
}

struct Claiming<'a> {
    connection: &'a Connection,
    take: CachedStatement<'a>,
    request: &'a ClaimRequest,
    now: Timestamp,
    cache: &'a Cache,
    leases: Vec<Lease>,
    served: Vec<(Served, Pending)>,
}

/// Selects pending deliveries of an endpoint: those that are leased, and the first of the others.
const PENDING: &str = "SELECT d.id, d.generation, d.tries, d.lost,
        m.owner, m.id, m.kind, m.method, m.headers, m.body, m.trace,
        CASE WHEN d.replay_of IS NULL THEN m.created END, d.due
     FROM bothends_delivery AS d CROSS JOIN bothends_message AS m ON m.key = d.message
     WHERE d.endpoint = ?1 AND d.state = 0 ORDER BY d.due, d.id LIMIT ?2 + 1";

const ONE: &str = "SELECT d.id, d.generation, d.tries, d.lost,
        m.owner, m.id, m.kind, m.method, m.headers, m.body, m.trace,
        CASE WHEN d.replay_of IS NULL THEN m.created END, d.due
     FROM bothends_delivery AS d JOIN bothends_message AS m ON m.key = d.message
     WHERE d.id = ?1 LIMIT ?2";

/// Leases a delivery.
const TAKE: &str =
    "UPDATE bothends_delivery SET state = 1, generation = ?2, due = ?3, since = ?4 WHERE id = ?1";

/// What a lease of an endpoint has led to.
struct Served {
    stored: Stored,
    leased: i64,
    /// When the first delivery that is still pending is due.
    first: Option<i64>,
}

impl Claiming<'_> {
    /// Leases suspect deliveries, which have lost leases: after the first loss together with
    /// others, after further losses in isolation.
    fn lease_suspects(&mut self) -> Result<Isolation, StoreError> {
        let waiting = self.suspects().map_err(failure)?;
        if waiting.is_empty() {
            return Ok(Isolation::None);
        }
        let stage = waiting
            .iter()
            .map(|(.., lost)| *lost)
            .find(|lost| *lost >= ISOLATED);
        if stage.is_some() && !self.request.idle {
            return Ok(Isolation::Wait);
        }
        let lost = stage.unwrap_or(1);
        let mut limit = group_size(self.request.slots, lost).min(self.request.limit);
        if stage.is_none() {
            limit = limit.min(self.request.suspect_limit);
        }
        let mut select = self.connection.prepare_cached(ONE).map_err(failure)?;
        let mut reading = Reading::new(self.connection, self.cache)?;
        let mut storing = Storing::new(self.connection)?;
        for (delivery, id, ..) in waiting.iter().filter(|(.., found)| *found == lost) {
            if self.leases.len() >= limit {
                break;
            }
            let Some(stored) = reading.stored(*id)? else {
                continue;
            };
            if stored.endpoint.free_slots_at(self.now) > 0 {
                let served = self.lease(stored, &mut select, *delivery, 1)?;
                let known = storing.refresh(&served.stored, Pending::Unchanged, self.now)?;
                self.cache.put(known);
            }
        }
        if stage.is_none() || self.leases.is_empty() {
            return Ok(Isolation::None);
        }
        if let [alone] = self.leases.as_slice() {
            let sql = "UPDATE bothends_delivery SET isolated = isolated + 1 WHERE id = ?1";
            execute(self.connection, sql, params![alone.delivery.0])?;
        }
        Ok(Isolation::Exclusive)
    }

    /// Returns the suspect deliveries that can be sent, with their endpoint and losses in a row.
    fn suspects(&self) -> rusqlite::Result<Vec<(i64, i64, u32)>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT d.id, d.endpoint, d.lost FROM bothends_delivery AS d
             CROSS JOIN bothends_endpoint AS e ON e.id = d.endpoint
             WHERE d.state = -1 AND d.due <= ?1 AND e.active AND e.closed_until <= ?1
                AND e.rate_free <= ?1 * 1000
             ORDER BY d.due, d.id LIMIT ?2",
        )?;
        let columns = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        statement
            .query_map(params![self.now.as_millis(), SUSPECTS_AT_ONCE], columns)?
            .collect()
    }

    /// Leases deliveries of endpoints in this class, until the claim has `limit` leases.
    fn lease_class(&mut self, class: i64, limit: usize) -> Result<(), StoreError> {
        let mut served = Vec::new();
        let mut after = (i64::MIN, i64::MIN);
        let mut select = self.connection.prepare_cached(PENDING).map_err(failure)?;
        let mut reading = Reading::new(self.connection, self.cache)?;
        while self.leases.len() < limit {
            let size = (limit - self.leases.len()).max(PAGE);
            let page = self.ready(class, after, size).map_err(failure)?;
            let is_last = page.len() < size;
            for (ready, id) in page {
                after = (ready, id);
                let left = limit.saturating_sub(self.leases.len());
                if left == 0 {
                    break;
                }
                let Some(known) = reading.known(id)? else {
                    continue;
                };
                let (stored, endpoint) = (Stored::new(known, Some(ready)), known.endpoint);
                let left = i64::try_from(left).unwrap_or(i64::MAX);
                let free = left.min(endpoint.free_slots_for(self.request.probe_limit, self.now));
                if free > 0 {
                    served.push(self.lease(stored, &mut select, endpoint.id, free)?);
                }
            }
            // Endpoints that can be sent no request, or have no pending deliveries, may have filled the page.
            if is_last {
                break;
            }
        }
        let is_full = self.leases.len() >= limit;
        self.served.extend(served.into_iter().map(|served| {
            let pending = match served.first {
                None if served.leased > 0 && !is_full => Pending::AllLeased,
                first => Pending::First(first),
            };
            (served, pending)
        }));
        Ok(())
    }

    /// Stores the endpoints of all classes. A claim that has leased nothing removes none from the queue: it only looks.
    fn store_served(&self) -> Result<(), StoreError> {
        let mut storing = Storing::new(self.connection)?;
        for (served, pending) in &self.served {
            if !self.leases.is_empty() || served.first.is_some() {
                let known = storing.refresh(&served.stored, *pending, self.now)?;
                self.cache.put(known);
            }
        }
        Ok(())
    }

    /// Returns the positions and ids of the next endpoints of a class, in the order of the queue.
    fn ready(
        &self,
        class: i64,
        after: (i64, i64),
        limit: usize,
    ) -> rusqlite::Result<Vec<(i64, i64)>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT ready, id FROM bothends_endpoint
             WHERE class = ?1 AND ready <= ?2 AND (ready, id) > (?4, ?5) ORDER BY ready, id LIMIT ?3",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let values = params![class, self.now.as_millis(), limit, after.0, after.1];
        let columns = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        statement.query_map(values, columns)?.collect()
    }

    /// Leases at most `free` of the selected deliveries of one endpoint.
    fn lease(
        &mut self,
        mut stored: Stored,
        select: &mut CachedStatement<'_>,
        which: i64,
        free: i64,
    ) -> Result<Served, StoreError> {
        let (found, first) = self.due(&stored, select, which, free)?;
        for lease in &found {
            let values = params![
                lease.delivery.0,
                lease.generation,
                lease.until.as_millis(),
                lease.since.as_millis()
            ];
            self.take.execute(values).map_err(failure)?;
        }
        let leased = i64::try_from(found.len()).unwrap_or(i64::MAX);
        stored.endpoint.start(leased, self.now);
        self.leases.extend(found);
        Ok(Served {
            stored,
            leased,
            first,
        })
    }

    /// Returns leases of at most `free` of the selected deliveries, and when the first of the others is due.
    fn due(
        &self,
        stored: &Stored,
        select: &mut CachedStatement<'_>,
        which: i64,
        free: i64,
    ) -> Result<(Vec<Lease>, Option<i64>), StoreError> {
        let endpoint = &stored.endpoint;
        let target = self
            .cache
            .targets
            .find(self.connection, endpoint.id, stored.revision)?;
        let (since, until) = (self.now, self.now.after(self.request.lease));
        let lease = |row: &Row<'_>, message| -> rusqlite::Result<Lease> {
            Ok(Lease {
                delivery: DeliveryId(row.get(0)?),
                generation: row.get::<_, u32>(1)?.saturating_add(1),
                since,
                until,
                tries: row.get(2)?,
                lost: row.get(3)?,
                enqueued: row.get::<_, Option<i64>>(11)?.map(Timestamp::from_millis),
                endpoint: EndpointId(endpoint.id),
                epoch: endpoint.failures,
                slow: endpoint.class == class::SLOW,
                message: Arc::new(message),
                url: target.url.clone(),
                subscription: Arc::clone(&target.subscription),
            })
        };
        let mut found = Vec::new();
        let mut rows = select.query(params![which, free]).map_err(failure)?;
        let mut left = free;
        while let Some(row) = rows.next().map_err(failure)? {
            let due: i64 = row.get(12).map_err(failure)?;
            if due > since.as_millis() || left == 0 {
                return Ok((found, Some(due)));
            }
            left -= 1;
            let message = read::message_at(row, 4).map_err(failure)??;
            found.push(lease(row, message).map_err(failure)?);
        }
        Ok((found, None))
    }
}
