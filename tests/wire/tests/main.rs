//! All tests of the wire, as one binary: each module is a subject, so
//! `cargo test -p bothends-wire-tests --test wire tapes::` runs that of `tapes.rs`.
//!
//! What is generated makes a binary of a quarter of a gigabyte, so there is one and not one a file.

mod binary;
mod boxed;
mod encoding;
mod form_data;
mod look_alikes;
mod loopback;
mod ogen;
mod parameters_style;
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
