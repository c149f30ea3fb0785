//! Clients: calls to operations over any transport.
//!
//! A generated client is a set of methods, one per operation, over one [`ClientCore`].

mod base;
mod boxed;
mod build;
mod call;
mod certificate;
#[cfg(feature = "check-responses")]
mod checked;
mod core;
mod credentials;
#[cfg(feature = "rustls-no-provider")]
mod crypto;
#[cfg(feature = "retries")]
mod documented_retries;
mod error;
mod failure;
mod idempotency_key;
mod in_process;
#[cfg(feature = "retries")]
mod jitter;
mod limits;
mod links;
mod options;
mod origin;
#[cfg(feature = "hyper")]
mod over_hyper;
#[cfg(feature = "reqwest")]
mod over_reqwest;
mod over_tower;
mod pages;
mod provided;
mod raw_response;
pub(crate) mod redact;
mod retry;
mod retry_budget;
mod servers;
mod stream_call;
mod task;
#[cfg(any(feature = "hyper", feature = "reqwest", feature = "retries"))]
mod timed;
mod token;
mod transport;
#[cfg(feature = "test")]
mod untyped;
mod user_agent;
mod write;

pub use self::core::ClientCore;
// Generated code of form 2 may have this name.
#[doc(hidden)]
pub use self::core::ClientCore as Core;
pub use crate::message::credential::{Basic, MutualTls, Secret};
pub use crate::message::payload::{Body, BodyError, CollectError};
pub use boxed::BoxTransport;
pub use build::BuildError;
#[cfg(feature = "test")]
pub(in crate::ends) use call::CallOf;
pub use call::ResponseFuture;
pub use credentials::{Credential, CredentialSource, NoCredentials};
#[cfg(feature = "retries")]
pub use documented_retries::DocumentedRetries;
pub use error::{CallError, Error, InvalidBaseUrl, MissingCredentials};
pub use in_process::InProcess;
pub use limits::{TimeLimit, TimeLimits, TimedOut};
#[cfg(feature = "test")]
pub(in crate::ends) use links::{Exchange, Sent as LinkSent};
pub use links::{Exchanged, Link, LinkBasis, Received};
pub use options::CallOptions;
pub use origin::UntrustedOrigin;
#[cfg(feature = "hyper")]
pub use over_hyper::{HyperTransport, HyperTransportBuilder};
#[cfg(feature = "reqwest")]
pub use over_reqwest::ReqwestTransport;
pub use over_tower::{TowerTransport, TransportService};
pub use pages::{Items, ListOperation, NextPage, PageError, PagedCall, PagedOperation, Pages};
pub use provided::{MissingTls, ProvidedTransport};
pub use raw_response::RawResponse;
#[cfg(feature = "retries")]
pub use retry::Backoff;
pub use retry::{Attempt, Delay, RetryPolicy, Timeout};
pub use retry_budget::{BudgetedRetries, RetryBudget};
pub use servers::{InvalidVariable, Server, ServerVariable};
pub use stream_call::StreamCall;
#[doc(hidden)]
pub use task::TaskMeta;
#[cfg(feature = "tasks")]
pub use task::{CancelError, PollOptions, Task, TaskError};
#[cfg(any(feature = "hyper", feature = "reqwest", feature = "retries"))]
pub use timed::TimeLimited;
#[cfg(feature = "tokens")]
pub use token::{
    AssertionClaims, OAuthEndpoint, RefreshOptions, TokenEndpoint, TokenRequest, TokenSource,
};
pub use token::{
    ClientAuthentication, Grant, TokenError, TokenErrorKind, TokenFlow, TokenFuture, TokenProvider,
    TokenResponse,
};
#[cfg(not(feature = "hyper"))]
pub use transport::NoTransport;
pub use transport::{Transport, TransportError};
#[cfg(feature = "test")]
pub(in crate::ends) use untyped::{SecretPairs, UntypedResponse};
pub use user_agent::user_agent;

/// The default transport of a client.
#[cfg(feature = "hyper")]
pub type DefaultTransport = HyperTransport;
/// The default transport of a client. Without the feature `hyper`, a client has no default transport.
#[cfg(not(feature = "hyper"))]
pub type DefaultTransport = NoTransport;
