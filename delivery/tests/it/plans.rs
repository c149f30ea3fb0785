//! A claim on PostgreSQL reads as many pages with many deliveries pending as with few: counted by the
//! server itself (`auto_explain`), so that the test is about plans and not about how fast a machine is.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use crate::common;

use bothends_delivery::conformance::{outcome, request};
use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::store::{
    CircuitPolicy, ClaimRequest, Claimed, Decision, DeliveryFilter, Reschedule,
};
use bothends_delivery::{DeliveryId, DeliveryStore, ManualClock, Message, Subscription, Timestamp};
use common::postgres::Postgres;
use std::time::Duration;
use tokio_postgres::{Config, NoTls};

const ENDPOINTS: i64 = 100;
const CLAIMS: usize = 12;
/// Every statement's plan goes to the log, with the pages it read.
const EXPLAIN: &str = "-c fsync=off -c autovacuum=off \
    -c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=0 \
    -c auto_explain.log_analyze=on -c auto_explain.log_buffers=on -c auto_explain.log_timing=off";

/// A statement as the log tells of it.
struct Plan {
    text: String,
    /// The pages that it read, from memory or from the disk.
    pages: u64,
}

/// The plans in a part of the log.
fn plans(log: &str) -> Vec<Plan> {
    let entries = log.split("  plan:\n").skip(1);
    let plan = |entry: &str| {
        let lines = entry.lines().take_while(|line| line.starts_with('\t'));
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        // The first is that of the topmost node, which counts all below it.
        let buffers = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("Buffers: shared "));
        let pages = buffers.unwrap_or_default().split(' ').filter_map(|word| {
            let (what, count) = word.split_once('=')?;
            matches!(what, "hit" | "read").then(|| count.parse::<u64>().unwrap())
        });
        Plan {
            pages: pages.sum(),
            text,
        }
    };
    entries.map(plan).collect()
}

