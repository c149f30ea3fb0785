//! Creation of deliveries.

use super::absorb::{notes, with_made};
use super::clock::{millis, now};
use super::{corrupt, failure, get, read};
use crate::message::{headers_to_json, trace_to_json};
use crate::subscription::{Content, selectors};
use crate::{DeliveryId, Due, EnqueueStatus, Enqueued, Message, StoreError, StoreErrorKind};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row, Statement};

/// The statement that enqueues any number of messages, whose owners and ids differ. It inserts a wake note for each
/// endpoint, and locks no rows that other transactions hold.
///
/// The subscriptions of each message are found by index (`LATERAL` guarantees this regardless of statistics), by what
/// selects the kind. Of those that select it in several ways, the most specific one counts.
///
/// Filters are evaluated by the caller. A message is not inserted while it has a filter that is not among the
/// decided ones: the statement returns these filters, and is executed again for the message.
///
/// Each row has the number of a message, and a delivery, a filter to be decided, or neither: the message has
/// subscriptions.
pub(super) const ENQUEUE: &str = concat!(
    "
WITH clock AS MATERIALIZED (SELECT ",
    now!("$9"),
    " AS now
), input AS MATERIALIZED (
    SELECT i.*, c.now, greatest(c.now, coalesce(i.at, c.now + i.delay)) AS due
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[],
            $7::bigint[], $8::bigint[], $10::text[])
        WITH ORDINALITY AS i (id, owner, kind, method, headers, body, at, delay, trace, ord)
    CROSS JOIN clock AS c
), selected AS MATERIALIZED (
    SELECT DISTINCT ON (k.ord, s.subscription) k.ord, s.subscription, s.endpoint, s.ordered, s.filter,
        s.filter IS NULL OR (
            SELECT d.met FROM unnest($15::bigint[], $16::text[], $17::boolean[]) AS d (ord, filter, met)
            WHERE d.ord = k.ord AND d.filter = s.filter LIMIT 1
        ) AS met
    FROM unnest($11::bigint[], $12::text[], $13::text[], $14::boolean[])
        WITH ORDINALITY AS k (ord, owner, kind, every, rank)
    CROSS JOIN LATERAL (
        SELECT subscription, endpoint, ordered, filter FROM bothends_selected
        WHERE owner = k.owner AND kind = k.kind AND every = k.every OFFSET 0
    ) AS s ORDER BY k.ord, s.subscription, k.rank
), target AS MATERIALIZED (
    SELECT ord, subscription, endpoint, ordered FROM selected
    WHERE met AND ord NOT IN (SELECT ord FROM selected WHERE met IS NULL)
), fresh AS (
    INSERT INTO bothends_message (owner, id, kind, method, headers, body, created, trace)
    SELECT owner, id, kind, method, headers, body, now, trace FROM input
    WHERE ord IN (SELECT ord FROM target) ORDER BY ord
    ON CONFLICT (owner, id) DO NOTHING RETURNING key, owner, id
), created AS MATERIALIZED (
    SELECT f.key, i.ord, i.due, i.now, i.owner FROM fresh AS f JOIN input AS i ON i.owner = f.owner AND i.id = f.id
), made AS (
    INSERT INTO bothends_delivery (message, endpoint, due, since, owner, state)
    SELECT c.key, t.endpoint, c.due, c.now, c.owner, CASE WHEN t.ordered THEN -2 ELSE 0 END
    FROM created AS c JOIN target AS t ON t.ord = c.ord
    ORDER BY c.ord, t.subscription
    RETURNING id, message, endpoint, owner, due, state",
    with_made!(),
    "
SELECT c.ord, made.id, NULL AS filter FROM made JOIN created AS c ON c.key = made.message
UNION ALL SELECT ord, NULL, CASE WHEN met IS NULL THEN filter END FROM selected WHERE met IS DISTINCT FROM FALSE"
);

/// Selects the stored messages and deliveries of duplicates.
const THERE: &str = "
SELECT i.ord, m.owner, m.id, m.kind, m.method, m.headers, m.body, m.trace,
    ARRAY(SELECT o.id FROM bothends_owned AS o WHERE o.message = m.key ORDER BY o.id)
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS i (owner, id, ord)
JOIN bothends_message AS m ON m.owner = i.owner AND m.id = i.id";

/// Enqueues a message in a transaction of the caller, on any connection to the database of a store.
/// The message is sent if and only if the transaction is committed. Call
/// [`PostgresStore::wake`](super::PostgresStore::wake) after the commit to start the delivery
/// without a delay.
///
/// # Errors
/// Returns an error if a database operation fails.
pub async fn enqueue_in<C: GenericClient>(
    client: &C,
    message: &Message,
) -> Result<Enqueued, StoreError> {
    enqueue_at(client, message, None).await
}

