//! The words that flags take.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListWord {
    /// Operations, webhooks and callbacks
    Operations,
    /// Reusable schemas
    Schemas,
    /// Tags, with the number of their operations
    Tags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// Text with source listings
    Human,
    /// One JSON object per line
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// Text for people
    Human,
    /// One JSON object
    Json,
    /// Markdown for a comment on a pull request
    Markdown,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BumpWord {
    /// Changes of the generated crate
    Rust,
    /// Changes of the messages
    Wire,
    /// Changes of both
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RustWord {
    /// In other crates
    Crate,
    /// In the crate that contains the generated module, as with a build script
    Module,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChangelogFormat {
    /// Text for people
    Human,
    /// Markdown
    Markdown,
    /// One page of HTML with a timeline
    Html,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Types of schemas; always generated
    Types,
    /// Client with a method per operation
    Client,
    /// Server traits and router
    Server,
    /// Webhook types, sender and receiver
    Webhooks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SerdeWord {
    /// Tables read by macros of the runtime; compiles faster
    Table,
    /// Derive macros of serde
    Derive,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnknownWord {
    /// Keep them in a variant `Unrecognized`
    Keep,
    /// Fail to deserialize them
    Reject,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TemplateWord {
    /// Program that calls the API
    Client,
    /// Program that serves the API
    Server,
    /// Program whose build script generates the API
    BuildRs,
}

/// Parses `FILE=PATH`: a file, and the path of the module that has its types.
pub(super) fn import(text: &str) -> Result<(String, String), String> {
    match text.rsplit_once('=') {
        Some((file, module)) if !file.is_empty() && !module.is_empty() => {
            Ok((file.to_owned(), module.to_owned()))
        }
        _ => Err("expected `FILE=PATH`, such as `common.yaml=crate::common::types`".to_owned()),
    }
}
