//! The settings of a listener.

use super::forward::Forward;
use super::watch::{self, Watch};
use super::{ConsoleClient, Cursor, ListenError, Listener, subscription};
use crate::console::api::client::{Client, Credentials};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{mpsc, watch as signal};

/// A builder for a [`Listener`].
#[derive(Clone, Default)]
#[must_use]
pub struct ListenerBuilder {
    console: String,
    token: String,
    project: String,
    forward: Option<String>,
    kinds: Vec<String>,
    name: Option<String>,
    signing_token: Option<String>,
    cursor: Option<String>,
    cursor_file: Option<PathBuf>,
}

/// Omits the tokens.
impl std::fmt::Debug for ListenerBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ListenerBuilder")
            .field("console", &self.console)
            .field("project", &self.project)
            .field("forward", &self.forward)
            .field("kinds", &self.kinds)
            .finish_non_exhaustive()
    }
}

impl ListenerBuilder {
    /// Sets the URL of the console, and the token of its API.
    pub fn console(mut self, url: impl Into<String>, token: impl Into<String>) -> Self {
        self.console = url.into();
        self.token = token.into();
        self
    }

    /// Sets the id of the project.
    pub fn project(mut self, id: impl Into<String>) -> Self {
        self.project = id.into();
        self
    }

    /// Sets the local URL. `{kind}` in it is replaced by the kind of the webhook. Without a URL,
    /// every webhook is acknowledged with 200.
    pub fn forward(mut self, url: impl Into<String>) -> Self {
        self.forward = Some(url.into());
        self
    }

    /// Selects a kind of webhook, such as `refreshCompleted`. Without one, all kinds that are
    /// available to the project are selected.
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kinds.push(kind.into());
        self
    }

    /// Sets the name of the receiver, `listen` by default. Two listeners with one name share their
    /// webhooks.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the token with which webhooks are signed, if the project signs with tokens. It must have
    /// more than 32 characters. Without one, an existing subscription keeps its token, and the
    /// webhooks of a new one are not signed.
    pub fn signing_token(mut self, token: impl Into<String>) -> Self {
        self.signing_token = Some(token.into());
        self
    }

    /// Begins after this cursor, which is the id of a received webhook.
    pub fn cursor(mut self, cursor: impl Into<String>) -> Self {
        self.cursor = Some(cursor.into());
        self
    }

    /// Begins after the cursor in a file, and writes the cursor of each webhook to it.
    pub fn cursor_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.cursor_file = Some(file.into());
        self
    }

    /// Subscribes, and begins to forward.
    ///
    /// # Errors
    /// Returns an error if a URL is not valid, if the console rejects the request, or if the file of
    /// the cursor cannot be read.
    pub async fn start(self) -> Result<Listener, ListenError> {
        let client = console_client(&self.console, &self.token)?;
        let forward = Arc::new(Forward::new(self.forward.as_deref())?);
        let name = self.name.as_deref().unwrap_or("listen");
        let console = self.console.trim_end_matches('/');
        let receiver = format!("{console}/receivers/{}/{name}-{{kind}}", self.project);
        let kinds = subscription::kinds(&client, &self.project, &self.kinds).await?;
        let mut cursor = Cursor::read(self.cursor, self.cursor_file)?;
        if cursor.get().is_none() {
            // What follows is new, even if the connection breaks before the first webhook.
            let last = watch::last(&client, &self.project).await?;
            cursor.begin(last);
        }
        let request = subscription::Request {
            receiver: &receiver,
            kinds: &kinds,
            signing_token: self.signing_token,
        };
        let subscription = subscription::put(&client, &self.project, request).await?;
        let (notices, noticed) = mpsc::unbounded_channel();
        let (stop, stopping) = signal::channel(false);
        let watch = Watch {
            client,
            project: self.project,
            prefix: format!("{name}-"),
            kinds,
            forward: Arc::clone(&forward),
            cursor,
            notices,
        };
        let task = tokio::spawn(watch.run(stopping));
        Ok(Listener {
            forward,
            receiver,
            subscription,
            notices: noticed,
            stop,
            task: Some(task),
        })
    }
}

/// Returns a client of the console API.
///
/// # Errors
/// Returns an error if the URL is not valid.
pub(crate) fn console_client(url: &str, token: &str) -> Result<ConsoleClient, ListenError> {
    let client = Client::new(url).map_err(ListenError::new)?;
    let credentials = Credentials {
        console_token: Some(token.into()),
    };
    Ok(client.with_credentials(credentials).boxed())
}
