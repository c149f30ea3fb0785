//! The arguments of commands that write and run a program.

use std::path::PathBuf;

use clap::Args;

use super::{Allow, Document, Filter, Messages, Overlays, Reach};

/// What decides about a program that is written and run for a document.
#[derive(Debug, Args)]
pub(crate) struct Checked {
    /// OpenAPI document, JSON or YAML [config: `spec`]
    pub(crate) spec: Option<PathBuf>,
    /// Configuration file [default: `bothends.toml` of the current directory, if it exists]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) document: Document,
    #[command(flatten)]
    pub(crate) build: Build,
    #[command(flatten)]
    pub(crate) filter: Filter,
    #[command(flatten)]
    pub(crate) allow: Allow,
    #[command(flatten)]
    pub(crate) overlays: Overlays,
    #[command(flatten)]
    pub(crate) reach: Reach,
}

/// How a program for a document is compiled.
#[derive(Debug, Args)]
pub(crate) struct Build {
    /// Directory of `bothends-runtime`, for a path dependency [config: `runtime-path`]
    #[arg(long, value_name = "DIR")]
    pub(crate) runtime_path: Option<PathBuf>,
    /// Directory for the program that is written, and all that cargo builds of it [default: `bothends` in `target` or
    /// `$CARGO_TARGET_DIR`]
    #[arg(long, value_name = "DIR")]
    pub(crate) build_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Examples {
    #[command(flatten)]
    pub(crate) settings: Checked,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
pub(crate) struct Contract {
    #[command(flatten)]
    pub(crate) settings: Checked,
    /// URL of the service, as a client of the document takes it
    #[arg(required = true)]
    pub(crate) url: String,
    /// Requests of each operation
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    pub(crate) cases: u32,
    /// Seed by which the requests are drawn: the same seed draws the same requests
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Credential of a security scheme; `USER:PASSWORD` for Basic, `ID:SECRET` to obtain tokens; repeatable [env:
    /// `BOTHENDS_CREDENTIAL_SCHEME`, the name of the scheme in capitals]
    #[arg(long, value_name = "SCHEME=VALUE")]
    pub(crate) credential: Vec<String>,
    /// Header of all requests; repeatable [env: `BOTHENDS_HEADERS`, one per line]
    #[arg(long, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,
    #[command(flatten)]
    pub(crate) messages: Messages,
}
