//! Which files of the corpus are documents to generate from.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The root documents: they say which version of the format they are written in.
/// Sorted by path.
#[must_use]
pub fn roots(corpus: &Path) -> Vec<PathBuf> {
    let mut roots = Vec::new();
    let mut folders = vec![corpus.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if is_root(&path) {
                roots.push(path);
            }
        }
    }
    roots.sort();
    roots
}

fn is_root(path: &Path) -> bool {
    let Some("json" | "yaml" | "yml") = path.extension().and_then(|ending| ending.to_str()) else {
        return false;
    };
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let names = ["openapi", "swagger"];
    if let Ok(Value::Object(top)) = serde_json::from_str(&text) {
        return names.iter().any(|name| top.contains_key(*name));
    }
    let is_member = |line: &str| {
        let key = line.split_once(':').map_or("", |(key, _)| key).trim_end();
        names.contains(&key.trim_matches(['"', '\'']))
    };
    text.trim_start_matches('\u{feff}').lines().any(is_member)
}
