//! The same commands to both stores, in any order that comes up, and the same states after each.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;
mod tally;

use bothends_delivery::conformance::{Timed, outcome, request};
use bothends_delivery::sqlite::SqliteOptions;
use bothends_delivery::store::{
    Backlog, CircuitPolicy, Claimed, Decision, Isolation, Lease, Recorded, Reschedule,
    StoreErrorKind,
};
use bothends_delivery::{
    Attempt, DeadReason, Delivery, DeliveryId, DeliveryStore, Enqueued, ManualClock, Message,
    MessageId, OperatorEvent, Subscription, Timestamp,
};
use common::postgres::Postgres;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::RefCell;
use std::time::Duration;
use tally::{Tally, check, count};

/// How many runs there are, unless `PROPTEST_CASES` says so.
const CASES: u32 = 32;

#[derive(Debug, Clone)]
enum Command {
    Put {
        id: u8,
        kinds: u8,
        concurrency: u16,
        active: bool,
        rate: u32,
        ordered: bool,
    },
    SetActive(u8, bool),
    Remove(u8),
    Enqueue {
        kind: u8,
        id: Option<u8>,
        delay: i64,
    },
    Claim {
        limit: usize,
        suspects: usize,
    },
    Record(Vec<(prop::sample::Index, u8)>),
    Advance(i64),
    Replay(prop::sample::Index),
    Prune(i64, u32),
    Back(i64),
    /// The range begins and ends this much after now.
    Reschedule(i64, i64, Reschedule),
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        1 => (0..3u8, 0..4u8, 1..6u16, prop::bool::weighted(0.9), 0..30u32, prop::bool::weighted(0.3))
            .prop_map(|(id, kinds, concurrency, active, rate, ordered)| Command::Put {
                id,
                kinds,
                concurrency,
                active,
                // Most endpoints have no limit.
                rate: rate.saturating_sub(15),
                ordered,
            }),
        1 => (0..3u8, any::<bool>()).prop_map(|(id, active)| Command::SetActive(id, active)),
        1 => (0..3u8).prop_map(Command::Remove),
        6 => (0..3u8, prop::option::weighted(0.2, 0..4u8), prop_oneof![Just(0), 0..30_000i64])
            .prop_map(|(kind, id, delay)| Command::Enqueue { kind, id, delay }),
        6 => (0..9usize, 0..4usize).prop_map(|(limit, suspects)| Command::Claim { limit, suspects }),
        6 => prop::collection::vec((any::<prop::sample::Index>(), 0..6u8), 1..6).prop_map(Command::Record),
        4 => (1..40_000i64).prop_map(Command::Advance),
        2 => any::<prop::sample::Index>().prop_map(Command::Replay),
        2 => (0..60_000i64, 1..5u32).prop_map(|(age, limit)| Command::Prune(age, limit)),
        1 => (60_000..4_000_000i64).prop_map(Command::Back),
        2 => (-20_000..20_000i64, 0..60_000i64, reschedule())
            .prop_map(|(from, until, change)| Command::Reschedule(from, until, change)),
    ]
}

fn reschedule() -> impl Strategy<Value = Reschedule> {
    let by = || (0..40_000u64).prop_map(Duration::from_millis);
    let years = Duration::from_secs(10 * 365 * 24 * 60 * 60);
    prop_oneof![
        3 => Just(Reschedule::Now),
        3 => by().prop_map(Reschedule::Earlier),
        2 => by().prop_map(Reschedule::Later),
        1 => Just(Reschedule::Later(years)),
        1 => Just(Reschedule::Earlier(years)),
    ]
}

/// What a command came to, in a form that can be compared.
#[derive(Debug, PartialEq)]
enum Came {
    Done(Result<(), StoreErrorKind>),
    Enqueued(Enqueued),
    Claimed(
        Vec<(DeliveryId, u32, Timestamp, u32, u32, String, String)>,
        Option<Timestamp>,
        Isolation,
    ),
    Recorded(Vec<Recorded>),
    Replayed(Result<DeliveryId, StoreErrorKind>),
    Count(u64),
}

/// A store, and what it gave out.
struct Driven<S> {
    store: Timed<S>,
    /// Every lease it ever gave, so that old ones are recorded, too.
    leases: Vec<Lease>,
}

