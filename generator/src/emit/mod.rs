//! Emission of items from the intermediate representation. `emit` makes no decisions about the API.
//!
//! Each module of the generated code has a file of the same name here that assembles it: `types`,
//! `operations`, `client`, `server` and `webhooks`. They build [`syn`] values. Text of the document
//! is emitted as literals and doc attributes only, and every identifier passes through
//! `Context::ident`.

mod assemble;
mod client;
mod conditions;
mod context;
mod credentials;
mod docs;
mod examples;
mod exchange;
mod links;
mod methods;
mod needs;
mod operations;
mod options;
mod output;
mod pages;
mod rejections;
mod routes;
mod rules;
mod samples;
mod scope;
mod server;
mod servers;
mod syntax;
mod tasks;
mod types;
mod webhook_rules;
mod webhooks;

pub use needs::{Feature, Needs, client_features, crates_of, is_own, type_features};
pub use options::{Examples, InvalidNames, Options, Parts, Serde};
pub use output::{Output, OutputModule};
pub(crate) use types::{parse_attribute, parse_derive, parse_module, parse_type};

use crate::ir::Api;
use context::Context;

/// Returns the modules of an API.
///
/// # Errors
///
/// Returns an error if a name or a configured type path is not valid in Rust.
pub fn emit(api: &Api, options: &Options) -> Result<Output, InvalidNames> {
    let cx = Context::new(api, options);
    let output = assemble::assemble(&cx);
    cx.finish(output)
}
