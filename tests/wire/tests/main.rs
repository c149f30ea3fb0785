//! All tests of the wire, as one binary: each module is a subject, so
//! `cargo test -p bothends-wire-tests --test wire tapes::` runs that of `tapes.rs`.
//!
//! What is generated makes a binary of a quarter of a gigabyte, so there is one and not one a file.

mod binary;
mod boxed;
mod encoding;
#[cfg(corpus)]
mod form_data;
mod look_alikes;
mod loopback;
#[cfg(corpus)]
mod ogen;
#[cfg(corpus)]
mod parameters_style;
#[cfg(corpus)]
mod polymorphism;
mod prism;
mod raw_collection_formats;
mod raw_requests;
mod raw_responses;
mod raw_streams;
mod schemas;
mod streams;
mod tapes;
mod three_two;

/// What is left out of a build without the corpus, and why.
#[cfg(not(corpus))]
#[test]
fn the_corpus_is_missing() {
    use bothends_test_environment::{FETCH_CORPUS, corpus_folder, skipped};
    let missing = format!("no corpus at {}", corpus_folder().display());
    for test in [
        "form_data::*",
        "loopback::small_specs_of_the_corpus_come_back_as_they_went",
        "ogen::*",
        "parameters_style::*",
        "polymorphism::*",
        "prism::no_request_is_refused, all but one document",
        "tapes::both_ends_do_what_is_recorded, the tapes of the corpus",
    ] {
        skipped(test, &missing, FETCH_CORPUS);
    }
}

/// A file that is no module here would not be compiled, and nobody would notice.
#[test]
fn every_file_is_a_module() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(folder).expect("the tests") {
        let path = entry.expect("a test").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        assert!(
            name == "main" || main.contains(&format!("\nmod {name};\n")),
            "tests/main.rs has no `mod {name};`"
        );
    }
}