impl<S: DeliveryStore> Driven<S> {
    async fn apply(&mut self, command: &Command, now: Timestamp) -> Came {
        let kind_of = |error: bothends_delivery::StoreError| error.kind();
        match command {
            Command::Put {
                id,
                kinds,
                concurrency,
                active,
                rate,
                ordered,
            } => {
                let mut builder = Subscription::builder(format!("s{id}"))
                    .concurrency(*concurrency)
                    .ordered(*ordered)
                    .active(*active);
                if *rate > 0 {
                    builder = builder.rate_limit(*rate, Duration::from_secs(20));
                }
                let builder = match kinds {
                    0 => builder.url("https://a.example/"),
                    1 => builder
                        .url("https://a.example/")
                        .url_for("k0", "https://b.example/"),
                    2 => builder.url("https://c.example/").events(["k1"]),
                    _ => builder.url_for("k2", "https://d.example/"),
                };
                let put = self.store.put_subscription(builder.build().unwrap()).await;
                Came::Done(put.map_err(kind_of))
            }
            Command::SetActive(id, active) => {
                let set = self
                    .store
                    .set_active_at(&format!("s{id}"), *active, now)
                    .await;
                Came::Done(set.map_err(kind_of))
            }
            Command::Remove(id) => {
                let removed = self.store.remove_at(&format!("s{id}"), now).await;
                Came::Done(removed.map_err(kind_of))
            }
            Command::Enqueue { kind, id, delay } => {
                let id =
                    id.map_or_else(|| format!("at-{}", now.as_millis()), |id| format!("m{id}"));
                let due = now.after(Duration::from_millis(delay.unsigned_abs()));
                let message_id = MessageId::new(id.clone()).unwrap();
                let message = Message::new(format!("k{kind}"), id).id(message_id).due(due);
                Came::Enqueued(self.store.enqueue_at(message, now).await.unwrap())
            }
            Command::Claim { limit, suspects } => self.claim(*limit, *suspects, now).await,
            Command::Record(picks) => {
                if self.leases.is_empty() {
                    return Came::Recorded(Vec::new());
                }
                let outcomes = picks.iter().map(|(pick, verdict)| {
                    let pause = Duration::from_secs;
                    let verdict = match verdict {
                        0 | 1 => Decision::Delivered,
                        2 | 3 => Decision::Retry { pause: pause(5) },
                        4 => Decision::Dead(DeadReason::Rejected),
                        _ => Decision::Release { pause: pause(1) },
                    };
                    outcome(pick.get(&self.leases), now, verdict)
                });
                let circuit = CircuitPolicy {
                    rounds: 2,
                    ..CircuitPolicy::default()
                };
                Came::Recorded(
                    self.store
                        .record_at(outcomes.collect(), now, circuit)
                        .await
                        .unwrap(),
                )
            }
            Command::Replay(pick) => {
                let all = self.store.deliveries(None, 1000).await.unwrap();
                if all.is_empty() {
                    return Came::Count(0);
                }
                let replayed = self.store.replay_at(pick.get(&all).id, now).await;
                Came::Replayed(replayed.map_err(kind_of))
            }
            Command::Prune(age, limit) => {
                let before = now.before(Duration::from_millis(age.unsigned_abs()));
                Came::Count(self.store.prune_at(before, *limit).await.unwrap())
            }
            Command::Back(_) => Came::Count(
                self.store
                    .repair_times_at(now, Duration::from_secs(30))
                    .await
                    .unwrap(),
            ),
            Command::Reschedule(from, until, change) => {
                self.store.clock.set(now);
                let at = |millis: i64| Timestamp::from_millis(now.as_millis() + millis);
                let due = at(*from)..=at(*until);
                Came::Count(self.store.reschedule("", due, *change).await.unwrap())
            }
            Command::Advance(_) => Came::Count(0),
        }
    }

    async fn claim(&mut self, limit: usize, suspects: usize, now: Timestamp) -> Came {
        let mut request = request(limit);
        request.suspect_limit = suspects;
        request.slow_limit = suspects + 2;
        request.probe_limit = suspects + 1;
        // As if what was leased an hour ago had not answered.
        let old = self.leases.iter().filter(|lease| now > lease.until);
        request.unresponsive = old.map(|lease| lease.endpoint).take(2).collect();
        let claimed = self.store.claim_at(request, now).await.unwrap();
        let Claimed {
            leases,
            next,
            isolation,
            ..
        } = claimed;
        let seen = leases.iter().map(|lease| {
            assert_eq!(
                lease.message.id.as_str().as_bytes(),
                &lease.message.body[..],
                "the message's bytes"
            );
            (
                lease.delivery,
                lease.generation,
                lease.until,
                lease.tries,
                lease.epoch,
                lease.message.id.to_string(),
                lease.url.to_string(),
            )
        });
        let came = Came::Claimed(seen.collect(), next, isolation);
        self.leases.extend(leases);
        came
    }

