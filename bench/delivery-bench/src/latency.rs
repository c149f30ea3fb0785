//! The latency from the call of `enqueue` to the first byte at the receiver.

use crate::receiver::{self, Arrival};
use crate::workload::{message, subscribe, worker};
use bothends_delivery::{DeliveryStore, MessageId};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;

/// Messages that are sent before the measured ones: connections, plans and the endpoint's first response.
const WARM_UP: usize = 20;

/// Measures one message at a time, with a pause after each, in which worker and store become idle.
pub async fn idle<S: DeliveryStore>(store: S) -> Vec<Duration> {
    const MESSAGES: usize = 500;
    with_worker(store, async |store, mut arrivals| {
        let mut latencies = Vec::new();
        for number in 0..WARM_UP + MESSAGES {
            tokio::time::sleep(Duration::from_millis(10 + number as u64 % 10)).await;
            let began = Instant::now();
            enqueue(&store, number).await;
            let (_, at) = arrivals.recv().await.unwrap();
            latencies.push(at.duration_since(began));
        }
        latencies.split_off(WARM_UP)
    })
    .await
}

/// Measures an open loop: a thread starts a message each millisecond, whatever became of earlier ones. The
/// latency of each begins at the time for which it was scheduled.
pub async fn paced<S: DeliveryStore>(store: S) -> Vec<Duration> {
    const MESSAGES: usize = 10_000;
    const APART: Duration = Duration::from_millis(1);
    with_worker(store, async |store, mut arrivals| {
        for number in 0..WARM_UP {
            enqueue(&store, number).await;
            arrivals.recv().await.unwrap();
        }
        let began = Instant::now();
        let runtime = tokio::runtime::Handle::current();
        let pacing = std::thread::spawn(move || {
            for number in 0..MESSAGES {
                let due = began + APART * number as u32;
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                let store = store.clone();
                runtime.spawn(async move { enqueue(&store, WARM_UP + number).await });
            }
        });
        let mut latencies = Vec::new();
        for _ in 0..MESSAGES {
            let (id, at) = arrivals.recv().await.unwrap();
            let number = id.parse::<usize>().unwrap() - WARM_UP;
            latencies.push(at.duration_since(began + APART * number as u32));
        }
        pacing.join().unwrap();
        latencies
    })
    .await
}

async fn enqueue(store: &impl DeliveryStore, number: usize) {
    let id = MessageId::new(number.to_string()).unwrap();
    store.enqueue(message(number, 1).id(id)).await.unwrap();
}

/// Runs a measurement beside a worker with one endpoint.
async fn with_worker<S: DeliveryStore>(
    store: S,
    measurement: impl AsyncFnOnce(S, UnboundedReceiver<Arrival>) -> Vec<Duration>,
) -> Vec<Duration> {
    let (url, arrivals) = receiver::start_reporting().await;
    subscribe(&store, 1, &url).await;
    let mut latencies = Vec::new();
    let finished = async { latencies = measurement(store.clone(), arrivals).await };
    worker(store.clone(), 256).run(finished).await;
    latencies
}
