//! Claims.

use super::cache::{Cache, Reading};
use super::place::{Pending, Stored, Storing};
use super::target::Target;
use super::{execute, failure, read, reap};
use crate::store::{ClaimRequest, Claimed, ISOLATED, Isolation, Lease, class, group_size};
use crate::{DeliveryId, EndpointId, StoreError, Timestamp};
use rusqlite::{CachedStatement, Connection, Row, Rows, params};
use std::sync::Arc;

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
        let sql = "UPDATE bothends_endpoint SET class = ?2 WHERE id = ?1 AND class = ?3
            AND (SELECT busy FROM bothends_load WHERE endpoint = ?1) > 0";
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
    served: Vec<(Stored, Pending)>,
}

/// Selects deliveries with their messages, in the order of `Claiming::lease`.
macro_rules! deliveries {
    ($($which:literal),*) => {
        concat!(
            "SELECT d.id, d.generation, d.tries, d.lost,
        m.owner, m.id, m.kind, m.method, m.headers, m.body, m.trace,
        CASE WHEN d.replay_of IS NULL THEN m.created END",
            $($which),*
        )
    };
}

/// Selects the pending deliveries of the endpoints in the queue of a class, or one row for an endpoint without any. The due
/// time is null if there is nothing to send.
macro_rules! ready {
    ($which:literal) => {
        deliveries!(
            ", iif(m.key IS NULL, NULL, d.due), e.id, e.ready
     FROM bothends_endpoint AS e
     LEFT JOIN bothends_delivery AS d ON d.endpoint = e.id AND d.state = 0
     LEFT JOIN bothends_message AS m ON m.key = d.message
     WHERE e.class = ?1 AND ",
            $which,
            " ORDER BY e.ready, e.id, d.due, d.id"
        )
    };
}

/// The endpoints whose position is between two.
const BETWEEN: &str = ready!("e.ready > ?2 AND e.ready <= ?3");
/// The endpoints at a position, after one of them.
const AT: &str = ready!("e.ready = ?2 AND e.id > ?3");

const ONE: &str = deliveries!(
    " FROM bothends_delivery AS d JOIN bothends_message AS m ON m.key = d.message WHERE d.id = ?1"
);

/// Leases a delivery.
const TAKE: &str =
    "UPDATE bothends_delivery SET state = 1, generation = ?2, due = ?3, since = ?4 WHERE id = ?1";

/// An endpoint of which deliveries are leased.
struct Served {
    stored: Stored,
    target: Arc<Target>,
    /// How many more may be leased.
    left: i64,
    leased: i64,
    /// When the first delivery that is still pending is due.
    first: Option<i64>,
}

