//! Notifications about new deliveries.

use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::watch;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{AsyncMessage, Config, Error, Socket};

/// Wakes the workers of all machines.
pub(super) const NOTIFY: &str = "NOTIFY bothends_delivery";
const LISTEN: &str = "LISTEN bothends_delivery";
/// The pause before a reconnect.
const PAUSE: Duration = Duration::from_millis(500);

/// Listens for notifications until the task is aborted.
pub(super) async fn listen<T>(config: Config, tls: T, changes: watch::Sender<u64>)
where
    T: MakeTlsConnect<Socket> + Clone,
{
    loop {
        if let Err(error) = listen_once(&config, tls.clone(), &changes).await {
            tracing::warn!(%error, "listening");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn listen_once<T>(config: &Config, tls: T, changes: &watch::Sender<u64>) -> Result<(), Error>
where
    T: MakeTlsConnect<Socket>,
{
    let (client, mut connection) = config.connect(tls).await?;
    let messages = async {
        while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(_) = message? {
                stir(changes);
            }
        }
        Ok(())
    };
    let listening = async {
        client.batch_execute(LISTEN).await?;
        // Notifications may have been missed before `LISTEN`.
        stir(changes);
        std::future::pending::<Result<(), Error>>().await
    };
    let (messages, listening) = (pin!(messages), pin!(listening));
    tokio::select! {
        ended = messages => ended,
        failed = listening => failed,
    }
}

fn stir(changes: &watch::Sender<u64>) {
    changes.send_modify(|count| *count = count.wrapping_add(1));
}
