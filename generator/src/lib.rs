//! Generates Rust clients, servers and webhooks from OpenAPI documents.
//!
//! The library behind the command `bothends`, and the interface for build scripts:
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     bothends::Builder::new("api.yaml").build()?;
//!     Ok(())
//! }
//! ```
//!
//! ```ignore
//! // src/lib.rs
//! bothends_runtime::include_api!();
//! ```
//!
//! A document passes through these stages, one module each; [`Builder::plan`] shows them in order:
//! `source` reads files and applies overlays, `resolve` binds references, `dialect` reads any version of the format into
//! one model, `lower` decides the Rust form of everything in the model, `names` assigns names,
//! `emit` creates items, `print` formats the items as text, and `output` writes the files that
//! differ. Public modules without documentation are for the command and the tests of this
//! workspace, and may change in any version.

/// The examples of the README, which doctests compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod builder;
#[doc(hidden)]
pub mod config;
#[doc(hidden)]
pub mod derives;
#[doc(hidden)]
pub mod diagnostic;
mod dialect;
#[doc(hidden)]
pub mod diff;
#[doc(hidden)]
pub mod emit;
mod failure;
#[doc(hidden)]
pub mod filter;
mod fnv;
mod imports;
#[doc(hidden)]
pub mod ir;
mod lower;
#[doc(hidden)]
pub mod manifest;
mod model;
mod names;
mod openapi;
#[doc(hidden)]
pub mod output;
#[doc(hidden)]
pub mod position;
#[doc(hidden)]
pub mod print;
mod proposal;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod resolve;
#[doc(hidden)]
pub mod scaffold;
mod sharing;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod stack;
mod vocabulary;

#[doc(hidden)]
pub use builder::ExamplesReport;
pub use builder::{Builder, Bundle, Comparison, Plan, Proposal, Timings};
pub use config::{Config, ConfigError, Import};
pub use diagnostic::{Code, Diagnostic, Diagnostics, Severity};
pub use emit::{Parts, Serde};
pub use failure::Failure;
pub use lower::{UnknownCrates, UnknownValues};
pub use output::{OutputError, OutputFile};
