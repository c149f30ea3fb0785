//! A client of the financial data service, as a user of the generated crate writes it.
//!
//! [`Service::refresh`] starts a refresh and waits for its end. The end is known from a webhook, if
//! [`Service::webhooks`] is served and subscribed, or from polling. Errors that may pass are retried:
//! a refresh succeeds even if responses are late, cut off or 5xx, if a token expires early, and if
//! webhooks are lost, repeated, late or wrongly signed.

mod receive;
mod settings;

pub use receive::Signatures;
pub use settings::{InvalidSettings, Settings};

use bothends_runtime::client::{CallError, Error, PollOptions, TaskError, TokenErrorKind};
use bothends_runtime::tasks::TaskNotifier;
use bothends_runtime::{Json, Map, OperationError, StatusCode};
use financial_data::client::{
    CLIENT_CREDENTIALS_FLOW, Client, Credentials, START_OPEN_BANKING_REFRESH_TASK,
};
use financial_data::operations::GetOpenBankingRefreshStatusRequest;
use financial_data::types::AggregationEvent;
use std::fmt;
use std::future::Future;
use std::time::Duration;

/// How often a request is sent that fails for a reason that may pass.
const ATTEMPTS: u32 = 6;
/// How often a request is sent that fails with a 401. The client itself has already tried a new
/// token each time.
const UNAUTHORIZED_ATTEMPTS: u32 = 2;
/// The codes of a 401 with which no token helps.
const FINAL_CODES: [&str; 2] = ["customer_not_found", "unauthorized_scope"];
/// The pause before the second attempt. It doubles.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a refresh may take.
const DEADLINE: Duration = Duration::from_secs(120);
/// How many webhooks are kept for tasks that no caller waits for yet.
const NOTIFICATIONS: usize = 10_000;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The service, on behalf of one customer. Clones share token and notifications.
#[derive(Debug, Clone)]
pub struct Service {
    client: Client,
    notifier: TaskNotifier<AggregationEvent>,
    polling: PollOptions,
}

/// A refresh that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refreshed {
    /// The task.
    pub task_id: String,
    /// `None` for a success, or the details of the failure.
    pub failure: Option<String>,
    /// Whether a webhook reported the end, rather than a poll.
    pub by_webhook: bool,
}

impl Service {
    /// Creates a client. The first call obtains a token.
    ///
    /// # Errors
    /// Returns an error if the URL is not valid.
    pub fn new(settings: &Settings) -> Result<Self, BoxError> {
        let (id, secret) = (&settings.client_id, &settings.client_secret);
        let credentials = Credentials {
            client_id: Some(id.as_str().into()),
            customer_id: settings.customer_id.as_deref().map(Into::into),
            ..Credentials::default()
        };
        let client = Client::new(&settings.api)?.with_credentials(credentials);
        let tokens = client
            .core()
            .token_source(CLIENT_CREDENTIALS_FLOW, id, secret.as_str())?;
        let mut polling = PollOptions::default();
        polling.deadline = Some(DEADLINE);
        Ok(Self {
            client: client.with_tokens(tokens),
            notifier: TaskNotifier::new(NOTIFICATIONS),
            polling,
        })
    }

    /// Sets the interval before the second poll of a task. The default is a second; later intervals
    /// are longer.
    #[must_use]
    pub const fn poll_interval(mut self, interval: Duration) -> Self {
        self.polling.initial_interval = interval;
        self
    }

    /// Returns the service that receives webhooks: `POST PREFIX/refreshCompleted`, and so on.
    ///
    /// # Errors
    /// Returns an error if the signing token is too short, or if the URL of the keys is not valid.
    pub fn webhooks(&self, prefix: &str, signatures: Signatures) -> Result<axum::Router, BoxError> {
        receive::router(self.notifier.clone(), prefix, signatures)
    }

    /// Refreshes the data of the customer, and waits until the refresh has ended.
    ///
    /// # Errors
    /// Returns an error that does not pass, such as `customer_not_found`, or one that did not pass
    /// in time.
    pub async fn refresh(&self) -> Result<Refreshed, Failed> {
        // A POST that failed may have started a task. A second refresh of the same data does no
        // harm; a client of another operation would have to look first.
        let started = persist(|| self.client.start_open_banking_refresh()).await?;
        let task_id = text(&started, "task_id").ok_or_else(|| Failed::new("no task id"))?;
        Ok(match self.wait(&task_id).await? {
            End::Status(status) => Refreshed {
                failure: failure(text(&status, "status"), text(&status, "result")),
                task_id,
                by_webhook: false,
            },
            End::Webhook(event) => Refreshed {
                failure: failure(
                    event.status.map(|status| status.as_str().to_owned()),
                    event.result,
                ),
                task_id,
                by_webhook: true,
            },
        })
    }

