//! The command line. Its words are fixed: scripts depend on them.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// One OpenAPI document in, both ends of the API out.
#[derive(Debug, Parser)]
#[command(name = "bothends", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done; there may be warnings
  1  the document has errors, or --check found a difference
  2  wrong usage, or a file could not be read or written";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Generate a crate, or a module, from a document
    Generate(Generate),
    /// Start a project around a document
    New(New),
    /// Write a document as one file of OpenAPI 3.0, every reference resolved
    Bundle(Bundle),
    /// Tell what is wrong with a document, and write nothing
    Lint(Lint),
    /// Tell what a diagnostic code means
    Explain(Explain),
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// The document, JSON or YAML; may come from the configuration
    pub(crate) spec: Option<PathBuf>,
    /// Folder to write into; may come from the configuration
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Name of the crate; by default made from the title
    #[arg(long, value_name = "CRATE")]
    pub(crate) name: Option<String>,
    /// Write one module, DIR/mod.rs, instead of a crate
    #[arg(long)]
    pub(crate) module: bool,
    /// What to generate
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "types,client,server,webhooks"
    )]
    pub(crate) parts: Option<Vec<Part>>,
    /// Depend on the runtime crate in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) runtime_path: Option<PathBuf>,
    /// How structs implement serde
    #[arg(long)]
    pub(crate) serde: Option<SerdeWord>,
    /// Let operations without a handler respond 501, instead of failing to compile
    #[arg(long)]
    pub(crate) unimplemented_handlers: bool,
    /// What to do with enum values and tags of unions that the document does not list
    #[arg(long)]
    pub(crate) unknown_values: Option<UnknownWord>,
    /// Write nothing; fail if anything would be written
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) allow: Allow,
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// Configuration [default: bothends.toml of the current folder, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
pub(crate) struct New {
    /// Folder of the new project; must be empty or not be there
    pub(crate) dir: PathBuf,
    /// The document, JSON or YAML
    #[arg(long, value_name = "SPEC")]
    pub(crate) spec: PathBuf,
    /// What to start
    #[arg(long)]
    pub(crate) template: TemplateWord,
    /// Name of the project's crate; by default that of the folder
    #[arg(long, value_name = "CRATE")]
    pub(crate) name: Option<String>,
    /// Depend on the runtime crate in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) runtime_path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reach: Reach,
}

#[derive(Debug, Args)]
pub(crate) struct Bundle {
    /// The document, JSON or YAML
    pub(crate) spec: PathBuf,
    /// File to write, YAML unless it ends in .json; by default standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reach: Reach,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
pub(crate) struct Lint {
    /// The document, JSON or YAML
    pub(crate) spec: PathBuf,
    #[command(flatten)]
    pub(crate) allow: Allow,
    #[command(flatten)]
    pub(crate) reach: Reach,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The code, such as E0103
    pub(crate) code: String,
}

#[derive(Debug, Args)]
pub(crate) struct Allow {
    /// Let a diagnostic pass; may be given several times
    #[arg(long, value_name = "CODE")]
    pub(crate) allow: Vec<String>,
}

/// Where references may lead.
#[derive(Debug, Args)]
pub(crate) struct Reach {
    /// Let references leave the folder of the document
    #[arg(long)]
    pub(crate) allow_outside: bool,
    /// Fetch what references name by an https: URL
    #[arg(long)]
    pub(crate) allow_remote: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Messages {
    /// How diagnostics are written to standard error
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: MessageFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// With listings, for people
    Human,
    /// One JSON object a line
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    Types,
    Client,
    Server,
    Webhooks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SerdeWord {
    /// A table that the runtime reads; compiles fast
    Table,
    /// The derives of serde
    Derive,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnknownWord {
    /// Keep them in a variant `Unrecognized`, where the service sends them
    Keep,
    /// Read them as errors
    Reject,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TemplateWord {
    /// A program that calls the API
    Client,
    /// A program that serves the API
    Server,
    /// A program whose build script generates the API
    BuildRs,
}
