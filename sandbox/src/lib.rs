//! A sandbox of the financial data service, for developers of clients.

pub mod api;
pub mod app;
pub mod catalogue;
pub mod cli;
pub mod clock;
pub mod config;
pub mod conformance;
pub mod console;
pub mod faults;
mod first;
pub mod ids;
pub mod listen;
pub mod metrics;
pub mod model;
mod ops;
pub mod outcome;
pub mod receiver;
pub mod recorder;
mod request_error;
mod sandbox;
pub mod scenario;
pub mod seed;
pub mod snapshot;
mod start_error;
pub mod store;
pub mod subscriptions;
pub mod tasks;
pub mod webhooks;

pub use config::Config;
pub use first::KnownProject;
pub use request_error::RequestError;
pub use sandbox::{Sandbox, SandboxBuilder};
pub use start_error::StartError;