/// So many deliveries for each endpoint, and a note for each, as one enqueuing after another leaves
/// them while no worker runs.
async fn fill(config: &Config, each: i64) {
    let (client, connection) = config.connect(NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let sql = format!(
        "SET auto_explain.log_min_duration = -1;
         INSERT INTO bothends_message (owner, id, kind, method, body, created)
            SELECT '', 'm' || m, 'kind', 'POST', 'x', m FROM generate_series(1, {each}) AS m;
         INSERT INTO bothends_delivery (message, endpoint, due, since, owner)
            SELECT m, e, m, m, '' FROM generate_series(1, {each}) AS m, generate_series(1, {ENDPOINTS}) AS e;
         INSERT INTO bothends_owned (owner, id, message) SELECT owner, id, message FROM bothends_delivery;
         INSERT INTO bothends_wake (endpoints, times, lines) SELECT ARRAY[e], ARRAY[m], '{{f}}'
            FROM generate_series(1, {each}) AS m, generate_series(1, {ENDPOINTS}) AS e"
    );
    client.batch_execute(&sql).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
}

/// A store with so many pending for each endpoint.
async fn filled(server: &Postgres, each: i64) -> (PostgresStore, Config) {
    let config = server.database().await;
    let store = PostgresStore::connect(config.clone(), NoTls).await.unwrap();
    for id in 0..ENDPOINTS {
        let subscription = Subscription::builder(format!("s{id}")).url("https://example.com/");
        let subscription = subscription.build().unwrap();
        store.put_subscription(subscription).await.unwrap();
    }
    fill(&config, each).await;
    (store, config)
}

/// The plans of claims and records with so many pending for each endpoint.
async fn claims(server: &Postgres, each: i64) -> Vec<Plan> {
    let (store, _) = filled(server, each).await;
    let before = server.log().len();
    for _ in 0..CLAIMS {
        let Claimed { leases, now, .. } = store.claim(request(16)).await.unwrap();
        assert_eq!(leases.len(), 16);
        let outcomes = leases
            .iter()
            .map(|lease| outcome(lease, now, Decision::Delivered));
        let circuit = CircuitPolicy::default();
        store.record(outcomes.collect(), circuit).await.unwrap();
    }
    plans(&server.log()[before..])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_reads_as_little_with_many_pending_as_with_few() {
    let test = "a_claim_reads_as_little_with_many_pending_as_with_few";
    let Some(server) = Postgres::start_with(test, EXPLAIN) else {
        return;
    };
    // 1,000 and 200,000.
    let (few, many) = (claims(&server, 10).await, claims(&server, 2000).await);
    let pages = |plans: &[Plan]| plans.iter().map(|plan| plan.pages).sum::<u64>() / CLAIMS as u64;
    let (few_pages, many_pages) = (pages(&few), pages(&many));
    println!(
        "pages for a claim and a record of 16: {few_pages} with 1,000, {many_pages} with 200,000"
    );
    assert!(few_pages > 100, "{few_pages}: the log was read");
    // An index that is 200 times larger is a level deeper; nothing else may grow.
    assert!(
        many_pages < few_pages + few_pages / 2,
        "{few_pages} pages with 1,000 pending, {many_pages} with 200,000"
    );
    for plan in few.iter().chain(&many) {
        assert!(!plan.text.contains("Seq Scan"), "{}", plan.text);
        // Sorted, the deliveries of all endpoints are read, and not only those that are leased.
        assert!(!plan.text.contains("Sort Key: e.ord"), "{}", plan.text);
    }
}

/// The plans of everything that is asked about one owner with 20 deliveries.
async fn owner(server: &Postgres, each: i64, analyze: bool) -> Vec<Plan> {
    let (store, config) = filled(server, each).await;
    let subscription = Subscription::builder("own")
        .owner("o")
        .url("https://example.com/");
    let subscription = subscription.build().unwrap();
    store.put_subscription(subscription).await.unwrap();
    for _ in 0..20 {
        let message = Message::new("kind", "{}").owner("o");
        store.enqueue(message).await.unwrap();
    }
    if analyze {
        let (client, connection) = config.connect(NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute("ANALYZE").await.unwrap();
    }
    let before = server.log().len();
    let page = store.deliveries_of("o", None, 10).await.unwrap();
    assert_eq!(page.len(), 10);
    let page = store.latest_deliveries_of("o", None, 10).await.unwrap();
    assert_eq!(page.len(), 10);
    assert_eq!(store.backlog("o").await.unwrap().waiting, 20);
    let later = Reschedule::Later(Duration::from_secs(1));
    assert_eq!(store.reschedule("o", .., later).await.unwrap(), 20);
    plans(&server.log()[before..])
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_about_an_owner_reads_nothing_of_others() {
    let test = "what_is_asked_about_an_owner_reads_nothing_of_others";
    let Some(server) = Postgres::start_with(test, EXPLAIN) else {
        return;
    };
    let few = owner(&server, 10, false).await;
    let few_pages = few.iter().map(|plan| plan.pages).sum::<u64>();
    for analyze in [false, true] {
        let many = owner(&server, 2000, analyze).await;
        let pages = many.iter().map(|plan| plan.pages).sum::<u64>();
        println!("pages: {few_pages} beside 1,000 of others, {pages} beside 200,000");
        assert!(few_pages > 20, "{few_pages}: the log was read");
        // Indices are a level deeper.
        assert!(
            pages < few_pages + few_pages / 2,
            "{few_pages} pages beside 1,000, {pages} beside 200,000: {}",
            many.iter()
                .map(|plan| plan.text.as_str())
                .collect::<String>()
        );
        for plan in few.iter().chain(&many) {
            let of_tables = plan.text.contains("Seq Scan on bothends");
            assert!(!of_tables, "{}", plan.text);
        }
    }
}

/// The plans of pages of the list of an owner with so many deliveries for each endpoint.
async fn lists(server: &Postgres, each: i64, analyze: bool) -> Vec<Plan> {
    let (store, config) = filled(server, each).await;
    if analyze {
        let (client, connection) = config.connect(NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute("ANALYZE").await.unwrap();
    }
    // Two of each endpoint are found in all of the list.
    let oldest = DeliveryFilter::new().until(Timestamp::from_millis(3));
    let page = store
        .find_deliveries("", &oldest, None, 1000)
        .await
        .unwrap();
    assert_eq!(page.len() as i64, 2 * ENDPOINTS);
    assert!(page.is_sorted_by(|next, earlier| next.id > earlier.id));
    let page = store.find_deliveries("", &oldest, None, 7).await.unwrap();
    assert_eq!(page.len(), 7);
    let before = server.log().len();
    let middle = Some(DeliveryId(each * ENDPOINTS / 2));
    for place in [None, middle] {
        let page = store.deliveries_of("", place, 10).await.unwrap();
        assert_eq!(page.len(), 10);
        let page = store.latest_deliveries_of("", place, 10).await.unwrap();
        assert_eq!(page.len(), 10);
        let filter = DeliveryFilter::new().kind("kind");
        let page = store.find_deliveries("", &filter, place, 10).await.unwrap();
        assert_eq!(page.len(), 10);
    }
    plans(&server.log()[before..])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_reads_as_little_with_many_deliveries_as_with_few() {
    let test = "a_list_reads_as_little_with_many_deliveries_as_with_few";
    let Some(server) = Postgres::start_with(test, EXPLAIN) else {
        return;
    };
    let pages = |plans: &[Plan]| plans.iter().map(|plan| plan.pages).sum::<u64>();
    let few_pages = pages(&lists(&server, 10, false).await);
    for analyze in [false, true] {
        let many = lists(&server, 2000, analyze).await;
        let many_pages = pages(&many);
        println!("pages for six lists: {few_pages} of 1,000, {many_pages} of 200,000");
        assert!(few_pages > 20, "{few_pages}: the log was read");
        // Indices are a level deeper.
        let text: String = many.iter().map(|plan| plan.text.as_str()).collect();
        assert!(
            many_pages < few_pages + few_pages / 2,
            "{many_pages}: {text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn enqueuing_does_not_compare_each_message_with_each() {
    let test = "enqueuing_does_not_compare_each_message_with_each";
    let Some(server) = Postgres::start_with(test, EXPLAIN) else {
        return;
    };
    let store = server.store().await;
    let subscription = Subscription::builder("s")
        .url("https://example.com/")
        .build();
    store.put_subscription(subscription.unwrap()).await.unwrap();
    let before = server.log().len();
    let callers = (0..200).map(|_| store.enqueue(Message::new("kind", "{}")));
    for enqueued in futures_util::future::join_all(callers).await {
        assert_eq!(enqueued.unwrap().deliveries.len(), 1);
    }
    let plans = plans(&server.log()[before..]);
    let plans = plans
        .iter()
        .filter(|plan| plan.text.contains("INSERT INTO bothends_message"));
    let mut groups = 0;
    for Plan { text, .. } in plans {
        groups += 1;
        // What a nested loop throws away is what it compared for nothing.
        assert!(!text.contains("Rows Removed by Join Filter"), "{text}");
        assert!(!text.contains("Seq Scan"), "{text}");
    }
    assert!((1..200).contains(&groups), "{groups}: committed together");
}

/// The pages that deleting the oldest hundred of as many finished deliveries reads.
async fn pruned(server: &Postgres, count: i64) -> Vec<Plan> {
    let config = server.database().await;
    let store = PostgresStore::connect(config.clone(), NoTls).await.unwrap();
    let subscription = Subscription::builder("s").url("https://example.com/");
    let subscription = subscription.build().unwrap();
    store.put_subscription(subscription).await.unwrap();
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    let sql = format!(
        "SET auto_explain.log_min_duration = -1;
         INSERT INTO bothends_message (owner, id, kind, method, body, created)
            SELECT '', 'm' || m, 'kind', 'POST', 'x', m FROM generate_series(1, {count}) AS m;
         INSERT INTO bothends_delivery (message, endpoint, state, due, since, owner)
            SELECT m, 1, 2, m, m, '' FROM generate_series(1, {count}) AS m;
         INSERT INTO bothends_attempt (delivery, n, started, ended, outcome, status, detail)
            SELECT m, 1, m, m, 'answered', 200, '' FROM generate_series(1, {count}) AS m"
    );
    client.batch_execute(&sql).await.unwrap();
    let before = server.log().len();
    assert_eq!(store.prune(Duration::ZERO, 100).await.unwrap(), 100);
    plans(&server.log()[before..])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prune_reads_as_little_with_many_finished_as_with_few() {
    let test = "a_prune_reads_as_little_with_many_finished_as_with_few";
    let Some(server) = Postgres::start_with(test, EXPLAIN) else {
        return;
    };
    let (few, many) = (pruned(&server, 1_000).await, pruned(&server, 100_000).await);
    let pages = |plans: &[Plan]| plans.iter().map(|plan| plan.pages).sum::<u64>();
    let (few_pages, many_pages) = (pages(&few), pages(&many));
    println!("pages for 100 of 1,000: {few_pages}, of 100,000: {many_pages}");
    assert!(few_pages > 100, "{few_pages}: the log was read");
    // Indices are a level deeper.
    assert!(
        many_pages < few_pages + few_pages / 2,
        "{few_pages} pages of 1,000, {many_pages} of 100,000"
    );
    for plan in few.iter().chain(&many) {
        assert!(!plan.text.contains("Seq Scan on bothends"), "{}", plan.text);
    }
}

/// The pages that each claim and record of 200 reads, and those of its look for notes and expired leases, while a
/// transaction with an earlier snapshot keeps the rows and index entries of all deliveries that are finished. Each lease
/// expires before the next round, unless it has ended. After a third of them, the planner has statistics.
async fn rounds_beside_a_snapshot(server: &Postgres, rounds: usize) -> Vec<[u64; 2]> {
    let config = server.database().await;
    let lease = Duration::from_secs(10);
    let clock = ManualClock::new(Timestamp::now());
    let store = PostgresStore::connect_with_clock(config.clone(), NoTls, clock.clone());
    let store = store.await.unwrap();
    let subscription = Subscription::builder("s").url("https://example.com/");
    let subscription = subscription.concurrency(256).build().unwrap();
    store.put_subscription(subscription).await.unwrap();
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    let fill = format!(
        "SET auto_explain.log_min_duration = -1;
         INSERT INTO bothends_message (owner, id, kind, method, body, created)
            SELECT '', 'm' || m, 'kind', 'POST', 'x', m FROM generate_series(1, {0}) AS m;
         INSERT INTO bothends_delivery (message, endpoint, due, since, owner)
            SELECT key, (SELECT id FROM bothends_endpoint), key, key, '' FROM bothends_message;
         INSERT INTO bothends_wake (endpoints, times, lines) SELECT ARRAY[id], '{{1}}', '{{f}}' FROM bothends_endpoint",
        200 * rounds
    );
    client.batch_execute(&fill).await.unwrap();
    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1";
    client.batch_execute(begin).await.unwrap();
    let mut pages = Vec::new();
    for round in 0..rounds {
        if round == rounds / 3 {
            let (client, connection) = config.connect(NoTls).await.unwrap();
            tokio::spawn(connection);
            client.batch_execute("ANALYZE").await.unwrap();
        }
        clock.advance(lease + Duration::from_secs(2));
        let before = server.log().len();
        let Claimed { leases, now, .. } = store
            .claim(ClaimRequest {
                lease,
                ..request(200)
            })
            .await
            .unwrap();
        assert_eq!(leases.len(), 200);
        let outcomes = leases
            .iter()
            .map(|lease| outcome(lease, now, Decision::Delivered));
        let circuit = CircuitPolicy::default();
        store.record(outcomes.collect(), circuit).await.unwrap();
        let plans = plans(&server.log()[before..]);
        for plan in &plans {
            // What a nested loop throws away is what it compared for nothing.
            let compared = plan.text.contains("Rows Removed by Join Filter");
            assert!(!compared, "{}", plan.text);
        }
        let looks = |plan: &&Plan| plan.text.contains("bothends_wake");
        let sum = |plans: &mut dyn Iterator<Item = &Plan>| plans.map(|plan| plan.pages).sum();
        pages.push([sum(&mut plans.iter()), sum(&mut plans.iter().filter(looks))]);
    }
    pages
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_deliveries_that_a_snapshot_keeps_are_not_read_again() {
    let test = "finished_deliveries_that_a_snapshot_keeps_are_not_read_again";
    let Some(server) = Postgres::start_with(test, EXPLAIN) else {
        return;
    };
    let pages = rounds_beside_a_snapshot(&server, 30).await;
    println!("pages of each claim and record of 200, and of their looks: {pages:?}");
    // Read again, each of the 24 rounds between would add a page or more to each of five.
    for of_looks in [0, 1] {
        let sum_of = |rounds: &[[u64; 2]]| rounds.iter().map(|round| round[of_looks]).sum::<u64>();
        let (first, last) = (sum_of(&pages[1..6]), sum_of(&pages[25..]));
        assert!(first > 0, "the log was read");
        let most = first + (first / 2).max(24 * 5 / 2);
        assert!(last < most, "{first} at first, {last} at last");
    }
}
