//! The entries of a configuration file, for `bothends config`.

use std::path::Path;

use toml::Table;
use toml::de::DeTable;

use super::Config;
use super::entry::Entry;
use super::settings;
use crate::source::Lines;

/// A key of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// The key.
    pub key: String,
    /// The value, as one line of TOML.
    pub value: String,
    /// The line of the key, from 1.
    pub line: usize,
    /// The error of the entry.
    pub error: Option<String>,
}

/// Returns the keys of a configuration file, in the order of the file, each with its error.
///
/// # Errors
/// Returns an error if the text is invalid TOML.
pub fn file_entries(text: &str) -> Result<Vec<FileEntry>, String> {
    let spans = DeTable::parse(text).map_err(|error| error.to_string())?;
    let values: Table = text
        .parse()
        .map_err(|error: toml::de::Error| error.to_string())?;
    let lines = Lines::new(text);
    let mut entries: Vec<FileEntry> = Vec::new();
    for key in spans.get_ref().keys() {
        let Some(value) = values.get(key.get_ref().as_ref()) else {
            continue;
        };
        let entry = Entry {
            key: key.get_ref(),
            value,
            folder: Path::new(""),
        };
        entries.push(FileEntry {
            key: entry.key.to_owned(),
            value: value.to_string(),
            line: lines.position(key.span().start).line,
            error: settings::set(&mut Config::default(), &entry).err(),
        });
    }
    entries.sort_by_key(|entry| entry.line);
    Ok(entries)
}
