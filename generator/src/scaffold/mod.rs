//! The files around generated modules: `Cargo.toml` and README of a crate, new projects, and methods for code of
//! users.
//!
//! The texts are those of `bothends-templates`. Values in TOML are written by the `toml` crate,
//! values in Rust are identifiers or escaped literals, and values in Markdown are reduced to one
//! line of text.

mod client_starter;
mod crate_name;
mod document;
mod driver;
mod package;
mod receiver_starter;
mod relative;
mod server_starter;
mod starter;
mod stubs;
mod template;
#[cfg(test)]
mod tests;

pub use crate_name::{BadName, check_crate_name, crate_name_of};
pub use document::{Document, document};
pub use driver::{Driver, Purpose, driver, variable_of};
pub use package::{Dependency, Package, package};
pub(crate) use package::{inline, key, tags_toml};
pub use relative::path_between;
pub use starter::{Kind, Starter, starter};
pub use stubs::stubs;
pub(crate) use template::{one_line, toml_string};
