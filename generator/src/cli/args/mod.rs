//! The arguments of the command. Their names are stable, because scripts depend on them.

use std::path::PathBuf;

use bothends::diff::{Audience, Day, Level};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use super::examples;

mod programs;
mod threshold;
mod words;

pub(crate) use programs::{Build, Checked, Contract, Examples};
pub(crate) use threshold::FailOn;
use threshold::{audience, level};
pub(crate) use words::{
    BumpWord, ChangelogFormat, DiffFormat, ListWord, MessageFormat, Part, RustWord, SerdeWord,
    TemplateWord, UnknownWord,
};

/// Generate Rust clients, servers and webhooks from OpenAPI documents
#[derive(Debug, Parser)]
#[command(name = "bothends", version, arg_required_else_help = true, after_help = examples::EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Generate a crate or a module from an OpenAPI document
    #[command(after_help = examples::GENERATE)]
    Generate(Generate),
    /// Create a new project that uses an OpenAPI document
    #[command(after_help = examples::NEW)]
    New(New),
    /// Print the settings of `generate`, each with its origin: the configuration file, a flag, or the default
    #[command(after_help = examples::CONFIG)]
    Config(Configuration),
    /// List the selectors of the operations, schemas or tags of an OpenAPI document
    #[command(after_help = examples::LIST)]
    List(List),
    /// Print the dependencies that the generated code needs
    #[command(after_help = examples::DEPS)]
    Deps(Deps),
    /// Print methods for the server traits, to start an implementation or to complete it
    #[command(after_help = examples::STUBS)]
    Stubs(Stubs),
    /// Report the errors and warnings of an OpenAPI document
    #[command(after_help = examples::LINT)]
    Lint(Lint),
    /// Check the examples of an OpenAPI document by its generated types
    #[command(after_help = examples::EXAMPLES)]
    Examples(Examples),
    /// Test a running service by the requests and responses of an OpenAPI document
    #[command(after_help = examples::CONTRACT, allow_missing_positional = true)]
    Contract(Contract),
    /// Convert an OpenAPI document to a single file of OpenAPI 3.0
    #[command(after_help = examples::BUNDLE)]
    Bundle(Bundle),
    /// Compare two versions of an OpenAPI document
    #[command(after_help = examples::DIFF)]
    Diff(Diff),
    /// List the changes of an OpenAPI document since a git revision
    #[command(after_help = examples::CHANGELOG)]
    Changelog(Changelog),
    /// Explain a diagnostic code or a rule of `bothends diff`
    #[command(after_help = examples::EXPLAIN)]
    Explain(Explain),
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Completions),
    /// Print the manual page
    #[command(after_help = examples::MAN)]
    Man,
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Write no files; fail if the generated code is not up to date
    #[arg(long)]
    pub(crate) check: bool,
    /// Print the time of each stage, and the functions that the derives of the configuration add
    #[arg(long)]
    pub(crate) timings: bool,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

