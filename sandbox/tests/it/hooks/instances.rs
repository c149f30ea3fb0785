//! Two instances on one PostgreSQL.

use super::support::{Receiver, log, subscribe, trigger};
use crate::postgres::Postgres;
use financial_data_sandbox::webhooks::keys::{self, KeyAlgorithm};
use financial_data_sandbox::{Sandbox, clock, webhooks};

pub(crate) fn url(config: &tokio_postgres::Config) -> String {
    let tokio_postgres::config::Host::Unix(folder) = &config.get_hosts()[0] else {
        panic!("reached by a socket");
    };
    let folder = folder.display().to_string().replace('/', "%2F");
    let name = config.get_dbname().unwrap();
    format!("postgres://postgres@{folder}/{name}")
}

#[tokio::test]
async fn retries_follow_the_clock_whichever_instance_sends() {
    let Some(server) = Postgres::start("retries_follow_the_clock_whichever_instance_sends") else {
        return;
    };
    let url = url(&server.database().await);
    let sandbox = Sandbox::builder().database(&url).start().await.unwrap();
    let other = Sandbox::builder().database(&url).start().await.unwrap();
    let id = sandbox.first().unwrap().project.id.clone();
    let start = clock::freeze(sandbox.app(), &id).await.unwrap();
    let start = start.clock.frozen_at.unwrap();
    let mut receiver = Receiver::always(503).await;
    subscribe(other.app(), &id, &receiver.url).await;
    trigger(sandbox.app(), &id, "refreshCompleted").await;
    // Instances take turns: each finds the retries that the other has recorded.
    let pauses = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560].map(|pause| pause * 1000);
    for (index, pause) in pauses.into_iter().enumerate() {
        let app = if index % 2 == 0 {
            other.app()
        } else {
            sandbox.app()
        };
        let advanced = clock::advance(app, &id, pause, true).await.unwrap();
        assert_eq!(advanced.settled, Some(true));
    }
    let sent = log(sandbox.app(), &id, 11).await;
    let mut times: Vec<i64> = sent.iter().map(|sent| sent.project_time - start).collect();
    times.sort_unstable();
    let sums = pauses.iter().scan(0, |sum, pause| {
        *sum += pause;
        Some(*sum)
    });
    let expected: Vec<i64> = std::iter::once(0).chain(sums).collect();
    assert_eq!(times, expected);
    assert_eq!(receiver.so_far().len(), 11, "nothing is sent twice");

    let before = webhooks::jwks(sandbox.app()).await.unwrap();
    assert_eq!(before, webhooks::jwks(other.app()).await.unwrap());
    let key = keys::rotate(other.app(), KeyAlgorithm::EdDsa)
        .await
        .unwrap();
    let after = webhooks::jwks(sandbox.app()).await.unwrap();
    assert!(after.to_string().contains(&key));
}