    async fn states(&self) -> Vec<(Delivery, Vec<Attempt>)> {
        let mut states = Vec::new();
        for delivery in self.store.deliveries(None, 1000).await.unwrap() {
            let attempts = self.store.attempts(delivery.id).await.unwrap();
            states.push((delivery, attempts));
        }
        states
    }

    async fn events(&self) -> Vec<OperatorEvent> {
        self.store.operator_events(None, 1000).await.unwrap()
    }

    async fn depth(&self) -> u64 {
        self.store.depth().await.unwrap()
    }

    async fn backlog(&self) -> Backlog {
        self.store.backlog("").await.unwrap()
    }
}

async fn drive(server: &Postgres, commands: Vec<Command>, tally: &RefCell<Tally>) {
    let folder = tempfile::tempdir().unwrap();
    let clock = ManualClock::new(Timestamp::from_millis(0));
    let options = SqliteOptions::new().clock(clock.clone());
    let store = options.open(folder.path().join("db")).await.unwrap();
    let mut sqlite = Driven {
        store: Timed { store, clock },
        leases: Vec::new(),
    };
    let clock = ManualClock::new(Timestamp::from_millis(0));
    let store = server.store_with(clock.clone()).await;
    let mut postgres = Driven {
        store: Timed { store, clock },
        leases: Vec::new(),
    };
    let mut now = 10_000_000;
    for command in &commands {
        now += match command {
            Command::Advance(by) => *by,
            Command::Back(by) => -*by,
            _ => 1,
        };
        let at = Timestamp::from_millis(now);
        let came = sqlite.apply(command, at).await;
        tally.borrow_mut().command(command, &came);
        assert_eq!(came, postgres.apply(command, at).await, "{command:?}");
        // PostgreSQL gives endpoints their places at the next claim: let it be now.
        let collected = sqlite.claim(0, 0, at).await;
        assert_eq!(
            collected,
            postgres.claim(0, 0, at).await,
            "after {command:?}"
        );
        let states = sqlite.states().await;
        check(&states);
        assert_eq!(states, postgres.states().await, "after {command:?}");
        assert_eq!(
            sqlite.events().await,
            postgres.events().await,
            "after {command:?}"
        );
        let backlog = sqlite.backlog().await;
        count(&states, backlog, at);
        assert_eq!(backlog, postgres.backlog().await, "after {command:?}");
        let open = states
            .iter()
            .filter(|(delivery, _)| !delivery.state.is_finished());
        let open = open.count() as u64;
        let depths = (sqlite.depth().await, postgres.depth().await);
        assert_eq!(depths, (open, open), "after {command:?}");
    }
    let states = sqlite.states().await;
    tally.borrow_mut().states(&states);
}

/// The same commands in each run; `BOTHENDS_SEED=17` gives others.
fn rng() -> TestRng {
    let seed = std::env::var("BOTHENDS_SEED").ok();
    let seed: u8 = seed.and_then(|seed| seed.parse().ok()).unwrap_or(0);
    println!("BOTHENDS_SEED={seed}");
    TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32])
}

#[test]
fn both_stores_find_the_same_states() {
    let Some(server) = Postgres::start("both_stores_find_the_same_states") else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    let config = Config {
        cases: cases.unwrap_or(CASES),
        failure_persistence: None,
        ..Config::default()
    };
    let subscribed = prop::collection::vec(command(), 1..60).prop_map(|mut commands| {
        let put = |id| Command::Put {
            id,
            kinds: id,
            concurrency: 2,
            active: true,
            rate: 0,
            ordered: id == 1,
        };
        commands.splice(0..0, [put(0), put(1)]);
        commands
    });
    let tally = RefCell::<Tally>::default();
    let few = config.cases < CASES;
    let mut runner = TestRunner::new_with_rng(config, rng());
    let ran = runner.run(&subscribed, |commands| {
        runtime.block_on(drive(&server, commands, &tally));
        Ok(())
    });
    let tally = tally.into_inner();
    println!("{tally:?}");
    ran.unwrap();
    assert!(few || tally.commands >= 600, "{tally:?}");
    assert!(few || tally.rarest() > 0, "{tally:?}");
}
