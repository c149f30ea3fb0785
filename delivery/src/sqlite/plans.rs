//! Plans of the statements, as SQLite explains them, and the steps that they take with few and with many
//! rows: counted by SQLite, so that the test is about plans and not about how fast a machine is. Left out is
//! the repair of times at the start of a worker, which reads everything that waits.

use super::cache::Cache;
use super::{enqueue, events, lease, read, reap, schema, subscribe, upkeep};
use crate::conformance::{outcome, request};
use crate::delivery::{DeadReason, Delivery, DeliveryId};
use crate::store::{CircuitPolicy, Claimed, Decision, DeliveryFilter, Phase, Reschedule, Shift};
use crate::{Message, StoreError, Subscription, Timestamp};
use rusqlite::trace::{TraceEvent, TraceEventCodes};
use rusqlite::{Connection, StatementStatus};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

/// The steps of each statement, and those of them that read a table from its beginning.
type Steps = BTreeMap<String, (i32, i32)>;

/// Counts the steps of all statements from now on.
fn counted(connection: &mut Connection) -> Arc<Mutex<Steps>> {
    connection.flush_prepared_statement_cache();
    let steps = Arc::<Mutex<Steps>>::default();
    let into = Arc::clone(&steps);
    let count = move |event: TraceEvent<'_>| {
        if let TraceEvent::Profile(statement, _) = event {
            let count_of = |status| statement.get_status(status);
            let all = (
                count_of(StatementStatus::VmStep),
                count_of(StatementStatus::FullscanStep),
            );
            // Of a statement that is kept, the counts are those of all its executions.
            into.lock()
                .unwrap()
                .insert(statement.sql().into_owned(), all);
        }
    };
    let mask = TraceEventCodes::SQLITE_TRACE_PROFILE;
    connection.trace_v2(mask, Some(count)).unwrap();
    steps
}

fn at(minutes: u32) -> Timestamp {
    Timestamp::from_millis(0).after(MINUTE * minutes)
}

fn put(connection: &Connection, id: &str, owner: &str, kind: &str) {
    let subscription = Subscription::builder(id).owner(owner);
    let subscription = subscription.url_for(kind, "https://example.com/").build();
    subscribe::put(connection, &subscription.unwrap()).unwrap();
}

fn send(connection: &Connection, owner: &str, kind: &str, now: Timestamp) -> Vec<DeliveryId> {
    let message = Message::new(kind, "{}").owner(owner);
    let enqueued = enqueue::enqueue(connection, &message, now).unwrap();
    enqueued.deliveries
}

/// Executes what a store does, beside as many subscriptions of the same owner to other kinds, each with a
/// delivery that waits until tomorrow.
fn life(others: usize) -> (Connection, Steps) {
    let mut connection = schema::open_writer(Path::new(":memory:")).unwrap();
    for n in 0..others {
        let kind = format!("kind{n}");
        put(&connection, &kind, "o", &kind);
        let message = Message::new(kind, "{}").owner("o").delay(MINUTE * 60 * 24);
        enqueue::enqueue(&connection, &message, at(0)).unwrap();
    }
    for (id, owner, kind) in [
        ("mine", "o", "mine"),
        ("own", "own", "mine"),
        ("pattern", "p", "a.*"),
    ] {
        put(&connection, id, owner, kind);
    }
    let steps = counted(&mut connection);
    let own = enqueued(&connection);
    leased(&connection);
    asked(&connection, own);
    kept(&connection, own);
    let steps = steps.lock().unwrap().clone();
    let sql = "SELECT count(*) FROM bothends_delivery WHERE state < 2";
    let open: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(upkeep::depth(&connection).unwrap(), open.unsigned_abs());
    (connection, steps)
}

