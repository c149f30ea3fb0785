//! Positions of endpoints in the queue, after random operations: no delivery is missed, and an endpoint that stays in the
//! queue costs no write.

use super::cache::Cache;
use super::place::Known;
use super::{enqueue, lease, place, read, reap, schema, subscribe, upkeep};
use crate::conformance::{outcome, request};
use crate::delivery::DeadReason;
use crate::store::{
    CircuitPolicy, ClaimRequest, Claimed, Decision, Health, Isolation, Lease, Outcome, Reschedule,
    Shift, class,
};
use crate::{EndpointId, Message, Subscription, Timestamp};
use fastrand::Rng;
use rusqlite::{Connection, params};
use std::path::Path;
use std::time::Duration;

const ENDPOINTS: i64 = 6;

struct Queue {
    connection: Connection,
    cache: Cache,
    /// Another process, with what it knows.
    other: Option<(Connection, Cache)>,
    now: Timestamp,
}

impl Queue {
    /// Endpoints of several kinds: with few slots, with a rate limit, and with ordered first attempts.
    fn new() -> Self {
        Self::open(Path::new(":memory:"))
    }

    /// A queue that two processes use.
    fn shared(file: &Path) -> Self {
        let mut queue = Self::open(file);
        let other = schema::open_writer(file).unwrap();
        for connection in [&queue.connection, &other] {
            schema::without_sync(connection).unwrap();
        }
        queue.other = Some((other, Cache::default()));
        queue
    }

    fn open(file: &Path) -> Self {
        let connection = schema::open_writer(file).unwrap();
        for number in 1..=ENDPOINTS {
            let subscription = Subscription::builder(format!("s{number}"))
                .owner(format!("o{number}"))
                .url("https://example.com/")
                .concurrency(if number % 2 == 0 { 1 } else { 4 });
            let subscription = match number {
                3 => subscription.rate_limit(2, Duration::from_millis(50)),
                4 => subscription.ordered(true),
                _ => subscription,
            };
            subscribe::put(&connection, &subscription.build().unwrap()).unwrap();
        }
        Self {
            connection,
            cache: Cache::default(),
            other: None,
            now: Timestamp::from_millis(1_000_000),
        }
    }

    /// Lets the other process continue.
    fn swap(&mut self) {
        if let Some((connection, cache)) = &mut self.other {
            std::mem::swap(&mut self.connection, connection);
            std::mem::swap(&mut self.cache, cache);
        }
    }

    /// What is known of endpoints is what their rows have. Returns of how many something is known.
    fn check_known(&self) -> usize {
        let ids = 1..=ENDPOINTS;
        let known = || Ok(ids.filter_map(|id| self.cache.get(id)).collect());
        let known: Vec<Known> = self.cache.read(&self.connection, known).unwrap();
        for known in &known {
            let stored = place::endpoint(&self.connection, known.endpoint.id).unwrap();
            assert_eq!(*known, stored.unwrap().known());
        }
        known.len()
    }

    fn enqueue(&self, endpoint: i64, delay: u64) {
        let message = Message::new("kind", "{}").owner(format!("o{endpoint}"));
        let message = message.delay(Duration::from_millis(delay));
        let enqueue = || enqueue::enqueue(&self.connection, &message, self.now);
        self.cache.keep(&self.connection, enqueue).unwrap();
    }

    fn claim(&self, request: &ClaimRequest) -> Claimed {
        let claim = || lease::claim(&self.connection, request, self.now, &self.cache);
        self.cache.read(&self.connection, claim).unwrap()
    }

    fn record(&self, leases: &[Lease], verdict: impl FnMut() -> Decision) {
        let verdicts = std::iter::repeat_with(verdict);
        let outcomes = leases.iter().zip(verdicts);
        let outcomes = outcomes.map(|(lease, verdict)| outcome(lease, self.now, verdict));
        let outcomes: Vec<_> = outcomes.collect();
        let circuit = CircuitPolicy {
            rounds: 3,
            pause: Duration::from_millis(40),
            ..CircuitPolicy::default()
        };
        self.record_all(&outcomes, circuit);
    }

    fn record_all(&self, outcomes: &[Outcome], circuit: CircuitPolicy) {
        let (connection, cache) = (&self.connection, &self.cache);
        let record = || reap::record(connection, outcomes, self.now, circuit, cache);
        cache.read(connection, record).unwrap();
    }

    fn position(&self, endpoint: i64) -> Option<i64> {
        let stored = place::endpoint(&self.connection, endpoint).unwrap();
        stored.unwrap().ready
    }