/// Enqueues a message at this time, or at that of the server.
pub(super) async fn enqueue_at<C: GenericClient>(
    client: &C,
    message: &Message,
    now: Option<i64>,
) -> Result<Enqueued, StoreError> {
    let mut enqueued = enqueue_all(client, None, &[message], now).await?;
    enqueued
        .pop()
        .ok_or_else(|| StoreError::new(StoreErrorKind::Database))
}

/// Enqueues messages at this time, or at that of the server, by the prepared statement [`ENQUEUE`] if there
/// is one. It is executed again for messages with filters, and for those with the id of one before.
pub(super) async fn enqueue_all<C: GenericClient>(
    client: &C,
    statement: Option<&Statement>,
    messages: &[&Message],
    now: Option<i64>,
) -> Result<Vec<Enqueued>, StoreError> {
    let mut contents: Vec<_> = messages
        .iter()
        .map(|message| Content::new(&message.body))
        .collect();
    let mut decided: Vec<Vec<(String, bool)>> = vec![Vec::new(); messages.len()];
    let mut done = BTreeMap::new();
    let mut left: Vec<usize> = (0..messages.len()).collect();
    while !left.is_empty() {
        let (group, later) = distinct(messages, &mut left);
        let known = left.iter().filter_map(|index| decided.get(*index));
        let columns = Columns::new(&group, known, now);
        let rows = match statement {
            Some(statement) => client.query(statement, &columns.values()).await,
            None => client.query_typed(ENQUEUE, &columns.typed()).await,
        };
        let rows = rows.map_err(failure)?;
        let mut open = BTreeSet::new();
        for row in &rows {
            let Some(filter) = get::<Option<String>>(row, 2)? else {
                continue;
            };
            let ord = usize::try_from(get::<i64>(row, 0)? - 1).map_err(corrupt)?;
            let index = *left.get(ord).ok_or_else(|| corrupt("no such message"))?;
            if let (Some(content), Some(decided)) =
                (contents.get_mut(index), decided.get_mut(index))
                && !decided.iter().any(|(known, _)| *known == filter)
            {
                let met = content.meets(&filter).map_err(corrupt)?;
                decided.push((filter, met));
            }
            open.insert(index);
        }
        let made = enqueued(client, &rows, &group).await?;
        done.extend(
            left.into_iter()
                .zip(made)
                .filter(|(index, _)| !open.contains(index)),
        );
        left = later.into_iter().chain(open).collect();
        left.sort_unstable();
    }
    Ok(done.into_values().collect())
}

/// Returns the messages at these places whose owners and ids differ, and removes the places of the others, which are
/// returned, too.
fn distinct<'a>(
    messages: &[&'a Message],
    places: &mut Vec<usize>,
) -> (Vec<&'a Message>, Vec<usize>) {
    let mut others = Vec::new();
    let mut names = HashSet::new();
    let mut group: Vec<&Message> = Vec::with_capacity(places.len());
    places.retain(|index| {
        let Some(message) = messages.get(*index) else {
            return false;
        };
        let is_first = names.insert((&message.owner, &message.id));
        match is_first {
            true => group.push(message),
            false => others.push(*index),
        }
        is_first
    });
    (group, others)
}

/// Messages as arrays for PostgreSQL.
struct Columns<'a> {
    ids: Vec<&'a str>,
    owners: Vec<&'a str>,
    kinds: Vec<&'a str>,
    methods: Vec<&'a str>,
    headers: Vec<Option<String>>,
    bodies: Vec<&'a [u8]>,
    dates: Vec<Option<i64>>,
    delays: Vec<i64>,
    now: Option<i64>,
    traces: Vec<Option<String>>,
    /// What selects the kinds of the messages, with the messages' places in the group.
    selecting: Vec<i64>,
    selected_owners: Vec<&'a str>,
    selectors: Vec<Cow<'a, str>>,
    every: Vec<bool>,
    /// The filters that are decided, with their messages' places in the group.
    ords: Vec<i64>,
    filters: Vec<&'a str>,
    met: Vec<bool>,
}

