//! From the bytes of a document to the text of code: whatever the document is, it ends in a plan, and
//! nothing panics on the way.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use bothends::Builder;
use libfuzzer_sys::fuzz_target;

/// One file for each process: libFuzzer runs one document at a time.
static DOCUMENT: LazyLock<PathBuf> = LazyLock::new(|| {
    let name = format!("bothends-fuzz-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the document");
    folder.join("api.yaml")
});

fuzz_target!(|bytes: &[u8]| {
    std::fs::write(&*DOCUMENT, bytes).expect("the document is written");
    // What is wrong with it is told in the plan, or is the error; both are fine.
    let _ = Builder::new(&*DOCUMENT).module(true).plan();
});
