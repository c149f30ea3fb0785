//! Pages in Markdown whose code is compiled and whose commands are run: README.md and the guide.

pub(crate) mod block;
pub(crate) mod names;
pub(crate) mod pages;
pub(crate) mod snippets;
pub(crate) mod walk;

use std::fs;
use std::path::Path;

use bothends_tests::root;

/// Puts the checkout in the place where a reader has it.
pub(crate) fn in_place(text: &str) -> String {
    let checkout = format!("{}/", root().display());
    let text = text.replace("../../bothends/", &checkout);
    text.replace("../bothends/", &checkout)
}

/// Writes a file, with the folders above it.
pub(crate) fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("written");
}