impl<'a> Columns<'a> {
    fn new(
        messages: &[&'a Message],
        decided: impl Iterator<Item = &'a Vec<(String, bool)>>,
        now: Option<i64>,
    ) -> Self {
        let decided = decided.zip(1..);
        let decided = decided.flat_map(|(filters, ord)| {
            let filters = filters.iter();
            filters.map(move |(filter, met)| (ord, (filter.as_str(), *met)))
        });
        let (ords, (filters, met)) = decided.unzip();
        let numbered = messages.iter().zip(1..);
        let selectors = numbered.flat_map(|(message, ord)| {
            let selectors = selectors(&message.kind);
            selectors.map(move |selector| ((ord, message.owner.as_str()), selector))
        });
        let ((selecting, selected_owners), (selectors, every)) = selectors.unzip();
        let column = |value: fn(&'a Message) -> &'a str| -> Vec<&'a str> {
            messages.iter().map(|message| value(message)).collect()
        };
        Self {
            ids: column(|message| message.id.as_str()),
            owners: column(|message| &message.owner),
            kinds: column(|message| &message.kind),
            methods: column(|message| message.method.as_str()),
            headers: messages
                .iter()
                .map(|message| headers_to_json(message.headers()))
                .collect(),
            bodies: messages.iter().map(|message| &message.body[..]).collect(),
            dates: messages
                .iter()
                .map(|message| match message.due {
                    Due::At(date) => Some(date.as_millis()),
                    Due::Now | Due::After(_) => None,
                })
                .collect(),
            delays: messages
                .iter()
                .map(|message| match message.due {
                    Due::After(delay) => millis(delay),
                    Due::Now | Due::At(_) => 0,
                })
                .collect(),
            now,
            traces: messages
                .iter()
                .map(|message| trace_to_json(&message.trace))
                .collect(),
            selecting,
            selected_owners,
            selectors,
            every,
            ords,
            filters,
            met,
        }
    }

    fn values(&self) -> [&(dyn ToSql + Sync); 17] {
        [
            &self.ids,
            &self.owners,
            &self.kinds,
            &self.methods,
            &self.headers,
            &self.bodies,
            &self.dates,
            &self.delays,
            &self.now,
            &self.traces,
            &self.selecting,
            &self.selected_owners,
            &self.selectors,
            &self.every,
            &self.ords,
            &self.filters,
            &self.met,
        ]
    }

    fn typed(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        let types = [
            Type::TEXT_ARRAY,
            Type::TEXT_ARRAY,
            Type::TEXT_ARRAY,
            Type::TEXT_ARRAY,
            Type::TEXT_ARRAY,
            Type::BYTEA_ARRAY,
            Type::INT8_ARRAY,
            Type::INT8_ARRAY,
            Type::INT8,
            Type::TEXT_ARRAY,
            Type::INT8_ARRAY,
            Type::TEXT_ARRAY,
            Type::TEXT_ARRAY,
            Type::BOOL_ARRAY,
            Type::INT8_ARRAY,
            Type::TEXT_ARRAY,
            Type::BOOL_ARRAY,
        ];
        self.values().into_iter().zip(types).collect()
    }
}

/// Converts the rows that [`ENQUEUE`] returns to one result per message. Those with filters have none yet.
async fn enqueued<C: GenericClient>(
    client: &C,
    rows: &[Row],
    messages: &[&Message],
) -> Result<Vec<Enqueued>, StoreError> {
    let mut made: BTreeMap<i64, Vec<DeliveryId>> = BTreeMap::new();
    for row in rows {
        if get::<Option<&str>>(row, 2)?.is_none() {
            let deliveries = made.entry(get(row, 0)?).or_default();
            deliveries.extend(get::<Option<i64>>(row, 1)?.map(DeliveryId));
        }
    }
    for deliveries in made.values_mut() {
        deliveries.sort_unstable();
    }
    let enqueued = messages.iter().zip(1..).map(|(message, ord)| {
        let deliveries = made.remove(&ord);
        Enqueued {
            message: message.id.clone(),
            status: match &deliveries {
                None => EnqueueStatus::NoSubscription,
                Some(made) if made.is_empty() => EnqueueStatus::Duplicate { differs: false },
                Some(_) => EnqueueStatus::Created,
            },
            deliveries: deliveries.unwrap_or_default(),
        }
    });
    let mut enqueued: Vec<Enqueued> = enqueued.collect();
    if enqueued.iter().any(Enqueued::is_duplicate) {
        compare(client, &mut enqueued, messages).await?;
    }
    Ok(enqueued)
}

/// Finds the stored messages of duplicates, and compares their contents. A separate statement sees
/// rows that were committed while the first statement waited for them.
async fn compare<C: GenericClient>(
    client: &C,
    enqueued: &mut [Enqueued],
    messages: &[&Message],
) -> Result<(), StoreError> {
    let mut duplicates: Vec<_> = enqueued
        .iter_mut()
        .zip(messages)
        .filter(|(enqueued, _)| enqueued.is_duplicate())
        .collect();
    let values_of = |column: fn(&Message) -> &str| -> Vec<&str> {
        let messages = duplicates.iter();
        messages.map(|(_, message)| column(message)).collect()
    };
    let (owners, ids) = (
        values_of(|message| &message.owner),
        values_of(|message| message.id.as_str()),
    );
    let values: [(&(dyn ToSql + Sync), Type); 2] =
        [(&owners, Type::TEXT_ARRAY), (&ids, Type::TEXT_ARRAY)];
    let rows = client.query_typed(THERE, &values).await.map_err(failure)?;
    for row in &rows {
        let there = read::message_at(row, 1)?;
        let index = usize::try_from(get::<i64>(row, 0)? - 1).map_err(corrupt)?;
        if let Some((enqueued, message)) = duplicates.get_mut(index) {
            let differs = !there.is_same_content(message);
            enqueued.status = EnqueueStatus::Duplicate { differs };
            let ids: Vec<i64> = get(row, 8)?;
            enqueued.deliveries = ids.into_iter().map(DeliveryId).collect();
        }
    }
    Ok(())
}
