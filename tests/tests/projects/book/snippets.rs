//! Blocks of Rust that are no files: each is a module of one crate.

use std::path::Path;

use bothends_tests::scratch::run;

use super::write;

/// A module and where it stands in a page.
pub(crate) struct Snippet {
    /// Name of the module.
    pub(crate) module: String,
    /// The page and the line of its first line.
    pub(crate) place: String,
    pub(crate) text: String,
}

/// Writes a crate with a module for each snippet, and checks it. Warnings are errors, but for those about
/// code that only an example has.
pub(crate) fn check(dir: &Path, manifest: &str, snippets: &[Snippet]) {
    let mut lib = String::from("#![allow(dead_code, unused_variables, clippy::all)]\n");
    for snippet in snippets {
        let Snippet {
            module,
            place,
            text,
        } = snippet;
        lib.push_str(&format!("/// `{place}`\nmod {module};\n"));
        write(
            dir,
            &format!("src/{module}.rs"),
            &format!("// {place}\n{text}"),
        );
    }
    write(dir, "src/lib.rs", &lib);
    write(dir, "Cargo.toml", manifest);
    let checked = run(dir, &["check"]).expect("cargo runs");
    assert!(checked.clean, "{}", checked.output);
}
