//! From the ir to items: `emit` matches, it never decides.
//!
//! Each module of the generated code has one file here that assembles it, of the same name: `types`,
//! `operations`, `client`, `server` and `webhooks`. They build [`syn`] values; text of the document gets
//! into those as literals and doc attributes only, and every identifier passes through `Context::ident`.

mod assemble;
mod client;
mod context;
mod credentials;
mod docs;
mod needs;
mod operations;
mod options;
mod output;
mod rejections;
mod routes;
mod rules;
mod scope;
mod server;
mod servers;
mod syntax;
mod types;
mod webhook_rules;
mod webhooks;

pub use needs::{Feature, Needs, crates_of, is_own, type_features};
pub use options::{InvalidNames, Options, Parts, Serde};
pub use output::{Output, OutputModule};

use crate::ir::Api;
use context::Context;

/// The modules of an API.
///
/// # Errors
///
/// When a name or a configured type path is not one in Rust.
pub fn emit(api: &Api, options: &Options) -> Result<Output, InvalidNames> {
    let cx = Context::new(api, options);
    let output = assemble::assemble(&cx);
    cx.finish(output)
}
