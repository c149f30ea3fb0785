//! Deliveries per second on PostgreSQL while another transaction of the database is held open, beside those from
//! another database of the same server without one. Both run at the same time, so that whatever else the machine does
//! takes the same from both.

use crate::postgres::Postgres;
use crate::receiver;
use crate::table::{Table, Target};
use crate::workload::{message, subscribe, worker};
use bothends_delivery::DeliveryStore;
use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::tokio_postgres::NoTls;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// How many messages may be enqueued and not delivered.
const OPEN: u64 = 2_000;

/// Measures with and without a transaction, with one endpoint and with 64. `HELD` is the number of seconds
/// for each number of endpoints, 30 if it is not set.
pub async fn measure(server: &Postgres, table: &mut Table) {
    let seconds = std::env::var("HELD").map_or(30, |seconds| seconds.parse().unwrap());
    for endpoints in [1, 64] {
        let (clean, held) = tokio::join!(
            run(server, endpoints, seconds, false),
            run(server, endpoints, seconds, true)
        );
        let rates = |run: &Rates| format!("{:.0}, {:.0}", run.whole, run.last);
        for (name, run) in [("clean", &clean), ("a transaction held", &held)] {
            let subject = format!(
                "deliveries/s in {seconds} s, {endpoints} endpoints, {name}: whole, last fifth"
            );
            table.add("PostgreSQL", &subject, rates(run), None);
        }
        for (part, share) in [
            ("whole", held.whole / clean.whole),
            ("last fifth", held.last / clean.last),
        ] {
            let subject = format!("held to clean, {endpoints} endpoints, {part}");
            let target = Some(Target::AtLeast(share, 0.9));
            table.add("PostgreSQL", &subject, format!("{share:.2}"), target);
        }
    }
}

/// Deliveries per second.
struct Rates {
    whole: f64,
    last: f64,
}

async fn run(server: &Postgres, endpoints: usize, seconds: u64, is_held: bool) -> Rates {
    let config = server.database().await;
    let store = PostgresStore::connect(config.clone(), NoTls).await.unwrap();
    let url = receiver::start().await;
    subscribe(&store, endpoints, &url).await;
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    if is_held {
        // The first statement takes the snapshot, which keeps all rows that are deleted from now on.
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1";
        client.batch_execute(begin).await.unwrap();
    }
    let worker = worker(store.clone(), 256);
    let metrics = worker.metrics();
    let open = Arc::new(Semaphore::new(OPEN as usize));
    let callers: Vec<_> = (0..64)
        .map(|caller| {
            let (store, open) = (store.clone(), Arc::clone(&open));
            tokio::spawn(async move {
                for number in (caller..).step_by(64) {
                    let Ok(permit) = open.acquire().await else {
                        return;
                    };
                    permit.forget();
                    store.enqueue(message(number, endpoints)).await.unwrap();
                }
            })
        })
        .collect();
    let (began, whole) = (Instant::now(), Duration::from_secs(seconds));
    let mut rates = Rates {
        whole: 0.0,
        last: 0.0,
    };
    let finished = async {
        let (mut before, mut last) = (0, None);
        while began.elapsed() < whole {
            tokio::time::sleep(Duration::from_millis(5)).await;
            let delivered = metrics.snapshot().delivered;
            open.add_permits((delivered - before) as usize);
            before = delivered;
            if began.elapsed() >= whole * 4 / 5 {
                last.get_or_insert((Instant::now(), delivered));
            }
        }
        let (since, at) = last.unwrap();
        rates = Rates {
            whole: before as f64 / began.elapsed().as_secs_f64(),
            last: (before - at) as f64 / since.elapsed().as_secs_f64(),
        };
        open.close();
        for caller in callers {
            caller.await.unwrap();
        }
    };
    worker.run(finished).await;
    drop(client);
    rates
}
