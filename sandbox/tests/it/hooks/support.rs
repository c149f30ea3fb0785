//! What the tests share: a sandbox, a receiver of their own, and the log of sent webhooks.

use financial_data_sandbox::Sandbox;
use financial_data_sandbox::app::App;
use financial_data_sandbox::model::{Project, SentWebhook};
use financial_data_sandbox::store::{Changes, CommitError, Page};
use financial_data_sandbox::subscriptions::{self, Subscription, SubscriptionInput};
use financial_data_sandbox::webhooks::{self, Trigger, Triggered};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// A signing token of sufficient length.
pub(crate) const TOKEN: &str = "a-signing-token-of-forty-four-characters-abc";

/// How often the log is read without an announcement.
const LOOK: Duration = Duration::from_millis(100);

/// A running sandbox, and the id of its first project.
pub(crate) async fn start() -> (Sandbox, String) {
    let sandbox = crate::database::start().await;
    let project = sandbox.first().unwrap().project.id.clone();
    (sandbox, project)
}

/// Changes a project; the change is made again if the project was changed meanwhile.
pub(crate) async fn change(app: &App, id: &str, change: impl Fn(&mut Project)) -> Project {
    loop {
        let mut stored = app.project(id).await.unwrap().unwrap();
        change(&mut stored.value);
        let mut changes = Changes::new();
        changes.update(&stored);
        match app.store.commit(changes).await {
            Ok(()) => return stored.value,
            Err(CommitError::Conflict) => {}
            Err(CommitError::Storage(error)) => panic!("{error}"),
        }
    }
}

pub(crate) async fn project(app: &App, id: &str) -> Project {
    app.project(id).await.unwrap().unwrap().value
}

/// Subscribes a URL to all kinds.
pub(crate) async fn subscribe(app: &App, project: &str, url: &str) -> Subscription {
    let input = SubscriptionInput {
        url: Some(url.to_owned()),
        ..SubscriptionInput::default()
    };
    subscriptions::create(app, project, input).await.unwrap()
}

/// Triggers an event with its example body.
pub(crate) async fn trigger(app: &App, id: &str, kind: &str) -> Triggered {
    let project = project(app, id).await;
    let triggered = webhooks::trigger(app, &project, kind, Trigger::default());
    triggered.await.unwrap()
}

/// Returns the log of sent webhooks, once it has at least this many entries.
pub(crate) async fn log(app: &App, project: &str, least: usize) -> Vec<SentWebhook> {
    let mut activity = app.recorder.watch();
    loop {
        let sent = app.store.list::<SentWebhook>(project, Page::first(1000));
        let sent = sent.await.unwrap();
        if sent.len() >= least {
            return sent.into_iter().map(|sent| sent.value).collect();
        }
        // Another instance may have sent it: its announcements do not arrive here.
        let _ = tokio::time::timeout(LOOK, activity.recv()).await;
    }
}

/// A request as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Arrived {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Arrived {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(&found.1)
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// What a receiver does with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reply {
    Status(u16),
    /// No response, and the connection remains open.
    Silence,
    /// The connection is closed.
    Close,
}

/// A receiver of webhooks on a free port.
pub(crate) struct Receiver {
    pub(crate) url: String,
    arrived: mpsc::UnboundedReceiver<Arrived>,
}

impl Receiver {
    /// Starts a receiver that decides about each request.
    pub(crate) async fn start(reply: impl Fn(&Arrived) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (arriving, arrived) = mpsc::unbounded_channel();
        let reply = Arc::new(reply);
        tokio::spawn(async move {
            loop {
                let Ok((stream, _)) = listener.accept().await else {
                    return;
                };
                let (reply, arriving) = (Arc::clone(&reply), arriving.clone());
                tokio::spawn(async move { serve(stream, &*reply, &arriving).await });
            }
        });
        Self { url, arrived }
    }

    /// Starts a receiver that responds to every request with a status.
    pub(crate) async fn always(status: u16) -> Self {
        Self::start(move |_| Reply::Status(status)).await
    }

    pub(crate) async fn next(&mut self) -> Arrived {
        self.arrived.recv().await.unwrap()
    }

    /// Returns the requests that have arrived and were not returned yet.
    pub(crate) fn so_far(&mut self) -> Vec<Arrived> {
        std::iter::from_fn(|| self.arrived.try_recv().ok()).collect()
    }
}

async fn serve(
    mut stream: TcpStream,
    reply: &(impl Fn(&Arrived) -> Reply + Sync),
    arriving: &mpsc::UnboundedSender<Arrived>,
) {
    while let Some(request) = read(&mut stream).await {
        let reply = reply(&request);
        let _ = arriving.send(request);
        match reply {
            Reply::Status(status) => {
                let response = format!("HTTP/1.1 {status} X\r\ncontent-length: 2\r\n\r\nok");
                if stream.write_all(response.as_bytes()).await.is_err() {
                    return;
                }
            }
            Reply::Silence => std::future::pending().await,
            Reply::Close => return,
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Arrived> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8(bytes[..head].to_vec()).unwrap();
    let mut lines = text.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let mut arrived = Arrived {
        method,
        path,
        headers,
        body: bytes[head + 4..].to_vec(),
    };
    let length: usize = arrived
        .header("content-length")
        .map_or(0, |length| length.parse().unwrap());
    while arrived.body.len() < length {
        if stream.read_buf(&mut arrived.body).await.ok()? == 0 {
            return None;
        }
    }
    Some(arrived)
}
