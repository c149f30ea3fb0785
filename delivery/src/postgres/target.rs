//! Leases of deliveries from locked endpoints.

use super::parsed::Parsed;
use super::place::{COLUMNS, Placed, endpoint};
use super::{corrupt, get, get_u32, read};
use crate::store::{Endpoint, Lease, class};
use crate::{DeliveryId, EndpointId, StoreError, Subscription, Timestamp};
use std::sync::Arc;
use tokio_postgres::Row;
use url::Url;

/// A statement that leases the picked deliveries and returns their messages.
macro_rules! message_of {
    ($picked:literal, $order:literal) => {
        concat!(
            "WITH picked AS (",
            $picked,
            "), leased AS (
    UPDATE bothends_delivery AS d SET state = 1, generation = generation + 1, due = $1, since = $2
    FROM picked AS p WHERE d.id = p.id AND d.state = p.state
    RETURNING d.id, d.generation, d.tries, d.message, d.endpoint, d.lost, d.replay_of, p.ord, p.due
)
SELECT l.id, l.generation, l.tries, l.endpoint, l.lost, m.owner, m.id, m.kind, m.method, m.headers, m.body,
    m.trace, CASE WHEN l.replay_of IS NULL THEN m.created END
FROM leased AS l JOIN bothends_message AS m ON m.key = l.message ORDER BY ",
            $order
        )
    };
}

/// The statement for the due deliveries of endpoints, in their order: a lateral join reads one after the other, and ends
/// at the limit. Sorted, it would read those of all endpoints.
pub(super) const LEASE: &str = message_of!(
    "
    SELECT d.id, d.due, d.state, e.ord
    FROM unnest($3::bigint[], $4::bigint[], $6::bigint[]) WITH ORDINALITY AS e (endpoint, free, low, ord)
    CROSS JOIN LATERAL (
        SELECT id, due, state FROM bothends_delivery
        WHERE endpoint = e.endpoint AND state = 0 AND due >= e.low AND due <= $2
        ORDER BY due, id LIMIT e.free
    ) AS d
    LIMIT $5
",
    "l.ord, l.due, l.id"
);

/// The statement for deliveries that are already chosen.
pub(super) const LEASE_THESE: &str = message_of!(
    "
    SELECT d.id, d.due, d.state, i.ord
    FROM unnest($3::bigint[]) WITH ORDINALITY AS i (id, ord)
    JOIN bothends_delivery AS d ON d.id = i.id AND d.state = -1
",
    "l.ord"
);

/// A locked endpoint with its URL and subscription.
pub(super) struct Target {
    pub(super) endpoint: Endpoint,
    url: Url,
    subscription: Arc<Subscription>,
}

impl Target {
    /// Reads the columns of an endpoint, its URL and its subscription, starting at `from`.
    pub(super) fn read(row: &Row, from: usize, parsed: &Parsed) -> Result<Self, StoreError> {
        let subscription = parsed.subscription(
            get(row, from + COLUMNS + 1)?,
            get(row, from + COLUMNS + 2)?,
            get(row, from + COLUMNS + 3)?,
            get(row, from + COLUMNS + 4)?,
        );
        let url = parsed.url(get(row, from + COLUMNS)?);
        Ok(Self {
            endpoint: endpoint(row, from)?,
            url: url.map_err(corrupt)?,
            subscription: subscription.map_err(corrupt)?,
        })
    }
}

/// The columns of a target after those of its endpoint `e`, of its subscription `s`.
macro_rules! target_columns {
    () => {
        "e.url, s.id AS subscription, s.owner, s.active AS is_active, s.config"
    };
}
pub(super) use target_columns;

/// A locked endpoint from which deliveries may be leased.
pub(super) struct Candidate {
    pub(super) target: Target,
    /// The position in the queue, or `None` if nothing can be leased.
    pub(super) ready: Option<i64>,
    /// Nothing is pending that is due before.
    pub(super) low: i64,
    /// Whether the position is not that in the table.
    pub(super) is_new: bool,
    /// Whether deliveries were enqueued that wait for their turn.
    pub(super) is_ordered: bool,
}

impl Candidate {
    /// Returns what is to be stored although nothing is leased: the endpoint keeps its position.
    pub(super) fn changed(&self) -> Option<Placed> {
        self.is_new.then_some(Placed {
            endpoint: self.target.endpoint,
            low: self.low,
            place: self.ready.unwrap_or(i64::MIN),
        })
    }

    /// The number of columns after those of the endpoint, of which the last are its position and `low`.
    const AFTER: usize = COLUMNS + 5;

    /// Returns the id of the endpoint that [`Candidate::ready`] reads.
    pub(super) fn id_of(row: &Row) -> Result<i64, StoreError> {
        get(row, 0)
    }

    /// Reads an endpoint that is ready, as the table says.
    pub(super) fn ready(row: &Row, parsed: &Parsed) -> Result<Self, StoreError> {
        Ok(Self {
            target: Target::read(row, 0, parsed)?,
            ready: get(row, Self::AFTER)?,
            low: get(row, Self::AFTER + 1)?,
            is_new: false,
            is_ordered: false,
        })
    }

    /// Reads an endpoint whose notes were absorbed, of which the earliest is for a delivery that is due `at` this time.
    /// Returns `None` if the endpoint is removed.
    pub(super) fn noted(
        row: &Row,
        from: usize,
        (at, is_ordered): (i64, bool),
        now: Timestamp,
        parsed: &Parsed,
    ) -> Result<Option<Self>, StoreError> {
        if get::<Option<&str>>(row, from + COLUMNS + 4)?.is_none() {
            return Ok(None);
        }
        let target = Target::read(row, from, parsed)?;
        let before: Option<i64> = get(row, from + Self::AFTER)?;
        let low: i64 = get(row, from + Self::AFTER + 1)?;
        let place = at.max(target.endpoint.opens(now));
        // An endpoint that is ready keeps its position, also if it was served after the note was made.
        let ready = match before {
            Some(before) if before <= now.as_millis() => before,
            Some(before) => before.min(place),
            None => place,
        };
        let ready = (target.endpoint.free_slots() > 0).then_some(ready);
        Ok(Some(Self {
            is_new: is_ordered || at < low || ready != before,
            target,
            ready,
            low: low.min(at),
            is_ordered,
        }))
    }
}

/// Returns the id of the endpoint in a row that [`LEASE`] or [`LEASE_THESE`] returns.
pub(super) fn endpoint_of(row: &Row) -> Result<i64, StoreError> {
    get(row, 3)
}

/// Converts a row that [`LEASE`] or [`LEASE_THESE`] returns, for the target of its endpoint.
pub(super) fn lease_of(
    row: &Row,
    target: &Target,
    (since, until): (Timestamp, Timestamp),
) -> Result<Lease, StoreError> {
    Ok(Lease {
        delivery: DeliveryId(get(row, 0)?),
        generation: get_u32(row, 1)?,
        since,
        until,
        tries: get_u32(row, 2)?,
        lost: get_u32(row, 4)?,
        enqueued: get::<Option<i64>>(row, 12)?.map(Timestamp::from_millis),
        endpoint: EndpointId(target.endpoint.id),
        epoch: target.endpoint.failures,
        slow: target.endpoint.class == class::SLOW,
        message: Arc::new(read::message_at(row, 5)?),
        url: target.url.clone(),
        subscription: Arc::clone(&target.subscription),
    })
}
