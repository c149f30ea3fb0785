//! Enqueue commits and deliveries per second.

use crate::postgres::Postgres;
use crate::receiver;
use crate::table::{Table, Target};
use crate::workload::{enqueue_all, message, subscribe, worker};
use bothends_delivery::DeliveryStore;
use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::tokio_postgres::NoTls;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Measures enqueue commits per second. Each caller enqueues messages one by one, and waits for
/// each commit.
pub async fn enqueue<S: DeliveryStore>(store: S, callers: usize) -> f64 {
    subscribe(&store, 64, "https://example.com/").await;
    let (began, until) = (Instant::now(), Duration::from_secs(3));
    let done = Arc::new(AtomicU64::new(0));
    let tasks: Vec<_> = (0..callers)
        .map(|caller| {
            let (store, done) = (store.clone(), Arc::clone(&done));
            tokio::spawn(async move {
                while began.elapsed() < until {
                    store.enqueue(message(caller, 64)).await.unwrap();
                    done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    done.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64()
}

/// How many times one endpoint is compared with 64.
const PAIRS: usize = 9;

/// Measures deliveries with one endpoint and with 64 in turn, because rates depend on the minute. The rates and their
/// ratio are medians.
pub async fn compare<S: DeliveryStore>(
    name: &str,
    open: &impl AsyncFn(&str) -> S,
    table: &mut Table,
) {
    let (mut single, mut many, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..PAIRS {
        let one = deliver(open(&format!("deliver1-{round}")).await, 1).await;
        let all = deliver(open(&format!("deliver64-{round}")).await, 64).await;
        println!("{name} deliveries/s, 1 and 64 endpoints: {one:.0}, {all:.0}");
        single.push(one);
        many.push(all);
        shares.push(all / one);
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[PAIRS / 2]
    };
    for (endpoints, rates) in [("1 endpoint", single), ("64 endpoints", many)] {
        let rate = median(rates);
        let target = (name == "PostgreSQL").then_some(Target::AtLeast(rate, 6_000.0));
        table.add(
            name,
            &format!("deliveries/s, {endpoints}"),
            format!("{rate:.0}"),
            target,
        );
    }
    let share = median(shares);
    let target = Some(Target::AtLeast(share, 0.9));
    table.add(name, "64 endpoints to one", format!("{share:.2}"), target);
}

/// Measures concurrent enqueueing and sending, from the first commit to the last recorded outcome.
async fn deliver<S: DeliveryStore>(store: S, endpoints: usize) -> f64 {
    const MESSAGES: usize = 30_000;
    let url = receiver::start().await;
    subscribe(&store, endpoints, &url).await;
    let worker = worker(store.clone(), 256);
    let metrics = worker.metrics();
    let began = Instant::now();
    let callers = {
        let store = store.clone();
        tokio::spawn(async move { enqueue_all(&store, MESSAGES, endpoints).await })
    };
    let finished = async {
        while metrics.snapshot().delivered < MESSAGES as u64 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    worker.run(finished).await;
    callers.await.unwrap();
    MESSAGES as f64 / began.elapsed().as_secs_f64()
}

/// Measures four workers that clear a backlog while as many messages again are enqueued. Each
/// worker has its own connections, like separate processes. The time is from the start of the
/// workers to the last recorded outcome.
pub async fn backlog(server: &Postgres) -> f64 {
    const MESSAGES: usize = 10_000;
    const ENDPOINTS: usize = 64;
    let config = server.database().await;
    let connect = async || PostgresStore::connect(config.clone(), NoTls).await.unwrap();
    let store = connect().await;
    let url = receiver::start().await;
    subscribe(&store, ENDPOINTS, &url).await;
    enqueue_all(&store, MESSAGES, ENDPOINTS).await;
    let began = Instant::now();
    let mut metrics = Vec::new();
    let stop = tokio::sync::watch::channel(false).0;
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let worker = worker(connect().await, 64);
        metrics.push(worker.metrics());
        let mut stopped = stop.subscribe();
        workers.spawn(async move { worker.run(async { drop(stopped.changed().await) }).await });
    }
    enqueue_all(&store, MESSAGES, ENDPOINTS).await;
    let delivered = || {
        let each = metrics.iter().map(|metrics| metrics.snapshot().delivered);
        each.sum::<u64>()
    };
    while delivered() < 2 * MESSAGES as u64 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let rate = 2.0 * MESSAGES as f64 / began.elapsed().as_secs_f64();
    let _ = stop.send(true);
    while workers.join_next().await.is_some() {}
    rate
}