/// Enqueues, once, twice, and for a kind without a subscription.
fn enqueued(connection: &Connection) -> DeliveryId {
    let message = Message::new("mine", "{}").owner("o");
    for count in [1, 1] {
        let enqueued = enqueue::enqueue(connection, &message, at(1)).unwrap();
        assert_eq!(enqueued.deliveries.len(), count);
    }
    assert_eq!(send(connection, "o", "un.kno.wn", at(1)), []);
    for _ in 0..3 {
        assert_eq!(send(connection, "o", "mine", at(1)).len(), 1);
    }
    send(connection, "own", "mine", at(1))[0]
}

/// Claims, records every kind of outcome, and loses leases.
fn leased(connection: &Connection) {
    let claim = |now| -> Claimed {
        lease::claim(connection, &request(16), now, &Cache::default()).unwrap()
    };
    let leases = claim(at(1)).leases;
    assert_eq!(leases.len(), 5);
    let pause = MINUTE;
    let verdicts = [
        Decision::Delivered,
        Decision::Retry { pause },
        Decision::Release { pause },
        Decision::Dead(DeadReason::Rejected),
    ];
    let outcomes = leases.iter().zip(verdicts);
    let outcomes = outcomes.map(|(lease, verdict)| outcome(lease, at(1), verdict));
    let outcomes: Vec<_> = outcomes.collect();
    reap::record(
        connection,
        &outcomes,
        at(1),
        CircuitPolicy::default(),
        &Cache::default(),
    )
    .unwrap();
    // The fifth lease expires; its delivery is then sent before the two that are due again.
    let leases = claim(at(10)).leases;
    assert_eq!(leases.len(), 3);
    let delivered = outcome(&leases[0], at(10), Decision::Delivered);
    reap::record(
        connection,
        &[delivered],
        at(10),
        CircuitPolicy::default(),
        &Cache::default(),
    )
    .unwrap();
    assert_eq!(claim(at(11)).leases.len(), 2);
}

/// Asks what there is.
fn asked(connection: &Connection, own: DeliveryId) {
    let before = DeliveryId(own.0 - 1);
    assert_eq!(
        read::deliveries(connection, Some(before), 1).unwrap()[0].id,
        own
    );
    let page = read::deliveries_of(connection, "own", None, 10).unwrap();
    assert_eq!(page.len(), 1);
    let id = &page[0].message;
    assert!(read::message(connection, "own", id).unwrap().is_some());
    assert_eq!(read::attempts(connection, own).unwrap().len(), 2);
    assert_eq!(subscribe::list(connection, "own").unwrap().len(), 1);
    upkeep::backlog(connection, "own", at(11)).unwrap();
    assert!(upkeep::depth(connection).unwrap() > 0);
    assert_eq!(subscribe::endpoints(connection, "own").unwrap().len(), 1);
    assert_eq!(events::list(connection, None, 10).unwrap().len(), 1);
    let delivered = DeliveryFilter::new().phase(Phase::Delivered);
    let delivered = read::find_deliveries(connection, "own", &delivered, None, 10);
    assert_eq!(delivered.unwrap().len(), 1);
    let replayed = enqueue::replay_failed(connection, "own", at(0), 10, at(11));
    assert_eq!(replayed.unwrap(), []);
}

/// Replays, moves, holds, removes and forgets.
fn kept(connection: &Connection, own: DeliveryId) {
    let replayed = enqueue::replay(connection, own, at(12)).unwrap();
    let shift = Shift::new(&.., Reschedule::Later(MINUTE), at(12)).unwrap();
    assert_eq!(
        upkeep::reschedule(connection, "own", &shift, at(12)).unwrap(),
        1
    );
    for active in [false, true] {
        subscribe::set_active(connection, "own", active, at(12)).unwrap();
    }
    put(connection, "own", "own", "mine");
    subscribe::remove(connection, "own", at(13)).unwrap();
    events::prune(connection, at(14), 100).unwrap();
    assert!(read::prune(connection, at(14), 100).unwrap() >= 3);
    let left = read::deliveries(connection, Some(DeliveryId(replayed.0 - 1)), 1).unwrap();
    assert_eq!(left, [], "that of a removed subscription");
}