    /// Returns when the first pending delivery of an endpoint is due.
    fn first_due(&self, endpoint: i64) -> Option<i64> {
        let sql = "SELECT min(due) FROM bothends_delivery WHERE endpoint = ?1 AND state = 0";
        let due = self
            .connection
            .query_row(sql, params![endpoint], |row| row.get(0));
        due.unwrap()
    }

    /// An endpoint that may be sent a delivery is in the queue before the delivery is due.
    fn check(&self) {
        for id in 1..=ENDPOINTS {
            let stored = place::endpoint(&self.connection, id).unwrap().unwrap();
            if let Some(due) = self.first_due(id)
                && let Some(opens) = stored.endpoint.ready(self.now)
            {
                let latest = due.max(opens);
                let in_time = stored.ready.is_some_and(|ready| ready <= latest);
                assert!(in_time, "{id}: {:?} of {latest}", stored.ready);
            }
        }
    }

    /// Nothing is left that a claim below its limit could have leased, and later deliveries are announced.
    fn check_claim(&self, claimed: &Claimed, request: &ClaimRequest) {
        if claimed.isolation != Isolation::None || claimed.leases.len() >= request.limit {
            return;
        }
        for id in 1..=ENDPOINTS {
            let stored = place::endpoint(&self.connection, id).unwrap().unwrap();
            let free = stored
                .endpoint
                .free_slots_for(request.probe_limit, self.now);
            if let Some(due) = self.first_due(id)
                && let Some(opens) = stored.endpoint.ready(self.now)
                && free > 0
            {
                let from = due.max(opens);
                assert!(from > self.now.as_millis(), "{id} was not leased");
                assert!(claimed.next.is_some_and(|next| next.as_millis() <= from));
            }
        }
    }
}

#[test]
fn a_delivery_without_its_message_stops_no_claim() {
    let queue = Queue::new();
    queue.enqueue(1, 0);
    queue.enqueue(2, 0);
    let gone = "DELETE FROM bothends_message WHERE owner = 'o1'";
    queue.connection.execute(gone, []).unwrap();
    let leases = queue.claim(&request(10)).leases;
    let owners: Vec<_> = leases.iter().map(|lease| &lease.message.owner).collect();
    assert_eq!(owners, ["o2"]);
}

#[test]
fn no_delivery_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let mut known = 0;
    for seed in 0..30 {
        let mut rng = Rng::with_seed(seed);
        let mut queue = Queue::shared(&folder.path().join(seed.to_string()));
        let mut leases: Vec<Lease> = Vec::new();
        for _ in 0..400 {
            match rng.u32(0..100) {
                0..35 => queue.enqueue(rng.i64(1..=ENDPOINTS), [0, 0, 0, 7][rng.usize(0..4)]),
                35..65 => {
                    let request = ClaimRequest {
                        lease: Duration::from_millis(100),
                        unresponsive: (1..=ENDPOINTS)
                            .filter(|_| rng.u32(0..20) == 0)
                            .map(EndpointId)
                            .collect(),
                        ..request(rng.usize(1..9))
                    };
                    let claimed = queue.claim(&request);
                    queue.check_claim(&claimed, &request);
                    leases.extend(claimed.leases);
                }
                65..85 => {
                    let some = leases.split_off(rng.usize(0..=leases.len()));
                    queue.record(&some, || match rng.u32(0..8) {
                        0 => Decision::Retry {
                            pause: Duration::from_millis(rng.u64(0..20)),
                        },
                        1 => Decision::Release {
                            pause: Duration::ZERO,
                        },
                        2 => Decision::Dead(DeadReason::Rejected),
                        _ => Decision::Delivered,
                    });
                }
                85..88 => {
                    let id = format!("s{}", rng.i64(1..=ENDPOINTS));
                    subscribe::set_active(&queue.connection, &id, rng.bool(), queue.now).unwrap();
                }
                88..90 => {
                    let shift = Reschedule::Later(Duration::from_millis(rng.u64(0..9)));
                    let shift = Shift::new(&.., shift, queue.now).unwrap();
                    let owner = format!("o{}", rng.i64(1..=ENDPOINTS));
                    upkeep::reschedule(&queue.connection, &owner, &shift, queue.now).unwrap();
                }
                90..92 => {
                    let last = read::deliveries(&queue.connection, None, 1).unwrap();
                    if let Some(last) = last.first().filter(|last| last.state.is_finished()) {
                        enqueue::replay(&queue.connection, last.id, queue.now).unwrap();
                    }
                }
                92..93 => {
                    queue.connection.execute_batch("BEGIN").unwrap();
                    queue.claim(&request(4));
                    queue.connection.execute_batch("ROLLBACK").unwrap();
                    queue.cache.invalidate();
                }
                93..95 => queue.swap(),
                _ => queue.now = queue.now.after(Duration::from_millis(rng.u64(0..30))),
            }
            queue.check();
            // A look ends what is no longer valid, so that there must not be one after each step.
            if rng.u32(0..4) == 0 {
                known += queue.check_known();
            }
        }
    }
    assert!(known > 2_500, "{known}");
}

