//! What surrounds generated modules: `Cargo.toml` and README of a crate, and new projects.
//!
//! The texts are those of `bothends-templates`. What is put into TOML goes through the writer of
//! the `toml` crate, what is put into Rust is an identifier or an escaped literal, and what is put
//! into Markdown is stripped to one line of text.

mod client_starter;
mod crate_name;
mod document;
mod package;
mod receiver_starter;
mod relative;
mod server_starter;
mod starter;
mod template;
#[cfg(test)]
mod tests;

pub use crate_name::{BadName, check_crate_name, crate_name_of};
pub use document::{Document, document};
pub use package::{Dependency, Package, package};
pub(crate) use package::{inline, key};
pub use relative::path_between;
pub use starter::{Kind, Starter, starter};
pub(crate) use template::{one_line, toml_string};