/// What is written by `generate`.
#[derive(Debug, Args)]
pub(crate) struct Output {
    /// Output directory [config: `out`]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Name of the generated crate [default: made from the title] [config: `name`]
    #[arg(long, value_name = "CRATE")]
    pub(crate) name: Option<String>,
    /// Generate one module, DIR/mod.rs, instead of a crate [config: `module`]
    #[arg(long)]
    pub(crate) module: bool,
    /// Generate a member of the workspace around DIR [config: `workspace-member`]
    #[arg(long)]
    pub(crate) workspace_member: bool,
    /// Respond 501 from handlers that are not implemented [config: `unimplemented-handlers`]
    #[arg(long)]
    pub(crate) unimplemented_handlers: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Configuration {
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Fail if a file that the settings name does not exist
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Deps {
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// Print `[build-dependencies]` for a build script too
    #[arg(long)]
    pub(crate) build_script: bool,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
pub(crate) struct Stubs {
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// File of the server: print only the methods that its impls lack; repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Vec<PathBuf>,
    /// Path of the generated code in Rust
    #[arg(long, value_name = "PATH", default_value = "crate::api")]
    pub(crate) api: String,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

/// What decides about the generated code, by flags or by the configuration file.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// OpenAPI document, JSON or YAML [config: `spec`]
    pub(crate) spec: Option<PathBuf>,
    /// Configuration file [default: `bothends.toml` of the current directory, if it exists]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) document: Document,
    /// Parts to generate [default: all] [config: `parts`]
    #[arg(long, value_delimiter = ',', value_name = "PART,...")]
    pub(crate) parts: Option<Vec<Part>>,
    /// Implementation of serde for structs [default: table] [config: `serde`]
    #[arg(long, value_name = "FORM")]
    pub(crate) serde: Option<SerdeWord>,
    /// Treatment of undocumented enum values and union tags [default: keep] [config: `unknown-values`]
    #[arg(long, value_name = "TREATMENT")]
    pub(crate) unknown_values: Option<UnknownWord>,
    /// Directory of `bothends-runtime`, for a path dependency [config: `runtime-path`]
    #[arg(long, value_name = "DIR")]
    pub(crate) runtime_path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) filter: Filter,
    #[command(flatten)]
    pub(crate) allow: Allow,
    #[command(flatten)]
    pub(crate) overlays: Overlays,
    /// File whose types another module has: its path from the folder of SPEC, and the Rust path of the module;
    /// repeatable [config: `imports`]
    #[arg(long, value_name = "FILE=PATH", value_parser = words::import)]
    pub(crate) import: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) reach: Reach,
}

#[derive(Debug, Args)]
pub(crate) struct New {
    /// Directory of the new project; it must be empty or missing
    pub(crate) dir: PathBuf,
    /// OpenAPI document, JSON or YAML
    #[arg(long, value_name = "SPEC")]
    pub(crate) spec: PathBuf,
    /// Kind of project
    #[arg(long)]
    pub(crate) template: TemplateWord,
    /// Name of the project's crate [default: the name of the directory]
    #[arg(long, value_name = "CRATE")]
    pub(crate) name: Option<String>,
    /// Directory of `bothends-runtime`, for a path dependency
    #[arg(long, value_name = "DIR")]
    pub(crate) runtime_path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reach: Reach,
}

#[derive(Debug, Args)]
pub(crate) struct Bundle {
    /// OpenAPI document, JSON or YAML
    pub(crate) spec: PathBuf,
    /// Output file, JSON if its name ends in `.json` and YAML otherwise [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overlays: Overlays,
    #[command(flatten)]
    pub(crate) reach: Reach,
    #[command(flatten)]
    pub(crate) filter: Filter,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
pub(crate) struct Lint {
    /// OpenAPI document, JSON or YAML
    pub(crate) spec: PathBuf,
    /// Write an overlay that repairs what has one possible meaning, to be read and committed; the file must not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) write_overlay: Option<PathBuf>,
    /// Check the examples too, as `bothends examples` does
    #[arg(long, conflicts_with = "write_overlay")]
    pub(crate) examples: bool,
    #[command(flatten)]
    pub(crate) build: Build,
    #[command(flatten)]
    pub(crate) allow: Allow,
    #[command(flatten)]
    pub(crate) overlays: Overlays,
    #[command(flatten)]
    pub(crate) reach: Reach,
    #[command(flatten)]
    pub(crate) filter: Filter,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// Old and new document, each a file or `REV:PATH` of git; only the new file with `--against` [config: `spec`]
    #[arg(value_name = "SPEC", num_args = 0..=2)]
    pub(crate) documents: Vec<PathBuf>,
    /// Compare with the document of a git revision
    #[arg(long, value_name = "REV", conflicts_with = "against_release")]
    pub(crate) against: Option<String>,
    /// Compare with the document of the highest version tag
    #[arg(long)]
    pub(crate) against_release: bool,
    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: DiffFormat,
    /// Fail if a change reaches a level for an audience, or `none`
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "AUDIENCE=LEVEL,...",
        default_values_t = [FailOn::default()]
    )]
    pub(crate) fail_on: Vec<FailOn>,
    /// List the changes that affect an audience; those that fail are always listed
    #[arg(long, value_delimiter = ',', value_name = "AUDIENCE,...", value_parser = audience())]
    pub(crate) audience: Vec<Audience>,
    /// Lowest level of the listed changes [default: `attention`; `safe` in JSON and SARIF]
    #[arg(long, value_name = "LEVEL", value_parser = level())]
    pub(crate) min_severity: Option<Level>,
    /// Largest number of listed changes
    #[arg(long, value_name = "COUNT")]
    pub(crate) limit: Option<usize>,
    /// Print reasons, positions and fingerprints after each change
    #[arg(long)]
    pub(crate) details: bool,
    /// Changes that the version bump counts
    #[arg(long, value_name = "SCOPE", default_value = "rust")]
    pub(crate) bump: BumpWord,
    /// Where Rust code uses what is generated [default: by `module` of the configuration]
    #[arg(long, value_name = "PLACE")]
    pub(crate) rust: Option<RustWord>,
    /// Day of the comparison, for announced removals [default: the current day]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) today: Option<Day>,
    /// Compare the files that git gives to an external diff program
    #[arg(
        long,
        value_name = "ARGUMENT",
        num_args = 1..=9,
        conflicts_with_all = ["documents", "against", "against_release", "accept", "keep_names", "write_version"]
    )]
    pub(crate) git_driver: Vec<PathBuf>,
    /// Accept a change, and write it to `[accepted-changes]` of the configuration file; repeatable
    #[arg(long, num_args = 2, value_names = ["FINGERPRINT", "REASON"])]
    pub(crate) accept: Vec<String>,
    /// Write entries of `[names]` that keep the Rust names of items that stay
    #[arg(long)]
    pub(crate) keep_names: bool,
    /// Write the required version of the generated crate to its manifest
    #[arg(long, value_name = "CARGO_TOML")]
    pub(crate) write_version: Option<PathBuf>,
    /// Configuration file [default: `bothends.toml` of the current directory, if it exists]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) document: Document,
    #[command(flatten)]
    pub(crate) allow: Allow,
    #[command(flatten)]
    pub(crate) overlays: Overlays,
    #[command(flatten)]
    pub(crate) reach: Reach,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
