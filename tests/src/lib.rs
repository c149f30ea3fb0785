//! What the tests share: where things are, and crates that are generated and compiled.

pub mod count;
pub mod example;
pub mod in_process;
pub mod measure;
pub mod parallel;
pub mod public;
pub mod python;
mod roots;
pub mod scratch;
pub mod stranger;

pub use bothends_test_environment::{corpus, has_program, has_python, public_corpus, skipped};
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

/// The name a file goes by in a test: its stem.
#[must_use]
pub fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}
