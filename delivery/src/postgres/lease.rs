//! Claims.

use super::absorb::{ABSORB, Absorbed};
use super::clock::now;
use super::demand::{Limits, Share};
use super::flush::{Work, prepare};
use super::place::{Placed, Values, endpoint_columns, finish, next, promote, query};
use super::target::{Candidate, LEASE, Target, endpoint_of, lease_of, target_columns};
use super::{PostgresStore, confirm, corrupt, failure, get, suspects};
use crate::store::{ClaimRequest, Claimed, Isolation, Lease, class};
use crate::{StoreError, Timestamp};
use deadpool_postgres::Object;
use futures_util::future::join3;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// The delay until notes of locked endpoints are examined again.
const SOON: Duration = Duration::from_millis(10);

/// Leases deliveries that are due.
pub(super) async fn claim(
    store: &PostgresStore,
    request: &ClaimRequest,
) -> Result<Claimed, StoreError> {
    let client = store.client().await?;
    let mut claiming = Claiming {
        store,
        client: &client,
        request,
        claimed: Claimed::default(),
    };
    let mut share = store.demand.share(request.limit, Instant::now());
    let mut is_first = true;
    loop {
        match claiming.round(share, is_first).await {
            // While slots are free, further notes may name endpoints that are not in the queue yet.
            Ok(true) => (share, is_first) = (Share::ALL, false),
            Ok(false) => {
                let leases = &claiming.claimed.leases;
                let served: HashSet<i64> = leases.iter().map(|lease| lease.endpoint.0).collect();
                store
                    .demand
                    .claimed(request.limit, leases.len(), served.len());
                return Ok(claiming.claimed);
            }
            // The leases committed so far are valid.
            Err(error) if !claiming.claimed.leases.is_empty() => {
                tracing::warn!(%error, "looking for more to claim");
                return Ok(claiming.claimed);
            }
            Err(error) => return Err(error),
        }
    }
}

const NEXT: &str = concat!("SELECT ", next!("$1"));

/// A transaction that has locked endpoints, and absorbed notes.
struct Locked<'a> {
    work: Work<'a>,
    absorbed: Absorbed,
    /// Leases that expired after this time were looked for.
    since: i64,
    candidates: Vec<Candidate>,
    /// Whether there may be more endpoints that are ready, in the queue or in notes that are not locked.
    has_more: bool,
}

struct Claiming<'a> {
    store: &'a PostgresStore,
    client: &'a Object,
    request: &'a ClaimRequest,
    claimed: Claimed,
}

impl<'a> Claiming<'a> {
    /// Absorbs notes, and leases deliveries that are due. Returns whether there may be more.
    async fn round(&mut self, share: Share, is_first: bool) -> Result<bool, StoreError> {
        let mut work = None;
        if !self.request.unresponsive.is_empty() {
            work = Some(self.slow_down().await?);
        }
        let mut locked = self.lock_endpoints(work, share).await?;
        let mut leases = Vec::new();
        if is_first {
            self.claimed.now = locked.absorbed.now;
        }
        if is_first && (locked.absorbed.over || locked.absorbed.lost_before) {
            let (request, now) = (self.request, self.claimed.now);
            let (is_over, since) = (locked.absorbed.over, locked.since);
            drop(locked);
            if is_over {
                suspects::reap(self.client, request, since, now).await?;
            }
            let work = self.slow_down().await?;
            let parsed = &self.store.parsed;
            self.claimed.isolation =
                suspects::take(self.client, request, now, parsed, &mut leases).await?;
            if self.claimed.isolation != Isolation::None {
                self.finish(work, Vec::new(), leases).await?;
                return Ok(false);
            }
            locked = self.lock_endpoints(Some(work), share).await?;
        }
        let Locked {
            work,
            absorbed,
            candidates,
            has_more,
            ..
        } = locked;
        if share.notes > 0 {
            self.store.absorbed(&absorbed);
        }
        let is_idle = candidates.is_empty() && leases.is_empty() && absorbed.is_empty();
        if is_first && is_idle && self.request.unresponsive.is_empty() {
            self.claimed.next = absorbed.next;
        } else {
            let served = self.take_ready(candidates, &mut leases).await?;
            self.finish(work, served, leases).await?;
        }
        if absorbed.left {
            let soon = self.claimed.now.after(SOON);
            let next = self.claimed.next.map_or(soon, |next| next.min(soon));
            self.claimed.next = Some(next);
        }
        let is_full = self.claimed.leases.len() >= self.request.limit;
        Ok(!is_full && has_more)
    }

