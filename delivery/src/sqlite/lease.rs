//! Claims.

use super::place::{Place, places, refresh};
use super::{corrupt, execute, failure, read, reap, subscribe};
use crate::store::{ClaimRequest, Claimed, ISOLATED, Isolation, Lease, Parsed, class, group_size};
use crate::{DeliveryId, EndpointId, StoreError, Subscription, Timestamp};
use rusqlite::{Connection, Row, params};
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of suspect deliveries that one claim examines.
const SUSPECTS_AT_ONCE: i64 = 4096;

pub(super) fn claim(
    connection: &Connection,
    request: &ClaimRequest,
    now: Timestamp,
    parsed: &Parsed,
) -> Result<Claimed, StoreError> {
    reap::reap(connection, request, now)?;
    for hanging in &request.unresponsive {
        // An endpoint without requests in progress has responded since it was reported as hanging.
        let sql =
            "UPDATE bothends_endpoint SET class = ?2 WHERE id = ?1 AND class = ?3 AND busy > 0";
        execute(
            connection,
            sql,
            params![hanging.0, class::SLOW, class::FAST],
        )?;
    }
    let mut claiming = Claiming {
        connection,
        request,
        now,
        parsed,
        leases: Vec::new(),
        subscriptions: HashMap::new(),
    };
    let isolation = claiming.lease_suspects()?;
    if isolation == Isolation::None {
        // Failing and slow endpoints have few slots and are served first. Otherwise, endpoints that
        // are always busy would leave no slots.
        claiming.lease_class(class::SUSPECT, request.suspect_limit.min(request.limit))?;
        let slow = claiming.leases.len().saturating_add(request.slow_limit);
        claiming.lease_class(class::SLOW, slow.min(request.limit))?;
        claiming.lease_class(class::FAST, request.limit)?;
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
    request: &'a ClaimRequest,
    now: Timestamp,
    parsed: &'a Parsed,
    leases: Vec<Lease>,
    subscriptions: HashMap<String, Arc<Subscription>>,
}

const DUE: &str = "SELECT d.id, d.generation, d.tries, d.lost,
        m.owner, m.id, m.kind, m.method, m.headers, m.body, m.trace,
        CASE WHEN d.replay_of IS NULL THEN m.created END
     FROM (SELECT id, due, generation, tries, lost, message, replay_of FROM bothends_delivery
           WHERE endpoint = ?1 AND state = 0 AND due <= ?2
           ORDER BY due, id LIMIT ?3) AS d
     CROSS JOIN bothends_message AS m ON m.key = d.message ORDER BY d.due, d.id";

const ONE: &str = "SELECT d.id, d.generation, d.tries, d.lost,
        m.owner, m.id, m.kind, m.method, m.headers, m.body, m.trace,
        CASE WHEN d.replay_of IS NULL THEN m.created END
     FROM bothends_delivery AS d JOIN bothends_message AS m ON m.key = d.message WHERE d.id = ?1";

impl Claiming<'_> {
    /// Leases suspect deliveries, which have lost leases: after the first loss together with
    /// others, after further losses in isolation.
    fn lease_suspects(&mut self) -> Result<Isolation, StoreError> {
        let waiting = self.suspects().map_err(failure)?;
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
        for (delivery, id, ..) in waiting.iter().filter(|(.., found)| *found == lost) {
            if self.leases.len() >= limit {
                break;
            }
            let Some(place) = Place::find(self.connection, *id)? else {
                continue;
            };
            if place.endpoint.free_slots_at(self.now) > 0 {
                self.lease(place, ONE, params![delivery])?;
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
        let ready = || -> rusqlite::Result<Vec<Place>> {
            let mut statement = self.connection.prepare_cached(places!(
                "class = ?1 AND ready <= ?2 AND (pace IS NOT NULL OR busy < ?4)
                 ORDER BY ready, id LIMIT ?3"
            ))?;
            let probes = i64::try_from(self.request.probe_limit).unwrap_or(i64::MAX);
            let left = limit.saturating_sub(self.leases.len());
            let left = i64::try_from(left).unwrap_or(i64::MAX);
            statement
                .query_map(
                    params![class, self.now.as_millis(), left, probes],
                    Place::read,
                )?
                .collect()
        };
        for place in ready().map_err(failure)? {
            let left = limit.saturating_sub(self.leases.len());
            let left = i64::try_from(left).unwrap_or(i64::MAX);
            let endpoint = place.endpoint;
            let free = left.min(endpoint.free_slots_for(self.request.probe_limit, self.now));
            if free > 0 {
                let values = params![endpoint.id, self.now.as_millis(), free];
                self.lease(place, DUE, values)?;
            }
        }
        Ok(())
    }

    /// Leases the selected deliveries of one endpoint.
    fn lease(
        &mut self,
        place: Place,
        select: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<(), StoreError> {
        let url = self.parsed.url(&place.url).map_err(corrupt)?;
        let subscription = self.subscription(place.subscription)?;
        let mut endpoint = place.endpoint;
        let (since, until) = (self.now, self.now.after(self.request.lease));
        let mut statement = self.connection.prepare_cached(select).map_err(failure)?;
        let found = statement.query_map(values, |row| {
            let message = match read::message_at(row, 4)? {
                Ok(message) => Arc::new(message),
                Err(error) => return Ok(Err(error)),
            };
            Ok(Ok(Lease {
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
                message,
                url: url.clone(),
                subscription: Arc::clone(&subscription),
            }))
        });
        let found: rusqlite::Result<Vec<_>> = found.map_err(failure)?.collect();
        let found: Result<Vec<Lease>, StoreError> = found.map_err(failure)?.into_iter().collect();
        let found = found?;
        for lease in &found {
            execute(
                self.connection,
                "UPDATE bothends_delivery SET state = 1, generation = ?2, due = ?3, since = ?4
                 WHERE id = ?1",
                params![
                    lease.delivery.0,
                    lease.generation,
                    until.as_millis(),
                    since.as_millis()
                ],
            )?;
        }
        let leased = i64::try_from(found.len()).unwrap_or(i64::MAX);
        self.leases.extend(found);
        endpoint.start(leased, self.now);
        refresh(self.connection, &endpoint, self.now)
    }

    fn subscription(&mut self, id: String) -> Result<Arc<Subscription>, StoreError> {
        if let Some(known) = self.subscriptions.get(&id) {
            return Ok(Arc::clone(known));
        }
        let found = subscribe::columns_of(self.connection, &id)?;
        let found = found.ok_or_else(|| corrupt("an endpoint of no subscription"))?;
        let (_, owner, is_active, config) = found;
        let found = self.parsed.subscription(&id, &owner, is_active, &config);
        let found = found.map_err(corrupt)?;
        self.subscriptions.insert(id, Arc::clone(&found));
        Ok(found)
    }
}