    /// Waits for the end of a task, by webhook or by polling.
    async fn wait(&self, task_id: &str) -> Result<End, Failed> {
        tokio::select! {
            // A webhook that was already received makes a poll needless.
            biased;
            event = self.notifier.wait(task_id) => Ok(End::Webhook(event)),
            status = self.poll(task_id) => status.map(End::Status),
        }
    }

    /// Polls the status of a task until it has ended.
    async fn poll(&self, task_id: &str) -> Result<Map<Json>, Failed> {
        let is_over = |status: &Map<Json>| {
            let status = text(status, "status");
            status.is_some_and(|status| START_OPEN_BANKING_REFRESH_TASK.is_terminal(&status))
        };
        let mut attempt = 1;
        loop {
            let request = GetOpenBankingRefreshStatusRequest::new(task_id.to_owned());
            let task = self
                .client
                .core()
                .task(request, move |status| is_over(status));
            // Transient errors do not end the wait. A response that was cut off, or a second 401 in
            // a row, does.
            match task.poll_options(self.polling).await {
                Ok(status) => return Ok(status.into_inner()),
                Err(TaskError::Status { error, .. }) if attempt < attempts(&error) => {
                    pause(attempt).await;
                }
                Err(TaskError::Status { error, .. }) => return Err(Failed::call(error)),
                Err(error) => return Err(Failed::new(error)),
            }
            attempt += 1;
        }
    }
}

/// How the end of a task became known.
enum End {
    Status(Map<Json>),
    Webhook(AggregationEvent),
}

/// Sends a request until it succeeds or fails for a reason that does not pass.
async fn persist<R, E, F>(send: impl Fn() -> F) -> Result<R, Failed>
where
    F: Future<Output = Result<bothends_runtime::Response<R>, Error<E>>>,
    E: OperationError,
{
    let mut attempt = 1;
    loop {
        match send().await {
            Ok(response) => return Ok(response.into_inner()),
            Err(error) if attempt < attempts(&error) => pause(attempt).await,
            Err(error) => return Err(Failed::call(error)),
        }
        attempt += 1;
    }
}

/// Returns how often a request is sent that failed with this error.
fn attempts<E: OperationError>(error: &Error<E>) -> u32 {
    match error {
        Error::Token(token) => match token.kind() {
            TokenErrorKind::Refused { status, .. } if *status == StatusCode::UNAUTHORIZED => {
                UNAUTHORIZED_ATTEMPTS
            }
            TokenErrorKind::Malformed { .. } => ATTEMPTS,
            _ if error.is_retryable() => ATTEMPTS,
            _ => 1,
        },
        // The response was cut off.
        Error::Decode { .. } => ATTEMPTS,
        _ if error.is_retryable() => ATTEMPTS,
        _ if error.status() == Some(StatusCode::UNAUTHORIZED) => {
            let code = error.code().unwrap_or_default();
            match FINAL_CODES.contains(&code.as_str()) {
                true => 1,
                false => UNAUTHORIZED_ATTEMPTS,
            }
        }
        _ => 1,
    }
}

async fn pause(attempt: u32) {
    tokio::time::sleep(PAUSE * 2_u32.saturating_pow(attempt - 1)).await;
}

/// Returns a field of a body whose schema is open.
fn text(body: &Map<Json>, field: &str) -> Option<String> {
    body.get(field)?.as_str().map(str::to_owned)
}

/// Returns the failure of a task. A status or code that is not known is a failure with that name.
fn failure(status: Option<String>, result: Option<String>) -> Option<String> {
    match status.as_deref() {
        Some("Completed") => None,
        _ => Some(result.or(status).unwrap_or_else(|| "unknown".to_owned())),
    }
}

/// The error of a refresh.
#[derive(Debug)]
pub struct Failed {
    code: Option<String>,
    error: BoxError,
}

impl Failed {
    fn new(error: impl Into<BoxError>) -> Self {
        Self {
            code: None,
            error: error.into(),
        }
    }

    fn call<E: OperationError>(error: Error<E>) -> Self {
        Self {
            code: error.code(),
            error: error.into(),
        }
    }

    /// Returns the code of the service, such as `customer_not_found`, if there is one.
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)?;
        match &self.code {
            Some(code) => write!(f, " ({code})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failed {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}