    /// Absorbs notes, and locks the endpoints that are ready then, in one round trip, in this transaction or in one that
    /// begins.
    async fn lock_endpoints(
        &self,
        work: Option<Work<'a>>,
        share: Share,
    ) -> Result<Locked<'a>, StoreError> {
        let client = self.client;
        let [absorb, ready] = prepare(client, [ABSORB, READY]).await?;
        let half = i64::try_from(share.notes / 2).unwrap_or(i64::MAX);
        let given = self.store.clock.given();
        let since = self.store.expiry.since(given);
        let limits = self.limits();
        let endpoints = i64::try_from(share.endpoints).unwrap_or(i64::MAX);
        let fast = limits.all.min(endpoints);
        let is_open = work.is_some();
        let work = work.unwrap_or_else(|| Work::on(client));
        let begin = async { if is_open { Ok(()) } else { work.begin().await } };
        let (begun, absorbed, ready) = join3(
            begin,
            client.query(&absorb, &[&half, &given, &since]),
            client.query(&ready, &limits.values(&given, &fast)),
        )
        .await;
        begun?;
        let mut absorbed = Absorbed::read(&absorbed.map_err(failure)?, &self.store.parsed)?;
        self.store.expiry.looked(since, &absorbed);
        let mut candidates = std::mem::take(&mut absorbed.candidates);
        let noted = candidates
            .iter()
            .map(|candidate| candidate.target.endpoint.id);
        let noted: HashSet<i64> = noted.collect();
        let ready = ready.map_err(failure)?;
        let is_page_full = i64::try_from(ready.len()).unwrap_or(i64::MAX) >= fast;
        let has_more_notes = absorbed.found >= share.notes && !absorbed.left;
        let has_more = has_more_notes || (fast < limits.all && is_page_full);
        for row in &ready {
            if !noted.contains(&Candidate::id_of(row)?) {
                candidates.push(Candidate::ready(row, &self.store.parsed)?);
            }
        }
        Ok(Locked {
            work,
            absorbed,
            since,
            candidates,
            has_more,
        })
    }

    /// Begins a transaction in which endpoints that do not respond are slow.
    async fn slow_down(&self) -> Result<Work<'a>, StoreError> {
        let work = Work::started(self.client).await?;
        let hanging = self.request.unresponsive.iter();
        let hanging: Vec<i64> = hanging.map(|endpoint| endpoint.0).collect();
        if !hanging.is_empty() {
            // An endpoint without requests in progress has responded since it was reported as hanging.
            let sql = "WITH held AS (
                    SELECT id FROM bothends_endpoint WHERE id = ANY ($1) AND class = $3 AND busy > 0
                    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
                )
                UPDATE bothends_endpoint AS e SET class = $2 FROM held WHERE e.id = held.id";
            let values: Values<'_> = &[&hanging, &class::SLOW, &class::FAST];
            query(self.client, sql, values).await?;
        }
        Ok(work)
    }

    /// Stores the endpoints that were served, and commits the leases.
    async fn finish(
        &mut self,
        work: Work<'a>,
        served: Vec<Placed>,
        mut leases: Vec<Lease>,
    ) -> Result<(), StoreError> {
        let now = self.claimed.now;
        let [next] = prepare(self.client, [NEXT]).await?;
        let millis = now.as_millis();
        let next = async { self.client.query_one(&next, &[&millis]).await };
        let (finished, next) = finish(work, served, now, next).await;
        if let Err(error) = finished {
            leases = confirm::leases(self.store, leases, error).await?;
        }
        self.claimed.leases.extend(leases);
        // Without the time of the next delivery, the worker polls.
        self.claimed.next = match next.map(|next| next.map_err(failure)) {
            Some(Ok(next)) => get::<Option<i64>>(&next, 0)?.map(Timestamp::from_millis),
            Some(Err(_)) | None => None,
        };
        Ok(())
    }

    /// Returns how many more deliveries this claim leases.
    fn limits(&self) -> Limits {
        Limits::left(self.request, &self.claimed.leases)
    }

    /// Leases deliveries of ready endpoints, and returns the endpoints that change. Failing and slow endpoints have few
    /// slots and are served first. Otherwise, endpoints that are always busy would leave no slots.
    async fn take_ready(
        &self,
        mut candidates: Vec<Candidate>,
        leases: &mut Vec<Lease>,
    ) -> Result<Vec<Placed>, StoreError> {
        self.start_next_in_order(&mut candidates).await?;
        candidates.sort_by_key(|candidate| (candidate.ready, candidate.target.endpoint.id));
        let (limits, now) = (self.limits(), self.claimed.now.as_millis());
        let mut ready: [Vec<Candidate>; 3] = Default::default();
        let mut changed = Vec::new();
        for candidate in candidates {
            let endpoint = &candidate.target.endpoint;
            let is_ready = candidate.ready.is_some_and(|ready| ready <= now)
                && (endpoint.pace.is_some() || endpoint.busy < limits.probes);
            let of_class = usize::try_from(endpoint.class).ok();
            match of_class.and_then(|class| ready.get_mut(class)) {
                Some(of_class) if is_ready => of_class.push(candidate),
                _ => changed.extend(candidate.changed()),
            }
        }
        let [fast, slowly, suspect] = ready;
        self.take(suspect, limits.suspects, leases, &mut changed)
            .await?;
        let before = i64::try_from(leases.len()).unwrap_or(i64::MAX);
        let slow = before.saturating_add(limits.slow).min(limits.all);
        self.take(slowly, slow, leases, &mut changed).await?;
        self.take(fast, limits.all, leases, &mut changed).await?;
        Ok(changed)
    }

    /// Ends the waiting of the first attempts that are next in turn. Which these are is read after their endpoints are
    /// locked, by a statement that sees what was committed before.
    async fn start_next_in_order(&self, candidates: &mut [Candidate]) -> Result<(), StoreError> {
        let now = self.claimed.now;
        let ordered = candidates
            .iter_mut()
            .filter(|candidate| candidate.is_ordered);
        let mut ordered: Vec<&mut Candidate> = ordered.collect();
        let placed = ordered.iter();
        let placed = placed.map(|candidate| Placed::last(candidate.target.endpoint, now));
        let mut placed: Vec<Placed> = placed.collect();
        promote(self.client, &mut placed).await?;
        for (candidate, Placed { endpoint, .. }) in ordered.iter_mut().zip(placed) {
            if endpoint.head != candidate.target.endpoint.head {
                // It may have been due long ago.
                candidate.low = i64::MIN;
                let place = endpoint.opens(now).max(now.as_millis());
                candidate.ready = (endpoint.free_slots() > 0).then_some(place);
            }
            candidate.target.endpoint = endpoint;
        }
        Ok(())
    }

    /// Leases due deliveries from locked endpoints, in their order, until `leases` has `limit` entries.
    async fn take(
        &self,
        ready: Vec<Candidate>,
        limit: i64,
        leases: &mut Vec<Lease>,
        changed: &mut Vec<Placed>,
    ) -> Result<(), StoreError> {
        let before = i64::try_from(leases.len()).unwrap_or(i64::MAX);
        let limit = limit.saturating_sub(before);
        if limit <= 0 || ready.is_empty() {
            changed.extend(ready.iter().filter_map(Candidate::changed));
            return Ok(());
        }
        let (since, probes) = (self.claimed.now, self.request.probe_limit);
        let until = since.after(self.request.lease);
        let free = ready
            .iter()
            .map(|candidate| candidate.target.endpoint.free_slots_for(probes, since));
        let free: Vec<i64> = free.collect();
        let ids: Vec<i64> = ready
            .iter()
            .map(|candidate| candidate.target.endpoint.id)
            .collect();
        let lows: Vec<i64> = ready.iter().map(|candidate| candidate.low).collect();
        let values: Values<'_> = &[
            &until.as_millis(),
            &since.as_millis(),
            &ids,
            &free,
            &limit,
            &lows,
        ];
        let targets: HashMap<i64, &Target> = ready
            .iter()
            .map(|candidate| (candidate.target.endpoint.id, &candidate.target))
            .collect();
        let mut taken: HashMap<i64, i64> = HashMap::new();
        for row in &query(self.client, LEASE, values).await? {
            let target = targets
                .get(&endpoint_of(row)?)
                .ok_or_else(|| corrupt("no endpoint"))?;
            leases.push(lease_of(row, target, (since, until))?);
            *taken.entry(target.endpoint.id).or_default() += 1;
        }
        // Endpoints beyond the limit keep their places in the queue.
        let mut left = limit;
        for (candidate, free) in ready.iter().zip(free) {
            if left.min(free) > 0 {
                let mut endpoint = candidate.target.endpoint;
                let count = taken.get(&endpoint.id).copied().unwrap_or(0);
                endpoint.start(count, since);
                left -= count;
                let low = candidate.low;
                changed.push(Placed {
                    low,
                    ..Placed::last(endpoint, since)
                });
            } else {
                changed.extend(candidate.changed());
            }
        }
        Ok(())
    }
}

/// Locks the endpoints of a class that are ready, in the order of its queue.
macro_rules! ready {
    ($class:literal, $limit:literal) => {
        concat!(
            "SELECT ",
            endpoint_columns!(),
            ", ",
            target_columns!(),
            ", e.ready, e.low
    FROM bothends_endpoint AS e JOIN bothends_subscription AS s ON s.id = e.subscription
    WHERE e.class = ",
            $class,
            " AND e.ready <= (SELECT now FROM clock) AND (e.pace IS NOT NULL OR e.busy < $2)
    ORDER BY e.ready, e.id LIMIT ",
            $limit,
            " FOR NO KEY UPDATE OF e SKIP LOCKED"
        )
    };
}

/// The classes are those of [`class`].
const READY: &str = concat!(
    "WITH clock AS MATERIALIZED (SELECT ",
    now!("$1"),
    " AS now), suspect AS (",
    ready!("2", "$3"),
    "), slow AS (",
    ready!("1", "$4"),
    "), fast AS (",
    ready!("0", "$5"),
    ") SELECT * FROM suspect UNION ALL SELECT * FROM slow UNION ALL SELECT * FROM fast"
);
