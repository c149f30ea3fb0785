//! Leases of deliveries from locked endpoints.

use super::place::{COLUMNS, endpoint};
use super::{corrupt, get, get_u32, read};
use crate::store::{Endpoint, Lease, class};
use crate::{DeliveryId, EndpointId, StoreError, Subscription, Timestamp};
use std::collections::HashMap;
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

/// The statement for the due deliveries of endpoints.
pub(super) const LEASE: &str = message_of!(
    "
    SELECT d.id, d.due, d.state, e.ord
    FROM unnest($3::bigint[], $4::bigint[]) WITH ORDINALITY AS e (endpoint, room, ord)
    JOIN bothends_endpoint AS from_low ON from_low.id = e.endpoint
    CROSS JOIN LATERAL (
        SELECT id, due, state FROM bothends_delivery
        WHERE endpoint = e.endpoint AND state = 0 AND due >= from_low.low AND due <= $2
        ORDER BY due, id LIMIT e.room
    ) AS d
    ORDER BY e.ord, d.due, d.id LIMIT $5
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
    pub(super) fn of(row: &Row, from: usize) -> Result<Self, StoreError> {
        let config: &str = get(row, from + COLUMNS + 4)?;
        let subscription = Subscription::from_json(
            get(row, from + COLUMNS + 1)?,
            get(row, from + COLUMNS + 2)?,
            get(row, from + COLUMNS + 3)?,
            config,
        );
        Ok(Self {
            endpoint: endpoint(row, from)?,
            url: Url::parse(get(row, from + COLUMNS)?).map_err(corrupt)?,
            subscription: Arc::new(subscription.map_err(corrupt)?),
        })
    }
}

/// Converts a row that [`LEASE`] or [`LEASE_THESE`] returns.
pub(super) fn lease_of(
    row: &Row,
    targets: &HashMap<i64, Target>,
    (since, until): (Timestamp, Timestamp),
) -> Result<Lease, StoreError> {
    let id: i64 = get(row, 3)?;
    let target = targets.get(&id).ok_or_else(|| corrupt("no endpoint"))?;
    Ok(Lease {
        delivery: DeliveryId(get(row, 0)?),
        generation: get_u32(row, 1)?,
        since,
        until,
        tries: get_u32(row, 2)?,
        lost: get_u32(row, 4)?,
        enqueued: get::<Option<i64>>(row, 12)?.map(Timestamp::from_millis),
        endpoint: EndpointId(id),
        epoch: target.endpoint.failures,
        slow: target.endpoint.class == class::SLOW,
        message: Arc::new(read::message_at(row, 5)?),
        url: target.url.clone(),
        subscription: Arc::clone(&target.subscription),
    })
}
