//! Keeping Rust names when a document changes: entries for `[names]`.

use super::change::Report;

/// An entry for `[names]` that keeps a Rust name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kept {
    /// The key: a JSON pointer, a schema, an `operationId`, or `Schema.member`.
    pub key: String,
    /// The Rust name.
    pub name: String,
}

impl Report {
    /// Returns the entries for `[names]` that keep the Rust names of items that stay.
    #[must_use]
    pub fn kept_names(&self) -> Vec<Kept> {
        let all = self
            .changes
            .iter()
            .filter_map(|change| change.keep.as_ref());
        let all = all.filter(|(key, _)| !key.is_empty());
        let mut kept: Vec<Kept> = all
            .map(|(key, name)| Kept {
                key: key.clone(),
                name: name.clone(),
            })
            .collect();
        kept.sort();
        kept.dedup_by(|one, other| one.key == other.key);
        kept
    }
}

/// Adds entries to the table `[names]` of a configuration file, and returns the new text. Lines
/// that exist stay as they are; a key that the table already has keeps its value.
#[must_use]
pub fn keep_names(text: &str, kept: &[Kept]) -> String {
    let known: toml::Table = text.parse().unwrap_or_default();
    let known = known.get("names").and_then(toml::Value::as_table);
    let is_new = |entry: &&Kept| known.is_none_or(|table| !table.contains_key(&entry.key));
    let lines: Vec<String> = kept.iter().filter(is_new).map(line).collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    let lines = lines.concat();
    let mut start = 0;
    for row in text.split_inclusive('\n') {
        start += row.len();
        if row.split('#').next().unwrap_or_default().trim() == "[names]" {
            let (before, after) = text.split_at(start);
            let end = if before.ends_with('\n') { "" } else { "\n" };
            return format!("{before}{end}{lines}{after}");
        }
    }
    let end = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    format!("{text}{end}[names]\n{lines}")
}

/// Returns an entry as a line of TOML.
fn line(entry: &Kept) -> String {
    let text = |text: &str| toml::Value::String(text.to_owned()).to_string();
    // A basic string is valid as a key, and every string is valid as a basic string.
    let key = serde_json::to_string(&entry.key).unwrap_or_default();
    format!("{key} = {}\n", text(&entry.name))
}
