//! `bothends.toml`: what the flags say, in a file, and what no flag says. [`SETTINGS`] lists the keys.
//!
//! A flag wins over its key; allowances of both count. `--check` is a question, not a setting, and
//! has no key.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use toml::Table;

use crate::emit::{Parts, Serde};
use crate::lower::UnknownValues;

mod settings;
#[cfg(test)]
mod tests;
mod values;

pub use settings::{SETTINGS, Setting};

use settings::Entry;

/// The name under which a configuration is looked for in the current folder.
pub const FILE_NAME: &str = "bothends.toml";

/// What a configuration file says; `None` where it says nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The document.
    pub spec: Option<PathBuf>,
    /// The output folder.
    pub out: Option<PathBuf>,
    /// Name of the crate.
    pub name: Option<String>,
    /// One module, `mod.rs`, instead of a crate.
    pub module: Option<bool>,
    /// What is generated beside types.
    pub parts: Option<Parts>,
    /// Where the runtime crate lies.
    pub runtime_path: Option<PathBuf>,
    /// How structs implement serde.
    pub serde: Option<Serde>,
    /// The methods of server traits have a default, which responds 501.
    pub unimplemented_handlers: Option<bool>,
    /// What is done with enum values and tags that the document does not list.
    pub unknown_values: Option<UnknownValues>,
    /// Codes that are let pass.
    pub allow: Vec<String>,
    /// References may leave the folder of the document.
    pub allow_outside: Option<bool>,
    /// References to `https:` URLs are fetched.
    pub allow_remote: Option<bool>,
    /// The crate is a member of a workspace around it.
    pub workspace_member: Option<bool>,
    /// Rust names, by JSON pointer or by `Schema.member`.
    pub names: BTreeMap<String, String>,
    /// Paths of Rust types, by `format`.
    pub formats: BTreeMap<String, String>,
    /// Dependencies of the generated crate beside the runtime.
    pub dependencies: Table,
}

/// Why a configuration cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Reads a file; its paths become relative to where the command runs.
    ///
    /// # Errors
    /// When it cannot be read, is no TOML, or holds an unknown key or a value of the wrong type.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let error = |message| ConfigError {
            path: path.to_path_buf(),
            message,
        };
        let text = std::fs::read_to_string(path).map_err(|cause| error(cause.to_string()))?;
        Self::parse(&text, path.parent().unwrap_or(Path::new(""))).map_err(error)
    }

    /// Reads the file of the current folder, if there is one.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_default() -> Result<Option<Self>, ConfigError> {
        let path = Path::new(FILE_NAME);
        if path.is_file() {
            Self::load(path).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Reads a text whose paths are relative to `folder`.
    ///
    /// # Errors
    /// The message says what is wrong with the text.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, String> {
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| error.to_string())?;
        let mut config = Self::default();
        for (key, value) in &table {
            settings::set(&mut config, &Entry { key, value, folder })?;
        }
        Ok(config)
    }
}