/// What SQLite says how it executes a statement.
fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let explained = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"));
    let mut explained = explained.unwrap();
    let lines = explained.raw_query().mapped(|row| row.get(3));
    lines.collect::<rusqlite::Result<_>>().unwrap()
}

#[test]
fn a_statement_reads_nothing_of_others() {
    // Lists read the deliveries that are not in `bothends_owned` yet, which are as many of either.
    let (_, few) = life(10 + 1024);
    let (connection, many) = life(10 + 10 * 1024);
    assert!(few.len() > 40, "{} statements", few.len());
    assert_eq!(
        few.keys().collect::<Vec<_>>(),
        many.keys().collect::<Vec<_>>()
    );
    let differs = few.iter().filter(|(sql, steps)| many[*sql] != **steps);
    let differs = differs.map(|(sql, few)| (sql, few, many[sql], plan(&connection, sql)));
    let differs: Vec<_> = differs.collect();
    assert!(differs.is_empty(), "{differs:#?}");
}

/// Indices of deliveries that are in progress, or that have lost workers: these are few. A table with a row for each table.
const SMALL: [&str; 3] = [
    "bothends_delivery_leased",
    "bothends_delivery_apart",
    "sqlite_sequence",
];

#[test]
fn every_statement_has_an_index() {
    let (connection, statements) = life(10);
    let plans = statements.keys().map(|sql| (sql, plan(&connection, sql)));
    let scans: Vec<_> = plans.filter(|(_, plan)| reads_all(plan)).collect();
    assert!(scans.is_empty(), "{scans:#?}");
}

/// Whether a plan reads a table or a large index from its beginning.
fn reads_all(plan: &[String]) -> bool {
    // What is computed once, and then read, is no table.
    let computed = |line: &String| {
        let name = line
            .split_once("CO-ROUTINE ")
            .or(line.split_once("MATERIALIZE "));
        name.map(|(_, name)| name.to_owned())
    };
    let computed: Vec<String> = plan.iter().filter_map(computed).collect();
    let mut scanned = plan.iter().filter_map(|line| line.strip_prefix("SCAN "));
    scanned.any(|scanned| {
        let is_small = SMALL.iter().any(|index| scanned.contains(index));
        !is_small
            && !scanned.contains("CONSTANT ROW")
            && !computed.iter().any(|name| name == scanned)
    })
}

/// A database with as many deliveries that finished, of one endpoint and with an attempt each, the oldest at
/// the beginning.
fn finished(count: i64) -> Connection {
    let connection = schema::open_writer(Path::new(":memory:")).unwrap();
    put(&connection, "mine", "o", "mine");
    connection
        .execute_batch(&format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
             INSERT INTO bothends_message (key, owner, id, kind, method, body, created)
                SELECT i, 'o', 'm' || i, 'mine', 'POST', x'7b7d', i FROM n;
             INSERT INTO bothends_delivery (id, message, endpoint, state, due, since, owner)
                SELECT key, key, 1, 2, key, key, 'o' FROM bothends_message ORDER BY key;
             INSERT INTO bothends_attempt (delivery, n, started, ended, outcome, status, detail)
                SELECT key, 1, key, key, 'answered', 200, '' FROM bothends_message;"
        ))
        .unwrap();
    connection
}

/// Deletes the oldest hundred, and returns the steps of each statement.
fn pruned(mut connection: Connection) -> Steps {
    let steps = counted(&mut connection);
    let until = Timestamp::from_millis(i64::MAX / 2);
    assert_eq!(read::prune(&connection, until, 100).unwrap(), 100);
    let oldest = read::deliveries(&connection, None, 1).unwrap();
    assert_eq!(oldest[0].id, DeliveryId(101));
    steps.lock().unwrap().clone()
}

