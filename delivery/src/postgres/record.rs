//! Recording of outcomes.

use super::clock::{millis, now};
use super::flush::{Work, commit_early, prepare};
use super::place::{COLUMNS, Placed, endpoint_columns, endpoints as locked_endpoints, finish};
use super::{PostgresStore, events, failure, get, get_u32};
use crate::store::{CircuitPolicy, Decision, Endpoint, Incidents, Outcome, Recorded};
use crate::{StoreError, Timestamp};
use deadpool_postgres::Object;
use futures_util::future::join3;
use std::collections::{BTreeMap, HashMap, HashSet};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// Ends leases, and logs their attempts. Each delivery is found by its id alone, and not in the index of leases
/// (`state + 0`), so that the time grows neither with the square of the number of outcomes nor with the leases that have
/// ended. The rows that are updated are locked before, and are those that were found then.
const RECORD: &str = concat!(
    "
WITH clock AS MATERIALIZED (SELECT ",
    now!("$12"),
    " AS now
), input AS (
    SELECT i.*, c.now FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
        $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $10::bigint[], $11::text[], $13::bigint[])
        AS i (id, generation, state, pause, reason, counts, started, ended, outcome, status, detail, responded)
    CROSS JOIN clock AS c
), held AS (
    SELECT i.* FROM (SELECT * FROM input ORDER BY id) AS i CROSS JOIN LATERAL (
        SELECT id FROM bothends_delivery
        WHERE id = i.id AND generation = i.generation AND state + 0 = 1 FOR UPDATE
    ) AS d
), settled AS (
    UPDATE bothends_delivery AS d SET
        state = CASE WHEN i.counts = 1 OR d.lost = 0 THEN i.state ELSE -1 END,
        due = i.now + i.pause, since = i.now, reason = i.reason, tries = d.tries + i.counts,
        lost = CASE WHEN i.counts = 1 THEN 0 ELSE d.lost END,
        isolated = CASE WHEN i.counts = 1 THEN 0 ELSE greatest(d.isolated - 1, 0) END
    FROM held AS i WHERE d.id = i.id
    RETURNING d.id, d.generation, d.endpoint, d.state, i.now, i.started, i.ended, i.outcome, i.status, i.detail,
        i.responded
), logged AS (
    INSERT INTO bothends_attempt (delivery, n, started, ended, outcome, status, detail, responded)
    SELECT id, generation, started, ended, outcome, status, detail, responded
    FROM settled WHERE outcome IS NOT NULL
), counted AS (
    INSERT INTO bothends_depth SELECT -count(*) FROM settled WHERE state >= 2 HAVING count(*) > 0
)
SELECT id, generation, endpoint, now, ",
    commit_early!(),
    " FROM settled"
);

/// Locks the endpoints of deliveries.
const LOCK: &str = concat!(
    "SELECT ",
    endpoint_columns!(),
    ", e.ready FROM bothends_endpoint AS e WHERE e.id = ANY (ARRAY(
        SELECT endpoint FROM bothends_delivery WHERE id = ANY ($1)))
    ORDER BY e.id FOR NO KEY UPDATE"
);

