//! Starting and stopping.

use crate::app::{App, Schedule, SendingState, Shared, SignInState, Urls};
use crate::config::Config;
use crate::first::{self, KnownProject};
use crate::ids;
use crate::recorder::Recorder;
use crate::seed::Seeded;
use crate::start_error::StartError;
use crate::store::Store;
use crate::{api, console, ops, subscriptions, tasks, webhooks};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How long requests in progress may take at shutdown.
const GRACE: Duration = Duration::from_secs(10);
/// Time to receive a request body, and a second more for each 10 KiB: calls are recorded, and forms of
/// the console are read, before a router with a limit of its own.
const BODY_TIMEOUT: Duration = Duration::from_secs(60);

/// The largest number of connections of a listener.
const CONNECTIONS: usize = 10_000;

/// A running sandbox. Dropping it stops it without finishing requests in progress;
/// [`Sandbox::stop`] finishes them.
///
/// ```no_run
/// # async fn test() -> Result<(), Box<dyn std::error::Error>> {
/// let sandbox = financial_data_sandbox::Sandbox::start().await?;
/// println!("{} {:?}", sandbox.api_url(), sandbox.first());
/// sandbox.stop().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Sandbox {
    app: Shared,
    urls: Urls,
    console_token: String,
    console_password: Option<String>,
    first: Option<Seeded>,
    known: Option<KnownProject>,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
    recording: Option<JoinHandle<()>>,
}

/// A builder for a [`Sandbox`].
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct SandboxBuilder {
    config: Config,
}

impl SandboxBuilder {
    /// Sets the whole configuration.
    pub fn config(self, config: Config) -> Self {
        Self { config }
    }

    /// Sets the database: `sqlite::memory:` (the default), `sqlite:FILE` or `postgres://…`.
    pub fn database(mut self, url: impl Into<String>) -> Self {
        self.config.database = Some(url.into());
        self
    }

    /// Derives the ids and secrets of the first project from a number.
    pub fn seed(mut self, seed: u64) -> Self {
        self.config.seed = Some(seed);
        self
    }

    /// Starts the sandbox on the configured addresses. Without a configuration, the system chooses
    /// free ports of the loopback address.
    ///
    /// # Errors
    /// Returns an error if an address is in use, or if the database cannot be opened.
    pub async fn start(self) -> Result<Sandbox, StartError> {
        let free = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut config = self.config;
        config.listen.get_or_insert(free);
        config.console_listen.get_or_insert(free);
        Sandbox::start_with(config).await
    }
}

impl Sandbox {
    /// Starts a sandbox with a database in memory, on free ports of the loopback address.
    ///
    /// # Errors
    /// Returns an error if the sandbox cannot listen.
    pub async fn start() -> Result<Self, StartError> {
        Self::builder().start().await
    }

    /// Returns a builder.
    pub fn builder() -> SandboxBuilder {
        SandboxBuilder::default()
    }

    /// Starts a sandbox.
    ///
    /// # Errors
    /// Returns an error if an address is in use, or if the database cannot be opened.
    pub async fn start_with(config: Config) -> Result<Self, StartError> {
        let listen = async |address: SocketAddr| {
            let listener = TcpListener::bind(address).await;
            listener.map_err(|error| StartError::Listen { address, error })
        };
        // The addresses first: a port in use must not leave a new database behind.
        let api = listen(config.listen()).await?;
        let page = listen(config.console_listen()).await?;
        let urls = Urls {
            api: public_url(&api, config.public_url.as_deref())?,
            console: public_url(&page, config.public_console_url.as_deref())?,
        };
        if config.has_exposed_seed() {
            tracing::warn!(
                "the secrets of the first project belong to the seed: everybody who knows or guesses \
                 it has them. Start without `--seed` where strangers reach the sandbox"
            );
        }
        let store = Store::open(config.database()).await?;
        let first = first::create(&store, config.seed).await?;
        let known = match &first {
            Some(first) => Some(KnownProject::from(first)),
            None => first::oldest(&store).await?,
        };
        let console_token = match &config.console_token {
            Some(token) => token.clone(),
            None => ids::secret()?,
        };
        let (recorder, recording) = Recorder::start(store.clone());
        let (stop, stopping) = watch::channel(false);
        let app = Arc::new(App {
            store,
            recorder,
            due: Schedule::default(),
            hooks: SendingState::default(),
            attempts: SignInState::default(),
            console_token_hash: ids::hash(&console_token),
            urls: OnceLock::from(urls.clone()),
            config,
            stopping: stopping.clone(),
        });
        let console_password = console::prepare(&app).await?;
        if let Err(error) = subscriptions::sync_all(&app).await {
            tracing::warn!(%error, "comparing the subscriptions");
        }
        let serving = serve(&app, api, page, &stopping);
        let working = [
            tokio::spawn(tasks::run(Arc::clone(&app), stopped(stopping.clone()))),
            tokio::spawn(webhooks::run(Arc::clone(&app), stopped(stopping.clone()))),
            tokio::spawn(console::run(Arc::clone(&app), stopped(stopping))),
        ];
        Ok(Self {
            app,
            urls,
            console_token,
            console_password,
            first,
            known,
            stop,
            tasks: serving.into_iter().chain(working).collect(),
            recording: Some(recording),
        })
    }