pub(crate) struct Changelog {
    /// OpenAPI document, JSON or YAML
    pub(crate) spec: PathBuf,
    /// Git revision to start after
    #[arg(long, value_name = "REV")]
    pub(crate) since: String,
    /// Day of the comparisons, for announced removals [default: the current day]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) today: Option<Day>,
    /// Format of the list
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    pub(crate) format: ChangelogFormat,
    #[command(flatten)]
    pub(crate) allow: Allow,
    #[command(flatten)]
    pub(crate) overlays: Overlays,
    #[command(flatten)]
    pub(crate) reach: Reach,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Diagnostic code, such as E0103, or rule, such as D0401
    pub(crate) code: String,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// Shell to print the script for
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Allow {
    /// Allow a diagnostic: its errors become warnings, its warnings are hidden; repeatable [config: `allow`]
    #[arg(long, value_name = "CODE")]
    pub(crate) allow: Vec<String>,
}

/// Changes of the document in files of their own.
#[derive(Debug, Args)]
pub(crate) struct Overlays {
    /// Overlay to apply to the document, after those of the configuration file; repeatable [config: `overlays`]
    #[arg(long, value_name = "FILE")]
    pub(crate) overlay: Vec<PathBuf>,
}

/// One of several documents.
#[derive(Debug, Args)]
pub(crate) struct Document {
    /// Document of a configuration file that has several, by its name [config: `api`]
    #[arg(long, value_name = "NAME")]
    pub(crate) document: Option<String>,
}

/// Where references may lead.
#[derive(Debug, Args)]
pub(crate) struct Reach {
    /// Allow references to files outside the document's project [config: `allow-outside`]
    #[arg(long)]
    pub(crate) allow_outside: bool,
    /// Fetch documents referenced by `https:` URLs [config: `allow-remote`]
    #[arg(long)]
    pub(crate) allow_remote: bool,
}

/// The parts of the document that become code.
#[derive(Debug, Args)]
pub(crate) struct Filter {
    /// Select operations, webhooks or schemas, with all that they need; repeatable [config: `filter`]
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) include: Vec<String>,
    /// Leave out operations, webhooks or schemas; repeatable [config: `filter`]
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) exclude: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// What to list
    pub(crate) what: ListWord,
    /// OpenAPI document, JSON or YAML [config: `spec`]
    pub(crate) spec: Option<PathBuf>,
    /// Configuration file [default: `bothends.toml` of the current directory, if it exists]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) document: Document,
    /// List only what the filter keeps
    #[arg(long)]
    pub(crate) filter: bool,
    #[command(flatten)]
    pub(crate) overlays: Overlays,
    #[command(flatten)]
    pub(crate) reach: Reach,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Args)]
pub(crate) struct Messages {
    /// Format of diagnostics on standard error
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: MessageFormat,
}
