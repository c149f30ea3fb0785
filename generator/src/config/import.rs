//! `[imports]`: files that have modules of their own.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toml::Value;

use super::Config;
use super::entry::Entry;
use super::values::{table, text, wrong};

/// The module that is generated from a file as a document of its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Import {
    /// The path of its module `types`, such as `common_api::types`.
    pub(crate) module: String,
    /// The path of its configuration.
    pub(crate) config: Option<PathBuf>,
    /// Its settings, if they are part of the same file.
    pub(crate) settings: Option<Box<Config>>,
}

impl Import {
    /// Imports from the module at a path, such as `common_api::types` or `crate::common::types`.
    pub fn new(module: impl Into<String>) -> Self {
        Self {
            module: module.into(),
            ..Self::default()
        }
    }

    /// Sets the path of the `bothends.toml` of the module, whose names and settings its types have.
    ///
    /// Without it, the module has the settings of the importing one that decide the form of types, and no
    /// configured names.
    #[must_use]
    pub fn config(mut self, path: impl Into<PathBuf>) -> Self {
        self.config = Some(path.into());
        self
    }

    /// Returns the path of the `bothends.toml` of the module, if it is set.
    #[doc(hidden)]
    #[must_use]
    pub const fn configuration(&self) -> Option<&PathBuf> {
        self.config.as_ref()
    }
}

impl From<&str> for Import {
    fn from(module: &str) -> Self {
        Self::new(module)
    }
}

impl From<String> for Import {
    fn from(module: String) -> Self {
        Self::new(module)
    }
}

/// Returns imports by file: the path of a module, or a table with `module` and `config`.
pub(super) fn imports(entry: &Entry<'_>) -> Result<BTreeMap<String, Import>, String> {
    let pair = |(file, value): (&String, &Value)| {
        let import = match value {
            Value::Table(table) => {
                let mut import = Import::default();
                for (key, value) in table {
                    match key.as_str() {
                        "module" => import.module = text(key, value)?.to_owned(),
                        "config" => import.config = Some(entry.folder.join(text(key, value)?)),
                        // `common.yaml = "…"` without quotes around the key is a table in TOML.
                        _ => {
                            return Err(format!(
                                "unknown key `{key}` in an entry of `[{}]`: the path of a file is in quotes, and \
                                 keys are `module` and `config`",
                                entry.key
                            ));
                        }
                    }
                }
                import
            }
            Value::String(module) => Import::new(module),
            other => return Err(wrong(file, "the path of a module", other)),
        };
        match import.module.is_empty() {
            true => Err(format!("missing `module` of `{file}` in `[{}]`", entry.key)),
            false => Ok((file.clone(), import)),
        }
    };
    table(entry)?.iter().map(pair).collect()
}
