//! Notifications about new deliveries.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{AsyncMessage, Client, Config, Error, Socket};

const LISTEN: &str = "LISTEN bothends_delivery";
/// The pause before a reconnect.
const PAUSE: Duration = Duration::from_millis(500);

/// Wakes workers: those of this process at once, and those of other processes by a notification.
#[derive(Clone)]
pub(super) struct Waker {
    pub(super) changes: watch::Sender<u64>,
    /// The id of the store, which marks its own notifications.
    id: Arc<str>,
}

impl Waker {
    pub(super) fn new() -> Self {
        Self {
            changes: watch::Sender::new(0),
            id: uuid::Uuid::now_v7().to_string().into(),
        }
    }

    /// Wakes the workers of this process.
    pub(super) fn wake_here(&self) {
        self.changes
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Notifies all other processes.
    pub(super) async fn notify(&self, client: &Client) -> Result<(), Error> {
        let notify = format!("NOTIFY bothends_delivery, '{}'", self.id);
        client.batch_execute(&notify).await
    }
}

/// Listens for notifications until the task is aborted.
pub(super) async fn listen<T>(config: Config, tls: T, waker: Waker)
where
    T: MakeTlsConnect<Socket> + Clone,
{
    loop {
        if let Err(error) = listen_once(&config, tls.clone(), &waker).await {
            tracing::warn!(%error, "listening");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn listen_once<T>(config: &Config, tls: T, waker: &Waker) -> Result<(), Error>
where
    T: MakeTlsConnect<Socket>,
{
    let (client, mut connection) = config.connect(tls).await?;
    let messages = async {
        while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
            // The store has woken its own workers before it sent the notification.
            if let AsyncMessage::Notification(notification) = message?
                && notification.payload() != &*waker.id
            {
                waker.wake_here();
            }
        }
        Ok(())
    };
    let listening = async {
        client.batch_execute(LISTEN).await?;
        // Notifications may have been missed before `LISTEN`.
        waker.wake_here();
        std::future::pending::<Result<(), Error>>().await
    };
    let (messages, listening) = (pin!(messages), pin!(listening));
    tokio::select! {
        ended = messages => ended,
        failed = listening => failed,
    }
}
