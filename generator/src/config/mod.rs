//! `bothends.toml`: the settings of the flags in a file, and settings without a flag. [`SETTINGS`]
//! lists the keys.
//!
//! A flag has precedence over its key; allowances of both are combined. `--check` is a mode of one
//! run and has no key.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use toml::Table;

use crate::diff::Severities;
use crate::emit::{Parts, Serde};
use crate::ir::Stability;
use crate::lower::{UnknownCrates, UnknownValues};

mod apis;
mod entry;
mod file;
mod import;
mod settings;
#[cfg(test)]
mod tests;
mod values;

pub use file::{FileEntry, file_entries};
pub use import::Import;
pub use settings::{SETTINGS, Setting};

use entry::Entry;

/// The file name of the default configuration in the current folder.
pub const FILE_NAME: &str = "bothends.toml";

/// The settings of a configuration file. Missing keys are `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The documents of a file that has several, each with all of its settings.
    pub apis: Vec<Config>,
    /// The path of the document.
    pub spec: Option<PathBuf>,
    /// The paths of the overlays, in the order in which they are applied.
    pub overlays: Vec<PathBuf>,
    /// The output folder.
    pub out: Option<PathBuf>,
    /// The name of the generated crate.
    pub name: Option<String>,
    /// Whether to generate one module, `mod.rs`, instead of a crate.
    pub module: Option<bool>,
    /// The parts to generate in addition to the types.
    pub parts: Option<Parts>,
    /// The folder of the runtime crate.
    pub runtime_path: Option<PathBuf>,
    /// The implementation of serde for structs.
    pub serde: Option<Serde>,
    /// Whether the methods of server traits have a default that responds with 501.
    pub unimplemented_handlers: Option<bool>,
    /// The treatment of undocumented enum values and union tags.
    pub unknown_values: Option<UnknownValues>,
    /// The codes of allowed diagnostics.
    pub allow: Vec<String>,
    /// Whether references may lead outside the folder of the document.
    pub allow_outside: Option<bool>,
    /// Whether `https:` URLs in references are fetched.
    pub allow_remote: Option<bool>,
    /// Whether the crate is a member of an enclosing workspace.
    pub workspace_member: Option<bool>,
    /// Reasons of accepted changes, by fingerprint.
    pub accepted_changes: BTreeMap<String, String>,
    /// Levels of changes by rule of `diff`, for each audience that has one.
    pub severities: Severities,
    /// The days between the announcement of a removal and the removal that `diff` requires, by
    /// `x-stability-level`.
    pub deprecation_days: BTreeMap<Stability, u32>,
    /// The lowest `x-stability-level` of operations that `diff` treats as stable.
    pub stable_from: Option<Stability>,
    /// Selectors of the operations, webhooks and schemas to generate. Empty for all.
    pub include: Vec<String>,
    /// Selectors of what is left out.
    pub exclude: Vec<String>,
    /// Whether each tag is behind a Cargo feature.
    pub tag_features: Option<bool>,
    /// Rust names, by JSON pointer or by `Schema.member`.
    pub names: BTreeMap<String, String>,
    /// Paths of Rust types, by `format`.
    pub formats: BTreeMap<String, String>,
    /// Paths of Rust types, by the schemas whose types they replace.
    pub types: BTreeMap<String, String>,
    /// Whether the validation rules of responses are generated.
    pub response_rules: Option<bool>,
    /// Whether a test of the document's examples is generated.
    pub examples_test: Option<bool>,
    /// Whether a test of the types that replace schemas is generated.
    pub types_test: Option<bool>,
    /// Versions of crates whose types `x-rust-type` may state, beside those of the dependencies.
    pub crates: Table,
    /// The treatment of types of other crates that `x-rust-type` states.
    pub unknown_crates: Option<UnknownCrates>,
    /// Modules that have the types of files, by the path of the file.
    pub imports: BTreeMap<String, Import>,
    /// Paths of derive macros, by the types that get them.
    pub derives: BTreeMap<String, Vec<String>>,
    /// Contents of attributes, by the types that get them.
    pub attributes: BTreeMap<String, Vec<String>>,
    /// Dependencies of the generated crate in addition to the runtime.
    pub dependencies: Table,
}

/// An error in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The path of the file.
    pub path: PathBuf,
    /// The problem.
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Reads a configuration file. Its paths become relative to the current folder.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is invalid TOML, or contains an unknown key or
    /// a value of the wrong type.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let error = |message| ConfigError {
            path: path.to_path_buf(),
            message,
        };
        let text = std::fs::read_to_string(path).map_err(|cause| error(cause.to_string()))?;
        Self::parse(&text, path.parent().unwrap_or(Path::new(""))).map_err(error)
    }

    /// Reads the configuration file of the current folder. Returns `None` if the file does not
    /// exist.
    ///
    /// # Errors
    /// Returns the same errors as [`Self::load`].
    pub fn load_default() -> Result<Option<Self>, ConfigError> {
        let path = Path::new(FILE_NAME);
        if path.is_file() {
            Self::load(path).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Parses the text of a configuration file whose paths are relative to `folder`.
    ///
    /// # Errors
    /// Returns an error message if the text is invalid.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, String> {
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| error.to_string())?;
        let mut config = Self::default();
        // The other keys are the defaults of the documents.
        let (last, first): (Vec<_>, Vec<_>) = table.iter().partition(|(key, _)| *key == apis::KEY);
        for (key, value) in first.into_iter().chain(last) {
            settings::set(&mut config, &Entry { key, value, folder })?;
        }
        Ok(config)
    }
}