    /// Returns the URL of the API, without a trailing slash.
    pub fn api_url(&self) -> &str {
        &self.urls.api
    }

    /// Returns the URL of the console, without a trailing slash.
    pub fn console_url(&self) -> &str {
        &self.urls.console
    }

    /// Returns the bearer token of the console API.
    pub fn console_token(&self) -> &str {
        &self.console_token
    }

    /// Returns the password of the console, if it was made at this start.
    pub fn console_password(&self) -> Option<&str> {
        self.console_password.as_deref()
    }

    /// Returns the first project with its secrets. `None` if the database has projects already and
    /// the sandbox has no seed, because secrets are stored as hashes.
    pub const fn first(&self) -> Option<&Seeded> {
        self.first.as_ref()
    }

    /// Returns the oldest project: the first one, unless it was deleted. `None` if the database has none.
    pub const fn project(&self) -> Option<&KnownProject> {
        self.known.as_ref()
    }

    /// Returns the state, for tests.
    pub const fn app(&self) -> &Shared {
        &self.app
    }

    /// Stops the sandbox: no new requests are accepted, and those in progress are finished.
    pub async fn stop(mut self) {
        // An error means that everything has stopped already.
        let _ = self.stop.send(true);
        let waiting = async {
            for task in self.tasks.drain(..) {
                if let Err(error) = task.await {
                    tracing::warn!(%error, "a part of the program failed");
                }
            }
        };
        if tokio::time::timeout(GRACE, waiting).await.is_err() {
            tracing::warn!("stopped with requests in progress");
        }
        let recording = self.recording.take();
        drop(self);
        if let Some(recording) = recording {
            // Ends when everything is written and the last user of the state is gone.
            let _ = tokio::time::timeout(GRACE, recording).await;
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
    }
}

/// Returns the URL of a listener. A listener on all addresses is reached at the loopback address.
fn public_url(listener: &TcpListener, public: Option<&str>) -> Result<String, StartError> {
    if let Some(public) = public {
        return Ok(public.trim_end_matches('/').to_owned());
    }
    let mut address = listener.local_addr().map_err(StartError::Address)?;
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    Ok(format!("http://{address}"))
}

/// Completes when the sandbox stops.
async fn stopped(mut stopping: watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stop| *stop).await;
}

fn serve(
    app: &Shared,
    api: TcpListener,
    page: TcpListener,
    stopping: &watch::Receiver<bool>,
) -> [JoinHandle<()>; 2] {
    let listeners = [
        (
            api,
            api::router(Arc::clone(app)).merge(ops::health(Arc::clone(app))),
        ),
        (
            page,
            console::router(Arc::clone(app))
                .merge(ops::health(Arc::clone(app)))
                .merge(ops::metrics(Arc::clone(app))),
        ),
    ];
    listeners.map(|(listener, router)| {
        let stopping = stopped(stopping.clone());
        tokio::spawn(async move {
            let serving = bothends_runtime::server::serve(listener, router)
                .body_timeout(BODY_TIMEOUT)
                .max_connections(connections())
                .shutdown_timeout(GRACE)
                .graceful_shutdown(stopping);
            if let Err(error) = serving.await {
                tracing::error!(%error, "serving");
            }
        })
    })
}

/// Returns the number of connections of a listener: the two listeners leave half of the files that the
/// process may open to the database and to webhooks.
fn connections() -> usize {
    #[cfg(unix)]
    if let Some(files) = rustix::process::getrlimit(rustix::process::Resource::Nofile).current {
        let share = usize::try_from(files / 4).unwrap_or(CONNECTIONS);
        return share.min(CONNECTIONS);
    }
    CONNECTIONS
}