impl Served {
    /// Counts the leases, and returns the endpoint and what is known of its pending deliveries.
    fn end(mut self, now: Timestamp, is_full: bool) -> (Stored, Pending) {
        self.stored.endpoint.start(self.leased, now);
        let pending = match self.first {
            None if self.leased > 0 && !is_full => Pending::AllLeased,
            first => Pending::First(first),
        };
        (self.stored, pending)
    }
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
                let mut served = self.begin(stored, 1)?;
                let mut rows = select.query([delivery]).map_err(failure)?;
                if let Some(row) = rows.next().map_err(failure)? {
                    self.lease(row, &mut served)?;
                }
                let (stored, _) = served.end(self.now, true);
                let known = storing.refresh(&stored, Pending::Unchanged, self.now)?;
                self.cache.put(known);
            }
        }
        self.take_from(0)?;
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
        let before = self.leases.len();
        let mut served = Vec::new();
        let [mut between, mut at] = [
            self.connection.prepare_cached(BETWEEN).map_err(failure)?,
            self.connection.prepare_cached(AT).map_err(failure)?,
        ];
        let mut reading = Reading::new(self.connection, self.cache)?;
        // The last position, and the endpoint after which there may be more at this position.
        let mut last = (i64::MIN, None);
        while self.leases.len() < limit {
            let rows = match last {
                (ready, Some(id)) => at.query(params![class, ready, id]),
                (ready, None) => between.query(params![class, ready, self.now.as_millis()]),
            };
            let rows = rows.map_err(failure)?;
            last = match (
                self.lease_ready(rows, limit, &mut reading, &mut served)?,
                last,
            ) {
                (Some((ready, id)), _) => (ready, Some(id)),
                (None, (ready, Some(_))) => (ready, None),
                (None, (_, None)) => break,
            };
        }
        self.take_from(before)?;
        let is_full = self.leases.len() >= limit;
        let served = served.into_iter();
        self.served
            .extend(served.map(|served| served.end(self.now, is_full)));
        Ok(())
    }

    /// Leases deliveries of these rows. Returns the position in the queue after which there may be more: the rows of an
    /// endpoint of which nothing can be leased any more are not read to their end.
    fn lease_ready(
        &mut self,
        mut rows: Rows<'_>,
        limit: usize,
        reading: &mut Reading<'_>,
        served: &mut Vec<Served>,
    ) -> Result<Option<(i64, i64)>, StoreError> {
        // The last endpoint, and whether its further rows are of use.
        let mut last = None;
        while let Some(row) = rows.next().map_err(failure)? {
            let columns = || -> rusqlite::Result<(i64, i64, Option<i64>)> {
                Ok((row.get(14)?, row.get(13)?, row.get(12)?))
            };
            let (ready, id, due) = columns().map_err(failure)?;
            if last == Some((id, false)) {
                return Ok(Some((ready, id)));
            }
            if last.is_none_or(|(last, _)| last != id) {
                let left = limit.saturating_sub(self.leases.len());
                if left == 0 {
                    return Ok(None);
                }
                let begun = self.serve(reading, (ready, id), left)?;
                last = Some((id, begun.is_some()));
                served.extend(begun);
            }
            if let (Some((_, true)), Some(served), Some(due)) = (last, served.last_mut(), due) {
                if due > self.now.as_millis() || served.left == 0 {
                    served.first = Some(due);
                    last = Some((id, false));
                } else {
                    self.lease(row, served)?;
                }
            }
        }
        Ok(None)
    }

    /// Stores the endpoints of all classes. A claim that has leased nothing removes none from the queue: it only looks.
    fn store_served(&self) -> Result<(), StoreError> {
        let mut storing = Storing::new(self.connection)?;
        for (stored, pending) in &self.served {
            if !self.leases.is_empty() || matches!(pending, Pending::First(Some(_))) {
                let known = storing.refresh(stored, *pending, self.now)?;
                self.cache.put(known);
            }
        }
        Ok(())
    }

    /// Returns the endpoint at this position of the queue, if any deliveries of it can be leased: at most `left`.
    fn serve(
        &self,
        reading: &mut Reading<'_>,
        (ready, id): (i64, i64),
        left: usize,
    ) -> Result<Option<Served>, StoreError> {
        let Some(known) = reading.known(id)? else {
            return Ok(None);
        };
        let probes = self.request.probe_limit;
        let free = known.endpoint.free_slots_for(probes, self.now);
        let left = i64::try_from(left).unwrap_or(i64::MAX).min(free);
        let served = (left > 0).then(|| self.begin(Stored::new(known, Some(ready)), left));
        served.transpose()
    }

    /// Returns an endpoint of which at most `left` deliveries are leased.
    fn begin(&self, stored: Stored, left: i64) -> Result<Served, StoreError> {
        let (targets, id) = (&self.cache.targets, stored.endpoint.id);
        Ok(Served {
            target: targets.find(self.connection, id, stored.revision)?,
            stored,
            left,
            leased: 0,
            first: None,
        })
    }

    /// Adds the lease of a delivery, as `deliveries!` selects it.
    fn lease(&mut self, row: &Row<'_>, served: &mut Served) -> Result<(), StoreError> {
        let endpoint = &served.stored.endpoint;
        let message = Arc::new(read::message_at(row, 4).map_err(failure)??);
        let lease = || -> rusqlite::Result<Lease> {
            Ok(Lease {
                delivery: DeliveryId(row.get(0)?),
                generation: row.get::<_, u32>(1)?.saturating_add(1),
                since: self.now,
                until: self.now.after(self.request.lease),
                tries: row.get(2)?,
                lost: row.get(3)?,
                enqueued: row.get::<_, Option<i64>>(11)?.map(Timestamp::from_millis),
                endpoint: EndpointId(endpoint.id),
                epoch: endpoint.failures,
                slow: endpoint.class == class::SLOW,
                message,
                url: served.target.url.clone(),
                subscription: Arc::clone(&served.target.subscription),
            })
        };
        let lease = lease().map_err(failure)?;
        self.leases.push(lease);
        served.left -= 1;
        served.leased += 1;
        Ok(())
    }

    /// Stores the leases from this one on.
    fn take_from(&mut self, first: usize) -> Result<(), StoreError> {
        for lease in self.leases.iter().skip(first) {
            let values = params![
                lease.delivery.0,
                lease.generation,
                lease.until.as_millis(),
                lease.since.as_millis()
            ];
            self.take.execute(values).map_err(failure)?;
        }
        Ok(())
    }
}
