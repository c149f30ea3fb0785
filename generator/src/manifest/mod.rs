//! The `Cargo.toml` of a crate that contains generated code: the required lines, and the check for
//! them.
//!
//! [`Dependencies`] writes the lines that `bothends deps` prints. `check` reads the manifest of a
//! crate whose build script runs the generator. [`enclosing_workspace`] finds the workspace around
//! an output folder.

mod check;
mod features;
mod lines;
mod lock;
mod mentions;
mod packages;
mod paths;
mod suggestion;
#[cfg(test)]
mod tests;
mod workspace;

pub(crate) use check::{BuildScript, check};
pub use features::RUNTIME_FEATURES;
pub use lines::Dependencies;
pub use workspace::enclosing_workspace;

/// The package name of the runtime.
const RUNTIME: &str = "bothends-runtime";

/// The version of all crates of this project.
const VERSION: &str = env!("CARGO_PKG_VERSION");