pub(super) async fn record(
    store: &PostgresStore,
    client: &Object,
    outcomes: &[Outcome],
    circuit: CircuitPolicy,
) -> Result<Vec<Recorded>, StoreError> {
    // One statement must not contain the same lease twice: the lease would be ended and logged
    // twice.
    let mut first: HashMap<(i64, u32), usize> = HashMap::new();
    for (index, outcome) in outcomes.iter().enumerate() {
        first
            .entry((outcome.delivery.0, outcome.generation))
            .or_insert(index);
    }
    let mut chosen: Vec<usize> = first.into_values().collect();
    chosen.sort_unstable();
    let [record, lock] = prepare(client, [RECORD, LOCK]).await?;
    let columns = Columns::new(
        chosen.iter().filter_map(|index| outcomes.get(*index)),
        store.clock.given(),
    );
    let work = Work::on(client);
    let values = columns.values();
    let ids: &(dyn ToSql + Sync) = &columns.ids;
    let (begun, settled, locked) = join3(
        work.begin(),
        client.query(&record, &values),
        client.query(&lock, std::slice::from_ref(&ids)),
    )
    .await;
    begun?;
    let (settled, locked) = (settled.map_err(failure)?, locked.map_err(failure)?);
    if settled.is_empty() {
        return Ok(vec![Recorded::Fenced; outcomes.len()]);
    }
    let mut endpoint_of: HashMap<(i64, u32), i64> = HashMap::new();
    let mut now = Timestamp::default();
    for row in &settled {
        now = Timestamp::from_millis(get(row, 3)?);
        endpoint_of.insert((get(row, 0)?, get_u32(row, 1)?), get(row, 2)?);
    }
    let mut endpoints = locked_endpoints(&locked)?;
    // An outcome of a lease that has ended changes nothing.
    let changed: HashSet<i64> = endpoint_of.values().copied().collect();
    endpoints.retain(|id, _| changed.contains(id));
    let mut recorded = Vec::with_capacity(outcomes.len());
    let mut incidents = Incidents::default();
    for outcome in outcomes {
        let key = (outcome.delivery.0, outcome.generation);
        recorded.push(match endpoint_of.remove(&key) {
            None => Recorded::Fenced,
            Some(id) => {
                let endpoint = endpoints.get_mut(&id);
                let round = endpoint.and_then(|endpoint| endpoint.notice(outcome, now, circuit));
                incidents.add(outcome, round);
                Recorded::Applied
            }
        });
    }
    events::report(client, incidents, now).await?;
    let placed = keep_positions(&locked, endpoints, now)?;
    let (finished, _) = finish(work, placed, now, std::future::ready(())).await;
    finished?;
    Ok(recorded)
}

/// Returns the endpoints that change, at their positions in the rows of [`LOCK`].
fn keep_positions(
    locked: &[Row],
    mut endpoints: BTreeMap<i64, Endpoint>,
    now: Timestamp,
) -> Result<Vec<Placed>, StoreError> {
    let mut placed = Vec::with_capacity(endpoints.len());
    for row in locked {
        if let Some(endpoint) = endpoints.remove(&get(row, 0)?) {
            placed.push(Placed::kept(endpoint, get(row, COLUMNS)?, now));
        }
    }
    Ok(placed)
}

/// Outcomes as arrays for PostgreSQL.
#[derive(Default)]
struct Columns<'a> {
    now: Option<i64>,
    ids: Vec<i64>,
    generations: Vec<i64>,
    states: Vec<i64>,
    pauses: Vec<i64>,
    reasons: Vec<Option<&'static str>>,
    counts: Vec<i64>,
    started: Vec<Option<i64>>,
    ended: Vec<Option<i64>>,
    ends: Vec<Option<&'static str>>,
    statuses: Vec<Option<i64>>,
    details: Vec<Option<&'a str>>,
    responded: Vec<Option<i64>>,
}

impl<'a> Columns<'a> {
    fn new(outcomes: impl Iterator<Item = &'a Outcome>, now: Option<i64>) -> Self {
        let mut columns = Self {
            now,
            ..Self::default()
        };
        for outcome in outcomes {
            let (state, pause, reason) = outcome.settled();
            let counts = !matches!(outcome.verdict, Decision::Release { .. });
            let attempt = outcome.attempt.as_ref();
            columns.ids.push(outcome.delivery.0);
            columns.generations.push(i64::from(outcome.generation));
            columns.states.push(state);
            columns.pauses.push(millis(pause));
            columns.reasons.push(reason);
            columns.counts.push(i64::from(counts));
            columns
                .started
                .push(attempt.map(|log| log.started.as_millis()));
            columns.ended.push(attempt.map(|log| log.ended.as_millis()));
            columns.ends.push(attempt.map(|log| log.end.as_str()));
            columns
                .statuses
                .push(attempt.and_then(|log| log.status).map(i64::from));
            columns.details.push(attempt.map(|log| log.detail.as_str()));
            let responded = attempt.and_then(|log| log.responded);
            columns.responded.push(responded.map(Timestamp::as_millis));
        }
        columns
    }

    fn values(&self) -> [&(dyn ToSql + Sync); 13] {
        [
            &self.ids,
            &self.generations,
            &self.states,
            &self.pauses,
            &self.reasons,
            &self.counts,
            &self.started,
            &self.ended,
            &self.ends,
            &self.statuses,
            &self.details,
            &self.now,
            &self.responded,
        ]
    }
}
