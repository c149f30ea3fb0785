//! What the tests share: where things are, and crates that are generated and compiled.

pub mod count;
pub mod example;
pub mod in_process;
pub mod measure;
pub mod python;
mod roots;
pub mod scratch;
pub mod stranger;

pub use roots::roots;

use std::path::{Path, PathBuf};

/// The folder of the workspace.
#[must_use]
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Our own small specs, sorted by name.
///
/// # Errors
/// When the folder cannot be read.
pub fn features() -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in root().join("spec/features").read_dir()? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The folder of real specs: `BOTHENDS_CORPUS`, or `../shared/corpus` beside the checkout. `None`,
/// with a word about it, where it is missing.
#[must_use]
pub fn corpus(test: &str) -> Option<PathBuf> {
    let path = std::env::var_os("BOTHENDS_CORPUS")
        .map_or_else(|| root().join("../shared/corpus"), PathBuf::from);
    if path.is_dir() {
        return Some(path);
    }
    // Straight to the terminal: the harness would capture `eprintln!` of a test that passes.
    let note = format!(
        "SKIPPED {test}: no folder {} (set BOTHENDS_CORPUS)\n",
        path.display()
    );
    let _ = std::io::Write::write_all(&mut std::io::stderr(), note.as_bytes());
    None
}

/// The name a file goes by in a test: its stem.
#[must_use]
pub fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}
