//! `bothends.toml`: what the flags say, in a file, and what no flag says.
//!
//! ```toml
//! spec = "spec/api.yaml"          # paths are relative to this file
//! out = "api"
//! name = "pets-api"
//! module = false                  # one module, `mod.rs`, instead of a crate
//! parts = ["types", "client"]
//! runtime-path = "../runtime"
//! serde = "table"                 # or "derive"
//! unimplemented-handlers = true   # operations without a handler respond 501
//! unknown-values = "keep"         # or "reject": enum values and tags that are not listed
//! allow = ["W0401"]
//! allow-outside = true            # references may leave the folder of the document
//! allow-remote = true             # references to `https:` URLs are fetched
//! workspace-member = true         # no `[workspace]` table in the crate's Cargo.toml
//!
//! [names]                         # Rust names, see `names`
//! "/components/schemas/Pet/properties/type" = "kind"
//! "Pet.class" = "class_name"
//!
//! [formats]                       # Rust types by `format`
//! decimal = "rust_decimal::Decimal"
//!
//! [dependencies]                  # for the crate's Cargo.toml: where those types come from
//! rust_decimal = { version = "1", features = ["serde"] }
//! ```
//!
//! A flag wins over its key; allowances of both count. `--check` is a question, not a setting, and
//! has no key.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::emit::{Parts, Serde};
use crate::lower::UnknownValues;

#[cfg(test)]
mod tests;

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

const KEYS: &[&str] = &[
    "spec",
    "out",
    "name",
    "module",
    "parts",
    "runtime-path",
    "serde",
    "unimplemented-handlers",
    "unknown-values",
    "allow",
    "allow-outside",
    "allow-remote",
    "workspace-member",
    "names",
    "formats",
    "dependencies",
];

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
            config.set(key, value, folder)?;
        }
        Ok(config)
    }

    fn set(&mut self, key: &str, value: &Value, folder: &Path) -> Result<(), String> {
        match key {
            "spec" => self.spec = Some(folder.join(string(key, value)?)),
            "out" => self.out = Some(folder.join(string(key, value)?)),
            "name" => self.name = Some(string(key, value)?.to_owned()),
            "module" => self.module = Some(boolean(key, value)?),
            "parts" => self.parts = Some(parts(&strings(key, value)?)?),
            "runtime-path" => self.runtime_path = Some(folder.join(string(key, value)?)),
            "serde" => self.serde = Some(serde(string(key, value)?)?),
            "unimplemented-handlers" => {
                self.unimplemented_handlers = Some(boolean(key, value)?);
            }
            "unknown-values" => {
                self.unknown_values = Some(unknown_values(string(key, value)?)?);
            }
            "allow" => {
                self.allow = strings(key, value)?
                    .into_iter()
                    .map(str::to_owned)
                    .collect();
            }
            "allow-outside" => self.allow_outside = Some(boolean(key, value)?),
            "allow-remote" => self.allow_remote = Some(boolean(key, value)?),
            "workspace-member" => self.workspace_member = Some(boolean(key, value)?),
            "names" => self.names = map(key, value)?,
            "formats" => self.formats = map(key, value)?,
            "dependencies" => {
                let table = value
                    .as_table()
                    .ok_or_else(|| wrong(key, "a table", value))?;
                self.dependencies = table.clone();
            }
            unknown => return Err(unknown_key(unknown)),
        }
        Ok(())
    }
}

/// Reads the words of `--parts`; types are always generated, for the rest is made of them.
///
/// # Errors
/// When a word is none of the parts.
pub fn parts(words: &[&str]) -> Result<Parts, String> {
    let mut parts = Parts {
        client: false,
        server: false,
        webhooks: false,
    };
    for word in words {
        match *word {
            "types" => {}
            "client" => parts.client = true,
            "server" => parts.server = true,
            "webhooks" => parts.webhooks = true,
            other => {
                return Err(format!(
                    "there is no part `{other}`; parts are `types`, `client`, `server`, `webhooks`"
                ));
            }
        }
    }
    Ok(parts)
}

/// Reads the word of `--serde`.
///
/// # Errors
/// When it is neither `table` nor `derive`.
pub fn serde(word: &str) -> Result<Serde, String> {
    match word {
        "table" => Ok(Serde::Table),
        "derive" => Ok(Serde::Derive),
        other => Err(format!("`serde` is `table` or `derive`, not `{other}`")),
    }
}

fn unknown_values(word: &str) -> Result<UnknownValues, String> {
    match word {
        "keep" => Ok(UnknownValues::Keep),
        "reject" => Ok(UnknownValues::Reject),
        other => Err(format!(
            "`unknown-values` is `keep` or `reject`, not `{other}`"
        )),
    }
}

fn wrong(key: &str, wanted: &str, value: &Value) -> String {
    format!("`{key}` is {wanted}, not {}", article(value.type_str()))
}

fn article(kind: &str) -> String {
    let vowel = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {kind}", if vowel { "an" } else { "a" })
}

fn string<'v>(key: &str, value: &'v Value) -> Result<&'v str, String> {
    value.as_str().ok_or_else(|| wrong(key, "a string", value))
}

fn boolean(key: &str, value: &Value) -> Result<bool, String> {
    value
        .as_bool()
        .ok_or_else(|| wrong(key, "`true` or `false`", value))
}

/// A list of strings, or one string with commas, as on the command line.
fn strings<'v>(key: &str, value: &'v Value) -> Result<Vec<&'v str>, String> {
    match value {
        Value::String(list) => Ok(list.split(',').map(str::trim).collect()),
        Value::Array(items) => items.iter().map(|item| string(key, item)).collect(),
        other => Err(wrong(key, "a list of strings", other)),
    }
}

fn map(key: &str, value: &Value) -> Result<BTreeMap<String, String>, String> {
    let table = value
        .as_table()
        .ok_or_else(|| wrong(key, "a table", value))?;
    let entry = |(of, value): (&String, &Value)| match value {
        // `Pet.class = "…"` without quotes around the key is a table in TOML.
        Value::Table(_) => Err(format!(
            "put the key in quotes: \"{of}.…\", under `[{key}]`"
        )),
        _ => Ok((of.clone(), string(of, value)?.to_owned())),
    };
    table.iter().map(entry).collect()
}

fn unknown_key(unknown: &str) -> String {
    let near = KEYS.iter().map(|key| (distance(unknown, key), key)).min();
    match near {
        Some((distance, key)) if distance <= 2 => {
            format!("there is no key `{unknown}`; did you mean `{key}`?")
        }
        _ if unknown == "check" => "`check` is a flag only: `bothends generate --check`".to_owned(),
        _ => format!(
            "there is no key `{unknown}`; keys are `{}`",
            KEYS.join("`, `")
        ),
    }
}

/// How many letters must change, come or go (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = before + usize::from(from != *to);
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
