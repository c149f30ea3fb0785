//! Fuzzes the generator, from the bytes of a document to the generated code. Any document must
//! result in a plan or an error, without a panic.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use bothends::Builder;
use libfuzzer_sys::fuzz_target;

/// One file per process, because libFuzzer runs one document at a time.
static DOCUMENT: LazyLock<PathBuf> = LazyLock::new(|| {
    let name = format!("bothends-fuzz-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the document");
    folder.join("api.yaml")
});

fuzz_target!(|bytes: &[u8]| {
    std::fs::write(&*DOCUMENT, bytes).expect("the document is written");
    // Errors of the document are in the plan or the result; both are valid outcomes.
    let _ = Builder::new(&*DOCUMENT).module(true).plan();
});
