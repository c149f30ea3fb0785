//! An entry of `bothends.toml`.

use std::path::Path;

use toml::Value;

/// A key of a file, and its value.
pub(super) struct Entry<'a> {
    pub(super) key: &'a str,
    pub(super) value: &'a Value,
    /// The folder that paths are relative to.
    pub(super) folder: &'a Path,
}