/// An endpoint stays in the queue after its last delivery was leased. Neither the next enqueue nor a claim that finds nothing
/// changes its position.
#[test]
fn an_endpoint_stays_in_the_queue_until_a_later_claim_finds_nothing() {
    let mut queue = Queue::new();
    queue.enqueue(1, 0);
    let position = queue.position(1);
    assert!(position.is_some());
    for _ in 0..3 {
        queue.now = queue.now.after(Duration::from_millis(1));
        let leases = queue.claim(&request(16)).leases;
        assert_eq!((leases.len(), queue.position(1)), (1, position));
        queue.record(&leases, || Decision::Delivered);
        assert_eq!(queue.claim(&request(16)).leases.len(), 0);
        assert_eq!(queue.position(1), position);
        queue.enqueue(1, 0);
        assert_eq!(queue.position(1), position);
    }
    let leases = queue.claim(&request(16)).leases;
    queue.record(&leases, || Decision::Delivered);
    queue.enqueue(5, 0);
    assert_eq!(queue.claim(&request(16)).leases.len(), 1);
    assert_eq!(queue.position(1), None);
}

/// An endpoint that is served by a claim that reaches its limit leaves the queue, or goes to its end.
#[test]
fn an_endpoint_gives_way_if_a_claim_reaches_its_limit() {
    let mut queue = Queue::new();
    for endpoint in [1, 5, 5] {
        queue.enqueue(endpoint, 0);
        queue.now = queue.now.after(Duration::from_millis(1));
    }
    assert_eq!(queue.claim(&request(1)).leases.len(), 1);
    assert_eq!(queue.position(1), None);
    assert_eq!(queue.claim(&request(1)).leases.len(), 1);
    assert_eq!(queue.position(5), Some(queue.now.as_millis()));
}

/// Endpoints without pending deliveries at the beginning of the queue hide nothing behind them.
#[test]
fn a_claim_looks_behind_endpoints_that_stayed_in_the_queue() {
    let mut queue = Queue::new();
    for endpoint in [1, 2, 3] {
        queue.enqueue(endpoint, 0);
    }
    let leases = queue.claim(&request(16)).leases;
    queue.record(&leases, || Decision::Delivered);
    queue.now = queue.now.after(Duration::from_millis(1));
    queue.enqueue(5, 0);
    let leases = queue.claim(&request(1)).leases;
    assert_eq!(leases.len(), 1);
    assert_eq!(leases[0].endpoint.0, 5);
}

/// An endpoint that fails is looked at first by each claim, and does not stay in the queue either.
#[test]
fn a_failing_endpoint_leaves_the_queue_too() {
    let queue = Queue::new();
    queue.enqueue(1, 0);
    let leases = queue.claim(&request(16)).leases;
    let failed = Outcome {
        health: Health::Bad,
        ..outcome(&leases[0], queue.now, Decision::Dead(DeadReason::Rejected))
    };
    queue.record_all(&[failed], CircuitPolicy::default());
    let stored = place::endpoint(&queue.connection, 1).unwrap().unwrap();
    assert_eq!(stored.endpoint.class, class::SUSPECT);
    assert!(stored.ready.is_some());
    queue.enqueue(5, 0);
    assert_eq!(queue.claim(&request(16)).leases.len(), 1);
    assert_eq!(queue.position(1), None);
}

/// A later delivery of an endpoint that stayed in the queue is announced by the next claim.
#[test]
fn a_delayed_delivery_is_announced() {
    let queue = Queue::new();
    queue.enqueue(1, 0);
    let leases = queue.claim(&request(16)).leases;
    queue.record(&leases, || Decision::Delivered);
    queue.enqueue(1, 500);
    let due = queue.now.after(Duration::from_millis(500));
    assert_eq!(queue.claim(&request(16)).next, Some(due));
}