#[test]
fn a_prune_takes_as_many_steps_with_many_finished_as_with_few() {
    let (few, many) = (pruned(finished(2_000)), pruned(finished(100_000)));
    assert!(few.len() >= 5, "{few:?}");
    assert_eq!(few, many);
}

/// Enqueues a message to each of 64 endpoints, of one owner or of as many, and returns how many pages the commit writes.
fn pages_of_a_commit(owners: usize) -> u64 {
    const EACH: usize = 64;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("queue.db");
    let connection = schema::open_writer(&file).unwrap();
    let run = |sql: &str| connection.execute_batch(sql).unwrap();
    run("PRAGMA wal_autocheckpoint = 0");
    let owner = |n: usize| format!("owner{}", n % owners);
    for n in 0..EACH {
        let kind = format!("kind{n}");
        put(&connection, &kind, &owner(n), &kind);
    }
    let group = || {
        run("BEGIN");
        for n in 0..EACH {
            send(&connection, &owner(n), &format!("kind{n}"), at(0));
        }
        run("COMMIT");
    };
    (0..100).for_each(|_| group());
    let length = || std::fs::metadata(folder.path().join("queue.db-wal"));
    let length = || length().unwrap().len();
    let before = length();
    group();
    // Each page has a header of 24 bytes.
    (length() - before) / (4096 + 24)
}

/// The ids of messages of one time are neighbours, and deliveries of an owner are listed later.
#[test]
fn a_commit_for_many_owners_writes_few_pages_more() {
    let (one, many) = (pages_of_a_commit(1), pages_of_a_commit(64));
    assert!(many <= one + 8, "{one}, {many}");
}

/// A page ends at its limit: nothing is read to be sorted.
#[test]
fn lists_of_an_owner_are_read_in_their_order() {
    let connection = schema::open_writer(Path::new(":memory:")).unwrap();
    for sql in read::OLDEST.into_iter().chain(read::FOUND) {
        let plan = plan(&connection, sql);
        assert!(!plan.iter().any(|line| line.contains("B-TREE")), "{plan:?}");
    }
}

/// Returns the deliveries of all pages, each after the last delivery of the one before.
fn all_pages(page: impl Fn(Option<DeliveryId>) -> Result<Vec<Delivery>, StoreError>) -> Vec<i64> {
    let mut ids = Vec::new();
    loop {
        let next = page(ids.last().copied().map(DeliveryId)).unwrap();
        if next.is_empty() {
            return ids;
        }
        ids.extend(next.iter().map(|delivery| delivery.id.0));
    }
}

/// Pages of deliveries in `bothends_owned`, of those that are not yet, and of both.
#[test]
fn lists_of_an_owner_have_every_delivery_once() {
    let connection = schema::open_writer(Path::new(":memory:")).unwrap();
    put(&connection, "mine", "o", "mine");
    put(&connection, "other", "p", "mine");
    // The deliveries on both sides of the boundary have the owner whose lists are read.
    let is_ours = |number: &i64| number % 4 < 2;
    for number in 1..=3000 {
        let owner = if is_ours(&number) { "o" } else { "p" };
        assert_eq!(send(&connection, owner, "mine", at(0))[0].0, number);
    }
    let sql = "SELECT max(id) FROM bothends_owned";
    let last: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(last, 2048);
    let gone = [1, 1024, 2045, 2949];
    for id in gone {
        // Each message has one delivery.
        read::delete(&connection, id, id).unwrap();
    }
    let expected = (1..=3000).filter(|id| is_ours(id) && !gone.contains(id));
    let expected: Vec<i64> = expected.collect();
    let every = DeliveryFilter::new();
    for limit in [1, 7, 400, 5000] {
        let oldest = all_pages(|after| read::deliveries_of(&connection, "o", after, limit));
        assert_eq!(oldest, expected, "{limit}");
        let mut latest =
            all_pages(|before| read::find_deliveries(&connection, "o", &every, before, limit));
        latest.reverse();
        assert_eq!(latest, expected, "{limit}");
    }
}
