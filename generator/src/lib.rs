//! One OpenAPI document in, both ends of the API out.
//!
//! The library behind the command `bothends`, and what a build script calls:
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
//! `source` reads files, `resolve` binds references, `dialect` reads any version of the format into
//! one model, `lower` decides what becomes of everything in Rust, `names` names it, `emit` turns it
//! into items, `print` into text, and [`output`] writes what differs.

mod builder;
pub mod config;
pub mod diagnostic;
pub mod dialect;
pub mod emit;
mod failure;
pub mod ir;
mod lower;
pub mod model;
mod names;
pub mod openapi;
pub mod output;
pub mod position;
pub mod print;
pub mod report;
pub mod resolve;
pub mod scaffold;
pub mod source;

pub use builder::{Builder, Bundle, Plan};
pub use emit::{Parts, Serde};
pub use failure::Failure;
pub use lower::UnknownValues;
